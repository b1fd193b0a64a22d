//! How close the algorithms come to the memory's limit: `cargo run --release --example throughput`.
#![expect(clippy::print_stdout, reason = "a report for people")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use freeloom_compiler::ast::{BinOp, CompareOp, Expr, ExprKind, Span};
use freeloom_compiler::{Builtin, Capture, Library};
use freeloom_compute::{
    Determinism, IterBinding, IterSpec, OpKind, Operator, ReducePlan, ReduceSpec, ScanKind, ScanPlan,
    ScanSpec, TransformPlan, TransformSpec, cache_stats,
};
use freeloom_ir::Type;
use freeloom_runtime::NoInterrupt;
use support::*;

const N: usize = 1 << 24;

/// Median and best of some rounds.
fn measure(mut f: impl FnMut()) -> (Duration, Duration) {
    f();
    let mut times: Vec<Duration> = (0..21)
        .map(|_| {
            let start = Instant::now();
            f();
            start.elapsed()
        })
        .collect();
    times.sort();
    (times[times.len() / 2], times[0])
}

fn report(name: &str, bytes: usize, f: impl FnMut()) {
    let (median, best) = measure(f);
    let rate = |t: Duration| bytes as f64 / t.as_secs_f64() / 1e9;
    let ms = |t: Duration| t.as_secs_f64() * 1e3;
    let (m, b) = (ms(median), ms(best));
    println!("{name:34} {m:8.3} ms {:6.1} GB/s   best {b:8.3} ms {:6.1} GB/s", rate(median), rate(best));
}

fn built<P>(name: &str, f: impl FnOnce() -> P) -> P {
    let start = Instant::now();
    let plan = f();
    println!("  built {name} in {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    plan
}

fn reduce(
    name: &str,
    input: IterSpec,
    item: Type,
    op: Operator,
    init: Option<Type>,
) -> std::sync::Arc<ReducePlan> {
    let spec =
        ReduceSpec { input, output: IterSpec::Array(item), op, init, determinism: Determinism::RunToRun };
    built(name, || ReducePlan::build(&spec).expect(name))
}

fn run_reduce(plan: &ReducePlan, input: &IterBinding, n: usize) {
    let mut out = [0u64; 4];
    // SAFETY: the input is made from slices that outlive the call; no result is larger than `out`.
    unsafe { plan.run(input, &bind_mut(&mut out), &no_captures(), None, n as u64, &NoInterrupt) }
        .expect("a run");
    black_box(out);
}

fn larger() -> Operator {
    let value = |p: &str| item(name(p), int(0));
    lambda(&["p", "q"], conditional(name("p"), compare(value("p"), CompareOp::GtE, value("q")), name("q")))
}

/// `max(acc, v if v & 1 else acc)`
fn max_odd() -> Operator {
    let max = Capture::Builtin(Builtin { library: Library::Builtins, name: "max".into() });
    let odd = conditional(name("v"), bin(BinOp::BitAnd, name("v"), int(1)), name("acc"));
    let call = ExprKind::Call(Box::new(name("max")), vec![name("acc"), odd], Vec::new());
    let body = Expr { kind: call, span: Span::default() };
    lambda_with(&["acc", "v"], body, BTreeMap::from([("max".to_owned(), max)]))
}

fn main() {
    let floats: Vec<f32> = (0..N).map(|i| (i * 7919 % 1000) as f32).collect();
    let ints: Vec<i32> = (0..N as i32).map(|i| i.wrapping_mul(7919) % 1000).collect();
    let mut out = vec![0.0f32; N];
    println!("threads: {}", freeloom_runtime::threads());
    report("memcpy, one thread", 8 * N, || out.copy_from_slice(&floats));
    report("memcpy, all threads", 8 * N, || parallel_copy(&mut out, &floats));
    report("hand-written sum, all threads", 4 * N, || {
        black_box(parallel_sum(&floats));
    });

    let sum = reduce("sum", array::<f32>(), Type::F32, known(OpKind::Plus), None);
    report("sum f32", 4 * N, || run_reduce(&sum, &bind(&floats), N));
    let odd = reduce("max odd", array::<i32>(), Type::I32, max_odd(), None);
    report("max(acc, v if v & 1 else acc) i32", 4 * N, || run_reduce(&odd, &bind(&ints), N));
    let pair = Type::aligned_struct("Best", [("value".into(), Type::F32), ("at".into(), Type::I32)]);
    let zip = IterSpec::Zip(vec![array::<f32>(), IterSpec::Counting(Type::I32)]);
    let best = reduce("arg-max", zip, pair, larger(), None);
    let zip = IterBinding::Zip(vec![bind(&floats), IterBinding::Counting(0)]);
    report("arg-max (f32, i32) record", 4 * N, || run_reduce(&best, &zip, N));
    small(&sum, &floats);
    transform_and_scan(&floats, &mut out);
    println!("{:?}", cache_stats());
}

fn transform_and_scan(floats: &[f32], out: &mut [f32]) {
    let affine = lambda(&["x"], bin(BinOp::Add, bin(BinOp::Mult, name("x"), int(2)), int(1)));
    let spec = TransformSpec { inputs: vec![array::<f32>()], output: array::<f32>(), op: affine };
    let transform = built("transform", || TransformPlan::build(&spec).expect("transform"));
    let (input, output) = ([bind(floats)], bind_mut(out));
    report("transform x*2+1 f32", 8 * N, || {
        // SAFETY: the bindings are made from slices that outlive the call.
        unsafe { transform.run(&input, &output, &no_captures(), N as u64, &NoInterrupt) }.expect("a run");
    });
    for (what, op) in
        [("PLUS", known(OpKind::Plus)), ("a + b", lambda(&["a", "b"], bin(BinOp::Add, name("a"), name("b"))))]
    {
        let kind = ScanKind::Inclusive;
        let spec = ScanSpec { kind, input: array::<f32>(), output: array::<f32>(), op, init: None };
        let scan = built("scan", || ScanPlan::build(&spec).expect("scan"));
        report(&format!("inclusive scan f32 {what}"), 8 * N, || {
            // SAFETY: the bindings are made from slices that outlive the call.
            unsafe { scan.run(&input[0], &output, &no_captures(), None, N as u64, &NoInterrupt) }
                .expect("a run");
        });
    }
}

fn small(sum: &ReducePlan, floats: &[f32]) {
    let input = bind(&floats[..16]);
    let (median, _) = measure(|| (0..1000).for_each(|_| run_reduce(sum, &input, 16)));
    println!("{:34} {:8.1} ns a call", "sum f32, n = 16", median.as_secs_f64() * 1e6);
}

fn chunk() -> usize {
    N.div_ceil(freeloom_runtime::threads())
}

fn parallel_copy(to: &mut [f32], from: &[f32]) {
    std::thread::scope(|s| {
        for (to, from) in to.chunks_mut(chunk()).zip(from.chunks(chunk())) {
            s.spawn(move || to.copy_from_slice(from));
        }
    });
}

fn parallel_sum(items: &[f32]) -> f32 {
    std::thread::scope(|s| {
        let parts: Vec<_> = items.chunks(chunk()).map(|part| s.spawn(move || lane_sum(part))).collect();
        parts.into_iter().map(|p| p.join().unwrap_or(0.0)).sum()
    })
}

fn lane_sum(items: &[f32]) -> f32 {
    let mut acc = [0.0f32; 64];
    for row in items.chunks_exact(64) {
        for (a, x) in acc.iter_mut().zip(row) {
            *a += x;
        }
    }
    acc.iter().sum()
}
