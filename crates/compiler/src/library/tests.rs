//! Nothing panics: every function of every library, with every kind of operand.

use std::sync::Arc;

use freeloom_ir::{Builder, Const, Linkage, Module, Scalar, StructType, Type, ViewType, verify};

use super::{builtins, call, cmath, math, method, numpy, operator};
use crate::arith;
use crate::ast::{BinOp, CompareOp, UnaryOp};
use crate::function::{Builtin, ConstValue, Library};
use crate::operand::{Operand, Ty};

fn point() -> Type {
    Type::aligned_struct("Point", [("x".to_owned(), Type::F32), ("n".to_owned(), Type::array(Type::I64, 2))])
}

fn params() -> Vec<Ty> {
    let empty = StructType { name: "Empty".to_owned(), fields: Vec::new(), size: 0, align: 1 };
    let mut types: Vec<Ty> = Scalar::ALL.iter().map(|s| Ty::Strong(Type::Scalar(*s))).collect();
    types.extend([Ty::WeakInt, Ty::WeakFloat, Ty::WeakComplex]);
    types.extend([Type::C64, Type::C128, point(), Type::array(Type::U8, 3)].map(Ty::Strong));
    types.push(Ty::Strong(Type::Struct(Arc::new(empty))));
    types.push(Ty::Strong(Type::View(Arc::new(ViewType { elem: Type::F32, rank: 2 }))));
    types.push(Ty::Strong(Type::tuple([Type::I64, Type::I64])));
    types.push(Ty::Tuple(vec![Ty::WeakInt, Ty::Strong(Type::F32)]));
    types
}

fn constants() -> Vec<Operand> {
    let int = ConstValue::Int;
    let values = [
        int(0),
        int(-1),
        int(2),
        int(1 << 70),
        int(i128::MIN),
        int(i128::MAX),
        ConstValue::Float(f64::NAN.into()),
        ConstValue::Float(2.0.into()),
        ConstValue::Complex(1.0.into(), (-2.0).into()),
        ConstValue::Bool(true),
        ConstValue::Scalar(Const::int(Scalar::I8, -128)),
        ConstValue::Scalar(Const::int(Scalar::U64, -1)),
        ConstValue::Scalar(Const::float(Scalar::F16, 0.5)),
        ConstValue::ComplexScalar(Scalar::F32, 0.0.into(), 0.0.into()),
        ConstValue::Tuple(vec![int(1), ConstValue::Tuple(vec![int(2)])]),
        ConstValue::Tuple(Vec::new()),
        ConstValue::Record(point(), vec![int(1), ConstValue::Tuple(vec![int(2), int(3)])]),
        ConstValue::Record(point(), Vec::new()),
    ];
    values.into_iter().filter_map(|v| Operand::constant(v).ok()).collect()
}

/// Builds one function from a choice of operands; what compiles must be valid.
fn check(what: &str, build: impl FnOnce(&mut Builder, &[Operand]) -> Result<Operand, crate::Refusal>) {
    let types = params();
    let storage: Vec<Type> = types.iter().map(Ty::storage).collect();
    let mut b = Builder::new("f", Linkage::Internal, &storage, None);
    let mut operands: Vec<Operand> =
        types.into_iter().enumerate().map(|(i, ty)| Operand::new(ty, b.param(i))).collect();
    operands.extend(constants());
    if let Ok(x) = build(&mut b, &operands) {
        let Ok(v) = arith::materialise(&mut b, &x) else { return };
        assert_eq!(*b.type_of(v), x.ty.storage(), "{what}");
        if matches!(x.ty, Ty::Strong(Type::View(_))) {
            return;
        }
        b.set_return_type(Some(x.ty.storage()));
        b.ret(Some(v));
        let mut module = Module::default();
        module.push(b.finish());
        if let Err(error) = verify(&module) {
            panic!("{what}: {error}");
        }
    }
}

