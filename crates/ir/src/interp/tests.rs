use super::scalar::{binary, cast, cmp, unary};
use super::{Datum, Interp, Trap};
use crate::func::{FuncId, Module};
use crate::op::{BinaryOp, CmpOp, Const, UnaryOp};
use crate::text::{parse_const, parse_module};
use crate::types::Scalar;
use crate::verify;

fn module(text: &str) -> Module {
    let module = parse_module(text).expect("IR");
    verify(&module).expect("valid IR");
    module
}

fn run(text: &str, args: &[Datum]) -> Result<Option<Datum>, Trap> {
    let module = module(text);
    Interp::new(&module).call(FuncId(module.funcs.len() as u32 - 1), args)
}

fn parse(ty: Scalar, text: &str) -> Const {
    parse_const(ty, text).unwrap_or_else(|| panic!("constant {text}"))
}

fn check_binary(op: BinaryOp, ty: Scalar, cases: &[(&str, &str, &str)]) {
    for (a, b, expected) in cases {
        let result = binary(op, parse(ty, a), parse(ty, b)).map(|c| c.to_string());
        assert_eq!(result.as_deref(), Some(*expected), "{} {a}, {b}", op.name());
    }
}

#[test]
fn integer_operations_are_total() {
    check_binary(BinaryOp::Div, Scalar::I64, &[("7", "-2", "-3"), ("7", "0", "0")]);
    check_binary(BinaryOp::Div, Scalar::I8, &[("-128", "-1", "-128")]);
    check_binary(
        BinaryOp::Rem,
        Scalar::I32,
        &[("-7", "2", "-1"), ("7", "0", "0"), ("-2147483648", "-1", "0")],
    );
    check_binary(
        BinaryOp::Shl,
        Scalar::I32,
        &[("1", "31", "-2147483648"), ("1", "32", "0"), ("1", "-1", "0")],
    );
    check_binary(BinaryOp::Shr, Scalar::I16, &[("-4", "1", "-2"), ("-4", "16", "-1"), ("4", "-1", "0")]);
    check_binary(BinaryOp::Shr, Scalar::U8, &[("200", "3", "25"), ("200", "8", "0")]);
    check_binary(BinaryOp::Mul, Scalar::U64, &[("18446744073709551615", "18446744073709551615", "1")]);
    check_binary(BinaryOp::Add, Scalar::I8, &[("127", "1", "-128")]);
}

#[test]
fn least_and_greatest_follow_ieee() {
    let cases =
        [("0.0", "-0.0", "-0.0"), ("-0.0", "0.0", "-0.0"), ("1.0", "nan", "nan"), ("2.0", "1.0", "1.0")];
    check_binary(BinaryOp::Min, Scalar::F32, &cases);
    let cases = [("0.0", "-0.0", "0.0"), ("-0.0", "0.0", "0.0"), ("-inf", "1.0", "1.0")];
    check_binary(BinaryOp::Max, Scalar::F64, &cases);
    assert!(
        binary(BinaryOp::Max, parse(Scalar::F64, "1"), parse(Scalar::F64, "nan"))
            .is_some_and(|c| c.as_float().is_nan())
    );
}

#[test]
fn the_next_f16_is_a_neighbour() {
    let cases = [("1.0", "2.0", "1.0009766"), ("0.0", "-1.0", "-5.9604645e-8"), ("65504.0", "inf", "inf")];
    check_binary(BinaryOp::NextAfter, Scalar::F16, &cases);
}

#[test]
fn bits_are_counted_within_the_width() {
    let count = |op, ty, v: &str| unary(op, parse(ty, v)).map(Const::as_int);
    assert_eq!(count(UnaryOp::PopCount, Scalar::I8, "-1"), Some(8));
    assert_eq!(count(UnaryOp::LeadingZeros, Scalar::I16, "1"), Some(15));
    assert_eq!(count(UnaryOp::LeadingZeros, Scalar::U64, "0"), Some(64));
    assert_eq!(count(UnaryOp::Abs, Scalar::I8, "-128"), Some(-128));
    assert_eq!(unary(UnaryOp::Not, Const::bool(true)), Some(Const::bool(false)));
    assert_eq!(unary(UnaryOp::Neg, Const::bool(true)), None);
}

