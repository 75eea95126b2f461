//! What values depend on at the moment, kept where the loop of the VM can look: most operations are about values that depend on nothing
//! beyond their expressions, and leave all of this as it is.

use super::knowledge::Knowledge;
use super::labels::{Label, Labels};
use super::operands::can_fail;
use super::places::{Places, Wrote};
use super::ways::Way;
use spelunk_ir::code::{Addressing, CheckedImage, Form, Meaning, Op, OpCode, OpIdx, Reg, RegUse};
use spelunk_ir::flow::Blocks;
use spelunk_vm::memory::{Memory, object_of};
use spelunk_vm::{Attention, Passes, Slot};
use std::sync::Arc;

/// Operations with more registers are looked at one by one.
const MAX_READ: usize = 3;

/// No register.
const NO_SLOT: u32 = u32::MAX;

/// What has to be looked at before an operation is executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    pub class: Class,
    /// Whether control may come here from elsewhere, or comes back from a call.
    starts_block: bool,
    /// Whether others look at it too.
    is_shared: bool,
    n_read: u8,
    /// The registers that it reads, by slot in the frame.
    read: [u32; MAX_READ],
    /// The one that it writes.
    written: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// Everything.
    Any,
    /// Registers to registers: it decides nothing and is never an error.
    Values,
    /// The same, but for some operands it is an error.
    Checked,
    Branch,
    /// Of the first registers, as many say where.
    Load(u8),
    Store(u8),
}

/// Blocks of code that leave what registers depend on as it was: by their first operation, what that was, and for which frame. As long as
/// it is that, they need not be looked at again, but for memory: registers then have what they have at the block's start and end.
#[derive(Debug, Default)]
pub(super) struct Settled {
    blocks: Vec<(u64, usize)>,
    /// By operation: what was read or written there depends on, if all of it was simple.
    seen: Vec<Option<Label>>,
    /// What all registers depend on, as a number. Other runs have others.
    state: u64,
    n_runs: u64,
    /// The block under way, if all of it is looked at.
    candidate: Option<(OpIdx, (u64, usize))>,
    /// Whether the operation at hand was seen to start it.
    has_entered: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Watch {
    pub(super) outlines: Arc<[Outline]>,
    pub(super) settled: Settled,
    attention: Attention,
    /// How deep in code that runs aside: what that does is undone, and not followed.
    pub(super) depth_aside: u32,
    /// Whether it matters which of several pointers is stored.
    has_leaks: bool,
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
    pub(super) labels: Labels,
    /// By slot of all frames.
    pub(super) slots: Vec<Label>,
    pub(super) places: Places,
    pub(super) written: Vec<Wrote>,
}

impl Watch {
    pub(super) fn new(outlines: &Arc<[Outline]>, mut settled: Settled, is_followed: bool, has_leaks: bool) -> Self {
        settled.blocks.resize(outlines.len(), (0, 0));
        settled.seen.resize(outlines.len(), None);
        settled.n_runs += 1;
        settled.state = spread(settled.n_runs);
        settled.candidate = None;
        Self { outlines: Arc::clone(outlines), settled, is_followed, has_leaks, ..Self::default() }
    }

    /// How closely the code is to be looked at.
    #[inline]
    pub fn attention(&self, n_decisions: usize) -> Attention {
        if self.n_decisions == n_decisions { self.attention } else { Attention::Full }
    }

    #[inline]
    pub fn is_aside(&self) -> bool {
        self.depth_aside > 0
    }

    /// Code is run aside, or that is over.
    pub fn set_aside(&mut self, is_aside: bool) {
        self.depth_aside = if is_aside { self.depth_aside + 1 } else { self.depth_aside - 1 };
    }

    /// Does what is to be done about an operation, if that is simple.
    #[inline]
    pub fn passes(
        &mut self,
        memory: &Memory,
        (op_idx, op): (OpIdx, &Op),
        (base, regs): (usize, &[Slot]),
        n_decisions: usize,
    ) -> Passes {
        let outline = self.outlines[op_idx.index()];
        if !self.is_followed || self.is_aside() {
            return if outline.is_shared { Passes::No } else { Passes::Yes };
        }
        if self.is_busy || self.n_decisions != n_decisions {
            self.settled.seen[op_idx.index()] = None;
            if outline.starts_block {
                self.settled.candidate = None;
            } else if self.attention == Attention::Some {
                self.resume(op_idx, base);
            }
            return Passes::No;
        }
        if outline.starts_block {
            if self.join == Some(op_idx) {
                self.leave_block();
                return Passes::No;
            }
            self.enter_block(op_idx, base);
        }
        if self.attention == Attention::Some {
            if let Some(passes) = self.passes_settled(memory, (op_idx, outline, op), (base, regs)) {
                return passes;
            }
            self.resume(op_idx, base);
        }
        if matches!(outline.class, Class::Load(_) | Class::Store(_)) {
            self.settled.seen[op_idx.index()] = None;
        }
        let is_done = self.does(memory, (op_idx, outline, op), (base, regs));
        self.settled.has_entered = !is_done && outline.starts_block;
        if is_done { Passes::Yes } else { Passes::No }
    }

