//! What a register is in a round of a loop, as far as that can be said of all rounds at once.

use spelunk_bv::{BinOp, CmpOp, int};
use spelunk_vm::Slot;
use std::rc::Rc;

/// A value in a round.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// The same in all rounds.
    Fixed(Slot),
    Moving(Moving),
    /// Follows from the byte that the round reads.
    OfByte(Rc<Table>),
    /// Whether a comparison holds.
    Test(Test),
    Unknown,
}

/// By byte: nothing where the round has to be executed to say what happens.
pub(super) type Table = [Option<u64>; 256];

/// What a register was before the round, and something that is the same in all rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moving {
    /// Its place in the frame.
    pub slot: usize,
    pub add: i64,
    /// An address that it is added to.
    pub base: Option<Slot>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Test {
    pub moving: Moving,
    pub op: CmpOp,
    pub width: u32,
    pub with: Slot,
}

impl Moving {
    pub fn moved(self, by: u64) -> Self {
        Self { add: self.add.wrapping_add(by as i64), ..self }
    }
}

impl Test {
    pub fn negated(self) -> Self {
        Self { op: self.op.negated(), ..self }
    }
}

impl Value {
    pub fn plain(val: u64) -> Self {
        Self::Fixed(Slot::plain(val))
    }

    /// The number that it is in all rounds, for all inputs.
    pub fn constant(&self) -> Option<u64> {
        match self {
            Self::Fixed(slot) if slot.tag.is_plain() => Some(slot.val),
            _ => None,
        }
    }

    /// What it is for each byte.
    pub fn table(&self) -> Option<Rc<Table>> {
        match self {
            Self::OfByte(table) => Some(Rc::clone(table)),
            _ => Some(Rc::new([Some(self.constant()?); 256])),
        }
    }

    /// The byte itself.
    pub fn of_byte(f: impl Fn(u8) -> Option<u64>) -> Self {
        Self::OfByte(Rc::new(std::array::from_fn(|byte| f(byte as u8))))
    }

    pub fn map(&self, f: impl Fn(u64) -> Option<u64>) -> Self {
        match self {
            Self::OfByte(table) => Self::of_byte(|byte| table[usize::from(byte)].and_then(&f)),
            _ => self.constant().and_then(f).map_or(Self::Unknown, Self::plain),
        }
    }

    /// Both are constants, or follow from the byte.
    fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> Option<u64>) -> Self {
        match (self.constant(), other.constant()) {
            (Some(a), Some(b)) => f(a, b).map_or(Self::Unknown, Self::plain),
            _ => match (self.table(), other.table()) {
                (Some(a), Some(b)) => Self::of_byte(|byte| f(a[usize::from(byte)]?, b[usize::from(byte)]?)),
                _ => Self::Unknown,
            },
        }
    }

    /// An operation on integers. What is an error is to be executed.
    pub fn binary(&self, op: BinOp, width: u32, other: &Self, is_error: impl Fn(u64, u64) -> bool) -> Self {
        match (self, op, other.constant()) {
            (Self::Moving(moving), BinOp::Add, Some(by)) => Self::Moving(moving.moved(int::sext_to(width, 64, by))),
            (Self::Moving(moving), BinOp::Sub, Some(by)) => {
                Self::Moving(moving.moved(int::sext_to(width, 64, by).wrapping_neg()))
            }
            (Self::Test(test), BinOp::Xor, Some(1)) => Self::Test(test.negated()),
            (Self::Test(_), BinOp::And, Some(1)) => self.clone(),
            _ => match (op, self.constant(), other) {
                (BinOp::Add, Some(by), Self::Moving(moving)) => Self::Moving(moving.moved(int::sext_to(width, 64, by))),
                _ => self.zip(other, |a, b| (!is_error(a, b)).then(|| int::binop(op, width, a, b))),
            },
        }
    }

    pub fn compare(&self, op: CmpOp, width: u32, other: &Self) -> Self {
        match (self, other) {
            (Self::Moving(moving), Self::Fixed(with)) => Self::Test(Test { moving: *moving, op, width, with: *with }),
            (Self::Fixed(with), Self::Moving(moving)) => {
                Self::Test(Test { moving: *moving, op: op.swapped(), width, with: *with })
            }
            (Self::Test(test), _) if op == CmpOp::Ne && other.constant() == Some(0) => Self::Test(*test),
            (Self::Test(test), _) if op == CmpOp::Eq && other.constant() == Some(0) => Self::Test(test.negated()),
            _ => self.zip(other, |a, b| Some(u64::from(int::icmp(op, width, a, b)))),
        }
    }

    /// A pointer to which a number of elements is added.
    pub fn offset(&self, index: &Self, scale: u64) -> Self {
        match (self, index) {
            (Self::Fixed(base), Self::Moving(moving)) if scale == 1 && moving.base.is_none() => {
                Self::Moving(Moving { base: Some(*base), ..*moving })
            }
            (Self::Moving(moving), _) if index.constant().is_some() => {
                Self::Moving(moving.moved(index.constant().unwrap_or(0).wrapping_mul(scale)))
            }
            (Self::Fixed(_), _) if index.constant() == Some(0) => self.clone(),
            _ => self.zip(index, |base, index| Some(base.wrapping_add(index.wrapping_mul(scale)))),
        }
    }
}
