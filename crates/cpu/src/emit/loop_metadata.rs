//! Metadata of counted loops.
//!
//! A loop of few rounds is not vectorised, which would cost more compile time than it saves. A loop whose rounds are independent names an *access group*; every load and store in it that is a member
//! is known to LLVM to touch no memory that another round writes, so that in-place loops vectorise without
//! checks of addresses at run time. Group and loop nodes must be distinct, which LLVM's C interface cannot
//! make; the module therefore starts as a text that contains as many as its functions will need.

use std::fmt::Write;

use inkwell::memory_buffer::MemoryBuffer;
use inkwell::values::InstructionValue;

use super::*;
use ir::{Inst, Rounds, Stmt};

/// The nodes of one parallel loop.
pub(super) struct ParallelNodes<'c> {
    pub(super) group: MetadataValue<'c>,
    pub(super) properties: MetadataValue<'c>,
}

/// The nodes of loops that were not emitted yet.
pub(super) struct LoopNodes<'c> {
    pub(super) parallel: Vec<ParallelNodes<'c>>,
    pub(super) few: Vec<MetadataValue<'c>>,
}

/// How many loops will be emitted; a loop of a called function counts at each call.
#[derive(Clone, Copy, Default)]
pub(super) struct LoopCounts {
    parallel: usize,
    few: usize,
}

impl LoopCounts {
    pub(super) fn of(module: &ir::Module) -> LoopCounts {
        let mut counts: Vec<LoopCounts> = Vec::with_capacity(module.funcs.len());
        for func in &module.funcs {
            let mut count = LoopCounts::default();
            func.body.for_each_stmt(&mut |stmt| match stmt {
                Stmt::For(l) => count.add(LoopCounts {
                    parallel: usize::from(l.rounds == Rounds::Parallel),
                    few: usize::from(l.rounds == Rounds::Few),
                }),
                Stmt::Let(_, Inst::Call(callee, _)) => {
                    count.add(counts.get(callee.0 as usize).copied().unwrap_or_default());
                }
                _ => {}
            });
            counts.push(count);
        }
        let mut total = LoopCounts::default();
        let exported = module.funcs.iter().zip(counts).filter(|(f, _)| f.linkage == Linkage::Export);
        exported.for_each(|(_, count)| total.add(count));
        total
    }

    fn add(&mut self, other: LoopCounts) {
        self.parallel += other.parallel;
        self.few += other.few;
    }

    pub(super) fn new_module<'c>(&self, context: &'c Context) -> Result<Module<'c>> {
        if self.parallel + self.few == 0 {
            return Ok(context.create_module("freeloom"));
        }
        let buffer = MemoryBuffer::create_from_memory_range_copy(self.text().as_bytes(), "freeloom");
        context.create_module_from_ir(buffer).map_err(|e| CpuError::Llvm(e.to_string()))
    }

    fn text(&self) -> String {
        let mut text = String::from(concat!(
            "!0 = !{!\"llvm.loop.mustprogress\"}\n",
            "!1 = !{!\"llvm.loop.vectorize.enable\", i1 false}\n",
            "!2 = !{!\"llvm.loop.unroll.disable\"}\n",
        ));
        let mut lists = [String::new(), String::new()];
        for i in 0..self.parallel {
            let (group, properties, accesses) = (3 * i + 3, 3 * i + 4, 3 * i + 5);
            let _ = writeln!(text, "!{group} = distinct !{{}}");
            let _ = writeln!(text, "!{properties} = distinct !{{!{properties}, !0, !{accesses}}}");
            let _ = writeln!(text, "!{accesses} = !{{!\"llvm.loop.parallel_accesses\", !{group}}}");
            let _ = write!(lists[0], "{}!{group}, !{properties}", separator(i));
        }
        for i in 0..self.few {
            let properties = 3 * self.parallel + 3 + i;
            let _ = writeln!(text, "!{properties} = distinct !{{!{properties}, !0, !1, !2}}");
            let _ = write!(lists[1], "{}!{properties}", separator(i));
        }
        format!("{text}!parallel = !{{{}}}\n!few = !{{{}}}\n", lists[0], lists[1])
    }

    pub(super) fn nodes<'c>(&self, module: &Module<'c>) -> LoopNodes<'c> {
        let list = |count, name| if count == 0 { Vec::new() } else { module.get_global_metadata(name) };
        let pairs = list(self.parallel, "parallel");
        let parallel = pairs.chunks_exact(2).map(|p| ParallelNodes { group: p[0], properties: p[1] });
        LoopNodes { parallel: parallel.rev().collect(), few: list(self.few, "few") }
    }
}

fn separator(i: usize) -> &'static str {
    if i == 0 { "" } else { ", " }
}

impl<'c> Emitter<'c, '_> {
    /// Makes a load or store a member of the groups of all parallel loops around it.
    pub(super) fn tag_access(&self, inst: InstructionValue<'c>) -> Result<()> {
        let node = match &self.groups[..] {
            [] => return Ok(()),
            [group] => *group,
            groups => self.context.metadata_node(&groups.iter().map(|g| (*g).into()).collect::<Vec<_>>()),
        };
        let kind = self.context.get_kind_id("llvm.access.group");
        inst.set_metadata(node, kind).map_err(|e| CpuError::Llvm(e.to_string()))
    }
}
