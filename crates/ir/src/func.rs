//! Modules, functions, statements and instructions.

use crate::op::{BinaryOp, CmpOp, Const, UnaryOp};
use crate::types::Type;

/// A value: a parameter, a loop index or the result of an instruction. Defined once per function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Value(pub u32);

/// A mutable local variable. Its value before the first `set` is the zero of its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Var(pub u32);

/// A function of the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FuncId(pub u32);

/// Functions that are compiled together. A function may call those before it only, so there is no
/// recursion.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Module {
    /// The functions; [`FuncId`] is the index.
    pub funcs: Vec<Func>,
}

impl Module {
    /// Adds a function.
    pub fn push(&mut self, func: Func) -> FuncId {
        self.funcs.push(func);
        FuncId(self.funcs.len() as u32 - 1)
    }

    /// The function of an id that came from this module.
    pub fn func(&self, id: FuncId) -> &Func {
        &self.funcs[id.0 as usize]
    }

    /// Copies every function of `other` into this module as internal ones and returns where `entry` went.
    pub fn import(&mut self, other: &Module, entry: FuncId) -> FuncId {
        let base = self.funcs.len() as u32;
        for func in &other.funcs {
            let mut func = func.clone();
            func.linkage = Linkage::Internal;
            func.body.for_each_inst_mut(&mut |inst| {
                if let Inst::Call(callee, _) = inst {
                    callee.0 += base;
                }
            });
            self.funcs.push(func);
        }
        FuncId(base + entry.0)
    }
}

/// Who can see a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// Inlined into its callers; it has no address.
    Internal,
    /// A symbol of the object, with the C calling convention. Parameters are scalars and addresses, the
    /// result a scalar or nothing.
    Export,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Func {
    /// Symbol if exported, else for people only.
    pub name: String,
    /// Visibility.
    pub linkage: Linkage,
    /// Number of parameters: they are values `0 .. params`.
    pub params: u32,
    /// Result type; `None` for a procedure.
    pub ret: Option<Type>,
    /// Type of every value, indexed by [`Value`].
    pub values: Vec<Type>,
    /// Every variable, indexed by [`Var`].
    pub vars: Vec<VarData>,
    /// The body. A function with a result must end each path with `return`, `fail` or an endless loop.
    pub body: Block,
}

/// A mutable local variable's declaration.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct VarData {
    /// For people only.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

impl Func {
    /// Type of a value of this function.
    pub fn type_of(&self, v: Value) -> &Type {
        &self.values[v.0 as usize]
    }

    /// Types of the parameters.
    pub fn param_types(&self) -> &[Type] {
        &self.values[..self.params as usize]
    }
}

/// A list of statements.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Block(pub Vec<Stmt>);

/// A statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stmt {
    /// Defines a value.
    Let(Value, Inst),
    /// Assigns a variable.
    Set(Var, Value),
    /// Writes a value to memory. No alignment is assumed.
    Store {
        /// Address.
        ptr: Value,
        /// What to write.
        value: Value,
    },
    /// Takes one of two branches.
    If {
        /// A `bool`.
        cond: Value,
        /// Taken if true.
        then: Block,
        /// Taken if false.
        els: Block,
    },
    /// Repeats its body until `break` or `return`.
    Loop(Block),
    /// A counted loop.
    For(For),
    /// Leaves the innermost loop.
    Break,
    /// Starts the next round of the innermost loop.
    Continue,
    /// Leaves the function.
    Return(Option<Value>),
    /// Asks whether the run was cancelled and, if so, leaves the function with a zero result. Front ends put
    /// it into loops whose length is not known.
    Poll,
    /// Records a failure of the run and leaves the function with a zero result. The run's result is
    /// discarded and the caller gets an exception.
    Fail(Fail),
}

/// `for index in lo .. hi` over `i64`; no round if `hi <= lo`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct For {
    /// Defined in the body.
    pub index: Value,
    /// First value.
    pub lo: Value,
    /// One past the last value.
    pub hi: Value,
    /// What back ends may assume of the rounds.
    pub rounds: Rounds,
    /// What is repeated.
    pub body: Block,
}

/// What back ends may assume of the rounds of a [`For`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounds {
    /// Nothing: one after the other.
    Ordered,
    /// One after the other, and too few to be worth vectorising: the rest that does not fill a row.
    Few,
    /// Any order or at once: what one round stores no other round loads.
    Parallel,
}

/// Why a run fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u32)]
pub enum Fail {
    /// An index of a captured array or an array field is outside of it.
    IndexOutOfRange = 1,
    /// `range()` with a step of zero.
    ZeroStep = 2,
    /// An iterator is entered at a position outside of its arrays.
    PositionOutOfRange = 3,
}

