//! A script being obeyed: its assertions by level, and the answers to its questions.
//!
//! `declarations` and `answers` obey commands, `options` is what a script may set. This file reads and dispatches.

mod answers;
mod declarations;
mod options;
#[cfg(test)]
mod roundtrip;

use std::io::{self, BufRead, Write};

use smallvec::SmallVec;
use spelunk_expr::ExprId;
use spelunk_solver::{LayerStats, Limits, LogError, Solver};

use crate::check::Checker;
use crate::context::Context;
use crate::error::{Error, Position, Problem, Result};
use crate::read::{Kind, ReadError, Reader, Sexp};
use answers::State;
use options::Options;

/// Something to tell the user beside the answers.
#[derive(Clone, Debug)]
pub struct Note {
    pub place: Position,
    pub text: String,
}

/// How a script ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Answered,
    /// A question got `unknown`, or a command could not be obeyed.
    Unanswered,
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("{problem}")]
    Script { place: Position, problem: Problem },
    #[error("cannot read the script: {0}")]
    Read(io::Error),
    #[error("cannot write an answer: {0}")]
    Write(io::Error),
}

/// What a command is answered with.
enum Reply {
    Success,
    Text(String),
    /// We don't know the command, option or information.
    Unsupported,
    /// The command can't be obeyed now, and why.
    Refused(String),
    Exit,
}

struct Assertion {
    /// `None` if it is beyond us.
    condition: Option<ExprId>,
    name: Option<String>,
    /// Kept only if a script may ask for it.
    source: Option<String>,
}

pub struct Session {
    context: Context,
    checker: Checker,
    options: Options,
    assertions: Vec<Assertion>,
    /// How many assertions there were when each level began.
    levels: Vec<usize>,
    state: State,
    /// What `:status` says of the next check.
    expected: Option<String>,
    /// What to tell about the command at hand, and where.
    notes: Vec<(usize, String)>,
    outcome: Outcome,
}

type Arguments<'t> = SmallVec<[Sexp<'t>; 6]>;

impl Session {
    pub fn new(solver: Box<dyn Solver>, limits: Limits) -> Self {
        Session {
            context: Context::default(),
            checker: Checker::new(solver, limits),
            options: Options::default(),
            assertions: Vec::new(),
            levels: Vec::new(),
            state: State::Unchecked,
            expected: None,
            notes: Vec::new(),
            outcome: Outcome::Answered,
        }
    }

    /// Obeys all commands of a script, writing each answer at once.
    pub fn run(
        &mut self,
        input: impl BufRead,
        out: &mut dyn Write,
        tell: &mut dyn FnMut(&Note),
    ) -> std::result::Result<Outcome, RunError> {
        let mut reader = Reader::new(input);
        loop {
            let reply = match reader.next_command() {
                Ok(None) => return Ok(self.outcome),
                Ok(Some(tree)) => self.obey(tree.root()),
                Err(ReadError::Io(error)) => return Err(RunError::Read(error)),
                Err(ReadError::Script(error)) => Err(error),
            };
            for (offset, text) in self.notes.drain(..) {
                tell(&Note { place: reader.place(offset), text });
            }
            match reply {
                Ok(Reply::Exit) => {
                    self.answer(out, &Reply::Success)?;
                    return Ok(self.outcome);
                }
                Ok(reply) => self.answer(out, &reply)?,
                Err(Error { offset, problem }) => {
                    let place = reader.place(offset);
                    let message = format!("line {} column {}: {problem}", place.line, place.column);
                    self.answer(out, &Reply::Refused(message))?;
                    return Err(RunError::Script { place, problem });
                }
            }
        }
    }

    /// What the layers of the solver have done so far.
    pub fn stats(&self) -> Vec<LayerStats> {
        self.checker.stats()
    }

    /// Why queries are not logged although that was asked for.
    pub fn log_error(&self) -> Option<&LogError> {
        self.checker.log_error()
    }

    fn answer(&mut self, out: &mut dyn Write, reply: &Reply) -> std::result::Result<(), RunError> {
        let text = match reply {
            Reply::Success | Reply::Exit if self.options.print_success => "success",
            Reply::Success | Reply::Exit => return Ok(()),
            Reply::Text(text) => text,
            Reply::Unsupported => "unsupported",
            Reply::Refused(message) => {
                self.outcome = Outcome::Unanswered;
                &format!("(error \"{}\")", message.replace('"', "\"\""))
            }
        };
        writeln!(out, "{text}").and_then(|()| out.flush()).map_err(RunError::Write)
    }

    fn note(&mut self, at: Sexp<'_>, text: impl Into<String>) {
        self.notes.push((at.offset(), text.into()));
    }

