//! Which pointers of a unit are decided on demand, and by which rules: what a user says of heaps, in terms of the unit.

use crate::error::UnitError;
use crate::functions::Functions;
use crate::layouts::Builder;
use crate::unit::Request;
use spelunk_concolic::graph::layout::{LayoutId, Layouts};
use spelunk_concolic::graph::shapes::{Companion, CompanionArgs, TypeTable};
use spelunk_concolic::graph::unit::{Aliasing, Role, Unit};
use spelunk_hex::{Root, RootKind, Source, Spec, Type};
use spelunk_ir::debug::{Annotated, Annotation, CTypeId};
use std::sync::Arc;

/// What structures are learned from is built of: a node that is handed to two calls, or is part of the structure already, makes none that is meant.
const UNSHARED: &str = "any aliases nothing";

/// What is said of the heap of an input.
#[derive(Clone, Debug, Default)]
pub struct HeapRequest {
    /// Whether pointers to records are decided on demand. Those that rules speak of are in any case.
    pub is_lazy: bool,
    pub aliasing: Aliasing,
    /// Specifications in HEX.
    pub rules: Vec<Source>,
    /// How many objects of a type there may be: `TYPE=N`.
    pub limits: Vec<ObjectLimit>,
}

impl HeapRequest {
    /// Whether nothing is said of heaps.
    pub fn is_eager(&self) -> bool {
        !self.is_lazy && self.rules.is_empty()
    }
}

/// As many objects of a type may be decided on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectLimit {
    pub ty: String,
    pub max: u32,
}

impl std::str::FromStr for ObjectLimit {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let wrong = || UnitError::ObjectLimit { text: text.to_owned() };
        let (ty, max) = text.split_once('=').ok_or_else(wrong)?;
        Ok(Self { ty: ty.trim().to_owned(), max: max.trim().parse().map_err(|_| wrong())? })
    }
}

impl std::fmt::Display for ObjectLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.ty, self.max)
    }
}

/// Whether there are pointers that rules can speak of.
fn has_pointers(table: &TypeTable) -> bool {
    let has_lazy = |root: &Root| table.types.get(root.ty).refs.iter().any(|reference| reference.is_lazy);
    table.types.roots.iter().any(has_lazy)
}

