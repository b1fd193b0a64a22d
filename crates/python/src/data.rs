//! Arguments that hold data: arrays or iterators, read or written.

use freeloom_compute::{IterBinding, IterSpec};
use freeloom_ir::Type;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::algorithm::Call;
use crate::array::{NdArray, Order, to_ndarray};
use crate::iterator::{Binder, IteratorBase};
use crate::key::Key;

/// An argument of a call, looked at once.
pub(crate) enum Data<'a, 'py> {
    Array(NdArray<'py>),
    Iterator(Borrowed<'a, 'py, IteratorBase>),
}

/// The first word of an array's key; iterators begin with larger ones, an array child of theirs too.
const PLAIN_ARRAY: u64 = 0;

impl<'a, 'py> Data<'a, 'py> {
    pub(crate) fn read(object: Borrowed<'a, 'py, PyAny>, argument: &str) -> PyResult<Data<'a, 'py>> {
        if let Some(array) = NdArray::from_exact(&object) {
            return Ok(Data::Array(array));
        }
        if let Ok(iterator) = object.cast::<IteratorBase>() {
            return Ok(Data::Iterator(iterator));
        }
        match to_ndarray(&object, argument)? {
            Some(array) => Ok(Data::Array(array)),
            None => Err(wrong(&object, argument)),
        }
    }

    /// Appends what decides the code to a key.
    pub(crate) fn key(&self, py: Python<'py>, argument: &str, key: &mut Key) -> PyResult<()> {
        match self {
            Data::Array(array) => {
                key.push(PLAIN_ARRAY);
                key.push(array.item_type(argument)?.number);
                Ok(())
            }
            Data::Iterator(iterator) => iterator.get().node.key(py, argument, key),
        }
    }

    /// Number of items that can be read; the most there can be if there is no end.
    pub(crate) fn available(&self, py: Python<'py>) -> PyResult<u64> {
        let items = match self {
            Data::Array(array) => array.len(),
            Data::Iterator(iterator) => iterator.get().node.available(py)?,
        };
        Ok(items.min(i64::MAX as u64))
    }

    /// Type of the items.
    pub(crate) fn item(&self, py: Python<'py>, argument: &str) -> PyResult<Type> {
        match self {
            Data::Array(array) => Ok(array.item_type(argument)?.ty),
            Data::Iterator(iterator) => iterator.get().item_type(py),
        }
    }
}

#[cold]
fn wrong(object: &Bound<'_, PyAny>, argument: &str) -> PyErr {
    let class = object.get_type().name().map_or_else(|_| "object".to_owned(), |n| n.to_string());
    PyTypeError::new_err(format!("{argument} must be an array or an iterator, not {class}"))
}

/// A data parameter of a built algorithm: what it was built for.
pub(crate) struct Port {
    argument: &'static str,
    output: bool,
    spec: IterSpec,
    key: Key,
    /// A dtype of plain arrays that fit, kept alive so that its address says so.
    dtype: Option<Py<PyAny>>,
}

impl Port {
    pub(crate) fn new(
        py: Python<'_>,
        data: &Data<'_, '_>,
        argument: &'static str,
        output: bool,
    ) -> PyResult<Port> {
        let mut key = Key::default();
        match data {
            Data::Array(array) => {
                let item = array.item_type(argument)?;
                key.push(PLAIN_ARRAY);
                key.push(item.number);
                let dtype = Some(array.dtype().unbind());
                Ok(Port { argument, output, spec: IterSpec::Array(item.ty), key, dtype })
            }
            Data::Iterator(iterator) => {
                let node = &iterator.get().node;
                node.check_direction(output)?;
                node.key(py, argument, &mut key)?;
                Ok(Port { argument, output, spec: node.spec(py, argument)?, key, dtype: None })
            }
        }
    }

    pub(crate) fn spec(&self) -> IterSpec {
        self.spec.clone()
    }

    /// Checks that an argument is of the kind and type this was built for, and binds it.
    pub(crate) fn bind<'py>(&self, data: Data<'_, 'py>, call: &mut Call<'py>) -> PyResult<IterBinding> {
        let count = if self.output { call.outputs } else { call.items };
        let touched = if self.output { &mut call.written } else { &mut call.read };
        let mut binder = Binder {
            py: call.py,
            argument: self.argument,
            count,
            output: self.output,
            order: Order::Forward,
            indices: false,
            keep: &mut call.keep,
            touched,
            captured: &mut call.captured,
            key: self.key.words(),
        };
        match data {
            Data::Array(array) => {
                if !self.is_array_of_dtype(&array) {
                    self.check_array(&array)?;
                }
                binder.array(array, 0)
            }
            Data::Iterator(iterator) => iterator.get().node.bind(&mut binder, &self.spec),
        }
    }

    fn is_array_of_dtype(&self, array: &NdArray<'_>) -> bool {
        self.dtype.as_ref().is_some_and(|d| d.as_ptr() as usize == array.dtype_address())
    }

    /// A plain array with a dtype object that was not seen before.
    #[cold]
    fn check_array(&self, array: &NdArray<'_>) -> PyResult<()> {
        let item = array.item_type(self.argument)?.ty;
        let built = match &self.spec {
            IterSpec::Array(ty) if self.dtype.is_some() && *ty == item => return Ok(()),
            IterSpec::Array(ty) => format!("an array of {ty}"),
            _ => "an iterator".to_owned(),
        };
        let text = format!("{}: built for {built}, not for an array of {item}", self.argument);
        Err(PyTypeError::new_err(format!("{text}; make a new object for it")))
    }
}
