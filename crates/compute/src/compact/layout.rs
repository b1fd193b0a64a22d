//! The scratch memory of a block.
//!
//! A header of [`HEADER`] words; for packing with vectors the decisions on a chunk of items and the items
//! themselves; and for each part a buffer with room for a block. Items lie in planes, one for each scalar.

use super::pack::{CHUNK, Column, SLACK};
use crate::iter::Iter;
use crate::kernel::leaves::Planes;

/// Words before the buffers: a cache line.
pub(super) const HEADER: u64 = 8;

/// Where things lie, in bytes.
pub(super) struct Layout {
    /// Decisions, one byte per item of a chunk.
    pub(super) decisions: u64,
    /// Items of a chunk, for each input.
    pub(super) staged: Vec<(Planes, u64)>,
    /// The first part's buffer, for each input.
    buffers: Vec<(Planes, u64)>,
    /// Bytes of a part's buffer.
    part: u64,
    /// End of all.
    end: u64,
}

impl Layout {
    pub(super) fn new(inputs: &[Iter], parts: usize, block: u64) -> Layout {
        let decisions = 8 * HEADER;
        let lanes = |len: u64, mut at: u64| {
            let lane = |input: &Iter| {
                let planes = Planes::new(input.item(), len);
                let start = at;
                at = (at + planes.bytes()).next_multiple_of(64);
                (planes, start)
            };
            let lanes: Vec<_> = inputs.iter().map(lane).collect();
            (lanes, at)
        };
        let (staged, begin) = lanes(CHUNK as u64, decisions + CHUNK as u64);
        let (buffers, end) = lanes(block + SLACK as u64, begin);
        let part = end - begin;
        Layout { decisions, staged, buffers, part, end: begin + parts as u64 * part }
    }

    /// The buffer for one input's items in one part.
    pub(super) fn buffer(&self, part: usize, lane: usize) -> (&Planes, u64) {
        let (planes, start) = &self.buffers[lane];
        (planes, start + part as u64 * self.part)
    }

    /// Words of all.
    pub(super) fn words(&self) -> usize {
        self.end.div_ceil(8) as usize
    }

    /// What is to be packed for a part; `None`: items do not lie in planes.
    pub(super) fn columns(&self, part: usize) -> Option<Vec<Column>> {
        let mut columns = Vec::new();
        for (lane, (staged, from)) in self.staged.iter().enumerate() {
            let (buffer, to) = self.buffer(part, lane);
            for ((size, source), (_, target)) in staged.columns()?.into_iter().zip(buffer.columns()?) {
                let (from, to) = ((from + source) as usize, (to + target) as usize);
                columns.push(Column { size: size as usize, from, to });
            }
        }
        Some(columns)
    }
}
