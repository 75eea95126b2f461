//! Between what a campaign hands over and what its files hold.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;
use spelunk_concolic::decision::{Choice, DecisionKind};
use spelunk_concolic::graph::objects::shapes;
use spelunk_concolic::graph::unit::Unit;
use spelunk_concolic::ledger::{Bound, LedgerKind, NOWHERE};
use spelunk_concolic::observed::{Seen, Value};
use spelunk_concolic::theories::texts::{Shown, Text};
use spelunk_concolic::{
    Expected, Input, ObjectKey, Pointee, ProgramInputs, Reference, Root, Run, Strings, SummaryWork, SymbolicArgs,
    SymbolicFile, Undefined,
};
use spelunk_explore::bugs::Bugs;
use spelunk_explore::campaign::{Outcome, Stopped};
use spelunk_explore::coverage;
use spelunk_explore::ledger::{Effect, Entry};
use spelunk_explore::program::ProgramFlow;
use spelunk_ir::lower::Uninitialised;
use spelunk_vm::{Limit, Outside, Reach, Stop};

use super::class::Class;
use super::code::code;
use super::keys;
use super::partition::PartitionSummary;
use super::summary::{
    BoundEntry, BugEntry, Coverage, LayerSummary, LedgerLine, NoteEntry, Optimisations, Ratio, SolverSummary, Status,
    SummariesSummary, Summary,
};
use super::test_case::{
    self, Decision, End, InputObject, LoopSet, MachineKind, Observed, ObservedObject, OfMachine, PUT_ASIDE, Place,
    Returned, SetVariable, Setup, TestCase, TextInput, TextShown, UnitSetup, Unset, VERSION,
};
use super::types::NamedTypes;
use crate::reporter::Reporter;
use spelunk_ir::code::OpIdx;

/// What all tests of a campaign have in common.
#[derive(Clone, Copy, Debug)]
pub struct Tested<'a> {
    pub entry: &'a str,
    /// What is called, and the types of what it is given.
    pub graph: Option<(&'a Arc<Unit>, &'a NamedTypes)>,
    pub unit: Option<&'a UnitSetup>,
    pub setup: &'a Setup,
    /// Inputs that are texts of a grammar.
    pub texts: &'a [Arc<Text>],
}

pub fn test_case(reporter: &Reporter<'_>, subject: &Tested<'_>, run: &Run) -> TestCase {
    let types: Vec<Option<&str>> = match subject.graph {
        Some((unit, named)) => shapes(unit, &run.input).iter().map(|shape| named.name((*shape)?.layout)).collect(),
        None => vec![None; run.input.objects.len()],
    };
    let addresses = run.addresses.iter().copied().chain(std::iter::repeat(0));
    let names = run.input.objects.iter().map(|object| (&*object.key, &*object.name)).collect();
    let object = |((object, ty), address): ((&spelunk_concolic::InputObject, &Option<&str>), u64)| InputObject {
        name: object.name.to_string(),
        key: keys::written(&object.key),
        ty: ty.map(str::to_owned),
        address,
        bytes: object.bytes.clone(),
        references: object.references.iter().filter_map(|reference| written(&names, reference)).collect(),
        undecided: run.undecided.iter().filter(|(key, _)| *key == object.key).map(|&(_, at)| at).collect(),
    };
    let decision = |decision: &spelunk_concolic::decision::Decision| {
        Decision(slug(decision.kind).to_owned(), decision.site.0, decision.taken)
    };
    let input: Vec<InputObject> = run.input.objects.iter().zip(&types).zip(addresses).map(object).collect();
    TestCase {
        version: VERSION,
        code: subject.graph.map(|(unit, named)| code(unit, named, &input, run)).unwrap_or_default(),
        entry: subject.entry.to_owned(),
        unit: subject.unit.cloned(),
        setup: subject.setup.clone(),
        input,
        texts: subject.texts.iter().filter_map(|text| shown(text, run)).collect(),
        steps: run.n_steps.map(|n_steps| n_steps as u32),
        uninitialised: unset(reporter, run),
        decisions: run.path.iter().map(decision).collect(),
        end: end(reporter, &run.stop),
        stays_in: stays_in(&run.stop),
        made_up: run.made_up.iter().map(|name| name.to_string()).collect(),
        unknown_size: run.unknown_size.as_ref().and_then(|key| {
            let object = run.input.objects.iter().find(|object| object.key == *key);
            object.map(|object| object.name.to_string())
        }),
        of_machine: of_machine(run),
        instructions: run.steps,
        observed: observed(subject, run),
    }
}

