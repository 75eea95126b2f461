//! The file of tests: what stands before them, the tests with their heads, and what runs them.

use std::ops::RangeInclusive;

use spelunk_native::Numbered;
use spelunk_native::runtime::RANDOM_DEVICE;
use spelunk_report::suite::summary::{BugEntry, Status};
use spelunk_report::suite::test_case::End;
use spelunk_report::suite::{Campaign, TestCase};
use spelunk_vm::BugKind;

use super::context::Context;
use super::framework::Framework;
use super::loops::Loops;
use super::runner::{Ends, Listed, runner};
use super::{stubs, unit, whole};
use crate::LeftOut;

/// What the texts of one export have in common.
pub struct Parts<'a, 'p> {
    pub context: &'a Context<'p>,
    pub campaign: &'a Campaign,
    pub loops: &'a Loops,
    /// What the function is called that runs the tests.
    pub main: &'static str,
}

/// A sequence may leave what it has made without a use.
const UNUSED: &str = "\n#pragma GCC diagnostic ignored \"-Wunused-variable\"\n#pragma GCC diagnostic ignored \"-Wunused-but-set-variable\"\n";

/// The tests of a project, before it is said what runs them.
pub struct Text {
    body: String,
    listed: Vec<Listed>,
    /// The lines of each test.
    places: Vec<(u64, RangeInclusive<usize>)>,
    suite: String,
    main: &'static str,
}

impl Parts<'_, '_> {
    /// The tests; those that can't be written are added to `left_out`.
    pub fn text(&self, framework: Framework, tests: &[Numbered<'_>], left_out: &mut Vec<LeftOut>) -> Text {
        let mut text = Text {
            body: self.head(framework),
            listed: Vec::new(),
            places: Vec::new(),
            suite: self.campaign.summary.entry.clone(),
            main: self.main,
        };
        for &(number, test) in tests {
            match self.test(framework, number, test) {
                Ok((code, listed)) => text.add(number, &code, listed),
                Err(reason) => left_out.push(LeftOut { test: number, reason }),
            }
        }
        text
    }

    fn head(&self, framework: Framework) -> String {
        let recipe = self.context.subject.recipe;
        let sources: Vec<String> = recipe.sources.iter().map(|source| source.display().to_string()).collect();
        let tested = match self.context.source {
            Some(number) => format!("`{}` in {}", self.campaign.summary.entry, sources[number]),
            None => sources.join(", "),
        };
        let mut lines = vec![
            format!("/* Tests of {}, written by spelunk.", in_comment(&tested)),
            " *".to_owned(),
            " * What is marked as observed is what the program did when they were made, right or wrong. A test that shows a bug, or what".to_owned(),
            " * needs a precondition, fails until that is fixed or asked for. */".to_owned(),
            String::new(),
        ];
        if self.context.source.is_some() {
            lines.extend(["#include \"tested.h\"".to_owned(), String::new()]);
        }
        let includes = framework.includes();
        lines.extend(includes.lines().map(str::to_owned));
        if !includes.is_empty() {
            lines.push(String::new());
        }
        lines.push("#include \"spelunk_test.h\"".to_owned());
        if self.context.subject.unit.is_some_and(|unit| unit.sequence_length().is_some()) {
            lines.extend(UNUSED.lines().map(str::to_owned));
        }
        lines.extend(self.declarations());
        lines.join("\n") + "\n"
    }

    fn declarations(&self) -> Vec<String> {
        let Some(unit) = self.context.subject.unit else { return Vec::new() };
        let subject = self.context.subject;
        let stand_ins = stubs::stand_ins(subject);
        let stand_ins = stand_ins.iter().map(|name| format!("void {}(void);", stubs::stand_in_name(name)));
        let variables = unit.params.iter().filter_map(|param| match &param.home {
            spelunk_concolic::graph::unit::Home::Global(name) => self.context.variable(name)?.1,
            _ => None,
        });
        let all: Vec<String> = self.context.declarations(unit).into_iter().chain(variables).chain(stand_ins).collect();
        if all.is_empty() { all } else { std::iter::once(String::new()).chain(all).collect() }
    }

    fn test(&self, framework: Framework, number: u64, test: &TestCase) -> Result<(String, Listed), String> {
        let ends = self.ends(test)?;
        if test.input.iter().any(|object| object.label() == RANDOM_DEVICE) {
            return Err(format!("it says what {RANDOM_DEVICE} gives, which no test can see to"));
        }
        let mut lines = match self.context.subject.called() {
            Some(unit) => unit::Writer::new(self.context, unit, test, &self.campaign.types, framework).body()?,
            None => whole::body(self.context, test, framework)?,
        };
        if self.loops.has(number) {
            lines.insert(0, format!("expect_to_leave_loop({number});"));
        }
        let name = format!("test_{number:06}");
        let indented = |line: &String| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") };
        let body: String = lines.iter().map(indented).collect();
        let code = format!("\n{}{}{body}{}", self.comment(number, test), framework.head(&name), framework.foot());
        Ok((code, Listed { name, ends }))
    }

    /// How the process of a test ends; nothing can be said of those that did not end by themselves.
    fn ends(&self, test: &TestCase) -> Result<Ends, String> {
        let is_unit = self.context.subject.called().is_some();
        match &test.end {
            End::Exited { status } if is_unit => Ok(Ends::With(status & 0xff)),
            End::Bug { .. } if is_unit => Ok(Ends::Somehow),
            End::Exited { .. } | End::Bug { .. } | End::Killed { .. } if !is_unit => Ok(Ends::With(0)),
            End::Killed { signal } => Err(format!("it is killed by signal {signal}")),
            End::Unsupported { what, .. } => Err(format!("it was not run to its end: {what}")),
            End::Limit { what } => Err(format!("it was not run to its end: limit on {what}")),
            End::Infeasible => Err("the program excludes its input".to_owned()),
            End::Exited { .. } | End::Bug { .. } => unreachable!("both are above"),
        }
    }

    /// What a person should know of a test.
    fn comment(&self, number: u64, test: &TestCase) -> String {
        let End::Bug { bug, message, place } = &test.end else { return String::new() };
        let entry = self.campaign.summary.bugs.iter().find(|entry| entry.test == number);
        let is_same = |entry: &&BugEntry| entry.kind == *bug && entry.place == *place;
        let of_place = entry.or_else(|| self.campaign.summary.bugs.iter().find(is_same));
        let shows = match of_place.and_then(|entry| entry.precondition.as_ref()) {
            Some(condition) => format!("Shows what needs a precondition, `{condition}`:"),
            None => "Shows a bug".to_owned(),
        };
        let mut text = format!("{shows} [{bug}] at {}:{} in {}: {message}.", place.file, place.line, place.function);
        match entry {
            Some(BugEntry { status: Status::Unconfirmed, reason: Some(reason), .. }) => {
                text += &format!(" Unconfirmed: {reason}.");
            }
            Some(BugEntry { status: Status::Conditional, reason: Some(reason), .. }) => {
                text += &format!(" Conditional: {reason}.");
            }
            _ => {}
        }
        text += unseen(bug).unwrap_or_default();
        format!("/* {} */\n", wrapped(&in_comment(&text)))
    }
}

impl Text {
    fn add(&mut self, number: u64, code: &str, listed: Listed) {
        let first = self.body.lines().count() + 1;
        self.body.push_str(code);
        self.places.push((number, first..=first + code.lines().count()));
        self.listed.push(listed);
    }

