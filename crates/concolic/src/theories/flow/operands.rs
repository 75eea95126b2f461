//! An operation before it is executed: what it reads, and what has to be known of that once it was.

use super::labels::Label;
use super::{Flow, Program};
use crate::machine::ConcolicMachine;
use smallvec::SmallVec;
use spelunk_bv::BinOp;
use spelunk_ir::code::{Addressing, Form, Meaning, Op, OpCode, OpIdx, Reg, RegUse, SlowOp};
use spelunk_vm::Slot;

/// An operation under way.
#[derive(Debug)]
pub(super) struct Pending {
    pub site: OpIdx,
    pub depth: usize,
    /// The first slot of its frame.
    pub base: usize,
    /// What its operands depend on; of a write, those that say where.
    pub label: Label,
    pub n_objects: u32,
    pub kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// Registers to registers. Some operations are errors for some operands.
    Values {
        is_checked: bool,
    },
    Branch {
        operands: SmallVec<[Slot; 2]>,
    },
    /// A condition that decides nothing.
    Observe {
        operand: Slot,
    },
    Load(At),
    Store {
        at: At,
        value: Label,
        stored: Slot,
    },
    /// Reads and writes the same bytes.
    Exchange(At),
    Copy {
        to: At,
        from: At,
    },
    Fill {
        at: At,
        value: Label,
    },
    /// To a new object of the frame.
    CopyArgument {
        from: At,
    },
    Make,
    VaStart {
        list: u64,
    },
    Call {
        args: SmallVec<[Slot; 8]>,
        target: Option<Slot>,
    },
    Return {
        to: Option<usize>,
        n_slots: usize,
    },
}

/// Bytes that are accessed, as they are in this run.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub addr: u64,
    pub len: u64,
    /// Whether the address or the length carries an expression.
    pub is_symbolic: bool,
}

impl Pending {
    pub fn is_return(&self) -> bool {
        matches!(self.kind, Kind::Return { .. })
    }
}

impl Flow {
    /// Looks at an operation that is about to be executed.
    pub(super) fn prepare(&mut self, vm: &Program<'_>, site: OpIdx) {
        let base = vm.first_slot();
        let image = vm.image();
        let op = image.op(site);
        let reg = |reg: u32| vm.slot_at(base + Reg(reg).slot());
        let label_of = |flow: &Self, reg: u32| flow.slot_label(base + Reg(reg).slot());
        let mut label = Label::NONE;
        image.visit_regs(site, |how, reg, n| {
            if how == RegUse::Read {
                for slot in base + reg.slot()..base + reg.slot() + n as usize {
                    let with = self.slot_label(slot);
                    label = self.union(label, with);
                }
            }
        });
        let kind = match op.meaning() {
            Meaning::Binary { op: what, form, width } => Kind::Values { is_checked: can_fail(what, form, op, width) },
            Meaning::Checked { .. } => Kind::Values { is_checked: image.overflow_is_error },
            Meaning::Compare { .. } | Meaning::Float { .. } => Kind::Values { is_checked: false },
            Meaning::Branch { form, .. } => {
                let second = (form == Form::Register).then(|| reg(op.b));
                Kind::Branch { operands: std::iter::once(reg(op.a)).chain(second).collect() }
            }
            Meaning::Load { bytes, addressing } => Kind::Load(access(vm, base, op, bytes, addressing)),
            Meaning::Store { bytes, addressing } => {
                label = label_of(self, op.a);
                if addressing != Addressing::Offset {
                    let index = label_of(self, op.b);
                    label = self.union(label, index);
                }
                let value = label_of(self, op.dst);
                Kind::Store { at: access(vm, base, op, bytes, addressing), value, stored: reg(op.dst) }
            }
            Meaning::Other => match op.code {
                OpCode::BrIf | OpCode::BrIfNot | OpCode::Switch | OpCode::IndirectBr => {
                    Kind::Branch { operands: SmallVec::from_elem(reg(op.a), 1) }
                }
                OpCode::Observe => Kind::Observe { operand: reg(op.a) },
                OpCode::Alloca | OpCode::AllocaDyn => Kind::Make,
                OpCode::ByvalCopy => Kind::CopyArgument { from: at(reg(op.dst), u64::from(op.b)) },
                OpCode::Call | OpCode::CallVar | OpCode::CallIndirect | OpCode::CallExternal => {
                    let n_args = match op.code {
                        OpCode::Call => image.functions[op.a as usize].param_slots,
                        _ => image.call_sites[op.b as usize].arg_slots,
                    };
                    let above = image.function_at(site).map_or(0, |code| code.n_slots as usize);
                    let args = (0..n_args as usize).map(|arg| vm.slot_at(base + above + arg)).collect();
                    Kind::Call { args, target: (op.code == OpCode::CallIndirect).then(|| reg(op.a)) }
                }
                OpCode::Ret => Kind::Return { to: vm.result_slot(), n_slots: usize::from(op.aux) },
                OpCode::Slow => self.prepare_slow(vm, base, &image.slow[op.a as usize], &mut label),
                _ => Kind::Values { is_checked: false },
            },
        };
        let pending = Pending { site, depth: vm.depth(), base, label, n_objects: vm.memory.n_objects(), kind };
        self.run.pending = Some(pending);
    }

