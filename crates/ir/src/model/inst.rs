//! Instructions, with operands as ids. Operand types are found through `Program::operand_type`.

use super::{BlockId, ConstId, FuncId, MdId, ParamAttrs, TypeId, ValueId, define_id};
use spelunk_bv::{BinOp, CastOp, CmpOp, FBinOp, FCmpOp};

define_id!(
    /// An index into `Function::insts`.
    InstId
);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    Local(ValueId),
    Const(ConstId),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Inst {
    pub kind: InstKind,
    /// `Void` where there is no result.
    pub ty: TypeId,
    /// Set exactly when `ty` is not void.
    pub result: Option<ValueId>,
    /// The `DILocation`.
    pub loc: Option<MdId>,
}

/// Flags that make an operation's result undefined in some cases.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct InstFlags {
    pub nsw: bool,
    pub nuw: bool,
    pub exact: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum InstKind {
    Binary {
        op: BinOp,
        flags: InstFlags,
        lhs: Operand,
        rhs: Operand,
    },
    FBinary {
        op: FBinOp,
        lhs: Operand,
        rhs: Operand,
    },
    FNeg {
        arg: Operand,
    },
    ICmp {
        op: CmpOp,
        lhs: Operand,
        rhs: Operand,
    },
    FCmp {
        op: FCmpOp,
        lhs: Operand,
        rhs: Operand,
    },
    Cast {
        op: CastOp,
        arg: Operand,
    },
    Select {
        cond: Operand,
        then: Operand,
        other: Operand,
    },
    Freeze {
        arg: Operand,
    },
    Phi {
        incoming: Box<[(Operand, BlockId)]>,
    },

    Alloca {
        elem: TypeId,
        count: Operand,
        align: u32,
    },
    /// `ty` of the instruction is the loaded type. Atomic accesses are volatile ones.
    Load {
        ptr: Operand,
        align: u32,
        volatile: bool,
        /// What it says of the type that is accessed.
        tbaa: Option<MdId>,
    },
    Store {
        value: Operand,
        ptr: Operand,
        align: u32,
        volatile: bool,
        tbaa: Option<MdId>,
    },
    Gep {
        elem: TypeId,
        base: Operand,
        indices: Box<[Operand]>,
        inbounds: bool,
    },
    CmpXchg {
        ptr: Operand,
        expected: Operand,
        new: Operand,
    },
    AtomicRmw {
        op: RmwOp,
        ptr: Operand,
        value: Operand,
    },
    Fence,
    VaArg {
        list: Operand,
    },

    ExtractValue {
        aggregate: Operand,
        indices: Box<[u32]>,
    },
    InsertValue {
        aggregate: Operand,
        value: Operand,
        indices: Box<[u32]>,
    },
    ExtractElement {
        vector: Operand,
        index: Operand,
    },
    InsertElement {
        vector: Operand,
        value: Operand,
        index: Operand,
    },
    /// Mask entries index the concatenation of both vectors; `None` is undefined.
    ShuffleVector {
        lhs: Operand,
        rhs: Operand,
        mask: Box<[Option<u32>]>,
    },

    Call {
        callee: Callee,
        fn_ty: TypeId,
        args: Box<[Arg]>,
    },

    Ret {
        value: Option<Operand>,
    },
    Br {
        target: BlockId,
    },
    CondBr {
        cond: Operand,
        then: BlockId,
        other: BlockId,
    },
    Switch {
        value: Operand,
        default: BlockId,
        cases: Box<[(ConstId, BlockId)]>,
    },
    IndirectBr {
        addr: Operand,
        targets: Box<[BlockId]>,
    },
    Unreachable,

    /// Legal, but nothing that we execute. `terminator` has its own form so that blocks still end properly.
    Unsupported {
        name: Box<str>,
    },
    UnsupportedTerminator {
        name: Box<str>,
        successors: Box<[BlockId]>,
    },
}

