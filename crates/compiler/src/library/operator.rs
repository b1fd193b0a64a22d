//! `operator`: the operators as functions.

use super::args::{Call, Outcome};
use crate::arith;
use crate::ast::{BinOp, CompareOp, UnaryOp};

const BINARY: &[(&str, BinOp)] = &[
    ("add", BinOp::Add),
    ("sub", BinOp::Sub),
    ("mul", BinOp::Mult),
    ("truediv", BinOp::Div),
    ("floordiv", BinOp::FloorDiv),
    ("mod", BinOp::Mod),
    ("pow", BinOp::Pow),
    ("lshift", BinOp::LShift),
    ("rshift", BinOp::RShift),
    ("and_", BinOp::BitAnd),
    ("or_", BinOp::BitOr),
    ("xor", BinOp::BitXor),
    ("matmul", BinOp::MatMult),
    ("concat", BinOp::Add),
];

const COMPARE: &[(&str, CompareOp)] = &[
    ("eq", CompareOp::Eq),
    ("ne", CompareOp::NotEq),
    ("lt", CompareOp::Lt),
    ("le", CompareOp::LtE),
    ("gt", CompareOp::Gt),
    ("ge", CompareOp::GtE),
    ("is_", CompareOp::Is),
    ("is_not", CompareOp::IsNot),
];

const UNARY: &[(&str, UnaryOp)] = &[
    ("neg", UnaryOp::USub),
    ("pos", UnaryOp::UAdd),
    ("inv", UnaryOp::Invert),
    ("invert", UnaryOp::Invert),
    ("not_", UnaryOp::Not),
];

/// The entry of a table.
pub(crate) fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(n, _)| *n == name).map(|(_, op)| *op)
}

/// What [`call`] knows.
#[cfg(test)]
pub(crate) fn names() -> Vec<&'static str> {
    let compare = COMPARE.iter().filter(|(n, _)| !n.starts_with("is")).map(|(n, _)| *n);
    let binary = BINARY.iter().filter(|(n, _)| *n != "matmul").map(|(n, _)| *n);
    binary.chain(compare).chain(UNARY.iter().map(|(n, _)| *n)).chain(["abs", "truth", "getitem"]).collect()
}

pub(crate) fn call(c: &mut Call<'_>, name: &str) -> Outcome {
    if let Some(op) = find(BINARY, name) {
        let [x, y] = c.exactly()?;
        return arith::binary(c.b, op, x, y);
    }
    if let Some(op) = find(COMPARE, name) {
        let [x, y] = c.exactly()?;
        return arith::compare(c.b, op, x, y);
    }
    if let Some(op) = find(UNARY, name) {
        let [x] = c.exactly()?;
        return arith::unary(c.b, op, x);
    }
    match name {
        "abs" => super::builtins::abs(c),
        "truth" => {
            let [x] = c.exactly()?;
            arith::truth(c.b, x)
        }
        "getitem" => {
            let [x, index] = c.exactly()?;
            arith::subscript(c.b, x, index)
        }
        _ => Err(c.unknown()),
    }
}
