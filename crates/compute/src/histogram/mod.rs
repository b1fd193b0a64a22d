//! Histogram: how many samples fall into each of the bins of equal width.
//!
//! Each thread counts into a table of its own; the tables are added in the end. Counts are integers, so the
//! result is the same however samples are shared out.

mod cpu;
mod spec;
mod table;

use std::sync::{Arc, Mutex, PoisonError};

use freeloom_ir::Type;
use freeloom_runtime::Interrupt;

use crate::binding::IterBinding;
use crate::cache;
use crate::error::{BuildError, Built, RunError};
use crate::grain::Grain;
use crate::iter::Iter;
use crate::kernel::{Args, Variant};
use crate::op::Requirement;
use crate::plan::{KernelSet, Kernels, run_blocks};

pub use spec::{Bins, HistogramSpec};
use table::Tables;

/// Samples whose bins are computed before they are counted.
const CHUNK: u64 = 2048;

/// A histogram ready to run. Free: any number of threads may run it at once.
pub struct HistogramPlan {
    samples: Iter,
    output: Iter,
    grain: Grain,
    kernels: Kernels<2>,
}

impl HistogramPlan {
    /// The plan of a spec: built once per process, then shared.
    pub fn build(spec: &HistogramSpec) -> Result<Arc<HistogramPlan>, Arc<BuildError>> {
        cache::histogram(spec, || HistogramPlan::new(spec))
    }

    fn new(spec: &HistogramSpec) -> Built<HistogramPlan> {
        let samples = Iter::input(&spec.samples, "d_samples")?;
        let output = Iter::output(&spec.output, "d_histogram")?;
        for (iter, name) in [(&samples, "d_samples"), (&output, "d_histogram")] {
            if iter.item().scalar().is_none() {
                return Err(BuildError::Type(format!("{name} must hold real numbers, not {}", iter.item())));
            }
        }
        let grain = Grain::new(&[], &[&samples]);
        let plan = HistogramPlan { samples, output, grain, kernels: Kernels::default() };
        plan.kernels.prepare(|variant| plan.compile(variant))?;
        Ok(plan)
    }

    fn compile(&self, variant: Variant) -> Built<KernelSet<2>> {
        KernelSet::compile(&cpu::emit(&self.samples, &self.output, variant)?, ["bins", "finish"])
    }

    /// Counts `n` samples; the output's items `0 .. bins.count` are overwritten.
    ///
    /// # Safety
    ///
    /// The bindings must describe memory that is valid during the call: every item below `n` of each array
    /// of `samples` for reading, every item below `bins.count` of `output` for writing; what is written must
    /// not be read or written by anyone else meanwhile, and may overlap samples, which are read before.
    #[expect(unsafe_code, reason = "the caller vouches for the memory")]
    pub unsafe fn run(
        &self,
        samples: &IterBinding,
        output: &IterBinding,
        bins: Bins,
        n: u64,
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        let mut args = Args::default();
        self.samples.pack(samples, &mut args)?;
        let (width, count, per_unit) =
            (bins.upper - bins.lower, f64::from(bins.count), cpu::bins_per_unit(&bins));
        for number in [bins.lower, bins.upper, width, count, per_unit] {
            args.push(number.to_bits());
        }
        args.push(u64::from(bins.count));
        self.output.pack(output, &mut args)?;
        let kernels = self.kernels.get(&args, |variant| self.compile(variant))?;
        // SAFETY: the arguments were packed by this plan's tree and the kernels are those of their variant;
        // the caller vouches for the memory.
        let [find, finish] = unsafe { kernels.bind(&args) };
        let tables = Tables::new(bins.count);
        let cut = self.grain.cut(n, u64::from(u32::MAX));
        run_blocks(cut.count, interrupt, &|block| {
            let (mut lo, hi) = cut.range(block, n);
            let mut found = [0u64; CHUNK as usize / 2];
            tables.with_one(|table| {
                while lo < hi {
                    let end = hi.min(lo + CHUNK);
                    find.call(lo, end, &mut found);
                    table.count(&found, (end - lo) as usize);
                    lo = end;
                }
            });
        })?;
        let counts = Mutex::new(tables.sum());
        run_blocks(1, interrupt, &|_| {
            let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
            finish.call(0, u64::from(bins.count), &mut counts);
        })
    }

    /// Type of the samples.
    pub fn sample_type(&self) -> &Type {
        self.samples.item()
    }

    /// What the operators inside of the samples demand, operator by operator, children first.
    pub fn sample_requirements(&self) -> Vec<Vec<Requirement>> {
        self.samples.requirements()
    }
}
