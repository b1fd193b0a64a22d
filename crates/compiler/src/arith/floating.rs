//! Floating-point operations that are more than one instruction. Values may be of any float type;
//! [`in_float32`] lifts what NumPy computes in `float32` when the type is `float16`.

use std::f64::consts;

use freeloom_ir::{BinaryOp, Builder, CmpOp, Const, Scalar, UnaryOp, Value};

use super::number::{cmp_with, same};

/// Applies `f` to values of one float type; `float16` goes through `float32` and is rounded once.
pub(crate) fn in_float32(
    b: &mut Builder,
    args: &[Value],
    f: impl FnOnce(&mut Builder, &[Value]) -> Value,
) -> Value {
    let half = args.first().is_some_and(|v| b.type_of(*v).scalar() == Some(Scalar::F16));
    if !half {
        return f(b, args);
    }
    let wide: Vec<Value> = args.iter().map(|v| b.cast(*v, Scalar::F32)).collect();
    let v = f(b, &wide);
    if b.type_of(v).scalar() == Some(Scalar::F32) { b.cast(v, Scalar::F16) } else { v }
}

/// Python's `divmod`: floored quotient, remainder with the sign of the divisor, signed zeros and all.
/// `float16` must have been widened.
pub(crate) fn div_mod(b: &mut Builder, x: Value, y: Value) -> (Value, Value) {
    let ratio = b.binary(BinaryOp::Div, x, y);
    let r = b.binary(BinaryOp::Rem, x, y);
    let whole = b.binary(BinaryOp::Sub, x, r);
    let q = b.binary(BinaryOp::Div, whole, y);

    let exact = cmp_with(b, CmpOp::Eq, r, 0.0);
    let (y_negative, r_negative) = (cmp_with(b, CmpOp::Lt, y, 0.0), cmp_with(b, CmpOp::Lt, r, 0.0));
    let differ = b.binary(BinaryOp::Xor, y_negative, r_negative);
    let (zero, one, half) = (same(b, x, 0.0), same(b, x, 1.0), same(b, x, 0.5));

    let moved = b.binary(BinaryOp::Add, r, y);
    let moved = b.select(differ, moved, r);
    let signed_zero = b.binary(BinaryOp::CopySign, zero, y);
    let modulus = b.select(exact, signed_zero, moved);

    let less = b.binary(BinaryOp::Sub, q, one);
    let less = b.select(differ, less, q);
    let q = b.select(exact, q, less);
    let floor = b.unary(UnaryOp::Floor, q);
    let rest = b.binary(BinaryOp::Sub, q, floor);
    let up = b.cmp(CmpOp::Gt, rest, half);
    let next = b.binary(BinaryOp::Add, floor, one);
    let floor = b.select(up, next, floor);
    let signed_zero = b.binary(BinaryOp::CopySign, zero, ratio);
    let vanishes = b.cmp(CmpOp::Eq, q, zero);
    let quotient = b.select(vanishes, signed_zero, floor);

    let by_zero = b.cmp(CmpOp::Eq, y, zero);
    (b.select(by_zero, ratio, quotient), b.select(by_zero, r, modulus))
}

/// IEEE 754 remainder: `x − n·y` for the integer `n` nearest to `x / y`, ties to even. Exact.
pub(crate) fn ieee_remainder(b: &mut Builder, x: Value, y: Value) -> Value {
    let (ax, ay) = (b.unary(UnaryOp::Abs, x), b.unary(UnaryOp::Abs, y));
    let r = b.binary(BinaryOp::Rem, ax, ay);
    let c = b.binary(BinaryOp::Sub, ay, r);
    let half = same(b, x, 0.5);
    let rest = b.binary(BinaryOp::Sub, ax, r);
    let rest = b.binary(BinaryOp::Mul, half, rest);
    let parity = b.binary(BinaryOp::Rem, rest, ay);
    let twice = b.binary(BinaryOp::Add, parity, parity);
    let tie = b.binary(BinaryOp::Sub, r, twice);
    let (below, above) = (b.cmp(CmpOp::Lt, r, c), b.cmp(CmpOp::Gt, r, c));
    let back = b.unary(UnaryOp::Neg, c);
    let m = b.select(above, back, tie);
    let m = b.select(below, r, m);
    let one = same(b, x, 1.0);
    let sign = b.binary(BinaryOp::CopySign, one, x);
    b.binary(BinaryOp::Mul, sign, m)
}

/// `x * 2**n` of a `float64` and an `i64`, rounded once.
pub(crate) fn ldexp(b: &mut Builder, x: Value, n: Value) -> Value {
    // Steps as large as the exponent allows; the downward step leaves 53 bits so that only the last
    // multiplication rounds.
    let (mut x, mut n) = (x, n);
    for (limit, step, op) in [(1023, 1023, CmpOp::Gt), (-1022, -969, CmpOp::Lt)].repeat(2) {
        let limit = b.i64(limit);
        let beyond = b.cmp(op, n, limit);
        let factor = b.constant(Const::float(Scalar::F64, 2f64.powi(step)));
        let scaled = b.binary(BinaryOp::Mul, x, factor);
        x = b.select(beyond, scaled, x);
        let step = b.i64(i64::from(step));
        let left = b.binary(BinaryOp::Sub, n, step);
        n = b.select(beyond, left, n);
    }
    let (lo, hi) = (b.i64(-1022), b.i64(1023));
    let n = b.binary(BinaryOp::Max, n, lo);
    let n = b.binary(BinaryOp::Min, n, hi);
    let n = b.binary(BinaryOp::Add, n, hi);
    let shift = b.i64(52);
    let bits = b.binary(BinaryOp::Shl, n, shift);
    let factor = b.bitcast(bits, Scalar::F64);
    b.binary(BinaryOp::Mul, x, factor)
}

