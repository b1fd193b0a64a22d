//! How many items an iterator has.

use pyo3::prelude::*;

use super::node::{Node, ndarray};
use crate::array::Order;

impl Node {
    /// Items that can be read from the entry on; the most there can be if there is no end.
    pub(crate) fn available(&self, py: Python<'_>) -> PyResult<u64> {
        self.available_in(py, Order::Forward)
    }

    fn available_in(&self, py: Python<'_>, order: Order) -> PyResult<u64> {
        Ok(match self {
            Node::Array { array, offset } | Node::Cached { array, offset, .. } => {
                from(ndarray(array.bind(py))?.len(), *offset, order)
            }
            Node::Shuffle { len, offset, .. } => from(*len, *offset, order),
            Node::Counting { .. } | Node::Constant { .. } | Node::Discard(_) => u64::MAX,
            Node::Transform { child, .. } => child.available_in(py, order)?,
            Node::Reverse(child) => child.available_in(py, order.reversed())?,
            // Positions in the values are checked when they are used.
            Node::Permutation { indices, .. } => indices.available_in(py, order)?,
            Node::Zip(children) => children.iter().try_fold(u64::MAX, |least, child| {
                child.available_in(py, order).map(|items| least.min(items))
            })?,
        })
    }
}

/// Of `len` items, those from `offset` on in that order. There are none outside.
fn from(len: u64, offset: i64, order: Order) -> u64 {
    let Ok(offset) = u64::try_from(offset) else { return 0 };
    match order {
        Order::Forward => len.saturating_sub(offset),
        Order::Backward if offset < len => offset + 1,
        Order::Backward => 0,
        Order::Any => u64::MAX,
    }
}
