//! What docs/typing-rules.md says is not as in CPython, and what is refused.

use freeloom_compiler::ast::CompareOp;
use freeloom_compiler::{ConstValue, Operand, Ty, arith};
use freeloom_ir::{Builder, Linkage, Scalar, Type};

use crate::support::{Outcome, evaluate, parse_arg, parse_type, same, show};

fn result(call: &str, known: bool) -> String {
    let mut words = call.split(' ');
    let name = words.next().unwrap_or_default();
    let args: Vec<_> = words.map(parse_arg).collect();
    match evaluate(name, &args, known) {
        Outcome::Value(ty, v) => show(&ty, &v),
        Outcome::Refused(message) => message,
    }
}

#[track_caller]
fn at_run_time(call: &str, expected: &str) {
    assert_eq!(result(call, false), expected, "{call}");
}

#[track_caller]
fn when_known(call: &str, expected: &str) {
    assert_eq!(result(call, true), expected, "{call}");
}

#[test]
fn python_ints_wrap_at_run_time_and_are_exact_when_known() {
    at_run_time("+ int:9223372036854775807 int:1", "int:-9223372036854775808");
    at_run_time("<< int:1 int:64", "int:0");
    when_known("- int:18446744073709551616 int:18446744073709551615", "int:1");
    when_known("& uint64:255 int:18446744073709551615", "uint64:255");
}

#[test]
fn a_known_int_must_fit() {
    when_known("+ int8:1 int:128", "the int 128 is out of bounds for int8");
    when_known("<< uint8:1 int:-1", "the int -1 is out of bounds for uint8");
    when_known("** int8:2 int:300", "the int 300 is out of bounds for int8");
    at_run_time("+ int8:1 int:300", "int8:45");
    when_known("< int8:1 int:300", "bool:1");
    at_run_time("< int8:1 int:300", "bool:1");
    at_run_time("> uint64:0 int:-1", "bool:1");
    at_run_time("== uint64:18446744073709551615 int:-1", "bool:0");
}

#[test]
fn division_by_zero_is_total() {
    for known in [false, true] {
        assert_eq!(result("// int:7 int:0", known), "int:0");
        assert_eq!(result("% int:7 int:0", known), "int:0");
        assert_eq!(result("// int8:-128 int8:-1", known), "int8:-128");
        assert_eq!(result("/ int:7 int:0", known), "float:inf");
        assert_eq!(result("math.sqrt float:-1.0", known), "float:NaN");
        assert_eq!(result("numpy.reciprocal int32:0", known), "int32:0");
    }
}

#[test]
fn negative_powers_of_integers() {
    at_run_time("** int:2 int:-1", "int:0");
    at_run_time("** int8:-1 int8:-3", "int8:-1");
    at_run_time("** int8:-1 int8:-2", "int8:1");
    at_run_time("** int8:0 int8:-2", "int8:0");
    when_known("** int:2 int:-1", "float:0.5");
    when_known("** int8:2 int:-1", "int8 to the negative power -1");
}

#[test]
fn known_powers_are_those_of_arrays() {
    when_known("** float64:-inf float:0.5", "float64:NaN");
    at_run_time("** float64:-inf float:0.5", "float64:inf");
}

#[test]
fn floats_become_integers_by_saturation() {
    for known in [false, true] {
        assert_eq!(result("int float32:nan", known), "int:0");
        assert_eq!(result("int float32:-inf", known), "int:-9223372036854775808");
        assert_eq!(result("math.floor float:1e300", known), "int:9223372036854775807");
        assert_eq!(result("math.trunc float:-2.5", known), "int:-2");
    }
}

#[test]
fn extremes_keep_the_first_of_what_does_not_compare() {
    at_run_time("max float32:nan float:1.0", "float32:NaN");
    at_run_time("max float:1.0 float32:nan", "float32:1.0");
    at_run_time("numpy.maximum float:1.0 float32:nan", "float32:NaN");
    at_run_time("numpy.fmax float:1.0 float32:nan", "float32:1.0");
    at_run_time("numpy.maximum float32:-0.0 float32:0.0", "float32:0.0");
    when_known("max int:3 int:5 int:4", "int:5");
}

