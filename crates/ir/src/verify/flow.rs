//! Where control goes.

use crate::func::{Block, Stmt};

/// Does the statement always go elsewhere?
pub(super) fn is_jump(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Break | Stmt::Continue | Stmt::Return(_) | Stmt::Fail(_))
}

/// Can control reach the end of the block?
pub(super) fn falls_through(block: &Block) -> bool {
    block.0.iter().all(|stmt| match stmt {
        Stmt::If { then, els, .. } => falls_through(then) || falls_through(els),
        Stmt::Loop(body) => breaks(body),
        stmt => !is_jump(stmt),
    })
}

/// Is there a `break` that leaves the loop whose body this is?
fn breaks(body: &Block) -> bool {
    body.0.iter().any(|stmt| match stmt {
        Stmt::Break => true,
        Stmt::If { then, els, .. } => breaks(then) || breaks(els),
        _ => false,
    })
}
