use loom::sync::Arc as LoomArc;
use loom::sync::atomic::{AtomicUsize, Ordering};

use super::*;

fn model(check: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(check);
}

#[test]
fn loom_two_threads_build_once() {
    model(|| {
        let shared = LoomArc::new((Flight::<u8, u8, ()>::new(), AtomicUsize::new(0)));
        let ask = |shared: &(Flight<u8, u8, ()>, AtomicUsize)| {
            let build = || {
                shared.1.fetch_add(1, Ordering::Relaxed);
                Ok(7)
            };
            assert_eq!(*shared.0.get_or_build(&1, build).unwrap(), 7);
        };
        let other = LoomArc::clone(&shared);
        let thread = loom::thread::spawn(move || ask(&other));
        ask(&shared);
        thread.join().unwrap();
        assert_eq!(shared.1.load(Ordering::Relaxed), 1);
    });
}

/// Every build fails with a number of its own: asking again after a failure never gives the same one.
#[test]
fn loom_a_failure_is_seen_after_its_entry_is_gone() {
    model(|| {
        let shared = LoomArc::new((Flight::<u8, u8, usize>::new(), AtomicUsize::new(0)));
        let ask = |shared: &(Flight<u8, u8, usize>, AtomicUsize)| match shared
            .0
            .get_or_build(&1, || Err(shared.1.fetch_add(1, Ordering::Relaxed)))
        {
            Err(FlightError::Build(number)) => *number,
            other => panic!("{other:?}"),
        };
        let other = LoomArc::clone(&shared);
        let thread = loom::thread::spawn(move || {
            let first = ask(&other);
            assert_ne!(ask(&other), first);
        });
        ask(&shared);
        thread.join().unwrap();
        assert!(shared.0.is_empty());
    });
}

#[test]
fn loom_clear_during_a_build_hangs_nobody() {
    model(|| {
        let flight = LoomArc::new(Flight::<u8, u8, ()>::new());
        let other = LoomArc::clone(&flight);
        let thread = loom::thread::spawn(move || assert!(other.get_or_build(&1, || Ok(1)).is_ok()));
        flight.clear();
        assert!(flight.get_or_build(&1, || Ok(2)).is_ok());
        thread.join().unwrap();
        assert!(flight.get(&1).is_some());
    });
}
