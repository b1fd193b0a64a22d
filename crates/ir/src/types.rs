//! Types and their memory layout.
//!
//! Two types are equal when their values mean the same and lie in memory in the same way; the name of a
//! record and nothing else is left out of the comparison.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A machine scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
}

impl Scalar {
    /// Every scalar, in declaration order.
    pub const ALL: [Scalar; 12] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::F16,
        Scalar::F32,
        Scalar::F64,
    ];

    /// Size in bytes, which is also its natural alignment.
    pub const fn size(self) -> u64 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    /// Width in bits; `bool` counts as 8, its size in memory.
    pub const fn bits(self) -> u32 {
        self.size() as u32 * 8
    }

    /// Is it a signed integer?
    pub const fn is_signed(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// Is it an unsigned integer? (`bool` is not an integer.)
    pub const fn is_unsigned(self) -> bool {
        matches!(self, Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64)
    }

    /// Is it an integer, signed or not?
    pub const fn is_int(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }

    /// Is it a floating-point number?
    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64)
    }

    /// The name in IR text: `bool`, `i32`, `u8`, `f64` ….
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::F16 => "f16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }
}

/// The type of a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A machine scalar.
    Scalar(Scalar),
    /// A complex number of two `F32` or two `F64`: real part first. Components 0 and 1.
    Complex(Scalar),
    /// An ordered list of values. In memory it lies like a C struct with natural alignment.
    Tuple(Arc<[Type]>),
    /// A record with an explicit memory layout.
    Struct(Arc<StructType>),
    /// A fixed number of values of one type, one after another.
    Array(Arc<ArrayType>),
    /// A strided n-dimensional array that lives elsewhere: base pointer, shape, strides in bytes.
    View(Arc<ViewType>),
    /// An untyped address. Never visible to Python code.
    Ptr,
}

/// A record type. Fields may lie anywhere (packed, aligned, with gaps) but must not overlap.
#[derive(Clone, Debug)]
pub struct StructType {
    /// Shown to people; not part of the type's identity.
    pub name: String,
    /// Fields in declaration order.
    pub fields: Vec<Field>,
    /// Bytes from one element to the next.
    pub size: u64,
    /// Preferred alignment of the whole, in bytes.
    pub align: u64,
}

/// One field of a [`StructType`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its Python name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its position, in bytes from the start of the record.
    pub offset: u64,
}

impl PartialEq for StructType {
    fn eq(&self, other: &Self) -> bool {
        self.fields == other.fields && self.size == other.size && self.align == other.align
    }
}

impl Eq for StructType {}

impl Hash for StructType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.fields, self.size, self.align).hash(state);
    }
}

/// A fixed-length array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayType {
    /// Type of one element.
    pub elem: Type,
    /// Number of elements.
    pub len: u64,
}

/// A strided view of memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ViewType {
    /// Type of one element.
    pub elem: Type,
    /// Number of dimensions.
    pub rank: u32,
}

impl Type {
    /// `bool`
    pub const BOOL: Type = Type::Scalar(Scalar::Bool);
    /// `i32`
    pub const I32: Type = Type::Scalar(Scalar::I32);
    /// `i64`
    pub const I64: Type = Type::Scalar(Scalar::I64);
    /// `u8`
    pub const U8: Type = Type::Scalar(Scalar::U8);
    /// `u64`
    pub const U64: Type = Type::Scalar(Scalar::U64);
    /// `f32`
    pub const F32: Type = Type::Scalar(Scalar::F32);
    /// `f64`
    pub const F64: Type = Type::Scalar(Scalar::F64);
    /// `complex<f32>`
    pub const C64: Type = Type::Complex(Scalar::F32);
    /// `complex<f64>`
    pub const C128: Type = Type::Complex(Scalar::F64);

    /// A tuple type.
    pub fn tuple(items: impl IntoIterator<Item = Type>) -> Type {
        Type::Tuple(items.into_iter().collect())
    }

    /// An array type.
    pub fn array(elem: Type, len: u64) -> Type {
        Type::Array(Arc::new(ArrayType { elem, len }))
    }

    /// A view type.
    pub fn view(elem: Type, rank: u32) -> Type {
        Type::View(Arc::new(ViewType { elem, rank }))
    }

    /// A record with the natural (C) layout.
    pub fn aligned_struct(name: &str, fields: impl IntoIterator<Item = (String, Type)>) -> Type {
        let (names, types): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
        let (offsets, size, align) = natural_layout(&types);
        let fields = names
            .into_iter()
            .zip(types)
            .zip(offsets)
            .map(|((name, ty), offset)| Field { name, ty, offset })
            .collect();
        Type::Struct(Arc::new(StructType { name: name.to_owned(), fields, size, align }))
    }

