//! A kernel under construction.

use std::sync::Arc;

use freeloom_compiler::{Compiled, Operand, arith};
use freeloom_ir::{BinaryOp, Builder, CmpOp, For, FuncId, Linkage, Module, Rounds, Stmt, Type, Value, Var};

use super::{Layout, Variant};
use crate::error::{BuildError, Built};

/// A module under construction: kernels and the operators they share.
pub(crate) struct Unit {
    module: Module,
    /// Operators that are in the module already, by address.
    imported: Vec<(Arc<Compiled>, FuncId)>,
    variant: Variant,
}

impl Unit {
    /// An empty module for kernels that read arrays of these layouts.
    pub(crate) fn new(variant: Variant) -> Unit {
        Unit { module: Module::default(), imported: Vec::new(), variant }
    }

    /// Adds a kernel.
    pub(crate) fn kernel(&mut self, name: &str, body: impl FnOnce(&mut Cx<'_>) -> Built<()>) -> Built<()> {
        let params = [Type::Ptr, Type::I64, Type::I64, Type::Ptr];
        let b = Builder::new(name, Linkage::Export, &params, None);
        let mut cx = Cx { b, unit: self, slot: 0, array: 0 };
        body(&mut cx)?;
        cx.b.ret(None);
        let func = cx.b.finish();
        self.module.push(func);
        Ok(())
    }

    /// The finished module.
    pub(crate) fn finish(self) -> Module {
        self.module
    }

    fn import(&mut self, op: &Arc<Compiled>) -> FuncId {
        if let Some((_, id)) = self.imported.iter().find(|(known, _)| Arc::ptr_eq(known, op)) {
            return *id;
        }
        let id = self.module.import(&op.module, op.entry);
        self.imported.push((Arc::clone(op), id));
        id
    }
}

/// A kernel under construction: a builder that knows the module, the slots and the layouts.
pub(crate) struct Cx<'a> {
    pub(crate) b: Builder,
    unit: &'a mut Unit,
    slot: i64,
    array: usize,
}

impl Cx<'_> {
    /// First item.
    pub(crate) fn begin(&self) -> Value {
        self.b.param(1)
    }

    /// One past the last item.
    pub(crate) fn end(&self) -> Value {
        self.b.param(2)
    }

    /// The fourth argument.
    pub(crate) fn scratch(&self) -> Value {
        self.b.param(3)
    }

    /// The next argument slot, read as `ty`.
    pub(crate) fn slot(&mut self, ty: Type) -> Value {
        let at = self.b.i64(8 * self.slot);
        self.slot += 1;
        let ptr = self.b.ptr_add(self.b.param(0), at);
        self.b.load(ty, ptr)
    }

    /// The layout of the next array.
    pub(crate) fn next_layout(&mut self) -> Layout {
        let layout = self.unit.variant.get(self.array).copied();
        self.array += 1;
        layout.unwrap_or(Layout::Contiguous)
    }

    /// The function of an operator in this module.
    pub(crate) fn import(&mut self, op: &Arc<Compiled>) -> FuncId {
        self.unit.import(op)
    }

    /// Calls an imported function.
    pub(crate) fn call(&mut self, callee: FuncId, args: Vec<Value>) -> Value {
        self.b.call(&self.unit.module, callee, args)
    }

    /// The value as another type. `what` names the parameter in the message of a refusal.
    pub(crate) fn convert(&mut self, value: Value, to: &Type, what: &str) -> Built<Value> {
        let from = self.b.type_of(value).clone();
        if from == *to {
            return Ok(value);
        }
        arith::convert(&mut self.b, &Operand::strong(from.clone(), value), to)
            .map_err(|r| BuildError::Type(format!("{what}: {from} does not convert to {to}: {}", r.message)))
    }

    /// `for index in lo..hi`
    pub(crate) fn for_range(
        &mut self,
        (lo, hi): (Value, Value),
        rounds: Rounds,
        body: impl FnOnce(&mut Self, Value) -> Built<()>,
    ) -> Built<()> {
        let index = self.b.loop_index();
        self.b.open_block();
        let done = body(self, index);
        let body = self.b.close_block();
        self.b.push(Stmt::For(For { index, lo, hi, rounds, body }));
        done
    }

    /// `while condition { body }`; the condition is computed anew in each round.
    pub(crate) fn while_loop(
        &mut self,
        condition: impl FnOnce(&mut Self) -> Value,
        body: impl FnOnce(&mut Self) -> Built<()>,
    ) -> Built<()> {
        self.b.open_block();
        let go = condition(self);
        self.b.if_else(go, |_| (), |b| b.push(Stmt::Break));
        let done = body(self);
        let body = self.b.close_block();
        self.b.push(Stmt::Loop(body));
        done
    }

    /// `if cond { then } else { els }`
    pub(crate) fn if_else(
        &mut self,
        cond: Value,
        then: impl FnOnce(&mut Self) -> Built<()>,
        els: impl FnOnce(&mut Self) -> Built<()>,
    ) -> Built<()> {
        self.b.open_block();
        let first = then(self);
        let then = self.b.close_block();
        self.b.open_block();
        let second = els(self);
        let els = self.b.close_block();
        self.b.push(Stmt::If { cond, then, els });
        first.and(second)
    }

    /// A fresh variable with a value.
    pub(crate) fn var(&mut self, name: &str, value: Value) -> Var {
        let ty = self.b.type_of(value).clone();
        let var = self.b.var(name, ty);
        self.b.set(var, value);
        var
    }

    /// `a + b` of `i64`.
    pub(crate) fn add(&mut self, a: Value, b: Value) -> Value {
        self.b.binary(BinaryOp::Add, a, b)
    }

    /// `a - b` of `i64`.
    pub(crate) fn sub(&mut self, a: Value, b: Value) -> Value {
        self.b.binary(BinaryOp::Sub, a, b)
    }

    /// `a * k` of `i64`.
    pub(crate) fn scale(&mut self, a: Value, k: u64) -> Value {
        if k == 1 {
            return a;
        }
        let k = self.b.i64(k as i64);
        self.b.binary(BinaryOp::Mul, a, k)
    }

    /// `a + k` of `i64`.
    pub(crate) fn add_const(&mut self, a: Value, k: i64) -> Value {
        if k == 0 {
            return a;
        }
        let k = self.b.i64(k);
        self.add(a, k)
    }

    /// The smaller of two `i64`.
    pub(crate) fn min(&mut self, a: Value, b: Value) -> Value {
        self.b.binary(BinaryOp::Min, a, b)
    }

    /// `a < b` of `i64`.
    pub(crate) fn less(&mut self, a: Value, b: Value) -> Value {
        self.b.cmp(CmpOp::Lt, a, b)
    }

    /// `a >> bits` of an `i64` that is not negative.
    pub(crate) fn shift_right(&mut self, a: Value, bits: u32) -> Value {
        let bits = self.b.i64(i64::from(bits));
        self.b.binary(BinaryOp::Shr, a, bits)
    }

    /// Is an `i64` odd?
    pub(crate) fn is_odd(&mut self, a: Value) -> Value {
        let one = self.b.i64(1);
        let bit = self.b.binary(BinaryOp::And, a, one);
        self.b.cmp(CmpOp::Eq, bit, one)
    }

    /// `base + index * size`, an address.
    pub(crate) fn address(&mut self, base: Value, index: Value, size: u64) -> Value {
        let offset = self.scale(index, size);
        self.b.ptr_add(base, offset)
    }
}
