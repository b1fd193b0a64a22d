//! Numbers as IR values of a wanted type; known numbers.

use freeloom_ir::{BinaryOp, Builder, CmpOp, Const, Scalar, Type, Value};

use super::promote::{Num, number, strong_name};
use crate::diagnostic::Refusal;
use crate::function::ConstValue;
use crate::operand::{Operand, Repr, Ty};

/// A number known now.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Known {
    Bool(bool),
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

impl Known {
    /// The number of a constant.
    pub(crate) fn of(c: &ConstValue) -> Option<Known> {
        match c {
            ConstValue::Int(v) => Some(Known::Int(*v)),
            ConstValue::Float(v) => Some(Known::Float(v.get())),
            ConstValue::Complex(re, im) | ConstValue::ComplexScalar(_, re, im) => {
                Some(Known::Complex(re.get(), im.get()))
            }
            ConstValue::Bool(v) => Some(Known::Bool(*v)),
            ConstValue::Scalar(c) if c.ty == Scalar::Bool => Some(Known::Bool(c.bits != 0)),
            ConstValue::Scalar(c) if c.ty.is_int() => Some(Known::Int(c.as_int())),
            ConstValue::Scalar(c) => Some(Known::Float(c.as_float())),
            ConstValue::Tuple(_) | ConstValue::Record(..) | ConstValue::None | ConstValue::Str(_) => None,
        }
    }

    /// Real and imaginary part as doubles.
    pub(crate) fn parts(self) -> (f64, f64) {
        match self {
            Known::Bool(v) => (f64::from(u8::from(v)), 0.0),
            Known::Int(v) => (v as f64, 0.0),
            Known::Float(v) => (v, 0.0),
            Known::Complex(re, im) => (re, im),
        }
    }

    /// An integer or bool as an integer.
    pub(crate) fn int(self) -> Option<i128> {
        match self {
            Known::Bool(v) => Some(i128::from(v)),
            Known::Int(v) => Some(v),
            Known::Float(_) | Known::Complex(..) => None,
        }
    }

    pub(crate) fn is_true(self) -> bool {
        let (re, im) = self.parts();
        re != 0.0 || im != 0.0
    }

    /// The nearest scalar: integers modulo, floats to integers saturating, real part of complex numbers.
    pub(crate) fn to_scalar(self, s: Scalar) -> Const {
        match self.int() {
            _ if s == Scalar::Bool => Const::bool(self.is_true()),
            Some(v) if s.is_int() => Const::int(s, v),
            None if s.is_int() => {
                let (min, max) = int_range(s);
                Const::int(s, (self.parts().0 as i128).clamp(min, max))
            }
            _ => Const::float(s, self.parts().0),
        }
    }

    /// An operand of type `num` that is known.
    pub(crate) fn operand(self, num: Num) -> Operand {
        let (re, im) = self.parts();
        let c = match num {
            Num::WeakInt => ConstValue::Int(self.int().unwrap_or(re as i128)),
            Num::WeakFloat => ConstValue::Float(re.into()),
            Num::WeakComplex => ConstValue::Complex(re.into(), im.into()),
            Num::Real(Scalar::Bool) => ConstValue::Bool(self.is_true()),
            Num::Real(s) => ConstValue::Scalar(self.to_scalar(s)),
            Num::Complex(s) => ConstValue::ComplexScalar(s, re.into(), im.into()),
        };
        Operand { ty: num.ty(), repr: Repr::Const(c) }
    }
}

/// The number an operand is known to be.
pub(crate) fn known(x: &Operand) -> Option<Known> {
    match &x.repr {
        Repr::Const(c) => Known::of(c),
        Repr::Value(_) | Repr::Tuple(_) => None,
    }
}

