//! What an engine does to solvers: it takes a path, flips one of its branches, takes the path of the values that it
//! gets, and collects expressions in between.

use proptest::prelude::*;
use spelunk_expr::{Evaluator, ExprId, Model, VarId};
use spelunk_solver::Answer;

use crate::common::session::Session;
use crate::recipe::{Kitchen, Recipe};
use crate::tally::Tally;

#[derive(Clone, Debug)]
pub enum Event {
    /// Asks for the other side of a branch of a recipe.
    Flip { recipe: u8, branch: u8 },
    /// Collects all but the conditions whose bits are set.
    Collect { kept: u64 },
}

/// `collections` times as many collections as flips are possible.
pub fn events(collections: u32) -> impl Strategy<Value = Vec<Event>> {
    let flip = (any::<u8>(), any::<u8>()).prop_map(|(recipe, branch)| Event::Flip { recipe, branch });
    let collect = any::<u64>().prop_map(|kept| Event::Collect { kept: kept & kept.rotate_left(7) });
    let event = if collections == 0 { flip.boxed() } else { prop_oneof![3 => flip, collections => collect].boxed() };
    prop::collection::vec(event, 1..12)
}

/// Several solvers on the same walk, each with its own pool.
pub struct Walk<'a> {
    tally: &'a Tally,
    kitchen: &'a Kitchen,
    recipes: &'a [Recipe],
    /// By recipe, the same in all pools.
    vars: Vec<Vec<VarId>>,
    sessions: Vec<Session>,
    input: Model,
    evaluator: Evaluator,
}

impl<'a> Walk<'a> {
    pub fn new(
        tally: &'a Tally,
        kitchen: &'a Kitchen,
        recipes: &'a [Recipe],
        seed: u64,
        mut sessions: Vec<Session>,
    ) -> Self {
        let mut vars = Vec::new();
        for session in &mut sessions {
            vars = recipes.iter().map(|recipe| recipe.declare(&mut session.pool)).collect();
        }
        let mut input = Model::new();
        for (recipe, vars) in recipes.iter().zip(&vars) {
            input.update(&recipe.model(vars, seed));
        }
        Walk { tally, kitchen, recipes, vars, sessions, input, evaluator: Evaluator::new() }
    }

    pub fn step(&mut self, event: &Event) {
        match *event {
            Event::Flip { recipe, branch } => self.flip(recipe as usize % self.recipes.len(), branch as usize),
            Event::Collect { kept } => self.collect(kept),
        }
    }

    /// The path of the current input through a recipe's conditions, up to the branch, which is flipped.
    fn path(&mut self, session: usize, recipe: usize, branch: usize) -> Vec<ExprId> {
        let pool = &mut self.sessions[session].pool;
        let mut path = self.recipes[recipe].build(self.kitchen, pool, &self.vars[recipe]);
        path.truncate(branch % path.len() + 1);
        let mut values = self.evaluator.under(pool, &self.input);
        let is_taken: Vec<bool> = path.iter().map(|&condition| values.eval_bool(condition)).collect();
        let last = path.len() - 1;
        for (at, condition) in path.iter_mut().enumerate() {
            if is_taken[at] == (at == last) {
                *condition = pool.mk_not(*condition);
            }
        }
        path
    }

    fn flip(&mut self, recipe: usize, branch: usize) {
        let mut answers = Vec::new();
        for at in 0..self.sessions.len() {
            let path = self.path(at, recipe, branch);
            let session = &mut self.sessions[at];
            session.hint = self.input.clone();
            let (verdict, answer) = self.tally.ask(session, &path, path.len() - 1);
            answers.push((path, verdict, answer));
        }
        let reference = answers.last().and_then(|(_, verdict, _)| *verdict);
        for (session, (path, verdict, answer)) in self.sessions.iter().zip(&answers) {
            if verdict.is_some() && reference.is_some() && *verdict != reference {
                session.fail(path, &format!("{answer:?}, but Z3 says otherwise"));
            }
        }
        if let (_, _, Answer::Sat(model)) = answers.swap_remove(0) {
            self.input = model;
        }
    }

    fn collect(&mut self, kept: u64) {
        for session in &mut self.sessions {
            let mut roots = Vec::new();
            for (recipe, vars) in self.recipes.iter().zip(&self.vars) {
                let conditions = recipe.build(self.kitchen, &mut session.pool, vars);
                roots.extend(conditions.iter().enumerate().filter(|(at, _)| kept >> at & 1 != 0).map(|(_, &id)| id));
            }
            session.collect(&roots);
        }
    }
}
