//! How objects of input are made up: which of their bytes are one number or pointer, and what pointers lead to.

use super::nest::{Cell, Nested};
use rustc_hash::FxHashSet;
use spelunk_ir::model::FuncId;
use std::sync::Arc;

/// A type of objects, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LayoutId(u32);

impl LayoutId {
    /// Bytes of which nothing is known.
    pub const BYTES: Self = Self(u32::MAX);
}

/// The type of [`LayoutId::BYTES`].
static BYTE: Layout = Layout {
    name: String::new(),
    size: 1,
    n_flexible: 0,
    align: 1,
    leaves: Vec::new(),
    parts: Vec::new(),
    cell: None,
    nested: Vec::new(),
    types: Vec::new(),
    fields: Vec::new(),
};

/// A kind of pointers, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PointerId(u32);

/// One object of a type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// As C spells it.
    pub name: String,
    pub size: u32,
    /// Bytes at its end that are an array without a length: so many are taken to be there.
    pub n_flexible: u32,
    pub align: u32,
    /// In order, without overlap. Bytes of no leaf are of any value.
    pub leaves: Vec<Leaf>,
    /// Which structures are inside, and where, for rules about heaps. Itself at 0 is not among them.
    pub parts: Vec<(u32, LayoutId)>,
    /// Which C type it is. A type that users have changed is like no other.
    pub cell: Option<Cell>,
    /// Which types are inside, and where: what pointers to those may point to. Itself at 0 is not among them. In the order of types once
    /// it is one of [`Layouts`].
    pub nested: Vec<Nested>,
    /// The scalars in it that accesses are compared with, where effective types are checked.
    pub types: Vec<Typed>,
    /// What a person sees in it, in order. Runs don't look at it.
    pub fields: Vec<Field>,
}

/// Bytes that are one scalar, with the number of its type in the image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Typed {
    pub offset: u32,
    pub n_bytes: u32,
    pub number: u16,
}

/// Bits that are one value in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// How C gets to it from the object, as for [`Leaf`].
    pub path: String,
    pub bit_offset: u32,
    pub n_bits: u32,
    pub format: Format,
}

/// How a value is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Format {
    Signed,
    Unsigned,
    Float,
    Bool,
    Char,
    Pointer,
    /// By the name of a constant.
    Enum(Arc<[(String, u64)]>),
    /// Digits of its bytes.
    Bytes,
}

/// Bytes that are one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub offset: u32,
    /// A power of two up to 8.
    pub n_bytes: u32,
    pub kind: LeafKind,
    /// How C gets to it from the object: `.next`, `[3].key`; nothing if it is the object.
    pub path: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LeafKind {
    /// Of any value, at first at random.
    Number,
    /// A character, at first zero.
    Char,
    /// One of these values.
    OneOf(Arc<[u64]>),
    /// Always this value.
    Fixed(u64),
    Pointer(PointerId),
    /// The address of one of these functions, at first of the first.
    Function(Arc<[Callee]>),
}

/// What a pointer to a function may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    Null,
    Function(FuncId),
}

/// What pointers of a kind are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointer {
    pub target: Target,
    pub nullable: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// So many objects side by side, or a part of others that is the same.
    Objects { layout: LayoutId, count: u32 },
    /// As many objects as a number of the input says, which is at most `max`. Only pointers that have the same number lead
    /// to them.
    Counted { layout: LayoutId, max: u32, count: Count },
    /// Characters that end with a zero, which is not among the `max_len`: exactly as many as the count says, if there is one.
    /// Where a program asks how long it is, a string may have up to `longest`, of which only the first are looked at one by one.
    String { max_len: u32, longest: u32, layout: LayoutId, count: Option<Count> },
    /// A `layout` that is part of an `outer`, so many bytes from its start: a new one comes with all of that object.
    Inside { layout: LayoutId, outer: LayoutId, at: u32 },
    /// Nothing that is known: always null.
    Nothing,
}

/// The number of the input that says how many objects are behind a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// In a parameter.
    Param { param: usize, offset: u32, n_bytes: u32 },
    /// In the object that has the pointer, so many bytes from there.
    Beside { distance: i32, n_bytes: u32 },
}

