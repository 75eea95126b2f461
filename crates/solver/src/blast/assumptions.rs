//! The constraints of a query as bits to assume.
//!
//! A conjunction is taken apart, so that its conjuncts are assumed themselves: `x == 65` is eight bits of `x`, and no
//! gate is needed to say so. Each assumption knows the constraint that it comes from.

use rustc_hash::FxHashMap;
use spelunk_expr::ExprId;

use super::gates::{Bit, Gate, GateId, Gates};

#[derive(Default)]
pub(crate) struct Assumptions {
    pub bits: Vec<Bit>,
    /// As long as `bits`.
    origins: Vec<ExprId>,
    /// Where in `bits` a gate is.
    at_gate: FxHashMap<GateId, usize>,
}

impl Assumptions {
    pub fn clear(&mut self) {
        self.bits.clear();
        self.origins.clear();
        self.at_gate.clear();
    }

    /// Adds a constraint; if it contradicts itself or one before it, returns the contradiction.
    pub fn add(&mut self, gates: &Gates, constraint: ExprId, bit: Bit) -> Result<(), Vec<ExprId>> {
        let mut pending = smallvec::SmallVec::<[Bit; 32]>::new();
        pending.push(bit);
        while let Some(bit) = pending.pop() {
            if let (Gate::And(a, b), false) = (gates.gate(bit.gate()), bit.is_negated()) {
                pending.extend([a, b]);
                continue;
            }
            match bit.as_constant() {
                Some(true) => continue,
                Some(false) => return Err(vec![constraint]),
                None => {}
            }
            match self.at_gate.get(&bit.gate()) {
                Some(&at) if self.bits[at] == bit => {}
                Some(&at) if self.origins[at] == constraint => return Err(vec![constraint]),
                Some(&at) => return Err(vec![self.origins[at], constraint]),
                None => {
                    self.at_gate.insert(bit.gate(), self.bits.len());
                    self.bits.push(bit);
                    self.origins.push(constraint);
                }
            }
        }
        Ok(())
    }

    /// The constraints, each once, of which an assumption is part of a contradiction.
    pub fn core(&self, is_failed: impl Fn(Bit) -> bool) -> Vec<ExprId> {
        let mut core: Vec<ExprId> = self
            .bits
            .iter()
            .zip(&self.origins)
            .filter(|(bit, _)| is_failed(**bit))
            .map(|(_, origin)| *origin)
            .collect();
        core.dedup();
        core
    }
}
