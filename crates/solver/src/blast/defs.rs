//! Bits that conditions define: quotients and remainders, and what is read from arrays.
//!
//! A definition holds for every value of the variables (exactly one quotient fits; an array has some element), so its
//! conditions may be added to a SAT solver for good, but are needed only in queries that reach one of its bits.

use super::arrays::Read;
use super::gates::{Bit, DefId};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Condition {
    pub holds: Bit,
    /// The other definition that it is about. A query that does not reach both does not need it.
    pub with: Option<DefId>,
}

#[derive(Default)]
struct Def {
    conditions: Vec<Condition>,
    read: Option<Read>,
}

/// Definitions in the order they were made: one may depend on those before it only.
#[derive(Default)]
pub(crate) struct Defs {
    defs: Vec<Def>,
    n_conditions: usize,
}

impl Defs {
    pub fn add(&mut self) -> DefId {
        self.defs.push(Def::default());
        DefId(self.defs.len() as u32 - 1)
    }

    pub fn len(&self) -> usize {
        self.defs.len()
    }

    /// Adds a condition, unless it is trivial or known.
    pub fn require(&mut self, def: DefId, holds: Bit, with: Option<DefId>) {
        let conditions = &mut self.defs[def.0 as usize].conditions;
        let condition = Condition { holds, with };
        if holds != Bit::TRUE && !conditions.contains(&condition) {
            conditions.push(condition);
            self.n_conditions += 1;
        }
    }

    /// Of all definitions.
    pub fn n_conditions(&self) -> usize {
        self.n_conditions
    }

    pub fn conditions(&self, def: DefId) -> &[Condition] {
        &self.defs[def.0 as usize].conditions
    }

    /// The read that the definition is of, unless it is a division.
    pub fn read(&self, def: DefId) -> Option<&Read> {
        self.defs[def.0 as usize].read.as_ref()
    }

    pub fn read_mut(&mut self, def: DefId) -> Option<&mut Read> {
        self.defs[def.0 as usize].read.as_mut()
    }

    pub fn set_read(&mut self, def: DefId, read: Read) {
        self.defs[def.0 as usize].read = Some(read);
    }
}
