//! NumPy dtypes become IR types. The real layout is kept, always.

mod like;
mod numpy_dtype;

use std::sync::Arc;

use freeloom_ir::types::{Field, StructType};
use freeloom_ir::{Scalar, Type};
use numpy::npyffi::{NPY_TYPES, PyArray_Descr};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::key::type_number;
use crate::thread;

pub(crate) use like::{of_class, of_type_like};
pub(crate) use numpy_dtype::{to_dtype, type_descriptor};

/// A type and its number in keys.
#[derive(Clone)]
pub(crate) struct Numbered {
    pub(crate) ty: Type,
    pub(crate) number: u64,
}

impl Numbered {
    pub(crate) fn new(ty: Type) -> Numbered {
        let number = type_number(&ty);
        Numbered { ty, number }
    }
}

/// What a thread remembers of a dtype that is not a plain number.
#[pyclass(frozen, module = "freeloom._native", name = "_KnownType")]
struct KnownType {
    /// Keeps the address taken.
    _dtype: Py<PyAny>,
    known: Numbered,
}

/// The type of a dtype's elements.
pub(crate) fn of_dtype(dtype: &Bound<'_, PyAny>) -> PyResult<Numbered> {
    if let Some(ty) = plain(dtype) {
        return Ok(Numbered::new(ty));
    }
    let py = dtype.py();
    let cache = thread::current(py)?;
    let types = cache.get().types.bind(py);
    let address = dtype.as_ptr() as usize;
    if let Some(known) = types.get_item(address)? {
        return Ok(known.cast::<KnownType>()?.get().known.clone());
    }
    let known = Numbered::new(convert(dtype)?);
    let entry = KnownType { _dtype: dtype.clone().unbind(), known: known.clone() };
    types.set_item(address, Bound::new(py, entry)?)?;
    Ok(known)
}

/// The type of a plain number in native byte order; no Python code runs.
fn plain(dtype: &Bound<'_, PyAny>) -> Option<Type> {
    let descr = dtype.as_ptr().cast::<PyArray_Descr>();
    // SAFETY: callers pass a NumPy dtype, whose first fields never change.
    let (number, order) = unsafe { ((*descr).fields.type_num, (*descr).fields.byteorder as u8) };
    if order == b'>' {
        return None;
    }
    let long = if size_of::<std::ffi::c_long>() == 8 {
        (Scalar::I64, Scalar::U64)
    } else {
        (Scalar::I32, Scalar::U32)
    };
    let scalar = match number {
        n if n == NPY_TYPES::NPY_BOOL as i32 => Scalar::Bool,
        n if n == NPY_TYPES::NPY_BYTE as i32 => Scalar::I8,
        n if n == NPY_TYPES::NPY_UBYTE as i32 => Scalar::U8,
        n if n == NPY_TYPES::NPY_SHORT as i32 => Scalar::I16,
        n if n == NPY_TYPES::NPY_USHORT as i32 => Scalar::U16,
        n if n == NPY_TYPES::NPY_INT as i32 => Scalar::I32,
        n if n == NPY_TYPES::NPY_UINT as i32 => Scalar::U32,
        n if n == NPY_TYPES::NPY_LONG as i32 => long.0,
        n if n == NPY_TYPES::NPY_ULONG as i32 => long.1,
        n if n == NPY_TYPES::NPY_LONGLONG as i32 => Scalar::I64,
        n if n == NPY_TYPES::NPY_ULONGLONG as i32 => Scalar::U64,
        n if n == NPY_TYPES::NPY_HALF as i32 => Scalar::F16,
        n if n == NPY_TYPES::NPY_FLOAT as i32 => Scalar::F32,
        n if n == NPY_TYPES::NPY_DOUBLE as i32 => Scalar::F64,
        n if n == NPY_TYPES::NPY_CFLOAT as i32 => return Some(Type::C64),
        n if n == NPY_TYPES::NPY_CDOUBLE as i32 => return Some(Type::C128),
        _ => return None,
    };
    Some(Type::Scalar(scalar))
}

fn convert(dtype: &Bound<'_, PyAny>) -> PyResult<Type> {
    if let Some(ty) = plain(dtype) {
        return Ok(ty);
    }
    let py = dtype.py();
    let sub = dtype.getattr(intern!(py, "subdtype"))?;
    if !sub.is_none() {
        return sub_array(&sub);
    }
    let fields = dtype.getattr(intern!(py, "fields"))?;
    if !fields.is_none() {
        return record(dtype, &fields);
    }
    if !dtype.getattr(intern!(py, "isnative"))?.extract::<bool>()? {
        let text =
            "is not in this machine's byte order; convert the array with .astype(dtype.newbyteorder('='))";
        return Err(refused(dtype, text));
    }
    Err(refused(
        dtype,
        "is not supported; use booleans, integers, floats up to 64 bits, complex numbers or records",
    ))
}

/// A dtype that cannot be used, and why.
fn refused(dtype: &Bound<'_, PyAny>, why: &str) -> PyErr {
    PyTypeError::new_err(format!("dtype {dtype} {why}"))
}

fn sub_array(sub: &Bound<'_, PyAny>) -> PyResult<Type> {
    let (elem, shape) = sub.extract::<(Bound<'_, PyAny>, Vec<u64>)>()?;
    let elem = convert(&elem)?;
    Ok(shape.iter().rev().fold(elem, |ty, len| Type::array(ty, *len)))
}

fn record(dtype: &Bound<'_, PyAny>, fields: &Bound<'_, PyAny>) -> PyResult<Type> {
    let py = dtype.py();
    let names = dtype.getattr(intern!(py, "names"))?.extract::<Vec<String>>()?;
    let fields = names.into_iter().map(|name| field(fields, name)).collect::<PyResult<Vec<_>>>()?;
    let size = dtype.getattr(intern!(py, "itemsize"))?.extract()?;
    let align = alignment(&fields, size);
    if size == 0 || fields.iter().any(|f| f.ty.size() == 0) {
        return Err(refused(dtype, "has a part of size zero"));
    }
    if overlapping(&fields) {
        return Err(refused(dtype, "has fields that overlap"));
    }
    Ok(Type::Struct(Arc::new(StructType { name: "record".to_owned(), fields, size, align })))
}

/// The natural alignment if the layout keeps it, else 1: two dtypes of equal layout are then one type, whether
/// or not they were made with `align=True`.
fn alignment(fields: &[Field], size: u64) -> u64 {
    let natural = fields.iter().map(|f| f.ty.align()).max().unwrap_or(1);
    let kept = size.is_multiple_of(natural) && fields.iter().all(|f| f.offset.is_multiple_of(f.ty.align()));
    if kept { natural } else { 1 }
}

fn field(fields: &Bound<'_, PyAny>, name: String) -> PyResult<Field> {
    let entry = fields.get_item(&name)?;
    // (dtype, offset) or (dtype, offset, title)
    let entry = entry.cast_into::<PyTuple>()?;
    let offset = entry.get_item(1)?.extract()?;
    Ok(Field { name, ty: convert(&entry.get_item(0)?)?, offset })
}

fn overlapping(fields: &[Field]) -> bool {
    let mut spans: Vec<_> = fields.iter().map(|f| (f.offset, f.offset + f.ty.size())).collect();
    spans.sort_unstable();
    spans.windows(2).any(|w| w[1].0 < w[0].1)
}
