//! Measures what a run costs beyond its blocks.
//!
//! `cargo run --release -p freeloom-runtime --example latency`

use std::io::Write;
use std::time::{Duration, Instant};

use freeloom_runtime::{NoInterrupt, run, threads};

const RUNS: u32 = 20_000;

fn main() {
    let mut out = format!("{} threads\n", threads());
    for (name, blocks, work) in [
        ("inline, 1 empty block", 1, Duration::ZERO),
        ("2 empty blocks", 2, Duration::ZERO),
        ("64 empty blocks", 64, Duration::ZERO),
        ("2 blocks of 20 µs", 2, Duration::from_micros(20)),
        ("2 blocks of 100 µs", 2, Duration::from_micros(100)),
    ] {
        out += &format!("{name}: {:?} per run\n", per_run(blocks, work));
    }
    // A broken pipe is the reader's choice.
    let _ = std::io::stdout().write_all(out.as_bytes());
}

fn per_run(blocks: usize, work: Duration) -> Duration {
    let body = |_: usize| {
        if !work.is_zero() {
            let start = Instant::now();
            while start.elapsed() < work {
                std::hint::spin_loop();
            }
        }
    };
    let runs = if work.is_zero() { RUNS } else { RUNS / 10 };
    let start = Instant::now();
    for _ in 0..runs {
        let result = run(blocks, &NoInterrupt, &body);
        assert!(result.is_ok());
    }
    start.elapsed() / runs
}
