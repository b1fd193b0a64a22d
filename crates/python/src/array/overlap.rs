//! Do two arrays of a call share memory?

use freeloom_compute::ArrayBinding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The memory that a call touches of one array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// First byte.
    lo: usize,
    /// One past the last byte.
    hi: usize,
    /// Address of the item that meets position 0 of the call.
    first: usize,
    /// Step and item size, if the items lie on a line.
    line: Option<(i64, u64)>,
}

impl Extent {
    pub(crate) fn new(array: &ArrayBinding, item: u64, offset: i64, count: u64) -> Extent {
        match (&array.shape[..], &array.strides[..]) {
            _ if count == 0 => Extent { lo: array.ptr, hi: array.ptr, first: array.ptr, line: None },
            (&[_], &[step]) => Extent::line(array.ptr, item, (offset, step), count, step),
            _ => Extent::whole(array, item),
        }
    }

    /// Of items that are used from the one at `offset` backwards.
    pub(crate) fn backward(array: &ArrayBinding, item: u64, offset: i64, count: u64) -> Extent {
        match (&array.shape[..], &array.strides[..]) {
            (&[_], &[step]) if count > 0 => Extent::line(array.ptr, item, (offset, step), count, -step),
            _ => Extent::new(array, item, offset, count),
        }
    }

    /// `count` items, `step` bytes apart, from the item at `offset` of an array of that stride.
    fn line(ptr: usize, item: u64, (offset, stride): (i64, i64), count: u64, step: i64) -> Extent {
        let first = ptr.wrapping_add_signed((offset * stride) as isize);
        let last = first.wrapping_add_signed(((count as i64 - 1) * step) as isize);
        Extent { lo: first.min(last), hi: first.max(last) + item as usize, first, line: Some((step, item)) }
    }

    /// All of an array.
    pub(crate) fn whole(array: &ArrayBinding, item: u64) -> Extent {
        let (mut lo, mut hi) = (array.ptr, array.ptr + item as usize);
        for (len, step) in array.shape.iter().zip(&array.strides) {
            let reach = (*len - 1).max(0) as isize * *step as isize;
            if reach < 0 { lo = lo.wrapping_add_signed(reach) } else { hi = hi.wrapping_add_signed(reach) }
        }
        Extent { lo, hi, first: array.ptr, line: None }
    }

    fn is_apart_from(&self, other: &Extent) -> bool {
        self.hi <= other.lo || other.hi <= self.lo || self.interleaves(other)
    }

    /// Equal steps, and in the gaps of each other, like `a[::2]` and `a[1::2]`.
    fn interleaves(&self, other: &Extent) -> bool {
        let (Some((step, item)), Some((other_step, other_item))) = (self.line, other.line) else {
            return false;
        };
        if step != other_step || step == 0 {
            return false;
        }
        let period = step.unsigned_abs();
        let distance = (other.first as i64 - self.first as i64).rem_euclid(period as i64) as u64;
        distance >= item && distance + other_item <= period
    }

    /// The same item at every position.
    fn is_same(&self, other: &Extent) -> bool {
        self.line.is_some() && self.line == other.line && self.first == other.first
    }
}

/// Memory, and the argument it belongs to.
pub(crate) type Named = (Extent, &'static str);

/// Refuses an output that shares memory with another output, with an array that an operator reads or, unless
/// each item is read from and written to the same place, with an input.
pub(crate) fn check_overlap(inputs: &[Named], captured: &[Named], outputs: &[Named]) -> PyResult<()> {
    for (i, (output, name)) in outputs.iter().enumerate() {
        let inputs = inputs.iter().filter(|(e, _)| !output.is_same(e));
        let mut others = inputs.chain(captured).chain(&outputs[..i]);
        if let Some((_, other)) = others.find(|(e, _)| !output.is_apart_from(e)) {
            return Err(overlap(name, other));
        }
    }
    Ok(())
}

#[cold]
fn overlap(a: &str, b: &str) -> PyErr {
    let advice = "use separate arrays, or exactly the same one as input and output";
    PyValueError::new_err(format!("the memory of {a} overlaps that of {b}; {advice}"))
}
