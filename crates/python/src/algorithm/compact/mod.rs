//! `select`, `three_way_partition`, `unique_by_key` and their `make_*` functions.

mod doc;
mod names;

use std::sync::Arc;

use freeloom_compute::{CompactArgs, CompactPlan, CompactSpec};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::call::{Call, OpPort, count};
use super::factory::{Built, find_or_make};
use super::options::{check_capability, check_stream, check_temp_storage};
use crate::data::{Data, Port};
use crate::enter;
use crate::error::internal;
use crate::fastcall::{self, Raw, fastcall_function, vectorcall_method};
use crate::key::Key;
use crate::operator::OpArg;

use names::{Algorithm, PARTITION, Role, SELECT, UNIQUE, Values};

type Arg<'a, 'py> = Borrowed<'a, 'py, PyAny>;

/// A stream compaction built for some types and operators; made by `make_select`, `make_three_way_partition` or
/// `make_unique_by_key`.
///
/// Call it with keywords only: `temp_storage`, the parameters of that function, `num_items` and, if you like,
/// `stream`. With `temp_storage=None` it returns the bytes of scratch memory that a run needs; with a buffer of
/// that size it runs. Data, lengths, start values and captured arrays may change from call to call, types and
/// code may not (`TypeError`).
///
/// Threads: free.
#[pyclass(frozen, weakref, module = "freeloom._native", name = "_Compaction")]
#[repr(C)]
pub(super) struct Compaction {
    entry: ffi::vectorcallfunc,
    key: Key,
    algorithm: &'static Algorithm,
    /// Inputs, outputs, counts.
    ports: Values<Port>,
    ops: Values<OpPort>,
    plan: Arc<CompactPlan>,
}

impl Built for Compaction {
    fn key(&self) -> &Key {
        &self.key
    }
}

/// Arguments that decide what is built.
struct Parts<'a, 'py> {
    algorithm: &'static Algorithm,
    data: Values<Data<'a, 'py>>,
    ops: Values<(Arg<'a, 'py>, OpArg<'py>)>,
}

/// The data arguments.
fn read_data<'a, 'py>(
    algorithm: &'static Algorithm,
    given: &[Option<Arg<'a, 'py>>],
) -> PyResult<Values<Data<'a, 'py>>> {
    let named = given.iter().zip(algorithm.names).take(algorithm.data);
    named.map(|(object, name)| Data::read(present(*object)?, name)).collect()
}

/// The operators and their names.
fn operators<'a, 'py>(
    algorithm: &'static Algorithm,
    given: &[Option<Arg<'a, 'py>>],
) -> impl Iterator<Item = (Option<Arg<'a, 'py>>, &'static str)> {
    given.iter().copied().zip(algorithm.names.iter().copied()).skip(algorithm.data)
}

/// A required argument.
fn present<'a, 'py>(given: Option<Arg<'a, 'py>>) -> PyResult<Arg<'a, 'py>> {
    given.ok_or_else(|| internal("a required parameter is missing"))
}

impl<'a, 'py> Parts<'a, 'py> {
    fn read(algorithm: &'static Algorithm, given: &[Option<Arg<'a, 'py>>]) -> PyResult<Parts<'a, 'py>> {
        let data = read_data(algorithm, given)?;
        let ops = operators(algorithm, given).map(|(object, name)| {
            let object = present(object)?;
            Ok((object, OpArg::read(&object, name)?))
        });
        Ok(Parts { algorithm, data, ops: ops.collect::<PyResult<_>>()? })
    }

