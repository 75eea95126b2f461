//! When loops are looked at, and what comes of it.

use crate::account::Account;
use crate::names::Names;
use crate::proof::Prover;
use crate::relation::{Course, Refusal, Relation, observe, relation};
use crate::words::Words;
use crate::{observed, proof, ranking};
use rustc_hash::FxHashMap;
use spelunk_concolic::ConcolicMachine;
use spelunk_concolic::journal::Entries;
use spelunk_concolic::theories::{Events, Theory};
use spelunk_expr::ExprId;
use spelunk_ir::code::{CheckedImage, OpIdx, Origin, Target};
use spelunk_ir::model::FuncId;
use spelunk_vm::{BugKind, Machine, Mark, Stop, Vm};
use std::sync::{Arc, Mutex};

type Program<'p> = Vm<'p, ConcolicMachine>;

/// How often a worker looks at a loop, but for visits that are late in a run.
const MOST_LOOKS: u32 = 48;
const LATE: u64 = 1 << 12;
/// How often sets are guessed that no state is known to be in.
const MOST_GUESSES: u32 = 3;
/// How many rounds a run must go on for a proof to be worth the trouble.
const LONG: u32 = 64;
/// Rounds taken together.
const MOST_TOGETHER: u32 = 2;

/// What came of looking at some rounds.
enum Considered {
    /// They can't be repeated for ever.
    Falls,
    Open,
}

/// A run ends only behind what was predicted of it. One that never ends will be looked at again.
fn may_end(vm: &Program<'_>) -> bool {
    vm.machine.is_new_ground()
}

fn every(n_rounds: u32) -> String {
    if n_rounds == 1 { "every round".to_owned() } else { format!("every {n_rounds} rounds") }
}

pub struct Loops {
    names: Arc<Names>,
    account: Arc<Mutex<Account>>,
    /// By head and number of calls under way: how often this run came there.
    visits: FxHashMap<(OpIdx, usize), u64>,
    /// By head, how often nothing came of looking at it.
    n_looks: FxHashMap<OpIdx, u32>,
}

impl Loops {
    pub fn new(names: Arc<Names>, account: Arc<Mutex<Account>>) -> Self {
        Self { names, account, visits: FxHashMap::default(), n_looks: FxHashMap::default() }
    }

    /// Whether this visit is one at which the loop is looked at.
    fn is_time(&mut self, head: OpIdx, depth: usize) -> bool {
        let n_visits = self.visits.entry((head, depth)).or_default();
        *n_visits += 1;
        // After a whole round the path knows the conditions of one.
        let is_chosen = n_visits.is_power_of_two() && n_visits.trailing_zeros() % 2 == 1;
        let n_looks = self.n_looks.entry(head).or_default();
        let is_chosen = is_chosen && (*n_looks < MOST_LOOKS || *n_visits > LATE);
        *n_looks += u32::from(is_chosen);
        is_chosen
    }

