//! Python `ast` statements and functions become plain data.

use freeloom_compiler::ast::{FunctionDef, Param, Span, Stmt, StmtKind};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::expr::{self, bin_op, child, children, class_name, identifier, optional, span};

type Node<'a, 'py> = &'a Bound<'py, PyAny>;

/// A `FunctionDef` or `Lambda` node. The decorators of a top-level function have already been applied.
pub(super) fn function(node: Node, top_level: bool) -> PyResult<FunctionDef> {
    let args = child(node, "args")?;
    let mut unsupported = unsupported_args(&args)?;
    let class = class_name(node)?;
    let body = if class == "Lambda" {
        let value = expr::convert(&child(node, "body")?, 0)?;
        vec![Stmt { span: value.span, kind: StmtKind::Return(Some(value)) }]
    } else {
        if class == "AsyncFunctionDef" {
            unsupported = Some(("an async function".to_owned(), span(node)?));
        }
        let decorators = children(node, "decorator_list")?;
        if let (false, Some(first)) = (top_level, decorators.first()) {
            unsupported = Some(("a decorated nested function".to_owned(), span(first)?));
        }
        block(node, "body")?
    };
    Ok(FunctionDef { params: params(&args)?, body, unsupported, span: span(node)? })
}

fn unsupported_args(args: Node) -> PyResult<Option<(String, Span)>> {
    for (name, text) in [("vararg", "a parameter *args"), ("kwarg", "a parameter **kwargs")] {
        if let Some(arg) = optional(args, name)? {
            return Ok(Some((text.to_owned(), span(&arg)?)));
        }
    }
    Ok(None)
}

fn params(args: Node) -> PyResult<Vec<Param>> {
    let mut positional = children(args, "posonlyargs")?;
    positional.extend(children(args, "args")?);
    let defaults = children(args, "defaults")?;
    let without = positional.len() - defaults.len();
    let mut params = Vec::new();
    for (i, arg) in positional.iter().enumerate() {
        let default = i.checked_sub(without).map(|d| expr::convert(&defaults[d], 0)).transpose()?;
        params.push(Param { name: identifier(arg, "arg")?, default, keyword_only: false });
    }
    for (arg, default) in children(args, "kwonlyargs")?.iter().zip(children(args, "kw_defaults")?) {
        let default = if default.is_none() { None } else { Some(expr::convert(&default, 0)?) };
        params.push(Param { name: identifier(arg, "arg")?, default, keyword_only: true });
    }
    Ok(params)
}

fn block(node: Node, field: &str) -> PyResult<Vec<Stmt>> {
    let list = child(node, field)?.cast_into::<PyList>()?;
    list.iter().map(|s| stmt(&s)).collect()
}

fn stmt(node: Node) -> PyResult<Stmt> {
    Ok(Stmt { kind: kind(node)?, span: span(node)? })
}

fn kind(node: Node) -> PyResult<StmtKind> {
    let sub = |field| expr::convert(&child(node, field)?, 0);
    let maybe = |field| optional(node, field)?.map(|e| expr::convert(&e, 0)).transpose();
    let class = class_name(node)?;
    Ok(match class.as_str() {
        "Assign" => {
            let targets = children(node, "targets")?;
            let targets = targets.iter().map(|t| expr::convert(t, 0)).collect::<PyResult<_>>()?;
            StmtKind::Assign(targets, sub("value")?)
        }
        "AugAssign" => match bin_op(&child(node, "op")?)? {
            Some(op) => StmtKind::AugAssign(sub("target")?, op, sub("value")?),
            None => StmtKind::Unsupported(class),
        },
        "AnnAssign" => StmtKind::AnnAssign(sub("target")?, maybe("value")?),
        "Return" => StmtKind::Return(maybe("value")?),
        "If" => StmtKind::If(sub("test")?, block(node, "body")?, block(node, "orelse")?),
        "While" => StmtKind::While(sub("test")?, block(node, "body")?, block(node, "orelse")?),
        "For" => StmtKind::For(sub("target")?, sub("iter")?, block(node, "body")?, block(node, "orelse")?),
        "Break" => StmtKind::Break,
        "Continue" => StmtKind::Continue,
        "Pass" => StmtKind::Pass,
        "Expr" => StmtKind::Expr(sub("value")?),
        "FunctionDef" | "AsyncFunctionDef" => {
            StmtKind::Def(identifier(node, "name")?, Box::new(function(node, false)?))
        }
        _ => StmtKind::Unsupported(class),
    })
}