fn shown(text: &Text, run: &Run) -> Option<TextShown> {
    let Shown { text: marked, derivation } = text.shown(&run.input)?;
    Some(TextShown { input: text.name.clone(), number: text.number_name(), text: marked, derivation })
}

fn of_machine(run: &Run) -> Vec<OfMachine> {
    let answers = run.ledger.iter().filter_map(|entry| match entry.kind {
        LedgerKind::Environment(whose) => {
            let kind = match whose {
                Outside::Machine => MachineKind::Machine,
                Outside::Here => MachineKind::Here,
                Outside::Changing => MachineKind::Changing,
                Outside::Changed(Reach::Near) => MachineKind::Near,
                Outside::Changed(Reach::Far) => MachineKind::Far,
                Outside::OneAnswer | Outside::Command => return None,
            };
            Some(OfMachine { what: entry.detail.as_deref().unwrap_or_default().to_owned(), kind })
        }
        _ => None,
    });
    answers.collect()
}

/// Which inputs were uninitialised memory, in the order in which they were read.
fn unset(reporter: &Reporter<'_>, run: &Run) -> Vec<Unset> {
    let places = run.ledger.iter().filter_map(|entry| match entry.kind {
        LedgerKind::Uninitialised { born, offset } => Some((born, offset)),
        _ => None,
    });
    let objects = run.input.objects.iter();
    let inputs = objects.filter(|it| matches!(it.key.root, Root::Uninitialised(_))).map(|object| &object.name);
    let unset = |(input, (born, offset)): (&Arc<str>, (OpIdx, u32))| {
        let place = if born == NOWHERE { Place::default() } else { reporter.place_of(&[born]) };
        Unset { input: input.to_string(), place, offset }
    };
    inputs.zip(places).map(unset).collect()
}

/// What the calls of a unit did, if someone has looked.
pub fn observed(subject: &Tested<'_>, run: &Run) -> Option<Observed> {
    let (_, named) = subject.graph?;
    let seen = run.observed.as_deref()?;
    let value = |seen: &Seen| {
        let Value { bytes, known, references } = seen.value.clone();
        test_case::Value {
            ty: named.name_of(seen.ty).map(str::to_owned),
            bytes,
            known: if known.iter().all(|&known| known == 0xff) { Vec::new() } else { known },
            references: references.iter().map(|it| (it.offset, it.target.to_string(), it.at)).collect(),
        }
    };
    let object = |seen: &Seen| ObservedObject { name: seen.name.to_string(), value: value(seen) };
    Some(Observed {
        returned: seen.returned.iter().map(|it| Returned { call: it.name.to_string(), value: value(it) }).collect(),
        objects: seen.objects.iter().map(object).collect(),
        globals: seen.variables.iter().map(object).collect(),
        freed: seen.freed.iter().map(|name| name.to_string()).collect(),
    })
}

/// A pointer as a file has it; nothing if it leads to nothing that the file has.
fn written(names: &FxHashMap<&ObjectKey, &str>, reference: &Reference) -> Option<(u32, String, u64)> {
    let target = match &reference.target {
        Pointee::Object(key) => (*names.get(&**key)?).to_owned(),
        Pointee::Function(name) => format!("&{name}"),
    };
    Some((reference.offset, target, reference.at))
}

