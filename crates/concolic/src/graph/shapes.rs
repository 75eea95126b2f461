//! A unit's input as specifications of heaps see it: its types, the pointers in them, and which of these are decided on demand.

use super::layout::{Layout, LayoutId, Layouts, LeafKind, PointerId, Target};
use super::unit::{Arg, Home, Param, StubResult};
use crate::key::{ObjectKey, Root};
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_hex::{Part, Ref, RootKind, RuleId, Spec, Step, Type, TypeId, Types};
use spelunk_ir::model::FuncId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What objects of the input look like, and by which rules.
#[derive(Debug)]
pub struct Shapes {
    pub spec: Arc<Spec>,
    pub companions: Vec<Companion>,
    places: Places,
    lazy: FxHashSet<PointerId>,
    /// By type: how many objects a run may decide on.
    limits: Vec<Option<u32>>,
    /// By rule: how many alternatives it has refused.
    refused: Vec<AtomicU64>,
    /// Whether there was a partial heap for which no rest was found.
    has_incomplete: AtomicBool,
}

/// A function of the program that a specification names.
#[derive(Clone, Debug)]
pub struct Companion {
    pub function: FuncId,
    pub name: String,
    pub result_bits: u32,
    pub args: CompanionArgs,
}

/// What a companion is called with.
#[derive(Clone, Debug)]
pub enum CompanionArgs {
    /// Bytes of parameters.
    Params(Vec<Arg>),
    /// What is found on these ways.
    Ways(Vec<spelunk_hex::Arg>),
}

/// Where in objects the references and parts are that a specification knows by number.
#[derive(Clone, Debug, Default)]
struct Places {
    refs: Vec<Vec<u32>>,
    parts: Vec<Vec<u32>>,
    /// By parameter: its number among the roots.
    roots: Vec<Option<u32>>,
    /// By function: the number of its result among the roots.
    results: FxHashMap<String, u32>,
    /// By type: the pointers that lead to it.
    pointers: FxHashMap<PointerId, TypeId>,
}

/// The number of a root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RootNumber {
    /// Which is the number of its object, too.
    Input(u32),
    Result(u32),
}

/// The types of an input, for a specification to speak of, and what they are made from.
#[derive(Clone, Debug)]
pub struct TypeTable {
    pub types: Types,
    places: Places,
    /// By type.
    layouts: Vec<LayoutId>,
}

/// What can be learned about from the calls of a sequence: the structure that they work on.
#[derive(Debug)]
pub struct Learning {
    /// For one parameter, a pointer to the structure.
    pub table: TypeTable,
    /// The number of the parameter of the unit that is the structure, or a pointer to it.
    pub room: usize,
    pub is_pointer: bool,
}

/// Units are compared by what is called and given.
impl PartialEq for Learning {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Learning {}

impl TypeTable {
    /// `containers` are types that no pointer leads to but by part of them.
    pub fn new(layouts: &Layouts, params: &[Param], results: &[StubResult], containers: &[LayoutId]) -> Self {
        let (by_layout, places) = (FxHashMap::default(), Places::default());
        Collector { layouts, by_layout, types: Vec::new(), places, by_type: Vec::new() }
            .collect(params, results, containers)
    }

    /// Lets pointers lead to parts of new objects where rules say so. The table is to be made again after that.
    pub fn redirect(&self, spec: &Spec, layouts: &mut Layouts) {
        for ((ty, reference), (outer, part)) in spec.expands_inside() {
            let [holder, outer_layout, layout] =
                [ty, outer, self.types.get(outer).parts[part as usize].ty].map(|ty| self.layouts[ty.0 as usize]);
            let offset = self.places.refs[ty.0 as usize][reference] % layouts.get(holder).size.max(1);
            let at = self.places.parts[outer.0 as usize][part as usize];
            layouts.redirect(holder, offset, Target::Inside { layout, outer: outer_layout, at });
        }
    }

    /// Where the references of an object are, in their order.
    pub(crate) fn offsets(&self, ty: TypeId) -> &[u32] {
        &self.places.refs[ty.0 as usize]
    }

    /// What is so far behind the start of an object, if that is of type `inner`: the object itself, or a part.
    pub(crate) fn at(&self, outer: TypeId, offset: u64, inner: TypeId) -> Option<Option<u16>> {
        if (outer, offset) == (inner, 0) {
            return Some(None);
        }
        let is_it = |part: &Part| part.ty == inner && u64::from(part.offset) == offset;
        self.types.get(outer).parts.iter().position(is_it).map(|part| Some(part as u16))
    }

