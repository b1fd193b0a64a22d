//! The parts of a test file.

use freeloom_ir::{Module, parse_module};

/// A test file.
#[derive(Debug)]
pub struct Case {
    /// The word after `test` in the first line.
    pub command: String,
    /// The words after that.
    pub options: Vec<String>,
    /// The functions in order, each with what is expected of it.
    pub sections: Vec<Section>,
    /// The first line.
    head: String,
    /// What follows the last section.
    tail: String,
}

/// A function of a test file, with what stands before it.
#[derive(Debug, Default)]
pub struct Section {
    /// The text of the function, up to its closing brace at the start of a line, with the lines before it.
    pub input: String,
    /// Its first line's number in the file, from 1.
    pub line: usize,
    /// The comments right beneath it, without comment sign.
    pub expected: Vec<String>,
}

impl Case {
    /// Takes a file apart.
    pub fn parse(text: &str) -> Result<Case, String> {
        let (head, rest) = text.split_once('\n').ok_or("an empty file")?;
        let mut words = head.strip_prefix("; test ").ok_or("the first line is not `; test …`")?.split(' ');
        let command = words.next().unwrap_or_default().to_owned();
        let options = words.map(str::to_owned).collect();
        let (sections, tail) = sections(rest);
        Ok(Case { command, options, sections, head: head.to_owned(), tail })
    }

    /// Does the first line have this option?
    pub fn has(&self, option: &str) -> bool {
        self.options.iter().any(|o| o == option)
    }

    /// All functions as a module.
    pub fn module(&self) -> Result<Module, String> {
        let mut text = "\n".to_owned();
        for section in &self.sections {
            text.push_str(&"\n".repeat(section.line - 1 - text.lines().count()));
            text.push_str(&section.input);
        }
        parse_module(&text).map_err(|e| e.to_string())
    }

    /// The file with other expectations.
    pub fn with_expectations(&self, expected: &[Vec<String>]) -> String {
        let mut text = format!("{}\n", self.head);
        for (section, expected) in self.sections.iter().zip(expected) {
            text.push_str(&section.input);
            for line in expected {
                text.push_str(format!("; {line}").trim_end());
                text.push('\n');
            }
        }
        text + &self.tail
    }
}

fn sections(text: &str) -> (Vec<Section>, String) {
    let mut sections: Vec<Section> = Vec::new();
    let mut open = Section { line: 2, ..Section::default() };
    let mut beneath = false;
    for (i, line) in text.lines().enumerate() {
        if let (true, Some(comment), Some(last)) = (beneath, line.strip_prefix(';'), sections.last_mut()) {
            last.expected.push(comment.strip_prefix(' ').unwrap_or(comment).to_owned());
            open.line = i + 3;
            continue;
        }
        beneath = line == "}";
        open.input.push_str(line);
        open.input.push('\n');
        if beneath {
            sections.push(std::mem::take(&mut open));
            open.line = i + 3;
        }
    }
    (sections, open.input)
}
