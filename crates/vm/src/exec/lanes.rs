//! Values of slow operations: a lane is a scalar of any width, with its uninitialised bits.

use crate::machine::Machine;
use crate::value::{ExprId, Slot, Tag};
use crate::vm::Vm;
use smallvec::{SmallVec, smallvec};
use spelunk_bv::float::FBits;
use spelunk_ir::code::{Lanes, Reg, Scalar};

pub(super) type Limbs = SmallVec<[u64; 2]>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lane {
    pub val: Limbs,
    pub undef: Limbs,
}

impl Lane {
    pub fn new(val: Limbs) -> Self {
        let undef = smallvec![0; val.len()];
        Self { val, undef }
    }

    /// A lane of `bits` bits of which nothing is known if `undef` is set.
    pub fn with_undef(val: Limbs, undef: bool) -> Self {
        let undef = smallvec![if undef { u64::MAX } else { 0 }; val.len()];
        Self { val, undef }
    }

    pub fn word(val: u64) -> Self {
        Self::new(smallvec![val])
    }

    pub fn float(scalar: Scalar, bits: FBits) -> Self {
        let mut val: Limbs = smallvec![bits as u64];
        if scalar.n_slots() == 2 {
            val.push((bits >> 64) as u64);
        }
        Self::new(val)
    }

    pub fn is_undef(&self) -> bool {
        self.undef.iter().any(|&mask| mask != 0)
    }

    pub fn float_bits(&self) -> FBits {
        u128::from(self.val[0]) | self.val.get(1).map_or(0, |&high| u128::from(high) << 64)
    }

    /// This lane, wholly uninitialised if `undef` is set.
    pub fn or_undef(mut self, undef: bool) -> Self {
        if undef {
            self.undef.fill(u64::MAX);
        }
        self
    }
}

impl<M: Machine> Vm<'_, M> {
    pub(super) fn lane(&self, reg: Reg, lanes: Lanes, idx: u32) -> Lane {
        let n_slots = lanes.scalar.n_slots();
        let first = reg.offset(idx * n_slots);
        let slots = (0..n_slots).map(|i| self.reg(first.offset(i).0));
        let (val, undef) = slots.map(|slot| (slot.val, self.undef_mask(slot))).unzip();
        Lane { val, undef }
    }

    pub(super) fn all_lanes(&self, reg: Reg, lanes: Lanes) -> Vec<Lane> {
        (0..lanes.count).map(|idx| self.lane(reg, lanes, idx)).collect()
    }

    /// Writes lanes one after another.
    pub(super) fn set_lanes(&mut self, dst: Reg, lanes: impl IntoIterator<Item = Lane>) {
        let mut reg = dst;
        for lane in lanes {
            for (&val, &mask) in lane.val.iter().zip(&lane.undef) {
                let tag = Tag::new(ExprId::NONE, self.undefs.mk(mask));
                self.set_reg(reg.0, Slot { val, tag });
                reg = reg.offset(1);
            }
        }
    }
}

/// Joins lanes to one string of bits, lowest lane first.
pub(super) fn pack(lanes: &[Lane], bits: u32) -> (Vec<u64>, Vec<u64>) {
    let total = (lanes.len() as u32 * bits).div_ceil(64) as usize;
    let (mut val, mut undef) = (vec![0; total], vec![0; total]);
    for (idx, lane) in lanes.iter().enumerate() {
        insert_bits(&mut val, idx as u32 * bits, bits, &lane.val);
        insert_bits(&mut undef, idx as u32 * bits, bits, &lane.undef);
    }
    (val, undef)
}

/// The opposite of `pack`.
pub(super) fn unpack(val: &[u64], undef: &[u64], count: u32, bits: u32) -> Vec<Lane> {
    (0..count)
        .map(|idx| Lane { val: extract_bits(val, idx * bits, bits), undef: extract_bits(undef, idx * bits, bits) })
        .collect()
}

fn insert_bits(out: &mut [u64], at: u32, bits: u32, limbs: &[u64]) {
    for i in 0..bits {
        let bit = limbs[(i / 64) as usize] >> (i % 64) & 1;
        out[((at + i) / 64) as usize] |= bit << ((at + i) % 64);
    }
}

fn extract_bits(from: &[u64], at: u32, bits: u32) -> Limbs {
    let mut limbs: Limbs = smallvec![0; bits.div_ceil(64) as usize];
    for i in 0..bits {
        let bit = from[((at + i) / 64) as usize] >> ((at + i) % 64) & 1;
        limbs[(i / 64) as usize] |= bit << (i % 64);
    }
    limbs
}
