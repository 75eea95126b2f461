//! How code uses pointers and numbers together: which number says how many elements a pointer leads to.
//!
//! Unoptimised code keeps parameters in memory of their own, so what a value is comes from the loads behind it: a parameter, a
//! member of what one points to, or a local variable. Optimised code has less of that, and gives fewer guesses.

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_bv::BinOp;
use spelunk_ir::model::{BlockId, Callee, ConstKind, FuncId, Function, InstKind, Operand, Program, Type, ValueId};

/// Where a value of the input is, seen from a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ParamPart {
    /// A parameter, by number.
    Param(usize),
    /// Of what a parameter points to, so many bytes from its start.
    Member(usize, u64),
    /// What a parameter points to, which is no structure.
    Pointee(usize),
}

/// What a value was computed from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Origin {
    Input(ParamPart),
    /// A local variable.
    Local(ValueId),
}

/// What a function does with its parameters.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    /// A pointer, and a number that an index is compared with before it is added, or that is added to get to the end.
    pub counted: FxHashSet<(ParamPart, ParamPart)>,
    /// Pointers with an index that is no constant.
    pub indexed: FxHashSet<ParamPart>,
    /// Parameters that are compared with null.
    pub null_checked: FxHashSet<usize>,
    /// Numbers of the code that parameters are compared with.
    pub limits: FxHashSet<(usize, u64)>,
    /// Parameters that something is written through, and read.
    pub written: FxHashSet<usize>,
    pub read: FxHashSet<usize>,
    /// Parameters behind which something is read that was not written before, and those that are handed to a function, as its argument of that
    /// number, while nothing is written there.
    pub read_first: FxHashSet<usize>,
    pub passed_first: FxHashSet<(usize, FuncId, usize)>,
    /// Parameters that are compared with each other, or subtracted.
    pub compared: FxHashSet<(usize, usize)>,
    /// Pointers that are moved on, and numbers that are counted down.
    pub moved: FxHashSet<ParamPart>,
    pub counted_down: FxHashSet<ParamPart>,
    /// What functions are called with.
    pub calls: Vec<(FuncId, Vec<Option<ParamPart>>)>,
    /// Arguments that lead to another place than the input does, by the number of the call: `buf + used`.
    pub shifted: FxHashSet<(usize, usize)>,
}

/// Looks at a function whose parameters in C are those of the IR from this number on.
pub fn usage(program: &Program, function: &Function, first: usize) -> Usage {
    let mut reader = Reader { program, function, first, defined: FxHashMap::default(), aliases: FxHashMap::default() };
    for (number, inst) in function.insts.iter().enumerate() {
        if let Some(result) = inst.result {
            reader.defined.insert(result, number);
        }
    }
    reader.find_aliases();
    reader.usage()
}

struct Reader<'p> {
    program: &'p Program,
    function: &'p Function,
    first: usize,
    /// The instruction that makes each value.
    defined: FxHashMap<ValueId, usize>,
    /// Local variables that hold an input: the memory of parameters, and copies.
    aliases: FxHashMap<ValueId, ParamPart>,
}