/// What a loop that is never left stays in.
fn stays_in(stop: &Stop) -> Option<LoopSet> {
    let Stop::Bug(bug) = stop else { return None };
    let set = bug.stays_in.as_deref()?;
    let variable = |it: &spelunk_vm::SetVariable| SetVariable {
        alias: it.alias.clone(),
        name: it.name.clone(),
        line: it.line,
        offset: it.offset,
        bytes: it.n_bytes,
    };
    let variables = set.variables.iter().map(variable).collect();
    Some(LoopSet { every: set.every, variables, condition: set.condition.clone() })
}

/// How a path ended.
pub fn end(reporter: &Reporter<'_>, stop: &Stop) -> End {
    match stop {
        Stop::Exited(status) => End::Exited { status: *status },
        Stop::Killed(signal) => End::Killed { signal: *signal },
        Stop::Bug(bug) => End::Bug {
            bug: bug.kind.slug().to_owned(),
            message: bug.message.clone(),
            place: reporter.place_of(&bug.trace),
        },
        Stop::Unsupported(what) => End::Unsupported { what: what.what.clone(), place: reporter.place_of(&what.trace) },
        Stop::Limit(Limit::Instructions) => End::Limit { what: "instructions".to_owned() },
        Stop::Limit(Limit::Memory) => End::Limit { what: "memory".to_owned() },
        Stop::Limit(Limit::PutAside) => End::Limit { what: PUT_ASIDE.to_owned() },
        Stop::Limit(Limit::Interrupted) => End::Limit { what: "interrupted".to_owned() },
        Stop::Infeasible => End::Infeasible,
    }
}

impl Setup {
    /// Which inputs there are from the start.
    pub fn inputs(&self) -> ProgramInputs {
        let args = |&(min, max, max_len): &(u32, u32, u32)| SymbolicArgs { min, max, max_len };
        let file = |(name, size): &(String, u32)| SymbolicFile { name: name.clone(), size: *size };
        ProgramInputs {
            args: self.symbolic_args.iter().map(args).collect(),
            stdin: self.symbolic_stdin,
            files: self.symbolic_files.iter().map(file).collect(),
            texts: self.texts.iter().filter_map(|text| text.input.as_file()).collect(),
        }
    }

    /// What variables are that were not given a value.
    pub fn uninitialised(&self) -> Uninitialised {
        if self.uninitialised_input { Uninitialised::IsAny } else { Uninitialised::IsError }
    }

    /// How the end of a string is found that is input.
    pub fn strings(&self) -> Strings {
        match (self.bytewise_strings, self.loops_at_once) {
            (true, _) => Strings::Bytes,
            (false, true) => Strings::Loops,
            (false, false) => Strings::Length,
        }
    }

    /// What happens at calls of functions that nobody defines.
    pub fn undefined(&self) -> Undefined {
        if self.no_stubs { Undefined::EndsPath } else { Undefined::ReturnsInput }
    }
}

impl TextInput {
    /// The file that it is, if it has a length of its own.
    pub fn as_file(&self) -> Option<Root> {
        match self {
            Self::Stdin => Some(Root::Stdin),
            Self::File(number) => Some(Root::File(*number)),
            Self::Arg(_) | Self::Param(_) => None,
        }
    }
}

impl TestCase {
    /// Whether the path goes on behind the last decision of the test.
    pub fn is_unfinished(&self) -> bool {
        matches!(&self.end, End::Limit { what } if what == PUT_ASIDE)
    }

    /// What the program is given.
    pub fn input(&self) -> Input {
        let keys: FxHashMap<&str, Arc<ObjectKey>> =
            self.input.iter().map(|object| (&*object.name, Arc::new(keys::read(object)))).collect();
        let reference = |(offset, target, at): &(u32, String, u64)| {
            let target = match target.strip_prefix('&') {
                Some(function) => Pointee::Function(function.into()),
                None => Pointee::Object(Arc::clone(keys.get(&**target)?)),
            };
            Some(Reference { offset: *offset, target, at: *at })
        };
        let object = |object: &InputObject| spelunk_concolic::InputObject {
            key: Arc::clone(&keys[&*object.name]),
            name: object.name.as_str().into(),
            bytes: object.bytes.clone(),
            references: object.references.iter().filter_map(reference).collect(),
        };
        Input { objects: self.input.iter().map(object).collect() }
    }

