//! Whether a native run went as predicted.
//!
//! A bug is confirmed if the native run shows an error of an equivalent kind (see `is_shown_by`) at the same line, or at
//! another one of the same statement or of the calls that led there: sanitizers may notice it there.

mod endless;

use std::path::{Path, PathBuf};

use spelunk_report::suite::TestCase;
use spelunk_report::suite::test_case::{End, MachineKind, Place, Unset};
use spelunk_vm::BugKind;

use crate::expected::{Expected, expected};
use crate::findings::{Finding, FoundAt, TIME_LIMIT, findings, handed};
use crate::run::{Outcome, ProcessEnd};
use crate::symbols::Symbols;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The native run shows the predicted bug; how, if that can be one of several things.
    Confirmed(Option<String>),
    /// It does not, and why that may be.
    Unconfirmed(String),
    /// No bug was predicted, and the end is the predicted one.
    AsPredicted,
    /// It is not.
    Mismatch(String),
    /// It is not, for a reason that lies neither in the program nor in the prediction.
    KnownDifference(&'static str),
    /// Nothing was predicted that could be compared.
    NotCompared,
}

/// Whether a test can be compared at all.
pub fn is_comparable(end: &End) -> bool {
    matches!(end, End::Exited { .. } | End::Killed { .. } | End::Bug { .. })
}

/// What is needed to find places in the source.
pub struct Places<'a> {
    pub symbols: &'a Symbols,
    /// Where relative paths start.
    pub directory: &'a Path,
    /// Where generated code is, which is nobody's source.
    pub generated: &'a Path,
    /// Whether the compiler may have left out reads of memory that nobody writes to.
    pub is_optimised: bool,
    /// Whether programs find the files of the machine where they are, and themselves in the directory of the campaign.
    pub has_files: bool,
    /// Whether anything keeps programs from writing where they like.
    pub is_contained: bool,
}

impl Places<'_> {
    /// The innermost place in the user's code.
    fn of(&self, finding: &Finding) -> Option<(PathBuf, u32)> {
        match &finding.place {
            FoundAt::Line(file, line) => Some((self.real(file)?, *line)),
            FoundAt::Value { .. } => None,
            FoundAt::Stack(stack) => {
                stack.iter().flat_map(|&address| self.symbols.lines(address)).find_map(|(file, line)| {
                    let file = self.real(file).filter(|file| !file.starts_with(self.generated))?;
                    Some((file, *line))
                })
            }
        }
    }

    /// Only files that exist: the sanitizers' own are elsewhere.
    fn real(&self, file: &Path) -> Option<PathBuf> {
        self.directory.join(file).canonicalize().ok()
    }
}

/// Of a test that ends in a bug, `stack` are the calls that led there.
pub fn verdict(places: &Places<'_>, test: &TestCase, stack: &[Place], outcome: &Outcome) -> Verdict {
    let found = findings(outcome);
    match (compared(places, test, stack, &found, outcome), known_difference(places, test, &found, outcome)) {
        (Verdict::Mismatch(_), Some(known)) => Verdict::KnownDifference(known),
        (Verdict::Unconfirmed(_), Some(known)) => Verdict::Unconfirmed(known.to_owned()),
        (verdict, _) => verdict,
    }
}

/// How a native run may end otherwise though neither the program nor the prediction is wrong.
fn known_difference(
    places: &Places<'_>,
    test: &TestCase,
    found: &[Finding],
    outcome: &Outcome,
) -> Option<&'static str> {
    let shows = |what: &str| found.iter().any(|finding| finding.what.starts_with(what));
    if !test.uninitialised.is_empty() && (places.is_optimised || !has_uninitialised(test, outcome)) {
        return Some("not all memory that the program does not initialise can be given its values natively");
    }
    if touches(test, &[MachineKind::Changing]) {
        return Some("files below /dev, /proc and /sys have another content each time");
    }
    if places.is_contained && touches(test, &[MachineKind::Far]) {
        return Some("native runs can write only in the current directory, /tmp and /var/tmp");
    }
    if !places.has_files && touches(test, &[MachineKind::Here, MachineKind::Near]) {
        return Some("without namespaces, native runs are in a directory of their own");
    }
    if shows("stack-overflow") {
        return Some("frames are larger under sanitizers, and the native stack could not be made large enough");
    }
    shows("memory-limit").then_some("the C library and sanitizers need memory of their own, and the limit was near")
}

