//! Packs what was taken of a chunk of items with the processor's compress instructions.
#![expect(unsafe_code, reason = "vector instructions on the memory of a slice")]

/// Items of a chunk.
pub(super) const CHUNK: usize = 2048;
/// Whole vectors are stored, so the target of a column has room for that many items more.
pub(super) const SLACK: usize = 64;
/// Words of a bit per item of a chunk.
const WORDS: usize = CHUNK / 64;

/// Scalars of the items of a chunk, in a scratch memory; positions in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// Bytes of a scalar: 1, 2, 4 or 8.
    pub(super) size: usize,
    /// Where they lie, [`CHUNK`] of them.
    pub(super) from: usize,
    /// Where those that are taken go.
    pub(super) to: usize,
}

/// Does this processor have the instructions?
pub(super) fn is_supported() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Appends the scalars of items `0 .. count` whose decision is `part` to the `kept` ones that lie at the target
/// of each column already. Decisions are bytes at `decisions`. Returns how many there are then.
///
/// # Panics
///
/// If a position is out of range, or the processor lacks the instructions.
pub(super) fn pack(
    scratch: &mut [u64],
    (decisions, part): (usize, u8),
    columns: &[Column],
    count: usize,
    kept: usize,
) -> usize {
    let bytes = size_of_val(scratch);
    assert!(count <= CHUNK && decisions + CHUNK <= bytes && is_supported());
    let fits = |c: &Column| {
        matches!(c.size, 1 | 2 | 4 | 8)
            && c.from + CHUNK * c.size <= bytes
            && c.to + (kept + count + SLACK) * c.size <= bytes
    };
    assert!(columns.iter().all(fits));
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the processor has the instructions, and all positions were checked: a column reads `CHUNK`
    // scalars and writes at most one whole vector, `SLACK` scalars at most, behind `kept + count` ones.
    return unsafe { x86::pack(scratch.as_mut_ptr().cast(), (decisions, part), columns, count, kept) };
    #[cfg(not(target_arch = "x86_64"))]
    unreachable!()
}

/// Asks for the memory of the bytes from `address` on, which need not exist.
pub(super) fn prefetch(address: usize, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (address..address.saturating_add(bytes)).step_by(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint: it accesses nothing, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line as *const i8) };
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Column, WORDS};

    /// # Safety
    ///
    /// The processor has the instructions, and the memory from `base` on covers all that `super::pack` checks.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    pub(super) unsafe fn pack(
        base: *mut u8,
        (decisions, part): (usize, u8),
        columns: &[Column],
        count: usize,
        kept: usize,
    ) -> usize {
        let wanted = _mm512_set1_epi8(part.cast_signed());
        let mut masks = [0u64; WORDS];
        let mut end = kept;
        for (word, mask) in masks.iter_mut().enumerate() {
            // SAFETY: `CHUNK` decisions lie there.
            let bytes = unsafe { _mm512_loadu_si512(base.add(decisions + 64 * word).cast()) };
            let valid = match count.saturating_sub(64 * word) {
                0 => 0,
                left @ 1..64 => (1 << left) - 1,
                _ => u64::MAX,
            };
            *mask = _mm512_cmpeq_epi8_mask(bytes, wanted) & valid;
            end += mask.count_ones() as usize;
        }
        for column in columns {
            // SAFETY: by contract.
            unsafe { pack_column(base, *column, &masks, kept) };
        }
        end
    }

    /// # Safety
    ///
    /// As for [`pack`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    unsafe fn pack_column(base: *mut u8, column: Column, masks: &[u64; WORDS], kept: usize) {
        // SAFETY: the column's scalars and its target lie in the memory from `base` on.
        unsafe {
            let (from, to) = (base.add(column.from), base.add(column.to + kept * column.size));
            match column.size {
                1 => pack_lanes::<1>(from, to, masks, |mask, v| _mm512_maskz_compress_epi8(mask, v)),
                2 => pack_lanes::<2>(from, to, masks, |mask, v| _mm512_maskz_compress_epi16(mask as u32, v)),
                4 => pack_lanes::<4>(from, to, masks, |mask, v| _mm512_maskz_compress_epi32(mask as u16, v)),
                _ => pack_lanes::<8>(from, to, masks, |mask, v| _mm512_maskz_compress_epi64(mask as u8, v)),
            }
        }
    }

    /// # Safety
    ///
    /// As for [`pack`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    unsafe fn pack_lanes<const SIZE: usize>(
        mut from: *const u8,
        mut to: *mut u8,
        masks: &[u64; WORDS],
        compress: impl Fn(u64, __m512i) -> __m512i,
    ) {
        let lanes = 64 / SIZE;
        let all = u64::MAX >> (64 - lanes);
        for word in masks {
            for vector in 0..SIZE {
                let mask = word >> (vector * lanes) & all;
                // SAFETY: as many vectors as hold `CHUNK` scalars are read; each one written begins where
                // the taken scalars end.
                unsafe {
                    let items = _mm512_loadu_si512(from.cast());
                    _mm512_storeu_si512(to.cast(), compress(mask, items));
                    from = from.add(64);
                    to = to.add(mask.count_ones() as usize * SIZE);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(size: usize, count: usize, kept: usize) {
        let columns = [Column { size, from: CHUNK, to: CHUNK + 8 * CHUNK }];
        let mut scratch = vec![0u64; (CHUNK + 8 * CHUNK + 8 * (kept + CHUNK + SLACK)) / 8];
        let mut bytes: Vec<u8> = scratch.iter().flat_map(|w| w.to_ne_bytes()).collect();
        for i in 0..CHUNK {
            bytes[i] = (i * i % 7 % 3) as u8;
            for k in 0..size {
                bytes[CHUNK + i * size + k] = (i * 31 + k) as u8;
            }
        }
        for (word, part) in scratch.iter_mut().zip(bytes.chunks(8)) {
            *word = u64::from_ne_bytes(part.try_into().unwrap());
        }
        let end = pack(&mut scratch, (0, 1), &columns, count, kept);
        let taken: Vec<u8> = (0..count)
            .filter(|i| bytes[*i] == 1)
            .flat_map(|i| bytes[CHUNK + i * size..][..size].to_vec())
            .collect();
        let after: Vec<u8> = scratch.iter().flat_map(|w| w.to_ne_bytes()).collect();
        assert_eq!(end - kept, taken.len() / size);
        assert_eq!(after[columns[0].to + kept * size..][..taken.len()], taken, "{size} {count} {kept}");
    }

    #[test]
    fn what_is_taken_lies_side_by_side() {
        if !is_supported() {
            return;
        }
        for size in [1, 2, 4, 8] {
            for count in [0, 1, 63, 64, 65, 300, CHUNK] {
                [0, 1, 77].into_iter().for_each(|kept| check(size, count, kept));
            }
        }
    }
}
