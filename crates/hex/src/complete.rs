//! Completion: decides what is undecided, such that every rule holds, with few new objects.
//!
//! References are taken breadth-first; each gets the first that rules allow of: what the caller prefers, null, an alias (the nearest holder first), an
//! expansion. Where nothing is left, the search goes back. It first goes straight on, whatever number of objects that takes;
//! if it gets lost it starts again with no new object, one, two, and so on, so that a way that ends is found where there is one.

use crate::backbones::Violation;
use crate::heap::{Choice, Heap, ObjIx};
use crate::spec::{Clause, RuleId, bits};
use std::cmp::Reverse;
use std::fmt;

/// New objects of the first attempt, beside those that the caller prefers.
const STRAIGHT_ON: usize = 32;
/// New objects of the last of the others.
const DEEPEST: usize = 8;
/// Decisions of an attempt that looks at other orders after each.
const WARILY: usize = 500;

/// No completion was found.
#[derive(Clone, Debug)]
pub struct Incomplete {
    /// Whether there is none at all; else the budget was too small to tell.
    pub is_certain: bool,
    /// The reference at which the search got stuck with most decided, as text: `list.next.prev`.
    pub reference: String,
    /// Its alternatives, and the rules that refuse them; none for an object more than the search allowed.
    pub refused: Vec<(String, Option<RuleId>)>,
    /// The rule that was last in the way.
    pub rule: Option<RuleId>,
}

/// What the caller would like a reference to be.
pub type Prefer<'a> = dyn FnMut(&Heap, ObjIx, usize) -> Option<Choice> + 'a;

impl Heap {
    /// Decides all references that are to be decided lazily. `prefer` is asked for each, and followed where rules allow. Fails if there is no way, or
    /// none is found in `budget` decisions.
    pub fn complete(&self, prefer: &mut Prefer, budget: usize) -> Result<Heap, Incomplete> {
        // What is decided breaks a rule in another order: whatever else is decided, it stays so.
        if let Err(Violation::Rule { rule, .. }) = self.check_backbones(budget) {
            let (reference, refused) = (String::new(), Vec::new());
            return Err(Incomplete { is_certain: true, reference, refused, rule: Some(rule) });
        }
        let mut search = Search { start: self, prefer, budget: budget / 2, is_wary: false, stuck: None };
        let mut outcome = search.run(STRAIGHT_ON);
        // Where the shortest attempt got stuck says most to a person.
        let mut shortest = None;
        for limit in 0..=DEEPEST {
            if !matches!(outcome, Outcome::Lost) {
                break;
            }
            search.budget += budget / (2 * DEEPEST + 2);
            search.stuck = None;
            outcome = search.run(limit);
            shortest = shortest.or(search.stuck.take());
        }
        match outcome {
            Outcome::Found(heap) => Ok(heap),
            other => {
                let stuck = shortest.or(search.stuck).unwrap_or_default();
                let rule = stuck.refused.iter().rev().find_map(|(_, rule)| *rule).or(stuck.rule);
                let is_certain = matches!(other, Outcome::None);
                Err(Incomplete { is_certain, reference: stuck.reference, refused: stuck.refused, rule })
            }
        }
    }

    /// Whether no complete heap that keeps all rules can come of this one, as far as that can be told in `budget` decisions.
    pub fn is_dead_end(&self, budget: usize) -> bool {
        let fails = || self.complete(&mut |_, _, _| None, budget).is_err_and(|incomplete| incomplete.is_certain);
        self.spec.memo.dead_ends.get(&self.made, fails, |_| true)
    }

    /// Whether every heap that comes of this one breaks a rule in some order of visiting it, as far as that can be told.
    pub(crate) fn is_broken_in_some_order(&self) -> bool {
        let prefer = &mut |_: &Heap, _, _| None;
        let mut search = Search { start: self, prefer, budget: WARILY, is_wary: true, stuck: None };
        matches!(search.run(STRAIGHT_ON), Outcome::None)
    }

    /// The first rule that does not hold although nothing is left to be decided: it needs some atom broken that is not.
    pub(crate) fn unmet(&self) -> Option<RuleId> {
        self.instances.iter().find_map(|i| {
            let block = &self.spec.blocks[i.block as usize];
            block.clauses.iter().find(|c| !c.is_satisfied(i.broken)).map(|c| c.rule)
        })
    }

    /// The way to a reference in the backbone: `list.next.prev`.
    pub fn path_of(&self, object: ObjIx, reference: usize) -> String {
        let types = self.spec.types();
        let of = self.object(object);
        let last = crate::types::show_steps(&types.get(of.ty).refs[reference].steps);
        match (of.holder, of.root) {
            (Some((holder, r)), _) => format!("{}{last}", self.path_of(holder, r)),
            (None, Some(root)) => format!("{}{last}", types.roots[root]),
            (None, None) => unreachable!("objects are inputs, or some reference has expanded them"),
        }
    }

