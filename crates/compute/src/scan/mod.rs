//! Scan (prefix reduction): `out[i] = op(… op(init, in[0]) …, in[i])`, or without `in[i]` if exclusive.
//!
//! One pass over memory: a block is folded while it comes into the cache, takes the prefix of its predecessor
//! from the [chain](crate::chain), and is scanned from the cache. Blocks depend on the number of items and the
//! types only, so results have the same bits for every number of threads. Inside of a block items are grouped by
//! strands: `op(op(prefix, sum of strand 0), …)`, then item after item.

mod cpu;

use std::sync::Arc;

use freeloom_ir::Type;
use freeloom_runtime::Interrupt;
use smallvec::{SmallVec, smallvec};

use crate::binding::{IterBinding, OpBinding};
use crate::chain::Chain;
use crate::error::{BuildError, Built, RunError};
use crate::iter::Iter;
use crate::kernel::{Args, Bound, Variant};
use crate::op::{Op, Requirement};
use crate::plan::{KernelSet, Kernels, run_blocks};
use crate::reduce::partial_words;
use crate::{ScanKind, ScanSpec, cache};

use cpu::Shape;

/// Memory traffic of the largest blocks: a block is read twice, the second time from the private cache.
const BLOCK_BYTES: u64 = 512 * 1024;
/// Blocks that a scan should be cut into at least, if they do not become too small for it.
const MANY_BLOCKS: u64 = 16;
/// Fewest items of a strand, apart from the skew.
const MIN_STRAND: u64 = 512;
/// Items by which strands are longer than a power of two: otherwise the streams of all strands would fall
/// into the same few sets of the cache.
const STRAND_SKEW: u64 = 64;
/// Items up to which a scan is one sequential pass.
const SEQUENTIAL: u64 = 8 * 1024;
/// Bytes of the buffer through which a block is scanned.
const CHUNK_BYTES: u64 = 16 * 1024;

/// Most blocks that are run together, so that the memory for their links stays small: a longer scan goes on from
/// the last prefix.
const TOGETHER: usize = 1 << 16;

/// A row of accumulators, on the stack in all usual cases.
type State = SmallVec<[u64; 32]>;

/// A scan ready to run. Free: any number of threads may run it at once.
pub struct ScanPlan {
    input: Iter,
    output: Iter,
    op: Op,
    acc: Type,
    kind: ScanKind,
    has_init: bool,
    shape: Shape,
    kernels: Kernels<4>,
}

/// A range of `n` items cut into blocks.
#[derive(Clone, Copy)]
struct Cut {
    /// Items of a whole block.
    block: u64,
    /// Items before the first whole block.
    lead: u64,
    count: usize,
    n: u64,
}

/// What the blocks of a run share.
struct Run<'a> {
    kernels: [Bound<'a>; 4],
    chain: Chain,
    /// The first block of those run together.
    first: usize,
    /// What comes before that block, in words.
    prefix: Option<State>,
    cut: Cut,
}

impl ScanPlan {
    /// The plan of a spec: built once per process, then shared.
    pub fn build(spec: &ScanSpec) -> Result<Arc<ScanPlan>, Arc<BuildError>> {
        cache::scan(spec, || ScanPlan::new(spec))
    }

    fn new(spec: &ScanSpec) -> Built<ScanPlan> {
        if spec.kind == ScanKind::Exclusive && spec.init.is_none() {
            return Err(BuildError::Type("init_value: an exclusive scan needs an initial value".into()));
        }
        let input = Iter::input(&spec.input, "d_in")?;
        let output = Iter::output(&spec.output, "d_out")?;
        let acc = spec.init.clone().unwrap_or_else(|| input.item().clone());
        let op = Op::build(&spec.op, &[acc.clone(), acc.clone()], Some(&acc))?;
        let shape = shape(&op, &acc, &input, &output);
        let (kind, has_init) = (spec.kind, spec.init.is_some());
        let plan = ScanPlan { input, output, op, acc, kind, has_init, shape, kernels: Kernels::default() };
        plan.kernels.prepare(|variant| plan.compile(variant))?;
        Ok(plan)
    }

    fn compile(&self, variant: Variant) -> Built<KernelSet<4>> {
        let ScanPlan { op, input, output, acc, kind, has_init, shape, .. } = self;
        let parts = cpu::Parts { op, input, output, acc, kind: *kind, has_init: *has_init, shape: *shape };
        KernelSet::compile(&cpu::emit(&parts, variant)?, ["seq", "sums", "chain", "scan"])
    }

