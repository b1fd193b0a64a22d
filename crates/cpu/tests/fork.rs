//! A forked child compiles and loads code of its own, calls the parent's, and lets go of it.
#![cfg(unix)]

use freeloom_cpu::{Code, Options, compile};

fn constant(n: i64) -> Code {
    let text = format!("export func \"f\"() -> i64 {{\n  %0 = const i64 {n}\n  return %0\n}}\n");
    let module = freeloom_ir::parse_module(&text).unwrap();
    Code::load(&compile(&module, &Options::default()).unwrap()).unwrap()
}

fn call(code: &Code) -> i64 {
    // SAFETY: `constant` exports a function of this type.
    let f: extern "C" fn() -> i64 = unsafe { std::mem::transmute(code.symbol("f").unwrap()) };
    f()
}

#[test]
fn code_outlives_a_fork() {
    let inherited = constant(1);
    // SAFETY: the child calls nothing but this crate and `_exit`.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let own = constant(2);
        let good = call(&inherited) == 1 && call(&own) == 2;
        drop((inherited, own));
        let good = good && call(&constant(3)) == 3;
        // SAFETY: ends the child without running the test harness.
        unsafe { libc::_exit(i32::from(!good)) };
    }
    let mut status = 0;
    // SAFETY: `status` outlives the call.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0, "the child failed");
    assert_eq!(call(&inherited), 1);
}
