//! Object bytes to callable code.

use std::collections::HashMap;
use std::ffi::{CStr, c_void};
use std::sync::mpsc;

use inkwell::llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use inkwell::llvm_sys::error::LLVMErrorRef;
use inkwell::llvm_sys::orc2::lljit::LLVMOrcLLJITAddObjectFileWithRT;
use inkwell::llvm_sys::orc2::*;
use object::{Object, ObjectSymbol, SymbolScope};

use super::session::{Library, Session, check};
use crate::{CpuError, exit};

/// Loaded code. It stays in memory until this is dropped.
///
/// Threads: free; nothing changes after loading.
pub struct Code {
    symbols: HashMap<String, usize>,
    /// Frees the code when dropped.
    _placed: Placed,
}

impl Code {
    /// Links an object made by [`compile`](crate::compile) into this process.
    pub fn load(object: &[u8]) -> Result<Code, CpuError> {
        let names = exported_names(object)?;
        let _llvm = exit::use_llvm();
        let placed = Placed::new(object)?;
        let symbols = placed.resolve(&names)?;
        Ok(Code { symbols, _placed: placed })
    }

    /// The address of an exported function. Valid while this object lives.
    pub fn symbol(&self, name: &str) -> Option<*const u8> {
        self.symbols.get(name).map(|address| *address as *const u8)
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("symbols", &self.symbols).finish_non_exhaustive()
    }
}

/// Names of the functions that the object defines for others.
fn exported_names(object: &[u8]) -> Result<Vec<String>, CpuError> {
    let damaged = |e: object::Error| CpuError::Link(e.to_string());
    let file = object::File::parse(object).map_err(damaged)?;
    if (file.architecture(), file.kind()) != (object::Architecture::X86_64, object::ObjectKind::Relocatable) {
        return Err(CpuError::Link("not a relocatable object for x86-64".to_owned()));
    }
    let exported = file.symbols().filter(|s| s.is_definition() && s.scope() != SymbolScope::Compilation);
    exported.map(|s| Ok(s.name().map_err(damaged)?.to_owned())).collect()
}

/// An object in a library of the session; dropping it frees the code.
struct Placed {
    session: &'static Session,
    library: Library,
    tracker: LLVMOrcResourceTrackerRef,
}

// SAFETY: the tracker is used under the session's lock only, and by `drop` alone after `load`.
unsafe impl Send for Placed {}
// SAFETY: as above; no method of a shared reference touches the tracker.
unsafe impl Sync for Placed {}

impl Placed {
    fn new(object: &[u8]) -> Result<Placed, CpuError> {
        let session = Session::get()?;
        let library = session.take_library()?;
        // SAFETY: the library lives as long as the session, that is for ever.
        let tracker = unsafe { LLVMOrcJITDylibCreateResourceTracker(library.0) };
        let placed = Placed { session, library, tracker };
        // SAFETY: the bytes are copied, and the copy belongs to the session from here on, also in case of an
        // error; the tracker is alive.
        let error = unsafe {
            let name = c"freeloom".as_ptr();
            let buffer =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(object.as_ptr().cast(), object.len(), name);
            LLVMOrcLLJITAddObjectFileWithRT(session.jit, tracker, buffer)
        };
        check(error)?;
        Ok(placed)
    }

    /// Links the object and returns where its functions are.
    fn resolve(&self, names: &[String]) -> Result<HashMap<String, usize>, CpuError> {
        let mut wanted = Vec::with_capacity(names.len());
        for name in names {
            let flags = LLVMOrcSymbolLookupFlags::LLVMOrcSymbolLookupFlagsRequiredSymbol;
            wanted.push(LLVMOrcCLookupSetElement { Name: self.session.intern(name)?, LookupFlags: flags });
        }
        let mut order = LLVMOrcCJITDylibSearchOrderElement {
            JD: self.library.0,
            JDLookupFlags: LLVMOrcJITDylibLookupFlags::LLVMOrcJITDylibLookupFlagsMatchExportedSymbolsOnly,
        };
        let (sender, answer) = mpsc::channel();
        // SAFETY: all arrays outlive the call and have the lengths given; the names now belong to the call,
        // and so does the sender, which `receive` takes back.
        unsafe {
            LLVMOrcExecutionSessionLookup(
                self.session.execution,
                LLVMOrcLookupKind::LLVMOrcLookupKindStatic,
                &mut order,
                1,
                wanted.as_mut_ptr(),
                wanted.len(),
                receive,
                Box::into_raw(Box::new(sender)).cast(),
            );
        }
        // Usually the answer is there by now; but another thread that links may have taken over our object.
        answer.recv().unwrap_or_else(|_| Err(CpuError::Link("the linker gave no answer".to_owned())))
    }
}

type Answer = Result<HashMap<String, usize>, CpuError>;

/// Sends the result of a lookup to whoever waits in `resolve`.
extern "C" fn receive(error: LLVMErrorRef, pairs: LLVMOrcCSymbolMapPairs, count: usize, sender: *mut c_void) {
    // SAFETY: `resolve` made it with `Box::into_raw`, and each lookup is answered once.
    let sender = unsafe { Box::from_raw(sender.cast::<mpsc::Sender<Answer>>()) };
    let answer = check(error).map(|()| {
        let found = (0..count).map(|i| {
            // SAFETY: without an error there are `count` pairs, whose names are C strings of the session.
            let (name, address) = unsafe {
                let pair = &*pairs.add(i);
                let name = CStr::from_ptr(LLVMOrcSymbolStringPoolEntryStr(pair.Name));
                (name, pair.Sym.Address)
            };
            (name.to_string_lossy().into_owned(), address as usize)
        });
        found.collect()
    });
    // The receiver waits for this; it cannot be gone.
    let _ = sender.send(answer);
}

impl Drop for Placed {
    fn drop(&mut self) {
        // In a forked child the parent's session must not be touched: its locks may be held for ever.
        if !self.session.is_current() {
            return;
        }
        let _llvm = exit::use_llvm();
        // SAFETY: the tracker is alive and nobody runs the code any more: whoever does keeps the `Code`.
        let removed = unsafe { LLVMOrcResourceTrackerRemove(self.tracker) };
        // SAFETY: this was the only reference.
        unsafe { LLVMOrcReleaseResourceTracker(self.tracker) };
        if check(removed).is_ok() {
            self.session.give_library(self.library);
        }
    }
}
