//! Reductions against plain Rust loops.

mod support;

use std::collections::BTreeMap;

use freeloom_compiler::ast::{BinOp, CompareOp};
use freeloom_compiler::{ArrayCapture, Capture};
use freeloom_compute::{
    ArrayBinding, BuildError, Determinism, IterBinding, IterSpec, OpBinding, OpKind, Operator, ReducePlan,
    ReduceSpec, RunError,
};
use freeloom_ir::Type;
use freeloom_runtime::NoInterrupt;
use support::*;

fn spec(input: IterSpec, output: IterSpec, op: Operator, init: Option<Type>) -> ReduceSpec {
    ReduceSpec { input, output, op, init, determinism: Determinism::RunToRun }
}

/// Reduces to a fresh value.
fn reduce<R: Copy>(
    spec: &ReduceSpec,
    input: &IterBinding,
    op: &OpBinding,
    init: Option<&[u8]>,
    n: usize,
    out: R,
) -> R {
    let plan = ReducePlan::build(spec).unwrap();
    let mut out = [out];
    // SAFETY: the bindings are made from slices that outlive the call.
    unsafe { plan.run(input, &bind_mut(&mut out), op, init, n as u64, &NoInterrupt) }.unwrap();
    out[0]
}

fn simple<T: Item>(op: Operator, items: &[T], zero: T) -> T {
    reduce(&spec(array::<T>(), array::<T>(), op, None), &bind(items), &no_captures(), None, items.len(), zero)
}

#[test]
fn integers_of_all_sizes() {
    let mut rng = Rng(1);
    for &n in SIZES {
        let v: Vec<i32> = (0..n).map(|_| rng.next() as i32).collect();
        let fold = |f: fn(i32, i32) -> i32| v.iter().copied().reduce(f).unwrap();
        assert_eq!(simple(known(OpKind::Plus), &v, 0), fold(i32::wrapping_add), "{n}");
        assert_eq!(simple(known(OpKind::Multiplies), &v, 0), fold(i32::wrapping_mul), "{n}");
        assert_eq!(simple(known(OpKind::Minimum), &v, 0), fold(i32::min), "{n}");
        assert_eq!(simple(known(OpKind::Maximum), &v, 0), fold(i32::max), "{n}");
        assert_eq!(simple(known(OpKind::BitXor), &v, 0), fold(|a, b| a ^ b), "{n}");
    }
}

#[test]
fn narrow_items_and_floats() {
    let bytes: Vec<u8> = (0..70_001u32).map(|i| (i * 7) as u8).collect();
    assert_eq!(simple(known(OpKind::Plus), &bytes, 0), bytes.iter().fold(0u8, |a, b| a.wrapping_add(*b)));
    let halves: Vec<f64> = (0..70_001u32).map(|i| f64::from(i) * 0.5).collect();
    assert_eq!(simple(known(OpKind::Plus), &halves, 0.0), halves.iter().sum::<f64>());
    let mut with_nan = halves.clone();
    assert_eq!(simple(known(OpKind::Maximum), &with_nan, 0.0), 35_000.0);
    with_nan[54_321] = f64::NAN;
    assert!(simple(known(OpKind::Minimum), &with_nan, 0.0).is_nan());
}

#[test]
fn bool_follows_numpy() {
    for (items, any, all) in [([true; 300], true, true), ([false; 300], false, false)] {
        assert_eq!(simple(known(OpKind::Plus), &items, false), any);
        assert_eq!(simple(known(OpKind::Multiplies), &items, false), all);
    }
    let plan = ReducePlan::build(&spec(array::<bool>(), array::<bool>(), known(OpKind::Minus), None));
    assert!(matches!(plan.err().as_deref(), Some(BuildError::Operator { op: OpKind::Minus, .. })));
}

#[test]
fn the_initial_value_decides_the_type() {
    let v: Vec<i8> = (0..100_000).map(|i| (i % 100) as i8).collect();
    let s = spec(array::<i8>(), array::<f64>(), known(OpKind::Plus), Some(Type::I64));
    let sum = reduce(&s, &bind(&v), &no_captures(), Some(bytes(&1_000_000i64)), v.len(), 0.0f64);
    assert_eq!(sum, 1_000_000.0 + 99.0 * 100.0 / 2.0 * 1000.0);
}

