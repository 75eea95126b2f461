//! Constants: literals, aggregates, addresses of symbols, constant expressions.

use super::{BlockId, FuncId, MdId, SymbolId, TypeId, define_id};
use rustc_hash::FxHashMap;
use spelunk_bv::{BinOp, CastOp, CmpOp};

define_id!(
    /// An interned constant; equal constants of equal type have equal ids (block addresses excepted).
    ConstId
);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constant {
    pub ty: TypeId,
    pub kind: ConstKind,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstKind {
    /// An integer of at most 64 bits, zero-extended.
    Int(u64),
    /// A wider integer, little-endian limbs, unused high bits zero.
    WideInt(Box<[u64]>),
    /// The bit pattern, in the kind of the type.
    Float(u128),
    Null,
    Undef,
    Poison,
    /// `zeroinitializer` of any type.
    Zero,
    /// Elements of a struct, array or vector (`splat (…)` is expanded).
    Aggregate(Box<[ConstId]>),
    /// `c"…"`: an array of `i8`.
    Bytes(Box<[u8]>),
    Symbol(SymbolId),
    BlockAddress(FuncId, BlockId),
    Expr(ConstExpr),
    /// Metadata as an argument of an intrinsic.
    Metadata(MdId),
    /// Legal, but nothing that we execute; the text names it.
    Unsupported(Box<str>),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstExpr {
    Binary { op: BinOp, lhs: ConstId, rhs: ConstId },
    Cast { op: CastOp, arg: ConstId },
    ICmp { op: CmpOp, lhs: ConstId, rhs: ConstId },
    Select { cond: ConstId, then: ConstId, other: ConstId },
    Gep { elem: TypeId, base: ConstId, indices: Box<[ConstId]>, inbounds: bool },
}

#[derive(Debug, Default)]
pub struct ConstTable {
    consts: Vec<Constant>,
    ids: FxHashMap<Constant, ConstId>,
}

impl std::ops::Index<ConstId> for ConstTable {
    type Output = Constant;

    fn index(&self, id: ConstId) -> &Constant {
        &self.consts[id.index()]
    }
}

impl ConstTable {
    pub fn mk(&mut self, ty: TypeId, kind: ConstKind) -> ConstId {
        let constant = Constant { ty, kind };
        if let Some(&id) = self.ids.get(&constant) {
            return id;
        }
        let id = ConstId::new(self.consts.len());
        self.consts.push(constant.clone());
        self.ids.insert(constant, id);
        id
    }

    /// An id for a constant that is not known yet. It is never shared, even if an equal constant exists.
    pub fn reserve(&mut self, ty: TypeId) -> ConstId {
        let id = ConstId::new(self.consts.len());
        self.consts.push(Constant { ty, kind: ConstKind::Undef });
        id
    }

    /// Says what a reserved constant is.
    pub fn define(&mut self, id: ConstId, kind: ConstKind) {
        self.consts[id.index()].kind = kind;
    }

    pub fn len(&self) -> usize {
        self.consts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.consts.is_empty()
    }
}
