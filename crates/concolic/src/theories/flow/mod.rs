//! What the values of a run depend on beyond their expressions (FlowTest): a branch decides what is written behind it, and what is not.
//!
//! Only campaigns with `--partition` have this theory. It is asked before every operation ([`Theory::notes`]) and follows
//! registers and memory on its own, so that the machine has no trace of it. What comes of it is a [`FlowRecord`]: what the
//! run has met, each with the inputs and earlier ones that it depends on, and the branch that it lies under. What is independent of what
//! is for `explore/partition` to say.
//!
//! An operation is looked at before it is executed (`operands`) and once more before the next one (`results`), when it is known
//! what it decided. `labels` are what values depend on, `places` memory, `regions` branches that are under way, `natives` library
//! functions in Rust, `leaps` what `longjmp` does, `leaks` what can't be reached in the end. `watch` lets pass what depends on nothing; `knowledge` is what all workers share.
//! Whatever can't be followed makes the record say so, and everything is explored from then on.
//!
//! Unlike the paper (Majumdar and Xu, "Reducing test inputs using information partitions", section 4), all inputs are symbolic in every run.

mod atoms;
mod knowledge;
mod labels;
mod leaks;
mod leaps;
mod natives;
mod operands;
mod places;
mod record;
mod regions;
mod results;
mod watch;
mod ways;

pub use knowledge::{Knowledge, Tie};
pub use record::{Atom, FlowRecord, Met, NONE, Shared};
pub(crate) use watch::Watch;
pub use ways::Way;

use super::{Events, Theory};
use crate::decision::DecisionKind;
use crate::graph::relation::relations;
use crate::machine::ConcolicMachine;
use atoms::Atoms;
use labels::Label;
use operands::Pending;
use places::{Affected, Wrote};
use regions::{Extents, Region};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spelunk_expr::{ExprId, FreeVars, VarId};
use spelunk_ir::code::{CheckedImage, OpIdx, RegUse};
use spelunk_ir::model::FuncId;
use spelunk_vm::{Attention, Slot, Stop, Vm};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;
use watch::{Class, Outline, outlines};

/// A run that meets more is not followed.
const MAX_MET: usize = 1 << 20;

type Program<'p> = Vm<'p, ConcolicMachine>;

pub(super) struct Flow {
    known: Arc<Knowledge>,
    free_vars: FreeVars,
    atoms: Atoms,
    extents: Extents,
    outlines: Option<Arc<[Outline]>>,
    /// Whether runs end with a look at what can't be reached.
    has_leaks: bool,
    run: Following,
}

/// What is known of the run under way.
#[derive(Default)]
struct Following {
    is_under_way: bool,
    /// The machine's, while the theory is at work.
    watch: Box<Watch>,
    control: Vec<Region>,
    met: Vec<Met>,
    /// By what was met: its kind of effects.
    kinds: Vec<u64>,
    pending: Option<Pending>,
    /// The call stack of each function under way, as a number that means the same in all runs, and the function.
    stacks: Vec<(u64, Option<FuncId>)>,
    /// That of the operation at hand.
    stack: u64,
    /// Variable arguments of functions under way, by depth.
    variadic: Vec<(usize, Label)>,
    /// The operation that was executed last.
    last_site: u32,
    n_decisions: usize,
    /// What decided that there are objects on the heap, if that is of use.
    born: Label,
    /// Effects, and how much of them was known when they were first used.
    used: FxHashMap<u32, u64>,
    lost: Option<(OpIdx, String)>,
}

