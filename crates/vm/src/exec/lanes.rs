//! Values of slow operations: a lane is a scalar of any width, with its uninitialised bits and its expression.
//!
//! A lane lies in as many slots as it needs, each of which has its own part of the expression: reading joins the parts,
//! writing takes them apart.

use crate::machine::Machine;
use crate::operation::{Limbs, Operand, Operation};
use crate::value::{Carried, Slot, Tag};
use crate::vm::Vm;
use smallvec::{SmallVec, smallvec};
use spelunk_bv::{int, wide};
use spelunk_ir::code::{Lanes, Reg};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lane {
    pub width: u32,
    pub val: Limbs,
    pub undef: Limbs,
    /// Of the whole width; a narrower one stands for its zero extension.
    pub expr: Carried,
}

impl Lane {
    pub fn new(width: u32, val: Limbs) -> Self {
        debug_assert_eq!(val.len(), wide::n_limbs(width));
        let undef = smallvec![0; val.len()];
        Self { width, val, undef, expr: Carried::NONE }
    }

    /// A lane of which nothing is known.
    pub fn undefined(width: u32) -> Self {
        Self::new(width, smallvec![0; wide::n_limbs(width)]).or_undef(true)
    }

    pub fn is_undef(&self) -> bool {
        self.undef.iter().any(|&mask| mask != 0)
    }

    /// This lane, wholly uninitialised if `undef` is set.
    pub fn or_undef(mut self, undef: bool) -> Self {
        if undef {
            for (idx, mask) in (0..).zip(&mut self.undef) {
                *mask = int::mask(Self::slot_width(self.width, idx));
            }
        }
        self
    }

    pub fn operand(&self) -> Operand<'_> {
        Operand { width: self.width, limbs: &self.val, expr: self.expr }
    }

    /// The uninitialised bits, without what a slot may say about bits that the lane does not have.
    pub fn mask(&self) -> Limbs {
        Operation::Extract { low: 0, width: self.width }.eval(&[self.mask_operand(&self.undef)])
    }

    /// A mask as something to compute with.
    pub fn mask_operand<'a>(&self, mask: &'a [u64]) -> Operand<'a> {
        plain_operand(self.width, mask)
    }

    /// How many bits the slot at an index has of a lane so wide.
    fn slot_width(width: u32, idx: u32) -> u32 {
        (width - idx * 64).min(64)
    }
}

impl<M: Machine> Vm<'_, M> {
    pub(super) fn lane(&mut self, reg: Reg, lanes: Lanes, idx: u32) -> Lane {
        let n_slots = lanes.scalar.n_slots();
        let first = reg.offset(idx * n_slots);
        let slots: SmallVec<[Slot; 2]> = (0..n_slots).map(|i| self.reg(first.offset(i).0)).collect();
        self.lane_of_slots(lanes.scalar.bits(), &slots)
    }

    pub(crate) fn lane_of_slots(&mut self, width: u32, slots: &[Slot]) -> Lane {
        let (val, undef) = slots.iter().map(|&slot| (slot.val, self.undef_mask(slot))).unzip();
        let expr = match slots {
            [only] => only.tag.expr(),
            _ if slots.iter().all(|slot| !slot.tag.expr().is_some()) => Carried::NONE,
            _ => {
                let part = |(idx, slot)| slot_operand(Lane::slot_width(width, idx), slot);
                let parts: SmallVec<[Operand<'_>; 4]> = (0..).zip(slots).map(part).collect();
                self.machine.apply(Operation::Concat, &parts)
            }
        };
        Lane { width, val, undef, expr }
    }

    pub(crate) fn slots_of_lane(&mut self, lane: &Lane) -> SmallVec<[Slot; 2]> {
        (0u32..)
            .zip(lane.val.iter().zip(&lane.undef))
            .map(|(idx, (&val, &mask))| {
                let expr = match lane.expr {
                    expr if !expr.is_some() || lane.val.len() == 1 => expr,
                    _ => {
                        let part = Operation::Extract { low: idx * 64, width: Lane::slot_width(lane.width, idx) };
                        self.machine.apply(part, &[lane.operand()])
                    }
                };
                Slot { val, tag: Tag::new(expr, self.undefs.mk(mask)) }
            })
            .collect()
    }

    pub(super) fn all_lanes(&mut self, reg: Reg, lanes: Lanes) -> Vec<Lane> {
        (0..lanes.count).map(|idx| self.lane(reg, lanes, idx)).collect()
    }

    /// Writes lanes one after another.
    pub(super) fn set_lanes(&mut self, dst: Reg, lanes: impl IntoIterator<Item = Lane>) {
        let mut reg = dst;
        for lane in lanes {
            for slot in self.slots_of_lane(&lane) {
                self.set_reg(reg.0, slot);
                reg = reg.offset(1);
            }
        }
    }

    /// The result of an operation with its expression; any uninitialised bit of an operand spoils it.
    pub(crate) fn apply<const N: usize>(&mut self, op: Operation, lanes: [&Lane; N]) -> Lane {
        let operands = lanes.map(Lane::operand);
        let undef = lanes.iter().any(|lane| lane.is_undef());
        let result = Lane::new(op.width(&operands), op.eval(&operands)).or_undef(undef);
        Lane { expr: self.expr_of(op, &operands), ..result }
    }

    /// The expression of a result; none if no operand has one.
    pub(super) fn expr_of(&mut self, op: Operation, operands: &[Operand<'_>]) -> Carried {
        if operands.iter().any(|operand| operand.expr.is_some()) {
            self.machine.apply(op, operands)
        } else {
            Carried::NONE
        }
    }

    /// Reads the same bits as lanes of another width: lowest lane first, without gaps.
    pub(super) fn regroup(&mut self, lanes: &[Lane], count: u32, width: u32) -> Vec<Lane> {
        if lanes.iter().all(|lane| lane.width == width) {
            return lanes.to_vec();
        }
        let values: Vec<Operand<'_>> = lanes.iter().map(Lane::operand).collect();
        let masks: Vec<Limbs> = lanes.iter().map(Lane::mask).collect();
        let masks: Vec<Operand<'_>> = lanes.iter().zip(&masks).map(|(lane, mask)| lane.mask_operand(mask)).collect();
        let total = width * count;
        let all = Operand {
            width: total,
            limbs: &Operation::Concat.eval(&values),
            expr: self.expr_of(Operation::Concat, &values),
        };
        let masks = Operation::Concat.eval(&masks);
        (0..count)
            .map(|idx| {
                let part = Operation::Extract { low: idx * width, width };
                Lane {
                    width,
                    val: part.eval(&[all]),
                    undef: part.eval(&[plain_operand(total, &masks)]),
                    expr: self.expr_of(part, &[all]),
                }
            })
            .collect()
    }
}

fn slot_operand(width: u32, slot: &Slot) -> Operand<'_> {
    Operand { width, limbs: std::slice::from_ref(&slot.val), expr: slot.tag.expr() }
}

fn plain_operand(width: u32, limbs: &[u64]) -> Operand<'_> {
    Operand { width, limbs, expr: Carried::NONE }
}
