//! The reference interpreter: says what IR means, as directly as it can. It is the oracle that back ends are
//! tested against, and nothing at run time depends on it.
//!
//! It differs from compiled code in one way only: what front ends must exclude (a bad address, an index out
//! of range, uninitialised memory) is a [`Trap`] here, and not looked at there. `fail` traps as well, since
//! the result of a failed run is discarded.
//!
//! Memory is a list of allocations. An address is the number of an allocation, from 1, shifted left by 40
//! bits, plus an offset; address 0 is never valid.
//!
//! * [`datum`] — values
//! * [`scalar`] — operations on scalar constants, of use to anyone who folds constants

pub mod datum;
mod exec;
mod float;
mod memory;
pub mod scalar;

pub use datum::Datum;

use crate::func::{Fail, FuncId, Module};
use crate::types::Type;
use memory::Memory;

/// Calls and blocks inside one another, at most.
const MAX_DEPTH: u32 = 400;

/// Statements that a run may execute unless told otherwise.
const DEFAULT_FUEL: u64 = 10_000_000;

/// Why a run ended early.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Trap {
    /// `fail` was executed.
    #[error("fail {}", .0.name())]
    Fail(Fail),
    /// A load or store outside of every allocation that is alive.
    #[error("no memory at {0:#x}")]
    OutOfBounds(u64),
    /// Bytes were loaded that nothing has stored.
    #[error("uninitialised memory at {0:#x}")]
    Uninitialised(u64),
    /// An index of `index` or `view_load` is out of range.
    #[error("index {index} out of {len}")]
    Index {
        /// The index.
        index: i64,
        /// The number of elements.
        len: i64,
    },
    /// The run took more statements than its fuel allows.
    #[error("out of fuel")]
    OutOfFuel,
    /// Calls and blocks are nested too deeply, or memory ran out.
    #[error("out of resources")]
    OutOfResources,
    /// The module is not valid, or the arguments do not suit the function.
    #[error("invalid: {0}")]
    Invalid(&'static str),
}

/// Runs functions of one module on one memory.
#[derive(Debug)]
pub struct Interp<'m> {
    module: &'m Module,
    memory: Memory,
    fuel: u64,
    depth: u32,
}

impl<'m> Interp<'m> {
    /// An interpreter for a valid module, with empty memory.
    pub fn new(module: &'m Module) -> Self {
        Interp { module, memory: Memory::default(), fuel: DEFAULT_FUEL, depth: 0 }
    }

    /// Sets how many statements may still be executed, over all calls.
    pub fn set_fuel(&mut self, fuel: u64) {
        self.fuel = fuel;
    }

    /// Statements that may still be executed.
    pub fn fuel(&self) -> u64 {
        self.fuel
    }

    /// Adds an allocation with this content and returns its address.
    pub fn alloc(&mut self, bytes: Vec<u8>) -> u64 {
        self.memory.alloc(bytes)
    }

    /// The memory from an address to the end of its allocation; nothing if the address is bad.
    pub fn bytes(&self, ptr: u64) -> &[u8] {
        self.memory.bytes(ptr)
    }

    /// Reads a value from memory.
    pub fn load(&self, ty: &Type, ptr: u64) -> Result<Datum, Trap> {
        self.memory.load(ty, ptr)
    }

    /// Writes a value of that type to memory.
    pub fn store(&mut self, ty: &Type, ptr: u64, value: &Datum) -> Result<(), Trap> {
        self.memory.store(ty, ptr, value)
    }

    /// Runs a function. `None` is the result of a procedure.
    pub fn call(&mut self, func: FuncId, args: &[Datum]) -> Result<Option<Datum>, Trap> {
        let func = self.module.funcs.get(func.0 as usize).ok_or(Trap::Invalid("no such function"))?;
        let suits = args.len() == func.params as usize
            && args.iter().zip(func.param_types()).all(|(arg, ty)| arg.has_type(ty));
        if !suits {
            return Err(Trap::Invalid("arguments that do not suit the function"));
        }
        self.enter(func, args.to_vec())
    }

    fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T, Trap>) -> Result<T, Trap> {
        if self.depth == MAX_DEPTH {
            return Err(Trap::OutOfResources);
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }
}

#[cfg(test)]
mod tests;
