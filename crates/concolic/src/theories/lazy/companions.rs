//! Functions of the program that say something about a heap which is only partly decided.
//!
//! Such a check sees the input as it was given, whatever the program has done to it since. A pointer that nothing was decided about
//! ends it, with what it has decided so far; a program may ask first ([`IS_DECIDED`]).

use super::Lazy;
use crate::graph::heap::NodeId;
use crate::graph::shapes::{Companion, CompanionArgs};
use crate::graph::unit;
use crate::machine::ConcolicMachine;
use crate::machine::aside::{Check, CheckArg};
use spelunk_hex::{Arg, Argument, ObjIx, Spot};
use spelunk_vm::{Answer, Call, Slot, Tag, UndefId, Vm};
use std::sync::Arc;

/// `int spelunk_is_decided(const void *)`.
pub(super) const IS_DECIDED: &str = "spelunk_is_decided";

/// How many operations a check may take.
const MAX_STEPS: u64 = 100_000;

/// How much a check may decide. One that decides more goes round in circles.
pub(super) const MAX_DECISIONS: usize = 256;

impl Lazy {
    /// The next check that decisions asked for. One that speaks of what is not decided yet, or of what is not there, is left out.
    pub(super) fn next_companion(&mut self, machine: &mut ConcolicMachine) -> Option<Check> {
        if self.in_check.is_some() || machine.path.is_trial {
            return None;
        }
        self.waiting.sort_unstable();
        self.waiting.dedup();
        while let Some((id, this)) = self.waiting.pop() {
            let shapes = Arc::clone(&self.shapes);
            let companion = &shapes.companions[id.0 as usize];
            let args: Option<Vec<CheckArg>> = match &companion.args {
                CompanionArgs::Params(args) => Some(args.iter().map(|arg| parameter(machine, arg)).collect()),
                CompanionArgs::Ways(ways) => ways.iter().map(|way| self.argument(machine, way, this)).collect(),
            };
            if let Some(args) = args {
                self.in_check = Some(machine.path.decisions.len());
                let Companion { function, result_bits, .. } = *companion;
                return Some(Check { function, args, width: result_bits, limit: MAX_STEPS });
            }
        }
        None
    }

    /// What is found on a way from a root, or from `this`.
    fn argument(&self, machine: &mut ConcolicMachine, way: &Arg, this: Option<Spot>) -> Option<CheckArg> {
        let heap = &self.decided.heap;
        match heap.argument(way, this)? {
            Argument::Reference(object, reference) => {
                let offset = u64::from(self.shapes.offset(heap.type_of(object), reference));
                Some(CheckArg::Bytes { addr: self.address(machine, object)? + offset, n_bytes: 8 })
            }
            Argument::Spot(Spot { object, part }) => {
                let offset = u64::from(self.shapes.place(heap.type_of(object), part));
                let addr = self.address(machine, object)? + offset;
                let Some((maker, entry)) = self.decided.maker(object) else {
                    return Some(CheckArg::Value(Slot::plain(addr)));
                };
                let distance = machine.pool.mk_const(64, offset.wrapping_sub(u64::from(entry)));
                let start = machine.pool.mk_var(maker);
                let expr = machine.pool.mk_add(start, distance);
                let tag = Tag::new(machine.carry(expr, addr), UndefId::NONE);
                Some(CheckArg::Value(Slot { val: addr, tag }))
            }
        }
    }

    /// Where an object is in this run.
    fn address(&self, machine: &ConcolicMachine, object: ObjIx) -> Option<u64> {
        match self.decided.maker(object) {
            Some((maker, entry)) => Some(self.pointers.value(machine, maker)? - u64::from(entry)),
            None => Some(machine.inputs.heap.node(NodeId(self.shapes.param(object.0))).addr),
        }
    }

    /// Answers whether a pointer is decided; outside of checks it then is.
    pub(super) fn is_decided(&mut self, vm: &mut Vm<'_, ConcolicMachine>, call: &Call<'_>) -> Answer {
        let (site, machine) = (vm.pc(), &mut vm.machine);
        let expr = machine.operand(64, call.args[0]);
        let is_decided = if self.in_check.is_some() {
            self.open(machine, expr).is_empty()
        } else {
            self.decide_all(machine, site, expr)
        };
        Answer::Return([Slot::plain(u64::from(is_decided))].into_iter().collect())
    }
}

fn parameter(machine: &ConcolicMachine, arg: &unit::Arg) -> CheckArg {
    let address = |param: usize| machine.inputs.heap.node(NodeId(param as u32)).addr;
    match *arg {
        unit::Arg::Word { param, offset, n_bytes } => {
            CheckArg::Bytes { addr: address(param) + u64::from(offset), n_bytes }
        }
        unit::Arg::Address { param } => CheckArg::Value(Slot::plain(address(param))),
        unit::Arg::End { .. } => unreachable!("units with rules have no such arguments"),
        unit::Arg::Room { .. } => CheckArg::Value(Slot::plain(0)),
    }
}
