//! Recognises functions that are one operation.

use freeloom_ir::{BinaryOp, Inst, Stmt, Value};

use super::Compiled;

/// The operation of a function that does nothing but combine its two arguments, in either order, by one
/// commutative and associative operation.
pub fn as_single_op(f: &Compiled) -> Option<BinaryOp> {
    let func = f.module.func(f.entry);
    let [Stmt::Let(result, Inst::Binary(op, a, b)), Stmt::Return(Some(returned))] = &func.body.0[..] else {
        return None;
    };
    let both = (*a, *b) == (Value(0), Value(1)) || (*a, *b) == (Value(1), Value(0));
    let plain = func.params == 2 && result == returned && op.is_commutative() && op.is_associative();
    (both && plain).then_some(*op)
}
