//! Smaller inputs that show the same: fewer objects, shorter strings, numbers near zero, letters where there is text.
//!
//! Parts of an input are left out or made smaller one after another, and what still shows the same is kept (delta debugging).
//! What is tried is only ever simpler than what is known, so that it ends.

use std::collections::{BTreeMap, BTreeSet};

use spelunk_concolic::{Input, InputObject, Pointee, Reference};

/// Numbers up to this are tried for several that are equal.
const SMALL: i64 = 4;

/// Positive numbers below this are simpler than any negative one, which may be a huge number without a sign.
const PLAIN: i64 = 1 << 15;

/// Which objects are text, by their names.
pub type Texts<'a> = &'a dyn Fn(&str) -> bool;

/// What makes one input simpler than another: objects, pointers, bytes, and the numbers in them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Size {
    n_objects: usize,
    n_references: usize,
    n_bytes: usize,
    magnitude: u128,
}

impl Size {
    fn of(input: &Input, is_text: Texts<'_>) -> Self {
        let (texts, others): (Vec<_>, Vec<_>) = input.objects.iter().partition(|object| is_text(&object.name));
        let letters = texts.iter().flat_map(|object| object.bytes.iter().map(|&byte| oddness(byte)));
        let numbers = others
            .iter()
            .flat_map(|object| numbers(object).map(|(at, n_bytes)| magnitude(signed(object, at, n_bytes))));
        Self {
            n_objects: input.objects.len(),
            n_references: input
                .objects
                .iter()
                .flat_map(|object| &object.references)
                .filter(|it| is_to_object(it))
                .count(),
            n_bytes: input.objects.iter().map(|object| object.bytes.len()).sum(),
            magnitude: numbers.chain(letters).sum(),
        }
    }
}

/// What came of trying an input.
pub enum Tried {
    /// It shows the same; this is what the run really was given.
    Same(Input),
    Different,
    /// No more is to be tried.
    Enough,
}

/// The simplest input that was found. `try_input` runs one.
pub fn shrink(input: &Input, is_text: Texts<'_>, try_input: &mut dyn FnMut(&Input) -> Tried) -> Input {
    let mut search = Search { best: input.clone(), size: Size::of(input, is_text), is_text, try_input };
    // What has had enough is left with the best so far.
    while let Some(true) = search.round() {}
    search.best
}

struct Search<'a> {
    best: Input,
    size: Size,
    is_text: Texts<'a>,
    try_input: &'a mut dyn FnMut(&Input) -> Tried,
}

