//! Runs the program and takes down what came of it: in the tree, in the ledger, in the counts.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use spelunk_concolic::decision::{Choice, Decision, DecisionKind, Others};
use spelunk_concolic::ledger::{Bound, LedgerEntry, LedgerKind, MAX_OPEN_SIZE};
use spelunk_concolic::theories::{Opening, Verdict};
use spelunk_concolic::{Input, Run, RunSnapshot, Runner};
use spelunk_expr::ExprId;
use spelunk_vm::memory::Fault;
use spelunk_vm::{BugKind, Limit, Outside, Stop};

use super::independent::{locked, take_flow};
use super::put_aside::{Unfinished, is_put_aside};
use super::recovery::Attempt;
use super::{Explorer, News, Step, Way};
use crate::ledger::{Loss, NOWHERE};
use crate::origin::Origin;
use crate::partition::Partition;
use crate::strategy::Gain;
use crate::tree::{Closed, Entered, Features, Path, Source, Ticket};
use spelunk_ir::code::OpIdx;

impl Explorer<'_> {
    pub(super) fn run(&mut self, input: Input, way: Way<'_>) -> Result<Step, Fault> {
        self.prediction.clear();
        let (target, seed, from, site) = match way {
            Way::Seed(number) => (None, Some(number), None, None),
            Way::Long => (None, None, None, None),
            Way::Alternative(ticket) => {
                self.tree.prediction(ticket, &mut self.prediction);
                let site = self.tree.features(ticket).site;
                (Some(ticket), None, Some(Rc::clone(self.tree.origin(ticket))), Some(site))
            }
            Way::Goal(aim) => {
                self.prediction.extend(aim.decisions());
                (None, None, Some(Rc::clone(&aim.origin)), Some(aim.site()))
            }
        };
        let input = Arc::new(input);
        let base = from.filter(|origin| self.runner.machine().serves(&origin.input, &input)).and_then(|origin| {
            // What is new comes after the last decision that is predicted, or is that decision.
            origin.snapshot_before(self.prediction.len().checked_sub(1)?)
        });
        self.runner.set_patience(self.patience(way));
        self.attempt = Attempt { target, seed, input: Some(Arc::clone(&input)) };
        let start = Instant::now();
        let run = match &base {
            Some((_, snapshot)) => self.runner.run_from(snapshot, &input, &self.prediction)?,
            None => self.runner.run(&input, &self.prediction)?,
        };
        let time = start.elapsed();
        self.counters.run_time += time;
        self.counters.n_runs += 1;
        self.counters.summaries = self.runner.summary_work();
        if let Some(site) = site {
            self.spent.add_run(site, time);
        }
        self.counters.instructions += run.executed;
        if is_interrupted(&run) {
            self.counters.interrupted_at.extend((run.executed > LONG_RUN).then_some(run.last_op));
            return Ok(Step::Interrupted);
        }
        let mut step = self.take_down(run, base, target, seed, matches!(way, Way::Goal(_)));
        if let Step::Ran { run, news: News::Path | News::Outcome, .. } = &mut step
            && self.runner.has_summarised()
        {
            self.run_plainly(run)?;
        }
        if let Step::Ran { run, news: News::Path, .. } = &mut step {
            run.audit = self.audit(run)?;
            self.options.targets.forget(&mut self.runner.machine_mut().marks);
        }
        Ok(step)
    }

    /// Makes of a run in which calls were answered by what functions return the one that everybody else sees: a test is to take its path
    /// again, and lines count that were executed. If it ends otherwise, the summaries are wrong, which is an error of ours.
    fn run_plainly(&mut self, run: &mut Run) -> Result<(), Fault> {
        let mut plain = self.runner.run_plainly(&run.input)?;
        self.counters.n_runs += 1;
        self.counters.instructions += plain.executed;
        if is_interrupted(&plain) {
            run.path = Arc::default();
            return Ok(());
        }
        if !is_put_aside(run) && std::mem::discriminant(&plain.stop) != std::mem::discriminant(&run.stop) {
            self.diverged(plain.last_op);
        }
        self.runner.observe(&mut plain);
        let n_new_marks = self.runner.machine_mut().marks.take_new();
        self.coverage_version += u64::from(n_new_marks > 0);
        plain.reaches_new = run.reaches_new || n_new_marks > 0;
        self.options.targets.forget(&mut self.runner.machine_mut().marks);
        plain.targets = std::mem::take(&mut run.targets);
        plain.goals.clear();
        *run = plain;
        Ok(())
    }

    /// What came of a run that was predicted to take `target`, from `base` on, or was aimed at an outcome.
    pub(super) fn take_down(
        &mut self,
        mut run: Run,
        base: Option<(usize, Rc<RunSnapshot>)>,
        target: Option<Ticket>,
        seed: Option<usize>,
        is_aimed: bool,
    ) -> Step {
        let beyond = self.beyond(&run, target);
        self.account(&run, beyond);
        let marks = &mut self.runner.machine_mut().marks;
        run.targets = self.options.targets.take(self.program.image, marks, &run.stop);
        self.passed = self.options.targets.forget(marks);
        let origin = Rc::new(self.origin(&mut run, base));
        self.snapshots.add(&origin);
        let n_new_marks = self.runner.machine_mut().marks.take_new();
        self.coverage_version += u64::from(n_new_marks > 0);
        if let Some(Features { site, choice, .. }) = target.map(|ticket| self.tree.features(ticket)) {
            self.learn_end((site, choice), &run);
        }
        let is_stretched = target.is_none() && seed.is_none() && !is_aimed;
        // The tree would take what is left out because of a long string for something that no string has.
        let is_beyond = target.is_none() && self.runner.machine().has_undecided_long();
        let entered = match is_beyond || is_stretched && self.is_shared {
            // It may lie beyond bounds, where no worker knows what others have done.
            true => {
                self.learn_flow(&mut run);
                Entered::default()
            }
            false => self.enter(&mut run, &origin, target, n_new_marks),
        };
        self.take_goals(&mut run, &origin);
        self.note_run(&run, n_new_marks > 0);
        let is_new = entered.is_new;
        let is_new_bug = self.note_error(&run.stop) && is_stretched;
        let news = match is_new {
            true => News::Path,
            // The tree does not know what lies beyond a bound from what it has explored.
            false if n_new_marks > 0 || is_new_bug || !run.targets.is_empty() => News::Outcome,
            false => News::Nothing,
        };
        if news != News::Nothing {
            self.runner.observe(&mut run);
        }
        self.bound_snapshots();
        if let Some(ticket) = target
            && (run.divergence.is_some() || !(is_new || entered.goes_on.is_some()))
            && self.tree.is_open(ticket)
        {
            // To try again would give the same run.
            self.tree.close(ticket, if beyond.is_some() { Closed::Refused } else { Closed::Unknown });
            if run.divergence.is_none() {
                self.diverged(self.prediction.last().map_or(NOWHERE, |expected| expected.0));
            }
        }
        let continued = target.and_then(|ticket| self.put_aside.take(ticket));
        // What it had reached before it was put aside is new too.
        run.reaches_new = n_new_marks > 0 || continued.is_some() || !run.targets.is_empty();
        let run = Box::new(run);
        if !is_put_aside(&run) || (is_aimed && news == News::Outcome) || !run.targets.is_empty() {
            return Step::Ran { run, news, seed };
        }
        let has_news = n_new_marks > 0 || continued.is_some();
        if let Some(ticket) = entered.goes_on.filter(|_| has_news) {
            let seed = seed.or(continued.and_then(|before| before.seed));
            self.put_aside.keep(ticket, Unfinished { run, seed });
        }
        Step::PutAside
    }

    pub(super) fn diverged(&mut self, site: OpIdx) {
        self.counters.n_divergences += 1;
        self.ledger.add(Loss::Divergence, site, 1);
    }

    pub(super) fn origin(&mut self, run: &mut Run, base: Option<(usize, Rc<RunSnapshot>)>) -> Origin {
        Origin::new(Arc::clone(&run.input), std::mem::take(&mut run.model), base, self.runner.take_snapshots())
    }

    /// Enters a run into the tree.
    fn enter(&mut self, run: &mut Run, origin: &Rc<Origin>, target: Option<Ticket>, n_new_marks: u32) -> Entered {
        let Self { tree, runner, options, .. } = self;
        // No other run comes in between: what is asked about alternatives is about the run that was taken down last.
        let partition = self.partition.clone();
        let mut partition = partition.as_deref().map(locked);
        if let Some(partition) = &mut partition {
            take_flow(partition, run);
        }
        let run = &*run;
        let by_way_of = target.filter(|_| run.divergence.is_none());
        let path = Path {
            decisions: &run.path,
            origin,
            by_way_of,
            max_depth: options.max_depth,
            has_ended: !is_put_aside(run) && !run.goes_on,
        };
        let mut asked = Asked { runner, run, partition: partition.as_deref_mut(), refused: Vec::new() };
        let mut entered = tree.enter(&path, &mut asked);
        if entered.is_new {
            asked.runner.count_refused(run, run.path.len());
        }
        for (site, loss, why) in asked.refused {
            self.ledger.add_with(loss, site, 1, || why.to_string());
        }
        entered.open.extend(entered.goes_on);
        if entered.n_cut_off > 0 {
            let site = run.path[options.max_depth as usize].site;
            self.ledger.add(Loss::DepthCut, site, entered.n_cut_off);
        }
        self.open(&entered.open, Gain { n_new_marks });
        entered
    }

    /// The bound that an alternative lies beyond, where a run that was to take it has shown that: it was to make a string longer than usual, of
    /// which the program had seen the end.
    fn beyond(&mut self, run: &Run, target: Option<Ticket>) -> Option<Bound> {
        run.divergence?;
        self.tree.path_condition(target?, &mut self.constraints);
        let &asked = self.constraints.last()?;
        self.runner.machine_mut().lengthens(asked).map(Bound::String)
    }

    fn account(&mut self, run: &Run, beyond: Option<Bound>) {
        // What a program changes, it finds changed: nothing is given up.
        let is_loss = |entry: &&LedgerEntry| !matches!(entry.kind, LedgerKind::Environment(Outside::Changed(_)));
        for entry in run.ledger.iter().filter(is_loss) {
            let detail = || match entry.kind {
                LedgerKind::Stub(external) => {
                    let name = &self.program.image.externals[external as usize];
                    format!("`{name}` is not defined, and taken to return an input and do nothing else")
                }
                LedgerKind::NoObject => {
                    "behind as many objects of a type as `--nesting` allows, pointers to more are null".to_owned()
                }
                LedgerKind::Bound(bound) => crate::bounds::beyond(bound),
                LedgerKind::OpaquePointer => "pointers to what has no definition are null".to_owned(),
                LedgerKind::ConcreteAddress
                | LedgerKind::ConcreteValue
                | LedgerKind::ConcreteText
                | LedgerKind::Uninitialised { .. }
                | LedgerKind::Environment(_)
                | LedgerKind::EndedCheck
                | LedgerKind::UncheckedRules
                | LedgerKind::KeptApart
                | LedgerKind::FarOverlap
                | LedgerKind::ObjectSize
                | LedgerKind::Command => entry.detail.as_deref().unwrap_or_default().to_owned(),
            };
            self.ledger.add_with(Loss::Run(entry.kind), entry.site, 1, detail);
        }
        match (&run.divergence, beyond) {
            (Some(divergence), Some(bound)) => {
                let detail = || crate::bounds::beyond(bound);
                self.ledger.add_with(Loss::Run(LedgerKind::Bound(bound)), divergence.expected.0, 1, detail);
            }
            (Some(divergence), None) => self.diverged(divergence.expected.0),
            (None, _) => {}
        }
        match &run.stop {
            // That it failed is in the ledger.
            _ if run.failure.is_some() => {}
            Stop::Unsupported(what) => {
                self.ledger.add_with(Loss::Unsupported, run.last_op, 1, || what.what.clone());
            }
            Stop::Limit(Limit::Instructions) => {
                let detail = || "more instructions than `--path-instructions` allows".to_owned();
                self.ledger.add_with(Loss::Limit, run.last_op, 1, detail);
            }
            // How large the allocation is, is up to the input: smaller ones are other paths.
            Stop::Limit(Limit::Memory) if run.path.last().is_some_and(is_too_large) => {
                let bound = Bound::Allocation(MAX_OPEN_SIZE);
                let detail = || crate::bounds::beyond(bound);
                self.ledger.add_with(Loss::Run(LedgerKind::Bound(bound)), run.last_op, 1, detail);
            }
            Stop::Limit(Limit::Memory) => {
                let detail = || "more memory than `--path-memory` allows".to_owned();
                self.ledger.add_with(Loss::Limit, run.last_op, 1, detail);
            }
            _ => {}
        }
    }
}

