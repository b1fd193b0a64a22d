//! What a call collects on its way to native code.

use freeloom_compute::{IterBinding, OpBinding, OpKind, Operator};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::array::{Extent, check_overlap};
use crate::data::{Data, Port};
use crate::operator::OpArg;

/// Runs up to this many items of a well-known operator keep the interpreter: it takes less time than letting
/// it go.
const SHORT: u64 = 4096;

/// A call in preparation.
pub(crate) struct Call<'py> {
    pub(crate) py: Python<'py>,
    /// Items read from each input.
    pub(crate) items: u64,
    /// Items written to each output.
    pub(crate) outputs: u64,
    /// Objects that must live until the call returns.
    pub(crate) keep: Vec<Bound<'py, PyAny>>,
    pub(crate) read: SmallVec<[(Extent, &'static str); 2]>,
    pub(crate) written: SmallVec<[(Extent, &'static str); 2]>,
    pub(crate) captured: SmallVec<[(Extent, &'static str); 2]>,
    has_python_op: bool,
}

impl<'py> Call<'py> {
    pub(crate) fn new(py: Python<'py>, items: u64, outputs: u64) -> Call<'py> {
        let (keep, has_python_op) = (Vec::new(), false);
        let [read, written, captured] = [(); 3].map(|()| SmallVec::new());
        Call { py, items, outputs, keep, read, written, captured, has_python_op }
    }

    /// Checks and binds a data argument.
    pub(crate) fn data(&mut self, port: &Port, data: Data<'_, 'py>) -> PyResult<IterBinding> {
        self.has_python_op |= matches!(&data, Data::Iterator(i) if i.get().node.has_operator());
        port.bind(data, self)
    }

    /// Binds the operator.
    pub(crate) fn op(&mut self, op: OpArg<'py>) -> OpBinding {
        self.has_python_op |= matches!(op, OpArg::Python(_));
        let captured = &mut self.captured;
        op.bind(&mut self.keep, &mut |extent| captured.push((extent, "an array that op captures")))
    }

    /// Refuses outputs that share memory with what operators read or with each other and, unless each item
    /// is read before it is written, with inputs.
    pub(crate) fn check_overlap(&self, inputs_too: bool) -> PyResult<()> {
        check_overlap(if inputs_too { &self.read } else { &[] }, &self.captured, &self.written)
    }

    /// Refuses outputs that share any memory with what is read or with each other.
    pub(crate) fn check_apart(&self) -> PyResult<()> {
        let read: Vec<_> = self.read.iter().chain(&self.captured).copied().collect();
        check_overlap(&[], &read, &self.written)
    }

    /// Is it quicker to run than to let the interpreter go? Python operators may loop for ever.
    pub(crate) fn is_short(&self) -> bool {
        !self.has_python_op && self.items <= SHORT
    }
}

/// The operator of a built algorithm.
pub(crate) struct OpPort {
    /// The member of `OpKind`, if it is one.
    known: Option<(Py<PyAny>, OpKind)>,
    number: u64,
    operator: Operator,
}

impl OpPort {
    pub(crate) fn new(object: Borrowed<'_, '_, PyAny>, op: &OpArg<'_>) -> OpPort {
        let known = match op {
            OpArg::Known(kind) => Some((object.to_owned().unbind(), *kind)),
            OpArg::Python(_) => None,
        };
        OpPort { known, number: op.number(), operator: op.operator() }
    }

    /// The operator of a call, which must be equal to the one built.
    pub(crate) fn read<'py>(&self, object: Borrowed<'_, 'py, PyAny>) -> PyResult<OpArg<'py>> {
        self.read_named(object, "op")
    }

    /// The same for the parameter `argument`.
    pub(crate) fn read_named<'py>(
        &self,
        object: Borrowed<'_, 'py, PyAny>,
        argument: &str,
    ) -> PyResult<OpArg<'py>> {
        if let Some((member, kind)) = &self.known
            && object.is(member)
        {
            return Ok(OpArg::Known(*kind));
        }
        let op = OpArg::read(&object, argument)?;
        // Numbers are given anew after the caches were cleared.
        if op.number() == self.number || op.operator() == self.operator {
            return Ok(op);
        }
        let text = "not the operator this object was built with; make a new object for it";
        Err(PyTypeError::new_err(format!("{argument}: {text}")))
    }
}

/// `num_items`
pub(crate) fn count(object: Borrowed<'_, '_, PyAny>) -> PyResult<u64> {
    let py = object.py();
    // SAFETY: attached, and the object is alive; -1 with an exception set is an error.
    let n = unsafe { ffi::PyLong_AsSsize_t(object.as_ptr()) };
    if n >= 0 {
        return Ok(n as u64);
    }
    match PyErr::take(py) {
        None => Err(PyValueError::new_err(format!("num_items must not be negative, but is {n}"))),
        Some(e) if e.is_instance_of::<PyTypeError>(py) => indexed(&object),
        Some(e) if e.is_instance_of::<PyOverflowError>(py) => {
            Err(PyValueError::new_err(format!("num_items is out of range: {}", object.str()?)))
        }
        Some(e) => Err(e),
    }
}

/// The number of something else than items, a parameter of that name.
pub(crate) fn count_of(object: Borrowed<'_, '_, PyAny>, name: &str) -> PyResult<u64> {
    count(object).map_err(|e| crate::error::renamed(object.py(), e, "num_items", name))
}

/// An integer of another type, such as NumPy's.
fn indexed(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    // SAFETY: attached, and the object is alive; the result is a new reference or null.
    let int = unsafe { Bound::from_owned_ptr_or_opt(object.py(), ffi::PyNumber_Index(object.as_ptr())) };
    match int {
        Some(int) => count(int.as_borrowed()),
        None => {
            let _ = PyErr::take(object.py());
            let class = object.get_type().name()?.to_string();
            Err(PyTypeError::new_err(format!("num_items must be an integer, not {class}")))
        }
    }
}
