//! What a run is given: objects of bytes, and pointers between them.

use crate::key::{ObjectKey, Root};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The inputs of one run, in the order in which the program makes them. Bytes that an input leaves out are zero.
#[derive(PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Input {
    pub objects: Vec<InputObject>,
}

#[derive(PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct InputObject {
    /// Unique.
    pub key: Arc<ObjectKey>,
    /// What people call it, also unique: how C would get there, or what the program calls it, with a number if it does so again.
    pub name: Arc<str>,
    pub bytes: Vec<u8>,
    /// Pointers to other objects. Their bytes are zero.
    pub references: Vec<Reference>,
}

/// A pointer in an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Reference {
    pub offset: u32,
    pub target: Pointee,
    /// How many bytes from the start of the target.
    pub at: u64,
}

/// What a pointer leads to.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Pointee {
    Object(Arc<ObjectKey>),
    /// A function of the program.
    Function(Arc<str>),
}

/// A machine is given one input after another: `clone_from` uses the memory of the last.
impl Clone for Input {
    fn clone(&self) -> Self {
        Self { objects: self.objects.clone() }
    }

    fn clone_from(&mut self, from: &Self) {
        self.objects.clone_from(&from.objects);
    }
}

impl Clone for InputObject {
    fn clone(&self) -> Self {
        let Self { key, name, bytes, references } = self;
        Self { key: Arc::clone(key), name: Arc::clone(name), bytes: bytes.clone(), references: references.clone() }
    }

    fn clone_from(&mut self, from: &Self) {
        let Self { key, name, bytes, references } = from;
        self.key.clone_from(key);
        self.name.clone_from(name);
        self.bytes.clone_from(bytes);
        self.references.clone_from(references);
    }
}

impl Input {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an object behind the others that whoever writes the input knows by its name alone.
    pub fn with(self, name: impl Into<Arc<str>>, bytes: impl Into<Vec<u8>>) -> Self {
        let name = name.into();
        self.with_object(Root::Named(Arc::clone(&name)), name, bytes)
    }

    /// Adds an object behind the others.
    pub fn with_object(mut self, root: Root, name: impl Into<Arc<str>>, bytes: impl Into<Vec<u8>>) -> Self {
        let key = Arc::new(ObjectKey::of_root(root));
        self.objects.push(InputObject { key, name: name.into(), bytes: bytes.into(), references: Vec::new() });
        self
    }

    /// The bytes of the object that people call so.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.objects.iter().find(|object| &*object.name == name).map(|object| &*object.bytes)
    }

    /// The object that comes from here.
    pub fn of_root(&self, root: &Root) -> Option<&InputObject> {
        self.objects.iter().find(|object| object.key.root == *root && object.key.through.is_empty())
    }

    pub fn object(&self, key: &ObjectKey) -> Option<&InputObject> {
        self.objects.iter().find(|object| *object.key == *key)
    }

    /// As `object`, for the one that is expected to be number `idx`.
    fn object_at(&self, idx: usize, key: &Arc<ObjectKey>) -> Option<&InputObject> {
        match self.objects.get(idx) {
            Some(object) if object.key == *key => Some(object),
            _ => self.object(key),
        }
    }

    /// Whether every pointer to an object in `old` is the same here.
    pub fn keeps_references_of(&self, old: &Input) -> bool {
        old.objects.iter().enumerate().filter(|(_, object)| !object.references.is_empty()).all(|(idx, object)| {
            let new = self.object_at(idx, &object.key);
            new.is_some_and(|new| object.references.iter().all(|reference| new.references.contains(reference)))
        })
    }
}

/// An input that is being changed. Objects are mostly asked for in their order, so that each is looked for behind the last.
pub struct InputEditor {
    input: Input,
    last: usize,
}

impl InputEditor {
    pub fn new(input: &Input) -> Self {
        Self { input: input.clone(), last: 0 }
    }

    pub fn get(&self, key: &ObjectKey) -> Option<&InputObject> {
        self.input.object(key)
    }

    pub fn objects(&self) -> impl Iterator<Item = &InputObject> {
        self.input.objects.iter()
    }

    /// The object of this key, which is added if there is none.
    pub fn object_mut(&mut self, key: &Arc<ObjectKey>, make: impl FnOnce() -> InputObject) -> &mut InputObject {
        let objects = &mut self.input.objects;
        let n_objects = objects.len();
        let mut places = (self.last..n_objects).chain(0..self.last);
        self.last = places.find(|&idx| objects[idx].key == *key).unwrap_or_else(|| {
            objects.push(make());
            n_objects
        });
        &mut objects[self.last]
    }

    pub fn finish(self) -> Input {
        self.input
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
