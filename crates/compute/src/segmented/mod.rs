//! Segmented reduction: one result for each segment of a sequence.
//!
//! Segments are dealt out in blocks of consecutive ones. A thread reduces the short segments of its block whole
//! and puts the long ones aside; these are then cut into pieces, as a reduction of their own would be, so that
//! one huge segment among many tiny ones keeps every core busy. How a segment is grouped depends on its length
//! and the types only: results have the same bits for every number of threads.

mod cpu;
mod long;
mod narrow;
mod spec;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use freeloom_ir::Type;
use freeloom_runtime::Interrupt;
use smallvec::SmallVec;

use crate::cache;
use crate::error::{BuildError, Built, RunError};
use crate::grain::Grain;
use crate::iter::Iter;
use crate::kernel::{Args, Bound, Variant};
use crate::op::{Op, Requirement};
use crate::plan::{KernelSet, Kernels, pack_value, run_blocks};
use crate::reduce::fold;

pub use spec::{SegmentedReduceSpec, Segments};

/// Most segments of a block.
const MAX_SEGMENTS: u64 = 1024;
/// Blocks that segments should be dealt out in at least.
const MANY_BLOCKS: u64 = 64;

/// A segmented reduction ready to run. Free: any number of threads may run it at once.
pub struct SegmentedReducePlan {
    input: Iter,
    output: Iter,
    starts: Iter,
    ends: Iter,
    op: Op,
    acc: Type,
    /// How long segments are cut.
    grain: Grain,
    kernels: Kernels<4>,
}

/// A segment.
#[derive(Clone, Copy)]
struct Span {
    index: u64,
    start: i64,
    end: i64,
}

/// What the blocks of a run share.
struct Run<'a> {
    kernels: [Bound<'a>; 4],
    /// Number of items.
    len: u64,
    /// Segments put aside.
    long: Mutex<Vec<Span>>,
    /// The first segment that is not one.
    bad: Mutex<Option<Span>>,
    /// Its index, so that blocks after it need not run.
    bad_index: AtomicU64,
}

impl SegmentedReducePlan {
    /// The plan of a spec: built once per process, then shared.
    pub fn build(spec: &SegmentedReduceSpec) -> Result<Arc<SegmentedReducePlan>, Arc<BuildError>> {
        cache::segmented_reduce(spec, || SegmentedReducePlan::new(spec))
    }

    fn new(spec: &SegmentedReduceSpec) -> Built<SegmentedReducePlan> {
        let input = Iter::input(&spec.input, "d_in")?;
        let output = Iter::output(&spec.output, "d_out")?;
        let starts = offsets(&spec.starts, "start_offsets_in")?;
        let ends = offsets(&spec.ends, "end_offsets_in")?;
        let acc = spec.init.clone();
        let op = Op::build(&spec.op, &[acc.clone(), acc.clone()], Some(&acc))?;
        let mut grain = Grain::new(&[&op], &[&input]);
        if !op.polls() {
            grain.block = grain.block.next_multiple_of(fold::unit(&op, &acc).next_power_of_two());
        }
        let kernels = Kernels::default();
        let plan = SegmentedReducePlan { input, output, starts, ends, op, acc, grain, kernels };
        plan.kernels.prepare(|variant| plan.compile(variant))?;
        Ok(plan)
    }

    fn compile(&self, variant: Variant) -> Built<KernelSet<4>> {
        let SegmentedReducePlan { op, input, output, starts, ends, acc, .. } = self;
        let parts = cpu::Parts { op, input, output, starts, ends, acc };
        KernelSet::compile(&cpu::emit(&parts, variant)?, ["spans", "whole", "fold", "finish"])
    }

