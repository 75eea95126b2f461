//! Where pointers come from: each value knows the object, or the pointer of the input, that it was computed from.
//!
//! It carries its base with it: wherever the VM says that something is added to a pointer, and on through memory, sums and
//! differences with what has no base, and choices between values of one base. All else that is done with a value drops its
//! base. A pointer of the input, or one with a constant added, needs no record: whichever way it came about, it is one. So a
//! pointer whose tag was taken off, or that comes out of an XOR of two, is a pointer again, while numbers in between are none.

use super::ConcolicMachine;
use rustc_hash::FxHashMap;
use spelunk_bv::BinOp;
use spelunk_expr::{ExprId, ExprPool, Op, VarId};
use spelunk_vm::memory::{ObjectId, Word, object_of};
use spelunk_vm::{Carried, Slot};

/// What tells records from expressions, input bytes and bytes of arrays.
const MARKER: u32 = 0b01 << 30;
const MARKER_BITS: u32 = 0b11 << 30;

/// What a pointer was computed from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    Object(ObjectId),
    /// A pointer of the input.
    Input(VarId),
}

/// The bases that expressions do not show. They live as long as the pool. A record whose expression was collected is carried
/// by nobody, and is right again for an expression that gets its id.
#[derive(Debug, Default)]
pub(crate) struct Provenance {
    records: Vec<(ExprId, Base)>,
    numbers: FxHashMap<(ExprId, Base), u32>,
    /// By variable: whether it is a pointer of the input.
    pointers: Vec<bool>,
}

#[inline(always)]
fn is_record(carried: Carried) -> bool {
    carried.0 & MARKER_BITS == MARKER
}

impl Provenance {
    pub fn add_pointer(&mut self, var: VarId) {
        if self.pointers.len() <= var.index() {
            self.pointers.resize(var.index() + 1, false);
        }
        self.pointers[var.index()] = true;
    }

    pub fn is_pointer(&self, var: VarId) -> bool {
        self.pointers.get(var.index()).copied().unwrap_or(false)
    }

    #[inline(always)]
    fn record(&self, carried: Carried) -> Option<(ExprId, Base)> {
        is_record(carried).then(|| self.records[(carried.0 & !MARKER_BITS) as usize])
    }

    /// The expression that a slot carries, or a byte of memory that is neither of the input nor of an array.
    #[inline(always)]
    pub fn expr(&self, carried: Carried) -> ExprId {
        self.record(carried).map_or(ExprId::from_raw(carried.0), |(expr, _)| expr)
    }

    /// The same for its base.
    pub fn base(&self, pool: &ExprPool, carried: Carried) -> Option<Base> {
        match self.record(carried) {
            Some((_, base)) => Some(base),
            None => self.own_base(pool, ExprId::from_raw(carried.0)),
        }
    }

    /// The base that an expression shows.
    fn own_base(&self, pool: &ExprPool, expr: ExprId) -> Option<Base> {
        let node = pool.node(expr);
        let node = match node.op() {
            Op::Add if pool.as_const(node.arg(1)).is_some() => pool.node(node.arg(0)),
            _ => node,
        };
        if node.op() != Op::Var {
            return None;
        }
        let var = node.var();
        self.pointers.get(var.index()).copied().unwrap_or(false).then_some(Base::Input(var))
    }

    fn carry(&mut self, pool: &ExprPool, expr: ExprId, base: Base) -> Carried {
        if self.own_base(pool, expr) == Some(base) {
            return Carried(expr.raw());
        }
        let records = &mut self.records;
        let number = *self.numbers.entry((expr, base)).or_insert_with(|| {
            records.push((expr, base));
            records.len() as u32 - 1
        });
        assert!(number < MARKER, "memory ends before 2^30 pointers");
        Carried(MARKER | number)
    }
}

/// Whether a sum or difference with a constant shows its base if the other operand does, and otherwise has none.
#[inline(always)]
fn is_shown(value: Slot, constant: Slot) -> bool {
    constant.tag.expr() == Carried::NONE && value.tag.expr().is_some() && !is_record(value.tag.expr())
}

impl ConcolicMachine {
    /// What a value was computed from, as far as it carries that.
    pub fn base_of(&self, value: Slot) -> Option<Base> {
        match value.tag.expr() {
            Carried::NONE => None,
            carried => self.provenance.base(&self.pool, carried),
        }
    }

