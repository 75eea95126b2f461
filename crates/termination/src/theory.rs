//! When loops are looked at, and what comes of it.

use crate::account::{Account, Wraps};
use crate::names::{Named, Names, static_name};
use crate::proof::{Prover, RecurrentSet};
use crate::relation::{Arithmetic, Course, Lap, Refusal, Relation, StateCell, observe, relation};
use crate::unbounded::{self, Holds};
use crate::words::Words;
use crate::{Integers, condition, observed, proof, ranking, recursion, ways};
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_concolic::ConcolicMachine;
use spelunk_concolic::aside::{OverflowsBefore, Way};
use spelunk_concolic::journal::Entries;
use spelunk_concolic::theories::{Events, Theory};
use spelunk_expr::{ExprId, ExprPool, Op};
use spelunk_ir::code::{CheckedImage, FuncCode, OpIdx, Origin, Target};
use spelunk_ir::model::FuncId;
use spelunk_vm::memory::{ObjectKind, object_of};
use spelunk_vm::{Bug, BugKind, LoopSet, Machine, Mark, Note, SetVariable, Stop, Vm};
use std::cell::OnceCell;
use std::sync::{Arc, Mutex};

type Program<'p> = Vm<'p, ConcolicMachine>;

/// How often a worker looks at a loop, but for visits that are late in a run.
const MOST_LOOKS: u32 = 48;
const LATE: u64 = 1 << 12;
/// How often sets are guessed that no state is known to be in.
const MOST_GUESSES: u32 = 3;
/// How often a set over several ways round is looked for.
const MOST_JOINED: u32 = 12;
/// How many rounds a run must go on for a proof to be worth the trouble.
pub const LONG: u32 = 64;
/// How many runs of a worker end at one head, by what is proved of them.
const MOST_FOUND: u32 = 16;
/// Rounds taken together.
const MOST_TOGETHER: u32 = 2;
/// What is said of a counter that nothing reads.
const IDLE_OVERFLOW: &str =
    "a signed integer may overflow here in a later round; whether the loop is left does not depend on it";
/// Calls after which one with the same arguments may come.
const LONGEST_RING: u32 = 12;
/// Visits of a function are counted whatever else is under way.
const ANY_DEPTH: usize = usize::MAX;

/// What came of looking at some rounds, and after how many times of these the parts that count were the same, if they were.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Considered {
    /// They can't be repeated for ever.
    Falls(Option<u32>),
    Open(Option<u32>),
}

/// Whether signed numbers overflow in rounds, where that is not excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Overflows {
    Never,
    Perhaps,
    /// In the end, unless the loop is left.
    Surely,
}

/// What is said of a loop that never ends.
#[derive(Default)]
struct Told {
    text: String,
    why: Option<String>,
    set: Option<LoopSet>,
    /// Where signed numbers may overflow: those that decide whether it ends, if values are taken to wrap around, and others.
    overflows: Vec<OpIdx>,
    idle_overflows: Vec<OpIdx>,
}

/// A run ends only behind what was predicted of it. One that never ends will be looked at again.
fn may_end(vm: &Program<'_>) -> bool {
    vm.machine.is_new_ground()
}

fn every(way: Way, n_rounds: u32) -> String {
    match (way, n_rounds) {
        (Way::Around, 1) => "every round".to_owned(),
        (Way::Around, _) => format!("every {n_rounds} rounds"),
        (Way::Down, 1) => "every call".to_owned(),
        (Way::Down, _) => format!("every {n_rounds} calls"),
    }
}

fn comes_back(lap: Lap) -> String {
    format!("it comes back to the same state {}", every(lap.way, lap.n_rounds))
}

/// Whether what is found is no bug: a loop that never ends if values wrap around where C does not say what becomes of them.
fn told_apart(lap: Lap) -> bool {
    lap.way == Way::Around && lap.arithmetic == Arithmetic::Wrapping
}

/// Whether a condition compares with the address of an object.
fn has_address(vm: &Program<'_>, cond: ExprId) -> bool {
    let pool = &vm.machine.pool;
    let mut seen = FxHashSet::default();
    let mut waiting = vec![cond];
    while let Some(expr) = waiting.pop() {
        if !seen.insert(expr) {
            continue;
        }
        let node = pool.node(expr);
        let is_wide = node.op() == Op::Const && node.width() == 64;
        if is_wide && (1..vm.memory.n_objects()).contains(&object_of(node.const_value()).0) {
            return true;
        }
        waiting.extend(node.args());
    }
    false
}

