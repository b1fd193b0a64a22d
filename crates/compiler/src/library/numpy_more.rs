//! Functions of `numpy` that are more than one operation.

use std::f64::consts::PI;

use freeloom_ir::{BinaryOp, Builder, CmpOp, Scalar, Type, UnaryOp, Value};

use super::args::{Call, Outcome};
use super::numpy::{one, two_reals};
use crate::arith::number::{Known, int_range, known, known_as, materialise, same, value};
use crate::arith::promote::{Num, number, promote, promote_float, real_number};
use crate::arith::{self, complex, floating, operators};
use crate::ast::BinOp;
use crate::operand::Operand;

/// The number, with `bool` as `int8`: what NumPy does where a function has no loop for bools.
pub(crate) fn at_least_int8(c: &mut Call<'_>, x: &Operand) -> Outcome {
    if !number(x)?.is_bool() {
        return Ok(x.clone());
    }
    let num = Num::Real(Scalar::I8);
    let v = value(c.b, x, num)?;
    Ok(Operand::new(num.ty(), v))
}

pub(crate) fn square(c: &mut Call<'_>) -> Outcome {
    let [x] = c.exactly()?;
    let x = at_least_int8(c, x)?;
    operators::binary(c.b, BinOp::Mult, &x, &x)
}

pub(crate) fn reciprocal(c: &mut Call<'_>) -> Outcome {
    let [x] = c.exactly()?;
    let x = at_least_int8(c, x)?;
    let num = real_number(&x)?;
    let v = value(c.b, &x, num)?;
    let one = one(c, num);
    Ok(Operand::new(num.ty(), c.b.binary(BinaryOp::Div, one, v)))
}

/// −1, 0, 1 or NaN.
pub(crate) fn sign(c: &mut Call<'_>) -> Outcome {
    let [x] = c.exactly()?;
    let num = real_number(x)?;
    if num.is_bool() {
        return Err(c.refusal("of a bool is not supported").hint("convert it with `int()`"));
    }
    let v = value(c.b, x, num)?;
    let (zero, one) = (same(c.b, v, 0.0), one(c, num));
    let positive = c.b.cmp(CmpOp::Gt, v, zero);
    let result = c.b.select(positive, one, zero);
    if num.scalar().is_unsigned() {
        return Ok(Operand::new(num.ty(), result));
    }
    let negative = c.b.cmp(CmpOp::Lt, v, zero);
    let minus = c.b.unary(UnaryOp::Neg, one);
    let result = c.b.select(negative, minus, result);
    if !num.is_float() {
        return Ok(Operand::new(num.ty(), result));
    }
    let nan = floating::is_nan(c.b, v);
    Ok(Operand::new(num.ty(), c.b.select(nan, v, result)))
}

/// A function of one real number in its float type, `float16` by way of `float32`.
fn float_function(
    c: &mut Call<'_>,
    f: impl FnOnce(&mut Builder, Value) -> Value,
) -> Result<Operand, crate::Refusal> {
    let [x] = c.exactly()?;
    let num = number(x)?.float().strong();
    let v = c.real(x, num)?;
    let v = floating::in_float32(c.b, &[v], |b, v| f(b, v[0]));
    let ty = c.b.type_of(v).clone();
    Ok(Operand::strong(ty, v))
}

fn scale(c: &mut Call<'_>, factor: f64) -> Outcome {
    float_function(c, |b, v| {
        let factor = same(b, v, factor);
        b.binary(BinaryOp::Mul, v, factor)
    })
}

pub(crate) fn degrees(c: &mut Call<'_>) -> Outcome {
    scale(c, 180.0 / PI)
}

pub(crate) fn radians(c: &mut Call<'_>) -> Outcome {
    scale(c, PI / 180.0)
}

pub(crate) fn sign_bit(c: &mut Call<'_>) -> Outcome {
    float_function(c, floating::sign_bit)
}

/// `maximum` (NaN wins) and `fmax` (NaN loses) and their opposites.
pub(crate) fn extreme(c: &mut Call<'_>, op: BinaryOp, nan_wins: bool) -> Outcome {
    let (num, [x, y]) = two_reals(c, false)?;
    Ok(Operand::new(num.ty(), pick(c.b, num, op, nan_wins, [x, y])))
}

fn pick(b: &mut Builder, num: Num, op: BinaryOp, nan_wins: bool, [x, y]: [Value; 2]) -> Value {
    if num.is_bool() {
        return b.binary(if op == BinaryOp::Max { BinaryOp::Or } else { BinaryOp::And }, x, y);
    }
    let best = b.binary(op, x, y);
    if nan_wins || !num.is_float() {
        return best;
    }
    let (x_nan, y_nan) = (floating::is_nan(b, x), floating::is_nan(b, y));
    let best = b.select(y_nan, x, best);
    b.select(x_nan, y, best)
}