fn touches(test: &TestCase, kinds: &[MachineKind]) -> bool {
    test.of_machine.iter().any(|it| kinds.contains(&it.kind))
}

/// Whether the program had in memory that it did not initialise what the test says, all of it.
fn has_uninitialised(test: &TestCase, outcome: &Outcome) -> bool {
    let handed = handed(outcome);
    // All variables of one place are filled alike, whichever of them is read.
    let all = &test.uninitialised;
    let is_alone = |unset: &Unset| {
        all.iter().filter(|other| (&other.place, other.offset) == (&unset.place, unset.offset)).count() == 1
    };
    all.iter().enumerate().all(|(number, unset)| handed.contains(&number) && is_alone(unset))
}

fn compared(places: &Places<'_>, test: &TestCase, stack: &[Place], found: &[Finding], outcome: &Outcome) -> Verdict {
    let other_value = found.iter().find_map(|finding| value_in_words(test, finding));
    match &test.end {
        End::Bug { bug, place, .. } => match BugKind::from_slug(bug) {
            Some(BugKind::EndlessLoop) => endless::verdict(places, found, outcome),
            Some(kind) => bug_verdict(places, (kind, place, stack), found, outcome),
            None => Verdict::NotCompared,
        },
        End::Exited { .. } if let Some(other) = other_value => Verdict::Mismatch(other),
        End::Exited { status } => ordinary(ProcessEnd::Exit(status & 0xff), places, found, outcome),
        End::Killed { signal } => ordinary(ProcessEnd::Signal(*signal), places, found, outcome),
        End::Unsupported { .. } | End::Limit { .. } | End::Infeasible => Verdict::NotCompared,
    }
}

fn ordinary(expected: ProcessEnd, places: &Places<'_>, found: &[Finding], outcome: &Outcome) -> Verdict {
    let told = |finding: &Finding| describe(places, finding);
    if outcome.end == expected && !found.iter().any(is_decisive) {
        return Verdict::AsPredicted;
    }
    // A signal that the sanitizer takes for an error.
    if let ProcessEnd::Signal(signal) = expected
        && found.iter().any(|finding| signal_of(&finding.what) == Some(signal))
    {
        return Verdict::AsPredicted;
    }
    let shown = found.iter().filter(|finding| is_decisive(finding)).map(told).collect::<Vec<_>>().join("; ");
    let end = match outcome.end {
        ProcessEnd::Exit(status) => format!("exit status {status}"),
        ProcessEnd::Signal(signal) => format!("signal {signal}"),
        ProcessEnd::Time => "no end within the time limit".to_owned(),
    };
    Verdict::Mismatch(if shown.is_empty() { end } else { shown })
}

/// Something that is not as the test says it was observed.
fn value_in_words(test: &TestCase, finding: &Finding) -> Option<String> {
    let FoundAt::Value { number, offset, byte } = finding.place else { return None };
    Some(match expected(test).get(number)? {
        freed @ Expected::Freed { .. } => freed.to_string(),
        other => format!("{other}, whose byte {offset} is {byte:#04x}"),
    })
}

/// Whether a finding can't be without the path having been left. An undefined operation is told, and the program goes on:
/// not all of them are errors to the VM.
fn is_decisive(finding: &Finding) -> bool {
    matches!(finding.place, FoundAt::Stack(_))
}

fn signal_of(what: &str) -> Option<i32> {
    const SIGNALS: [(&str, i32); 5] = [("SEGV", 11), ("BUS", 7), ("FPE", 8), ("ILL", 4), ("abort", 6)];
    SIGNALS.iter().find(|(name, _)| what.starts_with(name)).map(|&(_, signal)| signal)
}

fn bug_verdict(
    places: &Places<'_>,
    (kind, place, stack): (BugKind, &Place, &[Place]),
    found: &[Finding],
    outcome: &Outcome,
) -> Verdict {
    let of_kind: Vec<&Finding> = found.iter().filter(|finding| is_shown_by(kind, &finding.what)).collect();
    let line = place_of(places, place);
    let callers = stack.iter().skip_while(|caller| *caller != place).skip(1);
    let callers: Vec<(PathBuf, u32)> = callers.filter_map(|place| place_of(places, place)).collect();
    let is_same = |found: &(PathBuf, u32)| {
        callers.contains(found) || line.as_ref().is_some_and(|line| is_one_statement(line, found))
    };
    let is_there = |finding: &&&Finding| {
        is_placeless(kind, &finding.what) || places.of(finding).is_some_and(|found| is_same(&found))
    };
    if of_kind.iter().any(|finding| is_there(&finding)) {
        return Verdict::Confirmed(None);
    }
    if let Some(finding) = of_kind.first().copied().or_else(|| found.iter().find(|finding| is_decisive(finding))) {
        return Verdict::Unconfirmed(format!("the native run shows {} instead", describe(places, finding)));
    }
    let end = match outcome.end {
        ProcessEnd::Exit(status) => format!("ends with status {status}"),
        ProcessEnd::Signal(signal) => format!("ends by signal {signal}"),
        ProcessEnd::Time => "does not end in time".to_owned(),
    };
    Verdict::Unconfirmed(format!("the native run {end}: {}", why_unseen(kind)))
}

