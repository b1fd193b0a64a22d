//! CPU back end: IR to LLVM to object code, loaded in process.
//!
//! ```text
//! ir::Module ─emit─▶ LLVM IR ─jit::optimise─▶ relocatable object bytes ─jit::load─▶ Code
//! ```
//!
//! The bytes in the middle are the artifact: a fresh compilation, a cache hit and a file built ahead of time
//! all go through [`Code::load`].
//!
//! * `emit` — one file per domain of operations; knows nothing of optimisation or loading
//! * `jit` — the pass pipeline, code generation, linking into this process and the symbols code may use
//! * [`target`] — which processor to compile for
//! * `exit` — LLVM is not in use any more when the process destroys it
//!
//! Threads: everything is free. A compilation has an LLVM context of its own, so that compilations run in
//! parallel; loaded code is immutable.

mod emit;
mod error;
mod exit;
mod jit;
pub mod target;

use freeloom_ir as ir;
use inkwell::context::Context;

pub use error::CpuError;
pub use exit::end;
pub use jit::load::Code;
pub use target::{CpuTarget, HostCpu, host};

/// What to compile for, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The processor. Default: this one.
    pub cpu: CpuTarget,
    /// Optimise? Only tests and people who read LLVM IR want `false`.
    pub optimise: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { cpu: CpuTarget::host(), optimise: true }
    }
}

/// Compiles the exported functions of a module into a relocatable object.
pub fn compile(module: &ir::Module, options: &Options) -> Result<Vec<u8>, CpuError> {
    let _llvm = exit::use_llvm();
    target::with_machine(&options.cpu, |machine| {
        let context = Context::create();
        jit::silence(&context);
        let llvm = emit::module(&context, module, &options.cpu)?;
        jit::optimise::prepare(&llvm, machine);
        if options.optimise {
            jit::optimise::run(&llvm, machine)?;
        }
        jit::optimise::object(&llvm, machine)
    })
}

/// The LLVM IR that [`compile`] would make code from, as text.
pub fn emit_text(module: &ir::Module, options: &Options) -> Result<String, CpuError> {
    let _llvm = exit::use_llvm();
    target::with_machine(&options.cpu, |machine| {
        let context = Context::create();
        jit::silence(&context);
        let llvm = emit::module(&context, module, &options.cpu)?;
        if options.optimise {
            jit::optimise::prepare(&llvm, machine);
            jit::optimise::run(&llvm, machine)?;
        }
        Ok(llvm.print_to_string().to_string())
    })
}

/// The version of LLVM inside this library. It is part of every artifact's key.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}
