//! Names in terms: what they stand for, alone and in front of arguments.

use smallvec::SmallVec;
use spelunk_expr::ExprId;

use super::call::Call;
use super::{Machine, bits, core, floats, literal, sort, sort_name};
use crate::builtin::{Array, Builtin, Entry, FOREIGN_PREFIXES};
use crate::context::Context;
use crate::error::{Error, Problem, Result};
use crate::read::Sexp;
use crate::rewrite::Rewriter;
use crate::scope::{Binding, Meaning, Term};
use crate::sort::Sort;

/// What to say of a name that may come from a declaration that was left out.
pub(super) const SKIPPED: &str = "names of declarations that were left out";

/// What is applied to arguments.
#[derive(Clone, Debug)]
pub(super) enum Head {
    Builtin { entry: &'static Entry, indices: SmallVec<[u32; 2]> },
    Function(usize),
    Macro(usize),
    ConstantArray(Sort),
}

impl<'t> Machine<'_, 't> {
    /// A symbol on its own.
    pub(super) fn constant(&mut self, sexp: Sexp<'t>, name: &str) -> Result<Term> {
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
    pub(super) fn identifier(&mut self, sexp: Sexp<'t>) -> Result<Term> {
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

    /// What stands first in an application.
    pub(super) fn head(&mut self, sexp: Sexp<'t>) -> Result<Head> {
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
                let indices = indices.iter().map(|index| index.expect_numeral()).collect::<Result<_>>()?;
                Ok(Head::Builtin { entry, indices })
            }
            _ => Err(Error::new(sexp.offset(), Problem::Expected("a function"))),
        }
    }

    pub(super) fn apply(&mut self, head: &Head, list: Sexp<'t>, args: &[Term]) -> Result<Term> {
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

fn unknown(context: &Context, at: Sexp<'_>, name: &str) -> Error {
    if context.skipped_declarations {
        return Error::unsupported(at.offset(), SKIPPED);
    }
    match FOREIGN_PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)) {
        Some((_, what)) => Error::unsupported(at.offset(), *what),
        None => Error::new(at.offset(), Problem::Unknown { kind: "symbol", name: name.into() }),
    }
}
