//! Compaction: items that are kept go side by side to the outputs, in their order.
//!
//! One pass over memory: a block is decided on and packed into a buffer that lies in the private cache, takes
//! the output positions of its predecessor from the [chain](crate::chain), hands on its own, and is copied out.
//! An output may be the input array itself: a block is written when it and all before it have been read, to
//! places that do not lie behind its end.

mod cpu;
mod layout;
mod pack;
mod rule;
mod scratch;
mod spec;
mod streams;

use std::sync::Arc;

use freeloom_ir::Type;
use freeloom_runtime::Interrupt;

use crate::binding::{IterBinding, OpBinding};
use crate::cache;
use crate::chain::Chain;
use crate::error::{BuildError, Built, RunError};
use crate::grain::{Cut, Grain};
use crate::iter::Iter;
use crate::kernel::{Args, Bound, Variant};
use crate::op::Op;
use crate::plan::{KernelSet, Kernels, run_blocks};

use layout::{HEADER, Layout};
use pack::{CHUNK, Column, pack};
use rule::Kind;
pub use spec::{CompactRule, CompactSpec};
use streams::Streams;

/// Most parts of a compaction.
const MAX_PARTS: usize = 3;

/// A compaction ready to run. Free: any number of threads may run it at once.
pub struct CompactPlan {
    kind: Kind,
    ops: Vec<Op>,
    inputs: Vec<Iter>,
    outputs: Vec<Iter>,
    counts: Iter,
    grain: Grain,
    layout: Layout,
    /// What is to be packed for each part; `None`: the kernels do it.
    columns: Option<Vec<Vec<Column>>>,
    kernels: Kernels<3>,
}

/// What a run of a compaction is given.
#[derive(Clone, Copy, Debug)]
pub struct CompactArgs<'a> {
    /// The input, or keys and items.
    pub inputs: &'a [IterBinding],
    /// The outputs, in the order of the spec.
    pub outputs: &'a [IterBinding],
    /// How many items each output has room for.
    pub rooms: &'a [u64],
    /// Where the counts go.
    pub counts: &'a IterBinding,
    /// How many are written. Those that have no meaning are zero; at most eight.
    pub count_room: u64,
    /// The operators.
    pub ops: &'a [OpBinding],
}

/// What the blocks of a run share.
struct Run<'a> {
    kernels: [Bound<'a>; 3],
    chain: Chain,
    /// Room of each part.
    rooms: [u64; MAX_PARTS],
    counts: u64,
    cut: Cut,
    n: u64,
    streams: Streams,
}

impl CompactPlan {
    /// The plan of a spec: built once per process, then shared.
    pub fn build(spec: &CompactSpec) -> Result<Arc<CompactPlan>, Arc<BuildError>> {
        cache::compact(spec, || CompactPlan::new(spec))
    }

    fn new(spec: &CompactSpec) -> Built<CompactPlan> {
        let kind = Kind::of(&spec.rule);
        let names = kind.names();
        if spec.inputs.len() != names.inputs.len() || spec.outputs.len() != names.outputs.len() {
            return Err(BuildError::Backend("inputs or outputs are missing".into()));
        }
        let inputs = spec.inputs.iter().zip(names.inputs);
        let inputs = inputs.map(|(spec, name)| Iter::input(spec, name)).collect::<Built<Vec<_>>>()?;
        let outputs = spec.outputs.iter().zip(names.outputs);
        let outputs = outputs.map(|(spec, name)| Iter::output(spec, name)).collect::<Built<Vec<_>>>()?;
        let counts = Iter::output(&spec.counts, names.counts)?;
        if !counts.item().scalar().is_some_and(|s| s.is_int()) {
            let text = format!("{}: counts need an integer type, not {}", names.counts, counts.item());
            return Err(BuildError::Type(text));
        }
        let ops = rule::ops(&spec.rule, &inputs)?;
        let grain = Grain::new(&ops.iter().collect::<Vec<_>>(), &inputs.iter().collect::<Vec<_>>());
        let layout = Layout::new(&inputs, kind.parts(), grain.block);
        let columns = (0..kind.parts()).map(|part| layout.columns(part)).collect::<Option<Vec<_>>>();
        let columns = columns.filter(|_| pack::is_supported());
        let kernels = Kernels::default();
        let plan = CompactPlan { kind, ops, inputs, outputs, counts, grain, layout, columns, kernels };
        plan.kernels.prepare(|variant| plan.compile(variant))?;
        Ok(plan)
    }