/// Where signed numbers overflow in some state of a set.
fn overflows_in(pool: &mut ExprPool, ways: &[Relation], set: &RecurrentSet) -> Vec<OpIdx> {
    let mut prover = Prover::default();
    let mut found = Vec::new();
    for it in ways.iter().flat_map(|way| &way.overflows) {
        if !found.contains(&it.site) && !prover.ask(pool, &[&set.conds[..], &[it.cond]].concat()).is_unsat() {
            found.push(it.site);
        }
    }
    found
}

pub struct Loops {
    names: Arc<Names>,
    integers: Integers,
    account: Arc<Mutex<Account>>,
    /// By head and number of calls under way: how often this run came there. For recursion the number does not count.
    visits: FxHashMap<(OpIdx, usize), u64>,
    /// By head, how often nothing came of looking at it.
    n_looks: FxHashMap<OpIdx, u32>,
    /// By head, how many runs were known not to end there.
    n_found: FxHashMap<OpIdx, u32>,
    sites: OnceCell<Sites>,
}

/// Where loops of the user's code start, and functions that may recurse.
struct Sites {
    heads: FxHashSet<OpIdx>,
    entries: FxHashSet<OpIdx>,
    /// Heads and entries where there is volatile memory: nothing can be said of these.
    are_volatile: FxHashSet<OpIdx>,
}

impl Sites {
    fn new(image: &CheckedImage) -> Self {
        let is_ours = |code: &FuncCode| code.target == Target::Code && code.origin == Origin::User;
        let functions = image.functions.iter().enumerate().filter(|(_, code)| is_ours(code));
        let heads = functions.flat_map(|(idx, _)| {
            let flow = image.flow(FuncId::new(idx));
            flow.loops().iter().map(|(_, found)| flow.blocks.ops(found.header).start)
        });
        let heads: FxHashSet<OpIdx> = heads.collect();
        let recursive = recursion::candidates(image).into_iter().map(|id| &image.functions[id.index()]);
        let entries: FxHashSet<OpIdx> = recursive.filter(|code| is_ours(code)).map(|code| code.entry).collect();
        let is_volatile = |op: &OpIdx| image.function_at(*op).is_some_and(|code| code.is_volatile);
        let are_volatile = heads.iter().chain(&entries).copied().filter(is_volatile).collect();
        Self { heads, entries, are_volatile }
    }
}

impl Loops {
    pub fn new(names: Arc<Names>, integers: Integers, account: Arc<Mutex<Account>>) -> Self {
        Self {
            names,
            integers,
            account,
            visits: FxHashMap::default(),
            n_looks: FxHashMap::default(),
            n_found: FxHashMap::default(),
            sites: OnceCell::new(),
        }
    }

    /// Whether this visit is one at which the loop is looked at.
    fn is_time(&mut self, head: OpIdx, depth: usize) -> bool {
        let n_visits = self.visits.entry((head, depth)).or_default();
        *n_visits += 1;
        // After a whole round the path knows the conditions of one. Of calls, some may lead nowhere, and come in turns with those that do.
        let n_tried = if depth == ANY_DEPTH { 3 } else { 1 };
        let is_odd_power = |n: u64| n.is_power_of_two() && n.trailing_zeros() % 2 == 1;
        let is_chosen = (0..n_tried).any(|ago| is_odd_power(n_visits.saturating_sub(ago)));
        // What is left of a path when its inputs that never end are taken out may be much the same, again and again.
        let is_chosen = is_chosen && self.n_found.get(&head).is_none_or(|&n_found| n_found < MOST_FOUND);
        let n_looks = self.n_looks.entry(head).or_default();
        let is_chosen = is_chosen && (*n_looks < MOST_LOOKS || *n_visits > LATE);
        *n_looks += u32::from(is_chosen);
        is_chosen
    }

    fn look(&mut self, vm: &mut Program<'_>, head: OpIdx, way: Way) -> Result<(), Stop> {
        let is_volatile = self.sites.get().is_some_and(|sites| sites.are_volatile.contains(&head));
        if is_volatile || way == Way::Around && vm.may_be_interrupted() {
            self.account(|account| account.at(head).n_refused += 1);
            return Ok(());
        }
        let outcome = self.look_at(vm, head, way);
        if outcome.is_err() {
            // Smaller input that shows the same is told in the same words.
            self.n_looks.entry(head).and_modify(|n_looks| *n_looks -= 1);
            *self.n_found.entry(head).or_default() += 1;
        }
        outcome
    }

