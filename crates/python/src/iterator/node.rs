//! The tree of an iterator, or of an array given in place of one.

use freeloom_compute::IterSpec;
use freeloom_ir::Type;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use super::IteratorBase;
use crate::array::{NdArray, to_ndarray};
use crate::dtype::Numbered;
use crate::key::Key;
use crate::operator::OpArg;

/// A tree of iterators. Immutable, so it can be shared between threads.
pub(crate) enum Node {
    /// An array, entered at an item.
    Array { array: Py<PyAny>, offset: i64 },
    /// `start + i`; `start` as the bytes of its type, low bytes first.
    Counting { item: Numbered, start: u64 },
    /// One value, as it lies in memory.
    Constant { item: Numbered, value: Vec<u8> },
    /// A function of another one. `output`: the function is applied to what is written.
    Transform { child: Box<Node>, op: Py<PyAny>, value: Option<Numbered>, output: bool },
    /// Several, side by side.
    Zip(Vec<Node>),
    /// Another one backwards, from the position it is entered at.
    Reverse(Box<Node>),
    /// `values[indices[i]]`
    Permutation { values: Box<Node>, indices: Box<Node> },
    /// Keeps nothing.
    Discard(Numbered),
    /// A permutation of `0 .. len`, entered at an item.
    Shuffle { len: u64, seed: u64, offset: i64 },
    /// An array to read, entered at an item, with a hint.
    Cached { array: Py<PyAny>, offset: i64, modifier: Modifier },
}

/// How an array is expected to be used.
#[derive(Clone, Copy)]
pub(crate) enum Modifier {
    Stream,
    Global,
    Volatile,
}

/// First words of each kind in keys.
pub(super) mod word {
    pub(in super::super) const ARRAY: u64 = 1;
    pub(in super::super) const COUNTING: u64 = 2;
    pub(in super::super) const CONSTANT: u64 = 3;
    pub(in super::super) const TRANSFORM: u64 = 4;
    pub(in super::super) const TRANSFORM_OUTPUT: u64 = 5;
    pub(in super::super) const ZIP: u64 = 6;
    pub(in super::super) const REVERSE: u64 = 7;
    pub(in super::super) const PERMUTATION: u64 = 8;
    pub(in super::super) const DISCARD: u64 = 9;
    pub(in super::super) const SHUFFLE: u64 = 10;
    pub(in super::super) const CACHED: u64 = 11;
}

