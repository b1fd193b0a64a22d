//! Type inference and lowering to IR, which are one thing.
//!
//! A function is lowered in rounds. The type of each local is the join of all its assignments; a round
//! declares each local with what the rounds before found. When an assignment does not fit, the table of types
//! grows and the round is repeated; the round that changes nothing gives the result. Types only grow and
//! joins are finite, so this ends. Definite assignment (see [`crate::flow`]) guarantees that a local which
//! is read has been assigned earlier in program order, so there is always a type to begin with.
//!
//! * [`stmt`], [`loops`], [`expr`], [`cond`], [`call`], [`subscript`]: one file per syntax group
//! * [`locals`]: names; [`frame`]: instances of functions
//! * [`session`]: what lasts from round to round

mod call;
mod cond;
mod expr;
mod frame;
mod lazy;
mod locals;
mod loops;
mod range;
mod session;
mod single_op;
mod size;
mod stmt;
mod subscript;
mod unsupported;

use std::collections::HashMap;

use freeloom_ir as ir;

use crate::arith;
use crate::ast::Span;
use crate::diagnostic::{CompileError, Refusal};
use crate::flow::Flow;
use crate::function::Function;
use crate::operand::{Operand, Ty};

use frame::{Frame, Item, ResultMode};
use session::Session;

pub use single_op::as_single_op;

/// A compiled function.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The code.
    pub module: ir::Module,
    /// The function that takes `args`, then one view per entry of `arrays`.
    pub entry: ir::FuncId,
    /// Argument types.
    pub args: Vec<ir::Type>,
    /// Result type.
    pub ret: ir::Type,
    /// The captured arrays it reads, by ascending slot.
    pub arrays: Vec<CapturedArray>,
    /// Does it contain loops that ask whether the run was cancelled?
    pub polls: bool,
}

/// A captured array of a [`Compiled`] function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CapturedArray {
    /// Its number, see [`crate::ArrayCapture`].
    pub slot: u32,
    /// Element type.
    pub elem: ir::Type,
    /// Number of dimensions.
    pub rank: u32,
    /// Per axis, the least length that the constant indices in the code need. The code does not check them:
    /// who binds the array does.
    pub min_len: Vec<u64>,
}

/// Compiles a function for argument types. Without `ret` the result type is inferred.
pub fn compile(f: &Function, args: &[ir::Type], ret: Option<&ir::Type>) -> Result<Compiled, CompileError> {
    if let Some(refusal) = args.iter().chain(ret).find_map(size::refuse) {
        return Err(refusal.at(f.def.span, &f.source));
    }
    let mut session = Session::new(f, args, ret);
    for _ in 0..session::MAX_ROUNDS {
        session.begin_round();
        match Lowerer::new(&mut session).run() {
            Ok((func, ret)) if session.settled() => return Ok(session.finish(func, ret)),
            Err(error) if !session.changed => return Err(error),
            _ => {}
        }
    }
    Err(Refusal::new("the types of this function do not settle")
        .hint("convert explicitly, as in `float(x)` or `np.int64(x)`")
        .at(f.def.span, &f.source))
}

type Res<T> = Result<T, CompileError>;

/// One round.
struct Lowerer<'s, 'f> {
    session: &'s mut Session<'f>,
    b: ir::Builder,
    /// Every instance of the round; closures refer to them by index.
    frames: Vec<Frame<'f>>,
    /// The instance being lowered.
    current: usize,
    /// Those being inlined, outermost first; the last is `current`.
    active: Vec<usize>,
    /// Open IR blocks.
    depth: u32,
    /// Nesting of syntax around the current point, all active instances together.
    nesting: u32,
    /// Statements and expressions lowered so far.
    steps: u32,
    /// Rounds of the loops since the last one that polls, at most.
    unpolled: u64,
    /// Has a `return` inside a branch made the rest of the code conditional?
    may_have_left: bool,
}

impl<'s, 'f> Lowerer<'s, 'f> {
    fn new(session: &'s mut Session<'f>) -> Lowerer<'s, 'f> {
        let mut params = session.args.to_vec();
        params.extend(session.arrays.values().map(|a| ir::Type::view(a.elem.clone(), a.rank)));
        let b = ir::Builder::new(&session.function.name, ir::Linkage::Internal, &params, None);
        Lowerer {
            session,
            b,
            frames: Vec::new(),
            current: 0,
            active: Vec::new(),
            depth: 0,
            nesting: 0,
            steps: 0,
            unpolled: 1,
            may_have_left: false,
        }
    }

