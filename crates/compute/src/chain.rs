//! The chain of prefixes through the blocks of an algorithm: sums of a scan, output positions of a compaction.
//!
//! # Protocol
//!
//! Every block `b` has a link: a flag and room for one accumulator. Blocks are started in increasing order;
//! each is run by one worker.
//!
//! 1. The worker of block `b` folds its block (or counts what it keeps). It needs nobody for that.
//! 2. It waits until the flag of link `b - 1` is set (acquire) and copies the accumulator: the prefix before
//!    its block. For block 0 the prefix is the initial value, or there is none.
//! 3. It combines the prefix with its sum, copies the result to link `b`, and sets the flag (release).
//! 4. It scans its block (or copies it out) with the prefix from 2, while the next block goes on from 3.
//!
//! Only the worker of block `b` writes link `b`, once, before its flag is set; link `b` is read after the
//! flag was seen set. The words are atomics, accessed relaxed: release and acquire of the flag order them.
//!
//! *Progress.* When a worker waits for link `b - 1`, that block has been started, and by induction the lowest
//! unfinished block never waits. A run that is cancelled may leave blocks out, so that a flag is never set:
//! whoever waits looks at the run's cancellation as well and gives up. A block that failed cancels the run.
//!
//! *Waiting.* Links are set before blocks are written, so the wait is short unless the machine is busy. After
//! some rounds the waiting thread gives the processor away.

use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a cache line: links do not share lines, or each publication would disturb the neighbours.
const LINE: usize = 8;
/// Rounds of waiting before the processor is given away.
const SPINS: usize = 256;

/// One link per block.
pub(crate) struct Chain {
    links: Box<[AtomicU64]>,
    /// Words of one link: flag, accumulator, padding.
    stride: usize,
}

impl Chain {
    /// Unset links for accumulators of `words` words.
    pub(crate) fn new(blocks: usize, words: usize) -> Chain {
        let stride = (1 + words).next_multiple_of(LINE);
        let links = std::iter::repeat_with(AtomicU64::default).take(blocks * stride).collect();
        Chain { links, stride }
    }

    /// Bytes that [`Chain::new`] takes.
    pub(crate) fn bytes(blocks: u64, words: usize) -> u64 {
        blocks * (1 + words).next_multiple_of(LINE) as u64 * 8
    }

    /// Sets the link of `block`.
    pub(crate) fn publish(&self, block: usize, value: &[u64]) {
        let link = &self.links[block * self.stride..][..self.stride];
        for (word, v) in link[1..].iter().zip(value) {
            word.store(*v, Ordering::Relaxed);
        }
        link[0].store(1, Ordering::Release);
    }

    /// Waits for the link of `block` and copies it. `false`: the run was cancelled.
    pub(crate) fn wait(&self, block: usize, value: &mut [u64], cancelled: impl Fn() -> bool) -> bool {
        let link = &self.links[block * self.stride..][..self.stride];
        let mut round = 0usize;
        while link[0].load(Ordering::Acquire) == 0 {
            round += 1;
            if round < SPINS {
                std::hint::spin_loop();
            } else if cancelled() {
                return false;
            } else {
                std::thread::yield_now();
            }
        }
        for (word, v) in link[1..].iter().zip(value) {
            *v = word.load(Ordering::Relaxed);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn prefixes_travel_through_all_blocks() {
        let (chain, next) = (Chain::new(2000, 3), AtomicU64::new(0));
        let work = || {
            loop {
                let block = next.fetch_add(1, Ordering::Relaxed) as usize;
                if block >= 2000 {
                    return;
                }
                let mut value = [0; 3];
                assert!(block == 0 || chain.wait(block - 1, &mut value, || false));
                chain.publish(block, &[value[0] + 1, value[1] + block as u64, !0]);
            }
        };
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(work);
            }
        });
        let mut last = [0; 3];
        assert!(chain.wait(1999, &mut last, || false));
        assert_eq!(last, [2000, 1999 * 2000 / 2, !0]);
    }

    #[test]
    fn a_cancelled_wait_ends() {
        let (chain, cancelled) = (Chain::new(2, 1), AtomicBool::new(false));
        std::thread::scope(|s| {
            let wait = s.spawn(|| chain.wait(0, &mut [0], || cancelled.load(Ordering::Relaxed)));
            cancelled.store(true, Ordering::Relaxed);
            assert!(!wait.join().unwrap());
        });
    }
}
