//! Which blocks, branches and lines of the user's code were reached.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use spelunk_concolic::marks::Marks;
use spelunk_ir::code::{Image, OpCode, OpIdx};
use spelunk_ir::debug::DebugInfo;
use spelunk_vm::Mark;

use crate::flow::{BlockId, End, Flow};
use crate::program::ProgramFlow;

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

/// What a condition or a switch of the source comes to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// The condition is false.
    False,
    True,
    /// The operation that a switch goes to, of which each case has its own.
    Case(OpIdx),
    /// Any of the others.
    OtherCase(OpIdx),
}

/// How many outcomes of conditions and switches in the user's code there are, and were met. They are counted as clang's source-based
/// coverage does: two for each condition and each case. Comparisons that are only values, where that has none, count too.
pub fn branches(program: &ProgramFlow<'_>, marks: &Marks) -> Ratio {
    let mut ratio = Ratio::default();
    visit_branches(program, marks, |_, _, is_covered| ratio.count(is_covered));
    ratio
}

/// Calls `visit` with each outcome of conditions and switches in the user's code: the operation, what it came to, and whether
/// it did.
pub fn visit_branches(program: &ProgramFlow<'_>, marks: &Marks, mut visit: impl FnMut(OpIdx, Outcome, bool)) {
    let flow = &program.flow;
    for block in program.counted() {
        for op in flow.op_indices(block).filter(|&op| program.image.op(op).code == OpCode::Observe) {
            visit(op, Outcome::True, marks.has(op, Mark::Jumped));
            visit(op, Outcome::False, marks.has(op, Mark::FellThrough));
        }
        let last = flow.last(block);
        match flow.end(block) {
            End::Branch(_) if program.image.counts_branch(last) => {
                let (jump, go_on) = match program.image.is_inverted(last) {
                    true => (Outcome::False, Outcome::True),
                    false => (Outcome::True, Outcome::False),
                };
                visit(last, jump, marks.has(last, Mark::Jumped));
                visit(last, go_on, marks.has(last, Mark::FellThrough));
            }
            End::Switch(targets) => {
                let mut targets = targets.to_vec();
                targets.sort_unstable();
                targets.dedup();
                let is_reached = |target: &OpIdx| marks.has(*target, Mark::Reached);
                let n_reached = targets.iter().filter(|target| is_reached(target)).count();
                for &target in &targets {
                    visit(last, Outcome::Case(target), is_reached(&target));
                    if program.image.op(last).code == OpCode::Switch {
                        let n_others = n_reached - usize::from(is_reached(&target));
                        visit(last, Outcome::OtherCase(target), n_others > 0);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether the number that a branch decision gives to its alternatives is the other way round than in the source.
pub fn is_flipped(image: &Image, op_idx: OpIdx) -> bool {
    // The condition of a plain branch is that of the source, whichever way it jumps; one with a comparison of its own has
    // the comparison turned round.
    let is_plain = matches!(image.op(op_idx).code, OpCode::BrIf | OpCode::BrIfNot);
    !is_plain && image.is_inverted(op_idx)
}

/// Which lines of the user's code have instructions in which blocks.
#[derive(Debug)]
pub struct Lines {
    files: Vec<PathBuf>,
    /// A file's number and a line in it.
    lines: Vec<(u32, u32)>,
    /// Which block has an instruction of which line, by numbers.
    in_blocks: Vec<(BlockId, u32)>,
}

impl Lines {
    pub fn new(program: &ProgramFlow<'_>, debug: &DebugInfo) -> Self {
        let (image, flow) = (program.image, &program.flow);
        let mut numbers: FxHashMap<PathBuf, u32> = FxHashMap::default();
        let mut line_numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut lines = Self { files: Vec::new(), lines: Vec::new(), in_blocks: Vec::new() };
        for block in program.counted() {
            for op_idx in flow.op_indices(block) {
                let Some(loc) = image.loc(op_idx).and_then(|id| debug.location(id)) else { continue };
                let Some(file) = loc.file.filter(|_| loc.line != 0) else { continue };
                let file = *numbers.entry(file.path()).or_insert_with_key(|path| {
                    lines.files.push(path.clone());
                    lines.files.len() as u32 - 1
                });
                let line = *line_numbers.entry((file, loc.line)).or_insert_with_key(|&line| {
                    lines.lines.push(line);
                    lines.lines.len() as u32 - 1
                });
                lines.in_blocks.push((block, line));
            }
        }
        lines.in_blocks.dedup();
        lines
    }

    /// How many lines had an instruction executed.
    pub fn ratio(&self, flow: &Flow, marks: &Marks) -> Ratio {
        let covered = self.covered(flow, marks).into_iter().filter(|&is_covered| is_covered).count();
        Ratio { covered: covered as u64, total: self.lines.len() as u64 }
    }

    /// By file, all lines and whether one of their instructions was executed.
    pub fn by_file(&self, flow: &Flow, marks: &Marks) -> BTreeMap<&Path, BTreeMap<u32, bool>> {
        let mut files: BTreeMap<&Path, BTreeMap<u32, bool>> = BTreeMap::new();
        for (&(file, line), is_covered) in self.lines.iter().zip(self.covered(flow, marks)) {
            files.entry(&self.files[file as usize]).or_default().insert(line, is_covered);
        }
        files
    }

    /// By line, in an order that does not change, whether one of its instructions was executed.
    pub fn covered(&self, flow: &Flow, marks: &Marks) -> Vec<bool> {
        let reached = reached_blocks(flow, marks);
        let mut covered = vec![false; self.lines.len()];
        for &(block, line) in &self.in_blocks {
            covered[line as usize] |= reached[block.0 as usize];
        }
        covered
    }
}
