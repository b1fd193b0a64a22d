//! The one door between Python and native work: detach, run, catch panics, convert errors, notice Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use freeloom_compute::{BuildError, RunError};
use freeloom_runtime::Interrupt;
use pyo3::ffi;
use pyo3::marker::Ungil;
use pyo3::prelude::*;

use crate::{error, exit};

/// Asks Python whether a signal handler raised; keeps what it raised.
#[derive(Default)]
struct Signals(Mutex<Option<PyErr>>);

impl Interrupt for Signals {
    fn interrupted(&self) -> bool {
        match exit::attached(|py| py.check_signals()) {
            Some(Ok(())) => false,
            Some(Err(raised)) => {
                *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
                true
            }
            // The interpreter is shutting down.
            None => true,
        }
    }
}

/// Builds with the interpreter released.
pub(crate) fn build<T: Ungil + Send>(
    py: Python<'_>,
    work: impl Ungil + Send + FnOnce() -> Result<T, Arc<BuildError>>,
) -> PyResult<T> {
    match exit::detached(py, || catch_unwind(AssertUnwindSafe(work))) {
        Ok(result) => result.map_err(|e| error::build_error(py, &e)),
        Err(payload) => Err(error::panicked(&*payload)),
    }
}

/// Runs; with the interpreter released unless the work is known to be short.
pub(crate) fn run(
    py: Python<'_>,
    short: bool,
    work: impl Ungil + Send + FnOnce(&dyn Interrupt) -> Result<(), RunError>,
) -> PyResult<()> {
    let signals = Signals::default();
    let caught = || catch_unwind(AssertUnwindSafe(|| work(&signals)));
    let outcome = if short { caught() } else { exit::detached(py, caught) };
    match outcome {
        Ok(Ok(())) => Ok(()),
        Ok(Err(e)) => {
            let raised = signals.0.into_inner().unwrap_or_else(PoisonError::into_inner);
            Err(raised.unwrap_or_else(|| error::run_error(py, &e)))
        }
        Err(payload) => Err(error::panicked(&*payload)),
    }
}

/// Body of a C function that Python calls: an error or a panic becomes the raised exception.
///
/// # Safety
///
/// The calling thread must be attached to the interpreter, as it is when Python calls a C function.
pub(crate) unsafe fn from_python(
    body: impl for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>>,
) -> *mut ffi::PyObject {
    // SAFETY: the caller is attached.
    unsafe {
        Python::attach_unchecked(|py| {
            let _visit = exit::visit(py);
            let result = catch_unwind(AssertUnwindSafe(|| body(py).map(Bound::into_ptr)))
                .unwrap_or_else(|payload| Err(error::panicked(&*payload)));
            result.unwrap_or_else(|e| {
                e.restore(py);
                std::ptr::null_mut()
            })
        })
    }
}
