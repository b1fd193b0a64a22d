//! Reads instructions.

use super::constant::parse_const;
use super::lex::Tok;
use super::parse::{PResult, Parser};
use crate::func::{FuncId, Inst, Value};
use crate::op::{BinaryOp, CmpOp, Const, UnaryOp};

impl Parser {
    pub(super) fn inst(&mut self) -> PResult<Inst> {
        let Tok::Word(word) = self.peek() else { return self.fail("expected an instruction") };
        let word = word.clone();
        if let Some(op) = UnaryOp::from_name(&word) {
            self.advance();
            return Ok(Inst::Unary(op, self.value()?));
        }
        if let Some(op) = BinaryOp::from_name(&word) {
            self.advance();
            return self.pair().map(|(a, b)| Inst::Binary(op, a, b));
        }
        if let Some(op) = CmpOp::from_name(&word) {
            self.advance();
            return self.pair().map(|(a, b)| Inst::Cmp(op, a, b));
        }
        self.special_inst(&word)
    }

    fn special_inst(&mut self, word: &str) -> PResult<Inst> {
        let read = match word {
            "const" => |p: &mut Self| p.constant().map(Inst::Const),
            "get" => |p: &mut Self| p.var().map(Inst::Get),
            "select" => Self::select,
            "cast" => |p: &mut Self| Ok(Inst::Cast(p.value_to()?, p.ty()?)),
            "bitcast" => |p: &mut Self| Ok(Inst::Bitcast(p.value_to()?, p.ty()?)),
            "make" => |p: &mut Self| Ok(Inst::Make(p.ty()?, p.bracketed()?)),
            "extract" => |p: &mut Self| Ok(Inst::Extract(p.value_comma()?, p.integer()?)),
            "index" => |p: &mut Self| p.pair().map(|(a, i)| Inst::Index(a, i)),
            "view_len" => |p: &mut Self| Ok(Inst::ViewLen(p.value_comma()?, p.integer()?)),
            "view_load" => |p: &mut Self| Ok(Inst::ViewLoad(p.value()?, p.bracketed()?)),
            "ptr_add" => |p: &mut Self| p.pair().map(|(a, n)| Inst::PtrAdd(a, n)),
            "load" => Self::load,
            "stack_alloc" => |p: &mut Self| p.integer().map(Inst::StackAlloc),
            "call" => Self::call,
            _ => return self.fail(&format!("no instruction is called `{word}`")),
        };
        self.advance();
        read(self)
    }

    fn select(&mut self) -> PResult<Inst> {
        let c = self.value_comma()?;
        let (a, b) = self.pair()?;
        Ok(Inst::Select(c, a, b))
    }

    fn load(&mut self) -> PResult<Inst> {
        let ty = self.ty()?;
        self.punct(',')?;
        Ok(Inst::Load(ty, self.value()?))
    }

    fn call(&mut self) -> PResult<Inst> {
        let callee = match *self.peek() {
            Tok::At(n) => u32::try_from(n).map(FuncId).ok(),
            _ => None,
        };
        let Some(callee) = callee else { return self.fail("expected `@` and a function's number") };
        self.advance();
        self.punct('(')?;
        Ok(Inst::Call(callee, self.list(')', Self::value)?))
    }

    fn constant(&mut self) -> PResult<Const> {
        let ty = self.scalar()?;
        let (Tok::Number(text) | Tok::Word(text)) = self.peek() else {
            return self.fail("expected a constant");
        };
        match parse_const(ty, text) {
            Some(c) => {
                self.advance();
                Ok(c)
            }
            None => self.fail(&format!("`{text}` is not a constant of type {}", ty.name())),
        }
    }

    fn value_comma(&mut self) -> PResult<Value> {
        let v = self.value()?;
        self.punct(',')?;
        Ok(v)
    }

    fn value_to(&mut self) -> PResult<Value> {
        let v = self.value()?;
        self.keyword("to")?;
        Ok(v)
    }

    fn pair(&mut self) -> PResult<(Value, Value)> {
        Ok((self.value_comma()?, self.value()?))
    }

    fn bracketed(&mut self) -> PResult<Vec<Value>> {
        self.punct('[')?;
        self.list(']', Self::value)
    }
}