/// `min(max(x, lo), hi)`; known bounds may lie outside of the type.
pub(crate) fn clip(c: &mut Call<'_>) -> Outcome {
    let (a_min, a_max) = if c.kwargs.iter().any(|(k, _)| k == "min" || k == "max") {
        ("min", "max")
    } else {
        ("a_min", "a_max")
    };
    let [x, lo, hi] = c.named(["a", a_min, a_max], 1)?;
    let Some(x) = x else { return Err(c.unknown()) };
    let mut num = number(x)?;
    for bound in [lo, hi].into_iter().flatten() {
        num = promote(num, number(bound)?);
    }
    let mut v = c.real(x, num)?;
    for (bound, op) in [(lo, BinaryOp::Max), (hi, BinaryOp::Min)] {
        let Some(bound) = bound else { continue };
        let bound = match known(bound) {
            Some(Known::Int(k)) if num.is_int() => {
                let (min, max) = int_range(num.scalar());
                arith::number::constant(c.b, Known::Int(k.clamp(min, max)), num)
            }
            _ => c.real(bound, num)?,
        };
        v = pick(c.b, num, op, true, [v, bound]);
    }
    Ok(Operand::new(num.ty(), v))
}

/// `where(cond, x, y)`; both are computed.
pub(crate) fn where_(c: &mut Call<'_>) -> Outcome {
    let [cond, x, y] = c.exactly()?;
    let cond = arith::truth(c.b, cond)?;
    let cond = materialise(c.b, &cond)?;
    arith::select(c.b, cond, x, y)
}

/// C's remainder, with the sign of the dividend.
pub(crate) fn fmod(c: &mut Call<'_>) -> Outcome {
    let (num, [x, y]) = two_reals(c, true)?;
    Ok(Operand::new(num.ty(), c.b.binary(BinaryOp::Rem, x, y)))
}

pub(crate) fn divmod(c: &mut Call<'_>) -> Outcome {
    let [x, y] = c.exactly()?;
    operators::divmod(c.b, x, y)
}

/// A power in `float64` or `complex128`.
pub(crate) fn float_power(c: &mut Call<'_>) -> Outcome {
    let [x, y] = c.exactly()?;
    let num = promote(promote(number(x)?, number(y)?), Num::F64);
    let base = value(c.b, x, num)?;
    let exponent = match known(y) {
        Some(k) => known_as(y, k, num)?,
        None => Operand::new(num.ty(), value(c.b, y, num)?),
    };
    operators::binary(c.b, BinOp::Pow, &Operand::new(num.ty(), base), &exponent)
}

/// A function of two real numbers in their float type, `float16` by way of `float32`.
fn float_function2(c: &mut Call<'_>, f: impl FnOnce(&mut Builder, Value, Value) -> Value) -> Outcome {
    let [x, y] = c.exactly()?;
    let num = promote_float(number(x)?, number(y)?).strong();
    let (x, y) = (c.real(x, num)?, c.real(y, num)?);
    let v = floating::in_float32(c.b, &[x, y], |b, v| f(b, v[0], v[1]));
    Ok(Operand::new(num.ty(), v))
}

/// 0 below zero, 1 above, the second argument at zero.
pub(crate) fn heaviside(c: &mut Call<'_>) -> Outcome {
    float_function2(c, |b, x, at_zero| {
        let (zero, one) = (same(b, x, 0.0), same(b, x, 1.0));
        let (below, above) = (b.cmp(CmpOp::Lt, x, zero), b.cmp(CmpOp::Gt, x, zero));
        let v = b.select(above, one, at_zero);
        let v = b.select(below, zero, v);
        let nan = floating::is_nan(b, x);
        b.select(nan, x, v)
    })
}

pub(crate) fn log_add_exp(c: &mut Call<'_>, binary: bool) -> Outcome {
    float_function2(c, |b, x, y| floating::log_add_exp(b, x, y, binary))
}

/// `gcd` and `lcm`.
pub(crate) fn divisor(c: &mut Call<'_>, f: fn(&mut Builder, Value, Value) -> Value) -> Outcome {
    let [x, y] = c.exactly()?;
    let num = promote(number(x)?, number(y)?);
    if !num.is_int() {
        return Err(c.refusal("needs integers with a common type").hint("convert the arguments"));
    }
    let (x, y) = (c.real(x, num)?, c.real(y, num)?);
    Ok(Operand::new(num.ty(), f(c.b, x, y)))
}

