//! Versions of memory against a memory that never had any: whatever was kept and given up in between, a state that comes
//! back is the one that its changes lead to from the start, and goes on as that one would.

use proptest::prelude::*;
use spelunk_vm::memory::{Life, Memory, ObjectId, ObjectKind, Version, Word, object_of};
use spelunk_vm::{Carried, TraceId};

/// Objects and places are taken modulo what there is.
#[derive(Clone, Debug)]
enum Change {
    Alloc {
        heap: bool,
        size: u64,
    },
    Free {
        object: usize,
    },
    Store {
        object: usize,
        at: u64,
        val: u64,
        undef: u64,
        expr: u32,
    },
    StorePlain {
        object: usize,
        at: u64,
        val: u64,
    },
    Copy {
        from: usize,
        to: usize,
        len: u64,
    },
    Fill {
        object: usize,
        byte: u8,
    },
    /// Single bytes all over the object.
    Scatter {
        object: usize,
        n: u64,
        val: u64,
    },
    /// So many stack objects live and die that numbers are used again.
    Churn,
}

#[derive(Clone, Debug)]
enum Step {
    Change(Change),
    Snapshot,
    Restore(usize),
    Release(usize),
    /// Versions that were released are forgotten for good.
    Account,
}

fn change() -> impl Strategy<Value = Change> {
    let object = 0usize..100;
    let sizes = prop_oneof![4 => 0u64..24, 1 => 100u64..200, 1 => 60_000u64..200_000];
    prop_oneof![
        60 => (any::<bool>(), sizes).prop_map(|(heap, size)| Change::Alloc { heap, size }),
        40 => object.clone().prop_map(|object| Change::Free { object }),
        60 => (object.clone(), any::<u64>(), any::<u64>(), prop_oneof![Just(0), any::<u64>()], 0u32..3)
            .prop_map(|(object, at, val, undef, expr)| Change::Store { object, at, val, undef, expr }),
        60 => (object.clone(), any::<u64>(), any::<u64>()).prop_map(|(object, at, val)| Change::StorePlain { object, at, val }),
        30 => (object.clone(), object.clone(), 0u64..200).prop_map(|(from, to, len)| Change::Copy { from, to, len }),
        20 => (object.clone(), prop_oneof![1u64..20, 100u64..500], any::<u64>())
            .prop_map(|(object, n, val)| Change::Scatter { object, n, val }),
        10 => (object, any::<u8>()).prop_map(|(object, byte)| Change::Fill { object, byte }),
        12 => Just(Change::Churn),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => change().prop_map(Step::Change),
        2 => Just(Step::Snapshot),
        1 => (0usize..100).prop_map(Step::Restore),
        1 => (0usize..100).prop_map(Step::Release),
        1 => Just(Step::Account),
    ]
}

/// A memory, and where its objects were put.
struct Subject {
    memory: Memory,
    addrs: Vec<u64>,
}

impl Subject {
    fn new() -> Self {
        Self { memory: Memory::new(1 << 30), addrs: Vec::new() }
    }

    fn replay(history: &[Change]) -> Self {
        let mut subject = Self::new();
        history.iter().for_each(|change| subject.apply(change));
        subject
    }

    /// Any object that was ever made, dead ones too.
    fn pick(&self, nth: usize) -> Option<(ObjectId, u64)> {
        let addr = *self.addrs.get(nth % self.addrs.len().max(1))?;
        Some((object_of(addr), addr))
    }

    fn is_live(&self, id: ObjectId, addr: u64) -> bool {
        self.memory.object(id).life() == Life::Live && self.memory.object(id).base() == addr
    }

