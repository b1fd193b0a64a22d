//! `segmented_reduce` and `make_segmented_reduce`.

mod doc;

use std::sync::Arc;

use freeloom_compute::{SegmentedReducePlan, SegmentedReduceSpec, Segments};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::call::{Call, OpPort, count_of};
use super::factory::{Built, find_or_make};
use super::options::{check_capability, check_stream, check_temp_storage};
use crate::data::{Data, Port};
use crate::error::renamed;
use crate::fastcall::{self, Raw, Signature, fastcall_function, optional, vectorcall_method};
use crate::init::{self, Init};
use crate::key::Key;
use crate::operator::OpArg;
use crate::{enter, fastcall::Given};

const SEGMENTED_REDUCE: u64 = 20;
/// Most segments, as in `cuda.compute`.
const MAX_SEGMENTS: u64 = (1 << 31) - 1;

type Arg<'a, 'py> = Borrowed<'a, 'py, PyAny>;

static MAKE: Signature<7> = Signature::new(
    "make_segmented_reduce",
    ["d_in", "d_out", "start_offsets_in", "end_offsets_in", "op", "h_init", "compute_capability"],
    0b011_1111,
);
static ONE_SHOT: Signature<9> = Signature::new(
    "segmented_reduce",
    [
        "d_in",
        "d_out",
        "num_segments",
        "start_offsets_in",
        "end_offsets_in",
        "op",
        "h_init",
        "max_segment_size",
        "stream",
    ],
    0b0_0111_1111,
);
static CALL: Signature<10> = Signature::new(
    "segmented_reduce object",
    [
        "temp_storage",
        "d_in",
        "d_out",
        "num_segments",
        "start_offsets_in",
        "end_offsets_in",
        "op",
        "h_init",
        "max_segment_size",
        "stream",
    ],
    0b00_1111_1111,
);

/// A segmented reduction built for some types and an operator; made by `make_segmented_reduce`.
///
/// Call it with keywords only: `temp_storage`, `d_in`, `d_out`, `num_segments`, `start_offsets_in`,
/// `end_offsets_in`, `op`, `h_init` and, if you like, `max_segment_size` and `stream`. With `temp_storage=None` it
/// returns the bytes of scratch memory that a run needs; with a buffer of that size it runs. Data, lengths, start
/// values and captured arrays may change from call to call, types and code may not (`TypeError`).
///
/// Threads: free.
#[pyclass(frozen, weakref, module = "freeloom._native", name = "_SegmentedReduce")]
#[repr(C)]
pub(super) struct SegmentedReduce {
    entry: ffi::vectorcallfunc,
    key: Key,
    input: Port,
    output: Port,
    starts: Port,
    ends: Port,
    op: OpPort,
    plan: Arc<SegmentedReducePlan>,
}

impl Built for SegmentedReduce {
    fn key(&self) -> &Key {
        &self.key
    }
}

/// The data arguments.
struct Parts<'a, 'py> {
    input: Data<'a, 'py>,
    output: Data<'a, 'py>,
    starts: Data<'a, 'py>,
    ends: Data<'a, 'py>,
}

impl<'a, 'py> Parts<'a, 'py> {
    fn read([d_in, d_out, starts, ends]: [Arg<'a, 'py>; 4]) -> PyResult<Parts<'a, 'py>> {
        Ok(Parts {
            input: Data::read(d_in, "d_in")?,
            output: Data::read(d_out, "d_out")?,
            starts: Data::read(starts, "start_offsets_in")?,
            ends: Data::read(ends, "end_offsets_in")?,
        })
    }

    fn init(&self, py: Python<'py>, h_init: Arg<'a, 'py>) -> PyResult<Init> {
        match optional(Some(h_init)) {
            Some(h) => init::read(&h, "h_init", || self.input.item(py, "d_in")),
            None => {
                Err(PyTypeError::new_err("h_init must not be None: it is the result of an empty segment"))
            }
        }
    }

    /// The object for these arguments.
    fn find(
        &self,
        py: Python<'py>,
        (op, op_read): (Arg<'a, 'py>, &OpArg<'py>),
        init: &Init,
    ) -> PyResult<Bound<'py, SegmentedReduce>> {
        let mut key = Key::default();
        key.push(SEGMENTED_REDUCE);
        key.push(op_read.number());
        key.push(init.ty.number);
        self.input.key(py, "d_in", &mut key)?;
        self.output.key(py, "d_out", &mut key)?;
        self.starts.key(py, "start_offsets_in", &mut key)?;
        self.ends.key(py, "end_offsets_in", &mut key)?;
        find_or_make(py, key, |key| {
            let input = Port::new(py, &self.input, "d_in", false)?;
            let output = Port::new(py, &self.output, "d_out", true)?;
            let starts = Port::new(py, &self.starts, "start_offsets_in", false)?;
            let ends = Port::new(py, &self.ends, "end_offsets_in", false)?;
            let spec = SegmentedReduceSpec {
                input: input.spec(),
                output: output.spec(),
                starts: starts.spec(),
                ends: ends.spec(),
                op: op_read.operator(),
                init: init.ty.ty.clone(),
            };
            let plan = enter::build(py, move || SegmentedReducePlan::build(&spec))?;
            let op = OpPort::new(op, op_read);
            let entry = vectorcall;
            fastcall::new_object(py, SegmentedReduce { entry, key, input, output, starts, ends, op, plan })
        })
    }
}

