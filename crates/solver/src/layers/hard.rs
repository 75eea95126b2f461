//! Which expressions have products or quotients in them.

use spelunk_expr::{ExprId, ExprPool, Op};

use crate::stage::Freed;

/// What is known, dense by id.
#[derive(Default)]
pub struct HardTerms {
    known: Vec<Hardness>,
    stack: Vec<ExprId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Hardness {
    #[default]
    Unknown,
    Easy,
    Hard,
}

const fn is_hard(op: Op) -> bool {
    matches!(op, Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem | Op::UMulO | Op::SMulO)
}

impl HardTerms {
    pub fn contains(&mut self, pool: &ExprPool, root: ExprId) -> bool {
        self.known.resize(self.known.len().max(pool.id_bound()), Hardness::Unknown);
        if self.known[root.index()] == Hardness::Unknown {
            self.stack.push(root);
        }
        while let Some(&id) = self.stack.last() {
            let node = pool.node(id);
            let is = |id: ExprId, hardness| self.known[id.index()] == hardness;
            let hardness = if is_hard(node.op()) || node.args().any(|arg| is(arg, Hardness::Hard)) {
                Hardness::Hard
            } else if let Some(arg) = node.args().find(|&arg| is(arg, Hardness::Unknown)) {
                self.stack.push(arg);
                continue;
            } else {
                Hardness::Easy
            };
            self.known[id.index()] = hardness;
            self.stack.pop();
        }
        self.known[root.index()] == Hardness::Hard
    }

    pub fn forget(&mut self, freed: &Freed) {
        for (at, known) in (0..).zip(&mut self.known) {
            if freed.contains(ExprId::from_raw(at)) {
                *known = Hardness::Unknown;
            }
        }
    }
}
