//! Arithmetic on known numbers, so that `range(2 * 3)` and `t[-1]` see their values.

use super::number::{Known, beyond_128_bits, check_range, known};
use super::promote::{Num, number};
use crate::ast::{BinOp, UnaryOp};
use crate::diagnostic::Refusal;
use crate::operand::Operand;

/// `l op r` of type `num` if both are known and the result is worth knowing.
pub(crate) fn binary(op: BinOp, l: &Operand, r: &Operand, num: Num) -> Result<Option<Operand>, Refusal> {
    let shifts = matches!(op, BinOp::LShift | BinOp::RShift);
    if shifts && number(l)?.is_weak() && number(r)?.is_weak() && r.known_int().is_some_and(|n| n < 0) {
        return Err(Refusal::new("negative shift count").hint("shift in the other direction"));
    }
    let (Some(x), Some(y)) = (known(l), known(r)) else { return Ok(None) };
    if num != Num::WeakInt {
        check_range(l, num)?;
        check_range(r, num)?;
    }
    let result = match (x.int(), y.int()) {
        (Some(x), Some(y)) if num == Num::WeakInt => python_int(op, x, y)?.map(Known::Int),
        (Some(x), Some(y)) if num.is_int() => int(op, x, y, num).map(Known::Int),
        (Some(x), Some(y)) if num == Num::WeakFloat && op == BinOp::Div => Some(Known::Float(quotient(x, y))),
        (Some(x), Some(y)) if num.is_bool() => bool(op, x != 0, y != 0).map(Known::Bool),
        _ if matches!(num, Num::WeakFloat | Num::Real(freeloom_ir::Scalar::F64)) => {
            float(op, x.parts().0, y.parts().0).map(Known::Float)
        }
        _ => None,
    };
    Ok(result.map(|k| k.operand(num)))
}

/// Python `int`s are exact while they are known. A negative power is no `int`.
fn python_int(op: BinOp, x: i128, y: i128) -> Result<Option<i128>, Refusal> {
    let exact = match (op, x) {
        (BinOp::Pow, _) if y < 0 => return Ok(None),
        (BinOp::Pow | BinOp::LShift, 0) if y > 0 => Some(0),
        (BinOp::Pow, 1) => Some(1),
        (BinOp::Pow, -1) => Some(if y % 2 == 0 { 1 } else { -1 }),
        (BinOp::RShift, _) => Some(x >> y.clamp(0, 127)),
        _ => int(op, x, y, Num::WeakInt),
    };
    exact.map(Some).ok_or_else(beyond_128_bits)
}

/// `x / y`, rounded once.
fn quotient(x: i128, y: i128) -> f64 {
    let (dividend, divisor) = (x.unsigned_abs(), y.unsigned_abs());
    if divisor == 0 {
        return x as f64 / 0.0;
    }
    let (mut q, mut rest) = (dividend / divisor, dividend % divisor);
    let mut scale = 1.0;
    while q < 1 << 60 && rest > 0 {
        // `rest` is less than the divisor, which is at most 2^127.
        let bit = u128::from(rest * 2 >= divisor);
        rest = rest * 2 - bit * divisor;
        q = q * 2 + bit;
        scale /= 2.0;
    }
    // The last bit stands for everything below it, which decides ties.
    let size = (q | u128::from(rest > 0)) as f64 * scale;
    if (x < 0) == (y < 0) { size } else { -size }
}

/// NumPy's integers wrap when the result becomes one.
fn int(op: BinOp, x: i128, y: i128, num: Num) -> Option<i128> {
    let count = u32::try_from(y).ok();
    let in_width = count.filter(|n| *n < if num.is_weak() { 127 } else { num.scalar().bits() });
    match op {
        BinOp::Add => x.checked_add(y),
        BinOp::Sub => x.checked_sub(y),
        BinOp::Mult => x.checked_mul(y),
        BinOp::FloorDiv if y == 0 => Some(0),
        BinOp::Mod if y == 0 => Some(0),
        BinOp::FloorDiv => {
            let q = x.checked_div(y)?;
            Some(if x % y != 0 && (x < 0) != (y < 0) { q - 1 } else { q })
        }
        BinOp::Mod => {
            let r = x.checked_rem(y)?;
            Some(if r != 0 && (r < 0) != (y < 0) { r + y } else { r })
        }
        BinOp::Pow => x.checked_pow(count?),
        BinOp::LShift => x.checked_mul(1i128.checked_shl(in_width?)?),
        BinOp::RShift => Some(x >> in_width?),
        BinOp::BitAnd => Some(x & y),
        BinOp::BitOr => Some(x | y),
        BinOp::BitXor => Some(x ^ y),
        BinOp::Div | BinOp::MatMult => None,
    }
}

fn bool(op: BinOp, x: bool, y: bool) -> Option<bool> {
    match op {
        BinOp::Add | BinOp::BitOr => Some(x | y),
        BinOp::Mult | BinOp::BitAnd => Some(x & y),
        BinOp::BitXor => Some(x ^ y),
        _ => None,
    }
}

fn float(op: BinOp, x: f64, y: f64) -> Option<f64> {
    match op {
        BinOp::Add => Some(x + y),
        BinOp::Sub => Some(x - y),
        BinOp::Mult => Some(x * y),
        BinOp::Div => Some(x / y),
        _ => None,
    }
}

/// `op x` of a known number; only `-` and `~` come here.
pub(crate) fn unary(op: UnaryOp, x: Known, num: Num) -> Option<Operand> {
    let k = match (op, x) {
        (UnaryOp::USub, Known::Int(v)) => Known::Int(v.checked_neg()?),
        (UnaryOp::USub, Known::Float(v)) => Known::Float(-v),
        (UnaryOp::USub, Known::Complex(re, im)) => Known::Complex(-re, -im),
        (UnaryOp::Invert, Known::Int(v)) => Known::Int(!v),
        (UnaryOp::Invert, Known::Bool(v)) => Known::Bool(!v),
        _ => return None,
    };
    Some(k.operand(num))
}
