//! Which object of the input something is, whatever it is called.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An object of the input: where it comes from, and if pointers lead to it, the offset of each in the object before. That is the
/// way of the pointer that it is named after, which need not lead there in this input. Names are made from keys and never read
/// back.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ObjectKey {
    pub root: Root,
    pub through: Vec<u32>,
    /// Of objects that are alike, which one: 0 belongs to the pointer.
    pub spare: u32,
}

/// What no pointer of the input leads to. Labels are the program's own: what it passes to a function that asks for input, or
/// the function's name. They mean the same however the program was compiled, which the place of a call does not.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Root {
    /// A parameter of the unit, by number.
    Param(u32),
    /// What a function returned that nobody defines, by how often it did so before in the run.
    Result(Arc<str>, u32),
    /// An argument of the program that is input, by number.
    Arg(u32),
    /// How many arguments there are beyond the least number, modulo one more than can be added: so every value means a number
    /// that is allowed.
    ArgCount,
    Stdin,
    /// A file, by number.
    File(u32),
    /// What the program, or a theory, asked for under a label, by how often it did so before in the run.
    Area(Arc<str>, u32),
    /// Memory that was read before it was written, by how often that happened before in the run.
    Uninitialised(u32),
    /// Whatever has this name: in inputs that people have written. What runs hand back has no such roots.
    Named(Arc<str>),
}

impl ObjectKey {
    pub fn of_root(root: Root) -> Self {
        Self { root, through: Vec::new(), spare: 0 }
    }

    /// What the pointer at an offset in the object leads to; or, of an object whose layout was chosen, what it is for a choice.
    pub fn behind(&self, step: u32) -> Self {
        Self { through: self.through.iter().copied().chain([step]).collect(), spare: 0, ..self.clone() }
    }
}

/// Objects that a run makes one after another, told apart by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Series<'l> {
    Area(&'l str),
    Result(&'l str),
    /// What such a result leads to.
    Pointee(&'l str),
    Uninitialised,
}

/// How many kinds of series there are.
pub(crate) const N_SERIES: usize = 4;

impl<'l> Series<'l> {
    /// Its kind, by number, and its label.
    pub fn parts(self) -> (usize, &'l str) {
        match self {
            Self::Area(label) => (0, label),
            Self::Result(label) => (1, label),
            Self::Pointee(label) => (2, label),
            Self::Uninitialised => (3, "uninitialised"),
        }
    }

    pub fn key(self, number: u32) -> ObjectKey {
        match self {
            Self::Area(label) => ObjectKey::of_root(Root::Area(label.into(), number)),
            Self::Result(label) => ObjectKey::of_root(Root::Result(label.into(), number)),
            Self::Pointee(label) => ObjectKey::of_root(Root::Result(label.into(), number)).behind(0),
            Self::Uninitialised => ObjectKey::of_root(Root::Uninitialised(number)),
        }
    }

    /// How its first object is named.
    pub fn name(self) -> String {
        match self {
            Self::Pointee(label) => format!("*{label}"),
            series => series.parts().1.to_owned(),
        }
    }
}
