//! Python functions and what the compiler makes of them, side by side in `tests/filetests/infer/*.py`.
//!
//! The lines `#> …` under a function are what is expected: types (and IR, if the header asks for it), or the
//! error. `FREELOOM_BLESS=1` rewrites them.

mod cases;

use std::fs;
use std::path::{Path, PathBuf};

use cases::Case;
use freeloom_compiler::{Compiled, compile};

#[test]
fn functions_compile_as_expected() {
    let files = files();
    let bless = std::env::var_os("FREELOOM_BLESS").is_some();
    let mut failures = Vec::new();
    let mut count = 0;
    for (file, found) in files.iter().zip(cases::read(&files)) {
        count += found.len();
        let old = fs::read_to_string(file).expect("a readable file");
        let new = with_results(&old, &found);
        if bless && old != new {
            fs::write(file, new).expect("a writable file");
        } else if old != new {
            failures.push(difference(file, &old, &new));
        }
    }
    assert!(count > 0, "no cases found");
    assert!(failures.is_empty(), "{}\nFREELOOM_BLESS=1 accepts this", failures.join("\n"));
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests/infer");
    let entries = fs::read_dir(folder).expect("the folder of cases");
    let mut files: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "py"));
    files.sort();
    files
}

/// The file with the actual results in place of the expected ones.
fn with_results(old: &str, cases: &[Case]) -> String {
    let mut out = String::new();
    for (number, line) in old.lines().enumerate() {
        if !line.starts_with("#>") {
            out += &format!("{line}\n");
        }
        for case in cases.iter().filter(|c| c.end == number + 1) {
            for l in result(case).lines() {
                out += &format!("{}\n", format!("#> {l}").trim_end());
            }
        }
    }
    out
}

fn result(case: &Case) -> String {
    match compile(&case.function, &case.args, case.ret.as_ref()) {
        Ok(compiled) => {
            freeloom_ir::verify(&compiled.module)
                .unwrap_or_else(|e| panic!("{}: {e}\n{}", case.function.name, compiled.module));
            describe(&compiled, case.shows_ir)
        }
        Err(error) => error.to_string(),
    }
}

fn describe(compiled: &Compiled, shows_ir: bool) -> String {
    let args: Vec<_> = compiled.args.iter().map(ToString::to_string).collect();
    let mut out = format!("({}) -> {}", args.join(", "), compiled.ret);
    if compiled.polls {
        out += ", polls";
    }
    for a in &compiled.arrays {
        out += &format!(
            "\nreads array {}: {} of {} dimensions, at least {:?}",
            a.slot, a.elem, a.rank, a.min_len
        );
    }
    if shows_ir {
        out += &format!("\n{}", compiled.module);
    }
    out
}

fn difference(file: &Path, old: &str, new: &str) -> String {
    let mut out = format!("{}:\n", file.display());
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    for line in old.iter().filter(|l| !new.contains(l)) {
        out += &format!("  - {line}\n");
    }
    for line in new.iter().filter(|l| !old.contains(l)) {
        out += &format!("  + {line}\n");
    }
    out
}
