//! Functions a thread has read, by code object.

use std::sync::Arc;

use freeloom_compiler::Function as Compiled;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::guard::Guards;
use super::python::Function;
use super::read::Reader;
use crate::array::NdArray;
use crate::key::function_number;
use crate::{exit, thread};

/// One code object may come with many closures; the last so many are remembered.
const ENTRIES_PER_CODE: usize = 16;

/// A Python function as it is now.
pub(crate) struct Resolved<'py> {
    /// Its own syntax and source: messages point to where it stands, not to another one of equal content.
    pub(crate) function: Arc<Compiled>,
    /// The number of all functions of equal content.
    pub(crate) number: u64,
    /// The arrays it captures, by slot.
    pub(crate) arrays: Vec<NdArray<'py>>,
}

/// A function that was read, and what must hold for it to be the same.
#[pyclass(frozen, module = "freeloom._native", name = "_KnownFunction")]
pub(super) struct KnownFunction {
    guards: Guards,
    function: Arc<Compiled>,
    number: u64,
}

#[pymethods]
impl KnownFunction {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.guards.traverse(visit)
    }
}

/// What a Python function means now. Reads it if it was not seen before, or not with these captures.
pub(crate) fn resolve<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Resolved<'py>>> {
    let py = object.py();
    let Some(function) = Function::new(object) else { return Ok(None) };
    let cache = thread::current(py)?;
    let functions = cache.get().functions.bind(py);
    let address = function.code()?.as_ptr() as usize;
    let entries = functions.get_item(address)?.map(Bound::cast_into::<PyTuple>).transpose()?;
    if let Some(known) = entries.as_ref().map(|e| recognise(e, &function)).transpose()?.flatten() {
        return Ok(Some(known));
    }
    let _visit = exit::visit(py);
    let mut reader = Reader::default();
    let (compiled, guards) = reader.function(&function)?;
    let compiled = Arc::new(compiled);
    let number = function_number(&compiled);
    let known = KnownFunction { guards, function: Arc::clone(&compiled), number };
    functions.set_item(address, with_entry(py, entries, known)?)?;
    Ok(Some(Resolved { function: compiled, number, arrays: reader.arrays }))
}

/// The newest entry that holds: closures made last are used most.
fn recognise<'py>(
    entries: &Bound<'py, PyTuple>,
    function: &Function<'py>,
) -> PyResult<Option<Resolved<'py>>> {
    for entry in entries.iter_borrowed().rev() {
        let known = entry.cast::<KnownFunction>()?.get();
        let mut arrays = Vec::new();
        if known.guards.hold(function, &mut arrays)? {
            return Ok(Some(Resolved {
                function: Arc::clone(&known.function),
                number: known.number,
                arrays,
            }));
        }
    }
    Ok(None)
}

fn with_entry<'py>(
    py: Python<'py>,
    entries: Option<Bound<'py, PyTuple>>,
    known: KnownFunction,
) -> PyResult<Bound<'py, PyTuple>> {
    let mut list: Vec<Bound<'_, PyAny>> = entries.map(|e| e.iter().collect()).unwrap_or_default();
    let surplus = (list.len() + 1).saturating_sub(ENTRIES_PER_CODE);
    list.drain(..surplus);
    list.push(Bound::new(py, known)?.into_any());
    PyTuple::new(py, list)
}
