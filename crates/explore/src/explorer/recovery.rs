//! Goes on after an error of our own. What was attempted is given up, with a line in the ledger; all else that is open stays.

use std::panic::resume_unwind;
use std::sync::Arc;

use spelunk_concolic::{Input, Run};
use spelunk_solver::chain;
use spelunk_vm::memory::Fault;

use super::{Explorer, Step};
use crate::ledger::{Loss, NOWHERE};
use crate::tree::{Closed, Ticket};
use spelunk_ir::code::OpIdx;

/// What is being done.
#[derive(Default)]
pub(super) struct Attempt {
    pub target: Option<Ticket>,
    pub seed: Option<usize>,
    /// What runs, once that is known.
    pub input: Option<Arc<Input>>,
}

impl Explorer<'_> {
    /// After a panic in a step, or while work was adopted. Nothing of VM and solver is used any more. The decisions that a
    /// run made before it failed are a path like any other, whose alternatives are open. Panics if there is nothing that
    /// could be given up: whatever failed would do so again.
    pub fn recover(&mut self, what: &str) -> Result<Step, Fault> {
        let Attempt { target, seed, input } = std::mem::take(&mut self.attempt);
        if target.is_none() && input.is_none() {
            resume_unwind(Box::new(what.to_owned()));
        }
        self.snapshots.drop_all();
        let run = self.runner.recover(what)?;
        self.solver.stats(&mut self.earlier_stats);
        self.solver = chain::build(&self.solver_options);
        self.queries = self.queries.renewed();
        let target = target.filter(|&ticket| self.tree.is_open(ticket));
        self.prediction.clear();
        if let Some(ticket) = target {
            self.tree.prediction(ticket, &mut self.prediction);
        }
        let last_op = run.as_ref().map_or(NOWHERE, |run| run.last_op);
        let site = match (&input, target) {
            (Some(_), _) => last_op,
            (None, Some(ticket)) => self.tree.features(ticket).site,
            (None, None) => NOWHERE,
        };
        self.fail(site, what, input.as_deref());
        // Who gave work away has the rest of its path.
        let is_own = input.is_some() && (target.is_some() || seed.is_some());
        let is_whole = |run: &Run| is_own && !run.path.is_empty() && run.path.len() >= self.prediction.len();
        match run.filter(is_whole) {
            Some(run) => Ok(self.take_down(run, None, target, seed, false)),
            None => {
                if let Some(ticket) = target {
                    self.tree.close(ticket, Closed::Unknown);
                }
                Ok(Step::Closed)
            }
        }
    }

    /// Notes an error of our own.
    pub fn fail(&mut self, site: OpIdx, what: &str, input: Option<&Input>) {
        let given = |input| format!(", given {}", brief(input));
        let detail = || format!("{what}{}", input.map(given).unwrap_or_default());
        self.ledger.add_with(Loss::Internal, site, 1, detail);
    }
}

/// As much of an object as is shown.
const MAX_BYTES: usize = 16;

/// As many objects are shown.
const MAX_OBJECTS: usize = 4;

/// An input in one line.
pub(crate) fn brief(input: &Input) -> String {
    let object = |object: &spelunk_concolic::InputObject| {
        let shown = &object.bytes[..object.bytes.len().min(MAX_BYTES)];
        let rest = if shown.len() < object.bytes.len() { "…" } else { "" };
        format!("{}=\"{}\"{rest}", object.name, shown.escape_ascii())
    };
    let shown: Vec<String> = input.objects.iter().take(MAX_OBJECTS).map(object).collect();
    match (shown.is_empty(), input.objects.len() > MAX_OBJECTS) {
        (true, _) => "zeros".to_owned(),
        (false, true) => format!("{}, …", shown.join(", ")),
        (false, false) => shown.join(", "),
    }
}
