//! From LLVM IR to code in this process.

pub(crate) mod load;
pub(crate) mod optimise;
mod session;
mod symbols;

use inkwell::context::Context;
use inkwell::llvm_sys::core::LLVMContextSetDiagnosticHandler;
use inkwell::llvm_sys::prelude::LLVMDiagnosticInfoRef;

/// Keeps LLVM from printing remarks about what is compiled in `context`.
pub(crate) fn silence(context: &Context) {
    extern "C" fn ignore(_: LLVMDiagnosticInfoRef, _: *mut std::ffi::c_void) {}
    // SAFETY: the context is alive, and the handler uses neither of its arguments.
    unsafe { LLVMContextSetDiagnosticHandler(context.raw(), Some(ignore), std::ptr::null_mut()) };
}
