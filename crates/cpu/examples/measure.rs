//! Measures what the back end promises: the time from IR to callable code, and the speed of what comes out.
//!
//! `cargo run --release -p freeloom-cpu --example measure`

use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use freeloom_cpu::{Code, Options, compile, emit_text, host, llvm_version};
use freeloom_ir::{BinaryOp, Builder, Linkage, Module, Rounds, Scalar, Type, Value};

const LANES: i64 = 64;

fn main() {
    let options = Options::default();
    let mut out = format!("LLVM {}, {}\n", llvm_version(), host().name);
    let reduce = reduce_module();
    let transform = transform_module();
    if std::env::args().any(|a| a == "--text") {
        out += &emit_text(&reduce, &options).expect("emits");
        out += &emit_text(&transform, &options).expect("emits");
    }
    for (name, module) in [("reduce", &reduce), ("transform", &transform)] {
        out += &compile_times(name, module, &options);
    }
    out += &reduce_speed(&reduce, &options);
    out += &transform_speed(&transform, &options);
    std::io::stdout().write_all(out.as_bytes()).expect("prints");
}

fn compile_times(name: &str, module: &Module, options: &Options) -> String {
    let first = Instant::now();
    drop(Code::load(&compile(module, options).expect("compiles")).expect("loads"));
    let first = first.elapsed();
    let (mut compiles, mut loads, mut frees) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..50 {
        let (object, t) = timed(|| compile(module, options).expect("compiles"));
        compiles.push(t);
        let (code, t) = timed(|| Code::load(&object).expect("loads"));
        loads.push(t);
        frees.push(timed(|| drop(code)).1);
    }
    format!(
        "{name}: first {first:?}, then compile {:?}, load {:?}, free {:?} (medians)\n",
        median(compiles),
        median(loads),
        median(frees)
    )
}

fn timed<R>(f: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = f();
    (result, start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn element(b: &mut Builder, base: Value, i: Value) -> Value {
    let size = b.i64(4);
    let bytes = b.binary(BinaryOp::Mul, i, size);
    b.ptr_add(base, bytes)
}

/// `out[0] = sum(x[0..n])`, n a multiple of [`LANES`], with a block of independent accumulators.
fn reduce_module() -> Module {
    let mut b = Builder::new("reduce", Linkage::Export, &[Type::Ptr, Type::I64, Type::Ptr], None);
    let (x, n, out) = (b.param(0), b.param(1), b.param(2));
    let acc = b.stack_alloc(4 * LANES as u64);
    let (zero, lanes) = (b.i64(0), b.i64(LANES));
    b.for_range(zero, lanes, Rounds::Parallel, |b, j| {
        let (to, none) = (element(b, acc, j), float(b, 0.0));
        b.store(to, none);
    });
    let blocks = b.binary(BinaryOp::Div, n, lanes);
    b.for_range(zero, blocks, Rounds::Ordered, |b, i| {
        let start = b.binary(BinaryOp::Mul, i, lanes);
        let base = element(b, x, start);
        b.for_range(zero, lanes, Rounds::Parallel, |b, j| {
            let (from, at) = (element(b, base, j), element(b, acc, j));
            let (old, v) = (b.load(Type::F32, at), b.load(Type::F32, from));
            let new = b.binary(BinaryOp::Add, old, v);
            b.store(at, new);
        });
    });
    let mut width = LANES / 2;
    while width > 0 {
        let half = b.i64(width);
        b.for_range(zero, half, Rounds::Parallel, |b, j| {
            let other = b.binary(BinaryOp::Add, j, half);
            let (at, other) = (element(b, acc, j), element(b, acc, other));
            let (old, v) = (b.load(Type::F32, at), b.load(Type::F32, other));
            let new = b.binary(BinaryOp::Add, old, v);
            b.store(at, new);
        });
        width /= 2;
    }
    let result = b.load(Type::F32, acc);
    b.store(out, result);
    b.ret(None);
    module_of(b)
}

/// `y[i] = x[i] * x[i] + 1 if x[i] > 0 else -x[i]`, possibly in place.
fn transform_module() -> Module {
    let mut b = Builder::new("transform", Linkage::Export, &[Type::Ptr, Type::Ptr, Type::I64], None);
    let (x, y, n) = (b.param(0), b.param(1), b.param(2));
    let zero = b.i64(0);
    b.for_range(zero, n, Rounds::Parallel, |b, i| {
        let (from, to) = (element(b, x, i), element(b, y, i));
        let v = b.load(Type::F32, from);
        let (none, one) = (float(b, 0.0), float(b, 1.0));
        let positive = b.cmp(freeloom_ir::CmpOp::Gt, v, none);
        let square = b.binary(BinaryOp::Mul, v, v);
        let square = b.binary(BinaryOp::Add, square, one);
        let negated = b.unary(freeloom_ir::UnaryOp::Neg, v);
        let result = b.select(positive, square, negated);
        b.store(to, result);
    });
    b.ret(None);
    module_of(b)
}

fn float(b: &mut Builder, v: f64) -> Value {
    b.constant(freeloom_ir::Const::float(Scalar::F32, v))
}

fn module_of(b: Builder) -> Module {
    let mut module = Module::default();
    module.push(b.finish());
    module
}

fn reduce_speed(module: &Module, options: &Options) -> String {
    let code = Code::load(&compile(module, options).expect("compiles")).expect("loads");
    let address = code.symbol("reduce").expect("exported");
    // SAFETY: the module exports a function of this type.
    let f: extern "C" fn(*const f32, i64, *mut f32) = unsafe { std::mem::transmute(address) };
    let mut lines = String::new();
    for n in [1 << 12, 1 << 16, 1 << 24] {
        let (x, mut out) = (vec![1.0f32; n], 0.0f32);
        let t = best(|| f(x.as_ptr(), n as i64, &mut out));
        assert_eq!(black_box(out), n as f32);
        lines += &speed("reduce", n, 4 * n, t);
    }
    lines
}

fn transform_speed(module: &Module, options: &Options) -> String {
    let code = Code::load(&compile(module, options).expect("compiles")).expect("loads");
    let address = code.symbol("transform").expect("exported");
    // SAFETY: the module exports a function of this type.
    let f: extern "C" fn(*const f32, *mut f32, i64) = unsafe { std::mem::transmute(address) };
    let mut lines = String::new();
    for n in [1 << 12, 1 << 16, 1 << 24] {
        let mut x = vec![1.0f32; n];
        let in_place = best(|| f(x.as_ptr(), x.as_mut_ptr(), n as i64));
        let mut y = vec![0.0f32; n];
        let apart = best(|| f(x.as_ptr(), y.as_mut_ptr(), n as i64));
        lines += &speed("transform in place", n, 8 * n, in_place);
        lines += &speed("transform", n, 8 * n, apart);
    }
    lines
}

fn best(mut f: impl FnMut()) -> Duration {
    (0..200).map(|_| timed(&mut f).1).min().unwrap_or_default()
}

fn speed(name: &str, n: usize, bytes: usize, t: Duration) -> String {
    format!("{name}, {n} f32: {t:?}, {:.1} GB/s\n", bytes as f64 / t.as_secs_f64() / 1e9)
}
