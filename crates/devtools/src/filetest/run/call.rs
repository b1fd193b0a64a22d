//! A call and its result, as text.

use freeloom_ir::{Const, Datum, Func, Interp, Scalar, Type};

use super::args::{Memory, Reader};

/// What a line calls a function with.
pub(super) struct Call {
    pub(super) args: Vec<Datum>,
    /// The memory behind arguments that are addresses.
    pub(super) memory: Vec<Memory>,
}

impl Call {
    /// Reads arguments up to the closing parenthesis; tells as well how much of `text` they take.
    pub(super) fn parse(interp: &mut Interp<'_>, func: &Func, text: &str) -> Result<(Call, usize), String> {
        let mut reader = Reader { text, at: 0 };
        let mut call = Call { args: Vec::new(), memory: Vec::new() };
        for (i, ty) in func.param_types().iter().enumerate() {
            if i > 0 {
                reader.expect(",")?;
            }
            let arg = match ty {
                Type::Ptr => {
                    let memory = reader.memory(interp)?;
                    let ptr = memory.ptr;
                    call.memory.push(memory);
                    Datum::Ptr(ptr)
                }
                ty => reader.datum(interp, ty)?,
            };
            call.args.push(arg);
        }
        reader.expect(")")?;
        Ok((call, reader.at))
    }

    /// `== result, &memory`, given the bytes of each memory.
    pub(super) fn show<'b>(&self, bytes: impl Iterator<Item = &'b [u8]>, result: Option<&Datum>) -> String {
        let mut text = match result {
            Some(result) => format!("== {result}"),
            None => "== nothing".to_owned(),
        };
        for (memory, bytes) in self.memory.iter().zip(bytes) {
            text += &format!(", &{}[{}]", memory.ty.name(), memory.show(bytes));
        }
        text
    }
}

impl Memory {
    fn show(&self, bytes: &[u8]) -> String {
        let items = bytes.chunks(self.ty.size() as usize).take(self.len).map(|item| {
            let bits = item.iter().rev().fold(0, |bits, b| bits << 8 | u64::from(*b));
            Datum::Scalar(Const { ty: self.ty, bits }).to_string()
        });
        items.collect::<Vec<_>>().join(", ")
    }
}

/// Are two results equal but for what implementations of the C library may differ in?
pub(super) fn is_close(a: &Datum, b: &Datum) -> bool {
    match (a, b) {
        (Datum::Scalar(x), Datum::Scalar(y)) if x.ty == y.ty && x.ty.is_float() => {
            let tolerance = match x.ty {
                Scalar::F16 => 2e-3,
                Scalar::F32 => 1e-6,
                _ => 1e-14,
            };
            let (v, w) = (x.as_float(), y.as_float());
            a.same(b) || (v - w).abs() <= tolerance * v.abs().max(w.abs())
        }
        (Datum::Aggregate(x), Datum::Aggregate(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| is_close(x, y))
        }
        _ => a.same(b),
    }
}