#[test]
fn nothing_to_reduce() {
    let s = spec(array::<i32>(), array::<i32>(), known(OpKind::Plus), None);
    assert_eq!(reduce(&s, &bind::<i32>(&[]), &no_captures(), None, 0, 77), 77);
    let s = spec(array::<i32>(), array::<i32>(), known(OpKind::Plus), Some(Type::I32));
    assert_eq!(reduce(&s, &bind::<i32>(&[]), &no_captures(), Some(bytes(&5i32)), 0, 77), 5);
}

#[test]
fn operands_keep_their_order() {
    let ir = Matrix::ir();
    for &n in SIZES {
        let v = Matrix::sequence(n);
        let expected = v.iter().copied().reduce(Matrix::times).unwrap();
        let s = spec(IterSpec::Array(ir.clone()), IterSpec::Array(ir.clone()), Matrix::product(), None);
        assert_eq!(reduce(&s, &bind(&v), &no_captures(), None, n, Matrix::default()), expected, "{n}");
        let first = Matrix([3, 1, 4, 1]);
        let s = ReduceSpec { init: Some(ir.clone()), ..s };
        let got = reduce(&s, &bind(&v), &no_captures(), Some(bytes(&first)), n, Matrix::default());
        assert_eq!(got, first.times(expected), "{n} with init");
    }
}

#[test]
fn first_and_last() {
    let v: Vec<u16> = (0..100_000u32).map(|i| (i % 60_000) as u16).collect();
    assert_eq!(simple(lambda(&["a", "b"], name("a")), &v, 0), v[0]);
    assert_eq!(simple(lambda(&["a", "b"], name("b")), &v, 0), v[99_999]);
}

#[test]
fn arg_max_through_a_zip() {
    let mut rng = Rng(3);
    let v: Vec<f32> = (0..200_000).map(|_| (rng.next() % 100_000) as f32).collect();
    let best = v.iter().enumerate().rev().max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
    let record = Type::aligned_struct("Best", [("value".into(), Type::F32), ("at".into(), Type::I32)]);
    let at = |p: &str| item(name(p), int(0));
    let larger = conditional(name("p"), compare(at("p"), CompareOp::GtE, at("q")), name("q"));
    let input = IterSpec::Zip(vec![array::<f32>(), IterSpec::Counting(Type::I32)]);
    let s = spec(input, IterSpec::Array(record), lambda(&["p", "q"], larger), None);
    let input = IterBinding::Zip(vec![bind(&v), IterBinding::Counting(0)]);
    let got: (f32, i32) = reduce(&s, &input, &no_captures(), None, v.len(), (0.0, 0));
    assert_eq!(got, (v[best], best as i32));
}

#[test]
fn layouts_of_memory() {
    let flat: Vec<i64> = (0..24 * 500).collect();
    let base = flat.as_ptr() as usize;
    let s = spec(array::<i64>(), array::<i64>(), lambda(&["a", "b"], name("b")), None);
    let last = |binding: &IterBinding, n| reduce(&s, binding, &no_captures(), None, n, 0i64);
    assert_eq!(last(&bind_at(base, &[6000], &[16]), 5000), 9998, "every second");
    assert_eq!(last(&bind_at(base + 8 * 11_999, &[12_000], &[-8]), 12_000), 0, "backwards");
    assert_eq!(last(&bind_at(base, &[24, 500], &[8, 24 * 8]), 12_000), 11_999, "Fortran order");
    let cube = bind_at(base, &[24, 5, 50], &[4000, 400, 8]);
    assert_eq!(last(&cube, 24 * 250), 23 * 500 + 4 * 50 + 49, "rank 2 after collapsing");
    let gaps = bind_at(base, &[10, 5, 25], &[4000, 800, 16]);
    for n in [1, 24, 25, 26, 125, 126, 1250] {
        let i = n as i64 - 1;
        assert_eq!(last(&gaps, n), i / 125 * 500 + i / 25 % 5 * 100 + i % 25 * 2, "item {i} of rank 3");
    }
    let odd: Vec<u8> = [vec![0xff], flat.iter().flat_map(|v| v.to_ne_bytes()).collect()].concat();
    assert_eq!(last(&bind_at(odd.as_ptr() as usize + 1, &[12_000], &[8]), 12_000), 11_999, "misaligned");
    let array =
        ArrayBinding { ptr: base, shape: [6000].into_iter().collect(), strides: [8].into_iter().collect() };
    assert_eq!(last(&IterBinding::Array { array, offset: 100 }, 50), 149, "entered later");
}

