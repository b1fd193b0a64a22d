//! The passes of a radix sort, lowest digit first.
//!
//! The items are cut into parts. For each digit, every part counts its items by digit; the sums say where
//! each part puts its items of each digit, and every part moves its items there in order, which makes a pass
//! stable. Items go through a small buffer for each digit, so that memory is written a line at a time. Digits
//! that are the same in all keys cost no pass.

use freeloom_runtime::Interrupt;

use super::image::{Digit, Image, Key};
use super::memory::{Cells, Plain, Scratch, order_streams};
use crate::error::RunError;
use crate::plan::run_blocks;

/// Values of a digit.
const RADIX: usize = 256;
/// Least items of a part: many times the cost of its counts.
const PART: usize = 32 * 1024;
/// Bytes from which items are written past the caches, which could not keep them until the next pass.
const STREAM: usize = 8 << 20;
/// Most parts.
const MAX_PARTS: usize = 256;
/// Below, comparing is faster than counting.
const SMALL: usize = 256;

/// What decides the order.
pub(super) struct Order<K> {
    pub(super) image: Image<K>,
    pub(super) digits: Vec<Digit>,
    /// The bits of all digits.
    pub(super) mask: K,
}

/// Where items come from and go to. `from` stays as it is, unless it is `to`.
#[derive(Clone, Copy)]
pub(super) struct Buffers<'a, T> {
    pub(super) from: Cells<'a, T>,
    pub(super) to: Cells<'a, T>,
    pub(super) spare: Cells<'a, T>,
}

impl<'a, T: Plain> Buffers<'a, T> {
    pub(super) fn sub(&self, lo: usize, hi: usize) -> Buffers<'a, T> {
        Buffers { from: self.from.sub(lo, hi), to: self.to.sub(lo, hi), spare: self.spare.sub(lo, hi) }
    }

    fn is_in_place(&self) -> bool {
        self.from.address() == self.to.address()
    }
}

/// Items cut into parts.
#[derive(Clone, Copy)]
struct Parts {
    n: usize,
    count: usize,
    size: usize,
}

impl Parts {
    fn new(n: usize) -> Parts {
        let size = n.div_ceil((n / PART).clamp(1, MAX_PARTS)).max(1);
        Parts { n, count: n.div_ceil(size), size }
    }

    fn range(&self, part: usize) -> (usize, usize) {
        (part * self.size, ((part + 1) * self.size).min(self.n))
    }
}

/// Who works: every thread part by part, or the calling one.
type Runner<'a> = &'a dyn Fn(usize, &(dyn Fn(usize) + Sync)) -> Result<(), RunError>;

/// Sorts `n` items on all threads.
pub(super) fn sort<K: Key, V: Plain>(
    order: &Order<K>,
    keys: &Buffers<'_, K>,
    values: &Buffers<'_, V>,
    n: usize,
    interrupt: &dyn Interrupt,
) -> Result<(), RunError> {
    if n <= SMALL {
        return run_blocks(1, interrupt, &|_| small(order, keys, values, n, &mut Vec::new()));
    }
    by_digits(order, keys, values, Parts::new(n), &|parts, body| run_blocks(parts, interrupt, body))
}

/// Sorts `n` items on the calling thread.
pub(super) fn sequential<K: Key, V: Plain>(
    order: &Order<K>,
    keys: &Buffers<'_, K>,
    values: &Buffers<'_, V>,
    n: usize,
) {
    let runner = |parts, body: &(dyn Fn(usize) + Sync)| {
        (0..parts).for_each(body);
        Ok(())
    };
    // The runner never fails.
    let _ = by_digits(order, keys, values, Parts { n, count: 1, size: n }, &runner);
}

