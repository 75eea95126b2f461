//! What an input is, beyond its type: strings are never null by default, and what the user says.

use crate::error::UnitError;
use crate::functions::Functions;
use crate::layouts::Builder;
use crate::settings::{Count, Setting, What};
use spelunk_concolic::graph::layout::{Callee, LayoutId, Leaf, LeafKind, Pointer, Target};
use spelunk_concolic::graph::unit::Unit;
use spelunk_ir::debug::{CType, CTypeId, Encoding};

/// The inputs of a function, and what is said about them.
pub struct Inputs<'a, 'p> {
    pub functions: &'a Functions<'p>,
    pub entry: &'a str,
    pub settings: &'a [Setting],
    /// In the order of the unit's parameters.
    pub all: &'a [(String, CTypeId)],
}

impl<'p> Inputs<'_, 'p> {
    /// Makes the layout of an input, which nothing else has, what is said of it.
    pub fn adjust(
        &self,
        builder: &mut Builder<'_, 'p>,
        layout: LayoutId,
        name: &str,
        ty: CTypeId,
    ) -> Result<(), UnitError> {
        let mut own = builder.layouts.get(layout).clone();
        let mut settings = self.settings.iter().filter(|setting| setting.param == name);
        let unfitting = |setting: &Setting| UnitError::Unfitting {
            name: self.entry.to_owned(),
            param: name.to_owned(),
            ty: self.functions.debug.type_name(ty),
            setting: setting.to_string(),
        };
        let [leaf] = &mut own.leaves[..] else { return settings.next().map_or(Ok(()), |first| Err(unfitting(first))) };
        if let LeafKind::Pointer(kind) = leaf.kind {
            let mut pointer = builder.layouts.pointer(kind).clone();
            if matches!(pointer.target, Target::String { .. }) {
                pointer.nullable = false;
            }
            let target = match self.functions.debug.ctype(self.functions.debug.unqualified(ty)) {
                CType::Pointer { target } => target,
                _ => CTypeId::VOID,
            };
            for setting in settings {
                self.adjust_pointer(builder, &mut pointer, leaf, target, &setting.what)
                    .ok_or_else(|| unfitting(setting))?;
            }
            if matches!(leaf.kind, LeafKind::Pointer(_)) {
                leaf.kind = LeafKind::Pointer(builder.layouts.add_pointer(pointer));
            }
        } else if let LeafKind::Function(_) = leaf.kind {
            leaf.kind = LeafKind::Function([self.functions.stubs.add(name)].into());
            for setting in settings {
                leaf.kind = self.function(name, ty, &setting.what).ok_or_else(|| unfitting(setting))?;
            }
        } else {
            for setting in settings {
                let What::Fixed(value) = setting.what else { return Err(unfitting(setting)) };
                leaf.kind = LeafKind::Fixed(value);
            }
        }
        builder.layouts.replace(layout, own);
        Ok(())
    }

    /// `None` if what is said makes no sense.
    fn adjust_pointer(
        &self,
        builder: &mut Builder<'_, 'p>,
        pointer: &mut Pointer,
        leaf: &mut Leaf,
        target: CTypeId,
        what: &What,
    ) -> Option<()> {
        match what {
            What::NotNull => pointer.nullable = false,
            What::Null => leaf.kind = LeafKind::Fixed(0),
            What::Fixed(value) => leaf.kind = LeafKind::Fixed(*value),
            What::Stub | What::AnyFunction | What::Function(_) => return None,
            What::String(max_len) => pointer.target = Target::String { max_len: *max_len, layout: builder.byte() },
            What::Bytes(count) => pointer.target = self.objects(builder.byte(), count)?,
            What::Array(count) => {
                let layout = builder.layout(target).unwrap_or_else(|| builder.byte());
                pointer.target = self.objects(layout, count)?;
            }
        }
        if let What::Array(Count::Param { .. }) | What::Bytes(Count::Param { .. }) = what {
            pointer.nullable = false;
        }
        Some(())
    }

    /// A pointer to a function, by what is said of it.
    fn function(&self, name: &str, ty: CTypeId, what: &What) -> Option<LeafKind> {
        let callees = match what {
            What::Null => vec![Callee::Null],
            What::Stub | What::NotNull => vec![self.functions.stubs.add(name)],
            What::AnyFunction => self.functions.of_type(ty).map(|(function, _)| Callee::Function(function)).collect(),
            What::Function(wanted) => {
                let mut fitting = self.functions.of_type(ty);
                vec![fitting.find(|(_, name)| name == wanted).map(|(function, _)| Callee::Function(function))?]
            }
            _ => return None,
        };
        (!callees.is_empty()).then(|| LeafKind::Function(callees.into()))
    }

    fn objects(&self, layout: LayoutId, count: &Count) -> Option<Target> {
        let (name, max) = match count {
            Count::Known(count) => return Some(Target::Objects { layout, count: *count }),
            Count::Param { name, max } => (name, *max),
        };
        let fixed = self.settings.iter().find_map(|setting| match setting.what {
            What::Fixed(value) if setting.param == *name => Some(value),
            _ => None,
        });
        if let Some(value) = fixed {
            let count = u32::try_from(value).ok().filter(|&count| count > 0)?;
            return Some(Target::Objects { layout, count });
        }
        let param = self.all.iter().position(|(param, ty)| param == name && self.is_integer(*ty))?;
        Some(Target::Counted { layout, max, param })
    }

    fn is_integer(&self, ty: CTypeId) -> bool {
        let encoding = match self.functions.debug.ctype(self.functions.debug.unqualified(ty)) {
            CType::Base { encoding, size, .. } if size <= 8 => encoding,
            _ => return false,
        };
        matches!(encoding, Encoding::Signed | Encoding::Unsigned | Encoding::SignedChar | Encoding::UnsignedChar)
    }
}

/// Lets inputs that count what is behind others have only values for which there is room.
pub fn limit_counts(unit: &mut Unit) {
    for number in 0..unit.params.len() {
        let counted = unit.params.iter().filter_map(|param| match &unit.layouts.get(param.layout).leaves[..] {
            [Leaf { kind: LeafKind::Pointer(kind), .. }] => match unit.layouts.pointer(*kind).target {
                Target::Counted { max, param, .. } if param == number => Some(max),
                _ => None,
            },
            _ => None,
        });
        let Some(max) = counted.min() else { continue };
        let layout = unit.params[number].layout;
        let mut own = unit.layouts.get(layout).clone();
        for leaf in &mut own.leaves {
            leaf.kind = LeafKind::OneOf((0..=u64::from(max)).collect());
        }
        unit.layouts.replace(layout, own);
    }
}