impl Functions<'_> {
    /// Says which of a unit's pointers are decided on demand.
    pub(crate) fn add_shapes(
        &self,
        unit: &mut Unit,
        request: &Request,
        params: &[(String, CTypeId)],
        containers: &[LayoutId],
    ) -> Result<(), UnitError> {
        let HeapRequest { is_lazy, aliasing, limits, .. } = &request.heap;
        let mut table = self.type_table(&unit.layouts, unit, containers);
        let rules = self.rules(&table, request);
        if !is_lazy && rules.is_empty() {
            return match limits.first() {
                Some(limit) => Err(UnitError::EagerLimit { ty: limit.ty.clone() }),
                None => Ok(()),
            };
        }
        if *aliasing == Aliasing::Solved {
            return Err(UnitError::MapsWithRules);
        }
        let spec = match rules.is_empty() {
            true => Spec::without_rules(&table.types),
            false => Spec::parse(&rules, &table.types).map_err(|diagnostics| UnitError::Rules { diagnostics })?,
        };
        let spec = if *is_lazy { spec.all_lazy() } else { spec };
        if spec.expands_inside().next().is_some() {
            table.redirect(&spec, &mut unit.layouts);
            table = self.type_table(&unit.layouts, unit, containers);
        }
        let is_named = |ty: &Type, limit: &ObjectLimit| ty.name == limit.ty || ty.aliases.contains(&limit.ty);
        if let Some(unknown) = limits.iter().find(|limit| !table.types.types.iter().any(|ty| is_named(ty, limit))) {
            return Err(UnitError::NoObjects { ty: unknown.ty.clone(), name: request.entry.clone() });
        }
        let companions = spec.companions().iter().map(|companion| {
            let name = companion.function.clone();
            let Some(ways) = &companion.args else {
                let call = self.check(unit, &name, Role::Assume, &request.entry, params)?;
                let args = CompanionArgs::Params(call.args);
                return Ok(Companion { function: call.function, name, result_bits: call.result_bits, args });
            };
            let (function, result_bits) = self.condition(&name, ways.len())?;
            Ok(Companion { function, name, result_bits, args: CompanionArgs::Ways(ways.clone()) })
        });
        let companions = companions.collect::<Result<Vec<_>, UnitError>>()?;
        let limit = |ty: &Type| limits.iter().find(|limit| is_named(ty, limit)).map(|limit| limit.max);
        unit.shapes = Some(Arc::new(table.shapes(spec, companions, limit)));
        Ok(())
    }

    /// The types that pointers may lead to part of, though none leads to them: rules say so.
    pub(crate) fn containers(&self, builder: &mut Builder<'_, '_>, unit: &Unit, request: &Request) -> Vec<LayoutId> {
        let rules = self.rules(&self.type_table(&builder.layouts, unit, &[]), request);
        let records = Spec::types_around(&rules).into_iter().filter_map(|name| self.debug.record_named(&name));
        records.filter_map(|record| builder.layout(record)).collect()
    }

    fn type_table(&self, layouts: &Layouts, unit: &Unit, containers: &[LayoutId]) -> TypeTable {
        let mut table = TypeTable::new(layouts, &unit.params, &unit.results, containers);
        self.add_aliases(&mut table);
        table
    }

    /// All rules about the input: those that the user gives, and those that the source states.
    fn rules(&self, table: &TypeTable, request: &Request) -> Vec<Source> {
        let learns = request.learns.as_ref().filter(|_| has_pointers(table));
        let unshared = learns.map(|_| Source::new("sequence", UNSHARED));
        let stated = request.heap.rules.iter().cloned().chain(self.annotated_rules(table, request));
        stated.chain(unshared).collect()
    }

    /// Other names of types: tags without their keyword, and typedefs.
    pub(crate) fn add_aliases(&self, table: &mut TypeTable) {
        let typedefs = self.debug.record_typedefs();
        let typedefs: Vec<(&str, String)> =
            typedefs.into_iter().map(|(name, record)| (name, self.debug.type_name(record))).collect();
        for ty in &mut table.types.types {
            let tag = ty.name.strip_prefix("struct ").or_else(|| ty.name.strip_prefix("union "));
            let names = typedefs.iter().filter(|(_, record)| *record == ty.name).map(|&(name, _)| name);
            let mut aliases: Vec<String> = tag.into_iter().chain(names).map(str::to_owned).collect();
            aliases.sort_unstable();
            aliases.dedup();
            ty.aliases = aliases;
        }
    }

    /// The rules that the source states itself (`SPELUNK_HEX` of spelunk.h), about what the unit has.
    fn annotated_rules(&self, table: &TypeTable, request: &Request) -> Vec<Source> {
        let entry = self.find(&request.entry).ok().and_then(|function| self.debug.function(function));
        let is_root =
            |name: &str, kind: RootKind| table.types.roots.iter().any(|it| it.name == name && it.kind == kind);
        let known = |record: CTypeId| Some(self.debug.type_name(record)).filter(|it| table.types.find(it).is_some());
        let rule = |annotation: &Annotation<'_>| {
            let text = annotation.text.strip_prefix("hex ")?;
            let text = match annotation.on {
                Annotated::Record(record) => format!("in {} {{ {text} }}", known(record)?),
                Annotated::Member { record, name } => format!("in {} {{ .{name} {text} }}", known(record)?),
                Annotated::Parameter { function, name } => {
                    let is_it = entry.as_ref().is_some_and(|it| it.id == function) && is_root(name, RootKind::Param);
                    is_it.then(|| format!("{name} {text}"))?
                }
                Annotated::Global(name) => is_root(name, RootKind::Global).then(|| format!("::{name} {text}"))?,
            };
            let name = annotation.file.map_or_else(|| request.entry.clone(), |file| file.path().display().to_string());
            Some(Source { name, text, first_line: annotation.line })
        };
        self.debug.annotations().iter().filter_map(rule).collect()
    }
}
