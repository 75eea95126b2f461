//! From syntax to a specification: looks names up, turns formulas into clauses, and builds the automata over the graph of types.

use crate::automata::{Alphabet, Builder, Nfa, State};
use crate::diagnostic::{Diagnostic, Position, Severity, Source, Span, suggest};
use crate::heap::ObjIx;
use crate::memo::Memo;
use crate::resolve::{Arrival, Expansions, TypePlace, arrivals, join, type_of};
use crate::spec::{Arg, Atom, Block, Clause, Companion, CompanionId, PathRef, Rule, RuleId, Spec, Verb};
use crate::syntax::{self, Formula, Item, ItemKind, Path, Pattern, PlaceName, Regex, TypeName, show, this_in};
use crate::tables::{explore, layouts};
use crate::types::{RootKind, TypeId, Types, show_steps};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// A block has a bit for each of its atoms and expressions.
const BLOCK: usize = 64;

pub(crate) fn compile(sources: &[Source], types: &Types) -> Result<Spec, Vec<Diagnostic>> {
    let items = crate::parser::parse(sources)?;
    let mut compiler =
        Compiler { sources, types, errors: vec![], expansions: Expansions::default(), paths: vec![], drafts: vec![] };
    for item in &items {
        if let ItemKind::Rule(formula) = &item.kind {
            compiler.collect_named(formula);
        }
    }
    compiler.find_inside(&items);
    compiler.find_silent(&items);
    let (mut rules, mut companions) = (Vec::new(), Vec::new());
    for item in &items {
        let anchor = match &item.anchor {
            None => None,
            Some(name) => match compiler.type_named(name) {
                Some(ty) => Some(ty),
                None => continue,
            },
        };
        let rule = compiler.written(item.span, anchor);
        match &item.kind {
            ItemKind::Rule(formula) => {
                compiler.add_rule(formula, anchor, item.span, RuleId(rules.len() as u32));
                rules.push(rule);
            }
            ItemKind::Companion { path, function, args } => {
                let path = compiler.path(path, anchor, Role::Occasion);
                let args = args.as_ref().map(|args| args.iter().filter_map(|a| compiler.arg(a, anchor)).collect());
                if let Some(path) = path {
                    let block = compiler.room(anchor, 1, 0);
                    let path = compiler.drafts[block].path(path.0);
                    compiler.drafts[block].companions.push((path, CompanionId(companions.len() as u32)));
                }
                companions.push(Companion { function: function.clone(), args, rule });
            }
        }
    }
    if !compiler.errors.is_empty() {
        // One mistake in an `in` is met by each rule of it.
        let mut errors: Vec<Diagnostic> = Vec::new();
        compiler.errors.into_iter().for_each(|e| {
            if !errors.contains(&e) {
                errors.push(e)
            }
        });
        return Err(errors);
    }
    let spans = items.iter().filter(|i| matches!(i.kind, ItemKind::Rule(_))).map(|i| i.span).collect::<Vec<_>>();
    let spec = compiler.finish(rules, companions)?;
    crate::lints::check(spec, sources, &spans)
}

/// The places in other objects that rules let pointers expand to, each with the atom and the anchor of its rule.
pub(crate) fn places_inside(items: &[Item]) -> impl Iterator<Item = (&PlaceName, (&syntax::Atom, &Option<TypeName>))> {
    fn atoms(formula: &Formula) -> Vec<&syntax::Atom> {
        match formula {
            Formula::Atom(atom) => vec![atom],
            Formula::Not(inner) => atoms(inner),
            Formula::Or(all) => all.iter().flat_map(atoms).collect(),
        }
    }
    let rules = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Rule(formula) => Some((formula, &item.anchor)),
        ItemKind::Companion { .. } => None,
    });
    rules.flat_map(|(formula, anchor)| {
        atoms(formula).into_iter().flat_map(move |atom| {
            let places = match &atom.verb {
                syntax::Verb::ExpandsTo(places) => &places[..],
                _ => &[],
            };
            places.iter().filter(|place| !place.steps.is_empty()).map(move |place| (place, (atom, anchor)))
        })
    })
}

