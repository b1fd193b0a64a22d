//! The parts of a Python function object.

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::dtype::{self, Numbered};

/// Is it a function written in Python?
fn is_function(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: attached, and the object is alive.
    unsafe { ffi::PyFunction_Check(object.as_ptr()) != 0 }
}

/// A function written in Python.
#[derive(Clone)]
pub(super) struct Function<'py>(Bound<'py, PyAny>);

impl<'py> Function<'py> {
    pub(super) fn new(object: &Bound<'py, PyAny>) -> Option<Function<'py>> {
        is_function(object).then(|| Function(object.clone()))
    }

    pub(super) fn object(&self) -> &Bound<'py, PyAny> {
        &self.0
    }

    /// One of the parts below: a borrowed reference, or null.
    fn part(
        &self,
        get: unsafe extern "C" fn(*mut ffi::PyObject) -> *mut ffi::PyObject,
    ) -> Option<Bound<'py, PyAny>> {
        // SAFETY: it is a function object; the getter lends a reference that the function holds.
        unsafe { Bound::from_borrowed_ptr_or_opt(self.0.py(), get(self.0.as_ptr())) }
    }

    pub(super) fn code(&self) -> PyResult<Bound<'py, PyAny>> {
        self.part(ffi::PyFunction_GetCode).ok_or_else(|| crate::error::internal("a function without code"))
    }

    pub(super) fn defaults(&self) -> Option<Bound<'py, PyTuple>> {
        self.part(ffi::PyFunction_GetDefaults)?.cast_into().ok()
    }

    pub(super) fn keyword_defaults(&self) -> Option<Bound<'py, PyDict>> {
        self.part(ffi::PyFunction_GetKwDefaults)?.cast_into().ok()
    }

    /// Contents of closure cell `index`; `None` if it is empty.
    pub(super) fn cell(&self, index: usize) -> Option<Bound<'py, PyAny>> {
        let cells = self.part(ffi::PyFunction_GetClosure)?.cast_into::<PyTuple>().ok()?;
        let cell = cells.get_item(index).ok()?;
        // SAFETY: closures are tuples of cells; the result is a new reference or null.
        unsafe { Bound::from_owned_ptr_or_opt(cell.py(), ffi::PyCell_Get(cell.as_ptr())) }
    }

    /// What a name that is no local means: a global, else a builtin.
    pub(super) fn global(&self, name: &Bound<'py, PyString>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(globals) = self.part(ffi::PyFunction_GetGlobals) else { return Ok(None) };
        let globals = globals.cast_into::<PyDict>()?;
        if let Some(value) = globals.get_item(name)? {
            return Ok(Some(value));
        }
        self.0.getattr(intern!(self.0.py(), "__builtins__"))?.cast_into::<PyDict>()?.get_item(name)
    }

    pub(super) fn qualified_name(&self) -> PyResult<String> {
        self.0.getattr(intern!(self.0.py(), "__qualname__"))?.extract()
    }

    /// Names of the closure cells, in order.
    pub(super) fn free_names(&self) -> PyResult<Vec<String>> {
        self.code()?.getattr(intern!(self.0.py(), "co_freevars"))?.extract()
    }
}

/// The type that a function declares: of its result (`None`) or of its first parameter. Anything that names no
/// type known here counts as not declared.
pub(crate) fn annotation(function: &Bound<'_, PyAny>, of_result: bool) -> PyResult<Option<Numbered>> {
    let py = function.py();
    if !is_function(function) {
        return Ok(None);
    }
    let _visit = crate::exit::visit(py);
    let source = py.import(intern!(py, "freeloom._source"))?;
    let declared = source.getattr(intern!(py, "annotation"))?.call1((function, of_result))?;
    if declared.is_none() { Ok(None) } else { dtype::of_type_like(&declared) }
}
