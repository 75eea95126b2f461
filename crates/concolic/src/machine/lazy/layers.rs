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
}

/// What is written.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// From a place in some content on.
    Bytes { content: Content, offset: ExprId },
    /// The same byte again and again.
    Fill(ExprId),
}

impl Layer {
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
