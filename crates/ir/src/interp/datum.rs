//! Values of the interpreter.

use std::fmt;

use crate::op::Const;
use crate::types::{Scalar, Type};

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Datum {
    /// A scalar with its type.
    Scalar(Const),
    /// An address.
    Ptr(u64),
    /// The components of a complex number, tuple, struct or array.
    Aggregate(Vec<Datum>),
    /// A view.
    View(ViewDatum),
}

/// The parts of a view.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ViewDatum {
    /// Address of the element at index 0 of every axis.
    pub base: u64,
    /// Number of elements along each axis.
    pub lens: Vec<i64>,
    /// Bytes from one element to the next along each axis.
    pub strides: Vec<i64>,
}

impl Datum {
    /// The zero of a type.
    pub fn zero(ty: &Type) -> Datum {
        match ty {
            Type::Scalar(s) => Datum::Scalar(Const { ty: *s, bits: 0 }),
            Type::Ptr => Datum::Ptr(0),
            Type::View(v) => {
                let zeros = vec![0; v.rank as usize];
                Datum::View(ViewDatum { base: 0, lens: zeros.clone(), strides: zeros })
            }
            Type::Complex(s) => Datum::Aggregate(vec![Datum::zero(&Type::Scalar(*s)); 2]),
            Type::Tuple(items) => Datum::Aggregate(items.iter().map(Datum::zero).collect()),
            Type::Struct(s) => Datum::Aggregate(s.fields.iter().map(|f| Datum::zero(&f.ty)).collect()),
            Type::Array(a) => Datum::Aggregate(vec![Datum::zero(&a.elem); a.len as usize]),
        }
    }

    /// An `i64`.
    pub fn i64(v: i64) -> Datum {
        Datum::Scalar(Const::i64(v))
    }

    /// An `f64`.
    pub fn f64(v: f64) -> Datum {
        Datum::Scalar(Const::float(Scalar::F64, v))
    }

    /// The scalar, if it is one.
    pub fn scalar(&self) -> Option<Const> {
        match self {
            Datum::Scalar(c) => Some(*c),
            _ => None,
        }
    }

    /// Is it a value of that type?
    pub fn has_type(&self, ty: &Type) -> bool {
        let all = |items: &[Datum], types: &mut dyn Iterator<Item = &Type>| {
            items.iter().all(|d| types.next().is_some_and(|ty| d.has_type(ty))) && types.next().is_none()
        };
        match (self, ty) {
            (Datum::Scalar(c), Type::Scalar(s)) => c.ty == *s,
            (Datum::Ptr(_), Type::Ptr) => true,
            (Datum::View(d), Type::View(v)) => {
                let rank = v.rank as usize;
                d.lens.len() == rank && d.strides.len() == rank
            }
            (Datum::Aggregate(d), Type::Complex(s)) => {
                all(d, &mut [Type::Scalar(*s), Type::Scalar(*s)].iter())
            }
            (Datum::Aggregate(d), Type::Tuple(items)) => all(d, &mut items.iter()),
            (Datum::Aggregate(d), Type::Struct(s)) => all(d, &mut s.fields.iter().map(|f| &f.ty)),
            (Datum::Aggregate(d), Type::Array(a)) => {
                d.len() as u64 == a.len && d.iter().all(|d| d.has_type(&a.elem))
            }
            _ => false,
        }
    }

    /// Equal bits, or NaN in both: which NaN an operation gives is not defined.
    pub fn same(&self, other: &Datum) -> bool {
        match (self, other) {
            (Datum::Scalar(a), Datum::Scalar(b)) => a == b || a.ty == b.ty && a.is_nan() && b.is_nan(),
            (Datum::Aggregate(a), Datum::Aggregate(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            _ => self == other,
        }
    }
}

impl From<Const> for Datum {
    fn from(c: Const) -> Datum {
        Datum::Scalar(c)
    }
}

/// `1.5`, `(1, true)`, `0x10000000000`. Every NaN is `nan`.
impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Scalar(c) if c.is_nan() => f.write_str("nan"),
            Datum::Scalar(c) => c.fmt(f),
            Datum::Ptr(p) => write!(f, "{p:#x}"),
            Datum::View(v) => write!(f, "view({:#x}, {:?}, {:?})", v.base, v.lens, v.strides),
            Datum::Aggregate(items) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
        }
    }
}
