//! What an object that a function refers to means to the compiler, and when it must be read again.

use freeloom_compiler::{ArrayCapture, Capture};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyModule, PySet, PyType};

use super::guard::Expect;
use super::python::Function;
use super::read::Reader;
use super::{builtin, constant};
use crate::array::{NdArray, to_ndarray};
use crate::dtype;

/// A meaning, and what keeps it valid.
pub(super) type Meaning = (Capture, Expect);

/// The meaning of an object. `None`: it has none by itself, but attributes of it may.
pub(super) fn meaning<'py>(
    reader: &mut Reader<'py>,
    object: &Bound<'py, PyAny>,
) -> PyResult<Option<Meaning>> {
    if object.is_instance_of::<PyModule>() || object.is_instance_of::<PyBytes>() {
        return Ok(None);
    }
    if let Some(value) = constant::of(object)? {
        let expect = if constant::is_mutable(&value) {
            Expect::Value(value.clone())
        } else {
            Expect::Equal(object.clone().unbind(), value.clone())
        };
        return Ok(Some((Capture::Value(value), expect)));
    }
    if let Some(known) = dtype::of_class(object)? {
        return Ok(Some((Capture::Type(known.ty), same(object))));
    }
    if let Some(builtin) = builtin::of(object)? {
        return Ok(Some((Capture::Builtin(builtin), same(object))));
    }
    if let Some(function) = Function::new(object) {
        return reader.helper(&function).map(Some);
    }
    match to_ndarray(object, "op")? {
        Some(array) => array_meaning(reader, array).map(Some),
        None => Ok(None),
    }
}

fn array_meaning<'py>(reader: &mut Reader<'py>, array: NdArray<'py>) -> PyResult<Meaning> {
    let known = match dtype::of_dtype(&array.dtype()) {
        Ok(known) => known,
        Err(_) => {
            let text = format!("an array of dtype {}", array.dtype());
            return Ok((Capture::Unsupported(text), same(array.object())));
        }
    };
    let rank = array.ndim();
    let slot = reader.next_slot(array);
    let capture = ArrayCapture { slot, elem: known.ty, rank: rank as u32 };
    Ok((Capture::Array(capture), Expect::Array(known.number, rank)))
}

pub(super) fn same(object: &Bound<'_, PyAny>) -> Expect {
    Expect::Same(object.clone().unbind())
}

/// How a message calls an object that cannot be used.
pub(super) fn unsupported(path: &str, object: &Bound<'_, PyAny>) -> PyResult<Meaning> {
    let class = object.get_type();
    let kind = if object.is_instance_of::<PyModule>() {
        "a module".to_owned()
    } else if object.is_instance_of::<PyType>() {
        "a class that is no record".to_owned()
    } else if object.is_instance_of::<PyDict>() {
        "a dict".to_owned()
    } else if object.is_instance_of::<PyList>() {
        "a list".to_owned()
    } else if object.is_instance_of::<PySet>() {
        "a set".to_owned()
    } else {
        let module = class.getattr(intern!(object.py(), "__module__"))?;
        format!("an object of type {module}.{}", class.name()?)
    };
    Ok((Capture::Unsupported(format!("'{path}', {kind}")), same(object)))
}
