//! Memory against a naive model, and the faults that it tells apart.

use proptest::prelude::*;
use spelunk_vm::memory::{Fault, Memory, ObjectId, ObjectKind, Word, object_of};
use spelunk_vm::{Carried, TraceId};

const SIZE: u64 = 24;

/// A byte and its uninitialised bits.
type Cell = (u8, u8);

#[derive(Clone, Debug)]
enum Step {
    Store { object: usize, at: u64, n: u32, val: u64, undef: u64 },
    StorePlain { object: usize, at: u64, val: u64 },
    Copy { from: usize, to: usize, src: u64, dst: u64, len: u64 },
    Fill { object: usize, at: u64, byte: u8, len: u64 },
}

fn step() -> impl Strategy<Value = Step> {
    let object = 0usize..2;
    let at = 0..SIZE;
    prop_oneof![
        (object.clone(), at.clone(), 1u32..=8, any::<u64>(), any::<u64>())
            .prop_map(|(object, at, n, val, undef)| Step::Store { object, at, n, val, undef }),
        (object.clone(), at.clone(), any::<u64>()).prop_map(|(object, at, val)| Step::StorePlain { object, at, val }),
        (object.clone(), object.clone(), at.clone(), at.clone(), 0..SIZE)
            .prop_map(|(from, to, src, dst, len)| Step::Copy { from, to, src, dst, len }),
        (object, at, any::<u8>(), 0..SIZE).prop_map(|(object, at, byte, len)| Step::Fill { object, at, byte, len }),
    ]
}

fn fits(at: u64, len: u64) -> bool {
    at + len <= SIZE
}

proptest! {
    #![proptest_config(match cfg!(miri) {
        true => ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() },
        false => ProptestConfig::default(),
    })]

    #[test]
    fn bytes_carry_what_was_stored(steps in proptest::collection::vec(step(), 1..60)) {
        let mut memory = Memory::new(1 << 20);
        let mut bases = Vec::new();
        for _ in 0..2 {
            bases.push(memory.alloc(ObjectKind::Heap, SIZE, 16, TraceId::EMPTY).unwrap());
        }
        let mut model: [[Cell; SIZE as usize]; 2] = [[(0, 0xff); SIZE as usize]; 2];
        for step in steps {
            match step {
                Step::Store { object, at, n, val, undef } => {
                    let word = Word { undef, ..Word::plain(val) };
                    let stored = memory.store_word(bases[object] + at, n, &word);
                    prop_assert_eq!(stored.is_ok(), fits(at, u64::from(n)));
                    if stored.is_ok() {
                        for i in 0..n {
                            model[object][(at + u64::from(i)) as usize] = ((val >> (8 * i)) as u8, (undef >> (8 * i)) as u8);
                        }
                    }
                }
                Step::StorePlain { object, at, val } => {
                    let stored = memory.store::<4>(bases[object] + at, val);
                    prop_assert_eq!(stored, fits(at, 4));
                    if stored {
                        for i in 0..4 {
                            model[object][(at + i) as usize] = ((val >> (8 * i)) as u8, 0);
                        }
                    }
                }
                Step::Copy { from, to, src, dst, len } => {
                    let copied = memory.copy(bases[to] + dst, bases[from] + src, len);
                    prop_assert_eq!(copied.is_ok(), fits(src, len) && fits(dst, len));
                    if copied.is_ok() {
                        let cells = model[from][src as usize..(src + len) as usize].to_vec();
                        model[to][dst as usize..(dst + len) as usize].copy_from_slice(&cells);
                    }
                }
                Step::Fill { object, at, byte, len } => {
                    let filled = memory.fill(bases[object] + at, byte, len);
                    prop_assert_eq!(filled.is_ok(), fits(at, len));
                    if filled.is_ok() {
                        model[object][at as usize..(at + len) as usize].fill((byte, 0));
                    }
                }
            }
            for (object, cells) in model.iter().enumerate() {
                for (at, &(val, undef)) in cells.iter().enumerate() {
                    let word = memory.load_word(bases[object] + at as u64, 1).unwrap();
                    prop_assert_eq!((word.val as u8, word.undef as u8), (val, undef));
                    // The fast path answers exactly for plain bytes.
                    let fast = memory.load::<1>(bases[object] + at as u64);
                    prop_assert_eq!(fast, (undef == 0).then_some(u64::from(val)));
                }
            }
        }
    }
}

