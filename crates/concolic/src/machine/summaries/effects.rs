//! What paths write, and one expression for each place that some of them write to.
//!
//! A path is run in the state that the call finds, and what it leaves is compared with that state, byte by byte. Objects that a
//! path has made and that are still there, or that it has freed, can't be told in this way, nor pointers of which
//! paths write different ones: such a path, or the whole call, is gone into as ever.

use super::super::ConcolicMachine;
use super::super::saved::is_number;
use super::Program;
use super::growing::Node;
use rustc_hash::FxHashMap;
use spelunk_expr::ExprId;
use spelunk_vm::Carried;
use spelunk_vm::memory::{Life, Memory, ObjectId, ObjectKind, ShadowByte, Version, Word};

/// The largest object that is compared.
const MAX_OBJECT: u64 = 1 << 12;

/// Places that are written to.
const MAX_PLACES: usize = 64;

/// A byte and what it carries.
type Byte = (u8, Option<ShadowByte>);

/// Bytes by address.
pub(super) type Writes = FxHashMap<u64, Byte>;

/// What a path has left of the objects that it may have changed: their bytes, nothing if an object is dead.
pub(super) struct Left(Vec<(ObjectId, Option<Vec<Byte>>)>);

impl Left {
    /// Since a version; nothing if it can't be told.
    pub fn since(memory: &Memory, version: &Version) -> Option<Self> {
        let touched = memory.touched_since(version).into_iter();
        let content = |id: ObjectId| {
            let object = memory.object(id);
            if object.life() == Life::Dead {
                return Some((id, None));
            }
            let is_simple = object.size() <= MAX_OBJECT && object.kind() != ObjectKind::Record && !memory.has_types(id);
            is_simple.then(|| (id, Some((0..object.size()).map(|at| memory.byte(id, at)).collect())))
        };
        touched.map(content).collect::<Option<_>>().map(Self)
    }

    /// The bytes that are not as they are in memory now, which is the state before the path. Nothing if the path has made an object or
    /// ended one's life, or has written what is uninitialised.
    pub fn writes(&self, memory: &Memory) -> Option<Writes> {
        let mut writes = Writes::default();
        for (id, bytes) in &self.0 {
            let object = (id.0 < memory.n_objects()).then(|| memory.object(*id));
            let before = object.filter(|object| object.life() == Life::Live);
            let (object, bytes) = match (before, bytes) {
                (None, None) => continue,
                (Some(object), Some(bytes)) if object.size() == bytes.len() as u64 => (object, bytes),
                _ => return None,
            };
            for (at, &byte) in (0..).zip(bytes) {
                if byte == memory.byte(*id, at) {
                    continue;
                }
                let addr = object.base() + at;
                let is_whole = byte.1.is_none_or(|shadow| shadow.undef == 0);
                if !is_whole || memory.resolve(addr, 1).is_err() {
                    return None;
                }
                writes.insert(addr, byte);
            }
        }
        Some(writes)
    }
}

/// What a call writes to a place.
#[derive(Clone, Copy)]
pub(super) struct Effect {
    addr: u64,
    n_bytes: u32,
    value: Value,
}

#[derive(Clone, Copy)]
enum Value {
    /// What all paths write.
    Same(Word),
    Expr(ExprId),
}

impl Effect {
    pub fn apply(&self, vm: &mut Program<'_>) {
        let word = match self.value {
            Value::Same(word) => word,
            Value::Expr(expr) => {
                let val = vm.machine.value(expr);
                let carried = vm.machine.carry(expr, val);
                let mut word = Word::plain(val);
                if carried.is_some() {
                    (0..).zip(&mut word.exprs[..self.n_bytes as usize]).for_each(|(at, byte)| *byte = (carried, at));
                }
                word
            }
        };
        vm.memory.store_word(self.addr, self.n_bytes, &word).expect("a path has written there, in the same state");
    }

    pub fn expr(&self) -> Option<ExprId> {
        match self.value {
            Value::Same(_) => None,
            Value::Expr(expr) => Some(expr),
        }
    }
}