    /// The same for what is used as a pointer: a plain address says which object it belongs to.
    fn base_of_pointer(&self, value: Slot) -> Option<Base> {
        match value.tag.expr() {
            Carried::NONE => Some(object_of(value.val)).filter(|id| id.0 != 0).map(Base::Object),
            carried => self.provenance.base(&self.pool, carried),
        }
    }

    /// As `carry`, for a value whose base is known.
    #[inline]
    pub(super) fn carry_based(&mut self, expr: ExprId, value: u64, base: Option<Base>) -> Carried {
        let plain = self.carry(expr, value);
        match base {
            Some(base) if plain.is_some() => self.provenance.carry(&self.pool, expr, base),
            _ => plain,
        }
    }

    /// As `carry`, for a pointer that was computed from another.
    pub(crate) fn carry_moved(&mut self, expr: ExprId, value: u64, from: Slot) -> Carried {
        self.carry_based(expr, value, self.base_of_pointer(from))
    }

    /// The base of a sum or difference of words, if it may not show that itself: that of the one operand that has one.
    #[inline]
    pub(super) fn base_of_sum(&self, op: BinOp, a: Slot, b: Slot) -> Option<Base> {
        if is_shown(a, b) || is_shown(b, a) {
            return None;
        }
        match (op, self.base_of(a), self.base_of(b)) {
            (BinOp::Add | BinOp::Sub, base, None) => base,
            (BinOp::Add, None, base) => base,
            _ => None,
        }
    }

    /// The same for a pointer to which something is added.
    #[inline]
    pub(super) fn base_of_offset(&self, pointer: Slot, by: Slot) -> Option<Base> {
        if is_shown(pointer, by) {
            return None;
        }
        self.base_of_pointer(pointer).or_else(|| self.base_of(by))
    }

    /// The base of one of two.
    pub(super) fn base_of_choice(&self, a: Slot, b: Slot) -> Option<Base> {
        self.base_of_pointer(a).filter(|_| self.base_of_pointer(a) == self.base_of_pointer(b))
    }

    /// What a slot carries that is loaded from memory, if all bytes are those of one pointer.
    pub(crate) fn stored_pointer(&self, word: &Word, n: u32) -> Option<Carried> {
        let (whole, _) = word.exprs[0];
        self.provenance.record(whole).filter(|_| n == 8)?;
        let goes_on = |(at, &byte): (u8, &(Carried, u8))| byte == (whole, at);
        (0..).zip(&word.exprs[..8]).all(goes_on).then_some(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_expr::Sort;

    #[test]
    fn only_what_an_expression_does_not_show_is_recorded() {
        let mut pool = ExprPool::new();
        let [p, q, i] = ["p", "q", "i"].map(|name| pool.new_var(name, Sort::Bv(64)));
        let mut provenance = Provenance::default();
        [p, q].into_iter().for_each(|var| provenance.add_pointer(var));
        let [p_expr, q_expr, i_expr] = [p, q, i].map(|var| pool.mk_var(var));
        let eight = pool.mk_const(64, 8);
        let (field, element) = (pool.mk_add(p_expr, eight), pool.mk_add(p_expr, i_expr));
        for (expr, base, is_shown) in [
            (p_expr, Base::Input(p), true),
            (field, Base::Input(p), true),
            (element, Base::Input(p), false),
            // `p + (q - p)` is `q`, and points into what `p` does.
            (q_expr, Base::Input(p), false),
            (element, Base::Object(ObjectId(7)), false),
        ] {
            let carried = provenance.carry(&pool, expr, base);
            assert_eq!(carried == Carried(expr.raw()), is_shown, "{base:?}");
            assert_eq!((provenance.expr(carried), provenance.base(&pool, carried)), (expr, Some(base)));
            assert_eq!(provenance.carry(&pool, expr, base), carried, "it has one number");
        }
        // A number is no pointer, and a sum alone shows nothing.
        for expr in [i_expr, element] {
            assert_eq!(provenance.base(&pool, Carried(expr.raw())), None);
        }
        assert_eq!(provenance.base(&pool, Carried(q_expr.raw())), Some(Base::Input(q)));
    }
}
