//! Sorting segments: long ones by all threads, one after another; the others in batches of about equal
//! numbers of items, each batch by one thread.

use freeloom_runtime::Interrupt;

use super::image::Key;
use super::memory::Plain;
use super::radix::{self, Buffers, Order};
use crate::error::RunError;
use crate::plan::run_blocks;

/// Items from which all threads sort a segment.
const LONG: usize = 1 << 19;
/// Items of a batch, and most segments of it.
const BATCH: usize = 32 * 1024;
/// Below, comparing is faster than counting digits.
const SMALL: usize = 384;

/// Sorts each of the segments, which are in order and apart from each other. Other items are copied.
pub(super) fn sort<K: Key, V: Plain>(
    order: &Order<K>,
    keys: &Buffers<'_, K>,
    values: &Buffers<'_, V>,
    n: usize,
    segments: &[(usize, usize)],
    interrupt: &dyn Interrupt,
) -> Result<(), RunError> {
    copy_gaps(keys, values, n, segments, interrupt)?;
    let long = |segment: &&(usize, usize)| segment.1 - segment.0 >= LONG;
    for (lo, hi) in segments.iter().filter(long) {
        radix::sort(order, &keys.sub(*lo, *hi), &values.sub(*lo, *hi), hi - lo, interrupt)?;
    }
    let batches = batches(segments);
    run_blocks(batches.len(), interrupt, &|batch| {
        let mut room = Vec::new();
        for (lo, hi) in batches[batch].iter().filter(|segment| !long(segment)) {
            let (keys, values) = (keys.sub(*lo, *hi), values.sub(*lo, *hi));
            if hi - lo <= SMALL {
                radix::small(order, &keys, &values, hi - lo, &mut room);
            } else {
                radix::sequential(order, &keys, &values, hi - lo);
            }
        }
    })
}

/// The segments `starts[i] .. ends[i]` in order, without empty ones; or what is wrong with them.
pub fn segments(starts: &[i64], ends: &[i64], n: u64) -> Result<Vec<(usize, usize)>, String> {
    let mut list = Vec::with_capacity(starts.len());
    for (i, (lo, hi)) in starts.iter().zip(ends).enumerate() {
        if *lo < 0 || lo > hi || *hi as u64 > n {
            return Err(format!("segment {i} is {lo} to {hi}, not inside of the {n} items"));
        }
        if lo < hi {
            list.push((*lo as usize, *hi as usize));
        }
    }
    if !list.is_sorted() {
        list.sort_unstable();
    }
    match list.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        Some(pair) => {
            let [(a, b), (c, d)] = [pair[0], pair[1]];
            Err(format!("segments {a} to {b} and {c} to {d} have items in common"))
        }
        None => Ok(list),
    }
}

/// Cuts the list into pieces of about [`BATCH`] items.
fn batches(segments: &[(usize, usize)]) -> Vec<&[(usize, usize)]> {
    let (mut batches, mut first, mut items) = (Vec::new(), 0, 0);
    for (i, (lo, hi)) in segments.iter().enumerate() {
        items += (hi - lo).min(BATCH) + 1;
        if items >= BATCH {
            batches.push(&segments[first..=i]);
            (first, items) = (i + 1, 0);
        }
    }
    if first < segments.len() {
        batches.push(&segments[first..]);
    }
    batches
}

/// Copies the items between segments, in pieces.
fn copy_gaps<K: Key, V: Plain>(
    keys: &Buffers<'_, K>,
    values: &Buffers<'_, V>,
    n: usize,
    segments: &[(usize, usize)],
    interrupt: &dyn Interrupt,
) -> Result<(), RunError> {
    let starts = segments.iter().map(|s| s.0).chain([n]);
    let ends = [0].into_iter().chain(segments.iter().map(|s| s.1));
    let gaps = ends.zip(starts).filter(|(lo, hi)| lo < hi);
    let pieces: Vec<(usize, usize)> =
        gaps.flat_map(|(lo, hi)| (lo..hi).step_by(BATCH).map(move |at| (at, (at + BATCH).min(hi)))).collect();
    let chunks: Vec<_> = pieces.chunks(64).collect();
    run_blocks(chunks.len(), interrupt, &|chunk| {
        for (lo, hi) in chunks[chunk] {
            keys.from.copy_to(&keys.to, *lo, *hi);
            values.from.copy_to(&values.to, *lo, *hi);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_checked_and_put_in_order() {
        assert_eq!(segments(&[5, 0, 3], &[9, 3, 3], 9), Ok(vec![(0, 3), (5, 9)]));
        assert!(segments(&[0, 2], &[3, 4], 9).is_err());
        assert!(segments(&[-1], &[3], 9).is_err());
        assert!(segments(&[3], &[2], 9).is_err());
        assert!(segments(&[0], &[10], 9).is_err());
    }

    #[test]
    fn batches_hold_every_segment_once() {
        let segments: Vec<_> = (0..10_000usize).map(|i| (i * 100, i * 100 + i % 100)).collect();
        let batches = batches(&segments);
        assert_eq!(batches.concat(), segments);
        assert!(batches.len() > 5);
    }
}
