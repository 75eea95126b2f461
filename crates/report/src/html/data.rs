//! What the page knows.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::inputs::{self, Object};
use super::lcov::line_counts;
use super::strings::Strings;
use super::tree::{self, Tree};
use crate::picture::{Picture, svg};
use crate::suite::profile::{Profile, Sample, SourceText};
use crate::suite::test_case::{Decision, End, Place};
use crate::suite::truth::Truth;
use crate::suite::{Campaign, StoreError, Summary, TestCase};

/// Longer paths are shown as far as this.
const MAX_DECISIONS: usize = 4000;

/// Numbers that JavaScript has exactly.
const MAX_EXACT: u64 = 1 << 53;

#[derive(Debug, Serialize)]
pub struct Data<'a> {
    version: &'static str,
    directory: String,
    summary: &'a Summary,
    of_callers: Option<String>,
    /// Settings of the unit, from its first test.
    settings: Option<crate::suite::UnitSetup>,
    has_profile: bool,
    files: Vec<File<'a>>,
    functions: &'a [String],
    /// `[file, line, column, function, is the truth of a condition known]`, a file of -1 for the library's.
    sites: Vec<(i64, u32, u32, u32, u8)>,
    /// `[site, outcome, line, covered, case]`
    branches: Vec<(u32, u32, u32, u8, &'a str)>,
    /// `[site, sat, unsat, unknown, solver µs, run µs]`
    spent: Vec<(u32, u64, u64, u64, u64, u64)>,
    samples: &'a [Sample],
    kinds: Vec<String>,
    /// `[site, kind, alternative]`
    decisions: Vec<(i64, u32, Key)>,
    tree: Tree,
    tests: Tests,
    ends: Vec<EndText>,
    strings: Vec<String>,
    /// Of the tests that show bugs.
    pictures: BTreeMap<u64, String>,
    /// Of sequences of calls, the statements that make them.
    codes: BTreeMap<u64, Vec<String>>,
}

#[derive(Debug, Serialize)]
struct File<'a> {
    path: &'a str,
    text: Option<&'a str>,
    lines: Vec<(u32, u8)>,
    /// How often native runs executed lines, if that was measured.
    counts: Vec<(u32, u64)>,
    state: FileState,
}

/// Whether a source file is what it was.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum FileState {
    Same,
    Changed,
    Missing,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(untagged)]
enum Key {
    Exact(u64),
    /// In hexadecimal digits.
    Large(LargeKey),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct LargeKey(u64);

impl Serialize for LargeKey {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#x}", self.0))
    }
}

/// By column, one entry a test.
#[derive(Debug, Default, Serialize)]
struct Tests {
    number: Vec<u64>,
    end: Vec<u32>,
    segment: Vec<u32>,
    n_decisions: Vec<usize>,
    instructions: Vec<u64>,
    solver_us: Vec<u64>,
    run_us: Vec<u64>,
    input: Vec<Vec<Object>>,
}

/// How tests end.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
struct EndText {
    kind: &'static str,
    text: String,
    #[serde(flatten)]
    place: Place,
}

impl<'a> Data<'a> {
    pub fn new(campaign: &'a Campaign) -> Result<Self, StoreError> {
        let Campaign { store, summary, profile, types } = campaign;
        let mut reader = Reader::new(profile);
        let (mut pictures, mut codes) = (BTreeMap::new(), BTreeMap::new());
        let mut settings = None;
        for number in store.numbers()? {
            let test = store.read_test(number)?;
            let picture = Picture::new(&test, types).with_derivations(&test);
            if summary.bugs.iter().any(|bug| bug.test == number) {
                pictures.insert(number, svg(&picture));
            }
            reader.add(number, &test, &picture);
            if !test.code.is_empty() {
                codes.insert(number, test.code);
            }
            settings = settings.or(test.unit);
        }
        let Reader { mut tests, paths, decisions, kinds, ends, strings, .. } = reader;
        let (tree, segment) = Tree::new(&paths);
        tests.segment = segment;
        let counts = store.read_lcov().map(|lcov| line_counts(&lcov)).unwrap_or_default();
        let site_numbers = site_numbers(profile);
        let site = |op: u32| site_numbers.get(&op).copied().unwrap_or_default();
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            directory: store.dir().display().to_string(),
            summary,
            of_callers: summary.of_callers(),
            settings,
            has_profile: !profile.sites.is_empty() || !profile.files.is_empty(),
            files: profile.files.iter().map(|source| file(source, &counts)).collect(),
            functions: &profile.functions,
            sites: profile
                .sites
                .iter()
                .map(|it| {
                    let is_known = u8::from(it.truth != Truth::Unknown);
                    (it.file.map_or(-1, i64::from), it.line, it.column, it.function, is_known)
                })
                .collect(),
            branches: profile.branches.iter().map(|it| (site(it.0), it.1, it.2, u8::from(it.3), &*it.4)).collect(),
            spent: profile
                .spent
                .iter()
                .map(|it| (site(it.op), it.sat, it.unsat, it.unknown, it.solver_us, it.run_us))
                .collect(),
            samples: &profile.samples,
            kinds: kinds.into_all(),
            decisions: decisions.all,
            tree,
            tests,
            ends: ends.all,
            strings: strings.into_all(),
            pictures,
            codes,
        })
    }
}

