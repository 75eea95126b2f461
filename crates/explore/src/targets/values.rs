//! Functions of which only the result matters: they have no effects, and no way leads through them to a target.

use rustc_hash::FxHashSet;
use spelunk_ir::code::{FuncCode, Image, Meaning, OpCode, Origin, Scalar, Target as Defined};
use spelunk_ir::model::FuncId;

use super::{Reach, Targets};
use crate::distance::UNREACHABLE;
use crate::program::ProgramFlow;

/// The functions of the user that return a number and do nothing else: no memory is written, nothing of the library is called.
pub fn without_effects(image: &Image) -> FxHashSet<FuncId> {
    let ids = (0..image.functions.len()).map(FuncId::new);
    let is_candidate = |id: &FuncId| {
        let code = &image.functions[id.index()];
        code.origin == Origin::User && code.target == Defined::Code && has_no_effects(image, code)
    };
    let mut found: FxHashSet<FuncId> = ids.filter(is_candidate).collect();
    // Those that call others need these to have none.
    loop {
        let calls_others =
            |id: &FuncId| callees(image, &image.functions[id.index()]).any(|callee| !found.contains(&callee));
        let wrong: Vec<FuncId> = found.iter().copied().filter(calls_others).collect();
        if wrong.is_empty() {
            break;
        }
        found.retain(|id| !wrong.contains(id));
    }
    found.retain(
        |id| matches!(&*image.functions[id.index()].returns, [leaf] if matches!(leaf.scalar, Scalar::Int(1..=64))),
    );
    found
}

fn has_no_effects(image: &Image, code: &FuncCode) -> bool {
    let is_harmless = |op: &spelunk_ir::code::Op| match op.meaning() {
        Meaning::Store { .. } | Meaning::Float { .. } => false,
        Meaning::Other => matches!(
            op.code,
            OpCode::Mov
                | OpCode::MovN
                | OpCode::Const
                | OpCode::Undef
                | OpCode::SExt
                | OpCode::Trunc
                | OpCode::Select
                | OpCode::Ext
                | OpCode::Observe
                | OpCode::Gep
                | OpCode::GepI32
                | OpCode::Jump
                | OpCode::BrIf
                | OpCode::BrIfNot
                | OpCode::Switch
                | OpCode::Call
                | OpCode::CallVar
                | OpCode::Ret
        ),
        _ => true,
    };
    !code.is_volatile && !code.varargs && code.entry.up_to(code.end).all(|op_idx| is_harmless(image.op(op_idx)))
}

fn callees<'i>(image: &'i Image, code: &FuncCode) -> impl Iterator<Item = FuncId> + 'i {
    let ops = code.entry.up_to(code.end).map(|op_idx| image.op(op_idx));
    ops.filter(|op| matches!(op.code, OpCode::Call | OpCode::CallVar)).map(|op| {
        match image.functions[op.a as usize].target {
            Defined::Function(definition) => definition,
            Defined::Code | Defined::External(_) => FuncId(op.a),
        }
    })
}

/// Those of them that lead to no target.
pub fn only_values(program: &ProgramFlow<'_>, targets: &Targets) -> FxHashSet<FuncId> {
    if targets.is_empty() {
        return FxHashSet::default();
    }
    let reach = Reach::new(program, targets.all());
    let mut found = without_effects(program.image);
    found.retain(|&id| reach.from_entry(program, id) == UNREACHABLE);
    found
}
