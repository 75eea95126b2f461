//! Random functions that write and read through pointers of several types: what they return on all paths together is what they return
//! for all placements of the objects in a region that has room for all, by a simulation that knows nothing of how types are kept.
//! With `--heap maps` there are fewer paths, so the functions say which of the results it is that they come to: also of results that
//! only placements have which types forbid. What was in memory in the beginning is compared between `--heap maps` and `graph`, and
//! with `--overlap any` a simulation says byte by byte what overlaps do.

use std::collections::BTreeSet;

use serde_json::Value;
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;

const N_PROGRAMS: u64 = 12;
const N_SOLVED: u64 = 8;
const N_COMPARED: u64 = 8;
const N_ANY: u64 = 16;

/// Returned where a pointer is null.
const NULL: i64 = -1;

enum Type {
    Number(&'static str, i64),
    Struct(&'static str, &'static [usize]),
    Array(&'static str, usize, i64),
}

/// Members are types before them.
const TYPES: &[Type] = &[
    Type::Number("int", 4),
    Type::Number("short", 2),
    Type::Struct("struct ints", &[0, 0]),
    Type::Struct("struct shorts", &[1, 1]),
    Type::Struct("struct outer", &[0, 2]),
    Type::Array("row", 0, 3),
    Type::Struct("struct mixed", &[1, 3, 5]),
];

fn align(ty: usize) -> i64 {
    match TYPES[ty] {
        Type::Number(_, size) => size,
        Type::Struct(_, members) => members.iter().map(|&member| align(member)).max().expect("it has some"),
        Type::Array(_, elem, _) => align(elem),
    }
}

fn size(ty: usize) -> i64 {
    match TYPES[ty] {
        Type::Number(_, size) => size,
        Type::Array(_, elem, count) => size(elem) * count,
        Type::Struct(..) => {
            let (at, last, _) = members(ty).pop().expect("it has some");
            (at + size(last) + align(ty) - 1) / align(ty) * align(ty)
        }
    }
}

fn name(ty: usize) -> &'static str {
    let (Type::Number(name, _) | Type::Struct(name, _) | Type::Array(name, ..)) = TYPES[ty];
    name
}

/// Where, what, and how C gets there.
fn members(ty: usize) -> Vec<(i64, usize, String)> {
    match TYPES[ty] {
        Type::Number(..) => Vec::new(),
        Type::Array(_, elem, count) => (0..count).map(|i| (i * size(elem), elem, format!("[{i}]"))).collect(),
        Type::Struct(_, members) => {
            let mut end = 0;
            let place = |(number, &member): (usize, &usize)| {
                let at = (end + align(member) - 1) / align(member) * align(member);
                end = at + size(member);
                (at, member, format!(".m{number}"))
            };
            members.iter().enumerate().map(place).collect()
        }
    }
}

/// The numbers in an object: where, and how C gets there.
fn numbers(ty: usize) -> Vec<(i64, String)> {
    match TYPES[ty] {
        Type::Number(..) => vec![(0, String::new())],
        _ => members(ty)
            .into_iter()
            .flat_map(|(at, member, path)| {
                numbers(member).into_iter().map(move |(offset, rest)| (at + offset, format!("{path}{rest}")))
            })
            .collect(),
    }
}

/// How many bytes the number at a place of an object has.
fn width(ty: usize, at: i64) -> i64 {
    let holds = |(start, member, _): &(i64, usize, String)| (*start..start + size(*member)).contains(&at);
    members(ty).iter().find(|it| holds(it)).map_or_else(|| size(ty), |&(start, member, _)| width(member, at - start))
}

/// Whether a type is found at a place of another.
fn has(outer: usize, inner: usize, at: i64) -> bool {
    (at == 0 && outer == inner)
        || members(outer).iter().any(|&(start, member, _)| at >= start && has(member, inner, at - start))
}

fn is_apart((a, a_type): (i64, usize), (b, b_type): (i64, usize)) -> bool {
    a + size(a_type) <= b || b + size(b_type) <= a
}

/// Whether some of the objects are apart, and all others are parts of these.
fn is_allowed(objects: &[(i64, usize)]) -> bool {
    (1u32..1 << objects.len()).any(|chosen| {
        let whole: Vec<_> = (0..objects.len()).filter(|i| chosen >> i & 1 == 1).map(|i| objects[i]).collect();
        let are_apart = whole.iter().enumerate().all(|(i, &a)| whole[..i].iter().all(|&b| is_apart(a, b)));
        are_apart && objects.iter().all(|&(at, ty)| whole.iter().any(|&(start, outer)| has(outer, ty, at - start)))
    })
}

/// All ways to put objects of these types into a region; first those that types allow.
fn placements(types: &[usize]) -> [Vec<Vec<i64>>; 2] {
    let room: i64 = types.iter().map(|&ty| size(ty)).sum();
    let mut all = vec![Vec::new()];
    for &ty in types {
        let places = (0..=room - size(ty)).step_by(2);
        all = all.iter().flat_map(|before: &Vec<i64>| places.clone().map(|at| [&before[..], &[at]].concat())).collect();
    }
    let objects = |places: &Vec<i64>| places.iter().copied().zip(types.iter().copied()).collect::<Vec<_>>();
    let (allowed, others) = all.into_iter().partition(|places| is_allowed(&objects(places)));
    [allowed, others]
}

/// A write of a value, or a read, through a pointer.
struct Access {
    pointer: usize,
    at: i64,
    path: String,
    written: Option<i64>,
}

struct Function {
    types: Vec<usize>,
    accesses: Vec<Access>,
}

impl Function {
    fn random(seed: u64) -> Self {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = move |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % n
        };
        let types: Vec<usize> = (0..2 + below(2)).map(|_| below(TYPES.len())).collect();
        let access = |number| {
            let pointer = below(types.len());
            let mut all = numbers(types[pointer]);
            let (at, path) = all.swap_remove(below(all.len()));
            Access { pointer, at, path, written: (below(2) == 0).then_some(number) }
        };
        let accesses = (1..=8).map(access).collect();
        Self { types, accesses }
    }

