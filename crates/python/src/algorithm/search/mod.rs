//! `lower_bound`, `upper_bound` and their `make_*` functions.

mod doc;

use std::sync::Arc;

use freeloom_compute::{SearchPlan, SearchSpec, Side};
use freeloom_ir::{Scalar, Type};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use super::call::{Call, OpPort, count, count_of};
use super::factory::{Built, find_or_make};
use super::options::{check_capability, check_stream};
use crate::data::{Data, Port};
use crate::enter;
use crate::error::renamed;
use crate::fastcall::{self, Raw, Signature, fastcall_function, optional, vectorcall_method};
use crate::key::Key;
use crate::operator::OpArg;

const SEARCH: u64 = 22;

type Arg<'a, 'py> = Borrowed<'a, 'py, PyAny>;

const MAKE_NAMES: [&str; 5] = ["d_data", "d_values", "d_out", "comp", "compute_capability"];
const RUN_NAMES: [&str; 7] = ["d_data", "num_items", "d_values", "num_values", "d_out", "comp", "stream"];

static MAKE_LOWER: Signature<5> = Signature::new("make_lower_bound", MAKE_NAMES, 0b0_0111);
static MAKE_UPPER: Signature<5> = Signature::new("make_upper_bound", MAKE_NAMES, 0b0_0111);
static LOWER: Signature<7> = Signature::new("lower_bound", RUN_NAMES, 0b001_1111);
static UPPER: Signature<7> = Signature::new("upper_bound", RUN_NAMES, 0b001_1111);
static CALL: Signature<7> = Signature::new("binary search object", RUN_NAMES, 0b011_1111);

/// A binary search built for some types and a comparison; made by `make_lower_bound` or `make_upper_bound`.
///
/// Call it with keywords only: `d_data`, `num_items`, `d_values`, `num_values`, `d_out`, `comp` and, if you like,
/// `stream`. Data, lengths and captured arrays may change from call to call, types and code may not (`TypeError`).
///
/// Threads: free.
#[pyclass(frozen, weakref, module = "freeloom._native", name = "_Search")]
#[repr(C)]
pub(super) struct Search {
    entry: ffi::vectorcallfunc,
    key: Key,
    data: Port,
    values: Port,
    output: Port,
    comp: OpPort,
    plan: Arc<SearchPlan>,
}

impl Built for Search {
    fn key(&self) -> &Key {
        &self.key
    }
}

/// The arguments that decide what is built.
struct Parts<'a, 'py> {
    data: Data<'a, 'py>,
    values: Data<'a, 'py>,
    output: Data<'a, 'py>,
    comp: Arg<'a, 'py>,
}

impl<'a, 'py> Parts<'a, 'py> {
    fn read(
        py: Python<'py>,
        [d_data, d_values, d_out]: [Arg<'a, 'py>; 3],
        comp: Option<Arg<'a, 'py>>,
    ) -> PyResult<Parts<'a, 'py>> {
        let data = array(d_data, "d_data")?;
        let values = Data::read(d_values, "d_values")?;
        let output = array(d_out, "d_out")?;
        let comp = match optional(comp) {
            Some(comp) => comp,
            None => less(py)?,
        };
        Ok(Parts { data, values, output, comp })
    }

    fn find(&self, py: Python<'py>, side: Side, comp: &OpArg<'py>) -> PyResult<Bound<'py, Search>> {
        check_output(&self.output.item(py, "d_out")?)?;
        let mut key = Key::default();
        key.push(SEARCH);
        key.push(u64::from(side == Side::Upper));
        key.push(comp.number());
        self.data.key(py, "d_data", &mut key)?;
        self.values.key(py, "d_values", &mut key)?;
        self.output.key(py, "d_out", &mut key)?;
        find_or_make(py, key, |key| {
            let data = Port::new(py, &self.data, "d_data", false)?;
            let values = Port::new(py, &self.values, "d_values", false)?;
            let output = Port::new(py, &self.output, "d_out", true)?;
            let (comp, op) = (OpPort::new(self.comp, comp), comp.operator());
            let spec = SearchSpec {
                side,
                data: data.spec(),
                values: values.spec(),
                output: output.spec(),
                comp: op,
            };
            let plan = enter::build(py, move || SearchPlan::build(&spec))?;
            fastcall::new_object(py, Search { entry: vectorcall, key, data, values, output, comp, plan })
        })
    }
}

/// An argument that must be an array.
fn array<'a, 'py>(object: Arg<'a, 'py>, name: &str) -> PyResult<Data<'a, 'py>> {
    match Data::read(object, name) {
        Ok(data @ Data::Array(_)) => Ok(data),
        Err(e) if !e.is_instance_of::<PyTypeError>(object.py()) => Err(e),
        _ => {
            let class = object.get_type().name()?.to_string();
            Err(PyValueError::new_err(format!("{name} must be an array, not {class}")))
        }
    }
}

