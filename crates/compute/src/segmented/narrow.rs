//! Folding few items: with fewer accumulators than for many, which would take longer to fold than the items.

use freeloom_ir::{CmpOp, Rounds, Type, Value, Var};

use crate::error::Built;
use crate::kernel::Cx;
use crate::kernel::leaves::Planes;
use crate::op::Op;
use crate::reduce::fold::Fold;

/// Bytes of the row of accumulators.
const ROW_BYTES: u64 = 64;
/// Rows from which on the wide fold is better.
const MANY_ROWS: i64 = 256;
/// Items up to which operands that must keep their order are folded one after the other.
const SEQUENTIAL: i64 = 32;

/// The way few items are folded, and its buffer.
pub(super) struct Narrow {
    row: Option<Row>,
}

struct Row {
    planes: Planes,
    buffer: Value,
    width: u64,
}

impl Narrow {
    /// Takes the buffer from the stack. To be called at the top of the kernel.
    pub(super) fn new(cx: &mut Cx<'_>, op: &Op, acc: &Type) -> Narrow {
        let row = op.is_commutative().then(|| {
            let width = ROW_BYTES / acc.size().max(1);
            let planes = Planes::new(acc, width);
            Row { buffer: cx.b.stack_alloc(planes.bytes()), planes, width }
        });
        Narrow { row }
    }

    /// Fewer items are folded this way.
    pub(super) fn most(&self) -> i64 {
        self.row.as_ref().map_or(SEQUENTIAL, |row| row.width as i64 * MANY_ROWS)
    }

    /// Combines the items `lo .. hi`, of which there may be none, with what is in `total`.
    pub(super) fn take(
        &self,
        cx: &mut Cx<'_>,
        fold: &Fold<'_>,
        (lo, hi): (Value, Value),
        total: Var,
    ) -> Built<()> {
        let at = cx.var("at", lo);
        if let Some(row) = &self.row {
            let width = cx.b.i64(row.width as i64);
            let items = cx.sub(hi, lo);
            let has_row = cx.b.cmp(CmpOp::Le, width, items);
            cx.if_else(has_row, |cx| row.fold(cx, fold, (at, hi), total), |_| Ok(()))?;
        }
        let rest = cx.b.get(at);
        cx.for_range((rest, hi), Rounds::Few, |cx, i| {
            let (before, item) = (cx.b.get(total), fold.item(cx, i)?);
            let after = fold.combine(cx, before, item)?;
            cx.b.set(total, after);
            Ok(())
        })
    }
}

impl Row {
    /// Folds whole rows, of which there is at least one, and moves `at` behind them.
    fn fold(&self, cx: &mut Cx<'_>, fold: &Fold<'_>, (at, hi): (Var, Value), total: Var) -> Built<()> {
        let bounds = (cx.b.i64(0), cx.b.i64(self.width as i64));
        let lo = cx.b.get(at);
        cx.for_range(bounds, Rounds::Parallel, |cx, j| {
            let index = cx.add(lo, j);
            let item = fold.item(cx, index)?;
            self.planes.store(cx, self.buffer, j, item);
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
                let item = fold.item(cx, index)?;
                let before = self.planes.load(cx, self.buffer, j);
                let after = fold.combine(cx, before, item)?;
                self.planes.store(cx, self.buffer, j, after);
                Ok(())
            })?;
            let next = cx.add(i, bounds.1);
            cx.b.set(at, next);
            Ok(())
        })?;
        self.halve(cx, fold)?;
        let all = self.planes.load(cx, self.buffer, bounds.0);
        let before = cx.b.get(total);
        let after = fold.combine(cx, before, all)?;
        cx.b.set(total, after);
        Ok(())
    }

    /// Folds the row: its second half is combined with its first, until one is left.
    fn halve(&self, cx: &mut Cx<'_>, fold: &Fold<'_>) -> Built<()> {
        let zero = cx.b.i64(0);
        let mut half = self.width / 2;
        while half > 0 {
            let bound = cx.b.i64(half as i64);
            cx.for_range((zero, bound), Rounds::Parallel, |cx, j| {
                let other = cx.add(j, bound);
                let a = self.planes.load(cx, self.buffer, j);
                let b = self.planes.load(cx, self.buffer, other);
                let r = fold.combine(cx, a, b)?;
                self.planes.store(cx, self.buffer, j, r);
                Ok(())
            })?;
            half /= 2;
        }
        Ok(())
    }
}
