//! Random rules, and whether a complete heap keeps them: Definitions 3.2 and 3.4 of the HEX paper, read literally, as sets of words on all spanning trees.

use crate::graph::{Graph, Reference, Target};
use crate::types::{Part, Pointer, Steps, Types};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::fmt;

pub struct Rule {
    /// The type of `in`.
    anchor: Option<String>,
    /// One of them holds; or does not, if it is negated.
    literals: Vec<(bool, Atom)>,
}

struct Atom {
    subject: Path,
    verb: Verb,
}

enum Verb {
    NotNull,
    IsNull,
    ExpandsToNothing,
    AliasesNothing,
    Is(Path),
    Aliases(Path),
    AliasesMax(Path),
}

struct Path {
    is_from_this: bool,
    words: Words,
}

enum Words {
    Any,
    One(Steps),
    All(Vec<Words>),
    Either(Vec<Words>),
    Repeated(Box<Words>, char),
}

/// Where a path begins.
#[derive(Clone, Copy)]
enum Start {
    Roots,
    This(usize),
}

struct Maker<'a> {
    types: &'a Types,
    rng: &'a mut Rng,
}

pub fn random(types: &Types, rng: &mut Rng) -> Vec<Rule> {
    (0..rng.usize(1..=4)).map(|_| Maker { types, rng }.rule()).collect()
}

impl Maker<'_> {
    fn rule(&mut self) -> Rule {
        let start = match self.rng.bool() {
            true => Start::Roots,
            false => Start::This(self.rng.usize(..self.types.types.len())),
        };
        let n_literals = if self.rng.u8(..3) == 0 { 2 } else { 1 };
        let literals = (0..n_literals).map(|_| (self.rng.u8(..12) > 0, self.atom(start))).collect();
        let anchor = match start {
            Start::Roots => None,
            Start::This(ty) => Some(self.types.types[ty].name.clone()),
        };
        Rule { anchor, literals }
    }

    fn atom(&mut self, start: Start) -> Atom {
        let subject = self.subject(start);
        let verb = match self.rng.u8(..10) {
            0 | 1 => Verb::NotNull,
            2 => Verb::IsNull,
            3 => Verb::ExpandsToNothing,
            4 | 5 => Verb::AliasesNothing,
            6 => Verb::Is(self.object(start)),
            7 => Verb::Aliases(self.object(start)),
            _ => Verb::AliasesMax(self.object(start)),
        };
        Atom { subject, verb }
    }

    fn subject(&mut self, start: Start) -> Path {
        if matches!(start, Start::Roots) && self.rng.u8(..10) == 0 {
            return Path { is_from_this: false, words: Words::Any };
        }
        let (words, _) = self.way(start, true);
        Path { is_from_this: matches!(start, Start::This(_)), words: Words::All(words) }
    }

    fn object(&mut self, start: Start) -> Path {
        let start = if self.rng.u8(..3) == 0 { Start::Roots } else { start };
        let (mut words, ty) = self.way(start, false);
        if let Some(part) = self.rng.choice(&self.types.types[ty].parts).filter(|_| self.rng.bool()) {
            words.push(Words::One(part.steps.clone()));
        }
        Path { is_from_this: matches!(start, Start::This(_)), words: Words::All(words) }
    }

    /// A way through pointers, and the type that it leads to.
    fn way(&mut self, start: Start, is_subject: bool) -> (Vec<Words>, usize) {
        let (mut words, mut ty) = match start {
            Start::This(ty) => (Vec::new(), ty),
            Start::Roots => {
                let (name, ty) = self.types.roots[self.rng.usize(..self.types.roots.len())];
                let alike = self.types.roots.iter().filter(|root| root.1 == ty);
                let all: Vec<Words> = alike.map(|root| Words::One(vec![root.0.to_owned()])).collect();
                let is_all = all.len() > 1 && self.rng.bool();
                (vec![if is_all { Words::Either(all) } else { Words::One(vec![name.to_owned()]) }], ty)
            }
        };
        for number in 0..self.rng.usize(0..=2).max((is_subject && words.is_empty()) as usize) {
            let pointers = &self.types.types[ty].pointers;
            let Pointer { steps, to, .. } = &pointers[self.rng.usize(..pointers.len())];
            let mut one = Words::One(steps.clone());
            if *to == ty && self.rng.bool() {
                let others = pointers.iter().filter(|it| it.to == ty).map(|it| Words::One(it.steps.clone()));
                if self.rng.bool() {
                    one = Words::Either(others.collect());
                }
                // What begins at `this` is not to end there.
                let signs = if is_subject && words.is_empty() && number == 0 { &['+'][..] } else { &['*', '+', '?'] };
                one = Words::Repeated(Box::new(one), signs[self.rng.usize(..signs.len())]);
            }
            words.push(one);
            ty = *to;
        }
        (words, ty)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let literal = |(holds, atom): &(bool, Atom)| if *holds { atom.to_string() } else { format!("not ({atom})") };
        let clause = self.literals.iter().map(literal).collect::<Vec<_>>().join(" or ");
        match &self.anchor {
            Some(ty) => write!(f, "in {ty} {{ {clause} }}"),
            None => f.write_str(&clause),
        }
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.subject)?;
        match &self.verb {
            Verb::NotNull => f.write_str("not null"),
            Verb::IsNull => f.write_str("is null"),
            Verb::ExpandsToNothing => f.write_str("expands to nothing"),
            Verb::AliasesNothing => f.write_str("aliases nothing"),
            Verb::Is(path) => write!(f, "is {path}"),
            Verb::Aliases(path) => write!(f, "aliases {path}"),
            Verb::AliasesMax(path) => write!(f, "aliases max {path}"),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_from_this { "this" } else { "" }, self.words)
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Words::Any => f.write_str("any"),
            Words::One(steps) => f.write_str(&steps.concat()),
            Words::All(all) => all.iter().try_for_each(|it| write!(f, "{it}")),
            Words::Either(all) => {
                let all: Vec<String> = all.iter().map(Words::to_string).collect();
                write!(f, "({})", all.join("|"))
            }
            Words::Repeated(one, sign) => write!(f, "({one}){sign}"),
        }
    }
}

