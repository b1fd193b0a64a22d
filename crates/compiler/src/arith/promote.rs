//! Which type numbers have in common: NumPy's promotion (NEP 50), and the names of types in messages.

use freeloom_ir::{Scalar, Type};

use crate::ast::BinOp;
use crate::diagnostic::Refusal;
use crate::operand::{Operand, Ty};

/// The type of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Num {
    /// A Python `int`.
    WeakInt,
    /// A Python `float`.
    WeakFloat,
    /// A Python `complex`.
    WeakComplex,
    /// A NumPy bool, integer or float.
    Real(Scalar),
    /// A NumPy complex number, by the type of its parts.
    Complex(Scalar),
}

impl Num {
    pub(crate) const BOOL: Num = Num::Real(Scalar::Bool);
    pub(crate) const F64: Num = Num::Real(Scalar::F64);

    /// The number type of a Python type.
    pub(crate) fn of(ty: &Ty) -> Option<Num> {
        match ty {
            Ty::WeakInt => Some(Num::WeakInt),
            Ty::WeakFloat => Some(Num::WeakFloat),
            Ty::WeakComplex => Some(Num::WeakComplex),
            Ty::Strong(Type::Scalar(s)) => Some(Num::Real(*s)),
            Ty::Strong(Type::Complex(s)) => Some(Num::Complex(*s)),
            Ty::Strong(_) | Ty::Tuple(_) => None,
        }
    }

    /// The Python type.
    pub(crate) fn ty(self) -> Ty {
        match self {
            Num::WeakInt => Ty::WeakInt,
            Num::WeakFloat => Ty::WeakFloat,
            Num::WeakComplex => Ty::WeakComplex,
            Num::Real(s) => Ty::Strong(Type::Scalar(s)),
            Num::Complex(s) => Ty::Strong(Type::Complex(s)),
        }
    }

    /// The scalar it is stored as; of complex numbers, that of each part.
    pub(crate) const fn scalar(self) -> Scalar {
        match self {
            Num::WeakInt => Scalar::I64,
            Num::WeakFloat | Num::WeakComplex => Scalar::F64,
            Num::Real(s) | Num::Complex(s) => s,
        }
    }

    pub(crate) const fn is_weak(self) -> bool {
        matches!(self, Num::WeakInt | Num::WeakFloat | Num::WeakComplex)
    }

    pub(crate) const fn is_complex(self) -> bool {
        matches!(self, Num::WeakComplex | Num::Complex(_))
    }

    pub(crate) const fn is_bool(self) -> bool {
        matches!(self, Num::Real(Scalar::Bool))
    }

    pub(crate) const fn is_int(self) -> bool {
        !self.is_complex() && self.scalar().is_int()
    }

    pub(crate) const fn is_float(self) -> bool {
        !self.is_complex() && self.scalar().is_float()
    }

    /// The NumPy type that a Python number becomes when nothing else decides.
    pub(crate) const fn strong(self) -> Num {
        match self {
            Num::WeakInt => Num::Real(Scalar::I64),
            Num::WeakFloat => Num::F64,
            Num::WeakComplex => Num::Complex(Scalar::F64),
            strong => strong,
        }
    }

    /// The type of the real and imaginary parts.
    pub(crate) const fn part(self) -> Num {
        match self {
            Num::WeakComplex => Num::WeakFloat,
            Num::Complex(s) => Num::Real(s),
            real => real,
        }
    }

    /// The complex type with such parts.
    pub(crate) const fn complex(self) -> Num {
        match self {
            Num::WeakInt | Num::WeakFloat | Num::WeakComplex => Num::WeakComplex,
            Num::Complex(s) => Num::Complex(s),
            Num::Real(s) => Num::Complex(if float_of(s).size() <= 4 { Scalar::F32 } else { Scalar::F64 }),
        }
    }

    /// The type in which `sqrt` and its like compute.
    pub(crate) const fn float(self) -> Num {
        match self {
            Num::WeakInt => Num::WeakFloat,
            Num::Real(s) => Num::Real(float_of(s)),
            float => float,
        }
    }
}

/// The smallest float that holds every value of `s` (as NumPy counts: 64-bit integers fit `float64`).
const fn float_of(s: Scalar) -> Scalar {
    match s {
        Scalar::Bool | Scalar::I8 | Scalar::U8 | Scalar::F16 => Scalar::F16,
        Scalar::I16 | Scalar::U16 | Scalar::F32 => Scalar::F32,
        _ => Scalar::F64,
    }
}

/// The type two numbers are brought to: `np.result_type` with weak Python numbers.
pub(crate) fn promote(a: Num, b: Num) -> Num {
    match (a.is_weak(), b.is_weak()) {
        (false, false) => promote_strong(a, b),
        (true, false) => promote_weak(a, b),
        (false, true) => promote_weak(b, a),
        (true, true) if a.is_complex() || b.is_complex() => Num::WeakComplex,
        (true, true) if a == b => a,
        (true, true) => Num::WeakFloat,
    }
}

fn promote_weak(weak: Num, strong: Num) -> Num {
    match weak {
        Num::WeakInt if strong.is_bool() => Num::Real(Scalar::I64),
        Num::WeakInt => strong,
        Num::WeakFloat if strong.is_int() || strong.is_bool() => Num::F64,
        Num::WeakFloat => strong,
        _ if strong.is_int() || strong.is_bool() => Num::Complex(Scalar::F64),
        _ => strong.complex(),
    }
}