impl SegmentedReduce {
    fn run<'py>(
        &self,
        py: Python<'py>,
        parts: Parts<'_, 'py>,
        op: OpArg<'py>,
        init: &Init,
        segments: u64,
    ) -> PyResult<()> {
        let len = parts.input.available(py)?;
        let mut call = Call::new(py, segments, segments);
        let op = call.op(op);
        let counted = |e| renamed(py, e, "num_items", "num_segments");
        let starts = call.data(&self.starts, parts.starts).map_err(counted)?;
        let ends = call.data(&self.ends, parts.ends).map_err(counted)?;
        let output = call.data(&self.output, parts.output).map_err(counted)?;
        call.items = len;
        let input = call.data(&self.input, parts.input)?;
        call.check_apart()?;
        // Segments may overlap, so the number of items says nothing.
        call.items = u64::MAX;
        let plan = &*self.plan;
        let (count, init) = (segments, &init.bytes[..]);
        enter::run(py, call.is_short(), |interrupt| {
            let (input, output) = (&input, &output);
            let given = Segments { input, len, output, starts: &starts, ends: &ends, count, op: &op, init };
            // SAFETY: the arrays were checked to hold the items and segments, are kept alive by `call`, and
            // the output shares no memory with what is read.
            unsafe { plan.run(&given, interrupt) }
        })
    }

    fn call<'py>(py: Python<'py>, object: &SegmentedReduce, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: called from the class's vectorcall entry.
        let given: Given<'_, '_, 10> = unsafe { CALL.parse(py, raw)? };
        let [temp, d_in, d_out, segments, starts, ends, op, h_init, hint, stream] = given;
        check_stream(stream)?;
        check_hint(hint)?;
        let required = fastcall::required([temp, d_in, d_out, segments, starts, ends, op, h_init])?;
        let [temp, d_in, d_out, segments, starts, ends, op, h_init] = required;
        let segments = segment_count(segments)?;
        let bytes = object.plan.temp_storage_bytes();
        if !temp.is_none() {
            check_temp_storage(&temp, bytes)?;
            let parts = Parts::read([d_in, d_out, starts, ends])?;
            let init = parts.init(py, h_init)?;
            init.check(object.plan.value_type(), "h_init")?;
            object.run(py, parts, object.op.read(op)?, &init, segments)?;
        }
        Ok(bytes.into_pyobject(py)?.into_any())
    }
}

vectorcall_method!(vectorcall, SegmentedReduce, SegmentedReduce::call);

#[pymethods]
impl SegmentedReduce {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        fastcall::call(slf.as_any(), args, kwargs)
    }
}

/// `num_segments`
fn segment_count(object: Arg<'_, '_>) -> PyResult<u64> {
    let count = count_of(object, "num_segments")?;
    if count > MAX_SEGMENTS {
        // The text is that of `cuda.compute`, which programs may look for.
        let text = "Segmented sort does not currently support more than 2^31-1 segments.";
        return Err(PyRuntimeError::new_err(text));
    }
    Ok(count)
}

/// `max_segment_size` is a hint that the CPU has no use for.
fn check_hint(hint: Option<Arg<'_, '_>>) -> PyResult<()> {
    optional(hint).map_or(Ok(0), |hint| count_of(hint, "max_segment_size")).map(|_| ())
}

fn make<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let [d_in, d_out, starts, ends, op, h_init, capability] = unsafe { MAKE.parse(py, raw)? };
    check_capability(capability)?;
    let required = fastcall::required([d_in, d_out, starts, ends, op, h_init])?;
    let [d_in, d_out, starts, ends, op, h_init] = required;
    let parts = Parts::read([d_in, d_out, starts, ends])?;
    let init = parts.init(py, h_init)?;
    Ok(parts.find(py, (op, &OpArg::read(&op, "op")?), &init)?.into_any())
}

fn segmented_reduce<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let [d_in, d_out, segments, starts, ends, op, h_init, hint, stream] = unsafe { ONE_SHOT.parse(py, raw)? };
    check_stream(stream)?;
    check_hint(hint)?;
    let required = fastcall::required([d_in, d_out, segments, starts, ends, op, h_init])?;
    let [d_in, d_out, segments, starts, ends, op, h_init] = required;
    let segments = segment_count(segments)?;
    let parts = Parts::read([d_in, d_out, starts, ends])?;
    let init = parts.init(py, h_init)?;
    let op_read = OpArg::read(&op, "op")?;
    let object = parts.find(py, (op, &op_read), &init)?;
    object.get().run(py, parts, op_read, &init, segments)?;
    Ok(py.None().into_bound(py))
}

fastcall_function!(make_entry, make);
fastcall_function!(one_shot_entry, segmented_reduce);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fastcall::add_class::<SegmentedReduce>(module)?;
    fastcall::add_function(module, c"make_segmented_reduce", doc::MAKE, make_entry)?;
    fastcall::add_function(module, c"segmented_reduce", doc::ONE_SHOT, one_shot_entry)
}
