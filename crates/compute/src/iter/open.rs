//! Reading and writing items in a kernel.

use freeloom_ir::{BinaryOp, Const, Scalar, Type, Value};

use super::Iter;
use super::array::{self, Address, CheckedAddress};
use super::shuffle::Shuffle;
use crate::error::{BuildError, Built};
use crate::kernel::Cx;
use crate::op::OpenOp;

/// An iterator opened in a kernel: its state has been read from the slots.
pub(crate) enum Open {
    Array { elem: Type, address: Address },
    Checked { elem: Type, address: CheckedAddress },
    Counting { start: Value },
    Constant(Value),
    Transform { child: Box<Open>, op: OpenOp },
    Zip { children: Vec<Open>, item: Type },
    Reverse(Box<Open>),
    Permutation { values: Box<Open>, indices: Box<Open> },
    Discard(Type),
    Shuffle(Shuffle),
}

impl Open {
    /// Reads the state that [`Iter::pack`] wrote. To be called at the top of the kernel.
    pub(crate) fn new(iter: &Iter, cx: &mut Cx<'_>) -> Open {
        match iter {
            Iter::Array(elem) => Open::Array { elem: elem.clone(), address: array::open(cx) },
            Iter::Checked(elem) => Open::Checked { elem: elem.clone(), address: array::open_checked(cx) },
            Iter::Counting(ty) => Open::Counting { start: cx.slot(ty.clone()) },
            Iter::Constant(ty) => {
                let ptr = cx.slot(Type::Ptr);
                Open::Constant(cx.b.load(ty.clone(), ptr))
            }
            Iter::Transform { child, op, .. } => {
                let child = Box::new(Open::new(child, cx));
                Open::Transform { child, op: op.open(cx) }
            }
            Iter::Zip { children, item } => {
                let children = children.iter().map(|c| Open::new(c, cx)).collect();
                Open::Zip { children, item: item.clone() }
            }
            Iter::Reverse(child) => Open::Reverse(Box::new(Open::new(child, cx))),
            Iter::Permutation { values, indices } => {
                let values = Box::new(Open::new(values, cx));
                Open::Permutation { values, indices: Box::new(Open::new(indices, cx)) }
            }
            Iter::Discard(item) => Open::Discard(item.clone()),
            Iter::Shuffle => Open::Shuffle(Shuffle::open(cx)),
        }
    }
}

/// Item `index`.
pub(crate) fn load(open: &Open, cx: &mut Cx<'_>, index: Value) -> Built<Value> {
    match open {
        Open::Array { elem, address } => {
            let ptr = address.item(cx, elem.size(), index);
            Ok(cx.b.load(elem.clone(), ptr))
        }
        Open::Checked { elem, address } => {
            let ptr = address.item(cx, elem.size(), index);
            Ok(cx.b.load(elem.clone(), ptr))
        }
        Open::Counting { start } => {
            let Type::Scalar(s) = *cx.b.type_of(*start) else { return Ok(*start) };
            let offset = cx.b.cast(index, s);
            Ok(cx.b.binary(BinaryOp::Add, *start, offset))
        }
        Open::Constant(value) => Ok(*value),
        Open::Transform { child, op } => {
            let value = load(child, cx, index)?;
            op.apply(cx, &[value])
        }
        Open::Zip { children, item } => {
            let items = children.iter().map(|c| load(c, cx, index)).collect::<Built<Vec<_>>>()?;
            Ok(cx.b.make(item.clone(), items))
        }
        Open::Reverse(child) => {
            let index = negative(cx, index);
            load(child, cx, index)
        }
        Open::Permutation { values, indices } => {
            let index = position(indices, cx, index)?;
            load(values, cx, index)
        }
        Open::Discard(item) => Ok(zero(cx, item)),
        Open::Shuffle(shuffle) => Ok(shuffle.item(cx, index)),
    }
}

/// Writes item `index`; `value` has the iterator's item type.
pub(crate) fn store(open: &Open, cx: &mut Cx<'_>, index: Value, value: Value) -> Built<()> {
    match open {
        Open::Array { elem, address } => {
            let ptr = address.item(cx, elem.size(), index);
            cx.b.store(ptr, value);
            Ok(())
        }
        Open::Checked { elem, address } => {
            let ptr = address.item(cx, elem.size(), index);
            cx.b.store(ptr, value);
            Ok(())
        }
        Open::Reverse(child) => {
            let index = negative(cx, index);
            store(child, cx, index, value)
        }
        Open::Permutation { values, indices } => {
            let index = position(indices, cx, index)?;
            store(values, cx, index, value)
        }
        Open::Discard(_) => Ok(()),
        Open::Transform { child, op } => {
            let value = op.apply(cx, &[value])?;
            store(child, cx, index, value)
        }
        Open::Zip { children, .. } => {
            for (i, child) in children.iter().enumerate() {
                let part = cx.b.extract(value, i);
                store(child, cx, index, part)?;
            }
            Ok(())
        }
        Open::Counting { .. } | Open::Constant(_) | Open::Shuffle(_) => {
            Err(BuildError::Type("this iterator does not support output operations".into()))
        }
    }
}

/// `-index`
fn negative(cx: &mut Cx<'_>, index: Value) -> Value {
    let none = cx.b.i64(0);
    cx.sub(none, index)
}

/// What a permutation's indices say at `index`.
fn position(indices: &Open, cx: &mut Cx<'_>, index: Value) -> Built<Value> {
    let position = load(indices, cx, index)?;
    Ok(cx.b.cast(position, Scalar::I64))
}

/// The value whose bytes are zero.
fn zero(cx: &mut Cx<'_>, ty: &Type) -> Value {
    match ty {
        Type::Scalar(s) => cx.b.constant(Const { ty: *s, bits: 0 }),
        _ => {
            let parts = (0..ty.component_count()).filter_map(|i| ty.component(i));
            let parts = parts.map(|(part, _)| zero(cx, &part)).collect();
            cx.b.make(ty.clone(), parts)
        }
    }
}
