//! Threads that live on while the interpreter ends.
//!
//! Before 3.14 CPython ends a thread that wants to attach after finalisation began by `pthread_exit`. That unwinds
//! the thread's stack, through Rust code that catches panics, which the C library takes for a fatal error.
//!
//! # Protocol
//!
//! * A thread is *inside* of the gate while Python may take the interpreter from it below a frame of ours: in
//!   calls from Python, but for the time in which we have detached ourselves.
//! * A callback of `atexit`, which runs before finalisation begins, closes the gate, detaches and waits until no
//!   other thread is inside.
//! * From then on the thread that ran the callback goes on as before: other callbacks and finalizers may call us.
//!   Every other thread that calls us, or has done its native work and wants to attach, parks detached, for ever;
//!   the process is ending.
//! * What a thread inside waits for may be held by the ending thread, if user code goes to such lengths; so the wait
//!   ends after [`PATIENCE`].
//!
//! From 3.14 on CPython itself parks such threads, and the gate is not used. The callback also waits until no other
//! thread uses LLVM, in every version.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use freeloom_runtime::{ExitGate, Using};
use pyo3::marker::Ungil;
use pyo3::prelude::*;

const PATIENCE: Duration = Duration::from_secs(10);

static GATE: ExitGate = ExitGate::new();
/// Does this version of Python need it?
static NEEDED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Calls from Python that are open on this thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Does this thread end the interpreter?
    static ENDING: Cell<bool> = const { Cell::new(false) };
    /// The thread's place inside of the gate.
    static PLACE: RefCell<Option<Using<'static>>> = const { RefCell::new(None) };
}

/// Registers the callback.
pub(crate) fn prepare(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    NEEDED.store(py.version_info() < (3, 14), Ordering::Relaxed);
    let callback = wrap_pyfunction!(before_exit, module)?;
    py.import("atexit")?.call_method1("register", (callback,))?;
    Ok(())
}

#[pyfunction(name = "_before_exit")]
fn before_exit(py: Python<'_>) {
    ENDING.set(true);
    let own = u64::from(PLACE.with_borrow(Option::is_some));
    py.detach(|| {
        freeloom_cpu::end();
        let begin = Instant::now();
        GATE.close(own, || {
            std::thread::sleep(Duration::from_micros(200));
            begin.elapsed() < PATIENCE
        });
    });
}

fn is_exempt() -> bool {
    !NEEDED.load(Ordering::Relaxed) || ENDING.get()
}

/// A place inside, if one is needed; `Err`: the gate is closed.
fn enter() -> Result<Option<Using<'static>>, ()> {
    if is_exempt() { Ok(None) } else { GATE.enter().map(Some).ok_or(()) }
}

/// Sleeps until the process is gone.
fn park<T>() -> T {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// A call from Python, over when dropped.
pub(crate) struct Visit(());

/// To be held by code that Python calls and that may run Python code in turn.
pub(crate) fn visit(py: Python<'_>) -> Visit {
    if DEPTH.get() == 0 {
        match enter() {
            Ok(place) => PLACE.set(place),
            Err(()) => py.detach(park),
        }
    }
    DEPTH.set(DEPTH.get() + 1);
    Visit(())
}

impl Drop for Visit {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        if DEPTH.get() == 0 {
            drop(PLACE.take());
        }
    }
}

/// Does native work with the interpreter released. Does not return while the interpreter ends, but on the thread
/// that ends it.
pub(crate) fn detached<T: Ungil + Send>(py: Python<'_>, work: impl Ungil + Send + FnOnce() -> T) -> T {
    drop(PLACE.take());
    let (result, place) = py.detach(|| {
        let result = work();
        (result, enter().unwrap_or_else(|()| park()))
    });
    if DEPTH.get() > 0 {
        PLACE.set(place);
    }
    result
}

/// Attaches in the middle of native work; `None` if the interpreter ends.
pub(crate) fn attached<T>(f: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    let _place = enter().ok()?;
    Python::try_attach(f)
}