    /// The scalar, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) => Some(*s),
            _ => None,
        }
    }

    /// Size in memory, in bytes. Views have none: they are never stored.
    pub fn size(&self) -> u64 {
        match self {
            Type::Scalar(s) => s.size(),
            Type::Complex(s) => 2 * s.size(),
            Type::Tuple(_) => self.size_align().0,
            Type::Struct(s) => s.size,
            Type::Array(a) => a.elem.size() * a.len,
            Type::View(_) => 0,
            Type::Ptr => 8,
        }
    }

    /// Natural alignment, in bytes. Loads and stores assume none; layouts of new records use it.
    pub fn align(&self) -> u64 {
        match self {
            Type::Scalar(s) => s.size(),
            Type::Complex(s) => s.size(),
            Type::Tuple(_) => self.size_align().1,
            Type::Struct(s) => s.align,
            Type::Array(a) => a.elem.align(),
            Type::View(_) => 1,
            Type::Ptr => 8,
        }
    }

    /// Both at once: asking for them one by one would take time exponential in the nesting of tuples.
    fn size_align(&self) -> (u64, u64) {
        match self {
            Type::Tuple(items) => {
                let (_, size, align) = natural_layout(items);
                (size, align)
            }
            Type::Array(a) => {
                let (size, align) = a.elem.size_align();
                (size * a.len, align)
            }
            _ => (self.size(), self.align()),
        }
    }

    /// Number of components that [`Inst::Extract`](crate::Inst::Extract) can take; 0 for scalars and views.
    pub fn component_count(&self) -> usize {
        match self {
            Type::Complex(_) => 2,
            Type::Tuple(items) => items.len(),
            Type::Struct(s) => s.fields.len(),
            Type::Array(a) => a.len as usize,
            Type::Scalar(_) | Type::View(_) | Type::Ptr => 0,
        }
    }

    /// Type and byte offset of component `index` of an aggregate.
    pub fn component(&self, index: usize) -> Option<(Type, u64)> {
        match self {
            Type::Complex(s) if index < 2 => Some((Type::Scalar(*s), s.size() * index as u64)),
            Type::Tuple(items) => {
                Some((items.get(index)?.clone(), natural_layout(items).0.get(index).copied()?))
            }
            Type::Struct(s) => s.fields.get(index).map(|f| (f.ty.clone(), f.offset)),
            Type::Array(a) if (index as u64) < a.len => Some((a.elem.clone(), a.elem.size() * index as u64)),
            _ => None,
        }
    }

    /// The scalars (and addresses) a value is made of, in component order, with their byte offsets.
    ///
    /// A view counts as its leaves base address, `rank` lengths, `rank` strides, without offsets (all 0).
    pub fn leaves(&self) -> Vec<(Leaf, u64)> {
        let mut out = Vec::new();
        self.push_leaves(0, &mut out);
        out
    }

    fn push_leaves(&self, base: u64, out: &mut Vec<(Leaf, u64)>) {
        match self {
            Type::Scalar(s) => out.push((Leaf::Scalar(*s), base)),
            Type::Ptr => out.push((Leaf::Ptr, base)),
            Type::View(v) => {
                out.push((Leaf::Ptr, 0));
                out.extend((0..2 * v.rank).map(|_| (Leaf::Scalar(Scalar::I64), 0)));
            }
            _ => {
                for i in 0..self.component_count() {
                    if let Some((ty, offset)) = self.component(i) {
                        ty.push_leaves(base + offset, out);
                    }
                }
            }
        }
    }
}

impl From<Scalar> for Type {
    fn from(s: Scalar) -> Type {
        Type::Scalar(s)
    }
}

/// What an aggregate is made of at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// A machine scalar.
    Scalar(Scalar),
    /// An address.
    Ptr,
}

/// C layout of fields placed one after another: offsets, size, alignment.
pub fn natural_layout(types: &[Type]) -> (Vec<u64>, u64, u64) {
    let (mut at, mut align) = (0u64, 1u64);
    let offsets = types
        .iter()
        .map(|ty| {
            let (size, own) = ty.size_align();
            let own = own.max(1);
            align = align.max(own);
            let offset = at.next_multiple_of(own);
            at = offset + size;
            offset
        })
        .collect();
    (offsets, at.next_multiple_of(align), align)
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(s) => f.write_str(s.name()),
            Type::Complex(s) => write!(f, "complex<{}>", s.name()),
            Type::Tuple(items) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            Type::Struct(s) => {
                write!(f, "struct {}[{}, {}]{{", quote(&s.name), s.size, s.align)?;
                for (i, field) in s.fields.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{}@{}: {}", quote(&field.name), field.offset, field.ty)?;
                }
                f.write_str("}")
            }
            Type::Array(a) => write!(f, "[{} x {}]", a.len, a.elem),
            Type::View(v) => write!(f, "view<{}, {}>", v.elem, v.rank),
            Type::Ptr => f.write_str("ptr"),
        }
    }
}

/// A name in IR text: quoted, so that any Python identifier can be carried.
pub(crate) fn quote(name: &str) -> String {
    format!("{name:?}")
}
