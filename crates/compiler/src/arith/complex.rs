//! Complex arithmetic, part by part, as NumPy computes it.

use freeloom_ir::{BinaryOp, Builder, CmpOp, Type, UnaryOp, Value};

use super::elementary;
use super::number::{cmp_with, same};

/// A complex number in two values of one float type.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) re: Value,
    pub(crate) im: Value,
}

impl Parts {
    /// The parts of a complex IR value.
    pub(crate) fn of(b: &mut Builder, v: Value) -> Parts {
        Parts { re: b.extract(v, 0), im: b.extract(v, 1) }
    }

    /// The complex IR value.
    pub(crate) fn join(self, b: &mut Builder) -> Value {
        let s = b.type_of(self.re).scalar().unwrap_or(freeloom_ir::Scalar::F64);
        b.make(Type::Complex(s), vec![self.re, self.im])
    }

    fn each(self, b: &mut Builder, mut f: impl FnMut(&mut Builder, Value) -> Value) -> Parts {
        Parts { re: f(b, self.re), im: f(b, self.im) }
    }

    /// A known number with parts of the type of `like`.
    fn known(b: &mut Builder, like: Value, re: f64, im: f64) -> Parts {
        Parts { re: same(b, like, re), im: same(b, like, im) }
    }
}

/// Applies a function on parts to whole values.
pub(crate) fn map(b: &mut Builder, x: Value, f: impl FnOnce(&mut Builder, Parts) -> Parts) -> Value {
    let x = Parts::of(b, x);
    let r = f(b, x);
    r.join(b)
}

/// Applies a function of two numbers on parts to whole values.
pub(crate) fn map2(
    b: &mut Builder,
    x: Value,
    y: Value,
    f: impl FnOnce(&mut Builder, Parts, Parts) -> Parts,
) -> Value {
    let (x, y) = (Parts::of(b, x), Parts::of(b, y));
    let r = f(b, x, y);
    r.join(b)
}

pub(crate) fn add(b: &mut Builder, x: Parts, y: Parts) -> Parts {
    Parts { re: b.binary(BinaryOp::Add, x.re, y.re), im: b.binary(BinaryOp::Add, x.im, y.im) }
}

pub(crate) fn sub(b: &mut Builder, x: Parts, y: Parts) -> Parts {
    Parts { re: b.binary(BinaryOp::Sub, x.re, y.re), im: b.binary(BinaryOp::Sub, x.im, y.im) }
}

pub(crate) fn neg(b: &mut Builder, x: Parts) -> Parts {
    x.each(b, |b, v| b.unary(UnaryOp::Neg, v))
}

pub(crate) fn conjugate(b: &mut Builder, x: Parts) -> Parts {
    Parts { re: x.re, im: b.unary(UnaryOp::Neg, x.im) }
}

pub(crate) fn mul(b: &mut Builder, x: Parts, y: Parts) -> Parts {
    let (rr, ii) = (b.binary(BinaryOp::Mul, x.re, y.re), b.binary(BinaryOp::Mul, x.im, y.im));
    let (ri, ir) = (b.binary(BinaryOp::Mul, x.re, y.im), b.binary(BinaryOp::Mul, x.im, y.re));
    Parts { re: b.binary(BinaryOp::Sub, rr, ii), im: b.binary(BinaryOp::Add, ri, ir) }
}

