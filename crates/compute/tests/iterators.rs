//! Iterators that change the order or the place of items, against loops.

mod support;

use freeloom_compute::{IterBinding, IterSpec, OpKind, RunError, TransformPlan, TransformSpec};
use freeloom_ir::{Fail, Type};
use freeloom_runtime::NoInterrupt;
use support::*;

/// Copies `n` items.
fn copy(from: (IterSpec, IterBinding), to: (IterSpec, IterBinding), n: usize) -> Result<(), RunError> {
    let spec = TransformSpec { inputs: vec![from.0], output: to.0, op: known(OpKind::Identity) };
    let plan = TransformPlan::build(&spec).unwrap();
    // SAFETY: the callers bind slices that hold the items.
    unsafe { plan.run(&[from.1], &to.1, &no_captures(), n as u64, &NoInterrupt) }
}

fn reversed(spec: IterSpec, mut binding: IterBinding, last: i64) -> (IterSpec, IterBinding) {
    if let IterBinding::Array { offset, .. } = &mut binding {
        *offset = last;
    }
    (IterSpec::Reverse(Box::new(spec)), IterBinding::Reverse(Box::new(binding)))
}

fn permuted(
    (values, values_bound): (IterSpec, IterBinding),
    (indices, indices_bound): (IterSpec, IterBinding),
) -> (IterSpec, IterBinding) {
    let spec = IterSpec::Permutation { values: Box::new(values), indices: Box::new(indices) };
    let (values, indices) = (Box::new(values_bound), Box::new(indices_bound));
    (spec, IterBinding::Permutation { values, indices })
}

fn shuffle(len: u64, seed: u64) -> (IterSpec, IterBinding) {
    (IterSpec::Shuffle, IterBinding::Shuffle { len, seed, offset: 0 })
}

#[test]
fn reversing_twice_changes_nothing() {
    for &n in SIZES {
        let a: Vec<i32> = (0..n as i32).collect();
        let mut back = vec![0i32; n];
        copy(reversed(array::<i32>(), bind(&a), n as i64 - 1), (array::<i32>(), bind_mut(&mut back)), n)
            .unwrap();
        assert!(back.iter().eq(a.iter().rev()));
        let mut again = vec![0i32; n];
        let target = reversed(array::<i32>(), bind_mut(&mut again), n as i64 - 1);
        copy((array::<i32>(), bind(&back)), target, n).unwrap();
        assert_eq!(again, a);
    }
}

#[test]
fn every_shuffle_is_a_permutation() {
    for n in (1..200).chain([255, 256, 257, 4095, 4096, 4097, 100_003]) {
        for seed in [0, 1, u64::MAX] {
            let mut out = vec![-1i64; n];
            copy(shuffle(n as u64, seed), (array::<i64>(), bind_mut(&mut out)), n).unwrap();
            out.sort_unstable();
            assert!(out.iter().copied().eq(0..n as i64), "{n} items, seed {seed}");
        }
    }
}

#[test]
fn scattering_undoes_gathering() {
    let n = 10_000;
    let a: Vec<i64> = (0..n as i64).map(|i| i * i).collect();
    let mut mixed = vec![0i64; n];
    let values = (array::<i64>(), bind(&a));
    copy(permuted(values, shuffle(n as u64, 3)), (array::<i64>(), bind_mut(&mut mixed)), n).unwrap();
    assert_ne!(mixed, a);
    let mut back = vec![0i64; n];
    let target = permuted((array::<i64>(), bind_mut(&mut back)), shuffle(n as u64, 3));
    copy((array::<i64>(), bind(&mixed)), target, n).unwrap();
    assert_eq!(back, a);
}

#[test]
fn positions_outside_of_arrays_fail() {
    for bad in [-1i64, 5, i64::MAX, i64::MIN] {
        let (a, indices) = ([7u8; 5], [0, bad, 1]);
        let mut out = [0u8; 3];
        let from = permuted((array::<u8>(), bind(&a)), (array::<i64>(), bind(&indices)));
        let failed = copy(from, (array::<u8>(), bind_mut(&mut out)), 3);
        assert!(matches!(failed, Err(RunError::Failed(Fail::PositionOutOfRange))), "{bad}");
    }
    let mut out = [0i64; 4];
    let failed = copy(shuffle(3, 0), (array::<i64>(), bind_mut(&mut out)), 4);
    assert!(matches!(failed, Err(RunError::Failed(Fail::PositionOutOfRange))));
}

#[test]
fn what_is_discarded_reads_as_zero() {
    let point = Type::aligned_struct("point", [("x".to_owned(), Type::I32), ("y".to_owned(), Type::F64)]);
    let mut out = [!0u64; 4];
    let target = bind_at(out.as_mut_ptr() as usize, &[2], &[16]);
    let discard = || (IterSpec::Discard(point.clone()), IterBinding::Discard);
    copy(discard(), (IterSpec::Array(point.clone()), target.clone()), 2).unwrap();
    assert_eq!((out[0] as u32, out[1], out[2] as u32, out[3]), (0, 0, 0, 0));
    copy((IterSpec::Array(point.clone()), target), discard(), 2).unwrap();
}

#[test]
fn indices_are_integers_and_shuffles_are_read() {
    let floats = IterSpec::Permutation { values: Box::new(array::<u8>()), indices: Box::new(array::<f32>()) };
    let spec = |input, output| TransformSpec { inputs: vec![input], output, op: known(OpKind::Identity) };
    let refused = TransformPlan::build(&spec(floats, array::<u8>())).err().unwrap().to_string();
    assert_eq!(refused, "d_in: the indices of a permutation must be integers, not f32");
    let refused = TransformPlan::build(&spec(array::<i64>(), IterSpec::Shuffle)).err().unwrap().to_string();
    assert_eq!(refused, "d_out: a shuffle iterator cannot be written");
}
