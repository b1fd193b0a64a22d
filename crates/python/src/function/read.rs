//! Reads a function for the first time: syntax, defaults, captures, and the guards of all of it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use freeloom_compiler::{Capture, Function as Compiled, SourceFile, ast::FunctionDef};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::capture::{self, Meaning, meaning, same};
use super::free::free_paths;
use super::guard::{Expect, Guard, Guards, Root};
use super::python::Function;
use super::stmt;
use crate::array::NdArray;

/// State of reading an operator together with the functions it calls.
#[derive(Default)]
pub(super) struct Reader<'py> {
    /// Functions being read, outermost first, by address.
    open: Vec<usize>,
    /// Functions read, by address: one that is called twice has one set of array slots.
    done: HashMap<usize, Arc<Compiled>>,
    /// Captured arrays, by slot.
    pub(super) arrays: Vec<NdArray<'py>>,
}

impl<'py> Reader<'py> {
    pub(super) fn next_slot(&mut self, array: NdArray<'py>) -> u32 {
        self.arrays.push(array);
        self.arrays.len() as u32 - 1
    }

    /// A function that the operator calls.
    pub(super) fn helper(&mut self, function: &Function<'py>) -> PyResult<Meaning> {
        let object = function.object();
        let address = object.as_ptr() as usize;
        if self.open.contains(&address) {
            let text = format!("the function '{}', which calls itself", function.qualified_name()?);
            return Ok((Capture::Unsupported(text), same(object)));
        }
        if let Some(known) = self.done.get(&address) {
            return Ok((Capture::Function(Arc::clone(known)), same(object)));
        }
        match self.function(function) {
            Ok((compiled, guards)) => {
                let compiled = Arc::new(compiled);
                self.done.insert(address, Arc::clone(&compiled));
                Ok((Capture::Function(compiled), Expect::Function(guards)))
            }
            Err(e) if e.is_instance_of::<pyo3::exceptions::PyTypeError>(object.py()) => {
                let text =
                    format!("the function '{}', whose source is not available", function.qualified_name()?);
                Ok((Capture::Unsupported(text), same(object)))
            }
            Err(e) => Err(e),
        }
    }

    pub(super) fn function(&mut self, function: &Function<'py>) -> PyResult<(Compiled, Guards)> {
        self.open.push(function.object().as_ptr() as usize);
        let result = self.read(function);
        self.open.pop();
        result
    }

    fn read(&mut self, function: &Function<'py>) -> PyResult<(Compiled, Guards)> {
        let name = function.qualified_name()?;
        let (def, source) = syntax(function)?;
        let mut guards = Guards { code: function.code()?.unbind(), names: Vec::new() };
        let defaults = self.defaults(function, &def, &mut guards)?;
        let captures = self.captures(function, &def, &mut guards)?;
        Ok((Compiled { name, source: Arc::new(source), def, defaults, captures }, guards))
    }

    fn defaults(
        &mut self,
        function: &Function<'py>,
        def: &FunctionDef,
        guards: &mut Guards,
    ) -> PyResult<BTreeMap<String, Capture>> {
        let py = function.object().py();
        let mut found = BTreeMap::new();
        let positional: Vec<_> = def.params.iter().filter(|p| !p.keyword_only).collect();
        let count = function.defaults().map_or(0, |d| d.len());
        let without = positional.len().saturating_sub(count);
        let roots = positional[without..].iter().enumerate().map(|(i, p)| (&p.name, Root::Default(i)));
        let keywords = def.params.iter().filter(|p| p.keyword_only);
        let keywords = keywords.map(|p| (&p.name, Root::KeywordDefault(PyString::new(py, &p.name).unbind())));
        for (name, root) in roots.chain(keywords) {
            let Some(value) = root.get(function)? else { continue };
            let (capture, expect) = self.value(name, &value)?;
            guards.names.push(Guard { root, attributes: Vec::new(), expect });
            found.insert(name.clone(), capture);
        }
        Ok(found)
    }

    fn value(&mut self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<Meaning> {
        match meaning(self, value)? {
            Some(known) => Ok(known),
            None => capture::unsupported(name, value),
        }
    }

    fn captures(
        &mut self,
        function: &Function<'py>,
        def: &FunctionDef,
        guards: &mut Guards,
    ) -> PyResult<BTreeMap<String, Capture>> {
        let cells = function.free_names()?;
        let mut found = BTreeMap::new();
        for path in free_paths(def) {
            self.path(function, &cells, &path, &mut found, guards)?;
        }
        Ok(found)
    }

    /// Follows a dotted path to the first object that means something by itself.
    fn path(
        &mut self,
        function: &Function<'py>,
        cells: &[String],
        path: &[String],
        found: &mut BTreeMap<String, Capture>,
        guards: &mut Guards,
    ) -> PyResult<()> {
        let py = function.object().py();
        let root = || match cells.iter().position(|c| *c == path[0]) {
            Some(index) => Root::Cell(index),
            None => Root::Global(PyString::intern(py, &path[0]).unbind()),
        };
        let mut value = root().get(function)?;
        for end in 1..=path.len() {
            let name = path[..end].join(".");
            let Some(object) = &value else {
                let attributes = interned(py, &path[1..end]);
                guards.names.push(Guard { root: root(), attributes, expect: Expect::Nothing });
                let text = if end == 1 {
                    format!("'{name}', which is not defined")
                } else {
                    format!("'{name}', which does not exist")
                };
                found.insert(name, Capture::Unsupported(text));
                return Ok(());
            };
            if found.contains_key(&name) {
                return Ok(());
            }
            let last = end == path.len();
            let known = meaning(self, object)?;
            let known =
                if last && known.is_none() { Some(capture::unsupported(&name, object)?) } else { known };
            if let Some((capture, expect)) = known {
                let attributes = interned(py, &path[1..end]);
                guards.names.push(Guard { root: root(), attributes, expect });
                found.insert(name, capture);
                return Ok(());
            }
            value = if last { None } else { object.getattr_opt(path[end].as_str())? };
        }
        Ok(())
    }
}

fn interned(py: Python<'_>, names: &[String]) -> Vec<Py<PyString>> {
    names.iter().map(|n| PyString::intern(py, n).unbind()).collect()
}

/// The syntax of a function and the lines it stands in.
fn syntax(function: &Function<'_>) -> PyResult<(FunctionDef, SourceFile)> {
    let py = function.object().py();
    let find = py.import(intern!(py, "freeloom._source"))?.getattr(intern!(py, "find"))?;
    let found = find.call1((function.object(),))?;
    let (node, filename, first_line, lines) =
        found.extract::<(Bound<'_, PyAny>, String, u32, Vec<String>)>()?;
    Ok((stmt::function(&node, true)?, SourceFile { filename, first_line, lines }))
}
