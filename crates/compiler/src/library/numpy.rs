//! `numpy`: ufuncs and a few functions, on scalars. Results are NumPy scalars.

use freeloom_ir::{BinaryOp, Type, UnaryOp};

use super::args::{Call, Outcome};
use super::operator::find;
use super::{builtins, cmath, methods, numpy_more as more};
use crate::arith::number::{constant, known, materialise, value};
use crate::arith::promote::{Num, number, promote, promote_float};
use crate::arith::{self, Known, compare, complex, operators};
use crate::ast::{BinOp, CompareOp, UnaryOp as PyUnary};
use crate::operand::Operand;

/// Functions of one float; integers become the float that holds them.
const FLOAT: &[(&str, UnaryOp)] = &[
    ("sqrt", UnaryOp::Sqrt),
    ("cbrt", UnaryOp::Cbrt),
    ("exp", UnaryOp::Exp),
    ("exp2", UnaryOp::Exp2),
    ("expm1", UnaryOp::Expm1),
    ("log", UnaryOp::Log),
    ("log2", UnaryOp::Log2),
    ("log10", UnaryOp::Log10),
    ("log1p", UnaryOp::Log1p),
    ("sin", UnaryOp::Sin),
    ("cos", UnaryOp::Cos),
    ("tan", UnaryOp::Tan),
    ("arcsin", UnaryOp::Asin),
    ("arccos", UnaryOp::Acos),
    ("arctan", UnaryOp::Atan),
    ("asin", UnaryOp::Asin),
    ("acos", UnaryOp::Acos),
    ("atan", UnaryOp::Atan),
    ("sinh", UnaryOp::Sinh),
    ("cosh", UnaryOp::Cosh),
    ("tanh", UnaryOp::Tanh),
    ("arcsinh", UnaryOp::Asinh),
    ("arccosh", UnaryOp::Acosh),
    ("arctanh", UnaryOp::Atanh),
    ("asinh", UnaryOp::Asinh),
    ("acosh", UnaryOp::Acosh),
    ("atanh", UnaryOp::Atanh),
    ("fabs", UnaryOp::Abs),
    ("rint", UnaryOp::RoundEven),
];

/// Functions of two floats.
const FLOAT2: &[(&str, BinaryOp)] = &[
    ("arctan2", BinaryOp::Atan2),
    ("atan2", BinaryOp::Atan2),
    ("hypot", BinaryOp::Hypot),
    ("copysign", BinaryOp::CopySign),
    ("nextafter", BinaryOp::NextAfter),
];

/// Functions that round floats and leave integers alone.
const ROUND: &[(&str, UnaryOp)] =
    &[("floor", UnaryOp::Floor), ("ceil", UnaryOp::Ceil), ("trunc", UnaryOp::Trunc), ("fix", UnaryOp::Trunc)];

const OPERATORS: &[(&str, BinOp)] = &[
    ("add", BinOp::Add),
    ("subtract", BinOp::Sub),
    ("multiply", BinOp::Mult),
    ("divide", BinOp::Div),
    ("true_divide", BinOp::Div),
    ("floor_divide", BinOp::FloorDiv),
    ("mod", BinOp::Mod),
    ("remainder", BinOp::Mod),
    ("power", BinOp::Pow),
    ("pow", BinOp::Pow),
    ("left_shift", BinOp::LShift),
    ("right_shift", BinOp::RShift),
    ("bitwise_left_shift", BinOp::LShift),
    ("bitwise_right_shift", BinOp::RShift),
    ("bitwise_and", BinOp::BitAnd),
    ("bitwise_or", BinOp::BitOr),
    ("bitwise_xor", BinOp::BitXor),
];

const COMPARE: &[(&str, CompareOp)] = &[
    ("equal", CompareOp::Eq),
    ("not_equal", CompareOp::NotEq),
    ("less", CompareOp::Lt),
    ("less_equal", CompareOp::LtE),
    ("greater", CompareOp::Gt),
    ("greater_equal", CompareOp::GtE),
];

