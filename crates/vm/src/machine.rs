//! What a machine adds to concrete execution.
//!
//! The interpreter computes every result concretely. Where an operand carries an expression, it asks the machine for the
//! expression of the result; where the path depends on one, it tells the machine which way it goes. The methods here have the
//! meaning of a machine that has no expressions, so that the concrete one is empty.

use crate::bodies::{Answer, Call, Callee, ModelId};
use crate::bug::BugKind;
use crate::memory::{Fault, Memory, ObjectId, Word};
use crate::notes::{Attention, Passes};
use crate::operation::{Operand, Operation};
use crate::stop::Stop;
use crate::value::{Carried, Slot};
use crate::vm::Vm;
use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, CastOp, CmpOp, FBinOp, FCmpOp};
use spelunk_ir::code::{CallSite, Op, OpIdx, Overlap};
use spelunk_ir::model::FuncId;

/// What happened at an operation, as one bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Mark {
    /// A conditional branch went on behind itself, or an observed condition was false.
    FellThrough = 1,
    /// A conditional branch jumped, or an observed condition was true.
    Jumped = 2,
    /// Control came here by a call, a return, or a switch.
    Reached = 4,
    /// A loop that starts here has no end.
    Endless = 8,
    /// For other input, control came further than to here. Nobody marks that: it is asked for every time.
    WentOn = 16,
}

/// Why what a library function does is not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Muted {
    /// It prints: nothing that the program does next depends on it.
    Output,
    /// It makes text that the program may read: that text is concrete.
    Text,
}

/// How a program depends on the world outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Outside {
    /// It got one of the answers that the world could give.
    OneAnswer,
    /// It got the answer that this machine gives.
    Machine,
    /// The same, and it is about the directory that the program is in.
    Here,
    /// The same, and the machine gives another one each time.
    Changing,
    /// It was given no answer, but changed a file or directory, of which only this run knows.
    Changed(Reach),
    /// It ran a command, of which nobody knows what it does.
    Command,
}

/// Where a program has changed something.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Reach {
    /// In the directory that it is in, or among temporary files.
    Near,
    Far,
}

/// What an operation did to the call stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A function was called: its frame is the last one, and nothing of it was executed yet.
    Entered(FuncId),
    /// A function has returned: its frame is gone, and the caller has the result.
    Returned(FuncId),
    /// A function was left by a `longjmp`. Told for each, the innermost first.
    Unwound(FuncId),
}

/// What became of a copy or fill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bulk {
    Done,
    /// It is left to be done with the numbers of this run.
    Left,
    /// The same; the areas are known to overlap.
    Overlaps,
}

/// What it means that a result does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overflow {
    /// Nothing: the operation is one on unsigned numbers.
    Wraps,
    /// C does not define it. The value wraps around, and whoever relies on that is told.
    IsNoticed,
    IsError,
}

/// Who says whether an operation is an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judged {
    ByOperands,
    /// It is none, whatever the operands are, and has some result.
    Good,
}

/// What a machine says of an address that carries an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Located {
    /// It is as good as its concrete value.
    AsIs,
    /// It lies inside of an object of open size, by its expression and that of the size.
    Within,
    /// A fault that shows only by the expression: the address left its object and came upon another.
    Fault(Fault),
    /// It is good, whatever its concrete value is; this one stands for it. What is read there has the value of its expression.
    Instead(u64),
}

/// A read or write of `len` bytes at `addr`, by the operation at `site`.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub site: OpIdx,
    pub addr: Slot,
    pub len: u64,
}

/// State that can be brought back to what it was: a machine's, or that of the world outside.
pub trait Reversible {
    /// What has to be kept for that.
    type Saved;

    /// `None` once something was done that can't be undone.
    fn save(&mut self) -> Option<Self::Saved>;

    fn restore(&mut self, saved: &Self::Saved);
}

impl Reversible for () {
    type Saved = ();

    fn save(&mut self) -> Option<()> {
        Some(())
    }

    fn restore(&mut self, (): &()) {}
}

/// An operand's expression may be narrower than the operation: it then stands for its zero extension, which costs no
/// operation of its own.
///
/// A snapshot that is taken during an operation is the state before it, and executes the operation again. So what a machine
/// saves (see [`Reversible`]) must be its own state before the operation's first decision.
pub trait Machine: Reversible + Sized {
    /// What library functions need of the world outside: files, clocks, …
    type Env;

    fn env(&mut self) -> &mut Self::Env;

