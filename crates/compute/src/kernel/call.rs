//! Calling kernels. The only module that does.
#![expect(unsafe_code, reason = "kernels are machine code behind a C function pointer")]

use std::sync::Arc;

use freeloom_cpu::Code;

use super::Args;
use crate::error::{BuildError, Built};

type Function = unsafe extern "C" fn(*const u64, i64, i64, *mut u8);

/// A loaded kernel.
pub(crate) struct Entry {
    function: Function,
    /// Keeps the code loaded.
    _code: Arc<Code>,
}

impl Entry {
    /// The kernel of that name.
    pub(crate) fn new(code: &Arc<Code>, name: &str) -> Built<Entry> {
        let address = code
            .symbol(name)
            .filter(|a| !a.is_null())
            .ok_or_else(|| BuildError::Backend(format!("the object has no symbol {name}")))?;
        // SAFETY: exported functions of modules made by `Unit::kernel` have this signature and the C calling
        // convention; the code stays loaded while `_code` lives, which is as long as the pointer.
        let function = unsafe { std::mem::transmute::<*const u8, Function>(address) };
        Ok(Entry { function, _code: Arc::clone(code) })
    }

    /// The kernel with arguments.
    ///
    /// # Safety
    ///
    /// While the result is used, `args` must have been packed by the typed tree that the kernel was made
    /// from, for its variant, and every address in it must be valid for the items the kernel is called with:
    /// for reading in inputs, constants and captured arrays, for writing in outputs.
    pub(crate) unsafe fn bind<'a>(&'a self, args: &'a Args) -> Bound<'a> {
        Bound { function: self.function, args: args.slots.as_ptr(), _args: args }
    }
}

/// A kernel with arguments, whose memory the creator has vouched for.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'a> {
    function: Function,
    args: *const u64,
    _args: &'a Args,
}

// SAFETY: `args` points into `_args`, which is shared and read only; the memory behind the addresses was
// vouched for by whoever called `Entry::bind`, for every thread that the algorithm uses.
unsafe impl Send for Bound<'_> {}
// SAFETY: as for `Send`: calling a kernel needs no exclusive access to `Bound`.
unsafe impl Sync for Bound<'_> {}

impl Bound<'_> {
    /// Runs the kernel over items `begin .. end`. `scratch` holds as much as the kernel's description says.
    pub(crate) fn call(&self, begin: u64, end: u64, scratch: &mut [u64]) {
        // SAFETY: the arguments are right by the contract of `Entry::bind`; `scratch` is exclusively
        // borrowed and, as every caller passes the amount its kernel is documented to use, large enough.
        unsafe { (self.function)(self.args, begin as i64, end as i64, scratch.as_mut_ptr().cast()) }
    }
}