impl Words {
    /// Where in a word one of these can end that begins at `at`.
    fn ends(&self, word: &[String], at: usize) -> BTreeSet<usize> {
        match self {
            Words::Any => (at..=word.len()).collect(),
            Words::One(steps) => word[at..].starts_with(steps).then_some(at + steps.len()).into_iter().collect(),
            Words::All(all) => all
                .iter()
                .fold(BTreeSet::from([at]), |ends, one| ends.into_iter().flat_map(|end| one.ends(word, end)).collect()),
            Words::Either(all) => all.iter().flat_map(|one| one.ends(word, at)).collect(),
            Words::Repeated(one, sign) => {
                let mut ends = one.ends(word, at);
                for _ in 0..if *sign == '?' { 0 } else { word.len() } {
                    ends.extend(ends.clone().into_iter().flat_map(|end| one.ends(word, end)));
                }
                ends.extend((*sign != '+').then_some(at));
                ends
            }
        }
    }

    fn contains(&self, word: &[String]) -> bool {
        self.ends(word, 0).contains(&word.len())
    }
}

/// A heap with one of its backbones: by object, the pointer that leads to it.
struct Tree<'a> {
    types: &'a Types,
    graph: &'a Graph,
    holders: Vec<Reference>,
}

impl Tree<'_> {
    /// The word from `base` (or the parameters) to steps in an object.
    fn word(&self, base: Option<Target>, object: usize, steps: &[String]) -> Option<Steps> {
        if let Some(base) = base.filter(|base| base.object == object) {
            let before = base.part.map_or(&[][..], |part| &self.part(object, part).steps);
            return steps.strip_prefix(before).map(<[String]>::to_vec);
        }
        let mut word = self.word_of(base, self.holders[object])?;
        word.extend_from_slice(steps);
        Some(word)
    }

    fn word_of(&self, base: Option<Target>, reference: Reference) -> Option<Steps> {
        match reference {
            Reference::Root(root) => base.is_none().then(|| vec![self.types.roots[root].0.to_owned()]),
            Reference::In(object, pointer) => {
                let ty = &self.types.types[self.graph.objects[object].ty];
                self.word(base, object, &ty.pointers[pointer].steps)
            }
        }
    }

    fn part(&self, object: usize, part: usize) -> &Part {
        &self.types.types[self.graph.objects[object].ty].parts[part]
    }

    /// All objects, and the structs in them.
    fn places(&self) -> Vec<Target> {
        let of = |(object, it): (usize, &crate::graph::Object)| {
            let parts = (0..self.types.types[it.ty].parts.len()).map(Some);
            [None].into_iter().chain(parts).map(move |part| Target { object, part }).collect::<Vec<_>>()
        };
        self.graph.objects.iter().enumerate().flat_map(of).collect()
    }

    fn type_of(&self, place: Target) -> usize {
        place.part.map_or(self.graph.objects[place.object].ty, |part| self.part(place.object, part).ty)
    }

    fn targets(&self, base: Option<Target>, path: &Path) -> Vec<(Steps, Target)> {
        let base = base.filter(|_| path.is_from_this);
        let word = |place: Target| {
            let steps = place.part.map_or(&[][..], |part| &self.part(place.object, part).steps);
            Some((self.word(base, place.object, steps)?, place))
        };
        self.places().into_iter().filter_map(word).filter(|(word, _)| path.words.contains(word)).collect()
    }

    fn atom(&self, atom: &Atom, base: Option<Target>) -> bool {
        let is_meant = |reference: &Reference| {
            self.word_of(base, *reference).is_some_and(|word| atom.subject.words.contains(&word))
        };
        self.graph.references().filter(is_meant).all(|reference| {
            let target = self.graph.target(reference);
            let is_new = |it: &Target| it.part.is_none() && self.holders[it.object] == reference;
            let alias = target.filter(|it| !is_new(it));
            let is_among = |all: &[(Steps, Target)]| alias.is_none_or(|alias| all.iter().any(|it| it.1 == alias));
            match &atom.verb {
                Verb::NotNull => target.is_some(),
                Verb::IsNull => target.is_none(),
                Verb::ExpandsToNothing => target.is_none() || alias.is_some(),
                Verb::AliasesNothing => alias.is_none(),
                Verb::Is(path) => alias.is_some() && is_among(&self.targets(base, path)),
                Verb::Aliases(path) => is_among(&self.targets(base, path)),
                Verb::AliasesMax(path) => {
                    let all = self.targets(base, path);
                    let goes_on = |word: &Steps| all.iter().any(|it| it.0.len() > word.len() && it.0.starts_with(word));
                    is_among(&all.iter().filter(|it| !goes_on(&it.0)).cloned().collect::<Vec<_>>())
                }
            }
        })
    }

    fn keeps(&self, rule: &Rule) -> bool {
        let bases = match &rule.anchor {
            None => vec![None],
            Some(name) => {
                let of_type = |place: &Target| self.types.types[self.type_of(*place)].name == *name;
                self.places().into_iter().filter(of_type).map(Some).collect()
            }
        };
        let holds = |base: Option<Target>| rule.literals.iter().any(|(is, atom)| self.atom(atom, base) == *is);
        bases.into_iter().all(holds)
    }
}

