//! `reduce_into` and `make_reduce_into`.

use std::sync::Arc;

use freeloom_compute::{Determinism, ReducePlan, ReduceSpec};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::call::{Call, OpPort, count};
use super::factory::{Built, find_or_make};
use super::options::{check_capability, check_stream, check_temp_storage, determinism};
use super::reduce_doc as doc;
use crate::data::{Data, Port};
use crate::enter;
use crate::fastcall::{self, Raw, Signature, fastcall_function, optional, vectorcall_method};
use crate::init::{self, Init};
use crate::key::Key;
use crate::operator::OpArg;

const REDUCE: u64 = 1;

type Arg<'a, 'py> = Borrowed<'a, 'py, PyAny>;

static MAKE: Signature<6> = Signature::new(
    "make_reduce_into",
    ["d_in", "d_out", "op", "h_init", "determinism", "compute_capability"],
    0b000111,
);
static ONE_SHOT: Signature<8> = Signature::new(
    "reduce_into",
    ["d_in", "d_out", "num_items", "op", "h_init", "stream", "determinism", "compute_capability"],
    0b00001111,
);
static CALL: Signature<7> = Signature::new(
    "reduce_into object",
    ["temp_storage", "d_in", "d_out", "num_items", "op", "h_init", "stream"],
    0b0111111,
);

/// A reduction built for some types and an operator; made by `make_reduce_into`.
///
/// Call it with keywords only: `temp_storage`, `d_in`, `d_out`, `num_items`, `op`, `h_init` and, if you like,
/// `stream`. With `temp_storage=None` it returns the bytes of scratch memory that a run needs; with a buffer of
/// that size it runs. Data, lengths, start values and captured arrays may change from call to call, types and
/// code may not (`TypeError`).
///
/// Threads: free.
#[pyclass(frozen, weakref, module = "freeloom._native", name = "_Reduce")]
#[repr(C)]
pub(super) struct Reduce {
    entry: ffi::vectorcallfunc,
    key: Key,
    input: Port,
    output: Port,
    op: OpPort,
    has_init: bool,
    plan: Arc<ReducePlan>,
}

impl Built for Reduce {
    fn key(&self) -> &Key {
        &self.key
    }
}

/// Arguments that decide what is built.
struct Parts<'a, 'py> {
    input: Data<'a, 'py>,
    output: Data<'a, 'py>,
    op: Arg<'a, 'py>,
    op_read: OpArg<'py>,
    init: Option<Init>,
    determinism: Determinism,
}

impl<'a, 'py> Parts<'a, 'py> {
    fn read(
        py: Python<'py>,
        [d_in, d_out, op]: [Arg<'a, 'py>; 3],
        h_init: Option<Arg<'a, 'py>>,
        determinism: Determinism,
    ) -> PyResult<Parts<'a, 'py>> {
        let input = Data::read(d_in, "d_in")?;
        let output = Data::read(d_out, "d_out")?;
        let init =
            optional(h_init).map(|h| init::read(&h, "h_init", || input.item(py, "d_in"))).transpose()?;
        if determinism == Determinism::NotGuaranteed && init.is_none() {
            return Err(PyValueError::new_err("determinism NOT_GUARANTEED needs h_init"));
        }
        let op_read = OpArg::read(&op, "op")?;
        Ok(Parts { input, output, op, op_read, init, determinism })
    }

    fn key(&self, py: Python<'py>) -> PyResult<Key> {
        let mut key = Key::default();
        key.push(REDUCE);
        key.push(self.determinism as u64);
        key.push(self.op_read.number());
        key.push(self.init.as_ref().map_or(0, |i| i.ty.number));
        self.input.key(py, "d_in", &mut key)?;
        self.output.key(py, "d_out", &mut key)?;
        Ok(key)
    }

