//! `radix_sort` and `make_radix_sort`.

use freeloom_compute::{RadixSort, SortOrder};
use freeloom_ir::{Scalar, Type};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::call::{Call, count};
use super::factory::{Built, find_or_make};
use super::options::{check_capability, check_stream, check_temp_storage};
use super::radix_sort_doc as doc;
use super::sort_args::{self, SortArgs, SortPorts};
use crate::enter;
use crate::error::prefixed;
use crate::fastcall::{self, Raw, Signature, fastcall_function, optional, vectorcall_method};
use crate::key::Key;

const RADIX_SORT: u64 = 40;

static MAKE: Signature<6> = Signature::new(
    "make_radix_sort",
    ["d_in_keys", "d_out_keys", "d_in_values", "d_out_values", "order", "compute_capability"],
    0b010011,
);
static ONE_SHOT: Signature<9> = Signature::new(
    "radix_sort",
    [
        "d_in_keys",
        "d_out_keys",
        "d_in_values",
        "d_out_values",
        "num_items",
        "order",
        "begin_bit",
        "end_bit",
        "stream",
    ],
    0b000110011,
);
static CALL: Signature<9> = Signature::new(
    "radix sort object",
    [
        "temp_storage",
        "d_in_keys",
        "d_out_keys",
        "d_in_values",
        "d_out_values",
        "num_items",
        "begin_bit",
        "end_bit",
        "stream",
    ],
    0b000100111,
);

/// A radix sort built for some types and an order; made by `make_radix_sort`.
///
/// Call it with keywords only: `temp_storage`, `d_in_keys`, `d_out_keys`, `d_in_values`, `d_out_values`,
/// `num_items` and, if you like, `begin_bit`, `end_bit` and `stream`. With `temp_storage=None` it returns the
/// bytes of scratch memory that a run needs; with a buffer of that size it runs. Data and lengths may change
/// from call to call, types and order may not (`TypeError`).
///
/// Threads: free.
#[pyclass(frozen, weakref, module = "freeloom._native", name = "_RadixSort")]
#[repr(C)]
pub(super) struct Sort {
    entry: ffi::vectorcallfunc,
    key: Key,
    ports: SortPorts,
    sort: RadixSort,
}

impl Built for Sort {
    fn key(&self) -> &Key {
        &self.key
    }
}

/// The sort that a pair of types and an order stand for.
pub(super) fn by_bits(ports: &SortPorts, order: SortOrder, function: &str) -> PyResult<RadixSort> {
    let Type::Scalar(key) = ports.key_type() else {
        let ty = ports.key_type();
        let text = format!("d_in_keys: {function} sorts numbers and booleans, not {ty}; use merge_sort");
        return Err(PyTypeError::new_err(text));
    };
    Ok(RadixSort { key, value_size: ports.value_type().map(|ty| ty.size()), order })
}

type Given<'a, 'py> = Option<Borrowed<'a, 'py, PyAny>>;

/// `begin_bit` and `end_bit`
fn bits([begin, end]: [Given<'_, '_>; 2], key: Scalar) -> PyResult<(u32, u32)> {
    let read = |given: Given<'_, '_>, name: &str, default: u32| match optional(given) {
        Some(bit) => bit.extract::<i64>().map_err(|e| prefixed(bit.py(), name, e)),
        None => Ok(i64::from(default)),
    };
    let (begin, end) = (read(begin, "begin_bit", 0)?, read(end, "end_bit", key.bits())?);
    if begin < 0 || end < begin || end > i64::from(key.bits()) {
        let bits = key.bits();
        let text = format!("begin_bit is {begin} and end_bit {end}; keys have bits 0 to {bits}");
        return Err(PyValueError::new_err(text));
    }
    Ok((begin as u32, end as u32))
}

impl Sort {
    fn find<'py>(py: Python<'py>, args: &SortArgs<'py>, order: SortOrder) -> PyResult<Bound<'py, Sort>> {
        let mut key = Key::default();
        key.push(RADIX_SORT);
        key.push(order as u64);
        args.key(py, &mut key)?;
        find_or_make(py, key, |key| {
            let ports = args.ports(py)?;
            let sort = by_bits(&ports, order, "radix_sort")?;
            fastcall::new_object(py, Sort { entry: vectorcall, key, ports, sort })
        })
    }

    fn run<'py>(&self, py: Python<'py>, args: SortArgs<'py>, items: u64, bits: (u32, u32)) -> PyResult<()> {
        let mut call = Call::new(py, items, items);
        let (data, doubles) = self.ports.bind(args, &mut call)?;
        enter::run(py, call.is_short(), |interrupt| {
            // SAFETY: the arrays were checked to hold the items and are kept alive by `call`; the outputs
            // share no memory with each other or the inputs, unless item for item.
            unsafe { self.sort.run(data.keys(), data.values(), items, bits, interrupt) }
        })?;
        SortArgs::turn(&doubles)
    }

    fn call<'py>(py: Python<'py>, object: &Sort, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: called from the class's vectorcall entry.
        let given = unsafe { CALL.parse(py, raw)? };
        let [temp, in_keys, out_keys, in_values, out_values, num_items, begin, end, stream] = given;
        let [temp, num_items] = fastcall::required([temp, num_items])?;
        check_stream(stream)?;
        let items = count(num_items)?;
        let bits = bits([begin, end], object.sort.key)?;
        let bytes = object.sort.temp_storage_bytes(items);
        if !temp.is_none() {
            check_temp_storage(&temp, bytes)?;
            let args = SortArgs::read([in_keys, out_keys, in_values, out_values])?;
            object.run(py, args, items, bits)?;
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
    let [in_keys, out_keys, in_values, out_values, order, capability] = unsafe { MAKE.parse(py, raw)? };
    check_capability(capability)?;
    let [order] = fastcall::required([order])?;
    let args = SortArgs::read([in_keys, out_keys, in_values, out_values])?;
    Ok(Sort::find(py, &args, sort_args::order(&order)?)?.into_any())
}

fn one_shot<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let given = unsafe { ONE_SHOT.parse(py, raw)? };
    let [in_keys, out_keys, in_values, out_values, num_items, order, begin, end, stream] = given;
    check_stream(stream)?;
    let [num_items, order] = fastcall::required([num_items, order])?;
    let items = count(num_items)?;
    let args = SortArgs::read([in_keys, out_keys, in_values, out_values])?;
    let object = Sort::find(py, &args, sort_args::order(&order)?)?;
    let sort = object.get();
    sort.run(py, args, items, bits([begin, end], sort.sort.key)?)?;
    Ok(py.None().into_bound(py))
}

fastcall_function!(make_entry, make);
fastcall_function!(one_shot_entry, one_shot);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fastcall::add_class::<Sort>(module)?;
    fastcall::add_function(module, c"make_radix_sort", doc::MAKE, make_entry)?;
    fastcall::add_function(module, c"radix_sort", doc::ONE_SHOT, one_shot_entry)
}
