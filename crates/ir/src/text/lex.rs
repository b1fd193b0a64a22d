//! Splits text into tokens.

use std::iter::Peekable;
use std::str::Chars;

use super::ParseError;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Tok {
    /// `%1`
    Value(u32),
    /// `$1`
    Var(u32),
    /// `@1`
    At(u64),
    /// A keyword, an operation or a scalar's name.
    Word(String),
    /// Digits with sign, fraction and exponent, not yet read.
    Number(String),
    /// A quoted name.
    Name(String),
    /// `->`
    Arrow,
    /// One of `( ) { } [ ] < > , : =`
    Punct(char),
    /// The end of the text.
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) line: u32,
    pub(super) column: u32,
}

pub(super) fn lex(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut lexer = Lexer { chars: text.chars().peekable(), line: 1, column: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let (line, column) = (lexer.line, lexer.column);
        let tok = lexer.token().map_err(|message| ParseError { line, column, message })?;
        let end = tok == Tok::End;
        tokens.push(Token { tok, line, column });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    chars: Peekable<Chars<'a>>,
    line: u32,
    column: u32,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        if c == '\n' {
            (self.line, self.column) = (self.line + 1, 1);
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn take_while(&mut self, out: &mut String, keep: impl Fn(char) -> bool) {
        while let Some(c) = self.chars.next_if(|&c| keep(c)) {
            self.column += 1;
            out.push(c);
        }
    }

    fn skip_blanks(&mut self) {
        while let Some(&c) = self.chars.peek() {
            if c == ';' {
                while self.chars.peek().is_some_and(|&c| c != '\n') {
                    self.next();
                }
            } else if c.is_whitespace() {
                self.next();
            } else {
                return;
            }
        }
    }

    fn token(&mut self) -> Result<Tok, String> {
        let Some(c) = self.next() else { return Ok(Tok::End) };
        match c {
            '%' => self.digits("a value's number").map(Tok::Value),
            '$' => self.digits("a variable's number").map(Tok::Var),
            '@' => self.digits("a number").map(Tok::At),
            '"' => self.name(),
            '-' if self.chars.peek() == Some(&'>') => {
                self.next();
                Ok(Tok::Arrow)
            }
            '-' | '0'..='9' => Ok(self.number(c)),
            '(' | ')' | '{' | '}' | '[' | ']' | '<' | '>' | ',' | ':' | '=' => Ok(Tok::Punct(c)),
            c if is_word(c) => {
                let mut word = String::from(c);
                self.take_while(&mut word, is_word);
                Ok(Tok::Word(word))
            }
            c => Err(format!("unexpected {c:?}")),
        }
    }

    fn digits<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, String> {
        let mut digits = String::new();
        self.take_while(&mut digits, |c| c.is_ascii_digit());
        digits.parse().map_err(|_| format!("expected {what}"))
    }

    fn number(&mut self, first: char) -> Tok {
        let mut text = String::from(first);
        loop {
            self.take_while(&mut text, |c| is_word(c) || c == '.');
            let exponent = text.ends_with(['e', 'E']) && !text.contains("0x");
            if !(exponent && self.chars.peek().is_some_and(|c| matches!(c, '+' | '-'))) {
                return Tok::Number(text);
            }
            text.extend(self.next());
        }
    }

    fn name(&mut self) -> Result<Tok, String> {
        let mut name = String::new();
        loop {
            match self.next() {
                None | Some('\n') => return Err("a name without its closing quote".to_owned()),
                Some('"') => return Ok(Tok::Name(name)),
                Some('\\') => name.push(self.escape()?),
                Some(c) => name.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        match self.next() {
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('0') => Ok('\0'),
            Some(c @ ('"' | '\'' | '\\')) => Ok(c),
            Some('u') if self.chars.peek() == Some(&'{') => {
                self.next();
                let mut digits = String::new();
                self.take_while(&mut digits, |c| c.is_ascii_hexdigit());
                let c = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                match (c, self.next()) {
                    (Some(c), Some('}')) => Ok(c),
                    _ => Err("not a character's code".to_owned()),
                }
            }
            _ => Err("unknown escape in a name".to_owned()),
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
