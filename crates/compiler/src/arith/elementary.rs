//! Elementary functions of complex numbers, without overflow where the result has none.
//!
//! `complex64` is computed in `complex128`, so that all limits below are those of `float64`.

use freeloom_ir::{BinaryOp, Builder, CmpOp, Scalar, UnaryOp, Value};

use super::complex::{Parts, abs, phase};
use super::floating::{is_finite, is_inf};
use super::number::{cmp_with, same};

/// Beyond it `exp` is computed in steps.
const MAX_EXPONENT: f64 = 709.0;

/// Applies a function to the parts as `float64`.
fn in_float64(b: &mut Builder, x: Parts, f: impl FnOnce(&mut Builder, Parts) -> Parts) -> Parts {
    if b.type_of(x.re).scalar() != Some(Scalar::F32) {
        return f(b, x);
    }
    let wide = Parts { re: b.cast(x.re, Scalar::F64), im: b.cast(x.im, Scalar::F64) };
    let r = f(b, wide);
    Parts { re: b.cast(r.re, Scalar::F32), im: b.cast(r.im, Scalar::F32) }
}

fn mul(b: &mut Builder, x: Value, y: Value) -> Value {
    b.binary(BinaryOp::Mul, x, y)
}

fn times(b: &mut Builder, x: Value, factor: f64) -> Value {
    let factor = same(b, x, factor);
    mul(b, x, factor)
}

fn choose(b: &mut Builder, cond: Value, yes: Parts, no: Parts) -> Parts {
    Parts { re: b.select(cond, yes.re, no.re), im: b.select(cond, yes.im, no.im) }
}

/// What is left of an exponent after two steps of [`MAX_EXPONENT`], and the powers of e taken out.
fn steps(b: &mut Builder, exponent: Value) -> (Value, [Value; 2]) {
    let (step, power) = (same(b, exponent, MAX_EXPONENT), same(b, exponent, MAX_EXPONENT.exp()));
    let one = same(b, exponent, 1.0);
    let mut rest = exponent;
    let factors = [(); 2].map(|()| {
        let beyond = b.cmp(CmpOp::Gt, rest, step);
        let less = b.binary(BinaryOp::Sub, rest, step);
        rest = b.select(beyond, less, rest);
        b.select(beyond, power, one)
    });
    (rest, factors)
}

pub(crate) fn exp(b: &mut Builder, x: Parts) -> Parts {
    in_float64(b, x, |b, x| {
        let (rest, factors) = steps(b, x.re);
        let size = b.unary(UnaryOp::Exp, rest);
        turned(b, x, size, factors)
    })
}

/// 2 to a complex power.
pub(crate) fn exp2(b: &mut Builder, x: Parts) -> Parts {
    in_float64(b, x, |b, x| {
        // Whole numbers are taken out of the exponent exactly.
        let (step, power) = (same(b, x.re, 1023.0), same(b, x.re, 2f64.powi(1023)));
        let one = same(b, x.re, 1.0);
        let beyond = b.cmp(CmpOp::Gt, x.re, step);
        let less = b.binary(BinaryOp::Sub, x.re, step);
        let rest = b.select(beyond, less, x.re);
        let factor = b.select(beyond, power, one);
        let size = b.unary(UnaryOp::Exp2, rest);
        let angle = times(b, x.im, std::f64::consts::LN_2);
        turned(b, Parts { re: x.re, im: angle }, size, [factor, one])
    })
}

/// `size · factors · (cos + i sin)` of the angle `x.im`, where `x.re` is the exponent that size and factors
/// came from.
fn turned(b: &mut Builder, x: Parts, size: Value, factors: [Value; 2]) -> Parts {
    let circle = Parts { re: b.unary(UnaryOp::Cos, x.im), im: b.unary(UnaryOp::Sin, x.im) };
    let mut r = circle;
    for factor in factors.into_iter().chain([size]) {
        r = Parts { re: mul(b, r.re, factor), im: mul(b, r.im, factor) };
    }
    // A real argument stays exactly real, even if its size is infinite.
    let real = cmp_with(b, CmpOp::Eq, x.im, 0.0);
    let r = Parts { re: r.re, im: b.select(real, x.im, r.im) };
    // At infinity the size decides, even if there is no angle.
    let angle = is_finite(b, x.im);
    let no_angle = b.unary(UnaryOp::Not, angle);
    let infinite = is_inf(b, x.re);
    let undecided = b.binary(BinaryOp::And, infinite, no_angle);
    let vanishes = cmp_with(b, CmpOp::Lt, x.re, 0.0);
    let (zero, nan, inf) = (same(b, size, 0.0), same(b, size, f64::NAN), same(b, size, f64::INFINITY));
    let limit = choose(b, vanishes, Parts { re: zero, im: zero }, Parts { re: inf, im: nan });
    choose(b, undecided, limit, r)
}

