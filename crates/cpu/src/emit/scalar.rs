//! Arithmetic on integers and `bool`, comparisons, conversions. Floats and the C library: `math`.

use inkwell::types::BasicTypeEnum;
use inkwell::{FloatPredicate, IntPredicate};

use super::*;
use ir::{BinaryOp, CmpOp, Const, UnaryOp};

impl<'c> Emitter<'c, '_> {
    pub(super) fn constant(&self, c: Const) -> Result<BasicValueEnum<'c>> {
        let bits = self.int_type(c.ty).const_int(c.bits, false);
        if c.ty.is_float() {
            return Ok(self.b.build_bit_cast(bits, self.float_type(c.ty), "")?);
        }
        Ok(bits.into())
    }

    pub(super) fn unary(&self, op: UnaryOp, s: Scalar, a: BasicValueEnum<'c>) -> Result<BasicValueEnum<'c>> {
        if s.is_float() {
            return self.float_unary(op, s, as_float(a)?);
        }
        let a = as_int(a)?;
        let no = self.context.bool_type().const_zero();
        match op {
            UnaryOp::Neg => Ok(self.b.build_int_neg(a, "")?.into()),
            UnaryOp::Not => Ok(self.b.build_not(a, "")?.into()),
            UnaryOp::Abs if s.is_signed() => self.intrinsic("llvm.abs", &[a.into(), no.into()]),
            UnaryOp::Abs => Ok(a.into()),
            UnaryOp::PopCount => self.intrinsic("llvm.ctpop", &[a.into()]),
            UnaryOp::LeadingZeros => self.intrinsic("llvm.ctlz", &[a.into(), no.into()]),
            _ => Err(invalid(format!("{} of {}", op.name(), s.name()))),
        }
    }

    pub(super) fn binary(
        &self,
        op: BinaryOp,
        s: Scalar,
        a: BasicValueEnum<'c>,
        b: BasicValueEnum<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        if s.is_float() {
            return self.float_binary(op, s, as_float(a)?, as_float(b)?);
        }
        let (x, y) = (as_int(a)?, as_int(b)?);
        Ok(match op {
            BinaryOp::Add => self.b.build_int_add(x, y, "")?.into(),
            BinaryOp::Sub => self.b.build_int_sub(x, y, "")?.into(),
            BinaryOp::Mul => self.b.build_int_mul(x, y, "")?.into(),
            BinaryOp::Div => self.int_div(s, x, y)?.into(),
            BinaryOp::Rem => self.int_rem(s, x, y)?.into(),
            BinaryOp::And => self.b.build_and(x, y, "")?.into(),
            BinaryOp::Or => self.b.build_or(x, y, "")?.into(),
            BinaryOp::Xor => self.b.build_xor(x, y, "")?.into(),
            BinaryOp::Shl => self.shl(x, y)?.into(),
            BinaryOp::Shr => self.shr(s, x, y)?.into(),
            BinaryOp::Min => {
                self.intrinsic(if s.is_signed() { "llvm.smin" } else { "llvm.umin" }, &[a, b])?
            }
            BinaryOp::Max => {
                self.intrinsic(if s.is_signed() { "llvm.smax" } else { "llvm.umax" }, &[a, b])?
            }
            _ => return Err(invalid(format!("{} of {}", op.name(), s.name()))),
        })
    }

    /// A divisor that never traps: 1 instead of 0, and instead of −1 under the least integer, whose quotient
    /// is then itself and whose remainder is 0.
    fn divisor(&self, s: Scalar, a: IntValue<'c>, b: IntValue<'c>) -> Result<IntValue<'c>> {
        let ty = b.get_type();
        let mut bad = self.is(IntPredicate::EQ, b, ty.const_zero())?;
        if s.is_signed() {
            let least = ty.const_int(1 << (s.bits() - 1), false);
            let at_least = self.is(IntPredicate::EQ, a, least)?;
            let by_minus_one = self.is(IntPredicate::EQ, b, ty.const_all_ones())?;
            bad = self.b.build_or(bad, self.b.build_and(at_least, by_minus_one, "")?, "")?;
        }
        self.choose(bad, ty.const_int(1, false), b)
    }

    fn int_div(&self, s: Scalar, a: IntValue<'c>, b: IntValue<'c>) -> Result<IntValue<'c>> {
        let divisor = self.divisor(s, a, b)?;
        let quotient = if s.is_signed() {
            self.b.build_int_signed_div(a, divisor, "")?
        } else {
            self.b.build_int_unsigned_div(a, divisor, "")?
        };
        let zero = b.get_type().const_zero();
        self.choose(self.is(IntPredicate::EQ, b, zero)?, zero, quotient)
    }

    fn int_rem(&self, s: Scalar, a: IntValue<'c>, b: IntValue<'c>) -> Result<IntValue<'c>> {
        let divisor = self.divisor(s, a, b)?;
        Ok(if s.is_signed() {
            self.b.build_int_signed_rem(a, divisor, "")?
        } else {
            self.b.build_int_unsigned_rem(a, divisor, "")?
        })
    }

    fn shl(&self, a: IntValue<'c>, count: IntValue<'c>) -> Result<IntValue<'c>> {
        let shifted = self.b.build_left_shift(a, count, "")?;
        self.choose(self.in_width(count)?, shifted, a.get_type().const_zero())
    }

    fn shr(&self, s: Scalar, a: IntValue<'c>, count: IntValue<'c>) -> Result<IntValue<'c>> {
        if s.is_signed() {
            let last = count.get_type().const_int(u64::from(s.bits() - 1), false);
            let count = as_int(self.intrinsic("llvm.umin", &[count.into(), last.into()])?)?;
            return Ok(self.b.build_right_shift(a, count, true, "")?);
        }
        let shifted = self.b.build_right_shift(a, count, false, "")?;
        self.choose(self.in_width(count)?, shifted, a.get_type().const_zero())
    }

    fn in_width(&self, count: IntValue<'c>) -> Result<IntValue<'c>> {
        let ty = count.get_type();
        self.is(IntPredicate::ULT, count, ty.const_int(u64::from(ty.get_bit_width()), false))
    }

    fn is(&self, predicate: IntPredicate, a: IntValue<'c>, b: IntValue<'c>) -> Result<IntValue<'c>> {
        Ok(self.b.build_int_compare(predicate, a, b, "")?)
    }

    fn choose(&self, cond: IntValue<'c>, a: IntValue<'c>, b: IntValue<'c>) -> Result<IntValue<'c>> {
        as_int(self.b.build_select(cond, a, b, "")?)
    }

    pub(super) fn is_nonzero(&self, a: IntValue<'c>) -> Result<IntValue<'c>> {
        self.is(IntPredicate::NE, a, a.get_type().const_zero())
    }

    pub(super) fn cmp(
        &self,
        op: CmpOp,
        s: Scalar,
        a: BasicValueEnum<'c>,
        b: BasicValueEnum<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        if s.is_float() {
            let predicate = match op {
                CmpOp::Eq => FloatPredicate::OEQ,
                CmpOp::Ne => FloatPredicate::UNE,
                CmpOp::Lt => FloatPredicate::OLT,
                CmpOp::Le => FloatPredicate::OLE,
                CmpOp::Gt => FloatPredicate::OGT,
                CmpOp::Ge => FloatPredicate::OGE,
            };
            let (a, b) = (self.widen(s, as_float(a)?)?, self.widen(s, as_float(b)?)?);
            return Ok(self.b.build_float_compare(predicate, a, b, "")?.into());
        }
        let predicate = match (op, s.is_signed()) {
            (CmpOp::Eq, _) => IntPredicate::EQ,
            (CmpOp::Ne, _) => IntPredicate::NE,
            (CmpOp::Lt, true) => IntPredicate::SLT,
            (CmpOp::Le, true) => IntPredicate::SLE,
            (CmpOp::Gt, true) => IntPredicate::SGT,
            (CmpOp::Ge, true) => IntPredicate::SGE,
            (CmpOp::Lt, false) => IntPredicate::ULT,
            (CmpOp::Le, false) => IntPredicate::ULE,
            (CmpOp::Gt, false) => IntPredicate::UGT,
            (CmpOp::Ge, false) => IntPredicate::UGE,
        };
        Ok(self.is(predicate, as_int(a)?, as_int(b)?)?.into())
    }

    pub(super) fn cast(&self, from: Scalar, to: Scalar, a: BasicValueEnum<'c>) -> Result<BasicValueEnum<'c>> {
        match (from.is_float(), to) {
            _ if from == to => Ok(a),
            (false, Scalar::Bool) => Ok(self.is_nonzero(as_int(a)?)?.into()),
            (false, _) if to.is_float() => self.int_to_float(from, to, as_int(a)?),
            (false, _) => {
                let signed = from.is_signed();
                Ok(self.b.build_int_cast_sign_flag(as_int(a)?, self.int_type(to), signed, "")?.into())
            }
            (true, Scalar::Bool) => self.cmp(CmpOp::Ne, from, a, self.float_type(from).const_zero().into()),
            (true, _) if to.is_float() => Ok(self.float_to_float(from, to, as_float(a)?)?.into()),
            (true, _) => self.float_to_int(from, to, as_float(a)?),
        }
    }

    pub(super) fn bitcast(&self, to: Scalar, a: BasicValueEnum<'c>) -> Result<BasicValueEnum<'c>> {
        let ty: BasicTypeEnum<'c> =
            if to.is_float() { self.float_type(to).into() } else { self.int_type(to).into() };
        Ok(self.b.build_bit_cast(a, ty, "")?)
    }
}