    /// Changes that do not apply are refused, the same way in every memory.
    fn apply(&mut self, change: &Change) {
        match *change {
            Change::Alloc { heap, size } => {
                let kind = if heap { ObjectKind::Heap } else { ObjectKind::Stack };
                let born = TraceId(self.addrs.len() as u32);
                self.addrs.push(self.memory.alloc(kind, size, 16, born).unwrap());
            }
            Change::Free { object } => {
                let Some((id, addr)) = self.pick(object) else { return };
                if self.is_live(id, addr) {
                    match self.memory.object(id).kind() {
                        ObjectKind::Heap => self.memory.free_heap(addr, TraceId(7)).unwrap(),
                        _ => self.memory.free_stack(id, TraceId(8)),
                    }
                }
            }
            Change::Store { object, at, val, undef, expr } => {
                let Some((id, addr)) = self.pick(object) else { return };
                let mut word = Word { undef, ..Word::plain(val) };
                if expr != 0 {
                    word.exprs[1] = (Carried(expr), at as u8);
                }
                let at = at % self.memory.object(id).size().max(1);
                let _ = self.memory.store_word(addr + at, 3, &word);
            }
            Change::StorePlain { object, at, val } => {
                let Some((id, addr)) = self.pick(object) else { return };
                let at = at % self.memory.object(id).size().max(1);
                if !self.memory.store::<4>(addr + at, val) {
                    let _ = self.memory.store_word(addr + at, 4, &Word::plain(val));
                }
            }
            Change::Copy { from, to, len } => {
                let (Some((_, from)), Some((_, to))) = (self.pick(from), self.pick(to)) else { return };
                let _ = self.memory.copy(to, from, len);
            }
            Change::Fill { object, byte } => {
                let Some((id, addr)) = self.pick(object) else { return };
                let _ = self.memory.fill(addr, byte, self.memory.object(id).size());
            }
            Change::Scatter { object, n, val } => {
                let Some((id, addr)) = self.pick(object) else { return };
                let size = self.memory.object(id).size().max(1);
                for i in 0..n {
                    let addr = addr + i * size / n;
                    if !self.memory.store::<1>(addr, val) {
                        let _ = self.memory.store_word(addr, 1, &Word::plain(val));
                    }
                }
            }
            Change::Churn => {
                for i in 0..5000 {
                    let addr = self.memory.alloc(ObjectKind::Stack, 3, 1, TraceId(i)).unwrap();
                    assert!(self.memory.store::<1>(addr, u64::from(i)));
                    self.memory.free_stack(object_of(addr), TraceId(9));
                }
            }
        }
    }

    fn check_equals(&self, other: &Self) {
        assert_eq!(self.addrs, other.addrs);
        assert_eq!(self.memory.used(), other.memory.used());
        for &addr in &self.addrs {
            let [a, b] = [self, other].map(|it| it.memory.object(object_of(addr)));
            assert_eq!((a.base(), a.size(), a.kind(), a.life()), (b.base(), b.size(), b.kind(), b.life()));
            assert_eq!((a.born(), a.died()), (b.born(), b.died()));
            assert!(a.data() == b.data(), "the bytes of {addr:#x}");
            let len = a.data().len() as u64;
            for at in (0..len).step_by(8) {
                let word = |it: &Self| it.memory.load_word(a.base() + at, (len - at).min(8) as u32).unwrap();
                assert_eq!(word(self), word(other));
            }
        }
    }
}

struct Kept {
    version: Version,
    addrs: Vec<u64>,
    history: Vec<Change>,
}

proptest! {
    // Under Miri each case takes minutes, and there is no file to note failures in.
    #![proptest_config(match cfg!(miri) {
        true => ProptestConfig { cases: 2, failure_persistence: None, ..ProptestConfig::default() },
        false => ProptestConfig { cases: 200, ..ProptestConfig::default() },
    })]

    #[test]
    fn a_version_is_what_its_changes_made(steps in proptest::collection::vec(step(), 1..120)) {
        let mut subject = Subject::new();
        let mut history: Vec<Change> = Vec::new();
        let mut kept: Vec<Kept> = Vec::new();
        for step in steps {
            match step {
                Step::Change(change) => {
                    subject.apply(&change);
                    history.push(change);
                }
                Step::Snapshot => {
                    let version = subject.memory.snapshot();
                    kept.push(Kept { version, addrs: subject.addrs.clone(), history: history.clone() });
                }
                Step::Restore(nth) if !kept.is_empty() => {
                    let chosen = &kept[nth % kept.len()];
                    subject.memory.restore(&chosen.version);
                    subject.addrs.clone_from(&chosen.addrs);
                    history.clone_from(&chosen.history);
                    subject.check_equals(&Subject::replay(&history));
                }
                Step::Release(nth) if !kept.is_empty() => {
                    kept.swap_remove(nth % kept.len());
                }
                Step::Account => {
                    subject.memory.snapshot_bytes();
                }
                Step::Restore(_) | Step::Release(_) => {}
            }
        }
        subject.check_equals(&Subject::replay(&history));
        for chosen in kept.drain(..) {
            subject.memory.restore(&chosen.version);
            subject.addrs = chosen.addrs;
            subject.check_equals(&Subject::replay(&chosen.history));
        }
        prop_assert_eq!(subject.memory.snapshot_bytes(), 0, "nothing is held for versions that are gone");
    }
}

fn heap(memory: &mut Memory, size: u64) -> u64 {
    memory.alloc(ObjectKind::Heap, size, 16, TraceId::EMPTY).unwrap()
}

/// A word of which each byte carries one of an expression.
fn carrying(expr: u32, val: u64) -> Word {
    Word { exprs: std::array::from_fn(|i| (Carried(expr), i as u8)), ..Word::plain(val) }
}

#[test]
fn an_unchanged_state_is_one_version() {
    let mut memory = Memory::new(1 << 20);
    let addr = heap(&mut memory, 8);
    let first = memory.snapshot();
    let second = memory.snapshot();
    assert!(memory.store_word(addr, 8, &Word::plain(1)).is_ok());
    let held = memory.snapshot_bytes();
    drop(second);
    assert_eq!(memory.snapshot_bytes(), held, "the first one still needs it");
    memory.restore(&first);
    assert_eq!(memory.load::<8>(addr), None, "nobody had written there");
    drop(first);
    assert_eq!(memory.snapshot_bytes(), 0);
}

