//! What syntax alone says about a function: which names it binds, how deep it nests, where it jumps.

use std::collections::HashMap;

use crate::ast::{Expr, ExprKind, FunctionDef, Span, Stmt, StmtKind};

/// How deep statements and expressions may nest. Operands to the left of a binary operator do not count:
/// `a + b + c + …` may be as long as one likes.
pub(crate) const MAX_DEPTH: u32 = 100;

/// The names that a function binds and the number of places that bind each, a parameter being one.
#[derive(Default, Debug)]
pub(crate) struct Bindings<'f>(HashMap<&'f str, u32>);

impl<'f> Bindings<'f> {
    /// Reads a function. `Err` is the place where it nests too deeply.
    pub(crate) fn of(def: &'f FunctionDef) -> Result<Bindings<'f>, Span> {
        let mut walk = Walk::default();
        for param in &def.params {
            walk.bind(&param.name);
        }
        walk.stmts(&def.body, 0, true);
        walk.run()
    }

    /// Is it a local of the function?
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Is there exactly one place that binds it?
    pub(crate) fn is_single(&self, name: &str) -> bool {
        self.0.get(name) == Some(&1)
    }
}

enum Node<'f> {
    Stmt(&'f Stmt),
    Expr(&'f Expr),
    Target(&'f Expr),
}

/// A walk with its own stack, so that no source can overflow the machine's. `own` is false inside nested
/// functions: what they bind is theirs.
#[derive(Default)]
struct Walk<'f> {
    todo: Vec<(Node<'f>, u32, bool)>,
    found: Bindings<'f>,
}

impl<'f> Walk<'f> {
    fn run(mut self) -> Result<Bindings<'f>, Span> {
        while let Some((node, depth, own)) = self.todo.pop() {
            let span = match &node {
                Node::Stmt(s) => s.span,
                Node::Expr(e) | Node::Target(e) => e.span,
            };
            if depth > MAX_DEPTH {
                return Err(span);
            }
            match node {
                Node::Stmt(s) => self.stmt(s, depth + 1, own),
                Node::Expr(e) => self.expr(e, depth + 1, own),
                Node::Target(e) => self.target(e, depth + 1, own),
            }
        }
        Ok(self.found)
    }

    fn bind(&mut self, name: &'f str) {
        *self.found.0.entry(name).or_insert(0) += 1;
    }

    fn push(&mut self, e: &'f Expr, depth: u32, own: bool) {
        self.todo.push((Node::Expr(e), depth, own));
    }

    fn stmts(&mut self, list: &'f [Stmt], depth: u32, own: bool) {
        self.todo.extend(list.iter().map(|s| (Node::Stmt(s), depth, own)));
    }

    fn stmt(&mut self, s: &'f Stmt, depth: u32, own: bool) {
        match &s.kind {
            StmtKind::Assign(targets, value) => {
                self.todo.extend(targets.iter().map(|t| (Node::Target(t), depth, own)));
                self.push(value, depth, own);
            }
            StmtKind::AugAssign(target, _, value) => {
                self.todo.push((Node::Target(target), depth, own));
                self.push(value, depth, own);
            }
            StmtKind::AnnAssign(target, value) => {
                self.todo.push((Node::Target(target), depth, own));
                self.todo.extend(value.iter().map(|v| (Node::Expr(v), depth, own)));
            }
            StmtKind::Return(value) => self.todo.extend(value.iter().map(|v| (Node::Expr(v), depth, own))),
            StmtKind::Expr(value) => self.push(value, depth, own),
            StmtKind::If(test, then, els) | StmtKind::While(test, then, els) => {
                self.push(test, depth, own);
                self.stmts(then, depth, own);
                self.stmts(els, depth, own);
            }
            StmtKind::For(target, iter, body, els) => {
                self.todo.push((Node::Target(target), depth, own));
                self.push(iter, depth, own);
                self.stmts(body, depth, own);
                self.stmts(els, depth, own);
            }
            StmtKind::Def(name, def) => {
                if own {
                    self.bind(name);
                }
                self.function(def, depth, own);
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Pass | StmtKind::Unsupported(_) => {}
        }
    }

    /// Defaults belong to the enclosing function, the body to the nested one.
    fn function(&mut self, def: &'f FunctionDef, depth: u32, own: bool) {
        let defaults = def.params.iter().filter_map(|p| p.default.as_ref());
        self.todo.extend(defaults.map(|d| (Node::Expr(d), depth, own)));
        self.stmts(&def.body, depth, false);
    }

    fn target(&mut self, e: &'f Expr, depth: u32, own: bool) {
        match &e.kind {
            ExprKind::Name(name) if own => self.bind(name),
            ExprKind::Tuple(items) => {
                self.todo.extend(items.iter().map(|i| (Node::Target(i), depth, own)));
            }
            _ => self.expr(e, depth, own),
        }
    }

    fn expr(&mut self, e: &'f Expr, depth: u32, own: bool) {
        match &e.kind {
            ExprKind::Attribute(value, _) | ExprKind::Unary(_, value) => self.push(value, depth, own),
            ExprKind::Subscript(a, b) => {
                self.push(a, depth, own);
                self.push(b, depth, own);
            }
            ExprKind::Binary(_, a, b) => {
                self.push(a, depth - 1, own);
                self.push(b, depth, own);
            }
            ExprKind::Call(func, args, kwargs) => {
                self.push(func, depth, own);
                self.todo.extend(args.iter().map(|a| (Node::Expr(a), depth, own)));
                self.todo.extend(kwargs.iter().map(|(_, a)| (Node::Expr(a), depth, own)));
            }
            ExprKind::Compare(first, rest) => {
                self.push(first, depth, own);
                self.todo.extend(rest.iter().map(|(_, r)| (Node::Expr(r), depth, own)));
            }
            ExprKind::BoolChain(_, items) | ExprKind::Tuple(items) => {
                self.todo.extend(items.iter().map(|i| (Node::Expr(i), depth, own)));
            }
            ExprKind::Conditional(test, a, b) => [test, a, b].iter().for_each(|e| self.push(e, depth, own)),
            ExprKind::Lambda(def) => self.function(def, depth, own),
            ExprKind::Walrus(name, value) => {
                if own {
                    self.bind(name);
                }
                self.push(value, depth, own);
            }
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Str(_)
            | ExprKind::Name(_)
            | ExprKind::Unsupported(_) => {}
        }
    }
}

/// Calls `f` with each statement, nested ones included (nested functions excluded), and whether it stands in
/// a loop of `list`.
fn each(list: &[Stmt], in_loop: bool, f: &mut impl FnMut(&Stmt, bool)) {
    for s in list {
        f(s, in_loop);
        match &s.kind {
            StmtKind::If(_, then, els) => {
                each(then, in_loop, f);
                each(els, in_loop, f);
            }
            StmtKind::While(_, body, els) | StmtKind::For(_, _, body, els) => {
                each(body, true, f);
                each(els, in_loop, f);
            }
            _ => {}
        }
    }
}

/// Is there a `break` or `continue` of the loop whose body this is?
pub(crate) fn has_jump(body: &[Stmt]) -> bool {
    let mut found = false;
    each(body, false, &mut |s, in_loop| {
        found |= !in_loop && matches!(s.kind, StmtKind::Break | StmtKind::Continue);
    });
    found
}

/// Is there a `break` of the loop whose body this is?
pub(crate) fn has_break(body: &[Stmt]) -> bool {
    let mut found = false;
    each(body, false, &mut |s, in_loop| found |= !in_loop && matches!(s.kind, StmtKind::Break));
    found
}

/// Is there a `return` within a loop?
pub(crate) fn returns_in_loop(body: &[Stmt]) -> bool {
    let mut found = false;
    each(body, false, &mut |s, in_loop| found |= in_loop && matches!(s.kind, StmtKind::Return(_)));
    found
}

/// Is the only `return` the last statement?
pub(crate) fn returns_once_at_end(body: &[Stmt]) -> bool {
    let mut count = 0;
    each(body, false, &mut |s, _| count += u32::from(matches!(s.kind, StmtKind::Return(_))));
    count == 1 && matches!(body.last().map(|s| &s.kind), Some(StmtKind::Return(_)))
}

/// Is nothing left to run after any `return`?
pub(crate) fn returns_only_at_end(body: &[Stmt]) -> bool {
    let Some((last, before)) = body.split_last() else { return true };
    let mut early = false;
    each(before, false, &mut |s, _| early |= matches!(s.kind, StmtKind::Return(_)));
    let last_fits = match &last.kind {
        StmtKind::If(_, then, els) => returns_only_at_end(then) && returns_only_at_end(els),
        StmtKind::While(..) | StmtKind::For(..) => {
            let mut inside = false;
            each(std::slice::from_ref(last), false, &mut |s, _| {
                inside |= matches!(s.kind, StmtKind::Return(_))
            });
            !inside
        }
        _ => true,
    };
    !early && last_fits
}
