//! Floating-point operations: one line each, the same for `f32` and `f64`.

use crate::op::{BinaryOp, UnaryOp};

/// What the standard library does not have, or does not take from the C library.
pub(super) trait Float: Sized {
    fn asinh_c(self) -> Self;
    fn acosh_c(self) -> Self;
    fn atanh_c(self) -> Self;
    fn erf(self) -> Self;
    fn erfc(self) -> Self;
    fn tgamma(self) -> Self;
    fn lgamma(self) -> Self;
    fn next_after(self, towards: Self) -> Self;
    fn least(self, other: Self) -> Self;
    fn greatest(self, other: Self) -> Self;
}

macro_rules! impl_float {
    ($ty:ty, $($method:ident = $function:ident),*; $nextafter:ident) => {
        impl Float for $ty {
            $(fn $method(self) -> Self { libm::$function(self) })*

            fn next_after(self, towards: Self) -> Self {
                libm::$nextafter(self, towards)
            }

            fn least(self, other: Self) -> Self {
                match self.partial_cmp(&other) {
                    None => <$ty>::NAN,
                    Some(std::cmp::Ordering::Equal) => if self.is_sign_negative() { self } else { other },
                    Some(order) => if order.is_lt() { self } else { other },
                }
            }

            fn greatest(self, other: Self) -> Self {
                -(-self).least(-other)
            }
        }
    };
}

impl_float!(f32, asinh_c = asinhf, acosh_c = acoshf, atanh_c = atanhf, erf = erff, erfc = erfcf,
    tgamma = tgammaf, lgamma = lgammaf; nextafterf);
impl_float!(f64, asinh_c = asinh, acosh_c = acosh, atanh_c = atanh, erf = erf, erfc = erfc,
    tgamma = tgamma, lgamma = lgamma; nextafter);

macro_rules! float_table {
    ($name:ident($op:ty, $($arg:ident),+) $($variant:ident => $body:expr),* $(,)?) => {
        pub(super) mod $name {
            use super::*;

            float_table!(@fn f32, $op, ($($arg),+), ($($variant => $body),*));
            float_table!(@fn f64, $op, ($($arg),+), ($($variant => $body),*));
        }
    };
    (@fn $ty:ident, $op:ty, $args:tt, ($($variant:ident => $body:expr),*)) => {
        float_table!(@sig $ty, $op, $args, {$($variant => $body),*});
    };
    (@sig $ty:ident, $op:ty, ($($arg:ident),+), {$($variant:ident => $body:expr),*}) => {
        /// `None` if floats are not in the operation's domain.
        pub(in crate::interp) fn $ty(op: $op, $($arg: $ty),+) -> Option<$ty> {
            match op {
                $(<$op>::$variant => Some($body),)*
                _ => None,
            }
        }
    };
}

float_table! {
    unary(UnaryOp, x)
    Neg => -x,
    Abs => x.abs(),
    Sqrt => x.sqrt(),
    Floor => x.floor(),
    Ceil => x.ceil(),
    Trunc => x.trunc(),
    RoundEven => x.round_ties_even(),
    Exp => x.exp(),
    Exp2 => x.exp2(),
    Expm1 => x.exp_m1(),
    Log => x.ln(),
    Log2 => x.log2(),
    Log10 => x.log10(),
    Log1p => x.ln_1p(),
    Sin => x.sin(),
    Cos => x.cos(),
    Tan => x.tan(),
    Asin => x.asin(),
    Acos => x.acos(),
    Atan => x.atan(),
    Sinh => x.sinh(),
    Cosh => x.cosh(),
    Tanh => x.tanh(),
    Asinh => x.asinh_c(),
    // `acoshf` of the libm crate does not answer NaN everywhere below 1, as C does.
    Acosh => if x < 1.0 { (x - 2.0).sqrt() } else { x.acosh_c() },
    Atanh => x.atanh_c(),
    Cbrt => x.cbrt(),
    Erf => Float::erf(x),
    Erfc => Float::erfc(x),
    Tgamma => x.tgamma(),
    Lgamma => x.lgamma(),
}

float_table! {
    binary(BinaryOp, a, b)
    Add => a + b,
    Sub => a - b,
    Mul => a * b,
    Div => a / b,
    Rem => a % b,
    Min => a.least(b),
    Max => a.greatest(b),
    Pow => a.powf(b),
    Atan2 => a.atan2(b),
    Hypot => a.hypot(b),
    CopySign => a.copysign(b),
    NextAfter => a.next_after(b),
}

/// `nextafter` among the `f16`, by their bits.
pub(super) fn next_after_f16(a: half::f16, b: half::f16) -> half::f16 {
    let up = match a.partial_cmp(&b) {
        None => return half::f16::NAN,
        Some(std::cmp::Ordering::Equal) => return b,
        Some(order) => order.is_lt(),
    };
    let bits = match a.to_bits() {
        0 | 0x8000 => u16::from(!up) << 15 | 1,
        bits if up == a.is_sign_positive() => bits + 1,
        bits => bits - 1,
    };
    half::f16::from_bits(bits)
}
