//! Functions of which only the result and what they write matters: no way leads through them to a target.

use rustc_hash::FxHashSet;
use spelunk_concolic::{Effects, Summarised};
use spelunk_ir::code::{FuncCode, Image, Intrinsic, Meaning, Op, OpCode, Origin, Scalar, SlowOp, Target as Defined};
use spelunk_ir::model::FuncId;

use super::{Reach, Targets};
use crate::distance::UNREACHABLE;
use crate::program::ProgramFlow;

/// The functions of the user that return a number or nothing, and write memory at most. So does what they call of the library: it is C, or
/// has a twin that is. There is no recursion, of which there would be no end.
pub fn summarisable(image: &Image) -> Summarised {
    let on_memory = with_effects(image, Effects::OnMemory).into_iter().map(|id| (id, Effects::OnMemory));
    let without = with_effects(image, Effects::None).into_iter().map(|id| (id, Effects::None));
    let mut found: Summarised = on_memory.chain(without).collect();
    found.retain(|id, effects| {
        let code = &image.functions[id.index()];
        let is_told = match &*code.returns {
            [] => *effects == Effects::OnMemory,
            [leaf] => matches!(leaf.scalar, Scalar::Int(1..=64)),
            _ => false,
        };
        is_told && code.origin == Origin::User
    });
    found
}

/// Those that have no other effects.
fn with_effects(image: &Image, effects: Effects) -> FxHashSet<FuncId> {
    let ids = (0..image.functions.len()).map(FuncId::new);
    let is_candidate = |id: &FuncId| {
        let code = &image.functions[id.index()];
        code.target == Defined::Code && has_no_others(image, code, effects)
    };
    let mut left: Vec<FuncId> = ids.filter(is_candidate).collect();
    let mut found: FxHashSet<FuncId> = FxHashSet::default();
    // Nor may functions that they call: innermost first, so that none is left that calls itself.
    loop {
        let n_found = found.len();
        left.retain(|id| {
            let is_one = callees(image, &image.functions[id.index()]).all(|callee| found.contains(&callee));
            found.extend(is_one.then_some(*id));
            !is_one
        });
        if found.len() == n_found {
            return found;
        }
    }
}

fn has_no_others(image: &Image, code: &FuncCode, effects: Effects) -> bool {
    let writes = effects == Effects::OnMemory;
    let is_harmless = |op: &Op| match op.meaning() {
        Meaning::Store { .. } => writes,
        Meaning::Float { .. } => false,
        Meaning::Other if op.code == OpCode::Alloca => writes,
        Meaning::Other if op.code == OpCode::Slow => match &image.slow[op.a as usize] {
            SlowOp::Unreachable | SlowOp::Trap | SlowOp::IndexTrap | SlowOp::Unsupported(_) => true,
            SlowOp::Binary { .. } | SlowOp::ICmp { .. } | SlowOp::Select { .. } | SlowOp::Load { .. } => true,
            SlowOp::Store { .. } | SlowOp::MemCopy { .. } | SlowOp::MemSet { .. } => writes,
            SlowOp::Intrinsic { what, .. } => {
                matches!(what, Intrinsic::Overflow(_) | Intrinsic::Sat(_) | Intrinsic::Unary(_) | Intrinsic::Funnel(_))
            }
            _ => false,
        },
        Meaning::Other if op.code == OpCode::CallExternal => twin(image, op).is_some(),
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
    ops.filter_map(|op| match op.code {
        OpCode::Call | OpCode::CallVar => Some(match image.functions[op.a as usize].target {
            Defined::Function(definition) => definition,
            Defined::Code | Defined::External(_) => FuncId(op.a),
        }),
        OpCode::CallExternal => twin(image, op),
        _ => None,
    })
}

/// What a function of the library does that is not C, in C.
fn twin(image: &Image, call: &Op) -> Option<FuncId> {
    image.twins.get(call.a as usize).copied().flatten()
}

/// Those of them that lead to no target.
pub fn beside_targets(program: &ProgramFlow<'_>, targets: &Targets) -> Summarised {
    if targets.is_empty() {
        return Summarised::default();
    }
    let reach = Reach::new(program, targets.all());
    let mut found = summarisable(program.image);
    found.retain(|&id, _| reach.from_entry(program, id) == UNREACHABLE);
    found
}