fn by_digits<'a, K: Key, V: Plain>(
    order: &Order<K>,
    keys: &Buffers<'a, K>,
    values: &Buffers<'a, V>,
    parts: Parts,
    run: Runner<'_>,
) -> Result<(), RunError> {
    let width = order.digits.len() * RADIX;
    let mut room = Scratch::<u32>::new(parts.count * width);
    let counts = room.cells();
    run(parts.count, &|part| {
        counts.write(part * width, &count(order, &order.digits, &keys.from, parts.range(part)));
    })?;
    let passes = passes(&counts, parts, order.digits.len());
    let mut keys_at = start(keys, passes.len(), parts, run)?;
    let mut values_at = start(values, passes.len(), parts, run)?;
    for (i, pass) in passes.iter().enumerate() {
        let is_even = (passes.len() - i).is_multiple_of(2);
        let (keys_to, values_to) = if is_even { (keys.spare, values.spare) } else { (keys.to, values.to) };
        let digit = order.digits[*pass];
        let table: Vec<u32> = if i == 0 {
            let row = |part| counts.items(part * width + pass * RADIX, part * width + (pass + 1) * RADIX);
            (0..parts.count).flat_map(row).collect()
        } else {
            recount(order, digit, &keys_at, parts, run)?
        };
        let starts = starts(&table, parts.count);
        let streams = parts.n * (size_of::<K>() + size_of::<V>()) >= STREAM;
        let scatter = Scatter { order, digit, keys: keys_at, values: values_at, keys_to, values_to, streams };
        run(parts.count, &|part| scatter.part(parts.range(part), &starts[part * RADIX..][..RADIX]))?;
        (keys_at, values_at) = (keys_to, values_to);
    }
    Ok(())
}

/// Sorts few items on the calling thread. `room` is reused.
pub(super) fn small<K: Key, V: Plain>(
    order: &Order<K>,
    keys: &Buffers<'_, K>,
    values: &Buffers<'_, V>,
    n: usize,
    room: &mut Vec<(K, K, V)>,
) {
    room.clear();
    let items = keys.from.items(0, n).zip(values.from.items(0, n));
    room.extend(items.map(|(key, value)| (key.image(&order.image).and(order.mask), key, value)));
    room.sort_by_key(|item| item.0);
    for (i, (_, key, value)) in room.iter().enumerate() {
        keys.to.set(i, *key);
        values.to.set(i, *value);
    }
}

/// Counts the items of a part by each of the digits.
fn count<K: Key>(order: &Order<K>, digits: &[Digit], keys: &Cells<'_, K>, range: (usize, usize)) -> Vec<u32> {
    let mut counts = Vec::with_capacity(digits.len() * RADIX);
    // Four digits at a time: that many tables fit into the nearest cache.
    let (fours, rest) = digits.as_chunks::<4>();
    fours.iter().for_each(|four| counts.extend(count_each(order, *four, keys, range).as_flattened()));
    let (twos, rest) = rest.as_chunks::<2>();
    twos.iter().for_each(|two| counts.extend(count_each(order, *two, keys, range).as_flattened()));
    rest.iter().for_each(|one| counts.extend(count_each(order, [*one], keys, range).as_flattened()));
    counts
}

fn count_each<K: Key, const N: usize>(
    order: &Order<K>,
    digits: [Digit; N],
    keys: &Cells<'_, K>,
    (lo, hi): (usize, usize),
) -> [[u32; RADIX]; N] {
    let mut counts = [[0u32; RADIX]; N];
    for key in keys.items(lo, hi) {
        let image = key.image(&order.image);
        for (row, digit) in counts.iter_mut().zip(digits) {
            row[image.digit(digit) % RADIX] += 1;
        }
    }
    counts
}

/// One row of counts for each part.
fn recount<K: Key>(
    order: &Order<K>,
    digit: Digit,
    keys: &Cells<'_, K>,
    parts: Parts,
    run: Runner<'_>,
) -> Result<Vec<u32>, RunError> {
    let mut room = Scratch::<u32>::new(parts.count * RADIX);
    let table = room.cells();
    run(parts.count, &|part| {
        table.write(part * RADIX, &count(order, &[digit], keys, parts.range(part)));
    })?;
    Ok(table.items(0, parts.count * RADIX).collect())
}

