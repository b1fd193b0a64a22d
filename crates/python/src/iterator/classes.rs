//! The iterator classes: constructors only.

use pyo3::PyClass;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::advanced::{
    CacheModifiedInputIterator, DiscardIterator, PermutationIterator, ReverseIterator, ShuffleIterator,
};
use super::base::IteratorBase;
use super::node::Node;
use super::start;
use crate::dtype::{self, Numbered};
use crate::function::annotation;
use crate::operator::OpArg;

/// `start`, `start + 1`, `start + 2`, … in the type of `start`, an integer or floating-point number
/// (else `TypeError`).
///
/// Threads: free.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from freeloom.compute import CountingIterator, OpKind, reduce_into
/// >>> out = np.zeros(1, np.int64)
/// >>> reduce_into(d_in=CountingIterator(1), d_out=out, num_items=100, op=OpKind.PLUS)
/// >>> int(out.item())
/// 5050
#[pyclass(frozen, extends = IteratorBase, module = "freeloom.compute")]
pub(crate) struct CountingIterator;

#[pymethods]
impl CountingIterator {
    #[new]
    fn new(start: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
        let (item, start) = start::number(start)?;
        Ok(new(Node::Counting { item, start }, CountingIterator))
    }
}

/// The same value at every position: a number, a record or an array of one element (else `TypeError`).
///
/// Threads: free.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from freeloom.compute import ConstantIterator, OpKind, binary_transform
/// >>> out = np.zeros(3)
/// >>> binary_transform(d_in1=np.arange(3.0), d_in2=ConstantIterator(0.5), d_out=out, op=OpKind.PLUS, num_items=3)
/// >>> out.tolist()
/// [0.5, 1.5, 2.5]
#[pyclass(frozen, extends = IteratorBase, module = "freeloom.compute")]
pub(crate) struct ConstantIterator;

#[pymethods]
impl ConstantIterator {
    #[new]
    fn new(value: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
        let (item, value) = start::value(value, "value")?;
        Ok(new(Node::Constant { item, value }, ConstantIterator))
    }
}

/// `transform_op(item)` for each item of an array or iterator.
///
/// The type of the results is `value_type`, else what the function's annotation says, else inferred from its
/// code. An `underlying` that is no array or iterator, an operator that is none and a type that is none are
/// `TypeError`s.
///
/// Threads: free.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from freeloom.compute import OpKind, TransformIterator, reduce_into
/// >>> squares, out = TransformIterator(np.arange(4.0), lambda x: x * x), np.zeros(1)
/// >>> reduce_into(d_in=squares, d_out=out, num_items=4, op=OpKind.PLUS)
/// >>> float(out.item())
/// 14.0
#[pyclass(frozen, extends = IteratorBase, module = "freeloom.compute")]
pub(crate) struct TransformIterator;

#[pymethods]
impl TransformIterator {
    #[new]
    #[pyo3(signature = (underlying, transform_op, value_type = None, is_input = true))]
    fn new(
        underlying: &Bound<'_, PyAny>,
        transform_op: &Bound<'_, PyAny>,
        value_type: Option<&Bound<'_, PyAny>>,
        is_input: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        Ok(new(transform(underlying, transform_op, value_type, !is_input)?, TransformIterator))
    }
}

/// Where `underlying[i] = transform_op(value)` happens when an algorithm writes `value`.
///
/// The type of the values is `output_value_type`, else the annotation of the function's first parameter
/// (else `ValueError`).
///
/// Threads: free.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from freeloom.compute import OpKind, TransformOutputIterator, inclusive_scan
/// >>> out = np.zeros(3)
/// >>> halves = TransformOutputIterator(out, lambda v: v / 2, np.float64)
/// >>> inclusive_scan(d_in=np.ones(3), d_out=halves, op=OpKind.PLUS, num_items=3)
/// >>> out.tolist()
/// [0.5, 1.0, 1.5]
#[pyclass(frozen, extends = IteratorBase, module = "freeloom.compute")]
pub(crate) struct TransformOutputIterator;

#[pymethods]
impl TransformOutputIterator {
    #[new]
    #[pyo3(signature = (underlying, transform_op, output_value_type = None))]
    fn new(
        underlying: &Bound<'_, PyAny>,
        transform_op: &Bound<'_, PyAny>,
        output_value_type: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        Ok(new(transform(underlying, transform_op, output_value_type, true)?, TransformOutputIterator))
    }
}

/// Records of the items of several arrays or iterators: in operators `p[0]`, `p[1]`, … or `p.field_0`, ….
/// As an output, the components of what is written go to the children.
///
/// No argument is a `ValueError`, one that is no array or iterator a `TypeError`.
///
/// Threads: free.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from freeloom.compute import ZipIterator, unary_transform
/// >>> pairs, out = ZipIterator(np.arange(3), np.arange(3) * 10), np.zeros(3, np.int64)
/// >>> unary_transform(d_in=pairs, d_out=out, op=lambda p: p.field_0 + p.field_1, num_items=3)
/// >>> out.tolist()
/// [0, 11, 22]
#[pyclass(frozen, extends = IteratorBase, module = "freeloom.compute")]
pub(crate) struct ZipIterator;

