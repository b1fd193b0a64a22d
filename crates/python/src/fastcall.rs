//! Keyword arguments without a dictionary: functions and objects whose parameters are all keyword-only.

use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

/// The keyword-only parameters of a callable.
pub(crate) struct Signature<const N: usize> {
    callable: &'static str,
    names: [&'static str; N],
    /// Bit `i` is set if parameter `i` has no default.
    required: u32,
    interned: PyOnceLock<[Py<PyString>; N]>,
}

/// The values that were given, by parameter.
pub(crate) type Given<'a, 'py, const N: usize> = [Option<Borrowed<'a, 'py, PyAny>>; N];

/// Arguments as the vectorcall protocol hands them over.
#[derive(Clone, Copy)]
pub(crate) struct Raw {
    pub(crate) args: *const *mut ffi::PyObject,
    /// Number of positional arguments.
    pub(crate) positional: usize,
    pub(crate) names: *mut ffi::PyObject,
}

impl<const N: usize> Signature<N> {
    pub(crate) const fn new(callable: &'static str, names: [&'static str; N], required: u32) -> Self {
        Signature { callable, names, required, interned: PyOnceLock::new() }
    }

    /// Sorts the arguments of a call into the parameters.
    ///
    /// # Safety
    ///
    /// `raw` must be what Python passed to a vectorcall function that has not returned yet.
    pub(crate) unsafe fn parse<'a, 'py>(&self, py: Python<'py>, raw: Raw) -> PyResult<Given<'a, 'py, N>> {
        if raw.positional != 0 {
            return Err(
                self.error(format!("takes keyword arguments only, but {} positional given", raw.positional))
            );
        }
        let interned = self.interned.get_or_init(py, || self.names.map(|n| PyString::intern(py, n).unbind()));
        let mut given: Given<'a, 'py, N> = [None; N];
        let mut seen = 0u32;
        // SAFETY: `names` is null or a tuple of strings, `args` has one value for each of them; both live as
        // long as the call.
        unsafe {
            let count = if raw.names.is_null() { 0 } else { ffi::PyTuple_GET_SIZE(raw.names) };
            for i in 0..count {
                let name = ffi::PyTuple_GET_ITEM(raw.names, i);
                let value = *raw.args.offset(i);
                let slot = interned.iter().position(|n| n.as_ptr() == name);
                let slot = match slot {
                    Some(slot) => slot,
                    None => self.find(&Borrowed::from_ptr(py, name))?,
                };
                given[slot] = Some(Borrowed::from_ptr(py, value));
                seen |= 1 << slot;
            }
        }
        match self.required & !seen {
            0 => Ok(given),
            missing => Err(self.missing(missing)),
        }
    }

    #[cold]
    fn find(&self, name: &Bound<'_, PyAny>) -> PyResult<usize> {
        let name = name.extract::<String>()?;
        let unexpected = || self.error(format!("got an unexpected keyword argument '{name}'"));
        self.names.iter().position(|n| **n == name).ok_or_else(unexpected)
    }

    #[cold]
    fn missing(&self, missing: u32) -> PyErr {
        let names: Vec<_> =
            (0..N).filter(|i| missing >> i & 1 == 1).map(|i| format!("'{}'", self.names[i])).collect();
        self.error(format!("is missing the keyword-only argument {}", names.join(", ")))
    }

    fn error(&self, what: String) -> PyErr {
        PyTypeError::new_err(format!("{}() {what}", self.callable))
    }
}

/// The value of a parameter whose default is `None`, if it is not `None`.
pub(crate) fn optional<'a, 'py>(value: Option<Borrowed<'a, 'py, PyAny>>) -> Option<Borrowed<'a, 'py, PyAny>> {
    value.filter(|v| !v.is_none())
}

/// Declares a C function `name` that Python calls with keyword arguments, around a Rust body.
macro_rules! fastcall_function {
    ($name:ident, $body:path) => {
        pub(crate) unsafe extern "C" fn $name(
            _module: *mut pyo3::ffi::PyObject,
            args: *const *mut pyo3::ffi::PyObject,
            positional: pyo3::ffi::Py_ssize_t,
            names: *mut pyo3::ffi::PyObject,
        ) -> *mut pyo3::ffi::PyObject {
            let raw = $crate::fastcall::Raw { args, positional: positional as usize, names };
            // SAFETY: Python calls this function, attached, with arguments that outlive the call.
            unsafe { $crate::enter::from_python(|py| $body(py, raw)) }
        }
    };
}

