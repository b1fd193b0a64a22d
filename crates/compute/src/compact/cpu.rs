//! The kernels of a compaction. `scratch` is described in [`layout`](super::layout).
//!
//! * `pick(args, begin, end, scratch)` decides on a block's items and puts those of part `p` side by side in its
//!   buffer: `scratch[p]` of them. No branch depends on the decision: an item is always stored at the end of the
//!   buffer, and the end moves if it was to be kept.
//!   Where the processor can pack vectors, it does less: it leaves the items of a chunk as they are and writes
//!   a byte for each, the part it belongs to or [`NOWHERE`]. Then it is a loop for vectors.
//! * `place(args, 0, 0, scratch)` copies the first items of the buffer of part `p` to the outputs' places
//!   `scratch[2 * p] .. scratch[2 * p + 1]`.
//! * `counts(args, begin, end, scratch)` writes `scratch[begin .. end]` to the output of the counts.

use freeloom_ir::{CmpOp, Const, Module, Rounds, Scalar, Type, UnaryOp, Value, Var};

use super::layout::Layout;
use super::rule::Kind;
use crate::error::Built;
use crate::iter::{self, Iter, Open};
use crate::kernel::{Cx, Unit, Variant};
use crate::op::{Op, OpenOp};

/// The decision on an item that is in no part.
const NOWHERE: i128 = 255;

/// What the kernels are made of.
pub(super) struct Parts<'a> {
    pub(super) kind: Kind,
    pub(super) ops: &'a [Op],
    pub(super) inputs: &'a [Iter],
    pub(super) outputs: &'a [Iter],
    pub(super) counts: &'a Iter,
    pub(super) layout: &'a Layout,
    /// Are items packed outside of the kernels?
    pub(super) packed: bool,
}

/// A kernel's view of the parts.
struct Opened<'a> {
    parts: &'a Parts<'a>,
    ops: Vec<OpenOp>,
    inputs: Vec<Open>,
    outputs: Vec<Open>,
    counts: Open,
}

/// Emits the kernels for arrays of these layouts.
pub(super) fn emit(parts: &Parts<'_>, variant: Variant) -> Built<Module> {
    let mut unit = Unit::new(variant);
    unit.kernel("pick", |cx| {
        let opened = Opened::new(parts, cx);
        if parts.packed { opened.decide(cx) } else { opened.pick(cx) }
    })?;
    unit.kernel("place", |cx| Opened::new(parts, cx).place(cx))?;
    unit.kernel("counts", |cx| Opened::new(parts, cx).write_counts(cx))?;
    Ok(unit.finish())
}

