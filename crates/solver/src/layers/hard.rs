//! Which expressions have products or quotients in them: arithmetic that clauses are bad at, quotients worst.

use spelunk_expr::{ExprId, ExprPool, Op};

use crate::stage::Freed;

/// What is known, dense by id.
#[derive(Default)]
pub struct HardTerms {
    known: Vec<Hardness>,
    stack: Vec<ExprId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Hardness {
    #[default]
    Unknown,
    Easy,
    /// There are products.
    Hard,
    /// There are quotients or remainders.
    Hardest,
}

const fn hardness(op: Op) -> Hardness {
    match op {
        Op::UDiv | Op::URem | Op::SDiv | Op::SRem => Hardness::Hardest,
        Op::Mul | Op::UMulO | Op::SMulO => Hardness::Hard,
        _ => Hardness::Easy,
    }
}

impl HardTerms {
    pub fn contains(&mut self, pool: &ExprPool, root: ExprId) -> bool {
        self.of(pool, root) >= Hardness::Hard
    }

    pub fn has_quotients(&mut self, pool: &ExprPool, root: ExprId) -> bool {
        self.of(pool, root) == Hardness::Hardest
    }

    fn of(&mut self, pool: &ExprPool, root: ExprId) -> Hardness {
        self.known.resize(self.known.len().max(pool.id_bound()), Hardness::Unknown);
        if self.known[root.index()] == Hardness::Unknown {
            self.stack.push(root);
        }
        while let Some(&id) = self.stack.last() {
            let node = pool.node(id);
            let own = hardness(node.op());
            let known = |id: ExprId| self.known[id.index()];
            if own != Hardness::Hardest
                && let Some(arg) = node.args().find(|&arg| known(arg) == Hardness::Unknown)
            {
                self.stack.push(arg);
                continue;
            }
            self.known[id.index()] = node.args().map(known).fold(own, Hardness::max);
            self.stack.pop();
        }
        self.known[root.index()]
    }

    pub fn forget(&mut self, freed: &Freed) {
        for (at, known) in (0..).zip(&mut self.known) {
            if freed.contains(ExprId::from_raw(at)) {
                *known = Hardness::Unknown;
            }
        }
    }
}
