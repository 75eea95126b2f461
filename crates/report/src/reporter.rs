//! From what the VM tells of a path's end to a diagnostic.

use crate::diagnostic::{Diagnostic, Message, Position};
use crate::frames::{Frame, frames};
use crate::paths::Paths;
use crate::snippet::Snippet;
use crate::suite;
use spelunk_ir::code::{Image, OpIdx, Origin};
use spelunk_ir::debug::{DebugInfo, SourceLoc};
use spelunk_ir::model::Program;
use spelunk_vm::{Bug, Unsupported};
use std::path::{Path, PathBuf};

/// How many of the calls that led to an error are shown: so many innermost ones, so many outermost ones.
const INNERMOST_CALLS: usize = 12;
const OUTERMOST_CALLS: usize = 4;
/// How many of the calls that led to an allocation and the like are shown.
const CALLS_OF_A_NOTE: usize = 3;

/// Names of library functions that programs don't call.
const INTERNAL_PREFIX: &str = "__rt_";

/// Knows the program that the errors are in.
#[derive(Debug)]
pub struct Reporter<'p> {
    image: &'p Image,
    debug: DebugInfo<'p>,
    paths: Paths,
}

/// A call in the user's code, and the library function that it called if the stack goes on inside of that.
#[derive(Clone, Copy, Debug)]
struct Call<'p> {
    frame: Frame<'p>,
    through: Option<&'p str>,
}

impl Call<'_> {
    /// Whether another call is of the same function, at the same place.
    fn is_same(&self, other: &Self) -> bool {
        let place = |call: &Self| call.frame.loc.map(|loc| (loc.line, loc.column));
        self.frame.function == other.frame.function && place(self) == place(other) && self.through == other.through
    }
}

impl<'p> Reporter<'p> {
    /// `sources` are the files that the user named, which are shown as they were spelt.
    pub fn new(program: &'p Program, image: &'p Image, current_dir: PathBuf, sources: &[PathBuf]) -> Self {
        Self { image, debug: DebugInfo::new(program), paths: Paths::new(current_dir, sources) }
    }

