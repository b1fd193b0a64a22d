//! Runs `tests/filetests`, one test per folder of them.

use std::path::Path;

use freeloom_devtools::filetest::run_folder;

fn check(folder: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/filetests");
    let bless = std::env::var_os("FREELOOM_BLESS").is_some();
    let failures = run_folder(&root.join(folder), bless).expect("readable files");
    assert!(failures.is_empty(), "{}\n\nFREELOOM_BLESS=1 accepts what was found", failures.join("\n\n"));
}

#[test]
fn parse() {
    check("parse");
}

#[test]
fn verify() {
    check("verify");
}

#[test]
fn run() {
    check("run");
}

#[test]
fn llvm() {
    check("llvm");
}
