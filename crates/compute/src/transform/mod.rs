//! Transform: `out[i] = op(in1[i], …)`.

mod cpu;

use std::sync::Arc;

use freeloom_ir::Type;
use freeloom_runtime::Interrupt;

use crate::binding::{IterBinding, OpBinding};
use crate::error::{BuildError, Built, RunError};
use crate::grain::Grain;
use crate::iter::Iter;
use crate::kernel::{Args, Variant};
use crate::op::{Op, Requirement};
use crate::plan::{KernelSet, Kernels, run_blocks};
use crate::{TransformSpec, cache};

/// A transform ready to run. Free: any number of threads may run it at once.
pub struct TransformPlan {
    inputs: Vec<Iter>,
    output: Iter,
    op: Op,
    grain: Grain,
    kernels: Kernels<1>,
}

impl TransformPlan {
    /// The plan of a spec: built once per process, then shared.
    pub fn build(spec: &TransformSpec) -> Result<Arc<TransformPlan>, Arc<BuildError>> {
        cache::transform(spec, || TransformPlan::new(spec))
    }

    fn new(spec: &TransformSpec) -> Built<TransformPlan> {
        let name = |i: usize| match (spec.inputs.len(), i) {
            (1, _) => "d_in",
            (_, 0) => "d_in1",
            _ => "d_in2",
        };
        let inputs = spec.inputs.iter().enumerate();
        let inputs = inputs.map(|(i, s)| Iter::input(s, name(i))).collect::<Built<Vec<_>>>()?;
        let output = Iter::output(&spec.output, "d_out")?;
        let params: Vec<Type> = inputs.iter().map(|i| i.item().clone()).collect();
        let op = Op::build(&spec.op, &params, Some(output.item()))?;
        let mut iters: Vec<&Iter> = inputs.iter().collect();
        iters.push(&output);
        let grain = Grain::new(&[&op], &iters);
        let plan = TransformPlan { inputs, output, op, grain, kernels: Kernels::default() };
        plan.kernels.prepare(|variant| plan.compile(variant))?;
        Ok(plan)
    }

    fn compile(&self, variant: Variant) -> Built<KernelSet<1>> {
        let module = cpu::emit(&self.op, &self.inputs, &self.output, variant)?;
        KernelSet::compile(&module, ["transform"])
    }

    /// Transforms `n` items.
    ///
    /// # Safety
    ///
    /// The bindings must describe memory that is valid during the call: every item below `n` of each array of
    /// `inputs` and every item of the captured arrays for reading, every item below `n` of `output` for
    /// writing; what is written must not be read or written by anyone else meanwhile. An output array may be
    /// an input array itself, item for item, and must not overlap it in any other way.
    #[expect(unsafe_code, reason = "the caller vouches for the memory")]
    pub unsafe fn run(
        &self,
        inputs: &[IterBinding],
        output: &IterBinding,
        op: &OpBinding,
        n: u64,
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        if inputs.len() != self.inputs.len() {
            return Err(RunError::Mismatch("the number of inputs"));
        }
        let mut args = Args::default();
        self.op.pack(op, &mut args)?;
        for (iter, binding) in self.inputs.iter().zip(inputs) {
            iter.pack(binding, &mut args)?;
        }
        self.output.pack(output, &mut args)?;
        if n == 0 {
            return Ok(());
        }
        let kernels = self.kernels.get(&args, |variant| self.compile(variant))?;
        // SAFETY: the arguments were packed by this plan's tree and the kernel is that of their variant; the
        // caller vouches for the memory.
        let [transform] = unsafe { kernels.bind(&args) };
        let cut = self.grain.cut(n, u64::from(u32::MAX));
        run_blocks(cut.count, interrupt, &|block| {
            let (lo, hi) = cut.range(block, n);
            transform.call(lo, hi, &mut []);
        })
    }

    /// Types of the items read.
    pub fn input_types(&self) -> Vec<&Type> {
        self.inputs.iter().map(Iter::item).collect()
    }

    /// Type of what is written.
    pub fn output_type(&self) -> &Type {
        self.output.item()
    }

    /// What the operator demands of its captured arrays.
    pub fn op_requirements(&self) -> Vec<Requirement> {
        self.op.requirements()
    }

    /// What the operators inside of input `i` demand, operator by operator, children first.
    pub fn input_requirements(&self, i: usize) -> Vec<Vec<Requirement>> {
        self.inputs.get(i).map(Iter::requirements).unwrap_or_default()
    }

    /// What the operators inside of the output demand, operator by operator, children first.
    pub fn output_requirements(&self) -> Vec<Vec<Requirement>> {
        self.output.requirements()
    }
}
