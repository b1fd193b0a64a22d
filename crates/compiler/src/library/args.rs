//! Arguments of library functions.

use freeloom_ir::Builder;

use crate::arith::number::value;
use crate::arith::promote::{Num, real_number};
use crate::diagnostic::Refusal;
use crate::operand::Operand;

/// A call being compiled.
pub(crate) struct Call<'a> {
    pub(crate) b: &'a mut Builder,
    /// As written in messages: `math.sqrt`.
    pub(crate) name: String,
    pub(crate) args: &'a [Operand],
    pub(crate) kwargs: &'a [(String, Operand)],
}

pub(crate) type Outcome = Result<Operand, Refusal>;

impl<'a> Call<'a> {
    /// Exactly `N` arguments without names.
    pub(crate) fn exactly<const N: usize>(&self) -> Result<[&'a Operand; N], Refusal> {
        self.no_keywords()?;
        let found: Vec<&Operand> = self.args.iter().collect();
        found.try_into().map_err(|found: Vec<_>| self.wrong_count(N, found.len()))
    }

    /// One value for each name, by position or by name; the first `required` must be given.
    pub(crate) fn named<const N: usize>(
        &self,
        names: [&str; N],
        required: usize,
    ) -> Result<[Option<&'a Operand>; N], Refusal> {
        if self.args.len() > N {
            return Err(self.wrong_count(N, self.args.len()));
        }
        let mut found = [None; N];
        for (slot, x) in found.iter_mut().zip(self.args) {
            *slot = Some(x);
        }
        for (name, x) in self.kwargs {
            let slot = names.iter().position(|n| n == name).filter(|i| found[*i].is_none());
            let Some(slot) = slot else { return Err(self.unexpected(name)) };
            found[slot] = Some(x);
        }
        match found.iter().take(required).position(Option::is_none) {
            Some(missing) => Err(self.refusal(&format!("misses its argument {}", names[missing]))),
            None => Ok(found),
        }
    }

    pub(crate) fn no_keywords(&self) -> Result<(), Refusal> {
        self.kwargs.first().map_or(Ok(()), |(name, _)| Err(self.unexpected(name)))
    }

    fn unexpected(&self, keyword: &str) -> Refusal {
        self.refusal(&format!("with the keyword `{keyword}` is not supported"))
    }

    fn wrong_count(&self, wanted: usize, found: usize) -> Refusal {
        let s = if wanted == 1 { "" } else { "s" };
        self.refusal(&format!("takes {wanted} argument{s}, not {found}"))
    }

    /// A refusal that begins with the function's name.
    pub(crate) fn refusal(&self, what: &str) -> Refusal {
        Refusal::new(format!("{} {what}", self.name))
    }

    /// The function is not in the language.
    pub(crate) fn unknown(&self) -> Refusal {
        self.refusal("is not supported").hint("docs/typing-rules.md lists the functions that are")
    }

    /// A real number as a value of type `to`.
    pub(crate) fn real(&mut self, x: &Operand, to: Num) -> Result<freeloom_ir::Value, Refusal> {
        real_number(x)?;
        value(self.b, x, to)
    }
}
