//! `; test parse`: prints each function back, or tells of the mistake in it, with its line counted from the
//! start of the function's text.

use freeloom_ir::{Module, parse_module};

use super::{Case, Output};

pub(super) fn command(case: &Case) -> Output {
    let mut good = String::new();
    Ok(case.sections.iter().map(|section| said(&mut good, section.input.trim_start())).collect())
}

/// `good` are the functions before this one that could be read, which it may call.
fn said(good: &mut String, input: &str) -> Vec<String> {
    let before = good.lines().count() as u32;
    let text = format!("{good}{input}");
    let module = match parse_module(&text) {
        Ok(module) => module,
        Err(mut e) => {
            e.line -= before;
            return vec![format!("error: {e}")];
        }
    };
    *good = text;
    match parse_module(&module.to_string()) {
        Ok(again) if again == module => last(&module).lines().map(str::to_owned).collect(),
        Ok(_) => vec!["error: reads back as something else".to_owned()],
        Err(e) => vec![format!("error: does not read back: {e}")],
    }
}

/// The text of the module's last function.
fn last(module: &Module) -> String {
    let text = module.to_string();
    let start = text.rfind("\n\n").map_or(0, |i| i + 2);
    text[start..].to_owned()
}