/// Division by Smith's algorithm; by zero, each part is divided by zero.
pub(crate) fn div(b: &mut Builder, x: Parts, y: Parts) -> Parts {
    let (ar, ai) = (b.unary(UnaryOp::Abs, y.re), b.unary(UnaryOp::Abs, y.im));
    let steep = b.cmp(CmpOp::Ge, ar, ai);
    let (big, small) = (b.select(steep, y.re, y.im), b.select(steep, y.im, y.re));
    // The imaginary quotient is (im·1 − re·ratio) when |y.re| is the greater, (im·ratio − re·1) otherwise.
    let ratio = b.binary(BinaryOp::Div, small, big);
    let scaled = b.binary(BinaryOp::Mul, small, ratio);
    let norm = b.binary(BinaryOp::Add, big, scaled);
    let one = same(b, norm, 1.0);
    let scale = b.binary(BinaryOp::Div, one, norm);
    let (re_ratio, im_ratio) = (b.binary(BinaryOp::Mul, x.re, ratio), b.binary(BinaryOp::Mul, x.im, ratio));
    let (r1, r2) = (b.select(steep, x.re, re_ratio), b.select(steep, im_ratio, x.im));
    let (i1, i2) = (b.select(steep, x.im, im_ratio), b.select(steep, re_ratio, x.re));
    let (re, im) = (b.binary(BinaryOp::Add, r1, r2), b.binary(BinaryOp::Sub, i1, i2));
    let (re, im) = (b.binary(BinaryOp::Mul, re, scale), b.binary(BinaryOp::Mul, im, scale));
    let zero = b.binary(BinaryOp::Max, ar, ai);
    let by_zero = cmp_with(b, CmpOp::Eq, zero, 0.0);
    let plain = x.each(b, |b, v| b.binary(BinaryOp::Div, v, ar));
    Parts { re: b.select(by_zero, plain.re, re), im: b.select(by_zero, plain.im, im) }
}

/// `|x|`
pub(crate) fn abs(b: &mut Builder, x: Parts) -> Value {
    b.binary(BinaryOp::Hypot, x.re, x.im)
}

/// The angle of `x`, in (−π, π].
pub(crate) fn phase(b: &mut Builder, x: Parts) -> Value {
    b.binary(BinaryOp::Atan2, x.im, x.re)
}

/// The number of that size and angle.
pub(crate) fn rect(b: &mut Builder, size: Value, angle: Value) -> Parts {
    let (cos, sin) = (b.unary(UnaryOp::Cos, angle), b.unary(UnaryOp::Sin, angle));
    let im = b.binary(BinaryOp::Mul, size, sin);
    // A real argument stays exactly real, even if its size is infinite.
    let real = cmp_with(b, CmpOp::Eq, angle, 0.0);
    Parts { re: b.binary(BinaryOp::Mul, size, cos), im: b.select(real, angle, im) }
}

/// `x` to a known whole power by repeated multiplication, in NumPy's order.
pub(crate) fn power_known(b: &mut Builder, x: Parts, n: i32) -> Parts {
    match n {
        0 => return Parts::known(b, x.re, 1.0, 0.0),
        1 => return x,
        2 => return mul(b, x, x),
        3 => {
            let square = mul(b, x, x);
            return mul(b, x, square);
        }
        _ => {}
    }
    let mut power = x;
    let mut product = Parts::known(b, x.re, 1.0, 0.0);
    let mut rest = n.unsigned_abs();
    loop {
        if rest & 1 == 1 {
            product = mul(b, product, power);
        }
        rest >>= 1;
        if rest == 0 {
            break;
        }
        power = mul(b, power, power);
    }
    if n > 0 {
        return product;
    }
    let one = Parts::known(b, x.re, 1.0, 0.0);
    let inverse = div(b, one, product);
    let size = abs(b, x);
    let base_zero = cmp_with(b, CmpOp::Eq, size, 0.0);
    let nan = same(b, x.re, f64::NAN);
    inverse.each(b, |b, v| b.select(base_zero, nan, v))
}

/// `x` to any power, through the logarithm; 0 to a power is 0, 1 or NaN.
pub(crate) fn power(b: &mut Builder, x: Parts, y: Parts) -> Parts {
    let l = elementary::log(b, x);
    let product = mul(b, y, l);
    let general = elementary::exp(b, product);
    let size = abs(b, x);
    let base_zero = cmp_with(b, CmpOp::Eq, size, 0.0);
    let positive = cmp_with(b, CmpOp::Gt, y.re, 0.0);
    let (zero, nan, one) = (same(b, size, 0.0), same(b, size, f64::NAN), same(b, size, 1.0));
    let of_zero = b.select(positive, zero, nan);
    let by = abs(b, y);
    let exponent_zero = cmp_with(b, CmpOp::Eq, by, 0.0);
    let (re, im) = (b.select(base_zero, of_zero, general.re), b.select(base_zero, of_zero, general.im));
    Parts { re: b.select(exponent_zero, one, re), im: b.select(exponent_zero, zero, im) }
}
