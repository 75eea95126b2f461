//! What follows from a plan: the one place where it is said how a program is run, how it is explored and what is stored of
//! that. And the way back: the plan that follows from what was stored.

use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use spelunk_concolic::{Input, SnapshotPolicy};
use spelunk_deadline::Deadline;
use spelunk_driver::Purpose;
use spelunk_explore::{campaign, explorer};
use spelunk_ir::lower::{Checks, SignedOverflow, Uninitialised};
use spelunk_native::Confinement;
use spelunk_report::suite::{Recipe, Setup, TestCase, UnitSetup, VERSION};
use spelunk_solver::Limits as QueryLimits;
use spelunk_solver::chain::{self, LogOptions};
use spelunk_vm::Limits;

use super::{Check, Compile, Partition, Plan, QueryLog, Search, Tests};
use crate::{EngineError, Subject};

/// How many operations are worth a snapshot.
const SNAPSHOT_INTERVAL: u64 = 200;

impl Compile {
    /// How a program is compiled and loaded.
    pub(crate) fn driver_options(
        &self,
        purpose: Purpose,
        uninitialised: Uninitialised,
        deadline: &Deadline,
    ) -> spelunk_driver::Options {
        spelunk_driver::Options {
            directory: self.root(),
            sources: self.sources.clone(),
            clang: self.clang.clone(),
            cflags: self.checked_cflags(),
            file_flags: self.file_flags.clone(),
            headers: spelunk_concolic::harness::HEADERS,
            checks: Checks {
                signed_overflow: match purpose {
                    _ if self.checks.contains(&Check::SignedOverflow) => SignedOverflow::IsError,
                    Purpose::Explore => SignedOverflow::IsNoticed,
                    Purpose::Run => SignedOverflow::Wraps,
                },
                effective_type: self.checks.contains(&Check::EffectiveType),
                uninitialised,
            },
            purpose,
            colour: self.colour,
            deadline: deadline.clone(),
        }
    }

    /// The user's flags, and those by which clang checks what the VM can't see: types of arrays are not in its memory.
    fn checked_cflags(&self) -> Vec<String> {
        let mut cflags = self.cflags.clone();
        if self.checks.contains(&Check::MemberBounds) {
            cflags.extend(["-fsanitize=array-bounds", "-fsanitize-trap=array-bounds"].map(str::to_owned));
        }
        cflags
    }

    /// The directory in which relative paths start.
    pub fn root(&self) -> PathBuf {
        match self.directory.as_os_str().is_empty() {
            true => std::env::current_dir().unwrap_or_default(),
            false => self.directory.clone(),
        }
    }

    pub fn source_names(&self) -> Vec<String> {
        self.sources.iter().map(|source| source.display().to_string()).collect()
    }

    /// What the program finds as its name: the first source without the extension.
    fn program_name(&self) -> PathBuf {
        self.sources.first().map(|source| source.with_extension("")).unwrap_or_default()
    }
}

impl From<&Recipe> for Compile {
    fn from(recipe: &Recipe) -> Self {
        Self {
            directory: recipe.directory.clone(),
            sources: recipe.sources.clone(),
            clang: recipe.clang.clone(),
            cflags: recipe.cflags.clone(),
            file_flags: recipe.file_flags.clone(),
            checks: recipe.checks.iter().filter_map(|name| Check::by_name(name)).collect(),
            ..Self::default()
        }
    }
}

impl Plan {
    /// The plan by which a test runs again. All tests of a campaign have the same.
    pub fn of_test(compile: Compile, test: &TestCase) -> Self {
        let (entry, unit) = match &test.unit {
            None => (Some(test.entry.clone()), UnitSetup::default()),
            Some(unit) if unit.sequence.is_empty() => (Some(test.entry.clone()), unit.clone()),
            Some(unit) => (None, unit.clone()),
        };
        let search = Search { snapshots: false, ..Search::default() };
        let tests = Tests { are_written: false, ..Tests::default() };
        Self { compile, entry, unit, setup: test.setup.clone(), search, tests, ..Self::default() }
    }

    /// The plan by which a test of a campaign runs again.
    pub fn of_campaign(recipe: &Recipe, test: &TestCase) -> Self {
        let plan = Self::of_test(recipe.into(), test);
        let max_memory = plan.setup.max_memory.or(Some(recipe.max_memory));
        Self { setup: Setup { max_memory, ..plan.setup }, settings: recipe.settings.clone(), ..plan }
    }

    /// When everything has to end, from now on.
    pub fn deadline(&self) -> Deadline {
        let deadline = Deadline::default();
        self.budget.time.map_or_else(|| deadline.clone(), |time| deadline.within(time))
    }

