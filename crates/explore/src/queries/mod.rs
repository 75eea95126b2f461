//! Queries for inputs, where these are graphs of objects.
//!
//! Pointers are solved by the [`Shape`] that conditions ask for, numbers by the solver. Only conditions that speak of addresses
//! as numbers need both ([`mixed`]), if the graph that was found does not meet them.

mod mixed;

use spelunk_concolic::graph::conditions::Topic;
use spelunk_concolic::graph::shape::Shape;
use spelunk_concolic::{Input, Met, Runner};
use spelunk_expr::{Evaluator, ExprId, Model, Overlay, VarId};
use spelunk_solver::{Answer, Query, Solver, Unknown};

/// What came of a query.
#[derive(Debug)]
pub enum Found {
    Input(Input),
    /// There is none.
    Infeasible,
    Unknown(Unknown),
}

#[derive(Default)]
pub struct Queries {
    shape: Shape,
    constraints: Vec<ExprId>,
    targets: Vec<ExprId>,
    evaluator: Evaluator,
    /// Queries to the solver.
    pub n_queries: u64,
    pub shortcuts: Shortcuts,
}

/// How much was spared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shortcuts {
    /// Alternatives that an input was looked for.
    pub n_alternatives: u64,
    /// Those of them whose conditions on pointers contradict each other.
    pub n_contradictions: u64,
    /// Constraints of the paths to alternatives for which the solver was asked.
    pub n_constraints: u64,
    /// Conditions that runs met, and how many of them followed from earlier ones.
    pub met: Met,
}

impl Shortcuts {
    pub fn add(&mut self, other: &Shortcuts) {
        self.n_alternatives += other.n_alternatives;
        self.n_contradictions += other.n_contradictions;
        self.n_constraints += other.n_constraints;
        self.met.n_conditions += other.met.n_conditions;
        self.met.n_implied += other.met.n_implied;
    }
}

impl Queries {
    /// As new, but for what was counted.
    pub fn renewed(&self) -> Self {
        Self { n_queries: self.n_queries, shortcuts: self.shortcuts, ..Self::default() }
    }

    /// An input for a query, as the origin where nothing else is asked for. The hint is the model of the origin.
    pub fn find(
        &mut self,
        runner: &mut Runner<'_>,
        solver: &mut dyn Solver,
        query: &Query<'_>,
        origin: &Input,
    ) -> Found {
        self.shortcuts.n_alternatives += 1;
        self.shortcuts.met = runner.machine().met();
        if !runner.has_graph() {
            self.shortcuts.n_constraints += query.constraints.len() as u64;
            self.n_queries += 1;
            return match solver.check(runner.pool_mut(), query) {
                Answer::Sat(changes) => Found::Input(runner.apply(origin, &changes)),
                Answer::Unsat(_) => Found::Infeasible,
                Answer::Unknown(why) => Found::Unknown(why),
            };
        }
        if self.shape.read(runner.machine(), query.constraints).is_err() {
            self.shortcuts.n_contradictions += 1;
            return Found::Infeasible;
        }
        self.shape.choose(runner.machine(), query.hint);
        let changes = match self.solve_numbers(runner, solver, query) {
            Answer::Sat(changes) => changes,
            Answer::Unsat(_) => return Found::Infeasible,
            Answer::Unknown(why) => return Found::Unknown(why),
        };
        if self.meets_mixed(runner, query, &changes) {
            return Found::Input(self.shape.input(runner.machine(), origin, query.hint, &changes));
        }
        match self.solve_mixed(runner, solver, query) {
            Answer::Sat(changes) => Found::Input(self.shape.input(runner.machine(), origin, query.hint, &changes)),
            Answer::Unsat(_) => Found::Infeasible,
            Answer::Unknown(why) => Found::Unknown(why),
        }
    }

    /// Values for the numbers, given the shape.
    fn solve_numbers(&mut self, runner: &mut Runner<'_>, solver: &mut dyn Solver, query: &Query<'_>) -> Answer {
        self.constraints.clear();
        self.targets.clear();
        for (idx, &cond) in query.constraints.iter().enumerate() {
            if self.shape.topics()[idx] == Topic::Numbers {
                let list = if idx < query.n_satisfied { &mut self.constraints } else { &mut self.targets };
                list.push(cond);
            }
        }
        self.add_implied(runner, query.hint);
        if self.targets.is_empty() {
            return Answer::Sat(Model::new());
        }
        self.shortcuts.n_constraints += query.constraints.len() as u64;
        self.ask(runner, solver, query)
    }

    /// Adds what the shape implies for numbers, and which values they may have.
    fn add_implied(&mut self, runner: &mut Runner<'_>, hint: &Model) {
        let Self { shape, constraints, targets, .. } = self;
        for &(a, b) in shape.equal_contents() {
            let is_satisfied = hint.get_u64(a) == hint.get_u64(b);
            let equal = mk_equal(runner, a, b);
            if is_satisfied { constraints.push(equal) } else { targets.push(equal) }
        }
        for &var in shape.vars() {
            let value = hint.get_u64(var).unwrap_or(0);
            if let Some((domain, holds)) = runner.machine_mut().number_domain(var, value) {
                if holds { constraints.push(domain) } else { targets.push(domain) }
            }
        }
    }

    fn ask(&mut self, runner: &mut Runner<'_>, solver: &mut dyn Solver, query: &Query<'_>) -> Answer {
        let n_satisfied = self.constraints.len();
        self.constraints.extend_from_slice(&self.targets);
        self.n_queries += 1;
        solver.check(runner.pool_mut(), &Query { constraints: &self.constraints, n_satisfied, ..*query })
    }

    /// Whether the values found meet the conditions that speak of addresses as numbers.
    fn meets_mixed(&mut self, runner: &Runner<'_>, query: &Query<'_>, changes: &Model) -> bool {
        if self.shape.mixed().is_empty() {
            return true;
        }
        let mut changes = changes.clone();
        changes.update(self.shape.values());
        let overlay = Overlay { base: query.hint, changes: &changes };
        let mut evaluation = self.evaluator.under(runner.pool(), overlay);
        self.shape.mixed_conditions(query.constraints).all(|cond| evaluation.eval_u64(cond) == 1)
    }
}

fn mk_equal(runner: &mut Runner<'_>, a: VarId, b: VarId) -> ExprId {
    let pool = runner.pool_mut();
    let (a, b) = (pool.mk_var(a), pool.mk_var(b));
    pool.mk_eq(a, b)
}
