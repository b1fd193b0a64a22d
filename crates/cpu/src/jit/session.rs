//! The linker's session: LLVM's ORC with JITLink, through its C interface.
//!
//! One session serves the process. An object lives in a *library*, a name space of its own that holds the
//! symbol table beside the object's symbols; a library whose object was removed is used again, since ORC's C
//! interface cannot delete one.
//!
//! A child of `fork()` starts a new session: another thread may have held a lock of the old one.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use freeloom_runtime as runtime;
use inkwell::llvm_sys::error::{
    LLVMConsumeError, LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage,
};
use inkwell::llvm_sys::orc2::ee::LLVMOrcCreateObjectLinkingLayerWithInProcessMemoryManager;
use inkwell::llvm_sys::orc2::lljit::*;
use inkwell::llvm_sys::orc2::*;

use super::symbols;
use crate::{CpuError, target};

/// A name space for one object. The pointer is valid as long as the session, which is never freed.
#[derive(Clone, Copy)]
pub(super) struct Library(pub(super) LLVMOrcJITDylibRef);

// SAFETY: ORC guards its libraries with the session's lock.
unsafe impl Send for Library {}

pub(super) struct Session {
    pub(super) jit: LLVMOrcLLJITRef,
    pub(super) execution: LLVMOrcExecutionSessionRef,
    /// The process (counted in forks) that made it.
    generation: u64,
    free: Mutex<Vec<Library>>,
    named: AtomicUsize,
}

// SAFETY: both pointers are to objects that ORC guards with locks of its own and that live forever.
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}

impl Session {
    /// The session of this process.
    pub(super) fn get() -> Result<&'static Session, CpuError> {
        static SESSION: AtomicPtr<Session> = AtomicPtr::new(ptr::null_mut());
        let seen = SESSION.load(Ordering::Acquire);
        // SAFETY: a session is leaked before it is published, and never changed but through its locks.
        if let Some(session) = unsafe { seen.as_ref() }
            && session.is_current()
        {
            return Ok(session);
        }
        let new = Box::into_raw(Box::new(Session::new()?));
        match SESSION.compare_exchange(seen, new, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: `new` is never freed from here on.
            Ok(_) => Ok(unsafe { &*new }),
            Err(winner) => {
                // SAFETY: `new` was published to nobody.
                let lost = unsafe { Box::from_raw(new) };
                // SAFETY: nothing was loaded into it.
                let _ = check(unsafe { LLVMOrcDisposeLLJIT(lost.jit) });
                // SAFETY: as for `seen`.
                Ok(unsafe { &*winner })
            }
        }
    }

    /// Was it made by this process, and not by one that this was forked from?
    pub(super) fn is_current(&self) -> bool {
        self.generation == runtime::fork_generation()
    }

    fn new() -> Result<Session, CpuError> {
        target::initialise();
        let mut jit = ptr::null_mut();
        // SAFETY: the builder is used up by `LLVMOrcCreateLLJIT` whether or not that succeeds.
        let error = unsafe {
            let builder = LLVMOrcCreateLLJITBuilder();
            LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, linking_layer, ptr::null_mut());
            LLVMOrcCreateLLJIT(&mut jit, builder)
        };
        check(error)?;
        // SAFETY: `jit` is a live session; the handler frees the error, which is all it is given.
        let execution = unsafe {
            let execution = LLVMOrcLLJITGetExecutionSession(jit);
            LLVMOrcExecutionSessionSetErrorReporter(execution, drop_error, ptr::null_mut());
            execution
        };
        let generation = runtime::fork_generation();
        Ok(Session { jit, execution, generation, free: Mutex::default(), named: AtomicUsize::new(0) })
    }

    /// A library without an object.
    pub(super) fn take_library(&self) -> Result<Library, CpuError> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.map_or_else(|| self.new_library(), Ok)
    }

    /// Takes back a library whose object was removed.
    pub(super) fn give_library(&self, library: Library) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(library);
    }

    fn new_library(&self) -> Result<Library, CpuError> {
        let name = c_string(&format!("freeloom.{}", self.named.fetch_add(1, Ordering::Relaxed)))?;
        // SAFETY: the session is alive and the name, which is unique in it, is copied.
        let library = unsafe { LLVMOrcExecutionSessionCreateBareJITDylib(self.execution, name.as_ptr()) };
        let mut pairs = Vec::new();
        for (name, address) in symbols::table() {
            let flags = LLVMJITSymbolFlags { GenericFlags: EXPORTED_CALLABLE, TargetFlags: 0 };
            let symbol = LLVMJITEvaluatedSymbol { Address: address as u64, Flags: flags };
            pairs.push(LLVMOrcCSymbolMapPair { Name: self.intern(name)?, Sym: symbol });
        }
        // SAFETY: `pairs` holds that many entries with names that this call owns from now on.
        let unit = unsafe { LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len()) };
        // SAFETY: library and unit are alive; the library takes the unit if it succeeds.
        if let Err(e) = check(unsafe { LLVMOrcJITDylibDefine(library, unit) }) {
            // SAFETY: the definition failed, so the unit is still ours.
            unsafe { LLVMOrcDisposeMaterializationUnit(unit) };
            return Err(e);
        }
        Ok(Library(library))
    }

    /// A name of the session, which the caller must hand on to a call that takes it.
    pub(super) fn intern(&self, name: &str) -> Result<LLVMOrcSymbolStringPoolEntryRef, CpuError> {
        let name = c_string(name)?;
        // SAFETY: the session is alive and the name is copied.
        Ok(unsafe { LLVMOrcExecutionSessionIntern(self.execution, name.as_ptr()) })
    }
}

/// `LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable`
const EXPORTED_CALLABLE: u8 = 1 | 4;

extern "C" fn linking_layer(
    _: *mut c_void,
    session: LLVMOrcExecutionSessionRef,
    _: *const c_char,
) -> LLVMOrcObjectLayerRef {
    let mut layer = ptr::null_mut();
    // SAFETY: LLVM passes the session that is being built. The only failure is an unknown page size.
    let error = unsafe { LLVMOrcCreateObjectLinkingLayerWithInProcessMemoryManager(&mut layer, session) };
    let _ = check(error);
    layer
}

extern "C" fn drop_error(_: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: LLVM hands the error over.
    unsafe { LLVMConsumeError(error) };
}

/// Turns an LLVM error into ours.
pub(super) fn check(error: LLVMErrorRef) -> Result<(), CpuError> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: `error` is not null and ours; taking its message consumes it.
    let message = unsafe { LLVMGetErrorMessage(error) };
    // SAFETY: LLVM's messages are C strings, alive until disposed of below.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    // SAFETY: `message` came from `LLVMGetErrorMessage` and is not used again.
    unsafe { LLVMDisposeErrorMessage(message) };
    Err(CpuError::Link(text))
}

fn c_string(s: &str) -> Result<CString, CpuError> {
    CString::new(s).map_err(|_| CpuError::Link(format!("a symbol name contains NUL: {s:?}")))
}
