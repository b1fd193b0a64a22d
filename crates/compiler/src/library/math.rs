//! `math`: computes in `float64` and gives Python numbers. What raises in CPython gives the IEEE result.

use std::f64::consts::PI;

use freeloom_ir::{BinaryOp, Const, Scalar, Type, UnaryOp, Value};

use super::args::{Call, Outcome};
use super::builtins::to_int;
use super::exact;
use super::operator::find;
use crate::arith::number::{Known, cmp_with, known, same};
use crate::arith::promote::{Num, number, real_number};
use crate::arith::{floating, integer};
use crate::operand::{Operand, Ty};

pub(crate) const UNARY: &[(&str, UnaryOp)] = &[
    ("sqrt", UnaryOp::Sqrt),
    ("cbrt", UnaryOp::Cbrt),
    ("exp", UnaryOp::Exp),
    ("exp2", UnaryOp::Exp2),
    ("expm1", UnaryOp::Expm1),
    ("log2", UnaryOp::Log2),
    ("log10", UnaryOp::Log10),
    ("log1p", UnaryOp::Log1p),
    ("sin", UnaryOp::Sin),
    ("cos", UnaryOp::Cos),
    ("tan", UnaryOp::Tan),
    ("asin", UnaryOp::Asin),
    ("acos", UnaryOp::Acos),
    ("atan", UnaryOp::Atan),
    ("sinh", UnaryOp::Sinh),
    ("cosh", UnaryOp::Cosh),
    ("tanh", UnaryOp::Tanh),
    ("asinh", UnaryOp::Asinh),
    ("acosh", UnaryOp::Acosh),
    ("atanh", UnaryOp::Atanh),
    ("fabs", UnaryOp::Abs),
    ("erf", UnaryOp::Erf),
    ("erfc", UnaryOp::Erfc),
    ("gamma", UnaryOp::Tgamma),
    ("lgamma", UnaryOp::Lgamma),
];

pub(crate) const BINARY: &[(&str, BinaryOp)] = &[
    ("atan2", BinaryOp::Atan2),
    ("copysign", BinaryOp::CopySign),
    ("fmod", BinaryOp::Rem),
    ("nextafter", BinaryOp::NextAfter),
    ("pow", BinaryOp::Pow),
];

const ROUND: &[(&str, UnaryOp)] =
    &[("floor", UnaryOp::Floor), ("ceil", UnaryOp::Ceil), ("trunc", UnaryOp::Trunc)];

type Test = fn(&mut freeloom_ir::Builder, Value) -> Value;

const TESTS: &[(&str, Test)] =
    &[("isnan", floating::is_nan), ("isinf", floating::is_inf), ("isfinite", floating::is_finite)];

/// What [`call`] knows.
#[cfg(test)]
pub(crate) fn names() -> Vec<&'static str> {
    let others = [
        "gcd",
        "lcm",
        "isqrt",
        "factorial",
        "log",
        "degrees",
        "radians",
        "hypot",
        "isclose",
        "remainder",
        "ulp",
        "modf",
        "frexp",
        "ldexp",
    ];
    let unary = UNARY.iter().chain(ROUND).map(|(n, _)| *n);
    unary.chain(BINARY.iter().map(|(n, _)| *n)).chain(TESTS.iter().map(|(n, _)| *n)).chain(others).collect()
}

pub(crate) fn call(c: &mut Call<'_>, name: &str) -> Outcome {
    if let Some(op) = find(UNARY, name) {
        let x = one_float(c)?;
        return Ok(float(c.b.unary(op, x)));
    }
    if let Some(op) = find(BINARY, name) {
        let [x, y] = two_floats(c)?;
        return Ok(float(c.b.binary(op, x, y)));
    }
    if let Some(op) = find(ROUND, name) {
        return round(c, op);
    }
    if let Some(test) = find(TESTS, name) {
        let x = one_float(c)?;
        return Ok(Operand::strong(Type::BOOL, test(c.b, x)));
    }
    match name {
        "gcd" | "lcm" | "isqrt" | "factorial" => whole(c, name),
        "log" => log(c),
        "degrees" => scale(c, 180.0 / PI),
        "radians" => scale(c, PI / 180.0),
        "hypot" => hypot(c),
        "isclose" => is_close(c),
        "remainder" => {
            let [x, y] = two_floats(c)?;
            Ok(float(floating::ieee_remainder(c.b, x, y)))
        }
        "ulp" => {
            let x = one_float(c)?;
            Ok(float(floating::ulp(c.b, x)))
        }
        "modf" => {
            let x = one_float(c)?;
            let (rest, whole) = floating::modf(c.b, x);
            Ok(Operand::tuple(vec![float(rest), float(whole)]))
        }
        "frexp" => {
            let x = one_float(c)?;
            let (mantissa, exponent) = floating::frexp(c.b, x);
            Ok(Operand::tuple(vec![float(mantissa), Operand::new(Ty::WeakInt, exponent)]))
        }
        "ldexp" => {
            let [x, n] = c.exactly()?;
            let (x, n) = (c.real(x, Num::WeakFloat)?, integer_argument(c, n)?);
            Ok(float(floating::ldexp(c.b, x, n)))
        }
        "fma" => Err(c.refusal("is not supported").hint("write `x * y + z`, which rounds twice")),
        _ => Err(c.unknown()),
    }
}

fn float(v: Value) -> Operand {
    Operand::new(Ty::WeakFloat, v)
}

fn one_float(c: &mut Call<'_>) -> Result<Value, crate::Refusal> {
    let [x] = c.exactly()?;
    c.real(x, Num::WeakFloat)
}

fn two_floats(c: &mut Call<'_>) -> Result<[Value; 2], crate::Refusal> {
    let [x, y] = c.exactly()?;
    Ok([c.real(x, Num::WeakFloat)?, c.real(y, Num::WeakFloat)?])
}

