//! `segmented_sort` and `make_segmented_sort`.

use std::sync::Arc;

use freeloom_compute::{
    ArrayBinding, IterBinding, IterSpec, OpBinding, OpKind, Operator, RadixSort, RunError, SortOrder,
    TransformPlan, TransformSpec, segments,
};
use freeloom_ir::Type;
use freeloom_runtime::Interrupt;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::call::{Call, count};
use super::factory::{Built, find_or_make};
use super::options::{check_capability, check_stream, check_temp_storage};
use super::radix_sort::by_bits;
use super::segmented_sort_doc as doc;
use super::sort_args::{self, SortArgs, SortPorts};
use crate::data::{Data, Port};
use crate::enter;
use crate::error::prefixed;
use crate::fastcall::{self, Raw, Signature, fastcall_function, vectorcall_method};
use crate::key::Key;

const SEGMENTED_SORT: u64 = 41;
/// The arguments of offsets.
const OFFSETS: [&str; 2] = ["start_offsets_in", "end_offsets_in"];

static MAKE: Signature<8> = Signature::new(
    "make_segmented_sort",
    [
        "d_in_keys",
        "d_out_keys",
        "d_in_values",
        "d_out_values",
        "start_offsets_in",
        "end_offsets_in",
        "order",
        "compute_capability",
    ],
    0b0111_0001,
);
static ONE_SHOT: Signature<10> = Signature::new(
    "segmented_sort",
    [
        "d_in_keys",
        "d_out_keys",
        "d_in_values",
        "d_out_values",
        "start_offsets_in",
        "end_offsets_in",
        "num_items",
        "num_segments",
        "order",
        "stream",
    ],
    0b01_1111_0001,
);
static CALL: Signature<10> = Signature::new(
    "segmented sort object",
    [
        "d_in_keys",
        "d_out_keys",
        "d_in_values",
        "d_out_values",
        "start_offsets_in",
        "end_offsets_in",
        "num_items",
        "num_segments",
        "temp_storage",
        "stream",
    ],
    0b01_1111_0001,
);

/// A segmented sort built for some types and an order; made by `make_segmented_sort`.
///
/// Call it with keywords only: `temp_storage`, `d_in_keys`, `d_out_keys`, `d_in_values`, `d_out_values`,
/// `num_items`, `num_segments`, `start_offsets_in`, `end_offsets_in` and, if you like, `stream`. With
/// `temp_storage=None` it returns the bytes of scratch memory that a run needs; with a buffer of that size it
/// runs. Data and lengths may change from call to call, types and order may not (`TypeError`).
///
/// Threads: free.
#[pyclass(frozen, weakref, module = "freeloom._native", name = "_SegmentedSort")]
#[repr(C)]
pub(super) struct Sort {
    entry: ffi::vectorcallfunc,
    key: Key,
    ports: SortPorts,
    offsets: [Offsets; 2],
    sort: RadixSort,
}

impl Built for Sort {
    fn key(&self) -> &Key {
        &self.key
    }
}

/// Offsets of one side: any integers, converted to `int64`.
struct Offsets {
    port: Port,
    plan: Arc<TransformPlan>,
}

impl Offsets {
    fn new(py: Python<'_>, data: &Data<'_, '_>, argument: &'static str) -> PyResult<Offsets> {
        let item = data.item(py, argument)?;
        if !item.scalar().is_some_and(|s| s.is_int()) {
            return Err(PyTypeError::new_err(format!("{argument} must have integers, not {item}")));
        }
        let port = Port::new(py, data, argument, false)?;
        let spec = TransformSpec {
            inputs: vec![port.spec()],
            output: IterSpec::Array(Type::I64),
            op: Operator::Known(OpKind::Identity),
        };
        Ok(Offsets { port, plan: enter::build(py, move || TransformPlan::build(&spec))? })
    }

