//! All tests of a campaign, run natively and compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use spelunk_concolic::graph::unit::Unit;
use spelunk_concolic::harness::HEADERS;
use spelunk_deadline::Deadline;
use spelunk_driver::{Clang, Installed, is_c};
use spelunk_ir::code::Image;
use spelunk_ir::model::Program;
use spelunk_report::suite::summary::BugEntry;
use spelunk_report::suite::test_case::{End, Place};
use spelunk_report::suite::{Recipe, TestCase};
use spelunk_vm::BugKind;
use tempfile::TempDir;

use crate::compile::{Builder, Instrumentation};
use crate::containment::{Confinement, Containment, dangers};
use crate::coverage::{Covered, Tools, Vector};
use crate::encode::{Context, Numbered, Surroundings, encode};
use crate::error::NativeError;
use crate::findings::{FoundAt, VALUE, findings};
use crate::glue::{Generating, Glue, glue};
use crate::heads::Heads;
use crate::own_symbols::OwnSymbols;
use crate::run::{Layout, Limits, Outcome, ProcessEnd, Profiles, Running};
use crate::shared;
use crate::stubs::{in_place_of_library, stubs};
use crate::symbols::Symbols;
use crate::verdict::{Places, Verdict, is_comparable, verdict};

/// How long one test may take.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// How long one that is said to go on for ever may: some hundred million operations, where the VM needed thousands to tell.
const ENDLESS_TIME_LIMIT: Duration = Duration::from_secs(2);

/// What is tested.
pub struct Subject<'a> {
    pub program: &'a Program,
    pub image: &'a Image,
    /// What is called, and what functions return that nobody defines; the whole program without it, or without calls in it.
    pub unit: Option<&'a Arc<Unit>>,
    pub recipe: &'a Recipe,
    pub confinement: Confinement,
}

impl<'a> Subject<'a> {
    /// What is called, unless that is the whole program.
    pub fn called(&self) -> Option<&'a Arc<Unit>> {
        self.unit.filter(|unit| !unit.is_whole_program())
    }
}

/// How tests are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    Usual,
    /// With objects elsewhere.
    Moved,
    /// With a profile of each.
    Measured,
}

/// A program that was made ready to run tests. Everything is in a directory that goes with it.
pub struct Replay<'a> {
    subject: &'a Subject<'a>,
    deadline: Deadline,
    clang: Clang,
    headers: Installed,
    glue: Glue,
    own_symbols: OwnSymbols,
    stubs: Option<String>,
    /// Files of the VM's C library that the program needs.
    shared: Vec<(&'static str, &'static str)>,
    /// What measures coverage, if it is there.
    tools: Option<Tools>,
    dir: TempDir,
    /// What was built, by what it notices.
    built: BTreeMap<&'static str, PathBuf>,
    /// What is in force for tests, once it is known.
    containment: Containment,
    n_runs: usize,
    /// Whether the process of some test was killed and so has left no profile.
    has_unmeasured: bool,
    /// Whether memory that is not initialised is input.
    hands_over: bool,
    /// Loops that tests never leave.
    heads: Heads,
    /// The calls that lead to bugs.
    stacks: BTreeMap<(String, Place), Vec<Place>>,
}

impl<'a> Replay<'a> {
    /// Whatever is under way when the deadline passes is killed.
    pub fn new(subject: &'a Subject<'a>, deadline: &Deadline) -> Result<Self, NativeError> {
        let clang = Clang::find(subject.recipe.clang.as_deref())?.until(deadline);
        let headers = Installed::new(HEADERS)?;
        let glue = {
            let Subject { program, image, unit, recipe, .. } = *subject;
            glue(Generating { program, image, sources: &recipe.sources }, unit.map(|unit| &**unit))?
        };
        let shared = shared::files(subject.image);
        let own_symbols = OwnSymbols::find(subject.program, subject.recipe.sources.len(), subject.image, &clang)
            .with(in_place_of_library(subject.image))
            .with(shared::functions(&shared));
        let stubs = stubs(subject.program, subject.image, subject.unit.map(|unit| &**unit), &glue.functions);
        let has_c = subject.recipe.sources.iter().any(|source| is_c(source));
        let tools = Tools::find(&clang, clang.major_version()).filter(|_| has_c);
        let dir = tempfile::tempdir().map_err(NativeError::io(std::env::temp_dir()))?;
        Ok(Self {
            subject,
            deadline: deadline.clone(),
            clang,
            headers,
            glue,
            own_symbols,
            stubs,
            shared,
            tools,
            dir,
            built: BTreeMap::new(),
            containment: Containment::default(),
            n_runs: 0,
            has_unmeasured: false,
            hands_over: false,
            heads: Heads::default(),
            stacks: BTreeMap::new(),
        })
    }

