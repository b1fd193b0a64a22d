//! The kernels of a compaction.
//!
//! `scratch` begins with [`HEADER`] words; after them lies a buffer of one block for each part.
//!
//! * `pick(args, begin, end, scratch)` decides on a block's items and puts those of part `p` side by side in its
//!   buffer: `scratch[p]` of them. No branch depends on the decision: an item is always stored at the end of the
//!   buffer, and the end moves if it was to be kept.
//! * `place(args, 0, 0, scratch)` copies the first items of the buffer of part `p` to the outputs' places
//!   `scratch[2 * p] .. scratch[2 * p + 1]`.
//! * `counts(args, begin, end, scratch)` writes `scratch[begin .. end]` to the output of the counts.

use freeloom_ir::{CmpOp, Module, Rounds, Scalar, Type, UnaryOp, Value, Var};

use super::rule::Kind;
use crate::error::Built;
use crate::iter::{self, Iter, Open};
use crate::kernel::leaves::Planes;
use crate::kernel::{Cx, Unit, Variant};
use crate::op::{Op, OpenOp};

/// Words before the buffers: a cache line.
pub(super) const HEADER: u64 = 8;

/// What the kernels are made of.
pub(super) struct Parts<'a> {
    pub(super) kind: Kind,
    pub(super) ops: &'a [Op],
    pub(super) inputs: &'a [Iter],
    pub(super) outputs: &'a [Iter],
    pub(super) counts: &'a Iter,
    /// Most items of a block.
    pub(super) block: u64,
}

/// The buffer of one part: for each input, the items that were kept.
struct Buffer {
    lanes: Vec<(Planes, u64)>,
    bytes: u64,
}

impl Buffer {
    fn new(inputs: &[Iter], block: u64) -> Buffer {
        let mut bytes = 0u64;
        let lane = |input: &Iter| {
            let planes = Planes::new(input.item(), block);
            let start = bytes;
            bytes = (bytes + planes.bytes()).next_multiple_of(64);
            (planes, start)
        };
        let lanes = inputs.iter().map(lane).collect();
        Buffer { lanes, bytes }
    }
}

/// Words of scratch memory that the kernels use.
pub(super) fn scratch_words(kind: Kind, inputs: &[Iter], block: u64) -> u64 {
    HEADER + kind.parts() as u64 * Buffer::new(inputs, block).bytes / 8
}

/// A kernel's view of the parts.
struct Opened<'a> {
    parts: &'a Parts<'a>,
    buffer: Buffer,
    ops: Vec<OpenOp>,
    inputs: Vec<Open>,
    outputs: Vec<Open>,
    counts: Open,
}

/// Emits the kernels for arrays of these layouts.
pub(super) fn emit(parts: &Parts<'_>, variant: Variant) -> Built<Module> {
    let mut unit = Unit::new(variant);
    unit.kernel("pick", |cx| Opened::new(parts, cx).pick(cx))?;
    unit.kernel("place", |cx| Opened::new(parts, cx).place(cx))?;
    unit.kernel("counts", |cx| Opened::new(parts, cx).write_counts(cx))?;
    Ok(unit.finish())
}

impl<'a> Opened<'a> {
    /// The slots, in order: operators, inputs, outputs, counts.
    fn new(parts: &'a Parts<'a>, cx: &mut Cx<'_>) -> Opened<'a> {
        Opened {
            parts,
            buffer: Buffer::new(parts.inputs, parts.block),
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

    /// The second condition is evaluated only where the first does not hold.
    fn partition(&self, cx: &mut Cx<'_>, kept: &[Var]) -> Built<()> {
        let bounds = (cx.begin(), cx.end());
        cx.for_range(bounds, Rounds::Ordered, |cx, i| {
            let item = iter::load(&self.inputs[0], cx, i)?;
            let first = self.ops[0].apply(cx, &[item])?;
            let (never, other) = (cx.b.cmp(CmpOp::Ne, i, i), cx.b.unary(UnaryOp::Not, first));
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
            let takes = [first, cx.b.get(second), cx.b.get(rest)];
            for (part, (kept, take)) in kept.iter().zip(takes).enumerate() {
                self.put(cx, part, &[item], (*kept, take));
            }
            Ok(())
        })
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
            let base = self.lane(cx, part, lane);
            self.buffer.lanes[lane].0.store(cx, base, at, *item);
        }
        let step = cx.b.cast(take, Scalar::I64);
        let end = cx.add(at, step);
        cx.b.set(kept, end);
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
                    let base = self.lane(cx, part, lane);
                    let item = self.buffer.lanes[lane].0.load(cx, base, from);
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

    fn lane(&self, cx: &mut Cx<'_>, part: usize, lane: usize) -> Value {
        let offset = 8 * HEADER + part as u64 * self.buffer.bytes + self.buffer.lanes[lane].1;
        let offset = cx.b.i64(offset as i64);
        cx.b.ptr_add(cx.scratch(), offset)
    }
}

/// The address of a word of the header.
fn word(cx: &mut Cx<'_>, index: usize) -> Value {
    let offset = cx.b.i64(8 * index as i64);
    cx.b.ptr_add(cx.scratch(), offset)
}

fn read(cx: &mut Cx<'_>, index: usize) -> Value {
    let at = word(cx, index);
    cx.b.load(Type::I64, at)
}
