//! Numbers that iterators begin with.

use freeloom_ir::{Const, Scalar, Type};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;

use crate::array::NdArray;
use crate::dtype::Numbered;
use crate::init::record_data;

/// A single value as NumPy sees it: its type and its bytes.
pub(super) fn value(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<(Numbered, Vec<u8>)> {
    let py = object.py();
    let data = record_data(object)?.unwrap_or_else(|| object.clone());
    let array = py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "asarray"), (data,))?;
    let wrong = || PyTypeError::new_err(format!("{argument} is not a single value"));
    let array = NdArray::from_exact(&array).filter(|a| a.len() == 1).ok_or_else(wrong)?;
    let item = array.item_type(argument)?;
    let bytes = array.object().call_method0(intern!(py, "tobytes"))?.extract()?;
    Ok((item, bytes))
}

/// A start value for counting.
pub(super) fn number(object: &Bound<'_, PyAny>) -> PyResult<(Numbered, u64)> {
    let (item, bytes) = value(object, "start")?;
    match item.ty {
        Type::Scalar(s) if s != Scalar::Bool => {
            let mut bits = [0; 8];
            bits[..bytes.len()].copy_from_slice(&bytes);
            Ok((item, u64::from_le_bytes(bits)))
        }
        _ => Err(PyTypeError::new_err("start must be an integer or a floating-point number")),
    }
}

/// `start + n` in the type of `start`.
pub(super) fn plus(ty: &Type, start: u64, n: i64) -> u64 {
    let Type::Scalar(s) = ty else { return start };
    let start = Const { ty: *s, bits: start };
    if s.is_float() {
        Const::float(*s, start.as_float() + n as f64).bits
    } else {
        Const::int(*s, start.as_int() + i128::from(n)).bits
    }
}
