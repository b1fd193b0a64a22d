//! The iterator classes that change the order or the place of items: constructors only.

use freeloom_ir::{Scalar, Type};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::base::IteratorBase;
use super::classes::new;
use super::node::{Modifier, Node, ndarray, not_data};
use crate::array::to_ndarray;
use crate::dtype::Numbered;

/// An array or iterator backwards. It can be read and written if what it reverses can.
///
/// An array is entered at its last item: position `i` is `array[len(array) - 1 - i]`, whatever `num_items` is.
/// An iterator is entered at the position it has: position `i` is what it has `i` positions earlier, so
/// reverse `it + (n - 1)` to go through its first `n` items. `+ n` goes on by `n` items, backwards.
///
/// What is no array or iterator is a `TypeError`. Going beyond the first item of an array is a `ValueError` of
/// the algorithm.
///
/// Threads: free.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from freeloom.compute import OpKind, ReverseIterator, inclusive_scan
/// >>> a, out = np.array([1, 2, 3]), np.zeros(3, np.int64)
/// >>> inclusive_scan(d_in=ReverseIterator(a), d_out=ReverseIterator(out), op=OpKind.PLUS, num_items=3)
/// >>> out.tolist()
/// [6, 5, 3]
#[pyclass(frozen, extends = IteratorBase, module = "freeloom.compute")]
pub(crate) struct ReverseIterator;

#[pymethods]
impl ReverseIterator {
    #[new]
    fn new(underlying: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
        let mut child = Node::child(underlying, "underlying")?;
        if let Node::Array { array, offset } = &mut child {
            *offset = ndarray(array.bind(underlying.py()))?.len() as i64 - 1;
        }
        Ok(new(Node::Reverse(Box::new(child)), ReverseIterator))
    }
}

/// The items of an array or iterator in another order: position `i` is `values[indices[i]]`, read or written.
///
/// `indices` is an array or iterator of integers of any size (else `TypeError`). `+ n` advances the indices
/// only. An index that is negative or leads outside of an array in `values` makes the algorithm raise
/// `IndexError`; an output may have been written in part by then. Of several values written at one index,
/// which one is kept is not specified. The arrays of an output must not overlap its indices or what the
/// algorithm reads (`ValueError`).
///
/// Threads: free.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from freeloom.compute import OpKind, PermutationIterator, unary_transform
/// >>> a, out = np.array([10.0, 20.0, 30.0]), np.zeros(4)
/// >>> picked = PermutationIterator(a, np.array([2, 0, 0, 1], np.int32))
/// >>> unary_transform(d_in=picked, d_out=out, op=OpKind.IDENTITY, num_items=4)
/// >>> out.tolist()
/// [30.0, 10.0, 10.0, 20.0]
#[pyclass(frozen, extends = IteratorBase, module = "freeloom.compute")]
pub(crate) struct PermutationIterator;

#[pymethods]
impl PermutationIterator {
    #[new]
    fn new(values: &Bound<'_, PyAny>, indices: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
        let values = Box::new(Node::child(values, "values")?);
        let node = Node::child(indices, "indices")?;
        node.check_direction(false)?;
        if let Some(ty) = node.known_item(indices.py())?
            && !ty.scalar().is_some_and(Scalar::is_int)
        {
            return Err(PyTypeError::new_err(format!("indices must be integers, not {ty}")));
        }
        Ok(new(Node::Permutation { values, indices: Box::new(node) }, PermutationIterator))
    }
}

/// An output that keeps nothing, for results that are not wanted. Read, it gives zeros.
///
/// It takes values of the type of the items of `reference_iterator`, an array or iterator (else `TypeError`),
/// or `uint8` without one.
///
/// Threads: free.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from freeloom.compute import DiscardIterator, ZipIterator, unary_transform
/// >>> a, out = np.arange(3), np.zeros(3, np.int64)
/// >>> target = ZipIterator(out, DiscardIterator(a))
/// >>> unary_transform(d_in=a, d_out=target, op=lambda x: (x + 1, x), num_items=3)
/// >>> out.tolist()
/// [1, 2, 3]
#[pyclass(frozen, extends = IteratorBase, module = "freeloom.compute")]
pub(crate) struct DiscardIterator;

