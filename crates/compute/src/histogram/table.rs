//! Tables of counts, one for each thread that counts at the same time.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tables of so few bins are kept in several copies: a count need not wait for that of the sample before it,
/// which may be in the same bin.
const FEW_BINS: usize = 4096;
const COPIES: usize = 4;

/// The tables of a run.
pub(super) struct Tables {
    bins: usize,
    idle: Mutex<Vec<Table>>,
}

/// A table, or copies of one that are to be added. The bin after the last takes the samples outside.
pub(super) struct Table {
    copies: Vec<Vec<u64>>,
}

impl Tables {
    pub(super) fn new(bins: u32) -> Tables {
        Tables { bins: bins as usize, idle: Mutex::default() }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Table>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `f` with a table that no other thread uses meanwhile.
    pub(super) fn with_one(&self, f: impl FnOnce(&mut Table)) {
        let found = self.idle().pop();
        let mut table = found.unwrap_or_else(|| Table::new(self.bins));
        f(&mut table);
        self.idle().push(table);
    }

    /// The sums of all tables, without the samples outside.
    pub(super) fn sum(self) -> Vec<u64> {
        let mut sums = vec![0; self.bins];
        for copy in self.idle().iter().flat_map(|table| &table.copies) {
            sums.iter_mut().zip(copy).for_each(|(sum, count)| *sum += count);
        }
        sums
    }
}

impl Table {
    fn new(bins: usize) -> Table {
        let copies = if bins <= FEW_BINS { COPIES } else { 1 };
        Table { copies: vec![vec![0; bins + 1]; copies] }
    }

    /// Counts `n` samples, two bins in each word.
    pub(super) fn count(&mut self, found: &[u64], n: usize) {
        let (pairs, odd) = (&found[..n / 2], n % 2 == 1);
        match self.copies.as_mut_slice() {
            [a, b, c, d] => {
                let [a, b, c, d] = [a, b, c, d].map(Vec::as_mut_slice);
                let quads = pairs.chunks_exact(2);
                let rest = quads.remainder();
                for quad in quads {
                    a[low(quad[0])] += 1;
                    b[high(quad[0])] += 1;
                    c[low(quad[1])] += 1;
                    d[high(quad[1])] += 1;
                }
                count_pairs(a, rest);
            }
            tables => tables.iter_mut().for_each(|table| count_pairs(table, pairs)),
        }
        if odd && let Some(table) = self.copies.first_mut() {
            table[low(found[n / 2])] += 1;
        }
    }
}

fn count_pairs(table: &mut [u64], pairs: &[u64]) {
    for pair in pairs {
        table[low(*pair)] += 1;
        table[high(*pair)] += 1;
    }
}

fn low(pair: u64) -> usize {
    pair as u32 as usize
}

fn high(pair: u64) -> usize {
    (pair >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_count_every_sample() {
        for bins in [3u32, 5000] {
            for n in 0..10usize {
                let found: Vec<u64> = (0..5).map(|i| ((2 * i) % 4) | (((2 * i + 1) % 4) << 32)).collect();
                let tables = Tables::new(bins);
                tables.with_one(|t| t.count(&found, n));
                let sums = tables.sum();
                for (bin, sum) in sums.iter().enumerate().take(3) {
                    assert_eq!(*sum as usize, (0..n).filter(|i| i % 4 == bin).count());
                }
            }
        }
    }
}