fn integer_argument(c: &mut Call<'_>, x: &Operand) -> Result<Value, crate::Refusal> {
    let num = real_number(x)?;
    if num.is_float() {
        return Err(c.refusal("needs an integer, not a float").hint("convert it with `int()`"));
    }
    c.real(x, Num::WeakInt)
}

/// `floor`, `ceil`, `trunc`: a Python `int`.
fn round(c: &mut Call<'_>, op: UnaryOp) -> Outcome {
    let [x] = c.exactly()?;
    if !real_number(x)?.is_float() {
        return to_int(c, x);
    }
    let v = c.real(x, Num::WeakFloat)?;
    let v = c.b.unary(op, v);
    Ok(Operand::new(Ty::WeakInt, c.b.cast(v, Scalar::I64)))
}

/// Functions of integers: exact if they are known, otherwise in 64 bits.
fn whole(c: &mut Call<'_>, name: &str) -> Outcome {
    c.no_keywords()?;
    if matches!(name, "isqrt" | "factorial") {
        c.exactly::<1>()?;
    }
    let known: Option<Vec<i128>> = c.args.iter().map(|x| known(x).and_then(Known::int)).collect();
    if let Some(values) = known
        && let Some(exact) = exact::of(name, &values)
    {
        return exact.map(|v| Known::Int(v).operand(Num::WeakInt));
    }
    let mut values = Vec::with_capacity(c.args.len());
    for x in c.args {
        values.push(natural_argument(c, x, name)?);
    }
    let v = match (name, values.as_slice()) {
        ("isqrt", [x]) => integer::isqrt(c.b, *x),
        ("factorial", [x]) => integer::factorial(c.b, *x),
        _ => {
            let gcd = name == "gcd";
            let start = c.b.constant(Const::int(Scalar::U64, i128::from(!gcd)));
            let join = if gcd { integer::gcd } else { integer::lcm };
            values.iter().fold(start, |so_far, x| join(c.b, so_far, *x))
        }
    };
    Ok(Operand::new(Ty::WeakInt, c.b.cast(v, Scalar::I64)))
}

/// An integer as `u64`: its size for `gcd` and `lcm`, with 0 for negative ones otherwise.
fn natural_argument(c: &mut Call<'_>, x: &Operand, name: &str) -> Result<Value, crate::Refusal> {
    if number(x)? == Num::Real(Scalar::U64) {
        return c.real(x, Num::Real(Scalar::U64));
    }
    let v = integer_argument(c, x)?;
    if matches!(name, "gcd" | "lcm") {
        return Ok(integer::magnitude(c.b, v));
    }
    let zero = c.b.i64(0);
    let v = c.b.binary(BinaryOp::Max, v, zero);
    Ok(c.b.cast(v, Scalar::U64))
}

fn log(c: &mut Call<'_>) -> Outcome {
    if c.args.len() != 2 {
        let x = one_float(c)?;
        return Ok(float(c.b.unary(UnaryOp::Log, x)));
    }
    let [x, base] = two_floats(c)?;
    let (x, base) = (c.b.unary(UnaryOp::Log, x), c.b.unary(UnaryOp::Log, base));
    Ok(float(c.b.binary(BinaryOp::Div, x, base)))
}

fn scale(c: &mut Call<'_>, factor: f64) -> Outcome {
    let x = one_float(c)?;
    let factor = same(c.b, x, factor);
    Ok(float(c.b.binary(BinaryOp::Mul, x, factor)))
}

fn hypot(c: &mut Call<'_>) -> Outcome {
    c.no_keywords()?;
    let mut size = None;
    for x in c.args {
        let x = c.real(x, Num::WeakFloat)?;
        size = Some(match size {
            None => c.b.unary(UnaryOp::Abs, x),
            Some(so_far) => c.b.binary(BinaryOp::Hypot, so_far, x),
        });
    }
    Ok(size.map_or_else(|| Known::Float(0.0).operand(Num::WeakFloat), float))
}

/// Equal, or finite and as near as a tolerance allows.
fn is_close(c: &mut Call<'_>) -> Outcome {
    let [x, y, rel, abs] = c.named(["a", "b", "rel_tol", "abs_tol"], 2)?;
    let (rel_default, abs_default) =
        (Known::Float(1e-9).operand(Num::WeakFloat), Known::Float(0.0).operand(Num::WeakFloat));
    let (Some(x), Some(y)) = (x, y) else { return Err(c.unknown()) };
    let (x, y) = (c.real(x, Num::WeakFloat)?, c.real(y, Num::WeakFloat)?);
    let rel = c.real(rel.unwrap_or(&rel_default), Num::WeakFloat)?;
    let abs = c.real(abs.unwrap_or(&abs_default), Num::WeakFloat)?;
    let b = &mut *c.b;
    let gap = b.binary(BinaryOp::Sub, x, y);
    let gap = b.unary(UnaryOp::Abs, gap);
    let (ax, ay) = (b.unary(UnaryOp::Abs, x), b.unary(UnaryOp::Abs, y));
    let size = b.binary(BinaryOp::Max, ax, ay);
    let allowed = b.binary(BinaryOp::Mul, rel, size);
    let allowed = b.binary(BinaryOp::Max, allowed, abs);
    let near = b.cmp(freeloom_ir::CmpOp::Le, gap, allowed);
    let finite = cmp_with(b, freeloom_ir::CmpOp::Lt, size, f64::INFINITY);
    let near = b.binary(BinaryOp::And, near, finite);
    let equal = b.cmp(freeloom_ir::CmpOp::Eq, x, y);
    Ok(Operand::strong(Type::BOOL, b.binary(BinaryOp::Or, near, equal)))
}
