//! Checks that a module is valid. Back ends and the interpreter take valid modules only.
//!
//! Module:
//! * Exported functions have names that differ and are not empty; their parameters are scalars and addresses,
//!   their result is a scalar or nothing.
//!
//! Types:
//! * The parts of a complex number are both `f32` or both `f64`.
//! * A record's alignment is a power of two up to 4096; its fields lie inside its size and do not overlap.
//! * Elements of views, and whatever is loaded or stored, contain no view.
//! * A value takes at most 2 GiB and consists of at most 2^20 scalars.
//!
//! Values and variables:
//! * Every value is defined at most once, before its uses, with the type that its instruction computes.
//! * A value is visible from its definition to the end of the enclosing block.
//! * Operands have the types that the instruction asks for, and scalars of the operation's domain.
//! * The bits of a constant above its type's width are zero.
//! * `cast` is between scalars; `bitcast` is between scalars of one size, not `bool`.
//! * `make` gets one item of the right type for each component; for a view: base address, lengths, strides.
//! * `extract` is in range; `index` is for arrays, and for tuples and records whose components have one type.
//! * A view is loaded with one index per axis; an axis is less than the rank.
//! * `stack_alloc` stands at the top level of a body.
//! * A call is to an earlier function with a result, with arguments of its parameters' types.
//!
//! Control flow:
//! * `break` and `continue` are inside of loops.
//! * Nothing follows `break`, `continue`, `return` or `fail` in a block.
//! * `return` has a value of the result type if there is one, none if not.
//! * A function with a result ends each path with `return`, `fail` or an endless loop.

mod flow;
mod inst;
mod types;

use std::collections::HashSet;
use std::fmt::Display;

use crate::func::{Block, For, FuncId, Linkage, Module, Stmt, Value};
use crate::types::{Scalar, Type};
use crate::typing::{FuncEnv, TypeEnv};

/// A module that breaks a rule. It always tells of a mistake in the program that made the module.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("function @{} {name:?}: {message}", func.0)]
pub struct VerifyError {
    /// The function.
    pub func: FuncId,
    /// Its name.
    pub name: String,
    /// The rule it breaks, with the statement.
    pub message: String,
}

type Check = Result<(), String>;

/// Checks every function of a module.
pub fn verify(module: &Module) -> Result<(), VerifyError> {
    (0..module.funcs.len()).try_for_each(|i| verify_func(module, FuncId(i as u32)))
}

/// Checks one function of a module, believing the earlier ones.
pub fn verify_func(module: &Module, id: FuncId) -> Result<(), VerifyError> {
    let i = id.0 as usize;
    let (funcs, func) = (&module.funcs[..i], &module.funcs[i]);
    let mut checker = Checker {
        env: FuncEnv { funcs, func },
        defined: vec![false; func.values.len()],
        visible: vec![false; func.values.len()],
        blocks: 0,
        loops: 0,
    };
    checker.func().map_err(|message| VerifyError { func: id, name: func.name.clone(), message })
}

struct Checker<'a> {
    env: FuncEnv<'a>,
    /// Values that some statement seen so far defines.
    defined: Vec<bool>,
    /// Values whose block is still open.
    visible: Vec<bool>,
    /// Open blocks.
    blocks: u32,
    /// Open loops.
    loops: u32,
}

