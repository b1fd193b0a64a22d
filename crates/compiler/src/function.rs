//! A Python function as the compiler sees it: syntax, and what its free names stand for.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use freeloom_ir as ir;

use crate::ast::{Float, FunctionDef};

/// A top-level Python function with everything that decides its meaning.
///
/// Equality and hashing are by content: syntax, defaults and captures; not the name, the file or the
/// position. They are the identity of the function in every cache.
#[derive(Clone, Debug)]
pub struct Function {
    /// `__qualname__`, for messages.
    pub name: String,
    /// Where it was written.
    pub source: Arc<SourceFile>,
    /// The syntax.
    pub def: FunctionDef,
    /// Evaluated defaults, by parameter name.
    pub defaults: BTreeMap<String, Capture>,
    /// Free names and dotted paths that begin with one (`"limit"`, `"np.sin"`, `"config.scale"`), each with
    /// what it stood for when the function was read. The longest path wins.
    pub captures: BTreeMap<String, Capture>,
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.def == other.def && self.defaults == other.defaults && self.captures == other.captures
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.def, &self.defaults, &self.captures).hash(state);
    }
}

/// The lines of source around a function, for messages.
#[derive(Clone, Debug, Default)]
pub struct SourceFile {
    /// As CPython names it.
    pub filename: String,
    /// Number of the first line of `lines`.
    pub first_line: u32,
    /// The lines that contain the function.
    pub lines: Vec<String>,
}

/// What a free name stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Capture {
    /// A value known now, which becomes part of the code.
    Value(ConstValue),
    /// Another Python function, inlined where it is called.
    Function(Arc<Function>),
    /// A function of a known library.
    Builtin(Builtin),
    /// A type to construct values of: a NumPy scalar type or a record type.
    Type(ir::Type),
    /// An array whose contents are read when the operator runs.
    Array(ArrayCapture),
    /// Something else; using it is refused. Holds how to call it in the message.
    Unsupported(String),
}

/// A function that the compiler knows: `Library::Math` + `"sqrt"`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Builtin {
    /// Where it lives.
    pub library: Library,
    /// Its name there.
    pub name: String,
}

/// The libraries the compiler knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Library {
    /// `builtins`: also `int`, `float`, `bool`, `complex`, `range`, `len`, `tuple`.
    Builtins,
    /// `math`
    Math,
    /// `cmath`
    CMath,
    /// `numpy` ufuncs and functions. Scalar types are [`Capture::Type`].
    NumPy,
    /// `operator`
    Operator,
}

/// An array captured from a closure or from globals.
///
/// Each array of an operator (its helper functions included) has its own slot; the pointer is bound anew at
/// every call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayCapture {
    /// Number of the array among those of the whole operator.
    pub slot: u32,
    /// Element type.
    pub elem: ir::Type,
    /// Number of dimensions.
    pub rank: u32,
}

/// A value known when the function is compiled.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstValue {
    /// A Python `int`.
    Int(i128),
    /// A Python `float`.
    Float(Float),
    /// A Python `complex`.
    Complex(Float, Float),
    /// A Python `bool` or NumPy `bool_`.
    Bool(bool),
    /// A NumPy scalar.
    Scalar(ir::Const),
    /// A NumPy complex scalar: `F32` or `F64`, real part, imaginary part.
    ComplexScalar(ir::Scalar, Float, Float),
    /// A tuple.
    Tuple(Vec<ConstValue>),
    /// A record: its type and its components in order. Sub-array fields are `Tuple`s.
    Record(ir::Type, Vec<ConstValue>),
    /// `None`
    None,
    /// A string.
    Str(String),
}
