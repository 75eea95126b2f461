//! Boxes: what few variables may be is taken apart until every part is decided.
//!
//! A box is a progression of values for each variable. In a box, conditions are evaluated on what is known of all its values
//! at once (`value`): those that certainly hold need not be looked at again, one that can't hold settles the box. What is left is split
//! where it would help the first open condition (`blame`): a remainder asks for values with one remainder, an order
//! for halves. Boxes of few values are evaluated, as [`Lanes`] do it. Parts near to the hint come first.
//!
//! Of a long path, most conditions matter to no box. So only targets are looked at, until values turn up that satisfy
//! these and not another one, which is then looked at as well. If that leads nowhere, all are, in the order of the path:
//! what was asked first depends on least.
//!
//! That decides comparisons of remainders, quotients, sums and multiples of one word in a few steps, which take clauses
//! without end; it is no use where operations scatter values, so it gives up soon if it was of no use lately.

mod blame;
mod progression;
mod terms;
mod value;

use smallvec::SmallVec;
use spelunk_expr::lanes::N_LANES;
use spelunk_expr::{ExprId, Lanes, Model, Sort, VarId};

use self::progression::Progression;
use self::terms::Terms;
use super::hard::HardTerms;
use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};
use crate::unary::{Domain, Reading};

#[derive(Default)]
pub struct Boxes {
    terms: Terms,
    lanes: Lanes,
    /// Whether the lanes evaluate all conditions.
    has_lanes: bool,
    hard: HardTerms,
    vars: Vec<Variable>,
    /// Conditions that are looked at, targets first.
    conditions: Vec<Condition>,
    /// Constraints that shaped the first boxes, and what they say.
    shaping: Vec<(ExprId, Reading)>,
    stack: Vec<Part>,
    /// How often it failed lately, up to [`MAX_FAILURES`].
    n_failures: u32,
}

struct Variable {
    var: VarId,
    /// Its number among the terms, if there is a condition on it.
    term: Option<u32>,
    hint: u64,
    domain: Domain,
    width: u32,
}

struct Condition {
    id: ExprId,
    root: u32,
    /// Whether it ruled out a part.
    is_needed: bool,
}

type Ranges = SmallVec<[Progression; 2]>;

/// A box, and the numbers of the conditions that are open in it.
struct Part {
    ranges: Ranges,
    open: Vec<u32>,
}

/// What became of a box.
enum Outcome {
    Empty,
    Found(SmallVec<[u64; 2]>),
    Open,
    /// Not even a single value decides it.
    Stuck,
}

const MAX_VARS: usize = 4;

/// So many expressions are too many.
const MANY_TERMS: usize = 1 << 14;

/// Values that are computed, each in 50 to 200 ns.
const MAX_STEPS: u64 = 1 << 17;
const STEPS_A_CONFLICT: u64 = 16;
const MAX_FAILURES: u32 = 3;

/// The part of the steps that looking at few conditions gets.
const FEW: u64 = 4;

/// So many values can all be tried, and it takes few conditions to rule most of them out.
const FEW_VALUES: u64 = 1 << 16;

/// So many values are tried rather than taken apart.
const MAX_EVALUATED: u64 = 1024;

/// Steps of evaluation for all conditions, each in 64 lanes.
const MAX_LANE_STEPS: usize = 4096;

impl Stage for Boxes {
    fn name(&self) -> &'static str {
        Layer::Boxes.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        if !self.prepare(cx, query) {
            return rest.check(cx, query);
        }
        let answer = self.decide_query(cx, query);
        self.n_failures = match answer {
            Some(_) => self.n_failures.saturating_sub(1),
            None => (self.n_failures + 1).min(MAX_FAILURES),
        };
        answer.unwrap_or_else(|| rest.check(cx, query))
    }

    fn forget(&mut self, freed: &Freed) {
        self.hard.forget(freed);
    }
}

