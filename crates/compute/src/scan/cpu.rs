//! The kernels of a scan.
//!
//! `state` is a row of accumulators, one partial result each.
//!
//! * `seq(args, begin, end, state)` scans items one after another. `state[0]` is the prefix before `begin` and
//!   becomes the prefix before `end`. At item 0 of a scan without initial value it is not read.
//! * `sums(args, begin, end, state)` folds each strand of a block: `state[1 + k]` is strand `k`'s sum.
//! * `chain(args, 0, 0, state)` turns sums into prefixes: `state[k]` becomes the prefix before strand `k`,
//!   the last one the prefix after the block.
//! * `scan(args, begin, end, state)` scans the strands of a block side by side, strand `k` from `state[k]`, so
//!   that the latency of the operator is hidden. It goes chunk by chunk through a buffer in the nearest cache:
//!   items come in and results go out in whole vectors, and only the chain of operators is scalar.
//!
//! A block is cut into [`Shape::strands`] strands of equal length, a multiple of [`Shape::chunk`].

use freeloom_ir::{BinaryOp, CmpOp, Module, Rounds, Type, Value, Var};

use crate::ScanKind;
use crate::error::Built;
use crate::iter::{self, Iter, Open};
use crate::kernel::leaves::Planes;
use crate::kernel::{Cx, Unit, Variant};
use crate::op::{Op, OpenOp};
use crate::reduce::fold::Fold;
use crate::reduce::partial_words;

/// How blocks are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Strands of a block; a power of two.
    pub(super) strands: u64,
    /// Items of a strand that are scanned at a time; a power of two.
    pub(super) chunk: u64,
    /// Most items of a block, apart from the skew; a power of two.
    pub(super) most: u64,
}

/// What the kernels are made of.
pub(super) struct Parts<'a> {
    pub(super) op: &'a Op,
    pub(super) input: &'a Iter,
    pub(super) output: &'a Iter,
    pub(super) acc: &'a Type,
    pub(super) kind: ScanKind,
    pub(super) has_init: bool,
    pub(super) shape: Shape,
}

/// A kernel's view of the parts.
struct Opened<'a> {
    parts: &'a Parts<'a>,
    op: OpenOp,
    input: Open,
    output: Open,
}

/// Emits the kernels for arrays of these layouts.
pub(super) fn emit(parts: &Parts<'_>, variant: Variant) -> Built<Module> {
    let mut unit = Unit::new(variant);
    unit.kernel("seq", |cx| Opened::new(parts, cx).seq(cx))?;
    unit.kernel("sums", |cx| Opened::new(parts, cx).sums(cx))?;
    unit.kernel("chain", |cx| Opened::new(parts, cx).chain(cx))?;
    unit.kernel("scan", |cx| Opened::new(parts, cx).strands(cx))?;
    Ok(unit.finish())
}

