//! Reads modules, functions and statements.

use std::collections::BTreeMap;

use super::ParseError;
use super::lex::{Tok, Token, lex};
use crate::func::{Block, Fail, For, Func, FuncId, Linkage, Module, Rounds, Stmt, Value, Var, VarData};
use crate::types::Type;
use crate::typing::{TypeEnv, result_type};

pub(super) type PResult<T> = Result<T, ParseError>;

/// Blocks inside blocks, at most.
const MAX_NESTING: u32 = 128;

/// Reads a module. It is well-formed text, not necessarily valid IR: see [`verify`](crate::verify()).
pub fn parse_module(text: &str) -> Result<Module, ParseError> {
    let mut parser = Parser::new(text)?;
    while *parser.peek() != Tok::End {
        let func = parser.func()?;
        parser.env.funcs.push(func);
    }
    Ok(Module { funcs: parser.env.funcs })
}

/// Reads a type.
pub fn parse_type(text: &str) -> Result<Type, ParseError> {
    let mut parser = Parser::new(text)?;
    let ty = parser.ty()?;
    match parser.peek() {
        Tok::End => Ok(ty),
        _ => parser.fail("text after the type"),
    }
}

pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    env: Env,
    depth: u32,
}

/// The functions read so far, and what is known of the one being read.
#[derive(Default)]
struct Env {
    funcs: Vec<Func>,
    values: BTreeMap<u32, Type>,
    vars: Vec<VarData>,
}

impl TypeEnv for Env {
    fn value(&self, v: Value) -> Option<&Type> {
        self.values.get(&v.0)
    }

    fn var(&self, v: Var) -> Option<&Type> {
        self.vars.get(v.0 as usize).map(|v| &v.ty)
    }

    fn callee(&self, id: FuncId) -> Option<&Func> {
        self.funcs.get(id.0 as usize)
    }
}

/// Tokens.
impl Parser {
    fn new(text: &str) -> PResult<Parser> {
        Ok(Parser { tokens: lex(text)?, at: 0, env: Env::default(), depth: 0 })
    }

    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    pub(super) fn peek(&self) -> &Tok {
        &self.token().tok
    }

    pub(super) fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    pub(super) fn fail<T>(&self, message: &str) -> PResult<T> {
        let Token { line, column, .. } = *self.token();
        Err(ParseError { line, column, message: message.to_owned() })
    }

