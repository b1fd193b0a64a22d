//! Python `ast` expressions become plain data.

use freeloom_compiler::ast::{BinOp, BoolOp, CompareOp, Expr, ExprKind, Float, Span, UnaryOp};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyComplexMethods, PyFloat, PyInt, PyList, PyString};

use super::stmt;

type Node<'a, 'py> = &'a Bound<'py, PyAny>;

/// Deeper than the compiler accepts; what lies deeper still is cut off, and refused there.
const MAX_DEPTH: u32 = 250;

pub(super) fn child<'py>(node: Node<'_, 'py>, field: &str) -> PyResult<Bound<'py, PyAny>> {
    node.getattr(field)
}

pub(super) fn optional<'py>(node: Node<'_, 'py>, field: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(Some(node.getattr(field)?).filter(|v| !v.is_none()))
}

pub(super) fn children<'py>(node: Node<'_, 'py>, field: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    Ok(node.getattr(field)?.cast_into::<PyList>()?.iter().collect())
}

pub(super) fn identifier(node: Node, field: &str) -> PyResult<String> {
    node.getattr(field)?.extract()
}

pub(super) fn class_name(node: Node) -> PyResult<String> {
    Ok(node.get_type().name()?.to_str()?.to_owned())
}

pub(super) fn span(node: Node) -> PyResult<Span> {
    let py = node.py();
    let line: u32 = node.getattr(intern!(py, "lineno"))?.extract()?;
    let col: u32 = node.getattr(intern!(py, "col_offset"))?.extract()?;
    let end_line = node.getattr(intern!(py, "end_lineno"))?.extract::<Option<u32>>()?.unwrap_or(line);
    let end_col = node.getattr(intern!(py, "end_col_offset"))?.extract::<Option<u32>>()?.unwrap_or(col + 1);
    Ok(Span { line, col, end_line, end_col })
}

/// An expression node.
pub(super) fn convert(node: Node, depth: u32) -> PyResult<Expr> {
    let span = span(node)?;
    let class = class_name(node)?;
    let kind = if depth > MAX_DEPTH {
        ExprKind::Unsupported("an expression that nests this deeply".to_owned())
    } else if class == "BinOp" {
        return binary(node, depth);
    } else {
        kind(node, class, depth + 1)?
    };
    Ok(Expr { kind, span })
}

/// `a + b + c + …` nests to the left as deeply as it is long, so its spine is walked in a loop.
fn binary(node: Node, depth: u32) -> PyResult<Expr> {
    let mut spine = Vec::new();
    let mut left = node.clone();
    while class_name(&left)? == "BinOp" {
        let next = child(&left, "left")?;
        spine.push(left);
        left = next;
    }
    let mut value = convert(&left, depth + 1)?;
    for node in spine.into_iter().rev() {
        let right = convert(&child(&node, "right")?, depth + 1)?;
        let kind = match bin_op(&child(&node, "op")?)? {
            Some(op) => ExprKind::Binary(op, Box::new(value), Box::new(right)),
            None => ExprKind::Unsupported("BinOp".to_owned()),
        };
        value = Expr { kind, span: span(&node)? };
    }
    Ok(value)
}