    /// Whether the machine wants to know where control goes. A constant, so that the loop of one that doesn't has no
    /// trace of it.
    const MARKS: bool = false;

    /// Control went from or to an operation.
    #[inline(always)]
    fn mark(&mut self, _op_idx: OpIdx, _mark: Mark) {}

    /// Whether the machine can be asked at chosen operations ([`Vm::set_notes`]). A constant, as `MARKS` is.
    const NOTES: bool = false;

    /// Whether [`note`](Self::note) has nothing to do at an operation, which has these registers from `base` on: the loop asks this first,
    /// where there are notes at most operations.
    #[inline(always)]
    fn passes_note(&mut self, _memory: &Memory, _at: (OpIdx, &Op), _base: usize, _regs: &[Slot]) -> Passes {
        Passes::No
    }

    /// How many of its notes the machine wants to be asked at ([`Notes::graded`](crate::Notes::graded)), from now until it is asked
    /// again: after each note, and after whatever the loop does not do itself.
    #[inline(always)]
    fn attention(&self) -> Attention {
        Attention::Full
    }

    /// The operation at `op_idx`, at which there is a note, is about to be executed, for the first time or again after a
    /// snapshot. What is decided here is part of the operation; so a snapshot may be taken as in `after_decision`.
    fn note(_vm: &mut Vm<'_, Self>, _op_idx: OpIdx) -> Result<(), Stop> {
        Ok(())
    }

    /// Whether the machine wants to know of calls and returns. A constant, as `MARKS` is.
    const EVENTS: bool = false;

    /// An operation has acted. No snapshot can be taken here.
    fn event(_vm: &mut Vm<'_, Self>, _event: Event) -> Result<(), Stop> {
        Ok(())
    }

    /// The machine's own state as it is at this moment, which may be in the middle of an operation: code is about to run
    /// [aside](Vm::aside). `None` once something was done that can't be undone. As long as code runs aside, the
    /// machine has to expect every call of its methods.
    fn step_aside(&mut self) -> Option<Self::Saved> {
        self.save()
    }

    /// That state again.
    fn step_back(&mut self, saved: &Self::Saved) {
        self.restore(saved);
    }

    fn binary(&mut self, _op: BinOp, _width: u32, _a: Slot, _b: Slot) -> Carried {
        Carried::NONE
    }

    /// A pointer to which a number of bytes is added: what comes of it points into the same object.
    fn offset(&mut self, pointer: Slot, by: Slot) -> Carried {
        self.binary(BinOp::Add, 64, pointer, by)
    }

    fn compare(&mut self, _op: CmpOp, _width: u32, _a: Slot, _b: Slot) -> Carried {
        Carried::NONE
    }

    fn cast(&mut self, _op: CastOp, _from: u32, _to: u32, _a: Slot) -> Carried {
        Carried::NONE
    }

    fn float_binary(&mut self, _op: FBinOp, _kind: FloatKind, _a: Slot, _b: Slot) -> Carried {
        Carried::NONE
    }

    fn float_compare(&mut self, _op: FCmpOp, _kind: FloatKind, _a: Slot, _b: Slot) -> Carried {
        Carried::NONE
    }

    fn select(&mut self, _cond: Slot, _then: Slot, _other: Slot) -> Carried {
        Carried::NONE
    }

