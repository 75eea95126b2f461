//! What one or more rounds of a loop do to the state at its head.
//!
//! A round is run aside, from the head back to it. What is not the same afterwards, for all that is known of it, is a part of the
//! state that changes: it is given symbols, and the rounds are run again. That is repeated until nothing else changes. So
//! the relation needs no list of what a loop may read or write: whatever it says holds for all states that agree with the present
//! one but for the symbols, and satisfy the conditions.

use crate::names::{Behind, Names};
use crate::proof::Prover;
use crate::recursion;
use rustc_hash::FxHashMap;
use spelunk_concolic::ConcolicMachine;
use spelunk_concolic::aside::{self, Astray, MayOverflow, Rounds, Way};
use spelunk_expr::{ExprId, ExprPool, FreeVars, Model, Op, Substitution, VarId};
use spelunk_ir::code::OpIdx;
use spelunk_vm::memory::{Newcomers, Version, Word, object_of};
use spelunk_vm::{Slot, Tag, UndefId, Vm};
use std::cell::LazyCell;

type Program<'p> = Vm<'p, ConcolicMachine>;

/// Operations that rounds may take.
const LIMIT: u64 = 50_000;
/// Rounds after which a state may be back.
const LONGEST_PERIOD: u32 = 16;
/// Parts of the state that change.
const MOST_PARTS: usize = 48;
const MOST_CONDITIONS: usize = 256;
/// How often parts may turn up that were not known to change.
const MOST_PASSES: usize = 8;

/// Where rounds start and end, and how many are taken together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lap {
    pub head: OpIdx,
    pub way: Way,
    pub n_rounds: u32,
    pub arithmetic: Arithmetic,
}

/// What signed overflow is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// As in C: a run is over where it comes to one.
    Defined,
    /// Values wrap around.
    Wrapping,
}

impl Lap {
    /// If it is back at the head, says what came up on the way.
    fn go(self, vm: &mut Program<'_>) -> Result<Rounds, Refusal> {
        aside::go_round(vm, self.head, self.way, self.n_rounds).map_err(|astray| match astray {
            Astray::Left => Refusal::Left,
            Astray::Lost => Refusal::Lost,
        })
    }

    /// Objects that calls have made which the recursion waits for are out of its reach, unless what it looks at leads there.
    fn newcomers(self) -> Newcomers {
        match self.way {
            Way::Around => Newcomers::None,
            Way::Down => Newcomers::Stack,
        }
    }
}

/// Part of the state at the head of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StateCell {
    /// Of the function's frame.
    Slot(usize),
    /// Up to eight bytes of an object.
    Bytes { addr: u64, n: u32 },
}

impl StateCell {
    pub fn overlaps(self, other: Self) -> bool {
        match (self, other) {
            (Self::Slot(a), Self::Slot(b)) => a == b,
            (Self::Bytes { addr: a, n }, Self::Bytes { addr: b, n: n_of_b }) => {
                a < b + u64::from(n_of_b) && b < a + u64::from(n)
            }
            _ => false,
        }
    }
}

/// A part that rounds change, or may change.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub place: StateCell,
    /// The symbol that stands for it before the rounds. Narrower than a slot if its value always is.
    pub symbol: ExprId,
    /// What it is in the present run, by the input.
    pub stem: ExprId,
    /// What it is after the rounds, by the symbols and the input.
    pub next: ExprId,
}

/// What some rounds do.
#[derive(Clone, Debug)]
pub struct Relation {
    pub lap: Lap,
    /// Those on which the conditions depend, now or in a later round.
    pub parts: Vec<Part>,
    /// All states that satisfy them go the same way: what is decided on it, then that no signed number overflows, if that counts.
    pub conds: Vec<ExprId>,
    pub n_decided: usize,
    /// Overflows of signed numbers that the conditions depend on, now or in a later round.
    pub overflows: Vec<MayOverflow>,
    /// Of others: numbers that are only counted, such as rounds.
    pub idle_overflows: Vec<OpIdx>,
    /// The present values of the input and of the symbols.
    pub model: Model,
    /// The input that conditions and parts speak of.
    pub inputs: Vec<VarId>,
    /// Addresses of new objects are no part of it.
    pub is_exact: bool,
    /// Where rounds change anything, whether or not conditions depend on it.
    pub changed: Vec<StateCell>,
}

