//! Facts about this build and this process.

use freeloom_compute::cache_stats;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::{exit, key, thread};

/// Drops the wrappers of every thread and all compiled code that no wrapper in use holds.
///
/// Threads: free. A call that runs at the same time as building or executing in another thread is safe; what
/// that thread builds meanwhile may stay.
#[pyfunction]
pub(crate) fn clear_all_caches(py: Python<'_>) {
    let _visit = exit::visit(py);
    thread::clear(py);
    key::clear();
    exit::detached(py, freeloom_compute::clear_caches);
}

/// What `python -m freeloom info` prints, as far as native code knows it.
#[pyfunction(name = "_native_info")]
pub(crate) fn native_info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let info = PyDict::new(py);
    let host = freeloom_cpu::host();
    let features: Vec<_> = host.features.split(',').filter_map(|f| f.strip_prefix('+')).collect();
    info.set_item("version", env!("CARGO_PKG_VERSION"))?;
    info.set_item("llvm", freeloom_cpu::llvm_version())?;
    info.set_item("cpu", &host.name)?;
    info.set_item("cpu_features", features)?;
    info.set_item("threads", freeloom_runtime::threads())?;
    info.set_item("cache", cache(py)?)?;
    Ok(info)
}

fn cache(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let (threads, wrappers) = thread::sizes(py);
    let stats = cache_stats();
    let cache = PyDict::new(py);
    cache.set_item("threads", threads)?;
    cache.set_item("wrappers", wrappers)?;
    cache.set_item("plans", stats.plans)?;
    cache.set_item("objects", stats.objects)?;
    cache.set_item("compiled", stats.compiled)?;
    cache.set_item("restored", stats.restored)?;
    cache.set_item("compile_ms", stats.compile_ns as f64 / 1e6)?;
    cache.set_item("load_ms", stats.load_ns as f64 / 1e6)?;
    Ok(cache)
}
