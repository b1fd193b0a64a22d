//! `inclusive_scan`, `exclusive_scan` and their `make_*` functions.

use std::sync::Arc;

use freeloom_compute::{ScanKind, ScanPlan, ScanSpec};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::call::{Call, OpPort, count};
use super::factory::{Built, find_or_make};
use super::options::{check_capability, check_stream, check_temp_storage};
use super::scan_doc as doc;
use crate::data::{Data, Port};
use crate::enter;
use crate::fastcall::{self, Raw, Signature, fastcall_function, optional, vectorcall_method};
use crate::init::{self, Init};
use crate::key::Key;
use crate::operator::OpArg;

type Arg<'a, 'py> = Borrowed<'a, 'py, PyAny>;

const MAKE_NAMES: [&str; 5] = ["d_in", "d_out", "op", "init_value", "compute_capability"];
const ONE_SHOT_NAMES: [&str; 6] = ["d_in", "d_out", "op", "init_value", "num_items", "stream"];
static MAKE_INCLUSIVE: Signature<5> = Signature::new("make_inclusive_scan", MAKE_NAMES, 0b00111);
static MAKE_EXCLUSIVE: Signature<5> = Signature::new("make_exclusive_scan", MAKE_NAMES, 0b01111);
static INCLUSIVE: Signature<6> = Signature::new("inclusive_scan", ONE_SHOT_NAMES, 0b010111);
static EXCLUSIVE: Signature<6> = Signature::new("exclusive_scan", ONE_SHOT_NAMES, 0b011111);
static CALL: Signature<7> = Signature::new(
    "scan object",
    ["temp_storage", "d_in", "d_out", "op", "init_value", "num_items", "stream"],
    0b0111111,
);

/// A scan built for some types and an operator; made by `make_inclusive_scan` or `make_exclusive_scan`.
///
/// Call it with keywords only: `temp_storage`, `d_in`, `d_out`, `op`, `init_value`, `num_items` and, if you
/// like, `stream`. With `temp_storage=None` it returns the bytes of scratch memory that a run needs; with a
/// buffer of that size it runs. Data, lengths, start values and captured arrays may change from call to call,
/// types and code may not (`TypeError`).
///
/// Threads: free.
#[pyclass(frozen, weakref, module = "freeloom._native", name = "_Scan")]
#[repr(C)]
pub(super) struct Scan {
    entry: ffi::vectorcallfunc,
    key: Key,
    input: Port,
    output: Port,
    op: OpPort,
    /// `None`: an exclusive scan without initial value, which cannot run.
    plan: Option<Arc<ScanPlan>>,
    has_init: bool,
}

impl Built for Scan {
    fn key(&self) -> &Key {
        &self.key
    }
}

/// Arguments that decide what is built.
struct Parts<'a, 'py> {
    kind: ScanKind,
    input: Data<'a, 'py>,
    output: Data<'a, 'py>,
    op: Arg<'a, 'py>,
    op_read: OpArg<'py>,
    init: Option<Init>,
}

impl<'a, 'py> Parts<'a, 'py> {
    fn read(
        py: Python<'py>,
        kind: ScanKind,
        [d_in, d_out, op]: [Arg<'a, 'py>; 3],
        init: Option<Arg<'a, 'py>>,
    ) -> PyResult<Parts<'a, 'py>> {
        let input = Data::read(d_in, "d_in")?;
        let output = Data::read(d_out, "d_out")?;
        let init =
            optional(init).map(|i| init::read(&i, "init_value", || input.item(py, "d_in"))).transpose()?;
        let op_read = OpArg::read(&op, "op")?;
        Ok(Parts { kind, input, output, op, op_read, init })
    }