fn place_of(places: &Places<'_>, place: &Place) -> Option<(PathBuf, u32)> {
    Some((places.real(Path::new(&place.file))?, place.line))
}

/// Whether two lines are of one statement, as far as the text tells: none ends between them.
fn is_one_statement((file, line): &(PathBuf, u32), (other_file, other): &(PathBuf, u32)) -> bool {
    const MOST_LINES: u32 = 30;
    if file != other_file || line.abs_diff(*other) > MOST_LINES {
        return false;
    }
    let (first, last) = (*line.min(other), *line.max(other));
    let Ok(text) = std::fs::read_to_string(file) else { return first == last };
    let mut between = text.lines().skip(first as usize - 1).take((last - first) as usize);
    first == last || !between.any(|line| line.contains([';', '{', '}']))
}

fn describe(places: &Places<'_>, finding: &Finding) -> String {
    let what = finding.what.split(" on ").next().unwrap_or_default();
    match places.of(finding) {
        Some((file, line)) => {
            let file = file.strip_prefix(places.directory).unwrap_or(&file).display().to_string();
            format!("{what} at {file}:{line}")
        }
        None => what.to_owned(),
    }
}

/// Findings that are about no line, or about one that need not be the same: where a stack ends depends on the sizes of frames.
fn is_placeless(kind: BugKind, what: &str) -> bool {
    matches!(kind, BugKind::Ensure | BugKind::EndlessLoop | BugKind::StackExhausted) || what == "leak-of-input"
}

/// Which native errors are equivalent to one of the VM's.
///
/// Steps to add a kind: an arm here, and one in `why_unseen` if sanitizers can miss it.
fn is_shown_by(kind: BugKind, what: &str) -> bool {
    let starts = |names: &[&str]| names.iter().any(|name| what.starts_with(name));
    let contains = |names: &[&str]| names.iter().any(|name| what.contains(name));
    let is_bad_access = || starts(&["SEGV", "BUS", "unknown-crash", "use-after-poison", "wild"]);
    let is_overflow = || contains(&["-buffer-overflow", "-buffer-underflow", "out of bounds", "negative-size-param"]);
    // Where the compiler knows an operation to be undefined, it may put a trap.
    if what.starts_with("ILL") {
        return is_of_code(kind);
    }
    match kind {
        BugKind::NullDeref => is_bad_access() || contains(&["null pointer"]),
        // Of a copy that is both too long and onto itself, the sanitizer tells the latter.
        BugKind::OutOfBounds => is_bad_access() || is_overflow() || contains(&["-param-overlap"]),
        BugKind::WildPointer => is_bad_access() || is_overflow() || contains(&["use-after-"]),
        BugKind::UseAfterFree => starts(&["heap-use-after-free"]),
        BugKind::UseAfterReturn => starts(&["stack-use-after-return", "stack-use-after-scope"]) || is_bad_access(),
        BugKind::DoubleFree => starts(&["attempting double-free"]),
        BugKind::BadFree => starts(&["attempting free", "bad-free", "SEGV"]),
        BugKind::WriteToConstant => is_bad_access(),
        BugKind::Uninitialised => starts(&["use-of-uninitialized-value"]),
        BugKind::DivByZero => starts(&["division by zero", "FPE"]),
        BugKind::DivOverflow => contains(&["cannot be represented"]) || starts(&["FPE"]),
        BugKind::OversizedShift => contains(&["shift exponent"]),
        BugKind::SignedOverflow => contains(&["cannot be represented"]),
        BugKind::MemberBounds => contains(&["out of bounds for type"]),
        // TypeSanitizer is a build of its own, which not every compiler has.
        BugKind::EffectiveType => starts(&["type-aliasing-violation"]),
        BugKind::BadCall => contains(&["incorrect function type"]) || is_bad_access(),
        BugKind::Overlap => contains(&["-param-overlap"]),
        BugKind::Unreachable => contains(&["unreachable program point", "end of a value-returning"]),
        BugKind::Assert => what == "assert",
        BugKind::Abort => what == "abort",
        BugKind::ReachError => what == "reach-error",
        BugKind::ReportedError => what == "reported-error",
        BugKind::EndlessLoop => what == TIME_LIMIT,
        BugKind::StackExhausted => starts(&["stack-overflow"]),
        BugKind::MemoryLimit => what == "memory-limit" || starts(&["out-of-memory", "allocation-size-too-big"]),
        BugKind::Ensure => what == "ensure",
        BugKind::Leak => starts(&["leak"]),
    }
}