fn functions() -> Vec<(Library, &'static str)> {
    let of = |library, names: Vec<&'static str>| names.into_iter().map(move |name| (library, name));
    let cmath_names =
        cmath::UNARY.iter().map(|(n, _)| *n).chain(["phase", "polar", "rect", "isnan"]).collect();
    of(Library::Builtins, builtins::NAMES.to_vec())
        .chain(of(Library::Math, math::names()))
        .chain(of(Library::CMath, cmath_names))
        .chain(of(Library::NumPy, numpy::names()))
        .chain(of(Library::Operator, operator::names()))
        .collect()
}

fn count() -> usize {
    params().len() + constants().len()
}

#[test]
fn no_function_panics() {
    for (library, name) in functions() {
        let f = Builtin { library, name: name.to_owned() };
        let run = |picks: &[usize]| {
            check(&format!("{name} {picks:?}"), |b, x| {
                let args: Vec<Operand> = picks.iter().map(|i| x[*i].clone()).collect();
                call(b, &f, &args, &[])
            });
        };
        run(&[]);
        for i in 0..count() {
            run(&[i]);
            for j in (i % 3..count()).step_by(3) {
                run(&[i, j]);
            }
            run(&[i, (i + 7) % count(), (i + 11) % count()]);
        }
    }
}

#[test]
fn no_operator_panics() {
    use BinOp::*;
    let ops = [Add, Sub, Mult, MatMult, Div, FloorDiv, Mod, Pow, LShift, RShift, BitAnd, BitOr, BitXor];
    let comparisons = [CompareOp::Eq, CompareOp::NotEq, CompareOp::Lt, CompareOp::GtE, CompareOp::In];
    for (i, j) in (0..count()).flat_map(|i| (0..count()).map(move |j| (i, j))) {
        for op in ops {
            check(&format!("{op:?} {i} {j}"), |b, x| arith::binary(b, op, &x[i], &x[j]));
        }
        for op in comparisons {
            check(&format!("{op:?} {i} {j}"), |b, x| arith::compare(b, op, &x[i], &x[j]));
        }
        check(&format!("subscript {i} {j}"), |b, x| arith::subscript(b, &x[i], &x[j]));
        check(&format!("convert {i} {j}"), |b, x| {
            let to = x[j].ty.storage();
            arith::convert(b, &x[i], &to).map(|v| Operand::new(Ty::Strong(to), v))
        });
        check(&format!("join {i} {j}"), |b, x| {
            let to = arith::join(&x[i].ty, &x[j].ty)?;
            arith::coerce(b, &x[i], &to).map(|v| Operand::new(to, v))
        });
        check(&format!("construct {i} {j}"), |b, x| arith::construct(b, &x[i].ty.storage(), &x[j..=j], &[]));
    }
}

#[test]
fn no_method_panics() {
    for i in 0..count() {
        for op in [UnaryOp::Not, UnaryOp::Invert, UnaryOp::UAdd, UnaryOp::USub] {
            check(&format!("{op:?} {i}"), |b, x| arith::unary(b, op, &x[i]));
        }
        for name in ["conjugate", "conj", "item", "is_integer", "bit_count", "bit_length", "round", "sort"] {
            check(&format!(".{name} {i}"), |b, x| method(b, &x[i], name, &[]));
        }
        for name in ["real", "imag", "x", "n", "shape"] {
            check(&format!(".{name} {i}"), |b, x| arith::attribute(b, &x[i], name));
        }
        check(&format!("truth {i}"), |b, x| arith::truth(b, &x[i]));
    }
}

/// The documentation lists the functions of the tables, no more and no fewer.
#[test]
fn every_function_is_documented() {
    let text = include_str!("../../../../docs/typing-rules.md");
    for (library, name) in functions() {
        assert!(text.contains(&format!("`{name}`")), "{library:?} {name} is not in docs/typing-rules.md");
    }
}
