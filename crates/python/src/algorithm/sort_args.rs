//! Keys and values of the sorts: arrays or double buffers, and the order.

use freeloom_compute::{ArrayBinding, IterBinding, IterSpec, SortData, SortOrder};
use freeloom_ir::Type;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use super::call::Call;
use crate::array::check_overlap;
use crate::data::{Data, Port};
use crate::fastcall::optional;
use crate::key::Key;

type Given<'a, 'py> = Option<Borrowed<'a, 'py, PyAny>>;

/// Input and output.
type Pair<T> = [T; 2];

fn import<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyType>>,
    name: &str,
) -> PyResult<&'py Bound<'py, PyType>> {
    cell.import(py, "freeloom.compute._sorting", name)
}

/// `order=`
pub(super) fn order(object: &Bound<'_, PyAny>) -> PyResult<SortOrder> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = object.py();
    if !object.is_instance(import(py, &CLASS, "SortOrder")?)? {
        let class = object.get_type().name()?.to_string();
        return Err(PyTypeError::new_err(format!("order must be a member of SortOrder, not {class}")));
    }
    let descending = object.getattr(intern!(py, "value"))?.eq(1)?;
    Ok(if descending { SortOrder::Descending } else { SortOrder::Ascending })
}

/// A `DoubleBuffer`, read once.
struct Double<'py> {
    object: Bound<'py, PyAny>,
    selector: usize,
}

impl<'py> Double<'py> {
    fn of(object: &Bound<'py, PyAny>) -> PyResult<Option<Double<'py>>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let py = object.py();
        if !object.is_instance(import(py, &CLASS, "DoubleBuffer")?)? {
            return Ok(None);
        }
        let selector: usize = object.getattr(intern!(py, "selector"))?.extract()?;
        if selector > 1 {
            return Err(PyValueError::new_err(format!(
                "selector of a DoubleBuffer must be 0 or 1, not {selector}"
            )));
        }
        Ok(Some(Double { object: object.clone(), selector }))
    }

    /// The current buffer and the other one.
    fn arrays(&self, argument: &str) -> PyResult<Pair<Data<'static, 'py>>> {
        let buffers = self.object.getattr(intern!(self.object.py(), "d_buffers"))?;
        let buffer = |i: usize| array(&buffers.get_item(i)?, argument);
        Ok([buffer(self.selector)?, buffer(1 - self.selector)?])
    }

    fn turn(&self) -> PyResult<()> {
        self.object.setattr(intern!(self.object.py(), "selector"), 1 - self.selector)
    }
}

/// An argument that must be an array.
fn array<'py>(object: &Bound<'py, PyAny>, argument: &str) -> PyResult<Data<'static, 'py>> {
    match Data::read(object.as_borrowed(), argument)? {
        Data::Array(array) => Ok(Data::Array(array)),
        Data::Iterator(_) => {
            Err(PyTypeError::new_err(format!("{argument} must be an array, not an iterator")))
        }
    }
}

/// Keys and values of a call.
pub(super) struct SortArgs<'py> {
    keys: Pair<Data<'static, 'py>>,
    values: Option<Pair<Data<'static, 'py>>>,
    doubles: Vec<Double<'py>>,
}

impl<'py> SortArgs<'py> {
    /// From `d_in_keys`, `d_out_keys`, `d_in_values` and `d_out_values`.
    pub(super) fn read(
        [in_keys, out_keys, in_values, out_values]: [Given<'_, 'py>; 4],
    ) -> PyResult<SortArgs<'py>> {
        let [in_values, out_values] = [in_values, out_values].map(optional);
        let missing = |name: &str| PyTypeError::new_err(format!("{name} must be an array, not None"));
        let in_keys = optional(in_keys).ok_or_else(|| missing("d_in_keys"))?;
        if let Some(keys) = Double::of(&in_keys)? {
            return SortArgs::double(keys, in_values);
        }
        let out_keys = optional(out_keys).ok_or_else(|| missing("d_out_keys"))?;
        let keys = [array(&in_keys, "d_in_keys")?, array(&out_keys, "d_out_keys")?];
        let values = match (in_values, out_values) {
            (None, None) => None,
            (Some(v), _) if Double::of(&v)?.is_some() => return Err(mixed()),
            (Some(input), Some(output)) => {
                Some([array(&input, "d_in_values")?, array(&output, "d_out_values")?])
            }
            _ => return Err(one_sided()),
        };
        Ok(SortArgs { keys, values, doubles: Vec::new() })
    }

    fn double(keys: Double<'py>, values: Given<'_, 'py>) -> PyResult<SortArgs<'py>> {
        let key_arrays = keys.arrays("d_in_keys")?;
        let Some(values) = values else {
            return Ok(SortArgs { keys: key_arrays, values: None, doubles: vec![keys] });
        };
        let values = Double::of(&values)?.ok_or_else(mixed)?;
        if values.selector != keys.selector {
            return Err(PyValueError::new_err("d_in_keys and d_in_values must have the same selector"));
        }
        let value_arrays = Some(values.arrays("d_in_values")?);
        Ok(SortArgs { keys: key_arrays, values: value_arrays, doubles: vec![keys, values] })
    }

    /// Appends what decides the object to a key.
    pub(super) fn key(&self, py: Python<'py>, key: &mut Key) -> PyResult<()> {
        key.push(u64::from(!self.doubles.is_empty()) * 2 + u64::from(self.values.is_some()));
        self.keys
            .iter()
            .chain(self.values.iter().flatten())
            .try_for_each(|data| data.key(py, "d_in_keys", key))
    }

    /// What an object for these arguments takes.
    pub(super) fn ports(&self, py: Python<'py>) -> PyResult<SortPorts> {
        let double = !self.doubles.is_empty();
        let [out_keys, out_values] =
            if double { ["d_in_keys", "d_in_values"] } else { ["d_out_keys", "d_out_values"] };
        let pair = |data: &Pair<Data<'_, '_>>, input, output| -> PyResult<Pair<Port>> {
            let ports = [Port::new(py, &data[0], input, false)?, Port::new(py, &data[1], output, true)?];
            let [from, to] = [0, 1].map(|i| item(&ports[i]));
            if from != to {
                let text =
                    format!("{output} has items of type {to}, {input} of type {from}; they must be the same");
                return Err(PyTypeError::new_err(text));
            }
            Ok(ports)
        };
        let keys = pair(&self.keys, "d_in_keys", out_keys)?;
        let values = self.values.as_ref().map(|v| pair(v, "d_in_values", out_values)).transpose()?;
        Ok(SortPorts { keys, values, double })
    }

    /// After a run: the other buffers are the current ones.
    pub(super) fn turn(doubles: &Doubles<'py>) -> PyResult<()> {
        doubles.0.iter().try_for_each(Double::turn)
    }
}

