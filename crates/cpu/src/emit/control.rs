//! Statements and instructions, branches, loops, and the two ways a run ends early.

use inkwell::IntPredicate;

use super::*;
use ir::{Block, Fail, For, Inst, Rounds, Stmt};

/// How many rounds a loop makes between two questions whether the run was cancelled; a power of two.
const POLL_INTERVAL: u64 = 1 << 16;

/// LLVM's `memory(inaccessiblemem: readwrite)`: a call changes nothing that this code can see.
const INACCESSIBLE_MEMORY: u64 = 0b11 << 2;

impl<'c, 'm> Emitter<'c, 'm> {
    /// Emits statements up to the first that leaves the block.
    pub(super) fn block(&mut self, frame: &mut Frame<'c, 'm>, block: &'m Block) -> Result<Flow> {
        for stmt in &block.0 {
            if self.stmt(frame, stmt)? == Flow::Leaves {
                return Ok(Flow::Leaves);
            }
        }
        Ok(Flow::Falls)
    }

    pub(super) fn stmt(&mut self, frame: &mut Frame<'c, 'm>, stmt: &'m Stmt) -> Result<Flow> {
        match stmt {
            Stmt::Let(v, inst) => {
                let leaves = self.inst(frame, inst)?;
                frame.define(*v, leaves);
            }
            Stmt::Set(var, v) => self.write_slots(&frame.vars[var.0 as usize], &frame.leaves(*v)?)?,
            Stmt::Store { ptr, value } => {
                self.store(frame.ty(*value), frame.ptr(*ptr)?, &frame.leaves(*value)?)?;
            }
            Stmt::If { cond, then, els } => return self.if_else(frame, *cond, then, els),
            Stmt::Loop(body) => self.endless(frame, body)?,
            Stmt::For(l) => self.counted(frame, l)?,
            Stmt::Break => return self.jump(frame.loops.last().map(|l| l.on_break)),
            Stmt::Continue => return self.jump(frame.loops.last().map(|l| l.on_continue)),
            Stmt::Return(v) => {
                let result = v.map(|v| frame.leaves(v)).transpose()?;
                return self.leave(frame, result);
            }
            Stmt::Poll => self.poll(frame)?,
            Stmt::Fail(fail) => return self.fail(frame, *fail),
        }
        Ok(Flow::Falls)
    }

    fn inst(&mut self, frame: &Frame<'c, 'm>, inst: &'m Inst) -> Result<Leaves<'c>> {
        let leaf = match inst {
            Inst::Get(var) => {
                let i = var.0 as usize;
                return self.read_slots(&frame.func.vars[i].ty, &frame.vars[i]);
            }
            Inst::Select(c, a, b) => return self.select(frame, *c, *a, *b),
            Inst::Make(_, items) => return self.make(frame, items),
            Inst::Extract(a, index) => return self.extract(frame, *a, *index as usize),
            Inst::Index(a, index) => return self.index(frame, *a, *index),
            Inst::ViewLoad(view, idx) => return self.view_load(frame, *view, idx),
            Inst::Load(ty, ptr) => return self.load(ty, frame.ptr(*ptr)?),
            Inst::Call(callee, args) => return self.call(frame, *callee, args),
            Inst::Const(c) => self.constant(*c)?,
            Inst::Unary(op, a) => {
                let (s, a) = frame.scalar(*a)?;
                self.unary(*op, s, a)?
            }
            Inst::Binary(op, a, b) => {
                let ((s, a), (_, b)) = (frame.scalar(*a)?, frame.scalar(*b)?);
                self.binary(*op, s, a, b)?
            }
            Inst::Cmp(op, a, b) => {
                let ((s, a), (_, b)) = (frame.scalar(*a)?, frame.scalar(*b)?);
                self.cmp(*op, s, a, b)?
            }
            Inst::Cast(a, to) => {
                let (s, a) = frame.scalar(*a)?;
                self.cast(s, to.scalar().ok_or_else(|| invalid("cast to no scalar"))?, a)?
            }
            Inst::Bitcast(a, to) => {
                let to = to.scalar().ok_or_else(|| invalid("bitcast to no scalar"))?;
                self.bitcast(to, frame.scalar(*a)?.1)?
            }
            Inst::ViewLen(view, axis) => {
                let leaves = frame.leaves(*view)?;
                *leaves.get(1 + *axis as usize).ok_or_else(|| invalid("a view has no such axis"))?
            }
            Inst::PtrAdd(ptr, bytes) => self.ptr_add(frame.ptr(*ptr)?, frame.int(*bytes)?)?.into(),
            Inst::StackAlloc(bytes) => self.stack_bytes(frame, *bytes)?.into(),
        };
        Ok(Rc::new([leaf]))
    }

    fn select(&self, frame: &Frame<'c, 'm>, c: Value, a: Value, b: Value) -> Result<Leaves<'c>> {
        let (cond, a, b) = (frame.int(c)?, frame.leaves(a)?, frame.leaves(b)?);
        a.iter().zip(b.iter()).map(|(a, b)| Ok(self.b.build_select(cond, *a, *b, "")?)).collect()
    }

