//! Sorts against the standard library's.
#![expect(unsafe_code, reason = "plans are given addresses")]

use freeloom_compute::{ArrayBinding, RadixSort, SortData, SortOrder};
use freeloom_ir::Scalar;
use freeloom_runtime::NoInterrupt;

fn array<T>(items: &[T]) -> ArrayBinding {
    let shape = [items.len() as i64].into_iter().collect();
    ArrayBinding {
        ptr: items.as_ptr() as usize,
        shape,
        strides: [size_of::<T>() as i64].into_iter().collect(),
    }
}

#[test]
fn pairs_are_sorted_and_stable() {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 32) as u32
    };
    for n in [0usize, 1, 2, 255, 257, 1000, 40_000, 300_000] {
        for bits in [4, 13, 32] {
            let keys: Vec<u32> = (0..n).map(|_| random() & (u32::MAX >> (32 - bits))).collect();
            let values: Vec<u32> = (0..n as u32).collect();
            let (mut keys_out, mut values_out) = (vec![0u32; n], vec![0u32; n]);
            let sort = RadixSort { key: Scalar::U32, value_size: Some(4), order: SortOrder::Descending };
            let (a, b, c, d) = (array(&keys), array(&keys_out), array(&values), array(&values_out));
            // SAFETY: the arrays have that many items.
            unsafe {
                let values = Some(SortData { input: &c, output: &d });
                sort.run(SortData { input: &a, output: &b }, values, n as u64, (0, 32), &NoInterrupt)
                    .unwrap();
            }
            let mut expected: Vec<_> = keys.iter().copied().zip(values).collect();
            expected.sort_by_key(|p| std::cmp::Reverse(p.0));
            let got: Vec<_> = keys_out.iter_mut().zip(&mut values_out).map(|(k, v)| (*k, *v)).collect();
            assert_eq!(got, expected);
        }
    }
}