fn kind(node: Node, class: String, depth: u32) -> PyResult<ExprKind> {
    let sub = |field| convert(&child(node, field)?, depth);
    let boxed = |field| sub(field).map(Box::new);
    let list = |field| children(node, field)?.iter().map(|e| convert(e, depth)).collect::<PyResult<Vec<_>>>();
    Ok(match class.as_str() {
        "Constant" => constant(&child(node, "value")?)?,
        "Name" => ExprKind::Name(identifier(node, "id")?),
        "Attribute" => ExprKind::Attribute(boxed("value")?, identifier(node, "attr")?),
        "Subscript" => ExprKind::Subscript(boxed("value")?, boxed("slice")?),
        "Call" => call(node, depth)?,
        "UnaryOp" => match unary_op(&child(node, "op")?)? {
            Some(op) => ExprKind::Unary(op, boxed("operand")?),
            None => ExprKind::Unsupported(class),
        },
        "Compare" => compare(node, depth)?,
        "BoolOp" => {
            let op = if class_name(&child(node, "op")?)? == "And" { BoolOp::And } else { BoolOp::Or };
            ExprKind::BoolChain(op, list("values")?)
        }
        "IfExp" => ExprKind::Conditional(boxed("test")?, boxed("body")?, boxed("orelse")?),
        "Tuple" => ExprKind::Tuple(list("elts")?),
        "Lambda" => ExprKind::Lambda(Box::new(stmt::function(node, false)?)),
        "NamedExpr" => ExprKind::Walrus(identifier(&child(node, "target")?, "id")?, boxed("value")?),
        _ => ExprKind::Unsupported(class),
    })
}

fn constant(value: Node) -> PyResult<ExprKind> {
    if value.is_none() {
        return Ok(ExprKind::None);
    }
    if let Ok(v) = value.cast_exact::<PyBool>() {
        return Ok(ExprKind::Bool(v.is_true()));
    }
    if value.is_exact_instance_of::<PyInt>() {
        let large = || ExprKind::Unsupported("an int beyond 128 bits".to_owned());
        return Ok(value.extract().map_or_else(|_| large(), ExprKind::Int));
    }
    if let Ok(v) = value.cast_exact::<PyFloat>() {
        return Ok(ExprKind::Float(Float::from(v.value())));
    }
    if let Ok(v) = value.cast_exact::<PyComplex>() {
        return Ok(ExprKind::Imaginary(Float::from(v.imag())));
    }
    if let Ok(v) = value.cast_exact::<PyString>() {
        let unusual = || ExprKind::Unsupported("a string that is not text".to_owned());
        return Ok(v.to_str().map_or_else(|_| unusual(), |s| ExprKind::Str(s.to_owned())));
    }
    Ok(ExprKind::Unsupported(format!("a constant of type {}", class_name(value)?)))
}

fn call(node: Node, depth: u32) -> PyResult<ExprKind> {
    let function = convert(&child(node, "func")?, depth)?;
    let args = children(node, "args")?.iter().map(|e| convert(e, depth)).collect::<PyResult<Vec<_>>>()?;
    let mut keywords = Vec::new();
    for keyword in children(node, "keywords")? {
        let Some(name) = optional(&keyword, "arg")? else {
            return Ok(ExprKind::Unsupported("a call with **".to_owned()));
        };
        keywords.push((name.extract()?, convert(&child(&keyword, "value")?, depth)?));
    }
    Ok(ExprKind::Call(Box::new(function), args, keywords))
}

fn compare(node: Node, depth: u32) -> PyResult<ExprKind> {
    let left = convert(&child(node, "left")?, depth)?;
    let mut rest = Vec::new();
    for (op, right) in children(node, "ops")?.iter().zip(children(node, "comparators")?) {
        let Some(op) = compare_op(op)? else { return Ok(ExprKind::Unsupported("Compare".to_owned())) };
        rest.push((op, convert(&right, depth)?));
    }
    Ok(ExprKind::Compare(Box::new(left), rest))
}

macro_rules! operators {
    ($function:ident -> $enum:ident: $($name:ident)*) => {
        pub(super) fn $function(node: Node) -> PyResult<Option<$enum>> {
            Ok(match class_name(node)?.as_str() {
                $(stringify!($name) => Some($enum::$name),)*
                _ => None,
            })
        }
    };
}

operators!(bin_op -> BinOp: Add Sub Mult MatMult Div FloorDiv Mod Pow LShift RShift BitAnd BitOr BitXor);
operators!(unary_op -> UnaryOp: Not Invert UAdd USub);
operators!(compare_op -> CompareOp: Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn);
