//! Where settings apply: to an input itself, or to a member of a structure.
//!
//! What is said of a member holds for that member of every object of the structure's type, however the way to it was
//! spelled. Pointers of the input may share objects, and lists have many of a type, so an object is the same for all.

use crate::error::UnitError;
use crate::functions::Functions;
use crate::path::{Step, split};
use crate::settings::{ALL, Count, RECORDS, Setting, What};
use crate::stand_ins::StandIn;
use spelunk_ir::debug::{CType, CTypeId, Member};

/// An input of a function.
#[derive(Clone, Debug)]
pub struct Input {
    pub name: String,
    pub ty: CTypeId,
    /// Its number among the parameters of the unit.
    pub number: usize,
    pub stand_in: StandIn,
}

/// A setting, and what it is about.
#[derive(Clone, Debug)]
pub struct Placed {
    pub anchor: Anchor,
    /// From the anchor to the value.
    pub steps: Vec<Step>,
    /// How many pointers are followed from there.
    pub n_followed: usize,
    /// The type of the value, behind those pointers.
    pub ty: CTypeId,
    pub setting: Setting,
}

/// What a place starts at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// An input, by its number among the unit's.
    Input(usize),
    /// A type of structures, by its key.
    Record(String),
}

/// The inputs of a function, and where settings about them apply.
pub struct Places<'a, 'p> {
    pub functions: &'a Functions<'p>,
    pub entry: &'a str,
    pub inputs: &'a [Input],
}

/// Where a walk along a path has got to.
struct Walk {
    ty: CTypeId,
    /// The innermost structures with names that it is in, each with the steps from there.
    anchors: Vec<(Anchor, Vec<Step>)>,
    n_followed: usize,
}