#[pymethods]
impl ZipIterator {
    #[new]
    #[pyo3(signature = (*iterators))]
    fn new(iterators: &Bound<'_, PyTuple>) -> PyResult<PyClassInitializer<Self>> {
        let parts = parts(iterators)?;
        if parts.is_empty() {
            return Err(PyValueError::new_err("ZipIterator needs at least one array or iterator"));
        }
        let children = parts.iter().map(|p| Node::child(p, "iterators")).collect::<PyResult<_>>()?;
        Ok(new(Node::Zip(children), ZipIterator))
    }
}

pub(super) fn new<T: PyClass<BaseType = IteratorBase>>(node: Node, class: T) -> PyClassInitializer<T> {
    PyClassInitializer::from(IteratorBase { node }).add_subclass(class)
}

/// The arguments themselves, or the items of the one list among them.
fn parts<'py>(arguments: &Bound<'py, PyTuple>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if arguments.len() == 1 {
        let only = arguments.get_item(0)?;
        if only.is_instance_of::<PyList>() || only.is_instance_of::<PyTuple>() {
            return only.try_iter()?.collect();
        }
    }
    Ok(arguments.iter().collect())
}

fn transform(
    underlying: &Bound<'_, PyAny>,
    op: &Bound<'_, PyAny>,
    declared: Option<&Bound<'_, PyAny>>,
    output: bool,
) -> PyResult<Node> {
    let child = Box::new(Node::child(underlying, "underlying")?);
    child.check_direction(output)?;
    OpArg::read(op, "transform_op")?;
    let value = value_type(op, declared, output)?;
    if output && value.is_none() {
        let advice = "annotate the parameter of transform_op or pass output_value_type";
        return Err(PyValueError::new_err(format!("the type of the values to write is not known; {advice}")));
    }
    Ok(Node::Transform { child, op: op.clone().unbind(), value, output })
}

fn value_type(
    op: &Bound<'_, PyAny>,
    declared: Option<&Bound<'_, PyAny>>,
    output: bool,
) -> PyResult<Option<Numbered>> {
    let Some(declared) = declared else { return annotation(op, !output) };
    let name = if output { "output_value_type" } else { "value_type" };
    let wrong = || {
        PyTypeError::new_err(format!("{name} is not a type: pass a NumPy type, a dtype or a record class"))
    };
    dtype::of_type_like(declared)?.ok_or_else(wrong).map(Some)
}

/// The Python object of a node: an iterator, or the array itself if it is entered at its start.
pub(super) fn object<'py>(py: Python<'py>, node: &Node) -> PyResult<Bound<'py, PyAny>> {
    let copy = node.clone_ref(py);
    Ok(match node {
        Node::Array { array, offset } => {
            let flat = array.bind(py).call_method1(intern!(py, "reshape"), (-1,))?;
            if *offset == 0 {
                return Ok(array.bind(py).clone());
            }
            flat.get_item(pyo3::types::PySlice::new(py, *offset as isize, isize::MAX, 1))?
        }
        Node::Counting { .. } => Bound::new(py, new(copy, CountingIterator))?.into_any(),
        Node::Constant { .. } => Bound::new(py, new(copy, ConstantIterator))?.into_any(),
        Node::Transform { output: true, .. } => {
            Bound::new(py, new(copy, TransformOutputIterator))?.into_any()
        }
        Node::Transform { .. } => Bound::new(py, new(copy, TransformIterator))?.into_any(),
        Node::Zip(_) => Bound::new(py, new(copy, ZipIterator))?.into_any(),
        Node::Reverse(_) => Bound::new(py, new(copy, ReverseIterator))?.into_any(),
        Node::Permutation { .. } => Bound::new(py, new(copy, PermutationIterator))?.into_any(),
        Node::Discard(_) => Bound::new(py, new(copy, DiscardIterator))?.into_any(),
        Node::Shuffle { .. } => Bound::new(py, new(copy, ShuffleIterator))?.into_any(),
        Node::Cached { .. } => Bound::new(py, new(copy, CacheModifiedInputIterator))?.into_any(),
    })
}

/// The array below an iterator that enters it in its own way: an equal iterator is made from it.
pub(super) fn only_array<'py>(py: Python<'py>, node: &Node) -> PyResult<Option<Bound<'py, PyAny>>> {
    match node {
        Node::Reverse(child) => match &**child {
            // Reversing an array begins at its end.
            Node::Array { array, offset } => until(array.bind(py), offset.saturating_add(1)).map(Some),
            _ => Ok(None),
        },
        Node::Cached { array, offset, .. } => {
            object(py, &Node::Array { array: array.clone_ref(py), offset: *offset }).map(Some)
        }
        _ => Ok(None),
    }
}

/// The first `count` items of an array; the array itself if it has no more.
fn until<'py>(array: &Bound<'py, PyAny>, count: i64) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    if array.getattr(intern!(py, "size"))?.extract::<i64>()? == count {
        return Ok(array.clone());
    }
    let flat = array.call_method1(intern!(py, "reshape"), (-1,))?;
    flat.get_item(pyo3::types::PySlice::new(py, 0, count.max(0) as isize, 1))
}
