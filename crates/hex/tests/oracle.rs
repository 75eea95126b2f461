//! Random rules on random heaps, against Definitions 3.2 and 3.4 of the HEX paper read literally: sets of words on spanning trees, no automata.
//!
//! Paths to null are no paths of a backbone here, and the records in an object have paths of their own.

mod common;

use common::types;
use proptest::prelude::*;
use proptest::sample::select;
use spelunk_hex::{Choice, Heap, ObjIx, Source, Spec, Spot, Types, Violation};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn table() -> Types {
    types(
        &[
            "struct node: .a struct node, .b struct node",
            "struct big: .n struct node, .in = struct node, .in.a struct node, .in.b struct node",
        ],
        &["x struct big *", "y struct node *"],
    )
}

/// Words are sequences of these: `x`, `.a`.
type Word = Vec<String>;

enum Rx {
    Sym(String),
    Any,
    Seq(Vec<Rx>),
    Or(Vec<Rx>),
    Repeat(Box<Rx>, char),
}

impl Rx {
    fn parse(text: &str) -> Rx {
        let mut chars = text.chars().peekable();
        let rx = Rx::alternatives(&mut chars);
        assert!(chars.next().is_none(), "{text}");
        rx
    }

    fn alternatives(chars: &mut std::iter::Peekable<std::str::Chars>) -> Rx {
        let mut all = vec![];
        loop {
            let mut seq = vec![];
            while let Some(c) = chars.peek().copied().filter(|c| !"|)".contains(*c)) {
                chars.next();
                let mut one = if c == '(' {
                    let inner = Rx::alternatives(chars);
                    assert_eq!(chars.next(), Some(')'));
                    inner
                } else {
                    let mut name = String::from(c);
                    while let Some(c) = chars.next_if(|c| c.is_alphanumeric()) {
                        name.push(c);
                    }
                    match name.as_str() {
                        "this" => Rx::Seq(vec![]),
                        "any" => Rx::Any,
                        _ => Rx::Sym(name),
                    }
                };
                while let Some(sign) = chars.next_if(|c| "*+?".contains(*c)) {
                    one = Rx::Repeat(Box::new(one), sign);
                }
                seq.push(one);
            }
            all.push(Rx::Seq(seq));
            if chars.next_if_eq(&'|').is_none() {
                return Rx::Or(all);
            }
        }
    }

    /// Where words that start at `at` can end.
    fn ends(&self, word: &[String], at: usize) -> BTreeSet<usize> {
        match self {
            Rx::Any => (at..=word.len()).collect(),
            Rx::Sym(s) => {
                if word.get(at) == Some(s) {
                    BTreeSet::from([at + 1])
                } else {
                    BTreeSet::new()
                }
            }
            Rx::Seq(all) => all
                .iter()
                .fold(BTreeSet::from([at]), |ats, one| ats.into_iter().flat_map(|at| one.ends(word, at)).collect()),
            Rx::Or(all) => all.iter().flat_map(|one| one.ends(word, at)).collect(),
            Rx::Repeat(one, sign) => {
                let mut found = one.ends(word, at);
                if *sign != '?' {
                    loop {
                        let more: BTreeSet<_> = found.iter().flat_map(|at| one.ends(word, *at)).collect();
                        let before = found.len();
                        found.extend(more);
                        if found.len() == before {
                            break;
                        }
                    }
                }
                if *sign != '+' {
                    found.insert(at);
                }
                found
            }
        }
    }

    fn matches(&self, word: &[String]) -> bool {
        self.ends(word, 0).contains(&word.len())
    }
}

#[derive(Clone, Debug)]
struct Rule {
    anchor: Option<&'static str>,
    /// One of them holds; or does not, if it is negated.
    literals: Vec<(bool, Atom)>,
}

#[derive(Clone, Debug)]
struct Atom {
    subject: String,
    verb: &'static str,
    object: String,
}

impl Rule {
    fn text(&self) -> String {
        let literal = |(holds, a): &(bool, Atom)| {
            let atom = format!("{} {} {}", a.subject, a.verb, a.object);
            if *holds { atom } else { format!("not ({atom})") }
        };
        let clause = self.literals.iter().map(literal).collect::<Vec<_>>().join(" or ");
        self.anchor.map_or(clause.clone(), |ty| format!("in {ty} {{ {clause} }}"))
    }
}

