//! An iterator of a call becomes a binding, and is compared with the one that was built for.

use freeloom_compute::{IterBinding, IterSpec, OpBinding, Operator};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::node::{Node, ndarray, word};
use crate::array::{self, Extent, NdArray, Order};
use crate::operator::OpArg;

/// Collects what a call's bindings refer to.
pub(crate) struct Binder<'a, 'py> {
    pub(crate) py: Python<'py>,
    /// Name of the argument, for messages.
    pub(crate) argument: &'static str,
    /// Items the call reads or writes.
    pub(crate) count: u64,
    pub(crate) output: bool,
    /// Order in which items are used.
    pub(crate) order: Order,
    /// Set while the indices of a permutation are bound: they are read, whatever the permutation is for.
    pub(crate) indices: bool,
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

    /// Binds what is used in another order, or as indices.
    fn within<R>(&mut self, order: Order, indices: bool, bind: impl FnOnce(&mut Self) -> R) -> R {
        let before = (self.order, self.indices);
        (self.order, self.indices) = (order, indices);
        let bound = bind(self);
        (self.order, self.indices) = before;
        bound
    }

    fn shuffle(&self, len: u64, seed: u64, offset: i64) -> PyResult<IterBinding> {
        if self.order.fits(offset, self.count, len) {
            return Ok(IterBinding::Shuffle { len, seed, offset });
        }
        let text = format!("num_items is {} from position {offset}", self.count);
        let text = format!("{text}, but {} is a shuffle of {len} items", self.argument);
        Err(PyValueError::new_err(text))
    }

    /// Binds an array from its item `offset` on.
    pub(crate) fn array(&mut self, array: NdArray<'py>, offset: i64) -> PyResult<IterBinding> {
        let item = array.item_size();
        let written = self.output && !self.indices;
        let items = (offset, self.count, self.order);
        let (binding, extent) = array::bind(&array, self.argument, item, items, written)?;
        if self.output && self.indices {
            self.captured.push((extent, "the indices of a permutation"));
        } else {
            self.touched.push((extent, self.argument));
        }
        self.keep.push(array.into_object());
        Ok(IterBinding::Array { array: binding, offset })
    }
}

impl Node {
    /// The run-time state; `spec` is the type tree this was built for.
    pub(crate) fn bind<'py>(&self, binder: &mut Binder<'_, 'py>, spec: &IterSpec) -> PyResult<IterBinding> {
        match (self, spec) {
            (Node::Array { array, offset }, IterSpec::Array(ty)) => {
                let array = ndarray(array.bind(binder.py))?;
                let item = array.item_type(binder.argument)?;
                binder.expect(word::ARRAY, true)?;
                binder.expect(item.number, item.ty == *ty)?;
                binder.array(array, *offset)
            }
            (Node::Counting { item, start }, IterSpec::Counting(ty)) => {
                binder.expect(word::COUNTING, true)?;
                binder.expect(item.number, item.ty == *ty)?;
                Ok(IterBinding::Counting(*start))
            }
            (Node::Constant { item, value }, IterSpec::Constant(ty)) => {
                binder.expect(word::CONSTANT, true)?;
                binder.expect(item.number, item.ty == *ty)?;
                Ok(IterBinding::Constant(value.clone()))
            }
            (
                Node::Transform { child, op, value, output },
                IterSpec::Transform { child: below, op: built, value: ty },
            ) => {
                binder.expect(if *output { word::TRANSFORM_OUTPUT } else { word::TRANSFORM }, false)?;
                let op = OpArg::read(op.bind(binder.py), binder.argument)?;
                let op = binder.op(op, built)?;
                let number = value.as_ref().map_or(0, |v| v.number);
                binder.expect(number, value.as_ref().map(|v| &v.ty) == ty.as_ref())?;
                let child = Box::new(child.bind(binder, below)?);
                Ok(IterBinding::Transform { child, op })
            }
            (Node::Zip(children), IterSpec::Zip(specs)) if children.len() == specs.len() => {
                binder.expect(word::ZIP, true)?;
                binder.expect(children.len() as u64, true)?;
                let pairs = children.iter().zip(specs);
                Ok(IterBinding::Zip(pairs.map(|(c, s)| c.bind(binder, s)).collect::<PyResult<_>>()?))
            }
            (Node::Cached { array, offset, modifier }, IterSpec::Array(ty)) => {
                let array = ndarray(array.bind(binder.py))?;
                let item = array.item_type(binder.argument)?;
                binder.expect(word::CACHED, false)?;
                binder.expect(*modifier as u64, false)?;
                binder.expect(item.number, item.ty == *ty)?;
                binder.array(array, *offset)
            }
            (Node::Reverse(child), IterSpec::Reverse(below)) => {
                binder.expect(word::REVERSE, true)?;
                let order = binder.order.reversed();
                let child = binder.within(order, binder.indices, |b| child.bind(b, below))?;
                Ok(IterBinding::Reverse(Box::new(child)))
            }
            (
                Node::Permutation { values, indices },
                IterSpec::Permutation { values: below, indices: indices_below },
            ) => {
                binder.expect(word::PERMUTATION, true)?;
                let values = binder.within(Order::Any, binder.indices, |b| values.bind(b, below))?;
                let indices = binder.within(binder.order, true, |b| indices.bind(b, indices_below))?;
                Ok(IterBinding::Permutation { values: Box::new(values), indices: Box::new(indices) })
            }
            (Node::Discard(item), IterSpec::Discard(ty)) => {
                binder.expect(word::DISCARD, true)?;
                binder.expect(item.number, item.ty == *ty)?;
                Ok(IterBinding::Discard)
            }
            (Node::Shuffle { len, seed, offset }, IterSpec::Shuffle) => {
                binder.expect(word::SHUFFLE, true)?;
                binder.shuffle(*len, *seed, *offset)
            }
            _ => Err(binder.mismatch()),
        }
    }
}