impl Reader<'_> {
    fn inst(&self, operand: Operand) -> Option<&InstKind> {
        let Operand::Local(value) = operand else { return None };
        self.defined.get(&value).map(|&number| &self.function.insts[number].kind)
    }

    /// A variable that only ever gets one input, or what is computed from it by steps, stands for that.
    fn find_aliases(&mut self) {
        for _ in 0..3 {
            let mut found: FxHashMap<ValueId, Option<ParamPart>> = FxHashMap::default();
            for inst in &self.function.insts {
                let InstKind::Store { value, ptr: Operand::Local(slot), .. } = inst.kind else { continue };
                if !matches!(self.inst(Operand::Local(slot)), Some(InstKind::Alloca { .. })) {
                    continue;
                }
                // `p++` leaves a pointer what it is; a number that is counted up is not the input any more.
                let place = match self.stored(value) {
                    Some(Origin::Input(place)) => Some(place),
                    Some(Origin::Local(own)) if own == slot => continue,
                    _ => None,
                };
                found.entry(slot).and_modify(|it| *it = it.filter(|known| Some(*known) == place)).or_insert(place);
            }
            self.aliases = found.into_iter().filter_map(|(slot, place)| Some((slot, place?))).collect();
        }
    }

    fn stored(&self, value: Operand) -> Option<Origin> {
        match self.inst(value) {
            Some(InstKind::Gep { base, .. }) => self.pointer(*base),
            _ => self.origin(value),
        }
    }

    /// What a number or pointer is.
    fn origin(&self, operand: Operand) -> Option<Origin> {
        if let Operand::Local(value) = operand
            && value.index() < self.function.params.len()
        {
            return value.index().checked_sub(self.first).map(|number| Origin::Input(ParamPart::Param(number)));
        }
        match self.inst(operand)? {
            InstKind::Cast { arg, .. } => self.origin(*arg),
            InstKind::Binary { op: BinOp::Add | BinOp::Sub, lhs, rhs: Operand::Const(_), .. } => self.origin(*lhs),
            InstKind::Load { ptr: Operand::Local(slot), .. } => match self.inst(Operand::Local(*slot)) {
                Some(InstKind::Alloca { .. }) => {
                    Some(self.aliases.get(slot).map_or(Origin::Local(*slot), |&place| Origin::Input(place)))
                }
                Some(InstKind::Gep { .. }) => self.member(Operand::Local(*slot)).map(Origin::Input),
                Some(InstKind::Load { .. }) => match self.origin(Operand::Local(*slot)) {
                    Some(Origin::Input(ParamPart::Param(param))) => Some(Origin::Input(ParamPart::Pointee(param))),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The input that a pointer was computed from.
    fn pointer(&self, operand: Operand) -> Option<Origin> {
        match self.inst(operand) {
            Some(InstKind::Gep { base, indices, .. }) if indices.len() == 1 => self.pointer(*base),
            _ => self.origin(operand),
        }
    }

    /// A member of what a parameter points to, by its address.
    fn member(&self, address: Operand) -> Option<ParamPart> {
        let InstKind::Gep { elem, base, indices, .. } = self.inst(address)? else { return None };
        let [Operand::Const(_), Operand::Const(field)] = indices[..] else { return None };
        let Some(Origin::Input(ParamPart::Param(param))) = self.origin(*base) else { return None };
        let ConstKind::Int(field) = self.program.consts[field].kind else { return None };
        if !matches!(self.program.types[*elem], Type::Struct { .. }) {
            return None;
        }
        let layout = self.program.modules.first()?.data_layout;
        let offsets = self.program.types.struct_layout(layout, *elem)?.offsets;
        Some(ParamPart::Member(param, *offsets.get(field as usize)?))
    }

    fn usage(&self) -> Usage {
        let mut usage = Usage::default();
        let mut compared: FxHashSet<(Origin, ParamPart)> = FxHashSet::default();
        let mut indexed: FxHashSet<(ParamPart, Origin)> = FxHashSet::default();
        let ends: FxHashSet<ValueId> = self.ends();
        for inst in &self.function.insts {
            match &inst.kind {
                InstKind::ICmp { lhs, rhs, .. } => {
                    let (left, right) = (self.origin(*lhs), self.origin(*rhs));
                    if let (Some(left), Some(Origin::Input(right))) = (left, right) {
                        compared.insert((left, right));
                    }
                    if let (Some(Origin::Input(left)), Some(right)) = (left, right) {
                        compared.insert((right, left));
                    }
                    if let (Some(Origin::Input(ParamPart::Param(param))), Operand::Const(constant)) = (left, *rhs) {
                        usage.null_checked.insert(param);
                        if let ConstKind::Int(limit) = self.program.consts[constant].kind {
                            usage.limits.insert((param, limit));
                        }
                    }
                    usage.compared.extend(self.both_params(*lhs, *rhs));
                }
                InstKind::Binary { op: BinOp::Sub, lhs, rhs, .. } => {
                    usage.compared.extend(self.both_params(*lhs, *rhs));
                }
                InstKind::Load { ptr, .. } => {
                    if let Some(Origin::Input(ParamPart::Param(param))) = self.pointer(*ptr) {
                        usage.read.insert(param);
                    }
                }
                InstKind::Gep { base, indices, .. } if indices.len() == 1 => {
                    let Some(Origin::Input(pointer)) = self.pointer(*base) else { continue };
                    if matches!(indices[0], Operand::Local(_)) {
                        usage.indexed.insert(pointer);
                    }
                    let Some(index) = self.origin(indices[0]) else { continue };
                    indexed.insert((pointer, index));
                    // The sum of pointer and number is the end if other pointers are compared with it.
                    if let (Origin::Input(count), Some(result)) = (index, inst.result)
                        && ends.contains(&result)
                    {
                        usage.counted.insert((pointer, count));
                    }
                }
                InstKind::Store { value, ptr, .. } => {
                    self.note_steps(*value, *ptr, &mut usage);
                    if let Some(Origin::Input(ParamPart::Param(param))) = self.origin(*ptr) {
                        usage.written.insert(param);
                    }
                }
                InstKind::Call { callee: Callee::Direct(callee), args, .. } => {
                    let place = |operand| match self.pointer(operand) {
                        Some(Origin::Input(place)) => Some(place),
                        _ => None,
                    };
                    let is_shifted = |operand| matches!(self.inst(operand), Some(InstKind::Gep { .. }));
                    let shifted = args.iter().enumerate().filter(|(_, arg)| is_shifted(arg.value));
                    usage.shifted.extend(shifted.map(|(number, _)| (usage.calls.len(), number)));
                    usage.calls.push((*callee, args.iter().map(|arg| place(arg.value)).collect()));
                }
                _ => {}
            }
        }
        // `while (n--) *p++`: nothing else can be meant if there is one such number.
        if usage.counted_down.len() == 1 {
            let pairs: Vec<_> = usage
                .moved
                .iter()
                .flat_map(|&pointer| usage.counted_down.iter().map(move |&count| (pointer, count)))
                .collect();
            usage.counted.extend(pairs);
        }
        for &(pointer, index) in &indexed {
            let limits = compared.iter().filter(|(left, limit)| *left == index && Origin::Input(*limit) != index);
            usage.counted.extend(limits.map(|&(_, limit)| (pointer, limit)));
        }
        for param in 0..self.function.params.len() - self.first {
            self.note_first(param, &mut usage);
        }
        usage
    }

    /// Follows the code until something is written through a parameter.
    fn note_first(&self, param: usize, usage: &mut Usage) {
        let is_it = |operand: Operand| self.origin(operand) == Some(Origin::Input(ParamPart::Param(param)));
        let mut met = FxHashSet::default();
        let mut waiting: Vec<BlockId> = self.function.block_ids().take(1).collect();
        'blocks: while let Some(block) = waiting.pop() {
            if !met.insert(block) {
                continue;
            }
            for inst in self.function.block_insts(block) {
                match &inst.kind {
                    InstKind::Load { ptr, .. } if is_it(*ptr) => {
                        usage.read_first.insert(param);
                    }
                    InstKind::Store { ptr, .. } if is_it(*ptr) => continue 'blocks,
                    InstKind::Call { callee: Callee::Direct(callee), args, .. } => {
                        let passed = args.iter().enumerate().filter(|(_, arg)| is_it(arg.value));
                        usage.passed_first.extend(passed.map(|(number, _)| (param, *callee, number)));
                    }
                    _ => {}
                }
            }
            waiting.extend(self.function.terminator(block).kind.successors());
        }
    }

    /// Two parameters that are compared, however far they were moved.
    fn both_params(&self, lhs: Operand, rhs: Operand) -> Option<(usize, usize)> {
        let param = |operand: Operand| {
            let operand = match self.inst(operand) {
                Some(InstKind::Cast { arg, .. }) => *arg,
                _ => operand,
            };
            match self.pointer(operand)? {
                Origin::Input(ParamPart::Param(param)) => Some(param),
                _ => None,
            }
        };
        Some((param(lhs)?, param(rhs)?)).filter(|(left, right)| left != right)
    }

    /// `p++` and `n--`.
    fn note_steps(&self, value: Operand, slot: Operand, usage: &mut Usage) {
        let Operand::Local(slot) = slot else { return };
        let Some(&own) = self.aliases.get(&slot) else { return };
        let is_own = |operand| self.origin(operand) == Some(Origin::Input(own));
        let is_down = |op: BinOp, constant| match self.program.consts[constant].kind {
            ConstKind::Int(1) => op == BinOp::Sub,
            ConstKind::Int(value) => op == BinOp::Add && (value == u64::MAX || value == u64::from(u32::MAX)),
            _ => false,
        };
        match self.inst(value) {
            Some(InstKind::Gep { base, indices, .. })
                if is_own(*base) && matches!(indices[..], [Operand::Const(_)]) =>
            {
                usage.moved.insert(own);
            }
            Some(InstKind::Binary { op, lhs, rhs: Operand::Const(constant), .. })
                if is_own(*lhs) && is_down(*op, *constant) =>
            {
                usage.counted_down.insert(own);
            }
            _ => {}
        }
    }

    /// Values that are compared, or kept in a variable that is.
    fn ends(&self) -> FxHashSet<ValueId> {
        let mut compared = FxHashSet::default();
        let mut slots = FxHashSet::default();
        for inst in &self.function.insts {
            let InstKind::ICmp { lhs, rhs, .. } = inst.kind else { continue };
            for operand in [lhs, rhs] {
                compared.extend(local(operand));
                if let Some(InstKind::Load { ptr, .. }) = self.inst(operand) {
                    slots.extend(local(*ptr));
                }
            }
        }
        for inst in &self.function.insts {
            let InstKind::Store { value, ptr, .. } = inst.kind else { continue };
            if local(ptr).is_some_and(|slot| slots.contains(&slot)) {
                compared.extend(local(value));
            }
        }
        compared
    }
}

fn local(operand: Operand) -> Option<ValueId> {
    match operand {
        Operand::Local(value) => Some(value),
        Operand::Const(_) => None,
    }
}
