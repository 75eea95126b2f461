//! Tests as the runtime reads them: see `runtime/tests.c`.

use std::collections::{HashMap, HashSet};
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;

use spelunk_concolic::graph::objects::{Origin, Shape, keyed, shapes};
use spelunk_concolic::graph::unit::{Param, Unit};
use spelunk_concolic::{Input, InputObject, ObjectKey, Pointee, Reference, Root};
use spelunk_ir::code::OBJECT_SHIFT;
use spelunk_report::suite::test_case::{End, Place};
use spelunk_report::suite::{Recipe, TestCase};
use spelunk_vm::BugKind;

use crate::expected::{Encoded, expected};
use crate::uninitialised::place_number;

/// A test with its number.
pub type Numbered<'a> = (u64, &'a TestCase);

/// Targets of references from here on are functions.
const FIRST_FUNCTION: usize = 0x8000_0000;

/// The object of the graph that an input is which is none.
const NO_OBJECT: usize = 0xffff_ffff;

/// What programs find besides their input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surroundings {
    /// Objects on the heap, where sanitizers notice most, and an empty directory.
    Plain,
    /// Objects where they were in the VM, with other upper bits, for programs that look into addresses: a list may be linked
    /// by the exclusive or of two, or a table sorted by them.
    Addresses,
    /// That, and copies of the files that the VM could read.
    AddressesAndFiles,
}

/// The bits in which addresses differ then, which leaves them between what the sanitizers use themselves.
const DISPLACEMENT: u64 = 0x5800 << 32;

/// What tests are about.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub surroundings: Surroundings,
    pub recipe: &'a Recipe,
    pub unit: Option<&'a Arc<Unit>>,
    /// The functions that pointers may lead to, in the order of the generated table.
    pub functions: &'a [String],
}

/// All tests in one file: how many, where each starts, and the tests.
pub fn encode(context: Context<'_>, tests: &[Numbered<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    let mut starts = Vec::new();
    let first = 4 + 8 * tests.len() as u64;
    for &(number, test) in tests {
        starts.push(first + body.len() as u64);
        encode_test(&mut body, context, number, test);
    }
    let mut all = (tests.len() as u32).to_le_bytes().to_vec();
    all.extend(starts.iter().flat_map(|start| start.to_le_bytes()));
    all.extend(body);
    all
}

fn encode_test(out: &mut Vec<u8>, context: Context<'_>, number: u64, test: &TestCase) {
    let Context { surroundings, recipe, unit, functions } = context;
    let inputs = test.setup.inputs();
    let input = match unit {
        Some(unit) => keyed(unit, test.input()),
        None => test.input(),
    };
    let concrete = inputs.concrete(&input);
    let name = recipe.program_name().into_os_string().into_vec();
    let fixed = test.setup.args.iter().map(|arg| arg.clone().into_bytes());
    let args: Vec<Vec<u8>> = std::iter::once(name).chain(fixed).chain(concrete.args).collect();

    put_u32(out, number as usize);
    put_u32(out, stack_size(&test.end));
    put_u32(out, test.steps.unwrap_or(u32::MAX) as usize);
    put_list(out, args.iter().map(Vec::as_slice));
    put_u32(out, usize::from(concrete.stdin.is_some()));
    put_bytes(out, concrete.stdin.as_deref().unwrap_or_default());
    put_u32(out, concrete.files.len());
    for (name, content) in &concrete.files {
        put_bytes(out, name.as_bytes());
        put_bytes(out, content);
    }
    let shapes = match unit {
        Some(unit) => shapes(unit, &input),
        None => vec![None; input.objects.len()],
    };
    let mut objects = graph(unit, &input, &shapes);
    if surroundings != Surroundings::Plain {
        place(&mut objects, test);
    }
    let numbers: HashMap<&str, usize> =
        objects.iter().enumerate().map(|(number, object)| (object.name, number)).collect();
    let function = |name: &str| functions.iter().position(|other| other == name).map(|at| FIRST_FUNCTION + at);
    let target = |name: &str| match name.strip_prefix('&') {
        Some(name) => function(name),
        None => numbers.get(name).copied(),
    };
    let by_key: HashMap<&ObjectKey, usize> =
        objects.iter().enumerate().map(|(number, object)| (&*object.key, number)).collect();
    let pointee = |target: &Pointee| match target {
        Pointee::Object(key) => by_key.get(&**key).copied(),
        Pointee::Function(name) => function(name),
    };
    put_u32(out, unit.map_or(0, |unit| unit.params.len()));
    put_u32(out, shapes.iter().flatten().filter(|shape| shape.origin == Origin::Result).count());
    put_graph(out, &objects, pointee);
    let is_unset = |object: &&InputObject| test.uninitialised.iter().any(|unset| *unset.input == *object.name);
    let mut asked = asked(&input, &shapes);
    asked.retain(|object| !is_unset(object));
    put_u32(out, asked.len());
    for object in asked {
        put_bytes(out, object.name.as_bytes());
        put_bytes(out, &object.bytes);
        put_u32(out, numbers.get(&*object.name).copied().unwrap_or(NO_OBJECT));
    }
    let expected = expected(test);
    put_u32(out, expected.len());
    for it in expected {
        put_expected(out, &it.encode(unit.map(|unit| &**unit), target).unwrap_or_default());
    }
    put_uninitialised(out, test, &input);
}