/// Longer than what is copied at a time, in both directions and between objects, with a few bytes that are initialised.
#[test]
fn long_copies_keep_what_bytes_carry() {
    const LEN: u64 = 200_000;
    const FAR: u64 = 77_777;
    for (from, to) in [(0, FAR), (FAR, 0)] {
        for marks in [&[][..], &[3, 65_536, 130_001, LEN - 1]] {
            let mut memory = Memory::new(1 << 22);
            let a = heap(&mut memory, LEN + FAR);
            let b = heap(&mut memory, LEN + FAR);
            for &mark in marks {
                memory.write(a + from + mark, &[mark as u8]).unwrap();
            }
            memory.fill(b, 1, LEN + FAR).unwrap();
            memory.copy(b + to, a + from, LEN).unwrap();
            memory.copy(a + to, a + from, LEN).unwrap();
            for copy in [a + to, b + to] {
                let found: Vec<u64> = (0..LEN).filter(|&at| memory.load::<1>(copy + at).is_some()).collect();
                assert_eq!(found, marks);
                assert!(found.iter().all(|&at| memory.load::<1>(copy + at) == Some(at & 0xff)));
            }
        }
    }
}

fn heap(memory: &mut Memory, size: u64) -> u64 {
    memory.alloc(ObjectKind::Heap, size, 16, TraceId::EMPTY).unwrap()
}

#[test]
fn an_access_must_lie_in_its_own_object() {
    let mut memory = Memory::new(1 << 20);
    let a = heap(&mut memory, 8);
    let _neighbour = heap(&mut memory, 8);
    for (addr, len, offset) in [(a + 8, 1, 8), (a + 5, 4, 5), (a - 1, 1, -1), (a + 4096, 1, 4096)] {
        let fault = memory.resolve(addr, len).unwrap_err();
        assert_eq!(fault, Fault::OutOfBounds { object: object_of(a), offset, len });
    }
    assert!(memory.resolve(a + 8, 0).is_ok(), "the end itself may be pointed to");
}

#[test]
fn addresses_that_belong_to_nothing() {
    let memory = Memory::new(1 << 20);
    assert_eq!(memory.resolve(0, 1), Err(Fault::Null { addr: 0 }));
    assert_eq!(memory.resolve(16, 4), Err(Fault::Null { addr: 16 }));
    assert_eq!(memory.resolve(0x7fff_0000_0000, 1), Err(Fault::Wild { addr: 0x7fff_0000_0000 }));
}

#[test]
fn a_dead_object_is_remembered() {
    let mut memory = Memory::new(1 << 20);
    let a = heap(&mut memory, 8);
    memory.free_heap(a, TraceId::EMPTY).unwrap();
    assert!(matches!(memory.resolve(a, 1), Err(Fault::Dead { .. })));
    assert!(matches!(memory.free_heap(a, TraceId::EMPTY), Err(Fault::DoubleFree { .. })));
    assert!(!memory.store::<1>(a, 1) && memory.load::<1>(a).is_none());
    // Its number is not given to the next object.
    assert_ne!(object_of(heap(&mut memory, 8)), object_of(a));
}

#[test]
fn only_the_start_of_a_heap_object_can_be_freed() {
    let mut memory = Memory::new(1 << 20);
    let a = heap(&mut memory, 8);
    let local = memory.alloc(ObjectKind::Stack, 8, 16, TraceId::EMPTY).unwrap();
    assert!(matches!(memory.free_heap(a + 4, TraceId::EMPTY), Err(Fault::BadFree { object: Some(_), .. })));
    assert!(matches!(memory.free_heap(local, TraceId::EMPTY), Err(Fault::BadFree { object: Some(_), .. })));
    assert!(matches!(memory.free_heap(12345, TraceId::EMPTY), Err(Fault::BadFree { object: None, .. })));
}

#[test]
fn constants_refuse_every_write() {
    let mut memory = Memory::new(1 << 20);
    let addr = memory.alloc(ObjectKind::Global, 4, 4, TraceId::EMPTY).unwrap();
    memory.init_object(object_of(addr), b"abc\0");
    memory.make_constant(object_of(addr));
    let refused = Err(Fault::Constant { object: object_of(addr) });
    assert!(!memory.store::<1>(addr, 1));
    assert_eq!(memory.write(addr, b"x"), refused);
    assert_eq!(memory.fill(addr, 0, 4), refused);
    assert_eq!(memory.load::<4>(addr), Some(u64::from(u32::from_le_bytes(*b"abc\0"))));
}

