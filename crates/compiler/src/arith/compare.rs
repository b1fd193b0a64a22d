//! Comparisons and truth values.

use freeloom_ir::{BinaryOp, Builder, CmpOp, Scalar, Type, UnaryOp, Value};

use super::number::{Known, cast, int_range, known, materialise, nonzero, value};
use super::promote::{Num, number, promote, type_name};
use super::record;
use crate::ast::CompareOp;
use crate::diagnostic::Refusal;
use crate::operand::{Operand, Ty};

/// `l op r`, a `bool`.
///
/// # Errors
/// If Python or NumPy does not order or equate such values, or the operator is `is` or `in`.
pub fn compare(b: &mut Builder, op: CompareOp, l: &Operand, r: &Operand) -> Result<Operand, Refusal> {
    let op = match op {
        CompareOp::Eq => CmpOp::Eq,
        CompareOp::NotEq => CmpOp::Ne,
        CompareOp::Lt => CmpOp::Lt,
        CompareOp::LtE => CmpOp::Le,
        CompareOp::Gt => CmpOp::Gt,
        CompareOp::GtE => CmpOp::Ge,
        CompareOp::Is | CompareOp::IsNot => {
            return Err(
                Refusal::new("`is` compares objects, and values here are none").hint("use `==` or `!=`")
            );
        }
        CompareOp::In | CompareOp::NotIn => {
            return Err(Refusal::new("`in` is not supported").hint("write `x == a or x == b`"));
        }
    };
    if matches!(l.ty, Ty::Strong(Type::Array(_))) {
        return Err(Refusal::new("arrays compare item by item").hint("compare the items"));
    }
    compare_any(b, op, l, r)
}

fn compare_any(b: &mut Builder, op: CmpOp, l: &Operand, r: &Operand) -> Result<Operand, Refusal> {
    if Num::of(&l.ty).is_some() && Num::of(&r.ty).is_some() {
        return compare_numbers(b, op, l, r);
    }
    if record::is_tuple(l) && record::is_tuple(r) {
        return compare_tuples(b, op, l, r);
    }
    if l.ty == r.ty
        && matches!(op, CmpOp::Eq | CmpOp::Ne)
        && let (Some(x), Some(y)) = (record::items(b, l)?, record::items(b, r)?)
    {
        return equal_items(b, op, &x, &y);
    }
    Err(Refusal::new(format!("{} and {} cannot be compared", type_name(&l.ty), type_name(&r.ty)))
        .hint("compare their fields or items"))
}

/// Lexicographic, as in Python: the first items that differ decide, then the lengths.
fn compare_tuples(b: &mut Builder, op: CmpOp, l: &Operand, r: &Operand) -> Result<Operand, Refusal> {
    let x = record::items(b, l)?.unwrap_or_default();
    let y = record::items(b, r)?.unwrap_or_default();
    let mut result = bool_operand(compare_known(op, x.len().cmp(&y.len())));
    for (p, q) in x.iter().zip(&y).rev() {
        let differ = compare_any(b, CmpOp::Ne, p, q)?;
        let here = match op {
            CmpOp::Eq => bool_operand(false),
            CmpOp::Ne => bool_operand(true),
            _ => compare_any(b, op, p, q)?,
        };
        result = match differ.known_bool() {
            Some(true) => here,
            Some(false) => result,
            None => {
                let (c, t, f) = (materialise(b, &differ)?, materialise(b, &here)?, materialise(b, &result)?);
                Operand::strong(Type::BOOL, b.select(c, t, f))
            }
        };
    }
    Ok(result)
}

fn equal_items(b: &mut Builder, op: CmpOp, x: &[Operand], y: &[Operand]) -> Result<Operand, Refusal> {
    let mut all = materialise(b, &bool_operand(true))?;
    for (p, q) in x.iter().zip(y) {
        let same = compare_any(b, CmpOp::Eq, p, q)?;
        let same = materialise(b, &same)?;
        all = b.binary(BinaryOp::And, all, same);
    }
    let v = if op == CmpOp::Ne { b.unary(UnaryOp::Not, all) } else { all };
    Ok(Operand::strong(Type::BOOL, v))
}

pub(crate) fn bool_operand(v: bool) -> Operand {
    Known::Bool(v).operand(Num::BOOL)
}

fn compare_known(op: CmpOp, order: std::cmp::Ordering) -> bool {
    match op {
        CmpOp::Eq => order.is_eq(),
        CmpOp::Ne => order.is_ne(),
        CmpOp::Lt => order.is_lt(),
        CmpOp::Le => order.is_le(),
        CmpOp::Gt => order.is_gt(),
        CmpOp::Ge => order.is_ge(),
    }
}

