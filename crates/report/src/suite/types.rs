//! The C types of what tests are given, so that a campaign's directory can be looked at without its sources.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use spelunk_concolic::graph::layout::{self, Layout, LayoutId, Layouts};
use spelunk_concolic::graph::unit::Unit;
use spelunk_concolic::observed::SeenType;

use super::test_case::VERSION;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Types {
    pub version: u32,
    /// By the names that objects of tests have as their types.
    pub types: BTreeMap<String, CType>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CType {
    pub size: u32,
    pub fields: Vec<Field>,
}

/// Bits that are one value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// How C gets to it from the object: `.next`, `[3].key`; nothing if it is the object.
    pub path: String,
    pub bit_offset: u32,
    pub n_bits: u32,
    pub format: Format,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Signed,
    Unsigned,
    Float,
    Bool,
    Char,
    Pointer,
    /// Names and values of constants.
    Enum(Vec<(String, u64)>),
    Bytes,
}

impl Default for Types {
    fn default() -> Self {
        Self { version: VERSION, types: BTreeMap::new() }
    }
}

/// The types of a unit, and the names by which its tests refer to them.
#[derive(Clone, Debug, Default)]
pub struct NamedTypes {
    pub types: Types,
    names: FxHashMap<LayoutId, String>,
    /// Of those that are only looked at.
    observables: FxHashMap<LayoutId, String>,
}

impl NamedTypes {
    pub fn new(unit: &Unit) -> Self {
        let mut named = Self::default();
        named.names = named.add_all(&unit.layouts);
        named.observables = named.add_all(&unit.observables.layouts);
        named
    }

    fn add_all(&mut self, layouts: &Layouts) -> FxHashMap<LayoutId, String> {
        layouts.iter().map(|(id, layout)| (id, self.add(layout))).collect()
    }

    /// Types that C spells alike, of different files, get numbers.
    fn add(&mut self, layout: &Layout) -> String {
        let described = CType { size: layout.size, fields: layout.fields.iter().map(Field::from).collect() };
        let names = std::iter::once(layout.name.clone()).chain((2..).map(|n| format!("{} ({n})", layout.name)));
        for name in names {
            match self.types.types.get(&name) {
                Some(known) if *known != described => {}
                Some(_) => return name,
                None => {
                    self.types.types.insert(name.clone(), described);
                    return name;
                }
            }
        }
        unreachable!("numbers don't end")
    }

    pub fn name(&self, id: LayoutId) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    pub fn name_of(&self, ty: SeenType) -> Option<&str> {
        match ty {
            SeenType::Input(id) => self.name(id),
            SeenType::Observable(id) => self.observables.get(&id).map(String::as_str),
        }
    }
}

impl From<&layout::Field> for Field {
    fn from(field: &layout::Field) -> Self {
        let format = match &field.format {
            layout::Format::Signed => Format::Signed,
            layout::Format::Unsigned => Format::Unsigned,
            layout::Format::Float => Format::Float,
            layout::Format::Bool => Format::Bool,
            layout::Format::Char => Format::Char,
            layout::Format::Pointer => Format::Pointer,
            layout::Format::Enum(values) => Format::Enum(values.to_vec()),
            layout::Format::Bytes => Format::Bytes,
        };
        Self { path: field.path.clone(), bit_offset: field.bit_offset, n_bits: field.n_bits, format }
    }
}
