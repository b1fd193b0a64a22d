//! Instances of functions: the operator itself and each function inlined into it.

use std::collections::HashMap;
use std::rc::Rc;

use freeloom_ir as ir;

use crate::ast::FunctionDef;
use crate::flow::Flow;
use crate::function::{Builtin, Function};
use crate::operand::{Operand, Ty};
use crate::scope::Bindings;

/// What an expression evaluates to.
#[derive(Clone, Debug)]
pub(super) enum Item<'f> {
    /// A value of the language, or a whole captured array.
    Value(Operand),
    /// Something to call.
    Callee(Callee<'f>),
    /// `None`
    None,
    /// A string.
    Str,
}

impl Item<'_> {
    /// Is it known without running anything, or a parameter of the whole operator?
    pub(super) fn is_static(&self) -> bool {
        match self {
            Item::Value(op) => is_view(op) || is_constant(op),
            _ => true,
        }
    }
}

/// Is it a whole captured array?
pub(super) fn is_view(op: &Operand) -> bool {
    matches!(op.ty, Ty::Strong(ir::Type::View(_)))
}

/// Does it hold nothing but constants?
fn is_constant(op: &Operand) -> bool {
    match &op.repr {
        crate::Repr::Const(_) => true,
        crate::Repr::Value(_) => false,
        crate::Repr::Tuple(items) => items.iter().all(is_constant),
    }
}

/// Something to call.
#[derive(Clone, Debug)]
pub(super) enum Callee<'f> {
    /// A `lambda` or a nested `def`.
    Closure(Rc<Closure<'f>>),
    /// A Python function from the enclosing scopes.
    Function(&'f Function),
    /// A function of a known library.
    Builtin(&'f Builtin),
    /// A type.
    Type(&'f ir::Type),
}

/// A nested function and where its free names live.
#[derive(Debug)]
pub(super) struct Closure<'f> {
    pub(super) name: &'f str,
    pub(super) def: &'f FunctionDef,
    /// Index of the enclosing function's frame.
    pub(super) frame: usize,
    /// Defaults, evaluated where the function was defined.
    pub(super) defaults: Vec<(&'f str, Slot<'f>)>,
}

/// Where a local lives.
#[derive(Clone, Debug)]
pub(super) enum Slot<'f> {
    /// Bound once to something that stays in scope.
    Direct(Item<'f>),
    /// An IR variable.
    Var(ir::Var, Ty),
}

/// An instance of a function during one round.
#[derive(Debug)]
pub(super) struct Frame<'f> {
    /// Owner of the captures and of the source lines.
    pub(super) function: &'f Function,
    /// The syntax.
    pub(super) def: &'f FunctionDef,
    /// For messages.
    pub(super) name: &'f str,
    /// Frame of the lexically enclosing function.
    pub(super) lexical: Option<usize>,
    /// The same in every round; part of the key of its locals' types.
    pub(super) instance: u32,
    pub(super) bindings: Rc<Bindings<'f>>,
    pub(super) slots: HashMap<&'f str, Slot<'f>>,
    pub(super) flow: Flow<'f>,
    /// Number of open IR blocks when the body began.
    pub(super) base_depth: u32,
    /// Loops around the current statement, innermost last.
    pub(super) loops: Vec<LoopCtx<'f>>,
    pub(super) result: ResultMode<'f>,
    /// How often each call site was inlined so far.
    pub(super) sites: HashMap<usize, u32>,
    /// Depth of unrolled loops that have jumps: nothing in them is bound only once.
    pub(super) unrolled: u32,
}

/// What `return` does.
#[derive(Debug)]
pub(super) enum ResultMode<'f> {
    /// Leaves the IR function.
    Entry,
    /// The only `return` is the last statement: its value is the call's.
    Single(Option<Item<'f>>),
    /// Assigns the result variable and leaves the body.
    Variable(Leave),
}

/// How an inlined body is left.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leave {
    /// Nothing follows any `return`.
    FallThrough,
    /// The body stands in a loop of its own: `break`.
    Break,
    /// As before, and `return`s inside loops tell the levels above through this flag.
    Flag(ir::Var),
}

/// A loop being lowered.
#[derive(Debug)]
pub(super) struct LoopCtx<'f> {
    /// Met states of all `break`s.
    pub(super) breaks: Flow<'f>,
    /// Met states of all `continue`s.
    pub(super) continues: Flow<'f>,
    /// Set by `break` when something after the loop asks.
    pub(super) broke: Option<ir::Var>,
    /// An iteration of an unrolled loop, which stands in a loop of its own.
    pub(super) unrolled: bool,
    /// Did the body contain a `return`?
    pub(super) returns: bool,
}

impl LoopCtx<'_> {
    pub(super) fn new(broke: Option<ir::Var>, unrolled: bool) -> Self {
        LoopCtx { breaks: Flow::Unreachable, continues: Flow::Unreachable, broke, unrolled, returns: false }
    }
}
