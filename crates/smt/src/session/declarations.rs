//! Commands that say something: declarations, definitions, assertions and levels.

use smallvec::SmallVec;
use spelunk_bv::float::FloatKind;

use super::answers::State;
use super::{Assertion, Reply, Session};
use crate::context::Macro;
use crate::elab::{self, declare, sort, sort_name, sort_template};
use crate::error::{Error, Problem, Result};
use crate::read::Sexp;
use crate::scope::{Binding, Scope, SortBinding, Term};
use crate::sort::{Scalar, Sort};

/// How many levels a command may push: more are no script that anyone meant.
const MAX_LEVELS: u32 = 1 << 20;

fn symbol(sexp: Sexp<'_>) -> Result<&str> {
    sexp.symbol().ok_or(Error::new(sexp.offset(), Problem::Expected("a symbol")))
}

fn list<'t>(sexp: Sexp<'t>, what: &'static str) -> Result<SmallVec<[Sexp<'t>; 6]>> {
    match sexp.is_list() {
        true => Ok(sexp.children().collect()),
        false => Err(Error::new(sexp.offset(), Problem::Expected(what))),
    }
}

impl Session {
    pub(super) fn declare_constant(&mut self, name: Sexp<'_>, sort: Sexp<'_>) -> Result<Reply> {
        self.declare_as(name, |session, spelling| session.new_constant(spelling, sort))
    }

    /// Gives a name what a function yields; if that is beyond us, the name is, and whatever uses it.
    fn declare_as(
        &mut self,
        name: Sexp<'_>,
        meaning: impl FnOnce(&mut Self, &str) -> Result<Binding>,
    ) -> Result<Reply> {
        let spelling = symbol(name)?;
        let binding = match meaning(self, spelling) {
            Ok(binding) => binding,
            Err(Error { offset, problem: Problem::Unsupported(what) }) => {
                self.notes.push((offset, format!("{what} are not supported: what uses `{spelling}` is left out")));
                Binding::Unsupported(what.into())
            }
            Err(error) => return Err(error),
        };
        declare(&mut self.context, name, spelling, binding)?;
        Ok(Reply::Success)
    }

    fn new_constant(&mut self, name: &str, sort_sexp: Sexp<'_>) -> Result<Binding> {
        let sort = sort(&self.context, sort_sexp)?;
        let id = match sort {
            Sort::Scalar(Scalar::Rounding) => {
                return Err(Error::unsupported(sort_sexp.offset(), "rounding modes that are not constant"));
            }
            // Not every pattern is a value of its own.
            Sort::Scalar(Scalar::Float(kind @ FloatKind::X86Fp80)) => {
                let bits = self.context.new_var(name, Sort::bits(elab::ieee_width(kind)));
                elab::from_ieee(&mut self.context, kind, bits)
            }
            _ => self.context.new_var(name, sort),
        };
        Ok(Binding::Constant(Term { id, sort }))
    }

    pub(super) fn declare_function(&mut self, name: Sexp<'_>, params: Sexp<'_>, result: Sexp<'_>) -> Result<Reply> {
        let params = list(params, "a list of sorts")?;
        if params.is_empty() {
            return self.declare_constant(name, result);
        }
        self.declare_as(name, |session, spelling| {
            let mut scalars = Vec::with_capacity(params.len());
            for param in params {
                match session.sort_in_function(param)? {
                    Sort::Scalar(scalar) => scalars.push(scalar),
                    Sort::Array { .. } => return Err(Error::unsupported(param.offset(), "functions of arrays")),
                }
            }
            let result = session.sort_in_function(result)?;
            Ok(Binding::Function(session.context.new_function(spelling, scalars, result)))
        })
    }

    fn sort_in_function(&self, sexp: Sexp<'_>) -> Result<Sort> {
        match sort(&self.context, sexp)? {
            Sort::Scalar(Scalar::Float(FloatKind::X86Fp80)) => {
                Err(Error::unsupported(sexp.offset(), "functions of 80-bit floats"))
            }
            Sort::Scalar(Scalar::Rounding) => Err(Error::unsupported(sexp.offset(), "functions of rounding modes")),
            sort => Ok(sort),
        }
    }

