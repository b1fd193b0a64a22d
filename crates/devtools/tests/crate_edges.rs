//! Dependencies point one way: the edges between crates are those of ARCHITECTURE.md.

use std::collections::BTreeSet;
use std::path::Path;

/// For each crate, the crates it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("ir", &[]),
    ("compiler", &["ir"]),
    ("artifact", &["ir"]),
    ("runtime", &["artifact"]),
    ("cpu", &["ir", "artifact", "runtime"]),
    ("compute", &["ir", "compiler", "artifact", "runtime", "cpu"]),
    ("python", &["ir", "compiler", "artifact", "runtime", "cpu", "compute"]),
    ("devtools", &["ir", "compiler", "cpu"]),
];

fn crates_dir() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Names of the workspace crates in the `[dependencies]` section of a manifest.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.strip_prefix("freeloom-"))
        .filter_map(|rest| rest.split(['.', ' ', '=']).next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_crate_depends_only_on_those_below_it() {
    for (name, allowed) in ALLOWED {
        let manifest = std::fs::read_to_string(crates_dir().join(name).join("Cargo.toml")).unwrap();
        let allowed: BTreeSet<String> = allowed.iter().map(|s| (*s).to_owned()).collect();
        let extra: Vec<_> = dependencies(&manifest).difference(&allowed).cloned().collect();
        assert!(extra.is_empty(), "crates/{name} must not depend on {extra:?}");
    }
}

#[test]
fn every_crate_is_listed() {
    let found: BTreeSet<String> = std::fs::read_dir(crates_dir())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let listed: BTreeSet<String> = ALLOWED.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(found, listed);
}
