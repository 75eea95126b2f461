//! Lowering one function: the driver, operands and registers. Instructions are in `inst`, control flow in `control`.

use super::conditions::Conditions;
use super::merged::Merged;
use super::plan::{EVERYWHERE, Plan, Variables};
use super::regs::Regs;
use super::statics::NoValue;
use super::{Lowering, Semantics, Uninitialised};
use crate::code::{NO_LOC, Op, OpCode, OpIdx, Origin, Reg, SlowOp};
use crate::model::{BlockId, DbgRecordKind, FuncId, Function, Inst, InstKind, MdId, Operand, ValueId};
use rustc_hash::FxHashMap;

pub(super) struct FuncLowering<'l, 'p> {
    pub out: &'l mut Lowering<'p>,
    pub function: &'p Function,
    pub id: FuncId,
    pub origin: Origin,
    pub plan: Plan,
    pub conditions: Conditions,
    pub merged: Merged,
    pub regs: Regs,
    /// Where each value is, once it is emitted.
    pub homes: Vec<Option<Reg>>,
    vars: Vec<Reg>,
    /// For each variable, the last use of a load that stands for the variable itself.
    aliased_until: Vec<u32>,
    /// Where the variables are declared whose memory a value is.
    declarations: FxHashMap<ValueId, MdId>,
    /// First operation of each block.
    pub block_starts: Vec<OpIdx>,
    pub jumps: Vec<(OpIdx, super::control::JumpTo)>,
    /// The instruction being emitted.
    pub at: u32,
    pub loc: u32,
}

/// An instruction that can't be lowered; executing it ends the path.
pub(super) struct Unsupported(pub Box<str>);

impl From<NoValue> for Unsupported {
    fn from(NoValue(text): NoValue) -> Self {
        Self(text)
    }
}

pub(super) type Emit<T = ()> = Result<T, Unsupported>;

pub(super) fn unsupported<T>(what: impl Into<Box<str>>) -> Emit<T> {
    Err(Unsupported(what.into()))
}

impl<'l, 'p> FuncLowering<'l, 'p> {
    pub fn new(out: &'l mut Lowering<'p>, id: FuncId, origin: Origin) -> Self {
        let function = out.statics.program.function(id);
        let variables = match (out.checks.uninitialised, out.semantics_of(id)) {
            (Uninitialised::IsAny, Semantics::Source) => Variables::WrittenFirst,
            _ => Variables::All,
        };
        let plan = Plan::new(out.statics.program, function, variables);
        let semantics = out.semantics_of(id);
        let (conditions, merged) = match origin {
            Origin::User => (
                Conditions::new(out.statics.program, function, semantics),
                Merged::new(out.statics.program, function, semantics),
            ),
            Origin::Library => Default::default(),
        };
        let n_vars = plan.vars.len();
        let mut regs = Regs::default();
        regs.keep_all = super::calls::calls_setjmp(out.statics.program, function);
        Self {
            out,
            function,
            id,
            origin,
            plan,
            conditions,
            merged,
            regs,
            homes: vec![None; function.value_types.len()],
            vars: Vec::with_capacity(n_vars),
            aliased_until: vec![0; n_vars],
            declarations: declarations(function),
            block_starts: vec![OpIdx::NOWHERE; function.blocks.len()],
            jumps: Vec::new(),
            at: 0,
            loc: NO_LOC,
        }
    }

    /// Emits the whole function; its frame size is in `regs` afterwards.
    pub fn run(&mut self) -> Emit {
        let entry = self.out.image.ops.len();
        let first_slow = self.out.image.slow.len();
        self.place_params()?;
        self.place_vars()?;
        self.observe_params();
        for block in self.function.block_ids() {
            self.block_starts[block.index()] = self.out.image.next_op();
            self.lower_block(block);
        }
        self.place_jumps();
        let regs = &self.regs;
        for op in &mut self.out.image.ops[entry..] {
            if !is_jump(op.code) {
                op.dst = regs.place(op.dst);
            }
            // What is observed may have been computed right where a call expects it.
            if op.code == OpCode::Observe {
                op.a = regs.place(op.a);
            }
        }
        for dst in self.out.image.slow[first_slow..].iter_mut().filter_map(SlowOp::dst_mut) {
            dst.0 = regs.place(dst.0);
        }
        Ok(())
    }