/// Greater of the sizes of the two parts.
fn greater(b: &mut Builder, x: Parts) -> Value {
    let (re, im) = (b.unary(UnaryOp::Abs, x.re), b.unary(UnaryOp::Abs, x.im));
    b.binary(BinaryOp::Max, re, im)
}

/// The number with parts far from the limits of the type, and one of three values: for a number that was made
/// smaller by 2^-200, for one that was made greater by 2^200, for one that stayed.
fn scaled(b: &mut Builder, x: Parts, [down, up, none]: [f64; 3]) -> (Parts, Value) {
    let size = greater(b, x);
    let (large, tiny) = (cmp_with(b, CmpOp::Gt, size, 1e300), cmp_with(b, CmpOp::Lt, size, 1e-280));
    let mut pick = |[down, up, none]: [f64; 3]| {
        let [down, up, none] = [down, up, none].map(|v| same(b, size, v));
        let v = b.select(tiny, up, none);
        b.select(large, down, v)
    };
    let (factor, result) = (pick([2f64.powi(-200), 2f64.powi(200), 1.0]), pick([down, up, none]));
    (Parts { re: mul(b, x.re, factor), im: mul(b, x.im, factor) }, result)
}

pub(crate) fn log(b: &mut Builder, x: Parts) -> Parts {
    in_float64(b, x, |b, x| {
        let shift = 200.0 * std::f64::consts::LN_2;
        let (small, shift) = scaled(b, x, [shift, -shift, 0.0]);
        let size = abs(b, small);
        let far = b.unary(UnaryOp::Log, size);
        let far = b.binary(BinaryOp::Add, far, shift);
        let near = log_near_one(b, x);
        let (lo, hi) = (cmp_with(b, CmpOp::Gt, size, 0.7), cmp_with(b, CmpOp::Lt, size, 1.4));
        let is_near = b.binary(BinaryOp::And, lo, hi);
        Parts { re: b.select(is_near, near, far), im: phase(b, x) }
    })
}

/// `ln|x|` as half of `ln(1 + (|x|² − 1))`.
fn log_near_one(b: &mut Builder, x: Parts) -> Value {
    let (re, im) = (b.unary(UnaryOp::Abs, x.re), b.unary(UnaryOp::Abs, x.im));
    let (big, small) = (b.binary(BinaryOp::Max, re, im), b.binary(BinaryOp::Min, re, im));
    let one = same(b, big, 1.0);
    let (less, more) = (b.binary(BinaryOp::Sub, big, one), b.binary(BinaryOp::Add, big, one));
    let (product, square) = (mul(b, less, more), mul(b, small, small));
    let excess = b.binary(BinaryOp::Add, product, square);
    let v = b.unary(UnaryOp::Log1p, excess);
    times(b, v, 0.5)
}

/// Principal square root.
pub(crate) fn sqrt(b: &mut Builder, x: Parts) -> Parts {
    in_float64(b, x, |b, x| {
        let (small, factor) = scaled(b, x, [2f64.powi(100), 2f64.powi(-100), 1.0]);
        let r = sqrt_unscaled(b, small);
        let r = Parts { re: mul(b, r.re, factor), im: mul(b, r.im, factor) };
        let infinite = is_inf(b, x.im);
        let inf = same(b, x.re, f64::INFINITY);
        choose(b, infinite, Parts { re: inf, im: x.im }, r)
    })
}

fn sqrt_unscaled(b: &mut Builder, x: Parts) -> Parts {
    // With t = √((|re| + |x|) / 2): re ≥ 0 gives (t, im / 2t), otherwise (|im| / 2t, ±t).
    let size = abs(b, x);
    let re = b.unary(UnaryOp::Abs, x.re);
    let (h1, h2) = (times(b, re, 0.5), times(b, size, 0.5));
    let t = b.binary(BinaryOp::Add, h1, h2);
    let t = b.unary(UnaryOp::Sqrt, t);
    let twice = b.binary(BinaryOp::Add, t, t);
    let other = b.binary(BinaryOp::Div, x.im, twice);
    let right = cmp_with(b, CmpOp::Ge, x.re, 0.0);
    let other_size = b.unary(UnaryOp::Abs, other);
    let signed = b.binary(BinaryOp::CopySign, t, x.im);
    let r = choose(b, right, Parts { re: t, im: other }, Parts { re: other_size, im: signed });
    let zero = cmp_with(b, CmpOp::Eq, size, 0.0);
    choose(b, zero, Parts { re: size, im: x.im }, r)
}

/// `cosh x.re` and `sinh x.re`, each up to two factors.
fn hyperbolic(b: &mut Builder, t: Value) -> (Value, Value, [Value; 2]) {
    let size = b.unary(UnaryOp::Abs, t);
    let (rest, factors) = steps(b, size);
    let half = b.unary(UnaryOp::Exp, rest);
    let half = times(b, half, 0.5);
    let beyond = cmp_with(b, CmpOp::Gt, size, MAX_EXPONENT);
    let (cosh, sinh) = (b.unary(UnaryOp::Cosh, t), b.unary(UnaryOp::Sinh, t));
    let signed = b.binary(BinaryOp::CopySign, half, t);
    (b.select(beyond, half, cosh), b.select(beyond, signed, sinh), factors)
}

