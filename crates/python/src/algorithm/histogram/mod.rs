//! `histogram_even` and `make_histogram_even`.

mod doc;
mod levels;

use std::sync::Arc;

use freeloom_compute::{Bins, HistogramPlan, HistogramSpec};
use freeloom_ir::Type;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use self::levels::Levels;
use super::call::{Call, count_of};
use super::factory::{Built, find_or_make};
use super::options::{check_capability, check_stream, check_temp_storage};
use crate::data::{Data, Port};
use crate::enter;
use crate::error::renamed;
use crate::fastcall::{self, Raw, Signature, fastcall_function, vectorcall_method};
use crate::key::Key;

const HISTOGRAM: u64 = 21;
/// Objects are told apart by whether there are more bins, or more bytes of samples, as in `cuda.compute`.
const MANY_BYTES: u64 = (1 << 31) - 1;

type Arg<'a, 'py> = Borrowed<'a, 'py, PyAny>;

static MAKE: Signature<7> = Signature::new(
    "make_histogram_even",
    [
        "d_samples",
        "d_histogram",
        "h_num_output_levels",
        "h_lower_level",
        "h_upper_level",
        "num_samples",
        "compute_capability",
    ],
    0b011_1111,
);
static ONE_SHOT: Signature<7> = Signature::new(
    "histogram_even",
    ["d_samples", "d_histogram", "num_output_levels", "lower_level", "upper_level", "num_samples", "stream"],
    0b011_1111,
);
static CALL: Signature<8> = Signature::new(
    "histogram_even object",
    [
        "temp_storage",
        "d_samples",
        "d_histogram",
        "h_num_output_levels",
        "h_lower_level",
        "h_upper_level",
        "num_samples",
        "stream",
    ],
    0b0111_1111,
);

/// A histogram built for some types; made by `make_histogram_even`.
///
/// Call it with keywords only: `temp_storage`, `d_samples`, `d_histogram`, `h_num_output_levels`,
/// `h_lower_level`, `h_upper_level`, `num_samples` and, if you like, `stream`. With `temp_storage=None` it returns
/// the bytes of scratch memory that a run needs; with a buffer of that size it runs. Data, lengths and levels may
/// change from call to call, types may not (`TypeError`).
///
/// Threads: free.
#[pyclass(frozen, weakref, module = "freeloom._native", name = "_Histogram")]
#[repr(C)]
pub(super) struct Histogram {
    entry: ffi::vectorcallfunc,
    key: Key,
    samples: Port,
    output: Port,
    level: Type,
    plan: Arc<HistogramPlan>,
}

impl Built for Histogram {
    fn key(&self) -> &Key {
        &self.key
    }
}

fn find<'py>(
    py: Python<'py>,
    samples: &Data<'_, 'py>,
    output: &Data<'_, 'py>,
    levels: &Levels,
    count: u64,
) -> PyResult<Bound<'py, Histogram>> {
    let mut key = Key::default();
    key.push(HISTOGRAM);
    key.push(u64::from(levels.bins.count));
    key.push(levels.ty.number);
    key.push(u64::from(count.saturating_mul(samples.item(py, "d_samples")?.size()) >= MANY_BYTES));
    samples.key(py, "d_samples", &mut key)?;
    output.key(py, "d_histogram", &mut key)?;
    find_or_make(py, key, |key| {
        let samples = Port::new(py, samples, "d_samples", false)?;
        let output = Port::new(py, output, "d_histogram", true)?;
        let spec = HistogramSpec { samples: samples.spec(), output: output.spec() };
        let plan = enter::build(py, move || HistogramPlan::build(&spec))?;
        let level = levels.ty.ty.clone();
        fastcall::new_object(py, Histogram { entry: vectorcall, key, samples, output, level, plan })
    })
}

