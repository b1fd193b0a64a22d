//! How a range of items is cut into blocks.
//!
//! Blocks depend on the number of items and on the types, never on the number of threads: results are the
//! same on every machine size.

use crate::iter::Iter;
use crate::op::Op;

/// Memory traffic of a block of a cheap operator: a fraction of a private cache, and many times the cost of
/// handing out a block.
const BLOCK_BYTES: u64 = 128 * 1024;
/// Items of a block whose operator contains loops: their cost is not known, and interrupts are looked for
/// between blocks.
const COSTLY_BLOCK: u64 = 512;
/// Most items of a block, for iterators that touch no memory.
const MAX_BLOCK: u64 = 32 * 1024;

/// Block sizes of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grain {
    /// Items of a block; a power of two.
    pub(crate) block: u64,
}

/// A range cut into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Items of each block but the last.
    pub(crate) block: u64,
    /// Number of blocks.
    pub(crate) count: usize,
}

impl Grain {
    /// For an algorithm that applies these operators to items of these iterators.
    pub(crate) fn new(ops: &[&Op], iters: &[&Iter]) -> Grain {
        let mut polls = ops.iter().any(|op| op.polls());
        iters.iter().for_each(|iter| iter.for_each_op(&mut |op| polls |= op.polls()));
        let traffic: u64 = iters.iter().map(|i| i.traffic()).sum();
        let cheap = (BLOCK_BYTES / traffic.max(1)).clamp(64, MAX_BLOCK);
        let block = if polls { cheap.min(COSTLY_BLOCK) } else { cheap };
        Grain { block: 1 << block.ilog2() }
    }

    /// Cuts `n` items into at most `most` blocks.
    pub(crate) fn cut(&self, n: u64, most: u64) -> Cut {
        let block = self.block.max(n.div_ceil(most).next_multiple_of(self.block));
        Cut { block, count: n.div_ceil(block) as usize }
    }
}

impl Cut {
    /// Block `index` of `n` items.
    pub(crate) fn range(&self, index: usize, n: u64) -> (u64, u64) {
        let lo = index as u64 * self.block;
        (lo, (lo + self.block).min(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_the_range() {
        let grain = Grain { block: 256 };
        for n in [1u64, 255, 256, 257, 10_000, 1 << 40] {
            let cut = grain.cut(n, 2048);
            assert!(cut.count <= 2048);
            assert_eq!(cut.block % 256, 0);
            assert_eq!(cut.range(0, n).0, 0);
            assert_eq!(cut.range(cut.count - 1, n).1, n);
        }
        assert_eq!(grain.cut(0, 2048).count, 0);
    }
}