    /// Where its objects are, as far as that is known.
    pub fn places(&self) -> Vec<(Arc<ObjectKey>, u64)> {
        let known = self.input.iter().filter(|object| object.address != 0);
        known.map(|object| (Arc::new(keys::read(object)), object.address)).collect()
    }

    /// What a run with that input is expected to decide.
    pub fn expected(&self) -> Vec<Expected> {
        self.decisions.iter().map(|decision| (OpIdx(decision.1), Choice::Key(decision.2))).collect()
    }
}

fn slug(kind: DecisionKind) -> &'static str {
    match kind {
        DecisionKind::Branch => "branch",
        DecisionKind::Switch => "switch",
        DecisionKind::Check(bug) => bug.slug(),
        DecisionKind::Alias => "alias",
        DecisionKind::Region => "region",
        DecisionKind::Choice => "choice",
        DecisionKind::Value => "value",
        DecisionKind::Granted => "granted",
        DecisionKind::Assumed => "assumed",
    }
}

/// What a summary is about.
pub struct Subject<'a> {
    pub entry: &'a str,
    pub sources: Vec<String>,
    pub n_tests: u64,
    pub lines: &'a coverage::Lines,
}

pub fn summary(
    subject: Subject<'_>,
    reporter: &Reporter<'_>,
    program: &ProgramFlow<'_>,
    outcome: &Outcome,
    bugs: &Bugs,
) -> Summary {
    let note = |note: &spelunk_vm::Note| {
        let place = reporter.place_of(&note.trace);
        // One without a place is about an object of the library's own.
        (place.line != 0).then(|| NoteEntry { message: note.message.clone(), place })
    };
    let bug_entry = |record: &spelunk_explore::bugs::BugRecord| BugEntry {
        kind: record.bug.kind.slug().to_owned(),
        class: Class::of_kind(record.bug.kind.slug()),
        place: reporter.place_of(&record.bug.trace),
        message: record.bug.message.clone(),
        status: Status::Unconfirmed,
        reason: None,
        precondition: None,
        precondition_rules: None,
        precondition_param: None,
        calls: None,
        cause: record.told_by.map(|site| reporter.place_of(&[site])),
        test: record.test,
        hits: record.hits,
        stack: reporter.places_of(&record.bug.trace),
        notes: record.bug.notes.iter().filter_map(note).collect(),
    };
    // Verdicts on targets name what else they rely on.
    let lost = outcome.ledger.entries().into_iter().filter(|entry| entry.loss.effect() != Effect::Given).collect();
    let mut summary = Summary {
        partition: outcome.partition.as_ref().map(|found| PartitionSummary::new(reporter, found)),
        loops: None,
        texts: Vec::new(),
        audit: None,
        internal: None,
        guessed: Vec::new(),
        rules: Vec::new(),
        version: VERSION,
        entry: subject.entry.to_owned(),
        sources: subject.sources,
        stopped: outcome.stopped.slug().to_owned(),
        unfinished: None,
        not_done: Vec::new(),
        exhausted: outcome.stopped == Stopped::Exhausted,
        bounds: outcome.bounds.iter().map(bound_entry).collect(),
        paths: outcome.n_paths,
        excluded: outcome.n_excluded,
        tests: subject.n_tests,
        kept: None,
        findings: BTreeMap::new(),
        bugs: bugs.told().iter().map(bug_entry).collect(),
        targets: Vec::new(),
        replay: None,
        coverage: coverage(subject.lines, program, outcome),
        instructions: outcome.counters.instructions,
        runs: outcome.counters.n_runs,
        summaries: summaries(&outcome.counters.summaries),
        divergences: outcome.counters.n_divergences,
        solver: solver(outcome),
        optimisations: optimisations(outcome),
        ledger: ledger_lines(reporter, lost),
        time_ms: outcome.time.as_millis() as u64,
    };
    summary.count_classes();
    summary
}

