//! Instruction names. Steps to add one: a line in [`NAMES`] (operations of `spelunk_bv` come by themselves), an arm
//! in `Parser::instruction`, and one in `Parser::const_expr` if it may stand in a constant.

use rustc_hash::FxHashMap;
use spelunk_bv::{BinOp, CastOp, FBinOp};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opcode {
    Binary(BinOp),
    FBinary(FBinOp),
    Cast(CastOp),
    AddrSpaceCast,
    FNeg,
    ICmp,
    FCmp,
    Select,
    Freeze,
    Phi,
    Alloca,
    Load,
    Store,
    Gep,
    CmpXchg,
    AtomicRmw,
    Fence,
    VaArg,
    ExtractValue,
    InsertValue,
    ExtractElement,
    InsertElement,
    ShuffleVector,
    /// `call`, or one of the words that may stand before it.
    Call,
    Ret,
    Br,
    Switch,
    IndirectBr,
    Unreachable,
    Invoke,
    CallBr,
    LandingPad,
    Resume,
    /// The terminators of Windows exception handling.
    FuncletTerminator,
    /// Its other instructions.
    FuncletPad,
}

const NAMES: &[(&str, Opcode)] = &[
    ("addrspacecast", Opcode::AddrSpaceCast),
    // On x86-64 an address is the whole pointer.
    ("ptrtoaddr", Opcode::Cast(CastOp::PtrToInt)),
    ("fneg", Opcode::FNeg),
    ("icmp", Opcode::ICmp),
    ("fcmp", Opcode::FCmp),
    ("select", Opcode::Select),
    ("freeze", Opcode::Freeze),
    ("phi", Opcode::Phi),
    ("alloca", Opcode::Alloca),
    ("load", Opcode::Load),
    ("store", Opcode::Store),
    ("getelementptr", Opcode::Gep),
    ("cmpxchg", Opcode::CmpXchg),
    ("atomicrmw", Opcode::AtomicRmw),
    ("fence", Opcode::Fence),
    ("va_arg", Opcode::VaArg),
    ("extractvalue", Opcode::ExtractValue),
    ("insertvalue", Opcode::InsertValue),
    ("extractelement", Opcode::ExtractElement),
    ("insertelement", Opcode::InsertElement),
    ("shufflevector", Opcode::ShuffleVector),
    ("call", Opcode::Call),
    ("tail", Opcode::Call),
    ("musttail", Opcode::Call),
    ("notail", Opcode::Call),
    ("ret", Opcode::Ret),
    ("br", Opcode::Br),
    ("switch", Opcode::Switch),
    ("indirectbr", Opcode::IndirectBr),
    ("unreachable", Opcode::Unreachable),
    ("invoke", Opcode::Invoke),
    ("callbr", Opcode::CallBr),
    ("landingpad", Opcode::LandingPad),
    ("resume", Opcode::Resume),
    ("catchswitch", Opcode::FuncletTerminator),
    ("catchret", Opcode::FuncletTerminator),
    ("cleanupret", Opcode::FuncletTerminator),
    ("catchpad", Opcode::FuncletPad),
    ("cleanuppad", Opcode::FuncletPad),
];

pub(super) struct OpcodeTable(FxHashMap<&'static str, Opcode>);

impl OpcodeTable {
    pub fn new() -> Self {
        let binary = BinOp::ALL.iter().map(|&op| (op.name(), Opcode::Binary(op)));
        let float = FBinOp::ALL.iter().map(|&op| (op.name(), Opcode::FBinary(op)));
        let cast = CastOp::ALL.iter().map(|&op| (op.name(), Opcode::Cast(op)));
        Self(binary.chain(float).chain(cast).chain(NAMES.iter().copied()).collect())
    }

    pub fn get(&self, word: &str) -> Option<Opcode> {
        self.0.get(word).copied()
    }
}
