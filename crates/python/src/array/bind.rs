//! An array of a call becomes a binding.

use freeloom_compute::{ArrayBinding, Dims};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use smallvec::smallvec;

use super::{Extent, NdArray};

/// In which order the items of an iterator are used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Forward,
    Backward,
    /// At positions that are known, and checked, when they are used.
    Any,
}

impl Order {
    /// The order of what lies below a reversed iterator.
    pub(crate) fn reversed(self) -> Order {
        match self {
            Order::Forward => Order::Backward,
            Order::Backward => Order::Forward,
            Order::Any => Order::Any,
        }
    }

    /// How many of `len` items there are from `offset` on. The most, if it is entered outside of them: it is
    /// refused when it is bound.
    pub(crate) fn room(self, offset: i64, len: u64) -> u64 {
        match (u64::try_from(offset), self) {
            (Err(_), _) | (_, Order::Any) => u64::MAX,
            (Ok(offset), Order::Forward) => len.saturating_sub(offset),
            (Ok(offset), Order::Backward) if offset < len => offset + 1,
            (Ok(_), Order::Backward) => 0,
        }
    }

    /// Are `count` positions from `offset` on below `len`?
    pub(crate) fn fits(self, offset: i64, count: u64, len: u64) -> bool {
        let (first, steps) = (i128::from(offset), i128::from(count) - 1);
        let last = if self == Order::Backward { first - steps } else { first + steps };
        let is_inside = |position: i128| (0..i128::from(len)).contains(&position);
        count == 0 || self == Order::Any || (is_inside(first) && is_inside(last))
    }
}

/// Binds `count` items of an array from the one at `offset` on, in that order; they must exist.
pub(crate) fn bind(
    array: &NdArray<'_>,
    argument: &str,
    item: u64,
    (offset, count, order): (i64, u64, Order),
    output: bool,
) -> PyResult<(ArrayBinding, Extent)> {
    let len = array.len();
    if !order.fits(offset, count, len) {
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
    let extent = match order {
        Order::Any if count == 0 || len == 0 => Extent::new(&binding, item, 0, 0),
        Order::Any => Extent::whole(&binding, item),
        Order::Forward => Extent::new(&binding, item, offset, count),
        Order::Backward => Extent::backward(&binding, item, offset, count),
    };
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