    fn place_params(&mut self) -> Emit {
        // What a call could not give, nobody takes.
        let n_slots =
            self.function.params.iter().try_fold(0, |n, param| Ok::<u32, Unsupported>(n + self.n_slots(param.ty)?))?;
        if n_slots as usize > super::MAX_ARG_SLOTS {
            return unsupported("a function with very many parameters");
        }
        for (idx, param) in self.function.params.iter().enumerate() {
            let n_slots = self.n_slots(param.ty)?;
            self.homes[idx] = Some(self.regs.fixed(n_slots));
        }
        for (idx, param) in self.function.params.iter().enumerate() {
            if let Some(ty) = param.attrs.byval {
                let size = self.size_of(ty)?;
                let align = param.attrs.align.max(8).trailing_zeros() as u16;
                let reg = self.value_reg(ValueId::new(idx));
                self.emit(Op::new(OpCode::ByvalCopy, reg.0, 0, size as u32).with_aux(align));
            }
        }
        Ok(())
    }

    fn place_vars(&mut self) -> Emit {
        for idx in 0..self.plan.vars.len() {
            let var = &self.plan.vars[idx];
            let (param, ty, starts_with_store) = (var.param, var.ty, var.starts_with_store);
            let reg = match param {
                Some(param) => self.value_reg(param),
                None => {
                    let n_slots = self.n_slots(ty)?;
                    let reg = self.regs.fixed(n_slots);
                    if !starts_with_store {
                        self.emit_undef(reg, n_slots, self.lanes(ty)?.scalar.bits());
                    }
                    reg
                }
            };
            self.vars.push(reg);
        }
        Ok(())
    }

    /// The variables of the source that have slots, and where these are.
    pub fn named_slots(&self) -> Box<[(u32, MdId)]> {
        let declares = self.function.debug_records.iter().filter(|record| record.kind == DbgRecordKind::Declare);
        let slot = |ptr| Some(self.vars.get(self.plan.var(ptr)?)?.slot() as u32);
        declares.filter_map(|record| Some((slot(record.operand?)?, record.variable))).collect()
    }

    fn lower_block(&mut self, block: BlockId) {
        let range = self.function.blocks[block.index()].insts.clone();
        for at in range {
            self.at = at;
            let inst = &self.function.insts[at as usize];
            self.loc = inst.loc.map_or(NO_LOC, |loc| loc.0);
            if self.plan.insts[at as usize].folded {
                continue;
            }
            let lowered = self.observe_before(at).and_then(|()| {
                let start = self.out.image.next_op();
                self.lower_top(inst, block).inspect_err(|_| self.take_back(start))
            });
            if let Err(Unsupported(what)) = lowered.and_then(|()| self.observe_result(inst)) {
                self.emit_slow(SlowOp::Unsupported(what));
                // Uses of the result are never reached, but need registers to name.
                if let Some(result) = inst.result
                    && self.phi_home(result).is_err()
                {
                    self.homes[result.index()] = Some(Reg(0));
                }
            }
            self.regs.release(at);
        }
    }

    /// Forgets the operations from `start` on: half an instruction must not run.
    fn take_back(&mut self, start: OpIdx) {
        self.jumps.retain(|&(at, _)| at < start);
        self.out.image.forget_from(start);
    }

    fn lower_top(&mut self, inst: &'p Inst, block: BlockId) -> Emit {
        if inst.kind.is_terminator() {
            return self.lower_terminator(inst, block);
        }
        match &inst.kind {
            InstKind::Phi { .. } => {
                // Written by the edges that lead here.
                self.phi_home(inst.result.expect("a phi has a result"))?;
                Ok(())
            }
            InstKind::Alloca { .. } => self.lower_alloca_unless_var(inst),
            InstKind::Load { ptr, .. } => match self.plan.var(*ptr) {
                Some(var) => self.lower_var_load(inst, var),
                None => self.lower_with_result(inst),
            },
            InstKind::Store { ptr, value, .. } => match self.plan.var(*ptr) {
                Some(var) => self.lower_var_store(*value, var),
                None => self.lower_inst(inst, Reg(0)),
            },
            _ => self.lower_with_result(inst),
        }
    }