fn site_numbers(profile: &Profile) -> FxHashMap<u32, u32> {
    profile.sites.iter().zip(0..).map(|(site, number)| (site.op, number)).collect()
}

fn file<'a>(source: &'a SourceText, counts: &BTreeMap<PathBuf, BTreeMap<u32, u64>>) -> File<'a> {
    let state = match (fs::read(&source.full_path), &source.text) {
        (Ok(now), Some(then)) if String::from_utf8_lossy(&now) == *then => FileState::Same,
        (Ok(_), _) => FileState::Changed,
        (Err(_), _) => FileState::Missing,
    };
    let lines = source.lines.iter().map(|&(line, is_covered)| (line, u8::from(is_covered))).collect();
    let counts = counts.get(Path::new(&source.full_path));
    let counts = counts.into_iter().flatten().map(|(&line, &count)| (line, count)).collect();
    File { path: &source.path, text: source.text.as_deref(), lines, counts, state }
}

/// Values by number, in the order in which they came.
#[derive(Debug)]
struct Numbered<T> {
    numbers: FxHashMap<T, u32>,
    all: Vec<T>,
}

impl<T: Clone + Eq + std::hash::Hash> Numbered<T> {
    fn new() -> Self {
        Self { numbers: FxHashMap::default(), all: Vec::new() }
    }

    fn number(&mut self, value: T) -> u32 {
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.all.push(value.clone());
            self.all.len() as u32 - 1
        })
    }
}

/// Takes in one test after the other.
struct Reader<'a> {
    profile: &'a Profile,
    site_numbers: FxHashMap<u32, u32>,
    tests: Tests,
    paths: Vec<tree::Path>,
    decisions: Numbered<(i64, u32, Key)>,
    kinds: Strings,
    ends: Numbered<EndText>,
    strings: Strings,
}

impl<'a> Reader<'a> {
    fn new(profile: &'a Profile) -> Self {
        Self {
            profile,
            site_numbers: site_numbers(profile),
            tests: Tests::default(),
            paths: Vec::new(),
            decisions: Numbered::new(),
            kinds: Strings::default(),
            ends: Numbered::new(),
            strings: Strings::default(),
        }
    }

    fn add(&mut self, number: u64, test: &TestCase, picture: &Picture) {
        let (solver_us, run_us) = self.profile.tests.get(number as usize - 1).copied().unwrap_or_default();
        let path = test.decisions.iter().take(MAX_DECISIONS).map(|decision| self.decision(decision)).collect();
        self.paths.push(path);
        let tests = &mut self.tests;
        tests.number.push(number);
        tests.end.push(self.ends.number(end(test)));
        tests.n_decisions.push(test.decisions.len());
        tests.instructions.push(test.instructions);
        tests.solver_us.push(solver_us);
        tests.run_us.push(run_us);
        tests.input.push(inputs::objects(picture, &mut self.strings));
    }

    fn decision(&mut self, Decision(kind, op, taken): &Decision) -> u32 {
        let site = self.site_numbers.get(op).copied();
        let truth = |site: u32| self.profile.sites[site as usize].truth;
        let taken = match site.filter(|_| kind == "branch").and_then(|site| truth(site).of(*taken == 1)) {
            Some(holds) => u64::from(holds),
            None => *taken,
        };
        let key = if taken < MAX_EXACT { Key::Exact(taken) } else { Key::Large(LargeKey(taken)) };
        self.decisions.number((site.map_or(-1, i64::from), self.kinds.number(kind), key))
    }
}

fn end(test: &TestCase) -> EndText {
    let (kind, text, place) = match &test.end {
        End::Exited { .. } if test.unit.is_some() => ("exited", "returns".to_owned(), None),
        End::Exited { status } => ("exited", format!("exit {status}"), None),
        End::Killed { signal } => ("killed", format!("signal {signal}"), None),
        End::Bug { bug, place, .. } => ("bug", bug.clone(), Some(place)),
        End::Unsupported { what, place } => ("unsupported", what.clone(), Some(place)),
        End::Limit { what } => ("limit", what.clone(), None),
        End::Infeasible => ("infeasible", "excluded".to_owned(), None),
    };
    EndText { kind, text, place: place.cloned().unwrap_or_default() }
}
