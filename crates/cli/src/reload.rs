//! The program of a campaign, compiled again as the campaign did.

use crate::again::Again;
use crate::args::CompileArgs;
use crate::compile;
use crate::exit;
use crate::run::{flow, program_args, subject};
use clap::ValueEnum;
use spelunk_concolic::Options;
use spelunk_concolic::graph::unit::Unit;
use spelunk_deadline::Deadline;
use spelunk_driver::{Loaded, Purpose};
use spelunk_explore::coverage::Lines;
use spelunk_explore::program::ProgramFlow;
use spelunk_inputs::Functions;
use spelunk_ir::debug::DebugInfo;
use spelunk_native::{Confinement, Subject};
use spelunk_report::suite::{Recipe, Store, StoreError, Summary, TestCase};
use spelunk_vm::{BugKind, Limits};
use std::path::Path;
use std::sync::Arc;

/// A program and what of it is called.
pub struct Reloaded {
    loaded: Loaded,
    unit: Option<Arc<Unit>>,
    recipe: Recipe,
}

/// Why there is no program. What the compiler said has been told already.
pub enum Failed {
    Told,
    Message(String),
}

impl Failed {
    /// Says why, and gives the exit code.
    pub fn tell(self) -> u8 {
        if let Self::Message(message) = self {
            anstream::eprintln!("error: {message}");
        }
        exit::USAGE
    }
}

impl Reloaded {
    /// All tests of a campaign have the entry and settings of `test`. The recipe's directory becomes the current one.
    pub fn new(recipe: Recipe, test: &TestCase) -> Result<Self, Failed> {
        std::env::set_current_dir(&recipe.directory)
            .map_err(|error| Failed::Message(format!("cannot go to {}: {error}", recipe.directory.display())))?;
        let uninitialised = test.setup.uninitialised();
        let loaded = compile::load(&compile_args(&recipe), Purpose::Explore, uninitialised, &[], &Deadline::default());
        let mut loaded = loaded.map_err(|_| Failed::Told)?;
        let functions = Functions::new(&loaded.program, &loaded.image);
        let unit = test.unit.as_ref().map(|setup| subject(&functions, &test.entry, setup)).transpose();
        let unit = unit.map_err(|error| Failed::Message(error.to_string()))?.and_then(|subject| subject.unit);
        let stubs = functions.into_stubs();
        stubs.iter().for_each(|name| loaded.image.add_undefined(name));
        Ok(Self { loaded, unit, recipe })
    }

    /// The program as it is explored.
    pub fn program(&self) -> ProgramFlow<'_> {
        flow(&self.loaded, self.unit.as_deref())
    }

    /// The lines of the code that counts.
    pub fn lines(&self, program: &ProgramFlow<'_>) -> Lines {
        Lines::new(program, &DebugInfo::new(&self.loaded.program))
    }

    fn checks(&self, kind: BugKind) -> bool {
        self.recipe.checks.iter().any(|check| check == kind.slug())
    }

    /// How a run of a test of the campaign is started.
    pub fn options(&self, test: &TestCase) -> Options {
        let setup = &test.setup;
        let memory = setup.max_memory.unwrap_or(self.recipe.max_memory);
        Options {
            limits: Limits { memory, instructions: setup.max_steps.unwrap_or(u64::MAX), ..Limits::default() },
            args: program_args(&compile_args(&self.recipe), setup),
            inputs: setup.inputs(),
            undefined: setup.undefined(),
            uninitialised: setup.uninitialised(),
            unit: self.unit.clone(),
            leaks: self.checks(BugKind::Leak),
            memory: self.checks(BugKind::MemoryLimit),
            ..Default::default()
        }
    }

    /// The program, for tests that are run in the VM again.
    pub fn again(&self) -> Again<'_> {
        Again::new(&self.loaded, self.unit.as_ref(), &self.recipe.sources)
    }

    pub fn subject(&self, confinement: Confinement) -> Subject<'_> {
        Subject {
            program: &self.loaded.program,
            image: &self.loaded.image,
            unit: self.unit.as_ref(),
            recipe: &self.recipe,
            confinement,
        }
    }
}

fn compile_args(recipe: &Recipe) -> CompileArgs {
    CompileArgs {
        sources: recipe.sources.clone(),
        clang: recipe.clang.clone(),
        cflags: recipe.cflags.clone(),
        checks: recipe.checks.iter().filter_map(|name| ValueEnum::from_str(name, false).ok()).collect(),
    }
}

/// Says that an account is not the last.
pub fn tell_unfinished(dir: &Path, summary: &Summary) {
    if summary.unfinished.is_some() {
        let dir = dir.display();
        anstream::eprintln!("note: the campaign in {dir} has not ended: go on with spelunk run --resume {dir}");
    }
}

/// The tests of a campaign that were chosen, all if none was.
pub fn read_tests(store: &Store, chosen: &[u64]) -> Result<Vec<(u64, TestCase)>, String> {
    let told = |error: StoreError| error.to_string();
    let numbers = store.numbers().map_err(told)?;
    let dir: &Path = store.dir();
    if let Some(missing) = chosen.iter().find(|number| !numbers.contains(number)) {
        return Err(format!("{} has no test {missing}", dir.display()));
    }
    if numbers.is_empty() {
        return Err(format!("{} has no tests", dir.display()));
    }
    let chosen = if chosen.is_empty() { &numbers } else { chosen };
    chosen.iter().map(|&number| Ok((number, store.read_test(number)?))).collect::<Result<_, _>>().map_err(told)
}