/// `(c·cos, s·sin)` of the angle, where `c` and `s` are `cosh` and `sinh` in either order.
fn products(b: &mut Builder, x: Parts, swapped: bool) -> Parts {
    in_float64(b, x, |b, x| {
        let (cosh, sinh, factors) = hyperbolic(b, x.re);
        let (of_cos, of_sin) = if swapped { (sinh, cosh) } else { (cosh, sinh) };
        let (cos, sin) = (b.unary(UnaryOp::Cos, x.im), b.unary(UnaryOp::Sin, x.im));
        let mut r = Parts { re: cos, im: sin };
        for factor in factors {
            r = Parts { re: mul(b, r.re, factor), im: mul(b, r.im, factor) };
        }
        r = Parts { re: mul(b, r.re, of_cos), im: mul(b, r.im, of_sin) };
        // A zero stays one, even if the other factor is infinite.
        let one = same(b, of_sin, 1.0);
        let sign = b.binary(BinaryOp::CopySign, one, of_sin);
        let zero = mul(b, sign, x.im);
        let real = cmp_with(b, CmpOp::Eq, x.im, 0.0);
        Parts { re: r.re, im: b.select(real, zero, r.im) }
    })
}

pub(crate) fn sinh(b: &mut Builder, x: Parts) -> Parts {
    products(b, x, true)
}

pub(crate) fn cosh(b: &mut Builder, x: Parts) -> Parts {
    products(b, x, false)
}

/// `sin x = −i sinh(ix)`, which exchanges the parts twice.
pub(crate) fn sin(b: &mut Builder, x: Parts) -> Parts {
    let r = sinh(b, Parts { re: x.im, im: x.re });
    Parts { re: r.im, im: r.re }
}

pub(crate) fn cos(b: &mut Builder, x: Parts) -> Parts {
    let r = cosh(b, Parts { re: x.im, im: x.re });
    Parts { re: r.re, im: b.unary(UnaryOp::Neg, r.im) }
}

pub(crate) fn tan(b: &mut Builder, x: Parts) -> Parts {
    let r = tanh(b, Parts { re: x.im, im: x.re });
    Parts { re: r.im, im: r.re }
}

pub(crate) fn tanh(b: &mut Builder, x: Parts) -> Parts {
    in_float64(b, x, |b, x| {
        let size = b.unary(UnaryOp::Abs, x.re);
        let large = cmp_with(b, CmpOp::Gt, size, 22.0);
        let (cos, sin) = (b.unary(UnaryOp::Cos, x.im), b.unary(UnaryOp::Sin, x.im));
        let both = mul(b, sin, cos);
        let moderate = tanh_moderate(b, x.re, cos, both);
        let limit = tanh_limit(b, x, size, both);
        let r = choose(b, large, limit, moderate);
        let real = cmp_with(b, CmpOp::Eq, x.im, 0.0);
        Parts { re: r.re, im: b.select(real, x.im, r.im) }
    })
}

/// `(sinh·cosh, sin·cos) / (sinh² + cos²)`
fn tanh_moderate(b: &mut Builder, t: Value, cos: Value, both: Value) -> Parts {
    let (cosh, sinh) = (b.unary(UnaryOp::Cosh, t), b.unary(UnaryOp::Sinh, t));
    let (s2, c2) = (mul(b, sinh, sinh), mul(b, cos, cos));
    let norm = b.binary(BinaryOp::Add, s2, c2);
    let re = mul(b, sinh, cosh);
    Parts { re: b.binary(BinaryOp::Div, re, norm), im: b.binary(BinaryOp::Div, both, norm) }
}

/// Where `tanh` of the real part is ±1: `(±1, 4·sin·cos·exp(−2·size))`.
fn tanh_limit(b: &mut Builder, x: Parts, size: Value, both: Value) -> Parts {
    let one = same(b, size, 1.0);
    let re = b.binary(BinaryOp::CopySign, one, x.re);
    let exponent = times(b, size, -2.0);
    let small = b.unary(UnaryOp::Exp, exponent);
    let im = times(b, both, 4.0);
    let im = mul(b, im, small);
    let (finite, infinite) = (is_finite(b, x.im), is_inf(b, x.re));
    let no_angle = b.unary(UnaryOp::Not, finite);
    let undecided = b.binary(BinaryOp::And, infinite, no_angle);
    let zero = same(b, size, 0.0);
    let zero = b.binary(BinaryOp::CopySign, zero, x.im);
    Parts { re, im: b.select(undecided, zero, im) }
}