impl Relation {
    /// The same if values wrap around.
    pub fn wrapping(&self) -> Self {
        Self { conds: self.conds[..self.n_decided].to_vec(), ..self.clone() }
    }

    /// Whether parts of the state lead to objects, in the present run.
    pub fn has_addresses(&self, vm: &Program<'_>) -> bool {
        let objects = 1..vm.memory.n_objects();
        let value = |part: &Part| self.model.get_u64(vm.machine.pool.node(part.symbol).var()).unwrap_or(0);
        let is_wide = |part: &&Part| vm.machine.pool.width(part.symbol) > 32;
        self.parts.iter().filter(is_wide).any(|part| objects.contains(&object_of(value(part)).0))
    }
}

/// Why there is no relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Control does not come back.
    Left,
    /// What is done can't be followed: calls of library functions, volatile memory, too many operations.
    Lost,
    Objects,
    Undefined,
    /// A signed number overflows in every round.
    Overflow,
    TooLarge,
    /// An array that is only known as a whole is part of the state.
    Arrays,
}

/// Values of parts that rounds start with, where these are not the present ones.
pub type Start = FxHashMap<StateCell, u64>;

/// The state that rounds start from.
struct Before<'n> {
    lap: Lap,
    names: &'n Names,
    memory: Version,
    slots: Vec<(usize, Slot)>,
}

impl<'n> Before<'n> {
    fn of(vm: &mut Program<'_>, names: &'n Names, lap: Lap) -> Self {
        let slots = live_slots(vm, lap.head).into_iter().map(|idx| (idx, vm.frame()[idx])).collect();
        Self { lap, names, memory: vm.memory.snapshot(), slots }
    }

    /// Whether the values are the same now, which for the present input is all that counts.
    fn has_come_back(&self, vm: &Program<'_>) -> bool {
        if !vm.memory.is_as_in(&self.memory, self.lap.newcomers()) {
            return false;
        }
        let is_same_kind = |&(idx, slot): &(usize, Slot)| vm.frame()[idx].tag.undef() == slot.tag.undef();
        let differing = self.slots.iter().filter(|&&(idx, slot)| vm.frame()[idx].val != slot.val);
        self.slots.iter().all(is_same_kind) && self.are_renamed(vm, &differing.copied().collect::<Vec<_>>())
    }

    /// Whether slots differ by which of several equal local variables they lead to, if at all.
    fn are_renamed(&self, vm: &Program<'_>, slots: &[(usize, Slot)]) -> bool {
        let pairs: Vec<(u64, u64)> = slots.iter().map(|&(idx, slot)| (slot.val, vm.frame()[idx].val)).collect();
        let all = self.slots.iter().map(|&(_, slot)| slot.val);
        pairs.is_empty() || self.lap.way == Way::Down && recursion::is_renaming(vm, &pairs, all)
    }

