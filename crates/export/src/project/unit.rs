//! A test of functions: their input is made, they are called one after another, and what came of it is compared.

use std::sync::Arc;

use spelunk_concolic::graph::unit::{Call, Content, Home, Param, Role, Step, Unit};
use spelunk_ir::debug::CType;
use spelunk_native::{arguments, end_of, is_address};
use spelunk_report::suite::test_case::End;
use spelunk_report::suite::{TestCase, Types};

use super::context::Context;
use super::framework::{Check, Framework};
use super::given::{asked_for, given};
use super::graph::Graph;
use super::names::Names;
use super::observed::Expectations;

pub struct Writer<'a, 'p> {
    context: &'a Context<'p>,
    unit: &'a Arc<Unit>,
    test: &'a TestCase,
    framework: Framework,
    graph: Graph<'a, 'p>,
    names: Names<'a>,
    types: &'a Types,
    /// Calls under test so far that have returned something.
    n_returned: usize,
}

impl<'a, 'p> Writer<'a, 'p> {
    pub fn new(
        context: &'a Context<'p>,
        unit: &'a Arc<Unit>,
        test: &'a TestCase,
        types: &'a Types,
        framework: Framework,
    ) -> Self {
        let mut names = Names::new(&context.names);
        let graph = Graph::new(context, unit, test, &mut names);
        Self { context, unit, test, framework, graph, names, types, n_returned: 0 }
    }

    /// The statements of the test, or why there are none.
    pub fn body(mut self) -> Result<Vec<String>, String> {
        let mut lines = given(self.test);
        lines.extend(self.graph.declarations()?);
        let variable = |name: &str| self.graph.object(name).map(|object| object.variable.clone());
        lines.extend(asked_for(Some(self.unit), self.test, variable));
        for (number, param) in self.unit.params.iter().enumerate() {
            match &param.home {
                Home::Global(name) => {
                    let variable = self.context.variable(name);
                    variable.ok_or_else(|| {
                        format!("the variable `{name}` can't be named outside of its function or source")
                    })?;
                    lines.extend(self.graph.assignments(number, name)?);
                }
                Home::Room(content) => lines.push(self.room(number, *content)?),
                Home::Argument | Home::Optional => {}
            }
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let n_steps = self.test.steps.map_or(usize::MAX, |n_steps| n_steps as usize);
        for step in self.unit.steps.iter().take(n_steps) {
            let Some(call) = self.chosen(step) else { break };
            lines.extend(self.call(call)?);
        }
        match (&self.test.observed, &self.test.end) {
            (Some(_), _) => self.expect_others(&mut lines),
            (None, End::Exited { status }) => {
                lines.push(format!("/* Not reached: the program ends itself, with status {status}. */"));
            }
            (None, _) => {}
        }
        Ok(lines)
    }

    fn expectations(&self) -> Expectations<'_, 'p> {
        Expectations { context: self.context, types: self.types, graph: &self.graph, input: &self.test.input }
    }

    fn observed(&self, check: &Check) -> String {
        format!("{} /* observed */", self.framework.check(check))
    }

    /// What is expected of objects and variables, when all calls have returned.
    fn expect_others(&self, lines: &mut Vec<String>) {
        let Some(observed) = &self.test.observed else { return };
        let is_room =
            |name: &str| self.unit.params.iter().any(|param| param.name == name && matches!(param.home, Home::Room(_)));
        let (declarations, checks) = self.expectations().others(observed, is_room);
        lines.splice(0..0, declarations);
        lines.extend(checks.iter().map(|check| self.observed(check)));
    }

    /// The call that a step makes in the test; none if it does not come to that.
    fn chosen(&self, step: &'a Step) -> Option<&'a Call> {
        let Some(param) = step.choice else { return step.calls.first() };
        let name = &self.unit.params[param].name;
        let object = self.test.input.iter().find(|object| object.name == *name)?;
        step.calls.get(usize::from(*object.bytes.first()?))
    }

    /// What the calls of a sequence work on.
    fn room(&self, number: usize, content: Content) -> Result<String, String> {
        let param = &self.unit.params[number];
        let ty = self.unit.layouts.get(param.layout);
        // A pointer needs no definition of what it leads to: that may be in another source.
        let can_be_named = self.context.types.size_of(ty).is_some() || self.context.types.can_point_to(&ty.name);
        if !can_be_named {
            return Err(format!("the type of `{}` has no name", param.name));
        }
        let name = &param.name;
        Ok(match (ty.name.ends_with('*'), content) {
            (true, _) => format!("{}{name} = NULL;", ty.name),
            (false, Content::Zero) => format!("{} {name} = {{0}};", ty.name),
            (false, Content::Undefined) => format!("{} {name};", ty.name),
        })
    }

    fn call(&mut self, call: &Call) -> Result<Vec<String>, String> {
        if call.role == Role::Prepare {
            return Ok(Vec::new());
        }
        if !self.context.can_name_function(call.function) {
            return Err(format!("`{}` is `static` in another source than what is tested", call.name));
        }
        let debug = &self.context.debug;
        let subprogram = debug.function(call.function).ok_or_else(|| format!("`{}` has no debug info", call.name))?;
        let mut args = Vec::new();
        for (param, ty) in arguments(call, &subprogram).map_err(|error| error.to_string())? {
            let Param { name, layout, home } = &self.unit.params[param];
            let value = |ty: &str| self.graph.argument(param, ty);
            args.push(match (home, is_address(debug, call, param, ty), end_of(call, param)) {
                (Home::Room(_), true, _) => format!("&{name}"),
                (Home::Room(_), false, _) => name.clone(),
                (_, true, _) => {
                    let ty = &self.unit.layouts.get(*layout).name;
                    format!("&({ty}){{{}}}", value(ty)?)
                }
                (_, _, Some((base, _))) => format!("{} + {}", self.graph.argument(base, "")?, value("long")?),
                _ => value(&debug.type_name(ty))?,
            });
        }
        let expression = format!("{}({})", self.context.callee(&call.name), args.join(", "));
        let is_void = matches!(debug.ctype(debug.unqualified(subprogram.ret)), CType::Void);
        match call.role {
            Role::Assume => {
                return Ok(vec![format!("{} /* assumed */", self.framework.check(&Check::True(expression)))]);
            }
            Role::Ensure => return Ok(vec![self.framework.check(&Check::True(expression))]),
            Role::Prepare | Role::Test => {}
        }
        if is_void {
            return Ok(vec![format!("{expression};")]);
        }
        let returned = self.test.observed.as_ref().and_then(|observed| observed.returned.get(self.n_returned));
        self.n_returned += 1;
        if let Some(room) = call.result {
            return Ok(vec![format!("{} = {expression};", self.unit.params[room].name)]);
        }
        let result = self.names.add("result", "");
        let declared = debug.declaration(subprogram.ret, &result);
        let declared = if declared.contains('<') { format!("__typeof__({expression}) {result}") } else { declared };
        let checks = returned.map_or_else(Vec::new, |returned| self.expectations().result(&result, &returned.value));
        let mut lines = vec![format!("{declared} = {expression};")];
        lines.extend(checks.iter().map(|check| self.observed(check)));
        if checks.is_empty() {
            lines.push(format!("(void){result};"));
        }
        Ok(lines)
    }
}
