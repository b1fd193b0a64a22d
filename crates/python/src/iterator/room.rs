//! How many items an output has room for.

use pyo3::prelude::*;

use super::node::{Node, ndarray};

impl Node {
    /// Items from the entry on, as far as the arrays below tell; the most if nothing does.
    pub(crate) fn room(&self, py: Python<'_>) -> PyResult<u64> {
        match self {
            // Entered before its first item it is refused when it is bound.
            Node::Array { offset, .. } if *offset < 0 => Ok(u64::MAX),
            Node::Array { array, offset } => {
                Ok(ndarray(array.bind(py))?.len().saturating_sub(offset.unsigned_abs()))
            }
            Node::Transform { child, .. } => child.room(py),
            Node::Zip(children) => {
                children.iter().try_fold(u64::MAX, |least, child| Ok(least.min(child.room(py)?)))
            }
            _ => Ok(u64::MAX),
        }
    }
}
