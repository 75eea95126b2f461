//! Functions that belong together: what makes a structure, and what works on it. Sequences of their calls show in which states the
//! structure can be.

use crate::functions::{Functions, named};
use crate::sequence::{BEGINNINGS, Depth, Member};
use std::collections::BTreeMap;

/// A structure's functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family {
    /// The type, as C names it.
    pub structure: String,
    /// The first one makes it.
    pub functions: Vec<String>,
}

impl Functions<'_> {
    /// Those of these functions that have one of them to make their structure.
    pub fn families(&self, names: &[String]) -> Vec<Family> {
        let mut members: BTreeMap<String, Vec<Member<'_>>> = BTreeMap::new();
        for member in names.iter().filter_map(|name| self.member(name).ok()) {
            if let Some(structure) = self.structure_of(&member) {
                members.entry(structure).or_default().push(member);
            }
        }
        let family = |(structure, mut members): (String, Vec<Member<'_>>)| {
            let maker = self.maker(&structure, &members)?;
            members[..=maker].rotate_right(1);
            let functions: Vec<String> = members.into_iter().map(|member| member.name).collect();
            (functions.len() > 1).then_some(Family { structure, functions })
        };
        members.into_iter().filter_map(family).collect()
    }

    /// What a function takes a pointer to first, or else returns one to.
    fn structure_of(&self, member: &Member<'_>) -> Option<String> {
        let first = member.subprogram.params.first().map(|param| param.ty);
        let taken = first.into_iter().chain([member.subprogram.ret]).find_map(|ty| self.record_behind(ty));
        taken.map(|(record, _)| self.type_key(record))
    }

    /// One that returns the structure and takes none, or else one that is named so; the one with the fewest parameters.
    fn maker(&self, structure: &str, members: &[Member<'_>]) -> Option<usize> {
        let is_it = |ty| self.record_behind(ty).filter(|&(record, _)| self.type_key(record) == structure);
        let makes = |member: &Member<'_>| {
            let returned = is_it(member.subprogram.ret);
            let takes_it = named(&member.subprogram).iter().any(|&(_, ty)| is_it(ty).is_some());
            returned.is_some_and(|(_, depth)| depth == Depth::Pointer) && !takes_it
        };
        let is_named_so = |member: &Member<'_>| member.has_word(&BEGINNINGS);
        let fewest = |is_maker: &dyn Fn(&Member<'_>) -> bool| {
            let makers = members.iter().enumerate().filter(|(_, member)| is_maker(member));
            makers.min_by_key(|(_, member)| member.subprogram.params.len()).map(|(at, _)| at)
        };
        fewest(&makes).or_else(|| fewest(&is_named_so))
    }
}
