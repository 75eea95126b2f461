//! Where what a branch decides ends, and which registers may differ there.

use rustc_hash::FxHashMap;
use spelunk_ir::code::{CheckedImage, OpIdx};
use std::sync::Arc;

/// What a branch decides.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// Where all its ways come together; at the function's end if there is no such place.
    pub join: Option<OpIdx>,
    /// Slots that some way assigns and that matter there.
    pub assigned: Arc<[usize]>,
}

/// The extents of branches, by operation.
#[derive(Debug, Default)]
pub(super) struct Extents(FxHashMap<OpIdx, Extent>);

impl Extents {
    pub fn of(&mut self, image: &CheckedImage, branch: OpIdx) -> Extent {
        self.0.entry(branch).or_insert_with(|| extent(image, branch)).clone()
    }
}

/// Ways that never return are left out: what they keep others from doing is found by other means, and a check of each
/// input would otherwise decide all that follows.
fn extent(image: &CheckedImage, branch: OpIdx) -> Extent {
    let nothing = Extent { join: None, assigned: Arc::default() };
    let Some(function) = image.function_id_at(branch) else { return nothing };
    let flow = image.flow(function);
    let block = flow.blocks.of(branch);
    let returning = flow.before_return();
    let join = match returning.postdominates(block, block) {
        true => returning.ipdom(block),
        false => flow.postdominators().ipdom(block),
    };
    let Some(join) = join else { return nothing };
    let registers = image.registers(function);
    let assigned = registers.assigned(flow.region(block, Some(join)));
    let live = registers.live_at(join);
    let assigned = assigned.iter().filter(|&slot| live.contains(slot)).collect();
    Extent { join: Some(flow.blocks.ops(join).start), assigned }
}

/// A branch whose ways have not come together yet.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub site: OpIdx,
    pub depth: usize,
    pub join: Option<OpIdx>,
    pub assigned: Arc<[usize]>,
    /// What was met at the branch: more than once in a loop.
    pub met: Vec<u32>,
    /// Its kind of effects.
    pub effects: u32,
    /// How much was written before.
    pub first_write: usize,
    /// Whether it lasts until its function returns, since some way of it leaps there.
    pub has_leapt: bool,
}

impl Region {
    /// What decides all that follows.
    pub fn to_the_end(site: OpIdx, met: u32, effects: u32) -> Self {
        Self {
            site,
            depth: 0,
            join: None,
            assigned: Arc::default(),
            met: vec![met],
            effects,
            first_write: 0,
            has_leapt: false,
        }
    }
}