impl<'a> Opened<'a> {
    /// The slots, in order: operators, inputs, outputs, counts.
    fn new(parts: &'a Parts<'a>, cx: &mut Cx<'_>) -> Opened<'a> {
        Opened {
            parts,
            ops: parts.ops.iter().map(|op| op.open(cx)).collect(),
            inputs: parts.inputs.iter().map(|input| Open::new(input, cx)).collect(),
            outputs: parts.outputs.iter().map(|output| Open::new(output, cx)).collect(),
            counts: Open::new(parts.counts, cx),
        }
    }

    fn pick(&self, cx: &mut Cx<'_>) -> Built<()> {
        let zero = cx.b.i64(0);
        let kept: Vec<Var> = (0..self.parts.kind.parts()).map(|_| cx.var("kept", zero)).collect();
        match self.parts.kind {
            Kind::Select => self.select(cx, kept[0])?,
            Kind::Partition => self.partition(cx, &kept)?,
            Kind::Unique => self.unique(cx, kept[0])?,
        }
        for (part, kept) in kept.into_iter().enumerate() {
            let (at, kept) = (word(cx, part), cx.b.get(kept));
            cx.b.store(at, kept);
        }
        Ok(())
    }

    fn select(&self, cx: &mut Cx<'_>, kept: Var) -> Built<()> {
        let bounds = (cx.begin(), cx.end());
        cx.for_range(bounds, Rounds::Ordered, |cx, i| {
            let item = iter::load(&self.inputs[0], cx, i)?;
            let take = self.ops[0].apply(cx, &[item])?;
            self.put(cx, 0, &[item], (kept, take));
            Ok(())
        })
    }

    fn partition(&self, cx: &mut Cx<'_>, kept: &[Var]) -> Built<()> {
        let bounds = (cx.begin(), cx.end());
        cx.for_range(bounds, Rounds::Ordered, |cx, i| {
            let item = iter::load(&self.inputs[0], cx, i)?;
            let takes = self.conditions(cx, item)?;
            for (part, (kept, take)) in kept.iter().zip(takes).enumerate() {
                self.put(cx, part, &[item], (*kept, take));
            }
            Ok(())
        })
    }

    /// To which of the three parts an item goes. The second condition is evaluated only where the first does
    /// not hold.
    fn conditions(&self, cx: &mut Cx<'_>, item: Value) -> Built<[Value; 3]> {
        let first = self.ops[0].apply(cx, &[item])?;
        let (never, other) = (cx.b.constant(Const::bool(false)), cx.b.unary(UnaryOp::Not, first));
        let (second, rest) = (cx.var("second", never), cx.var("rest", never));
        cx.if_else(
            other,
            |cx| {
                let take = self.ops[1].apply(cx, &[item])?;
                let leave = cx.b.unary(UnaryOp::Not, take);
                cx.b.set(second, take);
                cx.b.set(rest, leave);
                Ok(())
            },
            |_| Ok(()),
        )?;
        Ok([first, cx.b.get(second), cx.b.get(rest)])
    }

    /// An item is kept if its key is not equal to the one before, also if that belongs to another block.
    fn unique(&self, cx: &mut Cx<'_>, kept: Var) -> Built<()> {
        let [keys, items] = [&self.inputs[0], &self.inputs[1]];
        let (zero, one, begin, end) = (cx.b.i64(0), cx.b.i64(1), cx.begin(), cx.end());
        let is_first = cx.b.cmp(CmpOp::Eq, begin, zero);
        let from = cx.b.select(is_first, one, begin);
        let before = cx.sub(from, one);
        let key = iter::load(keys, cx, before)?;
        let previous = cx.var("previous", key);
        cx.if_else(
            is_first,
            |cx| {
                let item = iter::load(items, cx, zero)?;
                self.put(cx, 0, &[key, item], (kept, is_first));
                Ok(())
            },
            |_| Ok(()),
        )?;
        cx.for_range((from, end), Rounds::Ordered, |cx, i| {
            let (key, item) = (iter::load(keys, cx, i)?, iter::load(items, cx, i)?);
            let before = cx.b.get(previous);
            let equal = self.ops[0].apply(cx, &[before, key])?;
            let take = cx.b.unary(UnaryOp::Not, equal);
            self.put(cx, 0, &[key, item], (kept, take));
            cx.b.set(previous, key);
            Ok(())
        })
    }

    /// Stores at the end of a part's buffer, and moves the end if `take`.
    fn put(&self, cx: &mut Cx<'_>, part: usize, items: &[Value], (kept, take): (Var, Value)) {
        let at = cx.b.get(kept);
        for (lane, item) in items.iter().enumerate() {
            let (planes, start) = self.parts.layout.buffer(part, lane);
            let base = offset(cx, start);
            planes.store(cx, base, at, *item);
        }
        let step = cx.b.cast(take, Scalar::I64);
        let end = cx.add(at, step);
        cx.b.set(kept, end);
    }

    fn decide(&self, cx: &mut Cx<'_>) -> Built<()> {
        let (begin, end) = (cx.begin(), cx.end());
        if self.parts.kind != Kind::Unique {
            return cx.for_range((begin, end), Rounds::Parallel, |cx, i| {
                let item = iter::load(&self.inputs[0], cx, i)?;
                let takes = match self.parts.kind {
                    Kind::Partition => self.conditions(cx, item)?.to_vec(),
                    _ => vec![self.ops[0].apply(cx, &[item])?],
                };
                self.stage(cx, i, &[item], &takes);
                Ok(())
            });
        }
        let [keys, items] = [&self.inputs[0], &self.inputs[1]];
        let (zero, one, yes) = (cx.b.i64(0), cx.b.i64(1), cx.b.constant(Const::bool(true)));
        let is_first = cx.b.cmp(CmpOp::Eq, begin, zero);
        let from = cx.b.select(is_first, one, begin);
        let first = |cx: &mut Cx<'_>| {
            let both = [iter::load(keys, cx, zero)?, iter::load(items, cx, zero)?];
            self.stage(cx, zero, &both, &[yes]);
            Ok(())
        };
        cx.if_else(is_first, first, |_| Ok(()))?;
        cx.for_range((from, end), Rounds::Parallel, |cx, i| {
            let before = cx.sub(i, one);
            let before = iter::load(keys, cx, before)?;
            let (key, item) = (iter::load(keys, cx, i)?, iter::load(items, cx, i)?);
            let equal = self.ops[0].apply(cx, &[before, key])?;
            let take = cx.b.unary(UnaryOp::Not, equal);
            self.stage(cx, i, &[key, item], &[take]);
            Ok(())
        })
    }

