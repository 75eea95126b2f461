//! What values depend on at the moment, kept where the loop of the VM can look: most operations are about values that depend on nothing
//! beyond their expressions, and leave all of this as it is.

use super::labels::Label;
use super::operands::can_fail;
use super::places::{Places, Wrote};
use spelunk_ir::code::{Addressing, CheckedImage, Form, Meaning, Op, OpCode, OpIdx, Reg};
use spelunk_vm::Slot;
use spelunk_vm::memory::{Memory, object_of};
use std::sync::Arc;

/// Operations with more registers are looked at one by one.
const MAX_SLOTS: usize = 4;

/// What has to be looked at before an operation is executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    pub class: Class,
    n_slots: u8,
    /// The registers that it reads first, then those that it writes, by slot in the frame.
    slots: [u32; MAX_SLOTS],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// Everything.
    Any,
    /// Registers to registers: it decides nothing and is never an error.
    Values,
    Branch,
    /// Of the first registers, as many say where.
    Load(u8),
    Store(u8),
}

#[derive(Debug, Default)]
pub(crate) struct Watch {
    pub(super) outlines: Arc<[Outline]>,
    /// Whether a run is followed, so far.
    pub(super) is_followed: bool,
    /// How many decisions were looked at.
    pub(super) n_decisions: usize,
    /// Whether an operation is under way that is to be looked at once more.
    pub(super) is_busy: bool,
    /// Where the ways of the innermost branch come together.
    pub(super) join: Option<OpIdx>,
    /// Whether branches are under way, for which writes are noted.
    pub(super) is_noting: bool,
    /// By slot of all frames.
    pub(super) slots: Vec<Label>,
    pub(super) places: Places,
    pub(super) written: Vec<Wrote>,
}

impl Watch {
    /// Whether nothing is to be done about an operation.
    #[inline]
    pub fn passes(
        &mut self,
        memory: &Memory,
        (op_idx, op): (OpIdx, &Op),
        (base, regs): (usize, &[Slot]),
        n_decisions: usize,
    ) -> bool {
        if !self.is_followed {
            return true;
        }
        if self.is_busy || self.join == Some(op_idx) || self.n_decisions != n_decisions {
            return false;
        }
        let outline = &self.outlines[op_idx.index()];
        if outline.class == Class::Any || outline.slots().any(|slot| self.is_labelled(base + slot)) {
            return false;
        }
        let is_plain = |slot: usize| !regs[base + slot].tag.expr().is_some();
        match outline.class {
            Class::Any => false,
            Class::Values => true,
            Class::Branch => outline.slots().all(is_plain),
            Class::Load(n_slots) => {
                outline.slots().take(n_slots.into()).all(is_plain) && {
                    let (addr, _) = accessed(op, |reg| regs[base + Reg(reg).slot()].val);
                    self.is_plain_object(memory, addr)
                }
            }
            Class::Store(n_slots) => {
                if !outline.slots().take(n_slots.into()).all(is_plain) {
                    return false;
                }
                let (addr, len) = accessed(op, |reg| regs[base + Reg(reg).slot()].val);
                if !self.is_plain_object(memory, addr) {
                    return false;
                }
                if self.is_noting {
                    self.written.push(Wrote::Bytes { addr, len });
                }
                true
            }
        }
    }

    #[inline]
    fn is_labelled(&self, slot: usize) -> bool {
        self.slots.get(slot).is_some_and(|label| !label.is_none())
    }

    /// Whether nothing is known of what is in an object, and accesses decide nothing.
    #[inline]
    fn is_plain_object(&self, memory: &Memory, addr: u64) -> bool {
        !self.places.knows(object_of(addr)) && !memory.is_unsettled(object_of(addr))
    }
}

impl Outline {
    fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        self.slots[..usize::from(self.n_slots)].iter().map(|&slot| slot as usize)
    }
}

/// Where a load or store goes, and how many bytes it is about.
fn accessed(op: &Op, value: impl Fn(u32) -> u64) -> (u64, u64) {
    let (Meaning::Load { bytes, addressing } | Meaning::Store { bytes, addressing }) = op.meaning() else {
        unreachable!("only these are asked for");
    };
    let offset = match addressing {
        Addressing::Offset => op.b as i32 as i64 as u64,
        Addressing::Index64 => value(op.b).wrapping_mul(u64::from(op.aux)),
        Addressing::Index32 => (value(op.b) as i32 as i64 as u64).wrapping_mul(u64::from(op.aux)),
    };
    (value(op.a).wrapping_add(offset), u64::from(bytes))
}

/// The outlines of all operations. At some of them others look too, who are to be asked.
pub(super) fn outlines(image: &CheckedImage, others: &[OpIdx]) -> Arc<[Outline]> {
    let mut all: Vec<Outline> = (0..image.ops.len() as u32).map(|op_idx| outline(image, OpIdx(op_idx))).collect();
    others.iter().for_each(|op_idx| all[op_idx.index()].class = Class::Any);
    all.into()
}

fn outline(image: &CheckedImage, op_idx: OpIdx) -> Outline {
    let mut outline = Outline { class: Class::Any, n_slots: 0, slots: [0; MAX_SLOTS] };
    let op = image.op(op_idx);
    if op.code == OpCode::Ext {
        return outline;
    }
    let n_places = |addressing| if addressing == Addressing::Offset { 1 } else { 2 };
    outline.class = match op.meaning() {
        Meaning::Binary { op: what, form, width } if !can_fail(what, form, op, width) => Class::Values,
        Meaning::Compare { .. } => Class::Values,
        Meaning::Branch { form: Form::Register | Form::Immediate, .. } => Class::Branch,
        Meaning::Load { addressing, .. } => Class::Load(n_places(addressing)),
        Meaning::Store { addressing, .. } => Class::Store(n_places(addressing)),
        Meaning::Other => match op.code {
            OpCode::BrIf | OpCode::BrIfNot => Class::Branch,
            OpCode::Mov | OpCode::Const | OpCode::Undef | OpCode::SExt | OpCode::Trunc => Class::Values,
            OpCode::Gep | OpCode::GepI32 | OpCode::Jump | OpCode::Select => Class::Values,
            _ => Class::Any,
        },
        _ => Class::Any,
    };
    let mut n_slots = 0;
    image.visit_regs(op_idx, |_, reg, n| {
        for slot in reg.slot()..reg.slot() + n as usize {
            if let Some(known) = outline.slots.get_mut(n_slots) {
                *known = slot as u32;
            }
            n_slots += 1;
        }
    });
    match u8::try_from(n_slots) {
        Ok(n) if n_slots <= MAX_SLOTS => outline.n_slots = n,
        _ => outline.class = Class::Any,
    }
    outline
}
