//! What is decided about a function before any operation is emitted.
//!
//! Allocas that are only loaded and stored become *variables*: registers that keep one slot for the whole frame. There
//! is no SSA construction. A load of a variable is the variable itself while nothing is stored to it before the load's last use;
//! a value whose only use is a store into a variable is computed right there. An instruction whose only use can take
//! it along (an address in its load, a comparison in its branch) is *folded*: it is emitted with its user.

use crate::code::Lanes;
use crate::model::{BlockId, Function, Inst, InstKind, Operand, Program, Type, TypeId, ValueId};
use spelunk_bv::CastOp;

/// "Used in another block": such a value keeps its register.
pub(super) const EVERYWHERE: u32 = u32::MAX;
const NONE: u32 = u32::MAX;

pub(super) struct Plan {
    pub vars: Vec<Var>,
    /// The variable that an alloca's value became.
    var_of: Vec<u32>,
    pub values: Vec<ValueFacts>,
    pub insts: Vec<InstFacts>,
}

pub(super) struct Var {
    pub ty: TypeId,
    /// The parameter whose register this variable takes over.
    pub param: Option<ValueId>,
    /// The first thing that happens to it is a store in the entry block.
    pub starts_with_store: bool,
}

#[derive(Clone, Copy)]
pub(super) struct ValueFacts {
    pub n_uses: u32,
    /// The last using instruction, if there are uses.
    pub user: u32,
    /// The last instruction of its own block that needs it, or `EVERYWHERE`.
    pub last_use: u32,
    /// The defining instruction; parameters have none.
    pub def: u32,
}

#[derive(Clone, Copy)]
pub(super) struct InstFacts {
    /// Emitted as part of its only user.
    pub folded: bool,
    /// For a load of a variable: the next store to it in the block. For a store: the last event before it.
    pub neighbour: u32,
    /// The next call in the block.
    pub next_call: u32,
}

/// Which allocas become variables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Variables {
    All,
    /// Those whose first use is clearly a store.
    WrittenFirst,
}

impl Plan {
    pub fn new(program: &Program, function: &Function, variables: Variables) -> Self {
        let plan = Self::with(program, function, |_| true);
        if variables == Variables::All || plan.vars.iter().all(|var| var.starts_with_store) {
            return plan;
        }
        Self::with(program, function, |value| match plan.var(Operand::Local(value)) {
            Some(var) => plan.vars[var].starts_with_store,
            None => false,
        })
    }

    /// With variables for these allocas at most.
    fn with(program: &Program, function: &Function, may_be_var: impl Fn(ValueId) -> bool) -> Self {
        let values = vec![ValueFacts { n_uses: 0, user: NONE, last_use: 0, def: NONE }; function.value_types.len()];
        let insts = vec![InstFacts { folded: false, neighbour: NONE, next_call: NONE }; function.insts.len()];
        let mut plan = Self { vars: Vec::new(), var_of: vec![NONE; values.len()], values, insts };
        plan.count_uses(function);
        plan.find_vars(program, function, may_be_var);
        for block in function.block_ids() {
            plan.scan_backward(program, function, block);
            plan.scan_forward(function, block);
        }
        plan.find_entry_stores(function);
        plan
    }

    /// The variable that `ptr` stands for.
    pub fn var(&self, ptr: Operand) -> Option<usize> {
        match ptr {
            Operand::Local(value) => {
                let var = self.var_of[value.index()];
                (var != NONE).then_some(var as usize)
            }
            Operand::Const(_) => None,
        }
    }

    fn count_uses(&mut self, function: &Function) {
        for (at, inst) in function.insts.iter().enumerate() {
            if let Some(result) = inst.result {
                self.values[result.index()].def = at as u32;
            }
            inst.kind.for_each_operand(|operand| {
                if let Operand::Local(value) = operand {
                    let facts = &mut self.values[value.index()];
                    facts.n_uses += 1;
                    facts.user = at as u32;
                }
            });
        }
    }

    fn find_vars(&mut self, program: &Program, function: &Function, may_be_var: impl Fn(ValueId) -> bool) {
        let Some(entry) = function.blocks.first() else { return };
        let mut candidates: Vec<Option<TypeId>> = vec![None; function.value_types.len()];
        for inst in &function.insts[..entry.insts.end as usize] {
            if let (InstKind::Alloca { elem, count, .. }, Some(result)) = (&inst.kind, inst.result) {
                let single = matches!(count, Operand::Const(id)
                    if program.consts[*id].kind == crate::model::ConstKind::Int(1));
                if single && Lanes::of(&program.types, *elem).is_some() && may_be_var(result) {
                    candidates[result.index()] = Some(*elem);
                }
            }
        }
        for inst in &function.insts {
            let allowed = match &inst.kind {
                InstKind::Load { ptr, .. } => Some((*ptr, inst.ty)),
                InstKind::Store { ptr, value, .. } => Some((*ptr, program.operand_type(function, *value))),
                _ => None,
            };
            if super::intrinsics::is_lifetime_marker(program, &inst.kind) {
                continue;
            }
            inst.kind.for_each_operand(|operand| {
                let Operand::Local(value) = operand else { return };
                let fits = allowed.is_some_and(|(ptr, ty)| ptr == operand && candidates[value.index()] == Some(ty));
                // Storing the address itself lets it escape.
                let is_stored = matches!(&inst.kind, InstKind::Store { value, .. } if *value == operand);
                if !fits || is_stored {
                    candidates[value.index()] = None;
                }
            });
        }
        for (value, ty) in candidates.iter().enumerate() {
            if let Some(ty) = *ty {
                self.var_of[value] = self.vars.len() as u32;
                self.vars.push(Var { ty, param: None, starts_with_store: false });
            }
        }
    }

