//! A concolic explorer in small: programs over symbolic inputs, run with concrete ones, and the queries that exploring
//! their paths depth-first asks.

use spelunk_bv::CmpOp;
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Sort, VarId};
use spelunk_solver::{Answer, Limits, Query, Solver};

use crate::error::BenchError;

/// Exploration goes on elsewhere when a query takes more.
const MAX_CONFLICTS: u64 = 20_000;

/// A program that is explored.
pub struct Program {
    pub name: &'static str,
    /// The widths of its inputs.
    pub inputs: fn() -> Vec<u32>,
    pub run: fn(&mut Context<'_>),
    /// How many queries are recorded at most.
    pub n_queries: usize,
}

/// A run in progress: the program computes with expressions, and branches by their values under the input.
pub struct Context<'a> {
    pub pool: &'a mut ExprPool,
    inputs: &'a [ExprId],
    input: &'a Model,
    evaluator: &'a mut Evaluator,
    path: Vec<ExprId>,
}

impl Context<'_> {
    pub fn input(&self, at: usize) -> ExprId {
        self.inputs[at]
    }

    pub fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Takes the side of the branch that the input takes, and records the condition as it is there.
    pub fn branch(&mut self, condition: ExprId) -> bool {
        if self.pool.is_const(condition) {
            return condition == ExprId::TRUE;
        }
        let is_taken = self.evaluator.under(self.pool, self.input).eval_bool(condition);
        let holds = if is_taken { condition } else { self.pool.mk_not(condition) };
        self.path.push(holds);
        is_taken
    }

    pub fn compare(&mut self, op: CmpOp, a: ExprId, b: ExprId) -> bool {
        let condition = self.pool.mk_cmp(op, a, b);
        self.branch(condition)
    }

    pub fn compare_const(&mut self, op: CmpOp, a: ExprId, b: u64) -> bool {
        let b = self.pool.mk_const(self.pool.width(a), b);
        self.compare(op, a, b)
    }

    pub fn is(&mut self, a: ExprId, value: u64) -> bool {
        self.compare_const(CmpOp::Eq, a, value)
    }

    /// As compilers do it: one subtraction, one comparison.
    pub fn is_within(&mut self, a: ExprId, low: u64, high: u64) -> bool {
        let low_const = self.pool.mk_const(self.pool.width(a), low);
        let offset = self.pool.mk_sub(a, low_const);
        self.compare_const(CmpOp::Ule, offset, high - low)
    }
}

/// What happened, in order; enough to ask the same queries again in another pool.
#[derive(Clone)]
pub enum Step {
    Run(Model),
    Flip { run: usize, branch: usize },
}

pub struct Recording {
    pub program: &'static Program,
    pub steps: Vec<Step>,
}

/// A program with its inputs declared in a pool.
struct Runner {
    program: &'static Program,
    vars: Vec<VarId>,
    inputs: Vec<ExprId>,
    evaluator: Evaluator,
}

impl Runner {
    fn new(program: &'static Program, pool: &mut ExprPool) -> Self {
        let vars: Vec<VarId> =
            (program.inputs)().into_iter().map(|width| pool.new_var("in", Sort::Bv(width))).collect();
        let inputs = vars.iter().map(|&var| pool.mk_var(var)).collect();
        Runner { program, vars, inputs, evaluator: Evaluator::new() }
    }

    fn run(&mut self, pool: &mut ExprPool, input: &Model) -> Vec<ExprId> {
        let mut context =
            Context { pool, inputs: &self.inputs, input, evaluator: &mut self.evaluator, path: Vec::new() };
        (self.program.run)(&mut context);
        context.path
    }
}

/// Explores a program depth-first and records what was asked.
pub fn record(program: &'static Program, solver: &mut dyn Solver) -> Result<Recording, BenchError> {
    let mut pool = ExprPool::new();
    let mut runner = Runner::new(program, &mut pool);
    let limits = Limits { conflicts: Some(MAX_CONFLICTS), ..Limits::default() };
    let mut input = Model::new();
    for &var in &runner.vars {
        input.set_u64(var, 0);
    }
    let mut inputs = vec![input];
    let mut paths = vec![runner.run(&mut pool, &inputs[0])];
    let mut steps = vec![Step::Run(inputs[0].clone())];
    let mut n_queries = 0;
    let mut open: Vec<(usize, usize)> = (0..paths[0].len()).map(|branch| (0, branch)).collect();
    while let Some((run, branch)) = open.pop() {
        if n_queries == program.n_queries {
            break;
        }
        n_queries += 1;
        steps.push(Step::Flip { run, branch });
        let constraints = flipped(&mut pool, &paths[run], branch);
        let query = Query { constraints: &constraints, n_satisfied: branch, hint: &inputs[run], limits: &limits };
        let Answer::Sat(changes) = solver.check(&mut pool, &query) else { continue };
        let mut input = inputs[run].clone();
        input.update(&changes);
        let path = runner.run(&mut pool, &input);
        if !path.starts_with(&constraints) {
            return Err(BenchError::Diverged { program: program.name });
        }
        steps.push(Step::Run(input.clone()));
        open.extend((branch + 1..path.len()).map(|branch| (paths.len(), branch)));
        inputs.push(input);
        paths.push(path);
    }
    Ok(Recording { program, steps })
}

/// The path up to a branch, and the other side of the branch.
fn flipped(pool: &mut ExprPool, path: &[ExprId], branch: usize) -> Vec<ExprId> {
    let mut constraints = path[..=branch].to_vec();
    constraints[branch] = pool.mk_not(path[branch]);
    constraints
}

/// The recorded queries, rebuilt in a pool of their own.
pub struct Script {
    pub pool: ExprPool,
    pub inputs: Vec<Model>,
    pub queries: Vec<Flip>,
}

pub struct Flip {
    pub constraints: Vec<ExprId>,
    pub run: usize,
}

impl Recording {
    pub fn rebuild(&self) -> Script {
        let mut pool = ExprPool::new();
        let mut runner = Runner::new(self.program, &mut pool);
        let (mut inputs, mut paths, mut queries) = (Vec::new(), Vec::new(), Vec::new());
        for step in &self.steps {
            match step {
                Step::Run(input) => {
                    paths.push(runner.run(&mut pool, input));
                    inputs.push(input.clone());
                }
                Step::Flip { run, branch } => {
                    let constraints = flipped(&mut pool, &paths[*run], *branch);
                    queries.push(Flip { constraints, run: *run });
                }
            }
        }
        Script { pool, inputs, queries }
    }
}
