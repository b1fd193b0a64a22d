//! Iterators with types: how items are read and written, compiled into the kernel.

mod array;
mod open;

use freeloom_ir::Type;

use crate::IterSpec;
use crate::binding::IterBinding;
use crate::error::{BuildError, Built, RunError};
use crate::kernel::Args;
use crate::op::{Op, Requirement};

pub(crate) use open::{Open, load, store};

/// An [`IterSpec`] with the type of each node.
#[derive(Clone, Debug)]
pub(crate) enum Iter {
    /// An array.
    Array(Type),
    /// `start + i`
    Counting(Type),
    /// Always the same.
    Constant(Type),
    /// `op(child[i])`, or `child[i] = op(value)`. As an output, `item` is what is written to it.
    Transform { child: Box<Iter>, op: Op, item: Type },
    /// Records of the children's items.
    Zip { children: Vec<Iter>, item: Type },
}

impl Iter {
    /// An iterator to read. `name` is the parameter's name in messages.
    pub(crate) fn input(spec: &IterSpec, name: &str) -> Built<Iter> {
        Ok(match spec {
            IterSpec::Array(ty) => Iter::Array(ty.clone()),
            IterSpec::Counting(ty) => Iter::Counting(counting_type(ty, name)?),
            IterSpec::Constant(ty) => Iter::Constant(ty.clone()),
            IterSpec::Transform { child, op, value } => {
                let child = Iter::input(child, name)?;
                let op = Op::build(op, std::slice::from_ref(child.item()), value.as_ref())?;
                Iter::Transform { item: op.ret().clone(), child: Box::new(child), op }
            }
            IterSpec::Zip(children) => {
                Iter::zip(children.iter().map(|c| Iter::input(c, name)).collect::<Built<_>>()?, name)?
            }
        })
    }

    /// An iterator to write.
    pub(crate) fn output(spec: &IterSpec, name: &str) -> Built<Iter> {
        let refuse = |what: &str| Err(BuildError::Type(format!("{name}: {what}")));
        Ok(match spec {
            IterSpec::Array(ty) => Iter::Array(ty.clone()),
            IterSpec::Counting(_) => return refuse("a counting iterator cannot be written"),
            IterSpec::Constant(_) => return refuse("a constant iterator cannot be written"),
            IterSpec::Transform { value: None, .. } => {
                return refuse("a transform that is written needs the type of the value it takes");
            }
            IterSpec::Transform { child, op, value: Some(value) } => {
                let child = Iter::output(child, name)?;
                let op = Op::build(op, std::slice::from_ref(value), Some(child.item()))?;
                Iter::Transform { item: value.clone(), child: Box::new(child), op }
            }
            IterSpec::Zip(children) => {
                Iter::zip(children.iter().map(|c| Iter::output(c, name)).collect::<Built<_>>()?, name)?
            }
        })
    }

    fn zip(children: Vec<Iter>, name: &str) -> Built<Iter> {
        if children.is_empty() {
            return Err(BuildError::Type(format!("{name}: a zip needs at least one iterator")));
        }
        let fields = children.iter().enumerate().map(|(i, c)| (format!("field_{i}"), c.item().clone()));
        let item = Type::aligned_struct("zip", fields);
        Ok(Iter::Zip { children, item })
    }

    /// The type of what is read or written.
    pub(crate) fn item(&self) -> &Type {
        match self {
            Iter::Array(ty) | Iter::Counting(ty) | Iter::Constant(ty) => ty,
            Iter::Transform { item, .. } | Iter::Zip { item, .. } => item,
        }
    }

    /// Bytes of memory touched for each item.
    pub(crate) fn traffic(&self) -> u64 {
        match self {
            Iter::Array(ty) => ty.size(),
            Iter::Counting(_) | Iter::Constant(_) => 0,
            Iter::Transform { child, .. } => child.traffic(),
            Iter::Zip { children, .. } => children.iter().map(Iter::traffic).sum(),
        }
    }

    /// Calls `f` with each operator, in the order of the slots.
    pub(crate) fn for_each_op(&self, f: &mut impl FnMut(&Op)) {
        match self {
            Iter::Array(_) | Iter::Counting(_) | Iter::Constant(_) => {}
            Iter::Transform { child, op, .. } => {
                child.for_each_op(f);
                f(op);
            }
            Iter::Zip { children, .. } => children.iter().for_each(|c| c.for_each_op(f)),
        }
    }

    /// What the operators demand of their captured arrays, operator by operator, children first.
    pub(crate) fn requirements(&self) -> Vec<Vec<Requirement>> {
        let mut all = Vec::new();
        self.for_each_op(&mut |op| all.push(op.requirements()));
        all
    }

    /// Appends the state of the iterator to the arguments. [`Open::new`] reads it.
    pub(crate) fn pack(&self, binding: &IterBinding, args: &mut Args) -> Result<(), RunError> {
        match (self, binding) {
            (Iter::Array(ty), IterBinding::Array { array, offset }) => array::pack(ty, array, *offset, args),
            (Iter::Counting(_), IterBinding::Counting(start)) => args.push(*start),
            (Iter::Constant(ty), IterBinding::Constant(bytes)) => {
                if (bytes.len() as u64) < ty.size() {
                    return Err(RunError::Mismatch("the size of a constant"));
                }
                args.push(bytes.as_ptr() as u64);
            }
            (Iter::Transform { child, op, .. }, IterBinding::Transform { child: bound, op: op_bound }) => {
                child.pack(bound, args)?;
                op.pack(op_bound, args)?;
            }
            (Iter::Zip { children, .. }, IterBinding::Zip(bound)) if children.len() == bound.len() => {
                for (child, bound) in children.iter().zip(bound) {
                    child.pack(bound, args)?;
                }
            }
            _ => return Err(RunError::Mismatch("an iterator")),
        }
        Ok(())
    }
}

fn counting_type(ty: &Type, name: &str) -> Built<Type> {
    match ty.scalar() {
        Some(s) if s.is_int() || s.is_float() => Ok(ty.clone()),
        _ => Err(BuildError::Type(format!("{name}: a counting iterator needs a number, not {ty}"))),
    }
}

/// Type of the items read from an iterator. The result of a Python transform is inferred.
pub fn item_type(spec: &IterSpec) -> Result<Type, BuildError> {
    Iter::input(spec, "iterator").map(|i| i.item().clone())
}

/// Type of the values written to an iterator.
pub fn output_item_type(spec: &IterSpec) -> Result<Type, BuildError> {
    Iter::output(spec, "iterator").map(|i| i.item().clone())
}