    /// A choice in words: `null`, `the object of list.next`, `a new struct node`.
    pub fn describe(&self, choice: Choice) -> String {
        let types = self.spec.types();
        let steps = |ty: crate::TypeId, part: Option<u16>| {
            part.map_or(String::new(), |p| crate::types::show_steps(&types.get(ty).parts[p as usize].steps))
        };
        match choice {
            Choice::Null => "null".into(),
            Choice::Expand { ty, part } => format!("a new `{}{}`", types.get(ty).name, steps(ty, part)),
            Choice::Alias { object, part } => {
                let at = self.holder(object).map_or(String::new(), |(o, r)| self.path_of(o, r));
                format!("the object of `{at}{}`", steps(self.type_of(object), part))
            }
        }
    }
}

enum Outcome {
    Found(Heap),
    /// Nothing satisfies the rules.
    None,
    /// The budget or the limit of new objects cut something off.
    Lost,
}

/// A reference that was decided, with what else it could be.
struct Frame {
    object: ObjIx,
    reference: usize,
    choices: Vec<Choice>,
    taken: usize,
}

#[derive(Default)]
struct Stuck {
    n_decided: usize,
    reference: String,
    refused: Vec<(String, Option<RuleId>)>,
    rule: Option<RuleId>,
}

struct Search<'a, 'p> {
    start: &'a Heap,
    prefer: &'a mut Prefer<'p>,
    budget: usize,
    /// Whether other orders are looked at after each decision: they are at the end, and that went wrong.
    is_wary: bool,
    stuck: Option<Stuck>,
}

impl Search<'_, '_> {
    fn run(&mut self, limit: usize) -> Outcome {
        let mut heap = self.start.clone();
        let mut frames: Vec<Frame> = Vec::new();
        let mut is_cut = false;
        let mut n_new = 0;
        let mut first_open = ObjIx(0);
        loop {
            if self.budget == 0 {
                return Outcome::Lost;
            }
            self.budget -= 1;
            let broken = if self.is_wary { self.broken_in_another_order(&heap) } else { None };
            match heap.next_undecided(first_open) {
                _ if broken.is_some() => broken.into_iter().for_each(|rule| self.note_unmet(frames.len(), rule)),
                Some((object, reference)) => {
                    first_open = object;
                    let preferred = (self.prefer)(&heap, object, reference);
                    let (choices, refused) = alternatives(&heap, object, reference, preferred);
                    let may_expand = n_new < limit;
                    let is_kept = |c: &Choice| may_expand || Some(*c) == preferred || !is_expansion(c);
                    let kept: Vec<Choice> = choices.iter().filter(|c| is_kept(c)).copied().collect();
                    is_cut |= kept.len() < choices.len();
                    if kept.is_empty() {
                        self.note_stuck(&heap, frames.len(), object, reference, choices, refused);
                    } else {
                        n_new += usize::from(is_expansion(&kept[0]) && Some(kept[0]) != preferred);
                        heap.decide(object, reference, kept[0]);
                        frames.push(Frame { object, reference, choices: kept, taken: 0 });
                        continue;
                    }
                }
                None => match heap.unmet() {
                    Some(rule) => self.note_unmet(frames.len(), rule),
                    None if !self.is_wary && self.broken_in_another_order(&heap).is_some() => {
                        return Outcome::Found(self.run_warily(limit).unwrap_or(heap));
                    }
                    None => return Outcome::Found(heap),
                },
            }
            loop {
                let Some(frame) = frames.last_mut() else {
                    return if is_cut { Outcome::Lost } else { Outcome::None };
                };
                frame.taken += 1;
                if frame.taken < frame.choices.len() {
                    break;
                }
                frames.pop();
            }
            heap = self.start.clone();
            n_new = 0;
            first_open = ObjIx(0);
            self.budget = self.budget.saturating_sub(frames.len());
            for frame in &frames {
                let choice = frame.choices[frame.taken];
                n_new += usize::from(is_expansion(&choice));
                heap.decide(frame.object, frame.reference, choice);
            }
        }
    }

    /// A heap that keeps the rules in all orders, if one is found soon.
    fn run_warily(&mut self, limit: usize) -> Option<Heap> {
        let (start, prefer) = (self.start, &mut *self.prefer);
        let mut search = Search { start, prefer, budget: WARILY.min(self.budget), is_wary: true, stuck: None };
        match search.run(limit) {
            Outcome::Found(heap) => Some(heap),
            Outcome::None | Outcome::Lost => None,
        }
    }