/// Whether a heap keeps all rules, in whichever order it is visited. No visit comes to an object by way of a struct in it.
pub fn are_kept(rules: &[Rule], types: &Types, graph: &Graph) -> bool {
    let leads_to =
        |reference: &Reference, object: usize| graph.target(*reference) == Some(Target { object, part: None });
    let mut all: Vec<Vec<Reference>> = vec![Vec::new()];
    for object in 0..graph.objects.len() {
        let incoming: Vec<Reference> = graph.references().filter(|it| leads_to(it, object)).collect();
        let with =
            |tree: Vec<Reference>| incoming.iter().map(move |it| [&tree[..], &[*it]].concat()).collect::<Vec<_>>();
        all = all.into_iter().flat_map(with).collect();
    }
    let is_tree = |holders: &Vec<Reference>| {
        let up = |object: &usize| match holders[*object] {
            Reference::Root(_) => None,
            Reference::In(object, _) => Some(object),
        };
        let n = holders.len();
        (0..n).all(|object| std::iter::successors(Some(object), up).take(n + 1).count() <= n)
    };
    let trees: Vec<_> = all.into_iter().filter(is_tree).collect();
    let is_kept = |holders: &Vec<Reference>| {
        let tree = Tree { types, graph, holders: holders.clone() };
        rules.iter().all(|rule| tree.keeps(rule))
    };
    !trees.is_empty() && trees.iter().all(is_kept)
}
