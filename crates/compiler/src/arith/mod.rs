//! What Python's operators do, and which type they give.

use freeloom_ir as ir;

use crate::ast::{BinOp, CompareOp, UnaryOp};
use crate::diagnostic::Refusal;
use crate::operand::{Operand, Ty};

fn missing<T>(what: &str) -> Result<T, Refusal> {
    Err(Refusal::new(format!("{what} is not supported")))
}

/// `l op r`
pub fn binary(b: &mut ir::Builder, op: BinOp, l: &Operand, r: &Operand) -> Result<Operand, Refusal> {
    let _ = (b, l, r);
    missing(op.symbol())
}

/// `op x`
pub fn unary(b: &mut ir::Builder, op: UnaryOp, x: &Operand) -> Result<Operand, Refusal> {
    let _ = (b, op, x);
    missing("this operator")
}

/// `l op r` for comparisons.
pub fn compare(b: &mut ir::Builder, op: CompareOp, l: &Operand, r: &Operand) -> Result<Operand, Refusal> {
    let _ = (b, op, l, r);
    missing("this comparison")
}

/// The truth value that `if`, `and`, `not` see: a `bool`.
pub fn truth(b: &mut ir::Builder, x: &Operand) -> Result<Operand, Refusal> {
    let _ = (b, x);
    missing("this truth value")
}

/// The type of a variable that is assigned both.
pub fn join(a: &Ty, b: &Ty) -> Result<Ty, Refusal> {
    if a == b { Ok(a.clone()) } else { missing("a variable of two types") }
}

/// The value as type `to`, which must be a [`join`] of its type with another.
pub fn coerce(b: &mut ir::Builder, x: &Operand, to: &Ty) -> Result<ir::Value, Refusal> {
    convert(b, x, &to.storage())
}

/// The value as a declared type: results and assignments.
pub fn convert(b: &mut ir::Builder, x: &Operand, to: &ir::Type) -> Result<ir::Value, Refusal> {
    let _ = (b, x, to);
    missing("this conversion")
}

/// The value in the IR, of type `x.ty.storage()`.
pub fn materialise(b: &mut ir::Builder, x: &Operand) -> ir::Value {
    let _ = x;
    b.i64(0)
}

/// `ty(args…, name=value…)`
pub fn construct(
    b: &mut ir::Builder,
    ty: &ir::Type,
    args: &[Operand],
    kwargs: &[(String, Operand)],
) -> Result<Operand, Refusal> {
    let _ = (b, ty, args, kwargs);
    missing("this constructor")
}

/// `x.name`
pub fn attribute(b: &mut ir::Builder, x: &Operand, name: &str) -> Result<Operand, Refusal> {
    let _ = (b, x);
    missing(name)
}

/// `x[index]`
pub fn subscript(b: &mut ir::Builder, x: &Operand, index: &Operand) -> Result<Operand, Refusal> {
    let _ = (b, x, index);
    missing("this subscript")
}
