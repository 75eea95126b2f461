//! How far it is from an open alternative to a target, or that no way leads there.
//!
//! A way leads through the rest of the function that decides, then through what is left of each of its callers, and may enter
//! functions on the way. Which callers these are is known from the call stack: that a function which is called everywhere may return
//! to everywhere would make nothing irrelevant.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use spelunk_concolic::decision::{Choice, DecisionKind};
use spelunk_ir::code::{Image, OpCode, OpIdx};
use spelunk_ir::model::FuncId;
use spelunk_vm::{Mark, TraceId, Traces};

use super::{Event, Roots, Target, Targets};
use crate::distance::{UNREACHABLE, Ways};
use crate::flow::{BlockId, End};
use crate::program::ProgramFlow;
use crate::tree::Features;

/// Farther than all targets whose way is known.
const FAR: u32 = UNREACHABLE / 2;

/// Distances to some targets.
#[derive(Debug)]
pub struct Reach {
    /// Operations of targets, with what is to happen there, in order.
    at: Vec<(OpIdx, Event)>,
    /// How far it is from the start of each block, unless the function returns before.
    below: Vec<u32>,
}

impl Reach {
    pub fn new<'t>(program: &ProgramFlow<'_>, targets: impl IntoIterator<Item = &'t Target>) -> Self {
        let of_target = |target: &'t Target| target.at.iter().map(|&op_idx| (op_idx, target.event));
        let mut at: Vec<(OpIdx, Event)> = targets.into_iter().flat_map(of_target).collect();
        at.sort_unstable_by_key(|&(op_idx, _)| op_idx);
        let blocks = at.iter().map(|&(op_idx, _)| program.flow.block_of(op_idx));
        let below = program.distances_to(blocks, Ways::WithoutReturns);
        Self { at, below }
    }

    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// From where a function starts.
    pub fn from_entry(&self, program: &ProgramFlow<'_>, function: FuncId) -> u32 {
        program.entry_block(function).map_or(UNREACHABLE, |block| self.from_block(block))
    }

    pub fn from_block(&self, block: BlockId) -> u32 {
        self.below[block.0 as usize]
    }

    /// Whether something can still happen at an operation that decides, or later in its block.
    fn is_behind(&self, program: &ProgramFlow<'_>, site: OpIdx) -> bool {
        let end = program.flow.ops(program.flow.block_of(site)).end;
        let here = &self.at[self.at.partition_point(|&(op_idx, _)| op_idx < site)..];
        let mut here = here.iter().take_while(|&&(op_idx, _)| op_idx < end);
        // Control has come to the operation already; how it ends there is open.
        here.any(|&(op_idx, event)| op_idx > site || matches!(event, Event::Bug(_)))
    }

    fn has_outcome(&self, site: OpIdx, mark: Mark) -> bool {
        self.at.binary_search_by_key(&site, |&(op_idx, _)| op_idx).is_ok()
            && self.at.iter().any(|&(op_idx, event)| op_idx == site && event == Event::Outcome(mark))
    }
}

/// How far it is from an alternative.
struct Ahead {
    /// To a target, before the function returns.
    target: u32,
    /// To the function's return.
    back: u32,
}

/// How far it is to a target from where a function has returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Above {
    Known(u32),
    /// It is not known where it returns to.
    Unknown,
}

/// What an explorer knows of the ways to the open targets.
#[derive(Debug)]
pub struct Towards {
    /// How many targets were reached then.
    n_reached: usize,
    reach: Reach,
    /// By call stack.
    above: RefCell<FxHashMap<u32, Above>>,
}

impl Towards {
    pub fn new(program: &ProgramFlow<'_>, targets: &Targets) -> Self {
        let n_reached = targets.n_reached();
        let reach = Reach::new(program, targets.open().map(|(_, target)| target));
        Self { n_reached, reach, above: RefCell::default() }
    }

    pub fn is_current(&self, targets: &Targets) -> bool {
        self.n_reached == targets.n_reached()
    }

