//! The native module of the freeloom Python package: conversion between Python and the crates below.
//!
//! * [`enter`] — the one door: detach, run, catch, convert; [`error`] — the one match on errors
//! * [`algorithm`] — the functions and classes of the algorithms, over [`fastcall`]
//! * [`data`], [`iterator`], [`array`], [`dtype`], [`init`] — what data arguments are
//! * [`operator`], [`function`] — what operators are
//! * [`key`], [`thread`] — how built things are found again
//!
//! Every class is frozen and free: objects never change, so threads may share them.

mod algorithm;
mod array;
mod data;
mod dtype;
mod enter;
mod error;
mod fastcall;
mod function;
mod info;
mod init;
mod iterator;
mod key;
mod operator;
mod thread;

use pyo3::prelude::*;

/// Native code of freeloom. Its names are re-exported by `freeloom.compute`.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<iterator::IteratorBase>()?;
    module.add_class::<iterator::CountingIterator>()?;
    module.add_class::<iterator::ConstantIterator>()?;
    module.add_class::<iterator::TransformIterator>()?;
    module.add_class::<iterator::TransformOutputIterator>()?;
    module.add_class::<iterator::ZipIterator>()?;
    module.add_function(wrap_pyfunction!(info::clear_all_caches, module)?)?;
    module.add_function(wrap_pyfunction!(info::native_info, module)?)?;
    algorithm::add(module)
}
