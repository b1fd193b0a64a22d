//! The native module of the freeloom Python package: conversion between Python and the crates below.
//!
//! * `enter` — the one door: detach, run, catch, convert; `error` — the one match on errors
//! * `exit` — threads that live on while the interpreter ends
//! * `algorithm` — the functions and classes of the algorithms, over `fastcall`
//! * `data`, `iterator`, `array`, `dtype`, `init` — what data arguments are
//! * `operator`, `function` — what operators are
//! * `key`, `thread` — how built things are found again
//!
//! Every class is frozen and free: objects never change, so threads may share them.

mod algorithm;
mod array;
mod data;
mod dtype;
mod enter;
mod error;
mod exit;
mod fastcall;
mod function;
mod info;
mod init;
mod iterator;
mod key;
mod operator;
mod thread;

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

/// Native code of freeloom. Its names are re-exported by `freeloom.compute`.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    refuse_subinterpreters(module.py())?;
    exit::prepare(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<iterator::IteratorBase>()?;
    module.add_class::<iterator::CountingIterator>()?;
    module.add_class::<iterator::ConstantIterator>()?;
    module.add_class::<iterator::TransformIterator>()?;
    module.add_class::<iterator::TransformOutputIterator>()?;
    module.add_class::<iterator::ZipIterator>()?;
    module.add_class::<iterator::ReverseIterator>()?;
    module.add_class::<iterator::PermutationIterator>()?;
    module.add_class::<iterator::DiscardIterator>()?;
    module.add_class::<iterator::ShuffleIterator>()?;
    module.add_class::<iterator::CacheModifiedInputIterator>()?;
    module.add_function(wrap_pyfunction!(info::clear_all_caches, module)?)?;
    module.add_function(wrap_pyfunction!(info::native_info, module)?)?;
    algorithm::add(module)
}

/// Classes and caches of this module belong to the process, and must not mix objects of two interpreters.
fn refuse_subinterpreters(py: Python<'_>) -> PyResult<()> {
    // SAFETY: attached, so there is a current interpreter.
    let id = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) };
    match id {
        0 => Ok(()),
        _ if PyErr::occurred(py) => Err(PyErr::fetch(py)),
        _ => Err(PyImportError::new_err(
            "freeloom works in the main interpreter only, not in a subinterpreter",
        )),
    }
}
