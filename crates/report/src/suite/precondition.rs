//! What inputs that show a bug have in common, if it is a shape that the function may never have been meant for: a null
//! pointer, two pointers to one object, a cycle, or members of a structure that contradict each other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

use super::summary::BugEntry;
use super::test_case::{End, InputObject, TestCase};
use super::types::{Field, Format, Types};

/// Members are looked at behind so many pointers, and so many of them.
const MAX_DEPTH: usize = 2;
const MAX_MEMBERS: usize = 24;

/// Errors that numbers make: what else is true of all of them is by chance.
const OF_NUMBERS: [&str; 5] = ["div-by-zero", "div-overflow", "oversized-shift", "signed-overflow", "memory-limit"];

/// No object has as many elements. An index as large as this may be inside of an array all the same if its product with the size of
/// elements wraps around, which speaks against no precondition.
const NO_SIZE: i128 = 1 << 47;

/// A condition on the input. The last two and that of a type say of the whole graph what C can't spell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fact {
    NotNull(String),
    /// Of a member in all objects of its type: a list all of whose elements have a name.
    NotNullIn {
        member: String,
        ty: String,
    },
    Different(String, String),
    /// Of two numbers of a structure: as in `size <= capacity`. That one is less would also be true of those who forget that they
    /// may be equal.
    AtMost(String, String),
    /// Of a number and a pointer of a structure: a list that has elements has a first one.
    ZeroOrNotNull(String, String),
    Acyclic,
    Unshared,
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotNull(pointer) => write!(f, "{pointer} != NULL"),
            Self::NotNullIn { member, ty } => write!(f, "{member} != NULL in every {ty}"),
            Self::Different(one, other) => write!(f, "{one} != {other}"),
            Self::AtMost(one, other) => write!(f, "{one} <= {other}"),
            Self::ZeroOrNotNull(number, pointer) => write!(f, "({number} == 0 || {pointer} != NULL)"),
            Self::Unshared => f.write_str("no two pointers lead to one object"),
            Self::Acyclic => f.write_str("no object leads back to itself"),
        }
    }
}

/// A precondition that may be missing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Precondition {
    pub text: String,
    /// The same as rules for heaps, where they can say it.
    pub rules: Option<String>,
    /// The same as `--param`, where that can say it.
    pub param: Option<String>,
}

impl Fact {
    /// Rules speak of pointers to records only, and C's `*` or an index that is computed is no path.
    fn as_rule(&self, is_for_rules: impl Fn(&str) -> bool) -> Option<String> {
        let is_path = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '>'));
        match self {
            Self::NotNull(pointer) if is_path(pointer) && is_for_rules(pointer) => {
                Some(format!("{} not null", pointer.replace("->", ".")))
            }
            Self::Unshared => Some("any aliases nothing".to_owned()),
            _ => None,
        }
    }

    fn as_param(&self) -> Option<String> {
        let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
        match self {
            Self::NotNull(pointer) if is_name(pointer) => Some(format!("--param {pointer}=nonnull")),
            Self::NotNullIn { member, ty } if is_name(member) => Some(format!("--param '{ty}.{member}=nonnull'")),
            _ => None,
        }
    }
}

/// The pointers of an input, by how C gets to them: where each leads, or that it is null.
type Pointers<'t> = BTreeMap<String, Option<(&'t str, u64)>>;

/// The numbers of structures, by how C gets to them.
type Numbers = BTreeMap<String, i128>;

/// Objects that are arrays in some test, by name. Their elements are not told apart: `v->items[i]` is null if one of them is.
type Arrays<'t> = BTreeSet<&'t str>;

const ANY_ELEMENT: &str = "[i]";

/// What is known about an input.
struct Shape<'t> {
    pointers: Pointers<'t>,
    /// Of pointers in structures that the run has looked at, by member and type: whether none is null.
    in_types: BTreeMap<(&'t str, &'t str), bool>,
    numbers: Numbers,
    /// Those of them that lead to records.
    to_records: BTreeSet<String>,
    is_unshared: bool,
    is_acyclic: bool,
}