fn put_uninitialised(out: &mut Vec<u8>, test: &TestCase, input: &Input) {
    put_u32(out, test.uninitialised.len());
    for unset in &test.uninitialised {
        let Place { function, line, column, .. } = &unset.place;
        out.extend(place_number(function, *line, *column).to_le_bytes());
        put_u32(out, unset.offset as usize);
        put_bytes(out, input.get(&unset.input).unwrap_or_default());
    }
}

/// Bytes of stack. Frames under sanitizers are several times as large as those that the VM counts, so what fits there must
/// fit here, unless the test is about the stack's end. More would run into what lies beside it.
fn stack_size(end: &End) -> usize {
    match end {
        End::Bug { bug, .. } if bug == BugKind::StackExhausted.slug() => 8 << 20,
        _ => 120 << 20,
    }
}

/// An object as it is made natively.
struct Made<'a> {
    key: Arc<ObjectKey>,
    name: &'a str,
    bytes: Vec<u8>,
    size: usize,
    references: &'a [Reference],
    /// Where it has to be; 0 if that does not matter.
    address: u64,
}

/// Puts objects where they were, and displaces numbers that name their places.
fn place(objects: &mut [Made<'_>], test: &TestCase) {
    let addresses: HashMap<&str, u64> = test.input.iter().map(|object| (&*object.name, object.address)).collect();
    // Only the heap can be freed.
    let is_freed =
        |name: &str| test.observed.as_ref().is_some_and(|observed| observed.freed.iter().any(|it| it == name));
    let known: HashSet<u64> = addresses.values().filter(|&&address| address != 0).map(|it| object_bits(*it)).collect();
    for object in objects {
        let address = addresses.get(object.name).filter(|&&address| address != 0 && !is_freed(object.name));
        object.address = address.map_or(0, |it| it ^ DISPLACEMENT);
        for word in object.bytes.chunks_exact_mut(8) {
            let value = u64::from_le_bytes((&*word).try_into().expect("a word has eight bytes"));
            if known.contains(&object_bits(value)) {
                word.copy_from_slice(&(value ^ DISPLACEMENT).to_le_bytes());
            }
        }
    }
}

/// What all addresses in an object have in common.
fn object_bits(address: u64) -> u64 {
    address >> OBJECT_SHIFT
}

/// All parameters, in their order, what functions without a definition return, and what these lead to. Parameters that a test
/// does not mention are zero.
fn graph<'a>(unit: Option<&'a Arc<Unit>>, input: &'a Input, shapes: &[Option<Shape>]) -> Vec<Made<'a>> {
    let Some(unit) = unit else { return Vec::new() };
    let made = |object: &'a InputObject, n_after: u32| Made {
        key: Arc::clone(&object.key),
        name: &object.name,
        bytes: object.bytes.clone(),
        size: object.bytes.len() + n_after as usize,
        references: &object.references,
        address: 0,
    };
    let param = |(number, param): (u32, &'a Param)| {
        let size = unit.layouts.get(param.layout).size as usize;
        let root = Root::Param(number);
        let missing = || {
            let key = Arc::new(ObjectKey::of_root(root.clone()));
            Made { key, name: &param.name, bytes: Vec::new(), size, references: &[], address: 0 }
        };
        input.of_root(&root).map_or_else(missing, |object| made(object, 0))
    };
    let mut objects: Vec<Made<'a>> = (0..).zip(&unit.params).map(param).collect();
    for origin in [Origin::Result, Origin::Pointer] {
        let all = input.objects.iter().zip(shapes).filter_map(|(object, shape)| Some((object, (*shape)?)));
        let of_origin = all.filter(|(_, shape)| shape.origin == origin);
        objects.extend(of_origin.map(|(object, shape)| made(object, shape.n_after)));
    }
    objects
}

fn put_graph(out: &mut Vec<u8>, objects: &[Made<'_>], target: impl Fn(&Pointee) -> Option<usize>) {
    put_u32(out, objects.len());
    for object in objects {
        put_u32(out, object.size);
        out.extend(object.address.to_le_bytes());
        put_bytes(out, &object.bytes);
        let known = object.references.iter().filter_map(|it| Some((it.offset, target(&it.target)?, it.at)));
        put_references(out, &known.collect::<Vec<_>>());
    }
}

/// What the program asks for while it runs, in that order.
pub fn asked<'i>(input: &'i Input, shapes: &[Option<Shape>]) -> Vec<&'i InputObject> {
    let is_there = |root: &Root| matches!(root, Root::Arg(_) | Root::ArgCount | Root::Stdin | Root::File(_));
    let objects = input.objects.iter().zip(shapes);
    objects
        .filter(|(_, shape)| shape.is_none_or(|shape| shape.origin == Origin::Result))
        .filter(|(object, _)| !is_there(&object.key.root))
        .map(|(object, _)| object)
        .collect()
}

fn put_references(out: &mut Vec<u8>, references: &[(u32, usize, u64)]) {
    put_u32(out, references.len());
    for &(offset, target, at) in references {
        put_u32(out, offset as usize);
        put_u32(out, target);
        out.extend(at.to_le_bytes());
    }
}

fn put_expected(out: &mut Vec<u8>, expected: &Encoded) {
    put_u32(out, expected.kind);
    put_u32(out, expected.which);
    put_bytes(out, &expected.bytes);
    put_bytes(out, &expected.known);
    put_references(out, &expected.references);
}

fn put_u32(out: &mut Vec<u8>, value: usize) {
    out.extend((value as u32).to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_u32(out, bytes.len());
    out.extend(bytes);
}

fn put_list<'a>(out: &mut Vec<u8>, items: impl ExactSizeIterator<Item = &'a [u8]>) {
    put_u32(out, items.len());
    items.for_each(|item| put_bytes(out, item));
}
