//! The tree of an iterator, or of an array given in place of one.

use freeloom_compute::{IterBinding, IterSpec, OpBinding, Operator};
use freeloom_ir::Type;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::IteratorBase;
use crate::array::{self, Extent, NdArray, to_ndarray};
use crate::dtype::Numbered;
use crate::key::Key;
use crate::operator::OpArg;

/// A tree of iterators. Immutable, so it can be shared between threads.
pub(crate) enum Node {
    /// An array, entered at an item.
    Array { array: Py<PyAny>, offset: i64 },
    /// `start + i`; `start` as the bytes of its type, low bytes first.
    Counting { item: Numbered, start: u64 },
    /// One value, as it lies in memory.
    Constant { item: Numbered, value: Vec<u8> },
    /// A function of another one. `output`: the function is applied to what is written.
    Transform { child: Box<Node>, op: Py<PyAny>, value: Option<Numbered>, output: bool },
    /// Several, side by side.
    Zip(Vec<Node>),
}

/// First words of each kind in keys.
const ARRAY: u64 = 1;
const COUNTING: u64 = 2;
const CONSTANT: u64 = 3;
const TRANSFORM: u64 = 4;
const TRANSFORM_OUTPUT: u64 = 5;
const ZIP: u64 = 6;

/// Collects what a call's bindings refer to.
pub(crate) struct Binder<'a, 'py> {
    pub(crate) py: Python<'py>,
    /// Name of the argument, for messages.
    pub(crate) argument: &'static str,
    /// Items the call reads or writes.
    pub(crate) count: u64,
    pub(crate) output: bool,
    /// Objects that must live until the call returns.
    pub(crate) keep: &'a mut Vec<Bound<'py, PyAny>>,
    /// Memory that the call touches through this argument.
    pub(crate) touched: &'a mut SmallVec<[(Extent, &'static str); 2]>,
    /// Memory that operators read.
    pub(crate) captured: &'a mut SmallVec<[(Extent, &'static str); 2]>,
    /// What is left of the key this was built for. It is compared while binding, so that what was compared is
    /// what is bound, even if another thread changes a captured variable meanwhile.
    pub(crate) key: &'a [u64],
}

impl Node {
    /// The node that an argument stands for: an iterator or an array.
    pub(crate) fn child(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<Node> {
        if let Ok(iterator) = object.cast::<IteratorBase>() {
            return Ok(iterator.get().node.clone_ref(object.py()));
        }
        match to_ndarray(object, argument)? {
            Some(array) => Ok(Node::Array { array: array.into_object().unbind(), offset: 0 }),
            None => Err(not_data(object, argument)),
        }
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Node {
        match self {
            Node::Array { array, offset } => Node::Array { array: array.clone_ref(py), offset: *offset },
            Node::Counting { item, start } => Node::Counting { item: item.clone(), start: *start },
            Node::Constant { item, value } => Node::Constant { item: item.clone(), value: value.clone() },
            Node::Transform { child, op, value, output } => Node::Transform {
                child: Box::new(child.clone_ref(py)),
                op: op.clone_ref(py),
                value: value.clone(),
                output: *output,
            },
            Node::Zip(children) => Node::Zip(children.iter().map(|c| c.clone_ref(py)).collect()),
        }
    }

    /// The same, entered `n` items later.
    pub(crate) fn advance(&self, py: Python<'_>, n: i64) -> Node {
        let mut node = self.clone_ref(py);
        node.advance_by(n);
        node
    }

    fn advance_by(&mut self, n: i64) {
        match self {
            Node::Array { offset, .. } => *offset = offset.saturating_add(n),
            Node::Counting { item, start } => *start = super::start::plus(&item.ty, *start, n),
            Node::Constant { .. } => {}
            Node::Transform { child, .. } => child.advance_by(n),
            Node::Zip(children) => children.iter_mut().for_each(|c| c.advance_by(n)),
        }
    }

    /// Appends what decides the code to a key; it depends on what operators mean now.
    pub(crate) fn key(&self, py: Python<'_>, argument: &str, key: &mut Key) -> PyResult<()> {
        match self {
            Node::Array { array, .. } => {
                key.push(ARRAY);
                key.push(ndarray(array.bind(py))?.item_type(argument)?.number);
            }
            Node::Counting { item, .. } => {
                key.push(COUNTING);
                key.push(item.number);
            }
            Node::Constant { item, .. } => {
                key.push(CONSTANT);
                key.push(item.number);
            }
            Node::Transform { child, op, value, output } => {
                key.push(if *output { TRANSFORM_OUTPUT } else { TRANSFORM });
                key.push(OpArg::read(op.bind(py), argument)?.number());
                key.push(value.as_ref().map_or(0, |v| v.number));
                child.key(py, argument, key)?;
            }
            Node::Zip(children) => {
                key.push(ZIP);
                key.push(children.len() as u64);
                children.iter().try_for_each(|c| c.key(py, argument, key))?;
            }
        }
        Ok(())
    }

    /// The type tree.
    pub(crate) fn spec(&self, py: Python<'_>, argument: &str) -> PyResult<IterSpec> {
        Ok(match self {
            Node::Array { array, .. } => IterSpec::Array(ndarray(array.bind(py))?.item_type(argument)?.ty),
            Node::Counting { item, .. } => IterSpec::Counting(item.ty.clone()),
            Node::Constant { item, .. } => IterSpec::Constant(item.ty.clone()),
            Node::Transform { child, op, value, .. } => IterSpec::Transform {
                child: Box::new(child.spec(py, argument)?),
                op: OpArg::read(op.bind(py), argument)?.operator(),
                value: value.as_ref().map(|v| v.ty.clone()),
            },
            Node::Zip(children) => {
                IterSpec::Zip(children.iter().map(|c| c.spec(py, argument)).collect::<PyResult<_>>()?)
            }
        })
    }

    /// Can it be read (`output` false) or written?
    pub(crate) fn check_direction(&self, output: bool) -> PyResult<()> {
        let fits = match self {
            Node::Array { .. } => true,
            Node::Counting { .. } | Node::Constant { .. } => !output,
            Node::Transform { child, output: writes, .. } => {
                child.check_direction(output)?;
                *writes == output
            }
            Node::Zip(children) => return children.iter().try_for_each(|c| c.check_direction(output)),
        };
        if fits {
            return Ok(());
        }
        let direction = if output { "output" } else { "input" };
        Err(PyValueError::new_err(format!("This iterator does not support {direction} operations")))
    }

    /// The run-time state; `spec` is the type tree this was built for.
    pub(crate) fn bind<'py>(&self, binder: &mut Binder<'_, 'py>, spec: &IterSpec) -> PyResult<IterBinding> {
        match (self, spec) {
            (Node::Array { array, offset }, IterSpec::Array(ty)) => {
                let array = ndarray(array.bind(binder.py))?;
                let item = array.item_type(binder.argument)?;
                binder.expect(ARRAY, true)?;
                binder.expect(item.number, item.ty == *ty)?;
                binder.array(array, *offset)
            }
            (Node::Counting { item, start }, IterSpec::Counting(ty)) => {
                binder.expect(COUNTING, true)?;
                binder.expect(item.number, item.ty == *ty)?;
                Ok(IterBinding::Counting(*start))
            }
            (Node::Constant { item, value }, IterSpec::Constant(ty)) => {
                binder.expect(CONSTANT, true)?;
                binder.expect(item.number, item.ty == *ty)?;
                Ok(IterBinding::Constant(value.clone()))
            }
            (
                Node::Transform { child, op, value, output },
                IterSpec::Transform { child: below, op: built, value: ty },
            ) => {
                binder.expect(if *output { TRANSFORM_OUTPUT } else { TRANSFORM }, false)?;
                let op = OpArg::read(op.bind(binder.py), binder.argument)?;
                let op = binder.op(op, built)?;
                let number = value.as_ref().map_or(0, |v| v.number);
                binder.expect(number, value.as_ref().map(|v| &v.ty) == ty.as_ref())?;
                let child = Box::new(child.bind(binder, below)?);
                Ok(IterBinding::Transform { child, op })
            }
            (Node::Zip(children), IterSpec::Zip(specs)) if children.len() == specs.len() => {
                binder.expect(ZIP, true)?;
                binder.expect(children.len() as u64, true)?;
                let pairs = children.iter().zip(specs);
                Ok(IterBinding::Zip(pairs.map(|(c, s)| c.bind(binder, s)).collect::<PyResult<_>>()?))
            }
            _ => Err(binder.mismatch()),
        }
    }

    pub(crate) fn traverse(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Node::Array { array, .. } => visit.call(array),
            Node::Counting { .. } | Node::Constant { .. } => Ok(()),
            Node::Transform { child, op, .. } => {
                visit.call(op)?;
                child.traverse(visit)
            }
            Node::Zip(children) => children.iter().try_for_each(|c| c.traverse(visit)),
        }
    }