/// Each step is `None` when no more is to be tried.
impl Search<'_> {
    /// Goes through all that can be made simpler; whether anything was.
    fn round(&mut self) -> Option<bool> {
        let before = self.size;
        self.drop_pointers()?;
        self.clear_objects()?;
        self.shorten()?;
        self.lower_equal_numbers()?;
        self.lower_numbers()?;
        self.write_letters()?;
        Some(self.size != before)
    }

    /// Tries a changed input; whether it is the best now.
    fn offer(&mut self, change: impl FnOnce(&mut Input)) -> Option<bool> {
        let mut changed = self.best.clone();
        change(&mut changed);
        if changed == self.best {
            return Some(false);
        }
        let used = match (self.try_input)(&changed) {
            Tried::Same(used) => used,
            Tried::Different => return Some(false),
            Tried::Enough => return None,
        };
        let size = Size::of(&used, self.is_text);
        if size >= self.size {
            return Some(false);
        }
        (self.best, self.size) = (used, size);
        Some(true)
    }

    /// Makes pointers null, those nearest to the parameters first: what only they lead to goes with them.
    fn drop_pointers(&mut self) -> Option<()> {
        let mut place = (0, 0);
        while let Some(object) = self.best.objects.get(place.0) {
            let Some(reference) = object.references.get(place.1) else {
                place = (place.0 + 1, 0);
                continue;
            };
            // Nothing goes with a function, and null is nothing simpler.
            if !is_to_object(reference)
                || !self.offer(|input| {
                    input.objects[place.0].references.remove(place.1);
                })?
            {
                place.1 += 1;
            }
        }
        Some(())
    }

    /// Makes whole objects zero.
    fn clear_objects(&mut self) -> Option<()> {
        for number in 0..self.best.objects.len() {
            if number < self.best.objects.len() {
                self.offer(|input| input.objects[number].bytes.fill(0))?;
            }
        }
        Some(())
    }

    /// Makes objects that may be strings or files end sooner: short ones one byte at a time, long ones by halves, since what
    /// depends on a length has nearly always a least one.
    fn shorten(&mut self) -> Option<()> {
        let mut number = 0;
        while let Some(object) = self.best.objects.get(number) {
            let is_number = matches!(object.bytes.len(), 1 | 2 | 4);
            let (mut least, mut end) = (0, if is_number { 0 } else { end_of(object) });
            while least < end {
                let len = if end <= SHORT { least } else { least + (end - least) / 2 };
                if self.offer(|input| input.objects[number].bytes[len..].fill(0))? {
                    end = self.best.objects.get(number).map_or(0, end_of).min(len);
                } else {
                    least = len + 1;
                }
            }
            number += 1;
        }
        Some(())
    }

    /// Makes numbers that are equal in several places small, and leaves them equal: a key that is looked for and that of a node.
    fn lower_equal_numbers(&mut self) -> Option<()> {
        let mut places: BTreeMap<(usize, i64), Vec<(usize, usize)>> = BTreeMap::new();
        for (number, object) in self.best.objects.iter().enumerate().filter(|(_, object)| !(self.is_text)(&object.name))
        {
            for (at, n_bytes) in numbers(object) {
                let value = signed(object, at, n_bytes);
                if value.unsigned_abs() > 1 {
                    places.entry((n_bytes, value)).or_default().push((number, at));
                }
            }
        }
        let used: BTreeSet<i64> = places.keys().map(|&(_, value)| value).collect();
        for ((n_bytes, _), places) in places.into_iter().filter(|(_, places)| places.len() > 1) {
            // What other numbers are is no candidate: these were different.
            let small = (0..=SMALL).filter(|value| !used.contains(value));
            for value in small {
                let set = |input: &mut Input| {
                    for &(number, at) in &places {
                        if let Some(place) =
                            input.objects.get_mut(number).and_then(|it| it.bytes.get_mut(at..at + n_bytes))
                        {
                            place.copy_from_slice(&value.to_le_bytes()[..n_bytes]);
                        }
                    }
                };
                if self.offer(set)? {
                    break;
                }
            }
        }
        Some(())
    }

    /// Brings each number nearer to zero, half of what is left at a time.
    fn lower_numbers(&mut self) -> Option<()> {
        let mut number = 0;
        while let Some(object) = self.best.objects.get(number) {
            let numbers = numbers(object).filter(|_| !(self.is_text)(&object.name));
            for (at, n_bytes) in numbers.collect::<Vec<_>>() {
                self.lower(number, at, n_bytes)?;
            }
            number += 1;
        }
        Some(())
    }

    /// Makes letters of what can't be read in texts: of all of it, or of the halves where that is possible.
    fn write_letters(&mut self) -> Option<()> {
        let texts = (0..self.best.objects.len()).filter(|&number| (self.is_text)(&self.best.objects[number].name));
        for number in texts.collect::<Vec<_>>() {
            let whole = 0..self.best.objects.get(number).map_or(0, |object| object.bytes.len());
            let mut waiting = Vec::from([whole]);
            while let Some(range) = waiting.pop() {
                let bytes = |input: &Input| input.objects.get(number)?.bytes.get(range.clone()).map(<[u8]>::to_vec);
                let is_plain = bytes(&self.best).is_none_or(|bytes| bytes.iter().all(|&byte| oddness(byte) < ODD));
                let write = |input: &mut Input| {
                    if let Some(text) = input.objects.get_mut(number).and_then(|it| it.bytes.get_mut(range.clone())) {
                        to_letters(text);
                    }
                };
                if is_plain || self.offer(write)? {
                    continue;
                }
                if range.len() > 1 {
                    let middle = range.start + range.len() / 2;
                    waiting.extend([middle..range.end, range.start..middle]);
                }
            }
        }
        Some(())
    }

    fn lower(&mut self, number: usize, at: usize, n_bytes: usize) -> Option<()> {
        let value = |search: &Self| search.best.objects.get(number).map_or(0, |object| signed(object, at, n_bytes));
        if value(self) == 0 || self.set(number, at, n_bytes, 0)? {
            return Some(());
        }
        // What is known not to do, nearest to zero.
        let mut floor = 0;
        // Beyond the least and the greatest number lie those of the other sign, so that halves lead nowhere.
        for plain in (0..PLAIN.ilog2()).map(|exponent| 1 << exponent) {
            if magnitude(value(self)) <= magnitude(PLAIN) || self.set(number, at, n_bytes, plain)? {
                break;
            }
            floor = plain;
        }
        if value(self) < 0 {
            floor = 0;
        }
        loop {
            let now = value(self);
            let next = floor + (now - floor) / 2;
            if next == floor || next == now {
                return Some(());
            }
            if !self.set(number, at, n_bytes, next)? {
                floor = next;
            }
        }
    }

    fn set(&mut self, number: usize, at: usize, n_bytes: usize, value: i64) -> Option<bool> {
        self.offer(|input| {
            if let Some(place) = input.objects.get_mut(number).and_then(|it| it.bytes.get_mut(at..at + n_bytes)) {
                place.copy_from_slice(&value.to_le_bytes()[..n_bytes]);
            }
        })
    }
}

