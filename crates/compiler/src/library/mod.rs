//! The functions the compiler knows: built-ins, `math`, `cmath`, `numpy`, `operator`, and methods of numbers.
//!
//! A plain function is one line of a table: its name and the IR operation. What needs more is a function
//! beside the table.

mod args;
mod builtins;
mod cmath;
mod exact;
mod math;
mod methods;
mod numpy;
mod numpy_more;
mod operator;
#[cfg(test)]
mod tests;

use freeloom_ir as ir;

use crate::diagnostic::Refusal;
use crate::function::{Builtin, Library};
use crate::operand::Operand;
use args::Call;

pub use methods::method;

/// `function(args…, name=value…)`
///
/// # Errors
/// If the function is not known or does not take such arguments.
pub fn call(
    b: &mut ir::Builder,
    function: &Builtin,
    args: &[Operand],
    kwargs: &[(String, Operand)],
) -> Result<Operand, Refusal> {
    let (prefix, compile): (_, fn(&mut Call<'_>, &str) -> args::Outcome) = match function.library {
        Library::Builtins => ("", builtins::call),
        Library::Math => ("math.", math::call),
        Library::CMath => ("cmath.", cmath::call),
        Library::NumPy => ("numpy.", numpy::call),
        Library::Operator => ("operator.", operator::call),
    };
    let mut call = Call { b, name: format!("{prefix}{}", function.name), args, kwargs };
    compile(&mut call, &function.name)
}
