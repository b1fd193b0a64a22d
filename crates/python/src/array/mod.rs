//! Arrays: what memory they are, whether they may be used so, and whether two of them overlap.

mod bind;
mod foreign;
mod overlap;

use numpy::npyffi::{
    NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_F_CONTIGUOUS, NPY_ARRAY_WRITEABLE, PyArray_Check, PyArrayObject,
    PyDataType_ELSIZE,
};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::dtype::{self, Numbered};

pub(crate) use bind::{Order, bind};
pub(crate) use foreign::{Foreign, to_ndarray};
pub(crate) use overlap::{Extent, check_overlap};

/// A NumPy array, read through its C structure: no Python code runs.
#[derive(Clone)]
pub(crate) struct NdArray<'py>(Bound<'py, PyAny>);

impl<'py> NdArray<'py> {
    /// `object` as an array, if it is a NumPy array.
    pub(crate) fn from_exact(object: &Bound<'py, PyAny>) -> Option<NdArray<'py>> {
        // SAFETY: attached, and the object is alive.
        let is_array = unsafe { PyArray_Check(object.py(), object.as_ptr()) } != 0;
        is_array.then(|| NdArray(object.clone()))
    }

    pub(crate) fn object(&self) -> &Bound<'py, PyAny> {
        &self.0
    }

    pub(crate) fn into_object(self) -> Bound<'py, PyAny> {
        self.0
    }

    fn raw(&self) -> &PyArrayObject {
        // SAFETY: it is a NumPy array, alive as long as `self`. Its shape and pointer change only by in-place
        // operations that NumPy documents as unsafe while the array is shared.
        unsafe { &*self.0.as_ptr().cast::<PyArrayObject>() }
    }

    /// Address of the first item.
    pub(crate) fn data(&self) -> usize {
        self.raw().fields.data as usize
    }

    pub(crate) fn ndim(&self) -> usize {
        self.raw().fields.nd as usize
    }

    pub(crate) fn shape(&self) -> &[isize] {
        // SAFETY: NumPy keeps `nd` lengths there.
        unsafe { slice(self.raw().fields.dimensions, self.ndim()) }
    }

    /// In bytes.
    pub(crate) fn strides(&self) -> &[isize] {
        // SAFETY: NumPy keeps `nd` steps there.
        unsafe { slice(self.raw().fields.strides, self.ndim()) }
    }

    /// Number of items.
    pub(crate) fn len(&self) -> u64 {
        self.shape().iter().map(|d| *d as u64).product()
    }

    pub(crate) fn is_writeable(&self) -> bool {
        self.raw().fields.flags & NPY_ARRAY_WRITEABLE != 0
    }

    /// Do the items lie one after another, in C or Fortran order?
    pub(crate) fn is_flat(&self) -> bool {
        self.raw().fields.flags & (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS) != 0
    }

    /// Address of the dtype, to recognise one already seen.
    pub(crate) fn dtype_address(&self) -> usize {
        self.raw().fields.descr as usize
    }

    pub(crate) fn dtype(&self) -> Bound<'py, PyAny> {
        let descr = self.raw().fields.descr.cast::<ffi::PyObject>();
        // SAFETY: an array always has a dtype, and holds a reference to it.
        unsafe { Bound::from_borrowed_ptr(self.0.py(), descr) }
    }

    /// Bytes of one item.
    pub(crate) fn item_size(&self) -> u64 {
        // SAFETY: attached, and the array's dtype is alive.
        unsafe { PyDataType_ELSIZE(self.0.py(), self.raw().fields.descr) as u64 }
    }

    /// Type of the items. A dtype that cannot be used is a `TypeError` that names the argument.
    pub(crate) fn item_type(&self, argument: &str) -> PyResult<Numbered> {
        dtype::of_dtype(&self.dtype()).map_err(|e| crate::error::prefixed(self.0.py(), argument, e))
    }
}

/// # Safety
///
/// `start` points to `len` values that outlive the borrow, unless `len` is 0.
unsafe fn slice<'a>(start: *const isize, len: usize) -> &'a [isize] {
    if len == 0 {
        return &[];
    }
    // SAFETY: by contract.
    unsafe { std::slice::from_raw_parts(start, len) }
}
