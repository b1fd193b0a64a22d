//! The kernels of a merge sort.
//!
//! Items lie in buffers, keys and values apart. `state` is a row of words, [`word`] says which.
//!
//! * `runs(args, begin, end, state)` reads items of the inputs and sorts them into `to`, run by run.
//! * `pass(args, begin, end, state)` merges neighbouring pieces of `WIDTH` items from `from` to `to`.
//! * `split(args, 0, take, state)` finds how many of the first `take` items of a merge come from its left side,
//!   and leaves that number in `LEFT`.
//! * `merge(args, 0, 0, state)` merges `LEFT .. LEFT_END` and `RIGHT .. RIGHT_END` to `OUT`.
//! * `store(args, begin, end, state)` copies items of `from` to the outputs.
//!
//! Whatever the comparator answers, a kernel stays inside of the ranges it is given.

use freeloom_ir::{BinaryOp, CmpOp, Module, Rounds, Scalar, Stmt, Type, Value, Var};

use crate::error::Built;
use crate::iter::{self, Iter, Open};
use crate::kernel::{Cx, Unit, Variant};
use crate::op::{Op, OpenOp};

/// Words of a kernel's state.
pub(super) mod word {
    /// Address of the keys read; that of the values follows.
    pub(crate) const FROM: usize = 0;
    /// Address of the keys written; that of the values follows.
    pub(crate) const TO: usize = 2;
    pub(crate) const LEFT: usize = 4;
    pub(crate) const LEFT_END: usize = 5;
    pub(crate) const RIGHT: usize = 6;
    pub(crate) const RIGHT_END: usize = 7;
    pub(crate) const OUT: usize = 8;
    /// Items of a piece, in `pass`.
    pub(crate) const WIDTH: usize = LEFT;
    /// How many words there are.
    pub(crate) const COUNT: usize = 9;
}

/// What the kernels are made of.
pub(super) struct Parts<'a> {
    pub(super) op: &'a Op,
    /// Keys, then values if there are any.
    pub(super) inputs: &'a [Iter],
    pub(super) outputs: &'a [Iter],
    /// Items of a run.
    pub(super) run: u64,
}

/// Emits the kernels for arrays of these layouts. The slots, in order: operator, inputs, outputs.
pub(super) fn emit(parts: &Parts<'_>, variant: Variant) -> Built<Module> {
    let mut unit = Unit::new(variant);
    unit.kernel("runs", |cx| runs(parts, cx))?;
    unit.kernel("pass", |cx| Sides::new(parts, cx).pass(cx))?;
    unit.kernel("split", |cx| Sides::new(parts, cx).split(cx))?;
    unit.kernel("merge", |cx| {
        let sides = Sides::new(parts, cx);
        let [left, left_end, right, right_end, out] =
            [word::LEFT, word::LEFT_END, word::RIGHT, word::RIGHT_END, word::OUT]
                .map(|k| state(cx, k, Type::I64));
        sides.merge(cx, (left, left_end), (right, right_end), out)
    })?;
    unit.kernel("store", |cx| store(parts, cx))?;
    Ok(unit.finish())
}

/// Word `k` of the state.
fn state(cx: &mut Cx<'_>, k: usize, ty: Type) -> Value {
    let at = cx.b.i64(8 * k as i64);
    let ptr = cx.b.ptr_add(cx.scratch(), at);
    cx.b.load(ty, ptr)
}

/// A buffer of items, one after another.
struct Buffer {
    base: Value,
    ty: Type,
}

impl Buffer {
    fn load(&self, cx: &mut Cx<'_>, index: Value) -> Value {
        let ptr = cx.address(self.base, index, self.ty.size());
        cx.b.load(self.ty.clone(), ptr)
    }

    fn store(&self, cx: &mut Cx<'_>, index: Value, value: Value) {
        let ptr = cx.address(self.base, index, self.ty.size());
        cx.b.store(ptr, value);
    }
}

/// The buffers at words `first` and, if there are values, `first + 1`.
fn buffers(parts: &Parts<'_>, cx: &mut Cx<'_>, first: usize) -> Vec<Buffer> {
    let mut buffers = Vec::new();
    for (i, output) in parts.outputs.iter().enumerate() {
        buffers.push(Buffer { base: state(cx, first + i, Type::Ptr), ty: output.item().clone() });
    }
    buffers
}

