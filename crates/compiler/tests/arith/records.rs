//! Records, tuples and sub-arrays.

use freeloom_compiler::ast::{BinOp, CompareOp};
use freeloom_compiler::{ConstValue, Operand, Refusal, Ty, arith};
use freeloom_ir::interp::Datum;
use freeloom_ir::{Builder, Const, Scalar, Type};

use crate::support::{Outcome, run, show};

fn record(name: &str, fields: &[(&str, Type)]) -> Type {
    Type::aligned_struct(name, fields.iter().map(|(name, ty)| ((*name).to_owned(), ty.clone())))
}

fn point() -> Type {
    record("Point", &[("x", Type::F32), ("y", Type::F32)])
}

fn line() -> Type {
    record("Line", &[("start", point()), ("steps", Type::array(Type::I32, 3)), ("n", Type::I64)])
}

fn int(v: i128) -> Operand {
    Operand::constant(ConstValue::Int(v)).expect("a number")
}

fn float(v: f64) -> Operand {
    Operand::constant(ConstValue::Float(v.into())).expect("a number")
}

fn ints(values: &[i128]) -> Operand {
    Operand::tuple(values.iter().map(|v| int(*v)).collect())
}

/// The result as text, or the refusal.
fn eval(build: impl FnOnce(&mut Builder) -> Result<Operand, Refusal>) -> String {
    eval_with(&[], &[], build)
}

fn eval_with(
    params: &[Type],
    args: &[Datum],
    build: impl FnOnce(&mut Builder) -> Result<Operand, Refusal>,
) -> String {
    match run(params, args, build) {
        Outcome::Value(ty, v) => show(&ty, &v),
        Outcome::Refused(message) => message,
    }
}

fn keyword(name: &str, x: Operand) -> (String, Operand) {
    (name.to_owned(), x)
}

#[test]
fn records_are_constructed_by_position_and_name() {
    assert_eq!(
        eval(|b| arith::construct(b, &point(), &[int(1)], &[keyword("y", float(2.5))])),
        "record Point:1.0_2.5"
    );
    let nested = eval(|b| arith::construct(b, &line(), &[ints(&[1, 2]), ints(&[3, 4, 5]), int(6)], &[]));
    assert_eq!(nested, "record Line:1.0_2.0_3_4_5_6");
}

#[test]
fn records_refuse_wrong_fields() {
    let refused = |args: &[Operand], kwargs: &[(String, Operand)]| {
        eval(|b| arith::construct(b, &point(), args, kwargs))
    };
    assert_eq!(refused(&[int(1)], &[]), "field y of Point is missing");
    assert_eq!(refused(&[int(1), int(2), int(3)], &[]), "Point takes 2 values, not 3");
    assert_eq!(refused(&[int(1)], &[keyword("z", int(1))]), "record Point has no field z");
    assert_eq!(refused(&[int(1)], &[keyword("x", int(1))]), "field x of Point is given twice");
    assert_eq!(refused(&[int(1), ints(&[1])], &[]), "field y of Point: tuple (int) cannot become float32");
}

#[test]
fn fields_and_items_are_read() {
    let make =
        |b: &mut Builder| arith::construct(b, &line(), &[ints(&[1, 2]), ints(&[3, 4, 5]), int(6)], &[]);
    assert_eq!(
        eval(|b| {
            let line = make(b)?;
            let start = arith::attribute(b, &line, "start")?;
            arith::attribute(b, &start, "y")
        }),
        "float32:2.0"
    );
    for (index, expected) in [
        (2, "int32:5"),
        (-3, "int32:3"),
        (3, "index 3 is outside of array of 3 int32"),
        (-4, "index -4 is outside of array of 3 int32"),
    ] {
        let found = eval(|b| {
            let line = make(b)?;
            let steps = arith::subscript(b, &line, &int(1))?;
            arith::subscript(b, &steps, &int(index))
        });
        assert_eq!(found, expected);
    }
    assert_eq!(
        eval(|b| {
            let line = make(b)?;
            arith::attribute(b, &line, "end")
        }),
        "record Line has no field end"
    );
}

#[test]
fn run_time_indices_are_checked() {
    let at = |x: &Operand, i: i64| {
        eval_with(&[Type::I64], &[Datum::i64(i)], |b| {
            let index = Operand::new(Ty::WeakInt, b.param(0));
            arith::subscript(b, x, &index)
        })
    };
    let same = ints(&[10, 20, 30]);
    assert_eq!([0, 2, -1, -3].map(|i| at(&same, i)), ["int:10", "int:30", "int:30", "int:10"]);
    assert_eq!(at(&same, 3), "Err(Fail(IndexOutOfRange))");
    assert_eq!(at(&same, -4), "Err(Fail(IndexOutOfRange))");
    let mixed = Operand::tuple(vec![int(1), float(2.5)]);
    assert_eq!(at(&mixed, 0), "float:1.0");
    let apart = Operand::tuple(vec![int(1), ints(&[1])]);
    assert_eq!(
        at(&apart, 0),
        "items of different types cannot be indexed at run time: one value cannot be both int and tuple (int)"
    );
    let unsigned = eval_with(&[Type::U64], &[Datum::Scalar(Const::int(Scalar::U64, -1))], |b| {
        let index = Operand::strong(Type::U64, b.param(0));
        arith::subscript(b, &same, &index)
    });
    assert_eq!(unsigned, "Err(Fail(IndexOutOfRange))");
}

