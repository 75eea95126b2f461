//! What searches have to do with the bytes that they go over, and with each other.

use super::seek::mk_member;
use crate::byte_set::ByteSet;
use crate::graph::heap::NodeId;
use crate::input::InputEditor;
use crate::machine::ConcolicMachine;
use crate::query::Constraints;
use crate::searches::Search;
use crate::variables::InputPlace;
use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, FreeVars, Model, VarId, VarSetId};

/// What bytes are that have to be something, and may be anything.
const FILLERS: [u8; 4] = *b"xyzw";

/// Searches of a query, and the bytes in their objects that it speaks of.
#[derive(Default)]
pub(super) struct Ties {
    by_object: FxHashMap<NodeId, Object>,
}

#[derive(Default)]
struct Object {
    searches: Vec<(VarId, Search)>,
    bytes: Vec<(VarId, InputPlace)>,
}

impl Ties {
    pub fn of_query(free_vars: &mut FreeVars, machine: &ConcolicMachine, query: &Constraints<'_>) -> Self {
        let mut all = VarSetId::EMPTY;
        for &cond in query.asked {
            let vars = free_vars.of(&machine.pool, cond);
            all = free_vars.union(all, vars);
        }
        let mut ties = Self::default();
        let vars: Vec<VarId> = free_vars.iter(all).collect();
        for &var in &vars {
            if let Some(search) = machine.variables.search(var) {
                ties.by_object.entry(search.object).or_default().searches.push((var, *search));
            }
        }
        for var in vars {
            if let Some(place) = machine.variables.place(var)
                && let Some(object) = ties.by_object.get_mut(&place.object)
            {
                object.bytes.push((var, place));
            }
        }
        ties
    }

    /// Adds what holds of them in every input.
    pub fn constrain(&self, machine: &mut ConcolicMachine, query: &mut Constraints<'_>) {
        for object in self.by_object.values() {
            for (number, (var, search)) in object.searches.iter().enumerate() {
                let found = machine.pool.mk_var(*var);
                let width = machine.pool.width(found);
                let most = machine.pool.mk_const(width, u64::from(search.n_bytes));
                let is_possible = machine.pool.mk_ule(found, most);
                query.add(is_possible, true);
                for (var, place) in &object.bytes {
                    tie_bytes(machine, query, found, search, *var, *place);
                }
                for (other, of_other) in &object.searches[..number] {
                    let other = machine.pool.mk_var(*other);
                    for cond in tie_searches(machine, (found, search), (other, of_other)) {
                        query.add(cond, true);
                    }
                }
            }
        }
    }

    /// Makes the bytes of an input such that searches find what they shall.
    pub fn complete(
        &self,
        machine: &ConcolicMachine,
        query: &Constraints<'_>,
        changes: &Model,
        input: &mut InputEditor,
    ) {
        let heap = &machine.inputs.heap;
        for (&node, object) in &self.by_object {
            let value = |var| changes.get_u64(var).or_else(|| query.hint.get_u64(var));
            let wanted: Vec<(Search, u32)> = object
                .searches
                .iter()
                .filter_map(|(var, search)| Some((*search, search.found(value(*var)?))))
                .collect();
            let bytes = &mut input.object_mut(&heap.node(node).key, || heap.unsaid(node)).bytes;
            let end = wanted.iter().map(|(search, _)| search.offset + search.n_bytes).max().unwrap_or(0);
            bytes.resize(bytes.len().max(end as usize), 0);
            for (at, byte) in (0..end).zip(bytes.iter_mut()) {
                let allowed = allowed_at(&wanted, at);
                if !allowed.contains(*byte) {
                    let fillers = FILLERS.into_iter().chain(0..=u8::MAX);
                    *byte = fillers.into_iter().find(|&byte| allowed.contains(byte)).unwrap_or(*byte);
                }
            }
        }
    }
}

/// The bytes that may be at a place if searches are to find what they shall.
fn allowed_at(wanted: &[(Search, u32)], at: u32) -> ByteSet {
    let mut allowed = ByteSet::ALL;
    for (search, found) in wanted {
        if at < search.offset || at >= search.offset + search.n_bytes {
            continue;
        }
        match at.cmp(found) {
            std::cmp::Ordering::Less => allowed = allowed.without(&search.set),
            std::cmp::Ordering::Equal => allowed = allowed.and(&search.set),
            std::cmp::Ordering::Greater => {}
        }
    }
    allowed
}

/// That bytes before the one that is found are not in the set, and the one that is found is.
fn tie_bytes(
    machine: &mut ConcolicMachine,
    query: &mut Constraints<'_>,
    found: ExprId,
    search: &Search,
    var: VarId,
    place: InputPlace,
) {
    let word = machine.pool.mk_var(var);
    let width = machine.pool.width(found);
    for i in 0..place.n_bytes {
        let Some(at) = (place.offset + i).checked_sub(search.offset).filter(|&at| at < search.n_bytes) else {
            continue;
        };
        let pool = &mut machine.pool;
        let byte = pool.mk_extract(word, 8 * i, 8);
        let is_member = mk_member(pool, byte, &search.set);
        let is_other = pool.mk_not(is_member);
        let at = pool.mk_const(width, u64::from(at));
        let (is_here, is_later) = (pool.mk_eq(found, at), pool.mk_ult(at, found));
        let (not_here, not_later) = (pool.mk_not(is_here), pool.mk_not(is_later));
        let ties = [pool.mk_or(not_here, is_member), pool.mk_or(not_later, is_other)];
        ties.into_iter().for_each(|tie| query.add(tie, true));
    }
}

/// That what one search finds is nothing that the other one should have found before, and the other way round.
fn tie_searches(machine: &mut ConcolicMachine, a: (ExprId, &Search), b: (ExprId, &Search)) -> Vec<ExprId> {
    const WIDTH: u32 = 32;
    let pool = &mut machine.pool;
    let mut place = |(found, search): (ExprId, &Search)| {
        let (found, offset) = (pool.mk_zext(found, WIDTH), pool.mk_const(WIDTH, u64::from(search.offset)));
        pool.mk_add(found, offset)
    };
    let (at_a, at_b) = (place(a), place(b));
    let mut ties = Vec::new();
    let both = a.1.set.and(&b.1.set);
    for ((at, search), (at_other, other)) in [((at_a, a.1), (at_b, b.1)), ((at_b, b.1), (at_a, a.1))] {
        let end = pool.mk_const(WIDTH, u64::from(search.offset + search.n_bytes));
        let is_found = pool.mk_ult(at, end);
        let start = pool.mk_const(WIDTH, u64::from(other.offset));
        let (is_in, is_passed) = (pool.mk_ule(start, at), pool.mk_ult(at, at_other));
        if search.set.without(&other.set).is_empty() {
            let all = [is_found, is_in, is_passed].into_iter().reduce(|x, y| pool.mk_and(x, y)).expect("three");
            ties.push(pool.mk_not(all));
        }
        if both.is_empty() {
            let is_same = pool.mk_eq(at, at_other);
            let clash = pool.mk_and(is_found, is_same);
            ties.push(pool.mk_not(clash));
        }
    }
    ties
}