/// A complete or partial graph with one of its backbones.
struct Graph<'a> {
    heap: &'a Heap,
    holders: BTreeMap<ObjIx, (ObjIx, usize)>,
}

impl Graph<'_> {
    fn of(heap: &Heap) -> Graph<'_> {
        let holders = heap.objects().filter_map(|o| Some((o, heap.holder(o)?))).collect();
        Graph { heap, holders }
    }

    fn types(&self) -> &Types {
        self.heap.spec().types()
    }

    fn steps(steps: &[spelunk_hex::Step]) -> Word {
        steps.iter().map(|s| s.to_string()).collect()
    }

    fn ty(&self, object: ObjIx) -> &spelunk_hex::Type {
        self.types().get(self.heap.type_of(object))
    }

    /// The steps of `whole` in an object, from a place in it.
    fn within(&self, object: ObjIx, base: Spot, whole: &[spelunk_hex::Step]) -> Option<Word> {
        let before = base.part.map_or(&[][..], |p| &self.ty(object).parts[p as usize].steps);
        whole.strip_prefix(before).map(Graph::steps)
    }

    /// The word from `base` (or the roots) to steps in an object.
    fn word(&self, base: Option<Spot>, object: ObjIx, steps: &[spelunk_hex::Step]) -> Option<Word> {
        if let Some(base) = base.filter(|b| b.object == object) {
            return self.within(object, base, steps);
        }
        let mut word = match self.holders.get(&object) {
            Some((holder, r)) => self.word(base, *holder, &self.ty(*holder).refs[*r].steps)?,
            None if base.is_some() => return None,
            None => vec![self.types().roots[object.0 as usize].name.clone()],
        };
        word.extend(Graph::steps(steps));
        Some(word)
    }

    /// Objects that can be pointed to, with their records.
    fn places(&self) -> Vec<Spot> {
        let objects = self.heap.objects().filter(|o| self.holders.contains_key(o));
        objects
            .flat_map(|object| {
                let parts = (0..self.ty(object).parts.len()).map(|p| Some(p as u16));
                [None].into_iter().chain(parts).map(move |part| Spot { object, part })
            })
            .collect()
    }

    fn place_word(&self, base: Option<Spot>, place: Spot) -> Option<Word> {
        let steps = place.part.map_or(&[][..], |p| &self.ty(place.object).parts[p as usize].steps);
        self.word(base, place.object, steps)
    }

    /// The words of an expression that lead to places.
    fn targets(&self, base: Option<Spot>, path: &str) -> Vec<(Word, Spot)> {
        let is_from_root = path.starts_with(['x', 'y', '(']) && !path.starts_with("(.") || path.starts_with("any");
        let base = base.filter(|_| !is_from_root);
        let rx = Rx::parse(path);
        let words = self.places().into_iter().filter_map(|p| Some((self.place_word(base, p)?, p)));
        words.filter(|(w, _)| rx.matches(w)).collect()
    }

    fn atom(&self, atom: &Atom, base: Option<Spot>) -> bool {
        let rx = Rx::parse(&atom.subject);
        let mut holds = true;
        for object in self.heap.objects() {
            for (r, reference) in self.ty(object).refs.iter().enumerate() {
                let Some(choice) = self.heap.decided(object, r) else { continue };
                let Some(word) = self.word(base, object, &reference.steps) else { continue };
                if !rx.matches(&word) {
                    continue;
                }
                let target = self.heap.target(object, r);
                let is_alias = target.is_some_and(|t| self.holders.get(&t.object) != Some(&(object, r)));
                let is_null = choice == Choice::Null;
                let is_expansion = !is_null && !is_alias;
                let aliases =
                    |accepted: Vec<(Word, Spot)>| !is_alias || accepted.iter().any(|(_, p)| Some(*p) == target);
                holds &= match atom.verb {
                    "not null" => !is_null,
                    "is null" => is_null,
                    "expands to" => !is_expansion || atom.object != "nothing",
                    "aliases" if atom.object == "nothing" => !is_alias,
                    "aliases" => aliases(self.targets(base, &atom.object)),
                    "is" => is_alias && aliases(self.targets(base, &atom.object)),
                    "aliases max" => {
                        let all = self.targets(base, &atom.object);
                        let is_max = |w: &Word| all.iter().all(|(v, _)| v.len() <= w.len() || !v.starts_with(w));
                        aliases(all.iter().filter(|(w, _)| is_max(w)).cloned().collect())
                    }
                    _ => unreachable!(),
                };
            }
        }
        holds
    }

    /// Whether a rule holds; while something is undecided, what is to fail still may.
    fn holds(&self, rule: &Rule, is_complete: bool) -> bool {
        let bases: Vec<Option<Spot>> = match rule.anchor {
            None => vec![None],
            Some(name) => {
                let ty = self.types().find(name).unwrap();
                let of = |p: &Spot| {
                    let whole = self.heap.type_of(p.object);
                    p.part.map_or(whole, |i| self.types().get(whole).parts[i as usize].ty) == ty
                };
                self.places().into_iter().filter(of).map(Some).collect()
            }
        };
        bases.into_iter().all(|base| {
            rule.literals.iter().any(|(holds, atom)| match holds {
                true => self.atom(atom, base),
                false => !is_complete || !self.atom(atom, base),
            })
        })
    }

    fn all_hold(&self, rules: &[Rule]) -> bool {
        let is_complete = self.heap.undecided().next().is_none();
        rules.iter().all(|r| self.holds(r, is_complete))
    }
}