    /// Decides what is folded, and finds each value's last use.
    fn scan_backward(&mut self, program: &Program, function: &Function, block: BlockId) {
        let range = function.blocks[block.index()].insts.clone();
        // Where an instruction takes effect: its own place, or that of the user it is folded into.
        let mut effect = vec![NONE; range.len()];
        let mut next_call = NONE;
        for at in range.clone().rev() {
            let inst = &function.insts[at as usize];
            self.insts[at as usize].next_call = next_call;
            if matches!(inst.kind, InstKind::Call { .. }) {
                next_call = at;
            }
            let mut effect_at = at;
            if let Some(result) = inst.result {
                let facts = self.values[result.index()];
                let user_here = facts.n_uses == 1 && range.contains(&facts.user) && facts.user > at;
                let user = || &function.insts[facts.user as usize].kind;
                if user_here && (is_extension(program, function, inst) || can_fold(&inst.kind, result, user())) {
                    self.insts[at as usize].folded = true;
                    effect_at = effect[(facts.user - range.start) as usize];
                }
            }
            effect[(at - range.start) as usize] = effect_at;
            let is_phi = matches!(inst.kind, InstKind::Phi { .. });
            inst.kind.for_each_operand(|operand| {
                let Operand::Local(value) = operand else { return };
                let facts = &mut self.values[value.index()];
                let defined_here = facts.def != NONE && range.contains(&facts.def) && facts.def < at;
                if is_phi || !defined_here {
                    facts.last_use = EVERYWHERE;
                } else if facts.last_use != EVERYWHERE {
                    facts.last_use = facts.last_use.max(effect_at);
                }
            });
        }
    }

    /// Finds, for each load and store of a variable, the neighbouring event that limits it.
    fn scan_forward(&mut self, function: &Function, block: BlockId) {
        let range = function.blocks[block.index()].insts.clone();
        // Per variable: the last event, and the loads that still wait for a next store.
        let mut last_event: rustc_hash::FxHashMap<usize, (u32, Vec<u32>)> = rustc_hash::FxHashMap::default();
        for at in range {
            let (ptr, is_store) = match &function.insts[at as usize].kind {
                InstKind::Load { ptr, .. } => (*ptr, false),
                InstKind::Store { ptr, .. } => (*ptr, true),
                _ => continue,
            };
            let Some(var) = self.var(ptr) else { continue };
            let (last, waiting) = last_event.entry(var).or_insert((NONE, Vec::new()));
            if is_store {
                self.insts[at as usize].neighbour = *last;
                for load in waiting.drain(..) {
                    self.insts[load as usize].neighbour = at;
                }
            } else {
                waiting.push(at);
            }
            *last = at;
        }
    }

    /// Finds variables that need not be marked uninitialised, and those that are just a parameter's new name.
    fn find_entry_stores(&mut self, function: &Function) {
        let Some(entry) = function.blocks.first() else { return };
        let mut seen = vec![false; self.vars.len()];
        for at in entry.insts.clone() {
            let (ptr, stored) = match &function.insts[at as usize].kind {
                InstKind::Load { ptr, .. } => (*ptr, None),
                InstKind::Store { ptr, value, .. } => (*ptr, Some(*value)),
                _ => continue,
            };
            let Some(var) = self.var(ptr) else { continue };
            if std::mem::replace(&mut seen[var], true) {
                continue;
            }
            let Some(value) = stored else { continue };
            self.vars[var].starts_with_store = true;
            if let Operand::Local(value) = value {
                let facts = self.values[value.index()];
                if facts.def == NONE && facts.n_uses == 1 {
                    self.vars[var].param = Some(value);
                }
            }
        }
    }
}

/// A zero extension in a word: no operation at all, whoever uses it.
fn is_extension(program: &Program, function: &Function, inst: &Inst) -> bool {
    let fits = |ty| matches!(program.types[ty], Type::Int(width) if width <= 64);
    matches!(inst.kind, InstKind::Cast { op: CastOp::ZExt, arg } if fits(program.operand_type(function, arg)) && fits(inst.ty))
}

/// Whether `user` can take along the instruction that defines `value`.
fn can_fold(kind: &InstKind, value: ValueId, user: &InstKind) -> bool {
    let me = Operand::Local(value);
    match (kind, user) {
        (InstKind::Gep { .. }, InstKind::Load { ptr, .. }) => *ptr == me,
        (InstKind::Gep { .. }, InstKind::Store { ptr, value, .. }) => *ptr == me && *value != me,
        (InstKind::Gep { .. }, InstKind::Gep { base, indices, .. }) => *base == me && !indices.contains(&me),
        (InstKind::Cast { op: CastOp::SExt, .. }, InstKind::Gep { base, .. }) => *base != me,
        (InstKind::ICmp { .. }, InstKind::CondBr { .. }) => true,
        _ => false,
    }
}
