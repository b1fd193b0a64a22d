//! Expressions.

use crate::arith;
use crate::ast::{BinOp, Expr, ExprKind, Float, Span, UnaryOp};
use crate::function::ConstValue;
use crate::operand::Operand;

use super::frame::{Item, is_view};
use super::{Lowerer, Res, unsupported};

impl<'f> Lowerer<'_, 'f> {
    /// An expression, whatever it stands for.
    pub(super) fn item(&mut self, e: &'f Expr) -> Res<Item<'f>> {
        self.nested(e.span, |s| s.item_inner(e))
    }

    /// An expression that must be a value.
    pub(super) fn value(&mut self, e: &'f Expr) -> Res<Operand> {
        let item = self.item(e)?;
        self.require_value(item, e.span)
    }

    fn item_inner(&mut self, e: &'f Expr) -> Res<Item<'f>> {
        let value = match &e.kind {
            ExprKind::Int(v) => return self.constant(ConstValue::Int(*v)),
            ExprKind::Float(v) => return self.constant(ConstValue::Float(*v)),
            ExprKind::Imaginary(v) => return self.constant(ConstValue::Complex(Float::from(0.0), *v)),
            ExprKind::Bool(v) => return self.constant(ConstValue::Bool(*v)),
            ExprKind::None => return Ok(Item::None),
            ExprKind::Str(_) => return Ok(Item::Str),
            ExprKind::Name(name) => return self.name(name, e.span),
            ExprKind::Attribute(value, name) => return self.attribute(e, value, name),
            ExprKind::Call(func, args, kwargs) => return self.call(e, func, args, kwargs),
            ExprKind::Lambda(def) => return self.closure("<lambda>", def),
            ExprKind::Walrus(name, value) => {
                let item = self.item(value)?;
                self.assign(name, item.clone(), e.span)?;
                return Ok(item);
            }
            ExprKind::Conditional(test, then, els) => return self.conditional(test, then, els, e.span),
            ExprKind::Subscript(..) => self.subscript(e)?,
            ExprKind::Binary(..) => self.binary(e)?,
            ExprKind::Unary(UnaryOp::Not, _) => self.cond(e)?.value,
            ExprKind::Unary(op, value) => {
                let x = self.value(value)?;
                let result = arith::unary(&mut self.b, *op, &x);
                self.place(e.span, result)?
            }
            ExprKind::Compare(first, rest) => self.compare(first, rest)?,
            ExprKind::BoolChain(op, items) => self.bool_chain(*op, items, e.span)?,
            ExprKind::Tuple(items) => {
                let items: Res<Vec<_>> = items.iter().map(|i| self.value(i)).collect();
                Operand::tuple(items?)
            }
            ExprKind::Unsupported(class) => return Err(self.error(e.span, unsupported::expr(class))),
        };
        Ok(Item::Value(value))
    }

    fn constant(&mut self, c: ConstValue) -> Res<Item<'f>> {
        Ok(Operand::constant(c).map_or(Item::None, Item::Value))
    }

    /// A chain of binary operators that grows to the left, without recursion.
    fn binary(&mut self, e: &'f Expr) -> Res<Operand> {
        let mut steps: Vec<(BinOp, &'f Expr, Span)> = Vec::new();
        let mut at = e;
        while let ExprKind::Binary(op, left, right) = &at.kind {
            steps.push((*op, right, at.span));
            at = left;
        }
        let mut left = self.value(at)?;
        for (op, right, span) in steps.into_iter().rev() {
            let right = self.value(right)?;
            let result = arith::binary(&mut self.b, op, &left, &right);
            left = self.place(span, result)?;
        }
        Ok(left)
    }

    fn attribute(&mut self, e: &'f Expr, value: &'f Expr, name: &'f str) -> Res<Item<'f>> {
        if let Some((capture, path)) = self.captured_path(e) {
            return self.capture(capture, &path, e.span);
        }
        let item = self.item(value)?;
        if let Item::Value(op) = &item
            && is_view(op)
        {
            return self.array_attribute(op, name, e.span).map(Item::Value);
        }
        let op = self.require_value(item, value.span)?;
        let result = arith::attribute(&mut self.b, &op, name);
        self.place(e.span, result).map(Item::Value)
    }
}