    /// With a specification that was made for these types. Without rules, all pointers to records are decided on demand.
    pub fn shapes(self, spec: Spec, companions: Vec<Companion>, limit: impl Fn(&Type) -> Option<u32>) -> Shapes {
        let has_rules = !spec.rules().is_empty() || !companions.is_empty();
        let is_lazy = |ty: TypeId| !has_rules || spec.is_under_rules(ty);
        let lazy = self.places.pointers.iter().filter(|(_, ty)| is_lazy(**ty)).map(|(&pointer, _)| pointer).collect();
        let refused = spec.rules().iter().map(|_| AtomicU64::new(0)).collect();
        let limits = self.types.types.iter().map(limit).collect();
        Shapes {
            spec: Arc::new(spec),
            companions,
            places: self.places,
            lazy,
            limits,
            refused,
            has_incomplete: AtomicBool::new(false),
        }
    }
}

/// Units are compared by what is called and given.
impl PartialEq for Shapes {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Shapes {}

impl Shapes {
    /// Whether pointers of a kind are decided on demand.
    pub fn is_lazy(&self, pointer: PointerId) -> bool {
        self.lazy.contains(&pointer)
    }

    /// The root that belongs to an object of the input.
    pub(crate) fn root(&self, key: &ObjectKey) -> Option<RootNumber> {
        match &key.root {
            Root::Param(param) => self.places.roots.get(*param as usize).copied().flatten().map(RootNumber::Input),
            Root::Result(function, _) => self.places.results.get(&**function).copied().map(RootNumber::Result),
            _ => None,
        }
    }

    /// The parameter that a root is.
    pub(crate) fn param(&self, root: u32) -> u32 {
        let found = self.places.roots.iter().position(|&it| it == Some(root));
        found.expect("these roots are parameters") as u32
    }

    /// The reference of an object of a type that is at an offset.
    pub(crate) fn reference(&self, ty: TypeId, offset: u32) -> Option<usize> {
        self.places.refs[ty.0 as usize].iter().position(|&at| at == offset)
    }

    pub(crate) fn offset(&self, ty: TypeId, reference: usize) -> u32 {
        self.places.refs[ty.0 as usize][reference]
    }

    pub(crate) fn n_references(&self, ty: TypeId) -> usize {
        self.places.refs[ty.0 as usize].len()
    }

    /// Where a part of an object is.
    pub(crate) fn place(&self, ty: TypeId, part: Option<u16>) -> u32 {
        part.map_or(0, |part| self.places.parts[ty.0 as usize][part as usize])
    }

    pub(crate) fn limit(&self, ty: TypeId) -> Option<u32> {
        self.limits[ty.0 as usize]
    }

    pub(crate) fn count_refusal(&self, rule: RuleId) {
        self.refused[rule.0 as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn note_incomplete(&self) {
        self.has_incomplete.store(true, Ordering::Relaxed);
    }

    /// Whether inputs may break rules by what their paths left open.
    pub(crate) fn has_incomplete(&self) -> bool {
        self.has_incomplete.load(Ordering::Relaxed)
    }

    /// How many alternatives each rule has refused so far.
    pub fn refused(&self) -> impl Iterator<Item = u64> + '_ {
        self.refused.iter().map(|count| count.load(Ordering::Relaxed))
    }
}

struct Collector<'l> {
    layouts: &'l Layouts,
    by_layout: FxHashMap<(LayoutId, u32), TypeId>,
    types: Vec<Option<Type>>,
    places: Places,
    by_type: Vec<LayoutId>,
}

impl Collector<'_> {
    fn collect(mut self, params: &[Param], results: &[StubResult], containers: &[LayoutId]) -> TypeTable {
        let mut roots = Vec::new();
        for param in params {
            let kind = match param.home {
                Home::Argument | Home::Optional => RootKind::Param,
                Home::Global(_) => RootKind::Global,
                Home::Room(_) => {
                    self.places.roots.push(None);
                    continue;
                }
            };
            self.places.roots.push(Some(roots.len() as u32));
            let name = param.name.strip_prefix("::").unwrap_or(&param.name).to_owned();
            // Each parameter has a layout of its own.
            let ty = self.reserve();
            self.fill(ty, param.layout, 1, true);
            roots.push(spelunk_hex::Root { name, kind, ty });
        }
        for StubResult { function, layout } in results {
            self.places.results.insert(function.clone(), roots.len() as u32);
            let ty = self.reserve();
            self.fill(ty, *layout, 1, true);
            roots.push(spelunk_hex::Root { name: function.clone(), kind: RootKind::Result, ty });
        }
        containers.iter().for_each(|&layout| _ = self.ty(layout, 1));
        let types = self.types.into_iter().map(|ty| ty.expect("each is filled")).collect();
        TypeTable { types: Types { types, roots }, places: self.places, layouts: self.by_type }
    }