    /// How a subject is run in the VM.
    pub fn run_options(&self, subject: &Subject) -> spelunk_concolic::Options {
        let Setup { max_memory, max_steps, .. } = self.setup;
        let limits = Limits {
            memory: max_memory.unwrap_or(u64::MAX),
            instructions: max_steps.unwrap_or(u64::MAX),
            stack: self.stack,
        };
        spelunk_concolic::Options {
            limits,
            snapshots: self.search.snapshots.then_some(SnapshotPolicy { min_steps: SNAPSHOT_INTERVAL }),
            args: self.program_args(),
            inputs: self.setup.inputs(),
            undefined: self.setup.undefined(),
            uninitialised: self.setup.uninitialised(),
            strings: self.setup.strings(),
            unit: subject.unit.clone(),
            observes: self.tests.are_written,
            leaks: self.compile.checks.contains(&Check::Leak),
            memory: self.compile.checks.contains(&Check::MemoryLimit),
            ..Default::default()
        }
    }

    /// How a subject is explored, beginning with these inputs.
    pub fn explore_options(&self, subject: &Subject, seeds: Vec<Input>) -> campaign::Options {
        let Search { strategy, seed, patience, collect_at, query_time, jobs, .. } = self.search;
        campaign::Options {
            explorer: explorer::Options {
                strategy,
                seed,
                max_depth: self.budget.depth.unwrap_or(u32::MAX),
                patience,
                collect_at,
                query_limits: QueryLimits { time: Some(query_time), ..QueryLimits::default() },
                ..Default::default()
            },
            run: self.followed(self.run_options(subject)),
            solver: self.search.solver_options(),
            budget: campaign::Budget {
                paths: self.budget.paths,
                instructions: self.budget.instructions,
                memory: self.budget.memory,
            },
            seeds,
            n_workers: jobs,
        }
    }

    /// Runs tell what depends on what only from their start on.
    fn followed(&self, options: spelunk_concolic::Options) -> spelunk_concolic::Options {
        match self.search.partition {
            Partition::Off => options,
            _ => spelunk_concolic::Options { flow: Some(std::sync::Arc::default()), snapshots: None, ..options },
        }
    }

    /// What is stored, for whoever compiles the program again.
    pub fn recipe(&self) -> Recipe {
        let Compile { sources, clang, cflags, file_flags, checks, .. } = &self.compile;
        let mut recipe = Recipe {
            version: VERSION,
            directory: self.compile.root(),
            sources: sources.clone(),
            clang: clang.clone(),
            cflags: cflags.clone(),
            file_flags: file_flags.clone(),
            checks: checks.iter().map(|check| check.name().to_owned()).collect(),
            max_memory: self.setup.max_memory.unwrap_or(u64::MAX),
            digests: Vec::new(),
            settings: self.settings.clone(),
            plan: self.settings.is_empty().then(|| self.written()),
        };
        recipe.note_sources();
        recipe
    }

    /// What is stored of a campaign for one subject.
    pub(crate) fn recipe_of(&self, subject: &Subject, recipe: &Recipe) -> Recipe {
        let mut recipe = recipe.clone();
        let Some(setup) = subject.setup.as_ref().filter(|setup| setup.sequence.is_empty()) else { return recipe };
        if recipe.plan.is_some() {
            let unit = UnitSetup { params: setup.params.clone(), ..self.unit.clone() };
            recipe.plan = Some(Self { entry: Some(subject.entry.clone()), unit, ..self.clone() }.written());
            return recipe;
        }
        recipe.settings.insert("entry".to_owned(), vec![subject.entry.clone()]);
        match &setup.params[..] {
            [] => recipe.settings.remove("param"),
            params => recipe.settings.insert("param".to_owned(), params.to_vec()),
        };
        recipe
    }

    fn written(&self) -> Value {
        serde_json::to_value(self).expect("a plan is text, numbers and lists")
    }

    /// The plan of a campaign that no command line has begun, to go on with. What native runs may do is not for a directory to
    /// say.
    pub fn of_recipe(recipe: &Recipe) -> Result<Option<Self>, EngineError> {
        let Some(written) = &recipe.plan else { return Ok(None) };
        let mut plan = Self::deserialize(written).map_err(EngineError::BadPlan)?;
        plan.compile.directory.clone_from(&recipe.directory);
        plan.tests.confinement = Confinement::default();
        Ok(Some(plan))
    }

    /// What the program finds in `argv` before what is symbolic.
    fn program_args(&self) -> Vec<Vec<u8>> {
        let args = self.setup.args.iter().map(|arg| arg.clone().into_bytes());
        std::iter::once(self.compile.program_name().into_os_string().into_vec()).chain(args).collect()
    }
}

impl Search {
    fn solver_options(&self) -> chain::Options {
        let log = |QueryLog { dir, before }: QueryLog| LogOptions { dir, before };
        chain::Options {
            backend: self.backend,
            sat: self.sat,
            without: self.without.clone(),
            log: self.log.clone().map(log),
        }
    }
}

/// Where a campaign of one function goes, in the directory of several.
pub(crate) fn directory_of(entry: &str) -> &Path {
    Path::new(entry)
}
