//! The kernel of a binary search: `search(args, begin, end, unused)`.
//!
//! A tile of queries goes down together: the interval that is left has the same length for each of them, so
//! one step is a loop without branches over independent loads, which wait for memory at the same time.

use freeloom_ir::{BinaryOp, Module, Rounds, Type, UnaryOp, Value};

use super::Side;
use crate::error::Built;
use crate::iter::{self, Iter, Open};
use crate::kernel::leaves::Planes;
use crate::kernel::{Cx, Unit, Variant};
use crate::op::{Op, OpenOp};

/// Queries that go down together.
const TILE: u64 = 64;

/// What the kernel is made of.
pub(super) struct Parts<'a> {
    pub(super) side: Side,
    pub(super) comp: &'a Op,
    pub(super) data: &'a Iter,
    pub(super) values: &'a Iter,
    pub(super) output: &'a Iter,
}

/// A kernel's arguments and buffers.
struct Search<'a> {
    side: Side,
    comp: OpenOp,
    data: Open,
    values: Open,
    output: Open,
    output_type: &'a Type,
    planes: Planes,
    /// The queries of the tile.
    keys: Value,
    /// Where the interval of each begins.
    bases: Value,
}

/// Emits the kernel for arrays of these layouts. The slots, in order: operator, data, number of data, values,
/// output.
pub(super) fn emit(parts: &Parts<'_>, variant: Variant) -> Built<Module> {
    let mut unit = Unit::new(variant);
    unit.kernel("search", |cx| {
        let comp = parts.comp.open(cx);
        let data = Open::new(parts.data, cx);
        let len = cx.slot(Type::I64);
        let (values, output) = (Open::new(parts.values, cx), Open::new(parts.output, cx));
        let planes = Planes::new(parts.values.item(), TILE);
        let (keys, bases) = (cx.b.stack_alloc(planes.bytes()), cx.b.stack_alloc(8 * TILE));
        let output_type = parts.output.item();
        let search =
            Search { side: parts.side, comp, data, values, output, output_type, planes, keys, bases };
        search.tiles(cx, len)
    })?;
    Ok(unit.finish())
}

impl Search<'_> {
    fn tiles(&self, cx: &mut Cx<'_>, len: Value) -> Built<()> {
        let (begin, end) = (cx.begin(), cx.end());
        let tile = cx.b.i64(TILE as i64);
        let at = cx.var("at", begin);
        let more = |cx: &mut Cx<'_>| {
            let i = cx.b.get(at);
            cx.less(i, end)
        };
        cx.while_loop(more, |cx| {
            let i = cx.b.get(at);
            let left = cx.sub(end, i);
            let count = cx.min(left, tile);
            self.tile(cx, (i, count), len)?;
            let next = cx.add(i, count);
            cx.b.set(at, next);
            Ok(())
        })
    }

    fn tile(&self, cx: &mut Cx<'_>, (start, count): (Value, Value), len: Value) -> Built<()> {
        let (zero, one) = (cx.b.i64(0), cx.b.i64(1));
        cx.for_range((zero, count), Rounds::Parallel, |cx, j| {
            let index = cx.add(start, j);
            let key = iter::load(&self.values, cx, index)?;
            self.planes.store(cx, self.keys, j, key);
            let base = cx.address(self.bases, j, 8);
            cx.b.store(base, zero);
            Ok(())
        })?;
        let left = cx.var("left", len);
        let more = |cx: &mut Cx<'_>| {
            let n = cx.b.get(left);
            cx.less(one, n)
        };
        cx.while_loop(more, |cx| {
            let n = cx.b.get(left);
            let half = cx.shift_right(n, 1);
            self.step(cx, count, half)?;
            let rest = cx.sub(n, half);
            cx.b.set(left, rest);
            Ok(())
        })?;
        let some = cx.less(zero, len);
        cx.if_else(some, |cx| self.step(cx, count, one), |_| Ok(()))?;
        cx.for_range((zero, count), Rounds::Parallel, |cx, j| {
            let base = cx.address(self.bases, j, 8);
            let found = cx.b.load(Type::I64, base);
            let found = cx.convert(found, self.output_type, "d_out")?;
            let index = cx.add(start, j);
            iter::store(&self.output, cx, index, found)
        })
    }

    /// Each query whose place lies after the first `half` items of its interval leaves them behind.
    fn step(&self, cx: &mut Cx<'_>, count: Value, half: Value) -> Built<()> {
        let zero = cx.b.i64(0);
        cx.for_range((zero, count), Rounds::Parallel, |cx, j| {
            let place = cx.address(self.bases, j, 8);
            let base = cx.b.load(Type::I64, place);
            let moved = cx.b.binary(BinaryOp::Add, base, half);
            let last = cx.add_const(moved, -1);
            let item = iter::load(&self.data, cx, last)?;
            let key = self.planes.load(cx, self.keys, j);
            let behind = self.is_behind(cx, item, key)?;
            let base = cx.b.select(behind, moved, base);
            cx.b.store(place, base);
            Ok(())
        })
    }

    /// Does the place of `key` lie after `item`?
    fn is_behind(&self, cx: &mut Cx<'_>, item: Value, key: Value) -> Built<Value> {
        match self.side {
            Side::Lower => self.comp.apply(cx, &[item, key]),
            Side::Upper => {
                let before = self.comp.apply(cx, &[key, item])?;
                Ok(cx.b.unary(UnaryOp::Not, before))
            }
        }
    }
}