    /// Writes an item and the decision on it: the first part that takes it.
    fn stage(&self, cx: &mut Cx<'_>, index: Value, items: &[Value], takes: &[Value]) {
        let at = cx.sub(index, cx.begin());
        let mut decision = cx.b.constant(Const::int(Scalar::U8, NOWHERE));
        for (part, take) in takes.iter().enumerate().rev() {
            let here = cx.b.constant(Const::int(Scalar::U8, part as i128));
            decision = cx.b.select(*take, here, decision);
        }
        let decisions = offset(cx, self.parts.layout.decisions);
        let target = cx.b.ptr_add(decisions, at);
        cx.b.store(target, decision);
        for (item, (planes, start)) in items.iter().zip(&self.parts.layout.staged) {
            let base = offset(cx, *start);
            planes.store(cx, base, at, *item);
        }
    }

    fn place(&self, cx: &mut Cx<'_>) -> Built<()> {
        let names = self.parts.kind.names();
        let lanes = self.inputs.len();
        for part in 0..self.parts.kind.parts() {
            let (lo, hi) = (read(cx, 2 * part), read(cx, 2 * part + 1));
            cx.for_range((lo, hi), Rounds::Parallel, |cx, i| {
                let from = cx.sub(i, lo);
                for lane in 0..lanes {
                    let output = part * lanes + lane;
                    let (planes, start) = self.parts.layout.buffer(part, lane);
                    let base = offset(cx, start);
                    let item = planes.load(cx, base, from);
                    let item = cx.convert(item, self.parts.outputs[output].item(), names.outputs[output])?;
                    iter::store(&self.outputs[output], cx, i, item)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn write_counts(&self, cx: &mut Cx<'_>) -> Built<()> {
        let bounds = (cx.begin(), cx.end());
        cx.for_range(bounds, Rounds::Ordered, |cx, i| {
            let at = cx.address(cx.scratch(), i, 8);
            let count = cx.b.load(Type::I64, at);
            let count = cx.convert(count, self.parts.counts.item(), self.parts.kind.names().counts)?;
            iter::store(&self.counts, cx, i, count)
        })
    }
}

/// The address of a byte of the scratch memory.
fn offset(cx: &mut Cx<'_>, bytes: u64) -> Value {
    let bytes = cx.b.i64(bytes as i64);
    cx.b.ptr_add(cx.scratch(), bytes)
}

/// The address of a word of the header.
fn word(cx: &mut Cx<'_>, index: usize) -> Value {
    offset(cx, 8 * index as u64)
}

fn read(cx: &mut Cx<'_>, index: usize) -> Value {
    let at = word(cx, index);
    cx.b.load(Type::I64, at)
}
