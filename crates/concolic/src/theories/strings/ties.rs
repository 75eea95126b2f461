//! What searches have to do with the bytes that they go over, and with each other.

use super::seek::mk_member;
use crate::byte_set::ByteSet;
use crate::graph::heap::NodeId;
use crate::input::InputEditor;
use crate::machine::ConcolicMachine;
use crate::query::Constraints;
use crate::searches::{After, Search};
use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, ExprPool, FreeVars, Model, VarId, VarSetId};

/// What bytes are that have to be something, and may be anything.
const FILLERS: [u8; 4] = *b"xyzw";

/// Places in objects are numbers of this width.
const WIDTH: u32 = 32;

/// So many searches may have their say of what another one finds: more are not worth a condition.
const MAX_AT_PLACE: usize = 8;

/// Searches of a query, and the bytes in their objects that it speaks of.
#[derive(Default)]
pub(super) struct Ties {
    by_object: FxHashMap<NodeId, Object>,
}

/// An object of the input that comes of the query. Others may be part of it: places are its own.
#[derive(Default)]
struct Object {
    searches: Vec<Sought>,
    found: Vec<Found>,
    bytes: Vec<Known>,
}

struct Sought {
    var: VarId,
    of: NodeId,
    search: Search,
}

/// A byte at a place that was found.
struct Found {
    var: VarId,
    of: NodeId,
    at: After,
}

/// A byte at a place that is known, as part of a variable.
struct Known {
    var: VarId,
    of: NodeId,
    index: u32,
    place: u32,
}

impl Ties {
    pub fn of_query(free_vars: &mut FreeVars, machine: &ConcolicMachine, query: &Constraints<'_>) -> Self {
        let mut all = VarSetId::EMPTY;
        for &cond in query.asked {
            let vars = free_vars.of(&machine.pool, cond);
            all = free_vars.union(all, vars);
        }
        let vars: Vec<VarId> = free_vars.iter(all).collect();
        let mut ties = Self::default();
        for &var in &vars {
            if let Some(byte) = machine.variables.found_byte(var) {
                ties.add_search(machine, query, byte.at.search);
                let object = ties.by_object.entry(query.home_of(byte.object).0).or_default();
                object.found.push(Found { var, of: byte.object, at: byte.at });
            } else {
                ties.add_search(machine, query, var);
            }
        }
        for var in vars {
            let Some(place) = machine.variables.place(var) else { continue };
            let (home, at) = query.home_of(place.object);
            if let Some(object) = ties.by_object.get_mut(&home) {
                let bytes = (0..place.n_bytes).map(|index| (index, at + place.offset + index));
                object.bytes.extend(bytes.map(|(index, at)| Known { var, of: place.object, index, place: at }));
            }
        }
        ties
    }

    /// A search, after those that it begins at.
    fn add_search(&mut self, machine: &ConcolicMachine, query: &Constraints<'_>, var: VarId) {
        let Some(search) = machine.variables.search(var) else { return };
        if let Some(after) = search.after {
            self.add_search(machine, query, after.search);
        }
        let (home, at) = query.home_of(search.object);
        let searches = &mut self.by_object.entry(home).or_default().searches;
        if !searches.iter().any(|known| known.var == var) {
            let (of, search) = (search.object, Search { offset: search.offset + at, ..*search });
            searches.push(Sought { var, of, search });
        }
    }

    /// Adds what holds of them in every input, but for what [`Self::violated`] looks at.
    pub fn constrain(&self, machine: &mut ConcolicMachine, query: &mut Constraints<'_>) {
        for object in self.by_object.values() {
            object.constrain(&mut machine.pool, query);
        }
    }

