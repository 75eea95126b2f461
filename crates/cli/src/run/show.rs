//! What is shown of campaigns while they go on, and of each that has ended.

use super::args::Format;
use super::figures;
use super::progress::Line;
use crate::compile::tell;
use crate::exit;
use crate::output::show_raw;
use spelunk_engine::campaign::failures::Failures;
use spelunk_engine::observer::SoFar;
use spelunk_engine::{Ended, EngineError, Observer};
use spelunk_report::annotations::annotations;
use std::cell::Cell;

/// How many figures are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    Brief,
    /// Also what only says how the search went.
    Full,
}

pub struct Show {
    pub format: Format,
    detail: Detail,
    pub line: Line,
    /// The exit code so far.
    pub code: Cell<u8>,
}

impl Show {
    pub fn new(format: Format, detail: Detail) -> Self {
        Self { format, detail, line: Line::new(format), code: Cell::new(0) }
    }

    /// The account of a campaign, and its exit code.
    pub fn account(&self, ended: &Ended) -> u8 {
        let mut failures = Failures::default();
        failures.guard("the account", || match self.format {
            Format::Human => figures::show(ended, self.detail),
            Format::Json => match serde_json::to_string_pretty(&ended.summary) {
                Ok(text) => anstream::println!("{text}"),
                Err(error) => anstream::eprintln!("error: {error}"),
            },
            Format::Github => anstream::print!("{}", annotations(&ended.summary)),
        });
        let code = exit::of_findings(|class| ended.summary.of_class(class).next().is_some());
        let has_failed = ended.has_failed || !failures.is_empty();
        if has_failed && code != exit::FOUND { exit::INTERNAL } else { code }
    }
}

impl Observer for Show {
    fn warnings(&self, text: &[u8]) {
        self.line.clear();
        show_raw(text);
    }

    fn phase(&self, phase: &str) {
        self.line.begin(phase);
    }

    fn count(&self, phase: &str, n_done: usize, n_all: usize) {
        self.line.count(phase, n_done, n_all);
    }

    fn exploring(&self, so_far: &SoFar<'_>) {
        self.line.exploring(so_far);
    }

    fn subject(&self, entry: &str, number: usize, of: usize) {
        self.line.clear();
        if self.format == Format::Human {
            anstream::println!("== {entry} ({number} of {of})");
        }
        self.line.name(format!("{number} of {of}, {entry}: "));
    }

    fn ended(&self, ended: Result<&Ended, &EngineError>) {
        self.line.clear();
        let code = ended.map_or_else(tell, |ended| self.account(ended));
        self.code.set(exit::worse(self.code.get(), code));
    }

    fn confirming(&self, entry: &str) {
        self.line.name(format!("{entry}: "));
    }
}