    fn if_else(
        &mut self,
        frame: &mut Frame<'c, 'm>,
        cond: Value,
        then: &'m Block,
        els: &'m Block,
    ) -> Result<Flow> {
        let [on_true, on_false, end] = ["then", "else", "end"].map(|name| self.new_block(frame, name));
        self.b.build_conditional_branch(frame.int(cond)?, on_true, on_false)?;
        let mut flow = Flow::Leaves;
        for (start, body) in [(on_true, then), (on_false, els)] {
            self.b.position_at_end(start);
            if self.block(frame, body)? == Flow::Falls {
                self.b.build_unconditional_branch(end)?;
                flow = Flow::Falls;
            }
        }
        self.b.position_at_end(end);
        if flow == Flow::Leaves {
            self.b.build_unreachable()?;
        }
        Ok(flow)
    }

    fn endless(&mut self, frame: &mut Frame<'c, 'm>, body: &'m Block) -> Result<()> {
        let [start, end] = ["loop", "end"].map(|name| self.new_block(frame, name));
        self.b.build_unconditional_branch(start)?;
        self.b.position_at_end(start);
        frame.loops.push(LoopExits { on_break: end, on_continue: start });
        let flow = self.block(frame, body)?;
        frame.loops.pop();
        if flow == Flow::Falls {
            self.b.build_unconditional_branch(start)?;
        }
        self.b.position_at_end(end);
        Ok(())
    }

    /// The shape that loop passes want: a guard, then a body whose end counts and tests.
    fn counted(&mut self, frame: &mut Frame<'c, 'm>, l: &'m For) -> Result<()> {
        let (lo, hi, i64) = (frame.int(l.lo)?, frame.int(l.hi)?, self.context.i64_type());
        let [start, next, end] = ["for", "next", "end"].map(|name| self.new_block(frame, name));
        let before = self.current_block()?;
        self.branch_if_less(lo, hi, start, end)?;

        self.b.position_at_end(start);
        let index = self.b.build_phi(i64, "")?;
        index.add_incoming(&[(&lo, before)]);
        frame.define(l.index, Rc::new([index.as_basic_value()]));
        let nodes = if l.rounds == Rounds::Parallel { self.nodes.parallel.pop() } else { None };
        self.groups.extend(nodes.as_ref().map(|n| n.group));
        frame.loops.push(LoopExits { on_break: end, on_continue: next });
        if self.block(frame, &l.body)? == Flow::Falls {
            self.b.build_unconditional_branch(next)?;
        }
        frame.loops.pop();

        self.b.position_at_end(next);
        let one = i64.const_int(1, false);
        let following = self.b.build_int_nsw_add(as_int(index.as_basic_value())?, one, "")?;
        index.add_incoming(&[(&following, next)]);
        let again = self.branch_if_less(following, hi, start, end)?;
        if nodes.is_some() {
            self.groups.pop();
        }
        let few = if l.rounds == Rounds::Few { self.nodes.few.pop() } else { None };
        if let Some(properties) = nodes.map(|n| n.properties).or(few) {
            let kind = self.context.get_kind_id("llvm.loop");
            again.set_metadata(properties, kind).map_err(|e| CpuError::Llvm(e.to_string()))?;
        }
        self.b.position_at_end(end);
        Ok(())
    }

