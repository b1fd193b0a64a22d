//! Integer arithmetic: everything wraps, division by zero gives 0.

use freeloom_ir::{BinaryOp, Builder, CmpOp, Const, Rounds, Scalar, Stmt, Type, UnaryOp, Value};

use super::number::{cmp_with, same};

/// Is the remainder `r` not zero and its sign not that of the divisor?
fn needs_floor(b: &mut Builder, r: Value, divisor: Value) -> Value {
    let nonzero = cmp_with(b, CmpOp::Ne, r, 0.0);
    let signs = b.binary(BinaryOp::Xor, r, divisor);
    let differ = cmp_with(b, CmpOp::Lt, signs, 0.0);
    b.binary(BinaryOp::And, nonzero, differ)
}

fn is_signed(b: &Builder, v: Value) -> bool {
    b.type_of(v).scalar().is_some_and(|s| s.is_signed())
}

/// Quotient rounded towards −∞.
pub(crate) fn floor_div(b: &mut Builder, x: Value, y: Value) -> Value {
    let q = b.binary(BinaryOp::Div, x, y);
    if !is_signed(b, x) {
        return q;
    }
    let r = b.binary(BinaryOp::Rem, x, y);
    let adjust = needs_floor(b, r, y);
    let one = same(b, q, 1.0);
    let less = b.binary(BinaryOp::Sub, q, one);
    b.select(adjust, less, q)
}

/// Remainder with the sign of the divisor.
pub(crate) fn modulo(b: &mut Builder, x: Value, y: Value) -> Value {
    let r = b.binary(BinaryOp::Rem, x, y);
    if !is_signed(b, x) {
        return r;
    }
    let adjust = needs_floor(b, r, y);
    let moved = b.binary(BinaryOp::Add, r, y);
    b.select(adjust, moved, r)
}

/// Greatest common divisor.
pub(crate) fn gcd(b: &mut Builder, x: Value, y: Value) -> Value {
    let ty = b.type_of(x).clone();
    let (m, n) = (b.var("m", ty.clone()), b.var("n", ty));
    b.set(m, x);
    b.set(n, y);
    b.endless(|b| {
        let divisor = b.get(n);
        let done = cmp_with(b, CmpOp::Eq, divisor, 0.0);
        b.if_else(done, |b| b.push(Stmt::Break), |_| ());
        let dividend = b.get(m);
        let rest = b.binary(BinaryOp::Rem, dividend, divisor);
        b.set(m, divisor);
        b.set(n, rest);
    });
    let last = b.get(m);
    if is_signed(b, last) { b.unary(UnaryOp::Abs, last) } else { last }
}

/// Least common multiple; 0 if either is 0. The sizes are multiplied as unsigned numbers, as NumPy does.
pub(crate) fn lcm(b: &mut Builder, x: Value, y: Value) -> Value {
    let from = b.type_of(x).scalar().unwrap_or(Scalar::I64);
    let (x, y) = (magnitude(b, x), magnitude(b, y));
    let divisor = gcd(b, x, y);
    let part = b.binary(BinaryOp::Div, x, divisor);
    let product = b.binary(BinaryOp::Mul, part, y);
    b.cast(product, from)
}

/// The absolute value, in the unsigned type of the same width.
pub(crate) fn magnitude(b: &mut Builder, x: Value) -> Value {
    let unsigned = match b.type_of(x).scalar() {
        Some(Scalar::I8) => Scalar::U8,
        Some(Scalar::I16) => Scalar::U16,
        Some(Scalar::I32) => Scalar::U32,
        Some(Scalar::I64) => Scalar::U64,
        _ => return x,
    };
    let size = b.unary(UnaryOp::Abs, x);
    b.cast(size, unsigned)
}

/// Integer square root of a `u64`.
pub(crate) fn isqrt(b: &mut Builder, x: Value) -> Value {
    let wide = b.cast(x, Scalar::F64);
    let root = b.unary(UnaryOp::Sqrt, wide);
    let root = b.cast(root, Scalar::U64);
    let greatest = b.constant(Const::int(Scalar::U64, i128::from(u32::MAX)));
    let root = b.binary(BinaryOp::Min, root, greatest);
    let square = b.binary(BinaryOp::Mul, root, root);
    let above = b.cmp(CmpOp::Gt, square, x);
    let one = same(b, root, 1.0);
    let less = b.binary(BinaryOp::Sub, root, one);
    let positive = cmp_with(b, CmpOp::Gt, root, 0.0);
    let above = b.binary(BinaryOp::And, above, positive);
    let root = b.select(above, less, root);
    let next = b.binary(BinaryOp::Add, root, one);
    let next = b.binary(BinaryOp::Min, next, greatest);
    let square = b.binary(BinaryOp::Mul, next, next);
    let fits = b.cmp(CmpOp::Le, square, x);
    b.select(fits, next, root)
}

/// `n!` of a `u64`, an `i64` that wraps.
pub(crate) fn factorial(b: &mut Builder, n: Value) -> Value {
    let product = b.var("product", Type::I64);
    let one = b.i64(1);
    b.set(product, one);
    // 66! is divisible by 2^64: from there on the product stays 0.
    let last = b.constant(Const::int(Scalar::U64, 66));
    let last = b.binary(BinaryOp::Min, n, last);
    let last = b.cast(last, Scalar::I64);
    let end = b.binary(BinaryOp::Add, last, one);
    b.for_range(one, end, Rounds::Ordered, |b, i| {
        let so_far = b.get(product);
        let next = b.binary(BinaryOp::Mul, so_far, i);
        b.set(product, next);
    });
    b.get(product)
}
