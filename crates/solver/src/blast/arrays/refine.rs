//! Axioms of arrays, added where a solver's values violate them. Those about the content of tables are in `tables`.

use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Op};

use super::tables::Span;
use super::{Circuit, Claim, End, Path, Providers, Read};
use crate::blast::budget::{Budget, Stop};
use crate::blast::gates::{Bit, DefId};
use crate::blast::words::Word;

/// A read whose bits are not what is there.
struct Violation {
    def: DefId,
    place: u64,
    path: Path,
    /// What the solver said instead.
    claim: Claim,
    /// The read that gave the element its value.
    provider: Option<DefId>,
}

impl Circuit {
    /// Adds the axioms that are violated under a model that `fill_arrays` has completed. Returns whether any are new.
    pub fn refine(
        &mut self,
        pool: &ExprPool,
        reads: &[DefId],
        (model, providers): (&Model, &Providers),
        evaluator: &mut Evaluator,
        value: impl Fn(Bit) -> Option<bool>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let violations = self.violations(pool, reads, (model, providers), evaluator, value);
        let n_before = self.defs.n_conditions();
        for violation in violations {
            budget.check()?;
            self.add_axioms(pool, &violation, budget)?;
        }
        Ok(self.defs.n_conditions() > n_before || self.pin_reads(pool, reads, budget)?)
    }

    /// Makes the positions of reads a part of the queries that reach them. Returns whether that is new.
    ///
    /// In `A[A[x]]`, what fills the outer read may change the inner one, if nothing has been said about that, and so
    /// where the outer one reads. Then none of the axioms is violated in the eyes of the solver.
    fn pin_reads(&mut self, pool: &ExprPool, reads: &[DefId], budget: &Budget) -> Result<bool, Stop> {
        let mut is_new = false;
        for &def in reads {
            let Some(index) = self.defs.read(def).filter(|read| read.pinned.is_empty()).map(|read| read.index) else {
                continue;
            };
            let bits = self.lower(pool, index, budget)?.to_vec();
            if let Some(read) = self.defs.read_mut(def) {
                read.pinned = bits;
                is_new = true;
            }
        }
        Ok(is_new)
    }

    fn violations(
        &self,
        pool: &ExprPool,
        reads: &[DefId],
        (model, providers): (&Model, &Providers),
        evaluator: &mut Evaluator,
        value: impl Fn(Bit) -> Option<bool>,
    ) -> Vec<Violation> {
        let mut evaluation = evaluator.under(pool, model);
        let mut violations = Vec::new();
        for &def in reads {
            let Some(read) = self.defs.read(def) else { continue };
            let claim = Claim::of(&read.bits, &value);
            if claim.admits(evaluation.eval_u64(read.expr)) {
                continue;
            }
            let place = evaluation.eval_u64(read.index);
            // A read elsewhere than the solver believes is the fault of a read before it.
            let is_there = self.words.get(read.index).is_ok_and(|bits| Claim::of(bits, &value).admits(place));
            if !is_there {
                continue;
            }
            let path = Path::trace(pool, read.array, place, |position| evaluation.eval_u64(position));
            let provider = match path.end {
                End::Var(var) => providers.get(&(var, place)).copied(),
                _ => None,
            };
            violations.push(Violation { def, place, path, claim, provider });
        }
        violations
    }

    fn add_axioms(&mut self, pool: &ExprPool, violation: &Violation, budget: &Budget) -> Result<(), Stop> {
        let Violation { def, place, ref path, claim, provider } = *violation;
        let Some(read) = self.defs.read_mut(def) else { return Ok(()) };
        read.n_refined += 1;
        let Read { array, index, n_refined, .. } = *read;
        let bits = read.bits.clone();
        let index = self.lower(pool, index, budget)?.to_vec();
        match (&path.end, provider) {
            (&End::Elem(elem), _) => {
                let met = self.premise(pool, &index, path, budget)?;
                self.add_reading(pool, def, met, (&bits, elem), budget)?;
            }
            (&End::Table(table), _) => {
                if path.passed.is_empty() {
                    self.add_places_of_value(pool, def, (&index, &bits), table, claim.value);
                }
                let span = Span::of(pool.table_len(table), place, index.len(), n_refined);
                self.add_table_span(pool, def, (&index, &bits), (table, &path.passed, span), budget)?;
            }
            (End::Var(_), Some(provider)) => self.add_congruence(pool, def, provider, budget)?,
            (End::Var(_), None) => {}
        }
        self.add_more_writes(pool, def, array, (&index, &bits), budget)
    }

