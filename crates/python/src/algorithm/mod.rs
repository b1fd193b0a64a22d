//! The algorithms: what their `make_*` functions build, how they are found again and called.

mod call;
mod compact;
mod factory;
mod histogram;
mod options;
mod reduce;
mod reduce_doc;
mod scan;
mod scan_doc;
mod search;
mod segmented;
mod transform;
mod transform_doc;

use pyo3::prelude::*;

pub(crate) use call::Call;

/// Adds the classes and functions of the algorithms.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    compact::add(module)?;
    reduce::add(module)?;
    scan::add(module)?;
    transform::add(module)?;
    segmented::add(module)?;
    histogram::add(module)?;
    search::add(module)
}