    fn look_at(&self, vm: &mut Program<'_>, head: OpIdx, way: Way) -> Result<(), Stop> {
        let lap = |arithmetic| Lap { head, way, n_rounds: 1, arithmetic };
        if way == Way::Down {
            // Whether numbers overflow until the stack is exhausted is seen then.
            return self.look_for(vm, lap(Arithmetic::Wrapping)).map(drop);
        }
        let overflows = self.look_for(vm, lap(Arithmetic::Defined))?;
        let is_worth_it = self.n_looks.get(&head).is_none_or(|&n_looks| n_looks <= MOST_JOINED);
        let mut is_known = false;
        self.account(|account| is_known = account.is_told_of(head));
        if overflows == Overflows::Never || is_known || !is_worth_it {
            return Ok(());
        }
        self.look_for(vm, lap(Arithmetic::Wrapping))?;
        if overflows == Overflows::Surely {
            self.account(|account| account.surely_overflows(head));
        }
        Ok(())
    }

    fn look_for(&self, vm: &mut Program<'_>, lap: Lap) -> Result<Overflows, Stop> {
        let repeats = if may_end(vm) { repetition(vm, &self.names, lap) } else { None };
        // A set has more states in it than those that come back.
        let overflows = self.look_for_set(vm, lap, repeats)?;
        let Some(lap) = repeats else { return Ok(overflows) };
        let found = relation(vm, &self.names, lap).ok();
        let by = found.as_ref().map(|found| proof::repeats(&mut vm.machine.pool, found));
        let sites = found.iter().flat_map(|found| found.overflows.iter().map(|it| it.site)).collect();
        self.never_ends(vm, lap, Told { text: comes_back(lap), overflows: sites, ..Told::default() }, by)?;
        Ok(overflows)
    }

    fn look_for_set(&self, vm: &mut Program<'_>, lap: Lap, repeats: Option<Lap>) -> Result<Overflows, Stop> {
        let Lap { head, way, .. } = lap;
        let mut overflows = Overflows::Never;
        let mut period = None;
        for n_rounds in 1..=MOST_TOGETHER {
            match relation(vm, &self.names, Lap { n_rounds, ..lap }) {
                Ok(relation) => {
                    let considered = self.consider(vm, &relation, repeats)?;
                    let falls = matches!(considered, Considered::Falls(_));
                    let (Considered::Falls(found) | Considered::Open(found)) = considered;
                    period = period.or(found.map(|n_times| n_times * n_rounds));
                    if !relation.overflows.is_empty() {
                        overflows = if falls { Overflows::Surely } else { Overflows::Perhaps };
                    }
                    if falls {
                        break;
                    }
                }
                Err(Refusal::Left) => return Ok(overflows),
                Err(refusal) => {
                    self.account_of_ends(lap, |account| account.at(head).n_refused += 1);
                    return Ok(if refusal == Refusal::Overflow { Overflows::Surely } else { overflows });
                }
            }
        }
        // No round need be possible twice in a row for so many together to be.
        if let Some(n_rounds) = period.filter(|_| repeats.is_none())
            && let Ok(relation) = relation(vm, &self.names, Lap { n_rounds, ..lap })
        {
            self.consider(vm, &relation, repeats)?;
        }
        let is_worth_it = self.n_looks.get(&head).is_none_or(|&n_looks| n_looks <= MOST_JOINED);
        if way == Way::Around && repeats.is_none() && is_worth_it && may_end(vm) {
            self.look_for_ways(vm, lap)?;
        }
        Ok(overflows)
    }

    /// A set that is not left, whichever way control takes from round to round.
    fn look_for_ways(&self, vm: &mut Program<'_>, lap: Lap) -> Result<(), Stop> {
        let Some((relations, set)) = ways::recurrent_set(vm, &self.names, lap) else { return Ok(()) };
        self.stays_in(vm, &relations, &set, None)
    }