const UNARY: &[(&str, PyUnary)] = &[
    ("negative", PyUnary::USub),
    ("positive", PyUnary::UAdd),
    ("invert", PyUnary::Invert),
    ("bitwise_not", PyUnary::Invert),
    ("bitwise_invert", PyUnary::Invert),
    ("logical_not", PyUnary::Not),
];

/// Operations on truth values.
const LOGICAL: &[(&str, BinaryOp)] =
    &[("logical_and", BinaryOp::And), ("logical_or", BinaryOp::Or), ("logical_xor", BinaryOp::Xor)];

type Compile = fn(&mut Call<'_>) -> Outcome;

/// Functions beside the tables.
const OTHERS: &[(&str, Compile)] = &[
    ("absolute", builtins::abs),
    ("abs", builtins::abs),
    ("square", more::square),
    ("reciprocal", more::reciprocal),
    ("sign", more::sign),
    ("degrees", more::degrees),
    ("rad2deg", more::degrees),
    ("radians", more::radians),
    ("deg2rad", more::radians),
    ("signbit", more::sign_bit),
    ("maximum", |c| more::extreme(c, BinaryOp::Max, true)),
    ("minimum", |c| more::extreme(c, BinaryOp::Min, true)),
    ("fmax", |c| more::extreme(c, BinaryOp::Max, false)),
    ("fmin", |c| more::extreme(c, BinaryOp::Min, false)),
    ("clip", more::clip),
    ("where", more::where_),
    ("fmod", more::fmod),
    ("divmod", more::divmod),
    ("float_power", more::float_power),
    ("heaviside", more::heaviside),
    ("logaddexp", |c| more::log_add_exp(c, false)),
    ("logaddexp2", |c| more::log_add_exp(c, true)),
    ("gcd", |c| more::divisor(c, arith::integer::gcd)),
    ("lcm", |c| more::divisor(c, arith::integer::lcm)),
    ("ldexp", more::ldexp),
    ("frexp", more::frexp),
    ("modf", more::modf),
    ("round", more::round),
    ("around", more::round),
    ("conj", conjugate),
    ("conjugate", conjugate),
    ("angle", more::angle),
    ("bitwise_count", more::bitwise_count),
];

/// What [`call`] knows.
#[cfg(test)]
pub(crate) fn names() -> Vec<&'static str> {
    fn of<T>(table: &[(&'static str, T)]) -> Vec<&'static str> {
        table.iter().map(|(name, _)| *name).collect()
    }
    let mut names =
        [of(FLOAT), of(FLOAT2), of(ROUND), of(OPERATORS), of(COMPARE), of(UNARY), of(LOGICAL)].concat();
    names.extend(of(OTHERS));
    names.extend(["real", "imag", "isnan", "isinf", "isfinite"]);
    names
}

pub(crate) fn call(c: &mut Call<'_>, name: &str) -> Outcome {
    // NumPy hands these two on to the number itself.
    if matches!(name, "real" | "imag") {
        return attribute(c, name);
    }
    // Where only Python numbers meet, they count as NumPy's default types.
    let weak = c.args.iter().all(|x| Num::of(&x.ty).is_none_or(Num::is_weak));
    let args: Vec<Operand> =
        c.args.iter().map(|x| if weak { strong(x.clone()) } else { x.clone() }).collect();
    let mut c = Call { b: &mut *c.b, name: c.name.clone(), args: &args, kwargs: c.kwargs };
    dispatch(&mut c, name).map(strong)
}

/// A Python number as the NumPy scalar it becomes.
fn strong(x: Operand) -> Operand {
    let Some(num) = Num::of(&x.ty).filter(|n| n.is_weak()) else { return x };
    match known(&x) {
        // A known int beyond 64 bits stays what it is and is refused where it is used.
        Some(Known::Int(v)) if i64::try_from(v).is_err() => x,
        Some(k) => k.operand(num.strong()),
        None => Operand { ty: num.strong().ty(), repr: x.repr },
    }
}

fn dispatch(c: &mut Call<'_>, name: &str) -> Outcome {
    if let Some(op) = find(FLOAT, name) {
        return float(c, name, op);
    }
    if let Some(op) = find(FLOAT2, name) {
        return float2(c, op);
    }
    if let Some(op) = find(ROUND, name) {
        return round(c, op);
    }
    if let Some(op) = find(OPERATORS, name) {
        let [x, y] = c.exactly()?;
        return operators::binary(c.b, op, x, y);
    }
    if let Some(op) = find(COMPARE, name) {
        let [x, y] = c.exactly()?;
        return compare::compare(c.b, op, x, y);
    }
    if let Some(op) = find(UNARY, name) {
        let [x] = c.exactly()?;
        return operators::unary(c.b, op, x);
    }
    if let Some(op) = find(LOGICAL, name) {
        return logical(c, op);
    }
    if let Some(test) = find(cmath::TESTS, name) {
        return test_number(c, test);
    }
    match find(OTHERS, name) {
        Some(compile) => compile(c),
        None => Err(c.unknown()),
    }
}

fn float(c: &mut Call<'_>, name: &str, op: UnaryOp) -> Outcome {
    let [x] = c.exactly()?;
    let num = number(x)?.float().strong();
    if num.is_complex() {
        let Some(f) = find(cmath::UNARY, name) else {
            return Err(c.refusal("of a complex number is not supported"));
        };
        let v = value(c.b, x, num)?;
        return Ok(Operand::new(num.ty(), complex::map(c.b, v, f)));
    }
    let v = value(c.b, x, num)?;
    Ok(Operand::new(num.ty(), c.b.unary(op, v)))
}

fn float2(c: &mut Call<'_>, op: BinaryOp) -> Outcome {
    let [x, y] = c.exactly()?;
    let num = promote_float(number(x)?, number(y)?).strong();
    let (x, y) = (c.real(x, num)?, c.real(y, num)?);
    Ok(Operand::new(num.ty(), c.b.binary(op, x, y)))
}

fn round(c: &mut Call<'_>, op: UnaryOp) -> Outcome {
    let [x] = c.exactly()?;
    let num = number(x)?;
    let v = c.real(x, num)?;
    Ok(if num.is_float() { Operand::new(num.ty(), c.b.unary(op, v)) } else { x.clone() })
}

fn logical(c: &mut Call<'_>, op: BinaryOp) -> Outcome {
    let [x, y] = c.exactly()?;
    let [x, y] = [x, y].map(|x| {
        let truth = compare::truth(c.b, x)?;
        materialise(c.b, &truth)
    });
    let (x, y) = (x?, y?);
    Ok(Operand::strong(Type::BOOL, c.b.binary(op, x, y)))
}

/// `isnan`, `isinf`, `isfinite` of any number.
fn test_number(c: &mut Call<'_>, (test, joiner): (cmath::Test, BinaryOp)) -> Outcome {
    let [x] = c.exactly()?;
    let num = number(x)?;
    if !num.is_float() && !num.is_complex() {
        return Ok(compare::bool_operand(joiner == BinaryOp::And));
    }
    let v = value(c.b, x, num)?;
    let v = if num.is_complex() { cmath::test_parts(c.b, v, test, joiner) } else { test(c.b, v) };
    Ok(Operand::strong(Type::BOOL, v))
}

fn conjugate(c: &mut Call<'_>) -> Outcome {
    let [x] = c.exactly()?;
    let x = more::at_least_int8(c, x)?;
    methods::conjugate(c, &x)
}

fn attribute(c: &mut Call<'_>, name: &str) -> Outcome {
    let [x] = c.exactly()?;
    number(x)?;
    arith::attribute(c.b, x, name)
}

/// The promoted type of two real numbers and their values in it.
pub(crate) fn two_reals(
    c: &mut Call<'_>,
    widen_bool: bool,
) -> Result<(Num, [freeloom_ir::Value; 2]), crate::Refusal> {
    let [x, y] = c.exactly()?;
    let num = promote(number(x)?, number(y)?);
    let num = if widen_bool && num.is_bool() { Num::Real(freeloom_ir::Scalar::I8) } else { num };
    Ok((num, [c.real(x, num)?, c.real(y, num)?]))
}

/// One as a value of a number type.
pub(crate) fn one(c: &mut Call<'_>, num: Num) -> freeloom_ir::Value {
    constant(c.b, Known::Int(1), num)
}