impl Fact {
    /// Whether it holds of an input; `None` if the input has no such pointers.
    fn holds(&self, shape: &Shape<'_>) -> Option<bool> {
        match self {
            Self::NotNull(pointer) => Some(shape.pointers.get(pointer)?.is_some()),
            Self::NotNullIn { member, ty } => shape.in_types.get(&(&**ty, &**member)).copied(),
            Self::Different(one, other) => {
                let (one, other) = (shape.pointers.get(one)?, shape.pointers.get(other)?);
                Some(one.is_none() || one != other)
            }
            Self::AtMost(one, other) => Some(shape.numbers.get(one)? <= shape.numbers.get(other)?),
            Self::ZeroOrNotNull(number, _) if shape.numbers.get(number) == Some(&0) => Some(true),
            Self::ZeroOrNotNull(_, pointer) => Some(shape.pointers.get(pointer)?.is_some()),
            Self::Unshared => Some(shape.is_unshared),
            Self::Acyclic => Some(shape.is_acyclic),
        }
    }

    /// Simpler ones first: of pointers alone, and of those that are nearer. What is said of a whole type is the strongest.
    fn rank(&self) -> (bool, bool, usize, Self) {
        let n_steps = match self {
            Self::NotNull(pointer) => pointer.matches("->").count(),
            Self::Different(one, other) | Self::AtMost(one, other) | Self::ZeroOrNotNull(one, other) => {
                one.matches("->").count() + other.matches("->").count()
            }
            Self::NotNullIn { .. } => 0,
            Self::Unshared | Self::Acyclic => usize::MAX,
        };
        (matches!(self, Self::NotNullIn { .. }), self.has_number(), n_steps, self.clone())
    }

    fn has_number(&self) -> bool {
        matches!(self, Self::AtMost(..) | Self::ZeroOrNotNull(..))
    }
}

/// Tests to compare: what is known of the input of each is found out once.
pub struct Compared<'t> {
    tests: Vec<(&'t TestCase, Shape<'t>)>,
}

impl<'t> Compared<'t> {
    pub fn new(tests: impl Iterator<Item = &'t TestCase> + Clone, types: &'t Types) -> Self {
        let arrays: Arrays<'_> = tests.clone().flat_map(|test| arrays(test, types)).collect();
        let with_shape = |test: &'t TestCase| {
            let mut shape = shape(test, types, &arrays);
            if passes(test) {
                shape.numbers.retain(|_, number| *number < NO_SIZE);
            }
            (test, shape)
        };
        Self { tests: tests.map(with_shape).collect() }
    }

    /// The weakest conjunction of facts that holds for every test that shows no bug, and for none that shows this one. `None` if
    /// there is no such condition, or nothing to compare with. If all tests show bugs, those that show others are compared with, for null
    /// pointers only: they got past this one.
    pub fn missing(&self, bug: &BugEntry) -> Option<Precondition> {
        let shapes = |is_meant: &dyn Fn(&TestCase) -> bool| -> Vec<&Shape<'t>> {
            self.tests.iter().filter(|(test, _)| is_meant(test)).map(|(_, shape)| shape).collect()
        };
        let failing = shapes(&|test| shows(test, bug));
        let passing = shapes(&passes);
        let others = shapes(&|test| !shows(test, bug) && matches!(test.end, End::Bug { .. }));
        let possible: BTreeSet<Fact> = failing.iter().flat_map(|shape| violated(shape)).collect();
        let mut possible: Vec<Fact> = possible.into_iter().collect();
        let passing = if passing.is_empty() {
            possible.retain(|fact| matches!(fact, Fact::NotNull(_)));
            &others
        } else {
            &passing
        };
        let is_of_numbers = OF_NUMBERS.contains(&bug.kind.as_str());
        let is_by_chance = |fact: &Fact| fact.has_number() || matches!(fact, Fact::NotNull(_) | Fact::NotNullIn { .. });
        possible.retain(|fact| !is_of_numbers || !is_by_chance(fact));
        possible.retain(|fact| {
            let mut held = passing.iter().filter_map(|shape| fact.holds(shape)).peekable();
            held.peek().is_some() && held.all(|holds| holds)
        });
        // A pointer that is null where other bugs show too may not have been looked at here.
        let n_elsewhere = |fact: &Fact| others.iter().filter(|shape| fact.holds(shape) == Some(false)).count();
        possible.sort_by_cached_key(|fact| (n_elsewhere(fact), fact.rank()));
        let mut chosen: Vec<Fact> = Vec::new();
        let mut open = failing;
        if open.is_empty() {
            return None;
        }
        while !open.is_empty() {
            let n_refused = |fact: &Fact| open.iter().filter(|shape| fact.holds(shape) == Some(false)).count();
            // Of facts that refuse as many, the first.
            let best =
                possible.iter().rev().max_by_key(|fact| n_refused(fact)).filter(|fact| n_refused(fact) > 0)?.clone();
            open.retain(|shape| best.holds(shape) != Some(false));
            chosen.push(best);
        }
        chosen.sort_by_key(|fact| possible.iter().position(|other| other == fact));
        let is_for_rules = |pointer: &str| passing.iter().any(|shape| shape.to_records.contains(pointer));
        let rules = chosen.iter().map(|fact| fact.as_rule(is_for_rules)).collect::<Option<Vec<_>>>();
        let text = chosen.iter().map(Fact::to_string).collect::<Vec<_>>().join(" && ");
        let params = chosen.iter().map(Fact::as_param).collect::<Option<Vec<_>>>();
        Some(Precondition { text, rules: rules.map(|rules| rules.join("; ")), param: params.map(|it| it.join(" ")) })
    }
}

