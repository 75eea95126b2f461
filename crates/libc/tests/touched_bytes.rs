//! Which bytes the functions of <string.h> and <stdlib.h> touch, and what they report: called directly, on a machine
//! without a program.

use spelunk_ir::code::CheckedImage;
use spelunk_libc::{Library, World, lookup};
use spelunk_vm::memory::ObjectKind;
use spelunk_vm::{BugKind, Concrete, Flow, Limits, Slot, Stop, TraceId, Vm};

type Machine = Concrete<World>;

struct Bench<'p> {
    vm: Vm<'p, Machine>,
}

impl Bench<'_> {
    /// A heap object of these bytes.
    fn bytes(&mut self, bytes: &[u8]) -> u64 {
        let addr = self.room(bytes.len() as u64);
        self.vm.memory.write(addr, bytes).expect("just allocated");
        addr
    }

    /// A heap object of uninitialised bytes.
    fn room(&mut self, size: u64) -> u64 {
        self.vm.memory.alloc(ObjectKind::Heap, size, 16, TraceId::EMPTY).expect("far from the limit")
    }

    fn call(&mut self, name: &str, args: &[u64]) -> Result<u64, BugKind> {
        let builtin = lookup::<Machine>(name).expect("a function of the library");
        let args: Vec<Slot> = args.iter().map(|&arg| Slot::plain(arg)).collect();
        match (builtin.function)(&mut self.vm, &args) {
            Ok(Flow::Return([slot, _])) => Ok(slot.val),
            Ok(Flow::Resume(_)) => panic!("{name} jumps"),
            Err(Stop::Bug(bug)) => Err(bug.kind),
            Err(stop) => panic!("{name} ends the run: {stop:?}"),
        }
    }

    fn read(&self, addr: u64, len: u64) -> &[u8] {
        self.vm.memory.bytes(addr, len).expect("in bounds")
    }
}

