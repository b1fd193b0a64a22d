//! Scans against plain Rust loops.

mod support;

use freeloom_compiler::ast::{BinOp, CompareOp, StmtKind};
use freeloom_compute::{
    BuildError, IterBinding, IterSpec, OpKind, Operator, RunError, ScanKind, ScanPlan, ScanSpec,
};
use freeloom_ir::Type;
use freeloom_runtime::{Interrupt, NoInterrupt};
use support::*;

use ScanKind::{Exclusive, Inclusive};

fn spec(kind: ScanKind, ty: &Type, op: Operator, has_init: bool) -> ScanSpec {
    let array = IterSpec::Array(ty.clone());
    ScanSpec { kind, input: array.clone(), output: array, op, init: has_init.then(|| ty.clone()) }
}

fn run(spec: &ScanSpec, input: &IterBinding, output: &IterBinding, init: Option<&[u8]>, n: usize) {
    let plan = ScanPlan::build(spec).unwrap();
    // SAFETY: the bindings are made from slices that outlive the call.
    unsafe { plan.run(input, output, &no_captures(), init, n as u64, &NoInterrupt) }.unwrap();
}

/// What a scan should give.
fn expected<T: Copy>(kind: ScanKind, items: &[T], init: Option<T>, op: impl Fn(T, T) -> T) -> Vec<T> {
    let mut prefix = init;
    let mut out = Vec::new();
    for &x in items {
        let before = prefix;
        prefix = Some(prefix.map_or(x, |p| op(p, x)));
        out.extend(if kind == Inclusive { prefix } else { before });
    }
    out
}

fn sizes() -> Vec<usize> {
    let block = [8192, 16_384, 32_768];
    let near =
        block.iter().flat_map(|b| [2 * b - 1, 2 * b, 2 * b + 1, 3 * b, 3 * b + b / 8, 3 * b + b / 8 + 1]);
    // Without initial value a strand of 576 items goes before blocks of eight strands.
    let blocks = [2, 5].into_iter().flat_map(|b| [0, 576].map(|lead| lead + b * 8 * 576));
    let around = blocks.flat_map(|n| [n - 1, n, n + 1]);
    SIZES.iter().copied().chain(near).chain(around).collect()
}

#[test]
fn integers_of_all_sizes() {
    for n in sizes() {
        let v: Vec<i32> = (0..n as i32).map(|i| i.wrapping_mul(7919) % 1000).collect();
        for (kind, init) in [(Inclusive, None), (Inclusive, Some(5)), (Exclusive, Some(-3))] {
            let s = spec(kind, &Type::I32, known(OpKind::Plus), init.is_some());
            let init_bytes = init.map(i32::to_ne_bytes);
            let mut out = vec![0i32; n];
            run(&s, &bind(&v), &bind_mut(&mut out), init_bytes.as_ref().map(|b| &b[..]), n);
            assert_eq!(out, expected(kind, &v, init, i32::wrapping_add), "{n} {kind:?} {init:?}");
            let mut in_place = v.clone();
            let memory = bind_mut(&mut in_place);
            run(&s, &memory, &memory, init_bytes.as_ref().map(|b| &b[..]), n);
            assert_eq!(in_place, out, "{n} {kind:?} {init:?} in place");
        }
    }
}

#[test]
fn operands_keep_their_order() {
    for n in [1, 2, 100, 1000, 8191, 8192, 8193, 40_000, 100_003] {
        let v = Matrix::sequence(n);
        let first = Matrix([2, 7, 1, 8]);
        for (kind, init) in [(Inclusive, None), (Exclusive, Some(first))] {
            let s = spec(kind, &Matrix::ir(), Matrix::product(), init.is_some());
            let mut out = vec![Matrix::default(); n];
            run(&s, &bind(&v), &bind_mut(&mut out), init.as_ref().map(bytes), n);
            assert_eq!(out, expected(kind, &v, init, Matrix::times), "{n} {kind:?}");
        }
    }
}

#[test]
fn strided_memory_and_other_types() {
    let n = 100_000;
    let v: Vec<i16> = (0..2 * n as i32).map(|i| (i % 100) as i16).collect();
    let every_second = bind_at(v.as_ptr() as usize, &[n as i64], &[4]);
    let mut out = vec![0.0f64; n];
    let backwards = bind_at(out.as_mut_ptr() as usize + 8 * (n - 1), &[n as i64], &[-8]);
    let s = ScanSpec {
        kind: Inclusive,
        input: array::<i16>(),
        output: array::<f64>(),
        op: known(OpKind::Plus),
        init: Some(Type::I64),
    };
    run(&s, &every_second, &backwards, Some(bytes(&0i64)), n);
    out.reverse();
    let items: Vec<i64> = v.iter().step_by(2).map(|x| i64::from(*x)).collect();
    let sums: Vec<f64> =
        expected(Inclusive, &items, Some(0), |a, b| a + b).iter().map(|x| *x as f64).collect();
    assert_eq!(out, sums);
}

#[test]
fn bool_maximum_and_float_determinism() {
    let mut flags = vec![false; 90_000];
    flags[70_000] = true;
    let mut out = vec![false; 90_000];
    run(
        &spec(Inclusive, &Type::BOOL, known(OpKind::Maximum), false),
        &bind(&flags),
        &bind_mut(&mut out),
        None,
        90_000,
    );
    assert_eq!(out, (0..90_000).map(|i| i >= 70_000).collect::<Vec<_>>());
    let v: Vec<f32> = (0..1_000_000).map(|i| 1.0 / (1.0 + i as f32)).collect();
    let s = spec(Inclusive, &Type::F32, known(OpKind::Plus), false);
    let once = || {
        let mut out = vec![0.0f32; v.len()];
        run(&s, &bind(&v), &bind_mut(&mut out), None, v.len());
        out
    };
    let first = once();
    let exact = v.iter().map(|x| f64::from(*x)).sum::<f64>();
    assert!((f64::from(first[v.len() - 1]) - exact).abs() < 1e-2);
    for _ in 0..20 {
        assert!(first.iter().zip(once()).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
}

#[test]
fn exclusive_needs_an_initial_value() {
    let e = ScanPlan::build(&spec(Exclusive, &Type::I32, known(OpKind::Plus), false)).err();
    assert!(matches!(e.as_deref(), Some(BuildError::Type(m)) if m.starts_with("init_value")));
}

struct Always;

impl Interrupt for Always {
    fn interrupted(&self) -> bool {
        true
    }
}

/// `while True: pass` in an operator, from the first application on.
#[test]
fn an_interrupt_ends_an_endless_operator() {
    let test = compare(int(0), CompareOp::Lt, bin(BinOp::Add, name("a"), int(1)));
    let forever = stmt(StmtKind::While(test, vec![stmt(StmtKind::Pass)], Vec::new()));
    let ret = stmt(StmtKind::Return(Some(name("b"))));
    let op = function(&["a", "b"], vec![forever, ret], Default::default());
    let plan = ScanPlan::build(&spec(Inclusive, &Type::I32, op, false)).unwrap();
    for n in [10usize, 100_000] {
        let (v, mut out) = (vec![1i32; n], vec![0i32; n]);
        // SAFETY: the bindings are made from slices that outlive the call.
        let result =
            unsafe { plan.run(&bind(&v), &bind_mut(&mut out), &no_captures(), None, n as u64, &Always) };
        assert!(matches!(result, Err(RunError::Interrupted)), "{result:?}");
    }
}