    fn consider(&self, vm: &mut Program<'_>, relation: &Relation, repeats: Option<Lap>) -> Result<Considered, Stop> {
        let Lap { head, n_rounds, .. } = relation.lap;
        let is_apart = told_apart(relation.lap);
        let linear = if is_apart { Vec::new() } else { self.linear(vm, &relation.wrapping()) };
        let places: Vec<_> = relation.parts.iter().map(|part| part.place).collect();
        let mut period = None;
        if may_end(vm)
            && let Course::GoesOn(states) | Course::Repeats(_, states) =
                observe(vm, &self.names, relation.lap, &places, LONG)
        {
            period = states.iter().skip(1).position(|state| *state == states[0]).map(|idx| idx as u32 + 1);
            let pool = &mut vm.machine.pool;
            let mut observed = observed::conditions(pool, relation, &states);
            observed.extend(linear.iter().copied().filter(|&cond| observed::hold(pool, relation, &[cond], &states)));
            if let Some(set) = proof::recurrent_set(pool, relation, observed)
                && observed::hold(pool, relation, &set.conds, &states)
            {
                self.stays_in(vm, std::slice::from_ref(relation), &set, repeats)?;
            }
        }
        let machine = &mut vm.machine;
        if n_rounds == 1 && relation.is_exact && !is_apart {
            let ranks = ranking::ranks(&mut machine.pool, relation);
            let falls = !ranks.falls.is_empty();
            self.account(|account| account.at(head).went(ranks));
            if falls {
                return Ok(Considered::Falls(period));
            }
        } else if n_rounds == 1 && !is_apart {
            self.account(|account| account.at(head).n_refused += 1);
        }
        let pool = &mut machine.pool;
        let mut goals: Vec<Vec<ExprId>> = Vec::new();
        goals.extend(proof::repetition(pool, relation));
        goals.extend(proof::independence(pool, relation));
        if !linear.is_empty() {
            let mut stem = proof::stem(pool, relation);
            let present: Vec<ExprId> = linear.iter().map(|&cond| stem.apply(pool, cond)).collect();
            let present = proof::conjunction(pool, present);
            goals.extend(proof::goal(pool, relation, &mut stem, present));
        }
        if n_rounds == 1 && !is_apart && self.n_looks.get(&head).is_some_and(|&n_looks| n_looks <= MOST_GUESSES) {
            goals.extend(proof::templates(pool, relation));
        }
        goals.iter().for_each(|conds| machine.aim_at_endless(head, conds));
        Ok(Considered::Open(period))
    }

    /// The present run never leaves a set.
    fn stays_in(
        &self,
        vm: &mut Program<'_>,
        ways: &[Relation],
        set: &RecurrentSet,
        repeats: Option<Lap>,
    ) -> Result<(), Stop> {
        let relation = &ways[0];
        let Lap { head, way, n_rounds, .. } = relation.lap;
        let overflows = overflows_in(&mut vm.machine.pool, ways, set);
        let idle = ways.iter().flat_map(|way| way.idle_overflows.iter().copied());
        let idle_overflows = if repeats.is_none() { idle.collect() } else { Vec::new() };
        let at_present = proof::at_present(&mut vm.machine.pool, relation, set);
        let path: Vec<ExprId> = vm.machine.decisions().iter().map(|decision| decision.cond).collect();
        let set = &proof::shown(&mut vm.machine.pool, relation, set, &path);
        let function = vm.image().function_id_at(head).expect("loops are in functions");
        let has_addresses = relation.has_addresses(vm);
        let words = Words::new(vm, &self.names, function, &relation.parts);
        // Addresses are nothing to show.
        let is_shown = |cond: &ExprId| !has_addresses || !has_address(vm, *cond);
        let shown: Vec<ExprId> = set.conds.iter().copied().filter(is_shown).collect();
        let text = match (&shown[..], way) {
            ([], _) if !set.conds.is_empty() => format!("it comes back to the same addresses {}", every(way, n_rounds)),
            ([], Way::Around) => "nothing that it does leads out of it".to_owned(),
            ([], Way::Down) => "nothing that it does leads back".to_owned(),
            (conds, Way::Around) => format!("it is never left while {}", words.conjunction(conds)),
            (conds, Way::Down) => format!("it never returns while {}", words.conjunction(conds)),
        };
        let text = match repeats {
            Some(lap) if has_addresses => comes_back(lap),
            _ if n_rounds == 1 || shown.is_empty() => text,
            _ => format!("{text}, {}", every(way, n_rounds)),
        };
        let why = match (set.conds.len(), set.n_ways) {
            (0, 1) => "no condition that is met on the way depends on what changes".to_owned(),
            (_, 1) => "on this path, whenever this holds, control comes back here and it holds again: proved for the machine's arithmetic, by two solvers".to_owned(),
            (_, n_ways) => format!(
                "on this path, whenever this holds, control comes back here on one of {n_ways} ways and it holds again: proved for the machine's arithmetic, by two solvers"
            ),
        };
        let variables: FxHashMap<StateCell, Option<SetVariable>> =
            relation.parts.iter().map(|part| (part.place, self.variable(vm, function, part.place))).collect();
        let variable = |place| variables[&place].clone().filter(|_| !has_addresses);
        let stays_in = condition::loop_set(&mut vm.machine.pool, relation, &set.conds, variable);
        let told = Told { text, why: Some(why), set: stays_in, overflows, idle_overflows };
        self.never_ends(vm, relation.lap, told, Some(at_present))
    }

