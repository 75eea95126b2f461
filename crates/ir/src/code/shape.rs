//! How values of LLVM types lie in register slots and in memory.
//!
//! A value is flattened to its scalar leaves, each in one 64-bit slot or, above 64 bits, in several (low word first).
//! So `extractvalue` is a move, and a vector operation is a loop over lanes.

use crate::model::{DataLayout, Type, TypeId, TypeTable};
use spelunk_bv::float::FloatKind;

/// A value that operations work on as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    Int(u32),
    Float(FloatKind),
    Ptr,
}

impl Scalar {
    pub fn of(types: &TypeTable, id: TypeId) -> Option<Self> {
        match types[id] {
            Type::Int(width) => Some(Self::Int(width)),
            Type::Float(kind) => Some(Self::Float(kind)),
            Type::Ptr => Some(Self::Ptr),
            _ => None,
        }
    }

    pub fn bits(self) -> u32 {
        match self {
            Self::Int(width) => width,
            Self::Float(kind) => kind.bits(),
            Self::Ptr => 64,
        }
    }

    pub fn n_slots(self) -> u32 {
        self.bits().div_ceil(64)
    }

    /// Bytes that a store writes.
    pub fn store_size(self) -> u64 {
        u64::from(self.bits().div_ceil(8))
    }
}

/// A scalar or a vector of scalars.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lanes {
    pub scalar: Scalar,
    pub count: u32,
}

impl Lanes {
    pub fn of(types: &TypeTable, id: TypeId) -> Option<Self> {
        match types[id] {
            Type::Vector(elem, count) => Some(Self { scalar: Scalar::of(types, elem)?, count }),
            _ => Some(Self { scalar: Scalar::of(types, id)?, count: 1 }),
        }
    }

    pub fn n_slots(self) -> u32 {
        self.scalar.n_slots() * self.count
    }

    pub fn bits(self) -> u32 {
        self.scalar.bits() * self.count
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Leaf {
    pub scalar: Scalar,
    /// Where it lies in memory.
    pub offset: u64,
    /// Its first slot.
    pub slot: u32,
}

/// The leaves of a type, in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shape {
    pub leaves: Vec<Leaf>,
    pub n_slots: u32,
    /// Bytes that a store writes.
    pub size: u64,
}

/// Values with more leaves are not register values in any code that clang emits.
const MAX_LEAVES: usize = 1 << 16;

impl Shape {
    /// `None` if the type can't be in a register: no size, vectors of odd bits in memory, or absurdly many leaves.
    pub fn of(types: &TypeTable, layout: DataLayout, id: TypeId) -> Option<Self> {
        let mut shape = Self { size: types.store_size(layout, id)?, ..Self::default() };
        shape.add(types, layout, id, 0)?;
        Some(shape)
    }

    fn add(&mut self, types: &TypeTable, layout: DataLayout, id: TypeId, offset: u64) -> Option<()> {
        match &types[id] {
            Type::Array(elem, n) => {
                let stride = types.alloc_size(layout, *elem)?;
                self.add_many(types, layout, *elem, *n, stride, offset)?;
            }
            Type::Vector(elem, n) => {
                let bits = Scalar::of(types, *elem)?.bits();
                // Elements of odd width are packed bit by bit, which only a vector held in registers can be.
                let stride = if bits % 8 == 0 { u64::from(bits / 8) } else { 0 };
                self.add_many(types, layout, *elem, u64::from(*n), stride, offset)?;
            }
            Type::Struct { fields, .. } => {
                let offsets = types.struct_layout(layout, id)?.offsets;
                for (&field, &field_offset) in fields.iter().zip(&offsets) {
                    self.add(types, layout, field, offset + field_offset)?;
                }
            }
            _ => {
                let scalar = Scalar::of(types, id)?;
                self.leaves.push(Leaf { scalar, offset, slot: self.n_slots });
                self.n_slots += scalar.n_slots();
            }
        }
        (self.leaves.len() <= MAX_LEAVES).then_some(())
    }

    fn add_many(
        &mut self,
        types: &TypeTable,
        layout: DataLayout,
        elem: TypeId,
        n: u64,
        stride: u64,
        offset: u64,
    ) -> Option<()> {
        if n > MAX_LEAVES as u64 {
            return None;
        }
        (0..n).try_for_each(|i| self.add(types, layout, elem, offset + i * stride))
    }

    /// Whether the leaves lie at whole bytes, so that the value can be loaded and stored.
    pub fn is_in_memory_form(&self) -> bool {
        self.leaves.len() < 2 || self.leaves.windows(2).all(|pair| pair[0].offset < pair[1].offset)
    }
}