/// An expression that was looked up.
struct PathInfo {
    nfa: Nfa,
    anchor: Option<TypeId>,
    /// Without places in the source: the same for the same expression.
    key: String,
}

/// A block in the making. Expressions are numbers of the compiler's table.
#[derive(Default)]
struct Draft {
    anchor: Option<TypeId>,
    paths: Vec<usize>,
    atoms: Vec<Atom>,
    clauses: Vec<Clause>,
    companions: Vec<(u8, CompanionId)>,
}

impl Draft {
    fn path(&mut self, path: usize) -> u8 {
        let known = self.paths.iter().position(|p| *p == path);
        known.unwrap_or_else(|| {
            self.paths.push(path);
            self.paths.len() - 1
        }) as u8
    }

    fn atom(&mut self, atom: Atom) -> usize {
        self.atoms.iter().position(|a| *a == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        })
    }
}

/// What a path is for: to say of which references a rule speaks, or where they may point.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Subject,
    /// Of a companion, which may speak of new objects as well.
    Occasion,
    Target,
}

/// An atom of one meaning, before it has a block.
#[derive(Clone, PartialEq)]
enum Meaning {
    NotNull,
    ExpandsTo(Vec<TypePlace>),
    AliasesNothing,
    AliasesSome(TypeId),
    Aliases(usize),
    AliasesMax(usize),
}

/// (subject, meaning), and whether it is to hold.
type Literal = ((usize, Meaning), bool);

struct Compiler<'a> {
    sources: &'a [Source],
    types: &'a Types,
    errors: Vec<Diagnostic>,
    expansions: Expansions,
    paths: Vec<PathInfo>,
    drafts: Vec<Draft>,
}

impl Compiler<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>, note: Option<String>) {
        let mut error = Diagnostic::new(self.sources, span, Severity::Error, message.into());
        error.note = note;
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    /// A file that says nothing is hardly meant so: nothing would be decided by it.
    fn find_silent(&mut self, items: &[Item]) {
        let speaks = |source: u32| items.iter().any(|item| item.span.source == source);
        for source in (0..self.sources.len() as u32).filter(|&it| !speaks(it)) {
            let note = "write one a line, such as `list(.next)* aliases nothing`";
            self.error(Span { source, ..Span::default() }, "there are no rules here", Some(note.to_owned()));
        }
    }

    fn written(&self, span: Span, anchor: Option<TypeId>) -> Rule {
        let source = &self.sources[span.source as usize];
        let at = Position::of(source, span.start as usize);
        let text = &source.text[span.start as usize..span.end as usize];
        Rule {
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            context: anchor.map(|ty| self.types.get(ty).name.clone()),
            source: source.name.clone(),
            line: at.line,
            column: at.column,
        }
    }

    fn type_named(&mut self, name: &TypeName) -> Option<TypeId> {
        let found = self.types.find(&name.name);
        if found.is_none() {
            let known: Vec<&str> = self
                .types
                .types
                .iter()
                .flat_map(|t| [&t.name].into_iter().chain(&t.aliases))
                .map(String::as_str)
                .collect();
            let with_struct = known.iter().find(|k| k.strip_prefix("struct ") == Some(&name.name)).copied();
            let meant = with_struct.or_else(|| suggest(&name.name, known.iter().copied()));
            let note = meant.map(|k| format!("did you mean `{k}`?"));
            self.error(name.span, format!("no type `{}` among the inputs", name.name), note);
        }
        found
    }

    fn place_named(&mut self, place: &PlaceName) -> Option<TypePlace> {
        let ty = self.type_named(&place.ty)?;
        if place.steps.is_empty() {
            return Some((ty, None));
        }
        let part = self.types.get(ty).parts.iter().position(|p| p.steps == place.steps);
        if part.is_none() {
            let name = &self.types.get(ty).name;
            self.error(place.span, format!("`{}` is no struct that lies in `{name}`", show_steps(&place.steps)), None);
        }
        Some((ty, Some(part? as u16)))
    }

