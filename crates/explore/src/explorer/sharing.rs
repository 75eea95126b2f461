//! Open alternatives that go from one explorer to another.

use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use spelunk_concolic::decision::{Choice, Others};
use spelunk_concolic::{Input, failure};
use spelunk_vm::memory::Fault;

use super::Explorer;
use super::independent::locked;
use super::recovery::Attempt;
use super::running::is_interrupted;
use crate::ledger::NOWHERE;
use crate::strategy::Gain;
use crate::tree::{Closed, Features, Ticket};

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
    /// Others explore parts of the same tree.
    pub fn share(&mut self) {
        self.is_shared = true;
    }

    /// Part of what is open, for another explorer. Nothing if there is little.
    pub fn give_away(&mut self) -> Option<Work> {
        let work = self.some_of_its_own();
        self.is_shared |= work.is_some();
        work
    }

    fn some_of_its_own(&mut self) -> Option<Work> {
        // A seed may take what is given away now.
        if self.seeds.len() > 0 || self.options.targets.are_all_reached() {
            return None;
        }
        if self.tree.n_open() < 2 {
            let tied = self.partition.as_deref().and_then(|partition| locked(partition).give_away());
            return tied.or_else(|| self.give_postponed());
        }
        let ticket = self.tree.shallowest()?;
        let Features { depth, choice, .. } = self.tree.features(ticket);
        let input = Input::clone(&self.tree.origin(ticket).input);
        self.tree.close(ticket, Closed::GivenAway);
        self.put_aside.take(ticket);
        Some(Work { input, depth, choice })
    }

    /// Tells theories what stays open, here and of what nobody has taken over.
    pub fn leave(&mut self, given_away: Vec<Work>) {
        if !self.runner.machine().hears_of_left() {
            return;
        }
        let given_away = given_away.into_iter().chain(std::mem::take(&mut self.not_adopted));
        let given_away = given_away.chain(std::iter::from_fn(|| self.postponed.take().map(|it| it.0)));
        let given_away = given_away.map(|work| (Arc::new(work.input), None));
        let seeds = self.seeds.by_ref().map(|(_, input)| (Arc::new(input), None));
        let open = self.tree.open().map(|(origin, cond)| (Arc::clone(&origin.input), Some(cond)));
        let open: Vec<_> = open.chain(given_away).chain(seeds).collect();
        self.runner.machine_mut().leave(&open);
    }

    /// Takes over what another explorer has given away.
    pub fn adopt(&mut self, work: &Work) -> Result<(), Fault> {
        self.is_shared = true;
        if let Some(ticket) = self.graft(work)? {
            self.open(&[ticket], Gain::default());
        }
        Ok(())
    }

    /// Runs the path again that an alternative belongs to, and makes that a part of the tree.
    pub(super) fn graft(&mut self, work: &Work) -> Result<Option<Ticket>, Fault> {
        self.attempt = Attempt { input: Some(Arc::new(work.input.clone())), ..Attempt::default() };
        failure::pass("adopt");
        self.runner.set_patience(work.depth as usize + 1);
        let mut run = self.runner.run(&work.input, &[])?;
        self.counters.instructions += run.executed;
        self.learn_flow(&mut run);
        // Whoever gave it away has reached that already.
        self.coverage_version += u64::from(self.runner.machine_mut().marks.take_new() > 0);
        self.passed = self.options.targets.forget(&mut self.runner.machine_mut().marks);
        if is_interrupted(&run) {
            self.not_adopted.push(work.clone());
            return Ok(None);
        }
        let index = work.depth as usize;
        let others = if index < run.path.len() { self.runner.others(&run, index) } else { Others::new() };
        // A path that was put aside goes on with what it decided last.
        let taken = run.path.get(index).map(|decision| (Choice::Key(decision.taken), decision.cond));
        let Some((_, cond)) = others.into_iter().chain(taken).find(|(choice, _)| *choice == work.choice) else {
            self.diverged(run.path.get(index).map_or(NOWHERE, |decision| decision.site));
            return Ok(None);
        };
        let origin = Rc::new(self.origin(&mut run, None));
        self.snapshots.add(&origin);
        Ok(self.tree.graft(&run.path[..=index], &origin, work.choice, cond))
    }
}
