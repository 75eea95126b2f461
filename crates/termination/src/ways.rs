//! Sets of states from which control comes back by one of several ways round, whichever it takes each time.
//!
//! The ways are those that the present run takes in its next rounds, and those that states take which satisfy all that was observed of
//! these. A set is a conjunction of conditions that all ways have, and of what was observed, and closed: for each of its states one of the ways is taken, and
//! leads into it again. As ways are looked for where a proof fails, they need not be all that the loop has.

use crate::names::Names;
use crate::observed;
use crate::proof::{Next, Prover, RecurrentSet, conjunction, fixed};
use crate::relation::{Course, Lap, Relation, Start, observe, relations};
use crate::theory::LONG;
use spelunk_concolic::ConcolicMachine;
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model};
use spelunk_solver::Answer;
use spelunk_solver::chain::Backend;
use spelunk_vm::Vm;

const MOST_WAYS: usize = 8;
/// Queries for the sets over some ways.
const MOST_QUERIES: usize = 32;

/// The ways round, and a set that they do not leave, with the present state in it.
pub fn recurrent_set(
    vm: &mut Vm<'_, ConcolicMachine>,
    names: &Names,
    lap: Lap,
) -> Option<(Vec<Relation>, RecurrentSet)> {
    let mut starts = vec![Start::default()];
    while starts.len() <= MOST_WAYS {
        let ways = relations(vm, names, lap, &starts).ok()?;
        let places: Vec<_> = ways[0].parts.iter().map(|part| part.place).collect();
        let (Course::GoesOn(states) | Course::Repeats(_, states)) = observe(vm, names, lap, &places, LONG) else {
            return None;
        };
        let pool = &mut vm.machine.pool;
        let start = |values: Vec<u64>| places.iter().copied().zip(values).collect::<Start>();
        if let Some(state) = untold(pool, &ways, &states) {
            starts.push(start(state));
            continue;
        }
        let mut guards: Vec<ExprId> = Vec::new();
        for &cond in ways.iter().flat_map(|way| &way.conds) {
            if !guards.contains(&cond) && observed::hold(pool, &ways[0], &[cond], &states) {
                guards.push(cond);
            }
        }
        let mut found = closed(pool, &ways, guards.clone());
        if !matches!(found, Closed::Set(_)) {
            guards.extend(observed::conditions(pool, &ways[0], &states));
            found = closed(pool, &ways, guards);
        }
        match found {
            Closed::Set(set) => return observed::hold(pool, &ways[0], &set.conds, &states).then_some((ways, set)),
            Closed::Outside(state) => starts.push(start(state)),
            Closed::Not => return None,
        }
    }
    None
}

/// A state that none of the ways is known to lead on from.
fn untold(pool: &mut ExprPool, ways: &[Relation], states: &[Vec<u64>]) -> Option<Vec<u64>> {
    let mut is_told =
        |state: &Vec<u64>| ways.iter().any(|way| observed::hold(pool, way, &way.conds, std::slice::from_ref(state)));
    states.iter().find(|state| !is_told(state)).cloned()
}

/// What came of looking for a set.
enum Closed {
    Set(RecurrentSet),
    /// A state that satisfies all that was observed and takes another way, by its parts.
    Outside(Vec<u64>),
    Not,
}

/// As many conditions as go on holding, whichever way is taken. The input stays as it is.
fn closed(pool: &mut ExprPool, ways: &[Relation], mut guesses: Vec<ExprId>) -> Closed {
    let fixed = fixed(pool, &ways[0]);
    let mut nexts: Vec<Next> = ways.iter().map(|way| Next::new(pool, way)).collect();
    let mut prover = Prover::default();
    for _ in 0..MOST_QUERIES {
        let mut query = [&guesses[..], &fixed].concat();
        query.extend(leaving(pool, ways, &mut nexts, &guesses));
        let model = match prover.ask(pool, &query) {
            Answer::Unsat(core) => {
                let is_needed = |cond: &&ExprId| core.contains(cond);
                let conds: Vec<ExprId> = guesses.iter().chain(&fixed).filter(is_needed).copied().collect();
                let query = [conds.clone(), leaving(pool, ways, &mut nexts, &conds)].concat();
                let is_proved = Prover::new(Backend::Z3).ask(pool, &query).is_unsat();
                return if is_proved { Closed::Set(RecurrentSet { conds, n_ways: ways.len() }) } else { Closed::Not };
            }
            Answer::Sat(model) => model,
            Answer::Unknown(_) => return Closed::Not,
        };
        let mut evaluator = Evaluator::new();
        let taken = ways.iter().position(|way| {
            let mut evaluation = evaluator.under(pool, &model);
            way.conds.iter().all(|&cond| evaluation.eval_bool(cond))
        });
        let Some(taken) = taken else { return Closed::Outside(state(pool, &ways[0], &model)) };
        let after: Vec<ExprId> = guesses.iter().map(|&cond| nexts[taken].of(pool, cond)).collect();
        let mut evaluation = evaluator.under(pool, &model);
        let mut after = after.into_iter();
        guesses.retain(|_| after.next().is_some_and(|cond| evaluation.eval_bool(cond)));
    }
    Closed::Not
}

/// That none of the ways leads into a set.
fn leaving(pool: &mut ExprPool, ways: &[Relation], nexts: &mut [Next], set: &[ExprId]) -> Vec<ExprId> {
    let one = |(way, next): (&Relation, &mut Next)| {
        let after: Vec<ExprId> = set.iter().map(|&cond| next.of(pool, cond)).collect();
        let stays = conjunction(pool, way.conds.iter().copied().chain(after));
        pool.mk_not(stays)
    };
    ways.iter().zip(nexts).map(one).collect()
}

fn state(pool: &ExprPool, way: &Relation, model: &Model) -> Vec<u64> {
    way.parts.iter().map(|part| model.get_u64(pool.node(part.symbol).var()).unwrap_or(0)).collect()
}