impl Theory for Flow {
    fn name(&self) -> &'static str {
        "flow"
    }

    fn events(&self) -> Events {
        Events::NOTE.and(Events::BEGIN).and(Events::FLOW)
    }

    fn notes(&self, image: &CheckedImage) -> Vec<OpIdx> {
        (0..image.ops.len() as u32).map(OpIdx).collect()
    }

    fn notes_at(&self, image: &CheckedImage, attention: Attention) -> Vec<OpIdx> {
        match attention {
            Attention::Full => self.notes(image),
            less => watch::notes(image, less),
        }
    }

    fn begin(&mut self, vm: &mut Program<'_>) -> Result<(), Stop> {
        let outlines = self.outlines.get_or_insert_with(|| {
            // This theory is at work, and so not among them.
            let others = super::notes(&vm.machine.theories, vm.image(), Attention::Full);
            outlines(vm.image(), &others, &self.known)
        });
        self.run = Following { is_under_way: !vm.machine.is_probing, ..Following::default() };
        let settled = vm.machine.watch.take().map_or_else(Default::default, |before| before.settled);
        vm.machine.watch = Some(Box::new(Watch::new(outlines, settled, self.run.is_under_way, self.has_leaks)));
        Ok(())
    }

    fn note(&mut self, vm: &mut Program<'_>, op_idx: OpIdx) -> Result<(), Stop> {
        let is_aside = vm.machine.watch.as_ref().is_some_and(|watch| watch.is_aside());
        if self.run.lost.is_none() && self.run.is_under_way && !is_aside {
            self.exchange_watch(vm);
            self.finish(vm, Some(op_idx));
            self.leave_regions(vm, op_idx);
            self.enter_frames(vm, op_idx);
            self.look_at(vm, op_idx);
            self.exchange_watch(vm);
        }
        Ok(())
    }

    fn flow(&mut self, vm: &mut Program<'_>) -> Option<Box<FlowRecord>> {
        if !std::mem::take(&mut self.run.is_under_way) {
            return None;
        }
        self.exchange_watch(vm);
        // Operations that were let pass may have ended it too.
        let ends_well = self.run.pending.as_ref().is_some_and(Pending::is_return);
        let deciding = self.run.pending.as_ref().filter(|pending| !natives::ends_always(vm.image(), pending));
        let label = deciding.map_or(Label::NONE, |pending| pending.label);
        let first = self.run.met.len();
        if self.run.lost.is_none() {
            self.finish(vm, None);
        }
        let end = self.run.met.len();
        if self.has_leaks && self.run.lost.is_none() {
            self.meet_leaks(vm);
        }
        let mut run = std::mem::take(&mut self.run);
        if let Some(watch) = &mut vm.machine.watch {
            watch.settled = std::mem::take(&mut run.watch.settled);
        }
        let blamed = if ends_well { Vec::new() } else { blamed(&run, label, first..end) };
        Some(Box::new(FlowRecord {
            met: run.met,
            blamed,
            effects_used: run.used.into_iter().collect(),
            lost: run.lost,
        }))
    }
}

/// What may have ended a run: what it met in its last operation, what that depends on, and branches that are under way, with all
/// that these depend on in turn.
fn blamed(run: &Following, label: Label, last: Range<usize>) -> Vec<u32> {
    let mut is_blamed = vec![false; run.met.len()];
    let mut waiting: Vec<u32> = (last.start as u32..last.end as u32).collect();
    waiting.extend(run.watch.labels.get(label).iter());
    waiting.extend(run.control.last().and_then(|region| region.met.last()));
    while let Some(at) = waiting.pop() {
        if !std::mem::replace(&mut is_blamed[at as usize], true) {
            let met = &run.met[at as usize];
            waiting.extend(met.extra.iter().copied().chain([met.region]).filter(|&it| it != NONE));
        }
    }
    (0..).zip(&is_blamed).filter(|it| *it.1).map(|it| it.0).collect()
}

impl Flow {
    pub fn new(known: &Arc<Knowledge>, has_leaks: bool) -> Self {
        Self {
            known: Arc::clone(known),
            free_vars: FreeVars::default(),
            atoms: Atoms::default(),
            extents: Extents::default(),
            outlines: None,
            has_leaks,
            run: Following::default(),
        }
    }

    /// Takes what values depend on from the machine, or gives it back.
    fn exchange_watch(&mut self, vm: &mut Program<'_>) {
        if let Some(watch) = &mut vm.machine.watch {
            std::mem::swap(watch, &mut self.run.watch);
        }
    }

    /// Looks at an operation that is about to be executed.
    fn look_at(&mut self, vm: &Program<'_>, op_idx: OpIdx) {
        let class = self.run.watch.outlines[op_idx.index()].class;
        match class {
            Class::Values => self.compute(vm, op_idx),
            _ => self.prepare(vm, op_idx),
        }
        let top = self.run.control.last();
        let (join, is_noting) = (top.and_then(|top| top.join), self.is_under_branch());
        let is_followed = self.run.lost.is_none();
        let watch = &mut self.run.watch;
        (watch.join, watch.is_noting, watch.is_followed) = (join, is_noting, is_followed);
        watch.is_busy = self.run.pending.is_some();
        watch.n_decisions = self.run.n_decisions;
        watch.looked_at(op_idx, vm.first_slot());
    }

    /// An operation whose results depend on its operands, and that is all.
    fn compute(&mut self, vm: &Program<'_>, op_idx: OpIdx) {
        let base = vm.first_slot();
        let mut label = Label::NONE;
        vm.image().visit_regs(op_idx, |how, reg, n| match how {
            RegUse::Read => {
                for slot in base + reg.slot()..base + reg.slot() + n as usize {
                    let with = self.slot_label(slot);
                    label = self.union(label, with);
                }
            }
            RegUse::Write if self.known.follows(Way::Operations) => {
                self.set_slots(base + reg.slot(), n as usize, label)
            }
            RegUse::Write => {}
        });
    }

