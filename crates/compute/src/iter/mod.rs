//! Iterators with types: how items are read and written, compiled into the kernel.

mod array;
mod open;
mod shuffle;

use freeloom_ir::{Scalar, Type};

use crate::binding::IterBinding;
use crate::error::{BuildError, Built, RunError};
use crate::kernel::Args;
use crate::op::{Op, Requirement};
use crate::{IterSpec, Operator};

pub(crate) use open::{Open, load, store};

/// An [`IterSpec`] with the type of each node.
#[derive(Clone, Debug)]
pub(crate) enum Iter {
    /// An array.
    Array(Type),
    /// An array entered at positions that are known at run time only, and checked.
    Checked(Type),
    /// `start + i`
    Counting(Type),
    /// Always the same.
    Constant(Type),
    /// `op(child[i])`, or `child[i] = op(value)`. As an output, `item` is what is written to it.
    Transform { child: Box<Iter>, op: Op, item: Type },
    /// Records of the children's items.
    Zip { children: Vec<Iter>, item: Type },
    /// `child[-i]`
    Reverse(Box<Iter>),
    /// `values[indices[i]]`; the arrays in `values` are checked.
    Permutation { values: Box<Iter>, indices: Box<Iter> },
    /// Keeps nothing; zero if read.
    Discard(Type),
    /// A permutation of `0 .. n`.
    Shuffle,
}

/// How an iterator is used.
#[derive(Clone, Copy)]
struct Use<'a> {
    /// The parameter's name in messages.
    name: &'a str,
    output: bool,
    /// At positions that are computed, not counted.
    checked: bool,
}

impl Iter {
    /// An iterator to read. `name` is the parameter's name in messages.
    pub(crate) fn input(spec: &IterSpec, name: &str) -> Built<Iter> {
        Iter::build(spec, Use { name, output: false, checked: false })
    }

    /// An iterator to write.
    pub(crate) fn output(spec: &IterSpec, name: &str) -> Built<Iter> {
        Iter::build(spec, Use { name, output: true, checked: false })
    }

    fn build(spec: &IterSpec, how: Use<'_>) -> Built<Iter> {
        let refuse = |what: &str| Err(BuildError::Type(format!("{}: {what}", how.name)));
        Ok(match spec {
            IterSpec::Array(ty) if how.checked => Iter::Checked(ty.clone()),
            IterSpec::Array(ty) => Iter::Array(ty.clone()),
            IterSpec::Counting(_) if how.output => return refuse("a counting iterator cannot be written"),
            IterSpec::Counting(ty) => Iter::Counting(counting_type(ty, how.name)?),
            IterSpec::Constant(_) if how.output => return refuse("a constant iterator cannot be written"),
            IterSpec::Constant(ty) => Iter::Constant(ty.clone()),
            IterSpec::Shuffle if how.output => return refuse("a shuffle iterator cannot be written"),
            IterSpec::Shuffle => Iter::Shuffle,
            IterSpec::Discard(ty) => Iter::Discard(ty.clone()),
            IterSpec::Transform { value: None, .. } if how.output => {
                return refuse("a transform that is written needs the type of the value it takes");
            }
            IterSpec::Transform { child, op, value } => {
                Iter::transform(Iter::build(child, how)?, op, value.as_ref(), how)?
            }
            IterSpec::Zip(children) => {
                Iter::zip(children.iter().map(|c| Iter::build(c, how)).collect::<Built<_>>()?, how.name)?
            }
            IterSpec::Reverse(child) => Iter::Reverse(Box::new(Iter::build(child, how)?)),
            IterSpec::Permutation { values, indices } => Iter::permutation(values, indices, how)?,
        })
    }

    fn transform(child: Iter, op: &Operator, value: Option<&Type>, how: Use<'_>) -> Built<Iter> {
        let (op, item) = match value {
            Some(value) if how.output => {
                (Op::build(op, std::slice::from_ref(value), Some(child.item()))?, value.clone())
            }
            _ => {
                let op = Op::build(op, std::slice::from_ref(child.item()), value)?;
                let item = op.ret().clone();
                (op, item)
            }
        };
        Ok(Iter::Transform { item, child: Box::new(child), op })
    }

    fn permutation(values: &IterSpec, indices: &IterSpec, how: Use<'_>) -> Built<Iter> {
        let values = Box::new(Iter::build(values, Use { checked: true, ..how })?);
        let indices = Box::new(Iter::build(indices, Use { output: false, ..how })?);
        if !indices.item().scalar().is_some_and(Scalar::is_int) {
            let text = "the indices of a permutation must be integers, not";
            return Err(BuildError::Type(format!("{}: {text} {}", how.name, indices.item())));
        }
        Ok(Iter::Permutation { values, indices })
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
            Iter::Array(ty) | Iter::Checked(ty) | Iter::Counting(ty) | Iter::Constant(ty) => ty,
            Iter::Transform { item, .. } | Iter::Zip { item, .. } | Iter::Discard(item) => item,
            Iter::Reverse(child) => child.item(),
            Iter::Permutation { values, .. } => values.item(),
            Iter::Shuffle => &Type::I64,
        }
    }

    /// Bytes of memory touched for each item.
    pub(crate) fn traffic(&self) -> u64 {
        match self {
            Iter::Array(ty) | Iter::Checked(ty) => ty.size(),
            Iter::Counting(_) | Iter::Constant(_) | Iter::Discard(_) | Iter::Shuffle => 0,
            Iter::Transform { child, .. } | Iter::Reverse(child) => child.traffic(),
            Iter::Permutation { values, indices } => values.traffic() + indices.traffic(),
            Iter::Zip { children, .. } => children.iter().map(Iter::traffic).sum(),
        }
    }

    /// Calls `f` with each operator, in the order of the slots.
    pub(crate) fn for_each_op(&self, f: &mut impl FnMut(&Op)) {
        match self {
            Iter::Array(_) | Iter::Checked(_) | Iter::Counting(_) | Iter::Constant(_) => {}
            Iter::Discard(_) | Iter::Shuffle => {}
            Iter::Reverse(child) => child.for_each_op(f),
            Iter::Permutation { values, indices } => {
                values.for_each_op(f);
                indices.for_each_op(f);
            }
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
            (Iter::Checked(ty), IterBinding::Array { array, offset }) => {
                array::pack_checked(ty, array, *offset, args);
            }
            (Iter::Discard(_), IterBinding::Discard) => {}
            (Iter::Shuffle, IterBinding::Shuffle { len, seed, offset }) => {
                shuffle::pack(*len, *seed, *offset, args);
            }
            (Iter::Reverse(child), IterBinding::Reverse(bound)) => child.pack(bound, args)?,
            (
                Iter::Permutation { values, indices },
                IterBinding::Permutation { values: bound, indices: bound_indices },
            ) => {
                values.pack(bound, args)?;
                indices.pack(bound_indices, args)?;
            }
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
