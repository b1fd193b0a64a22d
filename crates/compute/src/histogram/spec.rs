//! What decides the code of a histogram.

use crate::spec::IterSpec;

/// A histogram of bins of equal width.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HistogramSpec {
    /// Numbers.
    pub samples: IterSpec,
    /// Where the counts go.
    pub output: IterSpec,
}

/// The bins of a call: `count` of equal width over `[lower, upper)`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bins {
    /// Where the first begins; finite.
    pub lower: f64,
    /// Where the last ends; finite, greater than `lower`.
    pub upper: f64,
    /// How many: at least one.
    pub count: u32,
}
