//! What an input is, beyond its type: strings are never null by default, and what the user says.

use crate::error::UnitError;
use crate::layouts::Builder;
use crate::path::{Step, steps};
use crate::placing::{Anchor, Input, Placed, count_of};
use crate::settings::{Count, What};
use crate::stand_ins::StandIn;
use spelunk_concolic::graph::layout::{self, Callee, Layout, LayoutId, Leaf, LeafKind, Pointer, Target};
use spelunk_concolic::graph::unit::Unit;
use spelunk_ir::debug::{CType, CTypeId};

/// How many objects there are behind a pointer.
enum Many {
    Known(u32),
    Counted { max: u32, count: layout::Count },
}

/// A number of an input that counts something, of which there are at most so many.
#[derive(Clone, Debug)]
pub struct Limit {
    /// The number of the input.
    input: usize,
    offset: u32,
    max: u32,
}

impl Builder<'_, '_> {
    /// Makes the layout of an input, which nothing else has, what is said of it.
    pub fn adjust_input(&mut self, layout: LayoutId, input: &Input, settings: &[Placed]) -> Result<(), UnitError> {
        let mut own = self.layouts.get(layout).clone();
        if let [leaf] = &mut own.leaves[..] {
            match leaf.kind {
                LeafKind::Pointer(kind) => {
                    let mut pointer = self.layouts.pointer(kind).clone();
                    pointer.nullable &= !matches!(pointer.target, Target::String { .. });
                    leaf.kind = LeafKind::Pointer(self.layouts.add_pointer(pointer));
                }
                LeafKind::Function(_) => {
                    leaf.kind = LeafKind::Function([self.stubs.add(&input.name, self.returned(input.ty))].into());
                }
                _ => {}
            }
        }
        for placed in settings.iter().filter(|it| it.anchor == Anchor::Input(input.number)) {
            self.apply(&mut own, "", placed)?;
        }
        self.layouts.replace(layout, own);
        Ok(())
    }

    /// Makes a structure that is at a path of an object what is said of its members.
    pub fn adjust_record(&mut self, layout: &mut Layout, key: &str, path: &str) {
        let anchor = Anchor::Record(key.to_owned());
        let settings: Vec<Placed> = self.settings.iter().filter(|it| it.anchor == anchor).cloned().collect();
        for placed in settings {
            if let Err(problem) = self.apply(layout, path, &placed) {
                self.problem.get_or_insert(problem);
            }
        }
    }

    /// Makes values of an object what is said of them; `base` is the path to the anchor.
    fn apply(&mut self, layout: &mut Layout, base: &str, placed: &Placed) -> Result<(), UnitError> {
        let is_it = |leaf: &Leaf| leaf.path.strip_prefix(base).and_then(steps).is_some_and(|it| it == placed.steps);
        let found: Vec<usize> = (0..layout.leaves.len()).filter(|&number| is_it(&layout.leaves[number])).collect();
        let is_wide = found.windows(2).any(|pair| layout.leaves[pair[0]].path == layout.leaves[pair[1]].path);
        if self.chooses_member(placed) {
            return Ok(());
        }
        if found.is_empty() || is_wide {
            return Err(self.unfitting(placed));
        }
        for number in found {
            let many = match placed.n_followed {
                0 => self.how_many(layout, base, number, placed)?,
                _ => self.how_many_elsewhere(placed)?,
            };
            let kind = layout.leaves[number].kind.clone();
            let kind = self.adjusted(&kind, placed, placed.n_followed, many.as_ref());
            layout.leaves[number].kind = kind.ok_or_else(|| self.unfitting(placed))?;
        }
        Ok(())
    }

    /// What a value becomes by a setting that is about it, or about what is behind so many pointers. `None` if the setting
    /// makes no sense.
    fn adjusted(
        &mut self,
        kind: &LeafKind,
        placed: &Placed,
        n_followed: usize,
        many: Option<&Many>,
    ) -> Option<LeafKind> {
        let what = &placed.setting.what;
        match kind {
            LeafKind::Pointer(kind) => {
                let mut pointer = self.layouts.pointer(*kind).clone();
                match (n_followed.checked_sub(1), what) {
                    (Some(n_followed), _) => self.adjust_target(&mut pointer, placed, n_followed, many)?,
                    (None, What::Null) => return Some(LeafKind::Fixed(0)),
                    (None, What::Fixed(value)) => return Some(LeafKind::Fixed(*value)),
                    (None, _) => self.adjust_pointer(&mut pointer, placed, many)?,
                }
                Some(LeafKind::Pointer(self.layouts.add_pointer(pointer)))
            }
            LeafKind::Function(_) if n_followed == 0 => self.function(placed),
            _ => match what {
                What::Fixed(value) if n_followed == 0 => Some(LeafKind::Fixed(*value)),
                _ => None,
            },
        }
    }

