//! Captured arrays, and subscripts in general.

use freeloom_ir as ir;
use freeloom_ir::{BinaryOp, CmpOp, Fail, Scalar};

use crate::arith;
use crate::ast::{Expr, ExprKind, Span};
use crate::diagnostic::Refusal;
use crate::function::ConstValue;
use crate::operand::{Operand, Repr, Ty};

use super::frame::{Item, is_view};
use super::{Lowerer, Res};

/// An index with the place it was written.
struct Index {
    value: Operand,
    span: Span,
}

impl<'f> Lowerer<'_, 'f> {
    /// `value[index]`, `value[i][j]`.
    pub(super) fn subscript(&mut self, e: &'f Expr) -> Res<Operand> {
        let mut indices = Vec::new();
        let mut at = e;
        while let ExprKind::Subscript(value, index) = &at.kind {
            indices.push((index.as_ref(), at.span));
            at = value;
        }
        indices.reverse();
        let base = self.item(at)?;
        if let Item::Value(op) = &base
            && is_view(op)
        {
            return self.element_of_array(op, &indices);
        }
        let mut value = self.require_value(base, at.span)?;
        for (index, span) in indices {
            let index = self.value(index)?;
            value = self.subscript_value(&value, &index, span)?;
        }
        Ok(value)
    }

    fn subscript_value(&mut self, value: &Operand, index: &Operand, span: Span) -> Res<Operand> {
        if let (Ty::Strong(ir::Type::Array(_)), Ty::Tuple(_)) = (&value.ty, &index.ty) {
            let indices = self.components(index, span)?;
            return indices.iter().try_fold(value.clone(), |v, i| self.subscript_value(&v, i, span));
        }
        let result = arith::subscript(&mut self.b, value, index);
        let result = self.place(span, result)?;
        Ok(self.split(result))
    }

    /// An element, and what further subscripts take from it.
    fn element_of_array(&mut self, array: &Operand, subscripts: &[(&'f Expr, Span)]) -> Res<Operand> {
        let Ty::Strong(ir::Type::View(view)) = array.ty.clone() else { return Ok(array.clone()) };
        let rank = view.rank as usize;
        let mut axes = Vec::with_capacity(rank);
        let mut taken = 0;
        while taken < subscripts.len() && (axes.len() < rank || taken == 0) {
            self.read_indices(subscripts[taken].0, &mut axes)?;
            taken += 1;
        }
        let span = subscripts[taken - 1].1;
        if axes.len() != rank {
            let refusal =
                Refusal::new(format!("an array of {rank} dimensions is indexed with {}", axes.len()))
                    .hint("give one index for each dimension, as in `m[i, j]`");
            return Err(self.error(span, refusal));
        }
        let view_value = self.materialise(array, span)?;
        let mut positions = Vec::with_capacity(rank);
        for (axis, index) in axes.iter().enumerate() {
            positions.push(self.position(view_value, axis, index)?);
        }
        let element = self.b.view_load(view_value, positions);
        let ty = super::session::type_of_param(&view.elem);
        let mut value = self.split(Operand::new(ty, element));
        for (index, span) in &subscripts[taken..] {
            let index = self.value(index)?;
            value = self.subscript_value(&value, &index, *span)?;
        }
        Ok(value)
    }

    fn read_indices(&mut self, index: &'f Expr, out: &mut Vec<Index>) -> Res<()> {
        if let ExprKind::Tuple(items) = &index.kind {
            for item in items {
                let value = self.value(item)?;
                out.push(Index { value, span: item.span });
            }
            return Ok(());
        }
        let value = self.value(index)?;
        match value.repr {
            Repr::Tuple(items) => {
                out.extend(items.into_iter().map(|value| Index { value, span: index.span }));
            }
            _ => out.push(Index { value, span: index.span }),
        }
        Ok(())
    }

    /// The position along an axis that a Python index means.
    fn position(&mut self, view: ir::Value, axis: usize, index: &Index) -> Res<ir::Value> {
        let slot = self.session.array_slot(view.0 as usize);
        if let (Some(known), Some(slot)) = (index.value.known_int(), slot) {
            let runs_always = self.depth == 0 && !self.may_have_left;
            if let Some(position) = self.known_position(view, axis, known, (slot, runs_always), index.span)? {
                return Ok(position);
            }
        }
        let (value, signed) = self.index_value(&index.value, index.span)?;
        let len = self.b.view_len(view, axis as u32);
        let wraps = signed && index.value.known_int().is_none_or(|i| i < 0);
        let value = if wraps { self.wrap(value, len) } else { value };
        self.check_position(value, len);
        Ok(value)
    }

    /// A position known now. If it is read by every call the array's length is demanded; if not, and nothing
    /// demands it anyway, the position is checked as it runs: `None`.
    fn known_position(
        &mut self,
        view: ir::Value,
        axis: usize,
        index: i128,
        (slot, runs_always): (u32, bool),
        span: Span,
    ) -> Res<Option<ir::Value>> {
        let Ok(position) = i64::try_from(index) else {
            return Err(self.error(span, Refusal::new("the index is out of range")));
        };
        let needed = position.unsigned_abs() + u64::from(position >= 0);
        if runs_always {
            self.session.need_len(slot, axis, needed);
        } else if !self.session.is_needed(slot, axis, needed) {
            return Ok(None);
        }
        if position < 0 {
            let len = self.b.view_len(view, axis as u32);
            let offset = self.b.i64(position);
            return Ok(Some(self.b.binary(BinaryOp::Add, len, offset)));
        }
        Ok(Some(self.b.i64(position)))
    }

    /// An index as `i64`, and whether it can be negative.
    fn index_value(&mut self, index: &Operand, span: Span) -> Res<(ir::Value, bool)> {
        let scalar = match &index.ty {
            Ty::WeakInt => Scalar::I64,
            Ty::Strong(ir::Type::Scalar(s)) if s.is_int() => *s,
            _ => {
                let refusal =
                    Refusal::new("an array index must be an integer").hint("convert it, as in `int(x)`");
                return Err(self.error(span, refusal));
            }
        };
        let value = self.materialise(index, span)?;
        Ok((self.as_i64(value), scalar.is_signed()))
    }

    /// An integer as `i64`; what is too large becomes the greatest.
    pub(super) fn as_i64(&mut self, value: ir::Value) -> ir::Value {
        let mut value = value;
        if self.b.type_of(value) == &ir::Type::U64 {
            let greatest = self.b.constant(ir::Const::int(Scalar::U64, i128::from(i64::MAX)));
            value = self.b.binary(BinaryOp::Min, value, greatest);
        }
        self.b.cast(value, Scalar::I64)
    }

    /// A negative index counts from the end.
    fn wrap(&mut self, index: ir::Value, len: ir::Value) -> ir::Value {
        let zero = self.b.i64(0);
        let negative = self.b.cmp(CmpOp::Lt, index, zero);
        let from_end = self.b.binary(BinaryOp::Add, index, len);
        self.b.select(negative, from_end, index)
    }

    fn check_position(&mut self, position: ir::Value, len: ir::Value) {
        let p = self.b.cast(position, Scalar::U64);
        let n = self.b.cast(len, Scalar::U64);
        let outside = self.b.cmp(CmpOp::Ge, p, n);
        self.b.if_else(outside, |b| b.fail(Fail::IndexOutOfRange), |_| {});
    }

    /// `len(array)`
    pub(super) fn array_len(&mut self, array: &Operand, span: Span) -> Res<Operand> {
        match self.array_lengths(array, span)?.into_iter().next() {
            Some(len) => Ok(len),
            None => Err(self.error(span, Refusal::new("`len()` of an array without dimensions"))),
        }
    }

    /// An attribute of a whole array.
    pub(super) fn array_attribute(&mut self, array: &Operand, name: &str, span: Span) -> Res<Operand> {
        match name {
            "shape" => Ok(Operand::tuple(self.array_lengths(array, span)?)),
            "ndim" => {
                let rank = self.array_lengths(array, span)?.len() as i128;
                Ok(Operand { ty: Ty::WeakInt, repr: Repr::Const(ConstValue::Int(rank)) })
            }
            "size" => {
                let mut size = self.b.i64(1);
                for len in self.array_lengths(array, span)? {
                    let len = self.materialise(&len, span)?;
                    size = self.b.binary(BinaryOp::Mul, size, len);
                }
                Ok(Operand::new(Ty::WeakInt, size))
            }
            _ => {
                let refusal = Refusal::new(format!("`.{name}` of an array is not supported"))
                    .hint("arrays have elements, `len()`, `.shape`, `.size` and `.ndim`");
                Err(self.error(span, refusal))
            }
        }
    }

    fn array_lengths(&mut self, array: &Operand, span: Span) -> Res<Vec<Operand>> {
        let Ty::Strong(ir::Type::View(view)) = &array.ty else { return Ok(Vec::new()) };
        let rank = view.rank;
        let value = self.materialise(array, span)?;
        Ok((0..rank).map(|axis| Operand::new(Ty::WeakInt, self.b.view_len(value, axis))).collect())
    }
}
