//! The account of a campaign as a file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use spelunk_vm::BugKind;

use super::class::Class;
use super::partition::PartitionSummary;
use super::test_case::Place;

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    pub version: u32,
    pub entry: String,
    pub sources: Vec<String>,
    /// Why the campaign ended: `exhausted`, `bounded`, `incomplete`, `targets`, `time`, `paths`, `interrupted`, …; `unfinished` if it
    /// has not.
    pub stopped: String,
    /// What was under way when this was written, if the campaign has not ended: `exploring`, `shrinking`, `keeping` or
    /// `native runs`. A campaign that was killed says so for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<String>,
    /// What there was no time for, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_done: Vec<String>,
    /// Whether every path was explored.
    pub exhausted: bool,
    /// What limits the paths that were explored, apart from the budget.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<BoundEntry>,
    pub paths: u64,
    /// Paths that an assumption of the harness excludes: no tests come of them.
    pub excluded: u64,
    pub tests: u64,
    /// What the tests were chosen for, if not all were kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<Kept>,
    /// How many findings there are of each class.
    #[serde(default)]
    pub findings: BTreeMap<String, u64>,
    /// All findings, of whatever class.
    pub bugs: Vec<BugEntry>,
    /// What was to be reached, and what became of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<TargetEntry>,
    /// What native runs of the tests have shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    pub coverage: Coverage,
    /// What is known of the loops that runs came to, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loops: Option<LoopsSummary>,
    /// What is known of the texts of grammars that runs had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<TextSummary>,
    /// How many paths have a valid input, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditSummary>,
    /// How many alternatives each rule for heaps has refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleSummary>,
    /// Which inputs belong together, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<PartitionSummary>,
    /// If the tested function is `static`: the functions that lead to it and are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal: Option<Vec<String>>,
    /// Settings of inputs that were guessed, as --param would say them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guessed: Vec<String>,
    pub instructions: u64,
    /// How often the program was executed, from its start or from a snapshot.
    #[serde(default)]
    pub runs: u64,
    /// How calls were answered by all paths of their functions, if any were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summaries: Option<SummariesSummary>,
    pub divergences: u64,
    pub solver: SolverSummary,
    #[serde(default)]
    pub optimisations: Optimisations,
    pub ledger: Vec<LedgerLine>,
    pub time_ms: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SummariesSummary {
    /// Calls that were answered.
    pub calls: u64,
    /// Paths of functions that were tried out for that.
    pub paths: u64,
    pub time_ms: u64,
}

/// Something that was to be reached.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TargetEntry {
    /// As it was said.
    pub target: String,
    #[serde(flatten)]
    pub place: Place,
    pub status: TargetStatus,
    /// The first test that reaches it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<u64>,
    /// If it is unreachable: what that relies on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relies_on: Vec<LedgerLine>,
    /// If it is open although nothing was left to explore: what may hide a way to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_by: Vec<LedgerLine>,
    /// If it is open: the closest that runs have come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<NearestEntry>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetStatus {
    Reached,
    /// No input reaches it.
    Unreachable,
    /// Nobody knows.
    #[default]
    Open,
}

impl TargetStatus {
    pub fn name(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::Unreachable => "unreachable",
            Self::Open => "open",
        }
    }
}

/// A branch that runs came to and that never went the way to a target.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NearestEntry {
    #[serde(flatten)]
    pub place: Place,
    /// What its condition never was.
    pub never: String,
    /// In blocks, from there to the target.
    pub distance: u32,
}

/// How many paths there are of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AuditSummary {
    pub valid: u64,
    pub invalid: u64,
    pub unknown: u64,
    /// Paths that end in a bug and have no valid input.
    pub false_alarms: u64,
}

/// A rule for heaps, and what it did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RuleSummary {
    pub file: String,
    pub line: u32,
    pub rule: String,
    pub refused: u64,
}