impl Node {
    /// The node that an argument stands for: an iterator or an array.
    pub(crate) fn child(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<Node> {
        if let Ok(iterator) = object.cast::<IteratorBase>() {
            return Ok(iterator.get().node.clone_ref(object.py()));
        }
        match to_ndarray(object, argument)? {
            Some(array) => Ok(Node::Array { array: array.into_object().unbind(), offset: 0 }),
            None => Err(not_data(object, argument)),
        }
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Node {
        match self {
            Node::Array { array, offset } => Node::Array { array: array.clone_ref(py), offset: *offset },
            Node::Counting { item, start } => Node::Counting { item: item.clone(), start: *start },
            Node::Constant { item, value } => Node::Constant { item: item.clone(), value: value.clone() },
            Node::Transform { child, op, value, output } => Node::Transform {
                child: Box::new(child.clone_ref(py)),
                op: op.clone_ref(py),
                value: value.clone(),
                output: *output,
            },
            Node::Zip(children) => Node::Zip(children.iter().map(|c| c.clone_ref(py)).collect()),
            Node::Reverse(child) => Node::Reverse(Box::new(child.clone_ref(py))),
            Node::Permutation { values, indices } => {
                let values = Box::new(values.clone_ref(py));
                Node::Permutation { values, indices: Box::new(indices.clone_ref(py)) }
            }
            Node::Discard(item) => Node::Discard(item.clone()),
            Node::Shuffle { len, seed, offset } => Node::Shuffle { len: *len, seed: *seed, offset: *offset },
            Node::Cached { array, offset, modifier } => {
                Node::Cached { array: array.clone_ref(py), offset: *offset, modifier: *modifier }
            }
        }
    }

    /// The same, entered `n` items later.
    pub(crate) fn advance(&self, py: Python<'_>, n: i64) -> Node {
        let mut node = self.clone_ref(py);
        node.advance_by(n);
        node
    }

    pub(super) fn advance_by(&mut self, n: i64) {
        match self {
            Node::Array { offset, .. } | Node::Cached { offset, .. } | Node::Shuffle { offset, .. } => {
                *offset = offset.saturating_add(n);
            }
            Node::Counting { item, start } => *start = super::start::plus(&item.ty, *start, n),
            Node::Constant { .. } | Node::Discard(_) => {}
            Node::Transform { child, .. } => child.advance_by(n),
            Node::Reverse(child) => child.advance_by(n.saturating_neg()),
            Node::Permutation { indices, .. } => indices.advance_by(n),
            Node::Zip(children) => children.iter_mut().for_each(|c| c.advance_by(n)),
        }
    }

    /// Appends what decides the code to a key; it depends on what operators mean now.
    pub(crate) fn key(&self, py: Python<'_>, argument: &str, key: &mut Key) -> PyResult<()> {
        match self {
            Node::Array { array, .. } => {
                key.push(word::ARRAY);
                key.push(ndarray(array.bind(py))?.item_type(argument)?.number);
            }
            Node::Counting { item, .. } => {
                key.push(word::COUNTING);
                key.push(item.number);
            }
            Node::Constant { item, .. } => {
                key.push(word::CONSTANT);
                key.push(item.number);
            }
            Node::Transform { child, op, value, output } => {
                key.push(if *output { word::TRANSFORM_OUTPUT } else { word::TRANSFORM });
                key.push(OpArg::read(op.bind(py), argument)?.number());
                key.push(value.as_ref().map_or(0, |v| v.number));
                child.key(py, argument, key)?;
            }
            Node::Zip(children) => {
                key.push(word::ZIP);
                key.push(children.len() as u64);
                children.iter().try_for_each(|c| c.key(py, argument, key))?;
            }
            Node::Reverse(child) => {
                key.push(word::REVERSE);
                child.key(py, argument, key)?;
            }
            Node::Permutation { values, indices } => {
                key.push(word::PERMUTATION);
                values.key(py, argument, key)?;
                indices.key(py, argument, key)?;
            }
            Node::Discard(item) => {
                key.push(word::DISCARD);
                key.push(item.number);
            }
            Node::Shuffle { .. } => key.push(word::SHUFFLE),
            Node::Cached { array, modifier, .. } => {
                key.push(word::CACHED);
                key.push(*modifier as u64);
                key.push(ndarray(array.bind(py))?.item_type(argument)?.number);
            }
        }
        Ok(())
    }

    /// The type tree.
    pub(crate) fn spec(&self, py: Python<'_>, argument: &str) -> PyResult<IterSpec> {
        Ok(match self {
            Node::Array { array, .. } | Node::Cached { array, .. } => {
                IterSpec::Array(ndarray(array.bind(py))?.item_type(argument)?.ty)
            }
            Node::Reverse(child) => IterSpec::Reverse(Box::new(child.spec(py, argument)?)),
            Node::Permutation { values, indices } => IterSpec::Permutation {
                values: Box::new(values.spec(py, argument)?),
                indices: Box::new(indices.spec(py, argument)?),
            },
            Node::Discard(item) => IterSpec::Discard(item.ty.clone()),
            Node::Shuffle { .. } => IterSpec::Shuffle,
            Node::Counting { item, .. } => IterSpec::Counting(item.ty.clone()),
            Node::Constant { item, .. } => IterSpec::Constant(item.ty.clone()),
            Node::Transform { child, op, value, .. } => IterSpec::Transform {
                child: Box::new(child.spec(py, argument)?),
                op: OpArg::read(op.bind(py), argument)?.operator(),
                value: value.as_ref().map(|v| v.ty.clone()),
            },
            Node::Zip(children) => {
                IterSpec::Zip(children.iter().map(|c| c.spec(py, argument)).collect::<PyResult<_>>()?)
            }
        })
    }

    /// Can it be read (`output` false) or written?
    pub(crate) fn check_direction(&self, output: bool) -> PyResult<()> {
        let fits = match self {
            Node::Array { .. } | Node::Discard(_) => true,
            Node::Counting { .. } | Node::Constant { .. } | Node::Shuffle { .. } | Node::Cached { .. } => {
                !output
            }
            Node::Reverse(child) => return child.check_direction(output),
            Node::Permutation { values, .. } => return values.check_direction(output),
            Node::Transform { child, output: writes, .. } => {
                child.check_direction(output)?;
                *writes == output
            }
            Node::Zip(children) => return children.iter().try_for_each(|c| c.check_direction(output)),
        };
        if fits {
            return Ok(());
        }
        let direction = if output { "output" } else { "input" };
        Err(PyValueError::new_err(format!("This iterator does not support {direction} operations")))
    }

    /// Does an operator run when items are read or written?
    pub(crate) fn has_operator(&self) -> bool {
        match self {
            Node::Transform { .. } => true,
            Node::Zip(children) => children.iter().any(Node::has_operator),
            Node::Reverse(child) => child.has_operator(),
            Node::Permutation { values, indices } => values.has_operator() || indices.has_operator(),
            Node::Array { .. } | Node::Cached { .. } | Node::Counting { .. } | Node::Constant { .. } => false,
            Node::Discard(_) | Node::Shuffle { .. } => false,
        }
    }

    pub(crate) fn traverse(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Node::Array { array, .. } | Node::Cached { array, .. } => visit.call(array),
            Node::Counting { .. } | Node::Constant { .. } | Node::Discard(_) | Node::Shuffle { .. } => Ok(()),
            Node::Reverse(child) => child.traverse(visit),
            Node::Permutation { values, indices } => {
                values.traverse(visit)?;
                indices.traverse(visit)
            }
            Node::Transform { child, op, .. } => {
                visit.call(op)?;
                child.traverse(visit)
            }
            Node::Zip(children) => children.iter().try_for_each(|c| c.traverse(visit)),
        }
    }

    /// Type of one item if no operator has to be compiled to know it.
    pub(crate) fn known_item(&self, py: Python<'_>) -> PyResult<Option<Type>> {
        Ok(match self {
            Node::Array { array, .. } | Node::Cached { array, .. } => {
                Some(ndarray(array.bind(py))?.item_type("iterator")?.ty)
            }
            Node::Counting { item, .. } | Node::Constant { item, .. } | Node::Discard(item) => {
                Some(item.ty.clone())
            }
            Node::Shuffle { .. } => Some(Type::I64),
            Node::Reverse(child) => child.known_item(py)?,
            Node::Permutation { values, .. } => values.known_item(py)?,
            Node::Transform { value, .. } => value.as_ref().map(|v| v.ty.clone()),
            Node::Zip(_) => None,
        })
    }
}

pub(super) fn ndarray<'py>(object: &Bound<'py, PyAny>) -> PyResult<NdArray<'py>> {
    NdArray::from_exact(object).ok_or_else(|| crate::error::internal("an iterator's array is none"))
}

#[cold]
pub(super) fn not_data(object: &Bound<'_, PyAny>, argument: &str) -> PyErr {
    let class = object.get_type().name().map_or_else(|_| "object".to_owned(), |n| n.to_string());
    PyTypeError::new_err(format!("{argument}: Expected an iterator or a device array, got {class}"))
}