    /// Whether an operation of a settled block does what it did, and whether it will do so again. Whatever changes in what registers
    /// depend on, or where branches end, comes with full attention. Nothing if it has to be looked at.
    #[inline]
    fn passes_settled(
        &mut self,
        memory: &Memory,
        (op_idx, outline, op): (OpIdx, Outline, &Op),
        (base, regs): (usize, &[Slot]),
    ) -> Option<Passes> {
        let is_plain = |at: usize| !regs[base + outline.read[at] as usize].tag.expr().is_some();
        let are_plain = |n_read: u8| (0..usize::from(n_read)).all(is_plain);
        let n_places = match outline.class {
            Class::Any => return None,
            Class::Values => return Some(Passes::Henceforth),
            Class::Checked | Class::Branch => return are_plain(outline.n_read).then_some(Passes::Henceforth),
            Class::Load(n_places) | Class::Store(n_places) => n_places,
        };
        let seen = self.settled.seen[op_idx.index()]?;
        let (addr, len) = accessed(op, |reg| regs[base + Reg(reg).slot()].val);
        if !are_plain(n_places) || memory.is_unsettled(object_of(addr)) || !self.places.life(addr).is_none() {
            return None;
        }
        let is_store = matches!(outline.class, Class::Store(_));
        if is_store {
            if (self.has_leaks && !is_plain(usize::from(n_places))) || (!seen.is_none() && self.places.is_empty()) {
                return None;
            }
            self.places.set(addr, len, seen);
            if self.is_noting {
                self.written.push(Wrote::Bytes { addr, len });
            }
        } else if self.places.label_of(&mut self.labels, addr, len) != seen {
            return None;
        }
        // Otherwise it may go to another place next time.
        let is_the_same_again = self.places.is_empty() && !(is_store && self.is_noting);
        Some(if is_the_same_again { Passes::Henceforth } else { Passes::Yes })
    }

    /// Finds out what registers depend on in the middle of a settled block, from what they do at its start.
    #[cold]
    fn resume(&mut self, op_idx: OpIdx, base: usize) {
        let outlines = Arc::clone(&self.outlines);
        let start = (0..=op_idx.index()).rev().find(|&at| outlines[at].starts_block).expect("code starts with a block");
        self.follow_block(OpIdx(start as u32), base);
        for (at, outline) in outlines[..op_idx.index()].iter().enumerate().skip(start) {
            if outline.written == NO_SLOT {
                continue;
            }
            let label = match outline.class {
                Class::Values => self.computed(outline, base),
                Class::Load(_) => self.settled.seen[at].unwrap_or_default(),
                Class::Checked => Label::NONE,
                Class::Any | Class::Branch | Class::Store(_) => continue,
            };
            self.set_slot(base + outline.written as usize, label);
        }
    }

    /// What the result of an operation on registers depends on.
    #[inline]
    fn computed(&mut self, outline: &Outline, base: usize) -> Label {
        let mut all = Label::NONE;
        for &slot in &outline.read[..usize::from(outline.n_read)] {
            let with = self.slot_label(base + slot as usize);
            all = self.labels.union(all, with);
        }
        all
    }

