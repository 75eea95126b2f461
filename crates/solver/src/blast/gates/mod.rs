//! The circuit: gates over input bits, each built once.
//!
//! A [`Bit`] is a gate or its negation. Five kinds of gates, rather than AND alone, as each has clauses that propagate
//! more than those of its AND-inverter form, and an adder is two gates a bit ([`Gate::Xor3`] and [`Gate::Maj`]).
//! Operands come before what uses them, so ids are a topological order. What a gate folds to is in `rules`; clauses are
//! made of gates in [`super::cnf`], and only of those that a query asks for.

mod rules;

use std::ops::Not;

use rustc_hash::FxHashMap;
use spelunk_expr::VarId;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct GateId(u32);

impl GateId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub const fn bit(self) -> Bit {
        Bit(self.0 << 1)
    }
}

/// The output of a gate, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct Bit(u32);

impl Bit {
    pub const FALSE: Bit = Bit(0);
    pub const TRUE: Bit = Bit(1);

    pub const fn constant(value: bool) -> Self {
        Bit(value as u32)
    }

    pub const fn gate(self) -> GateId {
        GateId(self.0 >> 1)
    }

    pub const fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    /// The bit, negated if `flip` is set.
    pub const fn flipped_if(self, flip: bool) -> Bit {
        Bit(self.0 ^ flip as u32)
    }

    pub const fn as_constant(self) -> Option<bool> {
        match self {
            Bit::FALSE => Some(false),
            Bit::TRUE => Some(true),
            _ => None,
        }
    }

    /// The output of the gate itself.
    const fn positive(self) -> Bit {
        Bit(self.0 & !1)
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Gate {
    /// The first gate, which is false.
    Constant,
    /// A bit of a variable.
    Var {
        var: VarId,
        at: u32,
    },
    /// A bit that conditions define instead of operands: see [`super::defs`].
    Defined {
        by: DefId,
    },
    And(Bit, Bit),
    Xor(Bit, Bit),
    /// The second operand if the first is set, the third otherwise.
    Mux(Bit, Bit, Bit),
    Xor3(Bit, Bit, Bit),
    /// Whether at least two of three are set.
    Maj(Bit, Bit, Bit),
}

/// What gives a [`Gate::Defined`] its meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct DefId(pub u32);

impl Gate {
    /// The operands; false stands for those that there are not.
    pub fn operands(self) -> impl Iterator<Item = Bit> {
        let (operands, n) = match self {
            Gate::Constant | Gate::Var { .. } | Gate::Defined { .. } => ([Bit::FALSE; 3], 0),
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, Bit::FALSE], 2),
            Gate::Mux(a, b, c) | Gate::Xor3(a, b, c) | Gate::Maj(a, b, c) => ([a, b, c], 3),
        };
        operands.into_iter().take(n)
    }
}

pub(crate) struct Gates {
    gates: Vec<Gate>,
    /// How many gates have it as an operand, as far as a `u8` can count.
    n_uses: Vec<u8>,
    unique: FxHashMap<Gate, GateId>,
}

impl Default for Gates {
    fn default() -> Self {
        Gates { gates: vec![Gate::Constant], n_uses: vec![0], unique: FxHashMap::default() }
    }
}

impl Gates {
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn gate(&self, id: GateId) -> Gate {
        self.gates[id.index()]
    }

    /// Whether one gate at most has it as an operand.
    pub fn is_used_once(&self, id: GateId) -> bool {
        self.n_uses[id.index()] <= 1
    }

    /// A bit without operands, different from all others.
    pub fn add_leaf(&mut self, leaf: Gate) -> Bit {
        debug_assert!(matches!(leaf, Gate::Var { .. } | Gate::Defined { .. }));
        self.push(leaf).bit()
    }

    fn push(&mut self, gate: Gate) -> GateId {
        assert!(self.gates.len() < u32::MAX as usize / 2, "fewer than 2^31 gates");
        let id = GateId(self.gates.len() as u32);
        self.gates.push(gate);
        self.n_uses.push(0);
        id
    }

    fn intern(&mut self, gate: Gate) -> Bit {
        if let Some(id) = self.unique.get(&gate) {
            return id.bit();
        }
        let id = self.push(gate);
        self.unique.insert(gate, id);
        for operand in gate.operands() {
            let n_uses = &mut self.n_uses[operand.gate().index()];
            *n_uses = n_uses.saturating_add(1);
        }
        id.bit()
    }
}
