//! Python syntax as plain data.
//!
//! The tree holds what the language of operators may contain; everything else arrives as `Unsupported` with
//! the name of its `ast` class, so that refusing it is the compiler's decision and has a position.
//!
//! Equality and hashing ignore positions: two functions with equal content are equal wherever they stand.

use std::hash::{Hash, Hasher};

/// Where a piece of syntax stands. Compares equal to every other span.
#[derive(Clone, Copy, Default, Debug)]
pub struct Span {
    /// First line, counted from 1 in the file.
    pub line: u32,
    /// First column, in UTF-8 bytes from 0.
    pub col: u32,
    /// Last line.
    pub end_line: u32,
    /// One past the last column.
    pub end_col: u32,
}

impl Span {
    /// From the start of this one to the end of `last`.
    #[must_use]
    pub fn to(self, last: Span) -> Span {
        Span { line: self.line, col: self.col, end_line: last.end_line, end_col: last.end_col }
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Span {}

impl Hash for Span {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A double compared and hashed by its bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Float(u64);

impl From<f64> for Float {
    fn from(v: f64) -> Float {
        Float(v.to_bits())
    }
}

impl Float {
    /// The value.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

/// A `def` or a `lambda`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionDef {
    /// Parameters in order, keyword-only ones last.
    pub params: Vec<Param>,
    /// The statements; a lambda is one `return`.
    pub body: Vec<Stmt>,
    /// `*args`, `**kwargs`, decorators, `async`, `yield`: why this function cannot be compiled.
    pub unsupported: Option<(String, Span)>,
    /// The header.
    pub span: Span,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Default value as an expression, for functions nested in the compiled one. Defaults of a top-level
    /// function are already evaluated, in [`Function::defaults`](crate::Function::defaults).
    pub default: Option<Expr>,
    /// May it be given only by name?
    pub keyword_only: bool,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of statements.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StmtKind {
    /// `a = b = value`
    Assign(Vec<Expr>, Expr),
    /// `target op= value`
    AugAssign(Expr, BinOp, Expr),
    /// `target: annotation = value`; the annotation is ignored, as by CPython.
    AnnAssign(Expr, Option<Expr>),
    /// `return value`
    Return(Option<Expr>),
    /// `if test: … else: …`
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `while test: … else: …`
    While(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `for target in iter: … else: …`
    For(Expr, Expr, Vec<Stmt>, Vec<Stmt>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `pass`
    Pass,
    /// An expression for its effect; a docstring is one.
    Expr(Expr),
    /// A nested function.
    Def(String, Box<FunctionDef>),
    /// Any other statement, by the name of its `ast` class.
    Unsupported(String),
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of expressions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    /// An integer literal; one beyond 128 bits arrives as `Unsupported`.
    Int(i128),
    /// A float literal.
    Float(Float),
    /// An imaginary literal such as `2j`.
    Imaginary(Float),
    /// `True` or `False`
    Bool(bool),
    /// `None`
    None,
    /// A string literal.
    Str(String),
    /// A name.
    Name(String),
    /// `value.name`
    Attribute(Box<Expr>, String),
    /// `value[index]`
    Subscript(Box<Expr>, Box<Expr>),
    /// `func(args…, name=value…)`
    Call(Box<Expr>, Vec<Expr>, Vec<(String, Expr)>),
    /// `left op right`
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `op value`
    Unary(UnaryOp, Box<Expr>),
    /// `left op right op right …`
    Compare(Box<Expr>, Vec<(CompareOp, Expr)>),
    /// `a and b and …` (true) or `a or b or …` (false)
    BoolChain(BoolOp, Vec<Expr>),
    /// `then if test else other`: test, then, other
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(a, b, …)`
    Tuple(Vec<Expr>),
    /// `lambda …: …`
    Lambda(Box<FunctionDef>),
    /// `(name := value)`
    Walrus(String, Box<Expr>),
    /// Any other expression, by the name of its `ast` class.
    Unsupported(String),
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of Python's ast module")]
pub enum BinOp {
    Add,
    Sub,
    Mult,
    MatMult,
    Div,
    FloorDiv,
    Mod,
    Pow,
    LShift,
    RShift,
    BitAnd,
    BitOr,
    BitXor,
}

impl BinOp {
    /// How it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mult => "*",
            BinOp::MatMult => "@",
            BinOp::Div => "/",
            BinOp::FloorDiv => "//",
            BinOp::Mod => "%",
            BinOp::Pow => "**",
            BinOp::LShift => "<<",
            BinOp::RShift => ">>",
            BinOp::BitAnd => "&",
            BinOp::BitOr => "|",
            BinOp::BitXor => "^",
        }
    }
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of Python's ast module")]
pub enum UnaryOp {
    Not,
    Invert,
    UAdd,
    USub,
}

/// Comparison operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of Python's ast module")]
pub enum CompareOp {
    Eq,
    NotEq,
    Lt,
    LtE,
    Gt,
    GtE,
    Is,
    IsNot,
    In,
    NotIn,
}

/// `and`, `or`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum BoolOp {
    And,
    Or,
}
