//! Whether the code of a function is what the VM relies on.

use super::{FuncCode, Image, Meaning, Op, OpCode, OpIdx, Reg, SLOT_BYTES, Target};
use crate::flow::{End, end_at};
use crate::lower::MAX_ARG_SLOTS;

/// The answer says what is wrong, if something is.
pub(super) fn check_function(image: &Image, code: &FuncCode) -> Result<(), String> {
    if code.target != Target::Code {
        return Ok(());
    }
    require(code.param_slots as usize <= MAX_ARG_SLOTS, || "it has very many parameters".to_owned())?;
    for op_idx in code.entry.up_to(code.end) {
        check_op(image, code, op_idx).map_err(|what| format!("operation {}: {what}", op_idx.0 - code.entry.0))?;
    }
    let ends =
        matches!(end_at(image, code.end.previous()), Some(End::Jump(_) | End::Switch(_) | End::Return | End::Dead));
    require(ends, || "control runs out of it".to_owned())
}

fn check_op(image: &Image, code: &FuncCode, op_idx: OpIdx) -> Result<(), String> {
    let op = image.op(op_idx);
    check_tables(image, op)?;
    let next = (op_idx.next() < code.end).then(|| image.op(op_idx.next()).code);
    match op.code {
        OpCode::Select => require(next == Some(OpCode::Ext), || "a select without a condition".to_owned())?,
        OpCode::Note => return Err("a note, which is for copies of the code".to_owned()),
        OpCode::Ext => {
            let before = (op_idx > code.entry).then(|| image.op(op_idx.previous()).code);
            require(before == Some(OpCode::Select), || "operands of nothing".to_owned())?;
        }
        // A value that is returned goes to where the caller made room for it.
        OpCode::Ret => require(u32::from(op.aux) <= code.ret_slots, || "more is returned than it says".to_owned())?,
        _ => {}
    }
    if let Some(end) = end_at(image, op_idx) {
        let mut are_inside = true;
        end.visit_targets(|target| are_inside &= is_target(image, code, target));
        require(are_inside, || "a jump out of the function".to_owned())?;
        // A call comes back to what is behind it, and a branch may go on there.
        let goes_on = matches!(end, End::Branch(_) | End::Call(_));
        require(!goes_on || next.is_some(), || "control runs out of the function".to_owned())?;
    }
    if let Meaning::Binary { width, .. }
    | Meaning::Checked { width, .. }
    | Meaning::Compare { width, .. }
    | Meaning::Branch { width, .. } = op.meaning()
    {
        require((1..=64).contains(&width), || format!("an integer of {width} bits"))?;
    }
    let mut outside = None;
    image.visit_regs(op_idx, |_, reg, n_slots| {
        if !is_in_frame(code, reg, n_slots) {
            outside = Some(reg);
        }
    });
    outside.map_or(Ok(()), |reg| Err(format!("register {} outside of the frame", reg.slot())))
}

/// The entries that an operation refers to.
fn check_tables(image: &Image, op: &Op) -> Result<(), String> {
    let has_site = (op.b as usize) < image.call_sites.len();
    let has_code = || image.functions.get(op.a as usize).is_some_and(|code| code.target == Target::Code);
    let is_there = match op.code {
        OpCode::Switch => (op.b as usize) < image.switches.len(),
        OpCode::IndirectBr => (op.b as usize) < image.indirect_targets.len(),
        OpCode::Call => has_code(),
        OpCode::CallVar => has_code() && has_site,
        OpCode::CallIndirect => has_site,
        OpCode::CallExternal => (op.a as usize) < image.externals.len() && has_site,
        OpCode::Slow => (op.a as usize) < image.slow.len(),
        _ => true,
    };
    require(is_there, || "what it refers to is not there".to_owned())
}

fn is_target(image: &Image, code: &FuncCode, target: OpIdx) -> bool {
    (code.entry..code.end).contains(&target) && image.op(target).code != OpCode::Ext
}

/// Registers are those of the frame and the arguments above it.
fn is_in_frame(code: &FuncCode, reg: Reg, n_slots: u32) -> bool {
    let end = reg.slot() as u64 + u64::from(n_slots);
    reg.0.is_multiple_of(SLOT_BYTES) && end <= u64::from(code.n_slots) + MAX_ARG_SLOTS as u64
}

fn require(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}