/// Declares the vectorcall entry `name` of a frozen class, around a Rust body that gets the object's value.
macro_rules! vectorcall_method {
    ($name:ident, $class:ty, $body:path) => {
        pub(crate) unsafe extern "C" fn $name(
            callable: *mut pyo3::ffi::PyObject,
            args: *const *mut pyo3::ffi::PyObject,
            flagged: usize,
            names: *mut pyo3::ffi::PyObject,
        ) -> *mut pyo3::ffi::PyObject {
            // The top bit only says that the caller lends the slot before `args`.
            let positional = flagged & (usize::MAX >> 1);
            let raw = $crate::fastcall::Raw { args, positional, names };
            // SAFETY: Python calls this function, attached, with arguments that outlive the call; the entry is
            // only ever stored in objects of this class.
            unsafe {
                $crate::enter::from_python(|py| {
                    let object = pyo3::Borrowed::from_ptr(py, callable);
                    $body(py, object.cast_unchecked::<$class>().get(), raw)
                })
            }
        }
    };
}

pub(crate) use {fastcall_function, vectorcall_method};

/// A function of `module` that Python calls without building a tuple and a dictionary. `doc` begins with the
/// signature, as CPython wants it.
pub(crate) fn add_function(
    module: &Bound<'_, PyModule>,
    name: &'static std::ffi::CStr,
    doc: &'static std::ffi::CStr,
    function: ffi::PyCFunctionFastWithKeywords,
) -> PyResult<()> {
    let py = module.py();
    let definition = ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: function },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    };
    // Lives as long as the process, as a static definition would.
    let definition = Box::leak(Box::new(definition));
    let module_name = module.name()?;
    // SAFETY: the definition and its strings are never freed; the result is a new reference or null.
    let object = unsafe {
        let raw = ffi::PyCFunction_NewEx(definition, std::ptr::null_mut(), module_name.as_ptr());
        Bound::from_owned_ptr_or_err(py, raw)?
    };
    module.add(PyString::from_bytes(py, name.to_bytes())?, object)
}

/// Where the value of a frozen class without bases lies in its objects.
pub(crate) const VALUE_OFFSET: usize = size_of::<ffi::PyObject>();

/// Makes Python call the objects of a frozen class through the entry that is the first field of its value.
///
/// # Safety
///
/// No object of the class exists yet. Each will have its value at [`VALUE_OFFSET`], a vectorcall entry first.
pub(crate) unsafe fn enable_vectorcall(class: &Bound<'_, PyType>) {
    let class = class.as_type_ptr();
    // SAFETY: the class is a heap type of this module that no other thread has seen yet. On free-threaded
    // builds the flags are an atomic of the same size.
    unsafe {
        (*class).tp_vectorcall_offset = VALUE_OFFSET as ffi::Py_ssize_t;
        let flags = &*(&raw mut (*class).tp_flags).cast::<AtomicU64>();
        flags.fetch_or(ffi::Py_TPFLAGS_HAVE_VECTORCALL, Ordering::Relaxed);
    }
}

/// Makes an object of a class whose value begins with its vectorcall entry.
pub(crate) fn new_object<'py, T>(py: Python<'py>, value: T) -> PyResult<Bound<'py, T>>
where
    T: PyClass<Frozen = pyo3::pyclass::boolean_struct::True> + Sync + Into<PyClassInitializer<T>>,
{
    let object = Bound::new(py, value)?;
    let offset = (&raw const *object.get()) as usize - object.as_ptr() as usize;
    if offset != VALUE_OFFSET {
        return Err(crate::error::internal("unexpected layout of an object"));
    }
    Ok(object)
}

/// Adds a frozen class whose value begins with its vectorcall entry.
pub(crate) fn add_class<T: PyClass>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let class = module.py().get_type::<T>();
    // SAFETY: the module is being made, so there is no object yet; `new_object` makes them all.
    unsafe { enable_vectorcall(&class) };
    module.add_class::<T>()
}

/// A call that comes with a tuple and a dictionary.
pub(crate) fn call<'py>(
    object: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let kwargs = kwargs.map_or(std::ptr::null_mut(), |k| k.as_ptr());
    // SAFETY: the object's class has the vectorcall protocol; the result is a new reference or null.
    unsafe {
        let result = ffi::PyVectorcall_Call(object.as_ptr(), args.as_ptr(), kwargs);
        Bound::from_owned_ptr_or_err(object.py(), result)
    }
}

/// Parameters that [`Signature::parse`] has seen to be there.
pub(crate) fn required<'a, 'py, const N: usize>(
    given: Given<'a, 'py, N>,
) -> PyResult<[Borrowed<'a, 'py, PyAny>; N]> {
    let missing = || crate::error::internal("a required parameter is missing");
    if given.iter().any(Option::is_none) {
        return Err(missing());
    }
    let mut values = given.into_iter().flatten();
    let first = values.next().ok_or_else(missing)?;
    Ok(std::array::from_fn(|i| if i == 0 { first } else { values.next().unwrap_or(first) }))
}
