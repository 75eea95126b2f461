//! Explores a program path by path: picks an open alternative, asks the solver for an input that goes there, runs it.
//!
//! `running` does the latter and takes down what came of it, `audit` asks whether a path has a valid input, `goals` looks for outcomes that are no decisions, `errors` has the alternatives in which something goes
//! wrong, `doubts` those of them that have never come true, `known` those that lead to known errors, `independent` leaves out what other inputs do meanwhile, `put_aside` has the runs that did not come to their end, `postponed` the alternatives whose queries took too long, `pumping` tries inputs that go further,
//! `room` keeps memory within bounds, `recovery` goes on after an error of our own,
//! `relevance` keeps to what may lead to a target, `sharing` is what explorers of one program give each other.

mod audit;
mod doubts;
mod errors;
mod goals;
mod independent;
mod known;
mod postponed;
mod pumping;
mod put_aside;
mod recovery;
mod relevance;
mod room;
mod running;
mod settings;
mod sharing;

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use spelunk_concolic::{Expected, Input, Run, Runner, failure};
use spelunk_expr::ExprId;
use spelunk_solver::{LayerStats, Limits as QueryLimits, Query, Solver, Unknown, chain};
use spelunk_vm::memory::Fault;

use crate::ledger::{Ledger, Loss};
use crate::origin::{Origin, SnapshotCache};
use crate::partition::Partition;
use crate::program::ProgramFlow;
use crate::queries::{Found, Queries};
use crate::spent::Spent;
use crate::strategy::{self, Gain, Strategy, View};
use crate::targets::Towards;
use crate::tree::{Closed, Ticket, Tree};
use doubts::Doubts;
use errors::{Errors, is_error};
use goals::Aim;
use known::Known;
use postponed::Postponed;
use pumping::Pumping;
use put_aside::PutAside;
use recovery::Attempt;
use spelunk_ir::code::OpIdx;

pub use goals::Met;
pub(crate) use independent::SharedPartition;
pub use put_aside::Unfinished;
pub(crate) use recovery::brief;
pub use relevance::Aims;
pub use settings::{Counters, Options};
pub use sharing::Work;

/// What one step came to.
#[derive(Debug)]
pub enum Step {
    /// A run.
    Ran { run: Box<Run>, news: News, seed: Option<usize> },
    /// A run that was put aside before its end.
    PutAside,
    /// An alternative turned out to have no input, or none that the solver finds.
    Closed,
    /// The stop flag was raised before there was a result.
    Interrupted,
    /// Nothing is open any more.
    Exhausted,
}

/// What is new about a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// Its path.
    Path,
    /// What it reached, on a known path.
    Outcome,
    /// A seed, or it diverged.
    Nothing,
}

/// What a run is for.
#[derive(Clone, Copy)]
enum Way<'a> {
    Seed(usize),
    Alternative(Ticket),
    Goal(&'a Aim),
    /// It was tried, and came to something new.
    Long,
}

pub struct Explorer<'p> {
    program: &'p ProgramFlow<'p>,
    runner: Runner<'p>,
    solver: Box<dyn Solver>,
    solver_options: chain::Options,
    /// Of solvers that were given up.
    earlier_stats: Vec<LayerStats>,
    queries: Queries,
    options: Options,
    tree: Tree,
    snapshots: SnapshotCache,
    strategy: Box<dyn Strategy>,
    errors: Errors,
    doubts: Doubts,
    /// Inputs to run before anything else, each once.
    seeds: std::iter::Enumerate<std::vec::IntoIter<Input>>,
    known: Known,
    put_aside: PutAside,
    /// Work of others that there was no time to take over.
    not_adopted: Vec<Work>,
    postponed: Postponed,
    /// Which inputs belong together, if others are not to be explored together.
    partition: Option<SharedPartition>,
    /// Whether others explore parts of the same tree.
    is_shared: bool,
    pumping: Pumping,
    /// What is tried next, before anything else, from the last on.
    goals: Vec<Aim>,
    /// Those that are tried again when there is nothing else to do.
    hard_goals: VecDeque<Aim>,
    attempt: Attempt,
    /// Where targets lie, if there are any.
    towards: Option<Towards>,
    /// A target that the last run has passed, though its input is none.
    passed: Option<usize>,
    /// Alternatives to such runs, each with the target before it: another input that passes it may be one.
    behind: FxHashMap<Ticket, usize>,
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
    /// Of alternatives that are being opened.
    ranks: Vec<u64>,
}