    /// What these values violate: that bytes at the same place are the same. There is a pair for any two bytes, of which hardly any come to
    /// the same place.
    pub fn violated(&self, machine: &mut ConcolicMachine, query: &Constraints<'_>, changes: &Model) -> Option<ExprId> {
        let value = |var| changes.get_u64(var).or_else(|| query.hint.get_u64(var)).unwrap_or(0);
        let pool = &mut machine.pool;
        let all: Vec<ExprId> = self.by_object.values().flat_map(|object| object.clashes(pool, value)).collect();
        all.into_iter().reduce(|a, b| pool.mk_and(a, b))
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
        let value = |var| changes.get_u64(var).or_else(|| query.hint.get_u64(var));
        for (&node, object) in &self.by_object {
            let wanted = object.wanted(value);
            let bytes = &mut input.object_mut(&heap.node(node).key, || heap.unsaid(node)).bytes;
            // Bytes that are left out are zero.
            let end = wanted.iter().map(|wanted| wanted.end.min(wanted.found + 1)).max().unwrap_or(0);
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

/// A search in an input: from where on, to where, and what it is to find.
struct Wanted {
    start: u32,
    found: u32,
    end: u32,
    set: ByteSet,
}

/// The bytes that may be at a place if searches are to find what they shall.
fn allowed_at(wanted: &[Wanted], at: u32) -> ByteSet {
    let mut allowed = ByteSet::ALL;
    for wanted in wanted.iter().filter(|wanted| (wanted.start..wanted.end).contains(&at)) {
        match at.cmp(&wanted.found) {
            std::cmp::Ordering::Less => allowed = allowed.without(&wanted.set),
            std::cmp::Ordering::Equal => allowed = allowed.and(&wanted.set),
            std::cmp::Ordering::Greater => {}
        }
    }
    allowed
}

impl Object {
    fn search(&self, var: VarId) -> &Search {
        &self.searches.iter().find(|sought| sought.var == var).expect("it was added before").search
    }

    /// Where a search ends, as an expression.
    fn place(&self, pool: &mut ExprPool, var: VarId) -> ExprId {
        let (found, offset) = (pool.mk_var(var), pool.mk_const(WIDTH, u64::from(self.search(var).offset)));
        let found = pool.mk_zext(found, WIDTH);
        pool.mk_add(found, offset)
    }

    fn place_after(&self, pool: &mut ExprPool, after: After) -> ExprId {
        let (place, by) = (self.place(pool, after.search), pool.mk_const(WIDTH, u64::from(after.by)));
        pool.mk_add(place, by)
    }

    /// Where a search begins.
    fn start(&self, pool: &mut ExprPool, search: &Search) -> ExprId {
        match search.after {
            Some(after) => self.place_after(pool, after),
            None => pool.mk_const(WIDTH, u64::from(search.offset)),
        }
    }

    fn constrain(&self, pool: &mut ExprPool, query: &mut Constraints<'_>) {
        for (number, sought) in self.searches.iter().enumerate() {
            self.constrain_search(pool, query, sought);
            for known in &self.bytes {
                self.tie_byte(pool, query, sought, known);
            }
            for other in &self.searches[..number] {
                let ties = self.tie_searches(pool, sought, other);
                ties.into_iter().for_each(|tie| query.add(tie, sought.of == other.of));
            }
            if let Some((tie, are_of_one)) = self.tie_place(pool, number) {
                query.add(tie, are_of_one);
            }
            for (tie, are_of_one) in self.tie_passed(pool, number) {
                query.add(tie, are_of_one);
            }
        }
        for found in &self.found {
            let (place, byte) = (self.place_after(pool, found.at), pool.mk_var(found.var));
            for sought in &self.searches {
                for tie in self.tie_found(pool, sought, place, byte) {
                    query.add(tie, sought.of == found.of);
                }
            }
        }
    }

    /// That bytes at the same place are the same, for those which are not by these values.
    fn clashes(&self, pool: &mut ExprPool, value: impl Fn(VarId) -> u64) -> Vec<ExprId> {
        let place = |found: &Found| self.search(found.at.search).found(value(found.at.search)) + found.at.by;
        let of_found = self.found.iter().map(|found| (place(found), value(found.var)));
        let found: Vec<(u32, u64)> = of_found.collect();
        let of_known = self.bytes.iter().map(|known| (known.place, value(known.var) >> (8 * known.index) & 0xff));
        let known: Vec<(u32, u64)> = of_known.collect();
        let mut ties = Vec::new();
        for (number, &(place, byte)) in found.iter().enumerate() {
            let clashes = |other: &(u32, u64)| other.0 == place && other.1 != byte;
            let mut others: Vec<(ExprId, ExprId)> = Vec::new();
            for (known, _) in self.bytes.iter().zip(&known).filter(|(_, other)| clashes(other)) {
                others.push((pool.mk_const(WIDTH, u64::from(known.place)), known.byte(pool)));
            }
            for (other, _) in self.found[..number].iter().zip(&found).filter(|(_, other)| clashes(other)) {
                others.push((self.place_after(pool, other.at), pool.mk_var(other.var)));
            }
            let this = (self.place_after(pool, self.found[number].at), pool.mk_var(self.found[number].var));
            ties.extend(others.into_iter().map(|other| mk_same_if_same(pool, this, other)));
        }
        ties
    }

    /// What it can find at all.
    fn constrain_search(&self, pool: &mut ExprPool, query: &mut Constraints<'_>, sought: &Sought) {
        let found = pool.mk_var(sought.var);
        let width = pool.width(found);
        let most = pool.mk_const(width, u64::from(sought.search.n_bytes));
        let is_possible = pool.mk_ule(found, most);
        query.add(is_possible, true);
        if sought.search.after.is_some() {
            let (start, place) = (self.start(pool, &sought.search), self.place(pool, sought.var));
            let (is_behind, is_none) = (pool.mk_ule(start, place), pool.mk_eq(found, most));
            let in_order = pool.mk_or(is_behind, is_none);
            query.add(in_order, true);
        }
    }

    /// That bytes before the one that is found are not in the set, and the one that is found is.
    fn tie_byte(&self, pool: &mut ExprPool, query: &mut Constraints<'_>, sought: &Sought, known: &Known) {
        let search = &sought.search;
        let Some(at) = known.place.checked_sub(search.offset).filter(|&at| at < search.n_bytes) else { return };
        let byte = known.byte(pool);
        let found = pool.mk_var(sought.var);
        let at = pool.mk_const(pool.width(found), u64::from(at));
        let (is_here, mut is_passed) = (pool.mk_eq(found, at), pool.mk_ult(at, found));
        if search.after.is_some() {
            let (start, place) = (self.start(pool, search), pool.mk_const(WIDTH, u64::from(known.place)));
            let has_begun = pool.mk_ule(start, place);
            is_passed = pool.mk_and(is_passed, has_begun);
        }
        for tie in mk_membership(pool, byte, &search.set, is_here, is_passed) {
            query.add(tie, sought.of == known.of);
        }
    }

    /// The same for a byte that was found.
    fn tie_found(&self, pool: &mut ExprPool, sought: &Sought, place: ExprId, byte: ExprId) -> [ExprId; 2] {
        let (at, start) = (self.place(pool, sought.var), self.start(pool, &sought.search));
        let end = pool.mk_const(WIDTH, u64::from(sought.search.end()));
        let (is_same, is_in) = (pool.mk_eq(at, place), pool.mk_ult(place, end));
        let is_here = pool.mk_and(is_same, is_in);
        let (has_begun, is_before) = (pool.mk_ule(start, place), pool.mk_ult(place, at));
        let is_passed = pool.mk_and(has_begun, is_before);
        mk_membership(pool, byte, &sought.search.set, is_here, is_passed)
    }

    /// That what one search finds is nothing that the other one should have found before, and the other way round.
    fn tie_searches(&self, pool: &mut ExprPool, a: &Sought, b: &Sought) -> Vec<ExprId> {
        let (at_a, at_b) = (self.place(pool, a.var), self.place(pool, b.var));
        let (a, b) = (&a.search, &b.search);
        let mut ties = Vec::new();
        let both = a.set.and(&b.set);
        for ((at, search), (at_other, other)) in [((at_a, a), (at_b, b)), ((at_b, b), (at_a, a))] {
            let end = pool.mk_const(WIDTH, u64::from(search.end()));
            let is_found = pool.mk_ult(at, end);
            let start = self.start(pool, other);
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

    /// That there is a byte for what a search finds, where several others have their say of it: two at a time may each leave one that the
    /// other does not. Also whether all are of one object.
    fn tie_place(&self, pool: &mut ExprPool, number: usize) -> Option<(ExprId, bool)> {
        let sought = &self.searches[number];
        let set = &sought.search.set;
        let divides =
            |other: &&Sought| !set.and(&other.search.set).is_empty() && !set.without(&other.search.set).is_empty();
        let others: Vec<&Sought> = self.searches.iter().filter(divides).collect();
        if !(2..=MAX_AT_PLACE).contains(&others.len()) {
            return None;
        }
        let at = self.place(pool, sought.var);
        let says = |pool: &mut ExprPool, other: &Sought| {
            let (at_other, start) = (self.place(pool, other.var), self.start(pool, &other.search));
            let end = pool.mk_const(WIDTH, u64::from(other.search.end()));
            let (has_begun, is_before) = (pool.mk_ule(start, at), pool.mk_ult(at, at_other));
            let (is_same, is_in) = (pool.mk_eq(at, at_other), pool.mk_ult(at, end));
            (pool.mk_and(has_begun, is_before), pool.mk_and(is_same, is_in))
        };
        let said: Vec<_> = others.iter().map(|other| says(pool, other)).collect();
        let kind = |byte: u8| -> Vec<bool> { others.iter().map(|other| other.search.set.contains(byte)).collect() };
        let mut kinds: Vec<Vec<bool>> = (0..=u8::MAX).filter(|&byte| set.contains(byte)).map(kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let end = pool.mk_const(WIDTH, u64::from(sought.search.end()));
        let mut is_possible = pool.mk_ule(end, at);
        for kind in kinds {
            let excluded =
                kind.iter().zip(&said).map(|(is_in, &(is_passed, is_here))| if *is_in { is_passed } else { is_here });
            let is_excluded = excluded.reduce(|a, b| pool.mk_or(a, b)).expect("there are others");
            let is_left = pool.mk_not(is_excluded);
            is_possible = pool.mk_or(is_possible, is_left);
        }
        Some((is_possible, others.iter().all(|other| other.of == sought.of)))
    }

    /// That no place is passed by searches that leave no byte for it, two or three at a time: this one and some before it. Also whether
    /// all are of one object.
    fn tie_passed(&self, pool: &mut ExprPool, number: usize) -> Vec<(ExprId, bool)> {
        let (sought, before) = (&self.searches[number], &self.searches[..number]);
        let is_all = |a: &ByteSet, b: &ByteSet| a.or(b) == ByteSet::ALL;
        let mut families: Vec<Vec<&Sought>> = Vec::new();
        for (at, other) in before.iter().enumerate() {
            let both = sought.search.set.or(&other.search.set);
            if both == ByteSet::ALL {
                families.push(vec![sought, other]);
                continue;
            }
            let completes = |third: &&Sought| {
                let set = &third.search.set;
                is_all(&both, set) && !is_all(&sought.search.set, set) && !is_all(&other.search.set, set)
            };
            families.extend(before[..at].iter().filter(completes).map(|third| vec![sought, other, third]));
        }
        let tie = |family: Vec<&Sought>| {
            // One of them ends before another begins.
            let mut is_possible = ExprId::FALSE;
            for (one, other) in family.iter().flat_map(|one| family.iter().map(move |other| (one, other))) {
                let (end, start) = (self.place(pool, one.var), self.start(pool, &other.search));
                let comes_before = pool.mk_ule(end, start);
                is_possible = pool.mk_or(is_possible, comes_before);
            }
            (is_possible, family.iter().all(|other| other.of == sought.of))
        };
        families.into_iter().map(tie).collect()
    }

    /// What searches are to find, and bytes that are to be at places, by values of variables.
    fn wanted(&self, value: impl Fn(VarId) -> Option<u64>) -> Vec<Wanted> {
        let place = |after: After| Some(self.search(after.search).found(value(after.search)?) + after.by);
        let of_search = |sought: &Sought| {
            let search = &sought.search;
            let start = search.after.map_or(Some(search.offset), place)?.max(search.offset);
            Some(Wanted { start, found: search.found(value(sought.var)?), end: search.end(), set: search.set })
        };
        let of_byte = |found: &Found| {
            let (place, byte) = (place(found.at)?, value(found.var)? as u8);
            Some(Wanted { start: place, found: place, end: place + 1, set: ByteSet::default().with(byte) })
        };
        let mut wanted: Vec<Wanted> = self.searches.iter().filter_map(of_search).collect();
        let end = wanted.iter().map(|wanted| wanted.end).max().unwrap_or(0);
        wanted.extend(self.found.iter().filter_map(of_byte).filter(|byte| byte.found < end));
        wanted
    }
}

impl Known {
    fn byte(&self, pool: &mut ExprPool) -> ExprId {
        let word = pool.mk_var(self.var);
        pool.mk_extract(word, 8 * self.index, 8)
    }
}

/// That a byte is in a set if it is the one that was found, and not if it was passed.
fn mk_membership(pool: &mut ExprPool, byte: ExprId, set: &ByteSet, is_here: ExprId, is_passed: ExprId) -> [ExprId; 2] {
    let is_member = mk_member(pool, byte, set);
    let is_other = pool.mk_not(is_member);
    let (not_here, not_passed) = (pool.mk_not(is_here), pool.mk_not(is_passed));
    [pool.mk_or(not_here, is_member), pool.mk_or(not_passed, is_other)]
}

/// That bytes at the same place are the same.
fn mk_same_if_same(pool: &mut ExprPool, a: (ExprId, ExprId), b: (ExprId, ExprId)) -> ExprId {
    let (differ, same) = (pool.mk_ne(a.0, b.0), pool.mk_eq(a.1, b.1));
    pool.mk_or(differ, same)
}
