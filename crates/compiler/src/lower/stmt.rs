//! Statements.

use freeloom_ir as ir;

use crate::arith;
use crate::ast::{Expr, ExprKind, Span, Stmt, StmtKind};
use crate::diagnostic::{CompileError, Refusal};
use crate::operand::{Operand, Ty};

use super::frame::{Callee, Closure, Item, Leave, ResultMode, Slot};
use super::{Lowerer, Res, session, unsupported};

impl<'f> Lowerer<'_, 'f> {
    /// Statements up to the first that does not come to its end: what follows it never runs.
    pub(super) fn body(&mut self, list: &'f [Stmt]) -> Res<()> {
        for stmt in list {
            if !self.frame().flow.is_reachable() {
                break;
            }
            self.nested(stmt.span, |s| s.stmt(stmt))?;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'f Stmt) -> Res<()> {
        match &stmt.kind {
            StmtKind::Assign(targets, value) => {
                let item = self.item(value)?;
                targets.iter().try_for_each(|t| self.assign_target(t, item.clone()))
            }
            StmtKind::AugAssign(target, op, value) => self.augmented(stmt.span, target, *op, value),
            StmtKind::AnnAssign(target, value) => match value {
                Some(value) => {
                    let item = self.item(value)?;
                    self.assign_target(target, item)
                }
                None => Ok(()),
            },
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), stmt.span),
            StmtKind::If(test, then, els) => self.if_stmt(test, then, els),
            StmtKind::While(test, body, els) => self.while_loop(test, body, els),
            StmtKind::For(target, iter, body, els) => self.for_loop(target, iter, body, els),
            StmtKind::Break => self.break_stmt(stmt.span),
            StmtKind::Continue => self.continue_stmt(stmt.span),
            StmtKind::Pass => Ok(()),
            StmtKind::Expr(e) if matches!(e.kind, ExprKind::Str(_)) => Ok(()),
            StmtKind::Expr(e) => self.item(e).map(|_| ()),
            StmtKind::Def(name, def) => {
                let item = self.closure(name, def)?;
                self.assign(name, item, stmt.span)
            }
            StmtKind::Unsupported(class) => Err(self.error(stmt.span, unsupported::stmt(class))),
        }
    }

    fn augmented(&mut self, span: Span, target: &'f Expr, op: crate::ast::BinOp, value: &'f Expr) -> Res<()> {
        let ExprKind::Name(name) = &target.kind else {
            return Err(self.error(target.span, unsupported::target(&target.kind)));
        };
        let old = self.value(target)?;
        let operand = self.value(value)?;
        let new = arith::binary(&mut self.b, op, &old, &operand);
        let new = self.place(span, new)?;
        self.assign(name, Item::Value(new), target.span)
    }

    /// A nested function as a value; its defaults are evaluated here.
    pub(super) fn closure(&mut self, name: &'f str, def: &'f crate::ast::FunctionDef) -> Res<Item<'f>> {
        let mut defaults = Vec::new();
        for param in &def.params {
            if let Some(default) = &param.default {
                let item = self.item(default)?;
                let slot = self.keep(item, default.span)?;
                defaults.push((param.name.as_str(), slot));
            }
        }
        let frame = self.current;
        Ok(Item::Callee(Callee::Closure(std::rc::Rc::new(Closure { name, def, frame, defaults }))))
    }

    /// Keeps an item for later, wherever it is wanted.
    fn keep(&mut self, item: Item<'f>, span: Span) -> Res<Slot<'f>> {
        if item.is_static() {
            return Ok(Slot::Direct(item));
        }
        let op = self.require_value(item, span)?;
        let value = self.materialise(&op, span)?;
        let var = self.b.var("default", op.ty.storage());
        self.b.set(var, value);
        Ok(Slot::Var(var, op.ty))
    }

    fn if_stmt(&mut self, test: &'f Expr, then: &'f [Stmt], els: &'f [Stmt]) -> Res<()> {
        let cond = self.cond(test)?;
        if let Some(known) = cond.value.known_bool() {
            return self.body(if known { then } else { els });
        }
        let value = self.materialise(&cond.value, test.span)?;
        self.frame_mut().flow = cond.yes;
        let (then, ()) = self.in_block(|s| s.body(then))?;
        let after_then = self.frame_mut().flow.leave();
        self.frame_mut().flow = cond.no;
        let (els, ()) = self.in_block(|s| s.body(els))?;
        self.b.push(ir::Stmt::If { cond: value, then, els });
        let after_els = self.frame_mut().flow.leave();
        self.frame_mut().flow = after_then.join(&after_els);
        Ok(())
    }

    fn return_stmt(&mut self, value: Option<&'f Expr>, span: Span) -> Res<()> {
        let item = match value {
            Some(e) => self.item(e)?,
            None => Item::None,
        };
        let span = value.map_or(span, |e| e.span);
        if matches!(item, Item::None) {
            let name = self.frame().name;
            return Err(self.falls_off(name, span));
        }
        let op = self.require_value(item, span)?;
        match &mut self.frame_mut().result {
            ResultMode::Entry => self.return_from_entry(&op, span)?,
            ResultMode::Single(slot) => *slot = Some(Item::Value(op)),
            ResultMode::Variable(leave) => {
                let leave = *leave;
                self.store(session::RESULT, &op, span)?;
                self.leave_body(leave);
            }
        }
        self.frame_mut().flow.leave();
        self.may_have_left |= self.depth > 0;
        Ok(())
    }

    fn return_from_entry(&mut self, op: &Operand, span: Span) -> Res<()> {
        let value = match self.session.ret {
            Some(ret) => arith::convert(&mut self.b, op, ret),
            None => {
                let joined = self.result_type(op, span)?;
                let whole = arith::coerce(&mut self.b, op, &joined);
                let whole = self.place(span, whole)?;
                let whole = self.split(Operand::new(joined, whole));
                let ret = inferred_result(&whole.ty);
                arith::convert(&mut self.b, &whole, &ret)
            }
        };
        let value = self.place(span, value)?;
        let ret = self.b.type_of(value).clone();
        self.b.set_return_type(Some(ret));
        self.b.ret(Some(value));
        Ok(())
    }

    /// The join of all results of the operator seen so far.
    fn result_type(&mut self, op: &Operand, span: Span) -> Res<Ty> {
        let known = self.session.local_type(0, session::RESULT).cloned();
        let Some(known) = known else {
            self.session.set_local_type(0, session::RESULT, op.ty.clone());
            return Ok(op.ty.clone());
        };
        let joined = arith::join(&known, &op.ty);
        let joined = self.place(span, joined)?;
        if joined != known {
            self.session.set_local_type(0, session::RESULT, joined.clone());
            self.session.changed = true;
        }
        Ok(joined)
    }

    /// Leaves an inlined body after its result is stored.
    fn leave_body(&mut self, leave: Leave) {
        if let (Leave::Flag(flag), false) = (leave, self.frame().loops.is_empty()) {
            let yes = self.b.constant(ir::Const::bool(true));
            self.b.set(flag, yes);
            self.frame_mut().loops.iter_mut().for_each(|l| l.returns = true);
        }
        if !matches!(leave, Leave::FallThrough) {
            self.b.push(ir::Stmt::Break);
        }
    }

    /// A function that has no result on some path.
    pub(super) fn falls_off(&self, name: &str, span: Span) -> CompileError {
        let refusal = Refusal::new(format!("`{name}` returns nothing on some path"))
            .hint("end every path with `return` and a value");
        self.error(span, refusal)
    }
}

/// The type in which a result of that Python type is handed over.
fn inferred_result(ty: &Ty) -> ir::Type {
    match ty {
        Ty::Tuple(items) => ir::Type::aligned_struct(
            "tuple",
            items.iter().enumerate().map(|(i, item)| (format!("field_{i}"), inferred_result(item))),
        ),
        _ => ty.storage(),
    }
}