impl Histogram {
    fn run<'py>(
        &self,
        py: Python<'py>,
        [samples, output]: [Data<'_, 'py>; 2],
        bins: Bins,
        count: u64,
    ) -> PyResult<()> {
        let mut call = Call::new(py, count, u64::from(bins.count));
        let samples = call
            .data(&self.samples, samples)
            .map_err(|e| renamed(py, e, "num_items is", "num_samples is"))?;
        let output = call
            .data(&self.output, output)
            .map_err(|e| renamed(py, e, "num_items is", "the number of bins is"))?;
        call.check_apart()?;
        let plan = &*self.plan;
        enter::run(py, call.is_short(), |interrupt| {
            // SAFETY: the arrays were checked to hold the samples and the bins, are kept alive by `call`, and
            // the output shares no memory with what is read.
            unsafe { plan.run(&samples, &output, bins, count, interrupt) }
        })
    }

    fn call<'py>(py: Python<'py>, object: &Histogram, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: called from the class's vectorcall entry.
        let given = unsafe { CALL.parse(py, raw)? };
        let [temp, samples, output, levels, lower, upper, count, stream] = given;
        check_stream(stream)?;
        let required = fastcall::required([temp, samples, output, levels, lower, upper, count])?;
        let [temp, samples, output, levels, lower, upper, count] = required;
        let count = count_of(count, "num_samples")?;
        if !temp.is_none() {
            check_temp_storage(&temp, 0)?;
            let levels = Levels::read(&levels, &lower, &upper, &levels::HOST)?;
            object.check_levels(&levels)?;
            let data = [Data::read(samples, "d_samples")?, Data::read(output, "d_histogram")?];
            object.run(py, data, levels.bins, count)?;
        }
        Ok(0u64.into_pyobject(py)?.into_any())
    }

    fn check_levels(&self, levels: &Levels) -> PyResult<()> {
        if levels.ty.ty == self.level {
            return Ok(());
        }
        let (built, given) = (&self.level, &levels.ty.ty);
        let text = format!("h_lower_level, h_upper_level: built for {built}, not for {given}");
        Err(PyTypeError::new_err(text))
    }
}

vectorcall_method!(vectorcall, Histogram, Histogram::call);

#[pymethods]
impl Histogram {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        fastcall::call(slf.as_any(), args, kwargs)
    }
}

type SixArgs<'a, 'py> = [Arg<'a, 'py>; 6];

fn make<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let [samples, output, levels, lower, upper, count, capability] = unsafe { MAKE.parse(py, raw)? };
    check_capability(capability)?;
    let given: SixArgs<'_, '_> = fastcall::required([samples, output, levels, lower, upper, count])?;
    let [samples, output, levels, lower, upper, count] = given;
    let count = count_of(count, "num_samples")?;
    let levels = Levels::read(&levels, &lower, &upper, &levels::HOST)?;
    let data = [Data::read(samples, "d_samples")?, Data::read(output, "d_histogram")?];
    Ok(find(py, &data[0], &data[1], &levels, count)?.into_any())
}

fn histogram_even<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let [samples, output, levels, lower, upper, count, stream] = unsafe { ONE_SHOT.parse(py, raw)? };
    check_stream(stream)?;
    let given: SixArgs<'_, '_> = fastcall::required([samples, output, levels, lower, upper, count])?;
    let [samples, output, levels, lower, upper, count] = given;
    let count = count_of(count, "num_samples")?;
    let levels = Levels::read(&levels, &lower, &upper, &levels::PLAIN)?;
    let data = [Data::read(samples, "d_samples")?, Data::read(output, "d_histogram")?];
    let object = find(py, &data[0], &data[1], &levels, count)?;
    object.get().run(py, data, levels.bins, count)?;
    Ok(py.None().into_bound(py))
}

fastcall_function!(make_entry, make);
fastcall_function!(one_shot_entry, histogram_even);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fastcall::add_class::<Histogram>(module)?;
    fastcall::add_function(module, c"make_histogram_even", doc::MAKE, make_entry)?;
    fastcall::add_function(module, c"histogram_even", doc::ONE_SHOT, one_shot_entry)
}
