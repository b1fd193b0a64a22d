//! `**`

use freeloom_ir::{BinaryOp, Builder, CmpOp, Scalar, Stmt, UnaryOp, Value};

use super::complex::{self, Parts};
use super::number::{Known, cmp_with, known, same, value};
use super::promote::{Num, number, type_name};
use crate::diagnostic::Refusal;
use crate::operand::Operand;

/// `l ** r` where `num` is the promoted type.
pub(crate) fn power(b: &mut Builder, l: &Operand, r: &Operand, num: Num) -> Result<Operand, Refusal> {
    let exponent = known(r);
    if num.is_int() {
        return int_power(b, l, r, num);
    }
    let x = value(b, l, num)?;
    let v = match exponent.map(Known::parts) {
        Some((e, 0.0)) if num.is_complex() && e.fract() == 0.0 && e.abs() < 100.0 => {
            complex::map(b, x, |b, x| complex::power_known(b, x, e as i32))
        }
        Some((e, _)) if num.is_float() && [-1.0, 0.0, 0.5, 1.0, 2.0].contains(&e) => fast_power(b, x, e),
        _ => {
            let y = value(b, r, num)?;
            if num.is_complex() { complex_power(b, x, y) } else { b.binary(BinaryOp::Pow, x, y) }
        }
    };
    Ok(Operand::new(num.ty(), v))
}

/// The powers that NumPy computes directly in arrays.
fn fast_power(b: &mut Builder, x: Value, exponent: f64) -> Value {
    let one = same(b, x, 1.0);
    match exponent {
        -1.0 => b.binary(BinaryOp::Div, one, x),
        0.0 => one,
        0.5 => b.unary(UnaryOp::Sqrt, x),
        1.0 => x,
        _ => b.binary(BinaryOp::Mul, x, x),
    }
}

fn int_power(b: &mut Builder, l: &Operand, r: &Operand, num: Num) -> Result<Operand, Refusal> {
    let exponent = known(r).and_then(Known::int);
    if let Some(e) = exponent.filter(|e| *e < 0) {
        if number(l)?.is_weak() && number(r)?.is_weak() {
            return power(b, l, r, Num::WeakFloat);
        }
        return Err(Refusal::new(format!("{} to the negative power {e}", type_name(&l.ty)))
            .hint("make the base or the exponent a float"));
    }
    let x = value(b, l, num)?;
    let v = match exponent {
        Some(e) => {
            value(b, r, num)?;
            known_int_power(b, x, e)
        }
        None => {
            let y = value(b, r, num)?;
            runtime_int_power(b, x, y)
        }
    };
    Ok(Operand::new(num.ty(), v))
}

fn known_int_power(b: &mut Builder, x: Value, exponent: i128) -> Value {
    let (mut power, mut rest, mut product) = (x, exponent, None);
    while rest > 0 {
        if rest & 1 == 1 {
            product = Some(product.map_or(power, |p| b.binary(BinaryOp::Mul, p, power)));
        }
        rest >>= 1;
        if rest > 0 {
            power = b.binary(BinaryOp::Mul, power, power);
        }
    }
    product.unwrap_or_else(|| same(b, x, 1.0))
}

/// By squaring; a negative power is the exact one truncated: 1, −1 or 0.
fn runtime_int_power(b: &mut Builder, x: Value, y: Value) -> Value {
    let (zero, one) = (same(b, x, 0.0), same(b, x, 1.0));
    let signed = b.type_of(x).scalar().is_some_and(Scalar::is_signed);
    let start = if signed { b.binary(BinaryOp::Max, y, zero) } else { y };
    let product = squaring(b, x, start);
    if !signed {
        return product;
    }
    let size = b.unary(UnaryOp::Abs, x);
    let is_unit = b.cmp(CmpOp::Eq, size, one);
    let odd = b.binary(BinaryOp::And, y, one);
    let odd = cmp_with(b, CmpOp::Ne, odd, 0.0);
    let unit = b.select(odd, x, one);
    let truncated = b.select(is_unit, unit, zero);
    let negative = b.cmp(CmpOp::Lt, y, zero);
    b.select(negative, truncated, product)
}

