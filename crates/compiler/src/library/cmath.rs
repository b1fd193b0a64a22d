//! `cmath`: computes in `complex128` and gives Python numbers.

use std::f64::consts::{LOG2_E, LOG10_E};

use freeloom_ir::{BinaryOp, Builder, Value};

use super::args::{Call, Outcome};
use super::operator::find;
use crate::arith::complex::{self, Parts};
use crate::arith::number::{same, value};
use crate::arith::promote::{Num, number};
use crate::arith::{elementary, floating};
use crate::operand::{Operand, Ty};

/// A function of complex numbers.
pub(crate) type Function = fn(&mut Builder, Parts) -> Parts;

/// Also what `numpy` has for complex numbers.
pub(crate) const UNARY: &[(&str, Function)] = &[
    ("sqrt", elementary::sqrt),
    ("exp", elementary::exp),
    ("exp2", elementary::exp2),
    ("log", elementary::log),
    ("log2", |b, x| {
        let x = elementary::log(b, x);
        scale(b, x, LOG2_E)
    }),
    ("log10", |b, x| {
        let x = elementary::log(b, x);
        scale(b, x, LOG10_E)
    }),
    ("sin", elementary::sin),
    ("cos", elementary::cos),
    ("tan", elementary::tan),
    ("sinh", elementary::sinh),
    ("cosh", elementary::cosh),
    ("tanh", elementary::tanh),
];

pub(crate) type Test = fn(&mut Builder, Value) -> Value;

/// Tests of both parts: the test of one, and how the two answers are joined.
pub(crate) const TESTS: &[(&str, (Test, BinaryOp))] = &[
    ("isnan", (floating::is_nan, BinaryOp::Or)),
    ("isinf", (floating::is_inf, BinaryOp::Or)),
    ("isfinite", (floating::is_finite, BinaryOp::And)),
];

pub(crate) fn call(c: &mut Call<'_>, name: &str) -> Outcome {
    if let Some(f) = find(UNARY, name) {
        let x = argument(c)?;
        return Ok(Operand::new(Ty::WeakComplex, complex::map(c.b, x, f)));
    }
    if let Some((test, joiner)) = find(TESTS, name) {
        let x = argument(c)?;
        return Ok(Operand::strong(freeloom_ir::Type::BOOL, test_parts(c.b, x, test, joiner)));
    }
    match name {
        "phase" => {
            let x = argument(c)?;
            let x = Parts::of(c.b, x);
            Ok(Operand::new(Ty::WeakFloat, complex::phase(c.b, x)))
        }
        "polar" => {
            let x = argument(c)?;
            let x = Parts::of(c.b, x);
            let (size, angle) = (complex::abs(c.b, x), complex::phase(c.b, x));
            let items = [size, angle].map(|v| Operand::new(Ty::WeakFloat, v));
            Ok(Operand::tuple(items.into()))
        }
        "rect" => {
            let [size, angle] = c.exactly()?;
            let (size, angle) = (c.real(size, Num::WeakFloat)?, c.real(angle, Num::WeakFloat)?);
            let parts = complex::rect(c.b, size, angle);
            Ok(Operand::new(Ty::WeakComplex, parts.join(c.b)))
        }
        _ => Err(c.unknown()),
    }
}

fn argument(c: &mut Call<'_>) -> Result<Value, crate::Refusal> {
    let [x] = c.exactly()?;
    number(x)?;
    value(c.b, x, Num::WeakComplex)
}

/// A test of both parts of a complex value.
pub(crate) fn test_parts(b: &mut Builder, x: Value, test: Test, joiner: BinaryOp) -> Value {
    let parts = Parts::of(b, x);
    let (re, im) = (test(b, parts.re), test(b, parts.im));
    b.binary(joiner, re, im)
}

fn scale(b: &mut Builder, x: Parts, factor: f64) -> Parts {
    let factor = same(b, x.re, factor);
    Parts { re: b.binary(BinaryOp::Mul, x.re, factor), im: b.binary(BinaryOp::Mul, x.im, factor) }
}
