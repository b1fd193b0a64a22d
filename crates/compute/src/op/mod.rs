//! Operators with types: checked once, emitted wherever a kernel applies them.

mod captures;
mod known;

use std::sync::Arc;

use freeloom_compiler::{Compiled, as_single_op};
use freeloom_ir::{BinaryOp, FuncId, Type, Value};

pub use captures::Requirement;

use crate::binding::OpBinding;
use crate::error::{BuildError, Built, RunError};
use crate::kernel::{Args, Cx};
use crate::{OpKind, Operator};

/// An operator applied to values of given types.
#[derive(Clone, Debug)]
pub(crate) struct Op {
    body: Body,
    params: Vec<Type>,
    ret: Type,
}

#[derive(Clone, Debug)]
enum Body {
    Known(OpKind),
    Compiled(Arc<Compiled>),
}

/// An operator opened in a kernel: its function and its captured arrays.
pub(crate) struct OpenOp {
    ret: Type,
    body: OpenBody,
}

enum OpenBody {
    Known(OpKind),
    Function(FuncId, Vec<Value>),
}

impl Op {
    /// Types an operator. Its result is converted to `ret` if given.
    pub(crate) fn build(op: &Operator, params: &[Type], ret: Option<&Type>) -> Built<Op> {
        let (body, natural) = match op {
            Operator::Known(kind) => (Body::Known(*kind), known::result_type(*kind, params)?),
            Operator::Python(function) => {
                let compiled =
                    freeloom_compiler::compile(function, params, ret).map_err(BuildError::Compile)?;
                let natural = compiled.ret.clone();
                (Body::Compiled(Arc::new(compiled)), natural)
            }
        };
        let ret = ret.cloned().unwrap_or(natural);
        Ok(Op { body, params: params.to_vec(), ret })
    }

    /// The result's type.
    pub(crate) fn ret(&self) -> &Type {
        &self.ret
    }

    /// Does it contain loops of unknown length?
    pub(crate) fn polls(&self) -> bool {
        matches!(&self.body, Body::Compiled(c) if c.polls)
    }

    /// Can operands be swapped and regrouped? Known for the usual operations on scalars only.
    pub(crate) fn is_commutative(&self) -> bool {
        let scalar = matches!(self.params.as_slice(), [Type::Scalar(_), b] if *b == self.params[0]);
        scalar
            && match &self.body {
                Body::Known(kind) => known::is_commutative(*kind),
                Body::Compiled(c) => {
                    as_single_op(c).is_some_and(|op: BinaryOp| op.is_commutative() && op.is_associative())
                }
            }
    }

    /// Roughly how many instructions it has.
    pub(crate) fn weight(&self) -> usize {
        match &self.body {
            Body::Known(_) => 1,
            Body::Compiled(c) => c.module.funcs.iter().map(|f| f.values.len() + f.vars.len()).sum(),
        }
    }

    /// Makes the operator callable in a kernel.
    pub(crate) fn open(&self, cx: &mut Cx<'_>) -> OpenOp {
        let body = match &self.body {
            Body::Known(kind) => OpenBody::Known(*kind),
            Body::Compiled(c) => {
                let function = cx.import(c);
                OpenBody::Function(function, captures::open(cx, &c.arrays))
            }
        };
        OpenOp { ret: self.ret.clone(), body }
    }

    /// Appends the captured arrays to the arguments.
    pub(crate) fn pack(&self, binding: &OpBinding, args: &mut Args) -> Result<(), RunError> {
        match &self.body {
            Body::Known(_) => Ok(()),
            Body::Compiled(c) => captures::pack(&c.arrays, binding, args),
        }
    }

    /// What the operator demands of its captured arrays.
    pub(crate) fn requirements(&self) -> Vec<Requirement> {
        match &self.body {
            Body::Known(_) => Vec::new(),
            Body::Compiled(c) => captures::requirements(&c.arrays),
        }
    }
}

impl OpenOp {
    /// Applies the operator.
    pub(crate) fn apply(&self, cx: &mut Cx<'_>, operands: &[Value]) -> Built<Value> {
        let value = match &self.body {
            OpenBody::Known(kind) => known::emit(cx, *kind, operands)?,
            OpenBody::Function(function, captures) => {
                let mut all = operands.to_vec();
                all.extend_from_slice(captures);
                cx.call(*function, all)
            }
        };
        cx.convert(value, &self.ret, "op")
    }
}