/// All types that inputs are made of. Copies share them until one gets more.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layouts {
    layouts: Arc<Vec<Layout>>,
    pointers: Arc<Vec<Pointer>>,
}

impl Layouts {
    /// Adds a type. Recursive ones are added first and replaced when they are known.
    pub fn add(&mut self, mut layout: Layout) -> LayoutId {
        layout.nested.sort_by_key(|nested| nested.cell);
        Arc::make_mut(&mut self.layouts).push(layout);
        LayoutId(self.layouts.len() as u32 - 1)
    }

    /// Gives the pointer of a type that is so many bytes from its start another target.
    pub fn redirect(&mut self, id: LayoutId, offset: u32, target: Target) {
        let leaf = self.get(id).leaves.iter().position(|leaf| leaf.offset == offset);
        let Some((leaf, LeafKind::Pointer(kind))) = leaf.map(|leaf| (leaf, self.get(id).leaves[leaf].kind.clone()))
        else {
            return;
        };
        let nullable = self.pointer(kind).nullable;
        let kind = self.add_pointer(Pointer { target, nullable });
        Arc::make_mut(&mut self.layouts)[id.0 as usize].leaves[leaf].kind = LeafKind::Pointer(kind);
    }

    pub fn replace(&mut self, id: LayoutId, mut layout: Layout) {
        layout.nested.sort_by_key(|nested| nested.cell);
        Arc::make_mut(&mut self.layouts)[id.0 as usize] = layout;
    }

    pub fn add_pointer(&mut self, pointer: Pointer) -> PointerId {
        Arc::make_mut(&mut self.pointers).push(pointer);
        PointerId(self.pointers.len() as u32 - 1)
    }

    /// All types, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (LayoutId, &Layout)> {
        self.layouts.iter().enumerate().map(|(number, layout)| (LayoutId(number as u32), layout))
    }

    pub fn get(&self, id: LayoutId) -> &Layout {
        self.layouts.get(id.0 as usize).unwrap_or(&BYTE)
    }

    /// Whether there are pointers to as many objects as a number of the input says.
    pub fn has_counts(&self) -> bool {
        self.pointers.iter().any(|pointer| match &pointer.target {
            Target::Counted { .. } => true,
            Target::String { count, .. } => count.is_some(),
            Target::Objects { .. } | Target::Inside { .. } | Target::Nothing => false,
        })
    }

    /// How long strings are usually that may be longer, if there are any: the least of all.
    pub(crate) fn usual_length(&self) -> Option<u32> {
        let usual = |target: &Target| match *target {
            Target::String { max_len, longest, .. } if longest > max_len => Some(max_len),
            _ => None,
        };
        self.pointers.iter().filter_map(|pointer| usual(&pointer.target)).min()
    }

    pub fn pointer(&self, id: PointerId) -> &Pointer {
        &self.pointers[id.0 as usize]
    }

    /// The functions that pointers may lead to.
    pub fn functions(&self) -> FxHashSet<FuncId> {
        let leaves = self.layouts.iter().flat_map(|layout| &layout.leaves);
        let callees = leaves.filter_map(|leaf| match &leaf.kind {
            LeafKind::Function(callees) => Some(callees.iter()),
            _ => None,
        });
        let function = |&callee: &Callee| match callee {
            Callee::Null => None,
            Callee::Function(function) => Some(function),
        };
        callees.flatten().filter_map(function).collect()
    }
}

impl Layout {
    /// Where a type is inside.
    pub fn places_of(&self, cell: Cell) -> impl Iterator<Item = &Nested> {
        let first = self.nested.partition_point(|nested| nested.cell < cell);
        self.nested[first..].iter().take_while(move |nested| nested.cell == cell)
    }

    /// Whether it is a character, or a byte of no type.
    pub fn is_byte(&self) -> bool {
        self.size == 1 && matches!(&self.leaves[..], [leaf] if matches!(leaf.kind, LeafKind::Char | LeafKind::Number))
    }

    /// The leaf that a byte of the object belongs to.
    pub fn leaf_at(&self, offset: u32) -> Option<&Leaf> {
        let after = self.leaves.partition_point(|leaf| leaf.offset <= offset);
        let leaf = self.leaves.get(after.checked_sub(1)?)?;
        (offset < leaf.offset + leaf.n_bytes).then_some(leaf)
    }
}
