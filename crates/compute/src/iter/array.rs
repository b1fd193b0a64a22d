//! Arrays: how an index becomes an address.

use freeloom_ir::{BinaryOp, CmpOp, Fail, Scalar, Type, Value};

use crate::binding::{ArrayBinding, Dims};
use crate::kernel::{Args, Cx, Layout};

/// An array opened in a kernel.
pub(crate) enum Address {
    /// Items lie one after another.
    Contiguous { base: Value },
    /// Items lie a fixed number of bytes apart.
    Strided { base: Value, stride: Value },
    /// C order over some dimensions, entered at item `first`: length and stride of each, outermost first.
    Ranked { base: Value, first: Value, dims: Vec<(Value, Value)> },
}

/// Writes the slots of an array.
pub(super) fn pack(item: &Type, array: &ArrayBinding, offset: i64, args: &mut Args) {
    let size = item.size() as i64;
    let at = |bytes: i64| (array.ptr as u64).wrapping_add(bytes as u64);
    // The step of an array of which the first item is used does not matter: it shall not cost a variant.
    let effective =
        if args.first_item_only && offset == 0 { Effective::Line(size) } else { effective(array, size) };
    match effective {
        Effective::Line(stride) if stride == size => {
            args.variant.push(Layout::Contiguous);
            args.push(at(offset.wrapping_mul(size)));
        }
        Effective::Line(stride) => {
            args.variant.push(Layout::Strided);
            args.push(at(offset.wrapping_mul(stride)));
            args.push_signed(stride);
        }
        Effective::Dims(shape, strides) => {
            args.variant.push(Layout::Ranked(shape.len() as u8));
            args.push(at(0));
            args.push_signed(offset);
            for (len, stride) in shape.into_iter().zip(strides) {
                args.push_signed(len);
                args.push_signed(stride);
            }
        }
    }
}

/// Writes the slots of an array whose positions are checked.
pub(super) fn pack_checked(item: &Type, array: &ArrayBinding, offset: i64, args: &mut Args) {
    args.push_signed(offset);
    args.push_signed(array.shape.iter().product());
    // Which item is used is known at run time only.
    let first_item_only = std::mem::replace(&mut args.first_item_only, false);
    pack(item, array, 0, args);
    args.first_item_only = first_item_only;
}

/// Reads the slots of an array.
pub(super) fn open(cx: &mut Cx<'_>) -> Address {
    let layout = cx.next_layout();
    let base = cx.slot(Type::Ptr);
    match layout {
        Layout::Contiguous => Address::Contiguous { base },
        Layout::Strided => Address::Strided { base, stride: cx.slot(Type::I64) },
        Layout::Ranked(rank) => {
            let first = cx.slot(Type::I64);
            let dims = (0..rank).map(|_| (cx.slot(Type::I64), cx.slot(Type::I64))).collect();
            Address::Ranked { base, first, dims }
        }
    }
}

/// An array opened in a kernel to be entered at positions that are checked.
pub(crate) struct CheckedAddress {
    offset: Value,
    len: Value,
    address: Address,
}

/// Reads the slots of an array whose positions are checked.
pub(super) fn open_checked(cx: &mut Cx<'_>) -> CheckedAddress {
    CheckedAddress { offset: cx.slot(Type::I64), len: cx.slot(Type::I64), address: open(cx) }
}

impl CheckedAddress {
    /// The address of item `index`; the run fails if there is none.
    pub(super) fn item(&self, cx: &mut Cx<'_>, size: u64, index: Value) -> Value {
        let position = cx.add(index, self.offset);
        fail_outside(cx, position, self.len);
        self.address.item(cx, size, position)
    }
}

/// The run fails unless `0 <= position < len`.
pub(super) fn fail_outside(cx: &mut Cx<'_>, position: Value, len: Value) {
    let (unsigned, len) = (cx.b.cast(position, Scalar::U64), cx.b.cast(len, Scalar::U64));
    let outside = cx.b.cmp(CmpOp::Ge, unsigned, len);
    cx.b.if_else(outside, |b| b.fail(Fail::PositionOutOfRange), |_| {});
}

