//! Methods of numbers.

use freeloom_ir::{BinaryOp, Builder, Scalar, Type, UnaryOp};

use super::args::{Call, Outcome};
use super::builtins::to_weak;
use crate::arith::promote::{Num, number};
use crate::arith::{Known, compare, complex, floating, materialise, type_name};
use crate::diagnostic::Refusal;
use crate::operand::{Operand, Ty};

/// `x.name(args…)`
///
/// # Errors
/// If there is no such method or it does not take such arguments.
pub fn method(b: &mut Builder, x: &Operand, name: &str, args: &[Operand]) -> Result<Operand, Refusal> {
    let mut c = Call { b, name: format!("{}.{name}", type_name(&x.ty)), args, kwargs: &[] };
    let Some(num) = Num::of(&x.ty) else {
        return Err(c.refusal("is not supported"));
    };
    if name == "round" {
        let mut all = vec![x.clone()];
        all.extend_from_slice(args);
        let mut c = Call { b: c.b, name: c.name, args: &all, kwargs: &[] };
        return super::numpy::call(&mut c, "round");
    }
    let [] = c.exactly()?;
    match name {
        "conjugate" | "conj" => conjugate(&mut c, x),
        "item" => item(&mut c, x, num),
        "is_integer" if !num.is_complex() => is_integer(&mut c, x, num),
        "bit_count" if num.is_int() => bit_count(&mut c, x, num),
        "bit_length" if num == Num::WeakInt => bit_length(&mut c, x),
        _ => Err(c.refusal("is not supported")),
    }
}

pub(crate) fn conjugate(c: &mut Call<'_>, x: &Operand) -> Outcome {
    let num = number(x)?;
    if !num.is_complex() {
        return Ok(x.clone());
    }
    let v = materialise(c.b, x)?;
    Ok(Operand::new(num.ty(), complex::map(c.b, v, complex::conjugate)))
}

/// The Python number of a NumPy scalar.
fn item(c: &mut Call<'_>, x: &Operand, num: Num) -> Outcome {
    match num {
        _ if num.is_bool() => Ok(x.clone()),
        _ if num.is_int() => to_weak(c, x, Num::WeakInt),
        _ if num.is_float() => to_weak(c, x, Num::WeakFloat),
        _ => to_weak(c, x, Num::WeakComplex),
    }
}

fn is_integer(c: &mut Call<'_>, x: &Operand, num: Num) -> Outcome {
    if !num.is_float() {
        return Ok(compare::bool_operand(true));
    }
    let v = materialise(c.b, x)?;
    let whole = c.b.unary(UnaryOp::Trunc, v);
    let whole = c.b.cmp(freeloom_ir::CmpOp::Eq, whole, v);
    let finite = floating::is_finite(c.b, v);
    Ok(Operand::strong(Type::BOOL, c.b.binary(BinaryOp::And, whole, finite)))
}

/// One bits of the absolute value.
pub(crate) fn bit_count(c: &mut Call<'_>, x: &Operand, num: Num) -> Outcome {
    if let Some(v) = x.known_int() {
        return Ok(Known::Int(v.unsigned_abs().count_ones().into()).operand(Num::WeakInt));
    }
    let v = materialise(c.b, x)?;
    let v = if num.scalar().is_signed() { c.b.unary(UnaryOp::Abs, v) } else { v };
    let v = c.b.unary(UnaryOp::PopCount, v);
    Ok(Operand::new(Ty::WeakInt, c.b.cast(v, Scalar::I64)))
}

fn bit_length(c: &mut Call<'_>, x: &Operand) -> Outcome {
    if let Some(v) = x.known_int() {
        let bits = 128 - v.unsigned_abs().leading_zeros();
        return Ok(Known::Int(bits.into()).operand(Num::WeakInt));
    }
    let v = materialise(c.b, x)?;
    let v = c.b.unary(UnaryOp::Abs, v);
    let zeros = c.b.unary(UnaryOp::LeadingZeros, v);
    let width = c.b.i64(64);
    Ok(Operand::new(Ty::WeakInt, c.b.binary(BinaryOp::Sub, width, zeros)))
}