/// The digits in which keys differ.
fn passes(counts: &Cells<'_, u32>, parts: Parts, digits: usize) -> Vec<usize> {
    let width = digits * RADIX;
    let is_trivial = |digit: usize| {
        let total = |value: usize| -> usize {
            (0..parts.count).map(|part| counts.get(part * width + digit * RADIX + value) as usize).sum()
        };
        (0..RADIX).map(total).find(|total| *total > 0) == Some(parts.n)
    };
    (0..digits).filter(|digit| !is_trivial(*digit)).collect()
}

/// Where the first pass reads. Items that the last pass would overwrite are moved aside first.
fn start<'a, T: Plain>(
    buffers: &Buffers<'a, T>,
    passes: usize,
    parts: Parts,
    run: Runner<'_>,
) -> Result<Cells<'a, T>, RunError> {
    let copy = match (passes, buffers.is_in_place()) {
        (0, false) => Some(buffers.to),
        (p, true) if p % 2 == 1 => Some(buffers.spare),
        _ => None,
    };
    let Some(copy) = copy else { return Ok(buffers.from) };
    run(parts.count, &|part| {
        let (lo, hi) = parts.range(part);
        buffers.from.copy_to(&copy, lo, hi);
    })?;
    Ok(copy)
}

/// The place of each part's first item of each digit.
fn starts(table: &[u32], parts: usize) -> Vec<usize> {
    let mut starts = vec![0; table.len()];
    let mut at = 0;
    for value in 0..RADIX {
        for part in 0..parts {
            starts[part * RADIX + value] = at;
            at += table[part * RADIX + value] as usize;
        }
    }
    starts
}

/// Moves items to their places.
struct Scatter<'a, 'b, K, V> {
    order: &'a Order<K>,
    digit: Digit,
    keys: Cells<'b, K>,
    values: Cells<'b, V>,
    keys_to: Cells<'b, K>,
    values_to: Cells<'b, V>,
    streams: bool,
}

impl<K: Key, V: Plain> Scatter<'_, '_, K, V> {
    fn part(&self, range: (usize, usize), starts: &[usize]) {
        // A line is 64 bytes of the larger of keys and values.
        if size_of::<K>().max(size_of::<V>()) > 4 {
            self.lines::<8>(range, starts);
        } else {
            self.lines::<16>(range, starts);
        }
    }

    fn lines<const LINE: usize>(&self, (lo, hi): (usize, usize), starts: &[usize]) {
        let mut key_lines = [[K::default(); LINE]; RADIX];
        let mut value_lines = [[V::default(); LINE]; RADIX];
        let mut places = [0usize; RADIX];
        places.copy_from_slice(starts);
        // Lines of the buffers are lines of memory.
        let skew = self.keys_to.skew() % LINE;
        for (key, value) in self.keys.items(lo, hi).zip(self.values.items(lo, hi)) {
            let digit = key.image(&self.order.image).digit(self.digit) % RADIX;
            let place = places[digit];
            places[digit] = place + 1;
            let slot = (place + skew) % LINE;
            key_lines[digit][slot] = key;
            value_lines[digit][slot] = value;
            if slot == LINE - 1 {
                let (keys, values) = (&key_lines[digit], &value_lines[digit]);
                // The items before the first of this part belong to another one.
                if place + 1 < starts[digit] + LINE {
                    self.flush((starts[digit], place + 1), skew, keys, values);
                } else if self.streams {
                    self.keys_to.stream(place + 1 - LINE, keys);
                    self.values_to.stream(place + 1 - LINE, values);
                } else {
                    self.keys_to.write(place + 1 - LINE, keys);
                    self.values_to.write(place + 1 - LINE, values);
                }
            }
        }
        for (digit, place) in places.iter().enumerate() {
            let first = place.saturating_sub((place + skew) % LINE).max(starts[digit]);
            self.flush((first, *place), skew, &key_lines[digit], &value_lines[digit]);
        }
        order_streams();
    }

    /// Writes what there is of a line.
    fn flush<const LINE: usize>(
        &self,
        (first, end): (usize, usize),
        skew: usize,
        keys: &[K; LINE],
        values: &[V; LINE],
    ) {
        let slots = (first + skew) % LINE..(first + skew) % LINE + (end - first);
        self.keys_to.write(first, &keys[slots.clone()]);
        self.values_to.write(first, &values[slots]);
    }
}
