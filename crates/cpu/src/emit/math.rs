//! Floating-point arithmetic, the C library's functions and conversions of floats.
//!
//! `f16` is widened to `f32` before, and rounded after, each operation.

use inkwell::FloatPredicate;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::intrinsics::Intrinsic;
use inkwell::types::{BasicMetadataTypeEnum, BasicType};
use inkwell::values::BasicMetadataValueEnum;

use super::*;
use ir::{BinaryOp, UnaryOp};

impl<'c> Emitter<'c, '_> {
    pub(super) fn float_unary(
        &self,
        op: UnaryOp,
        s: Scalar,
        a: FloatValue<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        let wide = self.widen(s, a)?;
        let intrinsic = |name| self.intrinsic(name, &[wide.into()]);
        let result = match op {
            UnaryOp::Neg => return Ok(self.b.build_float_neg(a, "")?.into()),
            UnaryOp::Abs => intrinsic("llvm.fabs")?,
            UnaryOp::Sqrt => intrinsic("llvm.sqrt")?,
            UnaryOp::Floor => intrinsic("llvm.floor")?,
            UnaryOp::Ceil => intrinsic("llvm.ceil")?,
            UnaryOp::Trunc => intrinsic("llvm.trunc")?,
            UnaryOp::RoundEven => intrinsic("llvm.roundeven")?,
            _ => self.library(op.name(), s, &[wide])?,
        };
        self.narrow(s, as_float(result)?)
    }

    pub(super) fn float_binary(
        &self,
        op: BinaryOp,
        s: Scalar,
        a: FloatValue<'c>,
        b: FloatValue<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        let (x, y) = (self.widen(s, a)?, self.widen(s, b)?);
        let result = match op {
            BinaryOp::NextAfter if s == Scalar::F16 => return self.next_after_f16(a, x, y),
            BinaryOp::Add => self.b.build_float_add(x, y, "")?,
            BinaryOp::Sub => self.b.build_float_sub(x, y, "")?,
            BinaryOp::Mul => self.b.build_float_mul(x, y, "")?,
            BinaryOp::Div => self.b.build_float_div(x, y, "")?,
            BinaryOp::Min => as_float(self.intrinsic("llvm.minimum", &[x.into(), y.into()])?)?,
            BinaryOp::Max => as_float(self.intrinsic("llvm.maximum", &[x.into(), y.into()])?)?,
            BinaryOp::CopySign => as_float(self.intrinsic("llvm.copysign", &[x.into(), y.into()])?)?,
            BinaryOp::Rem => as_float(self.library("fmod", s, &[x, y])?)?,
            _ => as_float(self.library(op.name(), s, &[x, y])?)?,
        };
        self.narrow(s, result)
    }

    /// The neighbour of `a` among the `f16`; `x` and `y` are the operands as `f32`. One step in bits is one step
    /// in value, away from zero if the bits grow.
    fn next_after_f16(
        &self,
        a: FloatValue<'c>,
        x: FloatValue<'c>,
        y: FloatValue<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        let (i16, half) = (self.context.i16_type(), self.context.f16_type());
        let is = |p, a: FloatValue<'c>, b| Ok::<_, CpuError>(self.b.build_float_compare(p, a, b, "")?);
        let zero = x.get_type().const_zero();
        let up = is(FloatPredicate::OLT, x, y)?;
        let positive = is(FloatPredicate::OGT, x, zero)?;
        let bits = as_int(self.b.build_bit_cast(a, i16, "")?)?;
        let shrinks = self.b.build_int_s_extend(self.b.build_xor(up, positive, "")?, i16, "")?;
        let step = self.b.build_or(shrinks, i16.const_int(1, false), "")?;
        let stepped: BasicValueEnum<'c> = self.b.build_int_add(bits, step, "")?.into();
        let least = |sign: u64| i16.const_int(sign | 1, false);
        let from_zero = self.b.build_select(up, least(0), least(0x8000), "")?;
        let moved = self.b.build_select(is(FloatPredicate::OEQ, x, zero)?, from_zero, stepped, "")?;
        let moved = self.b.build_bit_cast(moved, half, "")?;
        let ends = self.narrow(Scalar::F16, self.b.build_float_add(x, y, "")?)?;
        let unordered = is(FloatPredicate::UNO, x, y)?;
        let moved = self.b.build_select(unordered, ends, moved, "")?;
        let target = self.narrow(Scalar::F16, y)?;
        Ok(self.b.build_select(is(FloatPredicate::OEQ, x, y)?, target, moved, "")?)
    }

    /// Calls an intrinsic that is overloaded by the type of its first operand.
    pub(super) fn intrinsic(&self, name: &str, args: &[BasicValueEnum<'c>]) -> Result<BasicValueEnum<'c>> {
        let types: Vec<_> = args.first().map(|a| a.get_type()).into_iter().collect();
        self.intrinsic_of(name, &types, args)
    }

    fn intrinsic_of(
        &self,
        name: &str,
        types: &[inkwell::types::BasicTypeEnum<'c>],
        args: &[BasicValueEnum<'c>],
    ) -> Result<BasicValueEnum<'c>> {
        let declaration = Intrinsic::find(name).and_then(|i| i.get_declaration(&self.module, types));
        let declaration = declaration.ok_or_else(|| CpuError::Llvm(format!("no intrinsic {name}")))?;
        self.call_pure(declaration, args)
    }

    /// Calls a function of the C library. LLVM must not replace it: results would depend on what it can prove.
    fn library(&self, name: &str, s: Scalar, args: &[FloatValue<'c>]) -> Result<BasicValueEnum<'c>> {
        let ty = self.float_type(if s == Scalar::F64 { Scalar::F64 } else { Scalar::F32 });
        let symbol = if s == Scalar::F64 { name.to_owned() } else { format!("{name}f") };
        let function = self.module.get_function(&symbol).unwrap_or_else(|| {
            let params: Vec<BasicMetadataTypeEnum<'c>> = args.iter().map(|_| ty.into()).collect();
            let function = self.module.add_function(&symbol, ty.fn_type(&params, false), None);
            self.mark(function, &["nobuiltin", "nounwind", "willreturn", "nofree", "nosync"]);
            self.mark_value(function, "memory", 0);
            function
        });
        let args: Vec<_> = args.iter().map(|a| (*a).into()).collect();
        self.call_pure(function, &args)
    }

    fn call_pure(&self, f: FunctionValue<'c>, args: &[BasicValueEnum<'c>]) -> Result<BasicValueEnum<'c>> {
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|a| (*a).into()).collect();
        let call = self.b.build_call(f, &args, "")?;
        call.try_as_basic_value().basic().ok_or_else(|| CpuError::Llvm("call without a result".to_owned()))
    }

    pub(super) fn mark(&self, function: FunctionValue<'c>, attributes: &[&str]) {
        attributes.iter().for_each(|name| self.mark_value(function, name, 0));
    }

    pub(super) fn mark_value(&self, function: FunctionValue<'c>, attribute: &str, value: u64) {
        let kind = Attribute::get_named_enum_kind_id(attribute);
        function.add_attribute(AttributeLoc::Function, self.context.create_enum_attribute(kind, value));
    }

    /// An `f16` as `f32`; other floats as they are.
    pub(super) fn widen(&self, s: Scalar, a: FloatValue<'c>) -> Result<FloatValue<'c>> {
        if s == Scalar::F16 { Ok(self.b.build_float_ext(a, self.context.f32_type(), "")?) } else { Ok(a) }
    }

    fn narrow(&self, s: Scalar, a: FloatValue<'c>) -> Result<BasicValueEnum<'c>> {
        let half = self.context.f16_type();
        if s == Scalar::F16 { Ok(self.b.build_float_trunc(a, half, "")?.into()) } else { Ok(a.into()) }
    }

    /// Through `f32` for `f16`: every integer that fits an `f16` is exact in `f32`, the others overflow either way.
    pub(super) fn int_to_float(
        &self,
        from: Scalar,
        to: Scalar,
        a: IntValue<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        let ty = self.float_type(if to == Scalar::F16 { Scalar::F32 } else { to });
        let wide = if from.is_signed() {
            self.b.build_signed_int_to_float(a, ty, "")?
        } else {
            self.b.build_unsigned_int_to_float(a, ty, "")?
        };
        self.narrow(to, wide)
    }

    pub(super) fn float_to_int(
        &self,
        from: Scalar,
        to: Scalar,
        a: FloatValue<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        let a = self.widen(from, a)?;
        let name = if to.is_signed() { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" };
        self.intrinsic_of(name, &[self.int_type(to).into(), a.get_type().as_basic_type_enum()], &[a.into()])
    }

    pub(super) fn float_to_float(
        &self,
        from: Scalar,
        to: Scalar,
        a: FloatValue<'c>,
    ) -> Result<FloatValue<'c>> {
        match (from, to) {
            (Scalar::F64, Scalar::F16) => {
                Ok(self.b.build_float_trunc(self.round_to_odd(a)?, self.context.f16_type(), "")?)
            }
            (Scalar::F16, Scalar::F64) => {
                Ok(self.b.build_float_ext(self.widen(from, a)?, self.context.f64_type(), "")?)
            }
            _ if from.size() > to.size() => Ok(self.b.build_float_trunc(a, self.float_type(to), "")?),
            _ => Ok(self.b.build_float_ext(a, self.float_type(to), "")?),
        }
    }

    /// `f64` to `f32`, an inexact result made odd. Rounding that to `f16` gives what rounding at once would:
    /// the last bit remembers that something was cut off.
    fn round_to_odd(&self, a: FloatValue<'c>) -> Result<FloatValue<'c>> {
        let (narrow, wide, bits) =
            (self.context.f32_type(), self.context.f64_type(), self.context.i32_type());
        let nearest = self.b.build_float_trunc(a, narrow, "")?;
        let back = self.b.build_float_ext(nearest, wide, "")?;
        let inexact = self.b.build_float_compare(FloatPredicate::ONE, back, a, "")?;
        let abs = |v: FloatValue<'c>| as_float(self.intrinsic("llvm.fabs", &[v.into()])?);
        let away = self.b.build_float_compare(FloatPredicate::OGT, abs(back)?, abs(a)?, "")?;
        let nearest_bits = as_int(self.b.build_bit_cast(nearest, bits, "")?)?;
        let cut = self.b.build_int_sub(nearest_bits, self.b.build_int_z_extend(away, bits, "")?, "")?;
        let odd = self.b.build_or(cut, self.b.build_int_z_extend(inexact, bits, "")?, "")?;
        as_float(self.b.build_bit_cast(odd, narrow, "")?)
    }
}
