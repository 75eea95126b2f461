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
use std::collections::BTreeSet;

/// What bytes are that have to be something, and may be anything.
const FILLERS: [u8; 4] = *b"xyzw";

/// Places in objects are numbers of this width.
const WIDTH: u32 = 32;

/// Of so many searches in an object it is said at once what they have to do with each other; of more where values are found that they can't have,
/// since there are many pairs, and hardly any two meet.
const MAX_TOLD: usize = 6;

/// The same of searches and bytes.
const MAX_TOLD_OF_BYTES: usize = 512;

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

    /// What holds in every input and not for these values, if anything.
    pub fn violated(&self, machine: &mut ConcolicMachine, query: &Constraints<'_>, changes: &Model) -> Option<ExprId> {
        let value = |var| changes.get_u64(var).or_else(|| query.hint.get_u64(var)).unwrap_or(0);
        let pool = &mut machine.pool;
        let mut all = Vec::new();
        for object in self.by_object.values() {
            for (tie, are_of_one) in object.violated(pool, value) {
                // Objects that values of pointers have made one are not one everywhere.
                let elsewhere = query.elsewhere().filter(|_| !are_of_one);
                all.push(elsewhere.map_or(tie, |elsewhere| pool.mk_or(tie, elsewhere)));
            }
        }
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

/// What a search says of the byte at a place: that it is in the set, or that it is not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Found,
    Passed,
}

const PAIRS: [(Says, Says); 4] = [
    (Says::Found, Says::Found),
    (Says::Found, Says::Passed),
    (Says::Passed, Says::Found),
    (Says::Passed, Says::Passed),
];

#[derive(Clone, Copy)]
struct Claim<'t> {
    sought: &'t Sought,
    says: Says,
}

impl Claim<'_> {
    fn allowed(&self) -> ByteSet {
        match self.says {
            Says::Found => self.sought.search.set,
            Says::Passed => ByteSet::ALL.without(&self.sought.search.set),
        }
    }
}

