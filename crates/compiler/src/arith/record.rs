//! Records, tuples and sub-arrays: construction, attributes, subscripts.

use freeloom_ir::{BinaryOp, Builder, CmpOp, Const, Fail, Scalar, StructType, Type, Value};

use super::convert::{coerce, convert};
use super::number::{Known, const_value, known, known_as, materialise};
use super::promote::{Num, join, real_number, strong_name, type_name};
use super::{compare, number};
use crate::diagnostic::Refusal;
use crate::function::ConstValue;
use crate::operand::{Operand, Repr, Ty};

/// Is it a tuple?
pub(crate) fn is_tuple(x: &Operand) -> bool {
    matches!(x.ty, Ty::Tuple(_) | Ty::Strong(Type::Tuple(_)))
}

/// The components of a tuple, record or sub-array; `None` for everything else.
///
/// # Errors
/// If a known `int` in it does not fit.
pub(crate) fn items(b: &mut Builder, x: &Operand) -> Result<Option<Vec<Operand>>, Refusal> {
    if let Repr::Tuple(items) = &x.repr {
        return Ok(Some(items.clone()));
    }
    let types: Vec<Ty> = match &x.ty {
        Ty::Tuple(types) => types.clone(),
        Ty::Strong(ty @ (Type::Tuple(_) | Type::Struct(_) | Type::Array(_))) => {
            (0..ty.component_count()).filter_map(|i| ty.component(i)).map(|(ty, _)| Ty::Strong(ty)).collect()
        }
        _ => return Ok(None),
    };
    types.into_iter().enumerate().map(|(i, ty)| item(b, x, i, ty)).collect::<Result<_, _>>().map(Some)
}

/// Component `i`, whose type is `ty`.
fn item(b: &mut Builder, x: &Operand, i: usize, ty: Ty) -> Result<Operand, Refusal> {
    Ok(match &x.repr {
        Repr::Tuple(items) if i < items.len() => items[i].clone(),
        Repr::Const(ConstValue::Tuple(items) | ConstValue::Record(_, items)) => {
            let part = items.get(i);
            match (part.and_then(Known::of), Num::of(&ty)) {
                (Some(k), Some(num)) => k.operand(num),
                _ => {
                    let v = const_value(b, part, &ty.storage())?;
                    Operand::new(ty, v)
                }
            }
        }
        _ => {
            let whole = materialise(b, x)?;
            Operand::new(ty, b.extract(whole, i))
        }
    })
}

/// `ty(args…, name=value…)`: a NumPy scalar or a record.
///
/// # Errors
/// If the arguments do not make such a value.
pub fn construct(
    b: &mut Builder,
    ty: &Type,
    args: &[Operand],
    kwargs: &[(String, Operand)],
) -> Result<Operand, Refusal> {
    if let Type::Struct(s) = ty {
        return construct_record(b, ty, s, args, kwargs);
    }
    let name = strong_name(ty);
    let Some(num) = Num::of(&Ty::Strong(ty.clone())) else {
        return Err(Refusal::new(format!("{name} cannot be constructed")));
    };
    if let Some((keyword, _)) = kwargs.first() {
        return Err(Refusal::new(format!("{name}() takes no argument named {keyword}")));
    }
    match args {
        [] => Ok(Known::Int(0).operand(num)),
        [x] => construct_number(b, x, num),
        [re, im] if num.is_complex() => {
            let parts = [re, im].map(|x| real_number(x).and_then(|_| number::value(b, x, num.part())));
            let [re, im] = parts;
            let parts = vec![re?, im?];
            Ok(Operand::strong(ty.clone(), b.make(ty.clone(), parts)))
        }
        _ => Err(Refusal::new(format!("{name}() does not take {} arguments", args.len()))),
    }
}

fn construct_number(b: &mut Builder, x: &Operand, num: Num) -> Result<Operand, Refusal> {
    if num.is_bool() {
        return compare::truth(b, x);
    }
    if !num.is_complex() {
        real_number(x)?;
    }
    if let Some(k) = known(x) {
        return known_as(x, k, num);
    }
    let v = convert(b, x, &num.ty().storage())?;
    Ok(Operand::new(num.ty(), v))
}

fn construct_record(
    b: &mut Builder,
    ty: &Type,
    s: &StructType,
    args: &[Operand],
    kwargs: &[(String, Operand)],
) -> Result<Operand, Refusal> {
    let names: Vec<&str> = s.fields.iter().map(|f| f.name.as_str()).collect();
    let form = format!("{}({})", s.name, names.join(", "));
    if args.len() > names.len() {
        let message = format!("{} takes {} values, not {}", s.name, names.len(), args.len());
        return Err(Refusal::new(message).hint(form));
    }
    let mut values: Vec<Option<&Operand>> = args.iter().map(Some).collect();
    values.resize(names.len(), None);
    for (name, x) in kwargs {
        let Some(i) = names.iter().position(|n| n == name) else {
            return Err(Refusal::new(format!("{} has no field {name}", strong_name(ty))).hint(form));
        };
        if values[i].replace(x).is_some() {
            return Err(Refusal::new(format!("field {name} of {} is given twice", s.name)).hint(form));
        }
    }
    let mut parts = Vec::with_capacity(names.len());
    for (field, x) in s.fields.iter().zip(values) {
        let Some(x) = x else {
            return Err(Refusal::new(format!("field {} of {} is missing", field.name, s.name)).hint(form));
        };
        let part = convert(b, x, &field.ty).map_err(|mut refusal| {
            refusal.message = format!("field {} of {}: {}", field.name, s.name, refusal.message);
            refusal
        })?;
        parts.push(part);
    }
    Ok(Operand::strong(ty.clone(), b.make(ty.clone(), parts)))
}

