//! What compiled code does besides arithmetic: memory, views, calls, failure, cancellation; and loading.

use std::sync::atomic::{AtomicBool, Ordering};

use freeloom_cpu::{Code, CpuError, CpuTarget, Options, compile, emit_text};
use freeloom_ir::{Module, parse_module};
use freeloom_runtime::{Interrupt, NoInterrupt, RunError, run};

fn module(text: &str) -> Module {
    let module = parse_module(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    freeloom_ir::verify(&module).unwrap_or_else(|e| panic!("{e}\n{text}"));
    module
}

fn load(text: &str) -> Code {
    Code::load(&compile(&module(text), &Options::default()).unwrap()).unwrap()
}

/// `name` as a C function. The caller names the right type.
fn function<F: Copy>(code: &Code, name: &str) -> F {
    let address = code.symbol(name).unwrap_or_else(|| panic!("no {name} in {code:?}"));
    assert_eq!(size_of::<F>(), size_of::<*const u8>());
    // SAFETY: a function pointer is as large as an address, and each test states the type of its own source.
    unsafe { std::mem::transmute_copy(&address) }
}

const ADD: &str = r#"
export func "add"(%0: i64, %1: i64) -> i64 {
  %2 = add %0, %1
  return %2
}
"#;

#[test]
fn small_types_cross_the_c_boundary() {
    let code = load(
        r#"
export func "wrap"(%0: i8, %1: i8) -> i8 {
  %2 = add %0, %1
  return %2
}
export func "not"(%0: bool) -> bool {
  %1 = not %0
  return %1
}
"#,
    );
    let wrap: extern "C" fn(i8, i8) -> i8 = function(&code, "wrap");
    assert_eq!(wrap(127, 1), -128);
    let not: extern "C" fn(bool) -> bool = function(&code, "not");
    assert!(not(false) && !not(true));
}

#[test]
fn views_are_read_through_strides() {
    let code = load(
        r#"
func "at"(%0: view<i16, 2>, %1: i64, %2: i64) -> i16 {
  %3 = view_load %0 [%1, %2]
  return %3
}
export func "pick"(%0: ptr, %1: i64, %2: i64) -> i16 {
  %3 = const i64 3
  %4 = const i64 2
  %5 = const i64 -4
  %6 = make view<i16, 2> [%0, %3, %4, %5, %4]
  %7 = call @0(%6, %1, %2)
  return %7
}
"#,
    );
    let pick: extern "C" fn(*const i16, i64, i64) -> i16 = function(&code, "pick");
    let rows = [[0i16, 1], [10, 11], [20, 21]];
    assert_eq!(pick(rows[2].as_ptr(), 0, 1), 21);
    assert_eq!(pick(rows[2].as_ptr(), 2, 0), 0);
}

/// A loop whose callee has 16 array elements on the stack: its rounds share the slot.
#[test]
fn stack_memory_of_callees_is_not_shared_by_parallel_rounds() {
    let code = load(
        r#"
func "twice"(%0: i32) -> i32 {
  %1 = stack_alloc 8
  %2 = add %0, %0
  store %1, %2
  %3 = load i32, %1
  return %3
}
export func "f"(%0: ptr, %1: i64) {
  %2 = const i64 0
  for %3 = %2 to %1 parallel {
    %4 = const i64 4
    %5 = mul %3, %4
    %6 = ptr_add %0, %5
    %7 = load i32, %6
    %8 = call @0(%7)
    %9 = make [12 x i32] [%8, %7, %7, %7, %7, %7, %7, %7, %7, %7, %7, %8]
    %10 = const i64 11
    %11 = rem %3, %10
    %12 = index %9, %11
    store %6, %12
  }
  return
}
"#,
    );
    let f: extern "C" fn(*mut i32, i64) = function(&code, "f");
    let mut data: Vec<i32> = (0..100).collect();
    f(data.as_mut_ptr(), 100);
    let expected = (0..100).map(|i| if i % 11 == 0 { 2 * i } else { i });
    assert_eq!(data, expected.collect::<Vec<_>>());
}

#[test]
fn parallel_loops_vectorise_in_place() {
    let text = r#"
export func "f"(%0: ptr, %1: ptr, %2: i64) {
  %3 = const i64 0
  for %4 = %3 to %2 parallel {
    %5 = const i64 4
    %6 = mul %4, %5
    %7 = ptr_add %0, %6
    %8 = ptr_add %1, %6
    %9 = load f32, %7
    %10 = mul %9, %9
    store %8, %10
  }
  return
}
"#;
    let options = Options { cpu: CpuTarget::named("x86-64-v3"), ..Options::default() };
    let llvm = emit_text(&module(text), &options).unwrap();
    assert!(llvm.contains("fmul <8 x float>"), "{llvm}");
    assert!(!llvm.contains("memcheck"), "aliasing must not be checked at run time: {llvm}");
}

const FAILS: &str = r#"
func "checked"(%0: i64) -> i64 {
  %1 = const i64 10
  %2 = ge %0, %1
  if %2 {
    fail index_out_of_range
  } else {
    return %0
  }
}
export func "f"(%0: i64) -> i64 {
  %1 = call @0(%0)
  %2 = const i64 100
  %3 = add %1, %2
  return %3
}
"#;

#[test]
fn failure_leaves_the_callee_with_zero_and_fails_the_run() {
    let code = load(FAILS);
    let f: extern "C" fn(i64) -> i64 = function(&code, "f");
    run(1, &NoInterrupt, &|_| assert_eq!(f(5), 105)).unwrap();
    let failed = run(1, &NoInterrupt, &|_| assert_eq!(f(50), 100));
    assert!(matches!(failed, Err(RunError::Failed(1))), "{failed:?}");
}

struct After(AtomicBool);

impl Interrupt for After {
    fn interrupted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn an_endless_loop_can_be_interrupted() {
    let code = load(
        r#"
export func "spin"() {
  loop {
    poll
  }
}
"#,
    );
    let spin: extern "C" fn() = function(&code, "spin");
    let stop = After(AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(30));
            stop.0.store(true, Ordering::Relaxed);
        });
        let result = run(2, &stop, &|_| spin());
        assert!(matches!(result, Err(RunError::Interrupted)), "{result:?}");
    });
}