/// Whether there is no byte of which all of this can be said.
fn leave_none(claims: &[Claim<'_>]) -> bool {
    claims.iter().fold(ByteSet::ALL, |left, claim| left.and(&claim.allowed())).is_empty()
}

/// As few of them as leave no byte.
fn fewest<'t>(claims: &[Claim<'t>]) -> Vec<Claim<'t>> {
    let mut few = claims.to_vec();
    for at in (0..few.len()).rev() {
        let claim = few.remove(at);
        if !leave_none(&few) {
            few.insert(at, claim);
        }
    }
    few
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
        let first = pool.mk_const(WIDTH, u64::from(search.offset));
        let Some(after) = search.after else { return first };
        let place = self.place_after(pool, after);
        let is_in = pool.mk_ule(first, place);
        pool.mk_ite(is_in, place, first)
    }

    fn constrain(&self, pool: &mut ExprPool, query: &mut Constraints<'_>) {
        self.searches.iter().for_each(|sought| self.constrain_search(pool, query, sought));
        if self.searches.len() * self.bytes.len() <= MAX_TOLD_OF_BYTES {
            for (sought, known) in self.searches.iter().flat_map(|it| self.bytes.iter().map(move |byte| (it, byte))) {
                let ties = self.tie_byte(pool, sought, known);
                ties.into_iter().flatten().for_each(|tie| query.add(tie, sought.of == known.of));
            }
        }
        if self.searches.len() > MAX_TOLD {
            return;
        }
        for (number, a) in self.searches.iter().enumerate() {
            for (b, says_a, says_b) in self.searches[..number].iter().flat_map(|b| PAIRS.map(|(x, y)| (b, x, y))) {
                let claims = [Claim { sought: a, says: says_a }, Claim { sought: b, says: says_b }];
                if leave_none(&claims) {
                    for sought in [a, b] {
                        let tie = self.mk_not_all(pool, &claims, sought);
                        query.add(tie, a.of == b.of);
                    }
                }
            }
        }
        for found in &self.found {
            for sought in &self.searches {
                let ties = self.tie_found(pool, sought, found);
                ties.into_iter().for_each(|tie| query.add(tie, sought.of == found.of));
            }
        }
    }

    /// What holds in every input and not for these values, and whether it is about a single object.
    fn violated(&self, pool: &mut ExprPool, value: impl Fn(VarId) -> u64) -> Vec<(ExprId, bool)> {
        let place = |after: After| self.search(after.search).found(value(after.search)) + after.by;
        let start = |search: &Search| search.after.map_or(search.offset, place).max(search.offset);
        let of_search = |sought: &Sought| (start(&sought.search), sought.search.found(value(sought.var)));
        let ranges: Vec<(u32, u32)> = self.searches.iter().map(of_search).collect();
        let found: Vec<(u32, u8)> = self.found.iter().map(|found| (place(found.at), value(found.var) as u8)).collect();
        let known = self.bytes.iter().map(|known| (known.place, (value(known.var) >> (8 * known.index)) as u8));
        let known: Vec<(u32, u8)> = known.collect();
        let mut ties = self.clashes(pool, &found, &known);
        let places = ranges.iter().flat_map(|&(start, found)| [start, found]);
        let places: BTreeSet<u32> = places.chain(found.iter().chain(&known).map(|byte| byte.0)).collect();
        for at in places {
            let claim = |(sought, &(start, found)): (_, &(u32, u32))| {
                let sought: &Sought = sought;
                let says = if at == found { Says::Found } else { Says::Passed };
                ((start..=found).contains(&at) && at < sought.search.end()).then_some(Claim { sought, says })
            };
            let mut claims: Vec<Claim<'_>> = self.searches.iter().zip(&ranges).filter_map(claim).collect();
            for claim in &claims {
                let is_against = |&(place, byte): &(u32, u8)| place == at && !claim.allowed().contains(byte);
                for (known, _) in self.bytes.iter().zip(&known).filter(|(_, byte)| is_against(byte)) {
                    let of_one = known.of == claim.sought.of;
                    ties.extend(
                        self.tie_byte(pool, claim.sought, known).into_iter().flatten().map(|tie| (tie, of_one)),
                    );
                }
                for (found, _) in self.found.iter().zip(&found).filter(|(_, byte)| is_against(byte)) {
                    let of_one = found.of == claim.sought.of;
                    ties.extend(self.tie_found(pool, claim.sought, found).map(|tie| (tie, of_one)));
                }
            }
            while leave_none(&claims) {
                let few = fewest(&claims);
                let start = |claim: &&Claim<'_>| start(&claim.sought.search);
                let last = few.iter().max_by_key(start).expect("one at least").sought;
                let of_one = few.iter().all(|claim| claim.sought.of == last.of);
                ties.push((self.mk_not_all(pool, &few, last), of_one));
                claims.retain(|claim| few.iter().all(|other| other.sought.var != claim.sought.var));
            }
        }
        ties
    }

    /// That these do not all hold at one place: the one where one of them finds something, or else where the last one begins.
    fn mk_not_all(&self, pool: &mut ExprPool, claims: &[Claim<'_>], last: &Sought) -> ExprId {
        let at = match claims.iter().find(|claim| claim.says == Says::Found) {
            Some(claim) => self.place(pool, claim.sought.var),
            None => self.start(pool, &last.search),
        };
        let mut all = ExprId::TRUE;
        for claim in claims {
            let holds = self.mk_claim(pool, claim, at);
            all = pool.mk_and(all, holds);
        }
        pool.mk_not(all)
    }

    /// That a search says this of the byte at a place.
    fn mk_claim(&self, pool: &mut ExprPool, claim: &Claim<'_>, at: ExprId) -> ExprId {
        let search = &claim.sought.search;
        let found = self.place(pool, claim.sought.var);
        if claim.says == Says::Found {
            let end = pool.mk_const(WIDTH, u64::from(search.end()));
            let (is_same, is_in) = (pool.mk_eq(found, at), pool.mk_ult(at, end));
            return pool.mk_and(is_same, is_in);
        }
        let start = self.start(pool, search);
        let (has_begun, is_before) = (pool.mk_ule(start, at), pool.mk_ult(at, found));
        pool.mk_and(has_begun, is_before)
    }

    /// That bytes at the same place are the same, for those which are not by these values.
    fn clashes(&self, pool: &mut ExprPool, found: &[(u32, u8)], known: &[(u32, u8)]) -> Vec<(ExprId, bool)> {
        let mut ties = Vec::new();
        for (number, &(place, byte)) in found.iter().enumerate() {
            let clashes = |other: &(u32, u8)| other.0 == place && other.1 != byte;
            let mut others: Vec<(ExprId, ExprId, NodeId)> = Vec::new();
            for (known, _) in self.bytes.iter().zip(known).filter(|(_, other)| clashes(other)) {
                others.push((pool.mk_const(WIDTH, u64::from(known.place)), known.byte(pool), known.of));
            }
            for (other, _) in self.found[..number].iter().zip(found).filter(|(_, other)| clashes(other)) {
                others.push((self.place_after(pool, other.at), pool.mk_var(other.var), other.of));
            }
            let this = &self.found[number];
            let (place, byte) = (self.place_after(pool, this.at), pool.mk_var(this.var));
            for (other_place, other, of) in others {
                let (differ, same) = (pool.mk_ne(place, other_place), pool.mk_eq(byte, other));
                ties.push((pool.mk_or(differ, same), of == this.of));
            }
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
    fn tie_byte(&self, pool: &mut ExprPool, sought: &Sought, known: &Known) -> Option<[ExprId; 2]> {
        let search = &sought.search;
        let at = known.place.checked_sub(search.offset).filter(|&at| at < search.n_bytes)?;
        let byte = known.byte(pool);
        let found = pool.mk_var(sought.var);
        let at = pool.mk_const(pool.width(found), u64::from(at));
        let (is_here, mut is_passed) = (pool.mk_eq(found, at), pool.mk_ult(at, found));
        if search.after.is_some() {
            let (start, place) = (self.start(pool, search), pool.mk_const(WIDTH, u64::from(known.place)));
            let has_begun = pool.mk_ule(start, place);
            is_passed = pool.mk_and(is_passed, has_begun);
        }
        Some(mk_membership(pool, byte, &search.set, is_here, is_passed))
    }

    /// The same for a byte that was found.
    fn tie_found(&self, pool: &mut ExprPool, sought: &Sought, found: &Found) -> [ExprId; 2] {
        let (place, byte) = (self.place_after(pool, found.at), pool.mk_var(found.var));
        let is_here = self.mk_claim(pool, &Claim { sought, says: Says::Found }, place);
        let is_passed = self.mk_claim(pool, &Claim { sought, says: Says::Passed }, place);
        mk_membership(pool, byte, &sought.search.set, is_here, is_passed)
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