    /// How far an open alternative is from a target. Nothing if it leads to none.
    pub fn distance(&self, program: &ProgramFlow<'_>, roots: &Roots, traces: &Traces, open: &Features) -> Option<u32> {
        let ahead = self.ahead(program, open);
        if ahead.target == 0 || ahead.back == UNREACHABLE {
            return Some(ahead.target).filter(|&distance| distance != UNREACHABLE);
        }
        let known = self.above.borrow().get(&open.stack).copied();
        let above = known.unwrap_or_else(|| {
            let above = self.above(program, roots, traces, open);
            self.above.borrow_mut().insert(open.stack, above);
            above
        });
        let above = match above {
            Above::Unknown => FAR,
            Above::Known(UNREACHABLE) => UNREACHABLE,
            Above::Known(distance) => (ahead.back + distance).min(FAR),
        };
        Some(ahead.target.min(above)).filter(|&distance| distance != UNREACHABLE)
    }

    fn ahead(&self, program: &ProgramFlow<'_>, open: &Features) -> Ahead {
        let (flow, image) = (&program.flow, program.image);
        let here = flow.block_of(open.site);
        let nearest = |blocks: &[BlockId], distances: &[u32]| {
            let nearest = blocks.iter().map(|block| distances[block.0 as usize]).min().unwrap_or(UNREACHABLE);
            nearest.saturating_add(1)
        };
        let ahead = |blocks: &[BlockId]| Ahead {
            target: nearest(blocks, &self.reach.below),
            back: nearest(blocks, program.to_return()),
        };
        match (flow.end(here), open.kind, open.choice) {
            (End::Branch(target), DecisionKind::Branch, choice) if flow.last(here) == open.site => {
                let (mark, block) = match choice == Choice::Key(jumps_if(image, open.site)) {
                    true => (Mark::Jumped, flow.block_of(*target)),
                    false => (Mark::FellThrough, flow.next(here)),
                };
                let way = ahead(&[block]);
                if self.reach.has_outcome(open.site, mark) { Ahead { target: 0, ..way } } else { way }
            }
            (End::Switch(targets), DecisionKind::Switch, Choice::Key(key))
                if image.op(open.site).code == OpCode::Switch =>
            {
                let table = &image.switches[image.op(open.site).b as usize];
                let taken = targets.iter().filter(|&&target| u64::from(table.place_of(target).0) == key);
                let blocks: Vec<BlockId> = taken.map(|&target| flow.block_of(target)).collect();
                ahead(&blocks)
            }
            (end, ..) => {
                let (mut next, mut inside) = (Vec::new(), Vec::new());
                flow.visit_next(image, here, |block| next.push(block));
                flow.visit_inside(here, |block| inside.push(block));
                let is_behind = self.reach.is_behind(program, open.site);
                Ahead {
                    target: if is_behind { 0 } else { nearest(&next, &self.reach.below) },
                    back: if *end == End::Return { 0 } else { nearest(&inside, program.to_return()) },
                }
            }
        }
    }

    /// From the return of the function that decides, through its callers.
    fn above(&self, program: &ProgramFlow<'_>, roots: &Roots, traces: &Traces, open: &Features) -> Above {
        let (flow, image) = (&program.flow, program.image);
        let mut callers = traces.ops(TraceId(open.stack));
        let Some(mut function) = callers.next().and_then(|op_idx| image.function_id_at(op_idx)) else {
            return Above::Unknown;
        };
        if traces.is_full() || image.function_id_at(open.site) != Some(function) {
            return Above::Unknown;
        }
        let (mut best, mut so_far) = (UNREACHABLE, 0);
        for call in callers {
            let block = flow.block_of(call);
            let entry = image.functions[function.index()].entry;
            let calls_it = |callee| flow.entries(image, callee).contains(&entry);
            match *flow.end(block) {
                End::Call(callee) if flow.last(block) == call && calls_it(callee) => {}
                _ => return Above::Unknown,
            }
            let Some(caller) = image.function_id_at(call) else { return Above::Unknown };
            let behind = flow.next(block).0 as usize;
            best = best.min(self.reach.below[behind].saturating_add(so_far));
            so_far = program.to_return()[behind].saturating_add(so_far);
            function = caller;
            if so_far >= FAR {
                return Above::Known(best);
            }
        }
        let Some(after) = roots.after(function) else { return Above::Unknown };
        let next = after.iter().map(|&function| self.reach.from_entry(program, function)).min();
        Above::Known(best.min(next.unwrap_or(UNREACHABLE).saturating_add(so_far)))
    }
}

/// The number of the alternative in which a branch jumps.
fn jumps_if(image: &Image, site: OpIdx) -> u64 {
    u64::from(image.op(site).code != OpCode::BrIfNot)
}