    pub fn listed(&self) -> &[Listed] {
        &self.listed
    }

    /// The test that a line belongs to.
    pub fn test_at(&self, line: usize) -> Option<u64> {
        self.places.iter().find(|(_, lines)| lines.contains(&line)).map(|(number, _)| *number)
    }

    /// The whole file; without a `main` if that is elsewhere.
    pub fn text(&self, framework: Framework, has_main: bool) -> String {
        format!("{}{}", self.body, runner(framework, &self.suite, &self.listed, has_main.then_some(self.main)))
    }
}

/// What includes the source that is tested.
pub fn tested(path: &str) -> String {
    format!(
        "/* The source of what is tested, so that `static` functions can be called too. Its warnings are its own. */\n\
         #pragma GCC system_header\n#include \"{path}\"\n"
    )
}

/// A name that C++ takes for a suite.
pub fn suite_name(entry: &str) -> String {
    entry.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }).collect()
}

/// What a person should know of bugs that the sanitizers of a project don't see.
fn unseen(bug: &str) -> Option<&'static str> {
    match BugKind::from_slug(bug)? {
        BugKind::Uninitialised => Some(" Only MemorySanitizer sees it: make CC=clang SANITIZE=-fsanitize=memory"),
        BugKind::Leak => Some(" The test passes nevertheless: it does not look for lost memory."),
        BugKind::MemoryLimit => Some(" The test passes nevertheless: it has no limit on memory."),
        _ => None,
    }
}

/// Lines of a comment that are not too long.
fn wrapped(text: &str) -> String {
    const MAX_LEN: usize = 110;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is one");
        match last.len() {
            0 => last.push_str(word),
            len if len + word.len() < MAX_LEN => *last += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n * ")
}

fn in_comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace('\n', " ")
}
