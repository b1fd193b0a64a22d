//! Builds random function bodies.

use super::values::{any_scalar, any_type, interesting};
use super::{Config, Rng, is_exact_binary, is_exact_unary};
use crate::builder::Builder;
use crate::func::{Block, Fail, For, Func, FuncId, Linkage, Module, Rounds, Stmt, Value, Var};
use crate::op::{BinaryOp, CmpOp, Const, UnaryOp};
use crate::types::{Scalar, Type};

const MAX_LOOPS: u32 = 2;
const MAX_BLOCKS: u32 = 4;

/// A place in stack memory that holds values of one type.
struct Cell {
    ptr: Value,
    ty: Type,
}

pub(super) struct Generator<'a> {
    rng: &'a mut Rng,
    config: Config,
    module: &'a Module,
    b: Builder,
    visible: Vec<Value>,
    vars: Vec<Var>,
    cells: Vec<Cell>,
    ret: Scalar,
    blocks: u32,
    loops: u32,
    left: usize,
}

impl<'a> Generator<'a> {
    pub(super) fn new(
        rng: &'a mut Rng,
        config: Config,
        module: &'a Module,
        b: Builder,
        params: usize,
    ) -> Generator<'a> {
        let visible = (0..params).map(|i| b.param(i)).collect();
        let (vars, cells, left) = (Vec::new(), Vec::new(), config.statements);
        Generator {
            rng,
            config,
            module,
            b,
            visible,
            vars,
            cells,
            ret: Scalar::I64,
            blocks: 0,
            loops: 0,
            left,
        }
    }

    pub(super) fn run(mut self, ret: Scalar) -> Func {
        self.ret = ret;
        for i in 0..1 + self.rng.below(4) {
            let ty = self.ty();
            self.vars.push(self.b.var(&format!("v{i}"), ty));
        }
        if self.config.memory {
            (0..self.rng.below(3)).for_each(|_| self.cell());
        }
        while self.left > 0 {
            self.stmt();
        }
        let result = self.digest();
        let result = self.b.cast(result, ret);
        self.b.ret(Some(result));
        self.b.finish()
    }

    /// A number that depends on the variables and the latest values, so that little of the body is idle.
    fn digest(&mut self) -> Value {
        let vars = self.vars.clone();
        let mut values: Vec<Value> = vars.into_iter().map(|var| self.b.get(var)).collect();
        values.extend(self.visible.iter().rev().take(8));
        let start = self.b.constant(Const::int(Scalar::U64, 0));
        values.into_iter().fold(start, |sum, v| self.mix(sum, v))
    }

    fn mix(&mut self, sum: Value, v: Value) -> Value {
        let ty = self.b.type_of(v).clone();
        let Type::Scalar(s) = ty else {
            let count = ty.component_count();
            return (0..count).fold(sum, |sum, i| {
                let item = self.b.extract(v, i);
                self.mix(sum, item)
            });
        };
        let bits = if s.is_float() { self.float_bits(v, s) } else { v };
        let bits = self.b.cast(bits, Scalar::U64);
        let factor = self.b.constant(Const::int(Scalar::U64, 0x9e37_79b9_7f4a_7c15));
        let product = self.b.binary(BinaryOp::Mul, sum, factor);
        self.b.binary(BinaryOp::Xor, product, bits)
    }

    /// The bits of a float, or 0 for any NaN.
    fn float_bits(&mut self, v: Value, s: Scalar) -> Value {
        let zero = self.b.constant(Const { ty: s, bits: 0 });
        let ordered = self.b.cmp(CmpOp::Eq, v, v);
        let clean = self.b.select(ordered, v, zero);
        let unsigned = match s {
            Scalar::F16 => Scalar::U16,
            Scalar::F32 => Scalar::U32,
            _ => Scalar::U64,
        };
        self.b.bitcast(clean, unsigned)
    }

    fn ty(&mut self) -> Type {
        let depth = if self.config.aggregates { 2 } else { 0 };
        any_type(self.rng, depth, self.config.half)
    }

    fn push(&mut self, v: Value) {
        self.visible.push(v);
    }

    /// A visible value of a type, or a new one.
    fn value(&mut self, ty: &Type) -> Value {
        let found: Vec<Value> = self.visible.iter().copied().filter(|v| self.b.type_of(*v) == ty).collect();
        let latest = if self.rng.one_in(2) { found.len().saturating_sub(3) } else { 0 };
        match self.rng.pick(&found[latest..]) {
            Some(v) if !self.rng.one_in(5) => *v,
            _ => self.fresh(ty),
        }
    }

    fn fresh(&mut self, ty: &Type) -> Value {
        let v = match ty {
            Type::Scalar(s) => {
                let c = interesting(self.rng, *s);
                self.b.constant(c)
            }
            _ => {
                let types: Vec<Type> =
                    (0..ty.component_count()).filter_map(|i| ty.component(i)).map(|c| c.0).collect();
                let items = types.iter().map(|ty| self.value(ty)).collect();
                self.b.make(ty.clone(), items)
            }
        };
        self.push(v);
        v
    }

    fn scalar(&mut self, s: Scalar) -> Value {
        self.value(&Type::Scalar(s))
    }

    fn number(&mut self, v: i64) -> Value {
        self.b.constant(Const::i64(v))
    }

    fn cell(&mut self) {
        let ty = self.ty();
        let (size, skew) = (ty.size(), self.rng.below(8) as i64);
        let base = self.b.stack_alloc(size + 8);
        let skew = self.number(skew);
        let ptr = self.b.ptr_add(base, skew);
        let first = self.value(&ty);
        self.b.store(ptr, first);
        self.cells.push(Cell { ptr, ty });
    }

    fn stmt(&mut self) {
        self.left = self.left.saturating_sub(1);
        match self.rng.below(16) {
            0..=2 => self.unary(),
            3..=5 => self.binary(),
            6 => self.cmp(),
            7 => self.select(),
            8 => self.convert(),
            9 => self.aggregate(),
            10 => self.variable(),
            11 => self.memory(),
            12 => self.call(),
            13 if self.blocks < MAX_BLOCKS => self.branch(),
            14 if self.blocks < MAX_BLOCKS && self.loops < MAX_LOOPS => self.counted(),
            15 if self.blocks < MAX_BLOCKS && self.loops < MAX_LOOPS => self.endless(),
            _ => self.variable(),
        }
    }

    fn unary(&mut self) {
        let op = UnaryOp::ALL[self.rng.below(UnaryOp::ALL.len())];
        let s = any_scalar(self.rng, self.config.half);
        if op.domain().contains(s) && (!self.config.exact || is_exact_unary(op)) {
            let a = self.scalar(s);
            let v = self.b.unary(op, a);
            self.push(v);
        }
    }

    fn binary(&mut self) {
        let op = BinaryOp::ALL[self.rng.below(BinaryOp::ALL.len())];
        let s = any_scalar(self.rng, self.config.half);
        if op.domain().contains(s) && (!self.config.exact || is_exact_binary(op)) {
            let (a, b) = (self.scalar(s), self.scalar(s));
            let v = self.b.binary(op, a, b);
            self.push(v);
        }
    }

    fn cmp(&mut self) {
        let op = CmpOp::ALL[self.rng.below(CmpOp::ALL.len())];
        let s = any_scalar(self.rng, self.config.half);
        let (a, b) = (self.scalar(s), self.scalar(s));
        let v = self.b.cmp(op, a, b);
        self.push(v);
    }

    fn select(&mut self) {
        let ty = self.ty();
        let (c, a, b) = (self.scalar(Scalar::Bool), self.value(&ty), self.value(&ty));
        let v = self.b.select(c, a, b);
        self.push(v);
    }

    fn convert(&mut self) {
        let (from, to) = (any_scalar(self.rng, self.config.half), any_scalar(self.rng, self.config.half));
        let a = self.scalar(from);
        let bits = from.size() == to.size() && from != Scalar::Bool && to != Scalar::Bool;
        let shows_nan = from.is_float() && !to.is_float();
        let v = match bits && self.rng.one_in(2) && !(self.config.exact && shows_nan) {
            true => self.b.bitcast(a, to),
            false => self.b.cast(a, to),
        };
        self.push(v);
    }

    fn aggregate(&mut self) {
        let ty = self.ty();
        let count = ty.component_count();
        if count == 0 {
            return;
        }
        let a = self.value(&ty);
        let v = match ty {
            Type::Array(_) if self.rng.one_in(2) => {
                let index = self.rng.below(count) as i64;
                let index = self.number(index);
                self.b.index(a, index)
            }
            _ => self.b.extract(a, self.rng.below(count)),
        };
        self.push(v);
    }

    fn variable(&mut self) {
        let Some(var) = self.rng.pick(&self.vars).copied() else { return };
        if self.rng.one_in(2) {
            let v = self.b.get(var);
            self.push(v);
        } else {
            let ty = self.b.var_type(var).clone();
            let v = self.value(&ty);
            self.b.set(var, v);
        }
    }

    fn memory(&mut self) {
        let Some(Cell { ptr, ty }) = self.rng.pick(&self.cells) else { return };
        let (ptr, ty) = (*ptr, ty.clone());
        if self.rng.one_in(2) {
            let v = self.b.load(ty, ptr);
            self.push(v);
        } else {
            let v = self.value(&ty);
            self.b.store(ptr, v);
        }
    }

    /// Calls stand outside of loops, so that chains of them stay short.
    fn call(&mut self) {
        let callee = FuncId(self.rng.below(self.module.funcs.len()) as u32);
        if self.module.funcs.is_empty() || self.loops > 0 || self.module.func(callee).ret.is_none() {
            return;
        }
        let types = self.module.func(callee).param_types();
        if types.iter().any(|ty| ty.scalar().is_none()) {
            return;
        }
        let args = types.iter().map(|ty| self.value(ty)).collect();
        let v = self.b.call(self.module, callee, args);
        self.push(v);
    }

    /// A block of some statements, after what `first` puts into it.
    fn block(&mut self, first: impl FnOnce(&mut Self)) -> Block {
        let seen = self.visible.len();
        self.b.open_block();
        self.blocks += 1;
        first(self);
        for _ in 0..self.rng.below(6) {
            self.stmt();
        }
        if self.rng.one_in(4) {
            self.jump();
        }
        self.blocks -= 1;
        self.visible.truncate(seen);
        self.b.close_block()
    }

    fn jump(&mut self) {
        match self.rng.below(3) {
            0 if self.loops > 0 => self.b.push(Stmt::Break),
            1 if self.loops > 0 => self.b.push(Stmt::Continue),
            _ => {
                let v = self.scalar(self.ret);
                self.b.ret(Some(v));
            }
        }
    }

    fn branch(&mut self) {
        let cond = self.scalar(Scalar::Bool);
        let then = self.block(|_| {});
        let els = if self.rng.one_in(2) { Block::default() } else { self.block(|_| {}) };
        self.b.push(Stmt::If { cond, then, els });
    }

    fn counted(&mut self) {
        let (lo, rounds) = (self.rng.below(7) as i64 - 3, self.rng.below(7) as i64 - 1);
        let (lo, hi) = (self.number(lo), self.number(lo + rounds));
        let index = self.b.loop_index();
        self.loops += 1;
        let body = self.block(|this| this.push(index));
        self.loops -= 1;
        self.b.push(Stmt::For(For { index, lo, hi, rounds: Rounds::Ordered, body }));
    }

    /// `loop` with a counter of its own that ends it.
    fn endless(&mut self) {
        let rounds = self.rng.below(6) as i64;
        let counter = self.b.var("counter", Type::I64);
        let zero = self.number(0);
        self.b.set(counter, zero);
        self.loops += 1;
        let body = self.block(|this| {
            let (n, one, end) = (this.b.get(counter), this.number(1), this.number(rounds));
            let over = this.b.cmp(CmpOp::Ge, n, end);
            this.b.if_else(over, |b| b.push(Stmt::Break), |_| {});
            let next = this.b.binary(BinaryOp::Add, n, one);
            this.b.set(counter, next);
            this.b.push(Stmt::Poll);
        });
        self.loops -= 1;
        self.b.push(Stmt::Loop(body));
    }
}

