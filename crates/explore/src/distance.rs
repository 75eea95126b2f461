//! How far it is from a block to others: to a branch that has not gone both ways yet, or to whatever is looked for.

use spelunk_concolic::decision::{Choice, DecisionKind};
use spelunk_concolic::marks::Marks;
use spelunk_ir::code::{Image, OpCode};
use spelunk_vm::Mark;

use crate::flow::{BlockId, End, Flow};
use crate::tree::Features;

/// Farther than anything.
pub const UNREACHABLE: u32 = u32::MAX;

/// Distances in blocks, for the marks of a moment.
#[derive(Debug)]
pub struct Distances {
    by_block: Vec<u32>,
}

impl Distances {
    pub fn new(image: &Image, flow: &Flow, predecessors: &Predecessors, marks: &Marks) -> Self {
        let new = flow.blocks().filter(|&block| has_new_way(image, flow, marks, block));
        Self { by_block: predecessors.distances(new, Ways::All) }
    }

    /// How far an open alternative is from something new; zero if it is new itself.
    pub fn of(&self, image: &Image, flow: &Flow, marks: &Marks, open: &Features) -> u32 {
        let here = flow.block_of(open.site);
        let at = |block: BlockId| self.by_block[block.0 as usize].saturating_add(1);
        if open.kind != DecisionKind::Branch {
            return at(here);
        }
        let jumps_if = u64::from(image.op(open.site).code != OpCode::BrIfNot);
        let (mark, target) = match flow.end(here) {
            End::Branch(target) if open.choice == Choice::Key(jumps_if) => (Mark::Jumped, flow.block_of(*target)),
            End::Branch(_) => (Mark::FellThrough, flow.next(here)),
            _ => return at(here),
        };
        if marks.has(open.site, mark) { at(target) } else { 0 }
    }
}

/// Whether a block of the user's code ends in a branch that never went one of its ways.
fn has_new_way(image: &Image, flow: &Flow, marks: &Marks, block: BlockId) -> bool {
    let last = flow.last(block);
    let is_new = match flow.end(block) {
        End::Branch(_) => !(marks.has(last, Mark::Jumped) && marks.has(last, Mark::FellThrough)),
        End::Switch(targets) => targets.iter().any(|&target| !marks.has(target, Mark::Reached)),
        _ => false,
    };
    is_new && image.is_user_code(last)
}

/// Which ways between blocks count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ways {
    /// All of them. A function may return to any of its callers.
    All,
    /// Those inside of functions and into functions that are called.
    WithoutReturns,
    /// Those inside of functions; a call is passed over.
    Inside,
}

/// From which blocks control comes to a block.
#[derive(Debug)]
pub struct Predecessors {
    inside: Edges,
    /// From calls to where functions start, and from `longjmp` to `setjmp`.
    calls: Edges,
    returns: Edges,
}

impl Predecessors {
    pub fn new(image: &Image, flow: &Flow) -> Self {
        let (mut inside, mut calls, mut returns) = (Vec::new(), Vec::new(), Vec::new());
        for block in flow.blocks() {
            flow.visit_inside(block, |next| inside.push((next, block)));
            flow.visit_called(image, block, |next| calls.push((next, block)));
            let End::Call(callee) = *flow.end(block) else { continue };
            for entry in flow.entries(image, callee) {
                let Some(code) = image.function_at(entry) else { continue };
                let blocks = (flow.block_of(code.entry).0..=flow.block_of(code.end.previous()).0).map(BlockId);
                let returning = blocks.filter(|&from| *flow.end(from) == End::Return);
                returns.extend(returning.map(|from| (flow.next(block), from)));
            }
        }
        let [inside, calls, returns] = [inside, calls, returns].map(|edges| Edges::new(flow.n_blocks(), edges));
        Self { inside, calls, returns }
    }

    /// How far it is from each block to the nearest of some.
    pub fn distances(&self, to: impl IntoIterator<Item = BlockId>, ways: Ways) -> Vec<u32> {
        let mut by_block = vec![UNREACHABLE; self.inside.starts.len() - 1];
        let mut queue: Vec<BlockId> = to.into_iter().collect();
        queue.iter().for_each(|block| by_block[block.0 as usize] = 0);
        let mut next = 0;
        while let Some(&block) = queue.get(next) {
            next += 1;
            let distance = by_block[block.0 as usize] + 1;
            let calls = if ways == Ways::Inside { &[] } else { self.calls.of(block) };
            let returns = if ways == Ways::All { self.returns.of(block) } else { &[] };
            for &before in self.inside.of(block).iter().chain(calls).chain(returns) {
                if by_block[before.0 as usize] == UNREACHABLE {
                    by_block[before.0 as usize] = distance;
                    queue.push(before);
                }
            }
        }
        by_block
    }
}

/// Pairs of blocks, by the block that they lead to.
#[derive(Debug)]
struct Edges {
    /// Where the list of each block starts in `from`, and behind the last one the end.
    starts: Vec<u32>,
    from: Vec<BlockId>,
}

impl Edges {
    /// Each is where it leads to, and from where.
    fn new(n_blocks: usize, mut edges: Vec<(BlockId, BlockId)>) -> Self {
        edges.retain(|(to, _)| (to.0 as usize) < n_blocks);
        edges.sort_unstable();
        edges.dedup();
        let starts = (0..=n_blocks as u32).map(|block| edges.partition_point(|(to, _)| to.0 < block) as u32).collect();
        Self { starts, from: edges.into_iter().map(|(_, from)| from).collect() }
    }

    fn of(&self, block: BlockId) -> &[BlockId] {
        let idx = block.0 as usize;
        &self.from[self.starts[idx] as usize..self.starts[idx + 1] as usize]
    }
}