    /// The offsets as numbers.
    fn read(
        &self,
        binding: &IterBinding,
        count: usize,
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<i64>, RunError> {
        let mut offsets = vec![0i64; count];
        let (shape, strides) = ([count as i64].into_iter().collect(), [8].into_iter().collect());
        let array = ArrayBinding { ptr: offsets.as_mut_ptr() as usize, shape, strides };
        let output = IterBinding::Array { array, offset: 0 };
        let inputs = std::slice::from_ref(binding);
        // SAFETY: the input was checked to hold the offsets; the output is exclusively borrowed.
        unsafe { self.plan.run(inputs, &output, &OpBinding::default(), count as u64, interrupt)? };
        Ok(offsets)
    }
}

/// Lengths of a call.
#[derive(Clone, Copy)]
struct Lengths {
    items: u64,
    segments: u64,
}

impl Lengths {
    fn read(num_items: Borrowed<'_, '_, PyAny>, num_segments: Borrowed<'_, '_, PyAny>) -> PyResult<Lengths> {
        let items = count(num_items)?;
        let segments: i128 =
            num_segments.extract().map_err(|e| prefixed(num_segments.py(), "num_segments", e))?;
        if segments < 0 {
            let text = format!("num_segments must not be negative, but is {segments}");
            return Err(PyValueError::new_err(text));
        }
        if segments > i128::from(i32::MAX) {
            let text = "num_segments: segmented sort does not support more than 2^31-1 segments";
            return Err(PyRuntimeError::new_err(text));
        }
        Ok(Lengths { items, segments: segments as u64 })
    }
}

type Arg<'a, 'py> = Borrowed<'a, 'py, PyAny>;

fn read_offsets<'a, 'py>(offsets: [Arg<'a, 'py>; 2]) -> PyResult<[Data<'a, 'py>; 2]> {
    Ok([Data::read(offsets[0], OFFSETS[0])?, Data::read(offsets[1], OFFSETS[1])?])
}

impl Sort {
    fn find<'py>(
        py: Python<'py>,
        args: &SortArgs<'py>,
        offsets: &[Data<'_, 'py>; 2],
        order: SortOrder,
    ) -> PyResult<Bound<'py, Sort>> {
        let mut key = Key::default();
        key.push(SEGMENTED_SORT);
        key.push(order as u64);
        args.key(py, &mut key)?;
        for (data, name) in offsets.iter().zip(OFFSETS) {
            data.key(py, name, &mut key)?;
        }
        find_or_make(py, key, |key| {
            let ports = args.ports(py)?;
            let sort = by_bits(&ports, order, "segmented_sort")?;
            let [start, end] = offsets;
            let offsets = [Offsets::new(py, start, OFFSETS[0])?, Offsets::new(py, end, OFFSETS[1])?];
            fastcall::new_object(py, Sort { entry: vectorcall, key, ports, offsets, sort })
        })
    }

    fn run<'py>(
        &self,
        py: Python<'py>,
        args: SortArgs<'py>,
        offsets: [Data<'_, 'py>; 2],
        lengths: Lengths,
    ) -> PyResult<()> {
        let Lengths { items, segments: rows } = lengths;
        let mut bounds = Call::new(py, rows, 0);
        let [start, end] = offsets;
        let [start, end] =
            [bounds.data(&self.offsets[0].port, start)?, bounds.data(&self.offsets[1].port, end)?];
        let mut call = Call::new(py, items, items);
        call.captured.extend(bounds.read.iter().chain(&bounds.captured).copied());
        let (data, doubles) = self.ports.bind(args, &mut call)?;
        let mut wrong = None;
        enter::run(py, false, |interrupt| {
            let starts = self.offsets[0].read(&start, rows as usize, interrupt)?;
            let ends = self.offsets[1].read(&end, rows as usize, interrupt)?;
            match segments(&starts, &ends, items) {
                Err(text) => {
                    wrong = Some(text);
                    Ok(())
                }
                // SAFETY: the arrays were checked to hold the items and are kept alive by `call`; the outputs
                // share no memory with each other or the inputs, unless item for item.
                Ok(list) => unsafe {
                    self.sort.run_segments(data.keys(), data.values(), items, &list, interrupt)
                },
            }
        })?;
        match wrong {
            Some(text) => Err(PyValueError::new_err(format!("start_offsets_in and end_offsets_in: {text}"))),
            None => SortArgs::turn(&doubles),
        }
    }

    fn call<'py>(py: Python<'py>, object: &Sort, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: called from the class's vectorcall entry.
        let given = unsafe { CALL.parse(py, raw)? };
        let [in_keys, out_keys, in_values, out_values, start, end, num_items, num_segments, temp, stream] =
            given;
        let [start, end, num_items, num_segments, temp] =
            fastcall::required([start, end, num_items, num_segments, temp])?;
        check_stream(stream)?;
        let lengths = Lengths::read(num_items, num_segments)?;
        let bytes = object.sort.temp_storage_bytes(lengths.items) + 32 * lengths.segments;
        if !temp.is_none() {
            check_temp_storage(&temp, bytes)?;
            let args = SortArgs::read([in_keys, out_keys, in_values, out_values])?;
            object.run(py, args, read_offsets([start, end])?, lengths)?;
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
    let given = unsafe { MAKE.parse(py, raw)? };
    let [in_keys, out_keys, in_values, out_values, start, end, order, capability] = given;
    check_capability(capability)?;
    let [start, end, order] = fastcall::required([start, end, order])?;
    let args = SortArgs::read([in_keys, out_keys, in_values, out_values])?;
    Ok(Sort::find(py, &args, &read_offsets([start, end])?, sort_args::order(&order)?)?.into_any())
}

fn one_shot<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let given = unsafe { ONE_SHOT.parse(py, raw)? };
    let [in_keys, out_keys, in_values, out_values, start, end, num_items, num_segments, order, stream] =
        given;
    check_stream(stream)?;
    let [start, end, num_items, num_segments, order] =
        fastcall::required([start, end, num_items, num_segments, order])?;
    let lengths = Lengths::read(num_items, num_segments)?;
    let args = SortArgs::read([in_keys, out_keys, in_values, out_values])?;
    let offsets = read_offsets([start, end])?;
    let object = Sort::find(py, &args, &offsets, sort_args::order(&order)?)?;
    object.get().run(py, args, offsets, lengths)?;
    Ok(py.None().into_bound(py))
}

fastcall_function!(make_entry, make);
fastcall_function!(one_shot_entry, one_shot);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fastcall::add_class::<Sort>(module)?;
    fastcall::add_function(module, c"make_segmented_sort", doc::MAKE, make_entry)?;
    fastcall::add_function(module, c"segmented_sort", doc::ONE_SHOT, one_shot_entry)
}
