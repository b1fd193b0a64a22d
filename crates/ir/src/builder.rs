//! Builds a function statement by statement.
//!
//! The builder computes the type of every result. It panics on misuse that the caller's own logic must
//! exclude (an operand of the wrong type): front ends check user programs before they build.

use crate::func::{Block, Fail, For, Func, FuncId, Inst, Linkage, Module, Rounds, Stmt, Value, Var, VarData};
use crate::op::{BinaryOp, CmpOp, Const, UnaryOp};
use crate::types::{Scalar, Type};

/// A function under construction.
#[derive(Debug)]
pub struct Builder {
    func: Func,
    /// Open blocks, innermost last.
    open: Vec<Block>,
}

impl Builder {
    /// Starts a function.
    pub fn new(name: &str, linkage: Linkage, params: &[Type], ret: Option<Type>) -> Builder {
        let func = Func {
            name: name.to_owned(),
            linkage,
            params: params.len() as u32,
            ret,
            values: params.to_vec(),
            vars: Vec::new(),
            body: Block::default(),
        };
        Builder { func, open: vec![Block::default()] }
    }

    /// Ends the function.
    pub fn finish(mut self) -> Func {
        assert_eq!(self.open.len(), 1, "a block was left open");
        self.func.body = self.open.pop().unwrap_or_default();
        self.func
    }

    /// Parameter `i`.
    pub fn param(&self, i: usize) -> Value {
        assert!(i < self.func.params as usize, "no such parameter");
        Value(i as u32)
    }

    /// Sets the result type once it is known.
    pub fn set_return_type(&mut self, ret: Option<Type>) {
        self.func.ret = ret;
    }

    /// The declared result type.
    pub fn return_type(&self) -> Option<&Type> {
        self.func.ret.as_ref()
    }

    /// Type of a value.
    pub fn type_of(&self, v: Value) -> &Type {
        self.func.type_of(v)
    }

    /// Declares a variable.
    pub fn var(&mut self, name: &str, ty: Type) -> Var {
        self.func.vars.push(VarData { name: name.to_owned(), ty });
        Var(self.func.vars.len() as u32 - 1)
    }

    /// Type of a variable.
    pub fn var_type(&self, var: Var) -> &Type {
        &self.func.vars[var.0 as usize].ty
    }

    /// Appends a statement.
    pub fn push(&mut self, stmt: Stmt) {
        if let Some(block) = self.open.last_mut() {
            block.0.push(stmt);
        }
    }

    fn new_value(&mut self, ty: Type) -> Value {
        self.func.values.push(ty);
        Value(self.func.values.len() as u32 - 1)
    }

    fn define(&mut self, ty: Type, inst: Inst) -> Value {
        let v = self.new_value(ty);
        self.push(Stmt::Let(v, inst));
        v
    }

    /// A constant.
    pub fn constant(&mut self, c: Const) -> Value {
        self.define(c.type_of(), Inst::Const(c))
    }

    /// An `i64` constant.
    pub fn i64(&mut self, v: i64) -> Value {
        self.constant(Const::i64(v))
    }

    /// Reads a variable.
    pub fn get(&mut self, var: Var) -> Value {
        let ty = self.var_type(var).clone();
        self.define(ty, Inst::Get(var))
    }

    /// Assigns a variable.
    pub fn set(&mut self, var: Var, value: Value) {
        assert_eq!(self.var_type(var), self.type_of(value), "assignment to {var:?}");
        self.push(Stmt::Set(var, value));
    }

    /// One-operand arithmetic.
    pub fn unary(&mut self, op: UnaryOp, a: Value) -> Value {
        let ty = self.type_of(a).clone();
        self.define(ty, Inst::Unary(op, a))
    }