    /// What is not the same for all values of what expressions speak of.
    fn changes(&self, vm: &Program<'_>, known: &[StateCell]) -> Result<Vec<StateCell>, Refusal> {
        let is_plain = |slot: Slot| slot.tag == Tag::default();
        let slots = self.slots.iter().filter(|&&(idx, slot)| vm.frame()[idx] != slot).copied();
        let (plain, mut slots): (Vec<_>, Vec<_>) =
            slots.partition(|&(idx, slot)| is_plain(slot) && is_plain(vm.frame()[idx]));
        let (pointers, numbers): (Vec<_>, Vec<_>) = plain.into_iter().partition(|&slot| self.are_renamed(vm, &[slot]));
        slots.extend(numbers);
        if !self.are_renamed(vm, &pointers) {
            slots.extend(pointers);
        }
        let mut places: Vec<StateCell> = slots.into_iter().map(|(idx, _)| StateCell::Slot(idx)).collect();
        let function = vm.image().function_id_at(self.lap.head).expect("loops are in functions");
        let behind = LazyCell::new(|| self.names.behind_pointers(vm, function, &[]));
        for addr in vm.memory.changes_since(&self.memory, self.lap.newcomers()).ok_or(Refusal::Objects)? {
            let is_in = |place: &StateCell| matches!(*place, StateCell::Bytes { addr: first, n } if (first..first + u64::from(n)).contains(&addr));
            if !known.iter().chain(&places).any(is_in) {
                let others: Vec<StateCell> = known.iter().chain(&places).copied().collect();
                places.push(around(vm, self.names, &behind, addr, &others));
            }
        }
        places.retain(|place| !known.contains(place));
        if places.len() + known.len() > MOST_PARTS { Err(Refusal::TooLarge) } else { Ok(places) }
    }
}

/// The slots that the function may still read.
fn live_slots(vm: &Program<'_>, head: OpIdx) -> Vec<usize> {
    let image = vm.image();
    let function = image.function_id_at(head).expect("loops are in functions");
    let block = image.flow(function).blocks.of(head);
    image.registers(function).live_at(block).iter().filter(|&slot| slot < vm.frame().len()).collect()
}

/// The variable or member that a byte belongs to, or the aligned word; the byte alone if not all of that may be given a symbol.
fn around(
    vm: &Program<'_>,
    names: &Names,
    behind: &LazyCell<Behind, impl FnOnce() -> Behind>,
    addr: u64,
    known: &[StateCell],
) -> StateCell {
    let base = vm.memory.object(object_of(addr)).base();
    let scalar = names.object(vm, addr).and_then(|variable| variable.around(addr - base));
    let of_variable = scalar.map(|scalar| (base + scalar.offset, scalar.n_bytes));
    let is_around = |&(first, n): &(u64, u32)| (first..first + u64::from(n)).contains(&addr);
    let found = of_variable.or_else(|| behind.keys().copied().filter(is_around).min());
    let (first, n) = found.unwrap_or((addr - (addr - base) % 4, 4));
    let is_known = |at: u64| {
        known
            .iter()
            .any(|place| matches!(*place, StateCell::Bytes { addr, n } if (addr..addr + u64::from(n)).contains(&at)))
    };
    match vm.memory.load_word(first, n) {
        Ok(word) if word.undef == 0 && !(first..first + u64::from(n)).any(is_known) => {
            StateCell::Bytes { addr: first, n }
        }
        _ => StateCell::Bytes { addr, n: 1 },
    }
}

/// How long it takes until the state is the same again, if it is soon; and the values of parts on the way there, or on the first
/// rounds. Nothing if the loop is left within so many rounds, or can't be followed.
pub enum Course {
    Left,
    /// After so many rounds.
    Repeats(u32, Vec<Vec<u64>>),
    GoesOn(Vec<Vec<u64>>),
}

/// Runs laps, so many, as the present run will.
pub fn observe(vm: &mut Program<'_>, names: &Names, lap: Lap, places: &[StateCell], n_laps: u32) -> Course {
    let run = |vm: &mut Program<'_>| {
        let before = Before::of(vm, names, lap);
        let n_overflows = vm.n_overflows();
        let mut seen = vec![values(vm, places)];
        for round in 1..=n_laps {
            if lap.go(vm).is_err() {
                return Ok(Course::Left);
            }
            // By C, the run is over here, even if nothing depends on the result.
            if lap.arithmetic == Arithmetic::Defined && vm.n_overflows() != n_overflows {
                return Ok(Course::Left);
            }
            if round <= LONGEST_PERIOD && before.has_come_back(vm) {
                return Ok(Course::Repeats(round * lap.n_rounds, seen));
            }
            seen.push(values(vm, places));
        }
        Ok(Course::GoesOn(seen))
    };
    aside::try_out(vm, LIMIT, run).map_or(Course::Left, |(course, _)| course)
}