/// An input that is a text of a grammar.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TextSummary {
    pub input: String,
    /// `size`, `length` or `height`.
    pub measure: String,
    /// The measure up to which every path of every text was explored; nothing if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete_up_to: Option<usize>,
    /// How many templates there are up to that; of an ambiguous grammar, at most.
    pub templates: u64,
    /// Of the grammar, those that a text had in its derivation.
    pub productions: Ratio,
}

/// How many loops there are of each kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopsSummary {
    /// For some input, with proof.
    pub never_end: usize,
    /// On every way round that was explored, a value falls, with proof.
    pub end: usize,
    pub unknown: usize,
    /// The same, one by one, in the order of the code.
    #[serde(default)]
    pub each: Vec<LoopSummary>,
    /// Loops that would never be left if integers had no bounds, for some input; with machine integers they are. No bugs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unbounded: Vec<UnboundedLoop>,
    /// Loops that would never be left if signed integers wrapped around, for some input. No bugs of this kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrapping: Vec<WrappingLoop>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WrappingLoop {
    /// Where it starts.
    #[serde(flatten)]
    pub place: Place,
    /// "it is never left while k == 2147483647"
    pub text: String,
    /// Where signed integers overflow.
    pub overflows: Vec<Place>,
    /// Whether a run that stays in the loop is known to come to an overflow.
    pub surely: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopSummary {
    /// Where it starts; a recursive function, with its first line.
    #[serde(flatten)]
    pub place: Place,
    pub fate: Fate,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    NeverEnds,
    Ends,
    Unknown,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnboundedLoop {
    /// Where it starts.
    #[serde(flatten)]
    pub place: Place,
    /// What it would be in for ever.
    pub set: String,
}

/// How large inputs were at most.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoundEntry {
    pub kind: String,
    pub max: u32,
    /// What every path was explored for: "strings of up to 8 characters".
    pub text: String,
}

impl Summary {
    /// Of findings in a function that is `static`: who may tell whether they can happen.
    pub fn of_callers(&self) -> Option<String> {
        let (entry, callers) = (&self.entry, self.internal.as_ref()?);
        Some(match callers.first() {
            Some(caller) => format!(
                "`{entry}` is internal (static), called by {}: whether these pass such an input, --entry {caller} tells",
                few(callers)
            ),
            None => format!("`{entry}` is internal (static): its callers may never pass such an input"),
        })
    }

    /// That every path within the bounds was explored, with these.
    pub fn within_bounds(&self) -> String {
        let texts: Vec<&str> = self.bounds.iter().map(|bound| bound.text.as_str()).collect();
        let every_path = if self.targets.is_empty() { "every path" } else { "every path that may lead to a target" };
        match &texts[..] {
            [] if !self.targets.is_empty() => format!("{every_path} was explored"),
            [] => format!("{every_path} within the bounds was explored"),
            [one] => format!("{every_path} was explored for {one}"),
            [others @ .., last] => format!("{every_path} was explored for {} and {last}", others.join(", ")),
        }
    }
}

/// The first of some names, and how many others there are.
pub fn few(names: &[String]) -> String {
    const FEW: usize = 4;
    let shown = names.iter().take(FEW).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(FEW).filter(|&more| more > 0) {
        Some(more) => format!("{shown} and {more} more"),
        None => shown,
    }
}

/// A choice among the tests of a campaign.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// What the chosen tests cover as well as all did: `lines`, `branches` or `mcdc`.
    pub what: String,
    /// How many tests there were.
    pub of: u64,
    /// What the chosen ones cover by themselves, of the code that counts.
    pub lines: Ratio,
    pub branches: Ratio,
}