    pub(super) fn declare_sort(&mut self, name: Sexp<'_>, arity: &[Sexp<'_>]) -> Result<Reply> {
        let spelling = symbol(name)?;
        let is_new = match arity {
            [] => self.context.scope.declare_sort(spelling),
            [arity, ..] => match arity.expect_numeral()? {
                0 => self.context.scope.declare_sort(spelling),
                _ => {
                    let binding = SortBinding::Unsupported("declared sorts with parameters".into());
                    self.context.scope.define_sort(spelling, binding)
                }
            },
        };
        sort_is_new(name, spelling, is_new)
    }

    pub(super) fn define_sort(&mut self, name: Sexp<'_>, params: Sexp<'_>, body: Sexp<'_>) -> Result<Reply> {
        let spelling = symbol(name)?;
        let mut names: SmallVec<[&str; 4]> = SmallVec::new();
        for param in list(params, "a list of parameters")? {
            names.push(symbol(param)?);
        }
        let binding = match sort_template(&self.context, body, &names) {
            Ok(template) => SortBinding::Alias { n_params: names.len(), template },
            Err(Error { problem: Problem::Unsupported(what), .. }) => SortBinding::Unsupported(what.into()),
            Err(error) => return Err(error),
        };
        let is_new = self.context.scope.define_sort(spelling, binding);
        sort_is_new(name, spelling, is_new)
    }

    pub(super) fn define_constant(&mut self, name: Sexp<'_>, sort: Sexp<'_>, body: Sexp<'_>) -> Result<Reply> {
        self.declare_as(name, |session, _| Ok(Binding::Defined(session.body(sort, body)?)))
    }

    pub(super) fn define_function(
        &mut self,
        name: Sexp<'_>,
        params: Sexp<'_>,
        result: Sexp<'_>,
        body: Sexp<'_>,
    ) -> Result<Reply> {
        let params = list(params, "a list of parameters")?;
        if params.is_empty() {
            return self.define_constant(name, result, body);
        }
        self.declare_as(name, |session, _| {
            let n_bound = session.context.scope.n_bound();
            let defined = session.bind_parameters(&params).and_then(|params| {
                let body = session.body(result, body)?;
                session.context.macros.push(Macro { params, body });
                Ok(Binding::Macro(session.context.macros.len() - 1))
            });
            session.context.scope.unbind(n_bound);
            defined
        })
    }

    /// Variables that stand for parameters.
    fn bind_parameters(&mut self, params: &[Sexp<'_>]) -> Result<Vec<Term>> {
        let mut terms = Vec::with_capacity(params.len());
        for param in params {
            let parts: SmallVec<[Sexp<'_>; 2]> = param.children().collect();
            let [name, sort_sexp] = parts[..] else {
                return Err(Error::new(param.offset(), Problem::Expected("`(parameter sort)`")));
            };
            let (name, sort) = (symbol(name)?, sort(&self.context, sort_sexp)?);
            let term = Term { id: self.context.new_var(name, sort), sort };
            self.context.scope.bind(name, term);
            terms.push(term);
        }
        Ok(terms)
    }

    fn body(&mut self, sort_sexp: Sexp<'_>, body: Sexp<'_>) -> Result<Term> {
        let wanted = sort(&self.context, sort_sexp)?;
        let term = elab::term(&mut self.context, body)?;
        if term.sort != wanted {
            let [wanted, given] = [wanted, term.sort].map(|sort| sort_name(&self.context, sort));
            return Err(Error::new(body.offset(), Problem::Sort { wanted, given }));
        }
        Ok(term)
    }

    pub(super) fn assert(&mut self, formula: Sexp<'_>) -> Result<Reply> {
        let condition = match elab::condition(&mut self.context, formula) {
            Ok(condition) => Some(condition),
            Err(Error { offset, problem: Problem::Unsupported(what) }) => {
                self.notes.push((offset, format!("{what} are not supported: this assertion is left out")));
                None
            }
            Err(error) => return Err(error),
        };
        let source = self.options.assertions.then(|| formula.to_line());
        self.assertions.push(Assertion { condition, name: name_of(formula), source });
        self.state = State::Unchecked;
        Ok(Reply::Success)
    }

    fn n_levels(command: Sexp<'_>, args: &[Sexp<'_>]) -> Result<usize> {
        match args.first().map(|count| count.numeral()) {
            None => Ok(1),
            Some(Some(count @ ..=MAX_LEVELS)) => Ok(count as usize),
            Some(_) => Err(Error::new(command.offset(), Problem::Expected("a number of levels, of at most 2^20"))),
        }
    }

    pub(super) fn push(&mut self, command: Sexp<'_>, args: &[Sexp<'_>]) -> Result<Reply> {
        for _ in 0..Self::n_levels(command, args)? {
            self.context.scope.push();
            self.levels.push(self.assertions.len());
        }
        self.state = State::Unchecked;
        Ok(Reply::Success)
    }

    pub(super) fn pop(&mut self, command: Sexp<'_>, args: &[Sexp<'_>]) -> Result<Reply> {
        let n_popped = Self::n_levels(command, args)?;
        let Some(n_left) = self.levels.len().checked_sub(n_popped) else {
            return Err(Error::new(command.offset(), Problem::Levels(self.levels.len())));
        };
        for start in self.levels.drain(n_left..).rev() {
            self.context.scope.pop();
            self.assertions.truncate(start);
        }
        self.state = State::Unchecked;
        Ok(Reply::Success)
    }

    pub(super) fn reset_assertions(&mut self) -> Reply {
        self.context.scope.pop_all();
        self.assertions.clear();
        self.levels.clear();
        self.state = State::Unchecked;
        Reply::Success
    }

    pub(super) fn reset(&mut self) -> Reply {
        self.reset_assertions();
        self.context.scope = Scope::default();
        self.context.skipped_declarations = false;
        self.options = Default::default();
        self.expected = None;
        Reply::Success
    }
}

fn sort_is_new(name: Sexp<'_>, spelling: &str, is_new: bool) -> Result<Reply> {
    match is_new {
        true => Ok(Reply::Success),
        false => Err(Error::new(name.offset(), Problem::Declared(spelling.into()))),
    }
}

/// The name that an annotation gives a whole assertion.
fn name_of(formula: Sexp<'_>) -> Option<String> {
    let mut parts = formula.children();
    if !parts.next()?.is_symbol("!") {
        return None;
    }
    let mut attributes = parts.skip(1).skip_while(|attribute| attribute.keyword() != Some(":named"));
    attributes.nth(1)?.symbol().map(str::to_owned)
}
