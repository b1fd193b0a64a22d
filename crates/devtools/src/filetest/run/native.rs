//! Calls compiled code.
//!
//! The function under test is called by a generated one, which takes its arguments from memory and writes
//! the result to memory. So one signature does for all.
#![expect(unsafe_code, reason = "compiled code is called by its address")]

use freeloom_cpu::{Code, Options, compile};
use freeloom_ir::{Block, Builder, Datum, FuncId, Inst, Interp, Linkage, Module, Stmt, Type, Value};

use super::call::Call;

const WRAPPER: &str = "file test";

/// A function under test, compiled.
pub(super) struct Native {
    code: Code,
    params: Vec<Type>,
    ret: Option<Type>,
}

/// Arguments in real memory, made before the interpreter changes its own.
pub(super) struct Prepared {
    args: Vec<u8>,
    /// Behind arguments that are addresses.
    memory: Vec<Vec<u8>>,
    /// Behind arguments that are views.
    views: Vec<Vec<u8>>,
}

impl Native {
    pub(super) fn compile(module: &Module, func: FuncId, optimise: bool) -> Result<Native, String> {
        let (params, ret) = (module.func(func).param_types().to_vec(), module.func(func).ret.clone());
        let mut module = module.clone();
        module.funcs.iter_mut().for_each(|f| f.linkage = Linkage::Internal);
        if ret.is_none() {
            give_result(&mut module, func);
        }
        let wrapper = wrapper(&module, func);
        module.push(wrapper);
        let options = Options { optimise, ..Options::default() };
        let object = compile(&module, &options).map_err(|e| e.to_string())?;
        let code = Code::load(&object).map_err(|e| e.to_string())?;
        Ok(Native { code, params, ret })
    }

    pub(super) fn prepare(&self, interp: &Interp<'_>, call: &Call) -> Result<Prepared, String> {
        let mut prepared = Prepared { args: Vec::new(), memory: Vec::new(), views: Vec::new() };
        for (arg, ty) in call.args.iter().zip(&self.params) {
            for (part, ty) in parts(arg, ty) {
                let bytes = match part {
                    Datum::Ptr(ptr) => prepared.address(interp.bytes(ptr), matches!(arg, Datum::View(_))),
                    part => to_bytes(&part, &ty)?,
                };
                prepared.args.extend(bytes);
            }
        }
        Ok(prepared)
    }

    /// Result and memory, shown as the interpreter's are.
    pub(super) fn call(&self, call: &Call, prepared: Prepared) -> Result<(Option<Datum>, String), String> {
        let Prepared { args, memory, views } = prepared;
        let mut out = vec![0u8; self.ret.as_ref().map_or(1, Type::size) as usize];
        let address = self.code.symbol(WRAPPER).ok_or("the wrapper is missing")?;
        // SAFETY: `wrapper` has this signature, and `self.code` keeps it loaded.
        let function: unsafe extern "C" fn(*const u8, *mut u8) = unsafe { std::mem::transmute(address) };
        // SAFETY: `args` holds what the wrapper loads and `out` has room for the result. The addresses in `args`
        // are those of `memory` and `views`, and the interpreter found every access of this call to be within it.
        unsafe { function(args.as_ptr(), out.as_mut_ptr()) };
        drop(views);
        let empty = Module::default();
        let mut scratch = Interp::new(&empty);
        let at = scratch.alloc(out);
        let result =
            self.ret.as_ref().map(|ty| scratch.load(ty, at)).transpose().map_err(|e| e.to_string())?;
        let shown = call.show(memory.iter().map(Vec::as_slice), result.as_ref());
        Ok((result, shown))
    }
}

impl Prepared {
    /// The address, as bytes, of a copy that lives as long as `self`.
    fn address(&mut self, bytes: &[u8], is_view: bool) -> Vec<u8> {
        let mut copy = bytes.to_vec();
        let address = copy.as_mut_ptr().expose_provenance() as u64;
        if is_view {
            self.views.push(copy)
        } else {
            self.memory.push(copy)
        }
        address.to_le_bytes().to_vec()
    }
}

fn to_bytes(datum: &Datum, ty: &Type) -> Result<Vec<u8>, String> {
    let empty = Module::default();
    let mut scratch = Interp::new(&empty);
    let at = scratch.alloc(vec![0; ty.size() as usize]);
    scratch.store(ty, at, datum).map_err(|e| e.to_string())?;
    Ok(scratch.bytes(at).to_vec())
}

/// What an argument is passed as: a view as its address, lengths and strides.
fn parts(arg: &Datum, ty: &Type) -> Vec<(Datum, Type)> {
    match arg {
        Datum::View(v) => {
            let numbers = v.lens.iter().chain(&v.strides).map(|n| (Datum::i64(*n), Type::I64));
            std::iter::once((Datum::Ptr(v.base), Type::Ptr)).chain(numbers).collect()
        }
        _ => vec![(arg.clone(), ty.clone())],
    }
}

/// `void wrapper(ptr args, ptr out)`
fn wrapper(module: &Module, func: FuncId) -> freeloom_ir::Func {
    let mut b = Builder::new(WRAPPER, Linkage::Export, &[Type::Ptr, Type::Ptr], None);
    let mut at = 0;
    let types = module.func(func).param_types().iter();
    let args = types.map(|ty| argument(&mut b, ty, &mut at)).collect();
    let result = b.call(module, func, args);
    let out = b.param(1);
    b.store(out, result);
    b.ret(None);
    b.finish()
}

fn argument(b: &mut Builder, ty: &Type, at: &mut i64) -> Value {
    let mut load = |b: &mut Builder, ty: &Type| {
        let offset = b.i64(*at);
        let from = b.ptr_add(b.param(0), offset);
        *at += ty.size() as i64;
        b.load(ty.clone(), from)
    };
    match ty {
        Type::View(v) => {
            let mut items = vec![load(b, &Type::Ptr)];
            items.extend((0..2 * v.rank).map(|_| load(b, &Type::I64)));
            b.make(ty.clone(), items)
        }
        _ => load(b, ty),
    }
}

/// Makes a procedure callable: it gets a `bool` to return.
fn give_result(module: &mut Module, func: FuncId) {
    let func = &mut module.funcs[func.0 as usize];
    func.ret = Some(Type::BOOL);
    func.body.0.push(Stmt::Return(None));
    let values = &mut func.values;
    replace_returns(&mut func.body, &mut || {
        values.push(Type::BOOL);
        Value(values.len() as u32 - 1)
    });
}

fn replace_returns(block: &mut Block, fresh: &mut impl FnMut() -> Value) {
    for stmt in std::mem::take(&mut block.0) {
        let mut stmt = stmt;
        match &mut stmt {
            Stmt::If { then, els, .. } => {
                replace_returns(then, fresh);
                replace_returns(els, fresh);
            }
            Stmt::Loop(body) => replace_returns(body, fresh),
            Stmt::For(l) => replace_returns(&mut l.body, fresh),
            Stmt::Return(result) => {
                let v = fresh();
                block.0.push(Stmt::Let(v, Inst::Const(freeloom_ir::Const::bool(true))));
                *result = Some(v);
            }
            _ => {}
        }
        block.0.push(stmt);
    }
}