impl<'p> Places<'_, 'p> {
    /// Where each setting applies. Those that others build on come first: numbers, then arrays, then what is in them.
    pub fn place_all(&self, settings: &[Setting]) -> Result<Vec<Placed>, UnitError> {
        let expanded: Vec<Setting> = settings.iter().flat_map(|setting| self.expanded(setting, settings)).collect();
        let mut placed = expanded.iter().map(|setting| self.place(setting)).collect::<Result<Vec<_>, _>>()?;
        placed.sort_by_key(|it| (!matches!(it.setting.what, What::Fixed(_)), it.n_followed));
        Ok(placed)
    }

    /// What is said of all pointers is said of each input that is one, unless something else is said of it.
    fn expanded(&self, setting: &Setting, settings: &[Setting]) -> Vec<Setting> {
        if setting.path != ALL {
            return vec![setting.clone()];
        }
        let is_pointer =
            |input: &&Input| matches!(self.functions.debug.ctype(self.plain(input.ty)), CType::Pointer { .. });
        let is_open = |input: &&Input| !settings.iter().any(|other| other.path == input.name);
        let open = self.inputs.iter().filter(is_pointer).filter(is_open);
        open.filter(|input| !self.functions.is_stream(input.ty)).map(|input| Setting::not_null(&input.name)).collect()
    }

    /// Whether a setting is about one of the inputs or about a type, and not about something else.
    pub fn knows(&self, setting: &Setting) -> bool {
        let is_meant = setting.function.as_deref().is_none_or(|function| function == self.entry);
        is_meant && (setting.path == ALL || self.start(&setting.path).is_some())
    }

    fn place(&self, setting: &Setting) -> Result<Placed, UnitError> {
        let (walk, steps) = self
            .start(&setting.path)
            .ok_or_else(|| UnitError::NoParameter { name: self.entry.to_owned(), param: setting.path.clone() })?;
        let walk = self.walk(walk, &steps, &setting.path)?;
        let is_beside = |(anchor, steps): &(Anchor, Vec<Step>)| match count_of(&setting.what) {
            Some(path) => self.is_in(anchor, steps, path),
            None => true,
        };
        let anchors = &walk.anchors;
        let found = anchors.iter().rev().find(|it| is_beside(it)).or(anchors.last()).cloned();
        let (anchor, steps) =
            found.ok_or_else(|| UnitError::NoParameter { name: self.entry.to_owned(), param: setting.path.clone() })?;
        Ok(Placed { anchor, steps, n_followed: walk.n_followed, ty: walk.ty, setting: setting.clone() })
    }

    /// The input that a path starts at, or the type.
    fn start(&self, path: &str) -> Option<(Walk, Vec<Step>)> {
        if let Some((root, steps)) = split(path, self.inputs.iter().map(|input| input.name.as_str())) {
            let input = self.inputs.iter().find(|input| input.name == root)?;
            let anchors = vec![(Anchor::Input(input.number), Vec::new())];
            return Some((Walk { ty: input.ty, anchors, n_followed: 0 }, steps));
        }
        let keyword = RECORDS.iter().find(|keyword| path.starts_with(**keyword)).map_or(0, |keyword| keyword.len());
        let end = path[keyword..].find(['.', '-']).map_or(path.len(), |end| keyword + end);
        let (_, steps) = split(path, [&path[..end]].into_iter())?;
        let ty = self.functions.debug.record_named(&path[..end])?;
        (!steps.is_empty()).then_some((Walk { ty, anchors: Vec::new(), n_followed: 0 }, steps))
    }

    fn walk(&self, mut walk: Walk, steps: &[Step], path: &str) -> Result<Walk, UnitError> {
        for step in steps {
            let found = match step {
                Step::Member(name) => self.enter(&mut walk, name),
                Step::Element => self.next(&mut walk),
            };
            found.ok_or_else(|| self.no_step(walk.ty, step, path))?;
        }
        Ok(walk)
    }

    /// Goes to a member of a structure, or of the one that a pointer leads to.
    fn enter(&self, walk: &mut Walk, name: &str) -> Option<()> {
        let debug = &self.functions.debug;
        let mut record = self.plain(walk.ty);
        if let CType::Pointer { target } = debug.ctype(record) {
            record = self.plain(target);
            walk.anchors.clear();
        }
        if walk.n_followed > 0 {
            walk.anchors.clear();
            walk.n_followed = 0;
        }
        let CType::Record { name: own_name, members, .. } = debug.ctype(record) else { return None };
        let ty = self.member(&members, name)?;
        // A structure without a name is nowhere but in another.
        if own_name.is_some() || walk.anchors.iter().all(|(anchor, _)| matches!(anchor, Anchor::Input(_))) {
            walk.anchors.retain(|(anchor, _)| matches!(anchor, Anchor::Record(_)));
            walk.anchors.push((Anchor::Record(self.functions.type_key(record)), Vec::new()));
        }
        for (_, steps) in &mut walk.anchors {
            steps.push(Step::Member(name.to_owned()));
        }
        walk.ty = ty;
        Some(())
    }

    /// Goes to the elements of an array, or to what a pointer leads to.
    fn next(&self, walk: &mut Walk) -> Option<()> {
        let debug = &self.functions.debug;
        match debug.ctype(self.plain(walk.ty)) {
            CType::Array { elem, .. } if walk.n_followed == 0 => {
                walk.ty = elem;
                for (_, steps) in &mut walk.anchors {
                    steps.push(Step::Element);
                }
            }
            CType::Pointer { target } => {
                walk.ty = target;
                walk.n_followed += 1;
            }
            _ => return None,
        }
        Some(())
    }

    /// The type of a member, also of one that belongs to a member without a name.
    fn member(&self, members: &[Member<'p>], name: &str) -> Option<CTypeId> {
        let inner = |member: &Member<'p>| match self.functions.debug.ctype(self.plain(member.ty)) {
            CType::Record { members, .. } if member.name.is_none() => self.member(&members, name),
            _ => None,
        };
        let own = members.iter().find(|member| member.name == Some(name)).map(|member| member.ty);
        own.or_else(|| members.iter().find_map(inner))
    }

    /// Whether a structure has a number of this name beside the value that these steps lead to, or beside what that is in.
    fn is_in(&self, anchor: &Anchor, steps: &[Step], path: &str) -> bool {
        let Anchor::Record(key) = anchor else { return false };
        let Some(record) = self.functions.debug.record_named(key) else { return false };
        (0..steps.len()).rev().any(|n_kept| {
            let walk = Walk { ty: record, anchors: Vec::new(), n_followed: 0 };
            let kept = self.walk(walk, &steps[..n_kept], path);
            let behind = crate::path::steps(&format!(".{path}"));
            kept.ok().zip(behind).is_some_and(|(walk, behind)| self.walk(walk, &behind, path).is_ok())
        })
    }

    fn no_step(&self, ty: CTypeId, step: &Step, path: &str) -> UnitError {
        let debug = &self.functions.debug;
        let record = match debug.ctype(self.plain(ty)) {
            CType::Pointer { target } => self.plain(target),
            _ => self.plain(ty),
        };
        let (path, ty) = (path.to_owned(), debug.type_name(ty));
        match (step, debug.ctype(record)) {
            (Step::Member(member), CType::Record { members, size: Some(_), .. }) => {
                let names: Vec<&str> = members.iter().filter_map(|member| member.name).collect();
                UnitError::NoMember {
                    path,
                    ty: debug.type_name(record),
                    member: member.clone(),
                    names: names.join(", "),
                }
            }
            (Step::Member(member), _) => UnitError::NoMembers { path, ty, member: member.clone() },
            (Step::Element, _) => UnitError::NoElements { path, ty },
        }
    }

    fn plain(&self, ty: CTypeId) -> CTypeId {
        self.functions.debug.complete(self.functions.debug.unqualified(ty))
    }
}

/// The number of the input that says how many there are.
pub fn count_of(what: &What) -> Option<&str> {
    match what.count()? {
        Count::Of { path, .. } => Some(path),
        Count::Known(_) => None,
    }
}
