//! Folding a range of items into one value, in a form that vectorises.
//!
//! The grouping of operands depends on the length of the range and on the types alone, so that results are
//! the same for every number of threads and every width of vectors.
//!
//! * **Lanes**, if operands may be swapped: a row of independent accumulators, `acc[j] = op(acc[j], x[i + j])`,
//!   then `acc[j] = op(acc[j], acc[j + half])` until one is left.
//! * **Tree**, for any other operator: in tiles that stay in the nearest cache, neighbours are combined level
//!   by level, `next[j] = op(this[2j], this[2j + 1])`. Operands keep their order. Results of tiles are
//!   combined from left to right.
//!
//! Every inner loop is without dependence between its rounds.

use freeloom_ir::{CmpOp, Type, Value};

use crate::error::Built;
use crate::iter::{self, Open};
use crate::kernel::Cx;
use crate::kernel::leaves::Planes;
use crate::op::{Op, OpenOp};

/// Bytes of the row of accumulators.
const LANE_BYTES: u64 = 2048;
/// Bytes of the values combined in one tile; two buffers of half the size are needed.
const TILE_BYTES: u64 = 16 * 1024;

/// Buffers of a fold and the way it goes. One per kernel.
pub(crate) struct Fold<'a> {
    pub(crate) op: &'a OpenOp,
    pub(crate) input: &'a Open,
    pub(crate) acc: &'a Type,
    way: Way,
}

enum Way {
    Lanes { planes: Planes, row: Value, width: u64 },
    Tree { planes: Planes, buffers: [Value; 2], tile: u64 },
}

/// Number of items that blocks should be a multiple of.
pub(crate) fn unit(op: &Op, acc: &Type) -> u64 {
    if op.is_commutative() { lane_width(acc) } else { tile_items(acc) }
}

fn lane_width(acc: &Type) -> u64 {
    LANE_BYTES / acc.size().max(1)
}

fn tile_items(acc: &Type) -> u64 {
    (TILE_BYTES / acc.size().max(1)).clamp(16, 4096).next_power_of_two()
}