    /// Keeps the call stacks of functions under way.
    fn enter_frames(&mut self, vm: &Program<'_>, op_idx: OpIdx) {
        let (run, depth) = (&mut self.run, vm.depth());
        if run.stacks.len() == depth {
            return;
        }
        let function = vm.image().function_id_at(op_idx);
        run.stacks.truncate(depth);
        while run.stacks.len() < depth {
            let caller = run.stacks.last().map_or(0, |it| it.0);
            run.stacks.push((hash(&(caller, run.last_site)), function));
        }
        run.stack = run.stacks.last().map_or(0, |it| it.0);
    }

    fn lose(&mut self, site: OpIdx, why: impl Into<String>) {
        self.run.lost.get_or_insert((site, why.into()));
    }

    fn union(&mut self, a: Label, b: Label) -> Label {
        self.run.watch.labels.union(a, b)
    }

    fn slot_label(&self, slot: usize) -> Label {
        self.run.watch.slots.get(slot).copied().unwrap_or_default()
    }

    fn set_slots(&mut self, first: usize, n: usize, label: Label) {
        self.run.watch.set_slots(first, n, label);
    }

    /// The variables of expressions, as inputs.
    fn atoms_of(&mut self, machine: &ConcolicMachine, exprs: &[ExprId], site: OpIdx) -> SmallVec<[u32; 2]> {
        let mut vars: SmallVec<[VarId; 4]> = SmallVec::new();
        for &expr in exprs {
            let set = self.free_vars.of(&machine.pool, expr);
            vars.extend(self.free_vars.iter(set));
        }
        let pointers: SmallVec<[VarId; 2]> =
            vars.iter().copied().filter(|&var| machine.provenance.is_pointer(var)).collect();
        if pointers.iter().any(|&var| var != pointers[0]) {
            self.atoms.relate(&self.known, machine, &pointers, site);
        }
        let Self { atoms, known, .. } = self;
        let mut atoms: SmallVec<[u32; 2]> = vars.iter().map(|&var| atoms.of(known, machine, var, site)).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    fn exprs_of(machine: &ConcolicMachine, slots: &[Slot]) -> SmallVec<[ExprId; 2]> {
        let carried = slots.iter().map(|slot| slot.tag.expr()).filter(|carried| carried.is_some());
        carried.map(|carried| machine.provenance.expr(carried)).collect()
    }

    /// Adds something that the run has met, which depends on these inputs and on what a label says.
    fn meet(&mut self, site: OpIdx, atoms: SmallVec<[u32; 2]>, label: Label, (way, decision): (u64, u32)) -> u32 {
        let stack = self.run.stack;
        let extra = self.run.watch.labels.get(label).clone();
        // Where there is something beyond the expression, other runs may have no expression at all.
        let kind = match extra.first() {
            Some(&first) => hash(&(site, stack, self.run.kinds[first as usize])),
            None => hash(&(site, stack, &atoms)),
        };
        let around = self.run.control.last().filter(|_| self.known.follows(Way::Control));
        let region = around.and_then(|region| region.met.last().copied()).unwrap_or(NONE);
        let number = self.run.met.len() as u32;
        self.run.met.push(Met { site, stack, way, atoms, extra, region, decision });
        self.run.kinds.push(kind);
        if self.run.met.len() > MAX_MET {
            self.lose(site, "a run meets too many branches that depend on the input");
        }
        number
    }

    /// What was decided since the last time. The answer is what was met: checks, and other decisions.
    fn take_decisions(&mut self, vm: &Program<'_>, label: Label) -> (Vec<u32>, Vec<u32>) {
        let (mut checks, mut others) = (Vec::new(), Vec::new());
        for index in self.run.n_decisions..vm.machine.path.decisions.len() {
            let decision = vm.machine.path.decisions[index];
            let atoms = self.atoms_of(&vm.machine, &[decision.cond], decision.site);
            let is_template = atoms.iter().any(|&atom| self.atoms.is_template(atom));
            let is_for_all = is_template || relates(&vm.machine, decision.cond);
            let met = self.meet(decision.site, atoms, label, (decision.taken, index as u32));
            if is_for_all {
                self.decides_all(decision.site, met);
            }
            match decision.kind {
                DecisionKind::Check(_) => checks.push(met),
                _ => others.push(met),
            }
        }
        self.run.n_decisions = vm.machine.path.decisions.len();
        (checks, others)
    }

    /// Whether a branch is under way that ends before the run.
    fn is_under_branch(&self) -> bool {
        self.run.control.last().is_some_and(|top| top.depth > 0)
    }

    /// A decision says what the input is: that two of its pointers lead to the same, or which template a text has. No expression
    /// shows what depends on that, so all that follows does.
    fn decides_all(&mut self, site: OpIdx, met: u32) {
        self.run.control.iter_mut().for_each(|region| region.met.push(met));
        if self.run.control.first().is_none_or(|outermost| outermost.depth > 0) {
            let effects = self.known.effects().number(self.run.kinds[met as usize]);
            let region = Region::to_the_end(site, met, effects);
            self.run.control.insert(0, region);
        }
    }

    /// Something is written.
    fn wrote(&mut self, what: Wrote) {
        if self.is_under_branch() {
            self.run.watch.written.push(what);
        }
    }

    fn add_label(&mut self, what: Wrote, label: Label) {
        let Watch { places, labels, .. } = &mut *self.run.watch;
        places.add(labels, what, label);
    }

    /// What was met at a branch decides what follows, up to where its ways come together.
    fn enter_region(&mut self, site: OpIdx, depth: usize, extent: regions::Extent, met: u32) {
        if let Some(top) = self.run.control.last_mut().filter(|top| top.site == site && top.depth == depth) {
            top.met.push(met);
            return;
        }
        let effects = self.known.effects().number(self.run.kinds[met as usize]);
        self.run.control.push(Region {
            site,
            depth,
            join: extent.join,
            assigned: extent.assigned,
            met: vec![met],
            effects,
            first_write: self.run.watch.written.len(),
            has_leapt: false,
        });
    }

    /// Leaves the branches whose ways come together here, or whose functions are left.
    fn leave_regions(&mut self, vm: &mut Program<'_>, at: OpIdx) {
        let depth = vm.depth();
        while let Some(top) = self.run.control.last() {
            let is_over = top.depth > depth || (top.depth == depth && top.join == Some(at));
            if !is_over {
                break;
            }
            let base = (top.depth == depth).then(|| vm.first_slot());
            self.leave_region(vm, base);
        }
    }

    /// Leaves the innermost branch. What its ways may have changed depends on it from now on. Registers of the frame count if it is
    /// still there.
    fn leave_region(&mut self, vm: &mut Program<'_>, base: Option<usize>) -> Label {
        let Some(region) = self.run.control.pop() else { return Label::NONE };
        let label = self.run.watch.labels.mk(region.met.clone());
        if let Some(base) = base.filter(|_| self.known.follows(Way::Assigned)) {
            for &slot in region.assigned.iter() {
                let with = self.slot_label(base + slot);
                let with = self.union(with, label);
                self.set_slots(base + slot, 1, with);
            }
        }
        let written = self.run.watch.written[region.first_write..].to_vec();
        if self.known.follows(Way::Written) {
            written.iter().for_each(|&what| self.add_label(what, label));
        }
        self.spread(vm, region.effects, &written, label);
        self.stay_after_leaps(vm, region);
        if !self.is_under_branch() {
            self.run.watch.written.clear();
        }
        label
    }

    /// What other runs have written in such a case depends on what this run did too.
    fn spread(&mut self, vm: &Program<'_>, effects: u32, written: &[Wrote], label: Label) {
        let known = Arc::clone(&self.known);
        let at = (&vm.memory, &vm.machine.inputs.heap);
        let mut others = Vec::new();
        {
            let mut all = known.effects();
            let Following { watch, used, .. } = &mut self.run;
            let places = written.iter().filter_map(|&what| watch.places.name(at, &mut all, what));
            let places: FxHashSet<Affected> = places.collect();
            let grown_at = all.learn(effects, places.iter().copied());
            used.entry(effects).or_insert(grown_at);
            let elsewhere = all.of(effects).iter().filter(|place| !places.contains(place));
            for &place in elsewhere.filter(|_| known.follows(Way::Effects)) {
                watch.places.find(at, &all, place, |what| others.push(what));
            }
        }
        for what in others {
            self.add_label(what, label);
            // For branches around this one, it is as if it was written.
            self.wrote(what);
        }
    }
}

/// Whether a condition says more of pointers than that one is null.
fn relates(machine: &ConcolicMachine, cond: ExprId) -> bool {
    let found = relations(&machine.pool, cond, |var| machine.provenance.is_pointer(var));
    found.iter().any(|relation| relation.other.is_some() || relation.shift != 0)
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
