//! What native runs show: the notes of the runtime and the reports of the sanitizers, in one form.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::run::{Outcome, ProcessEnd};

/// One thing that a run showed, in the order in which it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The sanitizer's or the runtime's name for it, such as `heap-use-after-free` or `division by zero`.
    pub what: String,
    pub place: FoundAt,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FoundAt {
    /// Addresses of code, innermost first.
    Stack(Vec<u64>),
    Line(PathBuf, u32),
    /// A byte of something that the test says was observed: the number of that, and the byte's offset and value.
    Value {
        number: usize,
        offset: u32,
        byte: u8,
    },
}

/// What is found if a run does not end.
pub const TIME_LIMIT: &str = "time limit";

/// All findings of a test.
pub fn findings(outcome: &Outcome) -> Vec<Finding> {
    let mut all: Vec<Finding> = outcome.log.lines().filter_map(noted).collect();
    all.extend(reported(&outcome.reports));
    if outcome.end == ProcessEnd::Time {
        all.push(Finding { what: TIME_LIMIT.to_owned(), place: FoundAt::Stack(Vec::new()) });
    }
    all
}

/// How lines begin that tell of other values than those observed.
pub const VALUE: &str = "value";

/// How lines begin that say which memory was given what the test says of it: nothing that a program does.
const HANDED: &str = "handed";

/// The numbers of uninitialised inputs that the program was given.
pub fn handed(outcome: &Outcome) -> BTreeSet<usize> {
    let number = |line: &str| line.strip_prefix(HANDED)?.trim_start().parse().ok();
    outcome.log.lines().filter_map(number).collect()
}

/// How lines begin that count visits of the head of a loop.
const ROUNDS: &str = "rounds";

/// How often a run came to the head of the loop that it is said never to leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    pub precision: Precision,
    pub all: u64,
    /// Since the loop was last entered.
    pub in_loop: u64,
    /// In a row, with the state in the set.
    pub in_set: u64,
    /// How often the set was left.
    pub left: u64,
}

/// What is known of the visits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Nothing: the loop was not found.
    None,
    Counted,
    /// Whether the state is in the set.
    States,
}

pub fn rounds(outcome: &Outcome) -> Option<Rounds> {
    let line = outcome.log.lines().find_map(|line| line.strip_prefix(ROUNDS))?;
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[precision, all, in_loop, in_set, left] = &numbers[..] else { return None };
    let precision = match precision {
        0 => Precision::None,
        1 => Precision::Counted,
        _ => Precision::States,
    };
    Some(Rounds { precision, all, in_loop, in_set, left })
}

/// A line of the runtime: a word and addresses, or the three numbers of a value.
fn noted(line: &str) -> Option<Finding> {
    let mut words = line.split(' ');
    let what = words.next().filter(|word| !word.is_empty())?.to_owned();
    if what == HANDED || what == ROUNDS {
        return None;
    }
    if what == VALUE {
        let numbers: Vec<u32> = words.filter_map(|word| word.parse().ok()).collect();
        let &[number, offset, byte] = &numbers[..] else { return None };
        return Some(Finding { what, place: FoundAt::Value { number: number as usize, offset, byte: byte as u8 } });
    }
    Some(Finding { what, place: FoundAt::Stack(words.filter_map(parse_hex).collect()) })
}

const ADDRESS: &str = "ERROR: AddressSanitizer: ";
const MEMORY: &str = "WARNING: MemorySanitizer: ";
const UNDEFINED: &str = ": runtime error: ";

fn reported(text: &str) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    let mut in_first_stack = false;
    for line in text.lines() {
        if let Some((_, what)) = line.split_once(ADDRESS).or_else(|| line.split_once(MEMORY)) {
            found.push(Finding { what: what.to_owned(), place: FoundAt::Stack(Vec::new()) });
            in_first_stack = true;
        } else if let Some((place, what)) = line.split_once(UNDEFINED) {
            if let Some((file, line)) = parse_place(place) {
                found.push(Finding { what: what.to_owned(), place: FoundAt::Line(file, line) });
            }
        } else if let Some(frame) = line.trim_start().strip_prefix('#') {
            let address = frame.split_whitespace().nth(1).and_then(parse_hex);
            if let (true, Some(address), Some(Finding { place: FoundAt::Stack(stack), .. })) =
                (in_first_stack, address, found.last_mut())
            {
                stack.push(address);
            }
        } else if line.trim().is_empty() && has_stack(found.last()) {
            // Further stacks tell where memory was allocated and the like.
            in_first_stack = false;
        }
    }
    found
}

fn has_stack(finding: Option<&Finding>) -> bool {
    matches!(finding, Some(Finding { place: FoundAt::Stack(stack), .. }) if !stack.is_empty())
}

fn parse_hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// `FILE:LINE:COLUMN`
fn parse_place(text: &str) -> Option<(PathBuf, u32)> {
    let (rest, _column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((PathBuf::from(file), line.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let text = "a.c:3:9: runtime error: division by zero\n\
                    ==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x4 bp 0x5 sp 0x6\n\
                    READ of size 8 at 0x602 thread T0\n    #0 0x10  (/tmp/x+0x10)\n    #1 0x20  (/tmp/x+0x20)\n\n\
                    freed by thread T0 here:\n    #0 0x30  (/tmp/x+0x30)\n";
        let outcome = Outcome {
            end: ProcessEnd::Exit(99),
            log: "assert 0x7f\nhanded 3\nvalue 2 8 255\n".to_owned(),
            reports: text.to_owned(),
        };
        let mut found = findings(&outcome);
        assert_eq!(found[0], Finding { what: "assert".to_owned(), place: FoundAt::Stack(vec![0x7f]) });
        assert_eq!(found.remove(1).place, FoundAt::Value { number: 2, offset: 8, byte: 255 });
        assert_eq!(found[1], Finding { what: "division by zero".to_owned(), place: FoundAt::Line("a.c".into(), 3) });
        assert!(found[2].what.starts_with("heap-use-after-free"));
        assert_eq!(found[2].place, FoundAt::Stack(vec![0x10, 0x20]));
        assert_eq!(found.len(), 3);
        assert_eq!(handed(&outcome), BTreeSet::from([3]));
    }
}
