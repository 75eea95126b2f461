//! What an optimiser has made of conditions: minimum and maximum, a sign, a range of values. What the source may have compared
//! is observed.

use super::function::{Emit, FuncLowering};
use super::intrinsics::{intrinsic_name, strip_types};
use crate::code::{Form, Intrinsic, Lanes, Op, OpCode, Origin, Reg, Semantics};
use crate::labels::Label;
use crate::model::{Arg, Callee, ConstId, ConstKind, Function, Inst, InstKind, Operand, Program, Type};
use rustc_hash::FxHashMap;
use spelunk_bv::{BinOp, CmpOp, SatOp, UnOp, int};

/// So few values in a row may well be cases, each of which counts; more are rather the two ends of a range.
const MOST_CASES: u64 = 4;

/// By instruction, what is observed before it.
#[derive(Default)]
pub(super) struct Merged(FxHashMap<u32, Vec<What>>);

#[derive(Clone, Copy)]
enum What {
    /// Whether a value is one of these, at least one, which lie between zero and the largest number with a sign.
    Range { value: Operand, first: u64, last: u64 },
    /// Whether a value is one of a `case` label's.
    Label { value: Operand, label: Label },
    /// How a value compares with a bound where the bound on its other side is not met: `a < 0 ? 0 : a > 255 ? 255 : a`.
    Clamped { args: [Operand; 2], op: CmpOp, outer: (CmpOp, u64) },
}

impl Merged {
    pub fn new(program: &Program, function: &Function, semantics: Semantics) -> Self {
        let mut merged = Self::default();
        if semantics != Semantics::Optimised {
            return merged;
        }
        let finder = Finder { program, definitions: definitions(function), function };
        for (at, inst) in (0..).zip(&function.insts) {
            let labels = finder.labels(at, inst);
            let others = if labels.is_empty() { finder.range(inst).or_else(|| finder.clamped(inst)) } else { None };
            for (at, what) in labels.into_iter().chain(others) {
                merged.0.entry(at).or_default().push(what);
            }
        }
        merged
    }
}

fn definitions(function: &Function) -> FxHashMap<Operand, u32> {
    let results = (0..).zip(&function.insts).filter_map(|(at, inst)| Some((Operand::Local(inst.result?), at)));
    results.collect()
}

struct Finder<'p> {
    program: &'p Program,
    function: &'p Function,
    definitions: FxHashMap<Operand, u32>,
}

impl<'p> Finder<'p> {
    fn definition(&self, operand: Operand) -> Option<(u32, &'p Inst)> {
        let at = *self.definitions.get(&operand)?;
        Some((at, &self.function.insts[at as usize]))
    }

    /// A number, and how many bits it has.
    fn number(&self, operand: Operand) -> Option<(u64, u32)> {
        let Operand::Const(id) = operand else { return None };
        self.integer(id)
    }

    fn integer(&self, id: ConstId) -> Option<(u64, u32)> {
        let constant = &self.program.consts[id];
        let width = Lanes::of(&self.program.types, constant.ty).filter(|lanes| lanes.count == 1)?.scalar.bits();
        match constant.kind {
            ConstKind::Int(value) if width <= 64 => Some((int::trunc(width, value), width)),
            _ => None,
        }
    }

    /// `value - start < n`, without signs: at the subtraction, where the value still has a register. Around the largest number, it
    /// is the others that lie between two ends.
    fn range(&self, inst: &Inst) -> Option<(u32, What)> {
        let InstKind::ICmp { op: op @ (CmpOp::Ult | CmpOp::Ugt), lhs, rhs } = inst.kind else { return None };
        let (at, moved) = self.definition(lhs)?;
        let InstKind::Binary { op: BinOp::Add, lhs: value, rhs: by, .. } = moved.kind else { return None };
        let ((limit, width), (by, _)) = (self.number(rhs)?, self.number(by)?);
        let n = if op == CmpOp::Ult { limit } else { limit.checked_add(1)? };
        let start = int::trunc(width, by.wrapping_neg());
        let end = int::trunc(width, start.wrapping_add(n));
        let (first, last) = (start.min(end), start.max(end) - 1);
        let most = int::trunc(width, u64::MAX) >> 1;
        (start != end && first > 0 && last <= most).then_some((at, What::Range { value, first, last }))
    }