/// The double buffers of a call.
pub(super) struct Doubles<'py>(Vec<Double<'py>>);

#[cold]
fn mixed() -> PyErr {
    PyValueError::new_err("d_in_keys and d_in_values must both be a DoubleBuffer, or neither")
}

#[cold]
pub(super) fn one_sided() -> PyErr {
    PyValueError::new_err("d_in_values and d_out_values must both be given, or neither")
}

fn item(port: &Port) -> Type {
    match port.spec() {
        IterSpec::Array(ty) => ty,
        // Only arrays get here.
        _ => Type::BOOL,
    }
}

/// What a built sort takes as keys and values.
pub(super) struct SortPorts {
    keys: Pair<Port>,
    values: Option<Pair<Port>>,
    double: bool,
}

/// Bound keys and values.
pub(super) struct SortBindings {
    keys: Pair<ArrayBinding>,
    values: Option<Pair<ArrayBinding>>,
}

impl SortPorts {
    /// Type of the keys.
    pub(super) fn key_type(&self) -> Type {
        item(&self.keys[0])
    }

    /// Type of the values.
    pub(super) fn value_type(&self) -> Option<Type> {
        self.values.as_ref().map(|v| item(&v[0]))
    }

    /// Checks and binds the arrays of a call. Memory that `call` has as captured must not be written.
    pub(super) fn bind<'py>(
        &self,
        args: SortArgs<'py>,
        call: &mut Call<'py>,
    ) -> PyResult<(SortBindings, Doubles<'py>)> {
        if self.double == args.doubles.is_empty() {
            let built = if self.double { "double buffers" } else { "arrays" };
            return Err(PyTypeError::new_err(format!("d_in_keys: this object was built for {built}")));
        }
        if self.values.is_some() != args.values.is_some() {
            let built = if self.values.is_some() { "with" } else { "without" };
            return Err(PyValueError::new_err(format!("d_in_values: this object was built {built} values")));
        }
        let keys = bind(&self.keys, args.keys, call)?;
        let values = match (&self.values, args.values) {
            (Some(ports), Some(values)) => Some(bind(ports, values, call)?),
            _ => None,
        };
        // Keys and values move in turn, so that one's output must not be the other's input.
        for (read, written) in [(1, 0), (0, 1)] {
            let only = |list: &[_], i: usize| list.get(i).copied().into_iter().collect::<Vec<_>>();
            check_overlap(&[], &only(&call.read, read), &only(&call.written, written))?;
        }
        call.check_overlap(true)?;
        Ok((SortBindings { keys, values }, Doubles(args.doubles)))
    }
}

fn bind<'py>(
    ports: &Pair<Port>,
    data: Pair<Data<'_, 'py>>,
    call: &mut Call<'py>,
) -> PyResult<Pair<ArrayBinding>> {
    let [input, output] = data;
    Ok([flat(call.data(&ports[0], input)?)?, flat(call.data(&ports[1], output)?)?])
}

fn flat(binding: IterBinding) -> PyResult<ArrayBinding> {
    match binding {
        IterBinding::Array { array, .. } => Ok(array),
        _ => Err(crate::error::internal("an iterator among the arrays of a sort")),
    }
}

impl SortBindings {
    pub(super) fn keys(&self) -> SortData<'_> {
        SortData { input: &self.keys[0], output: &self.keys[1] }
    }

    pub(super) fn values(&self) -> Option<SortData<'_>> {
        self.values.as_ref().map(|[input, output]| SortData { input, output })
    }
}
