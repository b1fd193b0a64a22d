use super::verify;
use crate::builder::Builder;
use crate::func::{Func, Inst, Linkage, Module, Stmt, Value};
use crate::op::{Const, UnaryOp};
use crate::types::{Scalar, Type};

fn message(func: Func) -> String {
    let module = Module { funcs: vec![func] };
    verify(&module).expect_err("invalid").to_string()
}

fn with_stmt(stmt: Stmt) -> Func {
    let mut b = Builder::new("f", Linkage::Internal, &[Type::I64], None);
    b.push(stmt);
    b.finish()
}

#[test]
fn values_without_type_are_refused() {
    let stmt = Stmt::Let(Value(9), Inst::Const(Const::i64(0)));
    assert_eq!(message(with_stmt(stmt)), "function @0 \"f\": %9 = const i64 0: %9 has no type");
    let stmt = Stmt::Let(Value(1), Inst::Unary(UnaryOp::Neg, Value(7)));
    assert_eq!(message(with_stmt(stmt)), "function @0 \"f\": %1 = neg %7: %7 is not defined");
}

#[test]
fn more_parameters_than_values_are_refused() {
    let mut func = with_stmt(Stmt::Poll);
    func.params = 2;
    assert_eq!(message(func), "function @0 \"f\": 2 parameters, but 1 values");
}

#[test]
fn hostile_types_are_refused_quickly() {
    let huge = [
        Type::array(Type::F64, u64::MAX),
        Type::array(Type::tuple([]), u64::MAX),
        Type::array(Type::array(Type::U8, 1 << 40), 1 << 40),
        Type::view(Type::F64, u32::MAX),
        Type::Complex(Scalar::I8),
    ];
    for ty in huge {
        let func = Builder::new("f", Linkage::Internal, &[ty], None).finish();
        message(func);
    }
}

#[test]
fn deep_tuples_are_measured_in_linear_time() {
    let ty = (0..60).fold(Type::F32, |ty, _| Type::tuple([Type::U8, ty]));
    assert_eq!((ty.size(), ty.align()), (244, 4));
}
