//! Merge sort with any comparator, stable.
//!
//! Blocks are sorted first, each by one thread in its cache: short runs by insertion, then merges. Then pairs
//! of sorted pieces are merged, twice as long in each pass. The output of a pass is cut into equal shares;
//! where a share begins in either piece is found by bisection, so that all threads have work in every pass,
//! the last included.

mod cpu;

use std::sync::Arc;

use freeloom_ir::Type;
use freeloom_runtime::Interrupt;

use crate::binding::{ArrayBinding, IterBinding, OpBinding};
use crate::error::{BuildError, Built, RunError};
use crate::iter::Iter;
use crate::kernel::{Args, Bound, Variant};
use crate::op::Op;
use crate::plan::{KernelSet, Kernels, run_blocks};
use crate::sort::memory::{Items, Scratch};
use crate::{IterSpec, Operator, cache};
use cpu::word;

/// Items of a run.
const RUN: u64 = 16;
/// Bytes of a block: half of a private cache, since blocks are merged between two buffers.
const BLOCK_BYTES: u64 = 64 * 1024;
/// Items of a block whose comparator contains loops: interrupts are looked for between blocks.
const COSTLY_BLOCK: u64 = 512;
/// Most items of a share of a merge, in blocks.
const SHARE: u64 = 8;

/// A merge sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MergeSortSpec {
    /// Keys and, if there are any, values.
    pub inputs: Vec<IterSpec>,
    /// Types of the arrays that the sorted keys and values go to.
    pub outputs: Vec<Type>,
    /// `(key, key) -> bool`: does the first one come before the second one?
    pub op: Operator,
}

/// A merge sort ready to run. Free: any number of threads may run it at once.
pub struct MergeSortPlan {
    inputs: Vec<Iter>,
    outputs: Vec<Iter>,
    op: Op,
    /// Items of a block; a power of two.
    block: u64,
    kernels: Kernels<5>,
}

/// A pair of buffers for keys, or for values: the last pass writes the first one.
#[derive(Clone, Copy)]
struct Lane {
    buffers: [usize; 2],
}

/// A run under way.
struct Run<'a> {
    plan: &'a MergeSortPlan,
    n: u64,
    lanes: Vec<Lane>,
    interrupt: &'a dyn Interrupt,
}

impl MergeSortPlan {
    /// The plan of a spec: built once per process, then shared.
    pub fn build(spec: &MergeSortSpec) -> Result<Arc<MergeSortPlan>, Arc<BuildError>> {
        cache::merge_sort(spec, || MergeSortPlan::new(spec))
    }

    fn new(spec: &MergeSortSpec) -> Built<MergeSortPlan> {
        let named = spec.inputs.iter().zip(["d_in_keys", "d_in_values"]);
        let inputs = named.map(|(s, name)| Iter::input(s, name)).collect::<Built<Vec<_>>>()?;
        let outputs: Vec<Iter> = spec.outputs.iter().map(|ty| Iter::Array(ty.clone())).collect();
        let [key, ..] = spec.outputs.as_slice() else {
            return Err(BuildError::Type("d_out_keys: there is no key".into()));
        };
        if inputs.len() != outputs.len() {
            return Err(BuildError::Type("d_out_values: inputs and outputs differ in number".into()));
        }
        let op = Op::build(&spec.op, &[key.clone(), key.clone()], Some(&Type::BOOL))?;
        let size: u64 = spec.outputs.iter().map(Type::size).sum();
        let mut polls = op.polls();
        inputs.iter().for_each(|input| input.for_each_op(&mut |op| polls |= op.polls()));
        let most = if polls { COSTLY_BLOCK } else { BLOCK_BYTES };
        let block = (BLOCK_BYTES / size.max(1)).clamp(2 * RUN, most);
        let block = 1 << block.ilog2();
        let plan = MergeSortPlan { inputs, outputs, op, block, kernels: Kernels::default() };
        plan.kernels.prepare(|variant| plan.compile(variant))?;
        Ok(plan)
    }

    fn compile(&self, variant: Variant) -> Built<KernelSet<5>> {
        let parts = cpu::Parts { op: &self.op, inputs: &self.inputs, outputs: &self.outputs, run: RUN };
        KernelSet::compile(&cpu::emit(&parts, variant)?, ["runs", "pass", "split", "merge", "store"])
    }

