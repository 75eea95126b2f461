//! From S-expressions to terms: names are resolved, sorts checked, expressions built.
//!
//! Scripts nest as deep as the programs that write them like, so this is a machine with a stack of its own. Each theory
//! has a file; `call` is what they see of an application. `names` says what is applied.

mod bits;
mod call;
mod core;
mod floats;
mod literal;
mod names;
mod sorts;

pub use floats::{from_ieee, ieee_width};
pub use sorts::{sort, sort_name, sort_template};

use smallvec::SmallVec;
use spelunk_expr::ExprId;

use crate::builtin::{Builtin, Entry, Float};
use crate::context::Context;
use crate::error::{Error, Problem, Result};
use crate::read::{Kind, Sexp};
use crate::scope::{Binding, Term};
use crate::sort::Sort;
use call::Call;
use names::Head;

enum Frame<'t> {
    Apply {
        head: Head,
        list: Sexp<'t>,
        n_before: usize,
        rest: crate::read::Children<'t>,
    },
    /// `bindings` are those not yet elaborated, `all` is the list of them.
    Let {
        all: Sexp<'t>,
        bindings: crate::read::Children<'t>,
        body: Sexp<'t>,
        n_before: usize,
    },
    /// The body of a `let`: variables beyond these end with it.
    Scope {
        n_bound: usize,
    },
    Annotated {
        list: Sexp<'t>,
    },
}

struct Machine<'c, 't> {
    context: &'c mut Context,
    frames: Vec<Frame<'t>>,
    values: Vec<Term>,
}

/// Elaborates a term. Terms that it names are declared.
pub fn term(context: &mut Context, sexp: Sexp<'_>) -> Result<Term> {
    let n_bound = context.scope.n_bound();
    let mut machine = Machine { context, frames: Vec::new(), values: Vec::new() };
    let result = machine.run(sexp);
    context.scope.unbind(n_bound);
    result
}

/// Elaborates a condition.
pub fn condition(context: &mut Context, sexp: Sexp<'_>) -> Result<ExprId> {
    let term = term(context, sexp)?;
    if term.sort != Sort::BOOL {
        let given = sort_name(context, term.sort);
        return Err(Error::new(sexp.offset(), Problem::Sort { wanted: "Bool".into(), given }));
    }
    Ok(term.id)
}

