//! What decides the code of a search.

use crate::spec::{IterSpec, Operator};

/// Which of the places that keep the data sorted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The first: before all items that are equal.
    Lower,
    /// The last: after them.
    Upper,
}

/// A binary search.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SearchSpec {
    /// Which place.
    pub side: Side,
    /// Sorted items.
    pub data: IterSpec,
    /// What is searched.
    pub values: IterSpec,
    /// Where the places go: integers.
    pub output: IterSpec,
    /// `a` comes before `b`, a strict weak order. Applied to (item, value) or (value, item).
    pub comp: Operator,
}