    fn look_at(&self, vm: &mut Program<'_>, head: OpIdx) -> Result<(), Stop> {
        if may_end(vm)
            && let Course::Repeats(n_rounds) = observe(vm, head, &[], LONG)
        {
            let repeats = relation(vm, head, n_rounds).ok().map(|found| proof::repeats(&mut vm.machine.pool, &found));
            return Err(self.never_ends(
                vm,
                head,
                &format!("it comes back to the same state {}", every(n_rounds)),
                repeats,
            ));
        }
        for n_rounds in 1..=MOST_TOGETHER {
            match relation(vm, head, n_rounds) {
                Ok(relation) => match self.consider(vm, head, &relation)? {
                    Considered::Falls => return Ok(()),
                    Considered::Open => {}
                },
                Err(Refusal::NotBack) => return Ok(()),
                Err(_) => {
                    self.account(|account| account.at(head).n_refused += 1);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn consider(&self, vm: &mut Program<'_>, head: OpIdx, relation: &Relation) -> Result<Considered, Stop> {
        let places: Vec<_> = relation.parts.iter().map(|part| part.place).collect();
        if may_end(vm)
            && let Course::GoesOn(states) = observe(vm, head, &places, LONG)
        {
            let pool = &mut vm.machine.pool;
            let observed = observed::conditions(pool, relation, &states);
            if let Some(set) = proof::recurrent_set(pool, relation, observed) {
                let at_present = proof::at_present(pool, relation, &set);
                let image = vm.image();
                let function = image.function_id_at(head).expect("loops are in functions");
                let words = Words::new(&vm.machine, image, &self.names, function, &relation.parts);
                let text = match &set.conds[..] {
                    [] => "nothing that it does leads out of it".to_owned(),
                    conds => format!("it is never left while {}", words.conjunction(conds)),
                };
                let text = if set.n_rounds == 1 { text } else { format!("{text}, {}", every(set.n_rounds)) };
                return Err(self.never_ends(vm, head, &text, Some(at_present)));
            }
        }
        let machine = &mut vm.machine;
        if relation.n_rounds == 1 {
            let falls = ranking::falls(&mut machine.pool, relation);
            self.account(|account| match falls {
                true => account.at(head).n_ranked += 1,
                false => account.at(head).n_unranked += 1,
            });
            if falls {
                return Ok(Considered::Falls);
            }
        }
        let pool = &mut machine.pool;
        let mut goals: Vec<Vec<ExprId>> = Vec::new();
        goals.extend(proof::repetition(pool, relation));
        goals.extend(proof::independence(pool, relation));
        if relation.n_rounds == 1 && self.n_looks.get(&head).is_some_and(|&n_looks| n_looks <= MOST_GUESSES) {
            goals.extend(proof::templates(pool, relation));
        }
        goals.iter().for_each(|conds| machine.aim_at_endless(head, conds));
        Ok(Considered::Open)
    }

    /// The run never ends, by what is said of its input. Others with the same decisions may.
    fn never_ends(&self, vm: &mut Program<'_>, head: OpIdx, text: &str, by: Option<ExprId>) -> Stop {
        vm.machine.mark(head, Mark::Endless);
        self.account(|account| account.at(head).never_ends = true);
        let goes_on = by.map_or(ExprId::FALSE, |cond| vm.machine.pool.mk_not(cond));
        if by.is_none() || !self.is_impossible(vm, goes_on) {
            vm.machine.ends_unless(head, goes_on);
        }
        vm.bug_with_notes(BugKind::EndlessLoop, text.to_owned(), Vec::new())
    }

    /// Whether the path contradicts a condition.
    fn is_impossible(&self, vm: &mut Program<'_>, cond: ExprId) -> bool {
        let mut query: Vec<ExprId> = vm.machine.decisions().iter().map(|decision| decision.cond).collect();
        query.push(cond);
        Prover::default().ask(&mut vm.machine.pool, &query).is_unsat()
    }

    fn account(&self, change: impl FnOnce(&mut Account)) {
        change(&mut self.account.lock().expect("nothing panics in here"));
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

    /// Heads of loops in the user's code; and where functions start that access volatile memory, to know of them.
    fn notes(&self, image: &CheckedImage) -> Vec<OpIdx> {
        let mut sites = Vec::new();
        for (idx, code) in image.functions.iter().enumerate().filter(|(_, code)| code.target == Target::Code) {
            if code.is_volatile {
                sites.push(code.entry);
            } else if code.origin == Origin::User {
                let flow = image.flow(FuncId::new(idx));
                sites.extend(flow.loops().iter().map(|(_, found)| flow.blocks.ops(found.header).start));
            }
        }
        sites
    }

    fn note(&mut self, vm: &mut Program<'_>, op_idx: OpIdx) -> Result<(), Stop> {
        let is_head = vm.image().function_at(op_idx).is_some_and(|code| !code.is_volatile);
        match is_head && !vm.is_aside() && self.is_time(op_idx, vm.depth()) {
            true => self.look_at(vm, op_idx),
            false => Ok(()),
        }
    }
}
