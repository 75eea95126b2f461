//! What a run is given: named objects of bytes.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The inputs of one run, in the order in which the program makes them. Bytes that an input leaves out are zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Input {
    pub objects: Vec<InputObject>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct InputObject {
    /// Unique: a name that the program uses again gets a number.
    pub name: Arc<str>,
    /// Which object of a graph it is, if it is one.
    pub key: Option<Arc<ObjectKey>>,
    pub bytes: Vec<u8>,
    /// Pointers to other objects. Their bytes are zero.
    pub references: Vec<Reference>,
}

/// An object of a graph, whatever it is called: where the pointers on the way to it start, and the offset of each in the object
/// before. The way is that of the pointer that it is named after, which need not lead there in this input.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ObjectKey {
    pub root: Root,
    pub through: Vec<u32>,
    /// Of objects that are alike, which one: 0 belongs to the pointer.
    pub spare: u32,
}

/// What no pointer of the input leads to.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Root {
    /// A parameter of the unit, by number.
    Param(u32),
    /// What a function returned that nobody defines, in the call of this number.
    Result(Arc<str>, u32),
}

impl ObjectKey {
    pub fn of_root(root: Root) -> Self {
        Self { root, through: Vec::new(), spare: 0 }
    }

    /// What the pointer at an offset in the object leads to.
    pub fn behind(&self, offset: u32) -> Self {
        Self { through: self.through.iter().copied().chain([offset]).collect(), spare: 0, ..self.clone() }
    }
}

/// A pointer in an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
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
        let object = InputObject { name: name.into(), key: None, bytes: bytes.into(), references: Vec::new() };
        self.objects.push(object);
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

    pub fn get(&self, name: &str) -> Option<&InputObject> {
        self.input.object(name)
    }

    /// The object of this name, which is added if there is none.
    pub fn object_mut(&mut self, name: &Arc<str>, make: impl FnOnce() -> InputObject) -> &mut InputObject {
        let objects = &mut self.input.objects;
        let n_objects = objects.len();
        let mut places = (self.last..n_objects).chain(0..self.last);
        self.last = places.find(|&idx| objects[idx].name == *name).unwrap_or_else(|| {
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
    /// An object of which nothing is known.
    pub(crate) fn empty(name: &Arc<str>) -> Self {
        Self { name: Arc::clone(name), key: None, bytes: Vec::new(), references: Vec::new() }
    }

    /// Sets bytes; the object becomes as long as that needs.
    pub fn set_bytes(&mut self, offset: usize, bytes: &[u8]) {
        let end = offset + bytes.len();
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[offset..end].copy_from_slice(bytes);
    }
}
