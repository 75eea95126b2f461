//! A chain of the layers under test and a backend that tries all values and remembers what it was asked.

use std::cell::RefCell;
use std::rc::Rc;

use spelunk_expr::{Evaluator, ExprId, ExprPool, FreeVars, Model, Sort, VarId, VarSetId};
use spelunk_solver::stage::{Chain, Stage};
use spelunk_solver::{Answer, LayerStats, Limits, Query, Solver, Unknown};

/// What a backend was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    pub constraints: Vec<ExprId>,
    pub n_satisfied: usize,
}

pub type Record = Rc<RefCell<Vec<Asked>>>;

/// How the backend behaves.
pub enum Script {
    /// Tries all values.
    Exact,
    /// Gives these answers in turn.
    Answers(Vec<Answer>),
}

struct Backend {
    script: Script,
    record: Record,
}

impl Solver for Backend {
    fn check(&mut self, pool: &mut ExprPool, query: &Query<'_>) -> Answer {
        self.record
            .borrow_mut()
            .push(Asked { constraints: query.constraints.to_vec(), n_satisfied: query.n_satisfied });
        match &mut self.script {
            Script::Exact => solve(pool, query.constraints, query.hint),
            Script::Answers(answers) if answers.is_empty() => {
                Answer::Unknown(Unknown::GaveUp("no more answers".into()))
            }
            Script::Answers(answers) => answers.remove(0),
        }
    }

    fn forget(&mut self, _pool: &ExprPool, _freed: &[ExprId]) {}

    fn stats(&self, out: &mut Vec<LayerStats>) {
        out.push(LayerStats::new("test"));
    }
}

/// The answer by trying all values of all variables, in order from those of the hint on.
pub fn solve(pool: &ExprPool, constraints: &[ExprId], hint: &Model) -> Answer {
    let vars = vars_of(pool, constraints);
    let widths: Vec<u32> = vars.iter().map(|&var| width(pool, var)).collect();
    let n_bits: u32 = widths.iter().sum();
    assert!(n_bits <= 20, "{n_bits} bits are too many to try");
    let mut evaluator = Evaluator::new();
    for combination in 0u64..1 << n_bits {
        let mut model = hint.clone();
        let mut changes = Model::new();
        let mut rest = combination;
        for (&var, &width) in vars.iter().zip(&widths) {
            let old = hint.get_u64(var).unwrap_or(0);
            let value = (rest ^ old) & ((1 << width) - 1);
            rest >>= width;
            model.set_u64(var, value);
            if value != old {
                changes.set_u64(var, value);
            }
        }
        let mut values = evaluator.under(pool, &model);
        if constraints.iter().all(|&constraint| values.eval_bool(constraint)) {
            return Answer::Sat(changes);
        }
    }
    Answer::Unsat(constraints.to_vec())
}

pub fn vars_of(pool: &ExprPool, constraints: &[ExprId]) -> Vec<VarId> {
    let mut free_vars = FreeVars::new();
    let mut all = VarSetId::EMPTY;
    for &constraint in constraints {
        let vars = free_vars.of(pool, constraint);
        all = free_vars.union(all, vars);
    }
    free_vars.iter(all).collect()
}

fn width(pool: &ExprPool, var: VarId) -> u32 {
    match pool.var_sort(var) {
        Sort::Bv(width) => width,
        sort => panic!("{sort:?} has too many values to try"),
    }
}

/// A chain with its pool and hint.
pub struct Bench {
    pub pool: ExprPool,
    pub hint: Model,
    pub limits: Limits,
    pub chain: Chain,
    record: Record,
    evaluator: Evaluator,
}

impl Bench {
    pub fn new(layers: Vec<Box<dyn Stage>>, script: Script) -> Self {
        let record = Record::default();
        let backend = Backend { script, record: record.clone() };
        Bench {
            pool: ExprPool::new(),
            hint: Model::new(),
            limits: Limits::default(),
            chain: Chain::new(layers, vec![Box::new(backend)]),
            record,
            evaluator: Evaluator::new(),
        }
    }

    pub fn var(&mut self, name: &str, width: u32) -> ExprId {
        let var = self.pool.new_var(name, Sort::Bv(width));
        self.pool.mk_var(var)
    }

    pub fn set(&mut self, var: ExprId, value: u64) {
        self.hint.set_u64(self.pool.node(var).var(), value);
    }

    pub fn number(&mut self, var: ExprId, value: u64) -> ExprId {
        self.pool.mk_const(self.pool.width(var), value)
    }

    /// `var == value`
    pub fn is(&mut self, var: ExprId, value: u64) -> ExprId {
        let value = self.number(var, value);
        self.pool.mk_eq(var, value)
    }

