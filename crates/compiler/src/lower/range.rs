//! `range(start, stop, step)` as a counted loop, without overflow for any arguments.

use freeloom_ir as ir;
use freeloom_ir::{BinaryOp, CmpOp, Fail, Scalar};

use crate::ast::{Expr, Span};
use crate::diagnostic::Refusal;
use crate::operand::{Operand, Ty};

use super::{Lowerer, Res};

/// How often a loop runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trips {
    Known(u64),
    Unknown,
}

/// A counter and how the values of a range follow from it.
pub(super) struct Range {
    pub(super) lo: ir::Value,
    pub(super) hi: ir::Value,
    pub(super) trips: Trips,
    /// First value and step, unless the counter is the value.
    scaled: Option<(ir::Value, ir::Value)>,
}

impl Range {
    /// The value in the round in which the counter is `index`.
    pub(super) fn value_at(&self, b: &mut ir::Builder, index: ir::Value) -> ir::Value {
        let Some((start, step)) = self.scaled else { return index };
        let offset = b.binary(BinaryOp::Mul, index, step);
        b.binary(BinaryOp::Add, start, offset)
    }
}

/// An argument of `range`.
#[derive(Clone, Copy)]
struct Bound {
    known: Option<i64>,
    value: ir::Value,
}

impl<'f> Lowerer<'_, 'f> {
    /// Evaluates the arguments of `range`.
    pub(super) fn range(&mut self, args: &'f [Expr], span: Span) -> Res<Range> {
        let mut bounds = Vec::with_capacity(3);
        for arg in args {
            let op = self.value(arg)?;
            bounds.push(self.bound(&op, arg.span)?);
        }
        let (start, stop, step) = match bounds[..] {
            [stop] => (self.known_bound(0), stop, self.known_bound(1)),
            [start, stop] => (start, stop, self.known_bound(1)),
            [start, stop, step] => (start, stop, step),
            _ => {
                let refusal = Refusal::new(format!("`range()` takes 1 to 3 arguments, not {}", args.len()));
                return Err(self.error(span, refusal));
            }
        };
        if step.known == Some(0) {
            let refusal = Refusal::new("the step of `range()` is zero").hint("use a step other than 0");
            return Err(self.error(span, refusal));
        }
        Ok(self.make_range(start, stop, step))
    }

    fn known_bound(&mut self, v: i64) -> Bound {
        Bound { known: Some(v), value: self.b.i64(v) }
    }

    fn bound(&mut self, op: &Operand, span: Span) -> Res<Bound> {
        if let Some(known) = op.known_int() {
            return match i64::try_from(known) {
                Ok(v) => Ok(self.known_bound(v)),
                Err(_) => {
                    let refusal = Refusal::new("this bound of `range()` does not fit into 64 bits");
                    Err(self.error(span, refusal))
                }
            };
        }
        match &op.ty {
            Ty::WeakInt => {}
            Ty::Strong(ir::Type::Scalar(s)) if s.is_int() => {}
            _ => {
                let refusal = Refusal::new("`range()` needs integers").hint("convert it, as in `int(x)`");
                return Err(self.error(span, refusal));
            }
        }
        let value = self.materialise(op, span)?;
        Ok(Bound { known: None, value: self.as_i64(value) })
    }

    fn make_range(&mut self, start: Bound, stop: Bound, step: Bound) -> Range {
        if let (Some(a), Some(z), Some(by)) = (start.known, stop.known, step.known) {
            let trips = known_trips(a, z, by);
            if by == 1 {
                return Range { lo: start.value, hi: stop.value, trips: Trips::Known(trips), scaled: None };
            }
            let lo = self.b.i64(0);
            let hi = self.b.i64(i64::try_from(trips).unwrap_or(i64::MAX));
            let scaled = Some((start.value, step.value));
            return Range { lo, hi, trips: Trips::Known(trips), scaled };
        }
        if step.known == Some(1) {
            return Range { lo: start.value, hi: stop.value, trips: Trips::Unknown, scaled: None };
        }
        let lo = self.b.i64(0);
        let hi = match step.known {
            Some(by) => self.trips_known_step(start.value, stop.value, by),
            None => self.trips_unknown_step(start.value, stop.value, step.value),
        };
        Range { lo, hi, trips: Trips::Unknown, scaled: Some((start.value, step.value)) }
    }

    fn trips_known_step(&mut self, start: ir::Value, stop: ir::Value, step: i64) -> ir::Value {
        let (low, high) = if step > 0 { (start, stop) } else { (stop, start) };
        let size = ir::Const::int(Scalar::U64, i128::from(step.unsigned_abs()));
        let size = self.b.constant(size);
        self.trips_between(low, high, size)
    }

    fn trips_unknown_step(&mut self, start: ir::Value, stop: ir::Value, step: ir::Value) -> ir::Value {
        let zero = self.b.i64(0);
        let is_zero = self.b.cmp(CmpOp::Eq, step, zero);
        self.b.if_else(is_zero, |b| b.fail(Fail::ZeroStep), |_| {});
        let up = self.b.cmp(CmpOp::Gt, step, zero);
        let low = self.b.select(up, start, stop);
        let high = self.b.select(up, stop, start);
        let size = self.b.unary(ir::UnaryOp::Abs, step);
        let size = self.b.cast(size, Scalar::U64);
        self.trips_between(low, high, size)
    }

    /// `ceil((high - low) / size)`, at least 0. More than the greatest `i64` is as good as that: no machine
    /// counts so far.
    fn trips_between(&mut self, low: ir::Value, high: ir::Value, size: ir::Value) -> ir::Value {
        let b = &mut self.b;
        let some = b.cmp(CmpOp::Lt, low, high);
        let distance = b.binary(BinaryOp::Sub, high, low);
        let distance = b.cast(distance, Scalar::U64);
        let one = b.constant(ir::Const::int(Scalar::U64, 1));
        let last = b.binary(BinaryOp::Sub, distance, one);
        let rounds = b.binary(BinaryOp::Div, last, size);
        let rounds = b.binary(BinaryOp::Add, rounds, one);
        let greatest = b.constant(ir::Const::int(Scalar::U64, i128::from(i64::MAX)));
        let rounds = b.binary(BinaryOp::Min, rounds, greatest);
        let rounds = b.cast(rounds, Scalar::I64);
        let none = b.i64(0);
        b.select(some, rounds, none)
    }
}

fn known_trips(start: i64, stop: i64, step: i64) -> u64 {
    let (low, high) = if step > 0 { (start, stop) } else { (stop, start) };
    if low >= high { 0 } else { (high.abs_diff(low) - 1) / step.unsigned_abs() + 1 }
}

#[cfg(test)]
mod tests {
    use super::known_trips;

    #[test]
    fn trips_are_those_of_python() {
        assert_eq!(known_trips(0, 10, 3), 4);
        assert_eq!(known_trips(0, 9, 3), 3);
        assert_eq!(known_trips(10, 0, -3), 4);
        assert_eq!(known_trips(0, 10, -1), 0);
        assert_eq!(known_trips(5, 5, 1), 0);
        assert_eq!(known_trips(i64::MIN, i64::MAX, 1), u64::MAX);
        assert_eq!(known_trips(i64::MAX, i64::MIN, i64::MIN), 2);
    }
}