/// `x.name`: `.real` and `.imag` of numbers, fields of records.
///
/// # Errors
/// If there is no such attribute.
pub fn attribute(b: &mut Builder, x: &Operand, name: &str) -> Result<Operand, Refusal> {
    if let Ty::Strong(Type::Struct(s)) = &x.ty {
        let names: Vec<&str> = s.fields.iter().map(|f| f.name.as_str()).collect();
        return match names.iter().position(|n| *n == name) {
            Some(i) => item(b, x, i, Ty::Strong(s.fields[i].ty.clone())),
            None => Err(Refusal::new(format!("{} has no field {name}", type_name(&x.ty)))
                .hint(format!("its fields are {}", names.join(", ")))),
        };
    }
    match (Num::of(&x.ty), name) {
        (Some(num), "real" | "imag") => part(b, x, num, name == "imag"),
        _ => Err(Refusal::new(format!("{} has no attribute {name}", type_name(&x.ty)))),
    }
}

fn part(b: &mut Builder, x: &Operand, num: Num, imaginary: bool) -> Result<Operand, Refusal> {
    if let (Some(k), true) = (known(x), num.is_complex()) {
        let (re, im) = k.parts();
        return Ok(Known::Float(if imaginary { im } else { re }).operand(num.part()));
    }
    if num.is_complex() {
        let v = materialise(b, x)?;
        return Ok(Operand::new(num.part().ty(), b.extract(v, usize::from(imaginary))));
    }
    Ok(if imaginary { Known::Int(0).operand(num) } else { x.clone() })
}

/// `x[index]` of a tuple, record (by position) or sub-array.
///
/// # Errors
/// If the value has no items, the index is no integer or is known to be outside, or items of different types are
/// indexed at run time.
pub fn subscript(b: &mut Builder, x: &Operand, index: &Operand) -> Result<Operand, Refusal> {
    let types: Vec<Ty> = match &x.ty {
        Ty::Tuple(types) => types.clone(),
        Ty::Strong(Type::Array(a)) => vec![Ty::Strong(a.elem.clone()); usize::from(a.len > 0)],
        Ty::Strong(ty @ (Type::Tuple(_) | Type::Struct(_))) => {
            (0..ty.component_count()).filter_map(|i| ty.component(i)).map(|(ty, _)| Ty::Strong(ty)).collect()
        }
        ty => return Err(Refusal::new(format!("{} cannot be indexed", type_name(ty)))),
    };
    let len = x.ty.storage().component_count();
    let Some(num) = Num::of(&index.ty).filter(|n| n.is_int()) else {
        return Err(Refusal::new(format!("the index is {}, not an integer", type_name(&index.ty)))
            .hint("convert it with `int()`"));
    };
    if let Some(i) = index.known_int() {
        let position = if i < 0 { i + len as i128 } else { i };
        return match usize::try_from(position).ok().filter(|p| *p < len) {
            Some(p) => item(b, x, p, types.get(p).unwrap_or(&types[0]).clone()),
            None => Err(Refusal::new(format!("index {i} is outside of {}", type_name(&x.ty)))),
        };
    }
    let Some(first) = types.first().cloned() else {
        return Err(Refusal::new(format!("{} has no items", type_name(&x.ty))));
    };
    let position = checked_position(b, index, num, len as i64)?;
    index_at(b, x, &types, first, position)
}

/// The item at a position that is in range.
fn index_at(
    b: &mut Builder,
    x: &Operand,
    types: &[Ty],
    first: Ty,
    position: Value,
) -> Result<Operand, Refusal> {
    if types.iter().all(|ty| *ty == first) {
        let whole = materialise(b, x)?;
        return Ok(Operand::new(first, b.index(whole, position)));
    }
    let mixed = |refusal: Refusal| Refusal {
        message: format!("items of different types cannot be indexed at run time: {}", refusal.message),
        ..refusal
    };
    let joined = types.iter().try_fold(first, |a, ty| join(&a, ty)).map_err(mixed)?;
    let items = items(b, x)?.unwrap_or_default();
    let values: Vec<Value> = items.iter().map(|item| coerce(b, item, &joined)).collect::<Result<_, _>>()?;
    let whole = b.make(Type::array(joined.storage(), values.len() as u64), values);
    Ok(Operand::new(joined, b.index(whole, position)))
}

/// A run-time index as a position; negative ones count from the end; outside fails the run.
fn checked_position(b: &mut Builder, index: &Operand, num: Num, len: i64) -> Result<Value, Refusal> {
    let v = materialise(b, index)?;
    let v = b.cast(v, Scalar::I64);
    let (zero, count) = (b.i64(0), b.i64(len));
    let mut position = v;
    if num.scalar().is_signed() {
        let negative = b.cmp(CmpOp::Lt, v, zero);
        let from_end = b.binary(BinaryOp::Add, v, count);
        position = b.select(negative, from_end, v);
    }
    let unsigned = b.cast(position, Scalar::U64);
    let limit = b.constant(Const::int(Scalar::U64, i128::from(len)));
    let outside = b.cmp(CmpOp::Ge, unsigned, limit);
    b.if_else(outside, |b| b.fail(Fail::IndexOutOfRange), |_| ());
    Ok(position)
}
