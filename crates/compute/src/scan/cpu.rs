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
//!   that the latency of the operator is hidden.
//!
//! A block is cut into [`Shape::strands`] strands of [`Shape::strand`] items.

use freeloom_ir::{CmpOp, Module, Type, Value, Var};

use crate::ScanKind;
use crate::error::Built;
use crate::iter::{self, Iter, Open};
use crate::kernel::{Cx, Unit, Variant};
use crate::op::{Op, OpenOp};
use crate::reduce::fold::Fold;
use crate::reduce::partial_words;

/// How a block is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Strands of a block.
    pub(super) strands: u64,
    /// Items of a strand.
    pub(super) strand: u64,
}

impl Shape {
    /// Items of a block.
    pub(super) fn block(self) -> u64 {
        self.strands * self.strand
    }
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
        cx.for_range((lo, end), false, |cx, i| {
            let x = self.item(cx, i)?;
            self.step(cx, &[(i, x, prefix)])
        })?;
        let (last, at) = (cx.b.get(prefix), self.state(cx, 0));
        cx.b.store(at, last);
        Ok(())
    }

    /// Takes one item into each prefix and writes the results: index, item, prefix. All writes come last.
    fn step(&self, cx: &mut Cx<'_>, items: &[(Value, Value, Var)]) -> Built<()> {
        let mut results = Vec::with_capacity(items.len());
        for (index, item, prefix) in items {
            let before = cx.b.get(*prefix);
            let after = self.op.apply(cx, &[before, *item])?;
            cx.b.set(*prefix, after);
            results.push((*index, if self.parts.kind == ScanKind::Inclusive { after } else { before }));
        }
        for (index, value) in results {
            self.write(cx, index, value)?;
        }
        Ok(())
    }

    fn sums(&self, cx: &mut Cx<'_>) -> Built<()> {
        let Parts { op, acc, shape, .. } = self.parts;
        let fold = Fold::new(cx, op, &self.op, &self.input, acc);
        let begin = cx.begin();
        let (zero, strands) = (cx.b.i64(0), cx.b.i64(shape.strands as i64));
        let first = self.state(cx, 1);
        cx.for_range((zero, strands), false, |cx, k| {
            let offset = cx.scale(k, shape.strand);
            let lo = cx.add(begin, offset);
            let hi = cx.add_const(lo, shape.strand as i64);
            let sum = fold.range(cx, lo, hi)?;
            let at = cx.address(first, k, partial_words(acc) as u64 * 8);
            cx.b.store(at, sum);
            Ok(())
        })
    }

    fn chain(&self, cx: &mut Cx<'_>) -> Built<()> {
        let before = self.read_state(cx, 0);
        let prefix = cx.var("prefix", before);
        let (zero, strands) = (cx.b.i64(0), cx.b.i64(self.parts.shape.strands as i64));
        let first = self.state(cx, 1);
        cx.for_range((zero, strands), false, |cx, k| {
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
        let Shape { strands, strand } = self.parts.shape;
        let begin = cx.begin();
        let mut prefixes = Vec::new();
        for k in 0..strands {
            let before = self.read_state(cx, k);
            prefixes.push(cx.var("prefix", before));
        }
        let bounds = (cx.b.i64(0), cx.b.i64(strand as i64));
        cx.for_range(bounds, false, |cx, i| {
            let at = cx.add(begin, i);
            let mut items = Vec::with_capacity(prefixes.len());
            for (k, prefix) in prefixes.iter().enumerate() {
                let index = cx.add_const(at, k as i64 * strand as i64);
                items.push((index, self.item(cx, index)?, *prefix));
            }
            self.step(cx, &items)
        })
    }
}
