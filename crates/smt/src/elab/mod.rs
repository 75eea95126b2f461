//! From S-expressions to terms: names are resolved, sorts checked, expressions built.
//!
//! Scripts nest as deep as the programs that write them like, so this is a machine with a stack of its own. Each theory
//! has a file; `call` is what they see of an application.

mod bits;
mod call;
mod core;
mod floats;
mod literal;
mod sorts;

pub use floats::{from_ieee, ieee_width};
pub use sorts::{sort, sort_name, sort_template};

use smallvec::SmallVec;
use spelunk_expr::ExprId;

use crate::builtin::{Array, Builtin, Entry, FOREIGN_PREFIXES, Float};
use crate::context::Context;
use crate::error::{Error, Problem, Result};
use crate::read::{Kind, Sexp};
use crate::rewrite::Rewriter;
use crate::scope::{Binding, Meaning, Term};
use crate::sort::Sort;
use call::Call;

/// What to say of a name that may come from a declaration that was left out.
const SKIPPED: &str = "names of declarations that were left out";

/// What is applied to arguments.
#[derive(Clone, Debug)]
enum Head {
    Builtin { entry: &'static Entry, indices: SmallVec<[u32; 2]> },
    Function(usize),
    Macro(usize),
    ConstantArray(Sort),
}

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

    /// A symbol on its own.
    fn constant(&mut self, sexp: Sexp<'t>, name: &str) -> Result<Term> {
        match self.context.scope.lookup(name) {
            Some(Meaning::Local(term) | Meaning::Global(&(Binding::Constant(term) | Binding::Defined(term)))) => {
                Ok(term)
            }
            Some(Meaning::Builtin(entry)) if entry.n_indices == 0 && entry.min_args == 0 => {
                let head = Head::Builtin { entry, indices: SmallVec::new() };
                self.apply(&head, sexp, &[])
            }
            Some(Meaning::Global(Binding::Unsupported(what))) => Err(Error::unsupported(sexp.offset(), &**what)),
            Some(_) => {
                let problem = Problem::Count { name: name.into(), wanted: "arguments".into(), given: 0 };
                Err(Error::new(sexp.offset(), problem))
            }
            None => Err(unknown(self.context, sexp, name)),
        }
    }

