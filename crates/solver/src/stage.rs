//! What a layer is, and how a query goes from one to the next.
//!
//! A [`Chain`] holds layers and, after them, backends. A layer gets a query and the [`Rest`] of the chain: it answers,
//! or asks the rest the same question or others, and makes an answer of the answers. What layers need for their work
//! and would otherwise each have their own of (values of expressions, sets of variables) is in the [`Context`].

use std::time::{Duration, Instant};

use spelunk_expr::{Evaluator, ExprId, ExprPool, FreeVars, Model, Overlay};

use crate::Solver;
use crate::layers::log::LogError;
use crate::query::{Answer, Limits, Query, Unknown};
use crate::stats::LayerStats;
use crate::unary::{Reading, Readings};

pub trait Stage {
    fn name(&self) -> &'static str;

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer;

    /// Drops whatever speaks of freed expressions.
    fn forget(&mut self, freed: &Freed);

    fn log_error(&self) -> Option<&LogError> {
        None
    }
}

/// So many variables are looked for one by one in a set of variables.
const SMALL: usize = 4;

/// What layers share.
pub struct Context<'a> {
    pub pool: &'a mut ExprPool,
    pub evaluator: &'a mut Evaluator,
    pub free_vars: &'a mut FreeVars,
    readings: &'a mut Readings,
    clock: &'a mut Clock,
    /// When the time of the query is up.
    deadline: Option<Instant>,
}

impl Context<'_> {
    /// What a condition says about one variable.
    pub fn reading(&mut self, condition: ExprId) -> Reading {
        self.readings.of(self.pool, self.free_vars, condition)
    }

    /// Whether the hint with these changes satisfies a query.
    pub fn satisfies(&mut self, query: &Query<'_>, changes: &Model) -> bool {
        self.first_violated(query, changes).is_none()
    }

    /// A constraint that the hint with these changes does not satisfy, targets first. Constraints that the hint
    /// satisfies are looked at only if a change can matter to them.
    pub fn first_violated(&mut self, query: &Query<'_>, changes: &Model) -> Option<ExprId> {
        let overlay = Overlay { base: query.hint, changes };
        let mut values = self.evaluator.under(self.pool, overlay);
        if let Some(&target) = query.targets().iter().find(|&&target| !values.eval_bool(target)) {
            return Some(target);
        }
        let free_vars = &mut *self.free_vars;
        let is_small = changes.vars().nth(SMALL).is_none();
        let mut can_matter = |constraint| {
            let vars = free_vars.of(self.pool, constraint);
            match is_small {
                true => changes.vars().any(|var| free_vars.contains(vars, var)),
                false => free_vars.iter(vars).any(|var| changes.contains(var)),
            }
        };
        let mut satisfied = query.satisfied().iter().copied();
        satisfied.find(|&constraint| can_matter(constraint) && !values.eval_bool(constraint))
    }
}

/// The expressions that a pool has collected.
pub struct Freed {
    words: Vec<u64>,
}

impl Freed {
    pub fn new(ids: &[ExprId]) -> Self {
        let bound = ids.iter().map(|id| id.index() + 1).max().unwrap_or(0);
        let mut words = vec![0; bound.div_ceil(64)];
        for id in ids {
            words[id.index() / 64] |= 1 << (id.index() % 64);
        }
        Freed { words }
    }

    pub fn contains(&self, id: ExprId) -> bool {
        self.words.get(id.index() / 64).is_some_and(|word| word >> (id.index() % 64) & 1 != 0)
    }
}

enum Slot {
    Layer { stage: Box<dyn Stage>, stats: LayerStats },
    Backend(Box<dyn Solver>),
}

/// The part of a chain after a layer.
pub struct Rest<'a> {
    slots: &'a mut [Slot],
    /// How many slots are before these.
    depth: usize,
    was_asked: bool,
}

impl Rest<'_> {
    pub fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> Answer {
        self.was_asked = true;
        if query.limits.deadline.is_raised() {
            return Answer::Unknown(Unknown::Interrupted);
        }
        let Some((first, slots)) = self.slots.split_first_mut() else {
            return Answer::Unknown(Unknown::Unsupported("what no layer answers"));
        };
        let mut rest = Rest { slots, depth: self.depth + 1, was_asked: false };
        let outer = cx.clock.switch(self.depth);
        let answer = match first {
            Slot::Layer { stage, stats } => {
                stats.n_queries += 1;
                stats.n_constraints += query.constraints.len() as u64;
                let answer = stage.check(cx, query, &mut rest);
                if !rest.was_asked {
                    stats.count(&answer);
                }
                answer
            }
            Slot::Backend(backend) => match check_in_time(&mut **backend, cx, query) {
                Answer::Unknown(Unknown::Unsupported(_)) if !rest.slots.is_empty() => rest.check(cx, query),
                answer => answer,
            },
        };
        cx.clock.switch(outer);
        answer
    }

    /// Says that an answer is the layer's own, although it has asked.
    pub fn overrule(&mut self, answer: Answer) -> Answer {
        self.was_asked = false;
        answer
    }
}