/// Up to this many bytes, each length is tried.
const SHORT: usize = 64;

/// Where the zeros at the end of an object begin.
fn end_of(object: &InputObject) -> usize {
    object.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)
}

/// How far a byte of a text is from a letter.
fn oddness(byte: u8) -> u128 {
    match byte {
        0 => 0,
        b'a'..=b'z' => 1,
        b' '..=b'~' | b'\t' | b'\n' => 2,
        _ => ODD,
    }
}

/// What can't be read.
const ODD: u128 = 3;

fn to_letters(text: &mut [u8]) {
    for byte in text.iter_mut().filter(|byte| oddness(**byte) == ODD) {
        *byte = b'a';
    }
}

/// Whether a pointer does not lead to a function.
fn is_to_object(reference: &Reference) -> bool {
    matches!(reference.target, Pointee::Object(_))
}

/// The places that numbers may be at: an object of the size of one is one, others are words of four bytes, with what is left.
fn numbers(object: &InputObject) -> impl Iterator<Item = (usize, usize)> + '_ {
    let len = object.bytes.len();
    let width = if matches!(len, 1 | 2 | 4 | 8) { len } else { 4 };
    let starts = (0..len).step_by(width.max(1));
    let is_pointer = |at: usize| object.references.iter().any(|it| it.offset as usize / 8 == at / 8);
    starts.filter(move |&at| !is_pointer(at)).map(move |at| (at, width.min(len - at)))
}

fn magnitude(number: i64) -> u128 {
    let sign = if number < 0 { PLAIN.unsigned_abs().into() } else { 0 };
    sign + u128::from(number.unsigned_abs())
}