    /// Skips a token if it is there.
    fn eat(&mut self, tok: &Tok) -> bool {
        let found = self.peek() == tok;
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Tok::Word(w) if w == word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn punct(&mut self, c: char) -> PResult<()> {
        if self.eat(&Tok::Punct(c)) { Ok(()) } else { self.fail(&format!("expected `{c}`")) }
    }

    pub(super) fn keyword(&mut self, word: &str) -> PResult<()> {
        if self.eat_word(word) { Ok(()) } else { self.fail(&format!("expected `{word}`")) }
    }

    pub(super) fn name(&mut self) -> PResult<String> {
        let Tok::Name(name) = self.peek() else { return self.fail("expected a quoted name") };
        let name = name.clone();
        self.advance();
        Ok(name)
    }

    pub(super) fn integer<T: std::str::FromStr>(&mut self) -> PResult<T> {
        let number = match self.peek() {
            Tok::Number(text) => text.parse().ok(),
            _ => None,
        };
        let Some(number) = number else { return self.fail("expected a number that is not negative") };
        self.advance();
        Ok(number)
    }

    pub(super) fn value(&mut self) -> PResult<Value> {
        let Tok::Value(v) = *self.peek() else { return self.fail("expected a value") };
        self.advance();
        Ok(Value(v))
    }

    pub(super) fn var(&mut self) -> PResult<Var> {
        let Tok::Var(v) = *self.peek() else { return self.fail("expected a variable") };
        self.advance();
        Ok(Var(v))
    }

    /// Items between commas up to `close`, which is skipped.
    pub(super) fn list<T>(
        &mut self,
        close: char,
        mut item: impl FnMut(&mut Self) -> PResult<T>,
    ) -> PResult<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(&Tok::Punct(close)) {
            if !items.is_empty() {
                self.punct(',')?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
}

/// Functions.
impl Parser {
    fn func(&mut self) -> PResult<Func> {
        self.env.values.clear();
        self.env.vars.clear();
        let linkage = if self.eat_word("export") { Linkage::Export } else { Linkage::Internal };
        self.keyword("func")?;
        if let Tok::At(n) = *self.peek() {
            if n != self.env.funcs.len() as u64 {
                return self.fail(&format!("this is function @{}", self.env.funcs.len()));
            }
            self.advance();
        }
        let name = self.name()?;
        let params = self.params()?;
        let ret = if self.eat(&Tok::Arrow) { Some(self.ty()?) } else { None };
        self.punct('{')?;
        self.declarations()?;
        let body = self.block()?;
        let values = self.values()?;
        Ok(Func { name, linkage, params, ret, values, vars: std::mem::take(&mut self.env.vars), body })
    }

    fn params(&mut self) -> PResult<u32> {
        self.punct('(')?;
        let mut count = 0;
        self.list(')', |p| {
            if *p.peek() != Tok::Value(count) {
                return p.fail(&format!("this is parameter %{count}"));
            }
            p.advance();
            p.punct(':')?;
            let ty = p.ty()?;
            p.env.values.insert(count, ty);
            count += 1;
            Ok(())
        })?;
        Ok(count)
    }

    fn declarations(&mut self) -> PResult<()> {
        loop {
            if self.eat_word("var") {
                let next = self.env.vars.len();
                if *self.peek() != Tok::Var(next as u32) {
                    return self.fail(&format!("this is variable ${next}"));
                }
                self.advance();
                let name = self.name()?;
                self.punct(':')?;
                let ty = self.ty()?;
                self.env.vars.push(VarData { name, ty });
            } else if self.eat_word("value") {
                let v = self.value()?;
                self.punct(':')?;
                let ty = self.ty()?;
                self.env.values.insert(v.0, ty);
            } else {
                return Ok(());
            }
        }
    }

    /// The types of all values, which must leave no gap.
    fn values(&mut self) -> PResult<Vec<Type>> {
        let values = std::mem::take(&mut self.env.values);
        for (i, v) in values.keys().enumerate() {
            if *v != i as u32 {
                return self.fail(&format!("no value is called %{i}, but one is called %{v}"));
            }
        }
        Ok(values.into_values().collect())
    }
}

/// Statements.
impl Parser {
    /// Statements up to the closing brace.
    fn block(&mut self) -> PResult<Block> {
        if self.depth == MAX_NESTING {
            return self.fail("blocks nested too deeply");
        }
        self.depth += 1;
        let mut stmts = Vec::new();
        while !self.eat(&Tok::Punct('}')) {
            stmts.push(self.stmt()?);
        }
        self.depth -= 1;
        Ok(Block(stmts))
    }

    fn braced(&mut self) -> PResult<Block> {
        self.punct('{')?;
        self.block()
    }

    fn stmt(&mut self) -> PResult<Stmt> {
        let line = self.token().line;
        let word = match self.peek() {
            Tok::Value(_) => return self.definition(),
            Tok::Word(word) => word.clone(),
            _ => return self.fail("expected a statement"),
        };
        let read = match word.as_str() {
            "set" => Self::set,
            "store" => Self::store,
            "if" => Self::if_else,
            "loop" => |p: &mut Self, _| p.braced().map(Stmt::Loop),
            "for" => Self::counted,
            "break" => |_: &mut Self, _| Ok(Stmt::Break),
            "continue" => |_: &mut Self, _| Ok(Stmt::Continue),
            "return" => Self::ret,
            "poll" => |_: &mut Self, _| Ok(Stmt::Poll),
            "fail" => Self::failure,
            _ => return self.fail(&format!("no statement starts with `{word}`")),
        };
        self.advance();
        read(self, line)
    }

    /// The type written after the name of a value that is being defined.
    fn annotation(&mut self) -> PResult<Option<Type>> {
        if self.eat(&Tok::Punct(':')) { self.ty().map(Some) } else { Ok(None) }
    }

    fn definition(&mut self) -> PResult<Stmt> {
        let start = self.at;
        let v = self.value()?;
        let annotation = self.annotation()?;
        self.punct('=')?;
        let inst = self.inst()?;
        let Some(ty) = annotation.or_else(|| result_type(&inst, &self.env)) else {
            self.at = start;
            return self.fail(&format!("the type of {v} is not known: write `{v}: type = …`"));
        };
        self.env.values.insert(v.0, ty);
        Ok(Stmt::Let(v, inst))
    }

    fn set(&mut self, _: u32) -> PResult<Stmt> {
        let var = self.var()?;
        self.punct(',')?;
        Ok(Stmt::Set(var, self.value()?))
    }

    fn store(&mut self, _: u32) -> PResult<Stmt> {
        let ptr = self.value()?;
        self.punct(',')?;
        Ok(Stmt::Store { ptr, value: self.value()? })
    }

    fn if_else(&mut self, _: u32) -> PResult<Stmt> {
        let cond = self.value()?;
        let then = self.braced()?;
        let els = if self.eat_word("else") { self.braced()? } else { Block::default() };
        Ok(Stmt::If { cond, then, els })
    }

    fn counted(&mut self, _: u32) -> PResult<Stmt> {
        let index = self.value()?;
        let ty = self.annotation()?.unwrap_or(Type::I64);
        self.env.values.insert(index.0, ty);
        self.punct('=')?;
        let lo = self.value()?;
        self.keyword("to")?;
        let hi = self.value()?;
        let rounds = if self.eat_word("parallel") {
            Rounds::Parallel
        } else if self.eat_word("few") {
            Rounds::Few
        } else {
            Rounds::Ordered
        };
        Ok(Stmt::For(For { index, lo, hi, rounds, body: self.braced()? }))
    }

    /// A value belongs to the `return` on its line only.
    fn ret(&mut self, line: u32) -> PResult<Stmt> {
        match self.token() {
            Token { tok: Tok::Value(_), line: l, .. } if *l == line => {
                self.value().map(|v| Stmt::Return(Some(v)))
            }
            _ => Ok(Stmt::Return(None)),
        }
    }

    fn failure(&mut self, _: u32) -> PResult<Stmt> {
        let Tok::Word(word) = self.peek() else { return self.fail("expected the name of a failure") };
        match Fail::ALL.into_iter().find(|f| f.name() == word) {
            Some(fail) => {
                self.advance();
                Ok(Stmt::Fail(fail))
            }
            None => self.fail(&format!("no failure is called `{word}`")),
        }
    }
}
