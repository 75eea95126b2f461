//! Call stacks as numbers: a tree of call sites, so that remembering where an object was born costs one word.

use rustc_hash::FxHashMap;
use spelunk_ir::code::OpIdx;

/// A call stack; 0 is the empty one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TraceId(pub u32);

impl TraceId {
    pub const EMPTY: Self = Self(0);

    /// Of a local variable, which is declared in the function itself: its place alone says where, and no stack is kept.
    pub fn of_local(at: OpIdx) -> Self {
        Self(at.0)
    }

    /// Where a local variable is declared.
    pub fn as_local(self) -> OpIdx {
        OpIdx(self.0)
    }
}

/// The operation at the top of a stack, and the stack below it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Link {
    below: TraceId,
    op_idx: OpIdx,
}

#[derive(Debug)]
pub struct Traces {
    links: Vec<Link>,
    ids: FxHashMap<Link, TraceId>,
}

impl Default for Traces {
    fn default() -> Self {
        let root = Link { below: TraceId::EMPTY, op_idx: OpIdx::NOWHERE };
        Self { links: vec![root], ids: FxHashMap::default() }
    }
}

/// Programs that build trees recursively have endlessly many stacks; beyond this, only the top is kept.
const MAX_TRACES: usize = 1 << 20;

impl Traces {
    pub fn mk(&mut self, below: TraceId, op_idx: OpIdx) -> TraceId {
        let below = if self.is_full() { TraceId::EMPTY } else { below };
        let link = Link { below, op_idx };
        *self.ids.entry(link).or_insert_with(|| {
            self.links.push(link);
            TraceId(u32::try_from(self.links.len() - 1).expect("fewer call stacks than 2^32"))
        })
    }

    /// Whether there are so many that of new ones only the top is kept.
    pub fn is_full(&self) -> bool {
        self.links.len() > MAX_TRACES
    }

    /// The operations of a stack, innermost first.
    pub fn ops(&self, mut trace: TraceId) -> impl Iterator<Item = OpIdx> + '_ {
        std::iter::from_fn(move || {
            if trace == TraceId::EMPTY {
                return None;
            }
            let link = self.links[trace.0 as usize];
            trace = link.below;
            Some(link.op_idx)
        })
    }
}
