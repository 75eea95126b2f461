//! What a run gave up, so that nothing is lost silently.

use crate::journal::Entry;
use std::sync::Arc;

use spelunk_ir::code::OpIdx;
use spelunk_vm::Outside;

/// Precision or coverage that was given up at an operation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LedgerEntry {
    pub kind: LedgerKind,
    /// The operation, by index.
    pub site: OpIdx,
    /// What it was, where the kind does not say all.
    pub detail: Option<Arc<str>>,
}

impl Entry for LedgerEntry {}

/// The place of what happens nowhere in the program.
pub const NOWHERE: OpIdx = OpIdx::NOWHERE;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LedgerKind {
    /// An address was made concrete.
    ConcreteAddress,
    /// A size, count or other operand was made concrete.
    ConcreteValue,
    /// Text that the program may read again was made of concrete values.
    ConcreteText,
    /// A function that nobody defines was called: the one with this number in `Image::externals`. What it returns is input,
    /// and what else it may do was left out.
    Stub(u32),
    /// Bytes that were not initialised became input: those so far from the start of an object that was declared or allocated at
    /// this operation. The first is about the first such input, and so on.
    Uninitialised { born: OpIdx, offset: u32 },
    /// There is no object any more for a pointer of the input.
    NoObject,
    /// A pointer of the input to something of which C says nothing is null.
    OpaquePointer,
    /// The program got one of the answers that the world outside could give.
    Environment(Outside),
    /// A command was run: what it did is input, as far as that goes.
    Command,
    /// A check of the input took too long.
    EndedCheck,
    /// Rules for heaps were checked in the order of the run only.
    UncheckedRules,
    /// An object that is decided on demand was taken not to lie around one that was met before.
    KeptApart,
    /// Not all ways in which two pointers may overlap were told apart.
    FarOverlap,
    /// An access ended a path, or might have, because an object of the input is no larger.
    ObjectSize,
    /// A larger input might have gone another way.
    Bound(Bound),
}

/// Larger objects have a size that is decided on when they are made: bytes exist for all that they may have.
pub const MAX_OPEN_SIZE: u32 = 4096;

/// How large inputs are at most.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Bound {
    /// Characters of a string.
    String(u32),
    /// Elements of an array of which a number of the input says how many there are.
    Array(u32),
    /// Objects of one type in a row.
    Nesting(u32),
    /// Objects of one type in a heap.
    Objects(u32),
    /// Calls of a sequence.
    Calls(u32),
    /// Bytes of an argument of the program.
    Argument(u32),
    /// Arguments of the program.
    Arguments(u32),
    /// Bytes of standard input: neither more nor less.
    Stdin(u32),
    /// Bytes of a file: neither more nor less.
    File(u32),
    /// Decisions of a path.
    Depth(u32),
    /// Texts of a grammar: productions of their derivation.
    TextSize(u32),
    /// The same, by their bytes.
    TextLength(u32),
    /// The same, by the levels of their derivation.
    TextHeight(u32),
    /// Bytes of a hole in a text.
    Hole(u32),
    /// Bytes of an object that is as large as the input says: of larger ones, one size was tried.
    Allocation(u32),
}

impl Bound {
    /// The stable name in reports.
    pub fn slug(self) -> &'static str {
        match self {
            Self::String(_) => "string-length",
            Self::Array(_) => "array-length",
            Self::Nesting(_) => "nesting",
            Self::Objects(_) => "heap-bound",
            Self::Calls(_) => "sequence-length",
            Self::Argument(_) => "argument-length",
            Self::Arguments(_) => "argument-count",
            Self::Stdin(_) => "stdin-size",
            Self::File(_) => "file-size",
            Self::Depth(_) => "depth",
            Self::TextSize(_) | Self::TextLength(_) | Self::TextHeight(_) => "text-size",
            Self::Hole(_) => "hole-length",
            Self::Allocation(_) => "allocation-size",
        }
    }

    pub fn limit(self) -> u32 {
        match self {
            Self::String(max) | Self::Array(max) | Self::Nesting(max) | Self::Objects(max) | Self::Calls(max) => max,
            Self::Argument(max) | Self::Arguments(max) | Self::Stdin(max) | Self::File(max) | Self::Depth(max) => max,
            Self::TextSize(max) | Self::TextLength(max) | Self::TextHeight(max) | Self::Hole(max) => max,
            Self::Allocation(max) => max,
        }
    }
}

/// What every path was explored for.
impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, unit) = match self {
            Self::String(_) => ("strings of up to", "character"),
            Self::Array(_) => ("arrays of up to", "element"),
            Self::Nesting(_) => ("chains of up to", "object"),
            Self::Objects(_) => ("heaps of up to", "object"),
            Self::Calls(_) => ("sequences of up to", "call"),
            Self::Argument(_) => ("arguments of up to", "byte"),
            Self::Arguments(_) => ("up to", "argument"),
            Self::Stdin(_) => ("standard input of", "byte"),
            Self::File(_) => ("files of", "byte"),
            Self::Depth(_) => ("up to", "decision"),
            Self::TextSize(_) => ("texts of up to", "production"),
            Self::TextLength(_) => ("texts of up to", "byte"),
            Self::TextHeight(_) => ("texts of up to", "level"),
            Self::Hole(_) => ("holes of up to", "byte"),
            Self::Allocation(_) => ("allocations of up to", "byte"),
        };
        let plural = if self.limit() == 1 { "" } else { "s" };
        write!(f, "{what} {} {unit}{plural}", self.limit())
    }
}

impl LedgerKind {
    /// The stable name in reports.
    pub fn slug(self) -> &'static str {
        match self {
            Self::ConcreteAddress => "concrete-address",
            Self::ConcreteValue => "concrete-value",
            Self::ConcreteText => "concrete-text",
            Self::Stub(_) => "unmodelled-call",
            Self::Uninitialised { .. } => "uninitialised-input",
            Self::NoObject => "nesting-cut",
            Self::OpaquePointer => "opaque-pointer",
            Self::Environment(_) => "environment",
            Self::Command => "command",
            Self::EndedCheck => "ended-check",
            Self::UncheckedRules => "unchecked-rules",
            Self::KeptApart => "kept-apart",
            Self::FarOverlap => "overlap-settled",
            Self::ObjectSize => "object-size",
            Self::Bound(bound) => bound.slug(),
        }
    }
}
