//! Outcomes that no path depends on: conditions that are only values, and cases that lead where others do.
//!
//! They are no decisions, because each would double the paths behind it. Instead, where a run could have had an outcome that
//! none has had yet, one query asks for it on the same path. That is done before anything else, so few wait at a time; and for
//! every path until the outcome was met, so that in the end only those are left that no input has.

use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustc_hash::FxHashSet;
use spelunk_concolic::decision::{Choice, Decision};
use spelunk_concolic::theories::Opening;
use spelunk_concolic::{Goal, Run, Runner};
use spelunk_expr::ExprId;
use spelunk_solver::Unknown;
use spelunk_vm::Mark;
use spelunk_vm::memory::Fault;

use super::errors::Errors;
use super::postponed::next_allowance;
use super::running::refusal;
use super::{Explorer, Step, Way};
use crate::bugs::BugKey;
use crate::origin::Origin;
use crate::queries::Found;
use spelunk_ir::code::OpIdx;

/// A goal of a run.
#[derive(Clone, Debug)]
pub struct Aim {
    pub goal: Goal,
    /// If it is not an outcome but that something goes wrong.
    pub error: Option<BugKey>,
    pub of: AimOf,
    pub path: Arc<Vec<Decision>>,
    pub origin: Rc<Origin>,
    /// How long its query may take.
    pub allowance: Option<Duration>,
}

/// Which run could have met a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AimOf {
    /// One of the tree. Whether a goal can be met has to be told.
    Path,
    /// One that nobody has asked for, beyond bounds maybe: an attempt.
    Survey,
}

impl Aim {
    pub fn site(&self) -> OpIdx {
        self.goal.op
    }

    pub fn decisions(&self) -> impl Iterator<Item = (OpIdx, Choice)> + '_ {
        self.way_there().iter().map(|decision| (decision.site, Choice::Key(decision.taken)))
    }

    /// All that must hold; returns how much of that holds for the origin.
    fn conditions(&self, out: &mut Vec<ExprId>) -> usize {
        out.clear();
        out.extend(self.way_there().iter().map(|decision| decision.cond).chain(self.goal.conds.iter().copied()));
        out.len() - 1
    }

    /// Whether no run has done it so far, that anyone knows of.
    fn is_unmet(&self, runner: &Runner<'_>, met: &Met, errors: &Errors) -> bool {
        if let Some(error) = self.error {
            return !errors.is_known(error);
        }
        !runner.machine().marks.has(self.goal.op, self.goal.mark) && !met.has(&self.goal)
    }

    fn way_there(&self) -> &[Decision] {
        &self.path[..self.goal.n_decisions]
    }
}

/// The outcomes that explorers of one program have met by aiming at them.
#[derive(Clone, Debug, Default)]
pub struct Met(Arc<Mutex<FxHashSet<(OpIdx, u8)>>>);

impl Met {
    fn add(&self, goal: &Goal) {
        self.0.lock().expect("nothing panics in here").insert((goal.op, goal.mark as u8));
    }

    fn has(&self, goal: &Goal) -> bool {
        self.0.lock().expect("nothing panics in here").contains(&(goal.op, goal.mark as u8))
    }
}

impl Explorer<'_> {
    /// Takes over what a run could have done otherwise, the first on its way as the next to be tried.
    pub(super) fn take_goals(&mut self, run: &mut Run, origin: &Rc<Origin>) {
        for goal in std::mem::take(&mut run.goals).into_iter().rev() {
            let Some(&cond) = goal.conds.last() else { continue };
            if !self.is_goal_of_use(&goal) {
                continue;
            }
            let opening = Opening { path: &run.path, index: goal.n_decisions, site: goal.op, cond, input: &run.input };
            match refusal(self.runner.machine_mut().admit(&opening)) {
                None => {
                    let allowance = self.postponed.first_allowance(&self.options.query_limits);
                    let (path, origin) = (Arc::clone(&run.path), Rc::clone(origin));
                    self.goals.push(Aim { goal, error: None, of: AimOf::Path, path, origin, allowance });
                }
                Some((loss, why)) => self.ledger.add_with(loss, goal.op, 1, || why.to_string()),
            }
        }
    }

    /// Where there are targets, outcomes that are none are left alone. That a loop ends is no outcome: targets may lie behind it.
    fn is_goal_of_use(&self, goal: &Goal) -> bool {
        let targets = &self.options.targets;
        let is_outcome = matches!(goal.mark, Mark::FellThrough | Mark::Jumped | Mark::Reached);
        targets.is_empty() || !is_outcome || targets.wants_outcome(goal.op, goal.mark)
    }

    pub(super) fn next_goal(&mut self) -> Option<Aim> {
        let all = self.counters.solver_time + self.counters.run_time;
        while let Some(aim) = self.goals.pop() {
            let is_too_late = aim.of == AimOf::Survey && !self.pumping.may_ask(all);
            if !is_too_late && aim.is_unmet(&self.runner, &self.options.met, &self.errors) {
                return Some(aim);
            }
        }
        None
    }

    /// One that was too hard when it was tried first.
    pub(super) fn next_hard_goal(&mut self) -> Option<Aim> {
        while let Some(aim) = self.hard_goals.pop_front() {
            if aim.is_unmet(&self.runner, &self.options.met, &self.errors) {
                return Some(aim);
            }
        }
        None
    }

    pub(super) fn aim(&mut self, mut aim: Aim) -> Result<Step, Fault> {
        let n_satisfied = aim.conditions(&mut self.constraints);
        self.attempt.input = Some(Arc::clone(&aim.origin.input));
        let (found, time) = self.find(n_satisfied, &aim.origin, aim.allowance);
        if aim.of == AimOf::Survey {
            self.pumping.asked(time);
            let Found::Input(input) = found else { return Ok(Step::Closed) };
            return Ok(self.run_if_new(&input)?.1.unwrap_or(Step::Closed));
        }
        let more = next_allowance(aim.allowance, &self.options.query_limits);
        if more.is_some() && matches!(found, Found::Unknown(Unknown::Time)) {
            aim.allowance = more;
            self.spent.add_time(aim.site(), time);
            self.hard_goals.push_back(aim);
            return Ok(Step::Closed);
        }
        let input = match self.take_answer(aim.site(), found, time) {
            Ok(input) => input,
            // An interrupted query was not answered.
            Err(None) => {
                self.goals.push(aim);
                return Ok(Step::Interrupted);
            }
            Err(Some(_)) => return Ok(Step::Closed),
        };
        let (op, mark) = (aim.goal.op, aim.goal.mark);
        let step = self.run(input, Way::Goal(&aim))?;
        if self.runner.machine().marks.has(op, mark) {
            self.options.met.add(&aim.goal);
        } else if let Step::Ran { run, .. } = &step
            && run.divergence.is_none()
            // What goes on is no mark, and that a loop has no end is more than that it did what was asked for.
            && !matches!(mark, Mark::Endless | Mark::WentOn)
        {
            self.diverged(op);
        }
        Ok(step)
    }

    /// The conditions that goals need.
    pub(super) fn goal_conditions(&self) -> impl Iterator<Item = ExprId> + '_ {
        let conditions = |aim: &'_ Aim| {
            let mut all = Vec::new();
            aim.conditions(&mut all);
            all
        };
        self.goals.iter().chain(&self.hard_goals).flat_map(conditions)
    }
}
