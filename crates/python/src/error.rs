//! Errors of the lower crates become Python exceptions, here and nowhere else.

use std::any::Any;

use freeloom_compiler::CompileError;
use freeloom_compute::{BuildError, RunError};
use freeloom_ir::Fail;
use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static COMPILE_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A failed build.
pub(crate) fn build_error(py: Python<'_>, error: &BuildError) -> PyErr {
    match error {
        BuildError::Compile(e) => compile_error(py, e).unwrap_or_else(|e| e),
        BuildError::Operator { .. } | BuildError::Type(_) => PyTypeError::new_err(error.to_string()),
        BuildError::Backend(_) => PyRuntimeError::new_err(error.to_string()),
    }
}

/// A failed run. An interrupted one is reported by whoever interrupted it; this is the case that nobody did.
pub(crate) fn run_error(py: Python<'_>, error: &RunError) -> PyErr {
    match error {
        RunError::Interrupted => PyKeyboardInterrupt::new_err(()),
        RunError::Failed(fail) => failure(*fail),
        RunError::Panicked(_) | RunError::Mismatch(_) => internal(&error.to_string()),
        RunError::BadSegment { .. } => PyValueError::new_err(error.to_string()),
        RunError::CaptureTooShort { .. } => PyIndexError::new_err(error.to_string()),
        RunError::Output(_) => PyValueError::new_err(error.to_string()),
        RunError::Build(e) => build_error(py, e),
    }
}

fn failure(fail: Fail) -> PyErr {
    match fail {
        Fail::IndexOutOfRange => PyIndexError::new_err("op: an index is out of range"),
        Fail::ZeroStep => PyValueError::new_err("op: range() arg 3 must not be zero"),
        Fail::PositionOutOfRange => {
            PyIndexError::new_err("PermutationIterator: an index is out of range of the values")
        }
    }
}

/// A bug of this library.
pub(crate) fn internal(what: &str) -> PyErr {
    PyRuntimeError::new_err(format!("freeloom internal error: {what}"))
}

/// A caught panic.
pub(crate) fn panicked(payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    internal(text.unwrap_or("panic"))
}

/// The same error, its text beginning with the name of an argument.
pub(crate) fn prefixed(py: Python<'_>, argument: &str, error: PyErr) -> PyErr {
    let text = error.value(py).str().map_or_else(|_| "invalid".to_owned(), |s| s.to_string());
    PyErr::from_type(error.get_type(py), format!("{argument}: {text}"))
}

/// The same error, its text speaking of another parameter.
pub(crate) fn renamed(py: Python<'_>, error: PyErr, from: &str, to: &str) -> PyErr {
    let text = error.value(py).str().map_or_else(|_| String::new(), |s| s.to_string());
    match text.strip_prefix(from) {
        Some(rest) => PyErr::from_type(error.get_type(py), format!("{to}{rest}")),
        None => error,
    }
}

fn compile_error(py: Python<'_>, e: &CompileError) -> PyResult<PyErr> {
    let class = COMPILE_ERROR.import(py, "freeloom.errors", "CompileError")?;
    let place = (e.span.line, e.span.col, e.span.end_line, e.span.end_col);
    let hint = e.refusal.hint.as_deref();
    let message = e.to_string();
    let error = class.call1((message, e.source.filename.as_str(), place, e.source_line(), hint))?;
    Ok(PyErr::from_value(error))
}
