//! What the tests of all algorithms share: bindings to Rust slices, Python functions as data.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::collections::BTreeMap;
use std::sync::Arc;

use freeloom_compiler::ast::{BinOp, CompareOp, Expr, ExprKind, FunctionDef, Param, Span, Stmt, StmtKind};
use freeloom_compiler::{Capture, Function, SourceFile};
use freeloom_compute::{ArrayBinding, IterBinding, IterSpec, OpBinding, OpKind, Operator};
use freeloom_ir::{Scalar, Type};

/// Rust types that are IR scalars.
pub(crate) trait Item: Copy {
    const SCALAR: Scalar;
}

macro_rules! items {
    ($($ty:ty = $scalar:ident),*) => { $(impl Item for $ty { const SCALAR: Scalar = Scalar::$scalar; })* };
}
items!(
    bool = Bool,
    i8 = I8,
    i16 = I16,
    i32 = I32,
    i64 = I64,
    u8 = U8,
    u16 = U16,
    u32 = U32,
    u64 = U64,
    f32 = F32,
    f64 = F64
);

pub(crate) fn ty<T: Item>() -> Type {
    Type::Scalar(T::SCALAR)
}

pub(crate) fn array<T: Item>() -> IterSpec {
    IterSpec::Array(ty::<T>())
}

/// An array of these dimensions at `ptr`; strides in bytes.
pub(crate) fn bind_at(ptr: usize, shape: &[i64], strides: &[i64]) -> IterBinding {
    let array = ArrayBinding { ptr, shape: shape.into(), strides: strides.into() };
    IterBinding::Array { array, offset: 0 }
}

pub(crate) fn bind<T>(items: &[T]) -> IterBinding {
    bind_at(items.as_ptr() as usize, &[items.len() as i64], &[size_of::<T>() as i64])
}

pub(crate) fn bind_mut<T>(items: &mut [T]) -> IterBinding {
    bind_at(items.as_mut_ptr() as usize, &[items.len() as i64], &[size_of::<T>() as i64])
}

pub(crate) fn no_captures() -> OpBinding {
    OpBinding::default()
}

/// The bytes of a value.
pub(crate) fn bytes<T: Copy>(value: &T) -> &[u8] {
    // SAFETY: every use in the tests is a type without padding.
    unsafe { std::slice::from_raw_parts(std::ptr::from_ref(value).cast(), size_of::<T>()) }
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

pub(crate) fn name(n: &str) -> Expr {
    expr(ExprKind::Name(n.into()))
}

pub(crate) fn int(v: i128) -> Expr {
    expr(ExprKind::Int(v))
}

pub(crate) fn field(e: Expr, f: &str) -> Expr {
    expr(ExprKind::Attribute(Box::new(e), f.into()))
}

pub(crate) fn item(e: Expr, index: Expr) -> Expr {
    expr(ExprKind::Subscript(Box::new(e), Box::new(index)))
}

pub(crate) fn bin(op: BinOp, a: Expr, b: Expr) -> Expr {
    expr(ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

pub(crate) fn tuple(items: Vec<Expr>) -> Expr {
    expr(ExprKind::Tuple(items))
}

pub(crate) fn compare(a: Expr, op: CompareOp, b: Expr) -> Expr {
    expr(ExprKind::Compare(Box::new(a), vec![(op, b)]))
}

pub(crate) fn conditional(then: Expr, test: Expr, other: Expr) -> Expr {
    expr(ExprKind::Conditional(Box::new(test), Box::new(then), Box::new(other)))
}

/// `lambda params: body`
pub(crate) fn lambda(params: &[&str], body: Expr) -> Operator {
    lambda_with(params, body, BTreeMap::new())
}

pub(crate) fn lambda_with(params: &[&str], body: Expr, captures: BTreeMap<String, Capture>) -> Operator {
    let ret = Stmt { kind: StmtKind::Return(Some(body)), span: Span::default() };
    function(params, vec![ret], captures)
}

pub(crate) fn function(params: &[&str], body: Vec<Stmt>, captures: BTreeMap<String, Capture>) -> Operator {
    let param = |p: &&str| Param { name: (*p).into(), default: None, keyword_only: false };
    let params = params.iter().map(param).collect();
    let def = FunctionDef { params, body, unsupported: None, span: Span::default() };
    let source = Arc::new(SourceFile::default());
    let f = Function { name: "op".into(), source, def, defaults: BTreeMap::new(), captures };
    Operator::Python(Arc::new(f))
}

pub(crate) fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}

pub(crate) fn known(op: OpKind) -> Operator {
    Operator::Known(op)
}

/// A 2x2 matrix of wrapping integers: its product is associative and not commutative.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub(crate) struct Matrix(pub(crate) [i32; 4]);

impl Matrix {
    pub(crate) fn ir() -> Type {
        Type::aligned_struct("Matrix", ["a", "b", "c", "d"].map(|f| (f.to_owned(), Type::I32)))
    }

    pub(crate) fn times(self, o: Matrix) -> Matrix {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, o.0);
        let dot = |p: i32, q: i32, r: i32, s: i32| p.wrapping_mul(q).wrapping_add(r.wrapping_mul(s));
        Matrix([dot(a, e, b, g), dot(a, f, b, h), dot(c, e, d, g), dot(c, f, d, h)])
    }

    /// `times` in Python.
    pub(crate) fn product() -> Operator {
        let dot = |p: &str, q: &str, r: &str, s: &str| {
            let term = |x: &str, y: &str| bin(BinOp::Mult, field(name("p"), x), field(name("q"), y));
            bin(BinOp::Add, term(p, q), term(r, s))
        };
        let items = vec![
            dot("a", "a", "b", "c"),
            dot("a", "b", "b", "d"),
            dot("c", "a", "d", "c"),
            dot("c", "b", "d", "d"),
        ];
        lambda(&["p", "q"], tuple(items))
    }

    pub(crate) fn sequence(n: usize) -> Vec<Matrix> {
        let mut rng = Rng(7);
        (0..n).map(|_| Matrix([(); 4].map(|()| rng.next() as i32))).collect()
    }
}

/// Small random numbers, the same in every run.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = (self.0 >> 29) ^ self.0;
        x.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20
    }
}

/// Sizes around the bounds of rows, tiles and blocks.
pub(crate) const SIZES: &[usize] = &[
    1, 2, 3, 5, 16, 255, 256, 257, 511, 513, 1000, 2047, 2048, 2049, 4096, 4097, 10_000, 65_536, 100_003,
    300_000,
];