fn values(vm: &Program<'_>, places: &[StateCell]) -> Vec<u64> {
    places.iter().map(|&place| value(vm, place)).collect()
}

fn value(vm: &Program<'_>, place: StateCell) -> u64 {
    match place {
        StateCell::Slot(idx) => vm.frame()[idx].val,
        StateCell::Bytes { addr, n } => vm.memory.load_word(addr, n).map_or(0, |word| word.val),
    }
}

/// What the next rounds do to the state, if that is known for more states than the present one.
pub fn relation(vm: &mut Program<'_>, names: &Names, lap: Lap) -> Result<Relation, Refusal> {
    relations(vm, names, lap, &[Start::default()]).map(|mut found| found.remove(0))
}

/// What rounds do that start from some states: a relation for each, with the same parts and symbols.
pub fn relations(vm: &mut Program<'_>, names: &Names, lap: Lap, starts: &[Start]) -> Result<Vec<Relation>, Refusal> {
    let mut places: Vec<(StateCell, Option<u32>)> = Vec::new();
    for _ in 0..MOST_PASSES {
        let given = places.clone();
        let mut found = Vec::with_capacity(starts.len());
        let mut is_final = true;
        for start in starts {
            let known: Vec<StateCell> = places.iter().map(|&(place, _)| place).collect();
            let pass = |vm: &mut Program<'_>| Ok(pass(vm, names, lap, (&given, start), &known));
            let (outcome, _) = aside::try_out(vm, LIMIT, pass).map_err(|_| Refusal::Lost)?;
            let Pass { relation, changes } = outcome?;
            is_final &= changes.is_empty();
            places.extend(changes.into_iter().map(|place| (place, None)));
            for (part, (_, width)) in relation.parts.iter().zip(&mut places) {
                // What was wide only because nothing was known of it is tried as wide as what comes next.
                let needed = match part.next == part.symbol {
                    true => present_width(vm, part.place),
                    false => vm.machine.pool.width(part.next),
                };
                let wanted = needed.max(value_width(vm, part.place, start));
                if width.is_none_or(|width| width < wanted) {
                    is_final &= vm.machine.pool.width(part.symbol) == wanted;
                    *width = Some(wanted);
                }
            }
            found.push(relation);
        }
        if is_final {
            let pool = &mut vm.machine.pool;
            for part in found.iter_mut().flat_map(|relation| &mut relation.parts) {
                part.next = pool.mk_zext(part.next, pool.width(part.symbol));
            }
            share_symbols(pool, &mut found);
            return cone(&mut vm.machine, found);
        }
    }
    Err(Refusal::TooLarge)
}

/// Says all relations with the symbols of the first.
fn share_symbols(pool: &mut ExprPool, relations: &mut [Relation]) {
    let Some((first, others)) = relations.split_first_mut() else { return };
    for relation in others {
        let pairs = relation.parts.iter().zip(&first.parts).map(|(part, shared)| (part.symbol, shared.symbol));
        let mut shared = Substitution::new(pairs.collect::<Vec<_>>());
        relation.conds.iter_mut().for_each(|cond| *cond = shared.apply(pool, *cond));
        relation.overflows.iter_mut().for_each(|it| it.cond = shared.apply(pool, it.cond));
        for (part, of_first) in relation.parts.iter_mut().zip(&first.parts) {
            *part = Part { next: shared.apply(pool, part.next), ..*of_first };
        }
        relation.model.clone_from(&first.model);
    }
}

struct Pass {
    relation: Relation,
    changes: Vec<StateCell>,
}

