//! Folding a range of items into one value, in a form that vectorises.
//!
//! The grouping of operands depends on the length of the range and on the types alone, so that results are
//! the same for every number of threads and every width of vectors.
//!
//! * **Lanes**, if operands may be swapped: a row of independent accumulators in registers,
//!   `acc[j] = op(acc[j], x[i + j])`; then the row, and the items that do not fill a row, from left to right.
//! * **Tree**, for any other operator: in tiles that stay in the nearest cache, neighbours are combined level
//!   by level, `next[j] = op(this[2j], this[2j + 1])`. Operands keep their order. Results of tiles are
//!   combined from left to right.
//!
//! The inner loops over many items are without dependence between their rounds.

use freeloom_ir::{CmpOp, Rounds, Type, Value, Var};

use crate::error::Built;
use crate::iter::{self, Open};
use crate::kernel::Cx;
use crate::kernel::leaves::Planes;
use crate::op::{Op, OpenOp};

/// Bytes of the row of accumulators.
const LANE_BYTES: u64 = 256;
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
    Lanes(Lanes),
    Tree { planes: Planes, buffers: [Value; 2], tile: u64 },
}

/// A row of accumulators.
struct Lanes {
    planes: Planes,
    /// The accumulators.
    accumulators: Value,
    /// Where they go in the end.
    row: Value,
    width: u64,
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
            let (accumulators, row) = (cx.b.stack_alloc(planes.bytes()), cx.b.stack_alloc(planes.bytes()));
            Way::Lanes(Lanes { planes, accumulators, row, width })
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
            Way::Lanes(lanes) => self.lanes(cx, (lo, hi), lanes),
            Way::Tree { planes, buffers, tile } => self.tree(cx, (lo, hi), planes, *buffers, *tile),
        }
    }

    fn lanes(&self, cx: &mut Cx<'_>, (lo, hi): (Value, Value), lanes: &Lanes) -> Built<Value> {
        let (zero, one) = (cx.b.i64(0), cx.b.i64(1));
        let width = cx.b.i64(lanes.width as i64);
        let total = cx.b.var("total", self.acc.clone());
        let at = cx.var("at", lo);
        let left = cx.sub(hi, lo);
        let is_short = cx.less(left, width);
        let short = |cx: &mut Cx<'_>| {
            let first = self.item(cx, lo)?;
            cx.b.set(total, first);
            let next = cx.add(lo, one);
            cx.b.set(at, next);
            Ok(())
        };
        let long = |cx: &mut Cx<'_>| {
            self.rows(cx, (lo, hi), lanes, at)?;
            let first = lanes.planes.load(cx, lanes.row, zero);
            cx.b.set(total, first);
            cx.for_range((one, width), Rounds::Few, |cx, j| {
                let next = lanes.planes.load(cx, lanes.row, j);
                self.take(cx, total, next)
            })
        };
        cx.if_else(is_short, short, long)?;
        let rest = cx.b.get(at);
        cx.for_range((rest, hi), Rounds::Few, |cx, i| {
            let next = self.item(cx, i)?;
            self.take(cx, total, next)
        })?;
        Ok(cx.b.get(total))
    }

    /// Folds whole rows into one and leaves it in `lanes.row`, and where the rest begins in `at`.
    ///
    /// The accumulators are written at constant places only, so that they live in registers; what reads them
    /// at variable places reads a copy.
    fn rows(&self, cx: &mut Cx<'_>, (lo, hi): (Value, Value), lanes: &Lanes, at: Var) -> Built<()> {
        let Lanes { planes, accumulators, row, width } = lanes;
        let bounds = (cx.b.i64(0), cx.b.i64(*width as i64));
        cx.for_range(bounds, Rounds::Parallel, |cx, j| {
            let index = cx.add(lo, j);
            let x = self.item(cx, index)?;
            planes.store(cx, *accumulators, j, x);
            Ok(())
        })?;
        let second = cx.add(lo, bounds.1);
        cx.b.set(at, second);
        let whole = |cx: &mut Cx<'_>| {
            let i = cx.b.get(at);
            let end = cx.add(i, bounds.1);
            cx.b.cmp(CmpOp::Le, end, hi)
        };
        cx.while_loop(whole, |cx| {
            let i = cx.b.get(at);
            cx.for_range(bounds, Rounds::Parallel, |cx, j| {
                let index = cx.add(i, j);
                let x = self.item(cx, index)?;
                let a = planes.load(cx, *accumulators, j);
                let r = self.combine(cx, a, x)?;
                planes.store(cx, *accumulators, j, r);
                Ok(())
            })?;
            let next = cx.add(i, bounds.1);
            cx.b.set(at, next);
            Ok(())
        })?;
        cx.for_range(bounds, Rounds::Parallel, |cx, j| {
            let a = planes.load(cx, *accumulators, j);
            planes.store(cx, *row, j, a);
            Ok(())
        })
    }

    /// `total = op(total, next)`
    fn take(&self, cx: &mut Cx<'_>, total: Var, next: Value) -> Built<()> {
        let before = cx.b.get(total);
        let after = self.combine(cx, before, next)?;
        cx.b.set(total, after);
        Ok(())
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
            cx.if_else(is_first, first, |cx| self.take(cx, total, value))?;
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
        let pairs = cx.shift_right(count, 1);
        cx.for_range((zero, pairs), Rounds::Parallel, |cx, j| {
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
    cx.shift_right(more, 1)
}