    /// What is left of a switch: those of its labels that have no case of their own there.
    fn labels(&self, at: u32, inst: &Inst) -> Vec<(u32, What)> {
        let (at, value, told) = match &inst.kind {
            InstKind::Switch { value, cases, .. } => (at, *value, cases.iter().map(|&(case, _)| case).collect()),
            InstKind::ICmp { op, lhs, rhs: Operand::Const(rhs) } => match (op, self.definition(*lhs)) {
                (CmpOp::Eq | CmpOp::Ne, _) => (at, *lhs, vec![*rhs]),
                (
                    _,
                    Some((at, Inst { kind: InstKind::Binary { op: BinOp::Add, lhs, rhs: Operand::Const(_), .. }, .. })),
                ) => (at, *lhs, Vec::new()),
                _ => (at, *lhs, Vec::new()),
            },
            _ => return Vec::new(),
        };
        let width = match self.program.types[self.program.operand_type(self.function, value)] {
            Type::Int(width @ ..=64) => width,
            _ => return Vec::new(),
        };
        let Some(labels) = self.program.labels.at(self.program, inst, width) else { return Vec::new() };
        let told = told.into_iter().map(|case| Some(self.integer(case)?.0)).collect::<Option<Vec<u64>>>();
        // What compares with other numbers is about another value than the source's.
        let Some(told) = told.filter(|told| told.iter().all(|&case| labels.of(case).is_some())) else {
            return Vec::new();
        };
        let is_told = |label: &&Label| told.iter().any(|&case| label.has(labels.width, case));
        let lost = labels.all.iter().filter(|label| !is_told(label));
        lost.map(|&label| (at, What::Label { value, label })).collect()
    }

    /// A minimum of a maximum, or the other way round, with bounds that are numbers: at the inner one.
    fn clamped(&self, inst: &Inst) -> Option<(u32, What)> {
        let (outer, [inner, bound]) = self.extreme(inst)?;
        let (at, inner) = self.definition(inner)?;
        let (inner, args) = self.extreme(inner)?;
        let (op, is_within) = match (inner, outer) {
            (SatOp::SMin, SatOp::SMax) => (CmpOp::Slt, CmpOp::Sgt),
            (SatOp::SMax, SatOp::SMin) => (CmpOp::Slt, CmpOp::Slt),
            (SatOp::UMin, SatOp::UMax) => (CmpOp::Ult, CmpOp::Ugt),
            (SatOp::UMax, SatOp::UMin) => (CmpOp::Ult, CmpOp::Ult),
            _ => return None,
        };
        self.number(args[1])?;
        Some((at, What::Clamped { args, op, outer: (is_within, self.number(bound)?.0) }))
    }

    /// A minimum or maximum.
    fn extreme(&self, inst: &Inst) -> Option<(SatOp, [Operand; 2])> {
        let InstKind::Call { callee: Callee::Direct(id), args, .. } = &inst.kind else { return None };
        let op = SatOp::from_name(strip_types(intrinsic_name(self.program, *id)?))?;
        Some((op, [args.first()?.value, args.get(1)?.value]))
    }
}

