//! The buffers of blocks: one per thread, kept from block to block and from run to run, so that it stays in
//! the cache and is not asked for again.

use std::cell::Cell;

/// Buffers begin at a cache line, or vectors that are stored would touch two.
const LINE: usize = 64;

thread_local! {
    static BUFFER: Cell<Vec<u64>> = const { Cell::new(Vec::new()) };
}

/// Calls `f` with `words` words of any content.
pub(super) fn with<R>(words: usize, f: impl FnOnce(&mut [u64]) -> R) -> R {
    let mut buffer = BUFFER.take();
    if buffer.len() < words + LINE / 8 {
        buffer = vec![0; words + LINE / 8];
    }
    let start = buffer.as_ptr().align_offset(LINE).min(LINE / 8);
    let result = f(&mut buffer[start..start + words]);
    BUFFER.set(buffer);
    result
}