/// A procedure on views and addresses: valid, but not made to be run.
pub(super) fn memory_function(rng: &mut Rng, name: &str) -> Func {
    let (elem, rank) = (any_type(rng, 3, true), rng.below(4) as u32);
    let view = Type::view(elem.clone(), rank);
    let mut b = Builder::new(name, Linkage::Internal, &[Type::Ptr, view.clone(), Type::I64], None);
    let (ptr, given, n) = (b.param(0), b.param(1), b.param(2));
    let var = b.var(name, view.clone());
    let parts = std::iter::once(ptr).chain((0..2 * rank).map(|_| n)).collect();
    let made = b.make(view, parts);
    b.set(var, made);
    b.for_range(n, n, arbitrary_rounds(rng), |b, i| {
        let item = b.view_load(given, vec![i; rank as usize]);
        let to = b.ptr_add(ptr, i);
        b.store(to, item);
        let again = b.load(elem.clone(), to);
        b.store(ptr, again);
    });
    for axis in 0..rank {
        let len = b.view_len(given, axis);
        let empty = b.cmp(CmpOp::Le, len, n);
        let fail = Fail::ALL[rng.below(Fail::ALL.len())];
        b.if_else(empty, |b| b.fail(fail), |b| b.ret(None));
    }
    b.loop_index();
    b.finish()
}

fn arbitrary_rounds(rng: &mut Rng) -> Rounds {
    if rng.one_in(2) {
        Rounds::Parallel
    } else if rng.one_in(2) {
        Rounds::Few
    } else {
        Rounds::Ordered
    }
}
