//! What is guessed of members of structures: which one says how many elements another leads to.

use super::usage::ParamPart;
use super::{Guessing, Named, is_count_of};
use crate::settings::Setting;
use spelunk_ir::debug::{CType, CTypeId, RecordKind, Subprogram};
use std::collections::{BTreeMap, BTreeSet};

/// What a structure has room for, where another number says how much of it is used.
const ROOMS: &[&str] = &["cap", "capacity", "alloc", "allocated", "max", "room", "limit", "avail"];

/// What members are called that lead to as much as another says.
const BUFFERS: &[&str] =
    &["buf", "buffer", "data", "bytes", "items", "elems", "elements", "values", "array", "contents"];

impl<'p> Guessing<'_, 'p> {
    /// What is guessed of members, by what all functions do that take a pointer to the structure, and by names.
    pub fn of_members(&self, subprogram: &Subprogram<'p>) -> Vec<String> {
        let records: BTreeSet<String> = subprogram.params.iter().filter_map(|param| self.record(param.ty)).collect();
        if records.is_empty() {
            return Vec::new();
        }
        let mut counted: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        let mut strings: BTreeSet<(String, String)> = BTreeSet::new();
        for (id, _) in self.functions.user_functions() {
            let Some(other) = self.functions.debug.function(id) else { continue };
            let Some(usage) = self.usage(id, other.params.len()) else { continue };
            let record = |param: usize| {
                let record = other.params.get(param).and_then(|param| self.record(param.ty))?;
                records.contains(&record).then_some(record)
            };
            for &(pointer, count) in &usage.counted {
                let (ParamPart::Member(param, at), ParamPart::Member(same, counter)) = (pointer, count) else {
                    continue;
                };
                let Some(record) = record(param).filter(|_| param == same) else { continue };
                if let (Some(pointer), Some(count)) = (self.member(&record, at), self.member(&record, counter))
                    && self.is_number(count.1)
                {
                    counted.entry((record, pointer.0)).or_default().insert(count.0);
                }
            }
            for place in self.string_places(&usage) {
                let ParamPart::Member(param, at) = place else { continue };
                let Some(record) = record(param) else { continue };
                strings.extend(self.member(&record, at).map(|(name, _)| (record, name)));
            }
        }
        let mut texts = Vec::new();
        for record in records {
            let members = self.members(&record);
            let numbers: Vec<&str> = members.iter().filter(|it| self.is_number(it.1)).map(|it| it.0.as_str()).collect();
            for (pointer, ty) in &members {
                let key = (record.clone(), pointer.clone());
                let is_said = |setting: &Setting| setting.path.ends_with(pointer) && setting.path != *pointer;
                let Some(target) = self.target(*ty).filter(|_| !self.said.iter().any(is_said)) else { continue };
                let count = match counted.get(&key) {
                    Some(counts) => count_of(pointer, counts.iter().map(String::as_str).collect(), &numbers),
                    None if strings.contains(&key) || !self.is_plain(target) => None,
                    None => {
                        let is_count = |name: &&str| is_count_of(name, pointer);
                        let counts: Vec<&str> = numbers.iter().copied().filter(is_count).collect();
                        let is_buffer = BUFFERS.contains(&pointer.as_str());
                        count_of(pointer, counts, &numbers)
                            .filter(|count| is_buffer || count.contains(pointer.as_str()))
                    }
                };
                texts.extend(count.map(|count| format!("{record}.{pointer}={}:{count}", self.kind(target))));
            }
        }
        texts.sort();
        texts
    }

    pub fn members(&self, record: &str) -> Vec<Named> {
        let Some(ty) = self.functions.debug.record_named(record) else { return Vec::new() };
        let CType::Record { kind: RecordKind::Struct, members, .. } = self.functions.debug.ctype(ty) else {
            return Vec::new();
        };
        let plain = members.iter().filter(|member| member.bit_width.is_none());
        plain.filter_map(|member| Some((member.name?.to_owned(), member.ty))).collect()
    }

    /// The name of the structure that a pointer leads to.
    fn record(&self, ty: CTypeId) -> Option<String> {
        let target = self.plain(self.target(ty)?);
        let CType::Record { .. } = self.functions.debug.ctype(target) else { return None };
        let name = self.functions.type_key(target);
        self.functions.debug.record_named(&name).map(|_| name)
    }

    /// The member of a structure at an offset, if it has a name.
    pub fn member(&self, record: &str, at: u64) -> Option<Named> {
        let CType::Record { members, .. } = self.functions.debug.ctype(self.functions.debug.record_named(record)?)
        else {
            return None;
        };
        let member = members.iter().find(|member| member.bit_offset == 8 * at && member.bit_width.is_none())?;
        Some((member.name?.to_owned(), member.ty))
    }
}

/// Which of the numbers that come into question counts what a pointer leads to. Where the structure says how much there is room for, that does.
fn count_of<'n>(pointer: &str, counts: Vec<&'n str>, numbers: &[&'n str]) -> Option<&'n str> {
    let own = |names: Vec<&'n str>| match names[..] {
        [only] => Some(only),
        _ => names.into_iter().find(|name| name.contains(pointer)),
    };
    if counts.is_empty() {
        return None;
    }
    let rooms: Vec<&str> = numbers.iter().copied().filter(|name| is_room(name)).collect();
    own(rooms).or_else(|| own(counts))
}

fn is_room(name: &str) -> bool {
    ROOMS.iter().any(|room| name.to_ascii_lowercase().contains(room))
}