    /// A linear set of the machine's arithmetic, if such are looked for. What holds for unbounded integers only is noted.
    fn linear(&self, vm: &mut Program<'_>, relation: &Relation) -> Vec<ExprId> {
        let Lap { head, way, .. } = relation.lap;
        let n_looks = self.n_looks.get(&head).copied().unwrap_or_default();
        if self.integers == Integers::Machine || way == Way::Down || n_looks > MOST_GUESSES {
            return Vec::new();
        }
        let path: Vec<ExprId> = vm.machine.decisions().iter().map(|decision| decision.cond).collect();
        let Some(found) = unbounded::find(&mut vm.machine.pool, relation, &path) else { return Vec::new() };
        if found.holds == Holds::InMachine {
            return found.conds;
        }
        let function = vm.image().function_id_at(head).expect("loops are in functions");
        let words = Words::new(vm, &self.names, function, &relation.parts);
        let text = found.text(|var| words.name(var));
        let text =
            if relation.lap.n_rounds == 1 { text } else { format!("{text}, {}", every(way, relation.lap.n_rounds)) };
        self.account(|account| account.never_ends_unbounded(head, text));
        Vec::new()
    }

    /// The run never ends, by what is said of its input. Others with the same decisions may. A recursion must be seen to exhaust the stack.
    fn never_ends(&self, vm: &mut Program<'_>, lap: Lap, told: Told, by: Option<ExprId>) -> Result<(), Stop> {
        let Told { text, why, set, overflows, mut idle_overflows } = told;
        let head = lap.head;
        if told_apart(lap) {
            self.account(|account| account.wraps(head, Wraps { text, overflows, is_sure: false }));
            return Ok(());
        }
        if lap.way == Way::Down && !recursion::exhausts_stack(vm, head) {
            return Ok(());
        }
        if lap.way == Way::Around {
            let OverflowsBefore { sites, fits } = vm.machine.overflows_before();
            if !sites.is_empty() {
                // By C, this run may do anything. Others may come here without.
                self.account(|account| account.wraps(head, Wraps { text, overflows: sites, is_sure: true }));
                if fits != ExprId::FALSE {
                    let conds: Vec<ExprId> =
                        by.into_iter().chain([fits]).filter(|&cond| cond != ExprId::TRUE).collect();
                    vm.machine.aim_at_endless(head, &conds);
                }
                return Ok(());
            }
        }
        vm.machine.mark(head, Mark::Endless);
        self.account(|account| account.never_ends(head));
        let goes_on = by.map_or(ExprId::FALSE, |cond| vm.machine.pool.mk_not(cond));
        if by.is_none() || !self.is_impossible(vm, goes_on) {
            vm.machine.ends_unless(head, goes_on);
        }
        idle_overflows.sort_unstable();
        idle_overflows.dedup();
        let idle = idle_overflows.into_iter().map(|site| Note { message: IDLE_OVERFLOW.to_owned(), trace: vec![site] });
        let notes = why.map(|message| Note { message, trace: vec![head] }).into_iter().chain(idle).collect();
        Err(match lap.way {
            Way::Around => {
                let (kind, trace) = (BugKind::EndlessLoop, vm.trace());
                let stays_in = set.map(Box::new);
                Stop::Bug(Box::new(Bug { kind, message: text, trace, notes, stays_in, beyond: None }))
            }
            Way::Down => {
                let image = vm.image();
                let name = image.function_at(head).map_or("?", |code| &code.name);
                let message = format!("`{name}` recurses without an end: {text}");
                // At the call, where a run that goes on would say so too.
                let trace = vm.trace().split_off(1);
                let kind = BugKind::StackExhausted;
                Stop::Bug(Box::new(Bug { kind, message, trace, notes, stays_in: None, beyond: None }))
            }
        })
    }

