//! LLVM is not in use any more when the process destroys it.
//!
//! At `exit()` the C library runs the destructors of LLVM's static objects, on one thread, while others go on.
//!
//! # Protocol
//!
//! * Every use of LLVM (compiling, loading, freeing) is inside of an [`ExitGate`]. Uses nest: the outermost of a
//!   thread is counted.
//! * A handler of the C library closes the gate and waits until nobody is inside. From then on other threads
//!   that want to use LLVM park for ever: the process is ending. The thread that ends it is let through.
//! * Handlers and destructors run in the reverse order of their registration. The first handler is registered
//!   after LLVM was initialised, and so runs before the destructors of what was made until then. LLVM makes more
//!   static objects when it first needs them; so the handler is registered again after the first use, the second,
//!   the fourth and so on. Running it twice does nothing.
//! * Static objects made in a use that is still going on are destroyed before any handler runs. So whoever knows
//!   earlier that the process ends calls [`end`] before `exit()`.
//! * Nobody inside waits for anything but others inside, so the wait ends.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use freeloom_runtime::{ExitGate, Using};

static GATE: ExitGate = ExitGate::new();
/// Outermost uses that have ended.
static USES: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// How many uses of this thread are open.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Does this thread end the process?
    static ENDING: Cell<bool> = const { Cell::new(false) };
}

/// A use of LLVM, over when dropped.
pub(crate) struct InUse {
    counted: Option<Using<'static>>,
    /// It belongs to its thread.
    _bound: PhantomData<*const ()>,
}

/// To be held while LLVM is used. Does not return on other threads than the one that ends the process, once
/// that has begun.
pub(crate) fn use_llvm() -> InUse {
    let counted =
        if DEPTH.get() > 0 || ENDING.get() { None } else { Some(GATE.enter().unwrap_or_else(park)) };
    DEPTH.set(DEPTH.get() + 1);
    InUse { counted, _bound: PhantomData }
}

impl Drop for InUse {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        if self.counted.is_some() && (USES.fetch_add(1, Ordering::Relaxed) + 1).is_power_of_two() {
            register();
        }
    }
}

/// Sleeps until the process is gone.
fn park<T>() -> T {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// Makes `exit()` wait for LLVM. Without room for another handler the earlier ones must do.
pub(crate) fn register() {
    // SAFETY: the handler is a function without arguments that does not unwind; this library is not unloaded.
    let _ = unsafe { libc::atexit(at_exit) };
}

extern "C" fn at_exit() {
    end();
}

/// Closes the gate, for a process about to end on this thread, and waits until no other thread uses LLVM.
pub fn end() {
    ENDING.set(true);
    let own = u64::from(DEPTH.get() > 0);
    GATE.close(own, || {
        std::thread::sleep(Duration::from_micros(200));
        true
    });
}
