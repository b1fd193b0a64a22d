use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::*;

type Strings = Flight<u32, String, String>;

fn never() -> Result<String, String> {
    panic!("built twice")
}

#[test]
fn a_value_is_built_once() {
    let flight = Strings::new();
    let first = flight.get_or_build(&1, || Ok("one".to_owned())).unwrap();
    let second = flight.get_or_build(&1, never).unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!((flight.len(), flight.get(&2)), (1, None));
}

#[test]
fn sixteen_threads_share_one_build() {
    let (flight, barrier, builds) = (Strings::new(), Barrier::new(16), AtomicUsize::new(0));
    for key in 0..20 {
        let values: Vec<Arc<String>> = std::thread::scope(|scope| {
            let ask = || {
                barrier.wait();
                let build = || {
                    builds.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(2));
                    Ok(key.to_string())
                };
                flight.get_or_build(&key, build).unwrap()
            };
            let threads: Vec<_> = (0..16).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert!(values.iter().all(|v| Arc::ptr_eq(v, &values[0])));
    }
    assert_eq!(builds.into_inner(), 20);
}

#[test]
fn waiters_share_the_error_and_the_next_one_builds_again() {
    let (flight, barrier) = (Strings::new(), Barrier::new(2));
    std::thread::scope(|scope| {
        let builder = scope.spawn(|| {
            flight.get_or_build(&1, || {
                barrier.wait();
                std::thread::sleep(Duration::from_millis(20));
                Err("no".to_owned())
            })
        });
        barrier.wait();
        let waited = flight.get_or_build(&1, never).unwrap_err();
        let built = builder.join().unwrap().unwrap_err();
        let (FlightError::Build(a), FlightError::Build(b)) = (waited, built) else { panic!("not an error") };
        assert!(Arc::ptr_eq(&a, &b));
        assert_eq!(flight.len(), 0);
    });
    assert_eq!(*flight.get_or_build(&1, || Ok("yes".to_owned())).unwrap(), "yes");
}

#[test]
fn a_panic_reaches_the_builder_and_wakes_waiters() {
    let (flight, barrier) = (Strings::new(), Barrier::new(2));
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            barrier.wait();
            flight.get_or_build(&1, never)
        });
        let build = || {
            barrier.wait();
            std::thread::sleep(Duration::from_millis(20));
            panic!("on purpose")
        };
        assert!(catch_unwind(AssertUnwindSafe(|| flight.get_or_build(&1, build))).is_err());
        assert!(matches!(waiter.join().unwrap(), Err(FlightError::Panicked)));
    });
    assert!(flight.is_empty());
    assert!(flight.get_or_build(&1, || Ok(String::new())).is_ok());
}

#[test]
fn a_build_that_needs_itself_is_refused() {
    let flight = Strings::new();
    let outer = flight.get_or_build(&1, || {
        let inner = flight.get_or_build(&1, never);
        assert!(matches!(inner, Err(FlightError::Reentrant)));
        Ok((*flight.get_or_build(&2, || Ok("other".to_owned())).unwrap()).clone())
    });
    assert_eq!(*outer.unwrap(), "other");
    assert_eq!(flight.len(), 2);
}

#[test]
fn clear_forgets_values_and_builds() {
    let flight = Strings::new();
    flight.get_or_build(&1, || Ok("old".to_owned())).unwrap();
    flight.clear();
    assert!(flight.is_empty());
    let overtaken = flight.get_or_build(&1, || {
        flight.clear();
        assert_eq!(*flight.get_or_build(&1, || Ok("new".to_owned())).unwrap(), "new");
        Ok("slow".to_owned())
    });
    assert_eq!(*overtaken.unwrap(), "slow");
    assert_eq!(*flight.get_or_build(&1, never).unwrap(), "new");
}

#[test]
fn values_are_freed() {
    let flight = Strings::new();
    let value = flight.get_or_build(&1, || Ok(String::new())).unwrap();
    drop(flight);
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn threads_that_build_fail_clear_and_ask_end() {
    let flight = Flight::<u64, u64, ()>::new();
    std::thread::scope(|scope| {
        for t in 0..16u64 {
            let flight = &flight;
            scope.spawn(move || {
                for i in 0..2000 {
                    let key = (i * 7 + t) % 5;
                    if i % 97 == 0 {
                        flight.clear();
                    }
                    let build = || if (i + t) % 3 == 0 { Err(()) } else { Ok(key) };
                    match flight.get_or_build(&key, build) {
                        Ok(value) => assert_eq!(*value, key),
                        Err(e) => assert!(matches!(e, FlightError::Build(_))),
                    }
                }
            });
        }
    });
}
