//! The well-known operators: which types they take and what they emit.
//!
//! Operands of different types meet in the type that NumPy promotes them to. `bool` follows NumPy: `PLUS` is
//! "or", `MULTIPLIES` is "and", subtraction and division are refused.

use freeloom_compiler::{Ty, arith};
use freeloom_ir::{BinaryOp, CmpOp, Scalar, Type, UnaryOp, Value};

use crate::OpKind;
use crate::error::{BuildError, Built};
use crate::kernel::Cx;

/// How an operator is computed.
enum Class {
    Identity,
    Unary(UnaryOp),
    LogicalNot,
    Arithmetic(BinaryOp),
    Compare(CmpOp),
    Logical(BinaryOp),
}

fn class(kind: OpKind) -> Class {
    match kind {
        OpKind::Plus => Class::Arithmetic(BinaryOp::Add),
        OpKind::Minus => Class::Arithmetic(BinaryOp::Sub),
        OpKind::Multiplies => Class::Arithmetic(BinaryOp::Mul),
        OpKind::Divides => Class::Arithmetic(BinaryOp::Div),
        OpKind::Modulus => Class::Arithmetic(BinaryOp::Rem),
        OpKind::EqualTo => Class::Compare(CmpOp::Eq),
        OpKind::NotEqualTo => Class::Compare(CmpOp::Ne),
        OpKind::Greater => Class::Compare(CmpOp::Gt),
        OpKind::Less => Class::Compare(CmpOp::Lt),
        OpKind::GreaterEqual => Class::Compare(CmpOp::Ge),
        OpKind::LessEqual => Class::Compare(CmpOp::Le),
        OpKind::LogicalAnd => Class::Logical(BinaryOp::And),
        OpKind::LogicalOr => Class::Logical(BinaryOp::Or),
        OpKind::LogicalNot => Class::LogicalNot,
        OpKind::BitAnd => Class::Arithmetic(BinaryOp::And),
        OpKind::BitOr => Class::Arithmetic(BinaryOp::Or),
        OpKind::BitXor => Class::Arithmetic(BinaryOp::Xor),
        OpKind::BitNot => Class::Unary(UnaryOp::Not),
        OpKind::Identity => Class::Identity,
        OpKind::Negate => Class::Unary(UnaryOp::Neg),
        OpKind::Minimum => Class::Arithmetic(BinaryOp::Min),
        OpKind::Maximum => Class::Arithmetic(BinaryOp::Max),
    }
}

/// Can operands be swapped and regrouped?
pub(super) fn is_commutative(kind: OpKind) -> bool {
    match class(kind) {
        Class::Arithmetic(op) => op.is_commutative() && op.is_associative(),
        Class::Logical(_) => true,
        _ => false,
    }
}

/// The operation that stands for `op` on `bool`, as in NumPy.
fn on_bool(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Add | BinaryOp::Max => BinaryOp::Or,
        BinaryOp::Mul | BinaryOp::Min => BinaryOp::And,
        _ => op,
    }
}

fn refuse<T>(op: OpKind, reason: String) -> Built<T> {
    Err(BuildError::Operator { op, reason })
}

/// Checks arity and types, and gives the result's type.
pub(super) fn result_type(kind: OpKind, params: &[Type]) -> Built<Type> {
    let class = class(kind);
    let arity = match class {
        Class::Identity | Class::Unary(_) | Class::LogicalNot => 1,
        _ => 2,
    };
    if params.len() != arity {
        let takes = if arity == 1 { "one value" } else { "two values" };
        return refuse(kind, format!("takes {takes}, but is applied to {}", params.len()));
    }
    if let (Class::Identity, [ty]) = (&class, params) {
        return Ok(ty.clone());
    }
    for ty in params {
        if ty.scalar().is_none() {
            let advice = "pass a Python function as the operator instead";
            return refuse(kind, format!("does not take values of type {ty}; {advice}"));
        }
    }
    let common = common_type(kind, params)?;
    let (allowed, result) = match class {
        Class::Identity | Class::LogicalNot | Class::Compare(_) | Class::Logical(_) => (true, Scalar::Bool),
        Class::Unary(op) => (op.domain().contains(common), common),
        Class::Arithmetic(op) if common == Scalar::Bool => (on_bool(op).domain().contains(common), common),
        Class::Arithmetic(op) => (op.domain().contains(common), common),
    };
    if !allowed {
        return refuse(
            kind,
            format!("does not take values of type {}{}", common.name(), alternative(kind, common)),
        );
    }
    Ok(Type::Scalar(result))
}

fn alternative(kind: OpKind, ty: Scalar) -> &'static str {
    match (kind, ty) {
        (OpKind::Minus, Scalar::Bool) => "; use OpKind.BIT_XOR",
        (OpKind::Negate, Scalar::Bool) => "; use OpKind.LOGICAL_NOT",
        _ => "",
    }
}

/// The type in which the operands meet.
fn common_type(kind: OpKind, params: &[Type]) -> Built<Scalar> {
    let mut common = Ty::Strong(params[0].clone());
    for ty in &params[1..] {
        match arith::join(&common, &Ty::Strong(ty.clone())) {
            Ok(joined) => common = joined,
            Err(_) => return refuse(kind, format!("does not take {} together with {ty}", params[0])),
        }
    }
    match common.storage().scalar() {
        Some(s) => Ok(s),
        None => refuse(kind, format!("does not take {}", common.storage())),
    }
}

/// Emits the operator. Types were checked by [`result_type`].
pub(super) fn emit(cx: &mut Cx<'_>, kind: OpKind, operands: &[Value]) -> Built<Value> {
    let class = class(kind);
    if let Class::Identity = class {
        return Ok(operands[0]);
    }
    let types: Vec<Type> = operands.iter().map(|v| cx.b.type_of(*v).clone()).collect();
    let common = common_type(kind, &types)?;
    let mut v = Vec::with_capacity(2);
    for operand in operands {
        v.push(cx.convert(*operand, &Type::Scalar(common), "op")?);
    }
    let b = &mut cx.b;
    Ok(match class {
        Class::Identity => v[0],
        Class::Unary(op) => b.unary(op, v[0]),
        Class::LogicalNot => {
            let truth = b.cast(v[0], Scalar::Bool);
            b.unary(UnaryOp::Not, truth)
        }
        Class::Arithmetic(op) => b.binary(if common == Scalar::Bool { on_bool(op) } else { op }, v[0], v[1]),
        Class::Compare(op) => b.cmp(op, v[0], v[1]),
        Class::Logical(op) => {
            let (x, y) = (b.cast(v[0], Scalar::Bool), b.cast(v[1], Scalar::Bool));
            b.binary(op, x, y)
        }
    })
}
