//! The interpreter loop.
//!
//! Each arm does the concrete work if all tags are plain and the operation is defined, and leaves everything else to a
//! cold method in `cold`, `slow` or `calls`. The arms of regular operations are derived from the table in
//! `spelunk_ir::code`.

use super::calls::SWALLOWED;
use crate::machine::{Event, Machine, Mark};
use crate::notes::{Attention, Passes};
use crate::stop::Stop;
use crate::value::{Slot, Tag};
use crate::vm::Vm;
use spelunk_bv::{BinOp, CmpOp, FBinOp, FCmpOp, float, int};
use spelunk_ir::code::{Op, OpCode, OpIdx, Reg, SLOT_BYTES, SwitchKind};

/// Whether an operation has a defined result. With a constant `op`, only the one test remains.
#[inline(always)]
pub(super) fn is_defined(op: BinOp, width: u32, a: u64, b: u64) -> bool {
    match op {
        BinOp::UDiv | BinOp::URem => b != 0,
        BinOp::SDiv | BinOp::SRem => b != 0 && !(b == int::mask(width) && a == int::sign_bit(width)),
        BinOp::Shl | BinOp::LShr | BinOp::AShr => b < u64::from(width),
        _ => true,
    }
}

/// Whether it has none for some operands.
#[inline(always)]
fn can_fail(op: BinOp) -> bool {
    use BinOp::{AShr, LShr, SDiv, SRem, Shl, UDiv, URem};
    matches!(op, UDiv | URem | SDiv | SRem | Shl | LShr | AShr)
}

#[inline(always)]
pub(super) fn overflows_signed(op: BinOp, width: u32, a: u64, b: u64) -> bool {
    match op {
        BinOp::Add => int::sadd_overflow(width, a, b),
        BinOp::Sub => int::ssub_overflow(width, a, b),
        BinOp::Mul => int::smul_overflow(width, a, b),
        _ => false,
    }
}

