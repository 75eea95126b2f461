//! Reads of arrays.
//!
//! A read of a small array at constant positions is expanded into a tree of choices. Any other read is bits of its own,
//! about which nothing is said at first: a SAT solver may give them any values. Then these are compared with what the
//! array really holds under the solver's values of the variables, and only the axioms that turn out to be violated are
//! added as conditions, for good: what a write left there, what a table holds, that two reads of one place agree. So a
//! table of 64 KiB costs what the query needs of it.

mod expand;
mod order;
mod refine;
mod tables;

use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, ExprPool, Model, Node, Op, VarId};

pub(crate) use expand::small_elements;
pub(crate) use order::inner_first;

use super::budget::{Budget, Stop};
use super::circuit::Circuit;
use super::gates::{Bit, DefId, Gate};
use super::words::{Word, constant};

/// A read that is bits of its own.
pub(crate) struct Read {
    expr: ExprId,
    array: ExprId,
    index: ExprId,
    bits: Word,
    /// The bits of the position, if a query that reaches this read has to know them: see [`Circuit::pin_reads`].
    pinned: Word,
    /// How often an axiom about it had to be added. More are added each time.
    n_refined: u32,
    /// How many writes, from the newest on, were added without need.
    n_writes_added: usize,
}

impl Read {
    pub fn expr(&self) -> ExprId {
        self.expr
    }

    pub fn bits(&self) -> &[Bit] {
        &self.bits
    }

    pub fn pinned(&self) -> &[Bit] {
        &self.pinned
    }
}

/// Which read gave an element of an array variable its value.
pub(crate) type Providers = FxHashMap<(VarId, u64), DefId>;

/// Where a read at one place ends.
enum End {
    /// In what was written, or is everywhere.
    Elem(ExprId),
    Table(ExprId),
    Var(VarId),
}

/// The way of a read at one place through the writes.
struct Path {
    /// Positions of writes elsewhere, newest first.
    passed: Vec<ExprId>,
    /// The position of the write that it meets.
    met: Option<ExprId>,
    end: End,
}

impl Path {
    /// `value_of` tells the values of positions.
    fn trace(pool: &ExprPool, array: ExprId, place: u64, mut value_of: impl FnMut(ExprId) -> u64) -> Path {
        let mut passed = Vec::new();
        let mut at = array;
        loop {
            let node = pool.node(at);
            let end = match node.op() {
                Op::Store if value_of(node.arg(1)) == place => {
                    return Path { passed, met: Some(node.arg(1)), end: End::Elem(node.arg(2)) };
                }
                Op::Store => {
                    passed.push(node.arg(1));
                    at = node.arg(0);
                    continue;
                }
                Op::ConstArray => End::Elem(node.arg(0)),
                Op::Table => End::Table(at),
                _ => End::Var(node.var()),
            };
            return Path { passed, met: None, end };
        }
    }
}

impl Circuit {
    pub(super) fn lower_select(
        &mut self,
        pool: &ExprPool,
        id: ExprId,
        node: Node,
        budget: &Budget,
    ) -> Result<Word, Stop> {
        match small_elements(pool, node) {
            Some(elements) => self.expand_select(node.arg(1), &elements, budget),
            None => Ok(self.define_read(pool, id, node)),
        }
    }

    fn define_read(&mut self, pool: &ExprPool, id: ExprId, node: Node) -> Word {
        let def = self.defs.add();
        let width = node.width() as usize;
        let facts = pool.facts(id);
        let known = |at: usize| match facts {
            Some(facts) if facts.zeros >> at & 1 != 0 => Some(Bit::FALSE),
            Some(facts) if facts.ones >> at & 1 != 0 => Some(Bit::TRUE),
            _ => None,
        };
        let bits: Word =
            (0..width).map(|at| known(at).unwrap_or_else(|| self.gates.add_leaf(Gate::Defined { by: def }))).collect();
        if let Some(facts) = facts {
            let (least, greatest) = (constant(width, facts.umin), constant(width, facts.umax));
            let bounds = [self.gates.less(&least, &bits, Bit::TRUE), self.gates.less(&bits, &greatest, Bit::TRUE)];
            for bound in bounds {
                self.defs.require(def, bound, None);
            }
        }
        let read = Read {
            expr: id,
            array: node.arg(0),
            index: node.arg(1),
            bits: bits.clone(),
            pinned: Word::new(),
            n_refined: 0,
            n_writes_added: 0,
        };
        self.defs.set_read(def, read);
        bits
    }
}

/// What a solver makes of a word, where it says anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Claim {
    value: u64,
    /// Bits that the query reaches; the others may be anything.
    known: u64,
}

impl Claim {
    fn of(bits: &[Bit], value: impl Fn(Bit) -> Option<bool>) -> Self {
        let mut claim = Claim { value: 0, known: 0 };
        for (at, &bit) in bits.iter().enumerate() {
            if let Some(is_set) = bit.as_constant().or_else(|| value(bit)) {
                claim.value |= (is_set as u64) << at;
                claim.known |= 1 << at;
            }
        }
        claim
    }

    fn admits(self, value: u64) -> bool {
        (self.value ^ value) & self.known == 0
    }

    /// The value, with bits of another one where nothing is claimed.
    fn or(self, other: u64) -> u64 {
        self.value | other & !self.known
    }
}

/// Makes the arrays of a model say what the reads say, as far as they agree with each other. The first reads of a place
/// have their way.
pub(crate) fn fill_arrays(
    circuit: &Circuit,
    pool: &ExprPool,
    reads: &[DefId],
    model: &mut Model,
    evaluator: &mut spelunk_expr::Evaluator,
    value: impl Fn(Bit) -> Option<bool>,
) -> Providers {
    let mut providers = Providers::default();
    let mut at = 0;
    // Evaluation starts anew whenever the model has changed under it.
    while at < reads.len() {
        let mut change = None;
        let mut evaluation = evaluator.under(pool, &*model);
        while let Some(&def) = reads.get(at) {
            at += 1;
            let Some(read) = circuit.defs.read(def) else { continue };
            let place = evaluation.eval_u64(read.index);
            let path = Path::trace(pool, read.array, place, |position| evaluation.eval_u64(position));
            let End::Var(var) = path.end else { continue };
            if providers.contains_key(&(var, place)) {
                continue;
            }
            providers.insert((var, place), def);
            let (claim, elem) = (Claim::of(&read.bits, &value), model_element(model, var, place));
            if !claim.admits(elem) {
                change = Some((var, place, claim.or(elem)));
                break;
            }
        }
        if let Some((var, place, elem)) = change {
            model.array_mut(var).elements.insert(place, elem);
        }
    }
    providers
}

fn model_element(model: &Model, var: VarId, place: u64) -> u64 {
    model.array(var).map_or(0, |array| array.element(place))
}
