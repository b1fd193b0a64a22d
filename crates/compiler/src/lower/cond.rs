//! Truth values, `and`, `or`, `not`, chained comparisons, conditional expressions.

use freeloom_ir as ir;

use crate::arith;
use crate::ast::{BoolOp, CompareOp, Expr, ExprKind, Span, UnaryOp};
use crate::diagnostic::Refusal;
use crate::flow::Flow;
use crate::function::ConstValue;
use crate::operand::{Operand, Repr, Ty};

use super::frame::Item;
use super::lazy::{Arm, is_cheap};
use super::{Lowerer, Res};

/// A condition, and what is assigned after it.
pub(super) struct Cond<'f> {
    /// A `bool`.
    pub(super) value: Operand,
    /// If it is true.
    pub(super) yes: Flow<'f>,
    /// If it is false.
    pub(super) no: Flow<'f>,
}

fn known(value: bool) -> Operand {
    Operand { ty: Ty::Strong(ir::Type::BOOL), repr: Repr::Const(ConstValue::Bool(value)) }
}

impl<'f> Lowerer<'_, 'f> {
    /// An expression of which only the truth matters.
    pub(super) fn cond(&mut self, e: &'f Expr) -> Res<Cond<'f>> {
        self.nested(e.span, |s| match &e.kind {
            ExprKind::BoolChain(op, items) => s.cond_chain(*op, items, e.span),
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let inner = s.cond(inner)?;
                let value = s.negate(&inner.value, e.span)?;
                Ok(Cond { value, yes: inner.no, no: inner.yes })
            }
            _ => {
                let value = s.value(e)?;
                let value = s.truth(&value, e.span)?;
                let flow = s.frame().flow.clone();
                Ok(Cond { value, yes: flow.clone(), no: flow })
            }
        })
    }

    /// The truth of a value.
    pub(super) fn truth(&mut self, value: &Operand, span: Span) -> Res<Operand> {
        let truth = arith::truth(&mut self.b, value);
        self.place(span, truth)
    }

    fn negate(&mut self, value: &Operand, span: Span) -> Res<Operand> {
        if let Some(v) = value.known_bool() {
            return Ok(known(!v));
        }
        let v = self.materialise(value, span)?;
        Ok(Operand::strong(ir::Type::BOOL, self.b.unary(ir::UnaryOp::Not, v)))
    }

    fn cond_chain(&mut self, op: BoolOp, items: &'f [Expr], span: Span) -> Res<Cond<'f>> {
        let Some((first, rest)) = items.split_first() else {
            return Err(self.error(span, Refusal::new("an empty condition")));
        };
        let stops_at = op == BoolOp::Or;
        let mut left = self.cond(first)?;
        for next in rest {
            if left.value.known_bool() == Some(stops_at) {
                break;
            }
            self.frame_mut().flow = if stops_at { left.no.clone() } else { left.yes.clone() };
            if left.value.known_bool().is_some() {
                left = self.cond(next)?;
                continue;
            }
            let (block, right) = self.in_block(|s| s.cond(next))?;
            let arm = Arm { block, value: right.value };
            let value = self.chain_values(op, &left.value, arm, next.span)?;
            left = if stops_at {
                Cond { value, yes: left.yes.join(&right.yes), no: right.no }
            } else {
                Cond { value, yes: right.yes, no: left.no.join(&right.no) }
            };
        }
        self.frame_mut().flow = left.yes.clone().join(&left.no);
        Ok(left)
    }

    /// `left op right` for two `bool`s, the right one computed only if needed.
    fn chain_values(&mut self, op: BoolOp, left: &Operand, right: Arm, span: Span) -> Res<Operand> {
        if is_cheap(&right.block) {
            self.splice(right.block);
            let l = self.materialise(left, span)?;
            let r = self.materialise(&right.value, span)?;
            let op = if op == BoolOp::And { ir::BinaryOp::And } else { ir::BinaryOp::Or };
            return Ok(Operand::strong(ir::Type::BOOL, self.b.binary(op, l, r)));
        }
        match op {
            BoolOp::And => self.choose(left, right, Arm::ready(known(false)), span),
            BoolOp::Or => self.choose(left, Arm::ready(known(true)), right, span),
        }
    }

    /// `and` and `or` as values: the operand that decides.
    pub(super) fn bool_chain(&mut self, op: BoolOp, items: &'f [Expr], span: Span) -> Res<Operand> {
        let Some((first, rest)) = items.split_first() else {
            return Err(self.error(span, Refusal::new("an empty condition")));
        };
        let mut left = self.value(first)?;
        let mut left_span = first.span;
        for next in rest {
            let truth = self.truth(&left, left_span)?;
            match truth.known_bool() {
                Some(v) if v == (op == BoolOp::Or) => break,
                Some(_) => left = self.value(next)?,
                None => {
                    let before = self.frame().flow.clone();
                    let (block, value) = self.in_block(|s| s.value(next))?;
                    self.meet(&before);
                    left = self.decide(op, &truth, left, Arm { block, value }, span)?;
                }
            }
            left_span = next.span;
        }
        Ok(left)
    }

    fn decide(&mut self, op: BoolOp, truth: &Operand, left: Operand, right: Arm, span: Span) -> Res<Operand> {
        let both_bool = left.ty == truth.ty && right.value.ty == truth.ty;
        match op {
            _ if both_bool => self.chain_values(op, &left, right, span),
            BoolOp::And => self.choose(truth, right, Arm::ready(left), span),
            BoolOp::Or => self.choose(truth, Arm::ready(left), right, span),
        }
    }

    fn meet(&mut self, other: &Flow<'f>) {
        let flow = self.frame_mut().flow.leave();
        self.frame_mut().flow = flow.join(other);
    }

    /// `then if test else els`
    pub(super) fn conditional(
        &mut self,
        test: &'f Expr,
        then: &'f Expr,
        els: &'f Expr,
        span: Span,
    ) -> Res<Item<'f>> {
        let cond = self.cond(test)?;
        if let Some(known) = cond.value.known_bool() {
            return self.item(if known { then } else { els });
        }
        self.frame_mut().flow = cond.yes;
        let (block, value) = self.in_block(|s| s.value(then))?;
        let then = Arm { block, value };
        let after_then = self.frame_mut().flow.leave();
        self.frame_mut().flow = cond.no;
        let (block, value) = self.in_block(|s| s.value(els))?;
        let els = Arm { block, value };
        self.meet(&after_then);
        self.choose(&cond.value, then, els, span).map(Item::Value)
    }

    /// `first op a op b …`: each operand is computed once, and only while all comparisons hold.
    pub(super) fn compare(&mut self, first: &'f Expr, rest: &'f [(CompareOp, Expr)]) -> Res<Operand> {
        if let Some(known) = self.compare_with_none(first, rest)? {
            return Ok(known);
        }
        let left = self.value(first)?;
        self.compare_rest(left, first.span, rest)
    }

    fn compare_rest(&mut self, left: Operand, span: Span, rest: &'f [(CompareOp, Expr)]) -> Res<Operand> {
        let Some(((op, right), rest)) = rest.split_first() else {
            return Err(self.error(span, Refusal::new("an empty comparison")));
        };
        if let Some(refusal) = refused_comparison(*op) {
            return Err(self.error(right.span, refusal));
        }
        let right_value = self.value(right)?;
        let span = span.to(right.span);
        let result = arith::compare(&mut self.b, *op, &left, &right_value);
        let result = self.place(span, result)?;
        if rest.is_empty() {
            return Ok(result);
        }
        let truth = self.truth(&result, span)?;
        match truth.known_bool() {
            Some(false) => Ok(result),
            Some(true) => self.nested(span, |s| s.compare_rest(right_value, right.span, rest)),
            None => {
                let before = self.frame().flow.clone();
                let (block, value) =
                    self.in_block(|s| s.nested(span, |s| s.compare_rest(right_value, right.span, rest)))?;
                self.meet(&before);
                self.decide(BoolOp::And, &truth, result, Arm { block, value }, span)
            }
        }
    }

    /// `x is None` is known: a value never is.
    fn compare_with_none(&mut self, first: &'f Expr, rest: &'f [(CompareOp, Expr)]) -> Res<Option<Operand>> {
        let [(op @ (CompareOp::Is | CompareOp::IsNot), right)] = rest else { return Ok(None) };
        if !matches!(right.kind, ExprKind::None) {
            return Ok(None);
        }
        let is_none = matches!(self.item(first)?, Item::None);
        Ok(Some(known(is_none == (*op == CompareOp::Is))))
    }
}

fn refused_comparison(op: CompareOp) -> Option<Refusal> {
    match op {
        CompareOp::Is | CompareOp::IsNot => {
            Some(Refusal::new("`is` compares objects, not values").hint("use `==` or `!=`"))
        }
        CompareOp::In | CompareOp::NotIn => {
            Some(Refusal::new("`in` is not supported").hint("compare with each item: `x == a or x == b`"))
        }
        _ => None,
    }
}
