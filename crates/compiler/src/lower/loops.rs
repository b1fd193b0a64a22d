//! Loops and the jumps in them.

use freeloom_ir as ir;

use crate::ast::{Expr, ExprKind, Span, Stmt};
use crate::diagnostic::Refusal;
use crate::flow::Flow;
use crate::function::Library;
use crate::operand::{Operand, Ty};
use crate::scope;

use super::frame::{Callee, Item, LoopCtx, ResultMode, is_view};
use super::range::Trips;
use super::{Lowerer, Res};

/// Loops that run at most that many rounds in all never ask whether the run was cancelled.
const MAX_UNPOLLED: u64 = 1 << 16;

impl<'f> Lowerer<'_, 'f> {
    pub(super) fn while_loop(&mut self, test: &'f Expr, body: &'f [Stmt], els: &'f [Stmt]) -> Res<()> {
        let broke = self.broke_flag(body, els);
        let outer = std::mem::replace(&mut self.unpolled, 1);
        let mut known = None;
        let (block, (done, ctx)) = self.in_block(|s| {
            s.b.push(ir::Stmt::Poll);
            let cond = s.cond(test)?;
            known = cond.value.known_bool();
            if known == Some(false) {
                return Ok((cond.no, LoopCtx::new(None, false)));
            }
            if known.is_none() {
                let value = s.materialise(&cond.value, test.span)?;
                s.b.if_else(value, |_| {}, |b| b.push(ir::Stmt::Break));
            }
            s.frame_mut().flow = cond.yes;
            let ctx = s.loop_body(LoopCtx::new(broke, false), body)?;
            let done = if known == Some(true) { Flow::Unreachable } else { cond.no };
            Ok((done, ctx))
        })?;
        self.unpolled = outer;
        if known == Some(false) {
            block.0.into_iter().filter(|s| *s != ir::Stmt::Poll).for_each(|s| self.b.push(s));
        } else {
            self.b.push(ir::Stmt::Loop(block));
        }
        self.frame_mut().flow = done;
        self.after_loop(&ctx, els)
    }

    pub(super) fn for_loop(
        &mut self,
        target: &'f Expr,
        iter: &'f Expr,
        body: &'f [Stmt],
        els: &'f [Stmt],
    ) -> Res<()> {
        if let Some(args) = self.range_call(iter)? {
            return self.for_range(target, args, iter.span, body, els);
        }
        match self.item(iter)? {
            Item::Value(op) if is_view(&op) => self.for_array(target, &op, iter.span, body, els),
            item => {
                let op = self.require_value(item, iter.span)?;
                self.for_components(target, &op, iter.span, body, els)
            }
        }
    }

    /// The arguments, if the expression is a call of `range`.
    fn range_call(&mut self, iter: &'f Expr) -> Res<Option<&'f [Expr]>> {
        let ExprKind::Call(func, args, kwargs) = &iter.kind else { return Ok(None) };
        if !matches!(func.kind, ExprKind::Name(_)) {
            return Ok(None);
        }
        let Item::Callee(Callee::Builtin(builtin)) = self.item(func)? else { return Ok(None) };
        if builtin.library != Library::Builtins {
            return Ok(None);
        }
        match builtin.name.as_str() {
            "range" if kwargs.is_empty() => Ok(Some(args)),
            "range" => Err(self.error(iter.span, Refusal::new("`range()` takes no keyword arguments"))),
            name @ ("zip" | "enumerate" | "reversed" | "map" | "filter" | "sorted" | "iter") => {
                let refusal = Refusal::new(format!("iterating over `{name}()` is not supported"))
                    .hint("use `for i in range(…)` and index");
                Err(self.error(iter.span, refusal))
            }
            _ => Ok(None),
        }
    }

    fn for_range(
        &mut self,
        target: &'f Expr,
        args: &'f [Expr],
        span: Span,
        body: &'f [Stmt],
        els: &'f [Stmt],
    ) -> Res<()> {
        let range = self.range(args, span)?;
        let (lo, hi) = (range.lo, range.hi);
        let trips = range.trips;
        self.counted(lo, hi, trips, body, els, |s, index| {
            let value = range.value_at(&mut s.b, index);
            s.assign_target(target, Item::Value(Operand::new(Ty::WeakInt, value)))
        })
    }

    /// `for target in array`, of one dimension.
    fn for_array(
        &mut self,
        target: &'f Expr,
        array: &Operand,
        span: Span,
        body: &'f [Stmt],
        els: &'f [Stmt],
    ) -> Res<()> {
        let Ty::Strong(ir::Type::View(view)) = array.ty.clone() else { return Ok(()) };
        if view.rank != 1 {
            let refusal = Refusal::new(format!("iterating over an array of {} dimensions", view.rank))
                .hint("loop over `range(…)` of each `.shape[k]` and index");
            return Err(self.error(span, refusal));
        }
        let value = self.materialise(array, span)?;
        let lo = self.b.i64(0);
        let hi = self.b.view_len(value, 0);
        self.counted(lo, hi, Trips::Unknown, body, els, |s, index| {
            let element = s.b.view_load(value, vec![index]);
            let element = Operand::new(super::session::type_of_param(&view.elem), element);
            let element = s.split(element);
            s.assign_target(target, Item::Value(element))
        })
    }

    /// A loop over `lo .. hi` whose body begins with `bind`. If no execution comes past it, an empty endless
    /// loop says so to readers of the IR.
    fn counted(
        &mut self,
        lo: ir::Value,
        hi: ir::Value,
        trips: Trips,
        body: &'f [Stmt],
        els: &'f [Stmt],
        bind: impl FnOnce(&mut Self, ir::Value) -> Res<()>,
    ) -> Res<()> {
        if trips == Trips::Known(0) {
            return self.body(els);
        }
        let broke = self.broke_flag(body, els);
        let before = self.frame().flow.clone();
        let outer = self.unpolled;
        let index = self.b.loop_index();
        let (block, ctx) = self.in_block(|s| {
            s.poll_if_long(trips);
            bind(s, index)?;
            s.loop_body(LoopCtx::new(broke, false), body)
        })?;
        self.unpolled = outer;
        self.b.push(ir::Stmt::For(ir::For { index, lo, hi, rounds: ir::Rounds::Ordered, body: block }));
        let round = self.frame_mut().flow.leave().join(&ctx.continues);
        self.frame_mut().flow = if matches!(trips, Trips::Known(_)) { round } else { before };
        self.after_loop(&ctx, els)?;
        if !self.frame().flow.is_reachable() && !self.b.is_terminated() {
            self.b.push(ir::Stmt::Loop(ir::Block::default()));
        }
        Ok(())
    }

    /// `for target in (a, b, …)`, written out.
    fn for_components(
        &mut self,
        target: &'f Expr,
        op: &Operand,
        span: Span,
        body: &'f [Stmt],
        els: &'f [Stmt],
    ) -> Res<()> {
        if !matches!(op.ty, Ty::Tuple(_) | Ty::Strong(ir::Type::Array(_) | ir::Type::Struct(_))) {
            let refusal = Refusal::new("this cannot be iterated over")
                .hint("loops run over `range(…)`, tuples and arrays of one dimension");
            return Err(self.error(span, refusal));
        }
        let items = self.components(op, span)?;
        if scope::has_jump(body) {
            return self.unrolled_with_jumps(target, items, body, els);
        }
        for item in items {
            if !self.frame().flow.is_reachable() {
                return Ok(());
            }
            self.nested(span, |s| {
                s.assign_target(target, Item::Value(item))?;
                s.body(body)
            })?;
        }
        self.body(els)
    }

    /// Each round is a loop that ends with `break`, all of them stand in another: `continue` leaves the one,
    /// `break` both.
    fn unrolled_with_jumps(
        &mut self,
        target: &'f Expr,
        items: Vec<Operand>,
        body: &'f [Stmt],
        els: &'f [Stmt],
    ) -> Res<()> {
        let broke = self.b.var("broke", ir::Type::BOOL);
        self.clear(broke);
        self.frame_mut().unrolled += 1;
        let (block, ctx) = self.in_block(|s| {
            let mut all = LoopCtx::new(Some(broke), true);
            for item in items {
                if !s.frame().flow.is_reachable() {
                    break;
                }
                s.unrolled_round(target, item, body, &mut all)?;
            }
            if s.frame().flow.is_reachable() {
                s.b.push(ir::Stmt::Break);
            }
            Ok(all)
        })?;
        self.frame_mut().unrolled -= 1;
        self.b.push(ir::Stmt::Loop(block));
        self.after_loop(&ctx, els)
    }

    fn unrolled_round(
        &mut self,
        target: &'f Expr,
        item: Operand,
        body: &'f [Stmt],
        all: &mut LoopCtx<'f>,
    ) -> Res<()> {
        let (block, ctx) = self.in_block(|s| {
            s.assign_target(target, Item::Value(item))?;
            let ctx = s.loop_body(LoopCtx::new(all.broke, true), body)?;
            if s.frame().flow.is_reachable() {
                s.b.push(ir::Stmt::Break);
            }
            Ok(ctx)
        })?;
        self.b.push(ir::Stmt::Loop(block));
        let end = self.frame_mut().flow.leave();
        self.frame_mut().flow = end.join(&ctx.continues);
        self.pass_on_return(&ctx);
        if let (Some(broke), true) = (all.broke, ctx.breaks.is_reachable()) {
            self.break_if(broke);
        }
        all.returns |= ctx.returns;
        all.breaks = std::mem::replace(&mut all.breaks, Flow::Unreachable).join(&ctx.breaks);
        Ok(())
    }

    /// The body of a loop; the flow afterwards is that of a round that ran to its end.
    fn loop_body(&mut self, ctx: LoopCtx<'f>, body: &'f [Stmt]) -> Res<LoopCtx<'f>> {
        let fallback = LoopCtx::new(ctx.broke, ctx.unrolled);
        self.frame_mut().loops.push(ctx);
        self.body(body)?;
        Ok(self.frame_mut().loops.pop().unwrap_or(fallback))
    }

    /// What follows a loop whose exhausted state is the current flow: a `return` on its way out, `else`.
    fn after_loop(&mut self, ctx: &LoopCtx<'f>, els: &'f [Stmt]) -> Res<()> {
        self.pass_on_return(ctx);
        let exhausted = self.frame_mut().flow.leave();
        let has_els = !els.is_empty() && exhausted.is_reachable();
        self.frame_mut().flow = exhausted;
        if has_els {
            match ctx.broke {
                Some(broke) if ctx.breaks.is_reachable() => {
                    let cond = self.b.get(broke);
                    let (els, ()) = self.in_block(|s| s.body(els))?;
                    self.b.push(ir::Stmt::If { cond, then: ir::Block::default(), els });
                }
                _ => self.body(els)?,
            }
        }
        let flow = self.frame_mut().flow.leave().join(&ctx.breaks);
        self.frame_mut().flow = flow;
        Ok(())
    }

    /// Leaves the next level if the level just closed was left by `return`.
    fn pass_on_return(&mut self, ctx: &LoopCtx<'f>) {
        if !ctx.returns {
            return;
        }
        let ResultMode::Variable(super::frame::Leave::Flag(flag)) = self.frame().result else { return };
        if self.frame().flow.is_reachable() || ctx.breaks.is_reachable() {
            self.break_if(flag);
        } else {
            self.b.push(ir::Stmt::Break);
        }
    }

    fn break_if(&mut self, flag: ir::Var) {
        let cond = self.b.get(flag);
        self.b.if_else(cond, |b| b.push(ir::Stmt::Break), |_| {});
    }

    /// A flag for `break`, if `else` needs one.
    fn broke_flag(&mut self, body: &[Stmt], els: &[Stmt]) -> Option<ir::Var> {
        if els.is_empty() || !scope::has_break(body) {
            return None;
        }
        let flag = self.b.var("broke", ir::Type::BOOL);
        self.clear(flag);
        Some(flag)
    }

    fn poll_if_long(&mut self, trips: Trips) {
        let rounds = match trips {
            Trips::Known(n) => self.unpolled.saturating_mul(n),
            Trips::Unknown => u64::MAX,
        };
        if rounds > MAX_UNPOLLED {
            self.b.push(ir::Stmt::Poll);
            self.unpolled = 1;
        } else {
            self.unpolled = rounds;
        }
    }

    pub(super) fn break_stmt(&mut self, span: Span) -> Res<()> {
        let flow = self.frame_mut().flow.leave();
        let Some(ctx) = self.frame_mut().loops.last_mut() else {
            return Err(self.error(span, Refusal::new("`break` outside of a loop")));
        };
        ctx.breaks = std::mem::replace(&mut ctx.breaks, Flow::Unreachable).join(&flow);
        if let Some(broke) = ctx.broke {
            let yes = self.b.constant(ir::Const::bool(true));
            self.b.set(broke, yes);
        }
        self.b.push(ir::Stmt::Break);
        Ok(())
    }

    pub(super) fn continue_stmt(&mut self, span: Span) -> Res<()> {
        let flow = self.frame_mut().flow.leave();
        let Some(ctx) = self.frame_mut().loops.last_mut() else {
            return Err(self.error(span, Refusal::new("`continue` outside of a loop")));
        };
        ctx.continues = std::mem::replace(&mut ctx.continues, Flow::Unreachable).join(&flow);
        let jump = if ctx.unrolled { ir::Stmt::Break } else { ir::Stmt::Continue };
        self.b.push(jump);
        Ok(())
    }
}
