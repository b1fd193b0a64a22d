//! NumPy dtypes become IR types. The real layout is kept, always.

use std::sync::Arc;

use freeloom_ir::types::{Field, StructType};
use freeloom_ir::{Scalar, Type};
use numpy::npyffi::{NPY_TYPES, PyArray_Descr};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyTuple, PyType};

use crate::key::type_number;
use crate::thread;

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

/// `numpy.dtype`
pub(crate) fn numpy_dtype(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import(intern!(py, "numpy"))?.getattr(intern!(py, "dtype"))
}

/// The NumPy dtype whose elements lie in memory as the type says.
pub(crate) fn to_dtype<'py>(py: Python<'py>, ty: &Type) -> PyResult<Bound<'py, PyAny>> {
    let dtype = numpy_dtype(py)?;
    match ty {
        Type::Scalar(s) => dtype.call1((scalar_name(*s),)),
        Type::Complex(Scalar::F32) => dtype.call1(("complex64",)),
        Type::Complex(_) => dtype.call1(("complex128",)),
        Type::Array(a) => dtype.call1(((to_dtype(py, &a.elem)?, (a.len,)),)),
        Type::Struct(s) => {
            let fields = s.fields.iter().map(|f| (f.name.clone(), f.ty.clone(), f.offset));
            record_dtype(py, fields.collect(), s.size)
        }
        Type::Tuple(items) => {
            let offset = |i| ty.component(i).map_or(0, |(_, offset)| offset);
            let fields = items.iter().enumerate().map(|(i, t)| (format!("field_{i}"), t.clone(), offset(i)));
            record_dtype(py, fields.collect(), ty.size())
        }
        Type::View(_) | Type::Ptr => Err(PyTypeError::new_err(format!("{ty} has no dtype"))),
    }
}

fn record_dtype<'py>(
    py: Python<'py>,
    fields: Vec<(String, Type, u64)>,
    size: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let spec = PyDict::new(py);
    let (mut names, mut formats, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
    for (name, ty, offset) in fields {
        names.push(name);
        formats.push(to_dtype(py, &ty)?);
        offsets.push(offset);
    }
    spec.set_item("names", names)?;
    spec.set_item("formats", formats)?;
    spec.set_item("offsets", offsets)?;
    spec.set_item("itemsize", size)?;
    numpy_dtype(py)?.call1((spec,))
}

/// NumPy's name of a scalar type.
pub(crate) const fn scalar_name(s: Scalar) -> &'static str {
    match s {
        Scalar::Bool => "bool",
        Scalar::I8 => "int8",
        Scalar::I16 => "int16",
        Scalar::I32 => "int32",
        Scalar::I64 => "int64",
        Scalar::U8 => "uint8",
        Scalar::U16 => "uint16",
        Scalar::U32 => "uint32",
        Scalar::U64 => "uint64",
        Scalar::F16 => "float16",
        Scalar::F32 => "float32",
        Scalar::F64 => "float64",
    }
}

/// The `TypeDescriptor` of a dtype.
pub(crate) fn type_descriptor<'py>(dtype: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let types = dtype.py().import(intern!(dtype.py(), "freeloom.compute.types"))?;
    types.call_method1(intern!(dtype.py(), "from_numpy_dtype"), (dtype,))
}
