//! What a long input could have done besides.
//!
//! A program may go through a long text and do nothing new, since it is the values that count: ten zeros are no number that overflows. So such a
//! text is run once with expressions, and for errors and outcomes of branches that no run has shown the solver is asked, as for
//! any goal. The run itself is not entered into the tree: where bounds say that long texts are not explored, that stays so.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use smallvec::smallvec;
use spelunk_concolic::decision::{Choice, DecisionKind};
use spelunk_concolic::{Goal, Input, Run};
use spelunk_ir::code::{OpCode, OpIdx};
use spelunk_vm::Mark;
use spelunk_vm::memory::Fault;

use super::super::Explorer;
use super::super::goals::{Aim, AimOf};
use super::super::running::is_interrupted;
use crate::bugs::BugKey;
use crate::tree::Features;

/// At one place, so many rounds of a loop are asked for, from the last on.
const N_ROUNDS: usize = 4;

/// What one of them may take: it is put once.
const ALLOWANCE: Duration = Duration::from_secs(1);

/// So many questions are put for one text.
const MAX_QUESTIONS: usize = 32;

/// What no run has shown: an outcome of a branch, or an error.
#[derive(Clone, Copy, PartialEq, Eq)]
struct New {
    site: OpIdx,
    mark: Mark,
    error: Option<BugKey>,
}

impl Explorer<'_> {
    pub(super) fn survey(&mut self, input: Input) -> Result<(), Fault> {
        let all = self.counters.solver_time + self.counters.run_time;
        if !self.options.targets.is_empty() || !self.pumping.may_ask(all) {
            return Ok(());
        }
        let mut run = self.runner.run_plainly(&input)?;
        self.counters.n_runs += 1;
        self.counters.instructions += run.executed;
        if is_interrupted(&run) {
            return Ok(());
        }
        let origin = Rc::new(self.origin(&mut run, None));
        let mut all: Vec<(New, Vec<usize>)> = Vec::new();
        for index in 0..run.path.len() {
            let Some(new) = self.could_show(&run, index) else { continue };
            match all.iter_mut().find(|(known, _)| *known == new) {
                Some((_, indices)) => indices.push(index),
                None => all.push((new, vec![index])),
            }
        }
        let mut aims = Vec::new();
        for (New { site, mark, error }, indices) in all {
            let mut rounds: Vec<usize> = (1..=N_ROUNDS).rev().map(|n| n * indices.len() / N_ROUNDS).collect();
            rounds.dedup();
            for index in rounds.into_iter().filter_map(|n| Some(indices[n.checked_sub(1)?])) {
                let Some(&(_, cond)) = self.runner.others(&run, index).first() else { continue };
                let goal = Goal { n_decisions: index, op: site, mark, conds: smallvec![cond] };
                let allowance =
                    self.postponed.first_allowance(&self.options.query_limits).map(|least| least.max(ALLOWANCE));
                let (path, origin) = (Arc::clone(&run.path), Rc::clone(&origin));
                aims.push(Aim { goal, error, of: AimOf::Survey, path, origin, allowance });
            }
        }
        aims.truncate(MAX_QUESTIONS);
        self.goals.extend(aims.into_iter().rev());
        Ok(())
    }

    /// What no run has shown that a decision of this one would, if it went the other way.
    fn could_show(&self, run: &Run, index: usize) -> Option<New> {
        let decision = &run.path[index];
        let other = 1u64.checked_sub(decision.taken)?;
        let features = Features {
            site: decision.site,
            kind: decision.kind,
            choice: Choice::Key(other),
            depth: index as u32,
            stack: decision.stack,
        };
        match decision.kind {
            DecisionKind::Check(kind) => {
                let error = Some((self.place_of(&features), kind));
                // No mark is made of errors.
                let new = New { site: decision.site, mark: Mark::WentOn, error };
                (other == 1 && !self.is_known_error(&features)).then_some(new)
            }
            DecisionKind::Branch => {
                let jumps = other == u64::from(self.program.image.op(decision.site).code != OpCode::BrIfNot);
                let mark = if jumps { Mark::Jumped } else { Mark::FellThrough };
                let is_new = !self.runner.machine().marks.has(decision.site, mark);
                let new = New { site: decision.site, mark, error: None };
                (is_new && self.program.image.is_user_code(decision.site)).then_some(new)
            }
            _ => None,
        }
    }
}
