//! Which blocks, branches and lines of the user's code were reached.

use std::collections::BTreeMap;
use std::path::PathBuf;

use spelunk_concolic::marks::Marks;
use spelunk_ir::code::{Image, Origin};
use spelunk_ir::debug::DebugInfo;
use spelunk_vm::Mark;

use crate::flow::{BlockId, End, Flow};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ratio {
    pub covered: u64,
    pub total: u64,
}

impl Ratio {
    fn count(&mut self, is_covered: bool) {
        self.total += 1;
        self.covered += u64::from(is_covered);
    }
}

/// The blocks that control came to.
pub fn reached_blocks(flow: &Flow, marks: &Marks) -> Vec<bool> {
    let mut reached = vec![false; flow.n_blocks()];
    let entered = |block: &BlockId| marks.has(flow.ops(*block).start, Mark::Reached);
    let mut stack: Vec<BlockId> = flow.blocks().filter(entered).collect();
    while let Some(block) = stack.pop() {
        if std::mem::replace(&mut reached[block.0 as usize], true) {
            continue;
        }
        let last = flow.last(block);
        match flow.end(block) {
            End::Next => stack.push(flow.next(block)),
            End::Jump(target) => stack.push(flow.block_of(*target)),
            End::Branch(target) => {
                if marks.has(last, Mark::Jumped) {
                    stack.push(flow.block_of(*target));
                }
                if marks.has(last, Mark::FellThrough) {
                    stack.push(flow.next(block));
                }
            }
            // Where these lead to is marked by itself.
            End::Switch(_) | End::Call(_) | End::Return | End::Dead => {}
        }
    }
    reached
}

/// The outcomes of conditional branches and switches in the user's code.
pub fn branches(image: &Image, flow: &Flow, marks: &Marks) -> Ratio {
    let mut ratio = Ratio::default();
    for block in user_blocks(image, flow) {
        let last = flow.last(block);
        match flow.end(block) {
            End::Branch(_) => {
                ratio.count(marks.has(last, Mark::Jumped));
                ratio.count(marks.has(last, Mark::FellThrough));
            }
            End::Switch(targets) => {
                let mut targets = targets.clone();
                targets.sort_unstable();
                targets.dedup();
                targets.iter().for_each(|&target| ratio.count(marks.has(target, Mark::Reached)));
            }
            _ => {}
        }
    }
    ratio
}

/// By file, the lines of the user's code that have instructions, and whether one of them was executed.
pub fn lines(image: &Image, debug: &DebugInfo, flow: &Flow, marks: &Marks) -> BTreeMap<PathBuf, BTreeMap<u32, bool>> {
    let reached = reached_blocks(flow, marks);
    let mut files: BTreeMap<PathBuf, BTreeMap<u32, bool>> = BTreeMap::new();
    for block in user_blocks(image, flow) {
        for op_idx in flow.ops(block) {
            let Some(loc) = image.loc(op_idx as usize).and_then(|id| debug.location(id)) else { continue };
            let Some(file) = loc.file.filter(|_| loc.line != 0) else { continue };
            *files.entry(file.path()).or_default().entry(loc.line).or_default() |= reached[block.0 as usize];
        }
    }
    files
}

fn user_blocks<'a>(image: &'a Image, flow: &'a Flow) -> impl Iterator<Item = BlockId> + 'a {
    let functions = image.functions.iter().filter(|code| code.origin == Origin::User && code.entry < code.end);
    functions.flat_map(|code| (flow.block_of(code.entry).0..=flow.block_of(code.end - 1).0).map(BlockId))
}
