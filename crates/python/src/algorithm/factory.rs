//! The per-thread cache of built algorithms.

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::key::Key;
use crate::thread;

/// A class of built algorithms.
pub(super) trait Built: PyClass<Frozen = pyo3::pyclass::boolean_struct::True> + Sync {
    /// Everything that decides the object.
    fn key(&self) -> &Key;
}

/// The object of a key: the one this thread has, else a new one.
pub(super) fn find_or_make<'py, T: Built>(
    py: Python<'py>,
    key: Key,
    make: impl FnOnce(Key) -> PyResult<Bound<'py, T>>,
) -> PyResult<Bound<'py, T>> {
    let cache = thread::current(py)?;
    let wrappers = cache.get().wrappers.bind(py);
    let mut digest = key.digest();
    while let Some(found) = wrappers.get_item(digest)? {
        if let Ok(found) = found.cast_into::<T>()
            && *found.get().key() == key
        {
            return Ok(found);
        }
        digest += 1;
    }
    let object = make(key)?;
    insert(wrappers, &object)?;
    Ok(object)
}

/// Building may have run Python code, so the free place is looked for again.
fn insert<T: Built>(wrappers: &Bound<'_, PyDict>, object: &Bound<'_, T>) -> PyResult<()> {
    let mut digest = object.get().key().digest();
    while wrappers.contains(digest)? {
        digest += 1;
    }
    wrappers.set_item(digest, object)
}