fn squaring(b: &mut Builder, x: Value, exponent: Value) -> Value {
    let ty = b.type_of(x).clone();
    let (power, rest, product) =
        (b.var("power", ty.clone()), b.var("rest", ty.clone()), b.var("product", ty));
    let one = same(b, x, 1.0);
    b.set(power, x);
    b.set(rest, exponent);
    b.set(product, one);
    b.endless(|b| {
        let n = b.get(rest);
        let done = cmp_with(b, CmpOp::Eq, n, 0.0);
        b.if_else(done, |b| b.push(Stmt::Break), |_| ());
        let (p, so_far) = (b.get(power), b.get(product));
        let odd = b.binary(BinaryOp::And, n, one);
        let odd = cmp_with(b, CmpOp::Ne, odd, 0.0);
        let next = b.binary(BinaryOp::Mul, so_far, p);
        let next = b.select(odd, next, so_far);
        b.set(product, next);
        let square = b.binary(BinaryOp::Mul, p, p);
        b.set(power, square);
        let n = b.binary(BinaryOp::Shr, n, one);
        b.set(rest, n);
    });
    b.get(product)
}

/// Complex power with an exponent known only at run time: whole exponents below 100 multiply, as in NumPy.
fn complex_power(b: &mut Builder, x: Value, y: Value) -> Value {
    let result = b.var("power", b.type_of(x).clone());
    let e = Parts::of(b, y);
    let real = cmp_with(b, CmpOp::Eq, e.im, 0.0);
    let whole = b.unary(UnaryOp::Trunc, e.re);
    let whole = b.cmp(CmpOp::Eq, whole, e.re);
    let size = b.unary(UnaryOp::Abs, e.re);
    let small = cmp_with(b, CmpOp::Lt, size, 100.0);
    let direct = b.binary(BinaryOp::And, real, whole);
    let direct = b.binary(BinaryOp::And, direct, small);
    // 0 to a negative power is NaN, which the general formula takes care of.
    let base = Parts::of(b, x);
    let base_size = complex::abs(b, base);
    let base_nonzero = cmp_with(b, CmpOp::Ne, base_size, 0.0);
    let direct = b.binary(BinaryOp::And, direct, base_nonzero);
    b.if_else(
        direct,
        |b| {
            let v = complex_squaring(b, x, e.re);
            b.set(result, v);
        },
        |b| {
            let v = complex::power(b, base, e).join(b);
            b.set(result, v);
        },
    );
    b.get(result)
}

fn complex_squaring(b: &mut Builder, x: Value, exponent: Value) -> Value {
    let ty = b.type_of(x).clone();
    let (power, product) = (b.var("power", ty.clone()), b.var("product", ty.clone()));
    let rest = b.var("rest", freeloom_ir::Type::I64);
    let part = Parts::of(b, x).re;
    let one = Parts { re: same(b, part, 1.0), im: same(b, part, 0.0) }.join(b);
    let n = b.cast(exponent, Scalar::I64);
    let n = b.unary(UnaryOp::Abs, n);
    b.set(power, x);
    b.set(product, one);
    b.set(rest, n);
    b.endless(|b| {
        let n = b.get(rest);
        let done = cmp_with(b, CmpOp::Eq, n, 0.0);
        b.if_else(done, |b| b.push(Stmt::Break), |_| ());
        let (p, so_far, bit) = (b.get(power), b.get(product), b.i64(1));
        let odd = b.binary(BinaryOp::And, n, bit);
        let odd = cmp_with(b, CmpOp::Ne, odd, 0.0);
        let next = complex::map2(b, so_far, p, complex::mul);
        let next = b.select(odd, next, so_far);
        b.set(product, next);
        let square = complex::map2(b, p, p, complex::mul);
        b.set(power, square);
        let n = b.binary(BinaryOp::Shr, n, bit);
        b.set(rest, n);
    });
    let v = b.get(product);
    let inverse = complex::map2(b, one, v, complex::div);
    let negative = cmp_with(b, CmpOp::Lt, exponent, 0.0);
    b.select(negative, inverse, v)
}