    /// Whether a position is the same as another.
    pub(super) fn is_at(
        &mut self,
        pool: &ExprPool,
        index: &[Bit],
        position: ExprId,
        budget: &Budget,
    ) -> Result<Bit, Stop> {
        let position = self.lower(pool, position, budget)?.to_vec();
        Ok(self.gates.eq(index, &position))
    }

    /// Whether a read takes a path.
    fn premise(&mut self, pool: &ExprPool, index: &[Bit], path: &Path, budget: &Budget) -> Result<Bit, Stop> {
        let mut premise = match path.met {
            Some(met) => self.is_at(pool, index, met, budget)?,
            None => Bit::TRUE,
        };
        let constant = path.met.and_then(|met| pool.as_const(met));
        for &passed in &path.passed {
            // Being at one constant place is not being at another.
            if constant.is_some() && pool.as_const(passed).is_some() {
                continue;
            }
            let is_at = self.is_at(pool, index, passed, budget)?;
            premise = self.gates.and(premise, !is_at);
        }
        Ok(premise)
    }

    /// If the premise holds, the read yields an expression.
    fn add_reading(
        &mut self,
        pool: &ExprPool,
        def: DefId,
        premise: Bit,
        (bits, elem): (&[Bit], ExprId),
        budget: &Budget,
    ) -> Result<(), Stop> {
        let elem = self.lower(pool, elem, budget)?.to_vec();
        self.require_equal(def, premise, (bits, &elem), None);
        Ok(())
    }

    pub(super) fn require_equal(&mut self, def: DefId, premise: Bit, (a, b): (&[Bit], &[Bit]), with: Option<DefId>) {
        let is_equal = self.gates.eq(a, b);
        let holds = self.gates.or(!premise, is_equal);
        self.defs.require(def, holds, with);
    }

    /// Two reads of one place of a variable agree.
    fn add_congruence(&mut self, pool: &ExprPool, def: DefId, other: DefId, budget: &Budget) -> Result<(), Stop> {
        let mut premise = Bit::TRUE;
        let mut sides: SmallVec<[(Word, Word); 2]> = smallvec![];
        for def in [def, other] {
            let Some(read) = self.defs.read(def) else { return Ok(()) };
            let (array, index, bits) = (read.array, read.index, read.bits.clone());
            let index = self.lower(pool, index, budget)?.to_vec();
            let mut at = array;
            while pool.op(at) == Op::Store {
                let is_at = self.is_at(pool, &index, pool.node(at).arg(1), budget)?;
                premise = self.gates.and(premise, !is_at);
                at = pool.node(at).arg(0);
            }
            sides.push((index, bits));
        }
        let is_same_place = self.gates.eq(&sides[0].0, &sides[1].0);
        let premise = self.gates.and(premise, is_same_place);
        self.require_equal(def, premise, (&sides[0].1, &sides[1].1), Some(other));
        Ok(())
    }

    /// Says what some more writes at constant positions left: twice as many each time, so that a long row of them takes
    /// few rounds.
    fn add_more_writes(
        &mut self,
        pool: &ExprPool,
        def: DefId,
        array: ExprId,
        (index, bits): (&[Bit], &[Bit]),
        budget: &Budget,
    ) -> Result<(), Stop> {
        let Some(read) = self.defs.read_mut(def) else { return Ok(()) };
        let n_done = read.n_writes_added;
        let n_more = (1usize << read.n_refined.min(20)) - 1;
        read.n_writes_added += n_more;
        let (mut at, mut n_seen) = (array, 0);
        let mut places = FxHashSet::default();
        let mut elsewhere = Vec::new();
        while pool.op(at) == Op::Store && n_seen < n_done + n_more {
            let node = pool.node(at);
            match pool.as_const(node.arg(1)) {
                None => elsewhere.push(node.arg(1)),
                Some(place) => {
                    if places.insert(place) && n_seen >= n_done {
                        let path =
                            Path { passed: elsewhere.clone(), met: Some(node.arg(1)), end: End::Elem(node.arg(2)) };
                        let premise = self.premise(pool, index, &path, budget)?;
                        self.add_reading(pool, def, premise, (bits, node.arg(2)), budget)?;
                    }
                    n_seen += 1;
                }
            }
            at = node.arg(0);
        }
        Ok(())
    }
}