fn scaled_by_capture() -> Operator {
    let limit = ArrayCapture { slot: 0, elem: Type::I64, rank: 1 };
    let captures = BTreeMap::from([("limit".to_owned(), Capture::Array(limit))]);
    lambda_with(&["x"], bin(BinOp::Mult, name("x"), item(name("limit"), int(2))), captures)
}

#[test]
fn captured_arrays_are_read_at_each_call() {
    let input = IterSpec::Transform { child: Box::new(array::<i64>()), op: scaled_by_capture(), value: None };
    let s = spec(input, array::<i64>(), known(OpKind::Plus), None);
    let v: Vec<i64> = (0..1000).collect();
    let transform = |limit: &[i64]| IterBinding::Transform {
        child: Box::new(bind(&v)),
        op: OpBinding {
            arrays: vec![ArrayBinding {
                ptr: limit.as_ptr() as usize,
                shape: [limit.len() as i64].into_iter().collect(),
                strides: [8].into_iter().collect(),
            }],
        },
    };
    for factor in [3, 5] {
        assert_eq!(
            reduce(&s, &transform(&[0, 0, factor]), &no_captures(), None, 1000, 0i64),
            499_500 * factor
        );
    }
    let plan = ReducePlan::build(&s).unwrap();
    let requirements = plan.input_requirements();
    assert_eq!((requirements.len(), requirements[0][0].min_len.as_slice()), (1, [3].as_slice()));
    let mut out = [0i64];
    // SAFETY: the bindings are made from slices that outlive the call.
    let result = unsafe {
        plan.run(&transform(&[1, 2]), &bind_mut(&mut out), &no_captures(), None, 1000, &NoInterrupt)
    };
    assert!(matches!(result, Err(RunError::CaptureTooShort { slot: 0, axis: 0, needed: 3, got: 2 })));
}

#[test]
fn output_through_a_transform_and_a_zip() {
    let double = lambda(&["x"], bin(BinOp::Mult, name("x"), int(2)));
    let output = IterSpec::Transform { child: Box::new(array::<i32>()), op: double, value: Some(Type::F32) };
    let s = spec(array::<f32>(), output, known(OpKind::Plus), None);
    let plan = ReducePlan::build(&s).unwrap();
    let (v, mut out) = (vec![1.25f32; 1000], [0i32]);
    let target = IterBinding::Transform { child: Box::new(bind_mut(&mut out)), op: no_captures() };
    // SAFETY: the bindings are made from slices that outlive the call.
    unsafe { plan.run(&bind(&v), &target, &no_captures(), None, 1000, &NoInterrupt) }.unwrap();
    assert_eq!(out, [2500]);
}

#[test]
fn refusals_name_the_parameter() {
    let ir = Matrix::ir();
    let message = |s: &ReduceSpec| ReducePlan::build(s).err().map(|e| e.to_string()).unwrap_or_default();
    let m =
        message(&spec(IterSpec::Array(ir.clone()), IterSpec::Array(ir.clone()), known(OpKind::Plus), None));
    assert!(m.contains("OpKind.PLUS") && m.contains("Python function"), "{m}");
    let m = message(&spec(IterSpec::Array(ir), array::<i32>(), known(OpKind::Plus), Some(Type::I32)));
    assert!(m.starts_with("d_in"), "{m}");
    let m = message(&spec(array::<i32>(), IterSpec::Counting(Type::I32), known(OpKind::Plus), None));
    assert!(m.starts_with("d_out"), "{m}");
    let m = message(&spec(array::<i32>(), array::<i32>(), known(OpKind::Negate), None));
    assert!(m.contains("one value"), "{m}");
}
