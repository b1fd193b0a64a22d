//! What decides the code of an algorithm.

use std::sync::Arc;

use freeloom_compiler::Function;
use freeloom_ir::Type;

use crate::OpKind;

/// An operator: `(T, T) -> T` of a reduction, `(in) -> out` of a transform.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// A well-known one.
    Known(OpKind),
    /// A Python function, compared by content.
    Python(Arc<Function>),
}

/// The type tree of an iterator or array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum IterSpec {
    /// An array of any strides and alignment, read or written in C order; a Fortran-contiguous array as flat
    /// memory.
    Array(Type),
    /// `start + i`, in the type of `start`, a number.
    Counting(Type),
    /// Always the same value.
    Constant(Type),
    /// `op(child[i])`, or, as an output, `child[i] = op(value)`.
    Transform {
        /// What is read or written.
        child: Box<IterSpec>,
        /// The function of one argument.
        op: Operator,
        /// Input: type of the result, inferred if `None`. Output: type of the value that is written; required.
        value: Option<Type>,
    },
    /// Records of the children's items, `field_0`, `field_1` …; as an output, fields go to the children.
    Zip(Vec<IterSpec>),
    /// `child[-i]`: from the child's position backwards.
    Reverse(Box<IterSpec>),
    /// `values[indices[i]]`. A position outside of the arrays in `values` fails the run.
    Permutation {
        /// What is read or written.
        values: Box<IterSpec>,
        /// Integers. They are read, also by an output.
        indices: Box<IterSpec>,
    },
    /// Takes what is written and keeps nothing; zero if read.
    Discard(Type),
    /// A permutation of `0 .. n` as `i64`; `n` and the seed are known at the call.
    Shuffle,
}

/// How much of a result may depend on scheduling.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Determinism {
    /// Anything that is right.
    NotGuaranteed,
    /// The same on the same machine. On the CPU: the same for every number of threads.
    #[default]
    RunToRun,
    /// The same on every device of a kind.
    GpuToGpu,
}

/// A reduction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ReduceSpec {
    /// Items.
    pub input: IterSpec,
    /// Where the result goes (its item 0).
    pub output: IterSpec,
    /// Associative; need not be commutative.
    pub op: Operator,
    /// Type of the initial value, if there is one. It is then the type of the accumulator.
    pub init: Option<Type>,
    /// What is promised.
    pub determinism: Determinism,
}

/// Does item `i` of a scan contain input `i`?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScanKind {
    /// Yes.
    Inclusive,
    /// No; an initial value is needed.
    Exclusive,
}

/// A scan (prefix reduction).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ScanSpec {
    /// Inclusive or exclusive.
    pub kind: ScanKind,
    /// Items.
    pub input: IterSpec,
    /// Where the prefixes go. May be the input array itself.
    pub output: IterSpec,
    /// Associative; need not be commutative.
    pub op: Operator,
    /// Type of the initial value, if there is one. It is then the type of the accumulator.
    pub init: Option<Type>,
}

/// A transform of one or two inputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TransformSpec {
    /// One or two inputs.
    pub inputs: Vec<IterSpec>,
    /// Where the results go. May be an input array itself.
    pub output: IterSpec,
    /// `(in…) -> out`
    pub op: Operator,
}
