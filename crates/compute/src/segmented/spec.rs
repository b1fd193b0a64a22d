//! What a segmented reduction is made of, and what it is given.

use freeloom_ir::Type;

use crate::binding::{IterBinding, OpBinding};
use crate::spec::{IterSpec, Operator};

/// A reduction of each of many segments of one sequence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SegmentedReduceSpec {
    /// Items.
    pub input: IterSpec,
    /// Where the results go, one for each segment.
    pub output: IterSpec,
    /// First item of each segment: integers.
    pub starts: IterSpec,
    /// One past the last item of each segment: integers.
    pub ends: IterSpec,
    /// Associative; need not be commutative.
    pub op: Operator,
    /// Type of the initial value and of the accumulator.
    pub init: Type,
}

/// The arguments of a run.
#[derive(Clone, Copy, Debug)]
pub struct Segments<'a> {
    /// Items.
    pub input: &'a IterBinding,
    /// How many items there are: no segment reaches beyond.
    pub len: u64,
    /// Where the results go.
    pub output: &'a IterBinding,
    /// First items.
    pub starts: &'a IterBinding,
    /// Ends.
    pub ends: &'a IterBinding,
    /// Number of segments.
    pub count: u64,
    /// State of the operator.
    pub op: &'a OpBinding,
    /// The initial value as it lies in memory.
    pub init: &'a [u8],
}
