//! Layers: an area of memory after one write of symbolic place or length.

use super::Content;
use spelunk_expr::ExprId;

/// An area after bytes were written somewhere in it. Places are of 64 bits, from the area's start on; the path's conditions say
/// that all that is written lies inside.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// The whole area as it was.
    pub below: Content,
    pub at: ExprId,
    pub len: ExprId,
    pub from: Source,
    /// How many layers there are under it, at most.
    pub depth: u32,
}

/// Layers over layers beyond this are not worth an expression.
pub(crate) const MAX_DEPTH: u32 = 256;

/// What is written.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// From a place in some content on.
    Bytes { content: Content, offset: ExprId },
    /// The same byte again and again.
    Fill(ExprId),
}

impl Source {
    fn depth(&self) -> u32 {
        match self {
            Self::Bytes { content, .. } => content.depth,
            Self::Fill(_) => 0,
        }
    }
}

impl Layer {
    /// Nothing if there are too many layers already.
    pub fn new(below: Content, at: ExprId, len: ExprId, from: Source) -> Option<Self> {
        let depth = 1 + below.depth.max(from.depth());
        (depth <= MAX_DEPTH).then_some(Self { below, at, len, from, depth })
    }

    pub fn visit_exprs(&self, visit: &mut dyn FnMut(ExprId)) {
        visit(self.at);
        visit(self.len);
        self.below.visit_exprs(visit);
        match &self.from {
            Source::Bytes { content, offset } => {
                content.visit_exprs(visit);
                visit(*offset);
            }
            Source::Fill(byte) => visit(*byte),
        }
    }

    /// Whether some byte of it may be uninitialised.
    pub fn may_be_undefined(&self) -> bool {
        let source = matches!(&self.from, Source::Bytes { content, .. } if content.may_be_undefined);
        self.below.may_be_undefined || source
    }
}
