//! A program ready to run: all operations in one array, and the tables that they refer to.

use super::{EffectiveTypes, Leaf, Op, OpCode, OpIdx, Scalar, SlowOp};
use crate::model::{FuncId, MdId, TypeId};

/// Everything that the VM needs of a program.
#[derive(Debug, Default)]
pub struct Image {
    pub ops: Vec<Op>,
    /// The `DILocation` of each operation, `NO_LOC` if it has none.
    pub locs: Vec<u32>,
    /// Branches that jump where their condition is false, in order.
    pub inverted: Vec<OpIdx>,
    /// Where the source has what branches test, if a `!` before it may be missing from the code. In order.
    pub tested: Vec<Tested>,
    /// Branches whose condition is no condition of its own: it is constant, or made of others, which are observed. In order.
    pub uncounted: Vec<OpIdx>,
    /// One entry for each function of the program, indexed by `FuncId`.
    pub functions: Vec<FuncCode>,
    pub slow: Vec<SlowOp>,
    pub switches: Vec<SwitchTable>,
    pub indirect_targets: Vec<Box<[(u64, OpIdx)]>>,
    pub call_sites: Vec<CallSite>,
    /// Functions without a body, by name; the embedder serves them.
    pub externals: Vec<Box<str>>,
    /// Functions that do the same as an external one, by the external's number, where the embedder has added them. May be shorter
    /// than `externals`.
    pub twins: Vec<Option<FuncId>>,
    /// Objects that exist from the start: the object with id `i + 1` is entry `i`.
    pub statics: Vec<StaticObject>,
    pub constructors: Vec<FuncId>,
    pub destructors: Vec<FuncId>,
    /// Types of objects and accesses, if these are to be checked.
    pub effective: Option<Box<EffectiveTypes>>,
    /// Whether signed overflow is an error in code as it was written. Elsewhere it is noticed, and the value wraps around.
    pub overflow_is_error: bool,
}

pub const NO_LOC: u32 = u32::MAX;

/// What a branch tests, as it was written: compilers leave out a `!` before it, and let the branch go the other way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tested {
    /// The branch.
    pub op: OpIdx,
    /// The `DILocation` of what it tests.
    pub loc: u32,
    /// The function that returned it, if one did.
    pub callee: Option<FuncId>,
}

#[derive(Clone, Debug)]
pub struct FuncCode {
    pub name: Box<str>,
    pub target: Target,
    /// Index of the first operation.
    pub entry: OpIdx,
    /// Index after the last operation.
    pub end: OpIdx,
    /// Slots of a frame. Arguments of calls are put just above.
    pub n_slots: u32,
    pub param_slots: u32,
    pub ret_slots: u32,
    /// What the result is made of.
    pub returns: Box<[Leaf]>,
    /// The size of a result that it writes to where its first argument points.
    pub writes_result: Option<u64>,
    pub fn_ty: TypeId,
    pub varargs: bool,
    /// How each parameter is passed.
    pub params: Box<[ArgClass]>,
    /// How many general and vector registers the named parameters take natively.
    pub named_gp: u32,
    pub named_fp: u32,
    /// What the frame would roughly take on a native stack.
    pub native_bytes: u32,
    pub origin: Origin,
    /// Whether code or data of the program uses it as a value.
    pub is_address_taken: bool,
    /// Whether it accesses memory that may change by itself: as volatile or atomic.
    pub is_volatile: bool,
    /// The local variables that have a slot of their own: the slot, and the `DILocalVariable`.
    pub variables: Box<[(u32, MdId)]>,
    pub semantics: Semantics,
}

/// What an operation without a defined result means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Semantics {
    /// Code as it was written: an error of the program.
    Source,
    /// Code that an optimiser moved about: an error only if something depends on the result.
    Optimised,
}

/// What a function's name came to stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Has code of its own.
    Code,
    /// Another function of the program defines it.
    Function(FuncId),
    /// Index into `Image::externals`.
    External(u32),
}

/// Who wrote the code: errors are placed in the user's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    User,
    Library,
}

