//! What a run gave up, so that nothing is lost silently.

use std::sync::Arc;

/// Precision or coverage that was given up at an operation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LedgerEntry {
    pub kind: LedgerKind,
    /// The operation, by index.
    pub site: u32,
    /// What it was, where the kind does not say all.
    pub detail: Option<Arc<str>>,
}

/// The place of what happens nowhere in the program.
pub const NOWHERE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LedgerKind {
    /// An address was made concrete.
    ConcreteAddress,
    /// A size, count or other operand was made concrete.
    ConcreteValue,
    /// Text that the program may read again was made of concrete values.
    ConcreteText,
    /// A function that nobody defines was called: the one with this number in `Image::natives`. What it returns is input,
    /// and what else it may do was left out.
    Stub(u32),
    /// Bytes that were not initialised became input: those so far from the start of an object that was declared or allocated at
    /// this operation. The first is about the first such input, and so on.
    Uninitialised { born: u32, offset: u32 },
    /// There is no object any more for a pointer of the input.
    NoObject,
    /// A pointer of the input to something of which C says nothing is null.
    OpaquePointer,
    /// The program got one of the answers that the world outside could give.
    Environment,
    /// A command was run: what it did is input, as far as that goes.
    Command,
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
            Self::Environment => "environment",
            Self::Command => "command",
        }
    }
}
