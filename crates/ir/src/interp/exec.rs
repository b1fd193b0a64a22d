//! Executes functions, statements and instructions.

use super::datum::{Datum, ViewDatum};
use super::{Interp, Trap, scalar};
use crate::func::{Block, For, Func, FuncId, Inst, Stmt, Value, Var};
use crate::op::Const;
use crate::types::{Scalar, Type};

/// What happens after a statement.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Datum>),
}

/// A function that is being executed.
struct Frame<'m> {
    func: &'m Func,
    values: Vec<Option<Datum>>,
    vars: Vec<Datum>,
    stack: Vec<u64>,
}

impl Frame<'_> {
    fn value(&self, v: Value) -> Result<&Datum, Trap> {
        let value = self.values.get(v.0 as usize).and_then(Option::as_ref);
        value.ok_or(Trap::Invalid("a value without definition"))
    }

    fn define(&mut self, v: Value, datum: Datum) -> Result<(), Trap> {
        *self.values.get_mut(v.0 as usize).ok_or(Trap::Invalid("no such value"))? = Some(datum);
        Ok(())
    }

    fn scalar(&self, v: Value) -> Result<Const, Trap> {
        self.value(v)?.scalar().ok_or(Trap::Invalid("not a scalar"))
    }

    fn i64(&self, v: Value) -> Result<i64, Trap> {
        self.scalar(v).map(|c| c.as_int() as i64)
    }

    fn bool(&self, v: Value) -> Result<bool, Trap> {
        self.scalar(v).map(|c| c.bits != 0)
    }

    fn ptr(&self, v: Value) -> Result<u64, Trap> {
        match self.value(v)? {
            Datum::Ptr(p) => Ok(*p),
            _ => Err(Trap::Invalid("not an address")),
        }
    }

    fn items(&self, v: Value) -> Result<&[Datum], Trap> {
        match self.value(v)? {
            Datum::Aggregate(items) => Ok(items),
            _ => Err(Trap::Invalid("not an aggregate")),
        }
    }

    fn view(&self, v: Value) -> Result<&ViewDatum, Trap> {
        match self.value(v)? {
            Datum::View(view) => Ok(view),
            _ => Err(Trap::Invalid("not a view")),
        }
    }

    fn var(&mut self, var: Var) -> Result<&mut Datum, Trap> {
        self.vars.get_mut(var.0 as usize).ok_or(Trap::Invalid("no such variable"))
    }

    fn all(&self, values: &[Value]) -> Result<Vec<Datum>, Trap> {
        values.iter().map(|v| self.value(*v).cloned()).collect()
    }
}

/// Functions and statements.
impl<'m> Interp<'m> {
    pub(super) fn enter(&mut self, func: &'m Func, args: Vec<Datum>) -> Result<Option<Datum>, Trap> {
        let mut values: Vec<_> = args.into_iter().map(Some).collect();
        values.resize(func.values.len(), None);
        let vars = func.vars.iter().map(|v| Datum::zero(&v.ty)).collect();
        let mut frame = Frame { func, values, vars, stack: Vec::new() };
        let flow = self.block(&mut frame, &func.body);
        frame.stack.into_iter().for_each(|ptr| self.memory.free(ptr));
        match flow? {
            Flow::Return(result) => Ok(result),
            _ if func.ret.is_none() => Ok(None),
            _ => Err(Trap::Invalid("a path without `return`")),
        }
    }

    fn block(&mut self, frame: &mut Frame<'m>, block: &'m Block) -> Result<Flow, Trap> {
        self.nested(|this| {
            for stmt in &block.0 {
                match this.stmt(frame, stmt)? {
                    Flow::Next => {}
                    flow => return Ok(flow),
                }
            }
            Ok(Flow::Next)
        })
    }