impl<'a> Fold<'a> {
    /// Takes the buffers from the stack. To be called at the top of the kernel.
    pub(crate) fn new(
        cx: &mut Cx<'_>,
        typed: &Op,
        op: &'a OpenOp,
        input: &'a Open,
        acc: &'a Type,
    ) -> Fold<'a> {
        let way = if typed.is_commutative() {
            let width = lane_width(acc);
            let planes = Planes::new(acc, width);
            Way::Lanes { row: cx.b.stack_alloc(planes.bytes()), planes, width }
        } else {
            let tile = tile_items(acc);
            let planes = Planes::new(acc, tile / 2);
            let bytes = planes.bytes();
            Way::Tree { planes, buffers: [cx.b.stack_alloc(bytes), cx.b.stack_alloc(bytes)], tile }
        };
        Fold { op, input, acc, way }
    }

    /// Reads item `index` as an accumulator.
    pub(crate) fn item(&self, cx: &mut Cx<'_>, index: Value) -> Built<Value> {
        let item = iter::load(self.input, cx, index)?;
        cx.convert(item, self.acc, "d_in")
    }

    /// `op(a, b)`
    pub(crate) fn combine(&self, cx: &mut Cx<'_>, a: Value, b: Value) -> Built<Value> {
        self.op.apply(cx, &[a, b])
    }

    /// Folds the items `lo .. hi`, of which there is at least one.
    pub(crate) fn range(&self, cx: &mut Cx<'_>, lo: Value, hi: Value) -> Built<Value> {
        match &self.way {
            Way::Lanes { planes, row, width } => self.lanes(cx, (lo, hi), planes, *row, *width),
            Way::Tree { planes, buffers, tile } => self.tree(cx, (lo, hi), planes, *buffers, *tile),
        }
    }

    fn lanes(
        &self,
        cx: &mut Cx<'_>,
        (lo, hi): (Value, Value),
        planes: &Planes,
        row: Value,
        width: u64,
    ) -> Built<Value> {
        let zero = cx.b.i64(0);
        let left = cx.sub(hi, lo);
        let width = cx.b.i64(width as i64);
        let first = cx.min(left, width);
        cx.for_range((zero, first), true, |cx, j| {
            let at = cx.add(lo, j);
            let x = self.item(cx, at)?;
            planes.store(cx, row, j, x);
            Ok(())
        })?;
        let start = cx.add(lo, first);
        let at = cx.var("at", start);
        let more = |cx: &mut Cx<'_>| {
            let i = cx.b.get(at);
            cx.less(i, hi)
        };
        cx.while_loop(more, |cx| {
            let i = cx.b.get(at);
            let left = cx.sub(hi, i);
            let count = cx.min(left, width);
            cx.for_range((zero, count), true, |cx, j| {
                let index = cx.add(i, j);
                let x = self.item(cx, index)?;
                let a = planes.load(cx, row, j);
                let r = self.combine(cx, a, x)?;
                planes.store(cx, row, j, r);
                Ok(())
            })?;
            let next = cx.add(i, count);
            cx.b.set(at, next);
            Ok(())
        })?;
        self.halve(cx, planes, row, first)?;
        Ok(planes.load(cx, row, zero))
    }

    /// Folds `count` accumulators into the first.
    fn halve(&self, cx: &mut Cx<'_>, planes: &Planes, row: Value, count: Value) -> Built<()> {
        let (zero, one) = (cx.b.i64(0), cx.b.i64(1));
        let left = cx.var("left", count);
        let more = |cx: &mut Cx<'_>| {
            let m = cx.b.get(left);
            cx.less(one, m)
        };
        cx.while_loop(more, |cx| {
            let m = cx.b.get(left);
            let pairs = cx.half(m);
            let rest = cx.sub(m, pairs);
            cx.for_range((zero, pairs), true, |cx, j| {
                let partner = cx.add(j, rest);
                let a = planes.load(cx, row, j);
                let b = planes.load(cx, row, partner);
                let r = self.combine(cx, a, b)?;
                planes.store(cx, row, j, r);
                Ok(())
            })?;
            cx.b.set(left, rest);
            Ok(())
        })
    }

    fn tree(
        &self,
        cx: &mut Cx<'_>,
        (lo, hi): (Value, Value),
        planes: &Planes,
        buffers: [Value; 2],
        tile: u64,
    ) -> Built<Value> {
        let total = cx.b.var("total", self.acc.clone());
        let at = cx.var("at", lo);
        let tile = cx.b.i64(tile as i64);
        let more = |cx: &mut Cx<'_>| {
            let i = cx.b.get(at);
            cx.less(i, hi)
        };
        cx.while_loop(more, |cx| {
            let i = cx.b.get(at);
            let left = cx.sub(hi, i);
            let count = cx.min(left, tile);
            let value = self.tile(cx, (i, count), planes, buffers)?;
            let is_first = cx.b.cmp(CmpOp::Eq, i, lo);
            let first = |cx: &mut Cx<'_>| {
                cx.b.set(total, value);
                Ok(())
            };
            cx.if_else(is_first, first, |cx| {
                let before = cx.b.get(total);
                let r = self.combine(cx, before, value)?;
                cx.b.set(total, r);
                Ok(())
            })?;
            let next = cx.add(i, count);
            cx.b.set(at, next);
            Ok(())
        })?;
        Ok(cx.b.get(total))
    }

    /// Folds `count` items from `start` level by level.
    fn tile(
        &self,
        cx: &mut Cx<'_>,
        (start, count): (Value, Value),
        planes: &Planes,
        buffers: [Value; 2],
    ) -> Built<Value> {
        let (zero, one) = (cx.b.i64(0), cx.b.i64(1));
        let leaf = |cx: &mut Cx<'_>, index| {
            let index = cx.add(start, index);
            self.item(cx, index)
        };
        self.level(cx, count, |cx, i| leaf(cx, i), |cx, j, r| planes.store(cx, buffers[0], j, r))?;
        let (this, next) = (cx.var("this", buffers[0]), cx.var("next", buffers[1]));
        let nodes = ceil_half(cx, count);
        let left = cx.var("left", nodes);
        let more = |cx: &mut Cx<'_>| {
            let m = cx.b.get(left);
            cx.less(one, m)
        };
        cx.while_loop(more, |cx| {
            let m = cx.b.get(left);
            let (from, to) = (cx.b.get(this), cx.b.get(next));
            self.level(cx, m, |cx, i| Ok(planes.load(cx, from, i)), |cx, j, r| planes.store(cx, to, j, r))?;
            cx.b.set(this, to);
            cx.b.set(next, from);
            let nodes = ceil_half(cx, m);
            cx.b.set(left, nodes);
            Ok(())
        })?;
        let result = cx.b.get(this);
        Ok(planes.load(cx, result, zero))
    }

    /// Combines neighbours among `count` values; an odd last one is handed on.
    fn level(
        &self,
        cx: &mut Cx<'_>,
        count: Value,
        read: impl Fn(&mut Cx<'_>, Value) -> Built<Value>,
        write: impl Fn(&mut Cx<'_>, Value, Value),
    ) -> Built<()> {
        let zero = cx.b.i64(0);
        let pairs = cx.half(count);
        cx.for_range((zero, pairs), true, |cx, j| {
            let even = cx.scale(j, 2);
            let odd = cx.add_const(even, 1);
            let (a, b) = (read(cx, even)?, read(cx, odd)?);
            let r = self.combine(cx, a, b)?;
            write(cx, j, r);
            Ok(())
        })?;
        let is_odd = cx.is_odd(count);
        let hand_on = |cx: &mut Cx<'_>| {
            let last = cx.add_const(count, -1);
            let value = read(cx, last)?;
            write(cx, pairs, value);
            Ok(())
        };
        cx.if_else(is_odd, hand_on, |_| Ok(()))
    }
}

fn ceil_half(cx: &mut Cx<'_>, count: Value) -> Value {
    let more = cx.add_const(count, 1);
    cx.half(more)
}