    fn reserve(&mut self) -> TypeId {
        self.types.push(None);
        self.places.refs.push(Vec::new());
        self.places.parts.push(Vec::new());
        self.by_type.push(LayoutId::BYTES);
        TypeId(self.types.len() as u32 - 1)
    }

    /// The type of so many objects side by side.
    fn ty(&mut self, layout: LayoutId, count: u32) -> TypeId {
        if let Some(&known) = self.by_layout.get(&(layout, count)) {
            return known;
        }
        let ty = self.reserve();
        self.by_layout.insert((layout, count), ty);
        self.fill(ty, layout, count, false);
        ty
    }

    fn fill(&mut self, ty: TypeId, id: LayoutId, count: u32, is_root: bool) {
        let layout = self.layouts.get(id);
        self.by_type[ty.0 as usize] = id;
        // What has no members is reached as C reaches an element.
        let is_indexed = count > 1 || (!is_root && !is_record(layout));
        let element = |number: u32| is_indexed.then_some(Step::Index(number));
        let (mut refs, mut parts) = (Vec::new(), Vec::new());
        for number in 0..count {
            let start = number * layout.size;
            for leaf in &layout.leaves {
                let (target, is_nullable) = match leaf.kind {
                    LeafKind::Pointer(kind) => {
                        let target = self.target(kind);
                        self.places.pointers.extend(target.map(|target| (kind, target)));
                        (target, self.layouts.pointer(kind).nullable)
                    }
                    // Named as a reference, it is a mistake that can be explained.
                    _ if leaf.path.ends_with(']') => continue,
                    _ => (None, true),
                };
                let steps = element(number).into_iter().chain(steps(&leaf.path)).collect();
                refs.push(Ref { steps, target, is_lazy: target.is_some(), is_nullable });
                self.places.refs[ty.0 as usize].push(start + leaf.offset);
            }
            if count > 1 {
                let (ty_of_one, steps) = (self.ty(id, 1), element(number).into_iter().collect());
                parts.push(Part { steps, ty: ty_of_one, offset: start });
            }
            for &(offset, part) in &layout.parts {
                let Some(way) = way_to_part(layout, offset, self.layouts.get(part)) else { continue };
                let steps = element(number).into_iter().chain(way).collect();
                parts.push(Part { steps, ty: self.ty(part, 1), offset: start + offset });
            }
        }
        self.places.parts[ty.0 as usize] = parts.iter().map(|part| part.offset).collect();
        let name = layout.name.clone();
        self.types[ty.0 as usize] = Some(Type { name, aliases: Vec::new(), refs, parts });
    }

    /// What a reference leads to, if that is for rules: records, and pointers to such.
    fn target(&mut self, kind: PointerId) -> Option<TypeId> {
        let (layout, count) = match self.layouts.pointer(kind).target {
            Target::Objects { layout, count } => (layout, count),
            Target::Inside { layout, .. } => (layout, 1),
            _ => return None,
        };
        let info = self.layouts.get(layout);
        let has_pointers = info.leaves.iter().any(|leaf| matches!(leaf.kind, LeafKind::Pointer(_)));
        (is_record(info) || has_pointers).then(|| self.ty(layout, count))
    }
}

/// Whether it has members.
fn is_record(layout: &Layout) -> bool {
    layout.leaves.iter().any(|leaf| leaf.path.starts_with('.'))
}

/// `.link.next` and `.child[3]`, step by step.
fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for piece in path.split_inclusive(']').flat_map(|piece| piece.split('.')) {
        let (member, index) = piece.split_once('[').unwrap_or((piece, ""));
        if !member.is_empty() {
            steps.push(Step::Member(member.to_owned()));
        }
        steps.extend(index.strip_suffix(']').and_then(|digits| digits.parse().ok()).map(Step::Index));
    }
    steps
}

/// How C gets to an object inside of another: what comes before the names of its own members.
pub(super) fn way_to_part(outer: &Layout, offset: u32, inner: &Layout) -> Option<Vec<Step>> {
    inner.leaves.iter().find_map(|leaf| {
        let path = &outer.leaf_at(offset + leaf.offset)?.path;
        Some(steps(path.strip_suffix(&*leaf.path)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_leaves_have_steps() {
        let member = |name: &str| Step::Member(name.to_owned());
        assert_eq!(steps(".link.next"), [member("link"), member("next")]);
        assert_eq!(steps(".child[3]"), [member("child"), Step::Index(3)]);
        assert_eq!(steps("[2].a[0][1].b"), [Step::Index(2), member("a"), Step::Index(0), Step::Index(1), member("b")]);
        assert_eq!(steps(""), []);
    }
}
