//! A SAT solver for many small questions: conflict-driven clause learning that looks at the question only.
//!
//! The clauses of a long run are many, those that one query is about are few. A general solver gives a value to every
//! variable before it answers; this one decides variables of the query's cone only, as any values of these that violate
//! nothing can be extended. It begins with the inputs and with the values that were suggested for them, so that most
//! queries are answered by propagation alone. It has no inprocessing: hard questions are for CaDiCaL.

mod analyze;
mod clauses;
mod order;
mod propagate;
mod reduce;
mod trail;

use rustc_hash::FxHashSet;

use self::analyze::Mark;
use self::clauses::{ClauseRef, Clauses};
use self::order::Order;
use self::propagate::Watcher;
use self::trail::Trail;
use super::budget::{Budget, Stop};
use super::sat::{Lit, SatSolver, Verdict};

#[derive(Default)]
pub(crate) struct Cdcl {
    clauses: Clauses,
    /// By literal.
    watchers: Vec<Vec<Watcher>>,
    trail: Trail,
    order: Order,
    /// The clauses contradict each other.
    is_contradictory: bool,
    n_conflicts: u64,
    max_learned: usize,
    failed: FxHashSet<Lit>,
    /// What follows is memory of conflict analysis.
    learned: Vec<Lit>,
    marks: Vec<Mark>,
    marked: Vec<u32>,
    stack: Vec<(u32, usize)>,
    level_stamps: Vec<u64>,
    level_stamp: u64,
}

/// Conflicts of the shortest run between restarts.
const RESTART_UNIT: u64 = 64;
const MIN_LEARNED: usize = 2000;
/// Conflicts, or decisions, between looks at the clock.
const CHECK_INTERVAL: u64 = 128;

impl Cdcl {
    pub fn new() -> Self {
        Self::default()
    }

    fn backtrack(&mut self, level: u32) {
        let order = &mut self.order;
        self.trail.backtrack(level, |var| order.unassigned(var));
    }

    fn search(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<Verdict, Stop> {
        let start = self.n_conflicts;
        let (mut n_restarts, mut next_restart) = (0, RESTART_UNIT);
        let mut n_decisions = 0u64;
        loop {
            if let Some(conflict) = self.propagate() {
                self.n_conflicts += 1;
                if self.trail.level() == 0 {
                    self.is_contradictory = true;
                    self.failed.clear();
                    return Ok(Verdict::Unsat);
                }
                self.order.start_heap();
                let level = self.analyze(conflict);
                self.learn(level);
                self.order.decay();
                let n_conflicts = self.n_conflicts - start;
                if budget.conflicts.is_some_and(|limit| n_conflicts >= limit) {
                    return Err(Stop::Conflicts);
                }
                if n_conflicts.is_multiple_of(CHECK_INTERVAL) {
                    budget.check()?;
                }
                continue;
            }
            if self.n_conflicts - start >= next_restart {
                n_restarts += 1;
                next_restart = self.n_conflicts - start + RESTART_UNIT * luby(n_restarts);
                // The assumptions would come back anyway.
                self.backtrack(assumptions.len() as u32);
            }
            if self.clauses.learned.len() > self.max_learned {
                self.reduce();
            }
            n_decisions += 1;
            if n_decisions.is_multiple_of(CHECK_INTERVAL * 16) {
                budget.check()?;
            }
            match self.next_decision(assumptions) {
                Decision::Lit(lit) => {
                    self.trail.open_level();
                    self.trail.assign(lit, ClauseRef::NONE);
                }
                Decision::Holds => self.trail.open_level(),
                Decision::Fails(assumption) => {
                    self.analyze_final(assumption);
                    return Ok(Verdict::Unsat);
                }
                Decision::Done => return Ok(Verdict::Sat),
            }
        }
    }

    fn next_decision(&mut self, assumptions: &[Lit]) -> Decision {
        if let Some(&assumption) = assumptions.get(self.trail.level() as usize) {
            return match self.trail.value(assumption) {
                0 => Decision::Lit(assumption),
                1 => Decision::Holds,
                _ => Decision::Fails(assumption),
            };
        }
        let trail = &self.trail;
        match self.order.next(|var| trail.is_assigned(var)) {
            Some(var) => Decision::Lit(trail.preferred(var)),
            None => Decision::Done,
        }
    }

    /// Goes back and asserts the clause that was learned.
    fn learn(&mut self, level: u32) {
        let glue = self.stamp_levels();
        self.backtrack(level);
        let asserted = self.learned[0];
        if self.learned.len() == 1 {
            self.trail.assign(asserted, ClauseRef::NONE);
            return;
        }
        let clause = self.clauses.add(&self.learned, glue);
        self.watch(clause);
        self.trail.assign(asserted, clause);
    }
}

enum Decision {
    Lit(Lit),
    /// The next assumption holds already.
    Holds,
    /// The next assumption can't hold.
    Fails(Lit),
    Done,
}

/// The n-th element, from one on, of the sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …
fn luby(n: u64) -> u64 {
    let size = (n + 1).next_power_of_two();
    if size == n + 1 { size / 2 } else { luby(n + 1 - size / 2) }
}

impl SatSolver for Cdcl {
    fn new_var(&mut self) -> u32 {
        self.trail.add_var();
        self.order.add_var();
        self.watchers.extend([const { Vec::new() }; 2]);
        self.marks.push(Mark::None);
        self.trail.n_vars() as u32 - 1
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.backtrack(0);
        let mut kept = smallvec::SmallVec::<[Lit; 16]>::new();
        for &lit in clause {
            if self.trail.is_true(lit) {
                return;
            }
            if !self.trail.is_false(lit) {
                kept.push(lit);
            }
        }
        match kept[..] {
            [] => self.is_contradictory = true,
            [unit] => self.trail.assign(unit, ClauseRef::NONE),
            _ => {
                let clause = self.clauses.add(&kept, 0);
                self.watch(clause);
            }
        }
    }

    fn suggest(&mut self, lit: Lit) {
        // Going back remembers values, which must not replace the suggestion later.
        self.backtrack(0);
        self.trail.suggest(lit);
    }

    fn solve(&mut self, assumptions: &[Lit], scope: &[u32], budget: &Budget) -> Result<Verdict, Stop> {
        budget.check()?;
        self.backtrack(0);
        self.failed.clear();
        if self.is_contradictory {
            return Ok(Verdict::Unsat);
        }
        self.order.begin(scope);
        self.max_learned = self.max_learned.max(MIN_LEARNED);
        self.search(assumptions, budget)
    }

    fn value(&self, var: u32) -> bool {
        self.trail.is_true(Lit::new(var, false))
    }

    fn is_failed(&self, assumption: Lit) -> bool {
        self.failed.contains(&assumption)
    }

    fn n_conflicts(&self) -> u64 {
        self.n_conflicts
    }

    fn n_assigned(&self) -> usize {
        self.trail.lits.len()
    }
}
