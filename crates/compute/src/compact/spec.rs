//! What decides the code of a compaction.

use crate::{IterSpec, Operator};

/// Which items are kept, and where.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CompactRule {
    /// Items for which the condition holds. One input, one output.
    Select(Operator),
    /// Items for which the first condition holds, else those for which the second one holds, and the rest. One
    /// input, three outputs.
    Partition(Operator, Operator),
    /// The first of each run of neighbours with equal keys; the operator says whether two are. Keys and items
    /// in, keys and items out.
    Unique(Operator),
}

/// A compaction: what is kept of the input lies side by side in the outputs, in the order of the input.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CompactSpec {
    /// What is kept.
    pub rule: CompactRule,
    /// Items.
    pub inputs: Vec<IterSpec>,
    /// Where they go.
    pub outputs: Vec<IterSpec>,
    /// Where the numbers of kept items go.
    pub counts: IterSpec,
}
