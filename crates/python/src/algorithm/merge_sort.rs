//! `merge_sort` and `make_merge_sort`.

use std::sync::Arc;

use freeloom_compute::{IterBinding, IterSpec, MergeSortPlan, MergeSortSpec};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smallvec::SmallVec;

use super::call::{Call, OpPort, count};
use super::factory::{Built, find_or_make};
use super::merge_sort_doc as doc;
use super::options::{check_capability, check_stream, check_temp_storage};
use super::sort_args::one_sided;
use crate::data::{Data, Port};
use crate::enter;
use crate::fastcall::{self, Raw, Signature, fastcall_function, optional, vectorcall_method};
use crate::key::Key;
use crate::operator::OpArg;

const MERGE_SORT: u64 = 42;
const INPUTS: [&str; 2] = ["d_in_keys", "d_in_values"];
const OUTPUTS: [&str; 2] = ["d_out_keys", "d_out_values"];

type Arg<'a, 'py> = Borrowed<'a, 'py, PyAny>;
type Given<'a, 'py> = Option<Arg<'a, 'py>>;
/// Keys, then values if there are any.
type Few<T> = SmallVec<[T; 2]>;

static MAKE: Signature<6> = Signature::new(
    "make_merge_sort",
    ["d_in_keys", "d_in_values", "d_out_keys", "d_out_values", "op", "compute_capability"],
    0b010101,
);
static ONE_SHOT: Signature<7> = Signature::new(
    "merge_sort",
    ["d_in_keys", "d_in_values", "d_out_keys", "d_out_values", "num_items", "op", "stream"],
    0b0110101,
);
static CALL: Signature<8> = Signature::new(
    "merge sort object",
    ["temp_storage", "d_in_keys", "d_in_values", "d_out_keys", "d_out_values", "num_items", "op", "stream"],
    0b01101011,
);

/// A merge sort built for some types and a comparator; made by `make_merge_sort`.
///
/// Call it with keywords only: `temp_storage`, `d_in_keys`, `d_in_values`, `d_out_keys`, `d_out_values`,
/// `num_items`, `op` and, if you like, `stream`. With `temp_storage=None` it returns the bytes of scratch
/// memory that a run needs; with a buffer of that size it runs. Data, lengths and captured arrays may change
/// from call to call, types and code may not (`TypeError`).
///
/// Threads: free.
#[pyclass(frozen, weakref, module = "freeloom._native", name = "_MergeSort")]
#[repr(C)]
pub(super) struct Sort {
    entry: ffi::vectorcallfunc,
    key: Key,
    inputs: Few<Port>,
    outputs: Few<Port>,
    op: OpPort,
    plan: Arc<MergeSortPlan>,
}

impl Built for Sort {
    fn key(&self) -> &Key {
        &self.key
    }
}

/// Arguments that decide what is built.
struct Parts<'a, 'py> {
    inputs: Few<Data<'a, 'py>>,
    outputs: Few<Data<'a, 'py>>,
    op: Arg<'a, 'py>,
}

impl<'a, 'py> Parts<'a, 'py> {
    fn read(
        [in_keys, out_keys, op]: [Arg<'a, 'py>; 3],
        values: [Given<'a, 'py>; 2],
    ) -> PyResult<Parts<'a, 'py>> {
        let mut inputs = Few::from_iter([Data::read(in_keys, INPUTS[0])?]);
        let mut outputs = Few::from_iter([Data::read(out_keys, OUTPUTS[0])?]);
        match values.map(optional) {
            [None, None] => {}
            [Some(input), Some(output)] => {
                inputs.push(Data::read(input, INPUTS[1])?);
                outputs.push(Data::read(output, OUTPUTS[1])?);
            }
            _ => return Err(one_sided()),
        }
        for (output, name) in outputs.iter().zip(OUTPUTS) {
            if matches!(output, Data::Iterator(_)) {
                return Err(PyTypeError::new_err(format!("{name} must be an array, not an iterator")));
            }
        }
        Ok(Parts { inputs, outputs, op })
    }

