//! Programs as text, explored by a campaign in this process.

use spelunk_concolic::marks::Marks;
use spelunk_concolic::theories::{Maker, prepare};
use spelunk_concolic::{Input, Run};
use spelunk_driver::{DriverError, Loaded, load};
use spelunk_explore::campaign::{Deadline, Observer, Options, Outcome, Progress, explore};
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::spent::Cost;
use spelunk_ir::code::OpIdx;
use spelunk_ir::debug::DebugInfo;
use spelunk_vm::Stop;
use std::sync::Arc;
use std::time::Duration;

/// Lives as long as the test: workers may be left behind.
pub struct Program {
    loaded: &'static Loaded,
    source: String,
}

pub struct Found {
    pub outcome: Outcome,
    exits: Vec<i32>,
    /// What each path was given.
    pub inputs: Vec<Input>,
}

impl Found {
    /// The exit codes of all paths, in order.
    pub fn codes(&self) -> Vec<i32> {
        let mut codes = self.exits.clone();
        codes.sort_unstable();
        codes
    }
}

impl Observer for Found {
    fn path(&mut self, run: &Run, _seed: Option<usize>, _cost: Cost) {
        self.inputs.push(Input::clone(&run.input));
        match &run.stop {
            Stop::Exited(code) => self.exits.push(*code),
            _ if run.failure.is_some() => {}
            other => panic!("a path ended otherwise: {other:?}"),
        }
    }

    fn progress(&mut self, _progress: &Progress, _marks: &Marks) {}
}

impl Program {
    pub fn new(source: &str) -> Self {
        Self::serving(source, &[])
    }

    /// With functions that theories may serve.
    pub fn serving(source: &str, makers: &[Arc<dyn Maker>]) -> Self {
        let source = format!("#include <spelunk.h>\n{source}");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("program.c");
        std::fs::write(&path, &source).unwrap();
        let options = spelunk_driver::Options {
            sources: vec![path],
            headers: spelunk_concolic::harness::HEADERS,
            purpose: spelunk_driver::Purpose::Explore,
            ..Default::default()
        };
        let mut loaded = match load(&options) {
            Ok(loaded) => loaded,
            Err(DriverError::Compile { diagnostics, .. }) => panic!("{}", String::from_utf8_lossy(&diagnostics)),
            Err(error) => panic!("{error}"),
        };
        prepare(&mut loaded.image, makers);
        Self { loaded: Box::leak(Box::new(loaded)), source }
    }

    /// The operations of the line that has this in it.
    pub fn ops_at_line_with(&self, text: &str) -> Vec<OpIdx> {
        let line = 1 + self.source.lines().position(|line| line.contains(text)).expect("the source has it") as u32;
        let debug = DebugInfo::new(&self.loaded.program);
        let is_here = |op: &OpIdx| {
            let image = &self.loaded.image;
            let loc = image.loc(*op).and_then(|loc| debug.location(loc));
            image.is_user_code(*op) && loc.is_some_and(|loc| loc.line == line)
        };
        (0..self.loaded.image.ops.len()).map(OpIdx::new).filter(is_here).collect()
    }

    pub fn explore(&self, theories: Vec<Arc<dyn Maker>>) -> Found {
        self.explore_with(theories, |_| {})
    }

    pub fn explore_with(&self, theories: Vec<Arc<dyn Maker>>, change: impl FnOnce(&mut Options)) -> Found {
        let run = spelunk_concolic::Options { args: vec![b"program".to_vec()], theories, ..Default::default() };
        let mut options = Options { run, n_workers: 1, ..Options::default() };
        change(&mut options);
        let program = Arc::new(ProgramFlow::new(&self.loaded.image));
        let outcome = Outcome::so_far(&Progress::default(), &Marks::new(0));
        let mut found = Found { outcome, exits: Vec::new(), inputs: Vec::new() };
        let deadline = Deadline::default().within(Duration::from_secs(60));
        let outcome = explore(&program, options, &deadline, &mut found).unwrap();
        Found { outcome, ..found }
    }
}
