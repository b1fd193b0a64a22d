//! Names: locals, those of enclosing functions, captures.

use freeloom_ir as ir;

use crate::arith;
use crate::ast::{Expr, ExprKind, Span};
use crate::diagnostic::Refusal;
use crate::function::{Capture, ConstValue};
use crate::operand::{Operand, Repr, Ty};

use super::frame::{Callee, Item, Slot, is_view};
use super::{Lowerer, Res, unsupported};

impl<'f> Lowerer<'_, 'f> {
    /// The frame, if any, in which a name is a local.
    pub(super) fn frame_of(&self, name: &str) -> Option<usize> {
        let mut at = Some(self.current);
        while let Some(i) = at {
            if self.frames[i].bindings.contains(name) {
                return Some(i);
            }
            at = self.frames[i].lexical;
        }
        None
    }

    /// What a name stands for.
    pub(super) fn name(&mut self, name: &'f str, span: Span) -> Res<Item<'f>> {
        if let Some(frame) = self.frame_of(name) {
            let slot = self.frames[frame].slots.get(name).cloned();
            let assigned = self.frames[frame].flow.is_assigned(name);
            let Some(slot) = slot.filter(|_| assigned) else {
                let refusal = Refusal::new(format!("`{name}` may be used before it is assigned"))
                    .hint("assign it on every path that leads here");
                return Err(self.error(span, refusal));
            };
            return Ok(self.read(&slot));
        }
        match self.frame().function.captures.get(name) {
            Some(capture) => self.capture(capture, name, span),
            None => {
                let refusal = Refusal::new(format!("the name `{name}` is not defined"))
                    .hint("names are looked up when the function is handed over: define it before");
                Err(self.error(span, refusal))
            }
        }
    }

    /// The current content of a slot.
    pub(super) fn read(&mut self, slot: &Slot<'f>) -> Item<'f> {
        match slot {
            Slot::Direct(item) => item.clone(),
            Slot::Var(var, ty) => {
                let value = self.b.get(*var);
                Item::Value(self.split(Operand::new(ty.clone(), value)))
            }
        }
    }

    /// The capture that an attribute chain such as `np.linalg.norm` names as a whole.
    pub(super) fn captured_path(&self, e: &Expr) -> Option<(&'f Capture, String)> {
        let mut names = Vec::new();
        let mut at = e;
        while let ExprKind::Attribute(value, name) = &at.kind {
            names.push(name.as_str());
            at = value;
        }
        let ExprKind::Name(root) = &at.kind else { return None };
        if self.frame_of(root).is_some() {
            return None;
        }
        names.push(root);
        names.reverse();
        let path = names.join(".");
        let capture = self.frame().function.captures.get(&path)?;
        Some((capture, path))
    }

    /// What a capture stands for.
    pub(super) fn capture(&mut self, capture: &'f Capture, name: &str, span: Span) -> Res<Item<'f>> {
        match capture {
            Capture::Value(ConstValue::None) => Ok(Item::None),
            Capture::Value(ConstValue::Str(_)) => Ok(Item::Str),
            Capture::Value(c) => match Operand::constant(c.clone()) {
                Ok(op) => Ok(Item::Value(op)),
                Err(_) => {
                    let refusal = Refusal::new(format!("`{name}` contains a string or `None`"))
                        .hint("numbers, records and tuples of them are values of compiled functions");
                    Err(self.error(span, refusal))
                }
            },
            Capture::Function(f) => Ok(Item::Callee(Callee::Function(f))),
            Capture::Builtin(f) => Ok(Item::Callee(Callee::Builtin(f))),
            Capture::Type(ty) => Ok(Item::Callee(Callee::Type(ty))),
            Capture::Array(array) => match self.session.array_param(array) {
                Some(param) => {
                    let ty = ir::Type::view(array.elem.clone(), array.rank);
                    Ok(Item::Value(Operand::strong(ty, self.b.param(param))))
                }
                None => Err(self.error(span, Refusal::new(format!("the array `{name}` is not bound")))),
            },
            Capture::Unsupported(what) => Err(self.error(span, unsupported::capture(name, what))),
        }
    }

    /// Binds a local of the current function.
    pub(super) fn assign(&mut self, name: &'f str, item: Item<'f>, span: Span) -> Res<()> {
        let frame = self.frame();
        let single = frame.bindings.is_single(name);
        let stays = frame.unrolled == 0 && (self.depth == frame.base_depth || item.is_static());
        match item {
            Item::Value(op) if !(is_view(&op) || single && stays) => self.store(name, &op, span)?,
            item if single => {
                self.frame_mut().slots.insert(name, Slot::Direct(item));
            }
            other => return Err(self.error(span, unsupported::rebound(name, &other))),
        }
        self.frame_mut().flow.assign(name);
        Ok(())
    }

    /// Assigns a variable of the current instance, widening its type if need be.
    pub(super) fn store(&mut self, name: &'f str, op: &Operand, span: Span) -> Res<()> {
        let instance = self.frame().instance;
        let known = self.session.local_type(instance, name).cloned();
        let ty = match &known {
            Some(known) => {
                let joined = arith::join(known, &op.ty);
                self.place(span, joined)?
            }
            None => op.ty.clone(),
        };
        if known.as_ref() != Some(&ty) {
            self.session.set_local_type(instance, name, ty.clone());
        }
        let (var, declared) = self.declare(name, &ty);
        if declared != ty {
            self.session.changed = true;
            return Ok(());
        }
        let value = arith::coerce(&mut self.b, op, &ty);
        let value = self.place(span, value)?;
        self.b.set(var, value);
        Ok(())
    }

    /// The variable of a local; `ty` if it is new in this round.
    fn declare(&mut self, name: &'f str, ty: &Ty) -> (ir::Var, Ty) {
        if let Some(Slot::Var(var, declared)) = self.frame().slots.get(name) {
            return (*var, declared.clone());
        }
        let var = self.b.var(name, ty.storage());
        self.frame_mut().slots.insert(name, Slot::Var(var, ty.clone()));
        (var, ty.clone())
    }

    /// Assigns to a target: a name or a tuple of targets.
    pub(super) fn assign_target(&mut self, target: &'f Expr, item: Item<'f>) -> Res<()> {
        match &target.kind {
            ExprKind::Name(name) => self.assign(name, item, target.span),
            ExprKind::Tuple(targets) => self.nested(target.span, |s| s.unpack(target, targets, item)),
            _ => Err(self.error(target.span, unsupported::target(&target.kind))),
        }
    }

    fn unpack(&mut self, target: &'f Expr, targets: &'f [Expr], item: Item<'f>) -> Res<()> {
        let op = self.require_value(item, target.span)?;
        let items = self.components(&op, target.span)?;
        if let Some(starred) = targets.iter().find(|t| matches!(t.kind, ExprKind::Unsupported(_))) {
            return Err(self.error(starred.span, unsupported::target(&starred.kind)));
        }
        if items.len() != targets.len() {
            let refusal = Refusal::new(format!(
                "{} values cannot be unpacked into {} targets",
                items.len(),
                targets.len()
            ));
            return Err(self.error(target.span, refusal));
        }
        for (target, item) in targets.iter().zip(items) {
            self.assign_target(target, Item::Value(item))?;
        }
        Ok(())
    }

    /// The components of a tuple, a record or a sub-array, in order.
    pub(super) fn components(&mut self, op: &Operand, span: Span) -> Res<Vec<Operand>> {
        let op = self.split(op.clone());
        if let Repr::Tuple(items) = op.repr {
            return Ok(items);
        }
        let count = match &op.ty {
            Ty::Strong(ty @ (ir::Type::Struct(_) | ir::Type::Array(_))) => ty.component_count(),
            _ => {
                let refusal = Refusal::new("a number cannot be unpacked")
                    .hint("only tuples, records and sub-arrays have components");
                return Err(self.error(span, refusal));
            }
        };
        let mut items = Vec::with_capacity(count);
        for i in 0..count {
            let index = Operand { ty: Ty::WeakInt, repr: Repr::Const(ConstValue::Int(i as i128)) };
            let item = arith::subscript(&mut self.b, &op, &index);
            items.push(self.place(span, item)?);
        }
        Ok(items)
    }

    /// The value of an item that must be one.
    pub(super) fn require_value(&mut self, item: Item<'f>, span: Span) -> Res<Operand> {
        match item {
            Item::Value(op) if !is_view(&op) => Ok(op),
            other => Err(self.error(span, unsupported::not_a_value(&other))),
        }
    }
}
