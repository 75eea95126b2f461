//! Variable arguments in the System V calling convention of x86-64.
//!
//! clang expands `va_arg` itself, into reads of a `va_list`; so `va_start` must lay the arguments out as the processor's
//! registers and stack would have them.

use crate::machine::Machine;
use crate::stop::Stop;
use crate::value::Slot;
use crate::vm::Vm;
use spelunk_bv::float::FloatKind;
use spelunk_ir::code::{ArgClass, ArgShape, Scalar};

/// The arguments of the current call.
#[derive(Clone, Debug)]
pub(crate) struct VarArgs {
    pub site: u32,
    /// Those with a name too.
    pub slots: Vec<Slot>,
}

const GP_REGISTERS: u32 = 6;
const FP_REGISTERS: u32 = 8;
const GP_AREA: u32 = GP_REGISTERS * 8;
const SAVE_AREA: u64 = (GP_AREA + FP_REGISTERS * 16) as u64;

/// Where things are in a `va_list`.
const GP_OFFSET: u64 = 0;
const FP_OFFSET: u64 = 4;
const OVERFLOW_AREA: u64 = 8;
const REG_SAVE_AREA: u64 = 16;
const LIST_SIZE: u64 = 24;

/// A place for an argument's bytes.
struct Placement {
    in_registers: bool,
    offset: u64,
}

impl<M: Machine> Vm<'_, M> {
    pub(super) fn va_start(&mut self, list: u64) -> Result<(), Stop> {
        let frame = self.frames.last().expect("va_start is executed in a function");
        let code = &self.image.functions[frame.function.index()];
        let Some(varargs) = frame.varargs.clone() else {
            return self.unsupported("`va_start` in a function that was called without variable arguments");
        };
        let (named_gp, named_fp) = (code.named_gp.min(GP_REGISTERS), code.named_fp.min(FP_REGISTERS));
        let site = &self.image.call_sites[varargs.site as usize];
        // The callee's own count of named parameters decides, whatever the call site believes.
        let n_named = self.image.functions[frame.function.index()].param_slots;
        let extra: Vec<ArgShape> = site.args.iter().copied().filter(|arg| arg.slot >= n_named).collect();

        let (placements, overflow_size) = place(&extra, named_gp, named_fp);
        let save_area = self.alloca(SAVE_AREA, 4)?;
        let overflow_area = self.alloca(overflow_size, 4)?;
        for (arg, placement) in extra.iter().zip(&placements) {
            let area = if placement.in_registers { save_area } else { overflow_area };
            self.store_argument(area + placement.offset, arg, &varargs.slots)?;
        }
        self.store_slot(list + GP_OFFSET, 4, Slot::plain(u64::from(named_gp * 8)))?;
        self.store_slot(list + FP_OFFSET, 4, Slot::plain(u64::from(GP_AREA + named_fp * 16)))?;
        self.store_slot(list + OVERFLOW_AREA, 8, Slot::plain(overflow_area))?;
        self.store_slot(list + REG_SAVE_AREA, 8, Slot::plain(save_area))
    }

    pub(super) fn va_copy(&mut self, dst: u64, src: u64) -> Result<(), Stop> {
        let copied = self.memory.copy(dst, src, LIST_SIZE);
        self.checked(copied, "read")
    }

    fn store_argument(&mut self, addr: u64, arg: &ArgShape, slots: &[Slot]) -> Result<(), Stop> {
        let slot = |i: u32| slots[(arg.slot + i) as usize];
        match arg.class {
            ArgClass::Memory { size, .. } => {
                let src = self.word(slot(0), "the address of an argument")?;
                let copied = self.memory.copy(addr, src, size);
                self.checked(copied, "read")
            }
            ArgClass::Scalar(scalar) => {
                // A narrow integer is passed in a whole register, whose upper bits nobody may rely on but everybody reads.
                let bytes = if arg.class.is_general() { 8 * scalar.n_slots() } else { scalar.store_size() as u32 };
                for i in 0..scalar.n_slots() {
                    self.store_slot(addr + u64::from(i) * 8, (bytes - i * 8).min(8), slot(i))?;
                }
                Ok(())
            }
            ArgClass::Vector(scalar, count) => {
                let bytes = scalar.store_size() as u32;
                for i in 0..count {
                    self.store_slot(addr + u64::from(i * bytes), bytes.min(8), slot(i * scalar.n_slots()))?;
                }
                Ok(())
            }
        }
    }
}

/// Assigns registers and stack places in the order of the arguments.
fn place(args: &[ArgShape], named_gp: u32, named_fp: u32) -> (Vec<Placement>, u64) {
    let (mut gp, mut fp, mut overflow) = (named_gp, named_fp, 0u64);
    let mut placements = Vec::with_capacity(args.len());
    for arg in args {
        let placement = match arg.class {
            ArgClass::Scalar(scalar @ (Scalar::Int(_) | Scalar::Ptr)) if gp + scalar.n_slots() <= GP_REGISTERS => {
                let offset = u64::from(gp * 8);
                gp += scalar.n_slots();
                Placement { in_registers: true, offset }
            }
            ArgClass::Scalar(Scalar::Float(kind)) if kind != FloatKind::X86Fp80 && fp < FP_REGISTERS => {
                let offset = u64::from(GP_AREA + fp * 16);
                fp += 1;
                Placement { in_registers: true, offset }
            }
            ArgClass::Vector(..) if fp < FP_REGISTERS && vector_bytes(arg.class) <= 16 => {
                let offset = u64::from(GP_AREA + fp * 16);
                fp += 1;
                Placement { in_registers: true, offset }
            }
            class => {
                let (size, align) = stack_layout(class);
                overflow = overflow.next_multiple_of(align);
                let offset = overflow;
                overflow += size.next_multiple_of(8);
                Placement { in_registers: false, offset }
            }
        };
        placements.push(placement);
    }
    (placements, overflow)
}

fn vector_bytes(class: ArgClass) -> u64 {
    match class {
        ArgClass::Vector(scalar, count) => scalar.store_size() * u64::from(count),
        _ => 0,
    }
}

/// Size and alignment of an argument on the stack.
fn stack_layout(class: ArgClass) -> (u64, u64) {
    match class {
        ArgClass::Memory { size, align } => (size, u64::from(align).max(8)),
        ArgClass::Scalar(Scalar::Float(FloatKind::X86Fp80 | FloatKind::Fp128)) => (16, 16),
        ArgClass::Scalar(scalar) if scalar.n_slots() > 1 => (u64::from(scalar.n_slots()) * 8, 16),
        ArgClass::Scalar(_) => (8, 8),
        ArgClass::Vector(..) => (vector_bytes(class), vector_bytes(class).next_power_of_two().clamp(8, 64)),
    }
}
