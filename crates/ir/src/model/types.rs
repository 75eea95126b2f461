//! Types, interned, and their sizes and offsets under a data layout.
//!
//! Pointers are opaque, so struct types cannot be recursive: a named struct is its body. Its names stand beside it.

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

/// What a type takes in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Extent {
    /// Bytes that a store writes.
    store_size: u64,
    align: u32,
}

impl Extent {
    fn alloc_size(self) -> Option<u64> {
        self.store_size.checked_next_multiple_of(u64::from(self.align))
    }
}

/// The layouts for which extents are kept.
const LAYOUTS: [DataLayout; 2] = [DataLayout { i128_align: 8 }, DataLayout { i128_align: 16 }];

#[derive(Debug)]
pub struct TypeTable {
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    /// Computed once, when the type is interned, from those of its parts.
    extents: Vec<[Option<Extent>; LAYOUTS.len()]>,
    /// What modules call structures of a body: those of several C types may be one.
    names: FxHashMap<TypeId, Vec<Box<str>>>,
}

impl Default for TypeTable {
    fn default() -> Self {
        let mut table =
            Self { types: Vec::new(), ids: FxHashMap::default(), extents: Vec::new(), names: FxHashMap::default() };
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
        self.extents.push(LAYOUTS.map(|layout| self.compute_extent(layout, &ty)));
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// Notes that a module calls a structure so.
    pub fn note_name(&mut self, id: TypeId, name: &str) {
        let names = self.names.entry(id).or_default();
        if !names.iter().any(|known| **known == *name) {
            names.push(name.into());
        }
    }

    /// What modules call structures of this body: `struct.node`.
    pub fn names(&self, id: TypeId) -> &[Box<str>] {
        self.names.get(&id).map_or(&[], Vec::as_slice)
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

    fn extent(&self, layout: DataLayout, id: TypeId) -> Option<Extent> {
        let known = LAYOUTS.iter().position(|&known| known == layout)?;
        self.extents[id.index()][known]
    }

    fn compute_extent(&self, layout: DataLayout, ty: &Type) -> Option<Extent> {
        let (store_size, align) = match ty {
            Type::Int(width) => {
                let align = match width {
                    0..=8 => 1,
                    9..=16 => 2,
                    17..=32 => 4,
                    33..=64 => 8,
                    _ => layout.i128_align,
                };
                (u64::from(width.div_ceil(8)), align)
            }
            Type::Float(kind) => (u64::from(kind.store_size()), kind.store_size().next_power_of_two()),
            Type::Ptr => (8, 8),
            Type::Array(elem, n) => {
                let elem = self.extent(layout, *elem)?;
                (elem.alloc_size()?.checked_mul(*n)?, elem.align)
            }
            Type::Vector(elem, n) => {
                let size = self.bit_size(*elem)?.checked_mul(u64::from(*n))?.div_ceil(8);
                (size, u32::try_from(size.checked_next_power_of_two()?).ok()?)
            }
            Type::Struct { fields, packed } => {
                let layout = self.lay_out(layout, fields, *packed)?;
                (layout.size, layout.align)
            }
            _ => return None,
        };
        Some(Extent { store_size, align })
    }

    /// Bytes that a store of this type writes. `None` for types without a size.
    pub fn store_size(&self, layout: DataLayout, id: TypeId) -> Option<u64> {
        Some(self.extent(layout, id)?.store_size)
    }

    /// Distance between two elements of this type in an array.
    pub fn alloc_size(&self, layout: DataLayout, id: TypeId) -> Option<u64> {
        self.extent(layout, id)?.alloc_size()
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
        match &self[id] {
            Type::Struct { fields, packed } => self.lay_out(layout, fields, *packed),
            _ => None,
        }
    }

    fn lay_out(&self, layout: DataLayout, fields: &[TypeId], packed: bool) -> Option<StructLayout> {
        let mut offset = 0u64;
        let mut align = 1;
        let mut offsets = Vec::with_capacity(fields.len());
        for &field in fields {
            let extent = self.extent(layout, field)?;
            if !packed {
                align = align.max(extent.align);
                offset = offset.checked_next_multiple_of(u64::from(extent.align))?;
            }
            offsets.push(offset);
            offset = offset.checked_add(extent.alloc_size()?)?;
        }
        let size = offset.checked_next_multiple_of(u64::from(align))?;
        Some(StructLayout { offsets: offsets.into(), size, align })
    }
}
