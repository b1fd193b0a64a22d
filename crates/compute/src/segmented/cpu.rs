//! The kernels of a segmented reduction.
//!
//! * `spans(args, begin, end, out)` writes start and end of the segments as pairs of `i64`.
//! * `whole(args, begin, end, spans)` reduces segments, whose starts and ends lie at `spans`.
//! * `fold(args, begin, end, out)` folds items, a piece of a long segment, and leaves the result at `out`.
//! * `finish(args, segment, segment + count, partials)` folds the `count` results of the pieces of a segment.

use freeloom_ir::{Module, Rounds, Type, Value};

use super::narrow::Narrow;
use crate::error::Built;
use crate::iter::{self, Iter, Open};
use crate::kernel::{Cx, Unit, Variant};
use crate::op::{Op, OpenOp};
use crate::reduce::fold::Fold;
use crate::reduce::partial_words;

/// What the kernels are made of.
pub(super) struct Parts<'a> {
    pub(super) op: &'a Op,
    pub(super) input: &'a Iter,
    pub(super) output: &'a Iter,
    pub(super) starts: &'a Iter,
    pub(super) ends: &'a Iter,
    pub(super) acc: &'a Type,
}

/// What the slots hold, in order.
struct Slots {
    starts: Open,
    ends: Open,
    op: OpenOp,
    input: Open,
    init: Value,
    output: Open,
}

impl Slots {
    fn open(parts: &Parts<'_>, cx: &mut Cx<'_>) -> Slots {
        let (starts, ends) = (Open::new(parts.starts, cx), Open::new(parts.ends, cx));
        let (op, input) = (parts.op.open(cx), Open::new(parts.input, cx));
        let init = cx.slot(Type::Ptr);
        let init = cx.b.load(parts.acc.clone(), init);
        Slots { starts, ends, op, input, init, output: Open::new(parts.output, cx) }
    }

    fn store(&self, parts: &Parts<'_>, cx: &mut Cx<'_>, segment: Value, total: Value) -> Built<()> {
        let item = cx.convert(total, parts.output.item(), "d_out")?;
        iter::store(&self.output, cx, segment, item)
    }
}

/// Emits the kernels for arrays of these layouts.
pub(super) fn emit(parts: &Parts<'_>, variant: Variant) -> Built<Module> {
    let mut unit = Unit::new(variant);
    unit.kernel("spans", |cx| {
        let slots = Slots::open(parts, cx);
        spans(cx, &slots)
    })?;
    unit.kernel("whole", |cx| {
        let slots = Slots::open(parts, cx);
        whole(parts, cx, &slots)
    })?;
    unit.kernel("fold", |cx| {
        let slots = Slots::open(parts, cx);
        let fold = Fold::new(cx, parts.op, &slots.op, &slots.input, parts.acc);
        let bounds = (cx.begin(), cx.end());
        let result = fold.range(cx, bounds.0, bounds.1)?;
        let out = cx.scratch();
        cx.b.store(out, result);
        Ok(())
    })?;
    unit.kernel("finish", |cx| {
        let slots = Slots::open(parts, cx);
        let total = cx.var("total", slots.init);
        let segment = cx.begin();
        let count = cx.end();
        let count = cx.sub(count, segment);
        let zero = cx.b.i64(0);
        cx.for_range((zero, count), Rounds::Few, |cx, k| {
            let partials = cx.scratch();
            let ptr = cx.address(partials, k, partial_words(parts.acc) as u64 * 8);
            let next = cx.b.load(parts.acc.clone(), ptr);
            let before = cx.b.get(total);
            let after = slots.op.apply(cx, &[before, next])?;
            cx.b.set(total, after);
            Ok(())
        })?;
        let total = cx.b.get(total);
        slots.store(parts, cx, segment, total)
    })?;
    Ok(unit.finish())
}

fn spans(cx: &mut Cx<'_>, slots: &Slots) -> Built<()> {
    let (begin, end, out) = (cx.begin(), cx.end(), cx.scratch());
    cx.for_range((begin, end), Rounds::Parallel, |cx, s| {
        let at = cx.sub(s, begin);
        let first = cx.address(out, at, 16);
        let (eight, ty) = (cx.b.i64(8), Type::I64);
        let second = cx.b.ptr_add(first, eight);
        let start = iter::load(&slots.starts, cx, s)?;
        let start = cx.convert(start, &ty, "start_offsets_in")?;
        cx.b.store(first, start);
        let end = iter::load(&slots.ends, cx, s)?;
        let end = cx.convert(end, &ty, "end_offsets_in")?;
        cx.b.store(second, end);
        Ok(())
    })
}

fn whole(parts: &Parts<'_>, cx: &mut Cx<'_>, slots: &Slots) -> Built<()> {
    let fold = Fold::new(cx, parts.op, &slots.op, &slots.input, parts.acc);
    let narrow = Narrow::new(cx, parts.op, parts.acc);
    let (begin, end, spans) = (cx.begin(), cx.end(), cx.scratch());
    let total = cx.b.var("total", parts.acc.clone());
    cx.for_range((begin, end), Rounds::Few, |cx, s| {
        let at = cx.sub(s, begin);
        let span = cx.address(spans, at, 16);
        let lo = cx.b.load(Type::I64, span);
        let eight = cx.b.i64(8);
        let span = cx.b.ptr_add(span, eight);
        let hi = cx.b.load(Type::I64, span);
        cx.b.set(total, slots.init);
        let (items, most) = (cx.sub(hi, lo), cx.b.i64(narrow.most()));
        let is_narrow = cx.less(items, most);
        cx.if_else(
            is_narrow,
            |cx| narrow.take(cx, &fold, (lo, hi), total),
            |cx| {
                let all = fold.range(cx, lo, hi)?;
                let after = fold.combine(cx, slots.init, all)?;
                cx.b.set(total, after);
                Ok(())
            },
        )?;
        let total = cx.b.get(total);
        slots.store(parts, cx, s, total)
    })
}
