//! Loops that are string functions in disguise: `while (*p) p++`, copying, skipping and searching, whatever they look like.
//!
//! At the head of a short loop one round is followed on all of its ways (`round`), without executing it. If all rounds that come back do the
//! same to registers and to memory, and which byte is read tells which rounds come back, then how many do is a place that is searched for
//! (`count`): up to the first byte for which the loop is left, or up to where a counter is at its bound. All of these rounds are
//! then done at once: registers move by that number, and what is written is one copy or fill. The round that follows is executed like any
//! other, so which way the loop is left, and errors, are decided by the code itself. It does no harm if fewer rounds are done
//! at once than could be; if nothing can be said, the loop is executed.
//!
//! Only whether there is such a round at all is a decision of its own, so that code in loops is reached.

mod candidates;
mod count;
mod round;
mod value;

use super::super::{Events, Theory};
use crate::journal::{AnyJournal, Entries, Entry, Journal};
use crate::machine::ConcolicMachine;
use candidates::{Candidate, Candidates, Site};
use round::Follower;
use spelunk_ir::code::{CheckedImage, OpIdx};
use spelunk_vm::memory::object_of;
use spelunk_vm::{Slot, Stop, Vm};
use std::cell::OnceCell;

type Program<'p> = Vm<'p, ConcolicMachine>;

#[derive(Default)]
pub(in crate::theories) struct Loops {
    candidates: OnceCell<Candidates>,
    visits: Journal<Visit>,
}

/// A loop was looked at, or goes back to its head: by its number, as so many operations were executed.
#[derive(Clone, Copy, Debug)]
struct Visit {
    number: u32,
    steps: u64,
}

impl Entry for Visit {}

impl Theory for Loops {
    fn name(&self) -> &'static str {
        "string loops"
    }

    fn events(&self) -> Events {
        Events::NOTE
    }

    fn journal(&self) -> &dyn AnyJournal {
        &self.visits
    }

    fn restore(&mut self, _machine: &mut ConcolicMachine, entries: Entries<'_>) {
        self.visits.clear();
        entries.of::<Visit>().iter().for_each(|&visit| self.visits.push(visit));
    }

    fn notes(&self, image: &CheckedImage) -> Vec<OpIdx> {
        self.candidates.get_or_init(|| Candidates::new(image)).sites.keys().copied().collect()
    }

    fn note(&mut self, vm: &mut Program<'_>, op_idx: OpIdx) -> Result<(), Stop> {
        let Some(candidates) = self.candidates.get() else { return Ok(()) };
        let Some(&site) = candidates.sites.get(&op_idx) else { return Ok(()) };
        let (last, steps) = (self.visits.last().copied(), vm.steps());
        let visited = |number: u32| last.filter(|visit| visit.number == number);
        let number = match site {
            Site::Latch(number) => match visited(number) {
                Some(_) => number,
                None => return Ok(()),
            },
            Site::Head(number) => {
                let candidate = &candidates.loops[number as usize];
                let is_again = visited(number).is_some_and(|visit| visit.steps + 1 == steps);
                if is_again || !depends_on_input(vm, candidate) || vm.is_aside() || vm.machine.is_forcing() {
                    return Ok(());
                }
                if let Some(round) = Follower::follow(vm, candidate) {
                    count::go_on(vm, &round)?;
                }
                number
            }
        };
        self.visits.push(Visit { number, steps });
        Ok(())
    }
}

/// Whether something that a loop starts with depends on the input.
fn depends_on_input(vm: &Program<'_>, candidate: &Candidate) -> bool {
    let first = vm.first_slot();
    let depends = |slot: Slot| slot.tag.expr().is_some() || vm.memory.may_carry_exprs(object_of(slot.val));
    candidate.read.iter().any(|slot| depends(vm.slot_at(first + slot)))
}
