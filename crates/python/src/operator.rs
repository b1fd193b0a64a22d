//! Operator arguments: an `OpKind` member or a Python function.

use std::sync::Arc;

use freeloom_compute::{ArrayBinding, Dims, OpBinding, OpKind, Operator};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyType};
use pyo3::{ffi, intern};

use crate::array::{Extent, NdArray};
use crate::function::{self, Resolved};

/// An operator of a call.
pub(crate) enum OpArg<'py> {
    /// A well-known one.
    Known(OpKind),
    /// A Python function, as it is now.
    Python(Resolved<'py>),
}

/// The class `freeloom.compute.OpKind`.
fn op_kind_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "freeloom.compute.op", "OpKind")
}

impl<'py> OpArg<'py> {
    /// Reads the argument `argument`.
    pub(crate) fn read(object: &Bound<'py, PyAny>, argument: &str) -> PyResult<OpArg<'py>> {
        if object.get_type().is(op_kind_class(object.py())?) {
            return known(object, argument).map(OpArg::Known);
        }
        match function::resolve(object)? {
            Some(resolved) => Ok(OpArg::Python(resolved)),
            None => Err(not_an_operator(object, argument)),
        }
    }

    /// The word that stands for it in keys.
    pub(crate) fn number(&self) -> u64 {
        match self {
            // Functions get numbers from 64 on.
            OpArg::Known(op) => *op as u64,
            OpArg::Python(f) => f.number,
        }
    }

    pub(crate) fn operator(&self) -> Operator {
        match self {
            OpArg::Known(op) => Operator::Known(*op),
            OpArg::Python(f) => Operator::Python(Arc::clone(&f.function)),
        }
    }

    /// Where the captured arrays lie now, and what of them a call may touch. The arrays move to `keep`.
    pub(crate) fn bind(
        self,
        keep: &mut Vec<Bound<'py, PyAny>>,
        touched: &mut impl FnMut(Extent),
    ) -> OpBinding {
        let OpArg::Python(f) = self else { return OpBinding::default() };
        let mut arrays = Vec::with_capacity(f.arrays.len());
        for array in f.arrays {
            let binding = capture(&array);
            touched(Extent::whole(&binding, array.item_size()));
            arrays.push(binding);
            keep.push(array.into_object());
        }
        OpBinding { arrays }
    }
}

fn capture(array: &NdArray<'_>) -> ArrayBinding {
    let dims = |list: &[isize]| list.iter().map(|d| *d as i64).collect::<Dims>();
    ArrayBinding { ptr: array.data(), shape: dims(array.shape()), strides: dims(array.strides()) }
}

fn known(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<OpKind> {
    // SAFETY: members of an IntEnum are ints; the value is small.
    let number = unsafe { ffi::PyLong_AsLong(object.as_ptr()) };
    debug_assert!(object.is_instance_of::<PyInt>());
    u8::try_from(number).ok().and_then(OpKind::from_number).ok_or_else(|| {
        let name =
            object.getattr(intern!(object.py(), "name")).map_or_else(|_| String::new(), |n| n.to_string());
        PyValueError::new_err(format!("{argument}: OpKind.{name} is not an operator"))
    })
}

#[cold]
fn not_an_operator(object: &Bound<'_, PyAny>, argument: &str) -> PyErr {
    let class = object.get_type().name().map_or_else(|_| "object".to_owned(), |n| n.to_string());
    let advice = "pass an OpKind member or a function written in Python (a lambda or a def)";
    PyTypeError::new_err(format!("{argument} is a {class}, not an operator; {advice}"))
}