fn summaries(work: &SummaryWork) -> Option<SummariesSummary> {
    let SummaryWork { n_answered, n_tried, time } = *work;
    (n_tried > 0).then_some(SummariesSummary { calls: n_answered, paths: n_tried, time_ms: time.as_millis() as u64 })
}

/// Entries of the ledger as files have them.
pub fn ledger_lines(reporter: &Reporter<'_>, entries: Vec<Entry>) -> Vec<LedgerLine> {
    let line = |entry: Entry| LedgerLine {
        kind: entry.loss.slug().to_owned(),
        effect: entry.loss.effect().slug().to_owned(),
        detail: entry.detail,
        place: reporter.place_of(&[entry.site]),
        count: entry.count,
    };
    merged(entries.into_iter().map(line))
}

fn bound_entry(bound: &Bound) -> BoundEntry {
    BoundEntry { kind: bound.slug().to_owned(), max: bound.limit(), text: bound.to_string() }
}

/// Adds up what is the same for a reader: a line may have several operations.
fn merged(lines: impl Iterator<Item = LedgerLine>) -> Vec<LedgerLine> {
    let mut merged: Vec<LedgerLine> = Vec::new();
    for line in lines {
        let is_same = |known: &&mut LedgerLine| {
            let place = |line: &LedgerLine| (line.place.file.clone(), line.place.line, line.place.function.clone());
            known.kind == line.kind && known.detail == line.detail && place(known) == place(&line)
        };
        match merged.iter_mut().find(is_same) {
            Some(known) => known.count += line.count,
            None => merged.push(line),
        }
    }
    merged
}

fn coverage(lines: &coverage::Lines, program: &ProgramFlow<'_>, outcome: &Outcome) -> Coverage {
    let ratio = |ratio: coverage::Ratio| Ratio { covered: ratio.covered, total: ratio.total };
    Coverage {
        functions: program.n_functions() as u64,
        lines: ratio(lines.ratio(&program.flow, &outcome.marks)),
        branches: ratio(coverage::branches(program, &outcome.marks)),
        native: None,
        problem: None,
    }
}

fn solver(outcome: &Outcome) -> SolverSummary {
    let layer = |stats: &spelunk_solver::LayerStats| {
        let summary = LayerSummary {
            queries: stats.n_queries,
            sat: stats.n_sat,
            unsat: stats.n_unsat,
            unknown: stats.n_unknown,
            time_ms: millis(stats.time),
        };
        (stats.layer.to_owned(), summary)
    };
    SolverSummary {
        queries: outcome.counters.n_queries,
        time_ms: millis(outcome.counters.solver_time),
        by_layer: outcome.solver.iter().map(layer).collect(),
    }
}

fn optimisations(outcome: &Outcome) -> Optimisations {
    let spared = &outcome.counters.shortcuts;
    let layer = |name: &str| outcome.solver.iter().find(|stats| stats.layer == name);
    let n_implied = spared.met.n_implied;
    let n_refuted = spared.n_contradictions + layer("contradiction").map_or(0, |stats| stats.n_unsat);
    // What slicing leaves goes to the layer behind it.
    let n_left = layer("verify").map_or(spared.n_constraints, |stats| stats.n_constraints);
    Optimisations {
        opt1: percent(n_implied + n_refuted, n_implied + spared.n_alternatives),
        opt2: percent(n_implied, spared.met.n_conditions),
        opt3: percent(spared.n_constraints.saturating_sub(n_left), spared.n_constraints),
    }
}

/// To two places.
fn percent(part: u64, whole: u64) -> f64 {
    (10_000.0 * part as f64 / whole.max(1) as f64).round() / 100.0
}

fn millis(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