    /// Reduces each segment; an empty one gives the initial value. A segment that ends before it starts or
    /// reaches beyond the items ends the run; outputs may have been written then.
    ///
    /// # Safety
    ///
    /// The bindings must describe memory that is valid during the call: every item below `len` of each array
    /// of `input`, every item below `count` of `starts` and `ends` and every item of the captured arrays for
    /// reading, every item below `count` of `output` for writing; what is written must not be read or written
    /// by anyone else meanwhile and must not overlap anything that is read.
    #[expect(unsafe_code, reason = "the caller vouches for the memory")]
    pub unsafe fn run(&self, given: &Segments<'_>, interrupt: &dyn Interrupt) -> Result<(), RunError> {
        let args = self.pack(given)?;
        if given.count == 0 {
            return Ok(());
        }
        let set = self.kernels.get(&args, |variant| self.compile(variant))?;
        // SAFETY: the arguments were packed by this plan's tree and the kernels are those of their variant;
        // the caller vouches for the memory, and only segments within the items are handed to the kernels.
        let kernels = unsafe { set.bind(&args) };
        let run = Run {
            kernels,
            len: given.len,
            long: Mutex::default(),
            bad: Mutex::default(),
            bad_index: AtomicU64::new(u64::MAX),
        };
        let block = given.count.div_ceil(MANY_BLOCKS).clamp(1, MAX_SEGMENTS);
        run_blocks(given.count.div_ceil(block) as usize, interrupt, &|b| {
            let lo = b as u64 * block;
            self.block(&run, lo, (lo + block).min(given.count));
        })?;
        let Run { long, bad, .. } = run;
        if let Some(Span { index, start, end }) = bad.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(RunError::BadSegment { index, start, end, len: given.len });
        }
        let mut long = long.into_inner().unwrap_or_else(PoisonError::into_inner);
        long.sort_unstable_by_key(|span| span.index);
        self.reduce_long(&long, kernels, interrupt)
    }

    fn pack(&self, given: &Segments<'_>) -> Result<Args, RunError> {
        let mut args = Args::default();
        self.starts.pack(given.starts, &mut args)?;
        self.ends.pack(given.ends, &mut args)?;
        self.op.pack(given.op, &mut args)?;
        self.input.pack(given.input, &mut args)?;
        pack_value(&self.acc, Some(given.init), &mut args)?;
        self.output.pack(given.output, &mut args)?;
        Ok(args)
    }

    /// Reduces the segments `lo .. hi`, except the long ones, which are put aside.
    fn block(&self, run: &Run<'_>, lo: u64, hi: u64) {
        if lo > run.bad_index.load(Ordering::Relaxed) {
            return;
        }
        let [find, whole, ..] = &run.kernels;
        let mut words: SmallVec<[u64; 64]> = SmallVec::from_elem(0, 2 * (hi - lo) as usize);
        find.call(lo, hi, &mut words);
        let span = |words: &[u64], index: u64| {
            let at = 2 * (index - lo) as usize;
            Span { index, start: words[at] as i64, end: words[at + 1] as i64 }
        };
        if let Some(bad) = (lo..hi).map(|s| span(&words, s)).find(|s| !s.is_within(run.len)) {
            return run.refuse(bad);
        }
        let mut first = lo;
        for s in lo..hi {
            let this = span(&words, s);
            if this.items() <= self.grain.block {
                continue;
            }
            run.long.lock().unwrap_or_else(PoisonError::into_inner).push(this);
            if first < s {
                whole.call(first, s, &mut words[2 * (first - lo) as usize..]);
            }
            first = s + 1;
        }
        if first < hi {
            whole.call(first, hi, &mut words[2 * (first - lo) as usize..]);
        }
    }

    /// Type of the items read.
    pub fn input_type(&self) -> &Type {
        self.input.item()
    }

    /// Type of the accumulator and of the initial value.
    pub fn value_type(&self) -> &Type {
        &self.acc
    }

    /// What the operator demands of its captured arrays.
    pub fn op_requirements(&self) -> Vec<Requirement> {
        self.op.requirements()
    }

    /// Bytes of scratch memory that a run takes from the caller: none, since how much is needed depends on
    /// the offsets.
    pub fn temp_storage_bytes(&self) -> u64 {
        0
    }
}

impl Span {
    fn items(&self) -> u64 {
        (self.end - self.start) as u64
    }

    fn is_within(&self, len: u64) -> bool {
        0 <= self.start && self.start <= self.end && self.end as u64 <= len
    }
}

impl Run<'_> {
    /// Remembers the first segment that is not one. Blocks start in increasing order, and those that have
    /// started come to their end, so which one it is does not depend on threads.
    fn refuse(&self, span: Span) {
        let mut bad = self.bad.lock().unwrap_or_else(PoisonError::into_inner);
        if bad.is_none_or(|known| span.index < known.index) {
            *bad = Some(span);
            self.bad_index.store(span.index, Ordering::Relaxed);
        }
    }
}

/// Offsets: integers of any width.
fn offsets(spec: &crate::IterSpec, name: &str) -> Built<Iter> {
    let iter = Iter::input(spec, name)?;
    match iter.item().scalar() {
        Some(s) if s.is_int() => Ok(iter),
        _ => Err(BuildError::Type(format!("{name} must hold integers, not {}", iter.item()))),
    }
}
