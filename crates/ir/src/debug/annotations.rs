//! What a source says of its declarations by `__attribute__((btf_decl_tag("…")))`.

use super::{CTypeId, DebugInfo, SourceFile};
use crate::model::{MdId, MdNode, MdValue};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Annotation<'p> {
    pub on: Annotated<'p>,
    pub text: &'p str,
    pub file: Option<SourceFile<'p>>,
    pub line: u32,
}

/// What is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Annotated<'p> {
    Record(CTypeId),
    Member {
        record: CTypeId,
        name: &'p str,
    },
    /// Of the function with this `DISubprogram`.
    Parameter {
        function: MdId,
        name: &'p str,
    },
    Global(&'p str),
}

impl<'p> DebugInfo<'p> {
    /// All annotations, in the order of the metadata.
    pub fn annotations(&self) -> Vec<Annotation<'p>> {
        (0..self.program.metadata.nodes.len()).flat_map(|id| self.annotations_of(MdId::new(id))).collect()
    }

    fn annotations_of(&self, id: MdId) -> Vec<Annotation<'p>> {
        let annotated = || {
            let fields = self.fields(id)?;
            let tags = fields.node("annotations")?;
            let on = match (fields.kind, fields.symbol("tag")) {
                ("DICompositeType", _) => Annotated::Record(CTypeId::from(id)),
                ("DIDerivedType", Some("DW_TAG_member")) => {
                    Annotated::Member { record: CTypeId::new(fields.node("scope")), name: fields.string("name")? }
                }
                ("DILocalVariable", _) if fields.unsigned::<u32>("arg") > 0 => {
                    Annotated::Parameter { function: fields.node("scope")?, name: fields.string("name")? }
                }
                ("DIGlobalVariable", _) => Annotated::Global(fields.string("name")?),
                _ => return None,
            };
            Some((on, tags, self.file_of(&fields), fields.unsigned("line")))
        };
        let Some((on, tags, file, line)) = annotated() else { return Vec::new() };
        let texts = self.tuple(Some(tags)).flatten().filter_map(|tag| self.annotation_text(tag));
        texts.map(|text| Annotation { on, text, file, line }).collect()
    }

    /// The text of `!{!"btf_decl_tag", !"text"}`.
    fn annotation_text(&self, tag: MdId) -> Option<&'p str> {
        let MdNode::Tuple { elems, .. } = self.program.metadata.nodes.get(tag.index())? else { return None };
        match &elems[..] {
            [MdValue::String(kind), MdValue::String(text)] if **kind == *"btf_decl_tag" => Some(text),
            _ => None,
        }
    }
}