    #[inline]
    fn does(
        &mut self,
        memory: &Memory,
        (op_idx, outline, op): (OpIdx, Outline, &Op),
        (base, regs): (usize, &[Slot]),
    ) -> bool {
        let label = |at: usize| self.slot_label(base + outline.read[at] as usize);
        let is_plain = |at: usize| !regs[base + outline.read[at] as usize].tag.expr().is_some();
        let is_free = |n_read: u8| (0..usize::from(n_read)).all(|at| label(at).is_none() && is_plain(at));
        match outline.class {
            Class::Any => false,
            Class::Values => {
                if outline.written != NO_SLOT {
                    let all = self.computed(&outline, base);
                    self.set_slot(base + outline.written as usize, all);
                }
                true
            }
            Class::Branch => is_free(outline.n_read),
            Class::Checked => {
                let is_free = is_free(outline.n_read);
                if is_free {
                    self.set_slot(base + outline.written as usize, Label::NONE);
                }
                is_free
            }
            Class::Load(n_places) => {
                if !is_free(n_places) {
                    return false;
                }
                let (addr, len) = accessed(op, |reg| regs[base + Reg(reg).slot()].val);
                if memory.is_unsettled(object_of(addr)) || !self.places.life(addr).is_none() {
                    return false;
                }
                let found = self.places.label_of(&mut self.labels, addr, len);
                self.settled.seen[op_idx.index()] = Some(found);
                self.set_slot(base + outline.written as usize, found);
                true
            }
            Class::Store(n_places) => {
                if !is_free(n_places) || (self.has_leaks && !is_plain(usize::from(n_places))) {
                    return false;
                }
                let (addr, len) = accessed(op, |reg| regs[base + Reg(reg).slot()].val);
                if memory.is_unsettled(object_of(addr)) || !self.places.life(addr).is_none() {
                    return false;
                }
                let value = label(usize::from(n_places));
                if !value.is_none() && self.places.is_empty() {
                    self.attention = Attention::Full;
                }
                self.settled.seen[op_idx.index()] = Some(value);
                self.places.set(addr, len, value);
                if self.is_noting {
                    self.written.push(Wrote::Bytes { addr, len });
                }
                true
            }
        }
    }

    /// An operation was looked at closely, of a frame that begins at this slot.
    pub(super) fn looked_at(&mut self, op_idx: OpIdx, base: usize) {
        let outline = self.outlines[op_idx.index()];
        if !std::mem::take(&mut self.settled.has_entered) && outline.starts_block {
            self.leave_block();
            self.follow_block(op_idx, base);
        }
        if matches!(outline.class, Class::Branch | Class::Checked) {
            // It may have depended on something, and is not looked at again in a block that is settled.
            self.settled.candidate = None;
        }
        let is_quiet = !self.is_busy && !self.is_noting && self.places.is_empty() && {
            let frame = self.slots.get(base..).unwrap_or_default();
            frame.iter().all(|label| label.is_none())
        };
        if is_quiet || !self.is_followed {
            self.settled.candidate = None;
            self.attention = Attention::Little;
        } else {
            self.attention = Attention::Full;
        }
    }

    /// Control comes to the start of a block, and so the last one is over.
    #[inline]
    fn enter_block(&mut self, op_idx: OpIdx, base: usize) {
        self.leave_block();
        if self.attention == Attention::Little {
            return;
        }
        if self.settled.blocks[op_idx.index()] == (self.settled.state, base) {
            self.attention = Attention::Some;
        } else {
            self.follow_block(op_idx, base);
        }
    }

    #[inline]
    fn leave_block(&mut self) {
        let Settled { blocks, state, candidate, .. } = &mut self.settled;
        if let Some((block, since)) = candidate.take()
            && since.0 == *state
        {
            blocks[block.index()] = since;
        }
    }

    /// All of a block is looked at, from its start.
    #[inline]
    fn follow_block(&mut self, op_idx: OpIdx, base: usize) {
        let Settled { blocks, state, candidate, .. } = &mut self.settled;
        blocks[op_idx.index()] = (0, 0);
        *candidate = Some((op_idx, (*state, base)));
        self.attention = Attention::Full;
    }

    #[inline]
    fn slot_label(&self, slot: usize) -> Label {
        self.slots.get(slot).copied().unwrap_or_default()
    }

    /// A register depends on this from now on.
    #[inline]
    fn set_slot(&mut self, slot: usize, label: Label) {
        if self.slot_label(slot) != label {
            self.change_slot(slot, label);
        }
    }

    fn change_slot(&mut self, slot: usize, label: Label) {
        if slot >= self.slots.len() {
            self.slots.resize(slot + 1, Label::NONE);
        }
        let before = std::mem::replace(&mut self.slots[slot], label);
        self.settled.state ^= stands_for(slot, before) ^ stands_for(slot, label);
        self.attention = Attention::Full;
    }

    pub(super) fn set_slots(&mut self, first: usize, n: usize, label: Label) {
        (first..first + n).for_each(|slot| self.set_slot(slot, label));
    }

