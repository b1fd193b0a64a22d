//! The type of an instruction's result, which follows from its operands' types.

use crate::func::{Func, FuncId, Inst, Value, Var};
use crate::types::{Scalar, Type};

/// What is known about the function around an instruction.
pub(crate) trait TypeEnv {
    /// Type of a value.
    fn value(&self, v: Value) -> Option<&Type>;
    /// Type of a variable.
    fn var(&self, v: Var) -> Option<&Type>;
    /// A function of the module.
    fn callee(&self, id: FuncId) -> Option<&Func>;
}

/// A finished function among the functions of its module.
pub(crate) struct FuncEnv<'a> {
    pub(crate) funcs: &'a [Func],
    pub(crate) func: &'a Func,
}

impl TypeEnv for FuncEnv<'_> {
    fn value(&self, v: Value) -> Option<&Type> {
        self.func.values.get(v.0 as usize)
    }

    fn var(&self, v: Var) -> Option<&Type> {
        self.func.vars.get(v.0 as usize).map(|v| &v.ty)
    }

    fn callee(&self, id: FuncId) -> Option<&Func> {
        self.funcs.get(id.0 as usize)
    }
}

/// The type of what `inst` computes; `None` if its operands do not allow to tell. Legality is not checked.
pub(crate) fn result_type(inst: &Inst, env: &impl TypeEnv) -> Option<Type> {
    match inst {
        Inst::Const(c) => Some(c.type_of()),
        Inst::Get(var) => env.var(*var).cloned(),
        Inst::Unary(_, a) | Inst::Binary(_, a, _) | Inst::Select(_, a, _) => env.value(*a).cloned(),
        Inst::Cmp(..) => Some(Type::BOOL),
        Inst::Cast(_, ty) | Inst::Bitcast(_, ty) | Inst::Make(ty, _) | Inst::Load(ty, _) => Some(ty.clone()),
        Inst::Extract(a, i) => component_type(env.value(*a)?, u64::from(*i)),
        Inst::Index(a, _) => component_type(env.value(*a)?, 0),
        Inst::ViewLen(..) => Some(Type::I64),
        Inst::ViewLoad(v, _) => match env.value(*v)? {
            Type::View(v) => Some(v.elem.clone()),
            _ => None,
        },
        Inst::PtrAdd(..) | Inst::StackAlloc(_) => Some(Type::Ptr),
        Inst::Call(callee, _) => env.callee(*callee)?.ret.clone(),
    }
}

/// Type of a component. Unlike [`Type::component`] it asks for no layout, so that any type will do.
pub(crate) fn component_type(ty: &Type, index: u64) -> Option<Type> {
    let at = usize::try_from(index).ok()?;
    match ty {
        Type::Complex(s) => (index < 2).then_some(Type::Scalar(*s)),
        Type::Tuple(items) => items.get(at).cloned(),
        Type::Struct(s) => s.fields.get(at).map(|f| f.ty.clone()),
        Type::Array(a) => (index < a.len).then(|| a.elem.clone()),
        Type::Scalar(_) | Type::View(_) | Type::Ptr => None,
    }
}

/// The scalars of the components of a view: base address, lengths, strides.
pub(crate) fn view_parts(rank: u32) -> impl Iterator<Item = Type> {
    std::iter::once(Type::Ptr).chain((0..2 * u64::from(rank)).map(|_| Type::Scalar(Scalar::I64)))
}
