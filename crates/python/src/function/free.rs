//! Which names of a function come from outside, with the dotted paths that begin with them.

use std::collections::BTreeSet;

use freeloom_compiler::ast::{Expr, ExprKind, FunctionDef, Stmt, StmtKind};

/// Names that are bound outside of the function, each with the attributes taken from it: `["np", "sin"]`.
pub(super) fn free_paths(def: &FunctionDef) -> BTreeSet<Vec<String>> {
    let mut walk = Walk::default();
    walk.function(def);
    walk.free
}

#[derive(Default)]
struct Walk {
    /// Names bound by the functions around the current place.
    scopes: Vec<BTreeSet<String>>,
    free: BTreeSet<Vec<String>>,
}

impl Walk {
    fn function(&mut self, def: &FunctionDef) {
        let mut bound: BTreeSet<String> = def.params.iter().map(|p| p.name.clone()).collect();
        def.body.iter().for_each(|s| bind_stmt(s, &mut bound));
        self.scopes.push(bound);
        self.stmts(&def.body);
        self.scopes.pop();
    }

    /// A function inside of another: its defaults belong to the outer one.
    fn nested(&mut self, def: &FunctionDef) {
        def.params.iter().filter_map(|p| p.default.as_ref()).for_each(|e| self.expr(e));
        self.function(def);
    }

    fn stmts(&mut self, list: &[Stmt]) {
        list.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Def(_, def) = &stmt.kind {
            self.nested(def);
        }
        parts(stmt).for_each(|e| self.expr(e));
        blocks(stmt).for_each(|b| self.stmts(b));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Lambda(def) => self.nested(def),
            ExprKind::Name(_) | ExprKind::Attribute(..) => match path(expr) {
                Some(path) => self.reference(path),
                None => operands(expr).for_each(|e| self.expr(e)),
            },
            _ => operands(expr).for_each(|e| self.expr(e)),
        }
    }

    fn reference(&mut self, path: Vec<String>) {
        if !self.scopes.iter().any(|s| s.contains(&path[0])) {
            self.free.insert(path);
        }
    }
}

/// `a.b.c` as a list, if the expression is nothing else.
fn path(expr: &Expr) -> Option<Vec<String>> {
    match &expr.kind {
        ExprKind::Name(name) => Some(vec![name.clone()]),
        ExprKind::Attribute(value, name) => {
            let mut path = path(value)?;
            path.push(name.clone());
            Some(path)
        }
        _ => None,
    }
}

fn bind_stmt(stmt: &Stmt, bound: &mut BTreeSet<String>) {
    match &stmt.kind {
        StmtKind::Assign(targets, _) => targets.iter().for_each(|t| bind_target(t, bound)),
        StmtKind::AugAssign(target, ..) | StmtKind::AnnAssign(target, _) | StmtKind::For(target, ..) => {
            bind_target(target, bound);
        }
        StmtKind::Def(name, _) => {
            bound.insert(name.clone());
        }
        _ => {}
    }
    parts(stmt).for_each(|e| bind_walrus(e, bound));
    blocks(stmt).flatten().for_each(|s| bind_stmt(s, bound));
}

fn bind_target(target: &Expr, bound: &mut BTreeSet<String>) {
    match &target.kind {
        ExprKind::Name(name) => {
            bound.insert(name.clone());
        }
        ExprKind::Tuple(items) => items.iter().for_each(|t| bind_target(t, bound)),
        _ => {}
    }
}

fn bind_walrus(expr: &Expr, bound: &mut BTreeSet<String>) {
    if let ExprKind::Walrus(name, _) = &expr.kind {
        bound.insert(name.clone());
    }
    operands(expr).for_each(|e| bind_walrus(e, bound));
}

/// The expressions of a statement, without those of its blocks.
fn parts(stmt: &Stmt) -> impl Iterator<Item = &Expr> {
    let parts: Vec<&Expr> = match &stmt.kind {
        StmtKind::Assign(targets, value) => targets.iter().chain([value]).collect(),
        StmtKind::AugAssign(target, _, value) => vec![target, value],
        StmtKind::AnnAssign(target, value) => [target].into_iter().chain(value).collect(),
        StmtKind::Return(value) => value.iter().collect(),
        StmtKind::If(test, ..) | StmtKind::While(test, ..) => vec![test],
        StmtKind::For(target, iter, ..) => vec![target, iter],
        StmtKind::Expr(value) => vec![value],
        _ => Vec::new(),
    };
    parts.into_iter()
}

fn blocks(stmt: &Stmt) -> impl Iterator<Item = &Vec<Stmt>> {
    let blocks: [Option<&Vec<Stmt>>; 2] = match &stmt.kind {
        StmtKind::If(_, a, b) | StmtKind::While(_, a, b) | StmtKind::For(_, _, a, b) => [Some(a), Some(b)],
        _ => [None, None],
    };
    blocks.into_iter().flatten()
}

/// The direct parts of an expression; those of a lambda are its own.
fn operands(expr: &Expr) -> impl Iterator<Item = &Expr> {
    let parts: Vec<&Expr> = match &expr.kind {
        ExprKind::Attribute(value, _) | ExprKind::Unary(_, value) | ExprKind::Walrus(_, value) => vec![value],
        ExprKind::Subscript(a, b) | ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::Call(function, args, keywords) => {
            let keywords = keywords.iter().map(|(_, e)| e);
            [&**function].into_iter().chain(args).chain(keywords).collect()
        }
        ExprKind::Compare(left, rest) => [&**left].into_iter().chain(rest.iter().map(|(_, e)| e)).collect(),
        ExprKind::BoolChain(_, items) | ExprKind::Tuple(items) => items.iter().collect(),
        ExprKind::Conditional(a, b, c) => vec![a, b, c],
        _ => Vec::new(),
    };
    parts.into_iter()
}