    fn find(&self, py: Python<'py>) -> PyResult<Bound<'py, Reduce>> {
        find_or_make(py, self.key(py)?, |key| self.build(py, key))
    }

    fn build(&self, py: Python<'py>, key: Key) -> PyResult<Bound<'py, Reduce>> {
        let input = Port::new(py, &self.input, "d_in", false)?;
        let output = Port::new(py, &self.output, "d_out", true)?;
        let spec = ReduceSpec {
            input: input.spec(),
            output: output.spec(),
            op: self.op_read.operator(),
            init: self.init.as_ref().map(|i| i.ty.ty.clone()),
            determinism: self.determinism,
        };
        let plan = enter::build(py, move || ReducePlan::build(&spec))?;
        let (op, has_init) = (OpPort::new(self.op, &self.op_read), self.init.is_some());
        fastcall::new_object(py, Reduce { entry: vectorcall, key, input, output, op, has_init, plan })
    }
}

impl Reduce {
    fn run<'py>(
        &self,
        py: Python<'py>,
        [input, output]: [Data<'_, 'py>; 2],
        op: OpArg<'py>,
        init: Option<&Init>,
        items: u64,
    ) -> PyResult<()> {
        if init.is_some() != self.has_init {
            let built = if self.has_init { "with" } else { "without" };
            return Err(PyValueError::new_err(format!(
                "h_init: this object was built {built} an initial value"
            )));
        }
        let written = u64::from(items > 0 || self.has_init);
        let mut call = Call::new(py, items, written);
        let op = call.op(op);
        let input = call.data(&self.input, input)?;
        let output = call.data(&self.output, output)?;
        call.check_overlap(false)?;
        let (plan, init) = (&*self.plan, init.map(|i| &i.bytes[..]));
        enter::run(py, call.is_short(), |interrupt| {
            // SAFETY: the arrays were checked to hold the items, are kept alive by `call`, and the output
            // shares no memory with what operators read; it is written after all items have been read.
            unsafe { plan.run(&input, &output, &op, init, items, interrupt) }
        })
    }

    fn call<'py>(py: Python<'py>, object: &Reduce, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: called from the class's vectorcall entry.
        let [temp, d_in, d_out, num_items, op, h_init, stream] = unsafe { CALL.parse(py, raw)? };
        let [temp, d_in, d_out, num_items, op] = fastcall::required([temp, d_in, d_out, num_items, op])?;
        check_stream(stream)?;
        let items = count(num_items)?;
        let bytes = object.plan.temp_storage_bytes(items);
        if !temp.is_none() {
            check_temp_storage(&temp, bytes)?;
            let init = optional(h_init).map(|h| object.init(&h)).transpose()?;
            let data = [Data::read(d_in, "d_in")?, Data::read(d_out, "d_out")?];
            object.run(py, data, object.op.read(op)?, init.as_ref(), items)?;
        }
        Ok(bytes.into_pyobject(py)?.into_any())
    }

    /// The initial value of a call.
    fn init(&self, h_init: &Bound<'_, PyAny>) -> PyResult<Init> {
        let built = self.plan.value_type();
        let init = init::read(h_init, "h_init", || Ok(built.clone()))?;
        init.check(built, "h_init")?;
        Ok(init)
    }
}

vectorcall_method!(vectorcall, Reduce, Reduce::call);

#[pymethods]
impl Reduce {
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
    let [d_in, d_out, op, h_init, determinism_, capability] = unsafe { MAKE.parse(py, raw)? };
    check_capability(capability)?;
    let given = fastcall::required([d_in, d_out, op])?;
    Ok(Parts::read(py, given, h_init, determinism(determinism_)?)?.find(py)?.into_any())
}

fn reduce_into<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let [d_in, d_out, num_items, op, h_init, stream, determinism_, capability] =
        unsafe { ONE_SHOT.parse(py, raw)? };
    check_stream(stream)?;
    check_capability(capability)?;
    let [d_in, d_out, num_items, op] = fastcall::required([d_in, d_out, num_items, op])?;
    let items = count(num_items)?;
    let parts = Parts::read(py, [d_in, d_out, op], h_init, determinism(determinism_)?)?;
    let object = parts.find(py)?;
    object.get().run(py, [parts.input, parts.output], parts.op_read, parts.init.as_ref(), items)?;
    Ok(py.None().into_bound(py))
}

fastcall_function!(make_entry, make);
fastcall_function!(one_shot_entry, reduce_into);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fastcall::add_class::<Reduce>(module)?;
    fastcall::add_function(module, c"make_reduce_into", doc::MAKE, make_entry)?;
    fastcall::add_function(module, c"reduce_into", doc::ONE_SHOT, one_shot_entry)
}