/// Mantissa in [0.5, 1) and exponent (`i64`) of a `float64`.
pub(crate) fn frexp(b: &mut Builder, x: Value) -> (Value, Value) {
    let size = b.unary(UnaryOp::Abs, x);
    let tiny = cmp_with(b, CmpOp::Lt, size, f64::MIN_POSITIVE);
    let up = same(b, x, 2f64.powi(54));
    let scaled = b.binary(BinaryOp::Mul, x, up);
    let scaled = b.select(tiny, scaled, x);
    let bits = b.bitcast(scaled, Scalar::I64);
    let (shift, mask) = (b.i64(52), b.i64(0x7ff));
    let exponent = b.binary(BinaryOp::Shr, bits, shift);
    let exponent = b.binary(BinaryOp::And, exponent, mask);
    let (bias, tiny_bias) = (b.i64(1022), b.i64(1022 + 54));
    let subtrahend = b.select(tiny, tiny_bias, bias);
    let exponent = b.binary(BinaryOp::Sub, exponent, subtrahend);
    let (keep, half) = (b.i64(!(0x7ff << 52)), b.i64(1022 << 52));
    let mantissa = b.binary(BinaryOp::And, bits, keep);
    let mantissa = b.binary(BinaryOp::Or, mantissa, half);
    let mantissa = b.bitcast(mantissa, Scalar::F64);
    let finite = is_finite(b, x);
    let nonzero = cmp_with(b, CmpOp::Ne, x, 0.0);
    let regular = b.binary(BinaryOp::And, finite, nonzero);
    let zero = b.i64(0);
    (b.select(regular, mantissa, x), b.select(regular, exponent, zero))
}

/// Fractional and integral part, both with the sign of `x`.
pub(crate) fn modf(b: &mut Builder, x: Value) -> (Value, Value) {
    let whole = b.unary(UnaryOp::Trunc, x);
    let rest = b.binary(BinaryOp::Sub, x, whole);
    let zero = same(b, x, 0.0);
    let infinite = is_inf(b, x);
    let rest = b.select(infinite, zero, rest);
    (b.binary(BinaryOp::CopySign, rest, x), whole)
}

pub(crate) fn is_nan(b: &mut Builder, x: Value) -> Value {
    b.cmp(CmpOp::Ne, x, x)
}

pub(crate) fn is_inf(b: &mut Builder, x: Value) -> Value {
    let size = b.unary(UnaryOp::Abs, x);
    cmp_with(b, CmpOp::Eq, size, f64::INFINITY)
}

pub(crate) fn is_finite(b: &mut Builder, x: Value) -> Value {
    let size = b.unary(UnaryOp::Abs, x);
    cmp_with(b, CmpOp::Lt, size, f64::INFINITY)
}

/// Is the sign bit set? True for −0.0.
pub(crate) fn sign_bit(b: &mut Builder, x: Value) -> Value {
    let one = same(b, x, 1.0);
    let sign = b.binary(BinaryOp::CopySign, one, x);
    cmp_with(b, CmpOp::Lt, sign, 0.0)
}

/// Gap between `|x|` and the next greater number.
pub(crate) fn ulp(b: &mut Builder, x: Value) -> Value {
    let x = b.unary(UnaryOp::Abs, x);
    let (inf, zero) = (same(b, x, f64::INFINITY), same(b, x, 0.0));
    let (above, below) = (b.binary(BinaryOp::NextAfter, x, inf), b.binary(BinaryOp::NextAfter, x, zero));
    let (up, down) = (b.binary(BinaryOp::Sub, above, x), b.binary(BinaryOp::Sub, x, below));
    let greatest = b.cmp(CmpOp::Eq, above, inf);
    let gap = b.select(greatest, down, up);
    let infinite = b.cmp(CmpOp::Eq, x, inf);
    b.select(infinite, inf, gap)
}

/// `ln(e**x + e**y)`; in base 2 if `binary`.
pub(crate) fn log_add_exp(b: &mut Builder, x: Value, y: Value, binary: bool) -> Value {
    let greater = b.binary(BinaryOp::Max, x, y);
    let gap = b.binary(BinaryOp::Sub, x, y);
    let gap = b.unary(UnaryOp::Abs, gap);
    let gap = b.unary(UnaryOp::Neg, gap);
    let tail = b.unary(if binary { UnaryOp::Exp2 } else { UnaryOp::Exp }, gap);
    let tail = b.unary(UnaryOp::Log1p, tail);
    let scale = same(b, x, if binary { consts::LOG2_E } else { 1.0 });
    let tail = b.binary(BinaryOp::Mul, tail, scale);
    let sum = b.binary(BinaryOp::Add, greater, tail);
    // Equal infinities have no gap.
    let equal = b.cmp(CmpOp::Eq, x, y);
    let bonus = same(b, x, if binary { 1.0 } else { consts::LN_2 });
    let doubled = b.binary(BinaryOp::Add, x, bonus);
    b.select(equal, doubled, sum)
}
