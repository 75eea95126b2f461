//! Parameters that belong to another so closely that something else stands for them in the input: the end of an array is told by
//! how many elements come before it, and a pointer to the number of elements by that number, which nothing else leads to.

use crate::error::UnitError;
use crate::functions::Functions;
use crate::layouts::Builder;
use crate::path::{Step, split};
use crate::placing::Input;
use crate::settings::{Count, Setting, What};
use spelunk_concolic::graph::layout::{Field, Format, Layout, LayoutId, Leaf, LeafKind};
use spelunk_concolic::graph::unit::{Arg, Call, Unit};
use spelunk_ir::debug::{CType, CTypeId};

/// What the input has for a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StandIn {
    /// The parameter itself.
    #[default]
    Itself,
    /// What it points to, of this type.
    Pointee(CTypeId),
    /// It is the end of what another parameter leads to, by number: how many elements of so many bytes that are, and at most.
    Distance { base: usize, unit: u32, max: u32 },
}

impl Functions<'_> {
    /// Decides what stands for each input, and returns the settings that are left to say.
    pub(crate) fn stand_ins(&self, inputs: &mut [Input], settings: &[Setting]) -> Result<Vec<Setting>, UnitError> {
        let mut left = Vec::new();
        for setting in settings {
            let What::End(Count::Of { path, max }) = &setting.what else {
                left.push(setting.clone());
                continue;
            };
            left.push(self.add_end(inputs, settings, setting, path, *max)?);
        }
        for setting in settings {
            let Some(Count::Of { path, .. }) = setting.what.count() else { continue };
            let Some(number) = counted_behind(inputs, path) else { continue };
            let is_fixed = |it: &Setting| it.path == *path && matches!(it.what, What::Fixed(_));
            if let Some(target) = self.pointee(inputs[number].ty).filter(|_| !settings.iter().any(is_fixed)) {
                let name = inputs[number].name.clone();
                inputs[number].stand_in = StandIn::Pointee(target);
                // It is not null in any case.
                left.retain(|it| it.path != name || it.what != What::NotNull);
            }
        }
        Ok(left)
    }

    /// Makes a parameter the end of another; returns what that says of the other.
    fn add_end(
        &self,
        inputs: &mut [Input],
        settings: &[Setting],
        setting: &Setting,
        base: &str,
        max: u32,
    ) -> Result<Setting, UnitError> {
        let wrong = |reason| UnitError::Setting { setting: setting.to_string(), reason };
        let find = |name: &str| inputs.iter().position(|input| input.name == name);
        let end =
            find(&setting.path).ok_or_else(|| wrong("only a parameter can be the end of what another leads to"))?;
        let base = find(base).ok_or_else(|| wrong("after end: comes the parameter that points to the start"))?;
        let targets = (self.pointee(inputs[base].ty), self.pointee(inputs[end].ty));
        let (Some(target), Some(other)) = targets else {
            return Err(wrong("both must be pointers"));
        };
        if base == end || self.type_key(target) != self.type_key(other) {
            return Err(wrong("start and end must be two pointers of one type"));
        }
        if settings.iter().any(|it| it.path == inputs[base].name && it.what != What::NotNull) {
            return Err(wrong("how many elements the start leads to follows from the end; say nothing else of it"));
        }
        let size = self.debug.size_of(target).and_then(|size| u32::try_from(size).ok()).filter(|&size| size > 0);
        inputs[end].stand_in = StandIn::Distance { base, unit: size.unwrap_or(1), max };
        let kind = if size.is_some() { "array" } else { "bytes" };
        format!("{}={kind}:{}<={max}", inputs[base].name, inputs[end].name).parse()
    }

    fn pointee(&self, ty: CTypeId) -> Option<CTypeId> {
        match self.debug.ctype(self.debug.unqualified(ty)) {
            CType::Pointer { target } => Some(target),
            _ => None,
        }
    }
}

/// The input that points to a number that counts.
fn counted_behind(inputs: &[Input], path: &str) -> Option<usize> {
    let (root, steps) = split(path, inputs.iter().map(|input| input.name.as_str()))?;
    let number = inputs.iter().position(|input| input.name == root)?;
    (steps == [Step::Element]).then_some(number)
}

impl Input {
    /// How inputs call it.
    pub(crate) fn told(&self, inputs: &[Input]) -> String {
        match self.stand_in {
            StandIn::Itself => self.name.clone(),
            StandIn::Pointee(_) => format!("{}[0]", self.name),
            StandIn::Distance { base, .. } => format!("{} - {}", self.name, inputs[base].name),
        }
    }
}

impl Builder<'_, '_> {
    /// The layout of what stands for an input, if that is not the input itself.
    pub(crate) fn stand_in(&mut self, input: &Input) -> Option<LayoutId> {
        match input.stand_in {
            StandIn::Itself => None,
            StandIn::Pointee(target) => {
                let layout = self.layout(target)?;
                let mut own = self.layouts.get(layout).clone();
                own.cell = None;
                Some(self.layouts.add(own))
            }
            StandIn::Distance { max, .. } => {
                let kind = LeafKind::OneOf((0..=u64::from(max)).collect());
                let leaf = Leaf { offset: 0, n_bytes: 8, kind, path: String::new() };
                let field = Field { path: String::new(), bit_offset: 0, n_bits: 64, format: Format::Signed };
                let (leaves, fields) = (vec![leaf], vec![field]);
                let distance = Layout { name: "long".into(), size: 8, align: 16, leaves, fields, ..Layout::default() };
                Some(self.layouts.add(distance))
            }
        }
    }
}

/// Lets the calls of a unit have the parameters themselves.
pub(crate) fn hand_over(unit: &mut Unit, inputs: &[Input]) {
    let calls = unit.steps.iter_mut().flat_map(|step| &mut step.calls).chain(&mut unit.audit);
    for arg in calls.flat_map(|call: &mut Call| &mut call.args) {
        let Arg::Word { param, .. } = *arg else { continue };
        match inputs[param].stand_in {
            StandIn::Itself => {}
            StandIn::Pointee(_) => *arg = Arg::Address { param },
            StandIn::Distance { base, unit, .. } => *arg = Arg::End { param, base, unit },
        }
    }
}
