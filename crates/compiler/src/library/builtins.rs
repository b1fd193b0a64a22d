//! Python's built-in functions.

use freeloom_ir::{BinaryOp, Scalar, Type, UnaryOp, Value};

use super::args::{Call, Outcome};
use super::numpy_more::round_decimals;
use crate::arith::number::{self, Known, known, value};
use crate::arith::promote::{Num, number, real_number};
use crate::arith::{self, compare, complex, join, operators, record, type_name};
use crate::ast::{BinOp, CompareOp};
use crate::operand::{Operand, Ty};

/// What [`call`] knows.
#[cfg(test)]
pub(crate) const NAMES: [&str; 15] = [
    "min", "max", "abs", "round", "int", "float", "bool", "complex", "pow", "divmod", "len", "sum", "any",
    "all", "tuple",
];

pub(crate) fn call(c: &mut Call<'_>, name: &str) -> Outcome {
    match name {
        "min" => extreme(c, CompareOp::Lt),
        "max" => extreme(c, CompareOp::Gt),
        "abs" => abs(c),
        "round" => round(c),
        "int" => int(c),
        "float" => float(c),
        "bool" => boolean(c),
        "complex" => complex_number(c),
        "pow" => power(c),
        "divmod" => {
            let [x, y] = c.exactly()?;
            operators::divmod(c.b, x, y)
        }
        "len" => len(c),
        "sum" => sum(c),
        "any" => fold_truth(c, BinaryOp::Or, false),
        "all" => fold_truth(c, BinaryOp::And, true),
        "tuple" => {
            let [x] = c.exactly()?;
            let items = items_of(c, x)?;
            Ok(Operand::tuple(items))
        }
        _ => Err(c.unknown()),
    }
}

/// The items of a tuple or sub-array argument.
fn items_of(c: &mut Call<'_>, x: &Operand) -> Result<Vec<Operand>, crate::Refusal> {
    let sequence = record::is_tuple(x) || matches!(x.ty, Ty::Strong(Type::Array(_)));
    let items = if sequence { record::items(c.b, x)? } else { None };
    items.ok_or_else(|| c.refusal(&format!("does not take {}", type_name(&x.ty))).hint("it takes a tuple"))
}

/// `min` and `max`: a later argument wins only if it is strictly better, as in CPython.
fn extreme(c: &mut Call<'_>, better: CompareOp) -> Outcome {
    c.no_keywords()?;
    let items = match c.args {
        [one] => items_of(c, one)?,
        several => several.to_vec(),
    };
    let mut items = items.into_iter();
    let Some(mut best) = items.next() else { return Err(c.refusal("needs at least one value")) };
    for x in items {
        let cond = compare::compare(c.b, better, &x, &best)?;
        let ty = join(&best.ty, &x.ty)?;
        best = match (cond.known_bool(), Num::of(&ty)) {
            (Some(wins), Some(num)) => {
                let winner = if wins { x } else { best };
                match known(&winner) {
                    Some(k) => number::known_as(&winner, k, num)?,
                    None => Operand::new(ty, arith::coerce(c.b, &winner, &num.ty())?),
                }
            }
            _ => {
                let cond = arith::materialise(c.b, &cond)?;
                arith::select(c.b, cond, &x, &best)?
            }
        };
    }
    Ok(best)
}

pub(crate) fn abs(c: &mut Call<'_>) -> Outcome {
    let [x] = c.exactly()?;
    let num = number(x)?;
    match known(x) {
        Some(Known::Int(v)) => {
            let size = v.checked_abs().ok_or_else(number::beyond_128_bits)?;
            return Ok(Known::Int(size).operand(num));
        }
        Some(Known::Float(v)) => return Ok(Known::Float(v.abs()).operand(num)),
        _ => {}
    }
    let v = arith::materialise(c.b, x)?;
    if num.is_complex() {
        let parts = complex::Parts::of(c.b, v);
        return Ok(Operand::new(num.part().ty(), complex::abs(c.b, parts)));
    }
    // The absolute value of an unsigned number or a bool is the number.
    let v = if num.is_float() || num.scalar().is_signed() { c.b.unary(UnaryOp::Abs, v) } else { v };
    Ok(Operand::new(num.ty(), v))
}

/// `round(x)` gives a Python `int`, `round(x, digits)` the type of `x`.
fn round(c: &mut Call<'_>) -> Outcome {
    let [x, digits] = c.named(["number", "ndigits"], 1)?;
    let Some(x) = x else { return Err(c.unknown()) };
    let num = real_number(x)?;
    let Some(digits) = digits else {
        if num.is_float() {
            let v = arith::materialise(c.b, x)?;
            let v = c.b.unary(UnaryOp::RoundEven, v);
            return Ok(Operand::new(Ty::WeakInt, c.b.cast(v, Scalar::I64)));
        }
        return to_int(c, x);
    };
    if num == Num::WeakFloat && digits.known_int() != Some(0) {
        let hint = "use numpy.round, which scales, rounds and scales back";
        return Err(c.refusal("of a Python float to digits is not supported").hint(hint));
    }
    round_decimals(c, x, digits)
}

fn int(c: &mut Call<'_>) -> Outcome {
    if c.args.is_empty() {
        c.no_keywords()?;
        return Ok(Known::Int(0).operand(Num::WeakInt));
    }
    let [x] = c.exactly()?;
    to_int(c, x)
}

