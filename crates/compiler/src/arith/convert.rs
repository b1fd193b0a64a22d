//! Conversion to declared types and to joined types.

use freeloom_ir::{Builder, Type, Value};

use super::number::{cast, check_range, known, materialise, value};
use super::promote::{Num, join, strong_name, type_name};
use super::{compare, record};
use crate::diagnostic::Refusal;
use crate::operand::{Operand, Ty};

/// The value as type `to`, which is a [`join`] of its type with others.
///
/// # Errors
/// If `to` does not hold such values.
pub fn coerce(b: &mut Builder, x: &Operand, to: &Ty) -> Result<Value, Refusal> {
    if let Some(num) = Num::of(to).filter(|_| Num::of(&x.ty).is_some()) {
        return value(b, x, num);
    }
    if x.ty == *to {
        return materialise(b, x);
    }
    let Ty::Tuple(types) = to else { return Err(refuse(x, &type_name(to))) };
    let items = record::items(b, x)?.filter(|items| record::is_tuple(x) && items.len() == types.len());
    let Some(items) = items else { return Err(refuse(x, &type_name(to))) };
    let values = items.iter().zip(types).map(|(item, ty)| coerce(b, item, ty)).collect::<Result<_, _>>()?;
    Ok(b.make(to.storage(), values))
}

/// One of two values, both computed.
///
/// # Errors
/// If no type holds both.
pub fn select(b: &mut Builder, cond: Value, x: &Operand, y: &Operand) -> Result<Operand, Refusal> {
    let ty = join(&x.ty, &y.ty)?;
    let (x, y) = (coerce(b, x, &ty)?, coerce(b, y, &ty)?);
    Ok(Operand::new(ty, b.select(cond, x, y)))
}

/// The value as a declared type: a result, or an assignment to a field.
///
/// Numbers convert to any number, except complex to real; tuples and records convert by position to tuples,
/// records and sub-arrays with as many components.
///
/// # Errors
/// If there is no such conversion, or a known `int` does not fit.
pub fn convert(b: &mut Builder, x: &Operand, to: &Type) -> Result<Value, Refusal> {
    if x.ty.storage() == *to && known(x).is_none() {
        return materialise(b, x);
    }
    let target = Num::of(&Ty::Strong(to.clone()));
    match (Num::of(&x.ty), target) {
        (Some(from), Some(to)) => convert_number(b, x, from, to),
        (None, None) => convert_items(b, x, to),
        _ => Err(refuse(x, &strong_name(to))),
    }
}

fn convert_number(b: &mut Builder, x: &Operand, from: Num, to: Num) -> Result<Value, Refusal> {
    if to.is_bool() {
        let truth = compare::truth(b, x)?;
        return materialise(b, &truth);
    }
    if from.is_complex() && !to.is_complex() {
        let hint = "take `.real`, `.imag` or `abs()` of it";
        return Err(refuse(x, &type_name(&to.ty())).hint(hint));
    }
    check_range(x, to)?;
    if known(x).is_some() {
        return value(b, x, to);
    }
    let v = materialise(b, x)?;
    Ok(cast(b, v, to))
}

fn convert_items(b: &mut Builder, x: &Operand, to: &Type) -> Result<Value, Refusal> {
    let Some(items) = record::items(b, x)? else { return Err(refuse(x, &strong_name(to))) };
    let count = to.component_count();
    if items.len() != count {
        let (items, name) = (items.len(), strong_name(to));
        return Err(refuse(x, &name).hint(format!("{name} has {count} components, the value {items}")));
    }
    let types = (0..count).filter_map(|i| to.component(i)).map(|(ty, _)| ty).collect::<Vec<_>>();
    let values = items.iter().zip(&types).map(|(item, ty)| convert(b, item, ty)).collect::<Result<_, _>>()?;
    Ok(b.make(to.clone(), values))
}

fn refuse(x: &Operand, to: &str) -> Refusal {
    Refusal::new(format!("{} cannot become {to}", type_name(&x.ty)))
}