impl Boxes {
    /// Finds variables, their first boxes and the conditions. Returns whether they are of the kind that is solved here.
    fn prepare(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> bool {
        self.vars.clear();
        for &constraint in query.constraints {
            let vars = cx.free_vars.of(cx.pool, constraint);
            for var in cx.free_vars.iter(vars) {
                let Sort::Bv(width @ ..=64) = cx.pool.var_sort(var) else { return false };
                if self.vars.iter().any(|known| known.var == var) {
                    continue;
                }
                if self.vars.len() == MAX_VARS {
                    return false;
                }
                let hint = query.hint.get_u64(var).unwrap_or(0);
                self.vars.push(Variable { var, term: None, hint, domain: Domain::all(width), width });
            }
        }
        // Several variables are worth it only where there is arithmetic that a bit-blaster has trouble with.
        let is_hard = |&constraint: &ExprId| self.hard.contains(cx.pool, constraint);
        if self.vars.is_empty() || self.vars.len() > 1 && !query.constraints.iter().any(is_hard) {
            return false;
        }
        self.read(cx, query)
    }

    /// Shapes the first boxes, and looks at the targets that these don't say already.
    fn read(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> bool {
        self.terms.clear();
        self.conditions.clear();
        self.shaping.clear();
        // The newest first: of bounds that became tighter and tighter, only the tightest shapes anything.
        for &id in query.targets().iter().chain(query.satisfied().iter().rev()) {
            let reading = cx.reading(id);
            if let Some(known) = self.vars.iter_mut().find(|known| reading.var() == Some(known.var)) {
                let before = known.domain.clone();
                reading.restrict(&mut known.domain);
                if known.domain != before {
                    self.shaping.push((id, reading));
                }
            }
        }
        query.targets().iter().all(|&target| self.says(cx, target) || self.look_at(cx, target).is_some())
    }

    fn decide_query(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> Option<Answer> {
        let n_steps = query.limits.steps(STEPS_A_CONFLICT, MAX_STEPS, self.n_failures);
        let sizes = self.vars.iter().map(|known| known.domain.size());
        let has_few_values = sizes.fold(1, u64::saturating_mul) <= FEW_VALUES;
        let answer = self.search(cx, query, if has_few_values { n_steps } else { n_steps / FEW });
        if answer.is_some() || self.conditions.len() == query.constraints.len() {
            return answer;
        }
        let max_steps = self.terms.n_steps + n_steps;
        self.conditions.clear();
        for &constraint in query.constraints {
            if !self.says(cx, constraint) {
                self.look_at(cx, constraint)?;
            }
        }
        self.search(cx, query, max_steps)
    }

    /// Whether the first boxes hold only values for which a condition holds.
    fn says(&self, cx: &mut Context<'_>, condition: ExprId) -> bool {
        // Boxes of several variables begin as one, which may be larger than what is allowed.
        let is_exact = |known: &Variable| self.vars.len() == 1 || known.domain.ranges().len() <= 1;
        let reading = cx.reading(condition);
        self.vars.iter().any(|known| reading.var() == Some(known.var) && is_exact(known))
    }

    /// Takes a condition among those that are looked at. Returns its number, unless it is beyond what is done here.
    fn look_at(&mut self, cx: &mut Context<'_>, id: ExprId) -> Option<u32> {
        let root = self.terms.add(cx.pool, id).filter(|_| self.terms.len() <= MANY_TERMS)?;
        self.conditions.push(Condition { id, root, is_needed: false });
        for known in self.vars.iter_mut().filter(|known| known.term.is_none()) {
            known.term = self.terms.find(cx.pool.mk_var(known.var));
        }
        Some(self.conditions.len() as u32 - 1)
    }

    fn prepare_lanes(&mut self, cx: &Context<'_>) {
        let ids: Vec<ExprId> = self.conditions.iter().map(|condition| condition.id).collect();
        self.has_lanes = self.lanes.prepare(cx.pool, &ids, MAX_LANE_STEPS);
    }

    fn search(&mut self, cx: &mut Context<'_>, query: &Query<'_>, max_steps: u64) -> Option<Answer> {
        self.prepare_lanes(cx);
        self.push_first();
        while let Some(mut part) = self.stack.pop() {
            if self.terms.n_steps > max_steps {
                return None;
            }
            match self.decide(cx, &mut part) {
                Outcome::Empty => {}
                Outcome::Stuck => return None,
                Outcome::Open => self.push_parts(part),
                Outcome::Found(values) => {
                    let changes = self.changes(&values);
                    self.terms.n_steps += query.constraints.len() as u64 / 4;
                    let Some(violated) = cx.first_violated(query, &changes) else { return Some(Answer::Sat(changes)) };
                    let condition = self.look_at(cx, violated)?;
                    self.prepare_lanes(cx);
                    self.stack.push(part);
                    self.stack.iter_mut().for_each(|part| part.open.push(condition));
                }
            }
        }
        Some(Answer::Unsat(self.core()))
    }

    /// The conditions that ruled out a part, and the fewest constraints that shape the first boxes as all of them do.
    fn core(&self) -> Vec<ExprId> {
        let needed = self.conditions.iter().filter(|condition| condition.is_needed).map(|condition| condition.id);
        let mut core: Vec<ExprId> = needed.collect();
        for Variable { var, domain, width, .. } in &self.vars {
            let shaping = || self.shaping.iter().filter(|(_, reading)| reading.var() == Some(*var));
            let mut kept = Domain::all(*width);
            while kept != *domain {
                // The one that completes the shape after those before it can't be spared.
                let mut shape = kept.clone();
                let last = shaping().find(|(_, reading)| {
                    reading.restrict(&mut shape);
                    shape == *domain
                });
                let (id, reading) = last.expect("all of them together do");
                reading.restrict(&mut kept);
                core.push(*id);
            }
        }
        core
    }

    fn push_first(&mut self) {
        self.stack.clear();
        let open: Vec<u32> = (0..self.conditions.len() as u32).collect();
        if let [only] = &self.vars[..] {
            let mut ranges = only.domain.ranges();
            ranges.sort_by_key(|&(first, last)| std::cmp::Reverse(distance(only.hint, first, last)));
            for (first, last) in ranges {
                let ranges = SmallVec::from_iter([Progression::new(only.width, first, last)]);
                self.stack.push(Part { ranges, open: open.clone() });
            }
            return;
        }
        let hull = self.vars.iter().map(|known| {
            let ranges = known.domain.ranges();
            Some(Progression::new(known.width, ranges.first()?.0, ranges.last()?.1))
        });
        if let Some(ranges) = hull.collect::<Option<Ranges>>() {
            self.stack.push(Part { ranges, open });
        }
    }

    /// Evaluates the open conditions in a box, and leaves those that stay open.
    fn decide(&mut self, cx: &Context<'_>, part: &mut Part) -> Outcome {
        self.terms.next_box();
        for (known, range) in self.vars.iter().zip(&part.ranges) {
            if let Some(term) = known.term {
                self.terms.set(term, range.value());
            }
        }
        let mut at = 0;
        while let Some(&open) = part.open.get(at) {
            let condition = &mut self.conditions[open as usize];
            match self.terms.compute(cx.pool, condition.root).as_constant() {
                Some(0) => {
                    condition.is_needed = true;
                    return Outcome::Empty;
                }
                Some(_) => {
                    part.open.remove(at);
                }
                None => at += 1,
            }
        }
        if part.open.is_empty() {
            return Outcome::Found(
                part.ranges.iter().zip(&self.vars).map(|(range, known)| range.nearest(known.hint)).collect(),
            );
        }
        let n_values = part.ranges.iter().map(Progression::len).fold(1, u64::saturating_mul);
        match n_values {
            ..=MAX_EVALUATED if self.has_lanes => self.evaluate(cx, part, n_values),
            1 => Outcome::Stuck,
            _ => Outcome::Open,
        }
    }

    /// Tries all values in a box.
    fn evaluate(&mut self, cx: &Context<'_>, part: &Part, n_values: u64) -> Outcome {
        let vars = &self.vars;
        let combination = |at: u64| Combination { ranges: &part.ranges, left: at.min(n_values - 1) };
        let change = |values: &SmallVec<[u64; 2]>| {
            let changed = values.iter().zip(vars).filter(|(value, known)| **value != known.hint);
            changed.fold((0, 0u128), |(n, sum), (value, known)| (n + 1, sum + value.abs_diff(known.hint) as u128))
        };
        let mut nearest: Option<SmallVec<[u64; 2]>> = None;
        for base in (0..n_values).step_by(N_LANES) {
            self.terms.n_steps += self.lanes.n_steps() as u64;
            let holding = self.lanes.run(cx.pool, |var, lane| {
                let at = vars.iter().position(|known| known.var == var).expect("all variables are known");
                *lane = std::array::from_fn(|lane| combination(base + lane as u64).nth(at).expect("a value of each"));
            });
            let found = (0..N_LANES as u64).filter(|lane| holding >> lane & 1 != 0);
            nearest = found.map(|lane| combination(base + lane).collect()).chain(nearest).min_by_key(change);
        }
        nearest.map_or_else(
            || {
                part.open.iter().for_each(|&open| self.conditions[open as usize].is_needed = true);
                Outcome::Empty
            },
            Outcome::Found,
        )
    }

    /// Puts the parts of a box on the stack, the one that is nearest to the hint on top.
    fn push_parts(&mut self, part: Part) {
        let root = self.conditions[part.open[0] as usize].root;
        let (term, split) = blame::blame(&self.terms, root, |term| {
            let at = self.vars.iter().position(|known| known.term == Some(term))?;
            Some(part.ranges[at])
        });
        let at = self.vars.iter().position(|known| known.term == Some(term));
        let at = at.filter(|&at| part.ranges[at].len() > 1);
        // Whoever is blamed has no two values: any other will do.
        let at = at.or_else(|| part.ranges.iter().position(|range| range.len() > 1)).expect("more than one value");
        let hint = self.vars[at].hint;
        let mut parts: SmallVec<[Progression; 4]> = part.ranges[at].split(split).collect();
        parts.sort_by_key(|range| std::cmp::Reverse(range.nearest(hint).abs_diff(hint)));
        let n_parts = parts.len();
        let Part { mut ranges, mut open } = part;
        for (n_done, range) in (1..).zip(parts) {
            ranges[at] = range;
            let is_last = n_done == n_parts;
            let (ranges, open) = match is_last {
                true => (std::mem::take(&mut ranges), std::mem::take(&mut open)),
                false => (ranges.clone(), open.clone()),
            };
            self.stack.push(Part { ranges, open });
        }
    }

    fn changes(&self, values: &[u64]) -> Model {
        let mut changes = Model::new();
        for (known, &value) in self.vars.iter().zip(values) {
            if known.hint != value {
                changes.set_u64(known.var, value);
            }
        }
        changes
    }
}

/// One combination of values in a box: the digits of a number.
struct Combination<'r> {
    ranges: &'r [Progression],
    left: u64,
}

impl Iterator for Combination<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let (first, rest) = self.ranges.split_first()?;
        self.ranges = rest;
        let value = first.get(self.left % first.len());
        self.left /= first.len();
        Some(value)
    }
}

fn distance(from: u64, first: u64, last: u64) -> u64 {
    from.clamp(first, last).abs_diff(from)
}
