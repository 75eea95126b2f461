//! Random rules for random types, and functions that walk over such heaps: each test is given a heap that keeps all rules by their definition, what
//! it shows happens natively, and whatever a function does with a small heap that keeps the rules, some test does.
//!
//! More than by default: `HEAPS_FROM=100 HEAPS_SETS=1000 cargo test --release -p spelunk-tests --test heaps`.

mod graph;
mod rules;
mod types;
mod walks;

use fastrand::Rng;
use graph::{Graph, Small};
use rules::Rule;
use serde_json::json;
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;
use std::collections::{BTreeMap, BTreeSet};
use types::Types;
use walks::Walk;

/// So many functions have the same rules.
const N_WALKS: usize = 3;
const MAX_OF_TYPE: usize = 2;
/// So many heaps are tried.
const N_TRIED: usize = 3_000;

/// The first of these have found something.
const USUAL: [u64; 10] = [10, 11, 15, 24, 34, 35, 84, 1, 2, 3];

/// Rules, and what walks over heaps that keep them.
struct Set {
    types: Types,
    rules: Vec<Rule>,
    walks: Vec<Walk>,
    /// By walk, the lines of its statements.
    lines: Vec<Vec<usize>>,
    /// Heaps that keep all rules.
    heaps: Vec<Graph>,
    source: String,
    text: String,
}

impl Set {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let types = Types::random(&mut rng);
        let rules = rules::random(&types, &mut rng);
        let walks: Vec<Walk> = (0..N_WALKS).map(|_| Walk::random(&types, &mut rng)).collect();
        let mut source = types.declarations();
        let print = |(number, walk): (usize, &Walk)| walk.print(&types, &format!("walk{number}"), &mut source);
        let lines = walks.iter().enumerate().map(print).collect();
        let text = rules.iter().map(|rule| format!("{rule}\n")).collect();
        let mut heaps = Vec::new();
        let mut small = Small { types: &types, max_of_type: MAX_OF_TYPE, rng };
        small.visit(N_TRIED, |graph| {
            if rules::are_kept(&rules, &types, graph) {
                heaps.push(graph.clone());
            }
        });
        Self { types, rules, walks, lines, heaps, source, text }
    }

    /// How many of the walks could be compared.
    fn explore(&self, seed: u64) -> Result<usize, String> {
        let mut n_compared = 0;
        let scene = Scene::new(&[("p.c", &self.source), ("r.hex", &self.text)]);
        let limits = self.types.types.iter().map(|ty| format!("--objects={}={MAX_OF_TYPE}", ty.name));
        let mut args: Vec<String> = ["run", "p.c", "--hex", "r.hex", "--out", "out"].map(str::to_owned).into();
        args.extend(limits);
        args.extend(seed.is_multiple_of(2).then(|| "--heap=lazy".to_owned()));
        for (number, walk) in self.walks.iter().enumerate() {
            let out = format!("out{number}");
            let entry = format!("walk{number}");
            let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
            args[5] = &out;
            args.extend(["--entry", &entry]);
            let output = scene.run(&args);
            let printed = output.stdout_text() + &output.stderr_text();
            if printed.contains("nothing satisfies") {
                return match self.heaps.first() {
                    Some(heap) => Err(format!("{heap:?} keeps the rules: {printed}")),
                    None => Ok(n_compared),
                };
            }
            if !matches!(output.end, End::Exited(_)) || !scene.path(&out).exists() {
                return Err(printed);
            }
            let compared = self.compare(walk, &self.lines[number], &scene, &out);
            n_compared += usize::from(compared.map_err(|error| format!("{entry}: {error}\n{printed}"))?);
        }
        Ok(n_compared)
    }

    /// Whether everything could be compared.
    fn compare(&self, walk: &Walk, lines: &[usize], scene: &Scene, out: &str) -> Result<bool, String> {
        let summary = scene.json(&format!("{out}/summary.json"));
        if summary["divergences"] != 0 {
            return Err(format!("{} divergences", summary["divergences"]));
        }
        let replay = &summary["replay"];
        let is_as_predicted = replay["unconfirmed"] == 0 && replay["mismatches"] == json!([]);
        if summary["tests"] != 0 && !(is_as_predicted && replay["problem"].is_null()) {
            return Err(format!("natively: {replay}"));
        }
        // Paths without a valid input may be among those that were found; it says so.
        let ledger = summary["ledger"].as_array().expect("a list");
        if ledger.iter().any(|line| line["kind"] == "unchecked-rules") {
            return Ok(false);
        }
        let mut done = BTreeSet::new();
        for (number, test) in scene.tests(out).iter().enumerate() {
            let graph = Graph::of_test(&self.types, test);
            // If nothing keeps the rules in all orders, what keeps them in one will do.
            if !self.heaps.is_empty() && !rules::are_kept(&self.rules, &self.types, &graph) {
                return Err(format!("test {}: {graph:?} does not keep the rules", number + 1));
            }
            let (did, _) = walk.walk(&self.types, &graph);
            let line = (test["end"]["kind"] == "bug").then(|| test["end"]["line"].as_u64()).flatten();
            if line != did.failed_at.map(|number| lines[number] as u64) {
                return Err(format!("test {} ends in line {line:?}, {did:?}", number + 1));
            }
            done.insert(did);
        }
        for graph in &self.heaps {
            let (did, is_inside_first) = walk.walk(&self.types, graph);
            if !is_inside_first && !done.contains(&did) {
                return Err(format!("no test does {did:?}, which {graph:?} does"));
            }
        }
        Ok(true)
    }
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn random_rules_are_kept_and_nothing_is_left_out() {
    let seeds = match setting("HEAPS_SETS") {
        Some(n) => (setting("HEAPS_FROM").unwrap_or(1)..).take(n as usize).collect(),
        None => USUAL.to_vec(),
    };
    let (mut n_compared, mut failures) = (0, BTreeMap::new());
    for &seed in &seeds {
        let set = Set::new(seed);
        match set.explore(seed) {
            Ok(n) => n_compared += n,
            Err(error) => {
                eprintln!("seed {seed}: {error}\n{}\n{}", set.text, set.source);
                failures.insert(seed, error.lines().next().unwrap_or_default().to_owned());
            }
        }
    }
    eprintln!("{n_compared} functions compared");
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(n_compared >= seeds.len(), "{n_compared} functions of {} rule sets could be compared", seeds.len());
}
