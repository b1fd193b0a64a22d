//! Reduction: `out[0] = op(… op(op(init, in[0]), in[1]) …)`, grouped so that it runs on every core.
//!
//! Blocks are folded in parallel, their results are folded from left to right. The grouping depends on the
//! number of items and the types only: the result has the same bits for every number of threads.

mod cpu;
pub(crate) mod fold;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use freeloom_ir::Type;
use freeloom_runtime::Interrupt;
use smallvec::{SmallVec, smallvec};

use crate::binding::{IterBinding, OpBinding};
use crate::error::{BuildError, Built, RunError};
use crate::grain::{Cut, Grain};
use crate::iter::Iter;
use crate::kernel::{Args, Bound, Variant};
use crate::op::{Op, Requirement};
use crate::plan::{KernelSet, Kernels, pack_value, run_blocks};
use crate::{ReduceSpec, cache};

/// Most blocks of a reduction: their results are folded by one thread.
const MAX_BLOCKS: u64 = 2048;
/// Most items of a block, though there be more blocks than that: interrupts are looked for between blocks.
const MAX_BLOCK: u64 = 1 << 26;
/// Most blocks of any reduction: their results are kept in memory.
const MOST_BLOCKS: u64 = 1 << 22;

/// Words of one partial result.
pub(crate) fn partial_words(acc: &Type) -> usize {
    acc.size().div_ceil(8).max(1) as usize
}

/// Room for one partial result, on the stack in all usual cases.
pub(crate) type Partial = SmallVec<[u64; 8]>;

/// A reduction ready to run. Free: any number of threads may run it at once.
pub struct ReducePlan {
    input: Iter,
    output: Iter,
    op: Op,
    acc: Type,
    has_init: bool,
    grain: Grain,
    kernels: Kernels<2>,
}

impl ReducePlan {
    /// The plan of a spec: built once per process, then shared.
    pub fn build(spec: &ReduceSpec) -> Result<Arc<ReducePlan>, Arc<BuildError>> {
        cache::reduce(spec, || ReducePlan::new(spec))
    }

    fn new(spec: &ReduceSpec) -> Built<ReducePlan> {
        let input = Iter::input(&spec.input, "d_in")?;
        let output = Iter::output(&spec.output, "d_out")?;
        let acc = spec.init.clone().unwrap_or_else(|| input.item().clone());
        let op = Op::build(&spec.op, &[acc.clone(), acc.clone()], Some(&acc))?;
        let mut grain = Grain::new(&[&op], &[&input]);
        if !op.polls() {
            grain.block = grain.block.next_multiple_of(fold::unit(&op, &acc).next_power_of_two());
        }
        let has_init = spec.init.is_some();
        let plan = ReducePlan { input, output, op, acc, has_init, grain, kernels: Kernels::default() };
        plan.kernels.prepare(|variant| plan.compile(variant))?;
        Ok(plan)
    }

    fn compile(&self, variant: Variant) -> Built<KernelSet<2>> {
        let ReducePlan { op, input, output, acc, has_init, .. } = self;
        let parts = cpu::Parts { op, input, output, acc, has_init: *has_init };
        KernelSet::compile(&cpu::emit(&parts, variant)?, ["fold", "finish"])
    }

    /// Reduces `n` items of `input` to item 0 of `output`. `init` is the initial value as it lies in memory.
    /// Without initial value and without items, nothing is written.
    ///
    /// # Safety
    ///
    /// The bindings must describe memory that is valid during the call: every item below `n` of each array
    /// of `input` and every item of the captured arrays for reading, item 0 of `output` for writing; what is
    /// written must not be read or written by anyone else meanwhile.
    #[expect(unsafe_code, reason = "the caller vouches for the memory")]
    pub unsafe fn run(
        &self,
        input: &IterBinding,
        output: &IterBinding,
        op: &OpBinding,
        init: Option<&[u8]>,
        n: u64,
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        if n == 0 && !self.has_init {
            return Ok(());
        }
        let mut args = Args::default();
        self.op.pack(op, &mut args)?;
        self.input.pack(input, &mut args)?;
        if self.has_init {
            pack_value(&self.acc, init, &mut args)?;
        }
        args.first_item_only = true;
        self.output.pack(output, &mut args)?;
        let kernels = self.kernels.get(&args, |variant| self.compile(variant))?;
        // SAFETY: the arguments were packed by this plan's tree and the kernels are those of their variant;
        // the caller vouches for the memory.
        let [fold, finish] = unsafe { kernels.bind(&args) };
        let cut = self.cut(n);
        if cut.count <= 1 {
            return run_blocks(1, interrupt, &|_| {
                let mut partial: Partial = smallvec![0; partial_words(&self.acc)];
                if n > 0 {
                    fold.call(0, n, &mut partial);
                }
                finish.call(0, n.min(1), &mut partial);
            });
        }
        self.parallel(cut, n, fold, finish, interrupt)
    }

    fn cut(&self, n: u64) -> Cut {
        self.grain.cut(n, (n / MAX_BLOCK).clamp(MAX_BLOCKS, MOST_BLOCKS))
    }

    fn parallel(
        &self,
        cut: Cut,
        n: u64,
        fold: Bound<'_>,
        finish: Bound<'_>,
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        let words = partial_words(&self.acc);
        let partials: Vec<AtomicU64> =
            std::iter::repeat_with(AtomicU64::default).take(cut.count * words).collect();
        run_blocks(cut.count, interrupt, &|block| {
            let mut partial: Partial = smallvec![0; words];
            let (lo, hi) = cut.range(block, n);
            fold.call(lo, hi, &mut partial);
            for (to, from) in partials[block * words..].iter().zip(&partial) {
                to.store(*from, Ordering::Relaxed);
            }
        })?;
        run_blocks(1, interrupt, &|_| {
            let mut words: Vec<u64> = partials.iter().map(|w| w.load(Ordering::Relaxed)).collect();
            finish.call(0, cut.count as u64, &mut words);
        })
    }

    /// Bytes of scratch memory that a run over `n` items takes from the heap.
    pub fn temp_storage_bytes(&self, n: u64) -> u64 {
        let cut = self.cut(n);
        if cut.count <= 1 { 0 } else { (cut.count * partial_words(&self.acc) * 8) as u64 }
    }

    /// Type of the items read.
    pub fn input_type(&self) -> &Type {
        self.input.item()
    }

    /// Type of the accumulator and of the initial value.
    pub fn value_type(&self) -> &Type {
        &self.acc
    }

    /// Type of what is written.
    pub fn output_type(&self) -> &Type {
        self.output.item()
    }

    /// What the operator demands of its captured arrays.
    pub fn op_requirements(&self) -> Vec<Requirement> {
        self.op.requirements()
    }

    /// What the operators inside of the input demand, operator by operator, children first.
    pub fn input_requirements(&self) -> Vec<Vec<Requirement>> {
        self.input.requirements()
    }

    /// What the operators inside of the output demand, operator by operator, children first.
    pub fn output_requirements(&self) -> Vec<Vec<Requirement>> {
        self.output.requirements()
    }
}

/// Access to the kernels for tests.
#[cfg(test)]
pub(crate) mod testing {
    use freeloom_ir::Module;

    use super::*;

    /// The kernels of a reduction without initial value.
    pub(crate) fn emit(op: &Op, array: &Iter, acc: &Type, variant: Variant) -> Module {
        let parts = cpu::Parts { op, input: array, output: array, acc, has_init: false };
        cpu::emit(&parts, variant).unwrap()
    }
}
