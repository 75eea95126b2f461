//! What a query is about: the gates that its constraints reach, and the definitions of their bits.

use super::circuit::Circuit;
use super::gates::{Bit, DefId, Gate, GateId, Gates};

/// The cone of a set of bits. Kept and used again, as its marks are as many as there are gates.
#[derive(Default)]
pub(crate) struct Cone {
    /// Gates and definitions with the current stamp are in the cone.
    gate_stamps: Vec<u32>,
    def_stamps: Vec<u32>,
    stamp: u32,
    stack: Vec<GateId>,
    /// Gates with operands, except those that [`for_each_conjunct`] sees through.
    pub gates: Vec<GateId>,
    /// Bits of variables.
    pub vars: Vec<GateId>,
    /// Bits of definitions.
    pub defined: Vec<GateId>,
    pub defs: Vec<DefId>,
    /// Conditions that hold anyway and that the answer depends on.
    pub conditions: Vec<Bit>,
}

impl Cone {
    pub fn trace(&mut self, circuit: &Circuit, roots: impl Iterator<Item = Bit>) {
        self.begin(circuit);
        for root in roots {
            self.enter(root.gate());
        }
        let mut n_done = 0;
        loop {
            self.follow(&circuit.gates);
            if n_done == self.defs.len() {
                break;
            }
            n_done = self.defs.len();
            self.enter_conditions(circuit);
        }
    }

    fn begin(&mut self, circuit: &Circuit) {
        self.gate_stamps.resize(circuit.gates.len(), 0);
        self.def_stamps.resize(circuit.defs.len(), 0);
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.gate_stamps.fill(0);
            self.def_stamps.fill(0);
            1
        });
        self.gates.clear();
        self.vars.clear();
        self.defined.clear();
        self.defs.clear();
        self.conditions.clear();
    }

    fn enter(&mut self, gate: GateId) {
        let stamp = &mut self.gate_stamps[gate.index()];
        if *stamp != self.stamp {
            *stamp = self.stamp;
            self.stack.push(gate);
        }
    }

    fn follow(&mut self, gates: &Gates) {
        while let Some(id) = self.stack.pop() {
            match gates.gate(id) {
                Gate::Constant => {}
                Gate::Var { .. } => self.vars.push(id),
                Gate::Defined { by } => {
                    self.defined.push(id);
                    let stamp = &mut self.def_stamps[by.0 as usize];
                    if *stamp != self.stamp {
                        *stamp = self.stamp;
                        self.defs.push(by);
                    }
                }
                Gate::And(..) => {
                    self.gates.push(id);
                    for_each_conjunct(gates, id, |bit| self.enter(bit.gate()));
                }
                gate => {
                    self.gates.push(id);
                    gate.operands().for_each(|bit| self.enter(bit.gate()));
                }
            }
        }
    }

    /// Adds the conditions of all definitions anew: one about two of them counts once both are there.
    fn enter_conditions(&mut self, circuit: &Circuit) {
        self.conditions.clear();
        for at in 0..self.defs.len() {
            let pinned = circuit.defs.read(self.defs[at]).map_or(&[][..], |read| read.pinned());
            pinned.iter().for_each(|bit| self.enter(bit.gate()));
            for condition in circuit.defs.conditions(self.defs[at]) {
                let has_both = condition.with.is_none_or(|with| self.def_stamps[with.0 as usize] == self.stamp);
                if has_both {
                    self.conditions.push(condition.holds);
                    self.enter(condition.holds.gate());
                }
            }
        }
    }

    pub fn contains(&self, bit: Bit) -> bool {
        self.gate_stamps.get(bit.gate().index()) == Some(&self.stamp)
    }

    pub fn n_gates(&self) -> usize {
        self.gates.len() + self.vars.len() + self.defined.len()
    }
}

/// The operands of a tree of ANDs, seen through those that nothing else uses: these need no variable of their own.
pub(crate) fn for_each_conjunct(gates: &Gates, and: GateId, mut visit: impl FnMut(Bit)) {
    let mut pending = smallvec::SmallVec::<[Bit; 16]>::new();
    let mut at = and;
    while let Gate::And(a, b) = gates.gate(at) {
        for operand in [a, b] {
            let is_inner = !operand.is_negated() && gates.is_used_once(operand.gate());
            if is_inner && matches!(gates.gate(operand.gate()), Gate::And(..)) {
                pending.push(operand);
            } else {
                visit(operand);
            }
        }
        match pending.pop() {
            Some(next) => at = next.gate(),
            None => break,
        }
    }
}