    /// `(_ name index…)` or `(as name sort)` on its own.
    fn identifier(&mut self, sexp: Sexp<'t>) -> Result<Term> {
        if let Some(value) = literal::decimal_bits(self.context, sexp)? {
            return Ok(value);
        }
        let parts: SmallVec<[Sexp<'t>; 4]> = sexp.children().collect();
        if let [keyword, name, wanted] = parts[..]
            && keyword.source() == "as"
            && name.symbol().is_some()
        {
            let wanted = sort(self.context, wanted)?;
            let term = self.constant(name, name.symbol().unwrap_or_default())?;
            if term.sort != wanted {
                let [wanted, given] = [wanted, term.sort].map(|sort| sort_name(self.context, sort));
                return Err(Error::new(name.offset(), Problem::Sort { wanted, given }));
            }
            return Ok(term);
        }
        let head = self.head(sexp)?;
        self.apply(&head, sexp, &[])
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

    /// What stands first in an application.
    fn head(&mut self, sexp: Sexp<'t>) -> Result<Head> {
        if let Some(name) = sexp.symbol() {
            return match self.context.scope.lookup(name) {
                Some(Meaning::Builtin(entry)) => Ok(Head::Builtin { entry, indices: SmallVec::new() }),
                Some(Meaning::Global(Binding::Function(function))) => Ok(Head::Function(*function)),
                Some(Meaning::Global(Binding::Macro(number))) => Ok(Head::Macro(*number)),
                Some(Meaning::Global(Binding::Unsupported(what))) => Err(Error::unsupported(sexp.offset(), &**what)),
                Some(_) => Err(Error::new(sexp.offset(), Problem::Expected("a function"))),
                None => Err(unknown(self.context, sexp, name)),
            };
        }
        let parts: SmallVec<[Sexp<'t>; 4]> = sexp.children().collect();
        match parts[..] {
            [keyword, name, array] if keyword.is_symbol("as") && name.is_symbol("const") => {
                match sort(self.context, array)? {
                    array @ Sort::Array { .. } => Ok(Head::ConstantArray(array)),
                    other => {
                        let given = sort_name(self.context, other);
                        Err(Error::new(array.offset(), Problem::Sort { wanted: "an array sort".into(), given }))
                    }
                }
            }
            [keyword, name, ref indices @ ..] if keyword.is_symbol("_") && name.symbol().is_some() => {
                let spelling = name.symbol().unwrap_or_default();
                let Some(Meaning::Builtin(entry)) = self.context.scope.lookup(spelling) else {
                    return Err(unknown(self.context, name, spelling));
                };
                if let Builtin::Foreign(what) = entry.builtin {
                    return Err(Error::unsupported(sexp.offset(), what));
                }
                let mut numbers = SmallVec::new();
                for index in indices {
                    let number = index.numeral();
                    numbers.push(number.ok_or(Error::new(index.offset(), Problem::Expected("a numeral")))?);
                }
                Ok(Head::Builtin { entry, indices: numbers })
            }
            _ => Err(Error::new(sexp.offset(), Problem::Expected("a function"))),
        }
    }

    fn apply(&mut self, head: &Head, list: Sexp<'t>, args: &[Term]) -> Result<Term> {
        let context = &mut *self.context;
        match head {
            Head::Builtin { entry, indices } => {
                let call = Call { name: entry.name, list, args, indices };
                if let Builtin::Foreign(what) = entry.builtin {
                    return Err(Error::unsupported(list.offset(), what));
                }
                call.check_counts(entry)?;
                match entry.builtin {
                    Builtin::Core(function) => core::apply(context, function, &call),
                    Builtin::Bits(function) => bits::apply(context, function, &call),
                    Builtin::Float(function) => floats::apply(context, function, &call),
                    Builtin::Array(Array::Select) => core::select(context, &call),
                    Builtin::Array(Array::Store) => core::store(context, &call),
                    Builtin::Foreign(what) => Err(Error::unsupported(list.offset(), what)),
                }
            }
            &Head::Function(number) => {
                let function = context.functions[number].clone();
                let wanted: SmallVec<[Sort; 4]> = function.params.iter().map(|&param| Sort::Scalar(param)).collect();
                Call { name: &function.name, list, args, indices: &[] }.check_sorts(context, &wanted)?;
                let ids: SmallVec<[ExprId; 4]> = args.iter().map(|arg| arg.id).collect();
                Ok(Term { id: context.mk_application(number, &ids), sort: function.result })
            }
            &Head::Macro(number) => {
                let (params, body) = (context.macros[number].params.clone(), context.macros[number].body);
                let wanted: SmallVec<[Sort; 4]> = params.iter().map(|param| param.sort).collect();
                let name = list.children().next().map_or("", Sexp::source);
                Call { name, list, args, indices: &[] }.check_sorts(context, &wanted)?;
                let pairs = params.iter().zip(args).map(|(param, arg)| (param.id, arg.id));
                let id = Rewriter::substituting(pairs).rewrite(context, body.id);
                Ok(Term { id, sort: body.sort })
            }
            &Head::ConstantArray(array) => {
                let Sort::Array { index, elem } = array else { unreachable!("the head was checked") };
                Call { name: "const", list, args, indices: &[] }.check_sorts(context, &[Sort::Scalar(elem)])?;
                let elem = context.mk_canonical(elem, args[0].id);
                Ok(Term { id: context.pool.mk_const_array(index.width(), elem), sort: array })
            }
        }
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

fn unknown(context: &Context, at: Sexp<'_>, name: &str) -> Error {
    if context.skipped_declarations {
        return Error::unsupported(at.offset(), SKIPPED);
    }
    match FOREIGN_PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)) {
        Some((_, what)) => Error::unsupported(at.offset(), *what),
        None => Error::new(at.offset(), Problem::Unknown { kind: "symbol", name: name.into() }),
    }
}
