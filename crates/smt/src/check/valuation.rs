//! What names mean after a satisfiable check: the solver's values, and from them those of the variables that stand for
//! something else.

use rustc_hash::FxHashMap;
use spelunk_bv::float;
use spelunk_expr::{ArrayValue, Evaluator, ExprId, Model, Op, Sort, Value, VarId};

use crate::context::{Context, Definition};
use crate::sort::Scalar;

#[derive(Default)]
pub struct Valuation {
    pub(super) model: Model,
    /// Results by arguments, of functions that are no arrays.
    tables: FxHashMap<usize, FxHashMap<Vec<Value>, Contents>>,
    evaluator: Evaluator,
}

/// A value to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    Scalar(Value),
    Array(ArrayContents),
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ArrayContents {
    pub default: u64,
    /// Those that differ from the default, by index.
    pub elements: Vec<(u64, u64)>,
}

impl From<&ArrayValue> for ArrayContents {
    fn from(array: &ArrayValue) -> Self {
        let mut elements: Vec<(u64, u64)> = array
            .elements
            .iter()
            .map(|(&index, &elem)| (index, elem))
            .filter(|&(_, elem)| elem != array.default)
            .collect();
        elements.sort_unstable();
        ArrayContents { default: array.default, elements }
    }
}

impl From<&ArrayContents> for ArrayValue {
    fn from(contents: &ArrayContents) -> Self {
        ArrayValue { default: contents.default, elements: contents.elements.iter().copied().collect() }
    }
}

impl Valuation {
    pub fn new(model: Model) -> Self {
        Valuation { model, ..Valuation::default() }
    }

    fn eval(&mut self, context: &Context, id: ExprId) -> Value {
        self.evaluator.under(&context.pool, &self.model).eval(id)
    }

    fn eval_u64(&mut self, context: &Context, id: ExprId) -> u64 {
        self.evaluator.under(&context.pool, &self.model).eval_u64(id)
    }

    /// Fixes an array at the given indices and elsewhere.
    pub(super) fn settle_array(&mut self, context: &Context, array: ExprId, elsewhere: ExprId, indices: &[ExprId]) {
        let var = context.pool.node(array).var();
        let before = self.model.array(var).cloned().unwrap_or_default();
        let default = self.eval_u64(context, elsewhere);
        let mut values = self.evaluator.under(&context.pool, &self.model);
        let elements = indices.iter().map(|&index| values.eval_u64(index)).map(|index| (index, before.element(index)));
        let settled = ArrayValue { default, elements: elements.collect() };
        *self.model.array_mut(var) = settled;
    }

    /// Notes the results of functions that are no arrays.
    pub(super) fn tabulate(&mut self, context: &Context, applications: &[ExprId]) {
        for &application in applications {
            if let Some(Definition::Application { function, args }) = context.definition(application) {
                let args: Vec<Value> = args.iter().map(|&arg| self.eval(context, arg)).collect();
                let result = self.contents(context, application);
                self.tables.entry(*function).or_default().insert(args, result);
            }
        }
    }

    /// Gives an array the value of an expression.
    pub(super) fn replace(&mut self, context: &Context, array: ExprId, by: ExprId) {
        self.complete(context, &[by]);
        let value = self.array(context, by);
        *self.model.array_mut(context.pool.node(array).var()) = value;
    }

    /// Whether all conditions hold.
    pub(super) fn satisfies(&mut self, context: &Context, conditions: &[ExprId]) -> bool {
        self.complete(context, conditions);
        let mut values = self.evaluator.under(&context.pool, &self.model);
        conditions.iter().all(|&condition| values.eval_bool(condition))
    }

    /// The value of any expression.
    pub fn value(&mut self, context: &Context, id: ExprId) -> Contents {
        self.complete(context, &[id]);
        self.contents(context, id)
    }

    /// The value of an expression whose variables have values.
    fn contents(&mut self, context: &Context, id: ExprId) -> Contents {
        match context.pool.sort(id) {
            Sort::Bv(_) => Contents::Scalar(self.eval(context, id)),
            Sort::Array { .. } => Contents::Array((&self.array(context, id)).into()),
        }
    }

