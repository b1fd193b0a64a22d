//! Why a function cannot be compiled, told to its author.

use std::fmt;
use std::sync::Arc;

use crate::ast::Span;
use crate::function::SourceFile;

/// A reason for refusal, before it has a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What is not supported or wrong, as one sentence without a full stop.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

impl Refusal {
    /// A reason.
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), hint: None }
    }

    /// Adds advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Refusal {
        self.hint = Some(hint.into());
        self
    }

    /// Gives the reason its place.
    pub fn at(self, span: Span, source: &Arc<SourceFile>) -> CompileError {
        CompileError { refusal: self, span, source: Arc::clone(source), calls: Vec::new() }
    }
}

/// A refusal with its place in the user's source.
#[derive(Clone, Debug)]
pub struct CompileError {
    /// The reason.
    pub refusal: Refusal,
    /// Where.
    pub span: Span,
    /// In which file.
    pub source: Arc<SourceFile>,
    /// Names of the functions being inlined, outermost first, when it is not in the operator itself.
    pub calls: Vec<String>,
}

impl CompileError {
    /// The source line it points at, if known.
    pub fn source_line(&self) -> Option<&str> {
        let index = self.span.line.checked_sub(self.source.first_line)?;
        self.source.lines.get(index as usize).map(|l| l.trim_end())
    }

    fn caret_line(&self, line: &str) -> String {
        let start = line.get(..self.span.col as usize).map_or(0, |s| s.chars().count());
        let end_byte =
            if self.span.end_line == self.span.line { self.span.end_col as usize } else { line.len() };
        let end = line.get(..end_byte).map_or(start + 1, |s| s.chars().count());
        format!("{}{}", " ".repeat(start), "^".repeat(end.saturating_sub(start).max(1)))
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.refusal.message)?;
        write!(f, "\n  File \"{}\", line {}", self.source.filename, self.span.line)?;
        if !self.calls.is_empty() {
            write!(f, ", in {}", self.calls.join(" → "))?;
        }
        if let Some(line) = self.source_line() {
            write!(f, "\n    {}", line)?;
            write!(f, "\n    {}", self.caret_line(line))?;
        }
        if let Some(hint) = &self.refusal.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}
