//! `; test verify`: `valid`, or the rule that a function breaks.

use freeloom_ir::FuncId;
use freeloom_ir::verify::verify_func;

use super::{Case, Output};

pub(super) fn command(case: &Case) -> Output {
    let module = case.module()?;
    let said = (0..module.funcs.len()).map(|i| match verify_func(&module, FuncId(i as u32)) {
        Ok(()) => vec!["valid".to_owned()],
        Err(e) => vec![format!("error: {}", e.message)],
    });
    Ok(said.collect())
}