impl<'a> Opened<'a> {
    /// The slots, in order: operator, input, output.
    fn new(parts: &'a Parts<'a>, cx: &mut Cx<'_>) -> Opened<'a> {
        let op = parts.op.open(cx);
        let input = Open::new(parts.input, cx);
        let output = Open::new(parts.output, cx);
        Opened { parts, op, input, output }
    }

    fn item(&self, cx: &mut Cx<'_>, index: Value) -> Built<Value> {
        let item = iter::load(&self.input, cx, index)?;
        cx.convert(item, self.parts.acc, "d_in")
    }

    fn write(&self, cx: &mut Cx<'_>, index: Value, value: Value) -> Built<()> {
        let item = cx.convert(value, self.parts.output.item(), "d_out")?;
        iter::store(&self.output, cx, index, item)
    }

    fn state(&self, cx: &mut Cx<'_>, k: u64) -> Value {
        let at = cx.b.i64((k * partial_words(self.parts.acc) as u64 * 8) as i64);
        cx.b.ptr_add(cx.scratch(), at)
    }

    fn read_state(&self, cx: &mut Cx<'_>, k: u64) -> Value {
        let ptr = self.state(cx, k);
        cx.b.load(self.parts.acc.clone(), ptr)
    }

    fn seq(&self, cx: &mut Cx<'_>) -> Built<()> {
        let (begin, end) = (cx.begin(), cx.end());
        let prefix = cx.b.var("prefix", self.parts.acc.clone());
        let start = cx.var("start", begin);
        let resume = |cx: &mut Cx<'_>| {
            let before = self.read_state(cx, 0);
            cx.b.set(prefix, before);
            Ok(())
        };
        if self.parts.has_init {
            resume(cx)?;
        } else {
            let zero = cx.b.i64(0);
            let is_first = cx.b.cmp(CmpOp::Eq, begin, zero);
            let first = |cx: &mut Cx<'_>| {
                let x = self.item(cx, zero)?;
                cx.b.set(prefix, x);
                self.write(cx, zero, x)?;
                let one = cx.b.i64(1);
                cx.b.set(start, one);
                Ok(())
            };
            cx.if_else(is_first, first, resume)?;
        }
        let lo = cx.b.get(start);
        cx.for_range((lo, end), Rounds::Few, |cx, i| {
            let x = self.item(cx, i)?;
            let value = self.step(cx, x, prefix)?;
            self.write(cx, i, value)
        })?;
        let (last, at) = (cx.b.get(prefix), self.state(cx, 0));
        cx.b.store(at, last);
        Ok(())
    }

    /// Takes one item into a prefix. Gives what belongs in its place.
    fn step(&self, cx: &mut Cx<'_>, item: Value, prefix: Var) -> Built<Value> {
        let before = cx.b.get(prefix);
        let after = self.op.apply(cx, &[before, item])?;
        cx.b.set(prefix, after);
        Ok(if self.parts.kind == ScanKind::Inclusive { after } else { before })
    }

    fn sums(&self, cx: &mut Cx<'_>) -> Built<()> {
        let Parts { op, acc, shape, .. } = self.parts;
        let fold = Fold::new(cx, op, &self.op, &self.input, acc);
        let strand = self.strand(cx);
        let (zero, strands) = (cx.b.i64(0), cx.b.i64(shape.strands as i64));
        let first = self.state(cx, 1);
        cx.for_range((zero, strands), Rounds::Ordered, |cx, k| {
            let lo = self.strand_start(cx, k, strand);
            let hi = cx.add(lo, strand);
            let sum = fold.range(cx, lo, hi)?;
            let at = cx.address(first, k, partial_words(acc) as u64 * 8);
            cx.b.store(at, sum);
            Ok(())
        })
    }

    /// Items of a strand of this block.
    fn strand(&self, cx: &mut Cx<'_>) -> Value {
        let items = cx.sub(cx.end(), cx.begin());
        cx.shift_right(items, self.parts.shape.strands.ilog2())
    }

    fn strand_start(&self, cx: &mut Cx<'_>, k: Value, strand: Value) -> Value {
        let offset = cx.b.binary(BinaryOp::Mul, k, strand);
        cx.add(cx.begin(), offset)
    }

    fn chain(&self, cx: &mut Cx<'_>) -> Built<()> {
        let before = self.read_state(cx, 0);
        let prefix = cx.var("prefix", before);
        let (zero, strands) = (cx.b.i64(0), cx.b.i64(self.parts.shape.strands as i64));
        let first = self.state(cx, 1);
        cx.for_range((zero, strands), Rounds::Ordered, |cx, k| {
            let at = cx.address(first, k, partial_words(self.parts.acc) as u64 * 8);
            let sum = cx.b.load(self.parts.acc.clone(), at);
            let before = cx.b.get(prefix);
            let after = self.op.apply(cx, &[before, sum])?;
            cx.b.set(prefix, after);
            cx.b.store(at, after);
            Ok(())
        })
    }

    fn strands(&self, cx: &mut Cx<'_>) -> Built<()> {
        let Shape { strands, chunk, .. } = self.parts.shape;
        let planes = Planes::new(self.parts.acc, strands * chunk);
        let buffer = cx.b.stack_alloc(planes.bytes());
        let mut prefixes = Vec::new();
        for k in 0..strands {
            let before = self.read_state(cx, k);
            prefixes.push(cx.var("prefix", before));
        }
        let strand = self.strand(cx);
        let chunks = (cx.b.i64(0), cx.shift_right(strand, chunk.ilog2()));
        cx.for_range(chunks, Rounds::Ordered, |cx, c| {
            let offset = cx.scale(c, chunk);
            self.stage(cx, (offset, strand), |cx, index, slot| {
                let x = self.item(cx, index)?;
                planes.store(cx, buffer, slot, x);
                Ok(())
            })?;
            self.scan_chunk(cx, &planes, buffer, &prefixes)?;
            self.stage(cx, (offset, strand), |cx, index, slot| {
                let value = planes.load(cx, buffer, slot);
                self.write(cx, index, value)
            })
        })
    }

    /// Moves the chunk at `offset` of every strand: `body` gets the index of the item and its place in the
    /// buffer.
    fn stage(
        &self,
        cx: &mut Cx<'_>,
        (offset, strand): (Value, Value),
        body: impl FnOnce(&mut Cx<'_>, Value, Value) -> Built<()>,
    ) -> Built<()> {
        let Shape { strands, chunk, .. } = self.parts.shape;
        let zero = cx.b.i64(0);
        let (strands, items) = (cx.b.i64(strands as i64), cx.b.i64(chunk as i64));
        cx.for_range((zero, strands), Rounds::Ordered, |cx, k| {
            let start = self.strand_start(cx, k, strand);
            let first = cx.add(start, offset);
            let place = cx.scale(k, chunk);
            cx.for_range((zero, items), Rounds::Parallel, |cx, j| {
                let (index, slot) = (cx.add(first, j), cx.add(place, j));
                body(cx, index, slot)
            })
        })
    }

    /// Scans one chunk of every strand in the buffer, all strands side by side.
    fn scan_chunk(&self, cx: &mut Cx<'_>, planes: &Planes, buffer: Value, prefixes: &[Var]) -> Built<()> {
        let chunk = self.parts.shape.chunk;
        let bounds = (cx.b.i64(0), cx.b.i64(chunk as i64));
        cx.for_range(bounds, Rounds::Ordered, |cx, i| {
            for (k, prefix) in prefixes.iter().enumerate() {
                let slot = cx.add_const(i, (k as u64 * chunk) as i64);
                let item = planes.load(cx, buffer, slot);
                let value = self.step(cx, item, *prefix)?;
                planes.store(cx, buffer, slot, value);
            }
            Ok(())
        })
    }
}