/// The loop's dispatch. Expands to `Vm::run_loop`, whose local names it is given.
macro_rules! dispatch {
    (
        binary { $($bin:ident: $b32:ident $b32i:ident $b64:ident $b64i:ident $bn:ident $bni:ident;)* }
        checked { $($chk:ident: $k32:ident $k32i:ident $k64:ident $k64i:ident $kn:ident $kni:ident;)* }
        compare { $($cmp:ident: $c32:ident $c32i:ident $c64:ident $c64i:ident $cn:ident $cni:ident
                          / $j32:ident $j32i:ident $j64:ident $j64i:ident $jn:ident $jni:ident;)* }
        float { $($fop:ident: $f32:ident $f64:ident;)* }
        memory { $($size:literal: $load:ident $store:ident / $loadx:ident $storex:ident / $loadi:ident $storei:ident;)* }
        plain { $($(#[$doc:meta])* $plain:ident;)* }
    ) => {
        /// `NOTED` if there are notes in the code: without them dispatch is a table of jumps and nothing else.
        // One safety argument covers the whole loop; it stands where `pc` and `fp` are made.
        #[allow(clippy::undocumented_unsafe_blocks)]
        // Some arms go elsewhere after `resync`.
        #[allow(unused_assignments)]
        fn run_loop<const NOTED: bool>(&mut self, depth: usize) -> Result<(), Stop> {
            let image = self.image;
            // The same operations, but for notes.
            let mut codes: [*const Op; 3] = match &self.notes {
                Some(notes) if NOTED => notes.codes().map(<[Op]>::as_ptr),
                _ => [image.ops.as_ptr(); 3],
            };
            if let Some(code) = self.silent.code().filter(|_| NOTED) {
                codes[Attention::Some as usize] = code;
            }
            let mut ops = codes[0];
            let run = self.run;
            let mut steps = self.steps;
            let mut next_poll = self.next_poll;
            self.check_position(depth);
            // SAFETY (for the whole loop): `pc` always points to an operation of the last frame's function. It does so at first
            // (`check_position`), and the image was checked: jumps stay in their function, control does not run out of one,
            // and a call has an operation behind it; frames and places for `longjmp` only have positions that `pc` had.
            // `fp` is the first slot of the last frame, whose registers, and the arguments above it, are inside `regs`
            // (`Vm::enter`); which of them operations name was checked too. It is read again after everything
            // that may move `regs`: whoever has a `&mut Vm` may call functions, but leaves the frames as they were, or
            // does not come back here (`resync`). `ops` is one of `codes`, each of which has all operations of the image; they stay
            // where they are, since notes are not changed during a run, and `pc` points into the one that `ops` is. Which notes are
            // silent changes between operations only: none is looked at once more after that.
            let mut pc = unsafe { ops.add(self.pc.index()) };
            let mut fp = self.frame_ptr();

            macro_rules! get { ($reg:expr) => { unsafe { *fp.byte_add($reg as usize) } }; }
            macro_rules! set { ($reg:expr, $slot:expr) => {{
                let slot: Slot = $slot;
                unsafe { *fp.byte_add($reg as usize) = slot }
            }}; }
            macro_rules! mark { ($at:expr, $mark:ident) => {
                if M::MARKS {
                    self.machine.mark(OpIdx(unsafe { $at.offset_from(ops) } as u32), Mark::$mark);
                }
            }; }
            macro_rules! sync { () => {{
                self.pc = OpIdx(unsafe { pc.offset_from(ops) } as u32);
                self.steps = steps;
            }}; }
            // Goes on in other code, at the same operation.
            macro_rules! change_code { ($code:expr) => {{
                let code: *const Op = $code;
                pc = unsafe { code.offset(pc.offset_from(ops)) };
                ops = code;
            }}; }
            macro_rules! attend { () => {
                if NOTED {
                    let attention = self.machine.attention();
                    if attention == Attention::Full && self.silent.has_silenced() {
                        self.silent.restore();
                    }
                    change_code!(codes[attention as usize]);
                }
            }; }
            // The machine is asked first, if it was not because of little attention: the operation is then its own note.
            macro_rules! ask_first { ($word:ident) => {
                if NOTED && ops != codes[0] && std::ptr::eq($word, pc) {
                    change_code!(codes[0]);
                    $word = unsafe { &*pc };
                    continue;
                }
            }; }
            macro_rules! check_run { () => { assert!(self.run == run, "{SWALLOWED}") }; }
            macro_rules! resync { () => {{
                check_run!();
                fp = self.frame_ptr();
                steps = self.steps;
                attend!();
            }}; }
            // Something that asks neither machine nor library: the machine's state is written back first.
            macro_rules! own { ($call:expr) => {{ sync!(); $call? }}; }
            // Something that may ask them, and so may do anything.
            macro_rules! cold { ($call:expr) => {{
                sync!();
                let result = $call?;
                resync!();
                result
            }}; }
            macro_rules! poll { () => {
                if steps >= next_poll {
                    own!(self.poll());
                    next_poll = self.next_poll;
                }
            }; }
            macro_rules! binary { ($op:ident, $width:expr, $a:expr, $b:expr, $word:ident) => {{
                let (a, b): (Slot, Slot) = ($a, $b);
                if a.tag.both_plain(b.tag) && is_defined(BinOp::$op, $width, a.val, b.val) {
                    set!($word.dst, Slot::plain(int::binop(BinOp::$op, $width, a.val, b.val)));
                } else {
                    if can_fail(BinOp::$op) {
                        ask_first!($word);
                    }
                    cold!(self.cold_integer(*$word));
                }
            }}; }
            macro_rules! checked { ($op:ident, $width:expr, $a:expr, $b:expr, $word:ident) => {{
                let (a, b): (Slot, Slot) = ($a, $b);
                if a.tag.both_plain(b.tag) && !overflows_signed(BinOp::$op, $width, a.val, b.val) {
                    set!($word.dst, Slot::plain(int::binop(BinOp::$op, $width, a.val, b.val)));
                } else {
                    ask_first!($word);
                    cold!(self.cold_integer(*$word));
                }
            }}; }
            macro_rules! compare { ($op:ident, $width:expr, $a:expr, $b:expr, $word:ident) => {{
                let (a, b): (Slot, Slot) = ($a, $b);
                if a.tag.both_plain(b.tag) {
                    set!($word.dst, Slot::plain(u64::from(int::icmp(CmpOp::$op, $width, a.val, b.val))));
                } else {
                    cold!(self.cold_integer(*$word));
                }
            }}; }
            macro_rules! jump_if { ($taken:expr, $word:ident) => {{
                if $taken {
                    mark!(pc, Jumped);
                    poll!();
                    goto!(OpIdx($word.dst));
                }
                mark!(pc, FellThrough);
            }}; }
            macro_rules! branch { ($op:ident, $width:expr, $a:expr, $b:expr, $word:ident) => {{
                let (a, b): (Slot, Slot) = ($a, $b);
                let taken = if a.tag.both_plain(b.tag) {
                    int::icmp(CmpOp::$op, $width, a.val, b.val)
                } else {
                    ask_first!($word);
                    cold!(self.cold_branch(*$word))
                };
                jump_if!(taken, $word);
            }}; }
            macro_rules! branch_if { ($wanted:expr, $word:ident) => {{
                let cond: Slot = get!($word.a);
                let holds = if cond.tag.is_plain() {
                    cond.val & 1 != 0
                } else {
                    ask_first!($word);
                    cold!(self.cold_condition(cond))
                };
                jump_if!(holds == $wanted, $word);
            }}; }
            macro_rules! unary { ($word:ident, $a:ident => $result:expr) => {{
                let slot: Slot = get!($word.a);
                if slot.tag.is_plain() {
                    let $a = slot.val;
                    set!($word.dst, Slot::plain($result));
                } else {
                    cold!(self.cold_cast(*$word));
                }
            }}; }
            macro_rules! compare_floats { ($compare:ident, $word:ident) => {{
                let (a, b): (Slot, Slot) = (get!($word.a), get!($word.b));
                if a.tag.both_plain(b.tag) {
                    let cmp = FCmpOp::ALL[usize::from($word.aux & 15)];
                    set!($word.dst, Slot::plain(u64::from(float::$compare(cmp, a.val, b.val))));
                } else {
                    cold!(self.cold_float_compare(*$word));
                }
            }}; }
            macro_rules! gep { ($word:ident, $index:ident => $wide:expr) => {{
                let (base, index): (Slot, Slot) = (get!($word.a), get!($word.b));
                if base.tag.both_plain(index.tag) {
                    let $index = index.val;
                    set!($word.dst, Slot::plain(base.val.wrapping_add(($wide).wrapping_mul(u64::from($word.aux)))));
                } else {
                    cold!(self.cold_gep(*$word));
                }
            }}; }

            macro_rules! scaled { ($word:ident) => {
                get!($word.b).val.wrapping_mul(u64::from($word.aux))
            }; }
            macro_rules! scaled32 { ($word:ident) => {
                (get!($word.b).val as i32 as i64 as u64).wrapping_mul(u64::from($word.aux))
            }; }
            macro_rules! load { ($n:literal, $word:ident, $index:expr, $offset:expr) => {{
                let (base, index): (Slot, Slot) = (get!($word.a), $index);
                match self.memory.load::<$n>(base.val.wrapping_add($offset)) {
                    Some(val) if base.tag.both_plain(index.tag) => set!($word.dst, Slot::plain(val)),
                    _ => {
                        ask_first!($word);
                        cold!(self.cold_load(*$word, $n))
                    }
                }
            }}; }
            macro_rules! store { ($n:literal, $word:ident, $index:expr, $offset:expr) => {{
                let (base, index, value): (Slot, Slot, Slot) = (get!($word.a), $index, get!($word.dst));
                let plain = base.tag.both_plain(index.tag) && value.tag.is_plain();
                if !plain || !self.memory.store::<$n>(base.val.wrapping_add($offset), value.val) {
                    ask_first!($word);
                    cold!(self.cold_store(*$word, $n));
                }
            }}; }

            attend!();
            'next: loop {
                macro_rules! goto { ($idx:expr) => {{ pc = unsafe { ops.add(OpIdx::index($idx)) }; continue 'next; }}; }
                macro_rules! reach { ($idx:expr) => {{
                    pc = unsafe { ops.add(OpIdx::index($idx)) };
                    mark!(pc, Reached);
                    continue 'next;
                }}; }

                // A reference: a copy would go through the stack before its first field is known. No arm asks for the code again: that
                // would take an instruction more of every dispatch.
                let mut op = unsafe { &*pc };
                steps += 1;
                // Once, but for a note.
                loop {
                match op.code {
                    $(
                        OpCode::$b32 => binary!($bin, 32, get!(op.a), get!(op.b), op),
                        OpCode::$b32i => binary!($bin, 32, get!(op.a), Slot::plain(u64::from(op.b)), op),
                        OpCode::$b64 => binary!($bin, 64, get!(op.a), get!(op.b), op),
                        OpCode::$b64i => binary!($bin, 64, get!(op.a), Slot::plain(op.immediate(64)), op),
                        OpCode::$bn => binary!($bin, u32::from(op.aux), get!(op.a), get!(op.b), op),
                        OpCode::$bni => {
                            let width = u32::from(op.aux);
                            binary!($bin, width, get!(op.a), Slot::plain(op.immediate(width)), op)
                        }
                    )*
                    $(
                        OpCode::$k32 => checked!($chk, 32, get!(op.a), get!(op.b), op),
                        OpCode::$k32i => checked!($chk, 32, get!(op.a), Slot::plain(u64::from(op.b)), op),
                        OpCode::$k64 => checked!($chk, 64, get!(op.a), get!(op.b), op),
                        OpCode::$k64i => checked!($chk, 64, get!(op.a), Slot::plain(op.immediate(64)), op),
                        OpCode::$kn => checked!($chk, u32::from(op.aux), get!(op.a), get!(op.b), op),
                        OpCode::$kni => {
                            let width = u32::from(op.aux);
                            checked!($chk, width, get!(op.a), Slot::plain(op.immediate(width)), op)
                        }
                    )*
                    $(
                        OpCode::$c32 => compare!($cmp, 32, get!(op.a), get!(op.b), op),
                        OpCode::$c32i => compare!($cmp, 32, get!(op.a), Slot::plain(u64::from(op.b)), op),
                        OpCode::$c64 => compare!($cmp, 64, get!(op.a), get!(op.b), op),
                        OpCode::$c64i => compare!($cmp, 64, get!(op.a), Slot::plain(op.immediate(64)), op),
                        OpCode::$cn => compare!($cmp, u32::from(op.aux), get!(op.a), get!(op.b), op),
                        OpCode::$cni => {
                            let width = u32::from(op.aux);
                            compare!($cmp, width, get!(op.a), Slot::plain(op.immediate(width)), op)
                        }
                        OpCode::$j32 => branch!($cmp, 32, get!(op.a), get!(op.b), op),
                        OpCode::$j32i => branch!($cmp, 32, get!(op.a), Slot::plain(u64::from(op.b)), op),
                        OpCode::$j64 => branch!($cmp, 64, get!(op.a), get!(op.b), op),
                        OpCode::$j64i => branch!($cmp, 64, get!(op.a), Slot::plain(op.immediate(64)), op),
                        OpCode::$jn => branch!($cmp, u32::from(op.aux), get!(op.a), get!(op.b), op),
                        OpCode::$jni => {
                            let width = u32::from(op.aux);
                            branch!($cmp, width, get!(op.a), Slot::plain(op.immediate(width)), op)
                        }
                    )*
                    $(
                        OpCode::$f32 => {
                            let (a, b) = (get!(op.a), get!(op.b));
                            if a.tag.both_plain(b.tag) {
                                set!(op.dst, Slot::plain(float::f32_binop(FBinOp::$fop, a.val, b.val)));
                            } else {
                                cold!(self.cold_float(*op));
                            }
                        }
                        OpCode::$f64 => {
                            let (a, b) = (get!(op.a), get!(op.b));
                            if a.tag.both_plain(b.tag) {
                                set!(op.dst, Slot::plain(float::f64_binop(FBinOp::$fop, a.val, b.val)));
                            } else {
                                cold!(self.cold_float(*op));
                            }
                        }
                    )*
                    $(
                        OpCode::$load => load!($size, op, Slot::plain(0), op.b as i32 as i64 as u64),
                        OpCode::$store => store!($size, op, Slot::plain(0), op.b as i32 as i64 as u64),
                        OpCode::$loadx => load!($size, op, get!(op.b), scaled!(op)),
                        OpCode::$storex => store!($size, op, get!(op.b), scaled!(op)),
                        OpCode::$loadi => load!($size, op, get!(op.b), scaled32!(op)),
                        OpCode::$storei => store!($size, op, get!(op.b), scaled32!(op)),
                    )*
                    OpCode::Mov => set!(op.dst, unsafe { Slot::read_by_words(fp.byte_add(op.a as usize)) }),
                    OpCode::MovN => {
                        // SAFETY: both ranges are registers of the frame or arguments above it.
                        unsafe {
                            let src = fp.byte_add(op.a as usize);
                            std::ptr::copy(src, fp.byte_add(op.dst as usize), op.b as usize);
                        }
                    }
                    OpCode::Const => set!(op.dst, Slot::plain(op.wide_immediate())),
                    OpCode::Undef => {
                        for i in 0..op.b {
                            set!(op.dst + i * SLOT_BYTES, Slot::undef(u32::from(op.aux)));
                        }
                    }
                    OpCode::SExt => unary!(op, a => int::sext_to(u32::from(op.aux), op.b, a)),
                    OpCode::Trunc => unary!(op, a => int::trunc(op.b, a)),
                    OpCode::I32ToF64 => unary!(op, a => f64::from(a as u32 as i32).to_bits()),
                    OpCode::I64ToF64 => unary!(op, a => (a as i64 as f64).to_bits()),
                    OpCode::F64ToI32 => unary!(op, a => f64_to_int(a, 32)),
                    OpCode::F64ToI64 => unary!(op, a => f64_to_int(a, 64)),
                    OpCode::F32ToF64 => unary!(op, a => float::f32_to_f64(a)),
                    OpCode::F64ToF32 => unary!(op, a => float::f64_to_f32(a)),
                    OpCode::FCmp32 => compare_floats!(f32_fcmp, op),
                    OpCode::FCmp64 => compare_floats!(f64_fcmp, op),
                    OpCode::Select => {
                        let ext = unsafe { *pc.add(1) };
                        let (cond, then, other) = (get!(ext.a), get!(op.a), get!(op.b));
                        if cond.tag.is_plain() {
                            set!(op.dst, if cond.val & 1 != 0 { then } else { other });
                        } else {
                            let dst = op.dst;
                            let chosen = cold!(self.cold_select(cond, then, other));
                            set!(dst, chosen);
                        }
                        pc = unsafe { pc.add(1) };
                    }
                    OpCode::Gep => gep!(op, index => index),
                    OpCode::GepI32 => gep!(op, index => index as i32 as i64 as u64),
                    OpCode::Alloca => {
                        let addr = own!(self.alloca(u64::from(op.b), op.aux));
                        set!(op.dst, Slot::plain(addr));
                    }
                    OpCode::AllocaDyn => {
                        let dst = op.dst;
                        let addr = cold!(self.alloca_dynamic(*op));
                        set!(dst, Slot::plain(addr));
                    }
                    OpCode::ByvalCopy => cold!(self.byval_copy(*op)),
                    OpCode::Jump => {
                        poll!();
                        goto!(OpIdx(op.dst));
                    }
                    OpCode::BrIf => branch_if!(true, op),
                    OpCode::BrIfNot => branch_if!(false, op),
                    OpCode::Switch => {
                        let value = get!(op.a);
                        let table = &image.switches[op.b as usize];
                        let target = match &table.kind {
                            SwitchKind::Dense { low, targets } if value.tag.is_plain() => {
                                targets.get(value.val.wrapping_sub(*low) as usize).copied().unwrap_or(table.default)
                            }
                            _ => cold!(self.cold_switch(*op)),
                        };
                        reach!(target);
                    }
                    OpCode::IndirectBr => {
                        let target = cold!(self.indirect_branch(*op));
                        reach!(target);
                    }
                    OpCode::Call => {
                        poll!();
                        own!(self.enter(op.a, op.dst, None));
                        if M::EVENTS {
                            check_run!();
                            steps = self.steps;
                        }
                        fp = self.frame_ptr();
                        reach!(image.functions[op.a as usize].entry);
                    }
                    OpCode::CallVar | OpCode::CallIndirect | OpCode::CallExternal => {
                        poll!();
                        cold!(self.cold_call(*op));
                        reach!(self.pc);
                    }
                    OpCode::Ret => {
                        sync!();
                        let function = self.leave(*op);
                        if M::EVENTS {
                            self.tell(Event::Returned(function))?;
                            check_run!();
                            steps = self.steps;
                        }
                        if self.frames.len() == depth {
                            return Ok(());
                        }
                        fp = self.frame_ptr();
                        reach!(self.pc);
                    }
                    OpCode::Slow => {
                        cold!(self.slow(&image.slow[op.a as usize]));
                    }
                    OpCode::Observe => {
                        if M::MARKS && (op.aux == 0 || (get!(op.b).val & 1 != 0) == (op.aux == 1)) {
                            let cond = get!(op.a);
                            if !cond.tag.is_plain() {
                                cold!(self.cold_observe(*op));
                            } else if cond.val & 1 != 0 {
                                mark!(pc, Jumped);
                            } else {
                                mark!(pc, FellThrough);
                            }
                        }
                    }
                    OpCode::Note => {
                        if !NOTED {
                            unreachable!("only copies of the code have notes");
                        }
                        let at = OpIdx(unsafe { pc.offset_from(ops) } as u32);
                        let there = unsafe { &*image.ops.as_ptr().add(at.index()) };
                        let base = self.frame_base();
                        let passes = self.machine.passes_note(&self.memory, (at, there), base, &self.regs);
                        if passes != Passes::No {
                            if passes == Passes::Henceforth && ops == codes[Attention::Some as usize] {
                                self.silent.silence(at, there.code);
                            }
                            attend!();
                            op = there;
                            continue;
                        }
                        if cold!(self.ask_at_note()) {
                            continue 'next;
                        }
                        op = image.op(self.pc);
                        continue;
                    }
                    OpCode::Ext => unreachable!("operands are skipped by the operation before"),
                }
                break;
                }
                pc = unsafe { pc.add(1) };
            }
        }
    };
}

/// As x86's `cvttsd2si`: out of range is the least integer.
#[inline(always)]
fn f64_to_int(bits: u64, width: u32) -> u64 {
    let value = f64::from_bits(bits);
    let limit = if width == 32 { 2_147_483_648.0 } else { 9_223_372_036_854_775_808.0 };
    if value > -limit - f64::from(width == 32) && value < limit {
        int::trunc(width, value as i64 as u64)
    } else {
        int::sign_bit(width)
    }
}

impl<M: Machine> Vm<'_, M> {
    spelunk_ir::op_table!(dispatch);

    /// Runs until the frame at `depth` returns, or the path stops.
    pub(crate) fn run(&mut self, depth: usize) -> Result<(), Stop> {
        if M::NOTES && self.notes.is_some() { self.run_loop::<true>(depth) } else { self.run_loop::<false>(depth) }
    }

    /// Whether the last frame, which is above `depth`, belongs to the function of the operation to start with.
    fn check_position(&self, depth: usize) {
        assert!(self.frames.len() > depth, "a call is under way");
        let code = &self.image.functions[self.frames[self.frames.len() - 1].function.index()];
        assert!((code.entry..code.end).contains(&self.pc), "an operation of the function that is executed");
    }

    /// Whether the machine has changed what the operation at the note starts from.
    #[cold]
    fn ask_at_note(&mut self) -> Result<bool, Stop> {
        M::note(self, self.pc)?;
        Ok(std::mem::take(&mut self.has_moved_on))
    }

    /// The first slot of the current frame.
    #[inline(always)]
    pub(super) fn frame_ptr(&mut self) -> *mut Slot {
        let base = self.frames.last().map_or(0, |frame| frame.base as usize);
        debug_assert!(base <= self.regs.len());
        // SAFETY: `enter` keeps every frame inside `regs`.
        unsafe { self.regs.as_mut_ptr().add(base) }
    }

    pub(super) fn reg(&self, reg: u32) -> Slot {
        self.regs[self.frame_base() + Reg(reg).slot()]
    }

    pub(super) fn set_reg(&mut self, reg: u32, slot: Slot) {
        let base = self.frame_base();
        self.regs[base + Reg(reg).slot()] = slot;
    }

    pub(crate) fn frame_base(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.base as usize)
    }

    /// The second operand of an integer operation.
    pub(super) fn second_operand(&self, op: Op, width: u32, form: spelunk_ir::code::Form) -> Slot {
        match form {
            spelunk_ir::code::Form::Register => self.reg(op.b),
            spelunk_ir::code::Form::Immediate => Slot { val: op.immediate(width), tag: Tag::PLAIN },
        }
    }
}