impl InstKind {
    /// The blocks that a terminator leads to.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Self::Br { target } => vec![*target],
            Self::CondBr { then, other, .. } => vec![*then, *other],
            Self::Switch { default, cases, .. } => cases.iter().map(|&(_, block)| block).chain([*default]).collect(),
            Self::IndirectBr { targets: blocks, .. } | Self::UnsupportedTerminator { successors: blocks, .. } => {
                blocks.to_vec()
            }
            _ => Vec::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arg {
    pub value: Operand,
    pub attrs: ParamAttrs,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// A direct call of a function of this program (declarations included).
    Direct(FuncId),
    Indirect(Operand),
    Asm(Box<AsmText>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmText {
    pub template: String,
    pub constraints: String,
    pub side_effect: bool,
}

/// Declares [`RmwOp`] with LLVM's spelling of each operation.
macro_rules! rmw_ops {
    ($($op:ident = $name:literal),+ $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum RmwOp {
            $($op),+
        }

        impl RmwOp {
            pub fn name(self) -> &'static str {
                match self { $(Self::$op => $name),+ }
            }

            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$op),)+ _ => None }
            }
        }
    };
}

rmw_ops! {
    Xchg = "xchg",
    Add = "add",
    Sub = "sub",
    And = "and",
    Nand = "nand",
    Or = "or",
    Xor = "xor",
    Max = "max",
    Min = "min",
    UMax = "umax",
    UMin = "umin",
    FAdd = "fadd",
    FSub = "fsub",
    FMax = "fmax",
    FMin = "fmin",
    UIncWrap = "uinc_wrap",
    UDecWrap = "udec_wrap",
}

impl InstKind {
    /// Whether it accesses memory that may change by itself.
    pub fn is_volatile(&self) -> bool {
        match self {
            Self::Load { volatile, .. } | Self::Store { volatile, .. } => *volatile,
            Self::CmpXchg { .. } | Self::AtomicRmw { .. } | Self::Fence => true,
            _ => false,
        }
    }

    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Self::Ret { .. }
                | Self::Br { .. }
                | Self::CondBr { .. }
                | Self::Switch { .. }
                | Self::IndirectBr { .. }
                | Self::Unreachable
                | Self::UnsupportedTerminator { .. }
        )
    }

    /// Calls `f` on each value operand.
    pub fn for_each_operand(&self, mut f: impl FnMut(Operand)) {
        match self {
            Self::Binary { lhs, rhs, .. }
            | Self::FBinary { lhs, rhs, .. }
            | Self::ICmp { lhs, rhs, .. }
            | Self::FCmp { lhs, rhs, .. }
            | Self::ShuffleVector { lhs, rhs, .. } => {
                f(*lhs);
                f(*rhs);
            }
            Self::FNeg { arg } | Self::Cast { arg, .. } | Self::Freeze { arg } => f(*arg),
            Self::Select { cond, then, other } => {
                f(*cond);
                f(*then);
                f(*other);
            }
            Self::Phi { incoming } => incoming.iter().for_each(|&(value, _)| f(value)),
            Self::Alloca { count, .. } => f(*count),
            Self::Load { ptr, .. } => f(*ptr),
            Self::Store { value, ptr, .. } | Self::AtomicRmw { ptr, value, .. } => {
                f(*value);
                f(*ptr);
            }
            Self::Gep { base, indices, .. } => {
                f(*base);
                indices.iter().copied().for_each(f);
            }
            Self::CmpXchg { ptr, expected, new } => {
                f(*ptr);
                f(*expected);
                f(*new);
            }
            Self::VaArg { list } => f(*list),
            Self::ExtractValue { aggregate, .. } => f(*aggregate),
            Self::InsertValue { aggregate, value, .. } => {
                f(*aggregate);
                f(*value);
            }
            Self::ExtractElement { vector, index } => {
                f(*vector);
                f(*index);
            }
            Self::InsertElement { vector, value, index } => {
                f(*vector);
                f(*value);
                f(*index);
            }
            Self::Call { callee, args, .. } => {
                if let Callee::Indirect(target) = callee {
                    f(*target);
                }
                args.iter().for_each(|arg| f(arg.value));
            }
            Self::Ret { value } => value.iter().copied().for_each(f),
            Self::CondBr { cond, .. } => f(*cond),
            Self::Switch { value, .. } => f(*value),
            Self::IndirectBr { addr, .. } => f(*addr),
            Self::Fence
            | Self::Br { .. }
            | Self::Unreachable
            | Self::Unsupported { .. }
            | Self::UnsupportedTerminator { .. } => {}
        }
    }
}
