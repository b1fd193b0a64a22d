//! LLVM types of leaves, and of functions.

use inkwell::AddressSpace;
use inkwell::types::{BasicTypeEnum, FloatType, IntType};

use super::*;
use ir::types::Leaf;

impl<'c> Emitter<'c, '_> {
    /// Type of a leaf as a value.
    pub(super) fn leaf_type(&self, leaf: Leaf) -> BasicTypeEnum<'c> {
        match leaf {
            Leaf::Ptr => self.context.ptr_type(AddressSpace::default()).into(),
            Leaf::Scalar(s) if s.is_float() => self.float_type(s).into(),
            Leaf::Scalar(s) => self.int_type(s).into(),
        }
    }

    /// Type of a leaf in memory and at the C boundary: `bool` is a byte.
    pub(super) fn memory_type(&self, leaf: Leaf) -> BasicTypeEnum<'c> {
        match leaf {
            Leaf::Scalar(Scalar::Bool) => self.context.i8_type().into(),
            _ => self.leaf_type(leaf),
        }
    }

    /// The integer type of a scalar: `i1` for `bool`, and for floats the one of their width.
    pub(super) fn int_type(&self, s: Scalar) -> IntType<'c> {
        match s.bits() {
            _ if s == Scalar::Bool => self.context.bool_type(),
            8 => self.context.i8_type(),
            16 => self.context.i16_type(),
            32 => self.context.i32_type(),
            _ => self.context.i64_type(),
        }
    }

    pub(super) fn float_type(&self, s: Scalar) -> FloatType<'c> {
        match s {
            Scalar::F16 => self.context.f16_type(),
            Scalar::F32 => self.context.f32_type(),
            _ => self.context.f64_type(),
        }
    }

    /// The zero of a type.
    pub(super) fn zero(&self, ty: &Type) -> Leaves<'c> {
        ty.leaves().iter().map(|(leaf, _)| self.leaf_type(*leaf).const_zero()).collect()
    }

    /// A leaf as it is in memory.
    pub(super) fn leaf_to_memory(&self, leaf: Leaf, v: BasicValueEnum<'c>) -> Result<BasicValueEnum<'c>> {
        match leaf {
            Leaf::Scalar(Scalar::Bool) => {
                Ok(self.b.build_int_z_extend(as_int(v)?, self.context.i8_type(), "")?.into())
            }
            _ => Ok(v),
        }
    }

    /// A leaf that was read from memory: any byte but 0 is `true`.
    pub(super) fn memory_to_leaf(&self, leaf: Leaf, v: BasicValueEnum<'c>) -> Result<BasicValueEnum<'c>> {
        match leaf {
            Leaf::Scalar(Scalar::Bool) => Ok(self.is_nonzero(as_int(v)?)?.into()),
            _ => Ok(v),
        }
    }

    pub(super) fn check_types(&self, func: &Func) -> Result<()> {
        let half = |ty: &Type| ty.leaves().iter().any(|(leaf, _)| *leaf == Leaf::Scalar(Scalar::F16));
        if !self.f16 && (func.values.iter().any(half) || func.vars.iter().any(|v| half(&v.ty))) {
            let message = "float16 needs a processor with F16C instructions (x86-64-v3 or later)";
            return Err(CpuError::Unsupported(message.to_owned()));
        }
        Ok(())
    }
}

/// Number of leaves of a type.
pub(super) fn leaf_count(ty: &Type) -> usize {
    match ty {
        Type::Scalar(_) | Type::Ptr => 1,
        Type::Complex(_) => 2,
        Type::View(v) => 1 + 2 * v.rank as usize,
        Type::Tuple(items) => items.iter().map(leaf_count).sum(),
        Type::Struct(s) => s.fields.iter().map(|f| leaf_count(&f.ty)).sum(),
        Type::Array(a) => leaf_count(&a.elem) * a.len as usize,
    }
}

/// Which leaves of an aggregate belong to component `index`.
pub(super) fn component_leaves(ty: &Type, index: usize) -> Result<std::ops::Range<usize>> {
    let count = |i| ty.component(i).map(|(c, _)| leaf_count(&c));
    let missing = || invalid(format!("{ty} has no component {index}"));
    let len = count(index).ok_or_else(missing)?;
    let start = match ty {
        Type::Array(_) | Type::Complex(_) => len * index,
        _ => (0..index).filter_map(count).sum(),
    };
    Ok(start..start + len)
}
