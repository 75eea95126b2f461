//! Effective types (C11 6.5): an access through a type that the object does not have is an error.
//!
//! Objects that are declared have the types of their declaration, others those of what was stored last. What is not known to be of a
//! type may be read as any: characters, what the library writes, what nobody wrote.

use crate::bug::BugKind;
use crate::machine::Machine;
use crate::memory::{ObjectId, ObjectKind};
use crate::stop::Stop;
use crate::vm::Vm;
use spelunk_ir::code::TypeTag;

impl<M: Machine> Vm<'_, M> {
    /// Before a load. An address that is not valid is the load's business.
    pub(super) fn type_read(&mut self, addr: u64, n_bytes: u32, number: u16) -> Result<(), Stop> {
        let Ok((id, offset)) = self.memory.resolve(addr, u64::from(n_bytes)) else { return Ok(()) };
        self.declare_types(id);
        match self.memory.check_types(id, offset..offset + u64::from(n_bytes), number) {
            None => Ok(()),
            Some(found) => self.wrong_type(id, found, number, "read"),
        }
    }

    /// After a store.
    pub(super) fn type_write(&mut self, addr: u64, n_bytes: u32, number: u16) -> Result<(), Stop> {
        let Ok((id, offset)) = self.memory.resolve(addr, u64::from(n_bytes)) else { return Ok(()) };
        self.declare_types(id);
        match self.memory.write_types(id, offset..offset + u64::from(n_bytes), number) {
            None => Ok(()),
            Some(declared) => self.wrong_type(id, declared, number, "written"),
        }
    }

    /// Gives a variable the types of its declaration when it is first accessed.
    fn declare_types(&mut self, id: ObjectId) {
        let Some(types) = &self.image.effective else { return };
        let object = self.memory.object(id);
        let map = match object.kind() {
            _ if self.memory.has_types(id) => None,
            ObjectKind::Stack => types.locals.get(&object.born().as_local()),
            ObjectKind::Global => types.statics.get(&(id.0 as usize - 1)),
            _ => None,
        };
        if let Some(&map) = map {
            self.memory.set_types(id, types.map(map));
        }
    }

    #[cold]
    fn wrong_type(&self, id: ObjectId, found: TypeTag, number: u16, verb: &str) -> Result<(), Stop> {
        let name = |number| self.image.effective.as_ref().map_or("another type", |types| types.name(number));
        let (found_name, given) = (name(found.number()), name(number));
        let message = if found.number() == number {
            format!("`{given}` {verb} from the middle of another one")
        } else if found.is_declared() {
            format!("object declared as `{found_name}` is {verb} as `{given}`")
        } else {
            format!("`{found_name}` that was stored is {verb} as `{given}`")
        };
        Err(self.bug_with_notes(BugKind::EffectiveType, message, self.object_notes(id)))
    }
}
