//! The pass pipeline and code generation.

use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{FileType, TargetMachine};

use crate::CpuError;

/// What kernels need and no more: emission has inlined everything already, so there is one function at a time
/// to bring into SSA form, to clean, to vectorise and to clean again.
const PIPELINE: &str = concat!(
    "function(",
    // Stack slots become values.
    "sroa<modify-cfg>,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,",
    // Loops take the shape that the vectoriser wants.
    "loop-mssa(loop-rotate,licm<allowspeculation>),",
    "simplifycfg,instcombine<no-verify-fixpoint>,loop(indvars,loop-deletion),",
    "loop-vectorize,",
    // What vectorisation left behind; short loops over register blocks unroll and leave memory.
    "instcombine<no-verify-fixpoint>,simplifycfg,loop-unroll<O2;no-runtime;no-partial>,",
    "sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,",
    "loop-mssa(licm<allowspeculation>),simplifycfg,dce)"
);

/// Tells the module which machine it is for.
pub(crate) fn prepare(module: &Module<'_>, machine: &TargetMachine) {
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
}

/// Runs the pipeline.
pub(crate) fn run(module: &Module<'_>, machine: &TargetMachine) -> Result<(), CpuError> {
    if cfg!(debug_assertions) {
        module.verify().map_err(|e| CpuError::Llvm(e.to_string()))?;
    }
    let options = PassBuilderOptions::create();
    options.set_verify_each(false);
    module.run_passes(PIPELINE, machine, options).map_err(|e| CpuError::Llvm(e.to_string()))
}

/// Generates the object.
pub(crate) fn object(module: &Module<'_>, machine: &TargetMachine) -> Result<Vec<u8>, CpuError> {
    let buffer = machine.write_to_memory_buffer(module, FileType::Object);
    Ok(buffer.map_err(|e| CpuError::Llvm(e.to_string()))?.as_slice().to_vec())
}
