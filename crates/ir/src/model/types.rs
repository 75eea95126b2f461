//! Types, interned, and their sizes and offsets under a data layout.
//!
//! Pointers are opaque, so struct types cannot be recursive: a named struct is its body, and the name is not kept.

use super::define_id;
use rustc_hash::FxHashMap;
use spelunk_bv::float::FloatKind;

define_id!(
    /// An interned type; equal types have equal ids.
    TypeId
);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    /// Any width from 1 up.
    Int(u32),
    Float(FloatKind),
    /// All pointers, whatever their address space.
    Ptr,
    Label,
    Metadata,
    Token,
    Array(TypeId, u64),
    Vector(TypeId, u32),
    Struct {
        fields: Box<[TypeId]>,
        packed: bool,
    },
    Function {
        ret: TypeId,
        params: Box<[TypeId]>,
        varargs: bool,
    },
    /// `%x = type opaque`: has no size.
    Opaque,
    /// Legal in LLVM but nothing that we execute (`x86_amx`, scalable vectors, `target("…")`); the text names it.
    Unsupported(Box<str>),
}

/// The parts of a target's data layout that differ between the x86-64 front ends we read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataLayout {
    /// ABI alignment of `i128` and wider integers: 8 before LLVM 18, 16 since.
    pub i128_align: u32,
}

impl Default for DataLayout {
    fn default() -> Self {
        Self { i128_align: 16 }
    }
}

/// Field offsets of a struct type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructLayout {
    pub offsets: Box<[u64]>,
    pub size: u64,
    pub align: u32,
}

#[derive(Debug)]
pub struct TypeTable {
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
}

impl Default for TypeTable {
    fn default() -> Self {
        let mut table = Self { types: Vec::new(), ids: FxHashMap::default() };
        // The order makes the associated constants below true.
        for ty in [Type::Void, Type::Ptr, Type::Int(1), Type::Int(8), Type::Int(32), Type::Int(64)] {
            table.mk(ty);
        }
        table
    }
}

impl std::ops::Index<TypeId> for TypeTable {
    type Output = Type;

    fn index(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }
}

impl TypeTable {
    pub const VOID: TypeId = TypeId(0);
    pub const PTR: TypeId = TypeId(1);
    pub const I1: TypeId = TypeId(2);
    pub const I8: TypeId = TypeId(3);
    pub const I32: TypeId = TypeId(4);
    pub const I64: TypeId = TypeId(5);

    /// Interns a type.
    pub fn mk(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId::new(self.types.len());
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub fn mk_int(&mut self, width: u32) -> TypeId {
        self.mk(Type::Int(width))
    }

    pub fn len(&self) -> usize {
        self.types.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    /// Bytes that a store of this type writes. `None` for types without a size.
    pub fn store_size(&self, layout: DataLayout, id: TypeId) -> Option<u64> {
        match &self[id] {
            Type::Int(width) => Some(u64::from(width.div_ceil(8))),
            Type::Float(kind) => Some(u64::from(kind.store_size())),
            Type::Ptr => Some(8),
            Type::Array(elem, n) => self.alloc_size(layout, *elem)?.checked_mul(*n),
            Type::Vector(..) => Some(self.bit_size(id)?.div_ceil(8)),
            Type::Struct { .. } => Some(self.struct_layout(layout, id)?.size),
            _ => None,
        }
    }

    /// Distance between two elements of this type in an array.
    pub fn alloc_size(&self, layout: DataLayout, id: TypeId) -> Option<u64> {
        let align = u64::from(self.abi_align(layout, id)?);
        self.store_size(layout, id)?.checked_next_multiple_of(align)
    }

    pub fn abi_align(&self, layout: DataLayout, id: TypeId) -> Option<u32> {
        Some(match &self[id] {
            Type::Int(width) => match width {
                0..=8 => 1,
                9..=16 => 2,
                17..=32 => 4,
                33..=64 => 8,
                _ => layout.i128_align,
            },
            Type::Float(kind) => kind.store_size().next_power_of_two(),
            Type::Ptr => 8,
            Type::Array(elem, _) => self.abi_align(layout, *elem)?,
            Type::Vector(..) => u32::try_from(self.store_size(layout, id)?.next_power_of_two()).ok()?,
            Type::Struct { .. } => self.struct_layout(layout, id)?.align,
            _ => return None,
        })
    }

    /// Width in bits of a scalar as it stands in a vector, or of a whole vector.
    pub fn bit_size(&self, id: TypeId) -> Option<u64> {
        match &self[id] {
            Type::Int(width) => Some(u64::from(*width)),
            Type::Float(kind) => Some(u64::from(kind.bits())),
            Type::Ptr => Some(64),
            Type::Vector(elem, n) => self.bit_size(*elem)?.checked_mul(u64::from(*n)),
            _ => None,
        }
    }

    pub fn struct_layout(&self, layout: DataLayout, id: TypeId) -> Option<StructLayout> {
        let Type::Struct { fields, packed } = &self[id] else {
            return None;
        };
        let mut offset = 0u64;
        let mut align = 1;
        let mut offsets = Vec::with_capacity(fields.len());
        for &field in fields {
            if !packed {
                let field_align = self.abi_align(layout, field)?;
                align = align.max(field_align);
                offset = offset.checked_next_multiple_of(u64::from(field_align))?;
            }
            offsets.push(offset);
            offset = offset.checked_add(self.alloc_size(layout, field)?)?;
        }
        let size = offset.checked_next_multiple_of(u64::from(align))?;
        Some(StructLayout { offsets: offsets.into(), size, align })
    }
}
