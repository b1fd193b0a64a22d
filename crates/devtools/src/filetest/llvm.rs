//! `; test llvm`: the LLVM IR of each exported function, for a processor that is the same everywhere.
//! `; test llvm optimised` shows it after optimisation.

use freeloom_cpu::{CpuTarget, Options, emit_text};
use freeloom_ir::{Linkage, verify};

use super::{Case, Output};

const CPU: &str = "x86-64-v3";

pub(super) fn command(case: &Case) -> Output {
    let module = case.module()?;
    verify(&module).map_err(|e| e.to_string())?;
    let options = Options { cpu: CpuTarget::named(CPU), optimise: case.has("optimised") };
    let text = emit_text(&module, &options).map_err(|e| e.to_string())?;
    let said = module.funcs.iter().map(|func| match func.linkage {
        Linkage::Export => definition(&text, &func.name),
        Linkage::Internal => Vec::new(),
    });
    Ok(said.collect())
}

/// The lines that define a function.
fn definition(text: &str, name: &str) -> Vec<String> {
    let heads = [format!(" @{name}("), format!(" @\"{name}\"(")];
    let is_head = |line: &&str| line.starts_with("define") && heads.iter().any(|h| line.contains(h));
    let lines = text.lines().skip_while(|line| !is_head(line));
    let mut end = false;
    lines.take_while(|line| !std::mem::replace(&mut end, *line == "}")).map(str::to_owned).collect()
}