    /// Makes what a pointer leads to what is said of it. Only values that are no structures have no type of their own.
    fn adjust_target(
        &mut self,
        pointer: &mut Pointer,
        placed: &Placed,
        n_followed: usize,
        many: Option<&Many>,
    ) -> Option<()> {
        let (Target::Objects { layout, .. } | Target::Counted { layout, .. }) = &mut pointer.target else {
            return None;
        };
        let mut own = self.layouts.get(*layout).clone();
        let [leaf] = &mut own.leaves[..] else { return None };
        leaf.kind = self.adjusted(&leaf.kind.clone(), placed, n_followed, many)?;
        own.cell = None;
        *layout = self.layouts.add(own);
        Some(())
    }

    fn adjust_pointer(&mut self, pointer: &mut Pointer, placed: &Placed, many: Option<&Many>) -> Option<()> {
        let target = match self.functions.debug.ctype(self.plain(placed.ty)) {
            CType::Pointer { target } => target,
            _ => CTypeId::VOID,
        };
        match (&placed.setting.what, many) {
            (What::NotNull, _) => pointer.nullable = false,
            (What::String(_), Some(&Many::Known(max_len))) => {
                pointer.target =
                    Target::String { max_len, longest: max_len, layout: self.character(target), count: None };
            }
            (What::String(_), Some(&Many::Counted { max: max_len, count })) => {
                let layout = self.nonzero(target);
                pointer.target = Target::String { max_len, longest: max_len, layout, count: Some(count) };
            }
            (What::Bytes(_), Some(many)) => pointer.target = objects(self.byte(), many),
            (What::Array(_), Some(many)) => {
                let layout = self.layout(target).unwrap_or_else(|| self.byte());
                pointer.target = objects(layout, many);
            }
            (What::Named(object), _) => pointer.target = self.object(object, target)?,
            _ => return None,
        }
        // Where there is a number, there is something that it counts.
        pointer.nullable &= count_of(&placed.setting.what).is_none();
        Some(())
    }

    /// What a pointer leads to that is said to lead to a structure, or to a member of one as in `struct job.link`.
    fn object(&mut self, said: &str, target: CTypeId) -> Option<Target> {
        let target = self.plain(target);
        if !matches!(self.functions.debug.ctype(target), CType::Void | CType::Record { .. }) {
            return None;
        }
        let (record, way) = said.split_at(said.find('.').unwrap_or(said.len()));
        let record = self.functions.debug.record_named(record)?;
        let outer = self.layout(record)?;
        if way.is_empty() {
            return Some(Target::Objects { layout: outer, count: 1 });
        }
        let (at, member) = self.functions.debug.member_named(record, &way[1..])?;
        let is_it = self.functions.type_key(self.plain(member)) == self.functions.type_key(target);
        let (layout, at) = (self.layout(target)?, u32::try_from(at).ok()?);
        is_it.then_some(Target::Inside { layout, outer, at })
    }

    /// A pointer to a function, by what is said of it.
    fn function(&self, placed: &Placed) -> Option<LeafKind> {
        let last = placed.steps.iter().rev().find_map(|step| match step {
            Step::Member(name) => Some(name.as_str()),
            Step::Element => None,
        });
        let stub = || self.stubs.add(last.unwrap_or(&placed.setting.path), self.returned(placed.ty));
        let fitting = || self.functions.of_type(placed.ty);
        let callees = match &placed.setting.what {
            What::Null => vec![Callee::Null],
            What::Stub | What::NotNull => vec![stub()],
            What::AnyFunction => fitting().map(|(function, _)| Callee::Function(function)).collect(),
            What::Named(wanted) => {
                vec![fitting().find(|(_, name)| name == wanted).map(|(function, _)| Callee::Function(function))?]
            }
            _ => return None,
        };
        (!callees.is_empty()).then(|| LeafKind::Function(callees.into()))
    }

