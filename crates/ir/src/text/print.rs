//! Writes the text form.

use std::fmt::{self, Write};

use crate::func::{Block, Fail, For, Func, Inst, Linkage, Module, Rounds, Stmt, Value};
use crate::types::{Type, quote};
use crate::typing::{FuncEnv, result_type};

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, func) in self.funcs.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            Printer { out: f, env: FuncEnv { funcs: &self.funcs[..i], func }, indent: 1 }.func(Some(i))?;
        }
        Ok(())
    }
}

impl fmt::Display for Func {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer { out: f, env: FuncEnv { funcs: &[], func: self }, indent: 1 }.func(None)
    }
}

/// `%1`
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// Without types: those of the values are not at hand.
impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inst::Const(c) => write!(f, "const {} {c}", c.ty.name()),
            Inst::Get(var) => write!(f, "get ${}", var.0),
            Inst::Unary(op, a) => write!(f, "{} {a}", op.name()),
            Inst::Binary(op, a, b) => write!(f, "{} {a}, {b}", op.name()),
            Inst::Cmp(op, a, b) => write!(f, "{} {a}, {b}", op.name()),
            Inst::Select(c, a, b) => write!(f, "select {c}, {a}, {b}"),
            Inst::Cast(a, ty) => write!(f, "cast {a} to {ty}"),
            Inst::Bitcast(a, ty) => write!(f, "bitcast {a} to {ty}"),
            Inst::Make(ty, items) => write!(f, "make {ty} [{}]", list(items)),
            Inst::Extract(a, i) => write!(f, "extract {a}, {i}"),
            Inst::Index(a, i) => write!(f, "index {a}, {i}"),
            Inst::ViewLen(v, axis) => write!(f, "view_len {v}, {axis}"),
            Inst::ViewLoad(v, indices) => write!(f, "view_load {v} [{}]", list(indices)),
            Inst::PtrAdd(p, n) => write!(f, "ptr_add {p}, {n}"),
            Inst::Load(ty, p) => write!(f, "load {ty}, {p}"),
            Inst::StackAlloc(bytes) => write!(f, "stack_alloc {bytes}"),
            Inst::Call(callee, args) => write!(f, "call @{}({})", callee.0, list(args)),
        }
    }
}

fn list(values: &[Value]) -> String {
    values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")
}

struct Printer<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    env: FuncEnv<'a>,
    indent: usize,
}

impl Printer<'_, '_> {
    fn func(&mut self, number: Option<usize>) -> fmt::Result {
        let func = self.env.func;
        if func.linkage == Linkage::Export {
            self.out.write_str("export ")?;
        }
        self.out.write_str("func ")?;
        if let Some(n) = number {
            write!(self.out, "@{n} ")?;
        }
        write!(self.out, "{}(", quote(&func.name))?;
        for (i, ty) in func.param_types().iter().enumerate() {
            write!(self.out, "{}%{i}: {ty}", if i == 0 { "" } else { ", " })?;
        }
        self.out.write_str(")")?;
        if let Some(ret) = &func.ret {
            write!(self.out, " -> {ret}")?;
        }
        self.out.write_str(" {\n")?;
        self.declarations()?;
        self.block(&func.body)?;
        self.out.write_str("}\n")
    }

    fn declarations(&mut self) -> fmt::Result {
        let func = self.env.func;
        for (i, var) in func.vars.iter().enumerate() {
            writeln!(self.out, "  var ${i} {}: {}", quote(&var.name), var.ty)?;
        }
        let mut defined = vec![false; func.values.len()];
        defined.iter_mut().take(func.params as usize).for_each(|d| *d = true);
        func.body.for_each_stmt(&mut |stmt| {
            let (Stmt::Let(v, _) | Stmt::For(For { index: v, .. })) = stmt else { return };
            if let Some(d) = defined.get_mut(v.0 as usize) {
                *d = true;
            }
        });
        for (i, ty) in func.values.iter().enumerate().filter(|(i, _)| !defined[*i]) {
            writeln!(self.out, "  value %{i}: {ty}")?;
        }
        Ok(())
    }

    fn block(&mut self, block: &Block) -> fmt::Result {
        block.0.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn line(&mut self) -> fmt::Result {
        (0..self.indent).try_for_each(|_| self.out.write_str("  "))
    }

    fn nested(&mut self, block: &Block) -> fmt::Result {
        self.out.write_str(" {\n")?;
        self.indent += 1;
        self.block(block)?;
        self.indent -= 1;
        self.line()?;
        self.out.write_char('}')
    }

    /// The name of a value that is being defined, with its type unless `derived` tells it.
    fn definition(&mut self, v: Value, derived: Option<&Type>) -> fmt::Result {
        write!(self.out, "{v}")?;
        match self.env.func.values.get(v.0 as usize) {
            Some(ty) if derived != Some(ty) => write!(self.out, ": {ty}"),
            _ => Ok(()),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> fmt::Result {
        self.line()?;
        match stmt {
            Stmt::Let(v, inst) => {
                self.definition(*v, result_type(inst, &self.env).as_ref())?;
                write!(self.out, " = {inst}")?;
            }
            Stmt::Set(var, v) => write!(self.out, "set ${}, {v}", var.0)?,
            Stmt::Store { ptr, value } => write!(self.out, "store {ptr}, {value}")?,
            Stmt::If { cond, then, els } => {
                write!(self.out, "if {cond}")?;
                self.nested(then)?;
                if !els.0.is_empty() {
                    self.out.write_str(" else")?;
                    self.nested(els)?;
                }
            }
            Stmt::Loop(body) => {
                self.out.write_str("loop")?;
                self.nested(body)?;
            }
            Stmt::For(l) => self.counted(l)?,
            Stmt::Break => self.out.write_str("break")?,
            Stmt::Continue => self.out.write_str("continue")?,
            Stmt::Return(None) => self.out.write_str("return")?,
            Stmt::Return(Some(v)) => write!(self.out, "return {v}")?,
            Stmt::Poll => self.out.write_str("poll")?,
            Stmt::Fail(fail) => write!(self.out, "fail {}", Fail::name(*fail))?,
        }
        self.out.write_char('\n')
    }

    fn counted(&mut self, l: &For) -> fmt::Result {
        self.out.write_str("for ")?;
        self.definition(l.index, Some(&Type::I64))?;
        let rounds = match l.rounds {
            Rounds::Ordered => "",
            Rounds::Few => " few",
            Rounds::Parallel => " parallel",
        };
        write!(self.out, " = {} to {}{rounds}", l.lo, l.hi)?;
        self.nested(&l.body)
    }
}
