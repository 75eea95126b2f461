//! All that was built for the expressions of a run: gates, definitions, and the bits of each expression.
//!
//! Nothing in here depends on a query or on a SAT solver. It grows until [`super::Blaster`] starts a new one.

use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, VarId};

use super::budget::Stop;
use super::defs::Defs;
use super::div::Division;
use super::gates::{Bit, Gates};
use super::words::Word;

/// Dividend and divisor.
type Operands = (Box<[Bit]>, Box<[Bit]>);

#[derive(Default)]
pub(crate) struct Circuit {
    pub gates: Gates,
    pub defs: Defs,
    pub words: Words,
    pub(super) var_bits: FxHashMap<VarId, Word>,
    pub(super) divisions: FxHashMap<Operands, Division>,
    /// Expressions whose bits are asked for.
    pub(super) stack: Vec<ExprId>,
}

/// What became of an expression.
pub(crate) enum Lowered {
    Word(Word),
    Unsupported(&'static str),
}

/// The bits of expressions, dense by id.
#[derive(Default)]
pub(crate) struct Words {
    slots: Vec<Slot>,
    bits: Vec<Bit>,
    reasons: Vec<&'static str>,
    /// How many of `bits` belong to expressions that were dropped.
    n_dead: usize,
}

/// Where an expression's bits are.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Slot {
    #[default]
    Empty,
    Word {
        start: u32,
        len: u32,
    },
    Unsupported {
        reason: u32,
    },
}

impl Words {
    pub fn grow(&mut self, id_bound: usize) {
        if self.slots.len() < id_bound {
            self.slots.resize(id_bound, Slot::Empty);
        }
    }

    pub fn is_known(&self, id: ExprId) -> bool {
        self.slots[id.index()] != Slot::Empty
    }

    /// The bits of an expression that is known.
    pub fn get(&self, id: ExprId) -> Result<&[Bit], Stop> {
        match self.slots[id.index()] {
            Slot::Word { start, len } => Ok(&self.bits[start as usize..][..len as usize]),
            Slot::Unsupported { reason } => Err(Stop::Unsupported(self.reasons[reason as usize])),
            Slot::Empty => Err(Stop::Unsupported("an expression without bits")),
        }
    }

    pub fn set(&mut self, id: ExprId, lowered: Lowered) {
        self.slots[id.index()] = match lowered {
            Lowered::Word(word) => {
                let start = u32::try_from(self.bits.len()).expect("fewer than 2^32 bits of expressions");
                self.bits.extend_from_slice(&word);
                Slot::Word { start, len: word.len() as u32 }
            }
            Lowered::Unsupported(what) => {
                let known = self.reasons.iter().position(|&reason| reason == what);
                let reason = known.unwrap_or_else(|| {
                    self.reasons.push(what);
                    self.reasons.len() - 1
                });
                Slot::Unsupported { reason: reason as u32 }
            }
        };
    }

    pub fn forget(&mut self, id: ExprId) {
        if let Some(slot) = self.slots.get_mut(id.index()) {
            if let Slot::Word { len, .. } = *slot {
                self.n_dead += len as usize;
            }
            *slot = Slot::Empty;
        }
    }

    /// Whether most of what is kept belongs to expressions that were dropped.
    pub fn is_mostly_dead(&self) -> bool {
        self.n_dead * 2 > self.bits.len()
    }
}
