//! Explores a program path by path: picks an open alternative, asks the solver for an input that goes there, runs it.

use std::rc::Rc;
use std::time::{Duration, Instant};

use spelunk_concolic::decision::{Choice, DecisionKind, Others};
use spelunk_concolic::{Expected, Input, Run, RunSnapshot, Runner};
use spelunk_expr::ExprId;
use spelunk_solver::{Answer, LayerStats, Limits as QueryLimits, Query, Solver, Unknown};
use spelunk_vm::Stop;
use spelunk_vm::memory::Fault;

use crate::ledger::{Ledger, Loss, NOWHERE};
use crate::origin::{Origin, SnapshotCache};
use crate::program::ProgramFlow;
use crate::queries::Queries;
use crate::spent::Spent;
use crate::strategy::{self, Gain, Strategy, View};
use crate::tree::{Closed, Features, Path, Ticket, Tree};

#[derive(Clone, Debug)]
pub struct Options {
    pub strategy: strategy::Kind,
    pub seed: u64,
    /// Decisions after so many others have their alternatives cut off.
    pub max_depth: u32,
    /// What one query may cost.
    pub query_limits: QueryLimits,
    /// How many bytes of snapshots to keep.
    pub snapshot_memory: u64,
    /// Once there are so many expressions, those that nothing needs any more are dropped.
    pub collect_at: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            strategy: strategy::Kind::Interleaved,
            seed: 0,
            max_depth: u32::MAX,
            query_limits: QueryLimits::default(),
            snapshot_memory: 256 << 20,
            collect_at: 1 << 18,
        }
    }
}

/// What one step came to.
#[derive(Debug)]
pub enum Step {
    /// A run. It may repeat a known path if it was a seed, or diverged.
    Ran { run: Box<Run>, is_new: bool, seed: Option<usize> },
    /// An alternative turned out to have no input, or none that the solver finds.
    Closed,
    /// Nothing is open any more.
    Exhausted,
}

/// An open alternative that any explorer of the same program understands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Work {
    /// An input that goes to the decision.
    pub input: Input,
    /// How many decisions come before.
    pub depth: u32,
    pub choice: Choice,
}

#[derive(Clone, Debug, Default)]
pub struct Counters {
    pub n_runs: u64,
    pub n_divergences: u64,
    pub instructions: u64,
    pub n_queries: u64,
    pub solver_time: Duration,
    pub run_time: Duration,
    /// How often expressions were collected.
    pub n_collections: u64,
}

impl Counters {
    pub fn add(&mut self, other: &Counters) {
        self.n_runs += other.n_runs;
        self.n_divergences += other.n_divergences;
        self.instructions += other.instructions;
        self.n_queries += other.n_queries;
        self.solver_time += other.solver_time;
        self.run_time += other.run_time;
        self.n_collections += other.n_collections;
    }
}

pub struct Explorer<'p> {
    program: &'p ProgramFlow<'p>,
    runner: Runner<'p>,
    solver: Box<dyn Solver>,
    queries: Queries,
    options: Options,
    tree: Tree,
    snapshots: SnapshotCache,
    strategy: Box<dyn Strategy>,
    /// Alternatives in which something goes wrong: they come before all others.
    checks: Vec<Ticket>,
    /// Inputs to run before anything else, each once.
    seeds: std::iter::Enumerate<std::vec::IntoIter<Input>>,
    pub ledger: Ledger,
    pub spent: Spent,
    pub counters: Counters,
    coverage_version: u64,
    /// How many alternatives the strategy may know, open or not.
    n_tickets: usize,
    /// When expressions are collected next.
    collect_at: usize,
    constraints: Vec<ExprId>,
    prediction: Vec<Expected>,
}

impl<'p> Explorer<'p> {
    /// The seeds are run first.
    pub fn new(
        program: &'p ProgramFlow<'p>,
        runner: Runner<'p>,
        solver: Box<dyn Solver>,
        options: Options,
        seeds: Vec<Input>,
    ) -> Self {
        Self {
            program,
            runner,
            solver,
            queries: Queries::default(),
            strategy: strategy::build(options.strategy, options.seed),
            collect_at: options.collect_at,
            options,
            tree: Tree::new(),
            snapshots: SnapshotCache::default(),
            checks: Vec::new(),
            seeds: seeds.into_iter().enumerate(),
            ledger: Ledger::default(),
            spent: Spent::default(),
            counters: Counters::default(),
            coverage_version: 0,
            n_tickets: 0,
            constraints: Vec::new(),
            prediction: Vec::new(),
        }
    }

