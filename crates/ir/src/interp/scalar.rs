//! Operations on scalar constants. All are total on their domain; outside of it the answer is `None`.

use half::f16;

use super::float::{binary as float_binary, next_after_f16, unary as float_unary};
use crate::op::{BinaryOp, CmpOp, Const, UnaryOp};
use crate::types::Scalar;

/// One-operand arithmetic.
pub fn unary(op: UnaryOp, a: Const) -> Option<Const> {
    if !op.domain().contains(a.ty) {
        return None;
    }
    match a.ty {
        Scalar::F16 => float_unary::f32(op, f32_of(a)).map(|v| Const::float(Scalar::F16, v.into())),
        Scalar::F32 => float_unary::f32(op, f32_of(a)).map(f32_const),
        Scalar::F64 => float_unary::f64(op, f64::from_bits(a.bits)).map(f64_const),
        Scalar::Bool => (op == UnaryOp::Not).then(|| Const::bool(a.bits == 0)),
        ty => int_unary(op, a).map(|v| Const::int(ty, v)),
    }
}

/// Two-operand arithmetic.
pub fn binary(op: BinaryOp, a: Const, b: Const) -> Option<Const> {
    if a.ty != b.ty || !op.domain().contains(a.ty) {
        return None;
    }
    match a.ty {
        Scalar::F16 if op == BinaryOp::NextAfter => {
            let next = next_after_f16(f16::from_bits(a.bits as u16), f16::from_bits(b.bits as u16));
            Some(Const { ty: Scalar::F16, bits: next.to_bits().into() })
        }
        Scalar::F16 => {
            float_binary::f32(op, f32_of(a), f32_of(b)).map(|v| Const::float(Scalar::F16, v.into()))
        }
        Scalar::F32 => float_binary::f32(op, f32_of(a), f32_of(b)).map(f32_const),
        Scalar::F64 => float_binary::f64(op, f64::from_bits(a.bits), f64::from_bits(b.bits)).map(f64_const),
        ty => int_binary(op, a, b).map(|v| Const::int(ty, v)),
    }
}

/// Comparison.
pub fn cmp(op: CmpOp, a: Const, b: Const) -> Option<bool> {
    if a.ty != b.ty {
        return None;
    }
    let order = match a.ty.is_float() {
        true => a.as_float().partial_cmp(&b.as_float()),
        false => Some(a.as_int().cmp(&b.as_int())),
    };
    Some(match (op, order) {
        (op, None) => op == CmpOp::Ne,
        (CmpOp::Eq, Some(o)) => o.is_eq(),
        (CmpOp::Ne, Some(o)) => o.is_ne(),
        (CmpOp::Lt, Some(o)) => o.is_lt(),
        (CmpOp::Le, Some(o)) => o.is_le(),
        (CmpOp::Gt, Some(o)) => o.is_gt(),
        (CmpOp::Ge, Some(o)) => o.is_ge(),
    })
}

/// Conversion between scalars.
pub fn cast(a: Const, to: Scalar) -> Const {
    match (a.ty.is_float(), to) {
        (true, Scalar::Bool) => Const::bool(a.as_float() != 0.0),
        (false, Scalar::Bool) => Const::bool(a.bits != 0),
        (true, to) if to.is_float() => Const::float(to, a.as_float()),
        (true, to) => Const::int(to, saturate(a.as_float(), to)),
        (false, Scalar::F32) => f32_const(a.as_int() as f32),
        (false, to) if to.is_float() => Const::float(to, a.as_int() as f64),
        (false, to) => Const::int(to, a.as_int()),
    }
}

/// The same bits as another type of the same size.
pub fn bitcast(a: Const, to: Scalar) -> Const {
    Const { ty: to, bits: a.bits }
}

/// A scalar from its bytes in memory: any `bool` that is not 0 is true.
pub fn from_memory(ty: Scalar, bits: u64) -> Const {
    match ty {
        Scalar::Bool => Const::bool(bits != 0),
        _ => Const { ty, bits },
    }
}

fn saturate(v: f64, to: Scalar) -> i128 {
    let (bits, signed) = (to.bits(), to.is_signed());
    let (least, greatest) = match signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    (v as i128).clamp(least, greatest)
}

fn f32_of(a: Const) -> f32 {
    match a.ty {
        Scalar::F16 => f16::from_bits(a.bits as u16).to_f32(),
        _ => f32::from_bits(a.bits as u32),
    }
}

fn f32_const(v: f32) -> Const {
    Const { ty: Scalar::F32, bits: v.to_bits().into() }
}

fn f64_const(v: f64) -> Const {
    Const { ty: Scalar::F64, bits: v.to_bits() }
}

fn int_unary(op: UnaryOp, a: Const) -> Option<i128> {
    let v = a.as_int();
    match op {
        UnaryOp::Neg => Some(-v),
        UnaryOp::Not => Some(!v),
        UnaryOp::Abs => Some(v.abs()),
        UnaryOp::PopCount => Some(a.bits.count_ones().into()),
        UnaryOp::LeadingZeros => Some((a.bits.leading_zeros() + a.ty.bits() - 64).into()),
        _ => None,
    }
}

/// In 128 bits nothing overflows but the product, whose low bits are right all the same.
fn int_binary(op: BinaryOp, a: Const, b: Const) -> Option<i128> {
    let (x, y) = (a.as_int(), b.as_int());
    let count = b.bits.min(127) as u32;
    let whole = b.bits >= u64::from(a.ty.bits());
    match op {
        BinaryOp::Add => Some(x + y),
        BinaryOp::Sub => Some(x - y),
        BinaryOp::Mul => Some(x.wrapping_mul(y)),
        BinaryOp::Div => Some(x.checked_div(y).unwrap_or(0)),
        BinaryOp::Rem => Some(x.checked_rem(y).unwrap_or(0)),
        BinaryOp::And => Some(x & y),
        BinaryOp::Or => Some(x | y),
        BinaryOp::Xor => Some(x ^ y),
        BinaryOp::Shl => Some(if whole { 0 } else { x << count }),
        BinaryOp::Shr => Some(x >> count),
        BinaryOp::Min => Some(x.min(y)),
        BinaryOp::Max => Some(x.max(y)),
        _ => None,
    }
}
