//! `unary_transform`, `binary_transform` and their `make_*` functions.

use std::sync::Arc;

use freeloom_compute::{TransformPlan, TransformSpec};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smallvec::SmallVec;

use super::call::{Call, OpPort, count};
use super::factory::{Built, find_or_make};
use super::options::{check_capability, check_stream};
use super::transform_doc as doc;
use crate::data::{Data, Port};
use crate::enter;
use crate::fastcall::{self, Raw, Signature, fastcall_function, vectorcall_method};
use crate::key::Key;
use crate::operator::OpArg;

const TRANSFORM: u64 = 4;

type Arg<'a, 'py> = Borrowed<'a, 'py, PyAny>;
type Inputs<T> = SmallVec<[T; 2]>;

static MAKE_UNARY: Signature<4> =
    Signature::new("make_unary_transform", ["d_in", "d_out", "op", "compute_capability"], 0b0111);
static MAKE_BINARY: Signature<5> =
    Signature::new("make_binary_transform", ["d_in1", "d_in2", "d_out", "op", "compute_capability"], 0b01111);
static UNARY: Signature<5> =
    Signature::new("unary_transform", ["d_in", "d_out", "op", "num_items", "stream"], 0b01111);
static BINARY: Signature<6> =
    Signature::new("binary_transform", ["d_in1", "d_in2", "d_out", "op", "num_items", "stream"], 0b011111);

/// A transform built for some types and an operator; made by `make_unary_transform` or
/// `make_binary_transform`.
///
/// Call it with keywords only: `d_in` (or `d_in1` and `d_in2`), `d_out`, `op`, `num_items` and, if you like,
/// `stream`. Data, lengths and captured arrays may change from call to call, types and code may not
/// (`TypeError`).
///
/// Threads: free.
#[pyclass(frozen, weakref, module = "freeloom._native", name = "_Transform")]
#[repr(C)]
pub(super) struct Transform {
    entry: ffi::vectorcallfunc,
    key: Key,
    inputs: Inputs<Port>,
    output: Port,
    op: OpPort,
    plan: Arc<TransformPlan>,
}

impl Built for Transform {
    fn key(&self) -> &Key {
        &self.key
    }
}

/// Arguments that decide what is built.
struct Parts<'a, 'py> {
    inputs: Inputs<Data<'a, 'py>>,
    output: Data<'a, 'py>,
    op: Arg<'a, 'py>,
}

/// Names of the inputs.
fn names(count: usize) -> &'static [&'static str] {
    if count == 1 { &["d_in"] } else { &["d_in1", "d_in2"] }
}

impl<'a, 'py> Parts<'a, 'py> {
    fn read(inputs: &[Arg<'a, 'py>], d_out: Arg<'a, 'py>, op: Arg<'a, 'py>) -> PyResult<Parts<'a, 'py>> {
        let named = inputs.iter().zip(names(inputs.len()));
        let inputs = named.map(|(object, name)| Data::read(*object, name)).collect::<PyResult<_>>()?;
        Ok(Parts { inputs, output: Data::read(d_out, "d_out")?, op })
    }

    fn find(&self, py: Python<'py>, op: &OpArg<'py>) -> PyResult<Bound<'py, Transform>> {
        let mut key = Key::default();
        key.push(TRANSFORM);
        key.push(op.number());
        for (input, name) in self.inputs.iter().zip(names(self.inputs.len())) {
            input.key(py, name, &mut key)?;
        }
        self.output.key(py, "d_out", &mut key)?;
        find_or_make(py, key, |key| self.build(py, key, op))
    }

    fn build(&self, py: Python<'py>, key: Key, op: &OpArg<'py>) -> PyResult<Bound<'py, Transform>> {
        let named = self.inputs.iter().zip(names(self.inputs.len()));
        let inputs: Inputs<Port> =
            named.map(|(input, name)| Port::new(py, input, name, false)).collect::<PyResult<_>>()?;
        let output = Port::new(py, &self.output, "d_out", true)?;
        let spec = TransformSpec {
            inputs: inputs.iter().map(Port::spec).collect(),
            output: output.spec(),
            op: op.operator(),
        };
        let plan = enter::build(py, move || TransformPlan::build(&spec))?;
        let op = OpPort::new(self.op, op);
        fastcall::new_object(py, Transform { entry: vectorcall, key, inputs, output, op, plan })
    }
}

