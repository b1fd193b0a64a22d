use super::{Case, compare, run_folder};

const FILE: &str = "; test verify\n\n; about f\nfunc \"f\"() {\n}\n; wrong\n; lines\n\n; the end\n";

#[test]
fn a_file_is_taken_apart_and_put_together_again() {
    let case = Case::parse(FILE).expect("a test");
    assert_eq!(case.command, "verify");
    assert_eq!(case.sections[0].expected, ["wrong", "lines"]);
    assert_eq!(case.with_expectations(&[case.sections[0].expected.clone()]), FILE);
}

#[test]
fn differences_are_told_with_their_line() {
    let case = Case::parse(FILE).expect("a test");
    let said = super::verify::command(&case).expect("output");
    let difference = compare(&case, &said).expect_err("a difference");
    assert_eq!(difference, "\nline 6: expected\n    wrong\n    lines\n  found\n    valid");
}

#[test]
fn blessing_rewrites_the_file() {
    let folder = std::env::temp_dir().join(format!("filetest-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("a.ir");
    std::fs::write(&file, FILE).expect("a file");
    assert_eq!(run_folder(&folder, false).expect("files").len(), 1);
    assert!(run_folder(&folder, true).expect("files").is_empty());
    let blessed = std::fs::read_to_string(&file).expect("the file");
    assert_eq!(blessed, FILE.replace("; wrong\n; lines", "; valid"));
    assert!(run_folder(&folder, false).expect("files").is_empty());
    std::fs::remove_dir_all(&folder).expect("the folder");
}
