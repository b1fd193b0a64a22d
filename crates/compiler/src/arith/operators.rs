//! `+`, `-`, `~` and their like on numbers.

use freeloom_ir::{BinaryOp, Builder, Value};

use super::complex;
use super::floating::{div_mod, in_float32};
use super::fold;
use super::integer::{floor_div, modulo};
use super::number::{known, materialise, value};
use super::power::power;
use super::promote::{Num, number, result_type, type_name};
use super::{compare, record};
use crate::ast::{BinOp, UnaryOp};
use crate::diagnostic::Refusal;
use crate::operand::Operand;

/// `l op r`
///
/// # Errors
/// If NumPy has no such operator for these types, or a known `int` does not fit the other operand's type.
pub fn binary(b: &mut Builder, op: BinOp, l: &Operand, r: &Operand) -> Result<Operand, Refusal> {
    if op == BinOp::Add && record::is_tuple(l) && record::is_tuple(r) {
        let mut items = record::items(b, l)?.unwrap_or_default();
        items.extend(record::items(b, r)?.unwrap_or_default());
        return Ok(Operand::tuple(items));
    }
    let (Some(ln), Some(rn)) = (Num::of(&l.ty), Num::of(&r.ty)) else {
        return Err(unsupported(op, l, r).hint("compute with the fields or items, which are numbers"));
    };
    let Some(num) = result_type(op, ln, rn) else {
        return Err(unsupported(op, l, r).hint(advice(op, ln, rn)));
    };
    if let Some(folded) = fold::binary(op, l, r, num)? {
        return Ok(folded);
    }
    if op == BinOp::Pow {
        return power(b, l, r, num);
    }
    let (x, y) = (value(b, l, num)?, value(b, r, num)?);
    Ok(Operand::new(num.ty(), emit(b, op, num, x, y)))
}

fn unsupported(op: BinOp, l: &Operand, r: &Operand) -> Refusal {
    let (op, l, r) = (op.symbol(), type_name(&l.ty), type_name(&r.ty));
    Refusal::new(format!("`{op}` is not supported between {l} and {r}"))
}

fn advice(op: BinOp, l: Num, r: Num) -> &'static str {
    match op {
        BinOp::MatMult => "write the sum of products",
        BinOp::Sub => "use `^` or `!=`, or convert a bool with `int()`",
        BinOp::FloorDiv | BinOp::Mod => "complex numbers have `/` only",
        _ if l.is_int() && r.is_int() => {
            "uint64 and signed integers have no common integer type: convert one"
        }
        _ => "convert the operands to integers",
    }
}

/// The operation on two values of one type, except `**`.
fn emit(b: &mut Builder, op: BinOp, num: Num, x: Value, y: Value) -> Value {
    use BinOp::*;
    if num.is_complex() {
        return complex::map2(b, x, y, |b, x, y| match op {
            Add => complex::add(b, x, y),
            Sub => complex::sub(b, x, y),
            Mult => complex::mul(b, x, y),
            _ => complex::div(b, x, y),
        });
    }
    match op {
        Add if num.is_bool() => b.binary(BinaryOp::Or, x, y),
        Mult if num.is_bool() => b.binary(BinaryOp::And, x, y),
        Add => b.binary(BinaryOp::Add, x, y),
        Sub => b.binary(BinaryOp::Sub, x, y),
        Mult => b.binary(BinaryOp::Mul, x, y),
        Div => b.binary(BinaryOp::Div, x, y),
        FloorDiv if num.is_int() => floor_div(b, x, y),
        Mod if num.is_int() => modulo(b, x, y),
        FloorDiv => in_float32(b, &[x, y], |b, v| div_mod(b, v[0], v[1]).0),
        Mod => in_float32(b, &[x, y], |b, v| div_mod(b, v[0], v[1]).1),
        LShift => b.binary(BinaryOp::Shl, x, y),
        RShift => b.binary(BinaryOp::Shr, x, y),
        BitAnd => b.binary(BinaryOp::And, x, y),
        BitOr => b.binary(BinaryOp::Or, x, y),
        BitXor => b.binary(BinaryOp::Xor, x, y),
        Pow | MatMult => x,
    }
}

/// `op x`
///
/// # Errors
/// If NumPy has no such operator for the type.
pub fn unary(b: &mut Builder, op: UnaryOp, x: &Operand) -> Result<Operand, Refusal> {
    if op == UnaryOp::Not {
        return not(b, x);
    }
    let num = number(x)?;
    let refuse = |hint: &str| {
        let symbol = ["~", "+", "-"][usize::from(op == UnaryOp::UAdd) + 2 * usize::from(op == UnaryOp::USub)];
        Err(Refusal::new(format!("unary `{symbol}` is not supported for {}", type_name(&x.ty))).hint(hint))
    };
    match op {
        UnaryOp::Invert if !num.is_int() && !num.is_bool() => return refuse("convert it to an integer"),
        UnaryOp::UAdd | UnaryOp::USub if num.is_bool() => {
            return refuse("use `not`, or convert it with `int()`");
        }
        UnaryOp::UAdd => return Ok(x.clone()),
        _ => {}
    }
    if let Some(folded) = known(x).and_then(|k| fold::unary(op, k, num)) {
        return Ok(folded);
    }
    let v = materialise(b, x)?;
    let v = match op {
        UnaryOp::Invert => b.unary(freeloom_ir::UnaryOp::Not, v),
        _ if num.is_complex() => complex::map(b, v, complex::neg),
        _ => b.unary(freeloom_ir::UnaryOp::Neg, v),
    };
    Ok(Operand::new(num.ty(), v))
}

fn not(b: &mut Builder, x: &Operand) -> Result<Operand, Refusal> {
    let x = compare::truth(b, x)?;
    if let Some(v) = x.known_bool() {
        return Ok(compare::bool_operand(!v));
    }
    let v = materialise(b, &x)?;
    Ok(Operand::strong(freeloom_ir::Type::BOOL, b.unary(freeloom_ir::UnaryOp::Not, v)))
}

/// `divmod(l, r)`
///
/// # Errors
/// As [`binary`] for `//`.
pub(crate) fn divmod(b: &mut Builder, l: &Operand, r: &Operand) -> Result<Operand, Refusal> {
    let (q, m) = (binary(b, BinOp::FloorDiv, l, r)?, binary(b, BinOp::Mod, l, r)?);
    Ok(Operand::tuple(vec![q, m]))
}