impl Transform {
    fn run<'py>(&self, py: Python<'py>, parts: Parts<'_, 'py>, op: OpArg<'py>, items: u64) -> PyResult<()> {
        let mut call = Call::new(py, items, items);
        let op = call.op(op);
        let mut inputs = Inputs::new();
        for (port, input) in self.inputs.iter().zip(parts.inputs) {
            inputs.push(call.data(port, input)?);
        }
        let output = call.data(&self.output, parts.output)?;
        call.check_overlap(true)?;
        let plan = &*self.plan;
        enter::run(py, call.is_short(), |interrupt| {
            // SAFETY: the arrays were checked to hold the items and are kept alive by `call`; the output
            // shares no memory with what is read, unless item for item.
            unsafe { plan.run(&inputs, &output, &op, items, interrupt) }
        })
    }

    fn call<'py>(py: Python<'py>, object: &Transform, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: called from the class's vectorcall entry.
        let (parts, items) =
            unsafe { if object.inputs.len() == 1 { unary_parts(py, raw)? } else { binary_parts(py, raw)? } };
        let op = object.op.read(parts.op)?;
        object.run(py, parts, op, items)?;
        Ok(py.None().into_bound(py))
    }
}

vectorcall_method!(vectorcall, Transform, Transform::call);

/// # Safety
///
/// As for [`Signature::parse`].
unsafe fn unary_parts<'a, 'py>(py: Python<'py>, raw: Raw) -> PyResult<(Parts<'a, 'py>, u64)> {
    // SAFETY: by contract.
    let [d_in, d_out, op, num_items, stream] = unsafe { UNARY.parse(py, raw)? };
    check_stream(stream)?;
    let [d_in, d_out, op, num_items] = fastcall::required([d_in, d_out, op, num_items])?;
    Ok((Parts::read(&[d_in], d_out, op)?, count(num_items)?))
}

/// # Safety
///
/// As for [`Signature::parse`].
unsafe fn binary_parts<'a, 'py>(py: Python<'py>, raw: Raw) -> PyResult<(Parts<'a, 'py>, u64)> {
    // SAFETY: by contract.
    let [d_in1, d_in2, d_out, op, num_items, stream] = unsafe { BINARY.parse(py, raw)? };
    check_stream(stream)?;
    let [d_in1, d_in2, d_out, op, num_items] = fastcall::required([d_in1, d_in2, d_out, op, num_items])?;
    Ok((Parts::read(&[d_in1, d_in2], d_out, op)?, count(num_items)?))
}

#[pymethods]
impl Transform {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        fastcall::call(slf.as_any(), args, kwargs)
    }
}

fn make_unary<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let [d_in, d_out, op, capability] = unsafe { MAKE_UNARY.parse(py, raw)? };
    check_capability(capability)?;
    let [d_in, d_out, op] = fastcall::required([d_in, d_out, op])?;
    let read = OpArg::read(&op, "op")?;
    Ok(Parts::read(&[d_in], d_out, op)?.find(py, &read)?.into_any())
}

fn make_binary<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let [d_in1, d_in2, d_out, op, capability] = unsafe { MAKE_BINARY.parse(py, raw)? };
    check_capability(capability)?;
    let [d_in1, d_in2, d_out, op] = fastcall::required([d_in1, d_in2, d_out, op])?;
    let read = OpArg::read(&op, "op")?;
    Ok(Parts::read(&[d_in1, d_in2], d_out, op)?.find(py, &read)?.into_any())
}

fn unary<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let (parts, items) = unsafe { unary_parts(py, raw)? };
    let op = OpArg::read(&parts.op, "op")?;
    parts.find(py, &op)?.get().run(py, parts, op, items)?;
    Ok(py.None().into_bound(py))
}

fn binary<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let (parts, items) = unsafe { binary_parts(py, raw)? };
    let op = OpArg::read(&parts.op, "op")?;
    parts.find(py, &op)?.get().run(py, parts, op, items)?;
    Ok(py.None().into_bound(py))
}

fastcall_function!(make_unary_entry, make_unary);
fastcall_function!(make_binary_entry, make_binary);
fastcall_function!(unary_entry, unary);
fastcall_function!(binary_entry, binary);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fastcall::add_class::<Transform>(module)?;
    fastcall::add_function(module, c"make_unary_transform", doc::MAKE_UNARY, make_unary_entry)?;
    fastcall::add_function(module, c"make_binary_transform", doc::MAKE_BINARY, make_binary_entry)?;
    fastcall::add_function(module, c"unary_transform", doc::UNARY, unary_entry)?;
    fastcall::add_function(module, c"binary_transform", doc::BINARY, binary_entry)
}
