//! Calls: binding arguments, inlining, library functions.

use std::collections::HashMap;
use std::rc::Rc;

use freeloom_ir as ir;

use crate::arith;
use crate::ast::{Expr, ExprKind, FunctionDef, Span};
use crate::diagnostic::Refusal;
use crate::flow::Flow;
use crate::function::{Builtin, Function, Library};
use crate::library;
use crate::operand::Operand;
use crate::scope;

use super::frame::{Callee, Closure, Frame, Item, Leave, ResultMode, Slot, is_view};
use super::{Lowerer, Res, session, too_deep, unsupported};

/// A function about to be inlined.
struct Inlining<'f> {
    name: &'f str,
    def: &'f FunctionDef,
    function: &'f Function,
    lexical: Option<usize>,
    defaults: Vec<(&'f str, Item<'f>)>,
}

type Named<'f> = Vec<(&'f str, Item<'f>)>;

impl<'f> Lowerer<'_, 'f> {
    /// `func(args…, name=value…)`
    pub(super) fn call(
        &mut self,
        e: &'f Expr,
        func: &'f Expr,
        args: &'f [Expr],
        kwargs: &'f [(String, Expr)],
    ) -> Res<Item<'f>> {
        if let ExprKind::Attribute(value, name) = &func.kind
            && self.captured_path(func).is_none()
        {
            return self.method(e, value, name, args, kwargs).map(Item::Value);
        }
        match self.item(func)? {
            Item::Callee(Callee::Closure(closure)) => {
                let target = self.inlining_of(&closure);
                self.inline(e, target, args, kwargs)
            }
            Item::Callee(Callee::Function(function)) => {
                let defaults = self.defaults_of(function)?;
                let target =
                    Inlining { name: &function.name, def: &function.def, function, lexical: None, defaults };
                self.inline(e, target, args, kwargs)
            }
            Item::Callee(Callee::Builtin(builtin)) => self.builtin(e, builtin, args, kwargs).map(Item::Value),
            Item::Callee(Callee::Type(ty)) => {
                let (args, kwargs) = self.arguments(args, kwargs)?;
                let result = arith::construct(&mut self.b, ty, &args, &kwargs);
                let result = self.place(e.span, result)?;
                Ok(Item::Value(result))
            }
            _ => Err(self.error(func.span, Refusal::new("this is not a function"))),
        }
    }

    fn method(
        &mut self,
        e: &'f Expr,
        value: &'f Expr,
        name: &'f str,
        args: &'f [Expr],
        kwargs: &'f [(String, Expr)],
    ) -> Res<Operand> {
        let item = self.item(value)?;
        if let Item::Value(op) = &item
            && is_view(op)
        {
            let refusal = Refusal::new(format!("`.{name}()` of an array is not supported"))
                .hint("write a loop over its elements");
            return Err(self.error(e.span, refusal));
        }
        let x = self.require_value(item, value.span)?;
        let (args, kwargs) = self.arguments(args, kwargs)?;
        if let Some((keyword, _)) = kwargs.first() {
            let refusal = Refusal::new(format!("`.{name}()` takes no argument named `{keyword}`"));
            return Err(self.error(e.span, refusal));
        }
        let result = library::method(&mut self.b, &x, name, &args);
        self.place(e.span, result)
    }

    fn builtin(
        &mut self,
        e: &'f Expr,
        builtin: &Builtin,
        args: &'f [Expr],
        kwargs: &'f [(String, Expr)],
    ) -> Res<Operand> {
        if builtin.library == Library::Builtins {
            match (builtin.name.as_str(), args) {
                ("len", [arg]) => {
                    if let Item::Value(op) = self.item(arg)?
                        && is_view(&op)
                    {
                        return self.array_len(&op, e.span);
                    }
                }
                ("range", _) => {
                    let refusal = Refusal::new("`range()` is supported in `for` loops only")
                        .hint("write `for i in range(…):`");
                    return Err(self.error(e.span, refusal));
                }
                _ => {}
            }
        }
        if builtin.library == Library::NumPy
            && let Some((_, value)) = kwargs.iter().find(|(name, _)| name == "dtype")
        {
            let refusal = Refusal::new(format!("numpy.{} with `dtype` is not supported", builtin.name))
                .hint("convert the result, as in `np.float32(x)`");
            return Err(self.error(value.span, refusal));
        }
        let (args, kwargs) = self.arguments(args, kwargs)?;
        let result = library::call(&mut self.b, builtin, &args, &kwargs);
        self.place(e.span, result)
    }

    /// Arguments that must be values.
    #[expect(clippy::type_complexity, reason = "the pair that library functions take")]
    fn arguments(
        &mut self,
        args: &'f [Expr],
        kwargs: &'f [(String, Expr)],
    ) -> Res<(Vec<Operand>, Vec<(String, Operand)>)> {
        let args: Res<Vec<_>> = args.iter().map(|a| self.value(a)).collect();
        let kwargs: Res<Vec<_>> = kwargs.iter().map(|(name, a)| Ok((name.clone(), self.value(a)?))).collect();
        Ok((args?, kwargs?))
    }

    fn inlining_of(&mut self, closure: &Rc<Closure<'f>>) -> Inlining<'f> {
        let defaults = closure.defaults.iter().map(|(name, slot)| (*name, self.read(slot))).collect();
        Inlining {
            name: closure.name,
            def: closure.def,
            function: self.frames[closure.frame].function,
            lexical: Some(closure.frame),
            defaults,
        }
    }

    /// Defaults of a top-level function.
    pub(super) fn defaults_of(&mut self, function: &'f Function) -> Res<Named<'f>> {
        let mut defaults = Vec::new();
        for (name, capture) in &function.defaults {
            let item = self.capture(capture, name, function.def.span)?;
            defaults.push((name.as_str(), item));
        }
        Ok(defaults)
    }

    /// Gives each parameter its argument or default, in order.
    pub(super) fn bind(
        &self,
        def: &'f FunctionDef,
        name: &str,
        args: Vec<Item<'f>>,
        kwargs: Named<'f>,
        defaults: Named<'f>,
        span: Span,
    ) -> Res<Named<'f>> {
        let refuse = |message: String| Err(self.error(span, Refusal::new(message)));
        let positional = def.params.iter().filter(|p| !p.keyword_only).count();
        if args.len() > positional {
            let given = args.len();
            let verb = if given == 1 { "was" } else { "were" };
            return refuse(format!("`{name}` takes {} but {given} {verb} given", count_of(positional)));
        }
        let mut kwargs: HashMap<&str, Item<'f>> = kwargs.into_iter().collect();
        let mut defaults: HashMap<&str, Item<'f>> = defaults.into_iter().collect();
        let mut args = args.into_iter();
        let mut bound = Vec::with_capacity(def.params.len());
        for param in &def.params {
            let by_position = if param.keyword_only { None } else { args.next() };
            let by_name = kwargs.remove(param.name.as_str());
            let item = match (by_position, by_name) {
                (Some(_), Some(_)) => return refuse(format!("`{name}` got two values for `{}`", param.name)),
                (Some(item), None) | (None, Some(item)) => item,
                (None, None) => match defaults.remove(param.name.as_str()) {
                    Some(item) => item,
                    None => return refuse(format!("`{name}` is missing the argument `{}`", param.name)),
                },
            };
            bound.push((param.name.as_str(), item));
        }
        let mut unknown: Vec<&str> = kwargs.into_keys().collect();
        unknown.sort_unstable();
        match unknown.first() {
            Some(keyword) => refuse(format!("`{name}` has no parameter `{keyword}`")),
            None => Ok(bound),
        }
    }

    fn inline(
        &mut self,
        e: &'f Expr,
        target: Inlining<'f>,
        args: &'f [Expr],
        kwargs: &'f [(String, Expr)],
    ) -> Res<Item<'f>> {
        let mut items = Vec::with_capacity(args.len());
        for arg in args {
            items.push(self.item(arg)?);
        }
        let mut named = Vec::with_capacity(kwargs.len());
        for (name, arg) in kwargs {
            let item = self.item(arg)?;
            if named.iter().any(|(n, _)| n == name) {
                return Err(self.error(arg.span, Refusal::new(format!("`{name}` is given twice"))));
            }
            named.push((name.as_str(), item));
        }
        self.refuse_recursion(e.span, &target)?;
        self.refuse_unsupported(&target)?;
        let Inlining { name, def, function, lexical, defaults } = target;
        let bound = self.bind(def, name, items, named, defaults, e.span)?;
        let caller = self.current;
        self.enter(e, name, def, function, lexical)?;
        for (name, item) in bound {
            self.assign(name, item, def.span)?;
        }
        // A `return` of the inlined function leaves nothing but that function.
        let may_have_left = self.may_have_left;
        let result = self.inlined_body(def)?;
        self.may_have_left = may_have_left;
        self.active.pop();
        self.current = caller;
        Ok(result)
    }

    fn refuse_recursion(&self, span: Span, target: &Inlining<'f>) -> Res<()> {
        let start = self.active.iter().position(|i| std::ptr::eq(self.frames[*i].def, target.def));
        let Some(start) = start else { return Ok(()) };
        let mut cycle: Vec<&str> = self.active[start..].iter().map(|i| self.frames[*i].name).collect();
        cycle.push(target.name);
        let refusal = Refusal::new(format!("recursion is not supported: {}", cycle.join(" → ")))
            .hint("write it as a loop");
        Err(self.error(span, refusal))
    }

    fn refuse_unsupported(&self, target: &Inlining<'f>) -> Res<()> {
        let Some((what, span)) = &target.def.unsupported else { return Ok(()) };
        let mut error = unsupported::function(what).at(*span, &target.function.source);
        error.calls = self.call_chain();
        error.calls.push(target.name.to_owned());
        Err(error)
    }

    /// Makes an instance of a function the current one.
    fn enter(
        &mut self,
        e: &'f Expr,
        name: &'f str,
        def: &'f FunctionDef,
        function: &'f Function,
        lexical: Option<usize>,
    ) -> Res<()> {
        let bindings = self.session.bindings(def).map_err(|span| too_deep().at(span, &function.source))?;
        let site = std::ptr::from_ref(e) as usize;
        let frame = self.frame_mut();
        let nth = frame.sites.entry(site).or_insert(0);
        *nth += 1;
        let (caller, nth) = (frame.instance, *nth);
        let instance = self.session.instance(caller, site, nth);
        self.frames.push(Frame {
            function,
            def,
            name,
            lexical,
            instance,
            bindings,
            slots: HashMap::new(),
            flow: Flow::start(),
            base_depth: self.depth,
            loops: Vec::new(),
            result: ResultMode::Single(None),
            sites: HashMap::new(),
            unrolled: 0,
        });
        self.current = self.frames.len() - 1;
        self.active.push(self.current);
        Ok(())
    }

    /// The body of the current, inlined function, and its result.
    fn inlined_body(&mut self, def: &'f FunctionDef) -> Res<Item<'f>> {
        if scope::returns_once_at_end(&def.body) {
            self.body(&def.body)?;
            let ResultMode::Single(Some(item)) = &self.frame().result else {
                return Err(self.never_returns());
            };
            return Ok(item.clone());
        }
        let leave = self.way_out(def);
        self.frame_mut().result = ResultMode::Variable(leave);
        if matches!(leave, Leave::FallThrough) {
            self.body(&def.body)?;
        } else {
            self.frame_mut().base_depth += 1;
            let (block, ()) = self.in_block(|s| s.body(&def.body))?;
            self.b.push(ir::Stmt::Loop(block));
        }
        if self.frame().flow.is_reachable() {
            return Err(self.falls_off(self.frame().name, def.span));
        }
        match self.frame().slots.get(session::RESULT).cloned() {
            Some(slot @ Slot::Var(..)) => Ok(self.read(&slot)),
            _ => Err(self.never_returns()),
        }
    }

    fn never_returns(&self) -> crate::CompileError {
        let frame = self.frame();
        self.error(frame.def.span, Refusal::new(format!("`{}` never returns", frame.name)))
    }

    fn way_out(&mut self, def: &FunctionDef) -> Leave {
        if scope::returns_only_at_end(&def.body) {
            return Leave::FallThrough;
        }
        if !scope::returns_in_loop(&def.body) {
            return Leave::Break;
        }
        let flag = self.b.var("returned", ir::Type::BOOL);
        self.clear(flag);
        Leave::Flag(flag)
    }

    /// Sets a flag to false.
    pub(super) fn clear(&mut self, flag: ir::Var) {
        let no = self.b.constant(ir::Const::bool(false));
        self.b.set(flag, no);
    }
}

fn count_of(n: usize) -> String {
    match n {
        0 => "no positional arguments".to_owned(),
        1 => "1 positional argument".to_owned(),
        n => format!("{n} positional arguments"),
    }
}