/// Least and greatest value of an integer type.
pub(crate) fn int_range(s: Scalar) -> (i128, i128) {
    let bits = s.bits();
    if s.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// A known Python `int` must fit the integer type it meets.
pub(crate) fn check_range(x: &Operand, to: Num) -> Result<(), Refusal> {
    match (&x.ty, known(x)) {
        (Ty::WeakInt, Some(Known::Int(v))) => check_int(v, to),
        _ => Ok(()),
    }
}

fn check_int(v: i128, to: Num) -> Result<(), Refusal> {
    let s = to.scalar();
    if !to.is_int() {
        return Ok(());
    }
    let (min, max) = int_range(s);
    if (min..=max).contains(&v) {
        return Ok(());
    }
    let name = strong_name(&Type::Scalar(s));
    let hint = match to {
        Num::WeakInt => "an int that is not known before the run has 64 bits; use a float".to_owned(),
        _ => format!("convert the {name} to a wider type first"),
    };
    Err(Refusal::new(format!("the int {v} is out of bounds for {name}")).hint(hint))
}

/// What a known integer that leaves 128 bits is refused with.
pub(crate) fn beyond_128_bits() -> Refusal {
    Refusal::new("integers beyond 128 bits are not supported").hint("use a float")
}

/// A known number as an operand of type `to` that is known.
pub(crate) fn known_as(x: &Operand, k: Known, to: Num) -> Result<Operand, Refusal> {
    if to != Num::WeakInt {
        check_range(x, to)?;
    }
    Ok(k.operand(to))
}

/// The number as an IR value of type `to`. Complex numbers lose their imaginary part if `to` is real: callers
/// refuse that before.
pub(crate) fn value(b: &mut Builder, x: &Operand, to: Num) -> Result<Value, Refusal> {
    number(x)?;
    check_range(x, to)?;
    if let Some(k) = known(x) {
        return Ok(constant(b, k, to));
    }
    let v = materialise(b, x)?;
    Ok(cast(b, v, to))
}

/// A known number as an IR value.
pub(crate) fn constant(b: &mut Builder, k: Known, to: Num) -> Value {
    let s = to.scalar();
    if !to.is_complex() {
        return b.constant(k.to_scalar(s));
    }
    let (re, im) = k.parts();
    let (re, im) = (b.constant(Const::float(s, re)), b.constant(Const::float(s, im)));
    b.make(Type::Complex(s), vec![re, im])
}

/// An IR number as another type.
pub(crate) fn cast(b: &mut Builder, v: Value, to: Num) -> Value {
    let s = to.scalar();
    match (b.type_of(v).clone(), to.is_complex()) {
        (Type::Complex(from), true) if from == s => v,
        (Type::Complex(_), true) => {
            let (re, im) = (b.extract(v, 0), b.extract(v, 1));
            let (re, im) = (b.cast(re, s), b.cast(im, s));
            b.make(Type::Complex(s), vec![re, im])
        }
        (Type::Complex(_), false) if s == Scalar::Bool => nonzero(b, v),
        (Type::Complex(_), false) => {
            let re = b.extract(v, 0);
            b.cast(re, s)
        }
        (_, true) => {
            let (re, im) = (b.cast(v, s), b.constant(Const::float(s, 0.0)));
            b.make(Type::Complex(s), vec![re, im])
        }
        (_, false) => b.cast(v, s),
    }
}

/// Is an IR number different from zero? NaN is.
pub(crate) fn nonzero(b: &mut Builder, v: Value) -> Value {
    if !matches!(b.type_of(v), Type::Complex(_)) {
        return b.cast(v, Scalar::Bool);
    }
    let (re, im) = (b.extract(v, 0), b.extract(v, 1));
    let (re, im) = (b.cast(re, Scalar::Bool), b.cast(im, Scalar::Bool));
    b.binary(BinaryOp::Or, re, im)
}

/// A scalar constant of the type of `like`.
pub(crate) fn same(b: &mut Builder, like: Value, v: f64) -> Value {
    let s = b.type_of(like).scalar().unwrap_or(Scalar::F64);
    b.constant(Known::Float(v).to_scalar(s))
}

/// `v op c` for a small constant `c`.
pub(crate) fn cmp_with(b: &mut Builder, op: CmpOp, v: Value, c: f64) -> Value {
    let c = same(b, v, c);
    b.cmp(op, v, c)
}

/// The value in the IR, of type `x.ty.storage()`.
///
/// # Errors
/// If it is a known `int` that does not fit.
pub fn materialise(b: &mut Builder, x: &Operand) -> Result<Value, Refusal> {
    match &x.repr {
        Repr::Value(v) => Ok(*v),
        Repr::Const(c) => {
            check_range(x, Num::of(&x.ty).unwrap_or(Num::WeakInt))?;
            const_value(b, Some(c), &x.ty.storage())
        }
        Repr::Tuple(items) => {
            let values = items.iter().map(|item| materialise(b, item)).collect::<Result<_, _>>()?;
            Ok(b.make(x.ty.storage(), values))
        }
    }
}

/// A constant as a value of type `ty`; what is missing is zero.
pub(crate) fn const_value(b: &mut Builder, c: Option<&ConstValue>, ty: &Type) -> Result<Value, Refusal> {
    match ty {
        Type::Scalar(_) | Type::Complex(_) => {
            let num = Num::of(&Ty::Strong(ty.clone())).unwrap_or(Num::WeakInt);
            if let Some(ConstValue::Int(v)) = c {
                check_int(*v, num)?;
            }
            Ok(constant(b, c.and_then(Known::of).unwrap_or(Known::Int(0)), num))
        }
        _ => {
            let items: &[ConstValue] = match c {
                Some(ConstValue::Tuple(items) | ConstValue::Record(_, items)) => items,
                _ => &[],
            };
            let values = (0..ty.component_count())
                .filter_map(|i| Some(const_value(b, items.get(i), &ty.component(i)?.0)))
                .collect::<Result<_, _>>()?;
            Ok(b.make(ty.clone(), values))
        }
    }
}
