//! Python and NumPy values that become part of the code.

use freeloom_compiler::ConstValue;
use freeloom_compiler::ast::Float;
use freeloom_ir::{Const, Scalar, Type};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyComplexMethods, PyFloat, PyInt, PyString, PyTuple, PyType};

use crate::dtype;

/// The value of an object, or `None` if it is not one that can become part of the code.
pub(super) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<ConstValue>> {
    if object.is_none() {
        return Ok(Some(ConstValue::None));
    }
    if let Ok(v) = object.cast::<PyBool>() {
        return Ok(Some(ConstValue::Bool(v.is_true())));
    }
    if object.is_instance(numpy_generic(object.py())?)? {
        return numpy_scalar(object);
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(object.extract().ok().map(ConstValue::Int));
    }
    if let Ok(v) = object.cast::<PyFloat>() {
        return Ok(Some(ConstValue::Float(v.value().into())));
    }
    if let Ok(v) = object.cast::<PyComplex>() {
        return Ok(Some(ConstValue::Complex(v.real().into(), v.imag().into())));
    }
    if let Ok(v) = object.cast::<PyString>() {
        return Ok(v.to_str().ok().map(|s| ConstValue::Str(s.to_owned())));
    }
    if let Ok(items) = object.cast::<PyTuple>() {
        let items: PyResult<Option<Vec<_>>> = items.iter().map(|i| of(&i)).collect();
        return Ok(items?.map(ConstValue::Tuple));
    }
    record_instance(object)
}

/// Can the value of such an object change while it stays the same object?
pub(super) fn is_mutable(value: &ConstValue) -> bool {
    match value {
        ConstValue::Record(..) => true,
        ConstValue::Tuple(items) => items.iter().any(is_mutable),
        _ => false,
    }
}

fn numpy_generic(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static GENERIC: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    GENERIC.import(py, "numpy", "generic")
}

fn numpy_scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<ConstValue>> {
    let py = object.py();
    let Ok(known) = dtype::of_dtype(&object.getattr(intern!(py, "dtype"))?) else { return Ok(None) };
    let bytes = object.call_method0(intern!(py, "tobytes"))?.extract::<Vec<u8>>()?;
    Ok(components(&known.ty, &bytes))
}

/// An instance of a record class: it holds a NumPy record in `_data`.
fn record_instance(object: &Bound<'_, PyAny>) -> PyResult<Option<ConstValue>> {
    let py = object.py();
    if object.get_type().getattr_opt(intern!(py, "_type_descriptor"))?.is_none() {
        return Ok(None);
    }
    let Some(known) = dtype::of_type_like(object.get_type().as_any())? else { return Ok(None) };
    let data = object.getattr(intern!(py, "_data"))?;
    let bytes = data.call_method0(intern!(py, "tobytes"))?.extract::<Vec<u8>>()?;
    Ok(components(&known.ty, &bytes))
}

/// The value that lies in `bytes`.
fn components(ty: &Type, bytes: &[u8]) -> Option<ConstValue> {
    match ty {
        Type::Scalar(Scalar::Bool) => Some(ConstValue::Bool(*bytes.first()? != 0)),
        Type::Scalar(s) => scalar(*s, bytes).map(ConstValue::Scalar),
        Type::Complex(s) => {
            let part = |at| Some(Float::from(scalar(*s, bytes.get(at..)?)?.as_float()));
            Some(ConstValue::ComplexScalar(*s, part(0)?, part(s.size() as usize)?))
        }
        Type::Array(_) => record_components(ty, bytes).map(ConstValue::Tuple),
        Type::Struct(_) | Type::Tuple(_) => {
            Some(ConstValue::Record(ty.clone(), record_components(ty, bytes)?))
        }
        Type::View(_) | Type::Ptr => None,
    }
}

/// The components of an aggregate that lies in `bytes`.
fn record_components(ty: &Type, bytes: &[u8]) -> Option<Vec<ConstValue>> {
    let component = |i| {
        let (ty, offset) = ty.component(i)?;
        components(&ty, bytes.get(offset as usize..)?)
    };
    (0..ty.component_count()).map(component).collect()
}

fn scalar(s: Scalar, bytes: &[u8]) -> Option<Const> {
    let mut bits = [0; 8];
    let size = s.size() as usize;
    bits[..size].copy_from_slice(bytes.get(..size)?);
    Some(Const { ty: s, bits: u64::from_le_bytes(bits) })
}
