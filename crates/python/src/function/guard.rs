//! What must still hold for a function to be the one that was read.

use freeloom_compiler::ConstValue;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyString};

use super::constant;
use super::python::Function;
use crate::array::{NdArray, to_ndarray};
use crate::dtype;

/// The identity of a function: its code, and what each name it uses stands for.
pub(super) struct Guards {
    pub(super) code: Py<PyAny>,
    pub(super) names: Vec<Guard>,
}

/// One name or dotted path.
pub(super) struct Guard {
    pub(super) root: Root,
    pub(super) attributes: Vec<Py<PyString>>,
    pub(super) expect: Expect,
}

/// Where the first name of a path is looked up.
pub(super) enum Root {
    Cell(usize),
    Global(Py<PyString>),
    Default(usize),
    KeywordDefault(Py<PyString>),
}

/// What a path must lead to.
pub(super) enum Expect {
    /// Nothing: the name is not bound.
    Nothing,
    /// That object.
    Same(Py<PyAny>),
    /// That object, which cannot change, or another of equal value.
    Equal(Py<PyAny>, ConstValue),
    /// An object that can change, of that value.
    Value(ConstValue),
    /// An array of items of that type (a number in keys) and rank.
    Array(u64, usize),
    /// A function for which all of this holds.
    Function(Guards),
}

impl Root {
    pub(super) fn get<'py>(&self, function: &Function<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = function.object().py();
        match self {
            Root::Cell(index) => Ok(function.cell(*index)),
            Root::Global(name) => function.global(name.bind(py)),
            Root::Default(index) => Ok(function.defaults().and_then(|d| d.get_item(*index).ok())),
            Root::KeywordDefault(name) => match function.keyword_defaults() {
                Some(defaults) => defaults.get_item(name),
                None => Ok(None),
            },
        }
    }
}

impl Guards {
    /// Does it hold for `function`? Appends the captured arrays, in the order of their slots.
    pub(super) fn hold<'py>(
        &self,
        function: &Function<'py>,
        arrays: &mut Vec<NdArray<'py>>,
    ) -> PyResult<bool> {
        if !function.code()?.is(&self.code) {
            return Ok(false);
        }
        for guard in &self.names {
            if !guard.holds(function, arrays)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn traverse(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.code)?;
        self.names.iter().try_for_each(|g| match &g.expect {
            Expect::Same(object) | Expect::Equal(object, _) => visit.call(object),
            Expect::Function(guards) => guards.traverse(visit),
            _ => Ok(()),
        })
    }
}

impl Guard {
    fn holds<'py>(&self, function: &Function<'py>, arrays: &mut Vec<NdArray<'py>>) -> PyResult<bool> {
        let py = function.object().py();
        let mut value = self.root.get(function)?;
        for name in &self.attributes {
            value = match value {
                Some(object) => object.getattr_opt(name.bind(py))?,
                None => None,
            };
        }
        match value {
            Some(value) => self.expect.is_met(&value, arrays),
            None => Ok(matches!(self.expect, Expect::Nothing)),
        }
    }
}

impl Expect {
    fn is_met<'py>(&self, value: &Bound<'py, PyAny>, arrays: &mut Vec<NdArray<'py>>) -> PyResult<bool> {
        match self {
            Expect::Nothing => Ok(false),
            Expect::Same(object) => Ok(value.is(object)),
            Expect::Equal(object, known) => {
                Ok(value.is(object) || constant::of(value)?.as_ref() == Some(known))
            }
            Expect::Value(known) => Ok(constant::of(value)?.as_ref() == Some(known)),
            Expect::Array(number, rank) => {
                let Some(array) = to_ndarray(value, "op")? else { return Ok(false) };
                let same = array.ndim() == *rank && dtype::of_dtype(&array.dtype())?.number == *number;
                arrays.push(array);
                Ok(same)
            }
            Expect::Function(guards) => match Function::new(value) {
                Some(function) => guards.hold(&function, arrays),
                None => Ok(false),
            },
        }
    }
}