fn promote_strong(a: Num, b: Num) -> Num {
    let s = promote_scalars(a.scalar(), b.scalar());
    if a.is_complex() || b.is_complex() { Num::Real(s).complex() } else { Num::Real(s) }
}

fn promote_scalars(a: Scalar, b: Scalar) -> Scalar {
    if a == b || b == Scalar::Bool {
        return a;
    }
    if a == Scalar::Bool {
        return b;
    }
    if a.is_float() || b.is_float() {
        return wider(float_of(a), float_of(b));
    }
    if a.is_signed() == b.is_signed() {
        return wider(a, b);
    }
    let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
    match unsigned.size().max(signed.size() / 2) {
        1 => Scalar::I16,
        2 => Scalar::I32,
        4 => Scalar::I64,
        _ => Scalar::F64,
    }
}

fn wider(a: Scalar, b: Scalar) -> Scalar {
    if a.size() >= b.size() { a } else { b }
}

/// The type in which a ufunc of two floats (`arctan2`) computes.
pub(crate) fn promote_float(a: Num, b: Num) -> Num {
    if a.is_weak() || b.is_weak() { promote(a, b).float() } else { promote_strong(a.float(), b.float()) }
}

/// The result type of an operator; `None` where NumPy has none.
pub(crate) fn result_type(op: BinOp, a: Num, b: Num) -> Option<Num> {
    use BinOp::*;
    let p = promote(a, b);
    let at_least_int8 = if p.is_bool() { Num::Real(Scalar::I8) } else { p };
    match op {
        Add | Mult => Some(p),
        Sub => (!p.is_bool()).then_some(p),
        Div if p.is_weak() => Some(p.float()),
        Div if p.is_int() || p.is_bool() => Some(Num::F64),
        Div => Some(p),
        FloorDiv | Mod => (!p.is_complex()).then_some(at_least_int8),
        Pow => Some(at_least_int8),
        LShift | RShift => at_least_int8.is_int().then_some(at_least_int8),
        BitAnd | BitOr | BitXor => (p.is_int() || p.is_bool()).then_some(p),
        MatMult => None,
    }
}

/// The type of a variable that is assigned both.
///
/// # Errors
/// If no type holds both: a record or tuple and something else.
pub fn join(a: &Ty, b: &Ty) -> Result<Ty, Refusal> {
    if a == b {
        return Ok(a.clone());
    }
    if let (Some(x), Some(y)) = (Num::of(a), Num::of(b)) {
        return Ok(promote(x, y).ty());
    }
    match (a, b) {
        (Ty::Tuple(x), Ty::Tuple(y)) if x.len() == y.len() => {
            x.iter().zip(y).map(|(x, y)| join(x, y)).collect::<Result<_, _>>().map(Ty::Tuple)
        }
        _ => Err(Refusal::new(format!("one value cannot be both {} and {}", type_name(a), type_name(b)))
            .hint("use a second variable, or make both the same type")),
    }
}

/// The number type of an operand.
pub(crate) fn number(x: &Operand) -> Result<Num, Refusal> {
    Num::of(&x.ty).ok_or_else(|| Refusal::new(format!("{} is not a number", type_name(&x.ty))))
}

/// The number type of an operand that must not be complex.
pub(crate) fn real_number(x: &Operand) -> Result<Num, Refusal> {
    let num = number(x)?;
    if num.is_complex() {
        let message = format!("{} cannot stand for a real number", type_name(&x.ty));
        return Err(Refusal::new(message).hint("take `.real`, `.imag` or `abs()` of it"));
    }
    Ok(num)
}

/// A type in NumPy's words, for messages: `int32`, `record Point`; `int` is Python's.
pub fn type_name(ty: &Ty) -> String {
    match ty {
        Ty::WeakInt => "int".to_owned(),
        Ty::WeakFloat => "float".to_owned(),
        Ty::WeakComplex => "complex".to_owned(),
        Ty::Strong(ty) => strong_name(ty),
        Ty::Tuple(items) => tuple_name(items.iter().map(type_name)),
    }
}

/// An IR type in NumPy's words.
pub(crate) fn strong_name(ty: &Type) -> String {
    match ty {
        Type::Scalar(Scalar::Bool) => "bool".to_owned(),
        Type::Scalar(s) => {
            let kind = if s.is_float() { "float" } else { ["uint", "int"][usize::from(s.is_signed())] };
            format!("{kind}{}", s.bits())
        }
        Type::Complex(s) => format!("complex{}", 2 * s.bits()),
        Type::Tuple(items) => tuple_name(items.iter().map(strong_name)),
        // A structured dtype has no name.
        Type::Struct(s) if s.name == "record" => "record".to_owned(),
        Type::Struct(s) => format!("record {}", s.name),
        Type::Array(a) => format!("array of {} {}", a.len, strong_name(&a.elem)),
        Type::View(v) => format!("array of {}", strong_name(&v.elem)),
        Type::Ptr => "address".to_owned(),
    }
}

fn tuple_name(items: impl Iterator<Item = String>) -> String {
    format!("tuple ({})", items.collect::<Vec<_>>().join(", "))
}
