//! Choosing between two values of which only one may be computed.
//!
//! Each side is lowered into a block. When both blocks hold only cheap instructions they are run both and a
//! `select` picks one (every instruction is total, so this cannot be observed); otherwise a variable is set
//! in the two branches of an `if`.

use freeloom_ir as ir;
use freeloom_ir::{Inst, UnaryOp};

use crate::arith;
use crate::ast::Span;
use crate::operand::{Operand, Repr, Ty};

use super::{Lowerer, Res};

/// Instructions that may be run in vain.
const MAX_SPECULATED: usize = 16;

/// One of two values: how to compute it, and the value.
pub(super) struct Arm {
    pub(super) block: ir::Block,
    pub(super) value: Operand,
}

impl Arm {
    /// A value that is there already.
    pub(super) fn ready(value: Operand) -> Arm {
        Arm { block: ir::Block::default(), value }
    }
}

impl Lowerer<'_, '_> {
    /// `then` if `cond` else `els`
    pub(super) fn choose(&mut self, cond: &Operand, then: Arm, els: Arm, span: Span) -> Res<Operand> {
        let ty = arith::join(&then.value.ty, &els.value.ty);
        let ty = self.place(span, ty)?;
        let cond = self.materialise(cond, span)?;
        if is_cheap(&then.block) && is_cheap(&els.block) {
            self.splice(then.block);
            self.splice(els.block);
            return self.select(cond, &then.value, &els.value, &ty, span);
        }
        let var = self.b.var("either", ty.storage());
        let then = self.set_in(then, var, &ty, span)?;
        let els = self.set_in(els, var, &ty, span)?;
        self.b.push(ir::Stmt::If { cond, then, els });
        let value = self.b.get(var);
        Ok(self.split(Operand::new(ty, value)))
    }

    fn set_in(&mut self, arm: Arm, var: ir::Var, ty: &Ty, span: Span) -> Res<ir::Block> {
        let (block, ()) = self.in_block(|s| {
            s.splice(arm.block);
            let value = arith::coerce(&mut s.b, &arm.value, ty);
            let value = s.place(span, value)?;
            s.b.set(var, value);
            Ok(())
        })?;
        Ok(block)
    }

    /// Picks one of two computed values; tuples item by item.
    fn select(&mut self, cond: ir::Value, a: &Operand, b: &Operand, ty: &Ty, span: Span) -> Res<Operand> {
        if a == b && &a.ty == ty {
            return Ok(a.clone());
        }
        let (a, b) = (self.split(a.clone()), self.split(b.clone()));
        if let (Ty::Tuple(types), Repr::Tuple(xs), Repr::Tuple(ys)) = (ty, &a.repr, &b.repr) {
            let mut items = Vec::with_capacity(types.len());
            for ((ty, x), y) in types.iter().zip(xs).zip(ys) {
                items.push(self.select(cond, x, y, ty, span)?);
            }
            return Ok(Operand::tuple(items));
        }
        let x = arith::coerce(&mut self.b, &a, ty);
        let x = self.place(span, x)?;
        let y = arith::coerce(&mut self.b, &b, ty);
        let y = self.place(span, y)?;
        Ok(Operand::new(ty.clone(), self.b.select(cond, x, y)))
    }
}

/// May the block be run when its result is not wanted?
pub(super) fn is_cheap(block: &ir::Block) -> bool {
    block.0.len() <= MAX_SPECULATED
        && block.0.iter().all(|stmt| matches!(stmt, ir::Stmt::Let(_, inst) if is_cheap_inst(inst)))
}

fn is_cheap_inst(inst: &Inst) -> bool {
    match inst {
        Inst::Unary(op, _) => matches!(
            op,
            UnaryOp::Neg
                | UnaryOp::Not
                | UnaryOp::Abs
                | UnaryOp::PopCount
                | UnaryOp::LeadingZeros
                | UnaryOp::Sqrt
                | UnaryOp::Floor
                | UnaryOp::Ceil
                | UnaryOp::Trunc
                | UnaryOp::RoundEven
        ),
        Inst::Binary(op, ..) => !matches!(
            op,
            ir::BinaryOp::Pow | ir::BinaryOp::Atan2 | ir::BinaryOp::Hypot | ir::BinaryOp::NextAfter
        ),
        Inst::ViewLoad(..) | Inst::Load(..) | Inst::StackAlloc(_) | Inst::Call(..) | Inst::Index(..) => false,
        _ => true,
    }
}
