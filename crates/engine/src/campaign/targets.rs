//! What became of what was to be reached.

use spelunk_explore::campaign::Outcome;
use spelunk_explore::ledger::Entry;
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::targets::{Event, Missing, Nearest, Proof, Target, Targets, Verdict, verdicts};
use spelunk_report::Reporter;
use spelunk_report::suite::summary::{LedgerLine, NearestEntry, TargetEntry, TargetStatus};
use spelunk_report::suite::{Setup, TextInput, UnitSetup, convert};

/// In the order of the targets. Of each, the test that was the first to reach it.
pub fn entries(
    reporter: &Reporter<'_>,
    program: &ProgramFlow<'_>,
    targets: &Targets,
    tests: &[u64],
    outcome: &Outcome,
    preconditions: &[LedgerLine],
) -> Vec<TargetEntry> {
    let verdicts = verdicts(program, targets, outcome);
    let entry = |((target, verdict), &test): ((&Target, Verdict), &u64)| {
        let lines = |entries: Vec<Entry>| convert::ledger_lines(reporter, entries);
        let place = reporter.site(target.at[0]);
        let target = match target.event {
            Event::Executed | Event::Bug(_) => target.name.clone(),
            Event::Outcome(_) => format!("{}:{} {}", place.file, place.line, target.name),
        };
        let known = TargetEntry { target, place, ..TargetEntry::default() };
        match verdict {
            Verdict::Reached => {
                TargetEntry { status: TargetStatus::Reached, test: Some(test).filter(|&it| it > 0), ..known }
            }
            Verdict::Unreachable(Proof::ControlFlow) => TargetEntry { status: TargetStatus::Unreachable, ..known },
            Verdict::Unreachable(Proof::Explored { relies_on }) => {
                let relies_on = [&lines(relies_on)[..], preconditions].concat();
                TargetEntry { status: TargetStatus::Unreachable, relies_on, ..known }
            }
            Verdict::Open { why, nearest } => {
                let hidden = match why {
                    Missing::Budget => Vec::new(),
                    Missing::Hidden(entries) => lines(entries),
                };
                let nearest = nearest.map(|nearest| nearest_entry(reporter, nearest));
                TargetEntry { status: TargetStatus::Open, hidden_by: hidden, nearest, ..known }
            }
        }
    };
    targets.all().iter().zip(verdicts).zip(tests).map(entry).collect()
}

/// What a user has said of inputs, or was guessed of them: other inputs are not explored, whatever they reach.
pub fn preconditions(unit: Option<&UnitSetup>, setup: &Setup) -> Vec<LedgerLine> {
    let line = |detail: String| LedgerLine {
        kind: "precondition".to_owned(),
        effect: "assumed".to_owned(),
        detail,
        count: 1,
        ..LedgerLine::default()
    };
    let of_texts = setup.texts.iter().map(|text| format!("the grammar {}", text.grammar.0));
    unit.map_or_else(|| vec![of_program(setup)], of_unit).into_iter().chain(of_texts).map(line).collect()
}

/// What a program is started with that is no input.
fn of_program(setup: &Setup) -> String {
    let (mut min, mut max) = (setup.args.len() as u64, setup.args.len() as u64);
    for &(fewest, most, _) in &setup.symbolic_args {
        min += u64::from(fewest);
        max += u64::from(most);
    }
    let args = match (min, max) {
        (0, 0) => "no arguments".to_owned(),
        (1, 1) => "1 argument".to_owned(),
        (min, max) if min == max => format!("{min} arguments"),
        (min, max) => format!("{min} to {max} arguments"),
    };
    let has_stdin = setup.symbolic_stdin.is_some() || setup.texts.iter().any(|text| text.input == TextInput::Stdin);
    let stdin = if has_stdin { "" } else { " and empty standard input" };
    format!("the program has {args}{stdin}")
}

fn of_unit(setup: &UnitSetup) -> Vec<String> {
    let stated = setup.params.iter().filter(|param| !setup.guessed.contains(param));
    let assume = setup.assume.iter().map(|function| format!("`--assume {function}`"));
    let rules = setup.heap.rules.iter().map(|(file, _)| format!("the rules of {file}"));
    let stated = stated.map(|param| format!("`--param {param}`"));
    let guessed = setup.guessed.iter().map(|param| format!("the guess `--param {param}`"));
    assume.chain(rules).chain(stated).chain(guessed).collect()
}

fn nearest_entry(reporter: &Reporter<'_>, nearest: Nearest) -> NearestEntry {
    let place = reporter.site(nearest.branch);
    let never = match nearest.outcome {
        Some(true) => "never true",
        Some(false) => "never false",
        None => "a case that was never taken",
    };
    NearestEntry { place, never: never.to_owned(), distance: nearest.distance }
}
