//! What is known at the call only.

use smallvec::SmallVec;

/// How the items of an array lie. It decides code, but is known at the call only: code for layouts other than
/// contiguous is made when they are first met.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Layout {
    /// One after another.
    Contiguous,
    /// A fixed number of bytes apart.
    Strided,
    /// That many dimensions, in C order.
    Ranked(u8),
}

/// The layouts of a plan's arrays, in the order of its slots.
pub(crate) type Variant = SmallVec<[Layout; 8]>;

/// Arguments of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Args {
    /// Values, addresses, lengths, strides.
    pub(crate) slots: SmallVec<[u64; 24]>,
    /// Layouts of the arrays met so far.
    pub(crate) variant: Variant,
    /// Set while the state of an iterator is packed of which only item 0 is used.
    pub(crate) first_item_only: bool,
}

impl Args {
    /// Appends an address or an unsigned number.
    pub(crate) fn push(&mut self, slot: u64) {
        self.slots.push(slot);
    }

    /// Appends a signed number.
    pub(crate) fn push_signed(&mut self, slot: i64) {
        self.slots.push(slot as u64);
    }

    /// Are all arrays contiguous?
    pub(crate) fn is_contiguous(&self) -> bool {
        self.variant.iter().all(|l| *l == Layout::Contiguous)
    }
}
