//! The functions the compiler knows: built-ins, `math`, `numpy`, `operator`.

use freeloom_ir as ir;

use crate::diagnostic::Refusal;
use crate::function::Builtin;
use crate::operand::Operand;

/// `function(args…, name=value…)`
pub fn call(
    b: &mut ir::Builder,
    function: &Builtin,
    args: &[Operand],
    kwargs: &[(String, Operand)],
) -> Result<Operand, Refusal> {
    let _ = (b, args, kwargs);
    Err(Refusal::new(format!("{} is not supported", function.name)))
}

/// `x.name(args…)`
pub fn method(b: &mut ir::Builder, x: &Operand, name: &str, args: &[Operand]) -> Result<Operand, Refusal> {
    let _ = (b, x, args);
    Err(Refusal::new(format!("the method {name} is not supported")))
}
