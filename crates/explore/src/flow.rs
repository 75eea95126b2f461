//! Control flow of a whole program: the blocks of all functions, and where calls and returns lead between them.
//!
//! What a pointer calls is taken to be every function whose address the program takes and that can be called like this.

use rustc_hash::FxHashMap;
use spelunk_ir::code::{CheckedImage, FuncCode, Image, OpIdx, StaticKind, Target};
use spelunk_ir::flow::Callee;
use spelunk_ir::lower::returns_twice;
use spelunk_ir::model::FuncId;

pub use spelunk_ir::flow::End;

/// What never returns, but goes to where some `setjmp` has returned.
const LONGJMPS: &[&str] = &["longjmp", "_longjmp", "siglongjmp"];

/// A block's number in the whole program; blocks are in the order of their operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

#[derive(Debug)]
pub struct Flow {
    /// The first operation of each block, and behind the last one how many operations there are.
    starts: Vec<OpIdx>,
    ends: Vec<End>,
    /// The first operations of the functions that a call through a pointer may come to, by call site.
    by_site: FxHashMap<u32, Vec<OpIdx>>,
    /// Where control comes to by a `longjmp`.
    leap_targets: Vec<BlockId>,
}

impl Flow {
    pub fn new(image: &CheckedImage) -> Self {
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for function in (0..image.functions.len()).map(FuncId::new) {
            let blocks = &image.flow(function).blocks;
            for block in blocks.ids() {
                starts.push(blocks.ops(block).start);
                ends.push(blocks.end(block).clone());
            }
        }
        starts.push(OpIdx::new(image.ops.len()));
        let is_setjmp =
            |end: &End| matches!(end, End::Call(callee) if callee.external_name(image).is_some_and(returns_twice));
        let leap_targets =
            (1..).map(BlockId).zip(&ends).filter(|(_, end)| is_setjmp(end)).map(|(next, _)| next).collect();
        let by_site = functions_by_site(image, &ends);
        Self { starts, ends, by_site, leap_targets }
    }

    pub fn n_blocks(&self) -> usize {
        self.ends.len()
    }

    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.ends.len() as u32).map(BlockId)
    }

    pub fn block_of(&self, op_idx: OpIdx) -> BlockId {
        BlockId(self.starts.partition_point(|&start| start <= op_idx) as u32 - 1)
    }

    pub fn end(&self, block: BlockId) -> &End {
        &self.ends[block.0 as usize]
    }

    /// The operations of a block.
    pub fn ops(&self, block: BlockId) -> std::ops::Range<OpIdx> {
        self.starts[block.0 as usize]..self.starts[block.0 as usize + 1]
    }

    /// The same, one after another.
    pub fn op_indices(&self, block: BlockId) -> impl Iterator<Item = OpIdx> + use<> {
        let std::ops::Range { start, end } = self.ops(block);
        start.up_to(end)
    }

    /// The operation that decides where a block leads.
    pub fn last(&self, block: BlockId) -> OpIdx {
        self.starts[block.0 as usize + 1].previous()
    }

    pub fn next(&self, block: BlockId) -> BlockId {
        BlockId(block.0 + 1)
    }

    /// Where the functions start that a call may enter.
    pub fn entries(&self, image: &Image, callee: Callee) -> Vec<OpIdx> {
        match callee {
            Callee::Function(id) => entry_of(image, id).into_iter().collect(),
            Callee::Pointer(site) => self.by_site.get(&site).cloned().unwrap_or_default(),
            Callee::External(external) => twin_of(image, external).into_iter().collect(),
        }
    }

    /// Calls `visit` with every block that control may go to from this one; after a call, with the one behind it too.
    pub fn visit_next(&self, image: &Image, block: BlockId, mut visit: impl FnMut(BlockId)) {
        self.visit_inside(block, &mut visit);
        self.visit_called(image, block, visit);
    }

    /// Those of the same function.
    pub fn visit_inside(&self, block: BlockId, mut visit: impl FnMut(BlockId)) {
        let end = self.end(block);
        end.visit_targets(|target| visit(self.block_of(target)));
        if matches!(end, End::Next | End::Branch(_) | End::Call(_)) {
            visit(self.next(block));
        }
    }

    /// Those where functions start that it may call, or that it may leap to.
    pub fn visit_called(&self, image: &Image, block: BlockId, mut visit: impl FnMut(BlockId)) {
        let End::Call(callee) = *self.end(block) else { return };
        self.entries(image, callee).into_iter().for_each(|entry| visit(self.block_of(entry)));
        if callee.external_name(image).is_some_and(|name| LONGJMPS.contains(&name)) {
            self.leap_targets.iter().for_each(|&block| visit(block));
        }
    }
}

/// The functions whose address the program takes, by the calls that may come to them.
fn functions_by_site(image: &Image, ends: &[End]) -> FxHashMap<u32, Vec<OpIdx>> {
    let mut taken: Vec<(&FuncCode, OpIdx)> = Vec::new();
    for object in &image.statics {
        if let StaticKind::Function(id) = object.kind
            && let Some(entry) = entry_of(image, id)
            && image.function_at(entry).is_none_or(|function| function.is_address_taken)
        {
            let code = &image.functions[id.index()];
            let definition = match code.target {
                Target::Function(definition) => &image.functions[definition.index()],
                Target::Code | Target::External(_) => code,
            };
            taken.push((definition, entry));
        }
    }
    let called = |site: u32| {
        let site = &image.call_sites[site as usize];
        let fitting = taken.iter().filter(|(code, _)| code.accepts(site));
        fitting.map(|&(_, entry)| entry).collect()
    };
    let sites = ends.iter().filter_map(|end| match end {
        End::Call(Callee::Pointer(site)) => Some(*site),
        _ => None,
    });
    sites.map(|site| (site, called(site))).collect()
}

fn entry_of(image: &Image, id: FuncId) -> Option<OpIdx> {
    let code = &image.functions[id.index()];
    match code.target {
        Target::Code => Some(code.entry),
        Target::Function(definition) => Some(image.functions[definition.index()].entry),
        Target::External(external) => twin_of(image, external),
    }
}

/// Where the code starts that may be entered instead of a library function in Rust.
fn twin_of(image: &Image, external: u32) -> Option<OpIdx> {
    let twin = *image.twins.get(external as usize)?;
    twin.map(|id| image.functions[id.index()].entry)
}
