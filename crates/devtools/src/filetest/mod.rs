//! File tests. A test is a file in `tests/filetests/`; its first line names the command that is tested, and
//! comments beneath each function tell what the command says about it:
//!
//! ```text
//! ; test run
//!
//! export func "double"(%0: i64) -> i64 {
//!   %1 = add %0, %0
//!   return %1
//! }
//! ; run(21) == 42
//! ```
//!
//! With `FREELOOM_BLESS=1` in the environment the comments are rewritten to what the command says; read the
//! difference before you commit it.
//!
//! Each command is one file here and one line of [`COMMANDS`].

mod case;
mod llvm;
mod parse;
mod run;
mod verify;

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use case::{Case, Section};

/// What a command says beneath each section of a file.
pub type Output = Result<Vec<Vec<String>>, String>;

/// A command: what it says about a file.
pub type Command = fn(&Case) -> Output;

/// The commands by name.
pub const COMMANDS: &[(&str, Command)] =
    &[("parse", parse::command), ("verify", verify::command), ("run", run::command), ("llvm", llvm::command)];

/// Runs every test of a folder, deeper folders included, and tells of those that fail.
pub fn run_folder(folder: &Path, bless: bool) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    if files.is_empty() {
        return Ok(vec![format!("{}: no tests", folder.display())]);
    }
    let mut failures = Vec::new();
    for file in files {
        if let Err(failure) = run_file(&file, bless)? {
            failures.push(format!("{}: {failure}", file.display()));
        }
    }
    Ok(failures)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn run_file(file: &Path, bless: bool) -> io::Result<Result<(), String>> {
    let text = fs::read_to_string(file)?;
    let case = match Case::parse(&text) {
        Ok(case) => case,
        Err(e) => return Ok(Err(e)),
    };
    let Some((_, command)) = COMMANDS.iter().find(|(name, _)| *name == case.command) else {
        return Ok(Err(format!("no command is called `{}`", case.command)));
    };
    let said = match command(&case) {
        Ok(said) => said,
        Err(e) => return Ok(Err(e)),
    };
    if bless {
        let new = case.with_expectations(&said);
        if new != text {
            fs::write(file, new)?;
        }
        return Ok(Ok(()));
    }
    Ok(compare(&case, &said))
}

fn compare(case: &Case, said: &[Vec<String>]) -> Result<(), String> {
    let mut differences = String::new();
    for (section, said) in case.sections.iter().zip(said) {
        if section.expected != *said {
            let at = section.line + section.input.lines().count();
            let _ = write!(differences, "\nline {at}: expected");
            section.expected.iter().for_each(|line| differences += &format!("\n    {line}"));
            differences += "\n  found";
            said.iter().for_each(|line| differences += &format!("\n    {line}"));
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences) }
}

#[cfg(test)]
mod tests;
