//! IR to LLVM IR.
//!
//! Values of any type are flat lists of scalar LLVM values ([`Leaves`]), so LLVM never sees a struct, and a
//! variable is one stack slot per leaf, which SROA turns into SSA form. A call is the callee's body emitted
//! again at the call, so there is no calling convention for aggregates.
//!
//! `bool` is `i1` as a value and a byte in memory. No fast-math flag is ever set: the result of every
//! operation but those of the C library is the interpreter's, bit for bit.

mod call;
mod control;
mod loop_metadata;
mod math;
mod memory;
mod scalar;
mod types;

use std::rc::Rc;

use freeloom_ir as ir;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::values::{BasicValueEnum, FloatValue, FunctionValue, IntValue, MetadataValue, PointerValue};
use ir::{Func, Linkage, Scalar, Type, Value};

use crate::error::{CpuError, invalid};
use crate::target::CpuTarget;
use loop_metadata::{LoopCounts, LoopNodes};

/// The scalars a value is made of, in the order of [`Type::leaves`].
type Leaves<'c> = Rc<[BasicValueEnum<'c>]>;

/// The stack slots of a variable, one per leaf.
type Slots<'c> = Rc<[PointerValue<'c>]>;

type Result<T, E = CpuError> = std::result::Result<T, E>;

/// Emits the exported functions of `ir` into a new LLVM module.
pub(crate) fn module<'c>(context: &'c Context, ir: &ir::Module, cpu: &CpuTarget) -> Result<Module<'c>> {
    let loops = LoopCounts::of(ir);
    let module = loops.new_module(context)?;
    let mut emitter = Emitter {
        context,
        nodes: loops.nodes(&module),
        module,
        b: context.create_builder(),
        ir,
        f16: cpu.has_f16(),
        groups: Vec::new(),
    };
    for func in ir.funcs.iter().filter(|f| f.linkage == Linkage::Export) {
        emitter.export(func)?;
    }
    Ok(emitter.module)
}

/// What is shared by the functions of a module.
struct Emitter<'c, 'm> {
    context: &'c Context,
    module: Module<'c>,
    b: Builder<'c>,
    ir: &'m ir::Module,
    /// May half-precision numbers be used?
    f16: bool,
    nodes: LoopNodes<'c>,
    /// Access groups of the parallel loops around the current instruction.
    groups: Vec<MetadataValue<'c>>,
}

/// One IR function while its body is emitted: an exported one, or one inlined into it.
struct Frame<'c, 'm> {
    func: &'m Func,
    values: Vec<Option<Leaves<'c>>>,
    vars: Vec<Slots<'c>>,
    exit: Exit<'c>,
    /// Enclosing loops, innermost last.
    loops: Vec<LoopExits<'c>>,
    /// The LLVM function, and the block that holds its stack slots.
    function: FunctionValue<'c>,
    entry: BasicBlock<'c>,
}

/// What `return` does.
#[derive(Clone)]
enum Exit<'c> {
    /// Leaves the LLVM function.
    Export,
    /// Writes the result to slots and jumps behind the call.
    Inline { block: BasicBlock<'c>, result: Slots<'c> },
}

/// Where `break` and `continue` go.
struct LoopExits<'c> {
    on_break: BasicBlock<'c>,
    on_continue: BasicBlock<'c>,
}

/// Does control reach the end of what was emitted?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Falls,
    Leaves,
}

impl<'c, 'm> Frame<'c, 'm> {
    fn define(&mut self, v: Value, leaves: Leaves<'c>) {
        self.values[v.0 as usize] = Some(leaves);
    }

    fn leaves(&self, v: Value) -> Result<Leaves<'c>> {
        let value = self.values.get(v.0 as usize).cloned().flatten();
        value.ok_or_else(|| invalid(format!("{v:?} used before its definition in {:?}", self.func.name)))
    }

    fn ty(&self, v: Value) -> &'m Type {
        self.func.type_of(v)
    }

    fn scalar(&self, v: Value) -> Result<(Scalar, BasicValueEnum<'c>)> {
        let leaves = self.leaves(v)?;
        match (self.ty(v).scalar(), &*leaves) {
            (Some(s), [leaf]) => Ok((s, *leaf)),
            _ => Err(invalid(format!("{v:?} is not a scalar"))),
        }
    }

    fn int(&self, v: Value) -> Result<IntValue<'c>> {
        as_int(self.scalar(v)?.1)
    }

    fn ptr(&self, v: Value) -> Result<PointerValue<'c>> {
        match *self.leaves(v)? {
            [BasicValueEnum::PointerValue(p)] => Ok(p),
            _ => Err(invalid(format!("{v:?} is not an address"))),
        }
    }
}

fn as_int(v: BasicValueEnum<'_>) -> Result<IntValue<'_>> {
    v.try_into().map_err(|_| invalid("an integer was expected"))
}

fn as_float(v: BasicValueEnum<'_>) -> Result<FloatValue<'_>> {
    v.try_into().map_err(|_| invalid("a floating-point number was expected"))
}
