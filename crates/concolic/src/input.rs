//! What a run is given: named objects of bytes.

use std::sync::Arc;

/// The inputs of one run, in the order in which the program makes them. Bytes that an input leaves out are zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Input {
    pub objects: Vec<InputObject>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InputObject {
    /// Unique: a name that the program uses again gets a number.
    pub name: Arc<str>,
    pub bytes: Vec<u8>,
}

impl Input {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an object behind the others.
    pub fn with(mut self, name: impl Into<Arc<str>>, bytes: impl Into<Vec<u8>>) -> Self {
        self.objects.push(InputObject { name: name.into(), bytes: bytes.into() });
        self
    }

    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.objects.iter().find(|object| &*object.name == name).map(|object| &*object.bytes)
    }

    /// As `get`, for the object that the program is expected to make as number `idx`.
    pub(crate) fn get_at(&self, idx: usize, name: &str) -> Option<&[u8]> {
        match self.objects.get(idx) {
            Some(object) if &*object.name == name => Some(&object.bytes),
            _ => self.get(name),
        }
    }

    /// Sets bytes of an object, which becomes as long as that needs.
    pub fn set_bytes(&mut self, name: &Arc<str>, offset: usize, bytes: &[u8]) {
        let idx = match self.objects.iter().position(|object| object.name == *name) {
            Some(idx) => idx,
            None => {
                self.objects.push(InputObject { name: Arc::clone(name), bytes: Vec::new() });
                self.objects.len() - 1
            }
        };
        let object = &mut self.objects[idx].bytes;
        let end = offset + bytes.len();
        if object.len() < end {
            object.resize(end, 0);
        }
        object[offset..end].copy_from_slice(bytes);
    }
}