    fn burn(&mut self) -> Result<(), Trap> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Trap::OutOfFuel)?;
        Ok(())
    }

    fn stmt(&mut self, frame: &mut Frame<'m>, stmt: &'m Stmt) -> Result<Flow, Trap> {
        self.burn()?;
        match stmt {
            Stmt::Let(v, inst) => {
                let datum = self.inst(frame, inst)?;
                frame.define(*v, datum)?;
            }
            Stmt::Set(var, v) => *frame.var(*var)? = frame.value(*v)?.clone(),
            Stmt::Store { ptr, value } => {
                let datum = frame.value(*value)?;
                self.memory.store(frame.func.type_of(*value), frame.ptr(*ptr)?, datum)?;
            }
            Stmt::If { cond, then, els } => {
                return self.block(frame, if frame.bool(*cond)? { then } else { els });
            }
            Stmt::Loop(body) => return self.endless(frame, body),
            Stmt::For(l) => return self.counted(frame, l),
            Stmt::Break => return Ok(Flow::Break),
            Stmt::Continue => return Ok(Flow::Continue),
            Stmt::Return(None) => return Ok(Flow::Return(None)),
            Stmt::Return(Some(v)) => return frame.value(*v).cloned().map(|v| Flow::Return(Some(v))),
            Stmt::Poll => {}
            Stmt::Fail(fail) => return Err(Trap::Fail(*fail)),
        }
        Ok(Flow::Next)
    }

    /// A round costs 1 as well, so that an empty loop ends.
    fn endless(&mut self, frame: &mut Frame<'m>, body: &'m Block) -> Result<Flow, Trap> {
        loop {
            self.burn()?;
            match self.block(frame, body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Next),
                flow @ Flow::Return(_) => return Ok(flow),
            }
        }
    }

    fn counted(&mut self, frame: &mut Frame<'m>, l: &'m For) -> Result<Flow, Trap> {
        for i in frame.i64(l.lo)?..frame.i64(l.hi)? {
            self.burn()?;
            frame.define(l.index, Datum::i64(i))?;
            match self.block(frame, &l.body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                flow @ Flow::Return(_) => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }
}

/// Instructions.
impl<'m> Interp<'m> {
    fn inst(&mut self, frame: &mut Frame<'m>, inst: &'m Inst) -> Result<Datum, Trap> {
        const DOMAIN: Trap = Trap::Invalid("an operand outside of the operation's domain");
        match inst {
            Inst::Const(c) => Ok(Datum::Scalar(*c)),
            Inst::Get(var) => frame.var(*var).cloned(),
            Inst::Unary(op, a) => scalar::unary(*op, frame.scalar(*a)?).map(Datum::Scalar).ok_or(DOMAIN),
            Inst::Binary(op, a, b) => {
                scalar::binary(*op, frame.scalar(*a)?, frame.scalar(*b)?).map(Datum::Scalar).ok_or(DOMAIN)
            }
            Inst::Cmp(op, a, b) => {
                let holds = scalar::cmp(*op, frame.scalar(*a)?, frame.scalar(*b)?).ok_or(DOMAIN)?;
                Ok(Datum::Scalar(Const::bool(holds)))
            }
            Inst::Select(c, a, b) => frame.value(if frame.bool(*c)? { *a } else { *b }).cloned(),
            Inst::Cast(a, ty) => Ok(Datum::Scalar(scalar::cast(frame.scalar(*a)?, target(ty)?))),
            Inst::Bitcast(a, ty) => Ok(Datum::Scalar(scalar::bitcast(frame.scalar(*a)?, target(ty)?))),
            Inst::Make(Type::View(v), items) => make_view(frame, v.rank as usize, items),
            Inst::Make(_, items) => frame.all(items).map(Datum::Aggregate),
            Inst::Extract(a, i) => element(frame.items(*a)?, i64::from(*i)),
            Inst::Index(a, i) => element(frame.items(*a)?, frame.i64(*i)?),
            Inst::ViewLen(v, axis) => {
                let len = frame.view(*v)?.lens.get(*axis as usize);
                len.copied().map(Datum::i64).ok_or(Trap::Invalid("no such axis"))
            }
            Inst::ViewLoad(v, indices) => self.view_load(frame, *v, indices),
            Inst::PtrAdd(p, n) => Ok(Datum::Ptr(frame.ptr(*p)?.wrapping_add_signed(frame.i64(*n)?))),
            Inst::Load(ty, p) => self.memory.load(ty, frame.ptr(*p)?),
            Inst::StackAlloc(bytes) => {
                let ptr = self.memory.alloc_uninitialised(*bytes)?;
                frame.stack.push(ptr);
                Ok(Datum::Ptr(ptr))
            }
            Inst::Call(callee, args) => self.call_inst(frame, *callee, args),
        }
    }

    fn call_inst(&mut self, frame: &Frame<'m>, callee: FuncId, args: &[Value]) -> Result<Datum, Trap> {
        let func = self.module.funcs.get(callee.0 as usize).ok_or(Trap::Invalid("no such function"))?;
        let args = frame.all(args)?;
        if args.len() != func.params as usize {
            return Err(Trap::Invalid("wrong number of arguments"));
        }
        let result = self.nested(|this| this.enter(func, args))?;
        result.ok_or(Trap::Invalid("call of a procedure"))
    }

    fn view_load(&self, frame: &Frame<'m>, v: Value, indices: &[Value]) -> Result<Datum, Trap> {
        let view = frame.view(v)?;
        let Type::View(ty) = frame.func.type_of(v) else { return Err(Trap::Invalid("not a view")) };
        let mut ptr = view.base;
        for ((index, len), stride) in indices.iter().zip(&view.lens).zip(&view.strides) {
            let index = frame.i64(*index)?;
            if !(0..*len).contains(&index) {
                return Err(Trap::Index { index, len: *len });
            }
            ptr = ptr.wrapping_add_signed(index.wrapping_mul(*stride));
        }
        self.memory.load(&ty.elem, ptr)
    }
}

fn target(ty: &Type) -> Result<Scalar, Trap> {
    ty.scalar().ok_or(Trap::Invalid("not a scalar type"))
}

fn element(items: &[Datum], index: i64) -> Result<Datum, Trap> {
    let item = usize::try_from(index).ok().and_then(|i| items.get(i));
    item.cloned().ok_or(Trap::Index { index, len: items.len() as i64 })
}

fn make_view(frame: &Frame<'_>, rank: usize, items: &[Value]) -> Result<Datum, Trap> {
    let Some((base, rest)) = items.split_first() else { return Err(Trap::Invalid("a view of nothing")) };
    let parts = rest.iter().map(|v| frame.i64(*v)).collect::<Result<Vec<_>, _>>()?;
    let (lens, strides) = parts.split_at_checked(rank).ok_or(Trap::Invalid("a view without lengths"))?;
    Ok(Datum::View(ViewDatum { base: frame.ptr(*base)?, lens: lens.to_vec(), strides: strides.to_vec() }))
}