    fn branch_if_less(
        &self,
        a: IntValue<'c>,
        b: IntValue<'c>,
        then: BasicBlock<'c>,
        els: BasicBlock<'c>,
    ) -> Result<inkwell::values::InstructionValue<'c>> {
        let less = self.b.build_int_compare(IntPredicate::SLT, a, b, "")?;
        Ok(self.b.build_conditional_branch(less, then, els)?)
    }

    fn jump(&self, to: Option<BasicBlock<'c>>) -> Result<Flow> {
        self.b.build_unconditional_branch(to.ok_or_else(|| invalid("a jump outside of a loop"))?)?;
        Ok(Flow::Leaves)
    }

    pub(super) fn new_block(&self, frame: &Frame<'c, 'm>, name: &str) -> BasicBlock<'c> {
        self.context.append_basic_block(frame.function, name)
    }

    pub(super) fn current_block(&self) -> Result<BasicBlock<'c>> {
        self.b.get_insert_block().ok_or_else(|| invalid("code outside of a function"))
    }

    fn poll(&mut self, frame: &mut Frame<'c, 'm>) -> Result<()> {
        let (i64, i32) = (self.context.i64_type(), self.context.i32_type());
        let counter = self.in_entry(frame, |b| {
            let counter = b.build_alloca(i64, "")?;
            b.build_store(counter, i64.const_zero())?;
            Ok::<_, CpuError>(counter)
        })?;
        let rounds = as_int(self.b.build_load(i64, counter, "")?)?;
        let rounds = self.b.build_int_add(rounds, i64.const_int(1, false), "")?;
        self.b.build_store(counter, rounds)?;
        let due = self.b.build_and(rounds, i64.const_int(POLL_INTERVAL - 1, false), "")?;
        let [ask, cancelled, go_on] = ["poll", "cancelled", "end"].map(|name| self.new_block(frame, name));
        self.b.build_conditional_branch(self.is_nonzero(due)?, go_on, ask)?;

        self.b.position_at_end(ask);
        let function = self.runtime_function("fl_poll", i32.fn_type(&[], false));
        let answer = self.b.build_call(function, &[], "")?.try_as_basic_value().basic();
        let answer = as_int(answer.ok_or_else(|| invalid("poll has no result"))?)?;
        self.b.build_conditional_branch(self.is_nonzero(answer)?, cancelled, go_on)?;

        self.b.position_at_end(cancelled);
        self.leave_with_zero(frame)?;
        self.b.position_at_end(go_on);
        Ok(())
    }

    fn fail(&mut self, frame: &mut Frame<'c, 'm>, fail: Fail) -> Result<Flow> {
        let i32 = self.context.i32_type();
        let function =
            self.runtime_function("fl_fail", self.context.void_type().fn_type(&[i32.into()], false));
        self.b.build_call(function, &[i32.const_int(u64::from(fail as u32), false).into()], "")?;
        self.leave_with_zero(frame)
    }

    fn runtime_function(&self, name: &str, ty: inkwell::types::FunctionType<'c>) -> FunctionValue<'c> {
        self.module.get_function(name).unwrap_or_else(|| {
            let function = self.module.add_function(name, ty, None);
            self.mark(function, &["nounwind", "cold"]);
            self.mark_value(function, "memory", INACCESSIBLE_MEMORY);
            function
        })
    }

    fn leave_with_zero(&mut self, frame: &mut Frame<'c, 'm>) -> Result<Flow> {
        let zero = frame.func.ret.as_ref().map(|ty| self.zero(ty));
        self.leave(frame, zero)
    }

    /// `return`
    pub(super) fn leave(&mut self, frame: &Frame<'c, 'm>, result: Option<Leaves<'c>>) -> Result<Flow> {
        match &frame.exit {
            Exit::Export => self.return_to_c(frame.func, result)?,
            Exit::Inline { block, result: slots } => {
                if let Some(leaves) = result {
                    self.write_slots(slots, &leaves)?;
                }
                self.b.build_unconditional_branch(*block)?;
            }
        }
        Ok(Flow::Leaves)
    }
}
