//! The constraints of a query as bits to assume.
//!
//! A conjunction is taken apart, so that its conjuncts are assumed themselves: `x == 65` is eight bits of `x`, and no
//! gate is needed to say so. Each assumption knows the constraint that it comes from.

use spelunk_expr::ExprId;

use super::gates::{Bit, Gate, Gates};

#[derive(Default)]
pub(crate) struct Assumptions {
    pub bits: Vec<Bit>,
    /// As long as `bits`.
    origins: Vec<ExprId>,
    /// By gate: where in `bits` it is, if the stamp is the current one.
    places: Vec<Seat>,
    stamp: u32,
    pending: Vec<Bit>,
}

#[derive(Clone, Copy, Default)]
struct Seat {
    stamp: u32,
    at: u32,
}

impl Assumptions {
    pub fn clear(&mut self) {
        self.bits.clear();
        self.origins.clear();
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.places.fill(Seat::default());
            1
        });
    }

    /// Adds a constraint; if it contradicts itself or one before it, returns the contradiction.
    pub fn add(&mut self, gates: &Gates, constraint: ExprId, bit: Bit) -> Result<(), Vec<ExprId>> {
        if self.places.len() < gates.len() {
            self.places.resize(gates.len(), Seat::default());
        }
        self.pending.clear();
        self.pending.push(bit);
        while let Some(bit) = self.pending.pop() {
            match gates.gate(bit.gate()) {
                Gate::And(a, b) if !bit.is_negated() => {
                    self.pending.push(a);
                    self.pending.push(b);
                }
                Gate::Constant if bit == Bit::TRUE => {}
                Gate::Constant => return Err(vec![constraint]),
                _ => self.assume(constraint, bit)?,
            }
        }
        Ok(())
    }

    fn assume(&mut self, constraint: ExprId, bit: Bit) -> Result<(), Vec<ExprId>> {
        let place = &mut self.places[bit.gate().index()];
        if place.stamp != self.stamp {
            *place = Seat { stamp: self.stamp, at: self.bits.len() as u32 };
            self.bits.push(bit);
            self.origins.push(constraint);
            return Ok(());
        }
        let at = place.at as usize;
        match self.origins[at] {
            _ if self.bits[at] == bit => Ok(()),
            origin if origin == constraint => Err(vec![constraint]),
            origin => Err(vec![origin, constraint]),
        }
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
