//! Conditions that speak of addresses as numbers: which is the larger one, what bits it has.
//!
//! They are not about which pointers share, and still depend on it; so a solver chooses addresses for the pointers, among
//! those of their objects, together with the numbers.

use super::{Queries, mk_equal};
use spelunk_concolic::Runner;
use spelunk_expr::{ExprId, Op, VarId};
use spelunk_solver::{Answer, Query, Solver, Unknown};

/// How often a solver is told why its choice can't be.
const MAX_ROUNDS: usize = 256;

impl Queries {
    /// Values for numbers and pointers: with the pointers as they were chosen, or with any, or with further objects.
    pub(super) fn solve_mixed(
        &mut self,
        runner: &mut Runner<'_>,
        solver: &mut dyn Solver,
        query: &Query<'_>,
    ) -> Answer {
        let pointers: Vec<VarId> =
            self.shape.vars().iter().copied().filter(|&var| self.shape.value(var).is_some()).collect();
        let pins: Vec<ExprId> =
            pointers.iter().map(|&var| mk_is(runner, var, self.shape.value(var).unwrap_or(0))).collect();
        if let found @ Answer::Sat(_) = self.ask_all(runner, solver, query, &pins) {
            return found;
        }
        let machine = runner.machine_mut();
        let mut shared = machine.sharing(&pointers, self.shape.vars());
        shared.extend(machine.homes(&pointers));
        // What sharing that the conditions ask for implies for pointers, the solver can't know.
        let equal = self.shape.equal_pointers();
        shared.extend(equal.into_iter().map(|(pointer, other, shift)| mk_above(runner, pointer, other, shift)));
        let found = self.place(runner, solver, query, &pointers, &shared, false);
        if !matches!(found, Answer::Unsat(_)) || !self.orders_addresses(runner, query) {
            return found;
        }
        let found = self.place(runner, solver, query, &pointers, &shared, true);
        if !matches!(found, Answer::Unsat(_)) {
            return found;
        }
        let machine = runner.machine_mut();
        let anywhere = pointers.iter().filter_map(|&var| machine.wide_domain(var));
        let further: Vec<ExprId> = anywhere.chain(shared).collect();
        match self.ask_all(runner, solver, query, &further) {
            Answer::Sat(_) => Answer::Unknown(Unknown::Unsupported("such an order of objects in memory")),
            other => other,
        }
    }

    /// Chooses where pointers lead.
    fn place(
        &mut self,
        runner: &mut Runner<'_>,
        solver: &mut dyn Solver,
        query: &Query<'_>,
        pointers: &[VarId],
        shared: &[ExprId],
        with_spares: bool,
    ) -> Answer {
        let machine = runner.machine_mut();
        let domains = pointers.iter().filter_map(|&var| machine.pointer_domain(var, pointers, with_spares));
        let mut further: Vec<ExprId> = domains.chain(shared.iter().copied()).collect();
        for _ in 0..MAX_ROUNDS {
            let changes = match self.ask_all(runner, solver, query, &further) {
                Answer::Sat(changes) => changes,
                other => return other,
            };
            let mut model = query.hint.clone();
            model.update(&changes);
            let is_possible = self.shape.read(runner.machine(), query.constraints).is_ok()
                && self.shape.follow(runner.machine(), &model).is_ok();
            let value = |var: VarId| model.get_u64(var).unwrap_or(0);
            let contents = self.shape.equal_contents().iter().map(|&(a, b)| (a, Some(b), 0));
            let wrong = contents
                .chain(self.shape.equal_pointers())
                .find(|&(a, b, shift)| value(a) != b.map_or(0, value).wrapping_add_signed(shift));
            if is_possible && wrong.is_none() {
                return Answer::Sat(changes);
            }
            let mut lemma = match wrong {
                Some((a, b, shift)) if is_possible => mk_above(runner, a, b, shift),
                _ => ExprId::FALSE,
            };
            for &var in pointers {
                let is_there = mk_is(runner, var, value(var));
                let pool = runner.pool_mut();
                let elsewhere = pool.mk_not(is_there);
                lemma = pool.mk_or(lemma, elsewhere);
            }
            further.push(lemma);
            // What follows from this choice does not hold for others.
            if self.shape.read(runner.machine(), query.constraints).is_err() {
                break;
            }
        }
        Answer::Unknown(Unknown::Unsupported("a graph in which too many pointers share objects"))
    }

    /// Whether a condition asks which of two addresses is the larger one.
    fn orders_addresses(&self, runner: &Runner<'_>, query: &Query<'_>) -> bool {
        let pool = runner.pool();
        self.shape.mixed_conditions(query.constraints).any(|cond| {
            let mut node = pool.node(cond);
            while node.op() == Op::Not {
                node = pool.node(node.arg(0));
            }
            matches!(node.op(), Op::Ult | Op::Ule | Op::Slt | Op::Sle)
        })
    }

    /// Asks the solver for everything, pointers too.
    fn ask_all(
        &mut self,
        runner: &mut Runner<'_>,
        solver: &mut dyn Solver,
        query: &Query<'_>,
        further: &[ExprId],
    ) -> Answer {
        self.constraints.clear();
        self.constraints.extend_from_slice(query.satisfied());
        self.targets.clear();
        self.targets.extend_from_slice(query.targets());
        self.targets.extend_from_slice(further);
        self.add_implied(runner, query.hint);
        self.ask(runner, solver, query)
    }
}

fn mk_is(runner: &mut Runner<'_>, var: VarId, value: u64) -> ExprId {
    let pool = runner.pool_mut();
    let (var, value) = (pool.mk_var(var), pool.mk_const(64, value));
    pool.mk_eq(var, value)
}

/// That a pointer is by so much above another, or above null.
fn mk_above(runner: &mut Runner<'_>, pointer: VarId, other: Option<VarId>, shift: i64) -> ExprId {
    let Some(other) = other else { return mk_is(runner, pointer, shift as u64) };
    if shift == 0 {
        return mk_equal(runner, pointer, other);
    }
    let pool = runner.pool_mut();
    let (pointer, other, shift) = (pool.mk_var(pointer), pool.mk_var(other), pool.mk_const(64, shift as u64));
    let above = pool.mk_add(other, shift);
    pool.mk_eq(pointer, above)
}
