//! Rules for instructions.

use super::{Check, Checker, mismatch, types};
use crate::func::{FuncId, Inst, Value};
use crate::op::{Const, Domain};
use crate::types::{Scalar, Type};
use crate::typing::{TypeEnv, component_type, result_type, view_parts};

impl Checker<'_> {
    pub(super) fn definition(&mut self, v: Value, inst: &Inst) -> Check {
        self.inst(inst)?;
        let ty = result_type(inst, &self.env);
        self.define(v, ty.as_ref())
    }

    fn inst(&self, inst: &Inst) -> Check {
        match inst {
            Inst::Const(c) => constant(*c),
            Inst::Get(var) => self.env.var(*var).map(|_| ()).ok_or_else(|| "no such variable".to_owned()),
            Inst::Unary(op, a) => self.domain(*a, op.domain()),
            Inst::Binary(op, a, b) => {
                self.domain(*a, op.domain())?;
                self.same(*a, *b)
            }
            Inst::Cmp(_, a, b) => {
                self.scalar(*a)?;
                self.same(*a, *b)
            }
            Inst::Select(c, a, b) => {
                self.expect(*c, &Type::BOOL)?;
                self.same(*a, *b)
            }
            Inst::Cast(a, ty) => {
                self.scalar(*a)?;
                target(ty).map(|_| ())
            }
            Inst::Bitcast(a, ty) => bitcast(self.scalar(*a)?, target(ty)?),
            Inst::Make(ty, items) => self.make(ty, items),
            Inst::Extract(a, i) => self.extract(*a, *i),
            Inst::Index(a, i) => self.index(*a, *i),
            Inst::ViewLen(v, axis) => self.view_len(*v, *axis),
            Inst::ViewLoad(v, indices) => self.view_load(*v, indices),
            Inst::PtrAdd(p, n) => {
                self.expect(*p, &Type::Ptr)?;
                self.expect(*n, &Type::I64)
            }
            Inst::Load(ty, p) => {
                self.expect(*p, &Type::Ptr)?;
                types::check(ty)?;
                types::check_storable(ty)
            }
            Inst::StackAlloc(_) if self.blocks != 1 => Err("not at the top level of the body".to_owned()),
            Inst::StackAlloc(_) => Ok(()),
            Inst::Call(callee, args) => self.call(*callee, args),
        }
    }

    fn domain(&self, v: Value, domain: Domain) -> Check {
        let s = self.scalar(v)?;
        if domain.contains(s) { Ok(()) } else { Err(format!("not an operation on {}", s.name())) }
    }

    fn same(&self, a: Value, b: Value) -> Check {
        let ty = self.value(a)?;
        self.expect(b, ty)
    }

    fn all(&self, values: &[Value], types: impl Iterator<Item = Type>) -> Check {
        let types: Vec<Type> = types.take(values.len() + 1).collect();
        if types.len() != values.len() {
            return Err(format!("wrong number of operands: {}", values.len()));
        }
        values.iter().zip(&types).try_for_each(|(v, ty)| self.expect(*v, ty))
    }

    fn make(&self, ty: &Type, items: &[Value]) -> Check {
        types::check(ty)?;
        match ty {
            Type::Scalar(_) | Type::Ptr => Err(format!("{ty} has no components")),
            Type::View(v) => self.all(items, view_parts(v.rank)),
            _ => self.all(items, (0..).map_while(|i| component_type(ty, i))),
        }
    }

    fn extract(&self, a: Value, i: u32) -> Check {
        let ty = self.value(a)?;
        match component_type(ty, u64::from(i)) {
            Some(_) => Ok(()),
            None => Err(format!("{ty} has no component {i}")),
        }
    }

    fn index(&self, a: Value, i: Value) -> Check {
        self.expect(i, &Type::I64)?;
        let ty = self.value(a)?;
        let homogeneous = match ty {
            Type::Array(a) => a.len > 0,
            Type::Tuple(items) => !items.is_empty() && items.iter().all(|t| *t == items[0]),
            Type::Struct(s) => !s.fields.is_empty() && s.fields.iter().all(|f| f.ty == s.fields[0].ty),
            _ => false,
        };
        if homogeneous { Ok(()) } else { Err(mismatch(a, ty, "of components of one type")) }
    }

    fn rank(&self, v: Value) -> Result<u32, String> {
        match self.value(v)? {
            Type::View(view) => Ok(view.rank),
            ty => Err(mismatch(v, ty, "a view")),
        }
    }

    fn view_len(&self, v: Value, axis: u32) -> Check {
        let rank = self.rank(v)?;
        if axis < rank { Ok(()) } else { Err(format!("axis {axis} of a view of rank {rank}")) }
    }

    fn view_load(&self, v: Value, indices: &[Value]) -> Check {
        let rank = self.rank(v)?;
        if indices.len() != rank as usize {
            return Err(format!("{} indices for a view of rank {rank}", indices.len()));
        }
        indices.iter().try_for_each(|i| self.expect(*i, &Type::I64))
    }

    fn call(&self, callee: FuncId, args: &[Value]) -> Check {
        let Some(func) = self.env.callee(callee) else { return Err("not an earlier function".to_owned()) };
        if func.ret.is_none() {
            return Err(format!("{:?} has no result", func.name));
        }
        self.all(args, func.param_types().iter().cloned())
    }
}

fn constant(c: Const) -> Check {
    let valid = match c.ty {
        Scalar::Bool => c.bits <= 1,
        ty => ty.bits() == 64 || c.bits >> ty.bits() == 0,
    };
    if valid { Ok(()) } else { Err(format!("bits beyond the width of {}", c.ty.name())) }
}

fn target(ty: &Type) -> Result<Scalar, String> {
    ty.scalar().ok_or_else(|| format!("{ty} is not a scalar type"))
}

fn bitcast(from: Scalar, to: Scalar) -> Check {
    let legal = from.size() == to.size() && from != Scalar::Bool && to != Scalar::Bool;
    if legal { Ok(()) } else { Err(format!("from {} to {}", from.name(), to.name())) }
}