    fn find(&self, py: Python<'py>, op: &OpArg<'py>) -> PyResult<Bound<'py, Sort>> {
        let mut key = Key::default();
        key.push(MERGE_SORT);
        key.push(op.number());
        key.push(self.inputs.len() as u64);
        for (data, name) in self.inputs.iter().zip(INPUTS).chain(self.outputs.iter().zip(OUTPUTS)) {
            data.key(py, name, &mut key)?;
        }
        find_or_make(py, key, |key| self.build(py, key, op))
    }

    fn build(&self, py: Python<'py>, key: Key, op: &OpArg<'py>) -> PyResult<Bound<'py, Sort>> {
        let inputs = self.inputs.iter().zip(INPUTS);
        let inputs: Few<Port> =
            inputs.map(|(d, name)| Port::new(py, d, name, false)).collect::<PyResult<_>>()?;
        let outputs = self.outputs.iter().zip(OUTPUTS);
        let outputs: Few<Port> =
            outputs.map(|(d, name)| Port::new(py, d, name, true)).collect::<PyResult<_>>()?;
        let types = outputs.iter().filter_map(|port| match port.spec() {
            IterSpec::Array(ty) => Some(ty),
            _ => None,
        });
        let spec = MergeSortSpec {
            inputs: inputs.iter().map(Port::spec).collect(),
            outputs: types.collect(),
            op: op.operator(),
        };
        let plan = enter::build(py, move || MergeSortPlan::build(&spec))?;
        let op = OpPort::new(self.op, op);
        fastcall::new_object(py, Sort { entry: vectorcall, key, inputs, outputs, op, plan })
    }
}

impl Sort {
    fn run<'py>(&self, py: Python<'py>, parts: Parts<'_, 'py>, op: OpArg<'py>, items: u64) -> PyResult<()> {
        if parts.inputs.len() != self.inputs.len() {
            let built = if self.inputs.len() == 2 { "with" } else { "without" };
            return Err(PyValueError::new_err(format!("d_in_values: this object was built {built} values")));
        }
        let mut call = Call::new(py, items, items);
        let op = call.op(op);
        let mut inputs = Few::new();
        for (port, data) in self.inputs.iter().zip(parts.inputs) {
            inputs.push(call.data(port, data)?);
        }
        let mut outputs = Few::new();
        for (port, data) in self.outputs.iter().zip(parts.outputs) {
            match call.data(port, data)? {
                IterBinding::Array { array, .. } => outputs.push(array),
                _ => return Err(crate::error::internal("an iterator as the output of a sort")),
            }
        }
        call.check_overlap(true)?;
        let plan = &*self.plan;
        enter::run(py, call.is_short(), |interrupt| {
            // SAFETY: the arrays were checked to hold the items and are kept alive by `call`; the outputs
            // share no memory with each other or what is read, unless item for item.
            unsafe { plan.run(&inputs, &outputs, &op, items, interrupt) }
        })
    }

    fn call<'py>(py: Python<'py>, object: &Sort, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: called from the class's vectorcall entry.
        let given = unsafe { CALL.parse(py, raw)? };
        let [temp, in_keys, in_values, out_keys, out_values, num_items, op, stream] = given;
        let [temp, in_keys, out_keys, num_items, op] =
            fastcall::required([temp, in_keys, out_keys, num_items, op])?;
        check_stream(stream)?;
        let items = count(num_items)?;
        let bytes = object.plan.temp_storage_bytes(items);
        if !temp.is_none() {
            check_temp_storage(&temp, bytes)?;
            let parts = Parts::read([in_keys, out_keys, op], [in_values, out_values])?;
            let op = object.op.read(op)?;
            object.run(py, parts, op, items)?;
        }
        Ok(bytes.into_pyobject(py)?.into_any())
    }
}

vectorcall_method!(vectorcall, Sort, Sort::call);

#[pymethods]
impl Sort {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        fastcall::call(slf.as_any(), args, kwargs)
    }
}

fn make<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let [in_keys, in_values, out_keys, out_values, op, capability] = unsafe { MAKE.parse(py, raw)? };
    check_capability(capability)?;
    let [in_keys, out_keys, op] = fastcall::required([in_keys, out_keys, op])?;
    let read = OpArg::read(&op, "op")?;
    let parts = Parts::read([in_keys, out_keys, op], [in_values, out_values])?;
    Ok(parts.find(py, &read)?.into_any())
}

fn one_shot<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let given = unsafe { ONE_SHOT.parse(py, raw)? };
    let [in_keys, in_values, out_keys, out_values, num_items, op, stream] = given;
    check_stream(stream)?;
    let [in_keys, out_keys, num_items, op] = fastcall::required([in_keys, out_keys, num_items, op])?;
    let items = count(num_items)?;
    let read = OpArg::read(&op, "op")?;
    let parts = Parts::read([in_keys, out_keys, op], [in_values, out_values])?;
    parts.find(py, &read)?.get().run(py, parts, read, items)?;
    Ok(py.None().into_bound(py))
}

fastcall_function!(make_entry, make);
fastcall_function!(one_shot_entry, one_shot);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fastcall::add_class::<Sort>(module)?;
    fastcall::add_function(module, c"make_merge_sort", doc::MAKE, make_entry)?;
    fastcall::add_function(module, c"merge_sort", doc::ONE_SHOT, one_shot_entry)
}