    /// What all runs together have covered; nothing if it could not be measured.
    pub fn covered(&self) -> Result<Option<Covered>, NativeError> {
        let (Some(tools), Some(executable)) = (&self.tools, self.built.get(Instrumentation::Address.name())) else {
            return Ok(None);
        };
        let mut covered = tools.read(executable, &self.profiles(), self.dir.path())?;
        covered.has_unmeasured = self.has_unmeasured;
        covered.returns_twice = returns_twice(self.subject.program);
        Ok(Some(covered))
    }

    /// Runs tests with objects where they were in the VM, for what they cover. Says whether there are such objects.
    pub fn run_at_addresses(&mut self, tests: &[Numbered<'_>]) -> Result<bool, NativeError> {
        let comparable: Vec<_> = tests.iter().copied().filter(|(_, test)| is_measurable(test)).collect();
        if self.subject.unit.is_none() || comparable.is_empty() {
            return Ok(false);
        }
        let executable = self.executable(Instrumentation::Address)?;
        self.outcomes(&executable, Surroundings::Addresses, &comparable, Manner::Usual)?;
        Ok(true)
    }

    fn profiles(&self) -> PathBuf {
        self.dir.path().join("profiles")
    }

    /// Runs tests and says how each went; `bugs` are what some of them show. Of those that go on for ever only `chosen` ones
    /// are run: each takes its time.
    pub fn run(
        &mut self,
        tests: &[Numbered<'_>],
        bugs: &[BugEntry],
        chosen: &BTreeSet<u64>,
    ) -> Result<BTreeMap<u64, Verdict>, NativeError> {
        self.hands_over = tests.iter().any(|(_, test)| test.setup.uninitialised_input);
        self.stacks = bugs.iter().map(|bug| ((bug.kind.clone(), bug.place.clone()), bug.stack.clone())).collect();
        let comparable = tests.iter().copied().filter(|(_, test)| is_comparable(&test.end));
        // What AddressSanitizer can't see has an executable of its own.
        let (uninitialised, others): (Vec<_>, Vec<_>) =
            comparable.partition(|(_, test)| shows(test, BugKind::Uninitialised));
        let (mut endless, others): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(_, test)| shows(test, BugKind::EndlessLoop));
        endless.retain(|(number, _)| chosen.contains(number));
        self.heads = Heads::of(&endless);
        let mut verdicts: BTreeMap<u64, Verdict> =
            tests.iter().map(|&(number, _)| (number, Verdict::NotCompared)).collect();
        verdicts.extend(self.run_with(Instrumentation::Address, &others)?);
        verdicts.extend(self.run_with(Instrumentation::Address, &endless)?);
        verdicts.extend(self.run_with(Instrumentation::Memory, &uninitialised)?);
        Ok(verdicts)
    }

    fn run_with(
        &mut self,
        instrumentation: Instrumentation,
        tests: &[Numbered<'_>],
    ) -> Result<BTreeMap<u64, Verdict>, NativeError> {
        if tests.is_empty() {
            return Ok(BTreeMap::new());
        }
        let executable = self.executable(instrumentation)?;
        let mut verdicts = self.verdicts(&executable, Surroundings::Plain, tests)?;
        // The program may have looked at addresses or files. Both can be had as the VM had them; where the directory of the
        // program is out of reach, files have to be copied.
        let addresses = self.subject.unit.map(|_| Surroundings::Addresses);
        let copies = (!self.containment.has_own_files()).then_some(Surroundings::AddressesAndFiles);
        for surroundings in addresses.into_iter().chain(copies) {
            let is_otherwise =
                |(number, _): &Numbered<'_>| matches!(verdicts[number], Verdict::Mismatch(_) | Verdict::Unconfirmed(_));
            let again: Vec<_> = tests.iter().copied().filter(is_otherwise).collect();
            if again.is_empty() {
                break;
            }
            let others = self.verdicts(&executable, surroundings, &again)?;
            let is_better = |number: &u64, verdict: &Verdict| match verdict {
                Verdict::AsPredicted => true,
                // Objects that are no part of the heap can't be freed, which looks like this bug.
                Verdict::Confirmed(_) => {
                    !again.iter().any(|(other, test)| other == number && shows(test, BugKind::BadFree))
                }
                _ => false,
            };
            verdicts.extend(others.into_iter().filter(|(number, verdict)| is_better(number, verdict)));
        }
        Ok(verdicts)
    }

    fn verdicts(
        &mut self,
        executable: &Path,
        surroundings: Surroundings,
        tests: &[Numbered<'_>],
    ) -> Result<BTreeMap<u64, Verdict>, NativeError> {
        let mut outcomes = self.outcomes(executable, surroundings, tests, Manner::Usual)?;
        self.forget_addresses(executable, surroundings, tests, &mut outcomes)?;
        let addresses: BTreeSet<u64> = outcomes.values().flat_map(addresses).collect();
        let symbols = Symbols::look_up(&self.clang, executable, &addresses)?;
        let directory = self.subject.recipe.directory.canonicalize().unwrap_or_default();
        let generated = self.dir.path().canonicalize().unwrap_or_default();
        let (has_files, is_contained) = (self.containment.has_own_files(), self.containment.keeps_files());
        let is_optimised = self.subject.recipe.cflags.iter().any(|flag| optimises(flag));
        let places = Places {
            symbols: &symbols,
            directory: &directory,
            generated: &generated,
            is_optimised,
            has_files,
            is_contained,
        };
        let of_test = |&(number, test): &Numbered<'_>| {
            let stack = match &test.end {
                End::Bug { bug, place, .. } => self.stacks.get(&(bug.clone(), place.clone())),
                _ => None,
            };
            (number, verdict(&places, test, stack.map(Vec::as_slice).unwrap_or_default(), &outcomes[&number]))
        };
        Ok(tests.iter().map(of_test).collect())
    }

    /// Runs tests again in which values are not those observed, with objects elsewhere. Values that are others then depend on
    /// addresses or on chance, and say nothing.
    fn forget_addresses(
        &mut self,
        executable: &Path,
        surroundings: Surroundings,
        tests: &[Numbered<'_>],
        outcomes: &mut BTreeMap<u64, Outcome>,
    ) -> Result<(), NativeError> {
        let differs = |(number, _): &Numbered<'_>| outcomes[number].log.lines().any(is_value);
        let differing: Vec<Numbered<'_>> = tests.iter().copied().filter(differs).collect();
        if differing.is_empty() {
            return Ok(());
        }
        for (number, moved) in self.outcomes(executable, surroundings, &differing, Manner::Moved)? {
            let Some(outcome) = outcomes.get_mut(&number) else { continue };
            let is_same =
                outcome.log.lines().filter(|line| is_value(line)).eq(moved.log.lines().filter(|it| is_value(it)));
            if !is_same {
                outcome.log =
                    outcome.log.lines().filter(|line| !is_value(line)).map(|line| format!("{line}\n")).collect();
            }
        }
        Ok(())
    }

    fn outcomes(
        &mut self,
        executable: &Path,
        surroundings: Surroundings,
        tests: &[Numbered<'_>],
        manner: Manner,
    ) -> Result<BTreeMap<u64, Outcome>, NativeError> {
        let recipe = self.subject.recipe;
        let context = Context { surroundings, recipe, unit: self.subject.unit, functions: &self.glue.functions };
        self.n_runs += 1;
        let together = self.profiles();
        let running = Running {
            executable,
            deadline: &self.deadline,
            tests: &encode(context, tests),
            n_tests: tests.len(),
            dir: &self.run_dir(),
            limits: Limits { time: time_limit(tests), heap: recipe.max_memory },
            directory: &recipe.directory,
            copies_files: surroundings == Surroundings::AddressesAndFiles,
            confinement: self.subject.confinement,
            containment: self.containment,
            finds_leaks: recipe.checks.iter().any(|check| check == BugKind::Leak.slug()),
            layout: if manner == Manner::Moved { Layout::Moved } else { Layout::Usual },
            profiles: self.tools.as_ref().map(|_| match manner {
                Manner::Measured => Profiles::Apart,
                Manner::Usual | Manner::Moved => Profiles::Together(&together),
            }),
        };
        let outcomes = running.run()?;
        self.has_unmeasured |= outcomes.values().any(is_killed);
        Ok(outcomes)
    }

    /// Where the last runs have left their files.
    fn run_dir(&self) -> PathBuf {
        self.dir.path().join(format!("run{}", self.n_runs))
    }

    /// The combinations of conditions that each test has met in the program's decisions, as bits that clang's coverage has
    /// for them: what MC/DC is computed from.
    pub fn vectors(&mut self, tests: &[Numbered<'_>]) -> Result<BTreeMap<u64, Vec<Vector>>, NativeError> {
        let tools = self.tools.clone().filter(Tools::has_mcdc).ok_or(NativeError::NoMcdc)?;
        let comparable: Vec<_> = tests.iter().copied().filter(|(_, test)| is_measurable(test)).collect();
        let mut vectors: BTreeMap<u64, Vec<Vector>> = tests.iter().map(|&(number, _)| (number, Vec::new())).collect();
        if comparable.is_empty() {
            return Ok(vectors);
        }
        let executable = self.executable(Instrumentation::Address)?;
        self.outcomes(&executable, Surroundings::Plain, &comparable, Manner::Measured)?;
        for (number, _) in comparable {
            let profile = self.run_dir().join(format!("{number}.profraw"));
            // A process that was killed leaves none.
            if profile.exists() {
                vectors.insert(number, tools.vectors(&profile)?);
            }
        }
        Ok(vectors)
    }

    fn executable(&mut self, instrumentation: Instrumentation) -> Result<PathBuf, NativeError> {
        if let Some(executable) = self.built.get(instrumentation.name()) {
            return Ok(executable.clone());
        }
        let measures = instrumentation == Instrumentation::Address;
        let coverage = self.tools.as_ref().filter(|_| measures).map(Tools::flags).unwrap_or_default();
        let builder = Builder {
            clang: &self.clang,
            recipe: self.subject.recipe,
            glue: &self.glue,
            dir: self.dir.path(),
            headers: &self.headers,
            own_symbols: &self.own_symbols,
            stubs: self.stubs.as_deref(),
            shared: &self.shared,
            coverage: &coverage,
            hands_over: self.hands_over,
            heads: &self.heads,
        };
        let executable = builder.build(instrumentation)?;
        self.check_containment(&executable)?;
        self.built.insert(instrumentation.name(), executable.clone());
        Ok(executable)
    }

    /// A program that could do harm is not run unless that is prevented, or allowed.
    fn check_containment(&mut self, executable: &Path) -> Result<(), NativeError> {
        let Subject { program, recipe, confinement, .. } = *self.subject;
        self.containment = Containment::probe(executable, self.dir.path(), confinement, &self.deadline)?;
        if confinement == Confinement::Uncontained || self.containment.is_complete() {
            return Ok(());
        }
        match dangers(program, recipe.sources.len()) {
            dangers if dangers.is_empty() => Ok(()),
            dangers => Err(NativeError::Uncontained { unprotected: self.containment.unprotected(), dangers }),
        }
    }
}

/// Whether a process had no chance to write its profile. One that aborts has: the runtime notes it.
fn is_killed(outcome: &Outcome) -> bool {
    let is_abort = |line: &str| line.starts_with("abort") || line.starts_with("assert");
    match outcome.end {
        ProcessEnd::Time => true,
        ProcessEnd::Signal(_) => !outcome.log.lines().any(is_abort),
        ProcessEnd::Exit(_) => false,
    }
}

/// Whether a flag of the compiler asks for faster or smaller code.
fn optimises(flag: &str) -> bool {
    flag.strip_prefix("-O").is_some_and(|level| level != "0")
}

/// Whether the program calls a function to which control may come back a second time.
fn returns_twice(program: &Program) -> bool {
    program.functions.iter().any(|function| program.symbol(function.symbol).name.contains("setjmp"))
}

/// Whether the process of a test leaves a profile.
fn is_measurable(test: &TestCase) -> bool {
    is_comparable(&test.end) && !shows(test, BugKind::EndlessLoop)
}

/// Tests that don't end are run apart from others.
fn time_limit(tests: &[Numbered<'_>]) -> Duration {
    match tests.iter().all(|(_, test)| shows(test, BugKind::EndlessLoop)) {
        true => ENDLESS_TIME_LIMIT,
        false => TIME_LIMIT,
    }
}

/// Whether a line of the runtime tells of a value that is not the one observed.
fn is_value(line: &str) -> bool {
    line.split(' ').next() == Some(VALUE)
}

fn addresses(outcome: &Outcome) -> Vec<u64> {
    let stacks = findings(outcome).into_iter().filter_map(|finding| match finding.place {
        FoundAt::Stack(stack) => Some(stack),
        FoundAt::Line(..) | FoundAt::Value { .. } => None,
    });
    stacks.flatten().collect()
}

fn shows(test: &TestCase, kind: BugKind) -> bool {
    matches!(&test.end, End::Bug { bug, .. } if BugKind::from_slug(bug) == Some(kind))
}