    /// The frame that begins at this slot is gone.
    pub(super) fn leave_frame(&mut self, base: usize) {
        for (slot, &label) in self.slots.iter().enumerate().skip(base) {
            self.settled.state ^= stands_for(slot, label);
        }
        self.slots.truncate(base);
    }
}

/// A register that depends on something, as a number: the sum of all stands for what registers depend on.
#[inline]
fn stands_for(slot: usize, label: Label) -> u64 {
    if label.is_none() { 0 } else { spread((slot as u64) << 32 | u64::from(label.number())) }
}

/// Numbers that lie near each other, far apart.
#[inline]
fn spread(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
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
pub(super) fn outlines(image: &CheckedImage, others: &[OpIdx], known: &Knowledge) -> Arc<[Outline]> {
    let mut all: Vec<Outline> = (0..image.ops.len() as u32).map(|op_idx| outline(image, OpIdx(op_idx))).collect();
    visit_starts(image, |op_idx| all[op_idx.index()].starts_block = true);
    for op_idx in others {
        let outline = &mut all[op_idx.index()];
        (outline.class, outline.is_shared) = (Class::Any, true);
    }
    all.iter_mut().filter(|outline| !is_followed(outline.class, known)).for_each(|outline| {
        (outline.class, outline.written) = (Class::Values, NO_SLOT);
    });
    all.into()
}

fn is_followed(class: Class, known: &Knowledge) -> bool {
    match class {
        Class::Values => known.follows(Way::Operations),
        Class::Load(_) => known.follows(Way::Loads),
        _ => true,
    }
}

/// The operations to look at if no register depends on anything; and those if none changes in this.
pub(super) fn notes(image: &CheckedImage, attention: Attention) -> Vec<OpIdx> {
    let is_noted = |class: Class| match attention {
        Attention::Full => true,
        Attention::Some => matches!(class, Class::Any | Class::Load(_) | Class::Store(_)),
        Attention::Little => class == Class::Any,
    };
    let all = (0..image.ops.len() as u32).map(OpIdx);
    let mut notes: Vec<OpIdx> = all.filter(|&op_idx| is_noted(outline(image, op_idx).class)).collect();
    if attention == Attention::Some {
        visit_starts(image, |op_idx| notes.push(op_idx));
    }
    notes
}

fn visit_starts(image: &CheckedImage, mut visit: impl FnMut(OpIdx)) {
    for code in image.functions.iter().filter(|code| code.entry < code.end) {
        let blocks = Blocks::new(image, code);
        blocks.ids().for_each(|block| visit(blocks.ops(block).start));
    }
}

fn outline(image: &CheckedImage, op_idx: OpIdx) -> Outline {
    let mut outline = Outline {
        class: Class::Any,
        starts_block: false,
        is_shared: false,
        n_read: 0,
        read: [0; MAX_READ],
        written: NO_SLOT,
    };
    let op = image.op(op_idx);
    if op.code == OpCode::Ext {
        return outline;
    }
    let n_places = |addressing| if addressing == Addressing::Offset { 1 } else { 2 };
    outline.class = match op.meaning() {
        Meaning::Binary { op: what, form, width } if can_fail(what, form, op, width) => Class::Checked,
        Meaning::Checked { .. } if image.overflow_is_error => Class::Checked,
        Meaning::Binary { .. } | Meaning::Checked { .. } | Meaning::Compare { .. } => Class::Values,
        Meaning::Branch { form: Form::Register | Form::Immediate, .. } => Class::Branch,
        Meaning::Load { addressing, .. } => Class::Load(n_places(addressing)),
        Meaning::Store { addressing, .. } => Class::Store(n_places(addressing)),
        Meaning::Other => match op.code {
            OpCode::BrIf | OpCode::BrIfNot => Class::Branch,
            OpCode::Mov | OpCode::Const | OpCode::Undef | OpCode::SExt | OpCode::Trunc => Class::Values,
            OpCode::Gep | OpCode::GepI32 | OpCode::Jump | OpCode::Select => Class::Values,
            _ => Class::Any,
        },
        // What may be given a value there is decided by the operation.
        _ => Class::Any,
    };
    let (mut n_read, mut n_written) = (0, 0);
    image.visit_regs(op_idx, |how, reg, n| {
        for slot in reg.slot()..reg.slot() + n as usize {
            match how {
                RegUse::Read => {
                    if let Some(known) = outline.read.get_mut(n_read) {
                        *known = slot as u32;
                    }
                    n_read += 1;
                }
                RegUse::Write => {
                    outline.written = slot as u32;
                    n_written += 1;
                }
            }
        }
    });
    outline.n_read = n_read.min(MAX_READ) as u8;
    if n_read > MAX_READ || n_written > 1 {
        outline.class = Class::Any;
    }
    outline
}