    /// What a `void *` may point to has to be known before its path is followed.
    fn collect_named(&mut self, formula: &Formula) {
        match formula {
            Formula::Not(inner) => self.collect_named(inner),
            Formula::Or(all) => all.iter().for_each(|f| self.collect_named(f)),
            Formula::Atom(atom) => {
                let places = match &atom.verb {
                    syntax::Verb::ExpandsTo(places) => places.iter().filter_map(|p| self.place_named(p)).collect(),
                    syntax::Verb::AliasesSome(name) => self.type_named(name).map(|ty| (ty, None)).into_iter().collect(),
                    _ => Vec::new(),
                };
                let new = places.into_iter().filter(|p| !self.expansions.named.contains(p)).collect::<Vec<_>>();
                self.expansions.named.extend(new);
            }
        }
    }

    /// Which references expand to part of a new object: those that such rules speak of. What leads to them may be another rule's, so that
    /// all are looked at twice.
    fn find_inside(&mut self, items: &[Item]) {
        let before = self.errors.len();
        for is_known in [false, true] {
            let mut inside = BTreeMap::new();
            for (name, (atom, anchor)) in places_inside(items) {
                let anchor = anchor.as_ref().map(|name| self.type_named(name));
                let (Some(place), None | Some(Some(_))) = (self.place_named(name), anchor) else { continue };
                let nfa = Nfa::new(&atom.subject.regex);
                let Ok(found) = arrivals(&nfa, self.types, anchor.flatten(), &self.expansions, Some(place)) else {
                    continue;
                };
                let syntax::Verb::ExpandsTo(places) = &atom.verb else { continue };
                for arrival in found {
                    let Arrival::Ref(ty, i) = arrival else { continue };
                    let reference = &self.types.get(ty).refs[i];
                    if reference.target != Some(type_of(place, self.types)) {
                        continue;
                    }
                    let other = inside.insert((ty, i), place).filter(|other| *other != place);
                    if is_known && (other.is_some() || places.len() > 1) {
                        let way = format!("{}{}", self.types.get(ty).name, show_steps(&reference.steps));
                        let message = format!("`{way}` can't expand to several places");
                        let note = "a member expands to the same place in all objects of its type";
                        self.error(name.span, message, Some(note.into()));
                    }
                }
            }
            self.expansions.inside = inside;
            if !is_known {
                self.errors.truncate(before);
            }
        }
    }

    /// Looks a path up; with what it ends at.
    fn path(&mut self, path: &Path, anchor: Option<TypeId>, role: Role) -> Option<(usize, FxHashSet<Arrival>)> {
        let nfa = Nfa::new(&path.regex);
        let starts: Vec<&Pattern> = nfa.first.iter().map(|p| &nfa.positions[*p as usize].0).collect();
        let has_any = starts.contains(&&Pattern::Anything);
        let is_from_root = has_any || starts.iter().any(|p| p.is_root());
        let this = this_in(&path.regex);
        let mistake = match (anchor, this) {
            (None, Some(this)) => {
                Some((this, "`this` stands for the object of an `in` around the rule; there is none"))
            }
            (Some(_), _) if is_from_root && role != Role::Target => Some((
                path.span,
                "inside of `in`, a rule speaks of references from `this`; write this one outside of it",
            )),
            _ if is_from_root && !has_any && (this.is_some() || starts.iter().any(|p| !p.is_root())) => {
                Some((path.span, "a path starts either with parameters and globals or at `this`, not with both"))
            }
            _ => None,
        };
        if let Some((span, message)) = mistake {
            self.error(span, message, None);
            return None;
        }
        let anchor = anchor.filter(|_| !is_from_root);
        let found = match arrivals(&nfa, self.types, anchor, &self.expansions, None) {
            Ok(found) => found,
            Err((span, message, note)) => {
                self.error(span, message, note);
                return None;
            }
        };
        let is_place = |a: &Arrival| match a {
            Arrival::Ref(..) => true,
            Arrival::Part(..) => role == Role::Target,
            Arrival::Value | Arrival::Inside => false,
        };
        let is_this = nfa.is_nullable
            && match role {
                Role::Subject => false,
                Role::Occasion => anchor.is_some(),
                Role::Target => true,
            };
        if !is_this && !found.iter().any(is_place) {
            let (message, note) = match (role, found.iter().next()) {
                (Role::Subject | Role::Occasion, Some(Arrival::Part(..))) => {
                    ("this is an embedded struct, not a pointer", Some("name a pointer in it"))
                }
                (_, Some(Arrival::Inside)) => ("this is an array", Some("add `[*]` for all of its elements")),
                (Role::Subject | Role::Occasion, _) => ("this is not a pointer", None),
                (Role::Target, _) => ("nothing can point here: it is a variable of the caller", None),
            };
            self.error(path.span, message, note.map(Into::into));
            return None;
        }
        let key = show(&path.regex);
        let known = self.paths.iter().position(|p| p.anchor == anchor && p.key == key);
        let number = known.unwrap_or_else(|| {
            self.paths.push(PathInfo { nfa, anchor, key });
            self.paths.len() - 1
        });
        Some((number, found))
    }

