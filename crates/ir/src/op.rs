//! The operations and what they mean.
//!
//! All are total. Integers wrap. `f16` is computed in `f32` and rounded after each operation. Operands of a
//! binary operation have one type, which is also the result's, unless a line says otherwise.

use crate::types::{Scalar, Type};

/// A scalar constant: its type and its bits, zero-extended to 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Const {
    /// The type.
    pub ty: Scalar,
    /// The bits; those above the type's width are zero. `bool` is 0 or 1.
    pub bits: u64,
}

impl Const {
    /// `true` or `false`.
    pub const fn bool(v: bool) -> Const {
        Const { ty: Scalar::Bool, bits: v as u64 }
    }

    /// An integer constant, reduced modulo 2^bits.
    pub const fn int(ty: Scalar, v: i128) -> Const {
        let mask = if ty.bits() == 64 { u64::MAX } else { (1 << ty.bits()) - 1 };
        Const { ty, bits: v as u64 & mask }
    }

    /// An `i64` constant.
    pub const fn i64(v: i64) -> Const {
        Const { ty: Scalar::I64, bits: v as u64 }
    }

    /// A floating-point constant, rounded to the type.
    pub fn float(ty: Scalar, v: f64) -> Const {
        let bits = match ty {
            Scalar::F16 => u64::from(f16_from_f64(v).to_bits()),
            Scalar::F32 => u64::from((v as f32).to_bits()),
            _ => v.to_bits(),
        };
        Const { ty, bits }
    }

    /// The value as an integer, sign-extended if the type is signed; floats are truncated.
    pub fn as_int(self) -> i128 {
        match self.ty {
            s if s.is_signed() => {
                let shift = 64 - s.bits();
                i128::from(((self.bits << shift) as i64) >> shift)
            }
            s if s.is_float() => self.as_float() as i128,
            _ => i128::from(self.bits),
        }
    }

    /// The value as a double.
    pub fn as_float(self) -> f64 {
        match self.ty {
            Scalar::F16 => half::f16::from_bits(self.bits as u16).to_f64(),
            Scalar::F32 => f64::from(f32::from_bits(self.bits as u32)),
            Scalar::F64 => f64::from_bits(self.bits),
            _ => self.as_int() as f64,
        }
    }

    /// Is it a floating-point NaN?
    pub fn is_nan(self) -> bool {
        self.ty.is_float() && self.as_float().is_nan()
    }

    /// The type as a [`Type`].
    pub fn type_of(self) -> Type {
        Type::Scalar(self.ty)
    }
}

/// Rounds to nearest even. `half::f16::from_f64` looks at the upper half of the digits only, so it goes through
/// an `f32` that is rounded to odd and thereby keeps the trace of what was cut off.
fn f16_from_f64(v: f64) -> half::f16 {
    let near = v as f32;
    let back = f64::from(near);
    if back == v || v.is_nan() {
        return half::f16::from_f32(near);
    }
    let below = near.to_bits() - u32::from(back.abs() > v.abs());
    half::f16::from_f32(f32::from_bits(below | 1))
}

/// Which scalars an operation takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Integers.
    Int,
    /// Floating-point numbers.
    Float,
    /// Integers and floating-point numbers.
    Number,
    /// Integers and `bool`.
    Bits,
}

impl Domain {
    /// Does the domain contain `s`?
    pub const fn contains(self, s: Scalar) -> bool {
        match self {
            Domain::Int => s.is_int(),
            Domain::Float => s.is_float(),
            Domain::Number => s.is_int() || s.is_float(),
            Domain::Bits => s.is_int() || matches!(s, Scalar::Bool),
        }
    }
}

macro_rules! ops {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal $domain:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($(#[$doc])* $variant),* }

        impl $name {
            /// Every operation of the table.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The name in IR text.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }

            /// The operation of that name.
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }

            /// The scalars it takes.
            pub const fn domain(self) -> Domain {
                match self { $($name::$variant => Domain::$domain),* }
            }
        }
    };
}

