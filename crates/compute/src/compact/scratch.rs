//! The buffers of blocks: one per thread, kept from block to block and from run to run, so that it stays in
//! the cache and is not asked for again.

use std::cell::Cell;

thread_local! {
    static BUFFER: Cell<Vec<u64>> = const { Cell::new(Vec::new()) };
}

/// Calls `f` with `words` words of any content.
pub(super) fn with<R>(words: usize, f: impl FnOnce(&mut [u64]) -> R) -> R {
    let mut buffer = BUFFER.take();
    if buffer.len() < words {
        buffer = vec![0; words];
    }
    let result = f(&mut buffer[..words]);
    BUFFER.set(buffer);
    result
}
