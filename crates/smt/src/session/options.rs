//! Options and information.

use spelunk_solver::Unknown;

use super::answers::State;
use super::{Reply, Session};
use crate::error::{Error, Problem, Result};
use crate::read::Sexp;
use crate::scope::Lifetime;

#[derive(Clone, Default, Debug)]
pub(super) struct Options {
    pub print_success: bool,
    /// Assertions with names are told apart in checks.
    pub unsat_cores: bool,
    pub unsat_assumptions: bool,
    /// The text of assertions is kept.
    pub assertions: bool,
}

impl Options {
    fn flag(&mut self, keyword: &str) -> Option<&mut bool> {
        match keyword {
            ":print-success" => Some(&mut self.print_success),
            ":produce-unsat-cores" => Some(&mut self.unsat_cores),
            ":produce-unsat-assumptions" => Some(&mut self.unsat_assumptions),
            ":produce-assertions" | ":interactive-mode" => Some(&mut self.assertions),
            _ => None,
        }
    }
}

impl Session {
    pub(super) fn set_option(&mut self, keyword: Sexp<'_>, value: Sexp<'_>) -> Result<Reply> {
        let name = keyword.keyword().ok_or(Error::new(keyword.offset(), Problem::Expected("a keyword")))?;
        let truth = || match value.symbol() {
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            _ => Err(Error::new(value.offset(), Problem::Expected("`true` or `false`"))),
        };
        if let Some(flag) = self.options.flag(name) {
            *flag = truth()?;
            return Ok(Reply::Success);
        }
        match name {
            ":global-declarations" => {
                self.context.scope.lifetime = if truth()? { Lifetime::Session } else { Lifetime::Level };
            }
            // Models are there whenever the answer is `sat`.
            ":produce-models" => {
                truth()?;
            }
            _ => self.note(keyword, format!("option {name} is ignored")),
        }
        Ok(Reply::Success)
    }

    pub(super) fn get_option(&mut self, keyword: Sexp<'_>) -> Reply {
        let name = keyword.keyword().unwrap_or_default();
        let value = match self.options.flag(name) {
            Some(flag) => *flag,
            None if name == ":produce-models" => true,
            None if name == ":global-declarations" => self.context.scope.lifetime == Lifetime::Session,
            None => return Reply::Unsupported,
        };
        Reply::Text(value.to_string())
    }

    /// Only `:status` matters to us.
    pub(super) fn set_info(&mut self, keyword: Sexp<'_>, rest: &[Sexp<'_>]) -> Reply {
        if keyword.keyword() == Some(":status") {
            self.expected = rest.first().and_then(|status| status.symbol()).map(str::to_owned);
        }
        Reply::Success
    }

    pub(super) fn get_info(&mut self, keyword: Sexp<'_>) -> Reply {
        let name = keyword.keyword().unwrap_or_default();
        let value = match name {
            ":name" => "\"spelunk\"".to_owned(),
            ":version" => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
            ":authors" => "\"the authors of spelunk\"".to_owned(),
            ":error-behavior" => "immediate-exit".to_owned(),
            ":assertion-stack-levels" => self.levels.len().to_string(),
            ":reason-unknown" => match &self.state {
                State::Unknown(why) => reason(why),
                _ => return Reply::Refused("the last answer was not `unknown`".into()),
            },
            _ => return Reply::Unsupported,
        };
        Reply::Text(format!("({name} {value})"))
    }
}

fn reason(why: &Option<Unknown>) -> String {
    match why {
        Some(Unknown::Time) => "timeout".to_owned(),
        Some(other) => format!("\"{}\"", other.to_string().replace('"', "\"\"")),
        None => "incomplete".to_owned(),
    }
}