    fn run(mut self) -> Res<(ir::Func, ir::Type)> {
        let function = self.session.function;
        self.push_entry(function)?;
        self.bind_entry()?;
        self.body(&function.def.body)?;
        if self.frame().flow.is_reachable() {
            return Err(self.falls_off(&function.name, function.def.span));
        }
        let Some(ret) = self.b.return_type().cloned() else {
            let refusal = Refusal::new(format!("`{}` never returns", function.name));
            return Err(self.error(function.def.span, refusal));
        };
        Ok((self.b.finish(), ret))
    }

    fn push_entry(&mut self, function: &'f Function) -> Res<()> {
        let bindings =
            self.session.bindings(&function.def).map_err(|span| too_deep().at(span, &function.source))?;
        self.frames.push(Frame {
            function,
            def: &function.def,
            name: &function.name,
            lexical: None,
            instance: 0,
            bindings,
            slots: HashMap::new(),
            flow: Flow::start(),
            base_depth: 0,
            loops: Vec::new(),
            result: ResultMode::Entry,
            sites: HashMap::new(),
            unrolled: 0,
        });
        self.active.push(0);
        match &function.def.unsupported {
            Some((what, span)) => Err(self.error(*span, unsupported::function(what))),
            None => Ok(()),
        }
    }

    fn bind_entry(&mut self) -> Res<()> {
        let function = self.session.function;
        let count = self.session.args.len();
        let mut args = Vec::with_capacity(count);
        for i in 0..count {
            let value = self.b.param(i);
            let op = Operand::new(session::type_of_param(&self.session.args[i]), value);
            args.push(Item::Value(self.split(op)));
        }
        let defaults = self.defaults_of(function)?;
        let bound =
            self.bind(&function.def, &function.name, args, Vec::new(), defaults, function.def.span)?;
        for (name, item) in bound {
            self.assign(name, item, function.def.span)?;
        }
        Ok(())
    }

    fn frame(&self) -> &Frame<'f> {
        &self.frames[self.current]
    }

    fn frame_mut(&mut self) -> &mut Frame<'f> {
        &mut self.frames[self.current]
    }

    /// Places a refusal in the function being lowered.
    fn error(&self, span: Span, refusal: Refusal) -> CompileError {
        let mut error = refusal.at(span, &self.frame().function.source);
        error.calls = self.call_chain();
        error
    }

    /// The functions being inlined, outermost first.
    fn call_chain(&self) -> Vec<String> {
        self.active.iter().skip(1).map(|i| self.frames[*i].name.to_owned()).collect()
    }

    fn place<T>(&self, span: Span, result: Result<T, Refusal>) -> Res<T> {
        result.map_err(|refusal| self.error(span, refusal))
    }

    /// A value in the IR.
    fn materialise(&mut self, op: &Operand, span: Span) -> Res<ir::Value> {
        let value = arith::materialise(&mut self.b, op);
        self.place(span, value)
    }

    /// Lowers something nested, within the limits of depth and size.
    fn nested<T>(&mut self, span: Span, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.nesting >= session::MAX_NESTING {
            return Err(self.error(span, too_deep()));
        }
        self.steps += 1;
        if self.steps > session::MAX_STEPS {
            let refusal =
                Refusal::new("the function becomes too large once the functions it calls are inlined")
                    .hint("use a loop instead of repeating calls");
            return Err(self.error(span, refusal));
        }
        self.nesting += 1;
        let result = f(self);
        self.nesting -= 1;
        result
    }

    /// Lowers into a block of its own.
    fn in_block<T>(&mut self, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<(ir::Block, T)> {
        self.b.open_block();
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        let block = self.b.close_block();
        Ok((block, result?))
    }

    /// Puts the statements of a block here.
    fn splice(&mut self, block: ir::Block) {
        for stmt in block.0 {
            self.b.push(stmt);
        }
    }

    /// A tuple held whole, taken apart.
    fn split(&mut self, op: Operand) -> Operand {
        let (Ty::Tuple(types), crate::Repr::Value(value)) = (&op.ty, &op.repr) else { return op };
        let mut items = Vec::with_capacity(types.len());
        for (i, ty) in types.clone().into_iter().enumerate() {
            let item = self.b.extract(*value, i);
            items.push(self.split(Operand::new(ty, item)));
        }
        Operand::tuple(items)
    }
}

fn too_deep() -> Refusal {
    Refusal::new("this is nested too deeply").hint("use several statements or functions")
}
