//! Small arrays, read at once: a tree of choices by the bits of the position.

use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, ExprPool, Node, Op};

use super::Circuit;
use crate::blast::budget::{Budget, Stop};
use crate::blast::words::{Word, constant};

/// The most bits of elements that are expanded.
const MAX_BITS: u64 = 1 << 14;
/// The most writes that are looked at.
const MAX_WRITES: usize = 1 << 10;

/// What an array holds, as far as a read can reach it.
pub(crate) struct Elements {
    elements: Vec<Elem>,
    /// Beyond the elements.
    beyond: Elem,
    width: usize,
}

#[derive(Clone, Copy)]
enum Elem {
    Constant(u64),
    Expr(ExprId),
}

impl Elements {
    /// The expressions among the elements.
    pub fn exprs(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.elements.iter().chain([&self.beyond]).filter_map(|elem| match elem {
            Elem::Expr(id) => Some(*id),
            Elem::Constant(_) => None,
        })
    }
}

/// The elements of an array, if they are few and written at constant positions.
pub(crate) fn small_elements(pool: &ExprPool, select: Node) -> Option<Elements> {
    let width = select.width();
    let reach = pool.facts(select.arg(1)).map_or(u64::MAX, |facts| facts.umax).saturating_add(1);
    let mut written = FxHashMap::default();
    let mut n_written = 0;
    let mut at = select.arg(0);
    for _ in 0..MAX_WRITES {
        let node = pool.node(at);
        if node.op() != Op::Store {
            break;
        }
        let position = pool.as_const(node.arg(1))?;
        if position < reach {
            n_written = n_written.max(position.saturating_add(1));
            written.entry(position).or_insert(node.arg(2));
        }
        at = node.arg(0);
    }
    let base = pool.node(at);
    let (n_given, beyond) = match base.op() {
        Op::Table => (pool.table_len(at), Elem::Constant(0)),
        Op::ConstArray => (0, Elem::Expr(base.arg(0))),
        _ => return None,
    };
    let n_elements = n_given.max(n_written).min(reach);
    if n_elements.saturating_mul(width as u64) > MAX_BITS {
        return None;
    }
    let element = |position: u64| match (written.get(&position), base.op()) {
        (Some(&elem), _) => Elem::Expr(elem),
        (None, Op::Table) => Elem::Constant(pool.table_element(at, position)),
        (None, _) => beyond,
    };
    Some(Elements { elements: (0..n_elements).map(element).collect(), beyond, width: width as usize })
}

impl Circuit {
    /// The expressions among the elements have bits already.
    pub(super) fn expand_select(&mut self, index: ExprId, elements: &Elements, budget: &Budget) -> Result<Word, Stop> {
        budget.check()?;
        let mut words = Word::with_capacity(elements.elements.len() * elements.width);
        for elem in &elements.elements {
            self.push_element(elem, elements.width, &mut words)?;
        }
        let mut beyond = Word::new();
        self.push_element(&elements.beyond, elements.width, &mut beyond)?;
        let position = self.words.get(index)?;
        Ok(self.gates.choose(position, words, &beyond))
    }

    fn push_element(&self, elem: &Elem, width: usize, words: &mut Word) -> Result<(), Stop> {
        match *elem {
            Elem::Constant(value) => words.extend(constant(width, value)),
            Elem::Expr(id) => words.extend_from_slice(self.words.get(id)?),
        }
        Ok(())
    }
}
