//! Open alternatives that go from one explorer to another.

use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use spelunk_concolic::decision::{Choice, Others};
use spelunk_concolic::{Input, failure};
use spelunk_vm::memory::Fault;

use super::Explorer;
use super::recovery::Attempt;
use super::running::is_interrupted;
use crate::ledger::NOWHERE;
use crate::strategy::Gain;
use crate::tree::{Closed, Features};

/// An open alternative that any explorer of the same program understands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Work {
    /// An input that goes to the decision.
    pub input: Input,
    /// How many decisions come before.
    pub depth: u32,
    pub choice: Choice,
}

impl Explorer<'_> {
    /// Part of what is open, for another explorer. Nothing if there is little.
    pub fn give_away(&mut self) -> Option<Work> {
        // A seed may take what is given away now.
        if self.tree.n_open() < 2 || self.seeds.len() > 0 || self.options.targets.are_all_reached() {
            return None;
        }
        let ticket = self.tree.shallowest()?;
        let Features { depth, choice, .. } = self.tree.features(ticket);
        let input = Input::clone(&self.tree.origin(ticket).input);
        self.tree.close(ticket, Closed::GivenAway);
        self.put_aside.take(ticket);
        Some(Work { input, depth, choice })
    }

    /// Takes over what another explorer has given away. The path that it is an alternative to is run again.
    pub fn adopt(&mut self, work: &Work) -> Result<(), Fault> {
        self.attempt = Attempt { input: Some(Arc::new(work.input.clone())), ..Attempt::default() };
        failure::pass("adopt");
        self.runner.set_patience(work.depth as usize + 1);
        let mut run = self.runner.run(&work.input, &[])?;
        self.counters.instructions += run.executed;
        // Whoever gave it away has reached that already.
        self.coverage_version += u64::from(self.runner.machine_mut().marks.take_new() > 0);
        self.passed = self.options.targets.forget(&mut self.runner.machine_mut().marks);
        if is_interrupted(&run) {
            return Ok(());
        }
        let index = work.depth as usize;
        let others = if index < run.path.len() { self.runner.others(&run, index) } else { Others::new() };
        // A path that was put aside goes on with what it decided last.
        let taken = run.path.get(index).map(|decision| (Choice::Key(decision.taken), decision.cond));
        let Some((_, cond)) = others.into_iter().chain(taken).find(|(choice, _)| *choice == work.choice) else {
            self.diverged(run.path.get(index).map_or(NOWHERE, |decision| decision.site));
            return Ok(());
        };
        let origin = Rc::new(self.origin(&mut run, None));
        self.snapshots.add(&origin);
        if let Some(ticket) = self.tree.graft(&run.path[..=index], &origin, work.choice, cond) {
            self.open(&[ticket], Gain::default());
        }
        Ok(())
    }
}
