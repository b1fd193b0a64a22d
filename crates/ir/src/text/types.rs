//! Reads types.

use std::sync::Arc;

use super::lex::Tok;
use super::parse::{PResult, Parser};
use crate::types::{Field, Scalar, StructType, Type};

/// Types inside types, at most.
const MAX_NESTING: u32 = 32;

impl Parser {
    pub(super) fn ty(&mut self) -> PResult<Type> {
        self.nested_ty(0)
    }

    fn nested_ty(&mut self, depth: u32) -> PResult<Type> {
        if depth > MAX_NESTING {
            return self.fail("a type nested too deeply");
        }
        match self.peek() {
            Tok::Punct('(') => self.tuple(depth),
            Tok::Punct('[') => self.array(depth),
            Tok::Word(word) => match word.clone().as_str() {
                "ptr" => {
                    self.advance();
                    Ok(Type::Ptr)
                }
                "complex" => self.complex(),
                "view" => self.view(depth),
                "struct" => self.record(depth),
                _ => self.scalar().map(Type::Scalar),
            },
            _ => self.fail("expected a type"),
        }
    }

    pub(super) fn scalar(&mut self) -> PResult<Scalar> {
        let Tok::Word(word) = self.peek() else { return self.fail("expected a scalar type") };
        match Scalar::ALL.into_iter().find(|s| s.name() == word) {
            Some(s) => {
                self.advance();
                Ok(s)
            }
            None => self.fail(&format!("no type is called `{word}`")),
        }
    }

    fn tuple(&mut self, depth: u32) -> PResult<Type> {
        self.punct('(')?;
        self.list(')', |p| p.nested_ty(depth + 1)).map(Type::tuple)
    }

    fn array(&mut self, depth: u32) -> PResult<Type> {
        self.punct('[')?;
        let len = self.integer()?;
        self.keyword("x")?;
        let elem = self.nested_ty(depth + 1)?;
        self.punct(']')?;
        Ok(Type::array(elem, len))
    }

    fn complex(&mut self) -> PResult<Type> {
        self.advance();
        self.punct('<')?;
        let part = self.scalar()?;
        self.punct('>')?;
        Ok(Type::Complex(part))
    }

    fn view(&mut self, depth: u32) -> PResult<Type> {
        self.advance();
        self.punct('<')?;
        let elem = self.nested_ty(depth + 1)?;
        self.punct(',')?;
        let rank = self.integer()?;
        self.punct('>')?;
        Ok(Type::view(elem, rank))
    }

    fn record(&mut self, depth: u32) -> PResult<Type> {
        self.advance();
        let name = self.name()?;
        self.punct('[')?;
        let size = self.integer()?;
        self.punct(',')?;
        let align = self.integer()?;
        self.punct(']')?;
        self.punct('{')?;
        let fields = self.list('}', |p| {
            let name = p.name()?;
            let Tok::At(offset) = *p.peek() else { return p.fail("expected `@` and an offset") };
            p.advance();
            p.punct(':')?;
            Ok(Field { name, ty: p.nested_ty(depth + 1)?, offset })
        })?;
        Ok(Type::Struct(Arc::new(StructType { name, fields, size, align })))
    }
}
