//! What constant tables hold, said bit by bit as reads need it.

use smallvec::SmallVec;
use spelunk_expr::{ExprId, ExprPool};

use super::Circuit;
use crate::blast::budget::{Budget, Stop};
use crate::blast::gates::{Bit, DefId};
use crate::blast::words::{Word, constant};

/// The first block of a table that is said has this many elements, and each next one twice as many.
const FIRST_BLOCK_BITS: u32 = 4;
/// A value that a table has at no more places than this tells something about the place.
const MAX_PLACES: usize = 8;

/// Places of a table.
#[derive(Clone, Copy)]
pub(super) enum Span {
    /// Those from the table's length on.
    Beyond { len: u64 },
    /// Those whose high bits, without the low `n_bits`, are `number`.
    Block { number: u64, n_bits: usize },
}

impl Span {
    /// What to say about a table when a read at a place needs it: more each time.
    pub fn of(len: u64, place: u64, index_width: usize, n_refined: u32) -> Self {
        if place >= len {
            return Span::Beyond { len };
        }
        let n_table_bits = len.next_power_of_two().trailing_zeros();
        let n_bits = (FIRST_BLOCK_BITS + n_refined - 1).min(n_table_bits).min(index_width as u32);
        Span::Block { number: place.checked_shr(n_bits).unwrap_or(0), n_bits: n_bits as usize }
    }

    fn contains(self, place: u64) -> bool {
        match self {
            Span::Beyond { len } => place >= len,
            Span::Block { number, n_bits } => place >> n_bits == number,
        }
    }
}

impl Circuit {
    /// If a table has a value at few places, a read of the value is at one of them.
    pub(super) fn add_places_of_value(
        &mut self,
        pool: &ExprPool,
        def: DefId,
        (index, bits): (&[Bit], &[Bit]),
        table: ExprId,
        value: u64,
    ) {
        let reaches_beyond = index.len() >= 64 || pool.table_len(table) < 1 << index.len();
        if value == 0 && reaches_beyond {
            return;
        }
        let places = (0..pool.table_len(table)).filter(|&place| pool.table_element(table, place) == value);
        let places: SmallVec<[u64; MAX_PLACES + 1]> = places.take(MAX_PLACES + 1).collect();
        if places.len() > MAX_PLACES {
            return;
        }
        let mut is_there = Bit::FALSE;
        for place in places {
            let is_at = self.gates.eq_constant(index, place);
            is_there = self.gates.or(is_there, is_at);
        }
        let has_value = self.gates.eq_constant(bits, value);
        let holds = self.gates.or(!has_value, is_there);
        self.defs.require(def, holds, None);
    }

    /// What a table holds at some places.
    pub(super) fn add_table_span(
        &mut self,
        pool: &ExprPool,
        def: DefId,
        (index, bits): (&[Bit], &[Bit]),
        (table, passed, span): (ExprId, &[ExprId], Span),
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut premise = match span {
            Span::Beyond { len } => self.gates.less(&constant(index.len(), len), index, Bit::TRUE),
            Span::Block { number, n_bits } => self.gates.eq_constant(&index[n_bits..], number),
        };
        for &position in passed {
            if pool.as_const(position).is_none_or(|at| span.contains(at)) {
                let is_at = self.is_at(pool, index, position, budget)?;
                premise = self.gates.and(premise, !is_at);
            }
        }
        let zeros = constant(bits.len(), 0);
        let content = match span {
            Span::Beyond { .. } => zeros,
            Span::Block { number, n_bits } => {
                let places = (0..1u64 << n_bits).map(|at| number << n_bits | at);
                let elements =
                    places.flat_map(|at| constant(bits.len(), pool.table_element(table, at))).collect::<Word>();
                self.gates.choose(&index[..n_bits], elements, &zeros)
            }
        };
        self.require_equal(def, premise, (bits, &content), None);
        Ok(())
    }
}