    /// Sorts `n` items: keys, and values with them.
    ///
    /// # Safety
    ///
    /// The bindings must describe memory that is valid during the call: every item below `n` of each array of
    /// `inputs` and every item of the captured arrays for reading, every item below `n` of `outputs` for
    /// writing; what is written must not be read or written by anyone else meanwhile. An output array may be
    /// an input array itself, item for item, and must not overlap one, or another output, in any other way.
    #[expect(unsafe_code, reason = "the caller vouches for the memory")]
    pub unsafe fn run(
        &self,
        inputs: &[IterBinding],
        outputs: &[ArrayBinding],
        op: &OpBinding,
        n: u64,
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        if inputs.len() != self.inputs.len() || outputs.len() != self.outputs.len() {
            return Err(RunError::Mismatch("the number of inputs or outputs"));
        }
        let mut args = Args::default();
        self.op.pack(op, &mut args)?;
        for (iter, binding) in self.inputs.iter().zip(inputs) {
            iter.pack(binding, &mut args)?;
        }
        for (iter, array) in self.outputs.iter().zip(outputs) {
            iter.pack(&IterBinding::Array { array: array.clone(), offset: 0 }, &mut args)?;
        }
        if n == 0 {
            return Ok(());
        }
        let kernels = self.kernels.get(&args, |variant| self.compile(variant))?;
        // SAFETY: the arguments were packed by this plan's tree and the kernels are those of their variant; the
        // caller vouches for the memory. The buffers that the state names are made below for `n` items.
        let kernels = unsafe { kernels.bind(&args) };
        let mut scratch = Vec::new();
        let mut lanes = Vec::new();
        for (iter, array) in self.outputs.iter().zip(outputs) {
            let size = iter.item().size();
            let mut room = || {
                let mut bytes = Scratch::<u8>::new((n * size) as usize);
                let address = bytes.cells().address();
                scratch.push(bytes);
                address
            };
            // SAFETY: the caller vouches for the output.
            let flat = unsafe { Items::new(array, size) }.flat_address();
            let last = flat.unwrap_or_else(&mut room);
            lanes.push((Lane { buffers: [last, room()] }, flat.is_none()));
        }
        let store = lanes.iter().any(|(_, is_copy)| *is_copy);
        let lanes = lanes.into_iter().map(|(lane, _)| lane).collect();
        Run { plan: self, n, lanes, interrupt }.all(kernels, store)
    }

    /// Bytes of scratch memory that a run over `n` items takes from the heap, at most.
    pub fn temp_storage_bytes(&self, n: u64) -> u64 {
        let size: u64 = self.outputs.iter().map(|o| o.item().size()).sum();
        n.saturating_mul(2 * size)
    }
}

impl Run<'_> {
    fn all(&self, [runs, pass, split, merge, store]: [Bound<'_>; 5], copies: bool) -> Result<(), RunError> {
        let block = self.plan.block;
        let blocks = self.n.div_ceil(block);
        let inner = self.n.min(block).div_ceil(RUN).next_power_of_two().ilog2();
        let outer = blocks.next_power_of_two().ilog2();
        // Which buffer has the items before a pass with that many passes to come.
        let side = |to_come: u32| to_come as usize % 2;
        run_blocks(blocks as usize, self.interrupt, &|b| {
            let (lo, hi) = (b as u64 * block, ((b as u64 + 1) * block).min(self.n));
            runs.call(lo, hi, &mut self.state(1 - side(inner + outer)));
            for i in 0..inner {
                let mut state = self.state(side(inner - i + outer));
                state[word::WIDTH] = RUN << i;
                pass.call(lo, hi, &mut state);
            }
        })?;
        for i in 0..outer {
            let (width, from) = (block << i, side(outer - i));
            let share = (2 * width).min(SHARE * block);
            run_blocks(self.n.div_ceil(share) as usize, self.interrupt, &|s| {
                let lo = s as u64 * share;
                self.merge_share(split, merge, width, from, (lo, (lo + share).min(self.n)));
            })?;
        }
        if copies {
            run_blocks(blocks as usize, self.interrupt, &|b| {
                let (lo, hi) = (b as u64 * block, ((b as u64 + 1) * block).min(self.n));
                store.call(lo, hi, &mut self.state(0));
            })?;
        }
        Ok(())
    }

    /// A state that reads the buffers of side `from` and writes those of the other side.
    fn state(&self, from: usize) -> [u64; word::COUNT] {
        let mut state = [0; word::COUNT];
        for (i, lane) in self.lanes.iter().enumerate() {
            state[word::FROM + i] = lane.buffers[from] as u64;
            state[word::TO + i] = lane.buffers[1 - from] as u64;
        }
        state
    }

    /// Makes items `lo .. hi` of the merge of two pieces of `width` items. The pieces begin at the last multiple
    /// of twice that; a share never crosses it.
    fn merge_share(&self, split: Bound<'_>, merge: Bound<'_>, width: u64, from: usize, (lo, hi): (u64, u64)) {
        let left = lo / (2 * width) * (2 * width);
        let right = (left + width).min(self.n);
        let end = (left + 2 * width).min(self.n);
        let mut state = self.state(from);
        let mut lefts = |take: u64| {
            state[word::LEFT..=word::RIGHT_END].copy_from_slice(&[left, right, right, end]);
            split.call(0, take, &mut state);
            state[word::LEFT]
        };
        let (first, last) = (lo - left, hi - left);
        let (from_left, to_left) = (lefts(first), lefts(last));
        // A comparator that contradicts itself could make a share begin behind its end.
        let to_left = to_left
            .clamp(from_left.max(last.saturating_sub(end - right)), (right - left).min(from_left + hi - lo));
        let rights = [right + first - from_left, right + last - to_left];
        state[word::LEFT..=word::OUT].copy_from_slice(&[
            left + from_left,
            left + to_left,
            rights[0],
            rights[1],
            lo,
        ]);
        merge.call(0, 0, &mut state);
    }
}