    fn obey(&mut self, command: Sexp<'_>) -> Result<Reply> {
        let Some(name) = command.children().next().and_then(Sexp::symbol) else {
            return Err(Error::new(command.offset(), Problem::Expected("a command")));
        };
        let args: Arguments<'_> = command.children().skip(1).collect();
        match (name, &args[..]) {
            ("set-logic", [_]) => Ok(Reply::Success),
            ("set-info", [keyword, rest @ ..]) => Ok(self.set_info(*keyword, rest)),
            ("set-option", &[keyword, value]) => self.set_option(keyword, value),
            ("get-option", &[keyword]) => Ok(self.get_option(keyword)),
            ("get-info", &[keyword]) => Ok(self.get_info(keyword)),
            ("echo", &[text]) if text.kind() == Kind::Text => Ok(Reply::Text(text.source().to_owned())),
            ("exit", []) => Ok(Reply::Exit),
            ("declare-const", &[name, sort]) => self.declare_constant(name, sort),
            ("declare-fun", &[name, params, sort]) => self.declare_function(name, params, sort),
            ("declare-sort", [name, rest @ ..]) if rest.len() <= 1 => self.declare_sort(*name, rest),
            ("define-sort", &[name, params, sort]) => self.define_sort(name, params, sort),
            ("define-fun", &[name, params, sort, body]) => self.define_function(name, params, sort, body),
            ("define-const", &[name, sort, body]) => self.define_constant(name, sort, body),
            ("assert", &[formula]) => self.assert(formula),
            ("push", args) if args.len() <= 1 => self.push(command, args),
            ("pop", args) if args.len() <= 1 => self.pop(command, args),
            ("reset", []) => Ok(self.reset()),
            ("reset-assertions", []) => Ok(self.reset_assertions()),
            ("check-sat", []) => self.check_sat(command, &[]),
            ("check-sat-assuming", &[assumptions]) if assumptions.is_list() => {
                let assumptions: Vec<Sexp<'_>> = assumptions.children().collect();
                self.check_sat(command, &assumptions)
            }
            ("get-model", []) => Ok(self.get_model()),
            ("get-value", &[terms]) if terms.is_list() => self.get_value(terms),
            ("get-unsat-core", []) => Ok(self.get_unsat_core()),
            ("get-unsat-assumptions", []) => Ok(self.get_unsat_assumptions()),
            ("get-assertions", []) => Ok(self.get_assertions()),
            _ => self.refuse(command, name),
        }
    }

    /// A command that is wrong, that we leave out, or that nobody knows.
    fn refuse(&mut self, command: Sexp<'_>, name: &str) -> Result<Reply> {
        if let Some((_, usage)) = USAGES.iter().find(|(known, _)| *known == name) {
            return Err(Error::new(command.offset(), Problem::Expected(usage)));
        }
        if !FOREIGN_COMMANDS.contains(&name) {
            return Err(Error::new(command.offset(), Problem::UnknownCommand(name.into())));
        }
        if name.starts_with("declare") || name.starts_with("define") {
            self.context.skipped_declarations = true;
        }
        self.note(command, format!("the command `{name}` is not supported"));
        self.outcome = Outcome::Unanswered;
        Ok(Reply::Unsupported)
    }
}

const USAGES: &[(&str, &str)] = &[
    ("set-logic", "`(set-logic name)`"),
    ("set-info", "`(set-info :keyword value)`"),
    ("set-option", "`(set-option :keyword value)`"),
    ("get-option", "`(get-option :keyword)`"),
    ("get-info", "`(get-info :keyword)`"),
    ("echo", "`(echo \"text\")`"),
    ("exit", "`(exit)`"),
    ("declare-const", "`(declare-const name sort)`"),
    ("declare-fun", "`(declare-fun name (sort…) sort)`"),
    ("declare-sort", "`(declare-sort name 0)`"),
    ("define-sort", "`(define-sort name (parameter…) sort)`"),
    ("define-fun", "`(define-fun name ((parameter sort)…) sort term)`"),
    ("define-const", "`(define-const name sort term)`"),
    ("assert", "`(assert term)`"),
    ("push", "`(push n)`"),
    ("pop", "`(pop n)`"),
    ("reset", "`(reset)`"),
    ("reset-assertions", "`(reset-assertions)`"),
    ("check-sat", "`(check-sat)`"),
    ("check-sat-assuming", "`(check-sat-assuming (term…))`"),
    ("get-model", "`(get-model)`"),
    ("get-value", "`(get-value (term…))`"),
    ("get-unsat-core", "`(get-unsat-core)`"),
    ("get-unsat-assumptions", "`(get-unsat-assumptions)`"),
    ("get-assertions", "`(get-assertions)`"),
];

/// Commands that other solvers obey.
const FOREIGN_COMMANDS: &[&str] = &[
    "apply",
    "block-model",
    "block-model-values",
    "check-sat-assuming-model",
    "check-sat-using",
    "check-synth",
    "declare-codatatypes",
    "declare-datatype",
    "declare-datatypes",
    "declare-heap",
    "declare-pool",
    "declare-var",
    "define-fun-rec",
    "define-funs-rec",
    "display",
    "eval",
    "get-abduct",
    "get-assignment",
    "get-difficulty",
    "get-interpolant",
    "get-interpolants",
    "get-learned-literals",
    "get-objectives",
    "get-proof",
    "get-qe",
    "get-timeout-core",
    "get-unsat-core-lemmas",
    "help",
    "include",
    "labels",
    "maximize",
    "minimize",
    "simplify",
    "synth-fun",
];
