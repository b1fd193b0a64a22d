//! IR types become NumPy dtypes.

use freeloom_ir::{Scalar, Type};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

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
const fn scalar_name(s: Scalar) -> &'static str {
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