#[pymethods]
impl DiscardIterator {
    #[new]
    #[pyo3(signature = (reference_iterator = None))]
    fn new(reference_iterator: Option<&Bound<'_, PyAny>>) -> PyResult<PyClassInitializer<Self>> {
        let item = match reference_iterator {
            None => Type::Scalar(Scalar::U8),
            Some(object) => {
                let node = Node::child(object, "reference_iterator")?;
                IteratorBase { node }.item_type(object.py())?
            }
        };
        Ok(new(Node::Discard(Numbered::new(item)), DiscardIterator))
    }
}

/// The numbers from 0 to `num_items - 1` as `int64`, each once, in an order that looks random and takes no
/// memory: an item costs the same wherever it is.
///
/// `seed`, an integer, picks one of many orders; equal arguments give equal orders on every machine. They may
/// change with a new version. `num_items` must be greater than 0, and an algorithm must not take more items
/// (else `ValueError`).
///
/// Threads: free.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from freeloom.compute import OpKind, PermutationIterator, ShuffleIterator, unary_transform
/// >>> deck, out = np.arange(52), np.zeros(52, np.int64)
/// >>> shuffled = PermutationIterator(deck, ShuffleIterator(52, seed=7))
/// >>> unary_transform(d_in=shuffled, d_out=out, op=OpKind.IDENTITY, num_items=52)
/// >>> sorted(out.tolist()) == deck.tolist()
/// True
#[pyclass(frozen, extends = IteratorBase, module = "freeloom.compute")]
pub(crate) struct ShuffleIterator;

#[pymethods]
impl ShuffleIterator {
    #[new]
    #[pyo3(signature = (num_items, seed = None), text_signature = "(num_items, seed=0)")]
    fn new(
        num_items: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let len = integer(num_items, "num_items")?;
        if len <= 0 {
            return Err(PyValueError::new_err("num_items must be > 0"));
        }
        let len = i64::try_from(len).map_err(|_| out_of_range("num_items"))?;
        let seed = seed.map_or(Ok(0), |s| integer(s, "seed"))?;
        // Every integer is a seed; those that agree in their low 64 bits are the same one.
        Ok(new(Node::Shuffle { len: len as u64, seed: seed as u64, offset: 0 }, ShuffleIterator))
    }
}

/// The items of an array, with a hint how they are used: `"stream"` (once), `"global"` (by several cores) or
/// `"volatile"` (not kept). Results are the same with every hint; on the CPU, speed is too.
///
/// Items must have 1, 2, 4, 8 or 16 bytes, and the hint must be known (else `ValueError`). What is no array is a
/// `TypeError`.
///
/// Threads: free.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from freeloom.compute import CacheModifiedInputIterator, OpKind, reduce_into
/// >>> once, out = CacheModifiedInputIterator(np.arange(5), "stream"), np.zeros(1, np.int64)
/// >>> reduce_into(d_in=once, d_out=out, num_items=5, op=OpKind.PLUS)
/// >>> int(out.item())
/// 10
#[pyclass(frozen, extends = IteratorBase, module = "freeloom.compute")]
pub(crate) struct CacheModifiedInputIterator;

#[pymethods]
impl CacheModifiedInputIterator {
    #[new]
    #[pyo3(signature = (array, modifier = "stream"))]
    fn new(array: &Bound<'_, PyAny>, modifier: &str) -> PyResult<PyClassInitializer<Self>> {
        let modifier = match modifier {
            "stream" => Modifier::Stream,
            "global" => Modifier::Global,
            "volatile" => Modifier::Volatile,
            _ => {
                let known = r#""stream", "global" or "volatile""#;
                return Err(PyValueError::new_err(format!("modifier must be {known}, not {modifier:?}")));
            }
        };
        let items = to_ndarray(array, "array")?.ok_or_else(|| not_data(array, "array"))?;
        let size = items.item_type("array")?.ty.size();
        if !matches!(size, 1 | 2 | 4 | 8 | 16) {
            let text = format!("array: items must have 1, 2, 4, 8 or 16 bytes, not {size}");
            return Err(PyValueError::new_err(text));
        }
        let array = items.into_object().unbind();
        Ok(new(Node::Cached { array, offset: 0, modifier }, CacheModifiedInputIterator))
    }
}

fn integer(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<i128> {
    object.extract::<i128>().map_err(|e| {
        if e.is_instance_of::<PyOverflowError>(object.py()) {
            return out_of_range(argument);
        }
        PyTypeError::new_err(format!("{argument} must be an integer"))
    })
}

#[cold]
fn out_of_range(argument: &str) -> PyErr {
    PyValueError::new_err(format!("{argument} is out of range"))
}