ops! {
    /// Operations on one scalar; the result has the operand's type.
    UnaryOp {
        /// `-x`; integers wrap.
        Neg = "neg" Number,
        /// Bitwise complement; logical for `bool`.
        Not = "not" Bits,
        /// Absolute value; the least signed integer stays itself.
        Abs = "abs" Number,
        /// Number of one bits.
        PopCount = "popcount" Int,
        /// Number of zero bits above the highest one bit; the width for 0.
        LeadingZeros = "leading_zeros" Int,
        /// Square root, correctly rounded.
        Sqrt = "sqrt" Float,
        /// Round towards −∞.
        Floor = "floor" Float,
        /// Round towards +∞.
        Ceil = "ceil" Float,
        /// Round towards zero.
        Trunc = "trunc" Float,
        /// Round to nearest, ties to even.
        RoundEven = "round_even" Float,
        /// e^x. This and the following are the C library's.
        Exp = "exp" Float,
        /// 2^x
        Exp2 = "exp2" Float,
        /// e^x − 1
        Expm1 = "expm1" Float,
        /// Natural logarithm.
        Log = "log" Float,
        /// Base-2 logarithm.
        Log2 = "log2" Float,
        /// Base-10 logarithm.
        Log10 = "log10" Float,
        /// ln(1 + x)
        Log1p = "log1p" Float,
        /// Sine, radians.
        Sin = "sin" Float,
        /// Cosine, radians.
        Cos = "cos" Float,
        /// Tangent, radians.
        Tan = "tan" Float,
        /// Arc sine.
        Asin = "asin" Float,
        /// Arc cosine.
        Acos = "acos" Float,
        /// Arc tangent.
        Atan = "atan" Float,
        /// Hyperbolic sine.
        Sinh = "sinh" Float,
        /// Hyperbolic cosine.
        Cosh = "cosh" Float,
        /// Hyperbolic tangent.
        Tanh = "tanh" Float,
        /// Inverse hyperbolic sine.
        Asinh = "asinh" Float,
        /// Inverse hyperbolic cosine.
        Acosh = "acosh" Float,
        /// Inverse hyperbolic tangent.
        Atanh = "atanh" Float,
        /// Cube root.
        Cbrt = "cbrt" Float,
        /// Error function.
        Erf = "erf" Float,
        /// Complementary error function.
        Erfc = "erfc" Float,
        /// Gamma function.
        Tgamma = "tgamma" Float,
        /// Logarithm of |gamma|.
        Lgamma = "lgamma" Float,
    }
}

ops! {
    /// Operations on two scalars of one type; the result has that type.
    BinaryOp {
        /// `a + b`
        Add = "add" Number,
        /// `a - b`
        Sub = "sub" Number,
        /// `a * b`
        Mul = "mul" Number,
        /// Quotient: IEEE for floats; towards zero for integers, with `x / 0 = 0` and `MIN / -1 = MIN`.
        Div = "div" Number,
        /// Remainder of `Div` with the sign of `a`: C `fmod` for floats; `x rem 0 = 0`, `MIN rem -1 = 0`.
        Rem = "rem" Number,
        /// Bitwise and.
        And = "and" Bits,
        /// Bitwise or.
        Or = "or" Bits,
        /// Bitwise exclusive or.
        Xor = "xor" Bits,
        /// Shift left; 0 for a count, taken as unsigned, of the width or more.
        Shl = "shl" Int,
        /// Shift right, arithmetic if signed; for a count, taken as unsigned, of the width or more, 0 or the
        /// sign in every bit.
        Shr = "shr" Int,
        /// The smaller; NaN if either is; −0 < +0 (IEEE 754-2019 `minimum`).
        Min = "min" Number,
        /// The greater; NaN if either is; −0 < +0 (IEEE 754-2019 `maximum`).
        Max = "max" Number,
        /// `a` to the power `b`, C `pow`.
        Pow = "pow" Float,
        /// Angle of the point (b, a), C `atan2`.
        Atan2 = "atan2" Float,
        /// √(a² + b²) without overflow, C `hypot`.
        Hypot = "hypot" Float,
        /// Magnitude of `a`, sign of `b`.
        CopySign = "copysign" Float,
        /// Next representable value after `a` towards `b`, C `nextafter`; for `f16`, the next `f16`.
        NextAfter = "nextafter" Float,
    }
}

impl BinaryOp {
    /// `a op b == b op a` for all values (which NaN results is not looked at).
    pub const fn is_commutative(self) -> bool {
        use BinaryOp::*;
        matches!(self, Add | Mul | And | Or | Xor | Min | Max | Hypot)
    }

    /// `(a op b) op c == a op (b op c)`; for floating-point `Add` and `Mul` up to rounding, which a parallel
    /// reduction is allowed to change.
    pub const fn is_associative(self) -> bool {
        use BinaryOp::*;
        matches!(self, Add | Mul | And | Or | Xor | Min | Max)
    }
}

/// Comparisons of two scalars of one type; the result is `bool`. Any comparison with NaN is false, except
/// `Ne`, which is true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum CmpOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl CmpOp {
    /// Every comparison.
    pub const ALL: [CmpOp; 6] = [CmpOp::Eq, CmpOp::Ne, CmpOp::Lt, CmpOp::Le, CmpOp::Gt, CmpOp::Ge];

    /// The name in IR text.
    pub const fn name(self) -> &'static str {
        match self {
            CmpOp::Eq => "eq",
            CmpOp::Ne => "ne",
            CmpOp::Lt => "lt",
            CmpOp::Le => "le",
            CmpOp::Gt => "gt",
            CmpOp::Ge => "ge",
        }
    }

    /// The comparison of that name.
    pub fn from_name(name: &str) -> Option<CmpOp> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }
}
