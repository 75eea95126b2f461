//! `longjmp`: the branches that led to it decide all that follows in the function that has called `setjmp`, also in runs that go another way.

use super::labels::Label;
use super::operands::Pending;
use super::places::Affected;
use super::regions::{Extent, Region};
use super::{Flow, NONE, Program, Way};
use smallvec::SmallVec;
use spelunk_ir::code::{OpIdx, RegUse};
use spelunk_ir::model::FuncId;
use spelunk_vm::Slot;
use std::sync::Arc;

/// As much of a `jmp_buf` says where to go.
const CONTEXT_BYTES: u64 = 16;

impl Flow {
    /// Control has leapt to where another call returns, in this function or one that waits for it.
    pub(super) fn leapt(
        &mut self,
        vm: &Program<'_>,
        pending: &Pending,
        (name, args): (&str, &[Slot]),
        (decided, next): (Label, OpIdx),
    ) {
        let (Some(function), Some(context)) = (vm.image().function_id_at(next), args.first()) else {
            return self.lose(pending.site, format!("`{name}` jumps out of functions"));
        };
        let depth = vm.depth();
        let mut label = self.union(pending.label, decided);
        let super::Watch { places, labels, .. } = &mut *self.run.watch;
        let of_context = places.label_of(labels, context.val, CONTEXT_BYTES);
        label = labels.union(label, of_context);
        // What the call that returns again returns.
        let base = vm.first_slot();
        vm.image().visit_regs(OpIdx(next.0 - 1), |how, reg, n| {
            if how == RegUse::Write {
                self.set_slots(base + reg.slot(), n as usize, label);
            }
        });
        self.run.variadic.retain(|it| it.0 <= depth);
        for at in 0..self.run.control.len() {
            let region = &mut self.run.control[at];
            if region.depth >= depth {
                (region.depth, region.join, region.assigned) = (depth, None, Arc::default());
                region.has_leapt = true;
                let effects = region.effects;
                let grown_at = self.known.effects().learn(effects, [Affected::Leap(function)]);
                self.run.used.entry(effects).or_insert(grown_at);
            }
        }
        if !label.is_none() {
            let met = self.meet(pending.site, SmallVec::new(), label, (u64::from(next.0), NONE));
            self.enter_region(pending.site, depth, Extent { join: None, assigned: Arc::default() }, met);
        }
    }

    /// If other ways of a branch that was left leap to a function under way, it decides what follows there.
    pub(super) fn stay_after_leaps(&mut self, vm: &Program<'_>, region: Region) {
        if region.has_leapt || !self.known.follows(Way::Leaps) {
            return;
        }
        let is_leap = |place: &Affected| if let Affected::Leap(function) = place { Some(*function) } else { None };
        let functions: SmallVec<[FuncId; 1]> =
            self.known.effects().of(region.effects).iter().filter_map(is_leap).collect();
        let waiting = &self.run.stacks[..self.run.stacks.len().min(vm.depth()).min(region.depth)];
        let depths: SmallVec<[usize; 1]> = functions
            .iter()
            .filter_map(|function| waiting.iter().rposition(|it| it.1 == Some(*function)).map(|at| at + 1))
            .collect();
        for depth in depths {
            self.run.control.push(Region {
                depth,
                join: None,
                assigned: Arc::default(),
                first_write: self.run.watch.written.len(),
                has_leapt: true,
                ..region.clone()
            });
        }
    }
}