fn with_bench(test: impl FnOnce(&mut Bench<'_>)) {
    let image = CheckedImage::default();
    let vm = Vm::new(&image, Concrete::new(World::default()), &Library, Limits::default()).expect("nothing to place");
    test(&mut Bench { vm });
}

const OUT_OF_BOUNDS: Result<u64, BugKind> = Err(BugKind::OutOfBounds);
const UNINITIALISED: Result<u64, BugKind> = Err(BugKind::Uninitialised);

#[test]
fn comparisons_stop_at_the_difference() {
    with_bench(|b| {
        let (left, right) = (b.bytes(b"abX"), b.bytes(b"abY"));
        assert_eq!(b.call("strcmp", &[left, right]), Ok(-1i32 as u32 as u64));
        assert_eq!(b.call("strncmp", &[left, right, 2]), Ok(0));
        let (left, right) = (b.bytes(b"same"), b.bytes(b"same"));
        assert_eq!(b.call("strncmp", &[left, right, 4]), Ok(0));
        assert_eq!(b.call("strcmp", &[left, right]), OUT_OF_BOUNDS);
        assert_eq!(b.call("strncmp", &[left, right, 5]), OUT_OF_BOUNDS);
        assert_eq!(b.call("memcmp", &[left, right, 4]), Ok(0));
        assert_eq!(b.call("memcmp", &[left, right, 5]), OUT_OF_BOUNDS);
        assert_eq!(b.call("strncmp", &[0, 0, 0]), Ok(0));
        assert_eq!(b.call("strcmp", &[left, 0]), Err(BugKind::NullDeref));
    });
}

#[test]
fn only_bytes_that_decide_must_be_initialised() {
    with_bench(|b| {
        let (full, half) = (b.bytes(b"ab\0d"), b.room(4));
        b.vm.memory.write(half, b"ax").expect("in bounds");
        assert_ne!(b.call("strcmp", &[full, half]), UNINITIALISED);
        assert_ne!(b.call("memcmp", &[full, half, 4]), UNINITIALISED);
        b.vm.memory.write(half, b"ab").expect("in bounds");
        assert_eq!(b.call("strcmp", &[full, half]), UNINITIALISED);
        assert_eq!(b.call("memcmp", &[full, half, 4]), UNINITIALISED);
        assert_eq!(b.call("memcmp", &[full, half, 2]), Ok(0));
        assert_eq!(b.call("strlen", &[half]), UNINITIALISED);
        assert_eq!(b.call("memchr", &[half, u64::from(b'b'), 4]), Ok(half + 1));
        assert_eq!(b.call("memchr", &[half, u64::from(b'c'), 4]), UNINITIALISED);
    });
}

#[test]
fn searches_read_no_further_than_the_match() {
    with_bench(|b| {
        let text = b.bytes(b"key=value");
        assert_eq!(b.call("memchr", &[text, u64::from(b'='), 1000]), Ok(text + 3));
        assert_eq!(b.call("memchr", &[text, u64::from(b'#'), 9]), Ok(0));
        assert_eq!(b.call("memchr", &[text, u64::from(b'#'), 10]), OUT_OF_BOUNDS);
        assert_eq!(b.call("strchr", &[text, u64::from(b'=')]), Ok(text + 3));
        assert_eq!(b.call("strchr", &[text, u64::from(b'#')]), OUT_OF_BOUNDS);
        assert_eq!(b.call("strrchr", &[text, u64::from(b'=')]), OUT_OF_BOUNDS);
        assert_eq!(b.call("strnlen", &[text, 9]), Ok(9));
        assert_eq!(b.call("strnlen", &[text, 10]), OUT_OF_BOUNDS);
        let needle = b.bytes(b"y=\0");
        assert_eq!(b.call("strstr", &[text, needle]), Ok(text + 2));
    });
}

#[test]
fn copies_carry_what_is_uninitialised() {
    with_bench(|b| {
        let (from, to) = (b.room(8), b.room(8));
        b.vm.memory.write(from, b"ab").expect("in bounds");
        assert_eq!(b.call("memcpy", &[to, from, 8]), Ok(to));
        assert_eq!(b.vm.memory.first_not_plain(to, 8).expect("in bounds").map(|found| found.at), Some(2));
        assert_eq!(b.call("strcpy", &[to, from]), UNINITIALISED);
        assert_eq!(b.call("memcpy", &[to, from, 9]), OUT_OF_BOUNDS);
        assert_eq!(b.call("memcpy", &[0, 0, 0]), Ok(0));
    });
}

#[test]
fn overlapping_areas() {
    with_bench(|b| {
        let text = b.bytes(b"abcdef\0\0\0");
        assert_eq!(b.call("memcpy", &[text + 1, text, 3]), Err(BugKind::Overlap));
        assert_eq!(b.call("memcpy", &[text, text, 3]), Ok(text));
        assert_eq!(b.call("memcpy", &[text, text + 3, 3]), Ok(text));
        assert_eq!(b.call("memmove", &[text + 1, text, 6]), Ok(text + 1));
        assert_eq!(b.read(text, 9), b"ddefdef\0\0");
        assert_eq!(b.call("strcpy", &[text + 1, text]), Err(BugKind::Overlap));
        let text = b.bytes(b"ab\0\0\0\0\0\0");
        assert_eq!(b.call("strcat", &[text, text]), Err(BugKind::Overlap));
    });
}

#[test]
fn strings_fit_with_their_end() {
    with_bench(|b| {
        let (three, word) = (b.room(3), b.bytes(b"abc\0"));
        assert_eq!(b.call("strcpy", &[three, word]), OUT_OF_BOUNDS);
        assert_eq!(b.call("strncpy", &[three, word, 3]), Ok(three));
        assert_eq!(b.read(three, 3), b"abc");
        assert_eq!(b.call("strlcpy", &[three, word, 3]), Ok(3));
        assert_eq!(b.read(three, 3), b"ab\0");
        assert_eq!(b.call("strncat", &[three, word, 0]), Ok(three));
        assert_eq!(b.call("strncat", &[three, word, 1]), OUT_OF_BOUNDS);
        assert_eq!(b.call("strncpy", &[three, word, 4]), OUT_OF_BOUNDS);
        assert_eq!(b.call("stpcpy", &[word, three]), Ok(word + 2));
    });
}

#[test]
fn fortified_functions_trust_the_size_they_are_told() {
    with_bench(|b| {
        let (room, word) = (b.room(16), b.bytes(b"abc\0"));
        assert_eq!(b.call("__strcpy_chk", &[room, word, 4]), Ok(room));
        assert_eq!(b.call("__strcpy_chk", &[room, word, 3]), OUT_OF_BOUNDS);
        assert_eq!(b.call("__strcat_chk", &[room, word, 7]), Ok(room));
        assert_eq!(b.call("__strcat_chk", &[room, word, 7]), OUT_OF_BOUNDS);
        assert_eq!(b.call("__memset_chk", &[room, 1, 8, 7]), OUT_OF_BOUNDS);
        assert_eq!(b.call("__memcpy_chk", &[room, word, 5, u64::MAX]), OUT_OF_BOUNDS);
    });
}

#[test]
fn heap() {
    with_bench(|b| {
        let old = b.call("malloc", &[4]).expect("allocated");
        b.vm.memory.write(old, b"abcd").expect("in bounds");
        let new = b.call("realloc", &[old, 8]).expect("allocated");
        assert_ne!(old, new, "stale pointers must be noticed");
        assert_eq!(b.read(new, 4), b"abcd");
        assert_eq!(b.call("strlen", &[old]), Err(BugKind::UseAfterFree));
        assert_eq!(b.call("free", &[old]), Err(BugKind::DoubleFree));
        assert_eq!(b.call("free", &[new + 1]), Err(BugKind::BadFree));
        assert_eq!(b.call("realloc", &[new, 0]), Ok(0));
        assert_eq!(b.call("free", &[new]), Err(BugKind::DoubleFree));
        assert_eq!(b.call("free", &[0]), Ok(0));
        let zeroed = b.call("calloc", &[2, 4]).expect("allocated");
        assert_eq!(b.call("memchr", &[zeroed, 1, 8]), Ok(0));
        let (first, second) = (b.call("malloc", &[0]), b.call("malloc", &[0]));
        assert_ne!(first, second);
        assert_ne!(first, Ok(0));
    });
}

#[test]
fn requests_that_cannot_be_served() {
    with_bench(|b| {
        assert_eq!(b.call("malloc", &[u64::MAX]), Ok(0));
        assert_eq!(b.call("calloc", &[1 << 40, 1 << 40]), Ok(0));
        assert_eq!(b.call("malloc", &[1 << 45]), Err(BugKind::MemoryLimit));
        assert_eq!(b.call("aligned_alloc", &[3, 8]), Ok(0));
        let page = b.call("aligned_alloc", &[4096, 8]).expect("allocated");
        assert_eq!(page % 4096, 0);
        let result_at = b.room(8);
        assert_eq!(b.call("posix_memalign", &[result_at, 4, 8]), Ok(22));
        assert_eq!(b.call("posix_memalign", &[result_at, 64, 8]), Ok(0));
        assert_eq!(b.read(result_at, 1)[0] % 64, 0);
    });
}

#[test]
fn too_few_arguments_are_reported() {
    with_bench(|b| assert_eq!(b.call("strlen", &[]), Err(BugKind::BadCall)));
}
