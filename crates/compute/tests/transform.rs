//! Transforms against plain Rust loops.

mod support;

use freeloom_compiler::ast::BinOp;
use freeloom_compute::{
    BuildError, IterBinding, IterSpec, OpKind, Operator, TransformPlan, TransformSpec, item_type,
    output_item_type,
};
use freeloom_ir::{Scalar, Type};
use freeloom_runtime::NoInterrupt;
use support::*;

fn run(inputs: Vec<(IterSpec, IterBinding)>, output: (IterSpec, IterBinding), op: Operator, n: usize) {
    let (specs, bindings): (Vec<_>, Vec<_>) = inputs.into_iter().unzip();
    let plan = TransformPlan::build(&TransformSpec { inputs: specs, output: output.0, op }).unwrap();
    // SAFETY: the bindings are made from slices that outlive the call.
    unsafe { plan.run(&bindings, &output.1, &no_captures(), n as u64, &NoInterrupt) }.unwrap();
}

fn binary<A: Item, B: Item, R: Item + Default>(op: Operator, a: &[A], b: &[B]) -> Vec<R> {
    let mut out = vec![R::default(); a.len()];
    let inputs = vec![(array::<A>(), bind(a)), (array::<B>(), bind(b))];
    run(inputs, (array::<R>(), bind_mut(&mut out)), op, a.len());
    out
}

fn unary<A: Item, R: Item + Default>(op: Operator, a: &[A]) -> Vec<R> {
    let mut out = vec![R::default(); a.len()];
    run(vec![(array::<A>(), bind(a))], (array::<R>(), bind_mut(&mut out)), op, a.len());
    out
}

#[test]
fn every_known_operator() {
    let mut rng = Rng(9);
    let a: Vec<i32> = (0..5000).map(|_| rng.next() as i32 % 100).collect();
    let b: Vec<i32> = (0..5000).map(|_| rng.next() as i32 % 7).collect();
    let check = |kind: OpKind, f: fn(i32, i32) -> i32| {
        let got: Vec<i32> = binary(known(kind), &a, &b);
        let expected: Vec<i32> = a.iter().zip(&b).map(|(a, b)| f(*a, *b)).collect();
        assert_eq!(got, expected, "{}", kind.name());
    };
    check(OpKind::Plus, |a, b| a + b);
    check(OpKind::Minus, |a, b| a - b);
    check(OpKind::Multiplies, |a, b| a * b);
    check(OpKind::Divides, |a, b| a.checked_div(b).unwrap_or(0));
    check(OpKind::Modulus, |a, b| a.checked_rem(b).unwrap_or(0));
    check(OpKind::EqualTo, |a, b| (a == b).into());
    check(OpKind::NotEqualTo, |a, b| (a != b).into());
    check(OpKind::Greater, |a, b| (a > b).into());
    check(OpKind::Less, |a, b| (a < b).into());
    check(OpKind::GreaterEqual, |a, b| (a >= b).into());
    check(OpKind::LessEqual, |a, b| (a <= b).into());
    check(OpKind::LogicalAnd, |a, b| (a != 0 && b != 0).into());
    check(OpKind::LogicalOr, |a, b| (a != 0 || b != 0).into());
    check(OpKind::BitAnd, |a, b| a & b);
    check(OpKind::BitOr, |a, b| a | b);
    check(OpKind::BitXor, |a, b| a ^ b);
    check(OpKind::Minimum, i32::min);
    check(OpKind::Maximum, i32::max);
    let each = |kind: OpKind, f: fn(i32) -> i32| {
        let expected: Vec<i32> = a.iter().map(|x| f(*x)).collect();
        assert_eq!(unary::<i32, i32>(known(kind), &a), expected, "{}", kind.name());
    };
    each(OpKind::Identity, |x| x);
    each(OpKind::Negate, |x| -x);
    each(OpKind::BitNot, |x| !x);
    each(OpKind::LogicalNot, |x| (x == 0).into());
}

#[test]
fn operands_of_different_types_meet() {
    let got: Vec<f64> = binary(known(OpKind::Plus), &[1i32, -2, 3], &[0.5f64, 0.25, -1.0]);
    assert_eq!(got, [1.5, -1.75, 2.0]);
    let got: Vec<bool> = binary(known(OpKind::Less), &[1u8, 200, 3], &[2i64, -1, 3]);
    assert_eq!(got, [true, false, false]);
}