    /// Type of one item if no operator has to be compiled to know it.
    pub(crate) fn known_item(&self, py: Python<'_>) -> PyResult<Option<Type>> {
        Ok(match self {
            Node::Array { array, .. } => Some(ndarray(array.bind(py))?.item_type("iterator")?.ty),
            Node::Counting { item, .. } | Node::Constant { item, .. } => Some(item.ty.clone()),
            Node::Transform { value, .. } => value.as_ref().map(|v| v.ty.clone()),
            Node::Zip(_) => None,
        })
    }
}

impl<'py> Binder<'_, 'py> {
    /// The next word of the key must be `word`, or what it stands for be `equal` by itself: numbers are given
    /// anew after the caches were cleared.
    pub(crate) fn expect(&mut self, word: u64, equal: bool) -> PyResult<()> {
        let found = self.key.split_off_first() == Some(&word);
        if found || equal { Ok(()) } else { Err(self.mismatch()) }
    }

    fn op(&mut self, op: OpArg<'py>, built: &Operator) -> PyResult<OpBinding> {
        let equal = self.key.first() == Some(&op.number()) || op.operator() == *built;
        self.expect(op.number(), equal)?;
        let captured = &mut *self.captured;
        Ok(op.bind(self.keep, &mut |extent| captured.push((extent, "a captured array"))))
    }

    #[cold]
    pub(crate) fn mismatch(&self) -> PyErr {
        let text =
            "not of the type, kind and operators that this object was built for; make a new object for it";
        PyTypeError::new_err(format!("{}: {text}", self.argument))
    }

    /// Binds an array from its item `offset` on.
    pub(crate) fn array(&mut self, array: NdArray<'py>, offset: i64) -> PyResult<IterBinding> {
        let item = array.item_size();
        let (binding, extent) = array::bind(&array, self.argument, item, offset, self.count, self.output)?;
        self.touched.push((extent, self.argument));
        self.keep.push(array.into_object());
        Ok(IterBinding::Array { array: binding, offset })
    }
}

fn ndarray<'py>(object: &Bound<'py, PyAny>) -> PyResult<NdArray<'py>> {
    NdArray::from_exact(object).ok_or_else(|| crate::error::internal("an iterator's array is none"))
}

#[cold]
fn not_data(object: &Bound<'_, PyAny>, argument: &str) -> PyErr {
    let class = object.get_type().name().map_or_else(|_| "object".to_owned(), |n| n.to_string());
    PyTypeError::new_err(format!("{argument}: Expected an iterator or a device array, got {class}"))
}