    /// Returns what was read, all of it.
    fn source(&self) -> String {
        let mut body = "  long h = 0;\n".to_owned();
        for (i, &ty) in self.types.iter().enumerate() {
            body += &numbers(ty).iter().map(|(_, path)| format!("  (*p{i}){path} = 0;\n")).collect::<String>();
        }
        self.text(&(body + &self.body(|read, _| format!("  h = h * 16 + {read};\n")) + "  return h;\n"))
    }

    /// The same as one of these results.
    fn probing(&self, results: &BTreeSet<i64>) -> String {
        let probes = results.iter().map(|result| format!("  if (h == {result}L) return {result}L;\n"));
        let probes = probes.collect::<String>() + "  return -2;\n}\n";
        self.source().replace("  return h;\n}\n", &probes)
    }

    /// Nothing is written first, and reads are compared with what is written somewhere.
    fn comparing(&self) -> String {
        let compared =
            |read: &str, number: usize| format!("  if ({read} == {}) h |= {};\n", 1 + number % 5, 1 << number);
        self.text(&("  long h = 0;\n".to_owned() + &self.body(compared) + "  return h;\n"))
    }

    fn body(&self, mut read: impl FnMut(&str, usize) -> String) -> String {
        let statement = |(number, access): (usize, &Access)| {
            let place = format!("(*p{}){}", access.pointer, access.path);
            match access.written {
                Some(value) => format!("  {place} = {value};\n"),
                None => read(&place, number),
            }
        };
        self.accesses.iter().enumerate().map(statement).collect()
    }

    fn text(&self, body: &str) -> String {
        let mut text = "typedef int row[3];\n".to_owned();
        for ty in TYPES {
            if let Type::Struct(tag, fields) = ty {
                let fields = fields.iter().enumerate().map(|(i, &field)| format!("{} m{i}; ", name(field)));
                text += &format!("{tag} {{ {}}};\n", fields.collect::<String>());
            }
        }
        let params: Vec<String> = self.types.iter().enumerate().map(|(i, &ty)| format!("{} *p{i}", name(ty))).collect();
        let nulls: Vec<String> = (0..self.types.len()).map(|i| format!("!p{i}")).collect();
        text + &format!("long f({}) {{\n  if ({}) return {NULL};\n{body}}}\n", params.join(", "), nulls.join(" || "))
    }

    /// What it returns if its objects are at these places.
    fn result(&self, places: &[i64]) -> i64 {
        let mut memory = std::collections::BTreeMap::new();
        self.accesses.iter().fold(0, |sum, access| {
            let at = places[access.pointer] + access.at;
            match access.written {
                Some(value) => {
                    memory.insert(at, value);
                    sum
                }
                None => sum * 16 + memory.get(&at).copied().unwrap_or(0),
            }
        })
    }
}

impl Function {
    /// What it returns for all placements of two objects that are aligned, whatever lies over what: byte by byte.
    fn results_by_bytes(&self) -> BTreeSet<i64> {
        let [a, b] = self.types[..] else { panic!("it takes two pointers") };
        let region = size(a) + size(b);
        let pairs = (-region..=region).map(|distance| [(-distance).max(0), distance.max(0)]);
        let are_aligned = |places: &[i64; 2]| places[0] % align(a) == 0 && places[1] % align(b) == 0;
        pairs.filter(are_aligned).map(|places| self.result_by_bytes(places)).collect()
    }

