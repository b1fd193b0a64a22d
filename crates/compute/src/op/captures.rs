//! Arrays that an operator captured: base address, lengths and strides, bound anew at every call.

use freeloom_compiler::CapturedArray;
use freeloom_ir::{Type, Value};

use crate::binding::OpBinding;
use crate::error::RunError;
use crate::kernel::{Args, Cx};

/// What an operator demands of one captured array. Checked by every run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// Which array.
    pub slot: u32,
    /// Its items.
    pub elem: Type,
    /// Its number of dimensions.
    pub rank: u32,
    /// The least length along each axis.
    pub min_len: Vec<u64>,
}

pub(super) fn requirements(arrays: &[CapturedArray]) -> Vec<Requirement> {
    let requirement = |a: &CapturedArray| Requirement {
        slot: a.slot,
        elem: a.elem.clone(),
        rank: a.rank,
        min_len: a.min_len.clone(),
    };
    arrays.iter().map(requirement).collect()
}

/// Reads the slots of each array as a view.
pub(super) fn open(cx: &mut Cx<'_>, arrays: &[CapturedArray]) -> Vec<Value> {
    let mut views = Vec::with_capacity(arrays.len());
    for array in arrays {
        let mut parts = vec![cx.slot(Type::Ptr)];
        for _ in 0..2 * array.rank {
            parts.push(cx.slot(Type::I64));
        }
        views.push(cx.b.make(Type::view(array.elem.clone(), array.rank), parts));
    }
    views
}

/// Writes the slots of each array.
pub(super) fn pack(arrays: &[CapturedArray], binding: &OpBinding, args: &mut Args) -> Result<(), RunError> {
    for array in arrays {
        let bound = binding.arrays.get(array.slot as usize).ok_or(RunError::Mismatch("a captured array"))?;
        let rank = array.rank as usize;
        if bound.shape.len() != rank || bound.strides.len() != rank {
            return Err(RunError::Mismatch("the rank of a captured array"));
        }
        for (axis, (needed, got)) in array.min_len.iter().zip(&bound.shape).enumerate() {
            let (needed, got) = (*needed, (*got).max(0) as u64);
            if got < needed {
                return Err(RunError::CaptureTooShort { slot: array.slot, axis: axis as u32, needed, got });
            }
        }
        args.push(bound.ptr as u64);
        bound.shape.iter().chain(&bound.strides).for_each(|n| args.push_signed(*n));
    }
    Ok(())
}