    /// The value of an array that is a variable.
    pub fn array_of(&self, var: VarId) -> ArrayContents {
        (&self.model.array(var).cloned().unwrap_or_default()).into()
    }

    /// Arguments and results of a function that is no array, in order.
    pub fn table(&self, function: usize) -> Vec<(Vec<Value>, Contents)> {
        let Some(table) = self.tables.get(&function) else { return Vec::new() };
        let mut rows: Vec<(Vec<Value>, Contents)> =
            table.iter().map(|(args, result)| (args.clone(), result.clone())).collect();
        let key = |args: &[Value]| args.iter().map(|arg| arg.limbs().iter().rev().copied().collect()).collect();
        rows.sort_by_cached_key(|(args, _)| -> Vec<Vec<u64>> { key(args) });
        rows
    }

    /// Gives values to all variables that stand for something else, from those of what they stand for.
    fn complete(&mut self, context: &Context, roots: &[ExprId]) {
        if !context.has_definitions() {
            return;
        }
        for id in context.postorder(roots) {
            let Some(definition) = context.definition(id) else { continue };
            let var = context.pool.node(id).var();
            match definition {
                &Definition::SameArray { a, b, elem } => {
                    let is_same = self.are_same(context, a, b, elem);
                    self.model.set_u64(var, is_same as u64);
                }
                &Definition::ChosenArray { cond, then, other } => {
                    let is_then = self.eval_u64(context, cond) != 0;
                    let value = self.array(context, if is_then { then } else { other });
                    *self.model.array_mut(var) = value;
                }
                Definition::Application { function, args } => {
                    let args: Vec<Value> = args.iter().map(|&arg| self.eval(context, arg)).collect();
                    match self.tables.get(function).and_then(|table| table.get(&args)) {
                        Some(Contents::Scalar(result)) => self.model.set(var, result),
                        Some(Contents::Array(result)) => *self.model.array_mut(var) = result.into(),
                        None => match context.pool.sort(id) {
                            Sort::Bv(width) => self.model.set(var, &Value::new(width, 0)),
                            Sort::Array { .. } => *self.model.array_mut(var) = ArrayValue::default(),
                        },
                    }
                }
            }
        }
    }

    /// The value of an array whose variables have values.
    fn array(&mut self, context: &Context, id: ExprId) -> ArrayValue {
        let history: Vec<ExprId> = context.history(id).collect();
        let (&base, writes) = history.split_last().expect("an array has a history");
        let node = context.pool.node(base);
        let mut array = match node.op() {
            Op::ConstArray => ArrayValue { default: self.eval_u64(context, node.arg(0)), ..ArrayValue::default() },
            Op::Table => {
                let elements = (0..context.pool.table_len(base)).map(|at| (at, context.pool.table_element(base, at)));
                ArrayValue { default: 0, elements: elements.collect() }
            }
            _ => self.model.array(node.var()).cloned().unwrap_or_default(),
        };
        let mut values = self.evaluator.under(&context.pool, &self.model);
        for &write in writes.iter().rev() {
            let node = context.pool.node(write);
            array.elements.insert(values.eval_u64(node.arg(1)), values.eval_u64(node.arg(2)));
        }
        array
    }

    fn are_same(&mut self, context: &Context, a: ExprId, b: ExprId, elem: Scalar) -> bool {
        let (x, y) = (self.array(context, a), self.array(context, b));
        let is_same = |x: u64, y: u64| match elem {
            Scalar::Float(kind) => x == y || float::is_nan(kind, x.into()) && float::is_nan(kind, y.into()),
            _ => x == y,
        };
        let mut indices: Vec<u64> = x.elements.keys().chain(y.elements.keys()).copied().collect();
        indices.sort_unstable();
        indices.dedup();
        let Sort::Array { index_width, .. } = context.pool.sort(a) else { return false };
        let n_all = 1u128 << index_width;
        let same_elsewhere = indices.len() as u128 == n_all || is_same(x.default, y.default);
        same_elsewhere && indices.iter().all(|&index| is_same(x.element(index), y.element(index)))
    }
}
