//! Random types, constants and names.

use std::sync::Arc;

use super::Rng;
use crate::op::Const;
use crate::types::{Field, Scalar, StructType, Type};

pub(super) fn any_scalar(rng: &mut Rng, half: bool) -> Scalar {
    match Scalar::ALL[rng.below(Scalar::ALL.len())] {
        Scalar::F16 if !half => Scalar::F64,
        s => s,
    }
}

/// A constant, often one where something special happens.
pub(super) fn interesting(rng: &mut Rng, ty: Scalar) -> Const {
    if ty == Scalar::Bool {
        return Const::bool(rng.one_in(2));
    }
    let special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, 1e10, -3e-5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    match (rng.below(4), ty.is_float()) {
        (0, true) => Const::float(ty, special[rng.below(special.len())]),
        (0, false) => {
            let edges = [0, 1, -1, i128::from(ty.bits()), 1 << (ty.bits() - 1), (1 << (ty.bits() - 1)) - 1];
            Const::int(ty, edges[rng.below(edges.len())])
        }
        (1, true) => Const::float(ty, rng.below(2000) as f64 / 16.0 - 60.0),
        (1, false) => Const::int(ty, rng.below(40) as i128 - 20),
        _ => random_bits(rng, ty),
    }
}

/// Any bits, but the NaN of a float is the usual one.
fn random_bits(rng: &mut Rng, ty: Scalar) -> Const {
    let c = Const::int(ty, i128::from(rng.next_u64()));
    if ty.is_float() && c.as_float().is_nan() { Const::float(ty, f64::NAN) } else { c }
}

/// A type without views or addresses.
pub(super) fn any_type(rng: &mut Rng, depth: u32, half: bool) -> Type {
    if depth == 0 || rng.one_in(3) {
        return Type::Scalar(any_scalar(rng, half));
    }
    match rng.below(4) {
        0 => Type::Complex(if rng.one_in(2) { Scalar::F32 } else { Scalar::F64 }),
        1 => Type::tuple((0..rng.below(4)).map(|_| any_type(rng, depth - 1, half)).collect::<Vec<_>>()),
        2 => Type::array(any_type(rng, depth - 1, half), 1 + rng.below(4) as u64),
        _ => any_struct(rng, depth, half),
    }
}

/// A record whose fields lie in any order, with gaps, aligned or not.
fn any_struct(rng: &mut Rng, depth: u32, half: bool) -> Type {
    let mut at = 0;
    let mut fields: Vec<Field> = (0..1 + rng.below(3))
        .map(|i| {
            let ty = any_type(rng, depth - 1, half);
            let offset = at + rng.below(4) as u64;
            at = offset + ty.size();
            Field { name: format!("{}{i}", any_name(rng)), ty, offset }
        })
        .collect();
    let front = rng.below(fields.len());
    fields.rotate_left(front);
    let size = at + rng.below(4) as u64;
    Type::Struct(Arc::new(StructType { name: any_name(rng), fields, size, align: 1 << rng.below(5) }))
}

/// A name, often one that needs escapes.
pub(super) fn any_name(rng: &mut Rng) -> String {
    const NAMES: [&str; 8] =
        ["x", "", "größe", "a b", "\"q\\\"", "line\nbreak\0", "; %0 = @1", "π\u{200b}\u{1f600}'"];
    NAMES[rng.below(NAMES.len())].to_owned()
}