impl<'p> Explorer<'p> {
    /// The seeds are run first.
    pub fn new(
        program: &'p ProgramFlow<'p>,
        runner: Runner<'p>,
        solver_options: chain::Options,
        options: Options,
        seeds: Vec<Input>,
    ) -> Self {
        Self {
            partition: runner.flow().map(|known| Arc::new(Mutex::new(Partition::new(known)))),
            is_shared: false,
            program,
            runner,
            solver: chain::build(&solver_options),
            solver_options,
            earlier_stats: Vec::new(),
            queries: Queries::default(),
            strategy: strategy::build(options.strategy, options.seed),
            collect_at: options.collect_at,
            options,
            tree: Tree::new(),
            snapshots: SnapshotCache::default(),
            errors: Errors::default(),
            doubts: Doubts::default(),
            seeds: seeds.into_iter().enumerate(),
            known: Known::default(),
            put_aside: PutAside::default(),
            not_adopted: Vec::new(),
            postponed: Postponed::default(),
            pumping: Pumping::default(),
            goals: Vec::new(),
            hard_goals: VecDeque::new(),
            attempt: Attempt::default(),
            towards: None,
            passed: None,
            behind: FxHashMap::default(),
            ledger: Ledger::default(),
            spent: Spent::default(),
            counters: Counters::default(),
            coverage_version: 0,
            n_tickets: 0,
            constraints: Vec::new(),
            prediction: Vec::new(),
            ranks: Vec::new(),
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
        self.tree.n_open() + self.postponed.len()
    }

    pub fn solver_stats(&self) -> Vec<LayerStats> {
        let mut stats = self.earlier_stats.clone();
        self.solver.stats(&mut stats);
        stats
    }

    /// Does the next thing there is to do. An error only if the program's variables don't fit in memory.
    pub fn step(&mut self) -> Result<Step, Fault> {
        self.attempt = Attempt::default();
        if self.runner.pool().n_nodes() > self.collect_at {
            self.collect();
        }
        if let Some((number, input)) = self.seeds.next() {
            let input = self.runner.completed(&input)?;
            return self.run(input, Way::Seed(number));
        }
        if let Some(aim) = self.next_goal() {
            return self.aim(aim);
        }
        if let Some(step) = self.try_far()? {
            return Ok(step);
        }
        if self.has_time_for_postponed() {
            return self.try_again();
        }
        match self.pick() {
            Some(ticket) => self.go_to(ticket, self.first_allowance_of(ticket)),
            None => match self.next_tied()? {
                Some(step) => Ok(step),
                None => self.try_again(),
            },
        }
    }

    /// What was put aside because it was hard.
    fn try_again(&mut self) -> Result<Step, Fault> {
        if self.options.targets.are_all_reached() {
            return Ok(Step::Exhausted);
        }
        let Some((work, allowance)) = self.postponed.take() else {
            return self.next_hard_goal().map_or(Ok(Step::Exhausted), |aim| self.aim(aim));
        };
        let before = (self.postponed.time, self.counters.solver_time);
        let step = match self.graft(&work)? {
            Some(ticket) => self.go_to(ticket, Some(allowance))?,
            None => Step::Closed,
        };
        self.postponed.time = before.0 + (self.counters.solver_time - before.1);
        Ok(step)
    }

    /// Goes to an open alternative, if its query is answered in this time.
    fn go_to(&mut self, ticket: Ticket, allowance: Option<Duration>) -> Result<Step, Fault> {
        self.attempt.target = Some(ticket);
        match self.solve(ticket, allowance) {
            Ok(input) => self.run(input, Way::Alternative(ticket)),
            Err(step) => Ok(step),
        }
    }

    fn pick(&mut self) -> Option<Ticket> {
        self.look_ahead();
        loop {
            let ticket = self.pick_any()?;
            if !self.close_beside(ticket) {
                return Some(ticket);
            }
        }
    }

    fn pick_any(&mut self) -> Option<Ticket> {
        if let Some(ticket) = self.pick_error() {
            return Some(ticket);
        }
        if self.options.targets.are_all_reached() {
            return None;
        }
        if let Some(ticket) = self.known_in_between().or_else(|| self.doubtful_in_between()) {
            return Some(ticket);
        }
        // Some strategies look at the whole tree.
        for _ in 0..MAX_PICKS {
            let (strategy, view) = self.strategy_and_view();
            let Some(ticket) = strategy.pick(view) else { break };
            if !self.defer_known(ticket) {
                return Some(ticket);
            }
        }
        self.next_doubtful().or_else(|| self.next_known())
    }

    fn strategy_and_view(&mut self) -> (&mut dyn Strategy, View<'_>) {
        let view = View {
            tree: &self.tree,
            program: self.program,
            marks: &self.runner.machine().marks,
            coverage_version: self.coverage_version,
            ranks: &self.ranks,
            aim: relevance::aims(&self.options.targets, self.towards.as_ref(), &self.runner),
        };
        (&mut *self.strategy, view)
    }

    /// An input that goes to an open alternative. If none is found, the alternative is closed or put aside, and that is the
    /// step.
    fn solve(&mut self, ticket: Ticket, allowance: Option<Duration>) -> Result<Input, Step> {
        let n_satisfied = self.tree.path_condition(ticket, &mut self.constraints);
        let origin = Rc::clone(self.tree.origin(ticket));
        let site = self.tree.features(ticket).site;
        let (found, time) = self.find(n_satisfied, &origin, allowance);
        let is_too_hard = matches!(found, Found::Unknown(Unknown::Time));
        if is_error(&self.tree, ticket) {
            self.learn_check(ticket, matches!(found, Found::Input(_)), time);
        }
        if is_too_hard && self.postpone(ticket, allowance) {
            self.postponed.time += time;
            self.spent.add_time(site, time);
            return Err(Step::Closed);
        }
        match self.take_answer(site, found, time) {
            Ok(input) => Ok(input),
            Err(None) => Err(Step::Interrupted),
            Err(Some(why)) => {
                self.tree.close(ticket, why);
                Err(Step::Closed)
            }
        }
    }

    /// An input for which the constraints hold, of which the first do for the origin.
    fn find(&mut self, n_satisfied: usize, origin: &Origin, allowance: Option<Duration>) -> (Found, Duration) {
        let start = Instant::now();
        let limits = QueryLimits { time: allowance, ..self.options.query_limits.clone() };
        let query = Query { constraints: &self.constraints, n_satisfied, hint: &origin.model, limits: &limits };
        failure::pass("query");
        let found = self.queries.find(&mut self.runner, &mut *self.solver, &query, &origin.input);
        let time = start.elapsed();
        self.counters.solver_time += time;
        self.counters.n_queries = self.queries.n_queries;
        self.counters.shortcuts = self.queries.shortcuts;
        if !matches!(found, Found::Unknown(_)) {
            self.postponed.learn(time);
        }
        (found, time)
    }

    /// Takes down what came of a query. If there is no input, the reason; nothing if nobody knows yet.
    fn take_answer(&mut self, site: OpIdx, found: Found, time: Duration) -> Result<Input, Option<Closed>> {
        self.spent.add_query(site, &found, time);
        match found {
            Found::Input(input) => Ok(input),
            Found::Unknown(Unknown::Interrupted) => Err(None),
            Found::Infeasible => Err(Some(Closed::Infeasible)),
            Found::Unknown(why) => {
                self.ledger.add_with(Loss::SolverUnknown, site, 1, || why.to_string());
                Err(Some(Closed::Unknown))
            }
        }
    }

    fn open(&mut self, opened: &[Ticket], gain: Gain) {
        self.look_ahead();
        if let Some(number) = self.passed.take() {
            self.behind.extend(opened.iter().map(|&ticket| (ticket, number)));
        }
        // A seed that goes where nothing is of use is a test none the less.
        let is_last_seed = self.seeds.len() == 0;
        let of_use = opened.iter().copied().filter(|&ticket| !(is_last_seed && self.close_beside(ticket)));
        let of_use: Vec<Ticket> = of_use.collect();
        let of_use: Vec<Ticket> = of_use.into_iter().filter(|&ticket| !self.defer_known(ticket)).collect();
        let (checks, others): (Vec<Ticket>, Vec<Ticket>) =
            of_use.iter().partition(|&&ticket| is_error(&self.tree, ticket));
        self.add_errors(checks, gain);
        self.n_tickets += others.len();
        if self.n_tickets > 2 * self.tree.n_open() + MIN_TIDIED {
            self.strategy.tidy(&self.tree);
            self.known.tidy(&self.tree);
            self.doubts.tidy(&self.tree);
            self.n_tickets = self.tree.n_open();
        }
        if self.options.strategy.asks_for_ranks() {
            self.ranks = others.iter().map(|&ticket| self.rank(ticket)).collect();
        }
        let (strategy, view) = self.strategy_and_view();
        strategy.add(view, &others, gain);
    }

    /// What theories say of when an alternative is to come; what they say nothing of comes first.
    fn rank(&mut self, ticket: Ticket) -> u64 {
        let input = Arc::clone(&self.tree.origin(ticket).input);
        let cond = self.tree.condition(ticket);
        cond.and_then(|cond| self.runner.machine_mut().rank(&input, cond)).unwrap_or(0)
    }
}

/// How often a strategy is asked for something that does not only lead to known errors.
const MAX_PICKS: usize = 8;

/// Fewer tickets are not worth a look.
const MIN_TIDIED: usize = 1 << 12;
