//! Random valid functions, the same for the same seed, to compare a back end with the interpreter:
//!
//! ```
//! use freeloom_ir::testing::{arbitrary_args, arbitrary_scalar_function};
//! use freeloom_ir::{FuncId, Interp, Module};
//!
//! let mut module = Module::default();
//! let id = module.push(arbitrary_scalar_function(7));
//! let args = arbitrary_args(module.func(id), 1);
//! let result = Interp::new(&module).call(id, &args).unwrap();
//! assert!(result.is_some());
//! ```

mod generate;
mod rng;
mod values;

pub use rng::Rng;

use crate::builder::Builder;
use crate::func::{Func, FuncId, Linkage, Module};
use crate::interp::Datum;
use crate::op::{BinaryOp, UnaryOp};
use crate::types::Type;
use generate::Generator;
use values::{any_scalar, any_type, interesting};

/// What random functions may contain.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Only operations whose result every implementation agrees on to the last bit: no `sin`, no `pow`, and
    /// nothing that shows the bits of a NaN.
    pub exact: bool,
    /// `f16` values.
    pub half: bool,
    /// Complex numbers, tuples, structs and arrays.
    pub aggregates: bool,
    /// Stack memory.
    pub memory: bool,
    /// Statements, about.
    pub statements: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config { exact: true, half: true, aggregates: true, memory: true, statements: 30 }
    }
}

/// Does every implementation of the operation give the same bits (but those of a NaN)?
pub fn is_exact_unary(op: UnaryOp) -> bool {
    use UnaryOp::*;
    matches!(op, Neg | Not | Abs | PopCount | LeadingZeros | Sqrt | Floor | Ceil | Trunc | RoundEven)
}

/// Does every implementation of the operation give the same bits (but those of a NaN)?
pub fn is_exact_binary(op: BinaryOp) -> bool {
    use BinaryOp::*;
    !matches!(op, Pow | Atan2 | Hypot | CopySign)
}

/// An exported function called `f` of up to four scalars, with a scalar result. It ends within the
/// interpreter's fuel, never traps and calls nothing.
pub fn arbitrary_scalar_function(seed: u64) -> Func {
    arbitrary_scalar_function_with(seed, &Config::default())
}

/// [`arbitrary_scalar_function`] with a choice of contents.
pub fn arbitrary_scalar_function_with(seed: u64, config: &Config) -> Func {
    let mut rng = Rng::new(seed);
    scalar_function(&mut rng, config, &Module::default(), "f", Linkage::Export)
}

/// A module of a few functions that call one another. The last one is exported, called `f`, and like
/// [`arbitrary_scalar_function`] otherwise.
pub fn arbitrary_scalar_module(seed: u64, config: &Config) -> (Module, FuncId) {
    let mut rng = Rng::new(seed);
    let mut module = Module::default();
    for i in 0..rng.below(4) {
        let helper = scalar_function(&mut rng, config, &module, &format!("helper {i}"), Linkage::Internal);
        module.push(helper);
    }
    let entry = scalar_function(&mut rng, config, &module, "f", Linkage::Export);
    let entry = module.push(entry);
    (module, entry)
}

/// Arguments for a function of scalars: often zero, one, an extreme or a NaN.
pub fn arbitrary_args(func: &Func, seed: u64) -> Vec<Datum> {
    let mut rng = Rng::new(seed);
    let scalars = func.param_types().iter().filter_map(Type::scalar);
    scalars.map(|s| Datum::Scalar(interesting(&mut rng, s))).collect()
}

/// A valid module with every kind of type, statement and instruction, not made to be run.
pub fn arbitrary_module(seed: u64) -> Module {
    let mut rng = Rng::new(seed);
    let config = Config { exact: false, ..Config::default() };
    let (mut module, _) = arbitrary_scalar_module(rng.next_u64(), &config);
    for _ in 0..rng.below(4) {
        let name = values::any_name(&mut rng);
        let func = match rng.below(2) {
            0 => generate::memory_function(&mut rng, &name),
            _ => scalar_function(&mut rng, &config, &module, &name, Linkage::Internal),
        };
        module.push(func);
    }
    module
}

fn scalar_function(rng: &mut Rng, config: &Config, module: &Module, name: &str, linkage: Linkage) -> Func {
    let params: Vec<Type> =
        (0..1 + rng.below(4)).map(|_| Type::Scalar(any_scalar(rng, config.half))).collect();
    let ret = any_scalar(rng, config.half);
    let builder = Builder::new(name, linkage, &params, Some(Type::Scalar(ret)));
    Generator::new(rng, *config, module, builder, params.len()).run(ret)
}

/// A random type that can lie in memory.
pub fn arbitrary_type(seed: u64) -> Type {
    any_type(&mut Rng::new(seed), 3, true)
}

#[cfg(test)]
mod tests;