fn signed(object: &InputObject, at: usize, n_bytes: usize) -> i64 {
    let mut bytes = [0; 8];
    let given = object.bytes.get(at..at + n_bytes).unwrap_or_default();
    bytes[..given.len()].copy_from_slice(given);
    let unused = 64 - 8 * n_bytes as u32;
    i64::from_le_bytes(bytes) << unused >> unused
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_concolic::{ObjectKey, Root};
    use std::sync::Arc;

    fn key(name: &str) -> Arc<ObjectKey> {
        Arc::new(ObjectKey::of_root(Root::Named(name.into())))
    }

    fn number(input: &Input, name: &str) -> i64 {
        let object = input.object(&key(name)).expect("an object");
        signed(object, 0, object.bytes.len())
    }

    fn shrunk(input: &Input, shows: impl Fn(&Input) -> bool) -> Input {
        shrink(input, &|name| name == "text", &mut |input| same_if(shows(input), input))
    }

    fn same_if(shows: bool, input: &Input) -> Tried {
        if shows { Tried::Same(input.clone()) } else { Tried::Different }
    }

    #[test]
    fn numbers_come_near_to_zero() {
        let input = Input::new().with("a", 123_456_789i32.to_le_bytes()).with("b", (-77_777i64).to_le_bytes());
        let small = shrunk(&input, |input| number(input, "a") > 1000 && number(input, "b") <= -12);
        assert_eq!((number(&small, "a"), number(&small, "b")), (1001, -12));
    }

    #[test]
    fn positive_numbers_are_simpler() {
        let input = Input::new().with("a", i32::MIN.to_le_bytes()).with("b", u32::MAX.to_le_bytes());
        let small = shrunk(&input, |input| {
            let [a, b] = ["a", "b"].map(|name| number(input, name) as i32);
            (a > 13 || a == i32::MIN) && b as u32 > 10
        });
        assert_eq!((number(&small, "a"), number(&small, "b")), (14, 11));
        let negative = shrunk(&input, |input| number(input, "a") < -12);
        assert_eq!(number(&negative, "a"), -13);
    }

    #[test]
    fn equal_numbers_stay_equal() {
        let key = (-1_353_703_604i32).to_le_bytes();
        let input = Input::new().with("key", key).with("node", key).with("other", 77i32.to_le_bytes());
        let small = shrunk(&input, |input| {
            let [key, node, other] = ["key", "node", "other"].map(|name| number(input, name));
            key == node && key != other && key != 0
        });
        assert_eq!(["key", "node", "other"].map(|name| number(&small, name)), [1, 1, 0]);
    }

    #[test]
    fn strings_become_short() {
        let input = Input::new().with("s", *b"abcdefghijkl");
        let small = shrunk(&input, |input| input.get("s").is_some_and(|bytes| bytes[3] != 0));
        assert_eq!(&small.get("s").expect("an object")[4..], [0; 8]);
    }

    #[test]
    fn texts_become_readable() {
        let input = Input::new().with("text", *b"\x01\x01=\x01;\xff\0\0").with("s", *b"\x07\x07\x07");
        let small = shrunk(&input, |input| {
            let bytes = |name| input.get(name).expect("an object");
            bytes("text")[2] == b'=' && bytes("text")[3] == 1 && bytes("text")[5] != 0 && bytes("s")[0] == 7
        });
        assert_eq!(small.get("text"), Some(&b"aa=\x01;a\0\0"[..]));
        assert_eq!(small.get("s").map(|bytes| bytes[0]), Some(7));
    }

    #[test]
    fn what_only_a_dropped_pointer_leads_to_goes() {
        let pointer = |name: &str, target: &str| {
            let references = vec![Reference { offset: 0, target: Pointee::Object(key(target)), at: 0 }];
            InputObject { key: key(name), name: name.into(), bytes: vec![0; 8], references }
        };
        let objects = vec![pointer("p", "*p"), pointer("*p", "*q"), pointer("*q", "*p")];
        let reachable = |input: &Input| {
            let mut keys = vec![key("p")];
            for at in 0.. {
                let Some(object) = keys.get(at).and_then(|key| input.object(key)) else { break };
                for reference in &object.references {
                    if let Pointee::Object(target) = &reference.target
                        && !keys.contains(target)
                    {
                        keys.push(Arc::clone(target));
                    }
                }
            }
            Input { objects: input.objects.iter().filter(|object| keys.contains(&object.key)).cloned().collect() }
        };
        let shows = |input: &Input| input.object(&key("*p")).is_some();
        let small = shrink(&Input { objects }, &|_| false, &mut |input| {
            let input = reachable(input);
            same_if(shows(&input), &input)
        });
        assert_eq!(small.objects.len(), 2);
    }

    #[test]
    fn it_ends_when_nothing_more_is_tried() {
        let input = Input::new().with("a", 99i32.to_le_bytes());
        assert_eq!(shrink(&input, &|_| false, &mut |_| Tried::Enough), input);
    }

    #[test]
    fn long_strings_become_as_short_as_they_may_be_in_few_tries() {
        let input = Input::new().with("s", [b'x'; 5000]);
        let mut n_tries = 0;
        let small = shrink(&input, &|_| false, &mut |input| {
            n_tries += 1;
            let end = input.objects.first().map_or(0, end_of);
            if n_tries == 40 { Tried::Enough } else { same_if(end >= 1019, input) }
        });
        assert_eq!(end_of(&small.objects[0]), 1019);
    }
}
