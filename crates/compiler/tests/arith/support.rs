//! Reads values as the data files write them, and runs what the compiler emits for a call.

use freeloom_compiler::ast::{BinOp, CompareOp, UnaryOp};
use freeloom_compiler::{Builtin, ConstValue, Library, Operand, Refusal, Ty, arith, library};
use freeloom_ir::interp::{Datum, Interp};
use freeloom_ir::{Builder, Const, Linkage, Module, Scalar, Type, verify};

/// A value with its Python type.
pub(crate) struct Arg {
    pub(crate) ty: Ty,
    pub(crate) constant: ConstValue,
}

/// What came of a call.
pub(crate) enum Outcome {
    Value(Ty, Datum),
    Refused(String),
}

const SCALARS: [(&str, Scalar); 12] = [
    ("bool", Scalar::Bool),
    ("int8", Scalar::I8),
    ("int16", Scalar::I16),
    ("int32", Scalar::I32),
    ("int64", Scalar::I64),
    ("uint8", Scalar::U8),
    ("uint16", Scalar::U16),
    ("uint32", Scalar::U32),
    ("uint64", Scalar::U64),
    ("float16", Scalar::F16),
    ("float32", Scalar::F32),
    ("float64", Scalar::F64),
];

pub(crate) fn parse_type(name: &str) -> Ty {
    match name {
        "int" => Ty::WeakInt,
        "float" => Ty::WeakFloat,
        "complex" => Ty::WeakComplex,
        "complex64" => Ty::Strong(Type::C64),
        "complex128" => Ty::Strong(Type::C128),
        _ => {
            let scalar = SCALARS.iter().find(|(n, _)| *n == name);
            Ty::Strong(Type::Scalar(scalar.unwrap_or_else(|| panic!("no type {name}")).1))
        }
    }
}

/// `int8:-3`, `float:0.5`, `complex64:1.0_-0.0`
pub(crate) fn parse_arg(text: &str) -> Arg {
    let (name, value) = text.split_once(':').unwrap_or_else(|| panic!("no type in {text}"));
    let ty = parse_type(name);
    let constant = match &ty {
        Ty::WeakInt => ConstValue::Int(int(value)),
        Ty::WeakFloat => ConstValue::Float(float(value).into()),
        Ty::WeakComplex => {
            let (re, im) = parts(value);
            ConstValue::Complex(re.into(), im.into())
        }
        Ty::Strong(Type::Complex(s)) => {
            let (re, im) = parts(value);
            ConstValue::ComplexScalar(*s, re.into(), im.into())
        }
        Ty::Strong(Type::Scalar(s)) if s.is_float() => ConstValue::Scalar(Const::float(*s, float(value))),
        Ty::Strong(Type::Scalar(Scalar::Bool)) => ConstValue::Bool(value == "1"),
        Ty::Strong(Type::Scalar(s)) => ConstValue::Scalar(Const::int(*s, int(value))),
        _ => panic!("no value of type {name}"),
    };
    Arg { ty, constant }
}

fn int(text: &str) -> i128 {
    text.parse().unwrap_or_else(|_| panic!("no integer: {text}"))
}

fn float(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("no float: {text}"))
}

fn parts(text: &str) -> (f64, f64) {
    let (re, im) = text.split_once('_').unwrap_or_else(|| panic!("no complex number: {text}"));
    (float(re), float(im))
}

impl Arg {
    fn datum(&self) -> Datum {
        let real = |s, v: f64| Datum::Scalar(Const::float(s, v));
        match &self.constant {
            ConstValue::Int(v) => Datum::Scalar(Const::int(Scalar::I64, *v)),
            ConstValue::Float(v) => Datum::f64(v.get()),
            ConstValue::Bool(v) => Datum::Scalar(Const::bool(*v)),
            ConstValue::Scalar(c) => Datum::Scalar(*c),
            ConstValue::Complex(re, im) => Datum::Aggregate(vec![Datum::f64(re.get()), Datum::f64(im.get())]),
            ConstValue::ComplexScalar(s, re, im) => {
                Datum::Aggregate(vec![real(*s, re.get()), real(*s, im.get())])
            }
            other => panic!("no number: {other:?}"),
        }
    }
}

/// Compiles and runs a call; `known` arguments are constants, others parameters.
pub(crate) fn evaluate(name: &str, args: &[Arg], known: bool) -> Outcome {
    let params: Vec<Type> = if known { Vec::new() } else { args.iter().map(|a| a.ty.storage()).collect() };
    run(&params, &args.iter().map(Arg::datum).collect::<Vec<_>>(), |b| {
        // Numbers of digits and bounds are known in every test.
        let digits = |i: usize| i > 0 && (name.ends_with("round") || name.ends_with("clip"));
        let operands: Vec<Operand> = args
            .iter()
            .enumerate()
            .map(|(i, arg)| match Operand::constant(arg.constant.clone()) {
                Ok(x) if known || digits(i) => x,
                _ => Operand::new(arg.ty.clone(), b.param(i)),
            })
            .collect();
        apply(b, name, &operands)
    })
}