    /// What native runs know a part of the state by.
    fn variable(&self, vm: &Program<'_>, function: FuncId, place: StateCell) -> Option<SetVariable> {
        match place {
            StateCell::Slot(idx) => {
                let Named { name, line, n_bytes, .. } = self.names.slot(function, idx as u32)?;
                let is_word = matches!(n_bytes, 1 | 2 | 4 | 8);
                is_word.then(|| SetVariable {
                    alias: name.clone(),
                    name: name.clone(),
                    line: Some(*line),
                    offset: 0,
                    n_bytes: *n_bytes,
                })
            }
            StateCell::Bytes { addr, n } => {
                let object = vm.memory.object(object_of(addr));
                let offset = u32::try_from(addr - object.base()).ok()?;
                let (name, line) = if object.kind() == ObjectKind::Stack {
                    let image = vm.image();
                    // Of this call, which is the only one.
                    let is_here = |&&at: &&OpIdx| image.function_id_at(at) == Some(function);
                    let is_ours = is_here(&&object.born().as_local());
                    if !is_ours || vm.trace().iter().filter(is_here).count() != 1 {
                        return None;
                    }
                    let variable = self.names.object(vm, addr)?;
                    (variable.name.clone(), variable.line)
                } else {
                    (static_name(vm.image(), addr)?.to_owned(), None)
                };
                let known = self.names.object(vm, addr);
                let alias = known.map_or_else(|| name.clone(), |variable| variable.bytes(u64::from(offset), n).0);
                Some(SetVariable { alias, name, line, offset, n_bytes: n })
            }
        }
    }

    /// Whether the path contradicts a condition.
    fn is_impossible(&self, vm: &mut Program<'_>, cond: ExprId) -> bool {
        let mut query: Vec<ExprId> = vm.machine.decisions().iter().map(|decision| decision.cond).collect();
        query.push(cond);
        Prover::default().ask(&mut vm.machine.pool, &query).is_unsat()
    }

    /// Whether a loop ends is said for rounds without signed overflow.
    fn account_of_ends(&self, lap: Lap, change: impl FnOnce(&mut Account)) {
        if !told_apart(lap) {
            self.account(change);
        }
    }

    fn account(&self, change: impl FnOnce(&mut Account)) {
        change(&mut self.account.lock().expect("nothing panics in here"));
    }
}

/// The rounds after which the present run is back in its state, if they are few.
fn repetition(vm: &mut Program<'_>, names: &Names, lap: Lap) -> Option<Lap> {
    let way = lap.way;
    let lap = |n_rounds| Lap { n_rounds, ..lap };
    let is_back = |vm: &mut Program<'_>, lap, n_laps| match observe(vm, names, lap, &[], n_laps) {
        Course::Repeats(n_rounds, _) => Some(Lap { n_rounds, ..lap }),
        Course::Left | Course::GoesOn(_) => None,
    };
    match way {
        Way::Around => is_back(vm, lap(1), LONG),
        // A call that returns is no part of the ring: the next one may be.
        Way::Down => (1..=LONGEST_RING).find_map(|n_rounds| is_back(vm, lap(n_rounds), 1)),
    }
}

impl Theory for Loops {
    fn name(&self) -> &'static str {
        "termination"
    }

    fn events(&self) -> Events {
        Events::NOTE
    }

    /// Which visits are looked at is no state of the path: whatever is found there is true at any other time.
    fn restore(&mut self, _machine: &mut ConcolicMachine, _entries: Entries<'_>) {
        self.visits.clear();
    }

    /// Heads of loops in the user's code; where functions start that may recurse, or access volatile memory, to know of them.
    fn notes(&self, image: &CheckedImage) -> Vec<OpIdx> {
        let Sites { heads, entries, .. } = self.sites.get_or_init(|| Sites::new(image));
        let has_code = image.functions.iter().filter(|code| code.target == Target::Code);
        let volatile = has_code.filter(|code| code.is_volatile).map(|code| code.entry);
        volatile.chain(heads.iter().copied()).chain(entries.iter().copied()).collect()
    }

    fn note(&mut self, vm: &mut Program<'_>, op_idx: OpIdx) -> Result<(), Stop> {
        if vm.is_aside() {
            return Ok(());
        }
        let Some(sites) = self.sites.get() else { return Ok(()) };
        let (is_head, is_entry) = (sites.heads.contains(&op_idx), sites.entries.contains(&op_idx));
        if is_head && self.is_time(op_idx, vm.depth()) {
            self.look(vm, op_idx, Way::Around)?;
        }
        if is_entry && self.is_time(op_idx, ANY_DEPTH) && recursion::is_nested(vm, op_idx) {
            self.look(vm, op_idx, Way::Down)?;
        }
        Ok(())
    }
}
