//! `spelunk hex`: propose rules for heaps from structures that the program builds.

use crate::args::HexArgs;
use crate::compile::{Tested, Warnings, compile, refuse, tell};
use crate::signals;
use spelunk_engine::learn::{Proposed, learn};
use spelunk_engine::plan::{Budget, Search};
use spelunk_engine::{Compile, Deadline, EngineError, Plan};
use spelunk_report::suite::UnitSetup;
use std::fmt::Write;

pub fn hex(args: &HexArgs) -> u8 {
    let deadline = Deadline::default().within(args.time);
    signals::raise_on_signal(&deadline);
    let unit = UnitSetup {
        sequence: args.sequence.clone(),
        length: args.length,
        params: args.param.iter().map(|setting| setting.to_string()).collect(),
        ..Plan::default().unit
    };
    let compile = match compile(&args.compile, &args.clang_args, Tested::of_unit(None, &unit), &deadline) {
        Ok(compile) => compile,
        Err(message) => return refuse(&message),
    };
    match try_hex(args, compile, unit, &deadline) {
        Ok(text) => {
            anstream::print!("{text}");
            0
        }
        Err(error) => tell(&error),
    }
}

fn try_hex(args: &HexArgs, compile: Compile, unit: UnitSetup, deadline: &Deadline) -> Result<String, EngineError> {
    let usual = Plan::default();
    let plan = Plan {
        compile,
        unit,
        search: Search { jobs: args.jobs, ..usual.search },
        budget: Budget { time: Some(args.time), ..usual.budget },
        ..usual
    };
    let proposed = learn(&plan, args.name.clone(), deadline, &Warnings)?;
    Ok(written(&plan, &proposed))
}

/// The rules as a file, with the evidence for each.
fn written(plan: &Plan, proposed: &Proposed) -> String {
    let Proposed { learned, refuted, param, ty, n_runs, n_unusable, n_heaps, max_length, all_up_to } = proposed;
    let max_objects = learned.max_objects;
    let mut text = String::new();
    let mut add = |line: String| writeln!(text, "{line}").expect("strings take any text");
    add(format!("# Rules for `{ty}`, proposed by `spelunk hex` from structures that the program has built."));
    add("# They hold for those, which does not make them right: read them before you use them.".to_owned());
    add(format!("# Sources: {}", plan.compile.source_names().join(" ")));
    add(format!("# Sequences of 1 to {max_length} calls of {}", plan.unit.sequence.join(", ")));
    let heaps = if *n_heaps == 1 { "heap" } else { "different heaps" };
    add(format!("# {n_runs} runs returned and left {n_heaps} {heaps}"));
    if *n_unusable > 0 {
        add(format!(
            "# {n_unusable} runs were not used: they left pointers to freed or uninitialised memory, or objects that overlap"
        ));
    }
    if all_up_to < &plan.unit.length {
        add(format!("# Not all sequences of more than {all_up_to} calls were explored: more --time may find more"));
    }
    let names_param = |rule: &str| !rule.starts_with("in ");
    if learned.proposals.iter().any(|rule| names_param(&rule.text)) {
        add(format!("# `{param}` is a parameter `{ty} *{param}`: rename it for functions that call it otherwise"));
    }
    for rule in &learned.proposals {
        add(format!("\n# holds for {}\n{}", evidence(rule.n_references, rule.n_examples), rule.text));
    }
    match (learned.proposals.is_empty(), learned.n_admitted) {
        (true, _) => {
            add("\n# No rule holds for enough of them. Longer sequences may help (--length, --time)".to_owned())
        }
        (false, Some(n)) => add(format!(
            "\n# These rules admit {n} shapes of up to {max_objects} objects; the program built {} of them",
            learned.n_seen
        )),
        (false, None) => add(format!(
            "\n# These rules admit too many shapes of up to {max_objects} objects to count; the program built {}",
            learned.n_seen
        )),
    }
    for refuted in refuted {
        let rule = &refuted.rule;
        let held = evidence(rule.n_references, rule.n_examples);
        add(format!(
            "\n# refuted by a sequence of {} calls; up to {} calls, it held for {held}\n#   {}",
            refuted.length, refuted.up_to, rule.text
        ));
    }
    text
}

fn evidence(n_references: usize, n_heaps: usize) -> String {
    format!("{n_references} references in {n_heaps} heaps")
}