    fn prepare_slow(&mut self, vm: &Program<'_>, base: usize, op: &SlowOp, label: &mut Label) -> Kind {
        let reg = |reg: Reg| vm.slot_at(base + reg.slot());
        match op {
            SlowOp::Binary { .. } => Kind::Values { is_checked: true },
            SlowOp::Load { shape, addr, offset, .. } => Kind::Load(moved(at(reg(*addr), shape.size), *offset)),
            SlowOp::Store { shape, src, addr, offset } => {
                let mut value = Label::NONE;
                for slot in 0..shape.n_slots as usize {
                    let with = self.slot_label(base + src.slot() + slot);
                    value = self.union(value, with);
                }
                *label = self.slot_label(base + addr.slot());
                Kind::Store { at: moved(at(reg(*addr), shape.size), *offset), value, stored: reg(*src) }
            }
            SlowOp::CmpXchg { lanes, ptr, .. } | SlowOp::AtomicRmw { lanes, ptr, .. } => {
                Kind::Exchange(at(reg(*ptr), u64::from(lanes.bits().div_ceil(8))))
            }
            SlowOp::MemCopy { dst, src, len, .. } => copy(reg(*dst), reg(*src), reg(*len)),
            SlowOp::MemSet { dst, value, len } => {
                let of_len = self.slot_label(base + len.slot());
                *label = self.union(self.slot_label(base + dst.slot()), of_len);
                Kind::Fill { at: extent(reg(*dst), reg(*len)), value: self.slot_label(base + value.slot()) }
            }
            SlowOp::VaStart { list } => Kind::VaStart { list: reg(*list).val },
            SlowOp::VaCopy { dst, src } => copy(reg(*dst), reg(*src), Slot::plain(24)),
            _ => Kind::Values { is_checked: false },
        }
    }
}

pub(super) fn copy(dst: Slot, src: Slot, len: Slot) -> Kind {
    Kind::Copy { to: extent(dst, len), from: extent(src, len) }
}

pub(super) fn extent(addr: Slot, len: Slot) -> At {
    At { addr: addr.val, len: len.val, is_symbolic: carries(addr) || carries(len) }
}

fn at(addr: Slot, len: u64) -> At {
    At { addr: addr.val, len, is_symbolic: carries(addr) }
}

fn moved(at: At, offset: i32) -> At {
    At { addr: at.addr.wrapping_add(offset as i64 as u64), ..at }
}

pub(super) fn carries(slot: Slot) -> bool {
    slot.tag.expr().is_some()
}

/// The bytes that a load or store of a register and an offset or index is about.
fn access(vm: &Program<'_>, base: usize, op: &Op, bytes: u32, addressing: Addressing) -> At {
    let reg = |reg: u32| vm.slot_at(base + Reg(reg).slot());
    let start = reg(op.a);
    let (index, offset) = match addressing {
        Addressing::Offset => (Slot::plain(0), op.b as i32 as i64 as u64),
        Addressing::Index64 => (reg(op.b), reg(op.b).val.wrapping_mul(u64::from(op.aux))),
        Addressing::Index32 => (reg(op.b), (reg(op.b).val as i32 as i64 as u64).wrapping_mul(u64::from(op.aux))),
    };
    let is_symbolic = carries(start) || carries(index);
    At { addr: start.val.wrapping_add(offset), len: u64::from(bytes), is_symbolic }
}

/// Whether an operation is an error for some operands.
pub(super) fn can_fail(what: BinOp, form: Form, op: &Op, width: u32) -> bool {
    match what {
        BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
            form == Form::Register || matches!(op.immediate(width) as i64, 0 | -1) || op.b == u32::MAX
        }
        BinOp::Shl | BinOp::LShr | BinOp::AShr => form == Form::Register,
        _ => false,
    }
}

/// What an address is once pointers of the input in it are replaced: nothing but a number, if it was resolved to one place.
pub(super) fn is_one_place(machine: &ConcolicMachine, at: At) -> bool {
    !at.is_symbolic || machine.located.is_some_and(|(addr, expr)| addr == at.addr && machine.pool.is_const(expr))
}