#[derive(Clone, Debug)]
pub struct SwitchTable {
    pub default: OpIdx,
    pub kind: SwitchKind,
    /// Of cases that lead where others do, the jump that tells them apart and where the others go. In order.
    pub labels: Box<[(OpIdx, OpIdx)]>,
}

#[derive(Clone, Debug)]
pub enum SwitchKind {
    /// Case `value` goes to `targets[value - low]`.
    Dense { low: u64, targets: Box<[OpIdx]> },
    /// Sorted by value.
    Sparse(Box<[(u64, OpIdx)]>),
    /// Values of more than 64 bits.
    Wide(Box<[(Box<[u64]>, OpIdx)]>),
}

#[derive(Clone, Debug)]
pub struct CallSite {
    pub fn_ty: TypeId,
    /// Slots of all arguments; they stand just above the caller's frame.
    pub arg_slots: u32,
    pub ret_slots: u32,
    /// What the result is made of.
    pub returns: Box<[Leaf]>,
    /// The size of a result that the function writes to where its first argument points.
    pub writes_result: Option<u64>,
    pub prototype: Prototype,
    pub args: Box<[ArgShape]>,
}

/// Whether the caller knew what the function takes. If not, it may give more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prototype {
    Given,
    Absent,
}

/// How an argument is passed, as far as variable arguments need to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgShape {
    /// First slot, counted from the first argument.
    pub slot: u32,
    pub class: ArgClass,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgClass {
    Scalar(Scalar),
    /// A vector of so many lanes, one after another.
    Vector(Scalar, u32),
    /// The bytes behind a pointer.
    Memory {
        size: u64,
        align: u32,
    },
}

#[derive(Clone, Debug)]
pub struct StaticObject {
    pub name: Box<str>,
    pub size: u64,
    pub align: u64,
    pub kind: StaticKind,
}

#[derive(Clone, Debug)]
pub enum StaticKind {
    /// `bytes` may be shorter than the object: the rest is zero. Ranges that are undefined are listed.
    Variable {
        bytes: Box<[u8]>,
        constant: bool,
    },
    Function(FuncId),
}

impl FuncCode {
    /// Whether a call through a pointer may come to it: every parameter gets an argument that is passed in the same way.
    pub fn accepts(&self, site: &CallSite) -> bool {
        let enough = match self.varargs || site.prototype == Prototype::Absent {
            true => site.args.len() >= self.params.len(),
            false => site.args.len() == self.params.len(),
        };
        let same_way = |(&param, arg): (&ArgClass, &ArgShape)| {
            param == arg.class || (param.is_general() && arg.class.is_general())
        };
        self.fn_ty == site.fn_ty || enough && self.params.iter().zip(&site.args).all(same_way)
    }

    /// A call that gives the function what it takes.
    fn plain_site(&self) -> CallSite {
        let mut slot = 0;
        let args = self.params.iter().map(|&class| {
            let shape = ArgShape { slot, class };
            slot += class.n_slots();
            shape
        });
        CallSite {
            fn_ty: self.fn_ty,
            args: args.collect(),
            arg_slots: self.param_slots,
            ret_slots: self.ret_slots,
            returns: self.returns.clone(),
            writes_result: self.writes_result,
            prototype: Prototype::Given,
        }
    }
}

impl ArgClass {
    /// Whether it is passed in a general register natively.
    pub fn is_general(self) -> bool {
        matches!(self, Self::Scalar(Scalar::Int(_) | Scalar::Ptr))
    }

    /// The slots that an argument takes: in memory, that of the address.
    fn n_slots(self) -> u32 {
        match self {
            Self::Scalar(scalar) => scalar.n_slots(),
            Self::Vector(scalar, n_lanes) => scalar.n_slots() * n_lanes,
            Self::Memory { .. } => 1,
        }
    }
}

impl SwitchTable {
    /// The place that a target stands for: the same for all cases that lead to one place.
    pub fn place_of(&self, target: OpIdx) -> OpIdx {
        match self.labels.binary_search_by_key(&target, |label| label.0) {
            Ok(idx) => self.labels[idx].1,
            Err(_) => target,
        }
    }
}

impl Image {
    /// Where the next operation that is added will be.
    pub(crate) fn next_op(&self) -> OpIdx {
        OpIdx::new(self.ops.len())
    }

