//! Reads arguments.

use freeloom_ir::interp::datum::ViewDatum;
use freeloom_ir::text::parse_const;
use freeloom_ir::{Datum, Interp, Scalar, Type, ViewType};

/// Text being read.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    pub(super) fn eat(&mut self, s: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(s);
        if found {
            self.at += s.len();
        }
        found
    }

    pub(super) fn expect(&mut self, s: &str) -> Result<(), String> {
        if self.eat(s) { Ok(()) } else { Err(format!("expected `{s}` before `{}`", self.rest())) }
    }

    fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let rest = self.rest();
        let end = rest.find([',', ')', ']', '[', '(']).unwrap_or(rest.len());
        self.at += end;
        rest[..end].trim_end()
    }

    fn scalar(&mut self, ty: Scalar) -> Result<Datum, String> {
        let word = self.word();
        let c = parse_const(ty, word).ok_or_else(|| format!("`{word}` is not of type {}", ty.name()))?;
        Ok(Datum::Scalar(c))
    }

    /// As many items as there are up to `close`.
    fn list(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<Datum, String>,
    ) -> Result<Vec<Datum>, String> {
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    pub(super) fn datum(&mut self, interp: &mut Interp<'_>, ty: &Type) -> Result<Datum, String> {
        match ty {
            Type::Scalar(s) => self.scalar(*s),
            Type::Ptr => Err("an address inside of another value".to_owned()),
            Type::View(v) => self.view(interp, v),
            Type::Array(a) => {
                self.expect("[")?;
                self.list("]", |r| r.datum(interp, &a.elem)).map(Datum::Aggregate)
            }
            Type::Complex(_) | Type::Tuple(_) | Type::Struct(_) => {
                self.expect("(")?;
                let mut i = 0;
                let items = self.list(")", |r| {
                    let (ty, _) = ty.component(i).ok_or("too many components")?;
                    i += 1;
                    r.datum(interp, &ty)
                })?;
                Ok(Datum::Aggregate(items))
            }
        }
    }

    /// `&f32[1, 2]`
    pub(super) fn memory(&mut self, interp: &mut Interp<'_>) -> Result<Memory, String> {
        self.expect("&")?;
        let word = self.word();
        let ty = Scalar::ALL.into_iter().find(|s| s.name() == word).ok_or(format!("no type `{word}`"))?;
        self.expect("[")?;
        let items = self.list("]", |r| r.scalar(ty))?;
        let bytes = items.iter().flat_map(|d| to_bytes(d, ty)).collect();
        Ok(Memory { ptr: interp.alloc(bytes), ty, len: items.len() })
    }

    fn view(&mut self, interp: &mut Interp<'_>, ty: &ViewType) -> Result<Datum, String> {
        let Some(elem) = ty.elem.scalar() else { return Err(format!("a view of {}", ty.elem)) };
        let mut lens = Vec::new();
        let mut bytes = Vec::new();
        self.axis(elem, ty.rank as usize, &mut lens, &mut bytes)?;
        lens.reverse();
        lens.resize(ty.rank as usize, 0);
        let mut strides = vec![elem.size() as i64; lens.len()];
        for axis in (1..lens.len()).rev() {
            strides[axis - 1] = strides[axis] * lens[axis];
        }
        Ok(Datum::View(ViewDatum { base: interp.alloc(bytes), lens, strides }))
    }

    /// Lengths are pushed innermost first, once each.
    fn axis(
        &mut self,
        elem: Scalar,
        rank: usize,
        lens: &mut Vec<i64>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), String> {
        if rank == 0 {
            let datum = self.scalar(elem)?;
            bytes.extend(to_bytes(&datum, elem));
            return Ok(());
        }
        self.expect("[")?;
        let mut len = 0;
        while !self.eat("]") {
            if len > 0 {
                self.expect(",")?;
            }
            self.axis(elem, rank - 1, lens, bytes)?;
            len += 1;
        }
        match lens.get(rank - 1) {
            None => lens.push(len),
            Some(l) if *l == len => {}
            Some(l) => return Err(format!("rows of {l} and of {len} elements")),
        }
        Ok(())
    }
}

/// Memory that an argument made.
pub(super) struct Memory {
    pub(super) ptr: u64,
    pub(super) ty: Scalar,
    pub(super) len: usize,
}

fn to_bytes(datum: &Datum, ty: Scalar) -> Vec<u8> {
    let bits = datum.scalar().map_or(0, |c| c.bits);
    bits.to_le_bytes()[..ty.size() as usize].to_vec()
}