/// Whether a decision is for more memory than there is.
fn is_too_large(decision: &Decision) -> bool {
    decision.kind == DecisionKind::Check(BugKind::MemoryLimit) && decision.taken == 1
}

/// A run of which alternatives are asked for.
struct Asked<'a, 'p> {
    runner: &'a mut Runner<'p>,
    run: &'a Run,
    partition: Option<&'a mut Partition>,
    /// Where alternatives were refused, and why.
    refused: Vec<(OpIdx, Loss, Arc<str>)>,
}

impl Source for &mut Asked<'_, '_> {
    fn others(&mut self, index: usize) -> Others {
        self.runner.count_refused(self.run, index);
        self.runner.others(self.run, index)
    }

    fn refuses(&mut self, index: usize, choice: Choice, cond: ExprId) -> Option<Closed> {
        let site = self.run.path[index].site;
        let opening = Opening { path: &self.run.path, index, site, cond, input: &self.run.input };
        let refusal = refusal(self.runner.machine_mut().admit(&opening));
        if let Some((loss, why)) = refusal {
            self.refused.push((site, loss, why));
            return Some(Closed::Refused);
        }
        let is_new = self.partition.as_mut().is_none_or(|partition| partition.admits(index, choice));
        (!is_new).then_some(Closed::Implied)
    }
}

/// What is lost if something is not explored, and why.
pub(super) fn refusal(verdict: Verdict) -> Option<(Loss, Arc<str>)> {
    match verdict {
        Verdict::Open => None,
        Verdict::Refuse(why) => Some((Loss::Refused, why)),
        Verdict::Beyond(bound) => Some((Loss::Run(LedgerKind::Bound(bound)), crate::bounds::beyond(bound).into())),
    }
}

/// Instructions from which on a run may be one without an end.
const LONG_RUN: u64 = 1_000_000;

/// Whether a run is not a path of the program but one that was cut off by the end of the campaign.
pub(super) fn is_interrupted(run: &Run) -> bool {
    matches!(run.stop, Stop::Limit(Limit::Interrupted))
}