fn passes(test: &TestCase) -> bool {
    matches!(test.end, End::Exited { .. })
}

/// That there are more elements behind a pointer than were assumed, if that is what all tests lack that show a bug.
pub fn of_size<'t>(
    tests: impl Iterator<Item = &'t TestCase> + Clone,
    types: &Types,
    bug: &BugEntry,
) -> Option<Precondition> {
    let shown = tests.clone().filter(|test| shows(test, bug));
    let objects = shown.map(|test| test.input.iter().find(|object| Some(&object.name) == test.unknown_size.as_ref()));
    let objects = objects.collect::<Option<Vec<&InputObject>>>()?;
    let largest = objects.iter().max_by_key(|object| object.bytes.len())?;
    let pointer = largest.name.strip_prefix('*').filter(|_| objects.iter().all(|it| it.name == largest.name))?;
    let is_said = |param: &String| {
        let said = param.strip_prefix(pointer).and_then(|rest| rest.strip_prefix('='));
        said.is_some_and(|said| said.starts_with("array:") || said.starts_with("bytes:"))
    };
    if tests.clone().filter_map(|test| test.unit.as_ref()).flat_map(|unit| &unit.params).any(is_said) {
        return None;
    }
    let ty = largest.ty.as_deref().unwrap_or_default();
    let is_scalar = types.types.get(ty).is_some_and(|it| matches!(&it.fields[..], [field] if field.path.is_empty()));
    let kind = if ty == "void" { "bytes" } else { "array" };
    let text = match largest.bytes.len() {
        1 => format!("{pointer} leads to more than 1 byte"),
        n => format!("{pointer} leads to more than {n} bytes"),
    };
    Some(Precondition { text, rules: None, param: is_scalar.then(|| format!("--param '{pointer}={kind}:N'")) })
}

fn shows(test: &TestCase, bug: &BugEntry) -> bool {
    matches!(&test.end, End::Bug { bug: kind, place, .. } if *kind == bug.kind && *place == bug.place)
}

/// The facts that an input contradicts.
fn violated(shape: &Shape<'_>) -> Vec<Fact> {
    let pointers = &shape.pointers;
    let nulls = pointers.iter().filter(|(_, target)| target.is_none());
    let mut facts: Vec<Fact> = nulls.map(|(pointer, _)| Fact::NotNull(pointer.clone())).collect();
    let is_one = |pointer: &str| !pointer.contains(ANY_ELEMENT);
    let pointers: Pointers<'_> =
        pointers.iter().filter(|(pointer, _)| is_one(pointer)).map(|(pointer, to)| (pointer.clone(), *to)).collect();
    for (one, target) in pointers.iter().filter(|(_, target)| target.is_some()) {
        let same = pointers.iter().filter(|(other, place)| one < *other && *place == target);
        // What is further away is named first: `l->next != l`.
        facts.extend(same.map(|(other, _)| Fact::Different(other.clone(), one.clone())));
    }
    for (number, value) in &shape.numbers {
        let less = shape.numbers.iter().filter(|(_, other)| *other < value);
        let less = less.filter(|(other, _)| record_of(other) == record_of(number));
        facts.extend(less.map(|(other, _)| Fact::AtMost(number.clone(), other.clone())));
        let nulls = pointers
            .iter()
            .filter(|(pointer, target)| target.is_none() && *value != 0 && record_of(pointer) == record_of(number));
        facts.extend(nulls.map(|(pointer, _)| Fact::ZeroOrNotNull(number.clone(), pointer.clone())));
    }
    let with_null = shape.in_types.iter().filter(|(_, is_never_null)| !**is_never_null);
    facts.extend(
        with_null.map(|((ty, member), _)| Fact::NotNullIn { member: (*member).to_owned(), ty: (*ty).to_owned() }),
    );
    facts.extend((!shape.is_unshared).then_some(Fact::Unshared));
    facts.extend((!shape.is_acyclic).then_some(Fact::Acyclic));
    facts
}