#[test]
fn sizes_layouts_and_in_place() {
    let op = || lambda(&["x"], bin(BinOp::Add, bin(BinOp::Mult, name("x"), int(2)), int(1)));
    for &n in SIZES {
        let v: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let expected: Vec<f32> = v.iter().map(|x| x * 2.0 + 1.0).collect();
        assert_eq!(unary::<f32, f32>(op(), &v), expected);
        let mut in_place = v.clone();
        let memory = bind_mut(&mut in_place);
        run(vec![(array::<f32>(), memory.clone())], (array::<f32>(), memory), op(), n);
        assert_eq!(in_place, expected);
    }
    let v: Vec<i64> = (0..60_000).collect();
    let mut out = vec![0i64; 60_000];
    let from = bind_at(v.as_ptr() as usize, &[20, 30, 100], &[8, 160 * 100, 160]);
    let to = bind_at(out.as_mut_ptr() as usize, &[20, 30, 100], &[24_000, 800, 8]);
    run(vec![(array::<i64>(), from)], (array::<i64>(), to), known(OpKind::Identity), 60_000);
    let expected = |i: usize| (i / 3000) + (i / 100 % 30) * 2000 + (i % 100) * 20;
    assert!(out.iter().enumerate().all(|(i, x)| *x as usize == expected(i)));
}

#[test]
fn zips_in_and_out() {
    let (a, b) =
        ((0..1000).collect::<Vec<i32>>(), (0..1000).map(|i| f64::from(i) / 2.0).collect::<Vec<f64>>());
    let (mut sum, mut index) = (vec![0.0f64; 1000], vec![0u8; 1000]);
    let swap = tuple(vec![
        bin(BinOp::Add, item(name("z"), int(0)), item(name("z"), int(1))),
        item(name("z"), int(2)),
    ]);
    let input =
        IterSpec::Zip(vec![array::<i32>(), array::<f64>(), IterSpec::Counting(Type::Scalar(Scalar::U16))]);
    let output = IterSpec::Zip(vec![array::<f64>(), array::<u8>()]);
    let from = IterBinding::Zip(vec![bind(&a), bind(&b), IterBinding::Counting(10)]);
    let to = IterBinding::Zip(vec![bind_mut(&mut sum), bind_mut(&mut index)]);
    run(vec![(input, from)], (output, to), lambda(&["z"], swap), 1000);
    assert!((0..1000).all(|i| sum[i] == i as f64 * 1.5 && index[i] == (i + 10) as u8));
}

#[test]
fn constants_and_counting() {
    let mut out = vec![0.0f32; 100];
    let inputs = vec![
        (IterSpec::Constant(Type::F32), IterBinding::Constant(2.5f32.to_ne_bytes().to_vec())),
        (IterSpec::Counting(Type::I64), IterBinding::Counting(-5i64 as u64)),
    ];
    run(inputs, (array::<f32>(), bind_mut(&mut out)), known(OpKind::Multiplies), 100);
    assert!((0..100).all(|i| out[i] == 2.5 * (i as f32 - 5.0)));
}

#[test]
fn records_pass_through() {
    let v = Matrix::sequence(5000);
    let mut out = vec![Matrix::default(); 5000];
    let spec = IterSpec::Array(Matrix::ir());
    run(vec![(spec.clone(), bind(&v))], (spec, bind_mut(&mut out)), known(OpKind::Identity), 5000);
    assert_eq!(out, v);
}

#[test]
fn item_types() {
    let half = lambda(&["x"], bin(BinOp::Div, name("x"), int(2)));
    let halves = IterSpec::Transform { child: Box::new(array::<i32>()), op: half, value: None };
    assert_eq!(item_type(&halves).unwrap(), Type::F64);
    let zip = item_type(&IterSpec::Zip(vec![halves, IterSpec::Counting(Type::I32)])).unwrap();
    assert_eq!(zip.component(1), Some((Type::I32, 8)));
    assert!(matches!(output_item_type(&IterSpec::Constant(Type::I32)), Err(BuildError::Type(_))));
}