    fn find(&self, py: Python<'py>) -> PyResult<Bound<'py, Scan>> {
        let mut key = Key::default();
        key.push(if self.kind == ScanKind::Inclusive { 2 } else { 3 });
        key.push(self.op_read.number());
        key.push(self.init.as_ref().map_or(0, |i| i.ty.number));
        self.input.key(py, "d_in", &mut key)?;
        self.output.key(py, "d_out", &mut key)?;
        find_or_make(py, key, |key| self.build(py, key))
    }

    fn build(&self, py: Python<'py>, key: Key) -> PyResult<Bound<'py, Scan>> {
        let input = Port::new(py, &self.input, "d_in", false)?;
        let output = Port::new(py, &self.output, "d_out", true)?;
        let spec = ScanSpec {
            kind: self.kind,
            input: input.spec(),
            output: output.spec(),
            op: self.op_read.operator(),
            init: self.init.as_ref().map(|i| i.ty.ty.clone()),
        };
        let has_init = self.init.is_some();
        let plan = if has_init || self.kind == ScanKind::Inclusive {
            Some(enter::build(py, move || ScanPlan::build(&spec))?)
        } else {
            None
        };
        let op = OpPort::new(self.op, &self.op_read);
        fastcall::new_object(py, Scan { entry: vectorcall, key, input, output, op, plan, has_init })
    }
}

impl Scan {
    fn plan(&self) -> PyResult<&ScanPlan> {
        let missing = || PyValueError::new_err("init_value: an exclusive scan needs an initial value");
        self.plan.as_deref().ok_or_else(missing)
    }

    fn run<'py>(
        &self,
        py: Python<'py>,
        [input, output]: [Data<'_, 'py>; 2],
        op: OpArg<'py>,
        init: Option<&Init>,
        items: u64,
    ) -> PyResult<()> {
        let plan = self.plan()?;
        if init.is_some() != self.has_init {
            let built = if self.has_init { "with" } else { "without" };
            return Err(PyValueError::new_err(format!(
                "init_value: this object was built {built} an initial value"
            )));
        }
        let mut call = Call::new(py, items, items);
        let op = call.op(op);
        let input = call.data(&self.input, input)?;
        let output = call.data(&self.output, output)?;
        call.check_overlap(true)?;
        let init = init.map(|i| &i.bytes[..]);
        enter::run(py, call.is_short(), |interrupt| {
            // SAFETY: the arrays were checked to hold the items and are kept alive by `call`; the output
            // shares no memory with what is read, unless item for item.
            unsafe { plan.run(&input, &output, &op, init, items, interrupt) }
        })
    }

    fn call<'py>(py: Python<'py>, object: &Scan, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: called from the class's vectorcall entry.
        let [temp, d_in, d_out, op, init_value, num_items, stream] = unsafe { CALL.parse(py, raw)? };
        let [temp, d_in, d_out, op, num_items] = fastcall::required([temp, d_in, d_out, op, num_items])?;
        check_stream(stream)?;
        let items = count(num_items)?;
        let bytes = object.plan()?.temp_storage_bytes(items);
        if !temp.is_none() {
            check_temp_storage(&temp, bytes)?;
            let init = optional(init_value).map(|i| object.init(&i)).transpose()?;
            let data = [Data::read(d_in, "d_in")?, Data::read(d_out, "d_out")?];
            object.run(py, data, object.op.read(op)?, init.as_ref(), items)?;
        }
        Ok(bytes.into_pyobject(py)?.into_any())
    }

    /// The initial value of a call.
    fn init(&self, init_value: &Bound<'_, PyAny>) -> PyResult<Init> {
        let built = self.plan()?.value_type();
        let init = init::read(init_value, "init_value", || Ok(built.clone()))?;
        init.check(built, "init_value")?;
        Ok(init)
    }
}

vectorcall_method!(vectorcall, Scan, Scan::call);

#[pymethods]
impl Scan {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        fastcall::call(slf.as_any(), args, kwargs)
    }
}

fn make<'py>(
    py: Python<'py>,
    raw: Raw,
    kind: ScanKind,
    signature: &Signature<5>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let [d_in, d_out, op, init_value, capability] = unsafe { signature.parse(py, raw)? };
    check_capability(capability)?;
    let given = fastcall::required([d_in, d_out, op])?;
    Ok(Parts::read(py, kind, given, init_value)?.find(py)?.into_any())
}

fn one_shot<'py>(
    py: Python<'py>,
    raw: Raw,
    kind: ScanKind,
    signature: &Signature<6>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let [d_in, d_out, op, init_value, num_items, stream] = unsafe { signature.parse(py, raw)? };
    check_stream(stream)?;
    let [d_in, d_out, op, num_items] = fastcall::required([d_in, d_out, op, num_items])?;
    let items = count(num_items)?;
    let parts = Parts::read(py, kind, [d_in, d_out, op], init_value)?;
    let object = parts.find(py)?;
    object.get().run(py, [parts.input, parts.output], parts.op_read, parts.init.as_ref(), items)?;
    Ok(py.None().into_bound(py))
}

fn make_inclusive<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    make(py, raw, ScanKind::Inclusive, &MAKE_INCLUSIVE)
}

fn make_exclusive<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    make(py, raw, ScanKind::Exclusive, &MAKE_EXCLUSIVE)
}

fn inclusive<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    one_shot(py, raw, ScanKind::Inclusive, &INCLUSIVE)
}

fn exclusive<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    one_shot(py, raw, ScanKind::Exclusive, &EXCLUSIVE)
}

fastcall_function!(make_inclusive_entry, make_inclusive);
fastcall_function!(make_exclusive_entry, make_exclusive);
fastcall_function!(inclusive_entry, inclusive);
fastcall_function!(exclusive_entry, exclusive);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fastcall::add_class::<Scan>(module)?;
    fastcall::add_function(module, c"make_inclusive_scan", doc::MAKE_INCLUSIVE, make_inclusive_entry)?;
    fastcall::add_function(module, c"make_exclusive_scan", doc::MAKE_EXCLUSIVE, make_exclusive_entry)?;
    fastcall::add_function(module, c"inclusive_scan", doc::INCLUSIVE, inclusive_entry)?;
    fastcall::add_function(module, c"exclusive_scan", doc::EXCLUSIVE, exclusive_entry)
}
