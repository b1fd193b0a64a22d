//! Values during compilation.
//!
//! A Python literal has no width of its own: like NumPy (NEP 50), the compiler lets it take that of the
//! operand it meets. Such types are called *weak*.

use freeloom_ir as ir;

use crate::function::ConstValue;

/// The Python type of a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// A Python `int` (literals, `range`, `len`, `int()`): stored as `i64`.
    WeakInt,
    /// A Python `float` (literals, `float()`, `math.*`): stored as `f64`.
    WeakFloat,
    /// A Python `complex`: stored as `complex<f64>`.
    WeakComplex,
    /// A NumPy scalar, a record, a sub-array, a captured array.
    Strong(ir::Type),
    /// A tuple.
    Tuple(Vec<Ty>),
}

impl Ty {
    /// The IR type that holds such a value.
    pub fn storage(&self) -> ir::Type {
        match self {
            Ty::WeakInt => ir::Type::I64,
            Ty::WeakFloat => ir::Type::F64,
            Ty::WeakComplex => ir::Type::C128,
            Ty::Strong(ty) => ty.clone(),
            Ty::Tuple(items) => ir::Type::tuple(items.iter().map(Ty::storage)),
        }
    }
}

/// A value: its type and how it is held.
#[derive(Clone, PartialEq, Debug)]
pub struct Operand {
    /// The Python type.
    pub ty: Ty,
    /// How it is held.
    pub repr: Repr,
}

/// How a value is held. Constants and tuples stay apart until something needs them whole.
#[derive(Clone, PartialEq, Debug)]
pub enum Repr {
    /// Known now; not in the IR yet. Never a tuple.
    Const(ConstValue),
    /// An IR value of type `ty.storage()`.
    Value(ir::Value),
    /// A tuple, item by item.
    Tuple(Vec<Operand>),
}

impl Operand {
    /// A value of a NumPy or record type.
    pub fn strong(ty: ir::Type, value: ir::Value) -> Operand {
        Operand { ty: Ty::Strong(ty), repr: Repr::Value(value) }
    }

    /// A value of a type.
    pub fn new(ty: Ty, value: ir::Value) -> Operand {
        Operand { ty, repr: Repr::Value(value) }
    }

    /// A tuple.
    pub fn tuple(items: Vec<Operand>) -> Operand {
        let ty = Ty::Tuple(items.iter().map(|i| i.ty.clone()).collect());
        Operand { ty, repr: Repr::Tuple(items) }
    }

    /// A known value. `None` and strings are not values of the language: `Err` hands them back.
    pub fn constant(c: ConstValue) -> Result<Operand, ConstValue> {
        let ty = match &c {
            ConstValue::Int(_) => Ty::WeakInt,
            ConstValue::Float(_) => Ty::WeakFloat,
            ConstValue::Complex(..) => Ty::WeakComplex,
            ConstValue::Bool(_) => Ty::Strong(ir::Type::BOOL),
            ConstValue::Scalar(k) => Ty::Strong(k.type_of()),
            ConstValue::ComplexScalar(s, ..) => Ty::Strong(ir::Type::Complex(*s)),
            ConstValue::Record(ty, _) => Ty::Strong(ty.clone()),
            ConstValue::Tuple(items) => {
                let items: Result<Vec<_>, _> = items.iter().cloned().map(Operand::constant).collect();
                return items.map(Operand::tuple);
            }
            ConstValue::None | ConstValue::Str(_) => return Err(c),
        };
        Ok(Operand { ty, repr: Repr::Const(c) })
    }

    /// The known integer, if it is one (weak or NumPy, not `bool`).
    pub fn known_int(&self) -> Option<i128> {
        match &self.repr {
            Repr::Const(ConstValue::Int(v)) => Some(*v),
            Repr::Const(ConstValue::Scalar(c)) if c.ty.is_int() => Some(c.as_int()),
            _ => None,
        }
    }

    /// The known truth value, if it is a known `bool`.
    pub fn known_bool(&self) -> Option<bool> {
        match &self.repr {
            Repr::Const(ConstValue::Bool(v)) => Some(*v),
            Repr::Const(ConstValue::Scalar(c)) if c.ty == ir::Scalar::Bool => Some(c.bits != 0),
            _ => None,
        }
    }
}