/// Runs the rounds with symbols in some places, from where they start. Parts come in the order of the places.
fn pass(
    vm: &mut Program<'_>,
    names: &Names,
    lap: Lap,
    (places, start): (&[(StateCell, Option<u32>)], &Start),
    known: &[StateCell],
) -> Result<Pass, Refusal> {
    let mut parts = Vec::with_capacity(places.len());
    let mut symbols = Vec::with_capacity(places.len());
    for &(place, width) in places {
        let width = width.unwrap_or_else(|| widest(place));
        let stem = expr(vm, place, width)?;
        let value = start_value(vm, place, start);
        let symbol = vm.machine.fresh("state", width, value);
        symbols.push((vm.machine.pool.node(symbol).var(), value));
        put(vm, place, symbol, value)?;
        parts.push(Part { place, symbol, stem, next: symbol });
    }
    let before = Before::of(vm, names, lap);
    let n_decisions = vm.machine.decisions().len();
    let Rounds { mut overflows, has_arrays } = lap.go(vm)?;
    if has_arrays {
        return Err(Refusal::Arrays);
    }
    overflows.sort_unstable_by_key(|it| (it.site, it.cond));
    overflows.dedup();
    let changes = before.changes(vm, known)?;
    let is_exact = vm.memory.changes_since(&before.memory, Newcomers::None).is_some();
    for (part, &(place, width)) in parts.iter_mut().zip(places) {
        part.next = expr(vm, place, width.unwrap_or(1))?;
    }
    let conds: Vec<ExprId> = vm.machine.decisions()[n_decisions..].iter().map(|decision| decision.cond).collect();
    if conds.len() > MOST_CONDITIONS {
        return Err(Refusal::TooLarge);
    }
    let mut model = vm.machine.model();
    symbols.into_iter().for_each(|(var, value)| model.set_u64(var, value));
    let n_decided = conds.len();
    let (inputs, idle_overflows, changed) = (Vec::new(), Vec::new(), Vec::new());
    let relation =
        Relation { lap, parts, conds, n_decided, overflows, idle_overflows, model, inputs, is_exact, changed };
    Ok(Pass { relation, changes })
}

fn widest(place: StateCell) -> u32 {
    match place {
        StateCell::Slot(_) => 64,
        StateCell::Bytes { n, .. } => 8 * n,
    }
}

fn start_value(vm: &Program<'_>, place: StateCell, start: &Start) -> u64 {
    start.get(&place).copied().unwrap_or_else(|| value(vm, place))
}

/// The bits that the value at the start needs, where parts may be narrower than their places.
fn value_width(vm: &Program<'_>, place: StateCell, start: &Start) -> u32 {
    match place {
        StateCell::Slot(_) => (64 - start_value(vm, place, start).leading_zeros()).max(1),
        StateCell::Bytes { n, .. } => 8 * n,
    }
}

/// The bits of what is there at present.
fn present_width(vm: &Program<'_>, place: StateCell) -> u32 {
    match place {
        StateCell::Slot(idx) => vm.machine.width_of(vm.frame()[idx]),
        StateCell::Bytes { n, .. } => 8 * n,
    }
}

/// What a place holds, as wide as it is said if no bits are lost, else wider.
fn expr(vm: &mut Program<'_>, place: StateCell, width: u32) -> Result<ExprId, Refusal> {
    match place {
        StateCell::Slot(idx) => {
            let slot = vm.frame()[idx];
            if slot.tag.undef() != UndefId::NONE {
                return Err(Refusal::Undefined);
            }
            let needed = vm.machine.width_of(slot);
            // As an operand it would be cut off.
            let width = if needed > 64 { return Err(Refusal::TooLarge) } else { needed.max(width) };
            Ok(vm.machine.operand(width, slot))
        }
        StateCell::Bytes { addr, n } => {
            let word = vm.memory.load_word(addr, n).map_err(|_| Refusal::Objects)?;
            if word.undef != 0 {
                return Err(Refusal::Undefined);
            }
            Ok(vm.machine.word(&word, n))
        }
    }
}