    pub fn debug(&self) -> &DebugInfo<'p> {
        &self.debug
    }

    /// The innermost place of a call stack in the user's code.
    pub fn place_of(&self, trace: &[OpIdx]) -> suite::test_case::Place {
        self.stack(trace).first().map(|call| self.suite_place(&call.frame)).unwrap_or_default()
    }

    /// All places of a call stack in the user's code, the innermost first.
    pub fn places_of(&self, trace: &[OpIdx]) -> Vec<suite::test_case::Place> {
        self.stack(trace).iter().map(|call| self.suite_place(&call.frame)).collect()
    }

    /// The place of an operation; for one of the library, only the function.
    pub fn site(&self, op_idx: OpIdx) -> suite::test_case::Place {
        frames(self.image, &self.debug, &[op_idx]).first().map(|frame| self.suite_place(frame)).unwrap_or_default()
    }

    /// How a source file is shown, and where it is.
    pub fn source_path(&self, path: &Path) -> (PathBuf, PathBuf) {
        (self.paths.spell_path(path), self.paths.absolute(path))
    }

    fn suite_place(&self, frame: &Frame<'p>) -> suite::test_case::Place {
        let function = frame.function.to_owned();
        match frame.loc.and_then(|loc| Some((loc, loc.file?))) {
            Some((loc, file)) => {
                let file = self.paths.spell(&file).display().to_string();
                suite::test_case::Place { file, line: loc.line, column: loc.column, function }
            }
            None => suite::test_case::Place { function, ..Default::default() },
        }
    }

    pub fn bug(&self, bug: &Bug) -> Diagnostic {
        let mut diagnostic = self.diagnostic(bug.kind.title(), &bug.message, bug.kind.slug(), &bug.trace);
        for note in &bug.notes {
            let stack = self.stack(&note.trace);
            // An object of the library's own: where it comes from tells the user nothing.
            if stack.first().is_some_and(|call| call.frame.origin == Origin::Library) {
                continue;
            }
            diagnostic.notes.push(self.head(&stack, &note.message));
            diagnostic.notes.extend(stack.iter().skip(1).take(CALLS_OF_A_NOTE).map(|call| self.caller(call)));
        }
        diagnostic
    }

    pub fn unsupported(&self, unsupported: &Unsupported) -> Diagnostic {
        self.diagnostic("unsupported", &unsupported.what, "unsupported", &unsupported.trace)
    }

    /// An end that is neither an error of the program nor something missing in us: `trace` says how far it came.
    pub fn stopped(&self, why: &str, slug: &str, trace: &[OpIdx]) -> Diagnostic {
        self.diagnostic("stopped", why, slug, trace)
    }

    fn diagnostic(&self, title: &str, message: &str, slug: &str, trace: &[OpIdx]) -> Diagnostic {
        let stack = self.stack(trace);
        let text = if message.is_empty() { title.to_owned() } else { format!("{title}: {message}") };
        let mut error = self.head(&stack, &text);
        error.text += &format!(" [{slug}]");

        // Recursion is told once.
        let callers: Vec<&[Call<'p>]> = stack.get(1..).unwrap_or_default().chunk_by(Call::is_same).collect();
        let n_left_out = callers.len().saturating_sub(INNERMOST_CALLS + OUTERMOST_CALLS);
        let (innermost, rest) = callers.split_at(INNERMOST_CALLS.min(callers.len()));
        let mut notes: Vec<Message> = innermost.iter().map(|calls| self.repeated_caller(calls)).collect();
        if n_left_out > 0 {
            let n_calls: usize = rest[..n_left_out].iter().map(|calls| calls.len()).sum();
            notes.push(Message::without_place(format!("{n_calls} more calls")));
        }
        notes.extend(rest[n_left_out..].iter().map(|calls| self.repeated_caller(calls)));
        Diagnostic { error, notes }
    }

    /// The user's part of a call stack, innermost first.
    fn stack(&self, trace: &[OpIdx]) -> Vec<Call<'p>> {
        let mut calls = Vec::new();
        let mut through = None;
        for frame in frames(self.image, &self.debug, trace) {
            match frame.origin {
                Origin::User => calls.push(Call { frame, through: through.take() }),
                // What starts the program is nothing that the user knows of.
                Origin::Library if frame.function.starts_with(INTERNAL_PREFIX) => {}
                Origin::Library => through = Some(frame.function),
            }
        }
        calls
    }

    /// What happened, at the innermost place of the user's code.
    fn head(&self, stack: &[Call<'p>], text: &str) -> Message {
        match stack.first() {
            None => Message::without_place(text.to_owned()),
            Some(Call { frame, through: None }) => self.message(frame, text.to_owned()),
            Some(Call { frame, through: Some(function) }) => self.message(frame, format!("{text}, in `{function}`")),
        }
    }

    /// Calls that are the same, one in another.
    fn repeated_caller(&self, calls: &[Call<'p>]) -> Message {
        let mut message = self.caller(&calls[0]);
        if calls.len() > 1 {
            message.text += &format!(", {} times", calls.len());
        }
        message
    }

    fn caller(&self, call: &Call<'p>) -> Message {
        let caller = call.frame.function;
        let text = match call.through {
            Some(function) => format!("called from `{caller}` through `{function}`"),
            None => format!("called from `{caller}`"),
        };
        self.message(&call.frame, text)
    }

    fn message(&self, frame: &Frame<'p>, text: String) -> Message {
        let Some((place, snippet)) = frame.loc.and_then(|loc| self.place(&loc)) else {
            return Message::without_place(format!("{text}, in function `{}`", frame.function));
        };
        Message { place: Some(place), text, snippet }
    }

    fn place(&self, loc: &SourceLoc<'p>) -> Option<(Position, Option<Snippet>)> {
        let file = loc.file?;
        let place = Position { path: self.paths.spell(&file), line: loc.line, column: loc.column };
        let snippet = Snippet::read(&self.paths.absolute(&file.path()), loc.line, loc.column);
        Some((place, snippet))
    }
}