#[test]
fn the_first_write_is_slow_and_the_next_is_fast() {
    let mut memory = Memory::new(1 << 20);
    let addr = heap(&mut memory, 8);
    let _version = memory.snapshot();
    assert!(!memory.store::<4>(addr, 1));
    memory.store_word(addr, 4, &Word::plain(1)).unwrap();
    assert!(memory.store::<4>(addr, 2));
}

#[test]
fn a_large_object_is_kept_by_the_page() {
    let mut memory = Memory::new(1 << 30);
    let size = 16 << 20;
    let addr = heap(&mut memory, size);
    memory.fill(addr, 1, size).unwrap();
    let before = memory.snapshot();
    memory.write(addr + 5_000_000, b"changed").unwrap();
    let between = memory.snapshot();
    assert!(memory.snapshot_bytes() < 100_000);
    memory.fill(addr, 2, size).unwrap();
    assert!(memory.snapshot_bytes() > size, "all of it was about to change");
    memory.restore(&between);
    assert_eq!(memory.bytes(addr + 5_000_000, 8).unwrap(), b"changed\x01");
    memory.restore(&before);
    assert_eq!(memory.bytes(addr + 5_000_000, 8).unwrap(), [1; 8]);
    assert!(memory.snapshot_bytes() < 100_000);
}

#[test]
fn values_are_computed_anew_in_every_version() {
    let mut memory = Memory::new(1 << 20);
    let (kept, changed, dead) = (heap(&mut memory, 16), heap(&mut memory, 16), heap(&mut memory, 8));
    for addr in [kept, changed, dead] {
        memory.store_word(addr, 8, &carrying(7, 0x1111_1111_1111_1111)).unwrap();
    }
    // A byte that is written over carries nothing any more.
    memory.write(kept + 3, &[0xee]).unwrap();
    let version = memory.snapshot();
    memory.store_word(changed, 8, &Word::plain(0)).unwrap();
    memory.store_word(changed + 8, 8, &carrying(9, 0)).unwrap();
    memory.free_heap(dead, TraceId::EMPTY).unwrap();
    let value = |first: Carried, index: u8, values: &mut [u8]| {
        (first.0..).zip(values).for_each(|(number, value)| *value = number as u8 * 16 + index);
    };
    memory.reevaluate(value);
    assert_eq!(memory.bytes(kept, 8).unwrap(), [0x70, 0x71, 0x72, 0xee, 0x74, 0x75, 0x76, 0x77]);
    assert_eq!(memory.bytes(changed, 16).unwrap()[7..10], [0, 0x90, 0x91]);

    memory.restore(&version);
    memory.reevaluate(value);
    for addr in [changed, dead] {
        assert_eq!(memory.bytes(addr, 8).unwrap(), [0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77]);
    }
    let mut exprs = std::collections::BTreeSet::new();
    memory.visit_exprs(|expr| {
        exprs.insert(expr.0);
    });
    assert!(exprs.contains(&7));
}

#[test]
fn expressions_of_other_versions_are_visited() {
    let mut memory = Memory::new(1 << 20);
    let addr = heap(&mut memory, 8);
    memory.store_word(addr, 8, &carrying(7, 0)).unwrap();
    let version = memory.snapshot();
    memory.free_heap(addr, TraceId::EMPTY).unwrap();
    let visited = |memory: &Memory| {
        let mut found = false;
        memory.visit_exprs(|expr| found |= expr == Carried(7));
        found
    };
    assert!(visited(&memory));
    drop(version);
    memory.snapshot_bytes();
    assert!(!visited(&memory));
}

#[test]
fn numbers_come_back_in_the_order_of_deaths() {
    let mut memory = Memory::new(1 << 20);
    let stack = |memory: &mut Memory| object_of(memory.alloc(ObjectKind::Stack, 1, 1, TraceId::EMPTY).unwrap());
    let [first, second, a, b] = std::array::from_fn(|_| stack(&mut memory));
    memory.free_stack(first, TraceId::EMPTY);
    memory.free_stack(second, TraceId::EMPTY);
    let before = memory.snapshot();
    memory.free_stack(a, TraceId::EMPTY);
    let after = memory.snapshot();
    // Elsewhere another object followed these.
    memory.restore(&before);
    memory.free_stack(b, TraceId::EMPTY);
    memory.restore(&after);
    let reused: Vec<ObjectId> = std::iter::from_fn(|| {
        let id = stack(&mut memory);
        memory.free_stack(id, TraceId::EMPTY);
        Some(id)
    })
    .skip_while(|id| *id > b)
    .take(3)
    .collect();
    assert_eq!(reused, [first, second, a]);
}