#[test]
fn the_limit_counts_what_is_alive() {
    let mut memory = Memory::new(4096);
    assert!(matches!(memory.alloc(ObjectKind::Heap, 5000, 16, TraceId::EMPTY), Err(Fault::Exhausted { wanted: 5000 })));
    for _ in 0..100 {
        let addr = heap(&mut memory, 2000);
        memory.free_heap(addr, TraceId::EMPTY).unwrap();
    }
    assert_eq!(memory.used(), 0);
}

#[test]
fn objects_are_aligned_as_asked() {
    let mut memory = Memory::new(1 << 20);
    for log2 in 0..16 {
        let addr = memory.alloc(ObjectKind::Heap, 8, 1 << log2, TraceId::EMPTY).unwrap();
        assert_eq!(addr % (1 << log2), 0);
    }
}

#[test]
fn an_object_of_open_size_is_decided_on_bit_by_bit() {
    let mut memory = Memory::new(1 << 20);
    let addr = memory.alloc_unsettled(ObjectKind::Heap, 16, 16, TraceId::EMPTY).unwrap();
    let object = object_of(addr);
    let used = memory.used();
    assert!(memory.is_unsettled(object));
    assert_eq!(memory.resolve(addr + 2, 4), Err(Fault::Unsettled { object, offset: 2, len: 4 }));
    assert!(matches!(memory.resolve(addr + 14, 4), Err(Fault::OutOfBounds { .. })));
    assert!(!memory.store::<4>(addr, 7));
    memory.extend(object, 6);
    memory.extend(object, 3);
    assert!(memory.store::<4>(addr + 2, 7));
    assert!(matches!(memory.resolve(addr + 6, 1), Err(Fault::Unsettled { .. })));
    memory.settle(object, 9);
    assert!(!memory.is_unsettled(object));
    assert_eq!(memory.load::<4>(addr + 2), Some(7));
    assert_eq!(memory.load::<1>(addr), None);
    assert_eq!((memory.object(object).size(), memory.resolve(addr + 6, 3)), (9, Ok((object, 6))));
    assert!(matches!(memory.resolve(addr + 9, 1), Err(Fault::OutOfBounds { .. })));
    assert_eq!(memory.used(), used - (16 + 2) + (9 + 1));
    memory.free_heap(addr, TraceId::EMPTY).unwrap();
    assert_eq!(memory.resolve(addr, 1), Err(Fault::Dead { object, offset: 0 }));
}

#[test]
fn what_is_behind_the_end_of_a_settled_object_is_forgotten() {
    let mut memory = Memory::new(1 << 20);
    let addr = memory.alloc(ObjectKind::Heap, 16, 16, TraceId::EMPTY).unwrap();
    memory.write_carrying(addr, &[0; 16], |_| (Carried(1), 0)).unwrap();
    memory.unsettle(object_of(addr));
    memory.settle(object_of(addr), 9);
    memory.reevaluate(|_, _, values| values.fill(7));
    assert_eq!(memory.object(object_of(addr)).data(), [7; 9]);
}

/// An object whose size is not settled, of at most 16 bytes.
fn unsettled(memory: &mut Memory) -> ObjectId {
    object_of(memory.alloc_unsettled(ObjectKind::Heap, 16, 16, TraceId::EMPTY).unwrap())
}

#[test]
#[should_panic(expected = "the bytes exist")]
fn an_object_is_not_extended_beyond_its_bytes() {
    let mut memory = Memory::new(1 << 20);
    let object = unsettled(&mut memory);
    memory.extend(object, 17);
}

#[test]
#[should_panic(expected = "the bytes exist")]
fn an_object_is_not_settled_beyond_its_bytes() {
    let mut memory = Memory::new(1 << 20);
    let object = unsettled(&mut memory);
    memory.settle(object, 17);
}

#[test]
#[should_panic(expected = "the bytes exist")]
fn a_dead_object_is_not_settled() {
    let mut memory = Memory::new(1 << 20);
    let object = unsettled(&mut memory);
    memory.free_heap(memory.object(object).base(), TraceId::EMPTY).unwrap();
    memory.settle(object, 0);
}

#[test]
#[should_panic(expected = "an object dies once")]
fn a_dead_object_does_not_die_again() {
    let mut memory = Memory::new(1 << 20);
    let object = object_of(memory.alloc(ObjectKind::Stack, 8, 8, TraceId::EMPTY).unwrap());
    memory.free_stack(object, TraceId::EMPTY);
    memory.free_stack(object, TraceId::EMPTY);
}