    /// The expression of an operation's result, when the operation is none of the above: other widths than words, vectors,
    /// intrinsics. At least one operand carries an expression.
    fn apply(&mut self, _op: Operation, _operands: &[Operand<'_>]) -> Carried {
        Carried::NONE
    }

    /// The expression of `n` bytes of which some carry expressions. What bytes in memory carry need not be an expression
    /// proper: a machine may keep numbers there that only this method makes expressions of.
    fn join(&mut self, _word: &Word, _n: u32) -> Carried {
        Carried::NONE
    }

    /// A branch at operation `site` depends on a condition. The answer is the way that it goes, which is what `cond` says concretely unless a
    /// way is tried out that the input does not take.
    fn branch(&mut self, _site: OpIdx, cond: Slot) -> Result<bool, Stop> {
        Ok(cond.val & 1 != 0)
    }

    /// A condition at operation `site` was observed on which nothing depends but values. It counts only as long as `guard` is
    /// what it is, if there is one.
    fn observe(&mut self, _site: OpIdx, _cond: Slot, _guard: Option<Slot>) {}

    /// A switch at `site`, on the values of a table of the image, goes to operation `target` by its concrete value. Says where it goes.
    fn switch(&mut self, _site: OpIdx, _table: u32, _value: Slot, target: OpIdx) -> Result<OpIdx, Stop> {
        Ok(target)
    }

    /// A computed jump at `site`, to one of the labels in a table of the image, goes to operation `target`, or to no label.
    fn goto(&mut self, _site: OpIdx, _table: u32, _addr: Slot, _target: Option<OpIdx>) {}

    /// A call through a pointer that carries an expression: to the function that starts at its address, or to none.
    fn call_target(&mut self, _memory: &Memory, _access: Access) {}

    /// An integer operation at `site` is about to be done that would be an error for other operands, or is one for these.
    fn check_binary(
        &mut self,
        _site: OpIdx,
        _op: BinOp,
        _width: u32,
        _a: Slot,
        _b: Slot,
        _overflow: Overflow,
    ) -> Judged {
        Judged::ByOperands
    }

    /// The same for operands of more than 64 bits.
    fn check_wide(&mut self, _site: OpIdx, _op: BinOp, _operands: [Operand<'_>; 2], _overflow: Overflow) {}

    /// The operation at `site`, on operands without expressions, makes a signed overflow, which is noticed only.
    fn overflowed(&mut self, _site: OpIdx) {}

    /// Whether the path has come to a signed overflow: by C, all that follows may be anything.
    fn is_past_overflow(&mut self) -> bool {
        false
    }

    /// An address or size with an expression is about to be used as its concrete value. What memory carries may be put
    /// another way then, but not changed.
    fn concretise(&mut self, _memory: &mut Memory, _site: OpIdx, value: Slot) -> Result<u64, Stop> {
        Ok(value.val)
    }

    /// Memory is about to be accessed at an address that carries an expression.
    fn access(&mut self, _memory: &Memory, _access: Access) -> Located {
        Located::AsIs
    }

    /// The expression of up to eight bytes read at an address that carries one. `access` was told before, and all went
    /// well.
    fn read(&mut self, _memory: &Memory, _access: Access) -> Result<Carried, Stop> {
        Ok(Carried::NONE)
    }

    /// A write is about to happen at an address that carries an expression: what it needs to be decided is decided here.
    /// `access` was told before, and all went well.
    fn before_write(&mut self, _memory: &Memory, _access: Access, _word: &Word) {}

    /// Writes up to eight bytes at an address that carries an expression. Decides nothing.
    fn write(&mut self, memory: &mut Memory, access: Access, word: &Word) -> Result<(), Fault> {
        memory.store_word(access.addr.val, access.len as u32, word)
    }

    /// A copy of which an address or the length carries an expression.
    fn copy(_vm: &mut Vm<'_, Self>, _dst: Slot, _src: Slot, _len: Slot, _overlap: Overlap) -> Result<Bulk, Stop> {
        Ok(Bulk::Left)
    }

    /// The same for a fill.
    fn fill(_vm: &mut Vm<'_, Self>, _dst: Slot, _value: Slot, _len: Slot) -> Result<Bulk, Stop> {
        Ok(Bulk::Left)
    }

    /// Says which bits of a word that may be uninitialised are: bytes that carry something may be initialised in some runs only.
    /// At a `site`, that is a decision.
    fn settle_undef(&mut self, _site: Option<OpIdx>, _word: &mut Word, _n: u32) {}

    /// An allocation is an error, of this kind, for counts above `most`; whether this one is above is a decision.
    fn check_length(&mut self, _site: OpIdx, _len: Slot, _most: u64, _kind: BugKind) {}

    /// An object of `count` times `unit` bytes is about to be allocated, where `count` carries an expression. The answer is how
    /// many bytes it may have at most, if its size is to stay open.
    fn reserve(&mut self, _site: OpIdx, _count: Slot, _unit: u64) -> Option<u64> {
        None
    }

    /// An object that bytes were reserved for was allocated.
    fn bind_size(&mut self, _object: ObjectId, _count: Slot, _unit: u64) {}

    /// Whether the first `end` bytes belong to an object of open size in the present run; that is a decision.
    fn check_size(&mut self, _site: OpIdx, _object: ObjectId, _end: u64) -> bool {
        false
    }

    /// The size of an object of open size in the present run.
    fn size_of(&mut self, _object: ObjectId) -> u64 {
        0
    }

    /// Whether the size of an object must be known before anything in it is accessed, as its last byte is a zero.
    fn needs_size(&mut self, _object: ObjectId) -> bool {
        false
    }

    /// Ties the path to that size.
    fn pin_size(&mut self, _site: OpIdx, _object: ObjectId) {}

    /// Whether what is not initialised is given values.
    fn defines(&self) -> bool {
        false
    }

    /// Up to eight bytes are about to be read of which some bits (`undef`) are not initialised. Says whether they were given
    /// values now.
    fn define(_vm: &mut Vm<'_, Self>, _addr: u64, _n: u32, _undef: u64) -> Result<bool, Stop> {
        Ok(false)
    }

    /// The object at an address is about to be accessed at a place that depends on the input: what of it is not initialised may
    /// be given values now.
    fn define_object(_vm: &mut Vm<'_, Self>, _addr: u64) -> Result<(), Stop> {
        Ok(())
    }

    /// The models that may serve calls of a function, in the order in which they are asked. The VM wants to know once, when it
    /// is made. Models of a function with code need the image's help: [`Image::call_through_sites`].
    ///
    /// [`Image::call_through_sites`]: spelunk_ir::code::Image::call_through_sites
    fn models(&self, _callee: &Callee<'_>) -> Vec<ModelId> {
        Vec::new()
    }

    /// A function is called that has a model. It may decide, and then comes what is said at
    /// [`after_decision`](Self::after_decision); unless it declines, it may also change memory once all is decided.
    fn call_model(_vm: &mut Vm<'_, Self>, _model: ModelId, _call: &Call<'_>) -> Result<Answer, Stop> {
        Ok(Answer::Decline)
    }

    /// A function is called that nobody defines: an entry of `Image::externals`. The answer is the slots of its result.
    fn call_undefined(
        vm: &mut Vm<'_, Self>,
        external: u32,
        _site: &CallSite,
        _args: &[Slot],
    ) -> Result<Vec<Slot>, Stop> {
        vm.no_definition(external)
    }

    /// What the operation has decided so far has taken effect: a snapshot from here on contains it.
    fn committed(&mut self, _steps: u64) {}

    /// Follows each of the methods above that may note a decision. Operations make all of theirs before they change anything,
    /// so here is the place to take a snapshot. Those of one operation have the same number of [`steps`](Vm::steps).
    fn after_decision(_vm: &mut Vm<'_, Self>) -> Result<(), Stop> {
        Ok(())
    }

    /// The value of an expression under the present input, its low word if it is wider. Asked after a snapshot is restored:
    /// the input may be another one now.
    fn slot_value(&mut self, _expr: Carried) -> u64 {
        0
    }

    /// The value of a byte in memory that carries byte `index` of an expression, or what the machine keeps there instead.
    fn byte_value(&mut self, _expr: Carried, _index: u8) -> u8 {
        0
    }

    /// The values of bytes that carry numbers one after another, from one on; or of the one byte that carries byte `index` of an
    /// expression.
    fn byte_values(&mut self, first: Carried, index: u8, values: &mut [u8]) {
        for (number, value) in (first.0..).zip(values) {
            *value = self.byte_value(Carried(number), index);
        }
    }

    /// At `site`, the program goes on with what the world outside says; `what` tells a user how.
    fn depends(&mut self, _site: OpIdx, _on: Outside, _what: &str) {}

    /// From here on everything counts as concrete, and no way that control goes is a decision. Calls nest; each is ended
    /// by its `unmute`.
    ///
    /// `site` is the operation of the user's code that led here.
    fn mute(&mut self, _site: OpIdx, _why: Muted) {}

    fn unmute(&mut self) {}

    fn is_muted(&self) -> bool {
        false
    }

    /// Control left all muted functions at once, by a `longjmp`.
    fn unmute_all(&mut self) {}
}

/// The machine that only computes.
#[derive(Debug, Default)]
pub struct Concrete<E> {
    env: E,
}

impl<E> Concrete<E> {
    pub fn new(env: E) -> Self {
        Self { env }
    }
}

impl<E: Reversible> Reversible for Concrete<E> {
    type Saved = E::Saved;

    fn save(&mut self) -> Option<E::Saved> {
        self.env.save()
    }

    fn restore(&mut self, saved: &E::Saved) {
        self.env.restore(saved);
    }
}

impl<E: Reversible> Machine for Concrete<E> {
    type Env = E;

    fn env(&mut self) -> &mut E {
        &mut self.env
    }
}
