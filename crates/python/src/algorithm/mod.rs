//! The algorithms: what their `make_*` functions build, how they are found again and called.

mod call;
mod compact;
mod factory;
mod histogram;
mod merge_sort;
mod merge_sort_doc;
mod options;
mod radix_sort;
mod radix_sort_doc;
mod reduce;
mod reduce_doc;
mod scan;
mod scan_doc;
mod search;
mod segmented;
mod segmented_sort;
mod segmented_sort_doc;
mod sort_args;
mod transform;
mod transform_doc;

use pyo3::prelude::*;

pub(crate) use call::Call;

/// Adds the classes and functions of the algorithms.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    merge_sort::add(module)?;
    radix_sort::add(module)?;
    segmented_sort::add(module)?;
    compact::add(module)?;
    reduce::add(module)?;
    scan::add(module)?;
    transform::add(module)?;
    segmented::add(module)?;
    histogram::add(module)?;
    search::add(module)
}
