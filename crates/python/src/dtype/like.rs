//! Python objects that name a type.

use std::sync::Arc;

use freeloom_ir::{StructType, Type};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyType};

use super::numpy_dtype::numpy_dtype;
use super::{Numbered, of_dtype};

/// The type that a type-like Python object names: a dtype, a NumPy scalar type, a record class, a type
/// descriptor, or Python's `int`, `float`, `bool`, `complex`.
pub(crate) fn of_type_like(object: &Bound<'_, PyAny>) -> PyResult<Option<Numbered>> {
    let py = object.py();
    if let Some(dtype) = descriptor_dtype(object)? {
        return named(object, &dtype).map(Some);
    }
    let is_dtype = object.is_instance(&numpy_dtype(py)?)?;
    if !is_dtype && !is_scalar_type(object)? {
        return Ok(None);
    }
    of_dtype(&numpy_dtype(py)?.call1((object,))?).map(Some)
}

/// `dtype` of a record class or a type descriptor.
fn descriptor_dtype<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    let is_class = object.is_instance_of::<PyType>();
    let mark = if is_class { intern!(py, "_type_descriptor") } else { intern!(py, "type_enum") };
    if object.getattr_opt(mark)?.is_none() {
        return Ok(None);
    }
    let dtype = object.getattr(intern!(py, "dtype"))?;
    Ok(Some(dtype).filter(|d| !d.is_none()))
}

/// A record type carries the name of its class, for messages.
fn named(object: &Bound<'_, PyAny>, dtype: &Bound<'_, PyAny>) -> PyResult<Numbered> {
    let mut known = of_dtype(dtype)?;
    if let (Type::Struct(s), Ok(class)) = (&known.ty, object.cast::<PyType>()) {
        let name = class.name()?.to_string();
        known.ty = Type::Struct(Arc::new(StructType { name, ..StructType::clone(s) }));
    }
    Ok(known)
}

/// The type that a class makes values of: a record class or a concrete NumPy scalar type.
pub(crate) fn of_class(object: &Bound<'_, PyAny>) -> PyResult<Option<Numbered>> {
    let py = object.py();
    let Ok(class) = object.cast::<PyType>() else { return Ok(None) };
    if let Some(dtype) = descriptor_dtype(object)? {
        return named(object, &dtype).map(Some);
    }
    let numpy = py.import(intern!(py, "numpy"))?;
    if !class.is_subclass(&numpy.getattr(intern!(py, "generic"))?)? {
        return Ok(None);
    }
    let concrete = numpy.getattr(intern!(py, "sctypeDict"))?.call_method0(intern!(py, "values"))?;
    if !concrete.contains(object)? {
        return Ok(None);
    }
    Ok(of_dtype(&numpy_dtype(py)?.call1((object,))?).ok())
}

fn is_scalar_type(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Ok(class) = object.cast::<PyType>() else { return Ok(false) };
    let py = object.py();
    let generic = py.import(intern!(py, "numpy"))?.getattr(intern!(py, "generic"))?;
    let builtin = [
        py.get_type::<PyInt>(),
        py.get_type::<PyFloat>(),
        py.get_type::<PyBool>(),
        py.get_type::<PyComplex>(),
    ];
    Ok(builtin.iter().any(|t| t.is(class)) || class.is_subclass(&generic)?)
}
