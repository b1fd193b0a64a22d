//! Functions and types of the libraries that the compiler knows.

use freeloom_compiler::{Builtin, Library};
use pyo3::intern;
use pyo3::prelude::*;

/// Modules, in the order in which they are asked.
const LIBRARIES: [(&str, Library); 5] = [
    ("builtins", Library::Builtins),
    ("math", Library::Math),
    ("cmath", Library::CMath),
    ("_operator", Library::Operator),
    ("numpy", Library::NumPy),
];

/// The library function that `object` is. Only the very object that a module holds under its own name counts,
/// so a look-alike from elsewhere is not taken for it.
pub(super) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Builtin>> {
    let py = object.py();
    let Some(name) = object.getattr_opt(intern!(py, "__name__"))? else { return Ok(None) };
    let Ok(name) = name.extract::<String>() else { return Ok(None) };
    for (module, library) in LIBRARIES {
        let found = py.import(module)?.getattr_opt(name.as_str())?;
        if found.is_some_and(|f| f.is(object)) {
            return Ok(Some(Builtin { library, name }));
        }
    }
    Ok(None)
}