fn compare_numbers(b: &mut Builder, op: CmpOp, l: &Operand, r: &Operand) -> Result<Operand, Refusal> {
    let (ln, rn) = (number(l)?, number(r)?);
    let num = promote(ln, rn);
    let integral = |n: Num| n.is_int() || n.is_bool();
    if integral(ln) && integral(rn) {
        return compare_integers(b, op, l, r, (ln.scalar(), rn.scalar()));
    }
    if num.is_complex() {
        return compare_complex(b, op, l, r, num);
    }
    if let (Num::WeakFloat, Some(x), Some(y)) = (num, known(l), known(r)) {
        let (x, y) = (x.parts().0, y.parts().0);
        let held = x.partial_cmp(&y).map_or(op == CmpOp::Ne, |order| compare_known(op, order));
        return Ok(bool_operand(held));
    }
    let (x, y) = (value(b, l, num)?, value(b, r, num)?);
    Ok(Operand::strong(Type::BOOL, b.cmp(op, x, y)))
}

fn compare_complex(
    b: &mut Builder,
    op: CmpOp,
    l: &Operand,
    r: &Operand,
    num: Num,
) -> Result<Operand, Refusal> {
    let joiner = match op {
        CmpOp::Eq => BinaryOp::And,
        CmpOp::Ne => BinaryOp::Or,
        _ => {
            return Err(Refusal::new("complex numbers have no order")
                .hint("compare `.real`, `.imag` or `abs()` of them"));
        }
    };
    let (x, y) = (value(b, l, num)?, value(b, r, num)?);
    let parts = [0, 1].map(|i| {
        let (p, q) = (b.extract(x, i), b.extract(y, i));
        b.cmp(op, p, q)
    });
    Ok(Operand::strong(Type::BOOL, b.binary(joiner, parts[0], parts[1])))
}

/// Integers and bools compare by value, whatever their types.
fn compare_integers(
    b: &mut Builder,
    op: CmpOp,
    l: &Operand,
    r: &Operand,
    (ls, rs): (Scalar, Scalar),
) -> Result<Operand, Refusal> {
    match (known(l).and_then(Known::int), known(r).and_then(Known::int)) {
        (Some(x), Some(y)) => return Ok(bool_operand(compare_known(op, x.cmp(&y)))),
        (None, Some(c)) => return compare_with_int(b, op, l, ls, c),
        (Some(c), None) => return compare_with_int(b, swapped(op), r, rs, c),
        (None, None) => {}
    }
    let (x, y) = (materialise(b, l)?, materialise(b, r)?);
    let common = promote(Num::Real(ls), Num::Real(rs));
    let v = if common.is_float() {
        if ls.is_signed() { compare_mixed(b, op, x, y) } else { compare_mixed(b, swapped(op), y, x) }
    } else {
        let (x, y) = (cast(b, x, common), cast(b, y, common));
        b.cmp(op, x, y)
    };
    Ok(Operand::strong(Type::BOOL, v))
}

/// A run-time integer of type `s` against a known one.
fn compare_with_int(b: &mut Builder, op: CmpOp, x: &Operand, s: Scalar, c: i128) -> Result<Operand, Refusal> {
    let s_or_wider = if s == Scalar::Bool { Scalar::I64 } else { s };
    let (min, max) = int_range(s_or_wider);
    if c < min {
        return Ok(bool_operand(compare_known(op, std::cmp::Ordering::Greater)));
    }
    if c > max {
        return Ok(bool_operand(compare_known(op, std::cmp::Ordering::Less)));
    }
    let v = materialise(b, x)?;
    let v = b.cast(v, s_or_wider);
    let c = b.constant(Known::Int(c).to_scalar(s_or_wider));
    Ok(Operand::strong(Type::BOOL, b.cmp(op, v, c)))
}

/// A signed integer against a `uint64`.
fn compare_mixed(b: &mut Builder, op: CmpOp, signed: Value, unsigned: Value) -> Value {
    let x = b.cast(signed, Scalar::I64);
    let zero = b.i64(0);
    let negative = b.cmp(CmpOp::Lt, x, zero);
    let x = b.cast(x, Scalar::U64);
    let v = b.cmp(op, x, unsigned);
    if matches!(op, CmpOp::Ne | CmpOp::Lt | CmpOp::Le) {
        return b.binary(BinaryOp::Or, negative, v);
    }
    let natural = b.unary(UnaryOp::Not, negative);
    b.binary(BinaryOp::And, natural, v)
}

/// The operator with its operands exchanged.
fn swapped(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Lt => CmpOp::Gt,
        CmpOp::Le => CmpOp::Ge,
        CmpOp::Gt => CmpOp::Lt,
        CmpOp::Ge => CmpOp::Le,
        CmpOp::Eq | CmpOp::Ne => op,
    }
}

/// The truth value that `if`, `and` and `not` see: a `bool`.
///
/// # Errors
/// If the value is a record or an array.
pub fn truth(b: &mut Builder, x: &Operand) -> Result<Operand, Refusal> {
    if let Some(k) = known(x) {
        return Ok(bool_operand(k.is_true()));
    }
    if record::is_tuple(x) {
        return Ok(bool_operand(x.ty.storage().component_count() > 0));
    }
    if Num::of(&x.ty).is_none() {
        return Err(Refusal::new(format!("{} has no truth value", type_name(&x.ty)))
            .hint("compare one of its fields"));
    }
    let v = materialise(b, x)?;
    Ok(Operand::strong(Type::BOOL, nonzero(b, v)))
}