impl<'p> FuncLowering<'_, 'p> {
    /// Observes what was merged into something else, before an instruction.
    pub fn observe_merged(&mut self, at: u32) -> Emit {
        for what in self.merged.0.get(&at).cloned().unwrap_or_default() {
            match what {
                What::Range { value, first, last } => {
                    // Below and above, whether the source has signs or not.
                    let mut all = vec![(CmpOp::Ult, first), (CmpOp::Sgt, last)];
                    if last - first < MOST_CASES {
                        all.extend((first..=last).map(|case| (CmpOp::Eq, case)));
                    }
                    for (op, number) in all {
                        if let Some(result) = self.with_number(op, value, number)? {
                            self.emit_observe(result);
                        }
                    }
                }
                What::Label { value, label: Label { first, last } } if first == last => {
                    if let Some(result) = self.with_number(CmpOp::Eq, value, first)? {
                        self.emit_observe(result);
                    }
                }
                What::Label { value, label: Label { first, last } } => {
                    let (from, to) = if first < last { (CmpOp::Uge, CmpOp::Ule) } else { (CmpOp::Sge, CmpOp::Sle) };
                    let Some(guard) = self.with_number(from, value, first)? else { continue };
                    if let Some(result) = self.with_number(to, value, last)? {
                        self.emit(Op::new(OpCode::Observe, 0, result.0, guard.0).with_aux(1));
                    }
                }
                What::Clamped { args: [lhs, rhs], op, outer: (is_within, bound) } => {
                    let Some(guard) = self.with_number(is_within, lhs, bound)? else { continue };
                    for (lhs, rhs) in [(lhs, rhs), (rhs, lhs)] {
                        if let Some(result) = self.comparison(op, lhs, Some(rhs))? {
                            self.emit(Op::new(OpCode::Observe, 0, result.0, guard.0).with_aux(1));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    pub fn observe_intrinsic(&mut self, what: Intrinsic, args: &[Arg]) -> Emit {
        let op = match what {
            Intrinsic::Sat(SatOp::UMin | SatOp::UMax | SatOp::USubSat) => CmpOp::Ult,
            Intrinsic::Sat(SatOp::SMin | SatOp::SMax) => CmpOp::Slt,
            Intrinsic::Unary(UnOp::Abs) => return self.observe_sign(args[0].value),
            _ => return Ok(()),
        };
        // Nobody knows on which side of it the source has what is equal.
        self.observe_comparison(op, args[0].value, Some(args[1].value))?;
        self.observe_comparison(op, args[1].value, Some(args[0].value))
    }

    /// The sign bit as a number, or as all bits of one.
    pub fn observe_shift(&mut self, op: BinOp, lhs: Operand, rhs: Operand) -> Emit {
        let is_sign = matches!(op, BinOp::LShr | BinOp::AShr)
            && self.out.semantics_of(self.id) == Semantics::Optimised
            && self.const_value(rhs) == Some(u64::from(self.lanes(self.type_of(lhs))?.scalar.bits()) - 1);
        if is_sign { self.observe_sign(lhs) } else { Ok(()) }
    }

    fn observe_sign(&mut self, value: Operand) -> Emit {
        self.observe_comparison(CmpOp::Slt, value, None)
    }

    /// With zero, if there is no right operand.
    fn observe_comparison(&mut self, op: CmpOp, lhs: Operand, rhs: Option<Operand>) -> Emit {
        if let Some(result) = self.comparison(op, lhs, rhs)? {
            self.emit_observe(result);
        }
        Ok(())
    }

    /// The result of a comparison that the code does not have.
    fn comparison(&mut self, op: CmpOp, lhs: Operand, rhs: Option<Operand>) -> Emit<Option<Reg>> {
        let Some(rhs) = rhs else { return self.with_number(op, lhs, 0) };
        let lanes = self.lanes(self.type_of(lhs))?;
        if self.origin == Origin::Library || lanes.count != 1 || lanes.scalar.bits() > 64 {
            return Ok(None);
        }
        let compare = self.compare_op(op, lanes.scalar, lhs, rhs, OpCode::compare)?;
        let result = self.regs.temp(1, self.at);
        self.emit(Op { dst: result.0, ..compare });
        Ok(Some(result))
    }

    fn with_number(&mut self, op: CmpOp, lhs: Operand, number: u64) -> Emit<Option<Reg>> {
        let lanes = self.lanes(self.type_of(lhs))?;
        let width = lanes.scalar.bits();
        if self.origin == Origin::Library || lanes.count != 1 || width > 64 || !Op::fits_immediate(width, number) {
            return Ok(None);
        }
        let compare = Op::new(OpCode::compare(op, width, Form::Immediate), 0, self.reg(lhs)?.0, number as u32);
        let result = self.regs.temp(1, self.at);
        self.emit(Op { dst: result.0, ..compare.with_aux(width as u16) });
        Ok(Some(result))
    }
}