/// Places are unsigned integers as wide as a pointer.
fn check_output(item: &Type) -> PyResult<()> {
    match item.scalar() {
        Some(Scalar::U64) => Ok(()),
        Some(s) if s.is_unsigned() => {
            Err(PyValueError::new_err("d_out must hold pointer-sized integers (np.uintp)"))
        }
        _ => Err(PyTypeError::new_err(format!("d_out must have an unsigned integer dtype, not {item}"))),
    }
}

/// `OpKind.LESS`
fn less<'a, 'py>(py: Python<'py>) -> PyResult<Arg<'a, 'py>> {
    static LESS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let member =
        || PyResult::Ok(py.import("freeloom.compute.op")?.getattr("OpKind")?.getattr("LESS")?.unbind());
    Ok(LESS.get_or_try_init(py, member)?.bind_borrowed(py))
}

impl Search {
    fn run<'py>(
        &self,
        py: Python<'py>,
        parts: Parts<'_, 'py>,
        comp: OpArg<'py>,
        (items, values_count): (u64, u64),
    ) -> PyResult<()> {
        let mut call = Call::new(py, items, values_count);
        let comp = call.op(comp);
        let data = call.data(&self.data, parts.data)?;
        // The data are read all the time: the output must not touch them at all.
        let data_read = std::mem::take(&mut call.read);
        call.captured.extend(data_read);
        call.items = values_count;
        let counted = |e| renamed(py, e, "num_items", "num_values");
        let values = call.data(&self.values, parts.values).map_err(counted)?;
        let output = call.data(&self.output, parts.output).map_err(counted)?;
        call.check_overlap(true)?;
        let plan = &*self.plan;
        enter::run(py, call.is_short(), |interrupt| {
            // SAFETY: the arrays were checked to hold the items, are kept alive by `call`, and the output
            // shares no memory with what is read, unless item for item with the values.
            unsafe { plan.run((&data, items), (&values, values_count), &output, &comp, interrupt) }
        })
    }

    fn call<'py>(py: Python<'py>, object: &Search, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: called from the class's vectorcall entry.
        let given = unsafe { CALL.parse(py, raw)? };
        let (parts, counts) = read(py, given)?;
        let comp = object.comp.read(parts.comp).map_err(|e| renamed(py, e, "op", "comp"))?;
        object.run(py, parts, comp, counts)?;
        Ok(py.None().into_bound(py))
    }
}

vectorcall_method!(vectorcall, Search, Search::call);

#[pymethods]
impl Search {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        fastcall::call(slf.as_any(), args, kwargs)
    }
}

/// The arguments of a run.
fn read<'a, 'py>(
    py: Python<'py>,
    [d_data, items, d_values, values, d_out, comp, stream]: fastcall::Given<'a, 'py, 7>,
) -> PyResult<(Parts<'a, 'py>, (u64, u64))> {
    check_stream(stream)?;
    let required = fastcall::required([d_data, items, d_values, values, d_out])?;
    let [d_data, items, d_values, values, d_out] = required;
    let parts = Parts::read(py, [d_data, d_values, d_out], comp)?;
    Ok((parts, (count(items)?, count_of(values, "num_values")?)))
}

fn make<'py>(
    py: Python<'py>,
    side: Side,
    [d_data, d_values, d_out, comp, capability]: fastcall::Given<'_, 'py, 5>,
) -> PyResult<Bound<'py, PyAny>> {
    check_capability(capability)?;
    let parts = Parts::read(py, fastcall::required([d_data, d_values, d_out])?, comp)?;
    Ok(parts.find(py, side, &OpArg::read(&parts.comp, "comp")?)?.into_any())
}

fn one_shot<'py>(
    py: Python<'py>,
    side: Side,
    given: fastcall::Given<'_, 'py, 7>,
) -> PyResult<Bound<'py, PyAny>> {
    let (parts, counts) = read(py, given)?;
    let comp = OpArg::read(&parts.comp, "comp")?;
    parts.find(py, side, &comp)?.get().run(py, parts, comp, counts)?;
    Ok(py.None().into_bound(py))
}

fn make_lower<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    make(py, Side::Lower, unsafe { MAKE_LOWER.parse(py, raw)? })
}

fn make_upper<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    make(py, Side::Upper, unsafe { MAKE_UPPER.parse(py, raw)? })
}

fn lower<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    one_shot(py, Side::Lower, unsafe { LOWER.parse(py, raw)? })
}

fn upper<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    one_shot(py, Side::Upper, unsafe { UPPER.parse(py, raw)? })
}

fastcall_function!(make_lower_entry, make_lower);
fastcall_function!(make_upper_entry, make_upper);
fastcall_function!(lower_entry, lower);
fastcall_function!(upper_entry, upper);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fastcall::add_class::<Search>(module)?;
    fastcall::add_function(module, c"make_lower_bound", doc::MAKE_LOWER, make_lower_entry)?;
    fastcall::add_function(module, c"make_upper_bound", doc::MAKE_UPPER, make_upper_entry)?;
    fastcall::add_function(module, c"lower_bound", doc::LOWER, lower_entry)?;
    fastcall::add_function(module, c"upper_bound", doc::UPPER, upper_entry)
}
