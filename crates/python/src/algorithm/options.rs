//! Parameters that every algorithm has: scratch memory, stream, compute capability, determinism.

use freeloom_compute::Determinism;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use pyo3::{ffi, intern};

use crate::array::{Foreign, NdArray};

type Given<'a, 'py> = Option<Borrowed<'a, 'py, PyAny>>;

/// Checks a scratch buffer: it must be writable memory of the host, large enough.
pub(super) fn check_temp_storage(buffer: &Bound<'_, PyAny>, needed: u64) -> PyResult<()> {
    let bytes = match NdArray::from_exact(buffer) {
        Some(array) if !array.is_writeable() => {
            return Err(PyValueError::new_err("temp_storage is read-only"));
        }
        Some(array) => array.len() * array.item_size(),
        None => foreign_bytes(buffer)?,
    };
    if bytes < needed {
        return Err(PyValueError::new_err(format!("temp_storage has {bytes} bytes, {needed} are needed")));
    }
    Ok(())
}

fn foreign_bytes(buffer: &Bound<'_, PyAny>) -> PyResult<u64> {
    let py = buffer.py();
    match Foreign::of(buffer)? {
        Foreign::Gpu => {
            let text = "temp_storage lies in GPU memory; this build of freeloom has no CUDA back end";
            Err(PyValueError::new_err(text))
        }
        Foreign::No => Err(PyTypeError::new_err("temp_storage must be None or an array or buffer of bytes")),
        Foreign::Host => match buffer.getattr_opt(intern!(py, "nbytes"))? {
            Some(bytes) => bytes.extract(),
            None => py
                .import("builtins")?
                .call_method1("memoryview", (buffer,))?
                .getattr(intern!(py, "nbytes"))?
                .extract(),
        },
    }
}

/// Checks a stream: `None`, or an object that follows CUDA's stream protocol, for which there is no back end.
pub(super) fn check_stream(stream: Given<'_, '_>) -> PyResult<()> {
    match stream {
        Some(stream) if !stream.is_none() => Err(foreign_stream(&stream)?),
        _ => Ok(()),
    }
}

#[cold]
fn foreign_stream(stream: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let py = stream.py();
    let Some(method) = stream.getattr_opt(intern!(py, "__cuda_stream__"))? else {
        let class = stream.get_type().name()?.to_string();
        let text = format!("stream: {class} does not implement the '__cuda_stream__' protocol");
        return Ok(PyTypeError::new_err(text));
    };
    let malformed = "stream: could not obtain __cuda_stream__ protocol version and handle";
    let answer = if method.is_callable() { method.call0()? } else { method };
    let Ok(answer) = answer.cast_into::<PyTuple>() else { return Ok(PyTypeError::new_err(malformed)) };
    if answer.len() < 2 {
        return Ok(PyTypeError::new_err(malformed));
    }
    if !answer.get_item(0)?.eq(0)? {
        return Ok(PyTypeError::new_err(format!(
            "stream: unsupported __cuda_stream__ version {}",
            answer.get_item(0)?
        )));
    }
    if !answer.get_item(1)?.is_instance_of::<PyInt>() {
        return Ok(PyTypeError::new_err(format!("stream: invalid stream handle {}", answer.get_item(1)?)));
    }
    Ok(PyValueError::new_err("stream: this build of freeloom has no CUDA back end; pass None"))
}

/// Checks a request to compile for other devices.
pub(super) fn check_capability(capability: Given<'_, '_>) -> PyResult<()> {
    match capability {
        Some(c) if !c.is_none() => {
            let text = "compute_capability: this build of freeloom has no CUDA back end; pass None to build for the CPU";
            Err(PyValueError::new_err(text))
        }
        _ => Ok(()),
    }
}

/// `determinism=`
pub(super) fn determinism(given: Given<'_, '_>) -> PyResult<Determinism> {
    let Some(given) = given.filter(|g| !g.is_none()) else { return Ok(Determinism::RunToRun) };
    let wrong = || PyValueError::new_err("determinism must be a member of Determinism");
    if !given.is_instance_of::<PyInt>() {
        return Err(PyTypeError::new_err("determinism must be a member of Determinism"));
    }
    // SAFETY: it is an int; one that does not fit gives -1, which is no member.
    match unsafe { ffi::PyLong_AsLong(given.as_ptr()) } {
        0 => Ok(Determinism::NotGuaranteed),
        1 => Ok(Determinism::RunToRun),
        2 => Ok(Determinism::GpuToGpu),
        _ => {
            let _ = PyErr::take(given.py());
            Err(wrong())
        }
    }
}