    fn compile(&self, variant: Variant) -> Built<KernelSet<3>> {
        let CompactPlan { kind, ops, inputs, outputs, counts, layout, .. } = self;
        let packed = self.columns.is_some();
        let parts = cpu::Parts { kind: *kind, ops, inputs, outputs, counts, layout, packed };
        KernelSet::compile(&cpu::emit(&parts, variant)?, ["pick", "place", "counts"])
    }

    /// Compacts `n` items. If an output has too little room for what is kept, its room is filled, the counts are
    /// not written, and the result is an error.
    ///
    /// # Safety
    ///
    /// The bindings must describe memory that is valid during the call: every item below `n` of each array of
    /// `inputs` and every item of the captured arrays for reading, every item below `n` and the output's room
    /// of each output, and every item below `count_room` of `counts`, for writing; what is written must not be
    /// read or written by anyone else meanwhile. An output array may be an input array itself, item for item,
    /// except the input of keys, and must not overlap it in any other way.
    #[expect(unsafe_code, reason = "the caller vouches for the memory")]
    pub unsafe fn run(
        &self,
        call: &CompactArgs<'_>,
        n: u64,
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        let args = self.pack(call)?;
        let set = self.kernels.get(&args, |variant| self.compile(variant))?;
        // SAFETY: the arguments were packed by this plan's tree and the kernels are those of their variant;
        // the caller vouches for the memory.
        let kernels = unsafe { set.bind(&args) };
        let (parts, lanes) = (self.kind.parts(), self.inputs.len());
        let mut rooms = [0; MAX_PARTS];
        for (room, lanes) in rooms.iter_mut().zip(call.rooms.chunks(lanes)) {
            *room = lanes.iter().copied().min().unwrap_or(0);
        }
        let cut = self.cut(n);
        let chain = Chain::new(cut.count, parts);
        let streams = streams::find(call.inputs);
        let run = Run { kernels, chain, rooms, counts: call.count_room.min(HEADER), cut, n, streams };
        run_blocks(cut.count, interrupt, &|block| self.block(&run, block))?;
        let mut kept = [0; MAX_PARTS];
        run.chain.wait(cut.count - 1, &mut kept[..parts], || true);
        self.check_room(&kept, call.rooms)
    }

    fn pack(&self, call: &CompactArgs<'_>) -> Result<Args, RunError> {
        let same = call.ops.len() == self.ops.len()
            && call.inputs.len() == self.inputs.len()
            && call.outputs.len() == self.outputs.len()
            && call.rooms.len() == self.outputs.len();
        if !same {
            return Err(RunError::Mismatch("the number of arguments"));
        }
        let mut args = Args::default();
        for (op, binding) in self.ops.iter().zip(call.ops) {
            op.pack(binding, &mut args)?;
        }
        let iters = self.inputs.iter().chain(&self.outputs).zip(call.inputs.iter().chain(call.outputs));
        for (iter, binding) in iters {
            iter.pack(binding, &mut args)?;
        }
        self.counts.pack(call.counts, &mut args)?;
        Ok(args)
    }

    /// At least one block: without items there are counts to write.
    fn cut(&self, n: u64) -> Cut {
        let cut = self.grain.cut(n, u64::from(u32::MAX));
        Cut { count: cut.count.max(1), ..cut }
    }