    pub fn runner(&self) -> &Runner<'p> {
        &self.runner
    }

    /// Changes whenever a run reaches something new.
    pub fn coverage_version(&self) -> u64 {
        self.coverage_version
    }

    pub fn n_open(&self) -> usize {
        self.tree.n_open()
    }

    pub fn solver_stats(&self) -> Vec<LayerStats> {
        let mut stats = Vec::new();
        self.solver.stats(&mut stats);
        stats
    }

    /// Does the next thing there is to do. An error only if the program's variables don't fit in memory.
    pub fn step(&mut self) -> Result<Step, Fault> {
        if self.runner.pool().n_nodes() > self.collect_at {
            self.collect();
        }
        if let Some((number, input)) = self.seeds.next() {
            let (run, is_new) = self.run(&input, None)?;
            return Ok(Step::Ran { run, is_new, seed: Some(number) });
        }
        let Some(ticket) = self.pick() else { return Ok(Step::Exhausted) };
        let Some(input) = self.solve(ticket) else { return Ok(Step::Closed) };
        let (run, is_new) = self.run(&input, Some(ticket))?;
        Ok(Step::Ran { run, is_new, seed: None })
    }

    /// Part of what is open, for another explorer. Nothing if there is little.
    pub fn give_away(&mut self) -> Option<Work> {
        // A seed may take what is given away now.
        if self.tree.n_open() < 2 || self.seeds.len() > 0 {
            return None;
        }
        let ticket = self.tree.shallowest()?;
        let Features { depth, choice, .. } = self.tree.features(ticket);
        let input = self.tree.origin(ticket).input.clone();
        self.tree.close(ticket, Closed::GivenAway);
        Some(Work { input, depth, choice })
    }

    /// Gives up what can be done without, to make room: snapshots, and expressions that nothing needs then.
    pub fn relieve(&mut self) {
        self.options.snapshot_memory /= 2;
        let n_dropped = self.snapshots.drop_all();
        self.ledger.add(Loss::SnapshotsDropped, NOWHERE, n_dropped);
        self.collect();
    }

    /// Takes over what another explorer has given away. The path that it is an alternative to is run again.
    pub fn adopt(&mut self, work: &Work) -> Result<(), Fault> {
        let mut run = self.runner.run(&work.input, &[])?;
        self.counters.instructions += run.executed;
        let index = work.depth as usize;
        let others = if index < run.path.len() { self.runner.others(&run, index) } else { Others::new() };
        let Some(&(_, cond)) = others.iter().find(|(choice, _)| *choice == work.choice) else {
            self.ledger.add(Loss::Divergence, 0, 1);
            return Ok(());
        };
        let origin = Rc::new(self.origin(&mut run, None));
        self.snapshots.add(&origin);
        if let Some(ticket) = self.tree.graft(&run.path[..=index], &origin, work.choice, cond) {
            self.open(&[ticket], Gain::default());
        }
        Ok(())
    }

    fn pick(&mut self) -> Option<Ticket> {
        while let Some(&ticket) = self.checks.last() {
            if self.tree.is_open(ticket) {
                return Some(ticket);
            }
            self.checks.pop();
        }
        let view = View {
            tree: &self.tree,
            program: self.program,
            marks: &self.runner.machine().marks,
            coverage_version: self.coverage_version,
        };
        self.strategy.pick(view)
    }

    /// An input that goes to an open alternative; the alternative is closed if none is found.
    fn solve(&mut self, ticket: Ticket) -> Option<Input> {
        let n_satisfied = self.tree.path_condition(ticket, &mut self.constraints);
        let origin = Rc::clone(self.tree.origin(ticket));
        let start = Instant::now();
        let query = Query {
            constraints: &self.constraints,
            n_satisfied,
            hint: &origin.model,
            limits: &self.options.query_limits,
        };
        let answer = self.queries.check(&mut self.runner, &mut *self.solver, &query);
        let time = start.elapsed();
        self.counters.solver_time += time;
        self.counters.n_queries = self.queries.n_queries;
        self.spent.add_query(self.tree.features(ticket).site, &answer, time);
        match answer {
            Answer::Sat(model) => Some(self.runner.apply(&origin.input, &model)),
            Answer::Unsat(_) => {
                self.tree.close(ticket, Closed::Infeasible);
                None
            }
            Answer::Unknown(Unknown::Interrupted) => None,
            Answer::Unknown(_) => {
                self.ledger.add(Loss::SolverUnknown, self.tree.features(ticket).site, 1);
                self.tree.close(ticket, Closed::Unknown);
                None
            }
        }
    }

    /// Runs the program, to take an open alternative if there is a target. Also says whether the path is new.
    fn run(&mut self, input: &Input, target: Option<Ticket>) -> Result<(Box<Run>, bool), Fault> {
        let mut base = None;
        self.prediction.clear();
        if let Some(ticket) = target {
            self.tree.prediction(ticket, &mut self.prediction);
            let origin = self.tree.origin(ticket);
            if input.keeps_references_of(&origin.input) {
                base = origin.snapshot_before(self.prediction.len() - 1);
            }
        }
        let start = Instant::now();
        let mut run = match &base {
            Some((_, snapshot)) => self.runner.run_from(snapshot, input, &self.prediction)?,
            None => self.runner.run(input, &self.prediction)?,
        };
        let time = start.elapsed();
        self.counters.run_time += time;
        self.counters.n_runs += 1;
        if let Some(ticket) = target {
            self.spent.add_run(self.tree.features(ticket).site, time);
        }
        self.counters.instructions += run.executed;
        self.account(&run);
        let origin = Rc::new(self.origin(&mut run, base));
        self.snapshots.add(&origin);
        let is_new = self.enter(&run, &origin, target);
        self.bound_snapshots();
        if let Some(ticket) = target
            && (run.divergence.is_some() || !is_new)
            && self.tree.is_open(ticket)
        {
            // To try again would give the same run.
            self.tree.close(ticket, Closed::Unknown);
        }
        Ok((Box::new(run), is_new))
    }

    fn origin(&mut self, run: &mut Run, base: Option<(usize, Rc<RunSnapshot>)>) -> Origin {
        Origin::new(run.input.clone(), std::mem::take(&mut run.model), base, self.runner.take_snapshots())
    }

    fn bound_snapshots(&mut self) {
        self.snapshots.tidy();
        if self.runner.snapshot_bytes() > self.options.snapshot_memory {
            let n_dropped = self.snapshots.drop_half();
            self.ledger.add(Loss::SnapshotsDropped, NOWHERE, n_dropped);
        }
    }

    /// Drops expressions that neither an open alternative nor a snapshot needs.
    fn collect(&mut self) {
        let freed =
            self.runner.collect(self.snapshots.live().iter().map(|snapshot| &**snapshot), self.tree.conditions());
        self.solver.forget(self.runner.pool(), &freed);
        self.counters.n_collections += 1;
        // To look at all that is alive must not become the main work.
        self.collect_at = self.options.collect_at.max(2 * self.runner.pool().n_nodes());
    }

    /// Enters a run into the tree. Says whether its path is new.
    fn enter(&mut self, run: &Run, origin: &Rc<Origin>, target: Option<Ticket>) -> bool {
        let n_new_marks = self.runner.machine_mut().marks.take_new();
        self.coverage_version += u64::from(n_new_marks > 0);
        let Self { tree, runner, options, .. } = self;
        let by_way_of = target.filter(|_| run.divergence.is_none());
        let path = Path { decisions: &run.path, origin, by_way_of, max_depth: options.max_depth };
        let entered = tree.enter(&path, |idx| runner.others(run, idx));
        if entered.n_cut_off > 0 {
            let site = run.path[options.max_depth as usize].site;
            self.ledger.add(Loss::DepthCut, site, entered.n_cut_off);
        }
        self.open(&entered.open, Gain { n_new_marks });
        entered.is_new
    }

    fn open(&mut self, opened: &[Ticket], gain: Gain) {
        let (checks, others): (Vec<Ticket>, Vec<Ticket>) =
            opened.iter().partition(|&&ticket| is_error(&self.tree, ticket));
        self.checks.extend(checks);
        self.n_tickets += others.len();
        if self.n_tickets > 2 * self.tree.n_open() + MIN_TIDIED {
            self.strategy.tidy(&self.tree);
            self.n_tickets = self.tree.n_open();
        }
        let view = View {
            tree: &self.tree,
            program: self.program,
            marks: &self.runner.machine().marks,
            coverage_version: self.coverage_version,
        };
        self.strategy.add(view, &others, gain);
    }

    fn account(&mut self, run: &Run) {
        for entry in &run.ledger {
            self.ledger.add(Loss::Run(entry.kind), entry.site, 1);
        }
        if let Some(divergence) = &run.divergence {
            self.counters.n_divergences += 1;
            self.ledger.add(Loss::Divergence, divergence.expected.0, 1);
        }
        match &run.stop {
            Stop::Unsupported(what) => {
                self.ledger.add(Loss::Unsupported, what.trace.first().copied().unwrap_or_default(), 1);
            }
            Stop::Limit(_) => {
                self.ledger.add(Loss::Limit, run.path.last().map_or(0, |decision| decision.site), 1);
            }
            _ => {}
        }
    }
}

/// Fewer tickets are not worth a look.
const MIN_TIDIED: usize = 1 << 12;

/// Whether an alternative is that something goes wrong.
fn is_error(tree: &Tree, ticket: Ticket) -> bool {
    let features = tree.features(ticket);
    matches!((features.kind, features.choice), (DecisionKind::Check(_), Choice::Key(1)) | (DecisionKind::Region, _))
}
