//! Metadata of parallel loops.
//!
//! A loop whose rounds are independent names an *access group*; every load and store in it that is a member
//! is known to LLVM to touch no memory that another round writes, so that in-place loops vectorise without
//! checks of addresses at run time. Group and loop nodes must be distinct, which LLVM's C interface cannot
//! make; the module therefore starts as a text that contains as many as its functions will need.

use std::fmt::Write;

use inkwell::memory_buffer::MemoryBuffer;
use inkwell::values::InstructionValue;

use super::*;
use ir::{Inst, Stmt};

/// The nodes of one loop.
pub(super) struct Nodes<'c> {
    pub(super) group: MetadataValue<'c>,
    pub(super) properties: MetadataValue<'c>,
}

/// How many parallel loops will be emitted; a loop of a called function counts at each call.
pub(super) struct ParallelLoops(usize);

impl ParallelLoops {
    pub(super) fn count(module: &ir::Module) -> ParallelLoops {
        let mut counts: Vec<usize> = Vec::with_capacity(module.funcs.len());
        for func in &module.funcs {
            let mut count = 0;
            func.body.for_each_stmt(&mut |stmt| match stmt {
                Stmt::For(l) => count += usize::from(l.parallel),
                Stmt::Let(_, Inst::Call(callee, _)) => {
                    count += counts.get(callee.0 as usize).copied().unwrap_or(0);
                }
                _ => {}
            });
            counts.push(count);
        }
        let exported = module.funcs.iter().zip(counts).filter(|(f, _)| f.linkage == Linkage::Export);
        ParallelLoops(exported.map(|(_, count)| count).sum())
    }

    pub(super) fn new_module<'c>(&self, context: &'c Context) -> Result<Module<'c>> {
        if self.0 == 0 {
            return Ok(context.create_module("freeloom"));
        }
        let buffer = MemoryBuffer::create_from_memory_range_copy(self.text().as_bytes(), "freeloom");
        context.create_module_from_ir(buffer).map_err(|e| CpuError::Llvm(e.to_string()))
    }

    fn text(&self) -> String {
        let mut text = String::from("!0 = !{!\"llvm.loop.mustprogress\"}\n");
        let mut list = String::new();
        for i in 0..self.0 {
            let (group, properties, accesses) = (3 * i + 1, 3 * i + 2, 3 * i + 3);
            let _ = writeln!(text, "!{group} = distinct !{{}}");
            let _ = writeln!(text, "!{properties} = distinct !{{!{properties}, !0, !{accesses}}}");
            let _ = writeln!(text, "!{accesses} = !{{!\"llvm.loop.parallel_accesses\", !{group}}}");
            let _ = write!(list, "{}!{group}, !{properties}", if i == 0 { "" } else { ", " });
        }
        text + "!parallel = !{" + &list + "}\n"
    }

    pub(super) fn nodes<'c>(&self, module: &Module<'c>) -> Vec<Nodes<'c>> {
        let all = if self.0 == 0 { Vec::new() } else { module.get_global_metadata("parallel") };
        all.chunks_exact(2).map(|pair| Nodes { group: pair[0], properties: pair[1] }).rev().collect()
    }
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
