//! What went wrong, in words: how faults of memory become bugs, and how objects are called.

use crate::bug::{Beyond, Bug, BugKind, Note};
use crate::machine::Machine;
use crate::memory::{Fault, Life, ObjectId, ObjectKind};
use crate::stop::{Stop, Unsupported};
use crate::vm::Vm;
use spelunk_ir::code::OpIdx;

impl<M: Machine> Vm<'_, M> {
    pub fn bug<T>(&self, kind: BugKind, message: impl Into<String>) -> Result<T, Stop> {
        Err(self.bug_with_notes(kind, message.into(), Vec::new()))
    }

    pub fn bug_with_notes(&self, kind: BugKind, message: String, notes: Vec<Note>) -> Stop {
        Stop::Bug(Box::new(Bug { kind, message, trace: self.trace(), notes, stays_in: None, beyond: None }))
    }

    pub fn unsupported<T>(&self, what: impl Into<String>) -> Result<T, Stop> {
        Err(Stop::Unsupported(Box::new(Unsupported { what: what.into(), trace: self.trace() })))
    }

    /// The report of a faulty access; `verb` says what was tried (`read`, `write`, `free`…).
    #[cold]
    pub fn fault<T>(&self, fault: Fault, verb: &str) -> Result<T, Stop> {
        if let Fault::Unsettled { .. } = fault {
            return self.unsupported("an access whose place in an object of unknown size nobody has decided on");
        }
        let (kind, message, object) = self.describe_fault(fault, verb);
        let notes = object.map_or(Vec::new(), |id| self.object_notes(id));
        let mut stop = self.bug_with_notes(kind, message, notes);
        if let (Stop::Bug(bug), Fault::OutOfBounds { object, offset: 0.., .. }) = (&mut stop, fault) {
            bug.beyond = Some(Beyond { object, is_write: verb == "write" });
        }
        Err(stop)
    }

    fn describe_fault(&self, fault: Fault, verb: &str) -> (BugKind, String, Option<ObjectId>) {
        match fault {
            Fault::Null { addr: 0 } => (BugKind::NullDeref, format!("{verb} through a null pointer"), None),
            Fault::Null { addr } => {
                (BugKind::NullDeref, format!("{verb} through a null pointer at offset {}", addr as i64), None)
            }
            Fault::Wild { addr } => (BugKind::WildPointer, format!("{verb} at {addr:#x}, which is in no object"), None),
            Fault::OutOfBounds { object, offset, len } => {
                let size = self.memory.object(object).size();
                let end = offset.checked_add_unsigned(len).unwrap_or(i64::MAX);
                let place = if offset < 0 {
                    format!("{} before", plural(offset.unsigned_abs(), "byte"))
                } else if offset as u64 >= size {
                    match offset as u64 - size {
                        0 => "past the end of".to_owned(),
                        behind => format!("{} past the end of", plural(behind, "byte")),
                    }
                } else {
                    let n_behind = (end as u64).saturating_sub(size);
                    format!("of which {} past the end of", plural(n_behind, "byte"))
                };
                // A length below zero, as a number without a sign.
                let accessed = match len.cast_signed() {
                    negative @ ..0 => format!("{verb} of {len} bytes ({negative} as a signed number),"),
                    _ if end as u64 > size && offset >= 0 && (offset as u64) < size => format!("{len}-byte {verb},"),
                    _ => format!("{len}-byte {verb}"),
                };
                let text = format!("{accessed} {place} {}", self.describe_object(object));
                (BugKind::OutOfBounds, text, Some(object))
            }
            Fault::Unsettled { object, offset, len } => {
                let place = Fault::OutOfBounds { object, offset: offset as i64, len };
                self.describe_fault(place, verb)
            }
            Fault::Dead { object, offset } => {
                let kind = match self.memory.object(object).kind() {
                    ObjectKind::Stack => BugKind::UseAfterReturn,
                    _ => BugKind::UseAfterFree,
                };
                let text = format!("{verb} at offset {offset} of {}", self.describe_object(object));
                (kind, text, Some(object))
            }
            Fault::Constant { object } => {
                let text = format!("{verb} to constant data: {}", self.describe_object(object));
                (BugKind::WriteToConstant, text, Some(object))
            }
            Fault::Code { object } => {
                (BugKind::OutOfBounds, format!("{verb} of code: {}", self.describe_object(object)), None)
            }
            Fault::DoubleFree { object } => {
                (BugKind::DoubleFree, format!("{} is freed again", self.describe_object(object)), Some(object))
            }
            Fault::BadFree { object: Some(object), addr } => {
                let offset = addr.wrapping_sub(self.memory.object(object).base()) as i64;
                let text = match offset {
                    0 => format!("free of {}", self.describe_object(object)),
                    _ => format!("free at offset {offset} of {}", self.describe_object(object)),
                };
                (BugKind::BadFree, text, Some(object))
            }
            Fault::BadFree { addr, object: None } => {
                (BugKind::BadFree, format!("free of {addr:#x}, which is in no object"), None)
            }
            Fault::Exhausted { wanted } => {
                let text = format!("{} more than the limit of {} allows", plural(wanted, "byte"), self.limits().memory);
                (BugKind::MemoryLimit, text, None)
            }
        }
    }

    /// "a 12-byte heap object", "the 40-byte global variable `table`".
    pub fn describe_object(&self, id: ObjectId) -> String {
        let object = self.memory.object(id);
        let (size, a_size) = (object.size(), a_sized(object.size()));
        let name = self.image.statics.get((id.0 as usize).wrapping_sub(1)).map(|object| &*object.name);
        match (object.kind(), name) {
            (ObjectKind::Heap, _) => format!("{a_size} heap object"),
            (ObjectKind::Stack, _) => format!("{a_size} local variable"),
            (ObjectKind::Global, Some(name)) => format!("the {size}-byte global variable `{name}`"),
            (ObjectKind::Constant, Some(name)) if name.starts_with(".str") => format!("{a_size} string literal"),
            (ObjectKind::Constant, Some(name)) => format!("the {size}-byte constant `{name}`"),
            (ObjectKind::Function, Some(name)) => format!("the function `{name}`"),
            (ObjectKind::Startup, _) => format!("{a_size} program argument"),
            _ => format!("{a_size} object"),
        }
    }

    /// Where an object came from and where it ended.
    pub fn object_notes(&self, id: ObjectId) -> Vec<Note> {
        let object = self.memory.object(id);
        let mut notes = Vec::new();
        let mut add = |message: &str, trace| {
            let trace: Vec<OpIdx> = self.traces.ops(trace).collect();
            if !trace.is_empty() {
                notes.push(Note { message: message.to_owned(), trace });
            }
        };
        if object.kind() == ObjectKind::Stack {
            return vec![Note { message: "declared here".to_owned(), trace: vec![object.born().as_local()] }];
        }
        add("allocated here", object.born());
        if object.life() == Life::Dead && object.kind() == ObjectKind::Heap {
            add("freed here", object.died());
        }
        notes
    }
}

/// "a 4-byte", "an 8-byte".
pub(crate) fn a_sized(n_bytes: u64) -> String {
    let digits = n_bytes.to_string();
    // Eight, eleven, eighteen, and so many thousands.
    let is_vowel =
        digits.starts_with('8') || (digits.len() % 3 == 2 && (digits.starts_with("11") || digits.starts_with("18")));
    format!("{} {n_bytes}-byte", if is_vowel { "an" } else { "a" })
}

/// "1 byte", "2 bytes".
pub(crate) fn plural(n: u64, noun: &str) -> String {
    if n == 1 { format!("{n} {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::a_sized;

    #[test]
    fn articles_go_by_how_numbers_are_spoken() {
        let spoken = [1, 8, 11, 18, 80, 110, 180, 1100, 11_000, 18_432, 800_000].map(a_sized);
        let an = ["8", "11", "18", "80", "11000", "18432", "800000"].map(|size| format!("an {size}-byte"));
        let (expected, others): (Vec<_>, Vec<_>) = spoken.into_iter().partition(|text| text.starts_with("an "));
        assert_eq!(expected, an);
        assert_eq!(others, ["a 1-byte", "a 110-byte", "a 180-byte", "a 1100-byte"]);
    }
}
