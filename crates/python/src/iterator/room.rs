//! How many items an output has room for.

use pyo3::prelude::*;

use super::node::{Node, ndarray};
use crate::array::Order;

impl Node {
    /// Items from the entry on, as far as the arrays below tell; the most if nothing does.
    pub(crate) fn room(&self, py: Python<'_>) -> PyResult<u64> {
        self.room_in(py, Order::Forward)
    }

    fn room_in(&self, py: Python<'_>, order: Order) -> PyResult<u64> {
        match self {
            Node::Array { array, offset } | Node::Cached { array, offset, .. } => {
                Ok(order.room(*offset, ndarray(array.bind(py))?.len()))
            }
            Node::Shuffle { len, offset, .. } => Ok(order.room(*offset, *len)),
            Node::Transform { child, .. } => child.room_in(py, order),
            Node::Zip(children) => {
                children.iter().try_fold(u64::MAX, |least, child| Ok(least.min(child.room_in(py, order)?)))
            }
            Node::Reverse(child) => child.room_in(py, order.reversed()),
            // Its values are entered anywhere.
            Node::Permutation { indices, .. } => indices.room_in(py, order),
            Node::Counting { .. } | Node::Constant { .. } | Node::Discard(_) => Ok(u64::MAX),
        }
    }
}