/// How C gets to the structure that something is a member of.
fn record_of(member: &str) -> Option<&str> {
    member.rsplit_once("->").map(|(record, _)| record)
}

/// The objects of an input that have another number of elements than one.
fn arrays<'t>(test: &'t TestCase, types: &Types) -> impl Iterator<Item = &'t str> {
    let size = |object: &InputObject| object.ty.as_ref().and_then(|ty| types.types.get(ty)).map(|it| it.size as usize);
    let is_array = move |object: &&InputObject| size(object).is_some_and(|size| size != object.bytes.len());
    test.input.iter().filter(is_array).map(|object| object.name.as_str()).collect::<Vec<_>>().into_iter()
}

fn shape<'t>(test: &'t TestCase, types: &'t Types, arrays: &Arrays<'_>) -> Shape<'t> {
    let mut targets: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for object in &test.input {
        let objects = object.references.iter().map(|(_, target, _)| target.as_str());
        targets.insert(&object.name, objects.filter(|target| !target.starts_with('&')).collect());
    }
    let mut met = BTreeSet::new();
    let is_unshared = targets.values().flatten().all(|target| met.insert(*target));
    // What leads to nothing else is on no cycle, and then what leads only to such objects.
    let mut left = targets;
    loop {
        let ends: BTreeSet<&str> =
            left.iter().filter(|(_, to)| !to.iter().any(|to| left.contains_key(to))).map(|(name, _)| *name).collect();
        if ends.is_empty() {
            let (pointers, numbers) = members(test, types, arrays);
            let leads_to_record = |target: &str| {
                let object = test.input.iter().find(|object| object.name == target);
                let ctype = object.and_then(|object| types.types.get(object.ty.as_ref()?));
                ctype.is_some_and(|ctype| ctype.fields.iter().any(|field| field.path.starts_with('.')))
            };
            let to_records =
                pointers.iter().filter(|(_, target)| target.is_some_and(|(name, _)| leads_to_record(name)));
            let to_records = to_records.map(|(pointer, _)| pointer.clone()).collect();
            let in_types = in_types(test, types);
            return Shape { pointers, in_types, numbers, to_records, is_unshared, is_acyclic: left.is_empty() };
        }
        left.retain(|name, _| !ends.contains(name));
    }
}

