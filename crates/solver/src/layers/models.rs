//! Earlier values: those that satisfied the same query, or one about the same variables, are tried again.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use spelunk_expr::{ExprId, Model, Sort, VarId};

use super::store::Store;
use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};

pub struct Models {
    store: Store<Key, Known>,
}

/// A model is found by the query that it satisfies and by the first variables of that query's targets.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Query(u64),
    Var(VarId),
}

/// A query and values for all its variables, those of the hint among them.
struct Known {
    constraints: Box<[ExprId]>,
    model: Model,
}

const MAX_MODELS: usize = 1 << 12;

/// How many models are tried. Each costs an evaluation of the query, or of a part of it.
const MAX_TRIES: usize = 4;

impl Default for Models {
    fn default() -> Self {
        Models { store: Store::new(MAX_MODELS, MAX_TRIES) }
    }
}

impl Stage for Models {
    fn name(&self) -> &'static str {
        Layer::Models.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        if let Some(changes) = self.find(cx, query) {
            return Answer::Sat(changes);
        }
        let answer = rest.check(cx, query);
        if let Answer::Sat(changes) = &answer {
            self.add(cx, query, changes);
        }
        answer
    }

    fn forget(&mut self, freed: &Freed) {
        self.store.retain(|_, known| !known.constraints.iter().any(|&id| freed.contains(id)));
    }
}

impl Models {
    fn find(&self, cx: &mut Context<'_>, query: &Query<'_>) -> Option<Model> {
        let same = self.store.find(Key::Query(hash(query.constraints)));
        let same = same.filter(|known| *known.constraints == *query.constraints).take(1);
        let var = first_var(cx, *query.targets().first()?)?;
        let similar = self.store.find(Key::Var(var)).take(MAX_TRIES);
        same.chain(similar).find_map(|known| {
            let changes = difference(&known.model, query.hint);
            cx.satisfies(query, &changes).then_some(changes)
        })
    }

    fn add(&mut self, cx: &mut Context<'_>, query: &Query<'_>, changes: &Model) {
        let mut model = changes.clone();
        let mut keys = vec![Key::Query(hash(query.constraints))];
        for &constraint in query.constraints {
            let vars = cx.free_vars.of(cx.pool, constraint);
            for var in cx.free_vars.iter(vars) {
                complete(&mut model, cx.pool.var_sort(var), var, query.hint);
            }
        }
        for &target in query.targets() {
            keys.extend(first_var(cx, target).map(Key::Var).filter(|key| !keys.contains(key)));
        }
        self.store.insert(keys.into(), Known { constraints: query.constraints.into(), model });
    }
}

fn first_var(cx: &mut Context<'_>, condition: ExprId) -> Option<VarId> {
    let vars = cx.free_vars.of(cx.pool, condition);
    cx.free_vars.iter(vars).next()
}

fn hash(constraints: &[ExprId]) -> u64 {
    let mut hasher = FxHasher::default();
    constraints.hash(&mut hasher);
    hasher.finish()
}

/// Gives a variable its value of the hint unless it has one.
fn complete(model: &mut Model, sort: Sort, var: VarId, hint: &Model) {
    match sort {
        Sort::Bv(..=64) if model.get_u64(var).is_none() => model.set_u64(var, hint.get_u64(var).unwrap_or(0)),
        Sort::Bv(65..) if model.get_wide(var).is_none() => {
            if let Some(value) = hint.get_wide(var) {
                model.set(var, value);
            }
        }
        Sort::Array { .. } if model.array(var).is_none() => {
            *model.array_mut(var) = hint.array(var).cloned().unwrap_or_default();
        }
        _ => {}
    }
}

/// The values of a model that aren't those of the hint.
fn difference(model: &Model, hint: &Model) -> Model {
    let mut changes = model.clone();
    changes.retain(|var| match (model.get_u64(var), model.get_wide(var)) {
        (Some(value), _) => hint.get_u64(var).unwrap_or(0) != value,
        (_, Some(value)) => hint.get_wide(var) != Some(value),
        _ => hint.array(var) != model.array(var),
    });
    changes
}