/// The effects of a call with these paths, none of which may have written more than numbers.
pub(super) fn merged(vm: &mut Program<'_>, tree: &Node) -> Option<Vec<Effect>> {
    let mut leaves = Vec::new();
    tree.visit_leaves(&mut |leaf| leaves.push(&leaf.writes));
    let mut addrs: Vec<u64> = leaves.iter().flat_map(|writes| writes.keys().copied()).collect();
    addrs.sort_unstable();
    addrs.dedup();
    let mut effects = Vec::new();
    let mut rest = &addrs[..];
    while let Some(&addr) = rest.first() {
        let n_bytes = length_of_place(vm, &leaves, rest);
        rest = &rest[n_bytes as usize..];
        effects.push(Effect { addr, n_bytes, value: value_of_place(vm, tree, &leaves, addr, n_bytes)? });
        if effects.len() > MAX_PLACES {
            return None;
        }
    }
    Some(effects)
}

/// How many of the bytes from the first one on are one place: as many as an expression has that some path has written there, or as are
/// aligned.
fn length_of_place(vm: &Program<'_>, leaves: &[&Writes], addrs: &[u64]) -> u32 {
    let addr = addrs[0];
    let n_side_by_side = (0..).zip(addrs).take(8).take_while(|&(at, &next)| next == addr + at).count() as u32;
    let starts_there = |writes: &&Writes| {
        let shadow = writes.get(&addr)?.1?;
        let is_expr = shadow.expr.is_some() && shadow.index == 0 && !is_number(shadow.expr);
        is_expr.then(|| vm.machine.pool.width(vm.machine.provenance.expr(shadow.expr)).div_ceil(8))
    };
    let wanted = leaves.iter().find_map(starts_there);
    let aligned = 1 << addr.trailing_zeros().min(3);
    let most = n_side_by_side.min(wanted.unwrap_or(aligned)).max(1);
    1 << most.ilog2()
}

fn value_of_place(vm: &mut Program<'_>, tree: &Node, leaves: &[&Writes], addr: u64, n_bytes: u32) -> Option<Value> {
    let before = vm.memory.load_word(addr, n_bytes).expect("a path has written there");
    let word_of = |writes: &Writes| {
        let mut word = before;
        for at in 0..n_bytes {
            let Some(&(byte, shadow)) = writes.get(&(addr + u64::from(at))) else { continue };
            let shift = 8 * at;
            word.val = word.val & !(0xff << shift) | u64::from(byte) << shift;
            word.undef &= !(0xff << shift);
            word.exprs[at as usize] = shadow.map_or((Carried::NONE, 0), |shadow| (shadow.expr, shadow.index));
        }
        word
    };
    let words: Vec<Word> = leaves.iter().map(|writes| word_of(writes)).collect();
    if words.iter().all(|word| *word == words[0]) && words[0].undef == 0 {
        return Some(Value::Same(words[0]));
    }
    if words.iter().any(|word| word.undef != 0 || is_pointer(vm, word, n_bytes)) {
        return None;
    }
    let mut exprs = words.iter().map(|word| vm.machine.joined(word, n_bytes)).collect::<Vec<_>>().into_iter();
    let expr = tree.folded(&mut vm.machine.pool, &mut |_| exprs.next().expect("one for each leaf"));
    expr.map(Value::Expr)
}

/// Whether it is one, or part of one, or a number that could be one.
fn is_pointer(vm: &Program<'_>, word: &Word, n_bytes: u32) -> bool {
    let machine: &ConcolicMachine = &vm.machine;
    let carries = |&(carried, _): &(Carried, u8)| {
        carried.is_some() && (is_number(carried) || machine.provenance.base(&machine.pool, carried).is_some())
    };
    let is_address = |addr: u64| vm.memory.resolve(addr, 0).is_ok();
    // Bytes of the input that nobody has looked at may be those of a pointer, but not single ones.
    n_bytes == 8 && (word.exprs.iter().any(carries) || is_address(word.val))
}