    /// Packs a block, takes and hands on the positions, copies it out. See [`chain`](crate::chain).
    fn block(&self, run: &Run<'_>, block: usize) {
        let parts = self.kind.parts();
        let place = &run.kernels[1];
        let (lo, hi) = run.cut.range(block, run.n);
        scratch::with(self.layout.words(), |scratch| {
            // An operator that fails ends the kernel before it has counted.
            scratch[..parts].fill(0);
            if lo < hi {
                self.pick(run, (lo, hi), scratch);
            }
            let (mut before, mut after) = ([0; MAX_PARTS], [0; MAX_PARTS]);
            let mine = &mut before[..parts];
            if block > 0 && !run.chain.wait(block - 1, mine, freeloom_runtime::cancelled) {
                return;
            }
            for part in 0..parts {
                after[part] = before[part] + scratch[part];
            }
            run.chain.publish(block, &after[..parts]);
            for part in 0..parts {
                scratch[2 * part] = before[part].min(run.rooms[part]);
                scratch[2 * part + 1] = after[part].min(run.rooms[part]);
            }
            place.call(0, 0, scratch);
            if block + 1 == run.cut.count {
                self.write_counts(run, &after, scratch);
            }
        });
    }

    /// Packs the items of a block into the buffers, `scratch[p]` into that of part `p`.
    fn pick(&self, run: &Run<'_>, (lo, hi): (u64, u64), scratch: &mut [u64]) {
        let pick = &run.kernels[0];
        let Some(columns) = &self.columns else { return pick.call(lo, hi, scratch) };
        for begin in (lo..hi).step_by(CHUNK) {
            let end = hi.min(begin + CHUNK as u64);
            pick.call(begin, end, scratch);
            // Memory would rest while items are packed.
            run.streams.iter().for_each(|stream| stream.prefetch(end, CHUNK as u64));
            for (part, columns) in columns.iter().enumerate() {
                let decision = (self.layout.decisions as usize, part as u8);
                let kept = scratch[part] as usize;
                scratch[part] = pack(scratch, decision, columns, (end - begin) as usize, kept) as u64;
            }
        }
    }

    /// Writes the counts, unless something did not fit.
    fn write_counts(&self, run: &Run<'_>, kept: &[u64; MAX_PARTS], scratch: &mut [u64]) {
        let fits = kept.iter().zip(&run.rooms).all(|(kept, room)| kept <= room);
        let counted = &kept[..self.counted()];
        if !fits || counted.iter().any(|kept| *kept > self.most_counted()) {
            return;
        }
        scratch[..HEADER as usize].fill(0);
        scratch[..counted.len()].copy_from_slice(counted);
        run.kernels[2].call(0, run.counts, scratch);
    }

    /// How many parts are counted: all but the rest of a partition.
    fn counted(&self) -> usize {
        self.kind.parts().min(2)
    }

    /// The greatest number that the type of the counts holds.
    fn most_counted(&self) -> u64 {
        match self.counts.item().scalar() {
            Some(s) if s.is_signed() => u64::MAX >> (65 - s.bits()),
            Some(s) => u64::MAX >> (64 - s.bits()),
            None => 0,
        }
    }

    fn check_room(&self, kept: &[u64; MAX_PARTS], rooms: &[u64]) -> Result<(), RunError> {
        let (names, lanes) = (self.kind.names(), self.inputs.len());
        for (i, room) in rooms.iter().enumerate() {
            let kept = kept[i / lanes];
            if kept > *room {
                let name = names.outputs[i];
                let text = format!("{name} has room for {room} items, but {kept} were selected");
                return Err(RunError::Output(text));
            }
        }
        match kept[..self.counted()].iter().find(|kept| **kept > self.most_counted()) {
            None => Ok(()),
            Some(kept) => {
                Err(RunError::Output(format!("{}: {kept} does not fit {}", names.counts, self.counts.item())))
            }
        }
    }

    /// Bytes of scratch memory that a run over `n` items takes from the heap, apart from buffers that threads
    /// keep.
    pub fn temp_storage_bytes(&self, n: u64) -> u64 {
        Chain::bytes(self.cut(n).count as u64, self.kind.parts())
    }

    /// Type of the items read, of each input.
    pub fn input_types(&self) -> Vec<&Type> {
        self.inputs.iter().map(Iter::item).collect()
    }

    /// Type of what is written, of each output.
    pub fn output_types(&self) -> Vec<&Type> {
        self.outputs.iter().map(Iter::item).collect()
    }
}
