//! `; test run`: calls functions and shows their results.
//!
//! ```text
//! ; run(1, 2.5) == 3.5
//! ; run((1, true), [2, 3]) == (1, 2)
//! ; run(&i32[1, 2], 2) == nothing, &i32[2, 4]
//! ; run(9) traps: fail index_out_of_range
//! ```
//!
//! Arguments are written by their parameter's type: scalars as in `const`; tuples, records and complex numbers
//! in parentheses; arrays in brackets; the elements of a view in brackets, nested once per axis, in row-major
//! order. For an address, `&` and a scalar type and elements make memory, which is shown again after the
//! result.
//!
//! The interpreter's result is what counts; that of compiled code, with and without optimisation, must be the
//! same to the last bit. In a file that starts with `; test run inexact`, results may differ by what C libraries
//! differ in. `; test run interpreted` leaves compiled code out.

mod args;
mod call;
mod native;

use freeloom_ir::text::parse_const;
use freeloom_ir::{Datum, FuncId, Interp, Module, Type, verify};

use super::{Case, Output, Section};
use call::{Call, is_close};
use native::Native;

pub(super) fn command(case: &Case) -> Output {
    let module = case.module()?;
    verify(&module).map_err(|e| e.to_string())?;
    let sections = case.sections.iter().enumerate();
    sections.map(|(i, section)| self::section(case, &module, FuncId(i as u32), section)).collect()
}

fn section(case: &Case, module: &Module, func: FuncId, section: &Section) -> Result<Vec<String>, String> {
    let mut natives = Vec::new();
    if !case.has("interpreted") && section.expected.iter().any(|line| line.starts_with("run(")) {
        for optimise in [false, true] {
            let native = Native::compile(module, func, optimise);
            natives.push(native.map_err(|e| format!("{:?}: {e}", module.func(func).name))?);
        }
    }
    let runner = Runner { module, func, natives, inexact: case.has("inexact") };
    section.expected.iter().map(|line| runner.said(line)).collect()
}

struct Runner<'m> {
    module: &'m Module,
    func: FuncId,
    natives: Vec<Native>,
    inexact: bool,
}

impl Runner<'_> {
    /// A line with its result replaced. Comments that are no calls stay.
    fn said(&self, line: &str) -> Result<String, String> {
        let Some(rest) = line.strip_prefix("run(") else { return Ok(line.to_owned()) };
        let mut interp = Interp::new(self.module);
        let parsed = Call::parse(&mut interp, self.module.func(self.func), rest);
        let (call, read) = parsed.map_err(|e| format!("{line}: {e}"))?;
        let shown = self.run(&mut interp, &call).map_err(|e| format!("{line}: {e}"))?;
        let (call, expected) = rest.split_at(read);
        if self.inexact && self.is_close_text(expected, &shown) {
            return Ok(line.to_owned());
        }
        Ok(format!("run({call} {shown}"))
    }

    /// Are two results written `== …` close to one another? Memory is not looked at.
    fn is_close_text(&self, a: &str, b: &str) -> bool {
        let ret = self.module.func(self.func).ret.as_ref().and_then(Type::scalar);
        let parse = |text: &str| parse_const(ret?, text.trim().strip_prefix("== ")?).map(Datum::Scalar);
        parse(a).zip(parse(b)).is_some_and(|(a, b)| is_close(&a, &b))
    }

    /// Compiled code runs what the interpreter found to do no harm.
    fn run(&self, interp: &mut Interp<'_>, call: &Call) -> Result<String, String> {
        let prepared = self.natives.iter().map(|n| n.prepare(interp, call)).collect::<Result<Vec<_>, _>>()?;
        let result = match interp.call(self.func, &call.args) {
            Ok(result) => result,
            Err(trap) => return Ok(format!("traps: {trap}")),
        };
        let shown = call.show(call.memory.iter().map(|m| interp.bytes(m.ptr)), result.as_ref());
        for (native, prepared) in self.natives.iter().zip(prepared) {
            let (native, native_shown) = native.call(call, prepared)?;
            let close = self.inexact && result.iter().zip(&native).all(|(a, b)| is_close(a, b));
            if native_shown != shown && !close {
                return Err(format!("interpreted {shown}, compiled {native_shown}"));
            }
        }
        Ok(shown)
    }
}
