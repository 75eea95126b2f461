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
    /// Pointers to other objects. Their bytes are zero.
    pub references: Vec<Reference>,
}

/// A pointer in an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reference {
    pub offset: u32,
    /// The name of an object, and how many bytes from its start; with an ampersand before it, the name of a function.
    pub target: Arc<str>,
    pub at: u64,
}

impl Input {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an object behind the others.
    pub fn with(mut self, name: impl Into<Arc<str>>, bytes: impl Into<Vec<u8>>) -> Self {
        self.objects.push(InputObject { name: name.into(), bytes: bytes.into(), references: Vec::new() });
        self
    }

    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.object(name).map(|object| &*object.bytes)
    }

    pub fn object(&self, name: &str) -> Option<&InputObject> {
        self.objects.iter().find(|object| &*object.name == name)
    }

    /// As `object`, for the one that is expected to be number `idx`.
    fn object_at(&self, idx: usize, name: &str) -> Option<&InputObject> {
        match self.objects.get(idx) {
            Some(object) if &*object.name == name => Some(object),
            _ => self.object(name),
        }
    }

    /// Whether every pointer to an object in `old` is the same here.
    pub fn keeps_references_of(&self, old: &Input) -> bool {
        old.objects.iter().enumerate().filter(|(_, object)| !object.references.is_empty()).all(|(idx, object)| {
            let new = self.object_at(idx, &object.name);
            new.is_some_and(|new| object.references.iter().all(|reference| new.references.contains(reference)))
        })
    }

    /// The object of this name, which is added if there is none.
    pub(crate) fn object_mut(&mut self, name: &Arc<str>) -> &mut InputObject {
        let idx = self.objects.iter().position(|object| object.name == *name).unwrap_or_else(|| {
            self.objects.push(InputObject { name: Arc::clone(name), bytes: Vec::new(), references: Vec::new() });
            self.objects.len() - 1
        });
        &mut self.objects[idx]
    }
}

impl InputObject {
    /// Sets bytes; the object becomes as long as that needs.
    pub fn set_bytes(&mut self, offset: usize, bytes: &[u8]) {
        let end = offset + bytes.len();
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[offset..end].copy_from_slice(bytes);
    }
}