#[test]
fn constants_keep_their_layout() {
    let value = ConstValue::Record(
        line(),
        vec![
            ConstValue::Record(point(), vec![ConstValue::Int(1), ConstValue::Float(2.5.into())]),
            ConstValue::Tuple(vec![ConstValue::Int(7), ConstValue::Int(8), ConstValue::Int(9)]),
            ConstValue::Int(-1),
        ],
    );
    let known = Operand::constant(value).expect("a record");
    assert_eq!(eval(|_| Ok(known.clone())), "record Line:1.0_2.5_7_8_9_-1");
    assert_eq!(eval(|b| arith::attribute(b, &known, "steps")), "array of 3 int32:7_8_9");
    assert_eq!(eval(|b| arith::attribute(b, &known, "n")), "int64:-1");
}

#[test]
fn tuples_and_records_convert_by_position() {
    let other = record("Pair", &[("a", Type::I64), ("b", Type::Scalar(Scalar::U8))]);
    let to =
        |x: &Operand, ty: &Type| eval(|b| arith::convert(b, x, ty).map(|v| Operand::strong(ty.clone(), v)));
    assert_eq!(to(&ints(&[3, 4]), &point()), "record Point:3.0_4.0");
    assert_eq!(
        eval(|b| {
            let p = arith::construct(b, &point(), &[float(3.7), float(-1.0)], &[])?;
            arith::convert(b, &p, &other).map(|v| Operand::strong(other.clone(), v))
        }),
        "record Pair:3_0"
    );
    assert_eq!(to(&ints(&[1, 2]), &Type::array(Type::F64, 2)), "array of 2 float64:1.0_2.0");
    assert_eq!(to(&ints(&[1, 2]), &Type::tuple([Type::F64, Type::BOOL])), "tuple (float64, bool):1.0_1");
    assert_eq!(to(&ints(&[1, 2, 3]), &point()), "tuple (int, int, int) cannot become record Point");
    assert_eq!(to(&ints(&[1, 2]), &Type::F64), "tuple (int, int) cannot become float64");
    assert_eq!(to(&int(1), &point()), "int cannot become record Point");
}

#[test]
fn tuples_compare_in_order() {
    let cases = [
        (&[1, 2][..], CompareOp::Lt, &[1, 3][..], true),
        (&[2, 0], CompareOp::Lt, &[1, 3], false),
        (&[1, 2], CompareOp::LtE, &[1, 2], true),
        (&[1], CompareOp::Lt, &[1, 2], true),
        (&[1, 2], CompareOp::Eq, &[1, 2], true),
        (&[1, 2], CompareOp::NotEq, &[1], true),
    ];
    for (x, op, y, expected) in cases {
        let text = format!("bool:{}", u8::from(expected));
        assert_eq!(eval(|b| arith::compare(b, op, &ints(x), &ints(y))), text);
        let (params, args): (Vec<_>, Vec<_>) = x.iter().map(|v| (Type::I64, Datum::i64(*v as i64))).unzip();
        let at_run_time = eval_with(&params, &args, |b| {
            let items = (0..x.len()).map(|i| Operand::new(Ty::WeakInt, b.param(i))).collect();
            arith::compare(b, op, &Operand::tuple(items), &ints(y))
        });
        assert_eq!(at_run_time, text, "{x:?} {op:?} {y:?}");
    }
}

#[test]
fn records_are_equal_by_their_fields() {
    let equal = |x: f64, op| {
        eval(|b| {
            let p = arith::construct(b, &point(), &[float(x), int(2)], &[])?;
            let q = arith::construct(b, &point(), &[float(1.0), int(2)], &[])?;
            arith::compare(b, op, &p, &q)
        })
    };
    assert_eq!(equal(1.0, CompareOp::Eq), "bool:1");
    assert_eq!(equal(1.5, CompareOp::Eq), "bool:0");
    assert_eq!(equal(1.5, CompareOp::NotEq), "bool:1");
    assert_eq!(equal(1.5, CompareOp::Lt), "record Point and record Point cannot be compared");
}

#[test]
fn tuples_are_concatenated() {
    assert_eq!(
        eval(|b| arith::binary(b, BinOp::Add, &ints(&[1, 2]), &Operand::tuple(vec![float(0.5)]))),
        "tuple (int, int, float):1_2_0.5"
    );
}

#[test]
fn scalars_are_constructed() {
    assert_eq!(eval(|b| arith::construct(b, &Type::I32, &[float(-2.7)], &[])), "int32:-2");
    assert_eq!(eval(|b| arith::construct(b, &Type::C64, &[int(1), float(2.5)], &[])), "complex64:1.0_2.5");
    assert_eq!(eval(|b| arith::construct(b, &Type::BOOL, &[float(f64::NAN)], &[])), "bool:1");
    assert_eq!(eval(|b| arith::construct(b, &Type::F64, &[], &[])), "float64:0.0");
    assert_eq!(
        eval(|b| arith::construct(b, &Type::U8, &[int(-1)], &[])),
        "the int -1 is out of bounds for uint8"
    );
}