impl Fail {
    /// Every failure.
    pub const ALL: [Fail; 3] = [Fail::IndexOutOfRange, Fail::ZeroStep, Fail::PositionOutOfRange];

    /// The name in IR text.
    pub const fn name(self) -> &'static str {
        match self {
            Fail::IndexOutOfRange => "index_out_of_range",
            Fail::ZeroStep => "zero_step",
            Fail::PositionOutOfRange => "position_out_of_range",
        }
    }

    /// The failure of that code.
    pub fn from_code(code: u32) -> Option<Fail> {
        Self::ALL.into_iter().find(|f| *f as u32 == code)
    }
}

/// An instruction: computes one value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Inst {
    /// A scalar constant.
    Const(Const),
    /// The current value of a variable.
    Get(Var),
    /// One-operand arithmetic on scalars.
    Unary(UnaryOp, Value),
    /// Two-operand arithmetic on scalars of one type.
    Binary(BinaryOp, Value, Value),
    /// Comparison of two scalars of one type.
    Cmp(CmpOp, Value, Value),
    /// `cond ? a : b` for values of any one type; both are already computed.
    Select(Value, Value, Value),
    /// Conversion between scalars. To `bool`: is it not zero (NaN is not zero). Float to integer: towards
    /// zero, saturating, NaN gives 0. Integer to narrower integer: modulo. To float: nearest even.
    Cast(Value, Type),
    /// The same bits as another scalar type of the same size (`bool` excluded).
    Bitcast(Value, Type),
    /// A complex number, tuple, struct or array from its components; a view from its base address, its lengths
    /// and its strides (`i64`, one of each per axis).
    Make(Type, Vec<Value>),
    /// A component at a fixed index.
    Extract(Value, u32),
    /// An element of an array value, or of a tuple or struct whose components have one type, at an `i64`
    /// index. The index must be in range: front ends check it.
    Index(Value, Value),
    /// The length of a view along an axis (`i64`).
    ViewLen(Value, u32),
    /// The element of a view at one `i64` index per axis. Indices must be in range: front ends check them.
    ViewLoad(Value, Vec<Value>),
    /// An address moved by an `i64` number of bytes.
    PtrAdd(Value, Value),
    /// Reads a value from memory. No alignment is assumed.
    Load(Type, Value),
    /// The address of fresh, uninitialised memory of that many bytes, 64-byte aligned, alive until the function returns.
    /// Allowed at the top level of a function body only.
    StackAlloc(u64),
    /// Calls an earlier function that has a result.
    Call(FuncId, Vec<Value>),
}

impl Inst {
    /// Calls `f` with each operand.
    pub fn for_each_operand(&self, f: &mut impl FnMut(Value)) {
        match self {
            Inst::Const(_) | Inst::Get(_) | Inst::StackAlloc(_) => {}
            Inst::Unary(_, a)
            | Inst::Cast(a, _)
            | Inst::Bitcast(a, _)
            | Inst::Extract(a, _)
            | Inst::ViewLen(a, _)
            | Inst::Load(_, a) => f(*a),
            Inst::Binary(_, a, b) | Inst::Cmp(_, a, b) | Inst::Index(a, b) | Inst::PtrAdd(a, b) => {
                f(*a);
                f(*b);
            }
            Inst::Select(c, a, b) => {
                f(*c);
                f(*a);
                f(*b);
            }
            Inst::Make(_, items) | Inst::Call(_, items) => items.iter().copied().for_each(f),
            Inst::ViewLoad(v, idx) => {
                f(*v);
                idx.iter().copied().for_each(f);
            }
        }
    }
}

impl Block {
    /// Calls `f` with each instruction, in order, nested blocks included.
    pub fn for_each_inst_mut(&mut self, f: &mut impl FnMut(&mut Inst)) {
        for stmt in &mut self.0 {
            match stmt {
                Stmt::Let(_, inst) => f(inst),
                Stmt::If { then, els, .. } => {
                    then.for_each_inst_mut(f);
                    els.for_each_inst_mut(f);
                }
                Stmt::Loop(body) => body.for_each_inst_mut(f),
                Stmt::For(l) => l.body.for_each_inst_mut(f),
                _ => {}
            }
        }
    }

    /// Calls `f` with each statement, in order, outer before inner.
    pub fn for_each_stmt(&self, f: &mut impl FnMut(&Stmt)) {
        for stmt in &self.0 {
            f(stmt);
            match stmt {
                Stmt::If { then, els, .. } => {
                    then.for_each_stmt(f);
                    els.for_each_stmt(f);
                }
                Stmt::Loop(body) => body.for_each_stmt(f),
                Stmt::For(l) => l.body.for_each_stmt(f),
                _ => {}
            }
        }
    }
}
