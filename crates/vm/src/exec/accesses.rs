//! Reads and writes of words when the address or what lies there is not plain, or the access is not valid.

use crate::bug::BugKind;
use crate::machine::{Access, Located, Machine};
use crate::memory::{Fault, Word, object_of};
use crate::stop::Stop;
use crate::value::{Carried, Slot, UndefId};
use crate::vm::Vm;
use spelunk_ir::code::Op;

impl<M: Machine> Vm<'_, M> {
    /// The address of an access to `len` bytes as a concrete number, for accesses that can't be symbolic inside of the
    /// object.
    pub(super) fn pinned_address(&mut self, base: Slot, offset: i32, len: u64, verb: &str) -> Result<u64, Stop> {
        let addr = self.offset_address(base, offset);
        let addr = self.check_access(addr, len, verb)?;
        let addr = self.word(addr, "an address")?;
        self.settle_range(addr, len)?;
        Ok(addr)
    }

    fn offset_address(&mut self, base: Slot, offset: i32) -> Slot {
        if base.tag.is_plain() {
            return Slot::plain(base.val.wrapping_add(i64::from(offset) as u64));
        }
        self.offset(base, Slot::plain(i64::from(offset) as u64))
    }

    /// Tells the machine about an address with an expression before it is used. Returns the one to use.
    pub(super) fn check_access(&mut self, addr: Slot, len: u64, verb: &str) -> Result<Slot, Stop> {
        Ok(self.located(addr, len, verb)?.0)
    }

    /// The same, and whether it is known to be inside of an object of open size.
    fn located(&mut self, addr: Slot, len: u64, verb: &str) -> Result<(Slot, bool), Stop> {
        if addr.tag.undef() != UndefId::NONE {
            return self.bug(BugKind::Uninitialised, "an address is uninitialised");
        }
        if !addr.tag.expr().is_some() {
            return Ok((addr, false));
        }
        let access = Access { site: self.pc, addr, len };
        let mut located = self.machine.access(&self.memory, access);
        M::after_decision(self)?;
        let object = object_of(addr.val);
        if located == Located::AsIs && self.memory.is_unsettled(object) {
            // Where in the object the address points is open already, so how large it is must not be.
            self.settle_object(object)?;
            located = self.machine.access(&self.memory, access);
            M::after_decision(self)?;
        }
        match located {
            Located::AsIs => Ok((addr, false)),
            Located::Within => Ok((addr, true)),
            Located::Fault(fault) => {
                if let Fault::OutOfBounds { object, .. } = fault
                    && self.memory.is_unsettled(object)
                {
                    let size = self.machine.size_of(object);
                    self.memory.settle(object, size);
                }
                self.fault(fault, verb)
            }
            Located::Instead(val) => Ok((Slot { val, ..addr }, false)),
        }
    }

    #[cold]
    pub(super) fn cold_load(&mut self, op: Op, n: u32) -> Result<(), Stop> {
        let said = self.access_address(op)?;
        let (addr, is_within) = self.located(said, u64::from(n), "read")?;
        if !is_within {
            let valid = self.settled(addr.val, u64::from(n))?;
            self.checked(self.blame(op, addr.val, n, valid), "read")?;
        }
        let mut slot = self.load_at(addr, n)?;
        if addr.val != said.val && slot.tag.expr().is_some() {
            slot.val = self.machine.slot_value(slot.tag.expr());
        }
        self.set_reg(op.dst, slot);
        Ok(())
    }

    #[cold]
    pub(super) fn cold_store(&mut self, op: Op, n: u32) -> Result<(), Stop> {
        let addr = self.access_address(op)?;
        let (addr, is_within) = self.located(addr, u64::from(n), "write")?;
        if !is_within {
            let valid = self.settled(addr.val, u64::from(n))?;
            self.checked(self.blame(op, addr.val, n, valid), "write")?;
        }
        self.store_at(addr, n, self.reg(op.dst))
    }

    /// Whether a range is inside of an object, after it was decided what belongs to that.
    fn settled(&mut self, addr: u64, len: u64) -> Result<Result<(), Fault>, Stop> {
        let mut found = self.memory.resolve(addr, len);
        if let Err(Fault::Unsettled { .. }) = found {
            self.settle_range(addr, len)?;
            found = self.memory.resolve(addr, len);
        }
        Ok(found.map(|_| ()))
    }

    /// A fault far away from the object that the pointer came from belongs to that object.
    fn blame(&self, op: Op, addr: u64, n: u32, result: Result<(), Fault>) -> Result<(), Fault> {
        let Err(fault @ (Fault::Wild { .. } | Fault::Dead { .. } | Fault::OutOfBounds { .. })) = result else {
            return result;
        };
        let base = self.reg(op.a).val;
        match self.memory.resolve(base, 0) {
            Ok((object, offset)) if object != object_of(addr) => {
                let offset = (addr.wrapping_sub(base)).wrapping_add(offset) as i64;
                Err(Fault::OutOfBounds { object, offset, len: u64::from(n) })
            }
            _ => Err(fault),
        }
    }

    fn access_address(&mut self, op: Op) -> Result<Slot, Stop> {
        if op.code.has_offset() {
            return Ok(self.offset_address(self.reg(op.a), op.b as i32));
        }
        self.indexed(op)
    }

    /// Reads up to eight bytes with what they carry, at an address that was checked.
    fn load_at(&mut self, addr: Slot, n: u32) -> Result<Slot, Stop> {
        if !addr.tag.expr().is_some() {
            return self.load_slot(addr.val, n);
        }
        M::define_object(self, addr.val)?;
        let expr = self.machine.read(&self.memory, Access { site: self.pc, addr, len: u64::from(n) })?;
        M::after_decision(self)?;
        let word = self.memory.load_word_open(addr.val, n);
        let mut word = self.checked(word, "read")?;
        if word.undef != 0 && word.has_expr() {
            self.machine.settle_undef(None, &mut word, n);
        }
        Ok(Slot { val: word.val, tag: self.tag(expr, word.undef) })
    }

    /// Writes up to eight bytes with what they carry, at an address that was checked.
    fn store_at(&mut self, addr: Slot, n: u32, slot: Slot) -> Result<(), Stop> {
        if !addr.tag.expr().is_some() {
            return self.store_slot(addr.val, n, slot);
        }
        M::define_object(self, addr.val)?;
        let word = self.word_of(slot);
        let access = Access { site: self.pc, addr, len: u64::from(n) };
        self.machine.before_write(&self.memory, access, &word);
        M::after_decision(self)?;
        let object = object_of(addr.val);
        let lent = self.memory.is_unsettled(object).then(|| self.memory.lend(object));
        let stored = self.machine.write(&mut self.memory, access, &word);
        if let Some(size) = lent {
            self.memory.take_back(object, size);
        }
        self.checked(stored, "write")
    }

    /// Reads up to eight bytes with what they carry.
    pub(crate) fn load_slot(&mut self, addr: u64, n: u32) -> Result<Slot, Stop> {
        let mut word = self.memory.load_word(addr, n);
        if let Err(Fault::Unsettled { .. }) = word {
            self.settle_range(addr, u64::from(n))?;
            word = self.memory.load_word(addr, n);
        }
        let mut word = self.checked(word, "read")?;
        if word.undef != 0 && word.has_expr() {
            self.machine.settle_undef(Some(self.pc), &mut word, n);
            M::after_decision(self)?;
        }
        if word.undef != 0 && M::define(self, addr, n, word.undef)? {
            word = self.checked(self.memory.load_word(addr, n), "read")?;
        }
        let mut expr = Carried::NONE;
        if word.has_expr() {
            expr = self.machine.join(&word, n);
            M::after_decision(self)?;
        }
        Ok(Slot { val: word.val, tag: self.tag(expr, word.undef) })
    }

    /// Writes up to eight bytes with what they carry.
    pub fn store_slot(&mut self, addr: u64, n: u32, slot: Slot) -> Result<(), Stop> {
        let word = self.word_of(slot);
        let mut stored = self.memory.store_word(addr, n, &word);
        if let Err(Fault::Unsettled { .. }) = stored {
            self.settle_range(addr, u64::from(n))?;
            stored = self.memory.store_word(addr, n, &word);
        }
        self.checked(stored, "write")
    }

    /// A slot as it will lie in memory.
    fn word_of(&self, slot: Slot) -> Word {
        let mut word = Word { undef: self.undef_mask(slot), ..Word::plain(slot.val) };
        if slot.tag.expr().is_some() {
            for (i, byte) in word.exprs.iter_mut().enumerate() {
                *byte = (slot.tag.expr(), i as u8);
            }
        }
        word
    }
}
