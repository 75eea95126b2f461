//! What is left out because inputs are independent, and what has to be done for that before a campaign is over.

use super::running::is_interrupted;
use super::{Explorer, Step};
use crate::ledger::{Loss, NOWHERE};
use crate::partition::{Partition, PartitionReport, Task};
use crate::strategy::Gain;
use spelunk_concolic::Run;
use spelunk_concolic::decision::Choice;
use spelunk_vm::memory::Fault;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Which inputs belong together, for all workers.
pub(crate) type SharedPartition = Arc<Mutex<Partition>>;

/// A worker that failed has left it as it was before or after a run.
pub(super) fn locked(partition: &Mutex<Partition>) -> MutexGuard<'_, Partition> {
    partition.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes down what the decisions of a run depend on, before it is entered into the tree.
pub(super) fn take_flow(partition: &mut Partition, run: &mut Run) {
    match run.flow.take() {
        Some(record) => partition.take(run, *record),
        None => partition.give_up(NOWHERE, "a run was not followed".to_owned()),
    }
}

impl Explorer<'_> {
    /// Others have the same inputs.
    pub(crate) fn share_partition(&mut self, partition: Option<SharedPartition>) {
        self.partition = partition;
    }

    /// Takes down what is new in a run that is known already.
    pub(super) fn learn_flow(&mut self, run: &mut Run) {
        if let (Some(partition), Some(record)) = (&self.partition, run.flow.take()) {
            locked(partition).learn(&record);
        }
    }

    /// The next thing to do for the sake of independent inputs, when nothing is open.
    pub(super) fn next_tied(&mut self) -> Result<Option<Step>, Fault> {
        let Some(partition) = self.partition.clone() else { return Ok(None) };
        let task = locked(&partition).next();
        Ok(match task {
            None => None,
            Some(Task::Open(work)) => Some(match self.graft(&work)? {
                Some(ticket) => {
                    // "Anything else" stays open until there is nothing else.
                    if work.choice == Choice::Rest {
                        self.open(&[ticket], Gain::default());
                    }
                    self.go_to(ticket, self.first_allowance_of(ticket))?
                }
                None => Step::Closed,
            }),
            Some(Task::Again(number)) => Some(self.execute_again(&partition, number)?),
        })
    }

    fn execute_again(&mut self, partition: &Mutex<Partition>, number: usize) -> Result<Step, Fault> {
        let Some((input, patience)) = locked(partition).input_of(number) else { return Ok(Step::Closed) };
        self.attempt.input = Some(Arc::clone(&input));
        self.runner.set_patience(patience);
        let mut run = self.runner.run(&input, &[])?;
        self.counters.instructions += run.executed;
        self.coverage_version += u64::from(self.runner.machine_mut().marks.take_new() > 0);
        if is_interrupted(&run) {
            return Ok(Step::Interrupted);
        }
        match run.flow.take() {
            Some(record) => locked(partition).replace(number, *record),
            None => locked(partition).give_up(NOWHERE, "a run was not followed".to_owned()),
        }
        Ok(Step::Closed)
    }

    /// Which inputs belong together, if that was asked for and nobody has told it yet.
    pub fn partition(&mut self) -> Option<PartitionReport> {
        let report = locked(self.partition.as_ref()?).report()?;
        if report.n_left_out > 0 {
            self.ledger.add(Loss::Independent, NOWHERE, report.n_left_out);
        }
        if let Some((site, why)) = &report.given_up {
            self.ledger.add_with(Loss::FlowNotFollowed, *site, 1, || why.clone());
        }
        Some(report)
    }
}
