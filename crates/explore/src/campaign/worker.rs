//! One thread of a campaign: an explorer, and what it tells and gives to others.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use spelunk_concolic::marks::Marks;
use spelunk_concolic::{Input, Runner, failure};
use spelunk_solver::LayerStats;
use spelunk_vm::Stop;
use spelunk_vm::memory::Fault;

use super::mailbox::{Event, Report, Sender};
use super::shared::Shared;
use super::{Options, Stopped, interval};
use crate::explorer::{Counters, Explorer, News, Step, Unfinished, Work};
use crate::ledger::{Loss, NOWHERE};
use crate::partition::PartitionReport;
use crate::program::ProgramFlow;
use crate::spent::Cost;

/// So often a worker goes on after an error of ours that is about none of its paths.
const MAX_FAILURES: usize = 3;

pub struct Worker {
    pub number: usize,
    pub shared: Arc<Shared>,
    pub program: Arc<ProgramFlow<'static>>,
    pub events: Sender,
}

impl Worker {
    pub fn work(self) -> Result<(), Fault> {
        match failure::catch(|| self.begin()) {
            Ok(explorer) => self.go_on(explorer),
            // It has never had any work.
            Err(what) => {
                self.shared.lose_worker();
                let mut report = Report::new(Marks::new(self.program.image.ops.len()));
                report.ledger.add_with(Loss::Internal, NOWHERE, 1, || what);
                let _ = self.events.send(Event::Done(Box::new(report)));
                Ok(())
            }
        }
    }

    fn begin(&self) -> Explorer<'_> {
        let Options { explorer, run, solver, seeds, .. } = &self.shared.options;
        let runner = Runner::new(self.program.image, run.clone());
        // The first worker begins, at last with an input of zeros; the others wait until it has something for them.
        let seeds = match self.number {
            0 => seeds.iter().cloned().chain([Input::new()]).collect(),
            _ => Vec::new(),
        };
        let mut options = explorer.clone();
        options.seed = options.seed.wrapping_add(self.number as u64);
        let mut explorer = Explorer::new(&self.program, runner, solver.clone(), options, seeds);
        explorer.share_partition(self.shared.partition.clone());
        if self.shared.options.n_workers > 1 {
            explorer.share();
        }
        explorer
    }

    fn go_on(&self, mut explorer: Explorer<'_>) -> Result<(), Fault> {
        for n_left in (0..MAX_FAILURES).rev() {
            match failure::catch(|| self.explore(&mut explorer)) {
                Ok(Ok(())) => break,
                // There is no machine that could have done anything.
                Ok(Err(fault)) => {
                    self.shared.end(Stopped::Interrupted);
                    return Err(fault);
                }
                Err(what) => explorer.fail(NOWHERE, &what, None),
            }
            // What it has open is lost; the others go on.
            if n_left == 0 {
                self.shared.lose_worker();
            }
        }
        if let Err(what) = failure::catch(|| self.report(&mut explorer)) {
            explorer.fail(NOWHERE, &what, None);
            let marks = Marks::new(self.program.image.ops.len());
            self.send_report(&explorer, marks, Vec::new(), None);
        }
        Ok(())
    }

    /// The worker's account at its end.
    fn report(&self, explorer: &mut Explorer<'_>) {
        for Unfinished { run, seed } in explorer.take_unfinished() {
            self.shared.n_paths.fetch_add(1, Ordering::Relaxed);
            // Nobody listens only if the observer has panicked.
            let _ = self.events.send(Event::Path { run, news: News::Path, seed, cost: Cost::default() });
        }
        explorer.leave(self.shared.take_work());
        let partition = explorer.partition();
        let marks = explorer.runner().machine().marks.clone();
        self.send_report(explorer, marks, explorer.solver_stats(), partition);
    }

    fn send_report(
        &self,
        explorer: &Explorer<'_>,
        marks: Marks,
        solver: Vec<LayerStats>,
        partition: Option<PartitionReport>,
    ) {
        let report = Report {
            counters: explorer.counters.clone(),
            ledger: explorer.ledger.clone(),
            spent: explorer.spent.clone(),
            marks,
            solver,
            partition,
        };
        let _ = self.events.send(Event::Done(Box::new(report)));
    }

    fn explore(&self, explorer: &mut Explorer<'_>) -> Result<(), Fault> {
        let mut told = (Instant::now(), explorer.coverage_version());
        let mut n_reliefs = 0;
        while !self.shared.has_ended() {
            if self.shared.relief.is_wanted(&mut n_reliefs) {
                let relieved = failure::catch(|| explorer.relieve());
                self.shared.relief.is_done();
                if let Err(what) = relieved {
                    explorer.fail(NOWHERE, &what, None);
                }
            }
            let before = explorer.counters.clone();
            failure::pass("worker");
            let step = match failure::catch(|| explorer.step()) {
                Ok(step) => step?,
                Err(what) => explorer.recover(&what)?,
            };
            match step {
                Step::Ran { run, news, .. } if matches!(run.stop, Stop::Infeasible) => {
                    self.shared.n_excluded.fetch_add(u64::from(news == News::Path), Ordering::Relaxed);
                }
                Step::Ran { run, news: news @ (News::Path | News::Outcome), seed } => {
                    self.shared.n_paths.fetch_add(u64::from(news == News::Path), Ordering::Relaxed);
                    let cost = Cost {
                        solver: explorer.counters.solver_time - before.solver_time,
                        run: explorer.counters.run_time - before.run_time,
                    };
                    if self.events.send(Event::Path { run, news, seed, cost }).is_err() {
                        return Ok(());
                    }
                }
                Step::Ran { news: News::Nothing, .. } | Step::PutAside | Step::Closed | Step::Interrupted => {}
                Step::Exhausted => match self.shared.wait_for_work() {
                    Some(work) => adopt(explorer, &work)?,
                    None => return Ok(()),
                },
            }
            self.account(&before, explorer);
            if told.1 != explorer.coverage_version() && told.0.elapsed() >= interval(self.shared.start) {
                told = (Instant::now(), explorer.coverage_version());
                let marks = explorer.runner().machine().marks.clone();
                if self.events.send(Event::Reached(Box::new(marks))).is_err() {
                    return Ok(());
                }
            }
            if self.shared.wants_work()
                && let Some(work) = explorer.give_away()
            {
                self.shared.give(work);
            }
        }
        Ok(())
    }

    fn account(&self, before: &Counters, explorer: &Explorer<'_>) {
        let now = &explorer.counters;
        let add = |counter: &AtomicU64, by: u64| counter.fetch_add(by, Ordering::Relaxed);
        add(&self.shared.instructions, now.instructions - before.instructions);
        add(&self.shared.solver_nanos, (now.solver_time - before.solver_time).as_nanos() as u64);
        add(&self.shared.run_nanos, (now.run_time - before.run_time).as_nanos() as u64);
        self.shared.n_open[self.number].store(explorer.n_open() as u64, Ordering::Relaxed);
        let n_expressions = explorer.runner().pool().n_nodes() as u64;
        self.shared.n_expressions[self.number].store(n_expressions, Ordering::Relaxed);
    }
}

/// Takes over work. All paths behind it would be lost for an error of ours that happens once: there is a second attempt.
fn adopt(explorer: &mut Explorer<'_>, work: &Work) -> Result<(), Fault> {
    for _ in 0..2 {
        match failure::catch(|| explorer.adopt(work)) {
            Ok(adopted) => return adopted,
            Err(what) => drop(explorer.recover(&what)?),
        }
    }
    Ok(())
}
