//! The account of a campaign for a person.

use super::show::Detail;
use super::{bugs, partition, targets};
use crate::output::counted;
use spelunk_engine::Ended;
use spelunk_explore::campaign::Stopped;
use spelunk_explore::ledger::Effect;
use spelunk_report::suite::Summary;
use spelunk_report::suite::class::in_words;
use spelunk_report::suite::summary::{
    AuditSummary, Fate, LedgerLine, LoopSummary, LoopsSummary, Ratio, Status, SummariesSummary, UnboundedLoop,
    WrappingLoop,
};
use spelunk_report::suite::test_case::Place;

/// How many entries of the ledger are shown of each sort.
const TOP_LOSSES: usize = 10;
/// How many loops are shown.
const MOST_LOOPS: usize = 20;

pub fn show(ended: &Ended, detail: Detail) {
    let Ended { store, summary, .. } = ended;
    bugs::show(ended);
    if !ended.has_input && summary.paths > 0 {
        anstream::eprintln!(
            "note: {}",
            match &*summary.entry {
                "main" =>
                    "the program has no symbolic input, so there is one path; --sym-stdin 64 or --sym-arg 8, for example, make input symbolic",
                _ => "the function has no input, so there is one path; --global makes a variable an input",
            }
        );
    }
    let why = match summary.stopped.as_str() {
        stopped if stopped == Stopped::Bounded.slug() => summary.within_bounds(),
        stopped => why_stopped(stopped).to_owned(),
    };
    anstream::println!("{:<14}{why}, {}", "stopped", duration(summary.time_ms));
    summary.not_done.iter().for_each(|what| anstream::println!("{:<14}{what}", "not done"));
    let tests = match summary.tests {
        0 => format!("no tests, summary in {}", store.dir().display()),
        n => format!("{} in {}", counted(n, "test"), store.dir().display()),
    };
    anstream::println!("{:<14}{} ({tests})", "paths", summary.paths);
    summary.guessed.iter().for_each(|setting| anstream::println!("{:<14}{setting}", "guessed"));
    targets::show(summary);
    show_findings(summary);
    if let Some(replay) = summary.replay.as_ref().filter(|replay| replay.problem.is_none()) {
        let n_right = replay.as_predicted + replay.confirmed;
        let n_compared = replay.tests - replay.not_compared;
        let others =
            if replay.not_compared == 0 { String::new() } else { format!(", {} not compared", replay.not_compared) };
        anstream::println!("{:<14}{n_right} of {} as predicted{others}", "replay", ends(n_compared));
    }
    let of_what = of_what(summary);
    anstream::println!("{:<14}{} in {of_what}", "lines", ratio(summary.coverage.lines));
    anstream::println!("{:<14}{} in {of_what}", "branches", ratio(summary.coverage.branches));
    if let Some(loops) = &summary.loops {
        let LoopsSummary { never_end, end, unknown, each, unbounded, wrapping } = loops;
        anstream::println!(
            "{:<14}{}: {end} end on all explored ways round, {never_end} never end for some input, {unknown} unknown",
            "loops",
            never_end + end + unknown
        );
        for LoopSummary { place: Place { file, line, column, .. }, fate } in each.iter().take(MOST_LOOPS) {
            let fate = match fate {
                Fate::NeverEnds => "never ends for some input",
                Fate::Ends => "ends on all explored ways round",
                Fate::Unknown => "unknown",
            };
            anstream::println!("{:<14}{file}:{line}:{column} {fate}", "");
        }
        if each.len() > MOST_LOOPS {
            anstream::println!("{:<14}{} more in summary.json", "", each.len() - MOST_LOOPS);
        }
        for UnboundedLoop { place: Place { file, line, column, .. }, set } in unbounded {
            anstream::println!("{:<14}{file}:{line}:{column} would never be left while {set}", "unbounded");
            anstream::println!("{:<14}for unbounded integers only: in C's types a value wraps around", "");
        }
        for WrappingLoop { place: Place { file, line, column, .. }, text, overflows, surely } in wrapping {
            anstream::println!("{:<14}{file}:{line}:{column} never ends if signed integers wrap: {text}", "wraps");
            let lines: Vec<String> = overflows.iter().map(|place| place.line.to_string()).collect();
            let lines = if lines.is_empty() { String::new() } else { format!(" at line {}", lines.join(", ")) };
            let comes = if *surely { ", and such a run comes to it" } else { "" };
            anstream::println!("{:<14}signed overflow{lines} is undefined behaviour{comes}", "");
        }
    }
    for text in &summary.texts {
        let complete = match text.complete_up_to {
            Some(measure) => format!("all {} templates up to {} {measure}", text.templates, text.measure),
            None => format!("not all of the smallest {}", text.measure),
        };
        let Ratio { covered, total } = text.productions;
        anstream::println!("{:<14}{}: {complete}; {covered} of {total} productions", "texts", text.input);
    }
    if let Some(AuditSummary { valid, invalid, unknown, false_alarms }) = summary.audit {
        let alarms = if false_alarms == 0 { String::new() } else { format!(" ({false_alarms} of them end in a bug)") };
        anstream::println!(
            "{:<14}{valid} paths have a valid input, {invalid} have none{alarms}, {unknown} unknown",
            "audit"
        );
    }
    for rule in summary.rules.iter().filter(|rule| rule.refused > 0) {
        anstream::println!("{:<14}{} by {}:{} `{}`", "refused", rule.refused, rule.file, rule.line, rule.rule);
    }
    summary.partition.iter().for_each(|found| partition::show(found, summary));
    if detail == Detail::Full {
        show_search(summary);
    }
    if summary.divergences > 0 {
        anstream::println!("{:<14}{}", "divergences", summary.divergences);
    }
    let effects = [
        Effect::Unexplored,
        Effect::BeyondBound,
        Effect::Assumed,
        Effect::OneByOne,
        Effect::LeftOut,
        Effect::Slower,
        Effect::Implied,
    ];
    for effect in effects {
        let lines: Vec<_> = summary.ledger.iter().filter(|line| line.effect == effect.slug()).collect();
        if lines.is_empty() {
            continue;
        }
        anstream::println!("{}:", heading(effect));
        lines.iter().take(TOP_LOSSES).for_each(|line| show_loss(line));
        if let Some(more) = lines.len().checked_sub(TOP_LOSSES).filter(|&more| more > 0) {
            anstream::println!("  and {more} more in {}", store.summary_path().display());
        }
    }
}

