//! Reading and writing items in a kernel.

use freeloom_ir::{BinaryOp, Type, Value};

use super::Iter;
use super::array::{self, Address};
use crate::error::{BuildError, Built};
use crate::kernel::Cx;
use crate::op::OpenOp;

/// An iterator opened in a kernel: its state has been read from the slots.
pub(crate) enum Open {
    Array { elem: Type, address: Address },
    Counting { start: Value },
    Constant(Value),
    Transform { child: Box<Open>, op: OpenOp },
    Zip { children: Vec<Open>, item: Type },
}

impl Open {
    /// Reads the state that [`Iter::pack`] wrote. To be called at the top of the kernel.
    pub(crate) fn new(iter: &Iter, cx: &mut Cx<'_>) -> Open {
        match iter {
            Iter::Array(elem) => Open::Array { elem: elem.clone(), address: array::open(cx) },
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
        Open::Counting { .. } | Open::Constant(_) => {
            Err(BuildError::Type("d_out: only arrays, transforms and zips can be written".into()))
        }
    }
}