/// Whether all rules hold on all spanning trees. A visit does not come to an object by way of a record in it.
fn hold_on_all_backbones(heap: &Heap, rules: &[Rule]) -> bool {
    let mut trees = vec![BTreeMap::new()];
    for object in heap.objects().filter(|o| heap.holder(*o).is_some()) {
        let mut incoming = vec![];
        for from in heap.objects() {
            for r in 0..heap.spec().types().get(heap.type_of(from)).refs.len() {
                if heap.target(from, r) == Some(Spot { object, part: None }) {
                    incoming.push((from, r));
                }
            }
        }
        let extended = trees.into_iter().flat_map(|t: BTreeMap<ObjIx, (ObjIx, usize)>| {
            incoming
                .iter()
                .map(|i| {
                    let mut t = t.clone();
                    t.insert(object, *i);
                    t
                })
                .collect::<Vec<_>>()
        });
        trees = extended.collect();
    }
    let is_tree = |t: &BTreeMap<ObjIx, (ObjIx, usize)>| {
        t.keys().all(|o| {
            let up = std::iter::successors(Some(*o), |o| t.get(o).map(|(h, _)| *h));
            up.take(20).any(|o| !t.contains_key(&o))
        })
    };
    trees.into_iter().filter(is_tree).all(|holders| Graph { heap, holders }.all_hold(rules))
}

fn atom(subjects: Vec<String>, objects: Vec<String>) -> impl Strategy<Value = Atom> {
    let plain = select(vec![("not null", ""), ("is null", ""), ("expands to", "nothing"), ("aliases", "nothing")]);
    let related = (select(vec!["is", "aliases", "aliases max", "aliases max"]), select(objects));
    let verb = prop_oneof![plain.prop_map(|(v, o)| (v, o.to_string())), related.prop_map(|(v, o)| (v, o)),];
    (select(subjects), verb).prop_map(|(subject, (verb, object))| Atom { subject, verb, object })
}

const TAILS: [&str; 8] = ["", ".a", ".b", "(.a)*", "(.a|.b)+", "(.a.b)?", ".a(.b)*", "(.b)+.a"];

fn paths(bases: &[&str]) -> Vec<String> {
    bases.iter().flat_map(|b| TAILS.iter().map(move |t| format!("{b}{t}"))).filter(|p| !p.is_empty()).collect()
}

fn rule() -> impl Strategy<Value = Rule> {
    let from_roots = ["y", "x.n", "(y|x.n)", "x.in.a"];
    let targets = [&from_roots[..], &["x.in"]].concat();
    let subjects = [paths(&from_roots), vec!["x".into(), "any".into(), "any.a".into()]].concat();
    let in_node: Vec<String> =
        paths(&[""]).into_iter().filter(|p| !p.ends_with('?') && !p.ends_with('*') || p.starts_with(".a")).collect();
    let in_node_targets = [paths(&["this"]), paths(&["y", "x.in"])].concat();
    let in_big = paths(&[".n", ".in.a", ".in.b"]);
    let in_big_targets = [paths(&["this.in", ".n"]), vec!["this".into(), "y".into()]].concat();
    let literals = |a: BoxedStrategy<Atom>| prop::collection::vec((prop::bool::weighted(0.8), a), 1..3);
    prop_oneof![
        2 => literals(atom(subjects, paths(&targets)).boxed()).prop_map(|literals| Rule { anchor: None, literals }),
        1 => literals(atom(in_node, in_node_targets).boxed()).prop_map(|literals| Rule { anchor: Some("struct node"), literals }),
        1 => literals(atom(in_big, in_big_targets).boxed()).prop_map(|literals| Rule { anchor: Some("struct big"), literals }),
    ]
}

