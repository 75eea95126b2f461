//! C types out of `DIBasicType`, `DIDerivedType`, `DICompositeType` and `DISubroutineType` nodes.
//!
//! A type is an id and is decoded one level at a time, so recursive types need no care. Ids are per module: the same
//! struct in two source files has two ids.

use super::DebugInfo;
use super::fields::Fields;
use crate::model::MdId;
use rustc_hash::FxHashMap;

/// Longest chain of typedefs and qualifiers that is followed; a longer one is a cycle in malformed metadata.
const MAX_CHAIN: usize = 256;

/// A C type. Debug info writes `void` as the absence of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CTypeId(Option<MdId>);

impl CTypeId {
    pub const VOID: Self = Self(None);

    pub(super) fn new(node: Option<MdId>) -> Self {
        Self(node)
    }
}

/// The type that a node states.
impl From<MdId> for CTypeId {
    fn from(node: MdId) -> Self {
        Self(Some(node))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CType<'p> {
    Void,
    Base {
        name: &'p str,
        /// In bytes.
        size: u64,
        encoding: Encoding,
    },
    Pointer {
        target: CTypeId,
    },
    Qualified {
        qualifier: Qualifier,
        target: CTypeId,
    },
    Typedef {
        name: &'p str,
        target: CTypeId,
    },
    Record {
        kind: RecordKind,
        /// `None` if anonymous.
        name: Option<&'p str>,
        /// In bytes; `None` for a forward declaration.
        size: Option<u64>,
        members: Vec<Member<'p>>,
    },
    Enum {
        name: Option<&'p str>,
        /// The integer type that holds it, where stated.
        base: Option<CTypeId>,
        /// In bytes; `None` for a forward declaration.
        size: Option<u64>,
        values: Vec<Enumerator<'p>>,
    },
    /// All dimensions at once, outermost first.
    Array {
        elem: CTypeId,
        dims: Vec<ArrayLen>,
    },
    /// A SIMD vector.
    Vector {
        elem: CTypeId,
        len: ArrayLen,
    },
    Function {
        ret: CTypeId,
        params: Vec<CTypeId>,
        /// Ends in `...` or, before C23, has no prototype: debug info does not tell them apart.
        varargs: bool,
    },
    /// Nothing that C has, or malformed.
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Qualifier {
    Const,
    Volatile,
    Restrict,
    Atomic,
}

/// What the bytes of a base type mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    Boolean,
    Signed,
    Unsigned,
    SignedChar,
    UnsignedChar,
    Float,
    ComplexFloat,
    /// `char16_t` and the like.
    Utf,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayLen {
    Known(u64),
    /// The length of a VLA, kept in this `DILocalVariable`.
    Variable(MdId),
    /// `[]`.
    Unknown,
}

impl ArrayLen {
    pub fn known(self) -> Option<u64> {
        match self {
            Self::Known(len) => Some(len),
            Self::Variable(_) | Self::Unknown => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member<'p> {
    /// `None` for an anonymous struct or union.
    pub name: Option<&'p str>,
    pub ty: CTypeId,
    pub bit_offset: u64,
    /// The width of a bit-field, `None` for other members.
    pub bit_width: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Enumerator<'p> {
    pub name: &'p str,
    pub value: i128,
}

impl<'p> DebugInfo<'p> {
    /// One level of a type.
    pub fn ctype(&self, id: CTypeId) -> CType<'p> {
        let Some(node) = id.0 else { return CType::Void };
        let decoded = self.fields(node).and_then(|fields| match fields.kind {
            "DIBasicType" => self.base(&fields),
            "DIDerivedType" => self.derived(&fields),
            "DICompositeType" => self.composite(&fields),
            "DISubroutineType" => Some(self.function_type(&fields)),
            _ => None,
        });
        decoded.unwrap_or(CType::Unknown)
    }

    /// The type without typedefs and qualifiers around it.
    pub fn unqualified(&self, mut id: CTypeId) -> CTypeId {
        for _ in 0..MAX_CHAIN {
            match self.ctype(id) {
                CType::Qualified { target, .. } | CType::Typedef { target, .. } => id = target,
                _ => break,
            }
        }
        id
    }

    /// The definition behind a forward declaration, if any module has one of that name; else the type itself.
    pub fn complete(&self, id: CTypeId) -> CTypeId {
        let definition = || {
            let fields = self.fields_of_kind(id.0?, "DICompositeType").filter(is_forward)?;
            self.complete_types().get(&(fields.symbol("tag")?, fields.string("name")?)).copied()
        };
        definition().map_or(id, CTypeId::from)
    }

    /// The structure or union that C would mean by a name: `struct node`, a tag without its keyword, or a typedef.
    pub fn record_named(&self, spelled: &str) -> Option<CTypeId> {
        let tags = [("struct ", "DW_TAG_structure_type"), ("union ", "DW_TAG_union_type")];
        let tagged = tags.iter().find_map(|(keyword, tag)| Some((tag, spelled.strip_prefix(keyword)?.trim())));
        if let Some((tag, name)) = tagged {
            return self.complete_types().get(&(*tag, name)).copied().map(CTypeId::from);
        }
        let typedef = || {
            let ids = (0..self.program.metadata.nodes.len()).map(|id| CTypeId::from(MdId::new(id)));
            let mut named = ids.filter(|&id| matches!(self.ctype(id), CType::Typedef { name, .. } if name == spelled));
            let found = named.next().map(|id| self.complete(self.unqualified(id)))?;
            matches!(self.ctype(found), CType::Record { size: Some(_), .. }).then_some(found)
        };
        let tag = |(_, tag): &(&str, &'static str)| self.complete_types().get(&(*tag, spelled)).copied();
        typedef().or_else(|| tags.iter().find_map(tag).map(CTypeId::from))
    }

    /// Where the member of a structure is that C calls so (`a.b`), in bytes, and its type.
    pub fn member_named(&self, record: CTypeId, name: &str) -> Option<(u64, CTypeId)> {
        let CType::Record { members, .. } = self.ctype(self.complete(self.unqualified(record))) else { return None };
        let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
        let is_plain = |member: &&Member<'p>| member.bit_width.is_none();
        members.iter().filter(is_plain).find_map(|member| {
            let (at, inner) = match (member.name, rest) {
                (Some(own), None) if own == first => (0, member.ty),
                (Some(own), Some(rest)) if own == first => self.member_named(member.ty, rest)?,
                (None, _) => self.member_named(member.ty, name)?,
                _ => return None,
            };
            Some((member.bit_offset / 8 + at, inner))
        })
    }

    /// The typedefs of structures and unions, with what they name.
    pub fn record_typedefs(&self) -> Vec<(&'p str, CTypeId)> {
        let ids = (0..self.program.metadata.nodes.len()).map(|id| CTypeId::from(MdId::new(id)));
        let named = ids.filter_map(|id| match self.ctype(id) {
            CType::Typedef { name, .. } => Some((name, self.complete(self.unqualified(id)))),
            _ => None,
        });
        named.filter(|&(_, id)| matches!(self.ctype(id), CType::Record { .. })).collect()
    }

    /// Bytes of an object of this type, if that is fixed.
    pub fn size_of(&self, mut id: CTypeId) -> Option<u64> {
        let mut count = 1u64;
        for _ in 0..MAX_CHAIN {
            let size = match self.ctype(self.complete(self.unqualified(id))) {
                CType::Base { size, .. } => size,
                CType::Pointer { .. } => 8,
                CType::Record { size, .. } | CType::Enum { size, .. } => size?,
                CType::Array { elem, dims } => {
                    count = dims.iter().try_fold(count, |count, len| count.checked_mul(len.known()?))?;
                    id = elem;
                    continue;
                }
                CType::Vector { elem, len } => {
                    count = count.checked_mul(len.known()?)?;
                    id = elem;
                    continue;
                }
                _ => return None,
            };
            return size.checked_mul(count);
        }
        None
    }

    fn base(&self, fields: &Fields<'p>) -> Option<CType<'p>> {
        if fields.symbol("tag") == Some("DW_TAG_unspecified_type") {
            return None;
        }
        let encoding = match fields.symbol("encoding")? {
            "DW_ATE_boolean" => Encoding::Boolean,
            "DW_ATE_signed" => Encoding::Signed,
            "DW_ATE_unsigned" => Encoding::Unsigned,
            "DW_ATE_signed_char" => Encoding::SignedChar,
            "DW_ATE_unsigned_char" => Encoding::UnsignedChar,
            "DW_ATE_float" => Encoding::Float,
            "DW_ATE_complex_float" => Encoding::ComplexFloat,
            "DW_ATE_UTF" => Encoding::Utf,
            _ => Encoding::Other,
        };
        let size = bytes(fields);
        let name = match (encoding, size) {
            // Debug info calls them all `complex`.
            (Encoding::ComplexFloat, 8) => "_Complex float",
            (Encoding::ComplexFloat, 16) => "_Complex double",
            (Encoding::ComplexFloat, 32) => "_Complex long double",
            _ => fields.string("name")?,
        };
        Some(CType::Base { name, size, encoding })
    }

    fn derived(&self, fields: &Fields<'p>) -> Option<CType<'p>> {
        let target = CTypeId(fields.node("baseType"));
        let qualified = |qualifier| CType::Qualified { qualifier, target };
        Some(match fields.symbol("tag")? {
            "DW_TAG_pointer_type" => CType::Pointer { target },
            "DW_TAG_typedef" => CType::Typedef { name: fields.string("name")?, target },
            "DW_TAG_const_type" => qualified(Qualifier::Const),
            "DW_TAG_volatile_type" => qualified(Qualifier::Volatile),
            "DW_TAG_restrict_type" => qualified(Qualifier::Restrict),
            "DW_TAG_atomic_type" => qualified(Qualifier::Atomic),
            _ => return None,
        })
    }

    fn composite(&self, fields: &Fields<'p>) -> Option<CType<'p>> {
        let name = fields.string("name");
        let size = (!is_forward(fields)).then(|| bytes(fields));
        let record = |kind| CType::Record { kind, name, size, members: self.members(fields) };
        Some(match fields.symbol("tag")? {
            "DW_TAG_structure_type" => record(RecordKind::Struct),
            "DW_TAG_union_type" => record(RecordKind::Union),
            "DW_TAG_enumeration_type" => CType::Enum {
                name,
                base: fields.node("baseType").map(CTypeId::from),
                size,
                values: self.enumerators(fields),
            },
            "DW_TAG_array_type" => self.array(fields),
            _ => return None,
        })
    }

    fn array(&self, fields: &Fields<'p>) -> CType<'p> {
        let elem = CTypeId(fields.node("baseType"));
        let dims: Vec<ArrayLen> = self.elements(fields, "DISubrange").map(|range| array_len(&range)).collect();
        match dims[..] {
            [len] if fields.has_flag("flags", "DIFlagVector") => CType::Vector { elem, len },
            _ => CType::Array { elem, dims },
        }
    }

    fn members(&self, fields: &Fields<'p>) -> Vec<Member<'p>> {
        let members = self.elements(fields, "DIDerivedType").filter(|member| {
            member.symbol("tag") == Some("DW_TAG_member") && !member.has_flag("flags", "DIFlagStaticMember")
        });
        members
            .map(|member| Member {
                name: member.string("name"),
                ty: CTypeId(member.node("baseType")),
                bit_offset: member.unsigned("offset"),
                bit_width: member.has_flag("flags", "DIFlagBitField").then(|| member.unsigned("size")),
            })
            .collect()
    }

    fn enumerators(&self, fields: &Fields<'p>) -> Vec<Enumerator<'p>> {
        self.elements(fields, "DIEnumerator")
            .filter_map(|value| Some(Enumerator { name: value.string("name")?, value: value.int("value")? }))
            .collect()
    }

    fn function_type(&self, fields: &Fields<'p>) -> CType<'p> {
        let mut types = self.tuple(fields.node("types"));
        let ret = CTypeId(types.next().flatten());
        let mut params: Vec<Option<MdId>> = types.collect();
        let varargs = params.pop_if(|last| last.is_none()).is_some();
        CType::Function { ret, params: params.into_iter().map(CTypeId).collect(), varargs }
    }

    /// The nodes of one kind among the `elements` of a composite type.
    fn elements(&self, fields: &Fields<'p>, kind: &str) -> impl Iterator<Item = Fields<'p>> {
        self.tuple(fields.node("elements")).filter_map(move |id| self.fields_of_kind(id?, kind))
    }

    /// The name that a typedef gives to a type without one.
    pub(super) fn typedef_name(&self, id: CTypeId) -> Option<&'p str> {
        let names = self.typedef_names.get_or_init(|| {
            let ids = (0..self.program.metadata.nodes.len()).map(MdId::new);
            let typedefs = ids.filter_map(|id| {
                let fields = self.fields_of_kind(id, "DIDerivedType")?;
                let target = fields.node("baseType").filter(|_| fields.symbol("tag") == Some("DW_TAG_typedef"))?;
                let is_anonymous = self.fields_of_kind(target, "DICompositeType")?.string("name").is_none();
                is_anonymous.then_some((target, fields.string("name")?))
            });
            // The first of several typedefs is the one at the definition.
            typedefs.collect::<Vec<_>>().into_iter().rev().collect()
        });
        names.get(&id.0?).copied()
    }

    fn complete_types(&self) -> &FxHashMap<(&'p str, &'p str), MdId> {
        self.complete_types.get_or_init(|| {
            let mut index = FxHashMap::default();
            for id in (0..self.program.metadata.nodes.len()).map(MdId::new) {
                let Some(fields) = self.fields_of_kind(id, "DICompositeType").filter(|fields| !is_forward(fields))
                else {
                    continue;
                };
                if let (Some(tag), Some(name)) = (fields.symbol("tag"), fields.string("name")) {
                    index.entry((tag, name)).or_insert(id);
                }
            }
            index
        })
    }
}

fn is_forward(fields: &Fields<'_>) -> bool {
    fields.has_flag("flags", "DIFlagFwdDecl")
}

fn bytes(fields: &Fields<'_>) -> u64 {
    fields.unsigned::<u64>("size").div_ceil(8)
}

/// Clang writes `count: -1` or no count at all for `[]`.
fn array_len(range: &Fields<'_>) -> ArrayLen {
    match (range.int("count"), range.node("count")) {
        (Some(count), _) => u64::try_from(count).map_or(ArrayLen::Unknown, ArrayLen::Known),
        (None, Some(variable)) => ArrayLen::Variable(variable),
        (None, None) => ArrayLen::Unknown,
    }
}
