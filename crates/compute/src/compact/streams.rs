//! Input arrays that are read from front to back, to be asked for ahead of time.

use smallvec::SmallVec;

use super::pack::prefetch;
use crate::binding::IterBinding;

/// Those of a run.
pub(super) type Streams = SmallVec<[Stream; 2]>;

/// An array of items that lie close together.
#[derive(Clone, Copy)]
pub(super) struct Stream {
    /// Address of the item at position 0.
    first: usize,
    /// Bytes from item to item.
    step: u64,
}

/// Most bytes from item to item.
const MAX_STEP: i64 = 16;

/// The streams below some iterators.
pub(super) fn find(inputs: &[IterBinding]) -> Streams {
    let mut streams = Streams::new();
    inputs.iter().for_each(|input| collect(input, &mut streams));
    streams
}

fn collect(input: &IterBinding, streams: &mut Streams) {
    match input {
        IterBinding::Array { array, offset } => {
            if let ([_], [step @ 1..=MAX_STEP]) = (&array.shape[..], &array.strides[..]) {
                let first = array.ptr.wrapping_add_signed(offset.wrapping_mul(*step) as isize);
                streams.push(Stream { first, step: step.unsigned_abs() });
            }
        }
        IterBinding::Transform { child, .. } => collect(child, streams),
        IterBinding::Zip(children) => children.iter().for_each(|child| collect(child, streams)),
        _ => {}
    }
}

impl Stream {
    /// Asks for `count` items from position `begin` on.
    pub(super) fn prefetch(&self, begin: u64, count: u64) {
        let ahead = begin.wrapping_mul(self.step) as usize;
        prefetch(self.first.wrapping_add(ahead), (count * self.step) as usize);
    }
}