impl Address {
    /// The address of item `index`.
    pub(super) fn item(&self, cx: &mut Cx<'_>, size: u64, index: Value) -> Value {
        match self {
            Address::Contiguous { base } => cx.address(*base, index, size),
            Address::Strided { base, stride } => {
                let offset = cx.b.binary(BinaryOp::Mul, index, *stride);
                cx.b.ptr_add(*base, offset)
            }
            Address::Ranked { base, first, dims } => {
                let index = cx.add(index, *first);
                let offset = ranked_offset(cx, index, dims);
                cx.b.ptr_add(*base, offset)
            }
        }
    }
}

/// Splits a flat index into one per dimension, innermost first, and sums the steps. Unsigned division: the
/// index is not negative.
fn ranked_offset(cx: &mut Cx<'_>, index: Value, dims: &[(Value, Value)]) -> Value {
    let mut rest = index;
    let mut offset = None;
    for (axis, (len, stride)) in dims.iter().enumerate().rev() {
        let here = if axis == 0 {
            rest
        } else {
            let (u, n) = (cx.b.cast(rest, Scalar::U64), cx.b.cast(*len, Scalar::U64));
            let quotient = cx.b.binary(BinaryOp::Div, u, n);
            let quotient = cx.b.cast(quotient, Scalar::I64);
            let whole = cx.b.binary(BinaryOp::Mul, quotient, *len);
            let here = cx.sub(rest, whole);
            rest = quotient;
            here
        };
        let step = cx.b.binary(BinaryOp::Mul, here, *stride);
        offset = Some(match offset {
            None => step,
            Some(sum) => cx.add(sum, step),
        });
    }
    offset.unwrap_or(index)
}

/// An array with as few dimensions as describe it.
enum Effective {
    /// One dimension of that stride.
    Line(i64),
    /// Two or more.
    Dims(Dims, Dims),
}

fn effective(array: &ArrayBinding, size: i64) -> Effective {
    if let ([len], [stride]) = (array.shape.as_slice(), array.strides.as_slice()) {
        return Effective::Line(if *len == 1 { size } else { *stride });
    }
    let (shape, strides) = collapse(array.shape.iter().zip(&array.strides));
    match strides.as_slice() {
        [] => Effective::Line(size),
        [stride] => Effective::Line(*stride),
        _ => match collapse(array.shape.iter().zip(&array.strides).rev()).1.as_slice() {
            [stride] if *stride == size => Effective::Line(size),
            _ => Effective::Dims(shape, strides),
        },
    }
}

/// Drops dimensions of one item and joins neighbours that are one line in memory. Dimensions come and go
/// outermost first.
fn collapse<'a>(dims: impl Iterator<Item = (&'a i64, &'a i64)>) -> (Dims, Dims) {
    let (mut shape, mut strides) = (Dims::new(), Dims::new());
    for (&len, &stride) in dims {
        if len == 1 {
            continue;
        }
        match (shape.last_mut(), strides.last_mut()) {
            (Some(outer_len), Some(outer)) if *outer == stride.wrapping_mul(len) => {
                *outer_len *= len;
                *outer = stride;
            }
            _ => {
                shape.push(len);
                strides.push(stride);
            }
        }
    }
    (shape, strides)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(shape: &[i64], strides: &[i64]) -> Option<i64> {
        let array = ArrayBinding { ptr: 0, shape: shape.into(), strides: strides.into() };
        match effective(&array, 4) {
            Effective::Line(stride) => Some(stride),
            Effective::Dims(..) => None,
        }
    }

    #[test]
    fn arrays_lose_needless_dimensions() {
        assert_eq!(line(&[], &[]), Some(4));
        assert_eq!(line(&[5], &[-8]), Some(-8));
        assert_eq!(line(&[3, 5], &[20, 4]), Some(4));
        assert_eq!(line(&[3, 5], &[4, 12]), Some(4), "Fortran order is flat memory");
        assert_eq!(line(&[3, 1, 5], &[40, 99, 8]), Some(8));
        assert_eq!(line(&[3, 5], &[8, 24]), None, "a strided transpose is read in C order");
        assert_eq!(line(&[3, 5], &[24, 4]), None);
        assert_eq!(line(&[1, 1], &[99, 77]), Some(4));
        assert_eq!(line(&[1], &[99]), Some(4));
    }
}