    /// `var < value`
    pub fn below(&mut self, var: ExprId, value: u64) -> ExprId {
        let value = self.number(var, value);
        self.pool.mk_ult(var, value)
    }

    /// Asks as a caller would who knows how many of the first constraints the hint satisfies.
    pub fn check(&mut self, constraints: &[ExprId]) -> Answer {
        let mut values = self.evaluator.under(&self.pool, &self.hint);
        let n_satisfied = constraints.iter().take_while(|&&constraint| values.eval_bool(constraint)).count();
        self.check_satisfied(constraints, n_satisfied)
    }

    pub fn check_satisfied(&mut self, constraints: &[ExprId], n_satisfied: usize) -> Answer {
        let query = Query { constraints, n_satisfied, hint: &self.hint, limits: &self.limits };
        self.chain.check(&mut self.pool, &query)
    }

    /// Asks, and compares the answer with that of trying all values.
    pub fn check_exactly(&mut self, constraints: &[ExprId]) -> Answer {
        let answer = self.check(constraints);
        let expected = solve(&self.pool, constraints, &self.hint);
        let script = || self.pool.to_smtlib(constraints);
        match &answer {
            Answer::Sat(changes) => {
                assert!(expected.is_sat(), "{changes:?} for\n{}", script());
                let mut model = self.hint.clone();
                model.update(changes);
                let mut values = self.evaluator.under(&self.pool, &model);
                let failing = constraints.iter().find(|&&constraint| !values.eval_bool(constraint));
                assert_eq!(failing, None, "under {model:?} of\n{}", script());
            }
            Answer::Unsat(core) => {
                assert!(expected.is_unsat(), "{expected:?} for\n{}", script());
                assert!(core.iter().all(|id| constraints.contains(id)), "{core:?} of {constraints:?}");
                assert!(solve(&self.pool, core, &self.hint).is_unsat(), "{core:?} is no core of\n{}", script());
            }
            Answer::Unknown(why) => panic!("{why} for\n{}", script()),
        }
        answer
    }

    /// What the backend was asked since the last time.
    pub fn asked(&mut self) -> Vec<Asked> {
        self.record.take()
    }

    pub fn collect(&mut self, roots: &[ExprId]) {
        let freed = self.pool.collect(roots.iter().copied());
        self.chain.forget(&self.pool, &freed);
    }

    pub fn stats(&self, layer: &str) -> LayerStats {
        let mut all = Vec::new();
        self.chain.stats(&mut all);
        all.into_iter().find(|stats| stats.layer == layer).expect("the layer is in the chain")
    }

    /// The changed values, of an answer that has some.
    pub fn changes(&self, answer: &Answer) -> Vec<(ExprId, u64)> {
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        let vars = (0..self.pool.id_bound() as u32).map(ExprId::from_raw);
        let vars = vars.filter(|&id| self.pool.op(id) == spelunk_expr::Op::Var && self.pool.width(id) > 0);
        vars.filter_map(|id| Some((id, model.get_u64(self.pool.node(id).var())?))).collect()
    }
}

/// Numbers that are the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Any expression of these variables, all of one width.
pub fn random_term(pool: &mut ExprPool, random: &mut Random, vars: &[ExprId], depth: usize) -> ExprId {
    let w = pool.width(vars[0]);
    if depth == 0 || random.below(4) == 0 {
        return match random.below(3) {
            0 => pool.mk_const(w, random.below(1 << w.min(16)) as u64),
            _ => random.pick(vars),
        };
    }
    let a = random_term(pool, random, vars, depth - 1);
    if random.below(5) == 0 {
        return if random.below(2) == 0 { pool.mk_not(a) } else { pool.mk_neg(a) };
    }
    let b = random_term(pool, random, vars, depth - 1);
    let op = random.pick(spelunk_bv::BinOp::ALL);
    pool.mk_binop(op, a, b)
}

/// Any condition on these variables, all of one width.
pub fn random_condition(pool: &mut ExprPool, random: &mut Random, vars: &[ExprId], depth: usize) -> ExprId {
    if depth > 0 && random.below(3) == 0 {
        let a = random_condition(pool, random, vars, depth - 1);
        let b = random_condition(pool, random, vars, depth - 1);
        return match random.below(3) {
            0 => pool.mk_and(a, b),
            1 => pool.mk_or(a, b),
            _ => pool.mk_not(a),
        };
    }
    let (a, b) = (random_term(pool, random, vars, depth), random_term(pool, random, vars, depth));
    let op = random.pick(spelunk_bv::CmpOp::ALL);
    pool.mk_cmp(op, a, b)
}
