//! Python functions and what the compiler makes of them, side by side in `tests/filetests/infer/*.py`.
//!
//! The lines `#> …` under a function are what is expected: types (and IR, if the header asks for it), or the
//! error. `FREELOOM_BLESS=1` rewrites them.

mod cases;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cases::Case;
use freeloom_compiler::{CompileError, Compiled, SourceFile, compile};
use freeloom_ir::{Datum, Interp};

#[test]
fn functions_compile_as_expected() {
    let files = files();
    let bless = std::env::var_os("FREELOOM_BLESS").is_some();
    let mut failures = Vec::new();
    let mut count = 0;
    for (file, found) in files.iter().zip(cases::read(&files, false)) {
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

/// `FREELOOM_SEED=…` makes other programs. Results beyond 2^53 come from integers that have no bounds in
/// Python and are left out.
#[test]
fn random_programs_compute_what_cpython_computes() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs.py");
    let seed = std::env::var("FREELOOM_SEED").unwrap_or_else(|_| "1".to_owned());
    fs::write(&file, cases::python("programs.py", &[seed.into(), "200".into()])).expect("a file");
    for case in cases::read(&[file], true).concat() {
        let name = &case.function.name;
        let compiled =
            compile(&case.function, &case.args, case.ret.as_ref()).unwrap_or_else(|e| panic!("{name}: {e}"));
        freeloom_ir::verify(&compiled.module).unwrap_or_else(|e| panic!("{name}: {e}"));
        let exact = case.runs.iter().filter(|(_, expected)| expected.abs() < 2f64.powi(53));
        for (args, expected) in exact {
            let data: Vec<_> = args.iter().map(|a| Datum::i64(*a)).collect();
            let result = Interp::new(&compiled.module).call(compiled.entry, &data);
            let found = result.ok().flatten().and_then(|d| d.scalar()).map(|c| c.as_float());
            assert_eq!(found, Some(*expected), "{name}{args:?}");
        }
    }
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
        Err(error) => from_the_function(error).to_string(),
    }
}

/// The error with lines counted from the `def`, so that results do not move with what stands above them.
fn from_the_function(mut error: CompileError) -> CompileError {
    let above = error.source.first_line - 1;
    error.span.line -= above;
    error.span.end_line -= above;
    error.source = Arc::new(SourceFile { first_line: 1, ..SourceFile::clone(&error.source) });
    error
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