/// A Python `int`, truncated.
pub(crate) fn to_int(c: &mut Call<'_>, x: &Operand) -> Outcome {
    real_number(x)?;
    match known(x) {
        Some(Known::Float(v)) => {
            let k = match v.is_finite() {
                true if v.abs() < 2f64.powi(127) => v as i128,
                true => return Err(number::beyond_128_bits()),
                false => Known::Float(v).to_scalar(Scalar::I64).as_int(),
            };
            return Ok(Known::Int(k).operand(Num::WeakInt));
        }
        Some(k) => return Ok(Known::Int(k.int().unwrap_or(0)).operand(Num::WeakInt)),
        None => {}
    }
    let v = value(c.b, x, Num::WeakInt)?;
    Ok(Operand::new(Ty::WeakInt, v))
}

fn float(c: &mut Call<'_>) -> Outcome {
    if c.args.is_empty() {
        c.no_keywords()?;
        return Ok(Known::Float(0.0).operand(Num::WeakFloat));
    }
    let [x] = c.exactly()?;
    real_number(x)?;
    to_weak(c, x, Num::WeakFloat)
}

/// A number as a Python number of type `num`.
pub(crate) fn to_weak(c: &mut Call<'_>, x: &Operand, num: Num) -> Outcome {
    if let Some(k) = known(x) {
        return number::known_as(x, k, num);
    }
    let v = value(c.b, x, num)?;
    Ok(Operand::new(num.ty(), v))
}

fn boolean(c: &mut Call<'_>) -> Outcome {
    if c.args.is_empty() {
        c.no_keywords()?;
        return Ok(compare::bool_operand(false));
    }
    let [x] = c.exactly()?;
    arith::truth(c.b, x)
}

/// `complex(re, im)` is `re + im * 1j`, also for complex arguments.
fn complex_number(c: &mut Call<'_>) -> Outcome {
    let [re, im] = c.named(["real", "imag"], 0)?;
    let zero = Known::Int(0).operand(Num::WeakInt);
    let re = re.unwrap_or(&zero);
    number(re)?;
    let Some(im) = im else { return to_weak(c, re, Num::WeakComplex) };
    if !number(re)?.is_complex() && !number(im)?.is_complex() {
        if let (Some(re), Some(im)) = (known(re), known(im)) {
            return Ok(Known::Complex(re.parts().0, im.parts().0).operand(Num::WeakComplex));
        }
        let parts = vec![value(c.b, re, Num::WeakFloat)?, value(c.b, im, Num::WeakFloat)?];
        return Ok(Operand::new(Ty::WeakComplex, c.b.make(Type::C128, parts)));
    }
    let (re, im) = (value(c.b, re, Num::WeakComplex)?, value(c.b, im, Num::WeakComplex)?);
    let v = complex::map2(c.b, re, im, |b, re, im| complex::Parts {
        re: b.binary(BinaryOp::Sub, re.re, im.im),
        im: b.binary(BinaryOp::Add, re.im, im.re),
    });
    Ok(Operand::new(Ty::WeakComplex, v))
}

fn power(c: &mut Call<'_>) -> Outcome {
    match c.named(["base", "exp", "mod"], 2)? {
        [Some(x), Some(y), None] => operators::binary(c.b, BinOp::Pow, x, y),
        _ => Err(c.refusal("with a modulus is not supported").hint("write a loop that squares and reduces")),
    }
}

fn len(c: &mut Call<'_>) -> Outcome {
    let [x] = c.exactly()?;
    if let Ty::Strong(Type::View(view)) = &x.ty
        && view.rank > 0
    {
        let v = arith::materialise(c.b, x)?;
        return Ok(Operand::new(Ty::WeakInt, c.b.view_len(v, 0)));
    }
    if !record::is_tuple(x) && !matches!(x.ty, Ty::Strong(Type::Array(_) | Type::Struct(_))) {
        return Err(c.refusal(&format!("does not take {}", type_name(&x.ty))));
    }
    Ok(Known::Int(x.ty.storage().component_count() as i128).operand(Num::WeakInt))
}

fn sum(c: &mut Call<'_>) -> Outcome {
    let [x, start] = c.named(["iterable", "start"], 1)?;
    let items = match x {
        Some(x) => items_of(c, x)?,
        None => Vec::new(),
    };
    let mut total = start.cloned().unwrap_or_else(|| Known::Int(0).operand(Num::WeakInt));
    for item in &items {
        total = operators::binary(c.b, BinOp::Add, &total, item)?;
    }
    Ok(total)
}

fn fold_truth(c: &mut Call<'_>, op: BinaryOp, neutral: bool) -> Outcome {
    let [x] = c.exactly()?;
    let mut result: Option<Value> = None;
    for item in items_of(c, x)? {
        let truth = arith::truth(c.b, &item)?;
        match truth.known_bool() {
            Some(v) if v == neutral => continue,
            Some(v) => return Ok(compare::bool_operand(v)),
            None => {}
        }
        let v = number::materialise(c.b, &truth)?;
        result = Some(match result {
            Some(so_far) => c.b.binary(op, so_far, v),
            None => v,
        });
    }
    Ok(result.map_or_else(|| compare::bool_operand(neutral), |v| Operand::strong(Type::BOOL, v)))
}
