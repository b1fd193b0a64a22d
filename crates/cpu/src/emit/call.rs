//! Exported functions and calls.

use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage as LlvmLinkage;
use inkwell::types::{BasicMetadataTypeEnum, BasicType};

use super::types::leaf_count;
use super::*;
use ir::types::Leaf;
use ir::{Block, FuncId, Inst, Stmt};

impl<'c, 'm> Emitter<'c, 'm> {
    /// A function with the C calling convention.
    pub(super) fn export(&mut self, func: &'m Func) -> Result<()> {
        self.check_types(func)?;
        let function = self.declare(func)?;
        let entry = self.context.append_basic_block(function, "entry");
        let body = self.context.append_basic_block(function, "body");
        let mut frame = Frame::new(func, Exit::Export, function, entry);
        self.b.position_at_end(body);
        for (i, param) in function.get_param_iter().enumerate() {
            let leaf = c_leaf(&func.values[i])?;
            frame.values[i] = Some(Rc::new([self.memory_to_leaf(leaf, param)?]));
        }
        self.zero_vars(&mut frame)?;
        if self.block(&mut frame, &func.body)? == Flow::Falls {
            let zero = func.ret.as_ref().map(|ty| self.zero(ty));
            self.leave(&frame, zero)?;
        }
        self.in_entry(&frame, |b| b.build_unconditional_branch(body))?;
        Ok(())
    }

    fn declare(&self, func: &Func) -> Result<FunctionValue<'c>> {
        let leaves = func.param_types().iter().map(c_leaf).collect::<Result<Vec<_>>>()?;
        let params: Vec<BasicMetadataTypeEnum<'c>> =
            leaves.iter().map(|leaf| self.memory_type(*leaf).into()).collect();
        let ty = match &func.ret {
            Some(ret) => self.memory_type(c_leaf(ret)?).fn_type(&params, false),
            None => self.context.void_type().fn_type(&params, false),
        };
        let function = self.module.add_function(&func.name, ty, Some(LlvmLinkage::External));
        self.mark(function, &["nounwind"]);
        let probe = self.context.create_string_attribute("probe-stack", "inline-asm");
        function.add_attribute(AttributeLoc::Function, probe);
        Ok(function)
    }

    pub(super) fn return_to_c(&self, func: &Func, result: Option<Leaves<'c>>) -> Result<()> {
        match (&func.ret, result.as_deref()) {
            (Some(ty), Some([leaf])) => {
                let value = self.leaf_to_memory(c_leaf(ty)?, *leaf)?;
                self.b.build_return(Some(&value))?;
            }
            (None, None) => {
                self.b.build_return(None)?;
            }
            _ => return Err(invalid(format!("a return of {:?} does not fit its type", func.name))),
        }
        Ok(())
    }

    /// Gives every variable its slots, set to zero.
    fn zero_vars(&self, frame: &mut Frame<'c, 'm>) -> Result<()> {
        for var in &frame.func.vars {
            let slots = self.slots(frame, &var.ty)?;
            self.write_slots(&slots, &self.zero(&var.ty))?;
            frame.vars.push(slots);
        }
        Ok(())
    }

    /// Emits the callee's body here.
    pub(super) fn call(
        &mut self,
        caller: &Frame<'c, 'm>,
        callee: FuncId,
        args: &[Value],
    ) -> Result<Leaves<'c>> {
        let ir = self.ir;
        let func = ir.funcs.get(callee.0 as usize).ok_or_else(|| invalid("a call of no function"))?;
        self.check_types(func)?;
        let ret = func.ret.as_ref().ok_or_else(|| invalid("a call of a procedure"))?;
        let values = args.iter().map(|a| caller.leaves(*a)).collect::<Result<Vec<_>>>()?;
        let groups = self.suspend_groups(func);
        let straight = straight_line(&func.body);
        let exit = if straight.is_some() {
            Exit::Export
        } else {
            Exit::Inline { block: self.new_block(caller, "back"), result: self.slots(caller, ret)? }
        };
        let mut frame = Frame::new(func, exit, caller.function, caller.entry);
        for (slot, value) in frame.values.iter_mut().zip(values) {
            *slot = Some(value);
        }
        self.zero_vars(&mut frame)?;
        let result = match straight {
            Some((body, v)) => self.inline_straight(&mut frame, body, v)?,
            None => self.inline_branching(&mut frame, ret)?,
        };
        self.groups.extend(groups);
        Ok(result)
    }

    fn inline_straight(
        &mut self,
        frame: &mut Frame<'c, 'm>,
        body: &'m [Stmt],
        v: Value,
    ) -> Result<Leaves<'c>> {
        for stmt in body {
            self.stmt(frame, stmt)?;
        }
        frame.leaves(v)
    }

    fn inline_branching(&mut self, frame: &mut Frame<'c, 'm>, ret: &Type) -> Result<Leaves<'c>> {
        let Exit::Inline { block, result } = frame.exit.clone() else {
            return Err(invalid("an inlined body without a place to return to"));
        };
        if self.block(frame, &frame.func.body)? == Flow::Falls {
            let zero = self.zero(ret);
            self.leave(frame, Some(zero))?;
        }
        self.b.position_at_end(block);
        self.read_slots(ret, &result)
    }

    /// Stack memory of a callee is one slot for all rounds of the loops around the call, so its accesses are
    /// not independent. Returns the groups to put back after the call.
    fn suspend_groups(&mut self, func: &Func) -> Vec<MetadataValue<'c>> {
        let allocates = |s: &Stmt| matches!(s, Stmt::Let(_, Inst::StackAlloc(_)));
        if func.body.0.iter().any(allocates) { std::mem::take(&mut self.groups) } else { Vec::new() }
    }
}

impl<'c, 'm> Frame<'c, 'm> {
    fn new(
        func: &'m Func,
        exit: Exit<'c>,
        function: FunctionValue<'c>,
        entry: BasicBlock<'c>,
    ) -> Frame<'c, 'm> {
        let values = vec![None; func.values.len()];
        Frame { func, values, vars: Vec::new(), exit, loops: Vec::new(), function, entry }
    }
}

/// The only leaf of a type that may cross the C boundary.
fn c_leaf(ty: &Type) -> Result<Leaf> {
    match ty.leaves()[..] {
        [(leaf, _)] if leaf_count(ty) == 1 => Ok(leaf),
        _ => Err(invalid(format!("an exported function passes a {ty}"))),
    }
}

/// The statements and the result of a body that leaves in one place only, at its end.
fn straight_line(body: &Block) -> Option<(&[Stmt], Value)> {
    let (Stmt::Return(Some(v)), before) = body.0.split_last()? else { return None };
    let mut exits = 0;
    body.for_each_stmt(&mut |s| {
        exits += usize::from(matches!(s, Stmt::Return(_) | Stmt::Fail(_) | Stmt::Poll));
    });
    (exits == 1).then_some((before, *v))
}
