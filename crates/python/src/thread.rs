//! What each thread keeps: its wrappers, the functions it has read and the dtypes it has seen.
//!
//! The protocol:
//!
//! 1. A thread's cache is a Python object in its thread-state dictionary. Python drops that dictionary,
//!    attached, when the thread ends; its wrappers go with it.
//! 2. Each part is a Python `dict` from a hash or an address to an immutable object. Python's own rules for
//!    dictionaries make any access safe from any thread; on free-threaded builds a look-up takes no lock.
//! 3. Only the thread itself looks up and inserts. [`clear`] empties the dictionaries of every thread, found
//!    through weak references. An insertion that races with it may survive, as if it had come after.
//! 4. Entries are never changed in place and hold strong references to what they were keyed by, so an address
//!    stays taken as long as its entry lives.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyWeakrefMethods, PyWeakrefReference};

/// The caches of one thread.
#[pyclass(frozen, weakref, module = "freeloom._native", name = "_ThreadCache")]
pub(crate) struct ThreadCache {
    /// Digest of a key → wrapper, probing upwards.
    pub(crate) wrappers: Py<PyDict>,
    /// Address of a code object → tuple of what was read from it.
    pub(crate) functions: Py<PyDict>,
    /// Address of a dtype → type.
    pub(crate) types: Py<PyDict>,
}

static THREADS: Mutex<Vec<Py<PyWeakrefReference>>> = Mutex::new(Vec::new());

/// The cache of the calling thread.
pub(crate) fn current<'py>(py: Python<'py>) -> PyResult<Bound<'py, ThreadCache>> {
    // SAFETY: attached; the result is borrowed from the thread state, or null.
    let state = unsafe { Bound::from_borrowed_ptr_or_opt(py, ffi::PyThreadState_GetDict()) };
    let state = state.ok_or_else(|| PyRuntimeError::new_err("this thread has no Python thread state"))?;
    let state = state.cast_into::<PyDict>()?;
    let name = intern!(py, "freeloom._native");
    match state.get_item(name)? {
        Some(cache) => Ok(cache.cast_into::<ThreadCache>()?),
        None => {
            let cache = new(py)?;
            state.set_item(name, &cache)?;
            Ok(cache)
        }
    }
}

fn new(py: Python<'_>) -> PyResult<Bound<'_, ThreadCache>> {
    let [wrappers, functions, types] = [(); 3].map(|()| PyDict::new(py).unbind());
    let cache = Bound::new(py, ThreadCache { wrappers, functions, types })?;
    let reference = PyWeakrefReference::new(&cache)?.unbind();
    // Others may end meanwhile: what was found alive is dropped outside of the lock, like the references.
    let mut found = Vec::new();
    let mut dead = Vec::new();
    let mut threads = lock(py);
    for thread in std::mem::take(&mut *threads) {
        match thread.bind(py).upgrade() {
            Some(cache) => {
                found.push(cache);
                threads.push(thread);
            }
            None => dead.push(thread),
        }
    }
    threads.push(reference);
    drop(threads);
    Ok(cache)
}

/// The list of threads. Waiting for it lets Python's own stops of the world pass; it is held without calling
/// Python code, so that it is never held across a fork.
fn lock(py: Python<'_>) -> MutexGuard<'_, Vec<Py<PyWeakrefReference>>> {
    THREADS.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
}

fn living(py: Python<'_>) -> Vec<Bound<'_, ThreadCache>> {
    let threads = lock(py);
    threads.iter().filter_map(|t| t.bind(py).upgrade_as::<ThreadCache>().ok().flatten()).collect()
}

/// Empties the caches of every thread.
pub(crate) fn clear(py: Python<'_>) {
    // The entries are dropped outside of the lock: dropping one may run Python code.
    for cache in living(py) {
        let ThreadCache { wrappers, functions, types } = cache.get();
        for part in [wrappers, functions, types] {
            part.bind(py).clear();
        }
    }
}

/// Number of threads that have a cache, and of wrappers in all of them.
pub(crate) fn sizes(py: Python<'_>) -> (usize, usize) {
    let caches = living(py);
    (caches.len(), caches.iter().map(|c| c.get().wrappers.bind(py).len()).sum())
}