    /// Scans `n` items. `init` is the initial value as it lies in memory.
    ///
    /// # Safety
    ///
    /// The bindings must describe memory that is valid during the call: every item below `n` of each array of
    /// `input` and every item of the captured arrays for reading, every item below `n` of `output` for
    /// writing; what is written must not be read or written by anyone else meanwhile. An output array may be
    /// an input array itself, item for item, and must not overlap it in any other way.
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
        let mut args = Args::default();
        self.op.pack(op, &mut args)?;
        self.input.pack(input, &mut args)?;
        self.output.pack(output, &mut args)?;
        let init = self.init_words(init)?;
        if n == 0 {
            return Ok(());
        }
        let set = self.kernels.get(&args, |variant| self.compile(variant))?;
        // SAFETY: the arguments were packed by this plan's tree and the kernels are those of their variant;
        // the caller vouches for the memory.
        let kernels = unsafe { set.bind(&args) };
        let Some(cut) = self.cut(n) else {
            return run_blocks(1, interrupt, &|_| {
                let mut state = init.clone().unwrap_or_else(|| smallvec![0; partial_words(&self.acc)]);
                kernels[0].call(0, n, &mut state);
            });
        };
        self.together(kernels, init, cut, interrupt)
    }

    fn together(
        &self,
        kernels: [Bound<'_>; 4],
        mut prefix: Option<State>,
        cut: Cut,
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        let words = partial_words(&self.acc);
        for first in (0..cut.count).step_by(TOGETHER) {
            let count = TOGETHER.min(cut.count - first);
            let run = Run { kernels, chain: Chain::new(count, words), first, prefix, cut };
            run_blocks(count, interrupt, &|block| self.block(&run, block))?;
            let mut last: State = smallvec![0; words];
            // All blocks have run, so the link is set.
            run.chain.wait(count - 1, &mut last, || true);
            prefix = Some(last);
        }
        Ok(())
    }

    fn init_words(&self, init: Option<&[u8]>) -> Result<Option<State>, RunError> {
        let size = self.acc.size() as usize;
        match (self.has_init, init) {
            (false, _) => Ok(None),
            (true, None) => Err(RunError::Mismatch("a missing initial value")),
            (true, Some(bytes)) if bytes.len() < size => {
                Err(RunError::Mismatch("the size of the initial value"))
            }
            (true, Some(bytes)) => {
                let mut words: State = smallvec![0; partial_words(&self.acc)];
                for (word, part) in words.iter_mut().zip(bytes[..size].chunks(8)) {
                    let mut whole = [0; 8];
                    whole[..part.len()].copy_from_slice(part);
                    *word = u64::from_ne_bytes(whole);
                }
                Ok(Some(words))
            }
        }
    }

    /// How `n` items are cut; `None`: not at all.
    fn cut(&self, n: u64) -> Option<Cut> {
        let Shape { strands, chunk, most } = self.shape;
        if n <= SEQUENTIAL.min(2 * most) {
            return None;
        }
        let most = most / strands;
        let strand = (n / (MANY_BLOCKS * strands)).clamp(MIN_STRAND.min(most), most);
        let strand = (1 << strand.ilog2()) + if strands > 1 { STRAND_SKEW.max(chunk) } else { 0 };
        // Without initial value there is no prefix to start strands from: a short block goes before.
        let lead = if self.has_init { 0 } else { strand.min(n) };
        let block = strand * strands;
        let count = (n - lead).div_ceil(block) as usize + usize::from(lead > 0);
        Some(Cut { block, lead, count, n })
    }

    /// Folds a block, takes and hands on the prefix, scans the block. See [`chain`](crate::chain).
    fn block(&self, run: &Run<'_>, link: usize) {
        let block = run.first + link;
        let words = partial_words(&self.acc);
        let [seq, sums, chain, scan] = &run.kernels;
        let Cut { block: size, lead, n, .. } = run.cut;
        let (lo, hi) = match (lead, block as u64) {
            (0, b) => (b * size, (b + 1) * size),
            (lead, 0) => (0, lead),
            (lead, b) => (lead + (b - 1) * size, lead + b * size),
        };
        let hi = hi.min(n);
        let mut state: State = smallvec![0; words * (1 + self.shape.strands as usize)];
        // The first block of a scan without initial value has no prefix for its strands; the last one, which
        // nobody waits for, need not be folded before it is scanned if that gains nothing.
        let has_prefix = link > 0 || run.prefix.is_some();
        let in_strands = has_prefix && hi - lo == size && (self.shape.strands > 1 || hi < n);
        if in_strands {
            sums.call(lo, hi, &mut state);
        }
        match (link, &run.prefix) {
            (0, None) => {}
            (0, Some(prefix)) => state[..words].copy_from_slice(prefix),
            _ if run.chain.wait(link - 1, &mut state[..words], freeloom_runtime::cancelled) => {}
            _ => return,
        }
        if in_strands {
            chain.call(0, 0, &mut state);
            run.chain.publish(link, &state[words * self.shape.strands as usize..]);
            scan.call(lo, hi, &mut state);
        } else {
            seq.call(lo, hi, &mut state);
            run.chain.publish(link, &state[..words]);
        }
    }

    /// Bytes of scratch memory that a run over `n` items takes from the heap.
    pub fn temp_storage_bytes(&self, n: u64) -> u64 {
        self.cut(n).map_or(0, |cut| Chain::bytes(cut.count.min(TOGETHER) as u64, partial_words(&self.acc)))
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

/// How blocks are cut. Strands hide the latency of cheap operators; the code of a heavy one is not repeated.
fn shape(op: &Op, acc: &Type, input: &Iter, output: &Iter) -> Shape {
    let mut weight = op.weight();
    let mut polls = op.polls();
    for iter in [input, output] {
        iter.for_each_op(&mut |op| {
            weight += op.weight();
            polls |= op.polls();
        });
    }
    let strands = match weight {
        0..=12 => 8,
        13..=60 => 4,
        _ => 1,
    };
    let traffic = (input.traffic() + output.traffic()).max(1);
    let most = if polls { 512 } else { (BLOCK_BYTES / traffic).clamp(512, 64 * 1024) };
    let chunk = (CHUNK_BYTES / (acc.size() * strands).max(1)).clamp(8, 64);
    Shape { strands, chunk: 1 << chunk.ilog2(), most: 1 << most.ilog2() }
}

/// Access to the kernels for tests.
#[cfg(test)]
pub(crate) mod testing {
    use freeloom_ir::Module;

    use super::*;

    /// The kernels of a scan with an initial value, and the number of strands.
    pub(crate) fn emit(op: &Op, array: &Iter, acc: &Type, kind: ScanKind) -> (Module, u64) {
        let shape = shape(op, acc, array, array);
        let parts = cpu::Parts { op, input: array, output: array, acc, kind, has_init: true, shape };
        (cpu::emit(&parts, Variant::new()).unwrap(), shape.strands)
    }
}