    /// Compilers give no position to the memory of a variable; it is where the variable is declared.
    fn lower_alloca_unless_var(&mut self, inst: &'p Inst) -> Emit {
        let result = inst.result.expect("an alloca has a result");
        if self.plan.var(Operand::Local(result)).is_some() {
            return Ok(());
        }
        if let Some(declared) = self.declarations.get(&result) {
            self.loc = declared.0;
        }
        self.lower_with_result(inst)?;
        self.note_local_type(result);
        Ok(())
    }

    fn lower_with_result(&mut self, inst: &'p Inst) -> Emit {
        let dst = match inst.result {
            Some(result) => self.assign_home(result)?,
            None => Reg(0),
        };
        self.lower_inst(inst, dst)
    }

    /// Chooses where a value goes: straight into the variable or the argument that is its only use, if it can.
    fn assign_home(&mut self, value: ValueId) -> Emit<Reg> {
        if let Some(home) = self.homes[value.index()] {
            return Ok(home);
        }
        let facts = self.plan.values[value.index()];
        let n_slots = self.n_slots(self.function.value_types[value.index()])?;
        let home = if facts.last_use == EVERYWHERE {
            self.regs.fixed(n_slots)
        } else if let Some(reg) = self.only_use_register(value) {
            reg
        } else {
            self.regs.temp(n_slots, facts.last_use.max(self.at))
        };
        self.homes[value.index()] = Some(home);
        Ok(home)
    }

    fn only_use_register(&self, value: ValueId) -> Option<Reg> {
        let facts = self.plan.values[value.index()];
        if facts.n_uses != 1 {
            return None;
        }
        match &self.function.insts[facts.user as usize].kind {
            InstKind::Store { ptr, value: stored, .. } if *stored == Operand::Local(value) => {
                let var = self.plan.var(*ptr)?;
                let last_event = self.plan.insts[facts.user as usize].neighbour;
                let untouched = last_event == u32::MAX || last_event < self.at;
                (untouched && self.aliased_until[var] <= self.at).then(|| self.vars[var])
            }
            InstKind::Call { args, .. } if self.plan.insts[self.at as usize].next_call == facts.user => {
                self.outgoing_slot(facts.user, args, value)
            }
            _ => None,
        }
    }

    fn lower_var_load(&mut self, inst: &Inst, var: usize) -> Emit {
        let result = inst.result.expect("a load has a result");
        let facts = self.plan.values[result.index()];
        let next_store = self.plan.insts[self.at as usize].neighbour;
        if facts.last_use != EVERYWHERE && facts.last_use <= next_store {
            self.homes[result.index()] = Some(self.vars[var]);
            self.aliased_until[var] = self.aliased_until[var].max(facts.last_use);
            return Ok(());
        }
        let dst = self.assign_home(result)?;
        let n_slots = self.n_slots(inst.ty)?;
        self.emit_move(dst, self.vars[var], n_slots);
        Ok(())
    }

    fn lower_var_store(&mut self, value: Operand, var: usize) -> Emit {
        let dst = self.vars[var];
        if let Operand::Local(id) = value
            && self.homes[id.index()] == Some(dst)
        {
            return Ok(());
        }
        self.emit_operand_to(dst, value)
    }
}

fn declarations(function: &Function) -> FxHashMap<ValueId, MdId> {
    let declares = function.debug_records.iter().filter(|record| record.kind == DbgRecordKind::Declare);
    declares
        .filter_map(|record| match record.operand {
            Some(Operand::Local(value)) => Some((value, record.location?)),
            _ => None,
        })
        .collect()
}

/// Whether `dst` is the index of an operation.
pub(super) fn is_jump(code: OpCode) -> bool {
    matches!(code, OpCode::Jump | OpCode::BrIf | OpCode::BrIfNot)
        || matches!(Op::new(code, 0, 0, 0).meaning(), crate::code::Meaning::Branch { .. })
}