impl<'t> Machine<'_, 't> {
    fn run(&mut self, root: Sexp<'t>) -> Result<Term> {
        self.enter(root)?;
        while let Some(frame) = self.frames.last_mut() {
            let child = match frame {
                Frame::Apply { rest, .. } => rest.next(),
                Frame::Let { bindings, .. } => match bindings.next() {
                    Some(binding) => Some(bound_value(binding)?),
                    None => None,
                },
                Frame::Scope { .. } | Frame::Annotated { .. } => None,
            };
            match child {
                Some(child) => self.enter(child)?,
                None => self.leave()?,
            }
        }
        Ok(self.values.pop().expect("a term has a value"))
    }

    /// Elaborates an atom, or begins a list.
    fn enter(&mut self, sexp: Sexp<'t>) -> Result<()> {
        if !sexp.is_list() {
            let value = match sexp.symbol() {
                Some(name) => self.constant(sexp, name)?,
                None => literal::literal(self.context, sexp)?,
            };
            self.values.push(value);
            return Ok(());
        }
        let mut children = sexp.children();
        let Some(first) = children.next() else { return Err(Error::new(sexp.offset(), Problem::Expected("a term"))) };
        match first.kind() {
            Kind::Symbol if first.source() == "let" => return self.enter_let(sexp),
            Kind::Symbol if first.source() == "!" => {
                let body = children.next().ok_or(Error::new(sexp.offset(), Problem::Expected("an annotated term")))?;
                self.frames.push(Frame::Annotated { list: sexp });
                return self.enter(body);
            }
            Kind::Symbol if first.source() == "_" || first.source() == "as" => {
                let value = self.identifier(sexp)?;
                self.values.push(value);
                return Ok(());
            }
            Kind::Symbol if ["forall", "exists", "lambda", "match", "choice"].contains(&first.source()) => {
                return Err(Error::unsupported(sexp.offset(), format!("terms with `{}`", first.source())));
            }
            _ => {}
        }
        let head = self.head(first)?;
        if let Head::Builtin { entry: Entry { builtin: Builtin::Float(Float::ToFp), .. }, indices } = &head
            && let [mode, number] = children.clone().collect::<SmallVec<[Sexp<'t>; 2]>>()[..]
            && let Some(number) = literal::real(number)
        {
            let value = self.float_of_real(sexp, mode, number, indices)?;
            self.values.push(value);
            return Ok(());
        }
        self.frames.push(Frame::Apply { head, list: sexp, n_before: self.values.len(), rest: children });
        Ok(())
    }

    fn enter_let(&mut self, sexp: Sexp<'t>) -> Result<()> {
        let parts: SmallVec<[Sexp<'t>; 4]> = sexp.children().collect();
        let [_, all, body] = parts[..] else {
            return Err(Error::new(sexp.offset(), Problem::Expected("`(let (bindings…) term)`")));
        };
        if !all.is_list() {
            return Err(Error::new(all.offset(), Problem::Expected("a list of bindings")));
        }
        self.frames.push(Frame::Let { all, bindings: all.children(), body, n_before: self.values.len() });
        Ok(())
    }

    /// Ends the innermost frame, whose parts are elaborated.
    fn leave(&mut self) -> Result<()> {
        match self.frames.pop().expect("a frame is ended once") {
            Frame::Apply { head, list, n_before, .. } => {
                let args: SmallVec<[Term; 8]> = self.values.drain(n_before..).collect();
                let value = self.apply(&head, list, &args)?;
                self.values.push(value);
            }
            Frame::Let { all, body, n_before, .. } => {
                let n_bound = self.context.scope.n_bound();
                self.bind_all(all, n_before)?;
                self.frames.push(Frame::Scope { n_bound });
                self.enter(body)?;
            }
            Frame::Scope { n_bound } => self.context.scope.unbind(n_bound),
            Frame::Annotated { list } => self.annotate(list)?,
        }
        Ok(())
    }

    fn bind_all(&mut self, all: Sexp<'t>, n_before: usize) -> Result<()> {
        let mut names: SmallVec<[&str; 4]> = SmallVec::new();
        for (binding, value) in all.children().zip(self.values.drain(n_before..)) {
            let name = binding.children().next().expect("the binding was looked at");
            let spelling = name.symbol().ok_or(Error::new(name.offset(), Problem::Expected("a variable")))?;
            names.push(spelling);
            self.context.scope.bind(spelling, value);
        }
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Error::new(all.offset(), Problem::BoundTwice(pair[0].into()))),
            None => Ok(()),
        }
    }

    /// `(! term :named name …)`: other attributes say nothing that we use.
    fn annotate(&mut self, list: Sexp<'t>) -> Result<()> {
        let mut attributes = list.children().skip(2).peekable();
        while let Some(attribute) = attributes.next() {
            let keyword = attribute.keyword();
            let keyword = keyword.ok_or(Error::new(attribute.offset(), Problem::Expected("an attribute")))?;
            let value = attributes.next_if(|value| value.keyword().is_none());
            if keyword == ":named" {
                let name = value.and_then(Sexp::symbol);
                let name = name.ok_or(Error::new(attribute.offset(), Problem::Expected("a name after `:named`")))?;
                let term = *self.values.last().expect("the annotated term is elaborated");
                declare(self.context, list, name, Binding::Defined(term))?;
            }
        }
        Ok(())
    }

    /// `((_ to_fp e s) mode number)`: the only place where real numbers may stand.
    fn float_of_real(
        &mut self,
        list: Sexp<'t>,
        mode: Sexp<'t>,
        number: literal::Real,
        indices: &[u32],
    ) -> Result<Term> {
        let name = mode.symbol().ok_or(Error::new(mode.offset(), Problem::Expected("a rounding mode")))?;
        let mode = self.constant(mode, name)?;
        let call = Call { name: "to_fp", list, args: &[mode], indices };
        floats::from_real(self.context, &call, &number)
    }
}

/// Gives a name a meaning, unless it has one.
pub fn declare(context: &mut Context, at: Sexp<'_>, name: &str, binding: Binding) -> Result<()> {
    if context.scope.declare(name, binding) {
        return Ok(());
    }
    let is_builtin = context.scope.is_builtin(name);
    Err(Error::new(
        at.offset(),
        if is_builtin { Problem::Builtin(name.into()) } else { Problem::Declared(name.into()) },
    ))
}

fn bound_value(binding: Sexp<'_>) -> Result<Sexp<'_>> {
    let mut parts = binding.children();
    match (parts.next(), parts.next(), parts.next()) {
        (Some(_), Some(value), None) => Ok(value),
        _ => Err(Error::new(binding.offset(), Problem::Expected("`(variable term)`"))),
    }
}