/// One finding: an error of one kind at one instruction, by one cause, however many paths end in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BugEntry {
    pub kind: String,
    #[serde(default)]
    pub class: Class,
    #[serde(flatten)]
    pub place: Place,
    pub message: String,
    pub status: Status,
    /// Why it is unconfirmed, what it depends on, or by what it is confirmed, if that can be one of several things.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What may be missing as a precondition: holds for every input that shows no bug, and for none that shows this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precondition: Option<String>,
    /// The same as rules for heaps, where they can say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precondition_rules: Option<String>,
    /// The same as `--param`, where that can say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precondition_param: Option<String>,
    /// What calls of the structure's own functions say of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<String>,
    /// The last condition before the error, where other findings are at the same place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Place>,
    /// The test with the shortest input.
    pub test: u64,
    /// How many paths end in it.
    pub hits: u64,
    /// The calls that led there, the innermost first: the place itself is among them.
    #[serde(default)]
    pub stack: Vec<Place>,
    /// What explains it: where memory was allocated, or freed.
    #[serde(default)]
    pub notes: Vec<NoteEntry>,
}

impl BugEntry {
    /// The kind in the words of a person.
    pub fn title(&self) -> &str {
        BugKind::from_slug(&self.kind).map_or(&self.kind, |kind| kind.title())
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NoteEntry {
    pub message: String,
    #[serde(flatten)]
    pub place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Confirmed,
    /// A native run has shown it, with results made up for functions that nobody defines.
    Conditional,
    /// No native run has shown it.
    Unconfirmed,
}

/// How native runs of the tests went.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Replay {
    /// Tests that were run.
    pub tests: u64,
    /// Tests without a bug that ended as predicted.
    pub as_predicted: u64,
    /// Tests that show a bug, and do so natively or not.
    pub confirmed: u64,
    pub unconfirmed: u64,
    /// Tests whose end says nothing about a native run: a limit, or something unsupported.
    pub not_compared: u64,
    /// Those among them whose native run was otherwise for a known reason that lies outside of the program, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub known_differences: BTreeMap<String, u64>,
    /// Tests without a bug that ended otherwise: errors of ours.
    pub mismatches: Vec<Mismatch>,
    /// Why nothing could be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mismatch {
    pub test: u64,
    pub predicted: String,
    pub native: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// The functions that count: those that the entry may reach, or all of a whole program.
    #[serde(default)]
    pub functions: u64,
    pub lines: Ratio,
    pub branches: Ratio,
    /// What the native runs of the tests cover, where they were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<NativeCoverage>,
    /// Why they were not measured though they were made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Coverage of the source files by clang's own account: all functions count, whether they are tested or not.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NativeCoverage {
    pub lines: Ratio,
    pub branches: Ratio,
    /// Conditions that decide by themselves (MC/DC), from clang 18 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcdc: Option<Ratio>,
    /// Lines on which the VM agrees whether they were executed, of those that both know.
    pub agreed: Ratio,
    pub differences: Vec<CoverageDifference>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CoverageDifference {
    pub file: String,
    pub line: u32,
    /// Executed in the VM, but by no native run; the other way around otherwise.
    pub only_in_vm: bool,
    /// How that can be. Nothing if it is an error of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ratio {
    pub covered: u64,
    pub total: u64,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SolverSummary {
    pub queries: u64,
    pub time_ms: f64,
    pub by_layer: BTreeMap<String, LayerSummary>,
}

/// How much the optimisations of CUTE (§3.5) spared, in percent.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Optimisations {
    /// Of the conditions whose opposite was wanted, those for which no solver was needed to see that there is none.
    pub opt1: f64,
    /// Of the conditions that runs met, those that followed from earlier ones and are no constraints.
    pub opt2: f64,
    /// Of the constraints on the ways to alternatives, those that had nothing to do with them.
    pub opt3: f64,
}

#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LayerSummary {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub time_ms: f64,
}

/// Precision or coverage that was given up at a place.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LedgerLine {
    pub kind: String,
    /// What it means for the paths that were found: `unexplored`, `beyond-bound`, `assumed`, `one-by-one`, `left-out`, `slower`.
    pub effect: String,
    /// What exactly it was, the first time.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    #[serde(flatten)]
    pub place: Place,
    pub count: u64,
}