    fn find(&self, py: Python<'py>) -> PyResult<Bound<'py, Compaction>> {
        let mut key = Key::default();
        key.push(self.algorithm.word);
        self.ops.iter().for_each(|(_, op)| key.push(op.number()));
        for (data, name) in self.data.iter().zip(self.algorithm.names) {
            data.key(py, name, &mut key)?;
        }
        find_or_make(py, key, |key| self.build(py, key))
    }

    fn build(&self, py: Python<'py>, key: Key) -> PyResult<Bound<'py, Compaction>> {
        let algorithm = self.algorithm;
        let named = self.data.iter().zip(algorithm.names).enumerate();
        let ports: Values<Port> = named
            .map(|(i, (data, name))| Port::new(py, data, name, i >= algorithm.inputs))
            .collect::<PyResult<_>>()?;
        let specs = |ports: &[Port]| ports.iter().map(Port::spec).collect();
        let counts = algorithm.data - 1;
        let rule = algorithm.rule(self.ops.iter().map(|(_, op)| op.operator()));
        let spec = CompactSpec {
            rule: rule.ok_or_else(|| internal("an operator is missing"))?,
            inputs: specs(&ports[..algorithm.inputs]),
            outputs: specs(&ports[algorithm.inputs..counts]),
            counts: ports[counts].spec(),
        };
        let plan = enter::build(py, move || CompactPlan::build(&spec))?;
        let ops = self.ops.iter().map(|(object, op)| OpPort::new(*object, op)).collect();
        fastcall::new_object(py, Compaction { entry: vectorcall, key, algorithm, ports, ops, plan })
    }
}

impl Compaction {
    fn run<'py>(
        &self,
        py: Python<'py>,
        data: Values<Data<'_, 'py>>,
        ops: impl IntoIterator<Item = OpArg<'py>>,
        items: u64,
    ) -> PyResult<()> {
        let Algorithm { inputs, data: all, least_counts, most_counts, names, .. } = *self.algorithm;
        let mut call = Call::new(py, items, items);
        let ops: Values<_> = ops.into_iter().map(|op| call.op(op)).collect();
        let (mut bound, mut rooms) = (Values::new(), Values::<u64>::new());
        for (i, (port, data)) in self.ports.iter().zip(data).enumerate() {
            let room = if i < inputs { items } else { room(py, &data)? };
            if i + 1 == all && room < least_counts {
                let text = format!("{} has {room} items, {least_counts} are needed", names[i]);
                return Err(PyValueError::new_err(text));
            }
            call.outputs = room.min(if i + 1 == all { most_counts } else { items });
            bound.push(call.data(port, data)?);
            rooms.push(call.outputs);
            if i == 0 && self.algorithm.looks_back() {
                call.captured.append(&mut call.read);
            }
        }
        call.check_overlap(true)?;
        let plan = &*self.plan;
        let counts = all - 1;
        enter::run(py, call.is_short(), |interrupt| {
            let args = CompactArgs {
                inputs: &bound[..inputs],
                outputs: &bound[inputs..counts],
                rooms: &rooms[inputs..counts],
                counts: &bound[counts],
                count_room: rooms[counts],
                ops: &ops,
            };
            // SAFETY: the arrays were checked to hold the items, those of outputs as many as there is room
            // for, and are kept alive by `call`; outputs share no memory with what is read, unless item for
            // item with an input other than the keys.
            unsafe { plan.run(&args, items, interrupt) }
        })
    }

    fn call<'py>(py: Python<'py>, object: &Compaction, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
        let algorithm = object.algorithm;
        // SAFETY: called from the class's vectorcall entry.
        let given = unsafe { algorithm.parse(Role::Call, py, raw)? };
        let [parameters @ .., temp, num_items, stream] = &given[..] else {
            return Err(internal("a parameter is missing"));
        };
        check_stream(*stream)?;
        let items = count(present(*num_items)?)?;
        let bytes = object.plan.temp_storage_bytes(items);
        let temp = present(*temp)?;
        if !temp.is_none() {
            check_temp_storage(&temp, bytes)?;
            let data = read_data(algorithm, parameters)?;
            let ops = operators(algorithm, parameters).zip(&object.ops);
            let ops = ops.map(|((object, name), port)| port.read_named(present(object)?, name));
            object.run(py, data, ops.collect::<PyResult<Values<_>>>()?, items)?;
        }
        Ok(bytes.into_pyobject(py)?.into_any())
    }
}

/// Items that an output has room for.
fn room(py: Python<'_>, data: &Data<'_, '_>) -> PyResult<u64> {
    match data {
        Data::Array(array) => Ok(array.len()),
        Data::Iterator(iterator) => iterator.get().node.room(py),
    }
}

vectorcall_method!(vectorcall, Compaction, Compaction::call);

#[pymethods]
impl Compaction {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        fastcall::call(slf.as_any(), args, kwargs)
    }
}

fn make<'py>(py: Python<'py>, raw: Raw, algorithm: &'static Algorithm) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let given = unsafe { algorithm.parse(Role::Make, py, raw)? };
    let [parameters @ .., capability] = &given[..] else { return Err(internal("a parameter is missing")) };
    check_capability(*capability)?;
    Ok(Parts::read(algorithm, parameters)?.find(py)?.into_any())
}

fn one_shot<'py>(py: Python<'py>, raw: Raw, algorithm: &'static Algorithm) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called from a function that Python calls.
    let given = unsafe { algorithm.parse(Role::OneShot, py, raw)? };
    let [parameters @ .., num_items, stream] = &given[..] else {
        return Err(internal("a parameter is missing"));
    };
    check_stream(*stream)?;
    let items = count(present(*num_items)?)?;
    let parts = Parts::read(algorithm, parameters)?;
    let object = parts.find(py)?;
    object.get().run(py, parts.data, parts.ops.into_iter().map(|(_, op)| op), items)?;
    Ok(py.None().into_bound(py))
}

/// The two functions of an algorithm.
macro_rules! functions {
    ($make:ident, $make_entry:ident, $one_shot:ident, $one_shot_entry:ident, $algorithm:ident) => {
        fn $make<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
            make(py, raw, &$algorithm)
        }

        fn $one_shot<'py>(py: Python<'py>, raw: Raw) -> PyResult<Bound<'py, PyAny>> {
            one_shot(py, raw, &$algorithm)
        }

        fastcall_function!($make_entry, $make);
        fastcall_function!($one_shot_entry, $one_shot);
    };
}

functions!(make_select, make_select_entry, select, select_entry, SELECT);
functions!(make_partition, make_partition_entry, partition, partition_entry, PARTITION);
functions!(make_unique, make_unique_entry, unique, unique_entry, UNIQUE);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fastcall::add_class::<Compaction>(module)?;
    fastcall::add_function(module, c"make_select", doc::MAKE_SELECT, make_select_entry)?;
    fastcall::add_function(module, c"select", doc::SELECT, select_entry)?;
    fastcall::add_function(module, c"make_three_way_partition", doc::MAKE_PARTITION, make_partition_entry)?;
    fastcall::add_function(module, c"three_way_partition", doc::PARTITION, partition_entry)?;
    fastcall::add_function(module, c"make_unique_by_key", doc::MAKE_UNIQUE, make_unique_entry)?;
    fastcall::add_function(module, c"unique_by_key", doc::UNIQUE, unique_entry)
}