    fn arg(&mut self, path: &Path, anchor: Option<TypeId>) -> Option<Arg> {
        self.path(path, anchor, Role::Target)?;
        let mut arg = Arg { text: show(&path.regex), root: None, steps: vec![] };
        let symbols = match &path.regex {
            Regex::Seq(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        for symbol in symbols {
            let root = |kind, name: &String| {
                let root = self.types.roots.iter().position(|r| r.kind == kind && r.name == *name);
                root.map(|i| ObjIx(i as u32))
            };
            match symbol {
                Regex::This(_) => {}
                Regex::Symbol(Pattern::Param(name), _) => arg.root = root(RootKind::Param, name),
                Regex::Symbol(Pattern::Global(name), _) => arg.root = root(RootKind::Global, name),
                Regex::Symbol(Pattern::Step(step), _) => arg.steps.push(step.clone()),
                Regex::Symbol(Pattern::Result(_), span) => {
                    self.error(*span, "an argument can't start at a result: there may be several", None);
                    return None;
                }
                _ => {
                    self.error(path.span, "an argument is one path, without alternatives or repetitions", None);
                    return None;
                }
            }
        }
        Some(arg)
    }

    fn add_rule(&mut self, formula: &Formula, anchor: Option<TypeId>, span: Span, rule: RuleId) {
        let Some(clauses) = self.clauses(formula, anchor, true) else { return };
        let mut atoms: Vec<&(usize, Meaning)> = Vec::new();
        for (atom, _) in clauses.iter().flatten() {
            if !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
        if clauses.len() > BLOCK || 2 * atoms.len() > BLOCK {
            self.error(span, "this rule is too complex", Some("write several rules".into()));
            return;
        }
        let block = self.room(anchor, 2 * atoms.len(), atoms.len());
        for literals in &clauses {
            let mut clause = Clause { hold: 0, fail: 0, rule };
            for ((subject, meaning), holds) in literals {
                let verb = match meaning {
                    Meaning::NotNull => Verb::NotNull,
                    Meaning::ExpandsTo(places) => Verb::ExpandsTo(places.clone()),
                    Meaning::AliasesNothing => Verb::AliasesNothing,
                    Meaning::AliasesSome(ty) => Verb::AliasesSome(*ty),
                    Meaning::Aliases(path) => Verb::Aliases(self.path_ref(block, *path)),
                    Meaning::AliasesMax(path) => Verb::AliasesMax(self.path_ref(block, *path)),
                };
                let draft = &mut self.drafts[block];
                let subject = draft.path(*subject);
                let bit = 1 << draft.atom(Atom { subject, verb });
                *(if *holds { &mut clause.hold } else { &mut clause.fail }) |= bit;
            }
            if clause.hold & clause.fail == 0 {
                self.drafts[block].clauses.push(clause);
            }
        }
    }

    /// An expression of this block, or from the roots.
    fn path_ref(&mut self, block: usize, path: usize) -> PathRef {
        let anchor = self.paths[path].anchor;
        let block = if anchor == self.drafts[block].anchor { block } else { self.room(anchor, 1, 0) };
        PathRef { block: block as u16, path: self.drafts[block].path(path) }
    }

    /// A block with room for so many expressions and atoms.
    fn room(&mut self, anchor: Option<TypeId>, n_paths: usize, n_atoms: usize) -> usize {
        let has_room =
            |d: &Draft| d.anchor == anchor && d.paths.len() + n_paths <= BLOCK && d.atoms.len() + n_atoms <= BLOCK;
        self.drafts.iter().position(has_room).unwrap_or_else(|| {
            self.drafts.push(Draft { anchor, ..Draft::default() });
            self.drafts.len() - 1
        })
    }

    /// The formula, or its negation, as a conjunction of clauses.
    fn clauses(&mut self, formula: &Formula, anchor: Option<TypeId>, holds: bool) -> Option<Vec<Vec<Literal>>> {
        let any_of = |all: Vec<Vec<Vec<Literal>>>| {
            all.into_iter().fold(vec![Vec::new()], |left, right| {
                let pairs = left.iter().flat_map(|l| right.iter().map(move |r| [l.as_slice(), r].concat()));
                pairs.take(BLOCK + 1).collect()
            })
        };
        match formula {
            Formula::Not(inner) => self.clauses(inner, anchor, !holds),
            Formula::Or(all) => {
                let all: Vec<_> = all.iter().map(|f| self.clauses(f, anchor, holds)).collect();
                let all = all.into_iter().collect::<Option<Vec<_>>>()?;
                Some(if holds { any_of(all) } else { all.concat() })
            }
            Formula::Atom(atom) => {
                let literals = self.atoms(atom, anchor)?.into_iter().map(|a| (a, holds));
                Some(if holds { literals.map(|l| vec![l]).collect() } else { vec![literals.collect()] })
            }
        }
    }

    /// The atoms whose conjunction it is.
    fn atoms(&mut self, atom: &syntax::Atom, anchor: Option<TypeId>) -> Option<Vec<(usize, Meaning)>> {
        let subject = self.path(&atom.subject, anchor, Role::Subject);
        let nothing = Meaning::ExpandsTo(Vec::new());
        let meanings = match &atom.verb {
            syntax::Verb::NotNull => vec![Meaning::NotNull],
            syntax::Verb::IsNull => vec![nothing, Meaning::AliasesNothing],
            syntax::Verb::Is(path) => {
                vec![Meaning::NotNull, nothing, Meaning::Aliases(self.path(path, anchor, Role::Target)?.0)]
            }
            syntax::Verb::ExpandsToNothing => vec![nothing],
            syntax::Verb::ExpandsTo(names) => {
                let places: Vec<_> = names.iter().map(|p| Some((p.span, self.place_named(p)?))).collect();
                for (span, place) in places.iter().flatten() {
                    self.check_fits(*span, type_of(*place, self.types), subject.as_ref().map(|s| &s.1));
                }
                vec![Meaning::ExpandsTo(places.into_iter().map(|p| p.map(|p| p.1)).collect::<Option<_>>()?)]
            }
            syntax::Verb::AliasesNothing => vec![Meaning::AliasesNothing],
            syntax::Verb::AliasesSome(name) => {
                let ty = self.type_named(name)?;
                self.check_fits(name.span, ty, subject.as_ref().map(|s| &s.1));
                vec![Meaning::AliasesSome(ty)]
            }
            syntax::Verb::Aliases(path) => vec![Meaning::Aliases(self.path(path, anchor, Role::Target)?.0)],
            syntax::Verb::AliasesMax(path) => vec![Meaning::AliasesMax(self.path(path, anchor, Role::Target)?.0)],
        };
        let subject = subject?.0;
        Some(meanings.into_iter().map(|m| (subject, m)).collect())
    }

    /// Whether some reference that a rule speaks of can point to a `ty` at all.
    fn check_fits(&mut self, span: Span, ty: TypeId, subjects: Option<&FxHashSet<Arrival>>) {
        let Some(subjects) = subjects else { return };
        let targets = subjects.iter().filter_map(|a| match a {
            Arrival::Ref(ty, i) => Some(self.types.get(*ty).refs[*i].target),
            _ => None,
        });
        let mut others = Vec::new();
        for target in targets {
            match target {
                Some(target) if target != ty => others.push(self.types.get(target).name.clone()),
                _ => return,
            }
        }
        others.sort();
        others.dedup();
        let name = &self.types.get(ty).name;
        self.error(span, format!("no `{name}` can be there: this path leads to {}", join(&others)), None);
    }

    fn finish(self, rules: Vec<Rule>, companions: Vec<Companion>) -> Result<Spec, Vec<Diagnostic>> {
        let types = self.types;
        let mut alphabet = Alphabet::default();
        self.paths.iter().for_each(|p| alphabet.add(&p.nfa));
        let mut spec = Spec {
            types: types.clone(),
            layouts: layouts(types, &alphabet),
            root_letters: types.roots.iter().map(|r| alphabet.of_root(r)).collect(),
            blocks: vec![],
            blocks_in: vec![Default::default(); types.types.len()],
            rules,
            companions,
            warnings: vec![],
            expansions: self.expansions,
            is_under_rules: vec![false; types.types.len()],
            is_lazy: types.types.iter().map(|t| vec![false; t.refs.len()]).collect(),
            memo: Memo::default(),
        };
        let max_paths: Vec<PathRef> = self
            .drafts
            .iter()
            .flat_map(|d| &d.atoms)
            .filter_map(|a| match a.verb {
                Verb::AliasesMax(path) => Some(path),
                _ => None,
            })
            .collect();
        for (i, draft) in self.drafts.into_iter().enumerate() {
            let nfas: Vec<Nfa> = draft.paths.iter().map(|p| self.paths[*p].nfa.clone()).collect();
            let mut builder = Builder::new(&nfas, &alphabet);
            let subjects_of = |accepts: u64| {
                let atoms = draft.atoms.iter().enumerate();
                atoms.filter(|(_, a)| accepts & 1 << a.subject != 0).fold(0, |all, (i, _)| all | 1u64 << i)
            };
            explore(&mut spec, &mut builder, draft.anchor, |accepts| subjects_of(accepts) != 0);
            if builder.is_too_large {
                let span = Span::default();
                let message = "these rules together need too many states".to_string();
                return Err(vec![Diagnostic::new(self.sources, span, Severity::Error, message)]);
            }
            let dfa = builder.finish();
            let which = |f: fn(&Verb) -> bool| {
                draft.atoms.iter().enumerate().filter(|(_, a)| f(&a.verb)).fold(0, |all, (i, _)| all | 1u64 << i)
            };
            let on_null = which(|v| *v == Verb::NotNull);
            let on_expand = which(|v| matches!(v, Verb::ExpandsTo(_)));
            if let Some(ty) = draft.anchor {
                spec.blocks_in[ty.0 as usize].push(i as u16);
                spec.is_under_rules[ty.0 as usize] = true;
            }
            spec.blocks.push(Block {
                anchor: draft.anchor,
                subjects: (0..dfa.n_states()).map(|s| subjects_of(dfa.accepts(s as State))).collect(),
                dfa,
                on_null,
                on_expand,
                on_alias: which(|_| true) & !on_null & !on_expand,
                max_paths: max_paths.iter().filter(|p| p.block as usize == i).fold(0, |all, p| all | 1 << p.path),
                atoms: draft.atoms,
                clauses: draft.clauses,
                companions: draft.companions,
            });
        }
        spec.extend_to_holders();
        Ok(spec)
    }
}