    pub fn op(&self, op_idx: OpIdx) -> &Op {
        &self.ops[op_idx.index()]
    }

    /// Adds a function that nobody defines and that takes whatever it is given.
    pub fn add_undefined(&mut self, name: &str) {
        let external = self.externals.len() as u32;
        let function = FuncId::new(self.functions.len());
        let Some(fn_ty) = self.functions.first().map(|other| other.fn_ty) else { return };
        self.externals.push(name.into());
        self.statics.push(StaticObject { name: name.into(), size: 0, align: 16, kind: StaticKind::Function(function) });
        let end = self.next_op();
        self.functions.push(FuncCode {
            name: name.into(),
            target: Target::External(external),
            entry: end,
            end,
            n_slots: 0,
            param_slots: 0,
            ret_slots: 0,
            returns: Box::default(),
            writes_result: None,
            fn_ty,
            varargs: true,
            params: Box::default(),
            named_gp: 0,
            named_fp: 0,
            native_bytes: 0,
            origin: Origin::User,
            is_address_taken: true,
            is_volatile: false,
            variables: Box::default(),
            semantics: Semantics::Source,
        });
    }

    /// Makes plain calls of some functions go through call sites, as all others do: something else than the code may serve
    /// them then.
    pub fn call_through_sites(&mut self, is_wanted: impl Fn(FuncId, &FuncCode) -> bool) {
        let functions = (0..).zip(&self.functions);
        let wanted: Vec<bool> =
            functions.map(|(id, code)| code.target == Target::Code && is_wanted(FuncId(id), code)).collect();
        let mut sites: Vec<Option<u32>> = vec![None; wanted.len()];
        for op in self.ops.iter_mut().filter(|op| op.code == OpCode::Call) {
            let callee = op.a as usize;
            if wanted[callee] {
                let site = *sites[callee].get_or_insert_with(|| {
                    self.call_sites.push(self.functions[callee].plain_site());
                    self.call_sites.len() as u32 - 1
                });
                (op.code, op.b) = (OpCode::CallVar, site);
            }
        }
    }

    /// Takes back the operations from `start` on, and what was noted of them.
    pub(crate) fn forget_from(&mut self, start: OpIdx) {
        self.ops.truncate(start.index());
        self.locs.truncate(start.index());
        self.inverted.truncate(self.inverted.partition_point(|&branch| branch < start));
        self.uncounted.truncate(self.uncounted.partition_point(|&branch| branch < start));
        self.tested.truncate(self.tested.partition_point(|tested| tested.op < start));
    }

    /// The function that an operation belongs to. Functions lie in the order of their operations; those without code are
    /// empty.
    pub fn function_at(&self, op_idx: OpIdx) -> Option<&FuncCode> {
        self.function_id_at(op_idx).map(|id| &self.functions[id.index()])
    }

    /// As `function_at`, by its number.
    pub fn function_id_at(&self, op_idx: OpIdx) -> Option<FuncId> {
        let after = self.functions.partition_point(|code| code.entry <= op_idx);
        let last = after.checked_sub(1)?;
        (op_idx < self.functions[last].end).then(|| FuncId::new(last))
    }

    pub fn is_user_code(&self, op_idx: OpIdx) -> bool {
        self.function_at(op_idx).is_some_and(|code| code.origin == Origin::User)
    }

    /// Whether a branch jumps where its condition is false.
    pub fn is_inverted(&self, op_idx: OpIdx) -> bool {
        self.inverted.binary_search(&op_idx).is_ok()
    }

    /// What a branch tests, if the source may have it behind a `!`.
    pub fn tested(&self, op_idx: OpIdx) -> Option<Tested> {
        self.tested.binary_search_by_key(&op_idx, |tested| tested.op).ok().map(|idx| self.tested[idx])
    }

    /// Whether a branch has a condition of its own.
    pub fn counts_branch(&self, op_idx: OpIdx) -> bool {
        self.uncounted.binary_search(&op_idx).is_err()
    }

    pub fn loc(&self, op_idx: OpIdx) -> Option<MdId> {
        self.locs.get(op_idx.index()).copied().filter(|&loc| loc != NO_LOC).map(MdId)
    }
}