/// The pointers of a test's input, nearest first, and the numbers beside them that the run has looked at. That a parameter is null
/// which it has not looked at says nothing.
fn members<'t>(test: &'t TestCase, types: &Types, arrays: &Arrays<'_>) -> (Pointers<'t>, Numbers) {
    let (mut pointers, mut numbers) = (Pointers::new(), Numbers::new());
    let roots = test.input.iter().filter(|object| !object.name.starts_with('*'));
    let mut waiting: VecDeque<(String, &InputObject, usize)> =
        roots.map(|object| (object.name.clone(), object, 0)).collect();
    while let Some((path, object, depth)) = waiting.pop_front() {
        let Some(ctype) = object.ty.as_ref().and_then(|ty| types.types.get(ty)) else { continue };
        let is_array = depth > 0 && ctype.size > 0 && arrays.contains(&*object.name);
        let n_elements = if is_array { object.bytes.len() as u32 / ctype.size } else { 1 };
        for (element, field) in (0..n_elements).flat_map(|element| ctype.fields.iter().map(move |it| (element, it))) {
            let offset = element * ctype.size + field.bit_offset / 8;
            let is_seen = !object.undecided.contains(&offset);
            let name = match (depth, field.path.strip_prefix('.')) {
                (0, _) => format!("{path}{}", field.path),
                _ if is_array => format!("{path}{ANY_ELEMENT}{}", field.path),
                (_, Some(member)) => format!("{path}->{member}"),
                (_, None) => format!("(*{path}){}", field.path),
            };
            let is_one = !name.contains(ANY_ELEMENT);
            match field.format {
                Format::Signed | Format::Unsigned if is_seen && is_one && depth > 0 && numbers.len() < MAX_MEMBERS => {
                    numbers.extend(number(object, field).map(|value| (name, value)));
                }
                Format::Pointer if pointers.len() >= MAX_MEMBERS => return (pointers, numbers),
                Format::Pointer if is_seen || depth > 0 && is_one => {
                    let reference = object.references.iter().find(|(at, ..)| *at == offset);
                    let place = reference.map(|(_, target, at)| (target.as_str(), *at));
                    // Of several elements, one that is null decides.
                    pointers.entry(name.clone()).and_modify(|known| *known = known.and(place)).or_insert(place);
                    let target = reference.and_then(|(_, target, _)| test.input.iter().find(|it| it.name == *target));
                    // The elements of an array are no further away than it.
                    let depth = if is_array { depth } else { depth + 1 };
                    waiting.extend(target.filter(|_| depth <= MAX_DEPTH).map(|target| (name, target, depth)));
                }
                _ => {}
            }
        }
    }
    (pointers, numbers)
}

/// Of each pointer that structures of a type have, whether all that the run has looked at lead somewhere.
fn in_types<'t>(test: &'t TestCase, types: &'t Types) -> BTreeMap<(&'t str, &'t str), bool> {
    let mut in_types = BTreeMap::new();
    for object in &test.input {
        let Some((name, ctype)) = object.ty.as_ref().and_then(|ty| types.types.get_key_value(ty)) else { continue };
        let pointers = ctype.fields.iter().filter(|field| field.format == Format::Pointer);
        let n_elements = object.bytes.len() as u32 / ctype.size.max(1);
        for (field, element) in pointers.flat_map(|field| (0..n_elements).map(move |element| (field, element))) {
            let offset = element * ctype.size + field.bit_offset / 8;
            if let Some(member) = field.path.strip_prefix('.').filter(|_| !object.undecided.contains(&offset)) {
                let leads_somewhere = object.references.iter().any(|(at, ..)| *at == offset);
                *in_types.entry((&**name, member)).or_insert(true) &= leads_somewhere;
            }
        }
    }
    in_types
}

/// The value of a number of whole bytes.
fn number(object: &InputObject, field: &Field) -> Option<i128> {
    let (at, n_bytes) = (field.bit_offset as usize / 8, field.n_bits as usize / 8);
    let is_whole = field.bit_offset.is_multiple_of(8) && field.n_bits.is_multiple_of(8);
    if !is_whole || !(1..=8).contains(&n_bytes) {
        return None;
    }
    let mut word = [0; 8];
    word[..n_bytes].copy_from_slice(object.bytes.get(at..at + n_bytes)?);
    let (value, unused) = (u64::from_le_bytes(word), 64 - field.n_bits);
    Some(match field.format {
        Format::Signed => i128::from((value << unused) as i64 >> unused),
        _ => i128::from(value),
    })
}

#[cfg(test)]
mod tests {
    use super::super::summary::Status;
    use super::super::test_case::{Place, VERSION};
    use super::super::types::CType;
    use super::*;

    fn types() -> Types {
        let pointer = |path: &str, byte: u32| Field {
            path: path.to_owned(),
            bit_offset: 8 * byte,
            n_bits: 64,
            format: Format::Pointer,
        };
        let types = [
            ("root".to_owned(), CType { size: 8, fields: vec![pointer("", 0)] }),
            ("node".to_owned(), CType { size: 16, fields: vec![pointer(".next", 8)] }),
        ];
        Types { version: VERSION, types: types.into_iter().collect() }
    }

