//! Functions that are served by Rust code instead of operations.

use crate::bug::BugKind;
use crate::exec::Leap;
use crate::machine::Machine;
use crate::memory::Fault;
use crate::operation::Operation;
use crate::stop::Stop;
use crate::value::{Slot, UndefId};
use crate::vm::Vm;
use smallvec::SmallVec;

/// A library function. The arguments are flattened to slots, as everywhere.
pub type Builtin<M> = fn(&mut Vm<'_, M>, &[Slot]) -> Result<Flow, Stop>;

/// How control goes on after a library function.
#[derive(Clone, Copy, Debug)]
pub enum Flow {
    /// Return these slots; functions without a result ignore them.
    Return([Slot; 2]),
    /// Go back to a place that was saved ([`Vm::restore_context`]).
    Resume(Leap),
}

impl Flow {
    pub const VOID: Self = Self::Return([Slot::plain(0), Slot::plain(0)]);

    pub fn value(val: u64) -> Self {
        Self::slot(Slot::plain(val))
    }

    pub fn slot(slot: Slot) -> Self {
        Self::Return([slot, Slot::plain(0)])
    }

    /// A value of up to 128 bits.
    pub fn wide(val: u128) -> Self {
        Self::Return([Slot::plain(val as u64), Slot::plain((val >> 64) as u64)])
    }
}

/// A library function, and what the VM has to know of it.
pub struct BuiltinRow<M: Machine> {
    pub function: Builtin<M>,
    /// Whether it may be given objects whose size is open. Others find them settled.
    pub takes_open: bool,
    /// Whether what it does depends on its arguments and on memory only, and it changes nothing but memory.
    pub is_of_memory: bool,
}

impl<M: Machine> Clone for BuiltinRow<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Machine> Copy for BuiltinRow<M> {}

impl<M: Machine> From<Builtin<M>> for BuiltinRow<M> {
    fn from(function: Builtin<M>) -> Self {
        Self { function, takes_open: false, is_of_memory: false }
    }
}

/// Where library functions come from.
pub trait BuiltinTable<M: Machine> {
    fn lookup(&self, name: &str) -> Option<BuiltinRow<M>>;
}

impl<M: Machine> Vm<'_, M> {
    /// The concrete value of an argument that must be initialised to be used.
    pub fn word(&mut self, arg: Slot, what: &str) -> Result<u64, Stop> {
        if arg.tag.is_plain() {
            return Ok(arg.val);
        }
        self.check_defined(arg, what)?;
        let value = self.machine.concretise(&mut self.memory, self.pc, arg)?;
        M::after_decision(self)?;
        Ok(value)
    }

    /// Ends the path if an argument is uninitialised.
    pub fn check_defined(&self, arg: Slot, what: &str) -> Result<(), Stop> {
        if arg.tag.undef() == UndefId::NONE {
            return Ok(());
        }
        self.bug(BugKind::Uninitialised, format!("{what} is uninitialised"))
    }

    /// The result of an operation on operands of these widths, with what they carry.
    pub fn operate<const N: usize>(&mut self, op: Operation, operands: [(u32, &[Slot]); N]) -> SmallVec<[Slot; 2]> {
        let lanes = operands.map(|(width, slots)| self.lane_of_slots(width, slots));
        let result = self.apply(op, lanes.each_ref());
        self.slots_of_lane(&result)
    }

    /// The bytes of a NUL-terminated string, without the NUL. All must be initialised.
    pub fn read_c_string(&mut self, addr: u64) -> Result<Vec<u8>, Stop> {
        let len = self.c_string_len(addr)?;
        let bytes = self.memory.bytes(addr, len);
        match bytes {
            Ok(bytes) => Ok(bytes.to_vec()),
            Err(fault) => self.fault(fault, "read"),
        }
    }

    /// The length of a NUL-terminated string.
    pub fn c_string_len(&mut self, addr: u64) -> Result<u64, Stop> {
        let found = self.memory.bytes_to_end(addr).map(|rest| (rest.iter().position(|&byte| byte == 0), rest.len()));
        match found {
            Ok((Some(len), _)) => {
                self.use_bytes(addr, len as u64 + 1, "a string")?;
                Ok(len as u64)
            }
            // Not terminated: the read behind the end is the error, unless an uninitialised byte comes before.
            Ok((None, len)) => {
                self.use_bytes(addr, len as u64, "a string")?;
                let fault = self.memory.resolve(addr.wrapping_add(len as u64), 1).expect_err("behind the end");
                self.fault(fault, "read")
            }
            Err(fault) => self.fault(self.memory.resolve(addr, 1).err().unwrap_or(fault), "read"),
        }
    }

    /// Ends the path if a byte of the range is uninitialised.
    pub fn check_initialised(&mut self, addr: u64, len: u64, what: &str) -> Result<(), Stop> {
        self.for_each_expr(addr, len, what, |_, _| Ok(()))
    }

    /// What the path does next depends on the bytes of a range, which must be initialised. Those that carry expressions are
    /// made concrete.
    pub fn use_bytes(&mut self, addr: u64, len: u64, what: &str) -> Result<(), Stop> {
        self.for_each_expr(addr, len, what, |vm, addr| {
            let byte = vm.load_slot(addr, 1)?;
            vm.word(byte, what).map(drop)
        })
    }

    /// Calls `f` with the address of each byte of the range that carries an expression. Ends the path if one is
    /// uninitialised.
    fn for_each_expr(
        &mut self,
        addr: u64,
        len: u64,
        what: &str,
        mut f: impl FnMut(&mut Self, u64) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut at = 0;
        loop {
            let found = self.memory.first_not_plain(addr.wrapping_add(at), len - at);
            let Some(found) = self.checked(found, "read")? else { return Ok(()) };
            at += found.at;
            let is_undefined = match found.byte.expr.is_some() && found.byte.undef != 0 {
                true => self.load_slot(addr.wrapping_add(at), 1)?.tag.undef() != UndefId::NONE,
                false => found.byte.undef != 0,
            };
            if is_undefined {
                let (object, _) = self.checked(self.memory.resolve(addr, len), "read")?;
                let message = format!("byte {at} of {what} is uninitialised");
                let notes = self.object_notes(object);
                return Err(self.bug_with_notes(BugKind::Uninitialised, message, notes));
            }
            f(self, addr.wrapping_add(at))?;
            at += 1;
        }
    }

    /// Turns a memory result into a path result.
    pub fn checked<T>(&self, result: Result<T, Fault>, verb: &str) -> Result<T, Stop> {
        result.or_else(|fault| self.fault(fault, verb))
    }
}
