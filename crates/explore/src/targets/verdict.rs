//! What can be said of each target when a campaign is over.

use spelunk_concolic::marks::Marks;
use spelunk_ir::code::OpIdx;
use spelunk_vm::Mark;

use super::{Reach, Target, Targets};
use crate::campaign::{Outcome, Stopped};
use crate::coverage::reached_blocks;
use crate::distance::{UNREACHABLE, Ways};
use crate::flow::{BlockId, End};
use crate::ledger::{Effect, Entry, Loss, NOWHERE};
use crate::program::ProgramFlow;

#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    Reached,
    /// No input reaches it.
    Unreachable(Proof),
    Open {
        why: Missing,
        nearest: Option<Nearest>,
    },
}

/// Why no input reaches a target.
#[derive(Clone, PartialEq, Debug)]
pub enum Proof {
    /// No way in the control flow leads there.
    ControlFlow,
    /// Every path that may lead there was explored, if what these entries of the ledger assume is so and within the bounds that they name.
    Explored { relies_on: Vec<Entry> },
}

/// Why it is not known whether a target can be reached.
#[derive(Clone, PartialEq, Debug)]
pub enum Missing {
    /// The campaign ended before everything was explored.
    Budget,
    /// These entries of the ledger may hide paths to it.
    Hidden(Vec<Entry>),
}

/// The closest that runs have come to a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nearest {
    /// A branch, or switch, that never went the way to the target.
    pub branch: OpIdx,
    /// The outcome that is missing: for a branch, of its condition as the source has it.
    pub outcome: Option<bool>,
    /// How many blocks lie between.
    pub distance: u32,
}

/// By target, in order.
pub fn verdicts(program: &ProgramFlow<'_>, targets: &Targets, outcome: &Outcome) -> Vec<Verdict> {
    let mut verdicts = vec![Verdict::Reached; targets.all().len()];
    let entries = outcome.ledger.entries();
    let reached = reached_blocks(&program.flow, &outcome.marks);
    for (number, target) in targets.open() {
        verdicts[number] = verdict(program, targets, target, outcome, &entries, &reached);
    }
    verdicts
}

fn verdict(
    program: &ProgramFlow<'_>,
    targets: &Targets,
    target: &Target,
    outcome: &Outcome,
    entries: &[Entry],
    reached: &[bool],
) -> Verdict {
    let reach = Reach::new(program, [target]);
    if targets.roots.functions().all(|root| reach.from_entry(program, root) == UNREACHABLE) {
        return Verdict::Unreachable(Proof::ControlFlow);
    }
    let blocks = target.at.iter().map(|&op_idx| program.flow.block_of(op_idx));
    let distances = program.distances_to(blocks, Ways::All);
    let open = |why| Verdict::Open { why, nearest: nearest(program, &distances, &outcome.marks, reached) };
    if !matches!(outcome.stopped, Stopped::Exhausted | Stopped::Bounded | Stopped::Incomplete) {
        return open(Missing::Budget);
    }
    // What was given up where no way leads to the target hides none.
    let has_one_root = targets.roots.functions().count() == 1;
    let may_lead_there = |site: OpIdx| {
        site == NOWHERE || !has_one_root || distances[program.flow.block_of(site).0 as usize] != UNREACHABLE
    };
    let relevant = || entries.iter().filter(|entry| entry.loss != Loss::BesideTargets && may_lead_there(entry.site));
    let with = |effects: &[Effect]| -> Vec<Entry> {
        relevant().filter(|entry| effects.contains(&entry.loss.effect())).cloned().collect()
    };
    match with(&[Effect::Unexplored]) {
        hidden if hidden.is_empty() => Verdict::Unreachable(Proof::Explored {
            relies_on: with(&[Effect::BeyondBound, Effect::Assumed, Effect::Given]),
        }),
        hidden => open(Missing::Hidden(hidden)),
    }
}

/// The branch that was reached and, had it gone the other way, would have led closest to a target.
fn nearest(program: &ProgramFlow<'_>, distances: &[u32], marks: &Marks, reached: &[bool]) -> Option<Nearest> {
    let flow = &program.flow;
    let mut best: Option<Nearest> = None;
    let mut offer = |branch: OpIdx, outcome: Option<bool>, to: BlockId| {
        let distance = distances[to.0 as usize];
        if distance != UNREACHABLE && best.is_none_or(|known| distance < known.distance) {
            best = Some(Nearest { branch, outcome, distance });
        }
    };
    for block in flow.blocks().filter(|block| reached[block.0 as usize]) {
        let last = flow.last(block);
        match flow.end(block) {
            End::Branch(target) if program.image.is_user_code(last) => {
                let jumps_if = !program.image.is_inverted(last);
                if !marks.has(last, Mark::Jumped) {
                    offer(last, Some(jumps_if), flow.block_of(*target));
                }
                if !marks.has(last, Mark::FellThrough) {
                    offer(last, Some(!jumps_if), flow.next(block));
                }
            }
            End::Switch(targets) if program.image.is_user_code(last) => {
                let missing = targets.iter().filter(|&&target| !marks.has(target, Mark::Reached));
                missing.for_each(|&target| offer(last, None, flow.block_of(target)));
            }
            _ => {}
        }
    }
    best
}