    fn object(name: &str, ty: &str, offset: u32, target: Option<&str>) -> InputObject {
        let references = target.map(|target| (offset, target.to_owned(), 0)).into_iter().collect();
        InputObject {
            name: name.to_owned(),
            key: None,
            ty: Some(ty.to_owned()),
            address: 0,
            bytes: vec![0; 16],
            references,
            undecided: Vec::new(),
        }
    }

    fn test(input: Vec<InputObject>, fails: bool) -> TestCase {
        let end = match fails {
            true => End::Bug { bug: "null-deref".to_owned(), message: String::new(), place: Place::default() },
            false => End::Exited { status: 0 },
        };
        let text = format!(
            "{{\"version\":{VERSION},\"entry\":\"f\",\"input\":[],\"decisions\":[],\"end\":{},\"instructions\":0}}",
            serde_json::to_string(&end).unwrap()
        );
        TestCase { input, ..serde_json::from_str(&text).unwrap() }
    }

    fn bug() -> BugEntry {
        let text = "{\"kind\":\"null-deref\",\"file\":\"\",\"line\":0,\"function\":\"\",\"message\":\"\",\"status\":\"unconfirmed\",\"test\":1,\"hits\":1}";
        let bug: BugEntry = serde_json::from_str(text).unwrap();
        assert_eq!(bug.status, Status::Unconfirmed);
        bug
    }

