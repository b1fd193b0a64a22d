//! What all iterators share.

use std::sync::Arc;

use freeloom_compute::{BuildError, IterSpec, item_type, output_item_type};
use freeloom_ir::Type;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::classes;
use super::node::Node;
use crate::array::NdArray;
use crate::dtype::{to_dtype, type_descriptor};
use crate::enter;
use crate::key::Key;

/// Base class of the iterators. An iterator stands wherever an algorithm takes an array, and computes its
/// items when they are asked for: none of them is an array in memory.
///
/// Threads: free. Iterators never change, so any number of threads may use one at once.
#[pyclass(frozen, subclass, module = "freeloom.compute", name = "IteratorBase")]
pub(crate) struct IteratorBase {
    pub(crate) node: Node,
}

impl IteratorBase {
    /// Type of one item; compiles the operators if that is needed to know it.
    pub(crate) fn item_type(&self, py: Python<'_>) -> PyResult<Type> {
        if let Some(known) = self.node.known_item(py)? {
            return Ok(known);
        }
        let spec = self.node.spec(py, "iterator")?;
        let output = self.node.check_direction(false).is_err();
        enter::build(py, move || infer(&spec, output).map_err(Arc::new))
    }
}

fn infer(spec: &IterSpec, output: bool) -> Result<Type, BuildError> {
    if output { output_item_type(spec) } else { item_type(spec) }
}

#[pymethods]
impl IteratorBase {
    /// The type of the items, as a `TypeDescriptor`.
    #[getter]
    fn value_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        type_descriptor(&to_dtype(py, &self.item_type(py)?)?)
    }

    /// What tells iterators of one type apart from those of another: hashable, and without anything that is
    /// known only at run time, such as start values and array pointers.
    #[getter]
    fn kind<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let mut key = Key::default();
        slf.get().node.key(py, "iterator", &mut key)?;
        let words = PyTuple::new(py, key.words())?;
        (slf.get_type().name()?, words).into_pyobject(py)
    }

    /// Arrays and iterators that this one is made of.
    #[getter]
    fn children<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        if let Some(only) = classes::only_array(py, &self.node)? {
            return PyTuple::new(py, [only]);
        }
        let children: Vec<&Node> = match &self.node {
            Node::Transform { child, .. } | Node::Reverse(child) => vec![child],
            Node::Permutation { values, indices } => vec![values, indices],
            Node::Zip(children) => children.iter().collect(),
            _ => Vec::new(),
        };
        let objects = children.into_iter().map(|c| classes::object(py, c)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, objects)
    }

    /// The run-time state as bytes: start values, constants and array addresses.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut bytes = Vec::new();
        state(py, &self.node, &mut bytes);
        PyBytes::new(py, &bytes)
    }

    /// Alignment of `state`, in bytes.
    #[getter]
    fn state_alignment(&self) -> u64 {
        match &self.node {
            Node::Counting { item, .. } | Node::Constant { item, .. } => item.ty.align().max(1),
            Node::Discard(_) => 1,
            _ => 8,
        }
    }

    /// `it + n` and `n + it`: the same iterator, entered `n` items later.
    fn __add__<'py>(slf: &Bound<'py, Self>, n: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match index(n)? {
            Some(n) => classes::object(slf.py(), &slf.get().node.advance(slf.py(), n)),
            None => Ok(slf.py().NotImplemented().into_bound(slf.py())),
        }
    }

    fn __radd__<'py>(slf: &Bound<'py, Self>, n: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Self::__add__(slf, n)
    }

    /// The same iterator, entered `n` items later.
    fn advance<'py>(slf: &Bound<'py, Self>, n: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let n = index(n)?.ok_or_else(|| PyTypeError::new_err("n must be an integer"))?;
        classes::object(slf.py(), &slf.get().node.advance(slf.py(), n))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let item = slf.get().item_type(slf.py())?;
        Ok(format!("<{} of {}>", slf.get_type().name()?, to_dtype(slf.py(), &item)?))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.node.traverse(visit)
    }
}

fn index(n: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    if n.getattr_opt(intern!(n.py(), "__index__"))?.is_none() {
        return Ok(None);
    }
    n.extract().map(Some)
}

fn state(py: Python<'_>, node: &Node, bytes: &mut Vec<u8>) {
    match node {
        Node::Array { array, offset } | Node::Cached { array, offset, .. } => {
            let address = NdArray::from_exact(array.bind(py)).map_or(0, |a| a.data());
            bytes.extend(address.to_le_bytes());
            bytes.extend(offset.to_le_bytes());
        }
        Node::Counting { item, start } => bytes.extend(&start.to_le_bytes()[..item.ty.size() as usize]),
        Node::Constant { value, .. } => bytes.extend(value),
        Node::Transform { child, .. } | Node::Reverse(child) => state(py, child, bytes),
        Node::Permutation { values, indices } => {
            state(py, values, bytes);
            state(py, indices, bytes);
        }
        Node::Discard(_) => {}
        Node::Shuffle { len, seed, offset } => {
            bytes.extend([*len, *seed].iter().flat_map(|n| n.to_le_bytes()));
            bytes.extend(offset.to_le_bytes());
        }
        Node::Zip(children) => children.iter().for_each(|c| state(py, c, bytes)),
    }
}