/// How many findings there are of each class, and how many of them native runs have shown.
fn show_findings(summary: &Summary) {
    let count = |status: Status| summary.bugs.iter().filter(|bug| bug.status == status).count();
    let mut native = Vec::new();
    if summary.replay.is_some() && !summary.bugs.is_empty() {
        native.extend(
            Some(count(Status::Confirmed))
                .filter(|&n| n > 0 || bugs::were_run(summary))
                .map(|n| format!("{n} confirmed")),
        );
        let others = [(Status::Conditional, "conditional"), (Status::Unconfirmed, bugs::unconfirmed(summary))];
        let others = others.iter().map(|&(status, name)| (count(status), name)).filter(|&(n, _)| n > 0);
        native.extend(others.map(|(n, name)| format!("{n} {name}")));
    }
    let native = if native.is_empty() { String::new() } else { format!(" ({})", native.join(", ")) };
    anstream::println!("{:<14}{}{native}", "findings", in_words(&summary.bugs));
}

/// How the search went.
fn show_search(summary: &Summary) {
    anstream::println!("{:<14}{}", "runs", summary.runs);
    anstream::println!("{:<14}{}", "instructions", summary.instructions);
    if let Some(SummariesSummary { calls, paths, time_ms }) = summary.summaries {
        anstream::println!(
            "{:<14}{calls} calls answered; {paths} paths of functions tried out in {time_ms} ms",
            "summaries"
        );
    }
    anstream::println!("{:<14}{} in {:.0} ms", "queries", summary.solver.queries, summary.solver.time_ms);
    let spared = summary.optimisations;
    anstream::println!(
        "{:<14}{:.1} % of queries by fast unsatisfiability checks, {:.1} % of conditions as implied, {:.1} % of constraints as unrelated",
        "saved",
        spared.opt1,
        spared.opt2,
        spared.opt3
    );
}

fn show_loss(line: &LedgerLine) {
    let LedgerLine { kind, detail, place, count, .. } = line;
    let colon = if detail.is_empty() { "" } else { ": " };
    let at = match place.file.is_empty() {
        true => String::new(),
        false => format!(" at {}:{}", place.file, place.line),
    };
    anstream::println!("  {count:>8} {kind}{colon}{detail}{at}");
}

fn heading(effect: Effect) -> &'static str {
    match effect {
        Effect::Unexplored => "not explored",
        Effect::BeyondBound => "beyond the bounds",
        Effect::Assumed => "assumptions",
        Effect::OneByOne => "explored one value at a time",
        Effect::LeftOut => "left out",
        Effect::Slower => "slower than necessary",
        Effect::Implied => "not explored, since other paths show the same",
        Effect::Given => "what inputs are",
    }
}

/// Why a campaign ended, in words.
pub fn why_stopped(slug: &str) -> &str {
    match slug {
        "exhausted" => "every path was explored",
        "bounded" => "every path within the bounds was explored",
        "incomplete" => "nothing left to explore, but some paths could not be followed",
        "targets" => "every target was reached",
        "time" => "time limit reached",
        "paths" => "--max-paths reached",
        "instructions" => "--campaign-instructions reached",
        "memory" => "--campaign-memory reached",
        other => other,
    }
}

fn duration(millis: u64) -> String {
    format!("{}.{:03} s", millis / 1000, millis % 1000)
}

/// What counts as covered or not.
fn of_what(summary: &Summary) -> String {
    let functions = counted(summary.coverage.functions, "function");
    match summary.entry.as_str() {
        "main" => format!("the program's {functions}"),
        entry => format!("{functions} reachable from {entry}"),
    }
}

fn ends(n_tests: u64) -> String {
    let verb = if n_tests == 1 { "ends" } else { "end" };
    format!("{} {verb} natively", counted(n_tests, "test"))
}

fn ratio(ratio: Ratio) -> String {
    format!("{} of {} ({})", ratio.covered, ratio.total, percent(ratio))
}

pub fn percent(ratio: Ratio) -> String {
    let percent = if ratio.total == 0 { 100.0 } else { 100.0 * ratio.covered as f64 / ratio.total as f64 };
    format!("{percent:.1} %")
}
