//! Arrays of other libraries: seen through NumPy without copying.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::NdArray;

/// What an object offers as an array.
pub(crate) enum Foreign {
    /// Memory of the host.
    Host,
    /// Memory of a GPU.
    Gpu,
    /// It is no array.
    No,
}

/// DLPack's numbers of memory that the CPU can read: CPU, and CUDA's pinned host memory.
const DLPACK_HOST: [i32; 2] = [1, 3];

impl Foreign {
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Foreign> {
        let py = object.py();
        let has = |name| object.hasattr(name);
        if has(intern!(py, "__array_interface__"))? || is_buffer(object) {
            return Ok(Foreign::Host);
        }
        if has(intern!(py, "__cuda_array_interface__"))? {
            return Ok(Foreign::Gpu);
        }
        if has(intern!(py, "__dlpack__"))? {
            let host = DLPACK_HOST.contains(&dlpack_device(object)?);
            return Ok(if host { Foreign::Host } else { Foreign::Gpu });
        }
        Ok(Foreign::No)
    }
}

fn is_buffer(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: attached, and the object is alive.
    unsafe { pyo3::ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

fn dlpack_device(object: &Bound<'_, PyAny>) -> PyResult<i32> {
    match object.getattr_opt(intern!(object.py(), "__dlpack_device__"))? {
        Some(method) => method.call0()?.cast::<PyTuple>()?.get_item(0)?.extract(),
        None => Ok(DLPACK_HOST[0]),
    }
}

/// The object as a NumPy array of the same memory. `Ok(None)`: it is no array at all.
pub(crate) fn to_ndarray<'py>(object: &Bound<'py, PyAny>, argument: &str) -> PyResult<Option<NdArray<'py>>> {
    if let Some(array) = NdArray::from_exact(object) {
        return Ok(Some(array));
    }
    match Foreign::of(object)? {
        Foreign::No => Ok(None),
        Foreign::Gpu => Err(gpu(argument)),
        Foreign::Host => view(object, argument).map(Some),
    }
}

#[cold]
fn gpu(argument: &str) -> PyErr {
    let text =
        "lies in GPU memory; this build of freeloom has no CUDA back end: pass an array in host memory";
    PyValueError::new_err(format!("{argument} {text}"))
}

fn view<'py>(object: &Bound<'py, PyAny>, argument: &str) -> PyResult<NdArray<'py>> {
    let py = object.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    let plain = object.hasattr(intern!(py, "__array_interface__"))? || is_buffer(object);
    let result = if plain {
        numpy.getattr(intern!(py, "asarray"))?.call((object,), Some(&no_copy(py)?))
    } else {
        numpy.call_method1(intern!(py, "from_dlpack"), (object,))
    };
    let array = result.map_err(|cause| not_viewable(py, argument, object, cause))?;
    NdArray::from_exact(&array).ok_or_else(|| PyTypeError::new_err(format!("{argument} is not an array")))
}

fn no_copy(py: Python<'_>) -> PyResult<Bound<'_, pyo3::types::PyDict>> {
    let options = pyo3::types::PyDict::new(py);
    options.set_item(intern!(py, "copy"), false)?;
    Ok(options)
}

#[cold]
fn not_viewable(py: Python<'_>, argument: &str, object: &Bound<'_, PyAny>, cause: PyErr) -> PyErr {
    let class = object.get_type().name().map_or_else(|_| "object".to_owned(), |n| n.to_string());
    let error = PyTypeError::new_err(format!("{argument}: this {class} cannot be used without copying it"));
    error.set_cause(py, Some(cause));
    error
}
