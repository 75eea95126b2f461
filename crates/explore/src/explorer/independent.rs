//! What is left out because inputs are independent, and what has to be done for that before a campaign is over.

use super::running::is_interrupted;
use super::{Explorer, Step};
use crate::ledger::{Loss, NOWHERE};
use crate::partition::{Partition, PartitionReport, Task};
use spelunk_concolic::Run;
use spelunk_vm::memory::Fault;
use std::sync::Arc;

impl Explorer<'_> {
    /// Takes down what the decisions of a run depend on, before it is entered into the tree.
    pub(super) fn take_flow(&mut self, run: &mut Run) {
        let Some(partition) = &mut self.partition else { return };
        match run.flow.take() {
            Some(record) => {
                let runner = &mut self.runner;
                partition.take(run, *record, |index| runner.others(run, index).into_iter().map(|it| it.0).collect());
            }
            None => partition.give_up(NOWHERE, "a run was not followed".to_owned()),
        }
    }

    /// The same for a run that is known already.
    pub(super) fn learn_flow(&mut self, run: &mut Run) {
        if let (Some(partition), Some(record)) = (&mut self.partition, run.flow.take()) {
            partition.learn(&record);
        }
    }

    /// The next thing to do for the sake of independent inputs, when nothing is open.
    pub(super) fn next_tied(&mut self) -> Result<Option<Step>, Fault> {
        let Some(task) = self.partition.as_mut().and_then(Partition::next) else { return Ok(None) };
        match task {
            Task::Open(work) => {
                let step = match self.graft(&work)? {
                    Some(ticket) => self.go_to(ticket, self.first_allowance_of(ticket))?,
                    None => Step::Closed,
                };
                Ok(Some(step))
            }
            Task::Again(number) => self.execute_again(number).map(Some),
        }
    }

    fn execute_again(&mut self, number: usize) -> Result<Step, Fault> {
        let Some(partition) = &self.partition else { return Ok(Step::Closed) };
        let (input, patience) = partition.input_of(number);
        let input = Arc::clone(input);
        self.attempt.input = Some(Arc::clone(&input));
        self.runner.set_patience(patience);
        let mut run = self.runner.run(&input, &[])?;
        self.counters.instructions += run.executed;
        self.coverage_version += u64::from(self.runner.machine_mut().marks.take_new() > 0);
        if is_interrupted(&run) {
            return Ok(Step::Interrupted);
        }
        let Some(partition) = &mut self.partition else { return Ok(Step::Closed) };
        match run.flow.take() {
            Some(record) => partition.replace(number, *record),
            None => partition.give_up(NOWHERE, "a run was not followed".to_owned()),
        }
        Ok(Step::Closed)
    }

    /// Which inputs belong together, if that was asked for.
    pub fn partition(&mut self) -> Option<PartitionReport> {
        let report = self.partition.as_mut()?.report();
        if report.n_left_out > 0 {
            self.ledger.add(Loss::Independent, NOWHERE, report.n_left_out);
        }
        if let Some((site, why)) = &report.given_up {
            self.ledger.add_with(Loss::FlowNotFollowed, *site, 1, || why.clone());
        }
        Some(report)
    }
}
