//! An application at hand: its arguments, and errors placed at the one that is wrong.

use spelunk_bv::float::FloatKind;
use spelunk_expr::ExprId;

use super::sorts::sort_name;
use crate::builtin::{Entry, Mode};
use crate::context::Context;
use crate::error::{Error, Problem, Result};
use crate::read::Sexp;
use crate::scope::Term;
use crate::sort::{Scalar, Sort};

pub(super) struct Call<'a> {
    pub name: &'a str,
    /// The application; of a constant, the constant itself.
    pub list: Sexp<'a>,
    pub args: &'a [Term],
    pub indices: &'a [u32],
}

impl Call<'_> {
    /// Where an argument stands.
    fn offset(&self, arg: usize) -> usize {
        self.list.children().nth(arg + 1).unwrap_or(self.list).offset()
    }

    pub fn error(&self, problem: Problem) -> Error {
        Error::new(self.list.offset(), problem)
    }

    pub fn unsupported(&self, what: impl Into<String>) -> Error {
        Error::unsupported(self.list.offset(), what)
    }

    fn wrong_sort(&self, context: &Context, arg: usize, wanted: impl Into<String>) -> Error {
        let given = sort_name(context, self.args[arg].sort);
        Error::new(self.offset(arg), Problem::Sort { wanted: wanted.into(), given })
    }

    pub fn check_counts(&self, entry: &Entry) -> Result<()> {
        if self.indices.len() != entry.n_indices {
            let wanted = counted(entry.n_indices, "index", "indices");
            return Err(self.error(Problem::Count { name: self.name.into(), wanted, given: self.indices.len() }));
        }
        let n_args = self.args.len();
        let wanted = match (entry.min_args, entry.max_args) {
            (min, max) if (min..=max).contains(&n_args) => return Ok(()),
            (min, max) if min == max => counted(min, "argument", "arguments"),
            (min, usize::MAX) => format!("at least {}", counted(min, "argument", "arguments")),
            (min, max) => format!("{min} to {max} arguments"),
        };
        Err(self.error(Problem::Count { name: self.name.into(), wanted, given: n_args }))
    }

    /// Checks the arguments against the sorts of parameters.
    pub fn check_sorts(&self, context: &Context, wanted: &[Sort]) -> Result<()> {
        if wanted.len() != self.args.len() {
            let given = self.args.len();
            let wanted = counted(wanted.len(), "argument", "arguments");
            return Err(self.error(Problem::Count { name: self.name.into(), wanted, given }));
        }
        for (at, &sort) in wanted.iter().enumerate() {
            self.check_sort(context, at, sort)?;
        }
        Ok(())
    }

    pub fn check_sort(&self, context: &Context, arg: usize, wanted: Sort) -> Result<()> {
        match self.args[arg].sort == wanted {
            true => Ok(()),
            false => Err(self.wrong_sort(context, arg, sort_name(context, wanted))),
        }
    }

    /// All arguments from one on have the sort of that one.
    pub fn check_same_sorts(&self, context: &Context, from: usize) -> Result<Sort> {
        let sort = self.args[from].sort;
        for at in from + 1..self.args.len() {
            self.check_sort(context, at, sort)?;
        }
        Ok(sort)
    }

    pub fn boolean(&self, context: &Context, arg: usize) -> Result<ExprId> {
        self.check_sort(context, arg, Sort::BOOL)?;
        Ok(self.args[arg].id)
    }

    /// A bit-vector argument; its width is in its expression.
    pub fn bits(&self, context: &Context, arg: usize) -> Result<ExprId> {
        match self.args[arg].sort {
            Sort::Scalar(Scalar::Bits(_)) => Ok(self.args[arg].id),
            _ => Err(self.wrong_sort(context, arg, "a bit-vector")),
        }
    }

    /// Two bit-vectors of one width.
    pub fn bits_pair(&self, context: &Context) -> Result<(ExprId, ExprId)> {
        self.bits(context, 0)?;
        self.check_same_sorts(context, 0)?;
        Ok((self.args[0].id, self.args[1].id))
    }

    pub fn float_kind(&self, context: &Context, arg: usize) -> Result<FloatKind> {
        match self.args[arg].sort {
            Sort::Scalar(Scalar::Float(kind)) => Ok(kind),
            _ => Err(self.wrong_sort(context, arg, "a float")),
        }
    }

    /// The format of all arguments from one on.
    pub fn float_kinds(&self, context: &Context, from: usize) -> Result<FloatKind> {
        let kind = self.float_kind(context, from)?;
        self.check_same_sorts(context, from)?;
        Ok(kind)
    }

    /// The rounding mode that the first argument is.
    pub fn mode(&self, context: &Context) -> Result<Mode> {
        self.check_sort(context, 0, Sort::Scalar(Scalar::Rounding))?;
        match context.pool.as_const(self.args[0].id) {
            Some(number) => Ok(Mode::ALL[number as usize]),
            None => Err(Error::unsupported(self.offset(0), "rounding modes that are not constant")),
        }
    }
}

fn counted(n: usize, one: &str, many: &str) -> String {
    match n {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}
