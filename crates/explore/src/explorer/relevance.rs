//! Keeps to what may lead to a target, if there are any.
//!
//! An alternative from which no way leads to an open target is closed, when it is opened or when it comes up: once a target is
//! reached, what led only there is of no use. Errors end a path, so they are explored only at targets themselves.

use spelunk_concolic::Runner;
use spelunk_concolic::decision::{Choice, DecisionKind};
use spelunk_ir::code::OpIdx;
use spelunk_vm::{TraceId, Traces};

use super::Explorer;
use crate::ledger::{Loss, NOWHERE};
use crate::program::ProgramFlow;
use crate::targets::{Targets, Towards};
use crate::tree::{Closed, Features, Ticket};

/// What is known of the ways to targets.
#[derive(Clone, Copy)]
pub struct Aims<'a> {
    targets: &'a Targets,
    towards: &'a Towards,
    traces: &'a Traces,
}

impl Aims<'_> {
    /// How far an open alternative is from a target. Nothing if it is of no use.
    pub fn distance(&self, program: &ProgramFlow<'_>, open: &Features) -> Option<u32> {
        if let (DecisionKind::Check(kind), Choice::Key(1)) = (open.kind, open.choice) {
            return self.targets.wants_error(kind, self.place(program, open)).then_some(0);
        }
        self.towards.distance(program, &self.targets.roots, self.traces, open)
    }

    /// The innermost operation of the user's code.
    fn place(&self, program: &ProgramFlow<'_>, open: &Features) -> Option<OpIdx> {
        let stack = self.traces.ops(TraceId(open.stack)).skip(1);
        std::iter::once(open.site).chain(stack).find(|&op_idx| program.image.is_user_code(op_idx))
    }
}

pub(super) fn aims<'a>(targets: &'a Targets, towards: Option<&'a Towards>, runner: &'a Runner<'_>) -> Option<Aims<'a>> {
    Some(Aims { targets, towards: towards?, traces: runner.traces()? })
}

impl Explorer<'_> {
    /// Looks again how far targets are, if one was reached.
    pub(super) fn look_ahead(&mut self) {
        let targets = &self.options.targets;
        if !targets.is_empty() && self.towards.as_ref().is_none_or(|towards| !towards.is_current(targets)) {
            self.towards = Some(Towards::new(self.program, targets));
        }
    }

    fn is_of_use(&self, ticket: Ticket) -> bool {
        let targets = &self.options.targets;
        if self.behind.get(&ticket).is_some_and(|&number| targets.is_open(number)) {
            return true;
        }
        let aims = aims(targets, self.towards.as_ref(), &self.runner);
        aims.is_none_or(|aims| aims.distance(self.program, &self.tree.features(ticket)).is_some())
    }

    /// Closes an alternative that is of no use. Says whether it was.
    pub(super) fn close_beside(&mut self, ticket: Ticket) -> bool {
        let is_of_use = self.is_of_use(ticket);
        if !is_of_use {
            self.tree.close(ticket, Closed::Beside);
            self.behind.remove(&ticket);
            let detail = || "alternatives that lead to no target".to_owned();
            self.ledger.add_with(Loss::BesideTargets, NOWHERE, 1, detail);
        }
        !is_of_use
    }
}