const NAMES: [&str; 2] = ["d_in_keys", "d_in_values"];

/// Insertion sort: short runs, of which little is known to be in order, are all in the nearest cache.
fn runs(parts: &Parts<'_>, cx: &mut Cx<'_>) -> Built<()> {
    let less = parts.op.open(cx);
    let inputs: Vec<Open> = parts.inputs.iter().map(|i| Open::new(i, cx)).collect();
    let to = buffers(parts, cx, word::TO);
    let bounds = (cx.begin(), cx.end());
    cx.for_range(bounds, Rounds::Ordered, |cx, i| {
        let mut items = Vec::new();
        for ((input, buffer), name) in inputs.iter().zip(&to).zip(NAMES) {
            let item = iter::load(input, cx, i)?;
            items.push(cx.convert(item, &buffer.ty, name)?);
        }
        let mask = cx.b.i64(-(parts.run as i64));
        let first = cx.b.binary(BinaryOp::And, i, mask);
        let at = cx.var("at", i);
        cx.while_loop(
            |cx| {
                let at = cx.b.get(at);
                cx.less(first, at)
            },
            |cx| {
                let here = cx.b.get(at);
                let before = cx.add_const(here, -1);
                let key = to[0].load(cx, before);
                let goes_before = less.apply(cx, &[items[0], key])?;
                cx.b.if_else(goes_before, |_| (), |b| b.push(Stmt::Break));
                to[0].store(cx, here, key);
                for values in &to[1..] {
                    let value = values.load(cx, before);
                    values.store(cx, here, value);
                }
                cx.b.set(at, before);
                Ok(())
            },
        )?;
        let here = cx.b.get(at);
        for (buffer, item) in to.iter().zip(items) {
            buffer.store(cx, here, item);
        }
        Ok(())
    })
}

fn store(parts: &Parts<'_>, cx: &mut Cx<'_>) -> Built<()> {
    parts.op.open(cx);
    for input in parts.inputs {
        Open::new(input, cx);
    }
    let outputs: Vec<Open> = parts.outputs.iter().map(|o| Open::new(o, cx)).collect();
    let from = buffers(parts, cx, word::FROM);
    let bounds = (cx.begin(), cx.end());
    cx.for_range(bounds, Rounds::Parallel, |cx, i| {
        for (buffer, output) in from.iter().zip(&outputs) {
            let item = buffer.load(cx, i);
            iter::store(output, cx, i, item)?;
        }
        Ok(())
    })
}

/// What a merge reads and writes.
struct Sides {
    less: OpenOp,
    from: Vec<Buffer>,
    to: Vec<Buffer>,
}

impl Sides {
    fn new(parts: &Parts<'_>, cx: &mut Cx<'_>) -> Sides {
        let less = parts.op.open(cx);
        Sides { less, from: buffers(parts, cx, word::FROM), to: buffers(parts, cx, word::TO) }
    }

    fn pass(&self, cx: &mut Cx<'_>) -> Built<()> {
        let width = state(cx, word::WIDTH, Type::I64);
        let (begin, end) = (cx.begin(), cx.end());
        let left = cx.var("left", begin);
        cx.while_loop(
            |cx| {
                let left = cx.b.get(left);
                cx.less(left, end)
            },
            |cx| {
                let start = cx.b.get(left);
                let (middle, stop) = (cx.add(start, width), cx.scale(width, 2));
                let middle = cx.min(middle, end);
                let stop = cx.add(start, stop);
                let stop = cx.min(stop, end);
                self.merge(cx, (start, middle), (middle, stop), start)?;
                cx.b.set(left, stop);
                Ok(())
            },
        )
    }

