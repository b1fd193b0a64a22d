//! Rules for types.

use crate::types::{Scalar, StructType, Type};

const MAX_SIZE: u64 = 1 << 31;
const MAX_SCALARS: u64 = 1 << 20;
const MAX_ALIGN: u64 = 4096;

/// What a type takes: bytes, alignment, scalars.
#[derive(Clone, Copy)]
struct Extent {
    size: u64,
    align: u64,
    scalars: u64,
}

impl Extent {
    const EMPTY: Extent = Extent { size: 0, align: 1, scalars: 0 };

    fn scalar(size: u64) -> Extent {
        Extent { size, align: size, scalars: 1 }
    }

    fn bounded(self, ty: &Type) -> Result<Extent, String> {
        if self.size > MAX_SIZE || self.scalars > MAX_SCALARS {
            return Err(format!("type {ty} is too large"));
        }
        Ok(self)
    }

    /// The extent with another one placed behind it.
    fn then(self, next: Extent) -> Extent {
        Extent {
            size: self.size.next_multiple_of(next.align).saturating_add(next.size),
            align: self.align.max(next.align),
            scalars: self.scalars.saturating_add(next.scalars),
        }
    }
}

pub(super) fn check(ty: &Type) -> Result<(), String> {
    extent(ty).map(|_| ())
}

/// Can values of the type lie in memory?
pub(super) fn check_storable(ty: &Type) -> Result<(), String> {
    if has_view(ty) { Err(format!("type {ty} cannot lie in memory")) } else { Ok(()) }
}

fn has_view(ty: &Type) -> bool {
    match ty {
        Type::View(_) => true,
        Type::Tuple(items) => items.iter().any(has_view),
        Type::Struct(s) => s.fields.iter().any(|f| has_view(&f.ty)),
        Type::Array(a) => has_view(&a.elem),
        Type::Scalar(_) | Type::Complex(_) | Type::Ptr => false,
    }
}

/// Layout computed with the limits in view, so that no sum overflows.
fn extent(ty: &Type) -> Result<Extent, String> {
    match ty {
        Type::Scalar(s) => Ok(Extent::scalar(s.size())),
        Type::Ptr => Ok(Extent::scalar(8)),
        Type::Complex(s @ (Scalar::F32 | Scalar::F64)) => {
            Ok(Extent { size: 2 * s.size(), align: s.size(), scalars: 2 })
        }
        Type::Complex(s) => Err(format!("complex numbers of {}", s.name())),
        Type::Tuple(items) => {
            let all =
                items.iter().try_fold(Extent::EMPTY, |sum, item| sum.then(extent(item)?).bounded(ty))?;
            Extent { size: all.size.next_multiple_of(all.align), ..all }.bounded(ty)
        }
        Type::Struct(s) => record(ty, s),
        Type::Array(a) => {
            let e = extent(&a.elem)?;
            let (size, scalars) = (e.size.saturating_mul(a.len), e.scalars.max(1).saturating_mul(a.len));
            Extent { size, scalars, ..e }.bounded(ty)
        }
        Type::View(v) => {
            extent(&v.elem)?;
            check_storable(&v.elem)?;
            Extent { size: 0, align: 1, scalars: 1 + 2 * u64::from(v.rank) }.bounded(ty)
        }
    }
}

fn record(ty: &Type, s: &StructType) -> Result<Extent, String> {
    if !s.align.is_power_of_two() || s.align > MAX_ALIGN {
        return Err(format!("alignment {} of {ty}", s.align));
    }
    let mut spans = Vec::new();
    let mut all = Extent { size: s.size, align: s.align, scalars: 0 };
    for field in &s.fields {
        let e = extent(&field.ty)?;
        let end = field.offset.saturating_add(e.size);
        if end > s.size {
            return Err(format!("field {:?} of {ty} lies outside of it", field.name));
        }
        all.scalars = all.scalars.saturating_add(e.scalars);
        if e.size > 0 {
            spans.push((field.offset, end));
        }
    }
    spans.sort_unstable();
    if spans.windows(2).any(|w| w[0].1 > w[1].0) {
        return Err(format!("fields of {ty} overlap"));
    }
    all.bounded(ty)
}