#[test]
fn casts_saturate_wrap_and_round() {
    let cases = [
        (Scalar::F64, "300.7", Scalar::U8, "255"),
        (Scalar::F64, "-1e300", Scalar::I64, "-9223372036854775808"),
        (Scalar::F32, "nan", Scalar::I32, "0"),
        (Scalar::F32, "nan", Scalar::Bool, "true"),
        (Scalar::F64, "-2.9", Scalar::I8, "-2"),
        (Scalar::I64, "-1", Scalar::U16, "65535"),
        (Scalar::I64, "9007199791611905", Scalar::F32, "9007200000000000.0"),
        (Scalar::U64, "18446744073709551615", Scalar::F64, "1.8446744073709552e19"),
        (Scalar::F64, "1.0004882812500002", Scalar::F16, "1.0009766"),
        (Scalar::Bool, "true", Scalar::F32, "1.0"),
    ];
    for (from, v, to, expected) in cases {
        assert_eq!(cast(parse(from, v), to).to_string(), expected, "{v} to {}", to.name());
    }
}

#[test]
fn comparisons_with_nan_are_false() {
    let nan = Const::float(Scalar::F16, f64::NAN);
    for op in CmpOp::ALL {
        assert_eq!(cmp(op, nan, nan), Some(op == CmpOp::Ne));
    }
}

#[test]
fn a_stack_allocation_ends_with_its_function() {
    let text = r#"
        func "leak"() -> ptr { %0 = stack_alloc 8  return %0 }
        func "f"() -> i64 { %0 = call @0()  %1 = load i64, %0  return %1 }"#;
    assert_eq!(run(text, &[]), Err(Trap::OutOfBounds(1 << 40)));
}

#[test]
fn bad_memory_traps() {
    let load = r#"func "f"(%0: ptr) -> u16 { %1 = load u16, %0  return %1 }"#;
    assert_eq!(run(load, &[Datum::Ptr(0)]), Err(Trap::OutOfBounds(0)));
    let fresh = r#"func "f"() -> u16 { %0 = stack_alloc 2  %1 = load u16, %0  return %1 }"#;
    assert_eq!(run(fresh, &[]), Err(Trap::Uninitialised(1 << 40)));
}

#[test]
fn memory_of_the_caller_is_written() {
    let module = module(r#"func "f"(%0: ptr) { %1 = const u16 513  store %0, %1 }"#);
    let mut interp = Interp::new(&module);
    let ptr = interp.alloc(vec![9; 4]);
    assert_eq!(interp.call(FuncId(0), &[Datum::Ptr(ptr + 1)]), Ok(None));
    assert_eq!(interp.bytes(ptr), [9, 1, 2, 9]);
    assert_eq!(interp.bytes(0), []);
}

#[test]
fn endless_loops_run_out_of_fuel() {
    assert_eq!(run(r#"func "f"() { loop { } }"#, &[]), Err(Trap::OutOfFuel));
}

#[test]
fn long_chains_of_calls_and_blocks_end_in_a_trap() {
    let mut text = String::from("func \"f\"() -> i64 { %0 = const i64 1  return %0 }\n");
    for i in 0..1000 {
        text += &format!("func \"f\"() -> i64 {{ %0 = call @{i}()  return %0 }}\n");
    }
    assert_eq!(run(&text, &[]), Err(Trap::OutOfResources));
    let text = format!("func \"f\"() {{ {}return{} }}", "loop { ".repeat(120), " }".repeat(120));
    assert_eq!(run(&text, &[]), Ok(None));
}

#[test]
fn arguments_must_suit() {
    let text = r#"func "f"(%0: i64) { }"#;
    assert!(matches!(run(text, &[]), Err(Trap::Invalid(_))));
    assert!(matches!(run(text, &[Datum::f64(1.0)]), Err(Trap::Invalid(_))));
}