impl Checker<'_> {
    fn func(&mut self) -> Check {
        let func = self.env.func;
        let params = func.params as usize;
        if params > func.values.len() {
            return Err(format!("{params} parameters, but {} values", func.values.len()));
        }
        let vars = func.vars.iter().map(|v| &v.ty);
        func.values.iter().chain(vars).chain(&func.ret).try_for_each(types::check)?;
        if func.linkage == Linkage::Export {
            self.signature()?;
        }
        self.visible[..params].fill(true);
        self.defined[..params].fill(true);
        self.block(&func.body)?;
        if func.ret.is_some() && flow::falls_through(&func.body) {
            return Err("a path ends without `return`".to_owned());
        }
        Ok(())
    }

    fn signature(&self) -> Check {
        let func = self.env.func;
        if func.name.is_empty() {
            return Err("an exported function without a name".to_owned());
        }
        let mut exported = self.env.funcs.iter().filter(|f| f.linkage == Linkage::Export);
        if exported.any(|f| f.name == func.name) {
            return Err("an earlier exported function has this name".to_owned());
        }
        if let Some(ty) = func.param_types().iter().find(|ty| !matches!(ty, Type::Scalar(_) | Type::Ptr)) {
            return Err(format!("parameter type {ty} of an exported function"));
        }
        match &func.ret {
            None | Some(Type::Scalar(_)) => Ok(()),
            Some(ty) => Err(format!("result type {ty} of an exported function")),
        }
    }

    fn block(&mut self, block: &Block) -> Check {
        let mut here = HashSet::new();
        self.blocks += 1;
        for (i, stmt) in block.0.iter().enumerate() {
            if i > 0 && flow::is_jump(&block.0[i - 1]) {
                return Err("a statement after a jump".to_owned());
            }
            self.stmt(stmt)?;
            if let Stmt::Let(v, _) = stmt {
                here.insert(*v);
            }
        }
        self.blocks -= 1;
        here.into_iter().for_each(|v| self.visible[v.0 as usize] = false);
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Check {
        match stmt {
            Stmt::Let(v, inst) => self.definition(*v, inst).map_err(|e| format!("{v} = {inst}: {e}")),
            Stmt::Set(var, v) => self.set(*var, *v).map_err(|e| format!("set ${}, {v}: {e}", var.0)),
            Stmt::Store { ptr, value } => {
                self.store(*ptr, *value).map_err(|e| format!("store {ptr}, {value}: {e}"))
            }
            Stmt::If { cond, then, els } => {
                self.expect(*cond, &Type::BOOL).map_err(|e| format!("if {cond}: {e}"))?;
                self.block(then)?;
                self.block(els)
            }
            Stmt::Loop(body) => self.body(body),
            Stmt::For(l) => self.counted(l),
            Stmt::Break | Stmt::Continue if self.loops == 0 => Err("a jump outside of any loop".to_owned()),
            Stmt::Return(v) => self.ret(*v),
            Stmt::Break | Stmt::Continue | Stmt::Poll | Stmt::Fail(_) => Ok(()),
        }
    }

    fn body(&mut self, body: &Block) -> Check {
        self.loops += 1;
        self.block(body)?;
        self.loops -= 1;
        Ok(())
    }

    fn counted(&mut self, l: &For) -> Check {
        let bounds = || -> Check {
            self.expect(l.lo, &Type::I64)?;
            self.expect(l.hi, &Type::I64)
        };
        bounds().map_err(|e| format!("for {} = {} to {}: {e}", l.index, l.lo, l.hi))?;
        self.define(l.index, Some(&Type::I64)).map_err(|e| format!("for {}: {e}", l.index))?;
        self.body(&l.body)?;
        self.visible[l.index.0 as usize] = false;
        Ok(())
    }

    fn set(&self, var: crate::Var, v: Value) -> Check {
        match self.env.var(var) {
            Some(ty) => self.expect(v, ty),
            None => Err("no such variable".to_owned()),
        }
    }

    fn store(&self, ptr: Value, value: Value) -> Check {
        self.expect(ptr, &Type::Ptr)?;
        types::check_storable(self.value(value)?)
    }

    fn ret(&self, v: Option<Value>) -> Check {
        match (v, &self.env.func.ret) {
            (None, None) => Ok(()),
            (Some(v), Some(ty)) => self.expect(v, ty).map_err(|e| format!("return {v}: {e}")),
            (None, Some(ty)) => Err(format!("return without the result of type {ty}")),
            (Some(v), None) => Err(format!("return {v}: the function has no result")),
        }
    }

    /// Marks a value as defined. Its type must be `ty`.
    fn define(&mut self, v: Value, ty: Option<&Type>) -> Check {
        let i = v.0 as usize;
        match (self.defined.get(i), ty) {
            (None, _) => return Err(format!("{v} has no type")),
            (Some(true), _) => return Err(format!("{v} is defined twice")),
            (_, Some(ty)) if *ty != self.env.func.values[i] => {
                return Err(mismatch(v, &self.env.func.values[i], ty));
            }
            _ => {}
        }
        self.defined[i] = true;
        self.visible[i] = true;
        Ok(())
    }

    /// The type of a value that must be visible.
    fn value(&self, v: Value) -> Result<&Type, String> {
        let i = v.0 as usize;
        match self.visible.get(i) {
            Some(true) => Ok(&self.env.func.values[i]),
            Some(false) if self.defined[i] => Err(format!("{v} is not visible here")),
            _ => Err(format!("{v} is not defined")),
        }
    }

    fn expect(&self, v: Value, ty: &Type) -> Check {
        let found = self.value(v)?;
        if found == ty { Ok(()) } else { Err(mismatch(v, found, ty)) }
    }

    fn scalar(&self, v: Value) -> Result<Scalar, String> {
        let ty = self.value(v)?;
        ty.scalar().ok_or_else(|| format!("{v} has type {ty}, not a scalar type"))
    }
}

fn mismatch(v: Value, found: &Type, expected: impl Display) -> String {
    format!("{v} has type {found}, not {expected}")
}

#[cfg(test)]
mod tests;
