//! Binary search: for each value, where it belongs in sorted data.

mod cpu;
mod spec;

use std::sync::Arc;

use freeloom_ir::Type;
use freeloom_runtime::Interrupt;

use crate::binding::{IterBinding, OpBinding};
use crate::cache;
use crate::error::{BuildError, Built, RunError};
use crate::grain::Grain;
use crate::iter::Iter;
use crate::kernel::{Args, Variant};
use crate::op::{Op, Requirement};
use crate::plan::{KernelSet, Kernels, run_blocks};

pub use spec::{SearchSpec, Side};

/// Most queries of a block: each takes as long as many items of other algorithms.
const MAX_BLOCK: u64 = 4096;

/// A search ready to run. Free: any number of threads may run it at once.
pub struct SearchPlan {
    side: Side,
    data: Iter,
    values: Iter,
    output: Iter,
    comp: Op,
    grain: Grain,
    kernels: Kernels<1>,
}

impl SearchPlan {
    /// The plan of a spec: built once per process, then shared.
    pub fn build(spec: &SearchSpec) -> Result<Arc<SearchPlan>, Arc<BuildError>> {
        cache::search(spec, || SearchPlan::new(spec))
    }

    fn new(spec: &SearchSpec) -> Built<SearchPlan> {
        let data = Iter::input(&spec.data, "d_data")?;
        let values = Iter::input(&spec.values, "d_values")?;
        let output = Iter::output(&spec.output, "d_out")?;
        let (item, key) = (data.item().clone(), values.item().clone());
        let params = match spec.side {
            Side::Lower => [item, key],
            Side::Upper => [key, item],
        };
        let comp = Op::build(&spec.comp, &params, Some(&Type::BOOL))?;
        let mut grain = Grain::new(&[&comp], &[&values, &output]);
        grain.block = grain.block.min(MAX_BLOCK);
        let plan =
            SearchPlan { side: spec.side, data, values, output, comp, grain, kernels: Kernels::default() };
        plan.kernels.prepare(|variant| plan.compile(variant))?;
        Ok(plan)
    }

    fn compile(&self, variant: Variant) -> Built<KernelSet<1>> {
        let SearchPlan { side, comp, data, values, output, .. } = self;
        let parts = cpu::Parts { side: *side, comp, data, values, output };
        KernelSet::compile(&cpu::emit(&parts, variant)?, ["search"])
    }

    /// Searches `count` values among `len` items.
    ///
    /// # Safety
    ///
    /// The bindings must describe memory that is valid during the call: every item below `len` of `data` and
    /// below `count` of each array of `values`, and every item of the captured arrays for reading, every item
    /// below `count` of `output` for writing; what is written must not be read or written by anyone else
    /// meanwhile. The output may be an array of `values` itself, item for item, and must not overlap anything
    /// that is read in any other way.
    #[expect(unsafe_code, reason = "the caller vouches for the memory")]
    pub unsafe fn run(
        &self,
        (data, len): (&IterBinding, u64),
        (values, count): (&IterBinding, u64),
        output: &IterBinding,
        comp: &OpBinding,
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        let mut args = Args::default();
        self.comp.pack(comp, &mut args)?;
        self.data.pack(data, &mut args)?;
        args.push(len);
        self.values.pack(values, &mut args)?;
        self.output.pack(output, &mut args)?;
        if count == 0 {
            return Ok(());
        }
        let kernels = self.kernels.get(&args, |variant| self.compile(variant))?;
        // SAFETY: the arguments were packed by this plan's tree and the kernel is that of their variant; the
        // caller vouches for the memory.
        let [search] = unsafe { kernels.bind(&args) };
        let cut = self.grain.cut(count, u64::from(u32::MAX));
        run_blocks(cut.count, interrupt, &|block| {
            let (lo, hi) = cut.range(block, count);
            search.call(lo, hi, &mut []);
        })
    }

    /// What the comparison demands of its captured arrays.
    pub fn op_requirements(&self) -> Vec<Requirement> {
        self.comp.requirements()
    }
}