const MAX_OBJECTS: usize = 2 + 4;

/// A valid complete heap of at most `n` objects beside the inputs, by trying all; if asked for, one that is valid in whichever order its
/// pointers are used.
fn find_model(types: &Types, rules: &[Rule], n: usize, in_every_order: bool) -> Option<Heap> {
    let plain = Arc::new(Spec::without_rules(types));
    let mut open = vec![Heap::new(&plain)];
    while let Some(heap) = open.pop() {
        let Some((object, r)) = heap.undecided().next() else {
            if Graph::of(&heap).all_hold(rules) && (!in_every_order || hold_on_all_backbones(&heap, rules)) {
                return Some(heap);
            }
            continue;
        };
        for choice in heap.candidates(object, r) {
            if matches!(choice, Choice::Expand { .. }) && heap.n_objects() >= 2 + n {
                continue;
            }
            let mut next = heap.clone();
            next.decide(object, r, choice);
            if Graph::of(&next).all_hold(rules) || next.undecided().next().is_none() {
                open.push(next);
            }
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn automata_agree_with_the_definitions(
        rules in prop::collection::vec(rule(), 1..5),
        picks in prop::collection::vec((any::<u16>(), any::<u16>()), 20),
    ) {
        let types = table();
        // The last rule always holds, and reaches everything: all pointers are lazy.
        let text = rules.iter().map(Rule::text).collect::<Vec<_>>().join("\n") + "\nif any not null then any not null";
        let spec = match Spec::parse(&[Source::new("random.hex", &*text)], &types) {
            Ok(spec) => Arc::new(spec),
            Err(errors) => {
                let in_every_order = errors[0].message.contains("no heap keeps this rule");
                prop_assert!(in_every_order || errors[0].message.contains("nothing satisfies"), "{text}\n{}", errors[0]);
                let model = find_model(&types, &rules, 1, in_every_order);
                prop_assert!(model.is_none(), "{text}\nis satisfied by {model:?}");
                return Ok(());
            }
        };
        let mut heap = Heap::new(&spec);
        for (which, how) in picks {
            let open: Vec<_> = heap.undecided().collect();
            if open.is_empty() {
                break;
            }
            let (object, r) = open[which as usize % open.len()];
            let mut allowed = vec![];
            for choice in heap.candidates(object, r) {
                let mut next = heap.clone();
                next.decide(object, r, choice);
                let is_refused = heap.check(object, r, choice).is_err();
                // What needs something broken may be unmet in the end, which is no refusal.
                let literally = rules.iter().all(|rule| Graph::of(&next).holds(rule, false));
                prop_assert_eq!(!is_refused, literally, "{}\n{:?} for {}", text, choice, heap.path_of(object, r));
                if !is_refused && (heap.n_objects() < MAX_OBJECTS || !matches!(choice, Choice::Expand { .. })) {
                    allowed.push(next);
                }
            }
            if allowed.is_empty() {
                break;
            }
            heap = allowed.swap_remove(how as usize % allowed.len());
        }
        let expected = hold_on_all_backbones(&heap, &rules);
        match heap.check_backbones(100_000) {
            Ok(()) => prop_assert!(expected || heap.undecided().next().is_none() && !Graph::of(&heap).all_hold(&rules), "{text}\n{heap:?}"),
            Err(Violation::Rule { .. }) => prop_assert!(!expected, "{text}\n{heap:?}"),
            Err(Violation::Unchecked) => {}
        }
        if let Ok(complete) = heap.complete(&mut |_, _, _| None, 3_000) {
            prop_assert!(complete.undecided().next().is_none());
            prop_assert!(Graph::of(&complete).all_hold(&rules), "{text}\n{complete:?}");
        }
    }
}