    fn result_by_bytes(&self, places: [i64; 2]) -> i64 {
        let mut memory = std::collections::BTreeMap::new();
        self.accesses.iter().fold(0, |sum, access| {
            let (at, width) = (places[access.pointer] + access.at, width(self.types[access.pointer], access.at));
            match access.written {
                Some(value) => {
                    memory.extend((0..width).map(|i| (at + i, value >> (8 * i) & 0xff)));
                    sum
                }
                None => {
                    let byte = |i: i64| memory.get(&(at + i)).copied().unwrap_or(0);
                    let value = (0..width).fold(0, |value, i| value | byte(i) << (8 * i));
                    // All that is written is small.
                    sum * 16 + (value << (64 - 8 * width) >> (64 - 8 * width))
                }
            }
        })
    }
}

fn returned(test: &Value) -> Option<i64> {
    let digits = test["observed"]["returned"][0]["bytes"].as_str()?;
    let bytes = (0..8).rev().map(|at| u64::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("digits"));
    Some(bytes.fold(0, |high, byte| high << 8 | byte) as i64)
}

/// What a function returns on all paths where no pointer is null, and how many paths there are.
fn results(source: &str, options: &[&str]) -> (BTreeSet<i64>, u64) {
    let scene = Scene::new(&[("f.c", source)]);
    let output = scene.run(&[&["run", "f.c", "--entry", "f", "--out", "out"], options].concat());
    assert_eq!(output.end, End::Exited(0), "{source}{}", output.stderr_text());
    let summary = scene.json("out/summary.json");
    assert_eq!(summary["exhausted"], true, "{source}");
    assert_eq!(summary["divergences"], 0, "{source}");
    let found = scene.tests("out").iter().filter_map(returned).filter(|&it| it != NULL).collect();
    (found, summary["paths"].as_u64().expect("a number"))
}

#[test]
fn functions_return_what_they_return_for_all_placements() {
    for seed in 1..=N_PROGRAMS {
        let function = Function::random(seed);
        let source = function.source();
        let (found, _) = results(&source, &["--no-replay"]);
        let [allowed, _] = placements(&function.types);
        let expected: BTreeSet<i64> = allowed.iter().map(|places| function.result(places)).collect();
        assert_eq!(found, expected, "seed {seed}:\n{source}");
    }
}

#[test]
fn one_path_stands_for_all_placements_with_a_result() {
    // The last has two numbers at different places of one structure.
    for seed in (1..=N_SOLVED).chain([28]) {
        let function = Function::random(seed);
        let [allowed, others] = placements(&function.types)
            .map(|placements| placements.iter().map(|places| function.result(places)).collect::<BTreeSet<i64>>());
        let all: BTreeSet<i64> = allowed.iter().copied().chain(others.into_iter().take(20)).collect();
        let source = function.probing(&all);
        let (found, n_paths) = results(&source, &["--heap", "maps", "--no-replay"]);
        assert_eq!(found, allowed, "seed {seed}:\n{source}");
        let n_nulls = function.types.len() as u64;
        assert_eq!(n_paths, n_nulls + allowed.len() as u64, "seed {seed}:\n{source}");
    }
}

#[test]
fn what_was_there_in_the_beginning_is_read_as_with_decisions() {
    for seed in 100..100 + N_COMPARED {
        let function = Function::random(seed);
        let source = function.comparing();
        // Native runs of a few are enough.
        let replay: &[&str] = if seed % 4 == 0 { &[] } else { &["--no-replay"] };
        let (decided, n_decided) = results(&source, &["--heap", "graph", "--no-replay"]);
        let (solved, n_solved) = results(&source, &[&["--heap", "maps"], replay].concat());
        assert_eq!(solved, decided, "seed {seed}:\n{source}");
        assert!(n_solved <= n_decided, "{n_solved} paths instead of {n_decided}, seed {seed}:\n{source}");
    }
}

#[test]
fn an_adversary_may_lay_anything_over_anything() {
    let functions = (1..=N_ANY).map(Function::random).filter(|function| function.types.len() == 2);
    for function in functions {
        let expected = function.results_by_bytes();
        let (decided, probing) = (function.source(), function.probing(&expected));
        for (source, heap) in [(&decided, "graph"), (&probing, "maps")] {
            let (found, _) = results(source, &["--overlap", "any", "--heap", heap, "--no-replay"]);
            assert_eq!(found, expected, "{heap}:\n{source}");
        }
    }
}
