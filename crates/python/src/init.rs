//! Initial values: arrays of one element, records, NumPy scalars and plain Python numbers.

use freeloom_ir::{Const, Scalar, Type};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyComplexMethods, PyFloat, PyInt};
use smallvec::SmallVec;

use crate::array::{NdArray, to_ndarray};
use crate::dtype::Numbered;

/// The bytes of a value.
pub(crate) type Bytes = SmallVec<[u8; 16]>;

/// An initial value as it lies in memory.
pub(crate) struct Init {
    pub(crate) ty: Numbered,
    pub(crate) bytes: Bytes,
}

impl Init {
    /// Checks that it has the type that was built for.
    pub(crate) fn check(&self, built: &Type, argument: &str) -> PyResult<()> {
        if self.ty.ty == *built {
            return Ok(());
        }
        Err(PyTypeError::new_err(format!("{argument}: built for {built}, not for {}", self.ty.ty)))
    }
}

/// Reads an initial value. A plain Python number has no width of its own: it takes the type that `context`
/// gives if that can hold such a number, else NumPy's default for it.
pub(crate) fn read(
    object: &Bound<'_, PyAny>,
    argument: &str,
    context: impl FnOnce() -> PyResult<Type>,
) -> PyResult<Init> {
    if let Some(array) = NdArray::from_exact(object) {
        return from_array(&array, argument);
    }
    match Number::of(object)? {
        Some(number) => {
            let ty = number.fit(&context()?);
            let bytes = number.bytes(&ty).ok_or_else(|| too_large(argument, object, &ty))?;
            Ok(Init { ty: Numbered::new(ty), bytes })
        }
        None => from_array(&as_array(object, argument)?, argument),
    }
}

fn from_array(array: &NdArray<'_>, argument: &str) -> PyResult<Init> {
    if array.len() != 1 {
        let text = format!("{argument} must be one value, not an array of {}", array.len());
        return Err(PyValueError::new_err(text));
    }
    let ty = array.item_type(argument)?;
    // SAFETY: the array holds one item of that type, and is alive.
    let bytes = unsafe { std::slice::from_raw_parts(array.data() as *const u8, ty.ty.size() as usize) };
    Ok(Init { bytes: Bytes::from_slice(bytes), ty })
}

/// A record instance, a NumPy scalar or another library's array as a NumPy array.
fn as_array<'py>(object: &Bound<'py, PyAny>, argument: &str) -> PyResult<NdArray<'py>> {
    let py = object.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    if object.is_instance(&numpy.getattr(intern!(py, "generic"))?)? {
        let array = numpy.call_method1(intern!(py, "asarray"), (object,))?;
        return NdArray::from_exact(&array).ok_or_else(|| no_dtype(argument));
    }
    if let Some(data) = record_data(object)? {
        return NdArray::from_exact(&data).ok_or_else(|| no_dtype(argument));
    }
    to_ndarray(object, argument)?.ok_or_else(|| no_dtype(argument))
}

/// The array that an instance of a record class holds.
pub(crate) fn record_data<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    match object.get_type().getattr_opt(intern!(py, "_type_descriptor"))? {
        Some(_) => object.getattr_opt(intern!(py, "_data")),
        None => Ok(None),
    }
}

#[cold]
fn no_dtype(argument: &str) -> PyErr {
    let advice = "pass an array of one element, a record, or a number";
    PyTypeError::new_err(format!("Could not determine accumulator dtype from {argument}; {advice}"))
}

#[cold]
fn too_large(argument: &str, object: &Bound<'_, PyAny>, ty: &Type) -> PyErr {
    let text = object.str().map_or_else(|_| "value".to_owned(), |s| s.to_string());
    PyValueError::new_err(format!("{argument}: {text} does not fit into {ty}"))
}

/// A plain Python number.
enum Number {
    Bool(bool),
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

impl Number {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
        Ok(if let Ok(v) = object.cast_exact::<PyBool>() {
            Some(Number::Bool(v.is_true()))
        } else if object.is_exact_instance_of::<PyInt>() {
            Some(Number::Int(object.extract()?))
        } else if let Ok(v) = object.cast_exact::<PyFloat>() {
            Some(Number::Float(v.value()))
        } else if let Ok(v) = object.cast_exact::<PyComplex>() {
            Some(Number::Complex(v.real(), v.imag()))
        } else {
            None
        })
    }

    /// The type it takes where items have type `item`.
    fn fit(&self, item: &Type) -> Type {
        let fits = match (self, item) {
            (Number::Bool(_), Type::Scalar(_) | Type::Complex(_)) => true,
            (Number::Int(v), Type::Scalar(s)) => *s != Scalar::Bool && holds(*s, *v),
            (Number::Float(_), Type::Scalar(s)) => s.is_float(),
            (Number::Int(_) | Number::Float(_) | Number::Complex(..), Type::Complex(_)) => true,
            _ => false,
        };
        match self {
            _ if fits => item.clone(),
            Number::Bool(_) => Type::BOOL,
            Number::Int(v) if !holds(Scalar::I64, *v) => Type::U64,
            Number::Int(_) => Type::I64,
            Number::Float(_) => Type::F64,
            Number::Complex(..) => Type::C128,
        }
    }

    /// The number in a type; `None` if it does not fit.
    fn bytes(&self, ty: &Type) -> Option<Bytes> {
        match ty {
            Type::Scalar(s) => Some(little_endian(*s, self.constant(*s)?)),
            Type::Complex(s) => {
                let (re, im) = match self {
                    Number::Complex(re, im) => (*re, *im),
                    Number::Float(v) => (*v, 0.0),
                    Number::Int(v) => (*v as f64, 0.0),
                    Number::Bool(v) => (f64::from(*v), 0.0),
                };
                let mut bytes = little_endian(*s, Const::float(*s, re));
                bytes.extend(little_endian(*s, Const::float(*s, im)));
                Some(bytes)
            }
            _ => None,
        }
    }

    fn constant(&self, s: Scalar) -> Option<Const> {
        match self {
            Number::Bool(v) if s == Scalar::Bool => Some(Const::bool(*v)),
            Number::Bool(v) if s.is_float() => Some(Const::float(s, f64::from(*v))),
            Number::Bool(v) => Some(Const::int(s, i128::from(*v))),
            Number::Int(v) if !holds(s, *v) => None,
            Number::Int(v) if s.is_float() => Some(Const::float(s, *v as f64)),
            Number::Int(v) => Some(Const::int(s, *v)),
            Number::Float(v) if s.is_float() => Some(Const::float(s, *v)),
            Number::Float(_) | Number::Complex(..) => None,
        }
    }
}

/// Is the integer a value of the scalar type?
fn holds(s: Scalar, v: i128) -> bool {
    match s {
        _ if s.is_float() => Const::float(s, v as f64).as_float().is_finite(),
        Scalar::Bool => v == 0 || v == 1,
        _ => Const::int(s, v).as_int() == v,
    }
}

fn little_endian(s: Scalar, value: Const) -> Bytes {
    Bytes::from_slice(&value.bits.to_le_bytes()[..s.size() as usize])
}