    /// Two-operand arithmetic.
    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.type_of(a).clone();
        assert_eq!(&ty, self.type_of(b), "operands of {}", op.name());
        self.define(ty, Inst::Binary(op, a, b))
    }

    /// Comparison.
    pub fn cmp(&mut self, op: CmpOp, a: Value, b: Value) -> Value {
        assert_eq!(self.type_of(a), self.type_of(b), "operands of {}", op.name());
        self.define(Type::BOOL, Inst::Cmp(op, a, b))
    }

    /// `cond ? a : b`
    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        let ty = self.type_of(a).clone();
        assert_eq!(&ty, self.type_of(b), "operands of select");
        self.define(ty, Inst::Select(cond, a, b))
    }

    /// Conversion between scalars; nothing if the type is already right.
    pub fn cast(&mut self, a: Value, to: Scalar) -> Value {
        if self.type_of(a).scalar() == Some(to) {
            return a;
        }
        self.define(Type::Scalar(to), Inst::Cast(a, Type::Scalar(to)))
    }

    /// The same bits as another type.
    pub fn bitcast(&mut self, a: Value, to: Scalar) -> Value {
        self.define(Type::Scalar(to), Inst::Bitcast(a, Type::Scalar(to)))
    }

    /// An aggregate from its components.
    pub fn make(&mut self, ty: Type, items: Vec<Value>) -> Value {
        self.define(ty.clone(), Inst::Make(ty, items))
    }

    /// A component at a fixed index.
    pub fn extract(&mut self, a: Value, index: usize) -> Value {
        let component = self.type_of(a).component(index);
        let (ty, _) = component.unwrap_or_else(|| panic!("{} has no component {index}", self.type_of(a)));
        self.define(ty, Inst::Extract(a, index as u32))
    }

    /// A component at a run-time index; every component has one type.
    pub fn index(&mut self, a: Value, index: Value) -> Value {
        let component = self.type_of(a).component(0);
        let (ty, _) = component.unwrap_or_else(|| panic!("{} has no components", self.type_of(a)));
        self.define(ty, Inst::Index(a, index))
    }

    /// Length of a view along an axis.
    pub fn view_len(&mut self, view: Value, axis: u32) -> Value {
        self.define(Type::I64, Inst::ViewLen(view, axis))
    }

    /// An element of a view.
    pub fn view_load(&mut self, view: Value, indices: Vec<Value>) -> Value {
        let Type::View(v) = self.type_of(view).clone() else { panic!("not a view") };
        self.define(v.elem.clone(), Inst::ViewLoad(view, indices))
    }

    /// An address moved by some bytes.
    pub fn ptr_add(&mut self, ptr: Value, bytes: Value) -> Value {
        self.define(Type::Ptr, Inst::PtrAdd(ptr, bytes))
    }

    /// Reads memory.
    pub fn load(&mut self, ty: Type, ptr: Value) -> Value {
        self.define(ty.clone(), Inst::Load(ty, ptr))
    }

    /// Writes memory.
    pub fn store(&mut self, ptr: Value, value: Value) {
        self.push(Stmt::Store { ptr, value });
    }

    /// Fresh memory.
    pub fn stack_alloc(&mut self, bytes: u64) -> Value {
        self.define(Type::Ptr, Inst::StackAlloc(bytes))
    }

    /// Calls a function of `module`, in which this one will be placed.
    pub fn call(&mut self, module: &Module, callee: FuncId, args: Vec<Value>) -> Value {
        let ret = module.func(callee).ret.clone();
        self.define(ret.unwrap_or_else(|| panic!("call of a procedure")), Inst::Call(callee, args))
    }

    /// `if cond { then } else { els }`
    pub fn if_else(&mut self, cond: Value, then: impl FnOnce(&mut Self), els: impl FnOnce(&mut Self)) {
        self.open_block();
        then(self);
        let then = self.close_block();
        self.open_block();
        els(self);
        let els = self.close_block();
        self.push(Stmt::If { cond, then, els });
    }

    /// An endless loop.
    pub fn endless(&mut self, body: impl FnOnce(&mut Self)) {
        self.open_block();
        body(self);
        let body = self.close_block();
        self.push(Stmt::Loop(body));
    }

    /// A counted loop.
    pub fn for_range(&mut self, lo: Value, hi: Value, rounds: Rounds, body: impl FnOnce(&mut Self, Value)) {
        let index = self.new_value(Type::I64);
        self.open_block();
        body(self, index);
        let body = self.close_block();
        self.push(Stmt::For(For { index, lo, hi, rounds, body }));
    }

    /// Opens a block by hand, for front ends whose callbacks can fail. Pair with [`Builder::close_block`].
    pub fn open_block(&mut self) {
        self.open.push(Block::default());
    }

    /// Closes the innermost open block and hands it over.
    pub fn close_block(&mut self) -> Block {
        assert!(self.open.len() > 1, "no open block");
        self.open.pop().unwrap_or_default()
    }

    /// A fresh `i64` value to be the index of a hand-made [`For`].
    pub fn loop_index(&mut self) -> Value {
        self.new_value(Type::I64)
    }

    /// Leaves the function.
    pub fn ret(&mut self, value: Option<Value>) {
        self.push(Stmt::Return(value));
    }

    /// Fails the run.
    pub fn fail(&mut self, fail: Fail) {
        self.push(Stmt::Fail(fail));
    }

    /// Has the innermost open block already ended with a jump?
    pub fn is_terminated(&self) -> bool {
        let last = self.open.last().and_then(|b| b.0.last());
        matches!(last, Some(Stmt::Return(_) | Stmt::Break | Stmt::Continue | Stmt::Fail(_)))
    }
}
