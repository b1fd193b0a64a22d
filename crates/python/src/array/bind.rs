//! An array of a call becomes a binding.

use freeloom_compute::{ArrayBinding, Dims};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use smallvec::smallvec;

use super::{Extent, NdArray};

/// Binds the items `offset .. offset + count` of an array; they must exist.
pub(crate) fn bind(
    array: &NdArray<'_>,
    argument: &str,
    item: u64,
    offset: i64,
    count: u64,
    output: bool,
) -> PyResult<(ArrayBinding, Extent)> {
    let len = array.len();
    let end = i128::from(offset) + i128::from(count);
    if count > 0 && (offset < 0 || end > i128::from(len)) {
        return Err(too_short(argument, offset, count, len));
    }
    if output && !array.is_writeable() {
        return Err(PyValueError::new_err(format!("{argument} is read-only")));
    }
    let (shape, strides): (Dims, Dims) = if array.is_flat() {
        (smallvec![len as i64], smallvec![item as i64])
    } else {
        (
            array.shape().iter().map(|d| *d as i64).collect(),
            array.strides().iter().map(|s| *s as i64).collect(),
        )
    };
    let binding = ArrayBinding { ptr: array.data(), shape, strides };
    if output && overlaps_itself(&binding, item) {
        return Err(PyValueError::new_err(format!("{argument} has items that share memory with each other")));
    }
    let extent = Extent::new(&binding, item, offset, count);
    Ok((binding, extent))
}

#[cold]
fn too_short(argument: &str, offset: i64, count: u64, len: u64) -> PyErr {
    let from = if offset == 0 { String::new() } else { format!(" from position {offset}") };
    PyValueError::new_err(format!("num_items is {count}{from}, but {argument} has {len} items"))
}

/// Could two items of the array lie on the same bytes? Unusual but disjoint layouts count as overlapping.
fn overlaps_itself(array: &ArrayBinding, item: u64) -> bool {
    let mut dims: Dims = (0..array.shape.len() as i64).filter(|i| array.shape[*i as usize] > 1).collect();
    dims.sort_unstable_by_key(|i| array.strides[*i as usize].unsigned_abs());
    let mut extent = item;
    for i in dims {
        let step = array.strides[i as usize].unsigned_abs();
        if step < extent {
            return true;
        }
        extent += step * (array.shape[i as usize] as u64 - 1);
    }
    false
}