/// `x * 2**n`
pub(crate) fn ldexp(c: &mut Call<'_>) -> Outcome {
    let [x, n] = c.exactly()?;
    let num = real_number(x)?.float().strong();
    if !number(n)?.is_int() {
        return Err(c.refusal("needs an integer exponent").hint("convert it with `int()`"));
    }
    let x = value(c.b, x, num)?;
    let wide = c.b.cast(x, Scalar::F64);
    let n = value(c.b, n, Num::Real(Scalar::I64))?;
    let v = floating::ldexp(c.b, wide, n);
    Ok(Operand::new(num.ty(), c.b.cast(v, num.scalar())))
}

pub(crate) fn frexp(c: &mut Call<'_>) -> Outcome {
    let [x] = c.exactly()?;
    let num = number(x)?.float().strong();
    let v = c.real(x, num)?;
    let wide = c.b.cast(v, Scalar::F64);
    let (mantissa, exponent) = floating::frexp(c.b, wide);
    let (mantissa, exponent) = (c.b.cast(mantissa, num.scalar()), c.b.cast(exponent, Scalar::I32));
    Ok(Operand::tuple(vec![Operand::new(num.ty(), mantissa), Operand::strong(Type::I32, exponent)]))
}

pub(crate) fn modf(c: &mut Call<'_>) -> Outcome {
    let [x] = c.exactly()?;
    let num = number(x)?.float().strong();
    let v = c.real(x, num)?;
    let (rest, whole) = floating::modf(c.b, v);
    Ok(Operand::tuple([rest, whole].map(|v| Operand::new(num.ty(), v)).into()))
}

/// `round(x, decimals=0)`
pub(crate) fn round(c: &mut Call<'_>) -> Outcome {
    let [x, decimals] = c.named(["a", "decimals"], 1)?;
    let Some(x) = x else { return Err(c.unknown()) };
    let zero = Known::Int(0).operand(Num::WeakInt);
    round_decimals(c, x, decimals.unwrap_or(&zero))
}

/// Scales by a power of ten, rounds half to even, scales back, as NumPy does.
pub(crate) fn round_decimals(c: &mut Call<'_>, x: &Operand, decimals: &Operand) -> Outcome {
    let num = real_number(x)?;
    if num.is_bool() {
        return Err(c.refusal("of a bool is not supported").hint("convert it with `int()`"));
    }
    let Some(digits) = decimals.known_int().and_then(|d| i32::try_from(d).ok()) else {
        return Err(c.refusal("needs a number of digits that is known when it is compiled"));
    };
    if !num.is_float() && digits >= 0 {
        return Ok(x.clone());
    }
    let v = value(c.b, x, if num.is_float() { num } else { Num::F64 })?;
    let factor = same(c.b, v, 10f64.powi(digits.saturating_abs()));
    let (before, after) =
        if digits >= 0 { (BinaryOp::Mul, BinaryOp::Div) } else { (BinaryOp::Div, BinaryOp::Mul) };
    let scaled = if digits == 0 { v } else { c.b.binary(before, v, factor) };
    let rounded = c.b.unary(UnaryOp::RoundEven, scaled);
    let v = if digits == 0 { rounded } else { c.b.binary(after, rounded, factor) };
    // Beyond the type NumPy wraps, which the way over 64 bits does.
    let narrow = num.is_int() && num.scalar() != Scalar::U64;
    let v = if narrow { c.b.cast(v, Scalar::I64) } else { v };
    Ok(Operand::new(num.ty(), c.b.cast(v, num.scalar())))
}

/// The angle of a number in the complex plane.
pub(crate) fn angle(c: &mut Call<'_>) -> Outcome {
    let [x] = c.exactly()?;
    let num = number(x)?;
    if num.is_complex() {
        let v = value(c.b, x, num)?;
        let parts = complex::Parts::of(c.b, v);
        return Ok(Operand::new(num.part().ty(), complex::phase(c.b, parts)));
    }
    let num = promote_float(num, Num::WeakInt).strong();
    let v = value(c.b, x, num)?;
    let zero = same(c.b, v, 0.0);
    Ok(Operand::new(num.ty(), c.b.binary(BinaryOp::Atan2, zero, v)))
}

pub(crate) fn bitwise_count(c: &mut Call<'_>) -> Outcome {
    let [x] = c.exactly()?;
    let x = at_least_int8(c, x)?;
    let num = number(&x)?;
    if !num.is_int() {
        return Err(c.refusal("needs an integer"));
    }
    let count = super::methods::bit_count(c, &x, num)?;
    let v = materialise(c.b, &count)?;
    Ok(Operand::strong(Type::Scalar(Scalar::U8), c.b.cast(v, Scalar::U8)))
}