#[test]
fn refusals_name_the_types() {
    at_run_time("- bool:1 bool:0", "`-` is not supported between bool and bool");
    at_run_time("& uint64:1 int8:1", "`&` is not supported between uint64 and int8");
    at_run_time("< complex64:1.0_0.0 float32:1.0", "complex numbers have no order");
    at_run_time("// complex128:1.0_0.0 int:1", "`//` is not supported between complex128 and int");
    at_run_time("invert float32:1.0", "unary `~` is not supported for float32");
    at_run_time("math.sin complex64:1.0_0.0", "complex64 cannot stand for a real number");
    at_run_time("math.sin float:1.0 float:2.0", "math.sin takes 1 argument, not 2");
    at_run_time("math.dist float:1.0 float:2.0", "math.dist is not supported");
    at_run_time("round float:2.675 int:2", "round of a Python float to digits is not supported");
}

#[test]
fn a_variable_has_the_common_type() {
    for (a, b, expected) in [
        ("int", "float32", "float32"),
        ("float", "int32", "float64"),
        ("int", "float", "float"),
        ("int32", "float32", "float64"),
        ("int", "int8", "int8"),
        ("bool", "int", "int64"),
        ("complex", "float16", "complex64"),
        ("uint64", "int64", "float64"),
    ] {
        for (a, b) in [(a, b), (b, a)] {
            let joined = arith::join(&parse_type(a), &parse_type(b));
            assert_eq!(joined, Ok(parse_type(expected)), "{a}, {b}");
        }
    }
    let tuple = Ty::Tuple(vec![Ty::WeakInt, Ty::Strong(Type::F32)]);
    assert_eq!(
        arith::join(&tuple, &Ty::Tuple(vec![Ty::WeakFloat, Ty::WeakInt])),
        Ok(Ty::Tuple(vec![Ty::WeakFloat, Ty::Strong(Type::F32)]))
    );
    assert!(arith::join(&tuple, &Ty::WeakInt).is_err());
}

/// Every conversion between number types gives the type asked for.
#[test]
fn numbers_convert_to_declared_types() {
    let mut b = Builder::new("f", Linkage::Internal, &[Type::F64, Type::C64], None);
    let real = Operand::new(Ty::WeakFloat, b.param(0));
    let complex = Operand::strong(Type::C64, b.param(1));
    for s in Scalar::ALL {
        let to = Type::Scalar(s);
        let v = arith::convert(&mut b, &real, &to).expect("a number becomes any number");
        assert_eq!(*b.type_of(v), to);
        assert_eq!(arith::convert(&mut b, &complex, &to).is_ok(), s == Scalar::Bool, "complex64 to {to}");
    }
    let v = arith::convert(&mut b, &real, &Type::C64).expect("a real number becomes a complex one");
    assert_eq!(*b.type_of(v), Type::C64);
    let known = Operand { ty: Ty::WeakInt, repr: freeloom_compiler::Repr::Const(ConstValue::Int(300)) };
    assert!(arith::convert(&mut b, &known, &Type::U8).is_err());
    let same = arith::compare(&mut b, CompareOp::Is, &known, &known);
    assert_eq!(same.unwrap_err().hint.as_deref(), Some("use `==` or `!=`"));
}

/// Powers with exponents known only at run time take other paths than known ones.
#[test]
fn complex_powers_at_run_time() {
    for (call, expected) in [
        ("** complex128:1.0_2.0 int:3", "complex128:-11.0_-2.0"),
        ("** complex128:1.0_2.0 int:-1", "complex128:0.2_-0.4"),
        ("** complex128:0.0_0.0 int:0", "complex128:1.0_0.0"),
        ("** complex128:0.0_0.0 int:2", "complex128:0.0_0.0"),
        ("** complex128:0.0_0.0 int:-1", "complex128:nan_nan"),
        ("** complex128:1.0_2.0 float:0.5", "complex128:1.272019649514069_0.7861513777574233"),
    ] {
        let mut words = call.split(' ');
        let name = words.next().unwrap_or_default();
        let args: Vec<_> = words.map(parse_arg).collect();
        for known in [false, true] {
            assert!(same(&evaluate(name, &args, known), expected, 8), "{call}: {}", result(call, known));
        }
    }
}
