//! How large the types of an operator may be.

use freeloom_ir::Type;

use crate::arith::promote::strong_name;
use crate::diagnostic::Refusal;

/// Numbers in one value. Every value is held number by number, so that the time of a build grows with them.
const MAX_SCALARS: u64 = 64;

/// Why a type is refused, if it is.
pub(super) fn refuse(ty: &Type) -> Option<Refusal> {
    let count = scalars(ty);
    let message = || {
        let name = strong_name(ty);
        format!("a {name} of {count} numbers is too large for an operator, which takes {MAX_SCALARS} at most")
    };
    (count > MAX_SCALARS)
        .then(|| Refusal::new(message()).hint("use an index into an array that the operator captures"))
}

fn scalars(ty: &Type) -> u64 {
    match ty {
        Type::Scalar(_) | Type::Ptr | Type::View(_) => 1,
        Type::Complex(_) => 2,
        Type::Array(a) => a.len.saturating_mul(scalars(&a.elem)),
        Type::Tuple(items) => items.iter().map(scalars).fold(0, u64::saturating_add),
        Type::Struct(s) => s.fields.iter().map(|f| scalars(&f.ty)).fold(0, u64::saturating_add),
    }
}