/// Builds a function, verifies it and runs it.
pub(crate) fn run(
    params: &[Type],
    args: &[Datum],
    build: impl FnOnce(&mut Builder) -> Result<Operand, Refusal>,
) -> Outcome {
    let mut b = Builder::new("f", Linkage::Internal, params, None);
    let built = build(&mut b).and_then(|x| Ok((arith::materialise(&mut b, &x)?, x)));
    let (v, result) = match built {
        Ok(built) => built,
        Err(refusal) => return Outcome::Refused(refusal.message),
    };
    b.set_return_type(Some(result.ty.storage()));
    b.ret(Some(v));
    let mut module = Module::default();
    let id = module.push(b.finish());
    if let Err(errors) = verify::verify(&module) {
        panic!("invalid: {errors:?}");
    }
    let datum = Interp::new(&module).call(id, &args[..params.len()]);
    match datum {
        Ok(Some(datum)) => Outcome::Value(result.ty, datum),
        other => Outcome::Refused(format!("{other:?}")),
    }
}

fn apply(b: &mut Builder, name: &str, args: &[Operand]) -> Result<Operand, Refusal> {
    use BinOp::*;
    const BINARY: [BinOp; 12] =
        [Add, Sub, Mult, Div, FloorDiv, Mod, Pow, LShift, RShift, BitAnd, BitOr, BitXor];
    const COMPARE: [(&str, CompareOp); 6] = [
        ("==", CompareOp::Eq),
        ("!=", CompareOp::NotEq),
        ("<", CompareOp::Lt),
        ("<=", CompareOp::LtE),
        (">", CompareOp::Gt),
        (">=", CompareOp::GtE),
    ];
    const UNARY: [(&str, UnaryOp); 3] =
        [("neg", UnaryOp::USub), ("invert", UnaryOp::Invert), ("not", UnaryOp::Not)];
    if let Some(op) = BINARY.into_iter().find(|op| op.symbol() == name) {
        return arith::binary(b, op, &args[0], &args[1]);
    }
    if let Some((_, op)) = COMPARE.into_iter().find(|(n, _)| *n == name) {
        return arith::compare(b, op, &args[0], &args[1]);
    }
    if let Some((_, op)) = UNARY.into_iter().find(|(n, _)| *n == name) {
        return arith::unary(b, op, &args[0]);
    }
    let (library, name) = match name.split_once('.') {
        Some(("math", name)) => (Library::Math, name),
        Some(("cmath", name)) => (Library::CMath, name),
        Some(("numpy", name)) => (Library::NumPy, name),
        _ => (Library::Builtins, name),
    };
    library::call(b, &Builtin { library, name: name.to_owned() }, args, &[])
}

/// Does the outcome have the expected type and, within some units in the last place, value?
pub(crate) fn same(found: &Outcome, expected: &str, ulps: u64) -> bool {
    let Outcome::Value(ty, v) = found else { return false };
    if let (Some(items), Ty::Tuple(types), Datum::Aggregate(values)) =
        (expected.strip_prefix('(').and_then(|t| t.strip_suffix(')')), ty, v)
    {
        let items: Vec<&str> = items.split(',').collect();
        return items.len() == types.len()
            && items.iter().zip(types).zip(values).all(|((e, ty), v)| same_number(ty, v, e, ulps));
    }
    same_number(ty, v, expected, ulps)
}

fn same_number(ty: &Ty, found: &Datum, expected: &str, ulps: u64) -> bool {
    if expected.starts_with('(') {
        return false;
    }
    let expected = parse_arg(expected);
    *ty == expected.ty && near(found, &expected.datum(), ulps)
}

fn near(found: &Datum, expected: &Datum, ulps: u64) -> bool {
    match (found, expected) {
        (Datum::Scalar(x), Datum::Scalar(y)) if x.ty.is_float() && ulps > 0 => {
            let (a, e) = (x.as_float(), y.as_float());
            let epsilon = match x.ty {
                Scalar::F16 => 2f64.powi(-10),
                Scalar::F32 => f64::from(f32::EPSILON),
                _ => f64::EPSILON,
            };
            a == e || a.is_nan() && e.is_nan() || (a - e).abs() <= epsilon * ulps as f64 * e.abs().max(1e-3)
        }
        (Datum::Aggregate(x), Datum::Aggregate(y)) => {
            let size = |d: &[Datum]| {
                d.iter().filter_map(Datum::scalar).map(|c| c.as_float().abs()).fold(0.0, f64::max)
            };
            // The small part of a complex number is as exact as the great one.
            let slack = if ulps > 0 { size(y) } else { 0.0 };
            x.len() == y.len()
                && x.iter().zip(y).all(|(x, y)| {
                    let (Some(a), Some(e)) = (x.scalar(), y.scalar()) else { return false };
                    let epsilon = if a.ty == Scalar::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
                    near(x, y, ulps) || (a.as_float() - e.as_float()).abs() <= slack * epsilon * ulps as f64
                })
        }
        _ => found.same(expected),
    }
}

/// A value as text, for messages.
pub(crate) fn show(ty: &Ty, v: &Datum) -> String {
    fn text(v: &Datum) -> String {
        match v {
            Datum::Scalar(c) if c.ty.is_float() => format!("{:?}", c.as_float()),
            Datum::Scalar(c) => c.as_int().to_string(),
            Datum::Aggregate(items) => items.iter().map(text).collect::<Vec<_>>().join("_"),
            other => format!("{other:?}"),
        }
    }
    format!("{}:{}", arith::type_name(ty), text(v))
}