    /// How many there are behind a pointer of an object, if the setting says so. What counts them may be beside the pointer,
    /// beside a structure that it is in, or an input.
    fn how_many(
        &mut self,
        layout: &mut Layout,
        base: &str,
        number: usize,
        placed: &Placed,
    ) -> Result<Option<Many>, UnitError> {
        let Some(Count::Of { path, max }) = placed.setting.what.count() else { return self.how_many_elsewhere(placed) };
        let leaf = &layout.leaves[number];
        let (offset, mut within) = (leaf.offset, leaf.path.as_str());
        while let Some(end) = within.rfind(['.', '[']).filter(|&end| end >= base.len()) {
            within = &within[..end];
            let wanted = format!("{within}.{path}");
            let Some(found) = layout.leaves.iter().position(|leaf| leaf.path == wanted) else { continue };
            let counter = &mut layout.leaves[found];
            if let LeafKind::Fixed(value) = counter.kind {
                return self.known(value, placed).map(Some);
            }
            let distance = counter.offset as i32 - offset as i32;
            let count = layout::Count::Beside { distance, n_bytes: counter.n_bytes };
            counter.kind = limited(&counter.kind, *max).ok_or_else(|| self.no_count(placed))?;
            return Ok(Some(Many::Counted { max: *max, count }));
        }
        self.how_many_elsewhere(placed)
    }

    /// As `how_many`, where nothing is beside the pointer.
    fn how_many_elsewhere(&mut self, placed: &Placed) -> Result<Option<Many>, UnitError> {
        let (path, max) = match placed.setting.what.count() {
            None => return Ok(None),
            Some(Count::Known(count)) => return Ok(Some(Many::Known(*count))),
            Some(Count::Of { path, max }) => (path, *max),
        };
        let inputs = self.inputs.clone();
        let names = inputs.iter().map(|input| input.name.as_str());
        let (root, wanted) = crate::path::split(path, names).ok_or_else(|| self.no_count(placed))?;
        let input = inputs.iter().find(|input| input.name == root).ok_or_else(|| self.no_count(placed))?;
        let (ty, wanted) = match input.stand_in {
            StandIn::Itself => (input.ty, wanted),
            StandIn::Pointee(target) => (target, Vec::new()),
            StandIn::Distance { max, .. } => {
                let count = layout::Count::Param { param: input.number, offset: 0, n_bytes: 8 };
                return Ok(Some(Many::Counted { max, count }));
            }
        };
        let is_it = |leaf: &&Leaf| steps(&leaf.path).as_ref() == Some(&wanted);
        let layout = self.layout(ty).ok_or_else(|| self.no_count(placed))?;
        let leaf = self.layouts.get(layout).leaves.iter().find(is_it).cloned().ok_or_else(|| self.no_count(placed))?;
        let fixed = self.settings.iter().find_map(|it| match it.setting.what {
            What::Fixed(value) if it.setting.path == *path => Some(value),
            _ => None,
        });
        if let Some(value) = fixed {
            return self.known(value, placed).map(Some);
        }
        limited(&leaf.kind, max).ok_or_else(|| self.no_count(placed))?;
        self.limits.push(Limit { input: input.number, offset: leaf.offset, max });
        let count = layout::Count::Param { param: input.number, offset: leaf.offset, n_bytes: leaf.n_bytes };
        Ok(Some(Many::Counted { max, count }))
    }

    fn known(&self, count: u64, placed: &Placed) -> Result<Many, UnitError> {
        let count = u32::try_from(count).ok().filter(|&count| count > 0);
        count.map(Many::Known).ok_or_else(|| self.unfitting(placed))
    }

    fn unfitting(&self, placed: &Placed) -> UnitError {
        UnitError::Unfitting { ty: self.functions.debug.type_name(placed.ty), setting: placed.setting.to_string() }
    }

    fn no_count(&self, placed: &Placed) -> UnitError {
        let count = count_of(&placed.setting.what).unwrap_or_default().to_owned();
        UnitError::NoCount { setting: placed.setting.to_string(), count }
    }
}

fn objects(layout: LayoutId, many: &Many) -> Target {
    match *many {
        Many::Known(count) => Target::Objects { layout, count },
        Many::Counted { max, count } => Target::Counted { layout, max, count },
    }
}

/// A number that counts what there are at most so many of; `None` if it can't.
fn limited(kind: &LeafKind, max: u32) -> Option<LeafKind> {
    let max = match kind {
        LeafKind::Number | LeafKind::Char => u64::from(max),
        LeafKind::OneOf(values) => values.last()?.min(&u64::from(max)).to_owned(),
        _ => return None,
    };
    Some(LeafKind::OneOf((0..=max).collect()))
}

/// Lets inputs that count what is behind others have only values for which there is room.
pub fn limit_counts(unit: &mut Unit, limits: &[Limit]) {
    for limit in limits {
        let layout = unit.params[limit.input].layout;
        let mut own = unit.layouts.get(layout).clone();
        for leaf in own.leaves.iter_mut().filter(|leaf| leaf.offset == limit.offset) {
            leaf.kind = limited(&leaf.kind, limit.max).unwrap_or_else(|| leaf.kind.clone());
        }
        unit.layouts.replace(layout, own);
    }
}