    /// Merges two ranges. While both have `m` items or more, `m` items are taken without looking for the end.
    fn merge(
        &self,
        cx: &mut Cx<'_>,
        (left, left_end): (Value, Value),
        (right, right_end): (Value, Value),
        out: Value,
    ) -> Built<()> {
        let (left, right, out) = (cx.var("left", left), cx.var("right", right), cx.var("out", out));
        let zero = cx.b.i64(0);
        let safe = cx.var("safe", zero);
        cx.while_loop(
            |cx| {
                let (l, r) = (cx.b.get(left), cx.b.get(right));
                let (l, r) = (cx.sub(left_end, l), cx.sub(right_end, r));
                let m = cx.min(l, r);
                cx.b.set(safe, m);
                cx.less(zero, m)
            },
            |cx| {
                let m = cx.b.get(safe);
                cx.for_range((zero, m), Rounds::Ordered, |cx, _| self.take(cx, left, right, out))
            },
        )?;
        for (side, end) in [(left, left_end), (right, right_end)] {
            let (start, target) = (cx.b.get(side), cx.b.get(out));
            let rest = cx.sub(end, start);
            cx.for_range((zero, rest), Rounds::Parallel, |cx, i| {
                let (at, to) = (cx.add(start, i), cx.add(target, i));
                for (from, buffer) in self.from.iter().zip(&self.to) {
                    let item = from.load(cx, at);
                    buffer.store(cx, to, item);
                }
                Ok(())
            })?;
            let target = cx.add(target, rest);
            cx.b.set(out, target);
        }
        Ok(())
    }

    /// Takes the lesser of two items; the left one if they are equal. No branch depends on it.
    fn take(&self, cx: &mut Cx<'_>, left: Var, right: Var, out: Var) -> Built<()> {
        let (l, r, to) = (cx.b.get(left), cx.b.get(right), cx.b.get(out));
        let (x, y) = (self.from[0].load(cx, l), self.from[0].load(cx, r));
        let takes_right = self.less.apply(cx, &[y, x])?;
        let at = cx.b.select(takes_right, r, l);
        for (i, (from, buffer)) in self.from.iter().zip(&self.to).enumerate() {
            let item = match &from.ty {
                Type::Scalar(_) if i == 0 => cx.b.select(takes_right, y, x),
                _ => from.load(cx, at),
            };
            buffer.store(cx, to, item);
        }
        let step = cx.b.cast(takes_right, Scalar::I64);
        let (next, r) = (cx.add_const(l, 1), cx.add(r, step));
        let l = cx.sub(next, step);
        let to = cx.add_const(to, 1);
        cx.b.set(left, l);
        cx.b.set(right, r);
        cx.b.set(out, to);
        Ok(())
    }

    fn split(&self, cx: &mut Cx<'_>) -> Built<()> {
        let [left, left_end, right, right_end] =
            [word::LEFT, word::LEFT_END, word::RIGHT, word::RIGHT_END].map(|k| state(cx, k, Type::I64));
        let take = cx.end();
        let (lefts, rights) = (cx.sub(left_end, left), cx.sub(right_end, right));
        let zero = cx.b.i64(0);
        let least = cx.sub(take, rights);
        let least = cx.b.binary(BinaryOp::Max, least, zero);
        let most = cx.min(take, lefts);
        let (lo, hi) = (cx.var("lo", least), cx.var("hi", most));
        cx.while_loop(
            |cx| {
                let (lo, hi) = (cx.b.get(lo), cx.b.get(hi));
                cx.b.cmp(CmpOp::Lt, lo, hi)
            },
            |cx| {
                let (a, b) = (cx.b.get(lo), cx.b.get(hi));
                let sum = cx.add(a, b);
                let middle = cx.shift_right(sum, 1);
                let (l, last) = (cx.add(left, middle), cx.sub(take, middle));
                let r = cx.add(right, last);
                let r = cx.add_const(r, -1);
                let (x, y) = (self.from[0].load(cx, l), self.from[0].load(cx, r));
                let right_first = self.less.apply(cx, &[y, x])?;
                let above = cx.add_const(middle, 1);
                let new_lo = cx.b.select(right_first, a, above);
                let new_hi = cx.b.select(right_first, middle, b);
                cx.b.set(lo, new_lo);
                cx.b.set(hi, new_hi);
                Ok(())
            },
        )?;
        let found = cx.b.get(lo);
        let at = cx.b.i64(8 * word::LEFT as i64);
        let ptr = cx.b.ptr_add(cx.scratch(), at);
        cx.b.store(ptr, found);
        Ok(())
    }
}
