//! What an algorithm is given at the call.

use smallvec::SmallVec;

/// Lengths or steps, one per dimension; no allocation up to four.
pub type Dims = SmallVec<[i64; 4]>;

/// Memory of an array. The caller keeps it alive during the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayBinding {
    /// Address of element 0, of any alignment.
    pub ptr: usize,
    /// Lengths, outermost first; empty for a single element.
    pub shape: Dims,
    /// Steps in bytes, one per dimension.
    pub strides: Dims,
}

/// Values of the arrays an operator captured, in the order of `Compiled::arrays` (by slot, used or not:
/// index is the slot).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OpBinding {
    /// By slot.
    pub arrays: Vec<ArrayBinding>,
}

/// Run-time state of an iterator; a tree shaped like its [`IterSpec`](crate::IterSpec).
///
/// Where an algorithm asks for the items below `n`, the items of an array are `offset .. offset + n`; below a
/// [`Reverse`](IterBinding::Reverse), `offset + 1 - n ..= offset`; in the values of a
/// [`Permutation`](IterBinding::Permutation) all of them, and none is used where another is written. The
/// indices of a permutation are read, also where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IterBinding {
    /// An array, entered `offset` items after its first.
    Array {
        /// The memory.
        array: ArrayBinding,
        /// Items to skip (an advanced iterator).
        offset: i64,
    },
    /// The start value, as the bytes of its type, low bytes first.
    Counting(u64),
    /// The value, as it lies in memory.
    Constant(Vec<u8>),
    /// A transform.
    Transform {
        /// State of the child.
        child: Box<IterBinding>,
        /// State of the operator.
        op: OpBinding,
    },
    /// A zip.
    Zip(Vec<IterBinding>),
    /// A reversed iterator: state of the child, whose arrays are entered at the last item that is used.
    Reverse(Box<IterBinding>),
    /// A permutation.
    Permutation {
        /// State of the values.
        values: Box<IterBinding>,
        /// State of the indices.
        indices: Box<IterBinding>,
    },
    /// Nothing.
    Discard,
    /// A shuffle of `0 .. len`.
    Shuffle {
        /// Number of items.
        len: u64,
        /// Which permutation.
        seed: u64,
        /// Items to skip.
        offset: i64,
    },
}
