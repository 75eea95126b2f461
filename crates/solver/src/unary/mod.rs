//! What a condition says about a single variable: exactly the values for which it holds.
//!
//! For a variable of at most 8 bits that is known of every condition, by trying all values once; for wider ones, of
//! comparisons with constants. [`Readings`] remembers what was found out, for all layers.

mod domain;
mod span;

use rustc_hash::FxHashMap;
use spelunk_bv::int;
use spelunk_expr::lanes::Lane;
use spelunk_expr::{ExprId, ExprPool, FreeVars, Lanes, Sort, VarId};

pub use domain::{ByteSet, Domain, SET_WIDTH};
pub use span::Span;

use crate::stage::Freed;

/// What one condition says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// The variable, of at most 8 bits, is one of these.
    Set(VarId, ByteSet),
    /// The variable is in this span.
    Span(VarId, Span),
    /// It is about several variables, or says something else.
    Other,
}

impl Reading {
    pub fn var(&self) -> Option<VarId> {
        match self {
            Reading::Set(var, _) | Reading::Span(var, _) => Some(*var),
            Reading::Other => None,
        }
    }

    /// All values that the variable could have if the condition weren't there.
    pub fn all(&self) -> Domain {
        match self {
            Reading::Set(..) | Reading::Other => Domain::all(SET_WIDTH),
            Reading::Span(_, span) => Domain::all(span.width),
        }
    }

    /// Takes from the domain of the variable what the condition forbids.
    pub fn restrict(&self, domain: &mut Domain) {
        match self {
            Reading::Set(_, set) => domain.intersect_set(set),
            Reading::Span(_, span) => domain.intersect_span(span),
            Reading::Other => {}
        }
    }
}

#[derive(Default)]
pub struct Readings {
    known: FxHashMap<ExprId, Reading>,
    lanes: Lanes,
}

impl Readings {
    /// When there are this many, all are forgotten: what is needed is soon read again.
    const MAX_KNOWN: usize = 1 << 17;

    /// All values of a byte in so many steps of evaluation take a millisecond, once.
    const MAX_STEPS: usize = 4096;

    pub fn of(&mut self, pool: &ExprPool, free_vars: &mut FreeVars, condition: ExprId) -> Reading {
        if let Some(reading) = self.known.get(&condition) {
            return *reading;
        }
        if self.known.len() == Self::MAX_KNOWN {
            self.known.clear();
        }
        let reading = self.read(pool, free_vars, condition);
        self.known.insert(condition, reading);
        reading
    }

    fn read(&mut self, pool: &ExprPool, free_vars: &mut FreeVars, condition: ExprId) -> Reading {
        if let Some((var, span)) = span::span_of(pool, condition) {
            return match span.width {
                ..=SET_WIDTH => Reading::Set(var, ByteSet::of_span(&span)),
                _ => Reading::Span(var, span),
            };
        }
        let vars = free_vars.of(pool, condition);
        match free_vars.as_single(vars).map(|var| (var, pool.var_sort(var))) {
            Some((var, Sort::Bv(width @ ..=SET_WIDTH))) if self.lanes.prepare(pool, &[condition], Self::MAX_STEPS) => {
                let all = ByteSet::all(width);
                let mut truth = |base: u64| {
                    let fill =
                        |_, lane: &mut Lane| *lane = std::array::from_fn(|at| int::trunc(width, base + at as u64));
                    self.lanes.run(pool, fill)
                };
                let mut set = [0, 64, 128, 192].map(|base| if base <= int::mask(width) { truth(base) } else { 0 });
                set.iter_mut().zip(all.0).for_each(|(word, all)| *word &= all);
                Reading::Set(var, ByteSet(set))
            }
            _ => Reading::Other,
        }
    }

    pub fn forget(&mut self, freed: &Freed) {
        self.known.retain(|id, _| !freed.contains(*id));
    }
}
