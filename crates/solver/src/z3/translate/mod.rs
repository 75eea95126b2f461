//! From expressions to Z3's terms, each expression once.
//!
//! One bit is `Bool` where an operation makes or takes truth values, and a bit-vector elsewhere. Operations on integers
//! are in `bits`, arrays in `arrays`, floats in `floats`. Every expression has exactly the value that evaluation gives
//! it, so Z3's models satisfy what they are said to satisfy, and its "unsatisfiable" holds. There is one exception, for
//! which only the latter is true: see `remainder`.

mod arrays;
mod bits;
mod floats;
mod remainder;

use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, ExprPool, Node, Op, VarId};
use z3::ast::{Array, BV, Bool};

pub(super) use bits::constant;
pub(super) use remainder::Remainder;

/// What an expression is to Z3.
#[derive(Clone)]
pub(super) enum Term {
    Truth(Bool),
    Bits(BV),
    Array(Array),
}

/// The theories beyond bit-vectors that an expression is made of.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Theories {
    pub arrays: bool,
    pub floats: bool,
    /// Among the floats are remainders that are not translated exactly.
    pub remainders: bool,
    /// A product or quotient that Z3 would take all memory for, whatever its limits are.
    pub wide_products: bool,
}

impl Theories {
    pub fn union(self, other: Self) -> Self {
        Theories {
            arrays: self.arrays | other.arrays,
            floats: self.floats | other.floats,
            remainders: self.remainders | other.remainders,
            wide_products: self.wide_products | other.wide_products,
        }
    }
}

struct Entry {
    term: Term,
    theories: Theories,
}

/// The terms of all expressions met so far.
#[derive(Default)]
pub(super) struct Translator {
    /// By expression, one more than the place of its entry; zero if it has none.
    places: Vec<u32>,
    entries: Vec<Option<Entry>>,
    free: Vec<u32>,
    /// The terms of bit-vector variables.
    vars: Vec<Option<BV>>,
    /// What is known of the terms that are not exact.
    remainders: FxHashMap<ExprId, Remainder>,
    /// Expressions that are waited for.
    stack: Vec<ExprId>,
}

impl Translator {
    /// Drops the terms of expressions that are no more.
    pub fn forget(&mut self, freed: &[ExprId]) {
        for id in freed {
            let Some(place @ 1..) = self.places.get_mut(id.index()).map(std::mem::take) else { continue };
            self.entries[place as usize - 1] = None;
            self.remainders.remove(id);
            self.free.push(place - 1);
        }
    }

    /// The term of a condition.
    pub fn condition(&mut self, pool: &ExprPool, id: ExprId) -> Bool {
        self.visit(pool, id);
        self.truth(id)
    }

    /// The term of a bit-vector.
    pub fn vector(&mut self, pool: &ExprPool, id: ExprId) -> BV {
        self.visit(pool, id);
        self.bits(id)
    }

    /// What is known of an expression whose term is not exact.
    pub fn remainder(&self, id: ExprId) -> Option<&Remainder> {
        self.remainders.get(&id)
    }

    /// The theories of an expression that has a term.
    pub fn theories(&self, id: ExprId) -> Theories {
        self.entry(id).theories
    }

    /// Sees to it that an expression has a term.
    fn visit(&mut self, pool: &ExprPool, root: ExprId) {
        if self.places.len() < pool.id_bound() {
            self.places.resize(pool.id_bound(), 0);
        }
        self.stack.clear();
        self.stack.push(root);
        while let Some(&id) = self.stack.last() {
            if self.places[id.index()] == 0 {
                let node = pool.node(id);
                let n_waiting = self.stack.len();
                self.stack.extend(operands(pool, node).filter(|arg| self.places[arg.index()] == 0));
                if self.stack.len() != n_waiting {
                    continue;
                }
                let entry = Entry { term: self.term(pool, id, node), theories: self.theories_of(pool, node) };
                if let (Op::Var, Term::Bits(term)) = (node.op(), &entry.term) {
                    self.remember_var(node.var(), term.clone());
                }
                self.insert(id, entry);
            }
            self.stack.pop();
        }
    }

    fn remember_var(&mut self, var: VarId, term: BV) {
        if self.vars.len() <= var.index() {
            self.vars.resize(var.index() + 1, None);
        }
        self.vars[var.index()] = Some(term);
    }

    /// The term of a bit-vector variable.
    pub fn var(&self, var: VarId, width: u32) -> BV {
        match self.vars.get(var.index()) {
            Some(Some(term)) => term.clone(),
            _ => BV::new_const(var.0, width),
        }
    }

    fn insert(&mut self, id: ExprId, entry: Entry) {
        let place = match self.free.pop() {
            Some(place) => place,
            None => {
                self.entries.push(None);
                self.entries.len() as u32 - 1
            }
        };
        self.entries[place as usize] = Some(entry);
        self.places[id.index()] = place + 1;
    }

    fn entry(&self, id: ExprId) -> &Entry {
        let place = self.places[id.index()] as usize;
        self.entries[place - 1].as_ref().expect("operands are translated before what uses them")
    }

    fn theories_of(&self, pool: &ExprPool, node: Node) -> Theories {
        let own = Theories {
            arrays: node.op().is_array(),
            floats: floats::is_float_op(node.op()),
            remainders: node.op() == Op::FRem && !remainder::is_computable(node.kind()),
            wide_products: bits::is_wide_product(pool, node),
        };
        operands(pool, node).fold(own, |theories, arg| theories.union(self.entry(arg).theories))
    }

    fn term(&mut self, pool: &ExprPool, id: ExprId, node: Node) -> Term {
        match node.op() {
            Op::ArrayVar | Op::Table | Op::ConstArray | Op::Store => Term::Array(self.array_term(pool, id, node)),
            Op::Select => Term::Bits(self.select_term(pool, node)),
            op if floats::is_float_op(op) => self.float_term(pool, id, node),
            _ => self.bits_term(pool, id, node),
        }
    }

    /// An expression as a bit-vector.
    fn bits(&self, id: ExprId) -> BV {
        match &self.entry(id).term {
            Term::Bits(bits) => bits.clone(),
            Term::Truth(truth) => truth.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1)),
            Term::Array(_) => unreachable!("an array is no operand of an operation on bits"),
        }
    }

    /// An expression of one bit as a truth value.
    fn truth(&self, id: ExprId) -> Bool {
        match &self.entry(id).term {
            Term::Truth(truth) => truth.clone(),
            Term::Bits(bits) => bits.eq(BV::from_u64(1, 1)),
            Term::Array(_) => unreachable!("an array is no condition"),
        }
    }

    fn is_truth(&self, id: ExprId) -> bool {
        matches!(self.entry(id).term, Term::Truth(_))
    }

    /// An array that has a term.
    pub fn array(&self, id: ExprId) -> Array {
        match &self.entry(id).term {
            Term::Array(array) => array.clone(),
            _ => unreachable!("only an array is read and written"),
        }
    }
}

/// The operands that need terms. A read of a constant table is made of the table's elements, not of the table.
fn operands(pool: &ExprPool, node: Node) -> impl Iterator<Item = ExprId> + use<> {
    let n_skipped = (node.op() == Op::Select && pool.op(node.arg(0)) == Op::Table) as usize;
    node.args().skip(n_skipped)
}
