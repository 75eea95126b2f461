//! Commands that ask something.

use spelunk_expr::ExprId;
use spelunk_solver::Unknown;

use super::{Outcome, Reply, Session};
use crate::check::{Blame, Verdict};
use crate::elab;
use crate::error::{Error, Problem, Result};
use crate::print;
use crate::read::{Sexp, quote_symbol};

/// What the last check found, if nothing was said since.
pub(super) enum State {
    Unchecked,
    Sat,
    /// Names of assertions, and assumptions, that can't hold together.
    Unsat {
        core: Vec<String>,
        assumptions: Vec<String>,
    },
    /// Without a reason if something was left out.
    Unknown(Option<Unknown>),
}

impl State {
    fn name(&self) -> &'static str {
        match self {
            State::Unchecked => "unchecked",
            State::Sat => "sat",
            State::Unsat { .. } => "unsat",
            State::Unknown(_) => "unknown",
        }
    }
}

impl Session {
    pub(super) fn check_sat(&mut self, command: Sexp<'_>, assumptions: &[Sexp<'_>]) -> Result<Reply> {
        // Positions in `conditions` below this are assertions, the others assumptions.
        let mut asserted: Vec<usize> = Vec::new();
        let mut conditions: Vec<ExprId> = Vec::new();
        let mut is_complete = true;
        for (at, assertion) in self.assertions.iter().enumerate() {
            match assertion.condition {
                Some(condition) => {
                    asserted.push(at);
                    conditions.push(condition);
                }
                None => is_complete = false,
            }
        }
        let mut assumed: Vec<String> = Vec::new();
        for &assumption in assumptions {
            match elab::condition(&mut self.context, assumption) {
                Ok(condition) => {
                    assumed.push(assumption.to_line());
                    conditions.push(condition);
                }
                Err(Error { problem: Problem::Unsupported(what), .. }) => {
                    self.note(assumption, format!("{what} are not supported: this assumption is left out"));
                    is_complete = false;
                }
                Err(error) => return Err(error),
            }
        }
        let blame = match self.options.unsat_cores || !assumptions.is_empty() {
            true => Blame::Named,
            false => Blame::Open,
        };
        self.state = match self.checker.check(&mut self.context, &conditions, blame) {
            Verdict::Sat if is_complete => State::Sat,
            Verdict::Sat => State::Unknown(None),
            Verdict::Unknown(why) => State::Unknown(Some(why)),
            Verdict::Unsat(blamed) => {
                let core = blamed.iter().filter_map(|&at| self.assertions[*asserted.get(at)?].name.clone()).collect();
                let assumptions =
                    blamed.iter().filter_map(|at| assumed.get(at.checked_sub(asserted.len())?).cloned()).collect();
                State::Unsat { core, assumptions }
            }
        };
        self.tell_about_check(command);
        Ok(Reply::Text(self.state.name().to_owned()))
    }

    fn tell_about_check(&mut self, command: Sexp<'_>) {
        let answer = self.state.name();
        match &self.state {
            State::Unknown(why) => {
                let why = why.as_ref().map_or_else(|| "something was left out".to_owned(), Unknown::to_string);
                self.note(command, format!("unknown: {why}"));
                self.outcome = Outcome::Unanswered;
            }
            _ => match self.expected.as_deref() {
                Some(expected @ ("sat" | "unsat")) if expected != answer => {
                    let text = format!("the answer is {answer}, but the script says that it is {expected}");
                    self.note(command, text);
                }
                _ => {}
            },
        }
        self.expected = None;
    }

    /// Refuses what needs a model if there is none.
    fn without_model(&self) -> Option<Reply> {
        match self.state {
            State::Sat => None,
            _ => Some(Reply::Refused("there is no model: the last check did not answer `sat`".into())),
        }
    }

    pub(super) fn get_model(&mut self) -> Reply {
        match self.without_model() {
            Some(refusal) => refusal,
            None => Reply::Text(print::model(&self.context, self.checker.valuation())),
        }
    }

    pub(super) fn get_value(&mut self, terms: Sexp<'_>) -> Result<Reply> {
        if let Some(refusal) = self.without_model() {
            return Ok(refusal);
        }
        let mut pairs = Vec::new();
        for sexp in terms.children() {
            let term = match elab::term(&mut self.context, sexp) {
                Ok(term) => term,
                Err(Error { problem: problem @ Problem::Unsupported(_), .. }) => {
                    return Ok(Reply::Refused(problem.to_string()));
                }
                Err(error) => return Err(error),
            };
            let contents = self.checker.valuation().value(&self.context, term.id);
            pairs.push(format!("({} {})", sexp.to_line(), print::value(&self.context, term.sort, &contents)));
        }
        Ok(Reply::Text(format!("({})", pairs.join("\n "))))
    }

    pub(super) fn get_unsat_core(&mut self) -> Reply {
        match &self.state {
            _ if !self.options.unsat_cores => {
                Reply::Refused("cores are kept after `(set-option :produce-unsat-cores true)` only".into())
            }
            State::Unsat { core, .. } => {
                let names: Vec<String> = core.iter().map(|name| quote_symbol(name)).collect();
                Reply::Text(format!("({})", names.join(" ")))
            }
            _ => Reply::Refused("there is no core: the last check did not answer `unsat`".into()),
        }
    }

    pub(super) fn get_unsat_assumptions(&mut self) -> Reply {
        match &self.state {
            State::Unsat { assumptions, .. } => Reply::Text(format!("({})", assumptions.join(" "))),
            _ => Reply::Refused("the last check did not answer `unsat`".into()),
        }
    }

    pub(super) fn get_assertions(&mut self) -> Reply {
        if !self.options.assertions {
            return Reply::Refused("assertions are kept after `(set-option :produce-assertions true)` only".into());
        }
        let sources: Vec<&str> = self.assertions.iter().filter_map(|assertion| assertion.source.as_deref()).collect();
        Reply::Text(format!("({})", sources.join("\n ")))
    }
}
