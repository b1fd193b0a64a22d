//! What lasts from round to round.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use freeloom_ir as ir;

use crate::ast::{FunctionDef, Span};
use crate::function::{ArrayCapture, Capture, Function};
use crate::operand::Ty;
use crate::scope::Bindings;

use super::{CapturedArray, Compiled};

/// Types form short chains, so a few rounds always do; this ends the search if a join were wrong.
pub(super) const MAX_ROUNDS: u32 = 64;
/// Nesting of syntax, inlined functions included. Bounds the machine's stack.
pub(super) const MAX_NESTING: u32 = 150;
/// Bounds the size of the code, which calls of calls can multiply.
pub(super) const MAX_STEPS: u32 = 200_000;

/// Name of the pseudo-local that holds the result of an instance: not a Python name.
pub(super) const RESULT: &str = "return";

/// What lasts from round to round.
pub(super) struct Session<'f> {
    pub(super) function: &'f Function,
    pub(super) args: &'f [ir::Type],
    pub(super) ret: Option<&'f ir::Type>,
    /// Did this round learn something that its own code does not yet follow?
    pub(super) changed: bool,
    /// Arrays that get a parameter: all that may be meant at first, then only those used.
    pub(super) arrays: BTreeMap<u32, ArrayCapture>,
    /// Arrays read in this round: least lengths per axis.
    used: BTreeMap<u32, Vec<u64>>,
    types: HashMap<(u32, &'f str), Ty>,
    instances: HashMap<(u32, usize, u32), u32>,
    bindings: HashMap<*const FunctionDef, Rc<Bindings<'f>>>,
}

impl<'f> Session<'f> {
    pub(super) fn new(
        function: &'f Function,
        args: &'f [ir::Type],
        ret: Option<&'f ir::Type>,
    ) -> Session<'f> {
        Session {
            function,
            args,
            ret,
            changed: false,
            arrays: reachable_arrays(function),
            used: BTreeMap::new(),
            types: HashMap::new(),
            instances: HashMap::new(),
            bindings: HashMap::new(),
        }
    }

    pub(super) fn begin_round(&mut self) {
        self.changed = false;
        self.used.clear();
    }

    /// Is the round that just ended the last one?
    pub(super) fn settled(&mut self) -> bool {
        if !self.changed && self.used.len() != self.arrays.len() {
            let used = &self.used;
            self.arrays.retain(|slot, _| used.contains_key(slot));
            self.changed = true;
        }
        !self.changed
    }

    pub(super) fn finish(self, func: ir::Func, ret: ir::Type) -> Compiled {
        let mut polls = false;
        func.body.for_each_stmt(&mut |stmt| polls |= matches!(stmt, ir::Stmt::Poll));
        let mut module = ir::Module::default();
        let entry = module.push(func);
        let mut used = self.used;
        let arrays = self
            .arrays
            .into_iter()
            .map(|(slot, a)| CapturedArray {
                slot,
                elem: a.elem,
                rank: a.rank,
                min_len: used.remove(&slot).unwrap_or_default(),
            })
            .collect();
        Compiled { module, entry, args: self.args.to_vec(), ret, arrays, polls }
    }

    /// Which parameter an array is.
    pub(super) fn array_param(&mut self, array: &ArrayCapture) -> Option<usize> {
        let position = self.arrays.keys().position(|slot| *slot == array.slot)?;
        self.used.entry(array.slot).or_insert_with(|| vec![0; array.rank as usize]);
        Some(self.args.len() + position)
    }

    /// The slot of the array that is parameter `param`.
    pub(super) fn array_slot(&self, param: usize) -> Option<u32> {
        self.arrays.keys().nth(param.checked_sub(self.args.len())?).copied()
    }

    /// Demands a least length along an axis.
    pub(super) fn need_len(&mut self, slot: u32, axis: usize, len: u64) {
        if let Some(least) = self.used.get_mut(&slot).and_then(|axes| axes.get_mut(axis)) {
            *least = (*least).max(len);
        }
    }

    /// Is a least length along an axis demanded already?
    pub(super) fn is_needed(&self, slot: u32, axis: usize, len: u64) -> bool {
        self.used.get(&slot).and_then(|axes| axes.get(axis)).is_some_and(|least| *least >= len)
    }

    pub(super) fn local_type(&self, instance: u32, name: &'f str) -> Option<&Ty> {
        self.types.get(&(instance, name))
    }

    pub(super) fn set_local_type(&mut self, instance: u32, name: &'f str, ty: Ty) {
        self.types.insert((instance, name), ty);
    }

    /// A number for the `nth` inlining of one call site of an instance.
    pub(super) fn instance(&mut self, caller: u32, site: usize, nth: u32) -> u32 {
        let next = self.instances.len() as u32 + 1;
        *self.instances.entry((caller, site, nth)).or_insert(next)
    }

    /// The names a function binds. `Err` is the place where it nests too deeply.
    pub(super) fn bindings(&mut self, def: &'f FunctionDef) -> Result<Rc<Bindings<'f>>, Span> {
        if let Some(known) = self.bindings.get(&std::ptr::from_ref(def)) {
            return Ok(Rc::clone(known));
        }
        let fresh = Rc::new(Bindings::of(def)?);
        self.bindings.insert(std::ptr::from_ref(def), Rc::clone(&fresh));
        Ok(fresh)
    }
}

/// How a parameter of the operator is seen: its types are all NumPy's.
pub(super) fn type_of_param(ty: &ir::Type) -> Ty {
    match ty {
        ir::Type::Tuple(items) => Ty::Tuple(items.iter().map(type_of_param).collect()),
        _ => Ty::Strong(ty.clone()),
    }
}

fn reachable_arrays(function: &Function) -> BTreeMap<u32, ArrayCapture> {
    let mut arrays = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut todo = vec![function];
    while let Some(f) = todo.pop() {
        if !seen.insert(std::ptr::from_ref(f)) {
            continue;
        }
        for capture in f.captures.values().chain(f.defaults.values()) {
            match capture {
                Capture::Array(a) => {
                    arrays.insert(a.slot, a.clone());
                }
                Capture::Function(g) => todo.push(g),
                _ => {}
            }
        }
    }
    arrays
}
