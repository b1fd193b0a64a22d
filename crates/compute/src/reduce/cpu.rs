//! The kernels of a reduction.
//!
//! * `fold(args, begin, end, out)` folds a block of items and leaves the result at `out`.
//! * `finish(args, 0, count, partials)` folds the results of the blocks from left to right, combines the
//!   initial value with them and writes the output's item 0.

use freeloom_ir::{Module, Rounds, Type, Value};

use super::fold::Fold;
use crate::error::Built;
use crate::iter::{self, Iter, Open};
use crate::kernel::{Cx, Unit, Variant};
use crate::op::{Op, OpenOp};

/// What the kernels are made of.
pub(super) struct Parts<'a> {
    pub(super) op: &'a Op,
    pub(super) input: &'a Iter,
    pub(super) output: &'a Iter,
    pub(super) acc: &'a Type,
    pub(super) has_init: bool,
}

/// Emits both kernels for arrays of these layouts.
pub(super) fn emit(parts: &Parts<'_>, variant: Variant) -> Built<Module> {
    let mut unit = Unit::new(variant);
    unit.kernel("fold", |cx| {
        let (op, input) = open(parts, cx);
        let fold = Fold::new(cx, parts.op, &op, &input, parts.acc);
        let (begin, end) = (cx.begin(), cx.end());
        let result = fold.range(cx, begin, end)?;
        let out = cx.scratch();
        cx.b.store(out, result);
        Ok(())
    })?;
    unit.kernel("finish", |cx| {
        let (op, _) = open(parts, cx);
        let init = parts.has_init.then(|| load_init(parts, cx));
        let output = Open::new(parts.output, cx);
        let total = join(parts, cx, &op, init)?;
        let item = cx.convert(total, parts.output.item(), "d_out")?;
        let zero = cx.b.i64(0);
        iter::store(&output, cx, zero, item)
    })?;
    Ok(unit.finish())
}

/// The slots, in order: operator, input, initial value, output.
fn open(parts: &Parts<'_>, cx: &mut Cx<'_>) -> (OpenOp, Open) {
    let op = parts.op.open(cx);
    (op, Open::new(parts.input, cx))
}

fn load_init(parts: &Parts<'_>, cx: &mut Cx<'_>) -> Value {
    let ptr = cx.slot(Type::Ptr);
    cx.b.load(parts.acc.clone(), ptr)
}

/// Folds the partial results, `init` first. Without `init` there is at least one.
fn join(parts: &Parts<'_>, cx: &mut Cx<'_>, op: &OpenOp, init: Option<Value>) -> Built<Value> {
    let total = cx.b.var("total", parts.acc.clone());
    let (partials, count) = (cx.scratch(), cx.end());
    let stride = super::partial_words(parts.acc) as u64 * 8;
    let partial = |cx: &mut Cx<'_>, index: Value| {
        let ptr = cx.address(partials, index, stride);
        cx.b.load(parts.acc.clone(), ptr)
    };
    let (zero, one) = (cx.b.i64(0), cx.b.i64(1));
    let some = cx.less(zero, count);
    let fold = |cx: &mut Cx<'_>| {
        let first = partial(cx, zero);
        cx.b.set(total, first);
        cx.for_range((one, count), Rounds::Few, |cx, k| {
            let next = partial(cx, k);
            let before = cx.b.get(total);
            let r = op.apply(cx, &[before, next])?;
            cx.b.set(total, r);
            Ok(())
        })?;
        let Some(init) = init else { return Ok(()) };
        let all = cx.b.get(total);
        let r = op.apply(cx, &[init, all])?;
        cx.b.set(total, r);
        Ok(())
    };
    cx.if_else(some, fold, |cx| {
        if let Some(init) = init {
            cx.b.set(total, init);
        }
        Ok(())
    })?;
    Ok(cx.b.get(total))
}
