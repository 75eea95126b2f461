//! The kinds of errors that a path can end in, as one table, and what is told about an occurrence.
//!
//! Steps to add a kind: a row in the table; raise it with `Vm::bug`; a faulty program and a clean twin in `tests/ui/checks`.

use crate::memory::ObjectId;
use spelunk_ir::code::OpIdx;

macro_rules! bug_kinds {
    ($($kind:ident $slug:literal $title:literal;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum BugKind {
            $($kind,)*
        }

        impl BugKind {
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// The stable name in reports and annotations.
            pub fn slug(self) -> &'static str {
                match self {
                    $(Self::$kind => $slug,)*
                }
            }

            /// What a person reads.
            pub fn title(self) -> &'static str {
                match self {
                    $(Self::$kind => $title,)*
                }
            }

            pub fn from_slug(slug: &str) -> Option<Self> {
                match slug {
                    $($slug => Some(Self::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

bug_kinds! {
    NullDeref "null-deref" "null pointer dereference";
    OutOfBounds "out-of-bounds" "access out of bounds";
    WildPointer "wild-pointer" "access through an invalid pointer";
    UseAfterFree "use-after-free" "use after free";
    UseAfterReturn "use-after-return" "use of a local variable after its function returned";
    DoubleFree "double-free" "double free";
    BadFree "bad-free" "invalid free";
    WriteToConstant "write-to-constant" "write to constant data";
    Uninitialised "uninitialised" "use of an uninitialised value";
    DivByZero "div-by-zero" "division by zero";
    DivOverflow "div-overflow" "division overflow";
    OversizedShift "oversized-shift" "shift amount out of range";
    SignedOverflow "signed-overflow" "signed integer overflow";
    EffectiveType "effective-type" "access through an incompatible type";
    MemberBounds "member-bounds" "array index out of bounds";
    BadCall "bad-call" "call through an invalid function pointer";
    Overlap "overlap" "copy between overlapping memory areas";
    Unreachable "unreachable" "unreachable code reached";
    Assert "assert" "assertion failed";
    Abort "abort" "program aborted";
    ReachError "reach-error" "error function reached";
    ReportedError "reported-error" "error reported by the program";
    EndlessLoop "endless-loop" "infinite loop";
    StackExhausted "stack-exhausted" "stack exhausted";
    MemoryLimit "memory-limit" "memory limit reached";
    Ensure "ensure" "postcondition violated";
    Leak "leak" "memory leak";
}

/// An error at a place.
#[derive(Clone, Debug)]
pub struct Bug {
    pub kind: BugKind,
    pub message: String,
    /// Operations of the call stack, innermost first.
    pub trace: Vec<OpIdx>,
    pub notes: Vec<Note>,
    /// Of a loop that never ends: a set of states that it stays in, if C can say it.
    pub stays_in: Option<Box<LoopSet>>,
    /// Of an access past the end of an object: of which.
    pub beyond: Option<Beyond>,
}

/// An access past the end of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beyond {
    pub object: ObjectId,
    pub is_write: bool,
}

/// A set of states that a loop never leaves, as C code at its head can test it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopSet {
    /// The rounds after which the state is in it again.
    pub every: u32,
    pub variables: Vec<SetVariable>,
    /// An expression of C over the variables, as unsigned numbers of 64 bits.
    pub condition: String,
}

/// What a set speaks of: bytes of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetVariable {
    /// In the condition.
    pub alias: String,
    pub name: String,
    /// Where it is declared, if it is a local variable of the function.
    pub line: Option<u32>,
    pub offset: u32,
    pub n_bytes: u32,
}

/// Something elsewhere that explains an error.
#[derive(Clone, Debug)]
pub struct Note {
    pub message: String,
    pub trace: Vec<OpIdx>,
}