    /// The rule that a heap breaks if it is visited in another order.
    fn broken_in_another_order(&self, heap: &Heap) -> Option<RuleId> {
        match heap.check_backbones(self.budget) {
            Err(Violation::Rule { rule, .. }) => Some(rule),
            Ok(()) | Err(Violation::Unchecked) => None,
        }
    }

    fn note_stuck(
        &mut self,
        heap: &Heap,
        n_decided: usize,
        object: ObjIx,
        reference: usize,
        cut: Vec<Choice>,
        refused: Vec<(Choice, RuleId)>,
    ) {
        if self.stuck.as_ref().is_none_or(|s| s.n_decided < n_decided) {
            let refused = refused.into_iter().map(|(c, r)| (c, Some(r))).chain(cut.into_iter().map(|c| (c, None)));
            let refused = refused.map(|(choice, rule)| (heap.describe(choice), rule));
            let reference = heap.path_of(object, reference);
            self.stuck = Some(Stuck { n_decided, reference, refused: refused.collect(), rule: None });
        }
    }

    fn note_unmet(&mut self, n_decided: usize, rule: RuleId) {
        if self.stuck.as_ref().is_none_or(|s| s.n_decided < n_decided) {
            self.stuck = Some(Stuck { n_decided, rule: Some(rule), ..Stuck::default() });
        }
    }
}

fn is_expansion(choice: &Choice) -> bool {
    matches!(choice, Choice::Expand { .. })
}

/// What rules allow for a reference, the best first; and what they refuse.
fn alternatives(
    heap: &Heap,
    object: ObjIx,
    reference: usize,
    preferred: Option<Choice>,
) -> (Vec<Choice>, Vec<(Choice, RuleId)>) {
    let (mut allowed, mut refused) = (Vec::new(), Vec::new());
    for choice in heap.candidates(object, reference) {
        match heap.check(object, reference, choice) {
            Ok(()) => allowed.push(choice),
            Err(rule) => refused.push((choice, rule)),
        }
    }
    let holders: Vec<ObjIx> =
        std::iter::successors(Some(object), |o| heap.holder(*o).map(|(holder, _)| holder)).collect();
    allowed.sort_by_cached_key(|choice| {
        let kind = match choice {
            Choice::Null => (0, 0),
            Choice::Alias { object, .. } => (1, holders.iter().position(|h| h == object).unwrap_or(holders.len())),
            Choice::Expand { .. } => (2, 0),
        };
        (Reverse(Some(*choice) == preferred), heap.obligations(object, reference, *choice), kind)
    });
    (allowed, refused)
}

impl Heap {
    /// The first reference that is to be decided, from an object on.
    fn next_undecided(&self, from: ObjIx) -> Option<(ObjIx, usize)> {
        (from.0..self.n_objects() as u32).map(ObjIx).find_map(|o| {
            let of = self.object(o);
            let is_open = |r: &usize| of.decided[*r].is_none() && self.spec.is_lazy(of.ty, *r);
            (0..of.decided.len()).find(is_open).map(|r| (o, r))
        })
    }

    /// How far a choice is from what clauses need that want an atom to fail: less if it makes one fail, or leads on to where one can.
    fn obligations(&self, object: ObjIx, reference: usize, choice: Choice) -> isize {
        let is_open = |c: &Clause, broken| isize::from(!c.is_satisfied(broken));
        let mut score = 0;
        for (instance, atoms) in self.breaks(object, reference, choice) {
            let before = self.instances[instance as usize].broken;
            let clauses = self.block(instance).clauses.iter();
            score += 2 * clauses.map(|c| is_open(c, before | atoms) - is_open(c, before)).sum::<isize>();
        }
        if is_expansion(&choice) {
            for (instance, state) in self.states_at(object, reference) {
                let block = self.block(instance);
                let alive = block.dfa.alive(state);
                let broken = self.instances[instance as usize].broken;
                let open = block.clauses.iter().filter(|c| !c.is_satisfied(broken)).fold(0, |all, c| all | c.fail);
                score -= isize::from(bits(open).any(|a| alive & 1 << block.atoms[a].subject != 0));
            }
        }
        score
    }
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_certain, self.reference.as_str()) {
            (true, "") => f.write_str("no complete heap satisfies the rules"),
            (true, reference) => write!(f, "no complete heap satisfies the rules: nothing is left for `{reference}`"),
            (false, "") => f.write_str("no complete heap was found that satisfies the rules"),
            (false, at) => write!(f, "no complete heap was found that satisfies the rules; stuck at `{at}`"),
        }
    }
}

impl std::error::Error for Incomplete {}