/// Asks a backend, which gets what layers and earlier questions have left of the time.
fn check_in_time(backend: &mut dyn Solver, cx: &mut Context<'_>, query: &Query<'_>) -> Answer {
    let Some(deadline) = cx.deadline else { return backend.check(cx.pool, query) };
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Answer::Unknown(Unknown::Time);
    }
    let limits = Limits { time: Some(left), ..query.limits.clone() };
    backend.check(cx.pool, &Query { limits: &limits, ..*query })
}

/// Measures what each layer takes, in one query of [`SAMPLE`]: reading the clock takes as long as some of the layers.
#[derive(Default)]
struct Clock {
    by_depth: Vec<Duration>,
    current: usize,
    /// When the current layer took over; nothing if this query is not measured.
    since: Option<Instant>,
}

const SAMPLE: u32 = 16;

impl Clock {
    /// Returns whose turn it was.
    #[inline]
    fn switch(&mut self, depth: usize) -> usize {
        if let Some(since) = &mut self.since {
            let now = Instant::now();
            self.by_depth[self.current] += now - *since;
            *since = now;
        }
        std::mem::replace(&mut self.current, depth)
    }
}

/// Layers and backends in the order in which they are asked.
pub struct Chain {
    slots: Vec<Slot>,
    evaluator: Evaluator,
    free_vars: FreeVars,
    readings: Readings,
    clock: Clock,
    n_queries: u32,
}

impl Chain {
    /// A backend is asked what is beyond the one before it.
    pub fn new(layers: Vec<Box<dyn Stage>>, backends: Vec<Box<dyn Solver>>) -> Self {
        let layers = layers.into_iter().map(|stage| Slot::Layer { stats: LayerStats::new(stage.name()), stage });
        let slots: Vec<Slot> = layers.chain(backends.into_iter().map(Slot::Backend)).collect();
        let clock = Clock { by_depth: vec![Duration::ZERO; slots.len()], ..Clock::default() };
        Chain {
            slots,
            evaluator: Evaluator::new(),
            free_vars: FreeVars::new(),
            readings: Readings::default(),
            clock,
            n_queries: 0,
        }
    }
}

impl Solver for Chain {
    fn check(&mut self, pool: &mut ExprPool, query: &Query<'_>) -> Answer {
        self.clock.since = self.n_queries.is_multiple_of(SAMPLE).then(Instant::now);
        self.n_queries = self.n_queries.wrapping_add(1);
        let Chain { slots, evaluator, free_vars, readings, clock, .. } = self;
        // A limit beyond what the clock can say is none.
        let deadline = query.limits.time.and_then(|time| Instant::now().checked_add(time));
        let mut cx = Context { pool, evaluator, free_vars, readings, clock, deadline };
        Rest { slots, depth: 0, was_asked: false }.check(&mut cx, query)
    }

    fn forget(&mut self, pool: &ExprPool, freed: &[ExprId]) {
        let set = Freed::new(freed);
        // Sets of variables are found again quickly; those of dropped expressions would stay for ever.
        self.free_vars = FreeVars::new();
        self.readings.forget(&set);
        for slot in &mut self.slots {
            match slot {
                Slot::Layer { stage, .. } => stage.forget(&set),
                Slot::Backend(backend) => backend.forget(pool, freed),
            }
        }
    }

    fn stats(&self, out: &mut Vec<LayerStats>) {
        for (slot, &time) in self.slots.iter().zip(&self.clock.by_depth) {
            match slot {
                Slot::Layer { stats, .. } => out.push(LayerStats { time: time * SAMPLE, ..stats.clone() }),
                Slot::Backend(backend) => backend.stats(out),
            }
        }
    }

    fn log_error(&self) -> Option<&LogError> {
        self.slots.iter().find_map(|slot| match slot {
            Slot::Layer { stage, .. } => stage.log_error(),
            Slot::Backend(backend) => backend.log_error(),
        })
    }
}