fn put(vm: &mut Program<'_>, place: StateCell, symbol: ExprId, value: u64) -> Result<(), Refusal> {
    let carried = vm.machine.carry(symbol, value);
    match place {
        StateCell::Slot(idx) => {
            vm.set_slot(idx, Slot { val: value, tag: Tag::new(carried, UndefId::NONE) });
            Ok(())
        }
        StateCell::Bytes { addr, n } => {
            let mut word = Word::plain(value);
            (0..n as u8).for_each(|idx| word.exprs[usize::from(idx)] = (carried, idx));
            vm.memory.store_word(addr, n, &word).map_err(|_| Refusal::Objects)
        }
    }
}

/// Leaves out parts that no condition ever depends on: counters that nothing reads. Their overflows don't matter, whatever the result.
fn cone(machine: &mut ConcolicMachine, relations: Vec<Relation>) -> Result<Vec<Relation>, Refusal> {
    let pool = &machine.pool;
    let mut free = FreeVars::new();
    let mut vars: Vec<VarId> = Vec::new();
    let mut waiting: Vec<ExprId> = relations.iter().flat_map(|relation| relation.conds.iter().copied()).collect();
    let mut kept: Vec<usize> = Vec::new();
    while let Some(expr) = waiting.pop() {
        let set = free.of(pool, expr);
        for var in free.iter(set) {
            if vars.contains(&var) {
                continue;
            }
            if !matches!(pool.var_sort(var), spelunk_expr::Sort::Bv(..=64)) {
                return Err(Refusal::Arrays);
            }
            vars.push(var);
            let parts = &relations[0].parts;
            if let Some(at) = parts.iter().position(|part| is_var(pool, part.symbol, var)) {
                kept.push(at);
                waiting.extend(relations.iter().map(|relation| relation.parts[at].next));
            }
        }
    }
    let parts = |relation: &Relation| -> Vec<Part> { kept.iter().map(|&at| relation.parts[at]).collect() };
    let is_symbol = |var: &VarId| relations[0].parts.iter().any(|part| is_var(pool, part.symbol, *var));
    let inputs: Vec<VarId> = vars.iter().copied().filter(|var| !is_symbol(var)).collect();
    let mut found = Vec::with_capacity(relations.len());
    for relation in &relations {
        let changed = relation.parts.iter().filter(|part| part.next != part.symbol).map(|part| part.place).collect();
        let mut relation = Relation { parts: parts(relation), inputs: inputs.clone(), changed, ..relation.clone() };
        let (overflows, idle): (Vec<_>, Vec<_>) = std::mem::take(&mut relation.overflows).into_iter().partition(|it| {
            let of_cond = free.of(pool, it.cond);
            free.iter(of_cond).all(|var| vars.contains(&var))
        });
        relation.overflows = overflows;
        relation.idle_overflows = idle.into_iter().map(|it| it.site).collect();
        found.push(relation);
    }
    found.iter_mut().try_for_each(|relation| exclude_overflow(&mut machine.pool, relation))?;
    Ok(found)
}

/// Keeps overflows that can happen, and excludes them if a run is over there.
fn exclude_overflow(pool: &mut ExprPool, relation: &mut Relation) -> Result<(), Refusal> {
    if relation.overflows.is_empty() {
        return Ok(());
    }
    let mut prover = Prover::default();
    let mut query = relation.conds.clone();
    relation.overflows.retain(|it| {
        query.push(it.cond);
        let is_possible = !prover.ask(pool, &query).is_unsat();
        query.pop();
        is_possible
    });
    if relation.lap.arithmetic == Arithmetic::Wrapping {
        return Ok(());
    }
    for it in &relation.overflows {
        let fits = pool.mk_not(it.cond);
        if fits == ExprId::FALSE {
            return Err(Refusal::Overflow);
        }
        if !relation.conds.contains(&fits) {
            relation.conds.push(fits);
        }
    }
    Ok(())
}

fn is_var(pool: &ExprPool, symbol: ExprId, var: VarId) -> bool {
    let node = pool.node(symbol);
    node.op() == Op::Var && node.var() == var
}