/// Whether an error is what one operation does, and no function of the harness nor a limit.
fn is_of_code(kind: BugKind) -> bool {
    !is_placeless(kind, "")
        && !matches!(kind, BugKind::Leak | BugKind::MemoryLimit | BugKind::ReachError | BugKind::ReportedError)
}

/// Why an error of this kind may be there though the sanitizers don't see it.
fn why_unseen(kind: BugKind) -> &'static str {
    match kind {
        BugKind::OutOfBounds | BugKind::WildPointer => "an access far outside of an object may lead into another one",
        BugKind::Uninitialised => "MemorySanitizer did not notice it",
        BugKind::EffectiveType => "native runs are not built with TypeSanitizer",
        BugKind::UseAfterFree | BugKind::UseAfterReturn => "the memory may be in use again",
        _ => "nothing was noticed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_may_be_told_in_its_statement_or_in_a_caller() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let directory = dir.path().canonicalize().expect("it is there");
        let text = "int f(int n) {\n  return 1 /\n    n;\n}\nint g(void) {\n  return f(\n    0);\n}\n";
        std::fs::write(directory.join("a.c"), text).expect("a writable directory");
        let symbols = Symbols::default();
        let generated = Path::new("/nowhere");
        let places = Places {
            symbols: &symbols,
            directory: &directory,
            generated,
            is_optimised: false,
            has_files: true,
            is_contained: true,
        };
        let place = |line| Place { file: "a.c".to_owned(), line, ..Place::default() };
        let verdict_at = |what: &str, line| {
            let found = [Finding { what: what.to_owned(), place: FoundAt::Line("a.c".into(), line) }];
            let outcome = Outcome { end: ProcessEnd::Exit(0), log: String::new(), reports: String::new() };
            bug_verdict(&places, (BugKind::DivByZero, &place(2), &[place(2), place(6)]), &found, &outcome)
        };
        for line in [2, 3, 6] {
            assert_eq!(verdict_at("division by zero", line), Verdict::Confirmed(None), "line {line}");
            assert_eq!(verdict_at("ILL on unknown address", line), Verdict::Confirmed(None), "line {line}");
        }
        assert!(matches!(verdict_at("division by zero", 4), Verdict::Unconfirmed(_)));
        assert!(matches!(verdict_at("shift exponent 40", 2), Verdict::Unconfirmed(_)));
        assert!(!is_shown_by(BugKind::Leak, "ILL on unknown address"));
    }

    #[test]
    fn every_kind_has_a_native_equivalent() {
        let natives = [
            "SEGV on unknown address",
            "heap-buffer-overflow on address",
            "heap-use-after-free on address",
            "stack-use-after-return on address",
            "attempting double-free on",
            "attempting free on address which was not malloc()-ed",
            "use-of-uninitialized-value",
            "division by zero",
            "negation of -2147483648 cannot be represented in type 'int'",
            "shift exponent 32 is too large for 32-bit type 'int'",
            "call to function f through pointer to incorrect function type",
            "memcpy-param-overlap: memory ranges",
            "index 4 out of bounds for type 'char[4]'",
            "type-aliasing-violation on address",
            "execution reached an unreachable program point",
            "assert",
            "abort",
            "reach-error",
            "reported-error",
            TIME_LIMIT,
            "stack-overflow on address",
            "memory-limit",
            "ensure",
            "leak",
        ];
        for &kind in BugKind::ALL {
            assert!(natives.iter().any(|what| is_shown_by(kind, what)), "{kind:?}");
            assert!(natives.iter().any(|what| !is_shown_by(kind, what)), "{kind:?}");
        }
    }
}