#[test]
fn many_threads_compile_load_and_free() {
    std::thread::scope(|scope| {
        for t in 0..8i64 {
            scope.spawn(move || {
                for i in 0..10 {
                    let code = load(ADD);
                    let add: extern "C" fn(i64, i64) -> i64 = function(&code, "add");
                    assert_eq!(add(t, i), t + i);
                }
            });
        }
    });
}

#[test]
fn objects_with_equal_symbols_do_not_meet() {
    let [a, b] = [1, 2]
        .map(|n| load(&format!("export func \"f\"() -> i64 {{\n %0 = const i64 {n}\n return %0\n}}\n")));
    let [f, g] = [&a, &b].map(|code| function::<extern "C" fn() -> i64>(code, "f"));
    assert_eq!((f(), g()), (1, 2));
    drop(a);
    assert_eq!(g(), 2);
}

#[test]
fn damaged_objects_are_refused() {
    let object = compile(&module(ADD), &Options::default()).unwrap();
    for bytes in [&[][..], b"not an object", &object[..object.len() / 2]] {
        assert!(matches!(Code::load(bytes), Err(CpuError::Link(_))));
    }
    for at in 0..object.len().min(4096) {
        let mut broken = object.clone();
        broken[at] ^= 0x55;
        drop(Code::load(&broken));
    }
}

#[test]
fn nothing_outside_of_the_table_can_be_called() {
    let mut object = compile(
        &module("export func \"f\"(%0: f64) -> f64 {\n %1 = sin %0\n return %1\n}\n"),
        &Options::default(),
    )
    .unwrap();
    let name = object.windows(5).position(|w| w == b"\0sin\0").expect("the symbol's name");
    object[name + 1..name + 4].copy_from_slice(b"sie");
    let error = Code::load(&object).unwrap_err().to_string();
    assert!(error.contains("sie") || error.contains("freeloom"), "{error}");
    assert!(Code::load(&compile(&module(ADD), &Options::default()).unwrap()).is_ok());
}

#[test]
fn half_precision_needs_the_instructions() {
    let half = module("export func \"f\"(%0: f16) -> f16 {\n %1 = add %0, %0\n return %1\n}\n");
    let old = Options { cpu: CpuTarget::named("x86-64"), ..Options::default() };
    assert!(matches!(compile(&half, &old), Err(CpuError::Unsupported(_))));
    assert!(compile(&module(ADD), &old).is_ok());
}

#[test]
fn unknown_processors_are_refused() {
    let options = Options { cpu: CpuTarget::named("z80"), ..Options::default() };
    assert!(matches!(compile(&module(ADD), &options), Err(CpuError::Target(_))));
}
