//! Long segments, cut into pieces.

use std::sync::atomic::{AtomicU64, Ordering};

use freeloom_runtime::Interrupt;
use smallvec::smallvec;

use super::{SegmentedReducePlan, Span};
use crate::error::RunError;
use crate::kernel::Bound;
use crate::plan::run_blocks;
use crate::reduce::{Partial, partial_words};

/// Most pieces of one segment: their results are folded by one thread.
const MAX_PIECES: u64 = 2048;
/// Pieces after which segments wait for the next round: their results are kept.
const ROUND: usize = 64 * 1024;

/// Some items of a segment.
struct Piece {
    lo: u64,
    hi: u64,
}

/// A segment of a round: its pieces are `first .. first + count`.
struct Whole {
    segment: u64,
    first: usize,
    count: usize,
}

impl SegmentedReducePlan {
    /// Reduces segments piece by piece.
    pub(super) fn reduce_long(
        &self,
        spans: &[Span],
        kernels: [Bound<'_>; 4],
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        let (mut pieces, mut wholes) = (Vec::new(), Vec::new());
        for (i, span) in spans.iter().enumerate() {
            let cut = self.grain.cut(span.items(), MAX_PIECES);
            wholes.push(Whole { segment: span.index, first: pieces.len(), count: cut.count });
            pieces.extend((0..cut.count).map(|k| {
                let (lo, hi) = cut.range(k, span.items());
                Piece { lo: span.start as u64 + lo, hi: span.start as u64 + hi }
            }));
            if pieces.len() >= ROUND || i + 1 == spans.len() {
                self.round(&pieces, &wholes, kernels, interrupt)?;
                pieces.clear();
                wholes.clear();
            }
        }
        Ok(())
    }

    fn round(
        &self,
        pieces: &[Piece],
        wholes: &[Whole],
        [_, _, fold, finish]: [Bound<'_>; 4],
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        let words = partial_words(&self.acc);
        let partials: Vec<AtomicU64> =
            std::iter::repeat_with(AtomicU64::default).take(pieces.len() * words).collect();
        run_blocks(pieces.len(), interrupt, &|p| {
            let mut partial: Partial = smallvec![0; words];
            fold.call(pieces[p].lo, pieces[p].hi, &mut partial);
            for (to, from) in partials[p * words..].iter().zip(&partial) {
                to.store(*from, Ordering::Relaxed);
            }
        })?;
        run_blocks(wholes.len(), interrupt, &|w| {
            let Whole { segment, first, count } = wholes[w];
            let range = first * words..(first + count) * words;
            let mut words: Vec<u64> = partials[range].iter().map(|w| w.load(Ordering::Relaxed)).collect();
            finish.call(segment, segment + count as u64, &mut words);
        })
    }
}
