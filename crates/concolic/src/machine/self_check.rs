//! A check of ourselves: under the run's input, every expression has the value that the VM computed.

use crate::input_bytes::InputBytes;
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Value, VarId};

#[derive(Default)]
pub(super) struct SelfCheck {
    evaluator: Evaluator,
    model: Model,
    n_vars: usize,
}

impl SelfCheck {
    pub fn start(&mut self) {
        self.model = Model::new();
        self.n_vars = 0;
    }

    /// A variable that is no input.
    pub fn set(&mut self, var: VarId, value: u64) {
        self.model.set_u64(var, value);
    }

    /// # Panics
    /// If the expression has another value: a bug of ours.
    pub fn compare(&mut self, pool: &mut ExprPool, inputs: &InputBytes, expr: ExprId, limbs: &[u64]) {
        for (var, value) in inputs.values_from(self.n_vars) {
            self.model.set_u64(var, value);
            self.n_vars += 1;
        }
        let found = self.evaluator.under(pool, &self.model).eval(expr);
        // An expression may be narrower than what it stands for.
        let expected = Value::from_limbs(found.width(), limbs);
        let is_whole = Value::from_limbs(limbs.len() as u32 * 64, found.limbs()).limbs() == limbs;
        if found != expected || !is_whole {
            let constant = pool.mk_value(&expected);
            let claim = pool.mk_eq(expr, constant);
            panic!("the VM computed {limbs:#x?}, the expression is {found:?}:\n{}", pool.to_smtlib(&[claim]));
        }
    }
}