    fn missing<'t>(
        tests: impl Iterator<Item = &'t TestCase> + Clone,
        types: &'t Types,
        bug: &BugEntry,
    ) -> Option<Precondition> {
        Compared::new(tests, types).missing(bug)
    }

    fn text(missing: Option<Precondition>) -> Option<String> {
        missing.map(|missing| missing.text)
    }

    fn null() -> Vec<InputObject> {
        vec![object("l", "root", 0, None)]
    }

    fn list(next: Option<&str>) -> Vec<InputObject> {
        vec![object("l", "root", 0, Some("*l")), object("*l", "node", 8, next)]
    }

    #[test]
    fn null_and_cyclic_inputs_are_told_apart() {
        let tests = [test(null(), true), test(list(Some("*l")), true), test(list(None), false)];
        assert_eq!(text(missing(tests.iter(), &types(), &bug())).as_deref(), Some("l != NULL && l->next != l"));
    }

    #[test]
    fn rules_speak_of_pointers_to_records() {
        let rules = |input: Vec<InputObject>| {
            let tests = [test(null(), true), test(input, false)];
            missing(tests.iter(), &types(), &bug()).and_then(|missing| missing.rules)
        };
        assert_eq!(rules(list(None)).as_deref(), Some("l not null"));
        let text = vec![object("l", "root", 0, Some("*l")), object("*l", "char", 0, None)];
        assert_eq!(rules(text), None);
    }

    #[test]
    fn cycles_of_any_length_are_one_condition() {
        let cycle = |len: usize| {
            let name = |number: usize| format!("*l{}", "->next".repeat(number % len));
            let nodes = (0..len).map(|number| object(&name(number), "node", 8, Some(&name(number + 1))));
            std::iter::once(object("l", "root", 0, Some("*l"))).chain(nodes).collect()
        };
        let mut tests: Vec<TestCase> = (1..9).map(|len| test(cycle(len), true)).collect();
        tests.push(test(list(None), false));
        assert_eq!(text(missing(tests.iter(), &types(), &bug())).as_deref(), Some("no object leads back to itself"));
        tests.push(test(cycle(3), false));
        assert_eq!(missing(tests.iter(), &types(), &bug()), None);
    }

    #[test]
    fn what_other_bugs_show_too_comes_last() {
        let with_other = |mut input: Vec<InputObject>| {
            input.push(object("k", "root", 0, None));
            input
        };
        let elsewhere = |input| {
            let end = End::Bug { bug: "double-free".to_owned(), message: String::new(), place: Place::default() };
            TestCase { end, ..test(input, true) }
        };
        let mut passing = list(Some("*l->next"));
        passing.extend([object("*l->next", "node", 8, None), object("k", "root", 0, Some("*k"))]);
        passing.push(object("*k", "node", 8, None));
        let mut later = passing[..3].to_vec();
        later.push(object("k", "root", 0, None));
        let tests = [test(with_other(list(None)), true), elsewhere(later), test(passing, false)];
        assert_eq!(text(missing(tests.iter(), &types(), &bug())).as_deref(), Some("l->next != NULL"));
    }

    #[test]
    fn numbers_are_not_wrong_because_a_pointer_is_null() {
        let tests = [test(null(), true), test(list(None), false)];
        let by_zero = |mut test: TestCase| {
            if let End::Bug { bug, .. } = &mut test.end {
                *bug = "div-by-zero".to_owned();
            }
            test
        };
        assert_eq!(text(missing(tests.iter(), &types(), &bug())).as_deref(), Some("l != NULL"));
        let tests = tests.map(by_zero);
        let division = BugEntry { kind: "div-by-zero".to_owned(), ..bug() };
        assert_eq!(missing(tests.iter(), &types(), &division), None);
    }

    /// A structure with a pointer, and two numbers behind it.
    fn vector(data: Option<&str>, [size, capacity]: [u64; 2], undecided: &[u32]) -> Vec<InputObject> {
        let bytes = [0, size, capacity].iter().flat_map(|word| word.to_le_bytes()).collect();
        let undecided = undecided.to_vec();
        let vector = InputObject { bytes, undecided, ..object("*v", "vector", 0, data) };
        vec![object("v", "root", 0, Some("*v")), vector]
    }

    fn with_vectors() -> Types {
        let number = |path: &str, byte: u32| Field {
            path: path.to_owned(),
            bit_offset: 8 * byte,
            n_bits: 64,
            format: Format::Unsigned,
        };
        let mut types = types();
        let data = Field { path: ".data".to_owned(), format: Format::Pointer, ..number("", 0) };
        let fields = vec![data, number(".size", 8), number(".capacity", 16)];
        types.types.insert("vector".to_owned(), CType { size: 24, fields });
        types
    }

    #[test]
    fn members_of_a_structure_belong_together() {
        let found = |tests: &[TestCase]| text(missing(tests.iter(), &with_vectors(), &bug()));
        let data = Some("*data");
        let tests = [test(vector(data, [3, 2], &[]), true), test(vector(data, [2, 2], &[]), false)];
        assert_eq!(found(&tests).as_deref(), Some("v->size <= v->capacity"));
        // Equal numbers that fail would be no precondition.
        let tests = [test(vector(data, [2, 2], &[]), true), test(vector(data, [1, 2], &[]), false)];
        assert_eq!(found(&tests), None);
        // Numbers that nobody has looked at are no evidence.
        let tests = [test(vector(data, [3, 2], &[]), true), test(vector(data, [2, 2], &[8, 16]), false)];
        assert_eq!(found(&tests), None);
        let tests = [test(vector(None, [3, 0], &[16]), true), test(vector(None, [0, 0], &[16]), false)];
        assert_eq!(found(&tests).as_deref(), Some("(v->size == 0 || v->data != NULL)"));
    }

    /// In a list of any length, an element without a name is what its users have not thought of.
    #[test]
    fn a_member_may_be_meant_never_to_be_null() {
        let with_names = || {
            let mut types = types();
            let node = types.types.get_mut("node").expect("a type");
            node.fields.push(Field { path: ".name".to_owned(), bit_offset: 0, ..node.fields[0].clone() });
            types
        };
        // Each element by whether it has a name, or nobody has looked.
        let list = |names: &[Option<bool>], fails: bool| {
            let name = |number: usize| format!("*l{}", "->next".repeat(number));
            let mut input = vec![object("l", "root", 0, (!names.is_empty()).then_some("*l"))];
            for (number, has_name) in names.iter().enumerate() {
                let next = (number + 1 < names.len()).then(|| name(number + 1));
                let mut element = object(&name(number), "node", 8, next.as_deref());
                element.undecided.extend(has_name.is_none().then_some(0));
                element.references.extend((*has_name == Some(true)).then(|| (0, "*name".to_owned(), 0)));
                input.push(element);
            }
            test(input, fails)
        };
        let named = |n: usize| vec![Some(true); n];
        let without = |n: usize| [named(n), vec![Some(false)]].concat();
        let mut tests: Vec<TestCase> = (0..5).map(|n| list(&without(n), true)).collect();
        tests.extend((0..5).map(|n| list(&named(n), false)));
        tests.push(list(&[Some(true), None], false));
        let types = with_names();
        let found = missing(tests.iter(), &types, &bug()).expect("a precondition");
        assert_eq!(
            (&*found.text, found.param.as_deref()),
            ("name != NULL in every node", Some("--param 'node.name=nonnull'"))
        );
        // One that goes well without a name speaks against it.
        tests.push(list(&without(2), false));
        assert_eq!(missing(tests.iter(), &types, &bug()), None);
        // What is near needs no such words.
        let tests = [list(&without(0), true), list(&named(1), false)];
        assert_eq!(text(missing(tests.iter(), &types, &bug())).as_deref(), Some("l->name != NULL"));
    }

    #[test]
    fn how_many_elements_there_are_may_be_what_is_missing() {
        let beyond = |unknown: Option<&str>| {
            let mut test = test(list(None), true);
            test.unknown_size = unknown.map(str::to_owned);
            test
        };
        let of_size = |tests: &[TestCase]| of_size(tests.iter(), &types(), &bug()).map(|it| (it.text, it.param));
        let said = ("l leads to more than 16 bytes".to_owned(), None);
        assert_eq!(of_size(&[beyond(Some("*l")), test(list(None), false)]), Some(said));
        // One that shows it otherwise is enough.
        assert_eq!(of_size(&[beyond(Some("*l")), beyond(None)]), None);
        assert_eq!(of_size(&[test(list(None), false)]), None);
    }

    #[test]
    fn elements_of_an_array_are_one() {
        let with_elements = |elements: &[Option<&str>], fails: bool| {
            let mut input = vec![object("v", "root", 0, Some("*v"))];
            let references = elements.iter().enumerate();
            let references = references.filter_map(|(at, to)| Some((8 * at as u32, (*to)?.to_owned(), 0))).collect();
            let bytes = vec![0; 8 * elements.len()];
            input.push(InputObject { references, bytes, ..object("*v", "root", 0, None) });
            input.extend([("*a", Some("*b")), ("*b", None)].map(|(name, next)| object(name, "node", 8, next)));
            test(input, fails)
        };
        let found = |tests: &[TestCase]| text(missing(tests.iter(), &types(), &bug()));
        let (a, b) = (Some("*a"), Some("*b"));
        let good = with_elements(&[a], false);
        assert_eq!(found(&[with_elements(&[a, None], true), good.clone()]).as_deref(), Some("v[i] != NULL"));
        assert_eq!(found(&[with_elements(&[a, b], true), good]).as_deref(), Some("v[i]->next != NULL"));
        assert_eq!(found(&[with_elements(&[a, None], true), with_elements(&[None, a], false)]), None);
    }

    #[test]
    fn that_a_parameter_is_null_says_nothing_if_nobody_looks() {
        let unseen = InputObject { undecided: vec![0], ..object("l", "root", 0, None) };
        let tests = [test(null(), true), test(vec![unseen], false), test(list(None), false)];
        assert_eq!(text(missing(tests.iter(), &types(), &bug())).as_deref(), Some("l != NULL"));
        let tests = [test(null(), true), test(null(), false), test(list(None), false)];
        assert_eq!(missing(tests.iter(), &types(), &bug()), None);
    }

    #[test]
    fn other_bugs_are_compared_with_if_there_is_nothing_else() {
        let elsewhere = |input| {
            let end = End::Bug { bug: "out-of-bounds".to_owned(), message: String::new(), place: Place::default() };
            TestCase { end, ..test(input, true) }
        };
        let tests = [test(null(), true), elsewhere(list(None))];
        assert_eq!(text(missing(tests.iter(), &types(), &bug())).as_deref(), Some("l != NULL"));
        let tests = [test(list(Some("*l")), true), elsewhere(list(None))];
        assert_eq!(missing(tests.iter(), &types(), &bug()), None);
        let tests = [test(null(), true), elsewhere(null()), elsewhere(list(None))];
        assert_eq!(missing(tests.iter(), &types(), &bug()), None);
    }

    #[test]
    fn there_is_no_condition_where_both_kinds_have_one_shape() {
        let tests = [test(list(None), true), test(list(None), false)];
        assert_eq!(missing(tests.iter(), &types(), &bug()), None);
        assert_eq!(missing([test(null(), true)].iter(), &types(), &bug()), None);
    }
}
