//! Where everything that exists from the start lies, and the values of constants that depend on it.

use crate::code::{Lanes, Scalar, Shape, StaticKind, StaticObject, object_base};
use crate::link::{Definition, Linkage};
use crate::model::{
    BlockId, ConstExpr, ConstId, ConstKind, Constant, DataLayout, FuncId, GlobalId, Program, SymbolId, SymbolKind,
    Type, TypeId,
};
use rustc_hash::FxHashMap;
use spelunk_bv::{CastOp, int, wide};

/// The value of a constant slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SlotConst {
    Value(u64),
    /// Uninitialised, of so many bits.
    Undef(u32),
}

/// A constant that has no value we can compute; the text names the construct.
pub(super) struct NoValue(pub Box<str>);

/// Addresses of globals and functions.
pub(super) struct Statics<'p> {
    pub program: &'p Program,
    pub linkage: &'p Linkage,
    pub layout: DataLayout,
    globals: FxHashMap<GlobalId, u64>,
    functions: Vec<u64>,
    objects: Vec<Placed>,
}

enum Placed {
    Global(GlobalId),
    Function(FuncId),
}

impl<'p> Statics<'p> {
    /// Gives each linked global variable and each function an object.
    pub fn place(program: &'p Program, linkage: &'p Linkage) -> Self {
        let layout = program.modules.first().map(|module| module.data_layout).unwrap_or_default();
        let mut statics = Self {
            program,
            linkage,
            layout,
            globals: FxHashMap::default(),
            functions: Vec::with_capacity(program.functions.len()),
            objects: Vec::new(),
        };
        for &global in linkage.globals() {
            let base = statics.push(Placed::Global(global), statics.global_align(global));
            statics.globals.insert(global, base);
        }
        for idx in 0..program.functions.len() {
            let base = statics.push(Placed::Function(FuncId::new(idx)), 16);
            statics.functions.push(base);
        }
        statics
    }

    /// The variables of the program, with the numbers of their objects.
    pub fn placed_globals(&self) -> impl Iterator<Item = (usize, GlobalId)> + '_ {
        self.objects.iter().enumerate().filter_map(|(number, object)| match *object {
            Placed::Global(id) => Some((number, id)),
            Placed::Function(_) => None,
        })
    }

    fn push(&mut self, object: Placed, align: u64) -> u64 {
        self.objects.push(object);
        object_base(u32::try_from(self.objects.len()).expect("more than 2^32 objects"), align)
    }

    fn global_align(&self, global: GlobalId) -> u64 {
        u64::from(self.linkage.align(self.program, global)).max(1)
    }

    /// The objects in the order of their ids.
    pub fn objects(&self) -> Result<Vec<StaticObject>, NoValue> {
        self.objects
            .iter()
            .map(|object| match *object {
                Placed::Global(id) => self.variable(id),
                Placed::Function(id) => Ok(StaticObject {
                    name: self.program.symbol(self.program.function(id).symbol).name.clone(),
                    size: 0,
                    align: 16,
                    kind: StaticKind::Function(id),
                }),
            })
            .collect()
    }

    fn variable(&self, id: GlobalId) -> Result<StaticObject, NoValue> {
        let global = self.program.global(id);
        let size = self.size_of(global.ty)?;
        let init = global.init.expect("a linked global has an initialiser");
        let mut bytes = Vec::new();
        if !matches!(self.program.consts[init].kind, ConstKind::Zero) {
            bytes.resize(usize::try_from(size).map_err(|_| NoValue("a huge global".into()))?, 0);
            self.write(init, &mut bytes)?;
        }
        Ok(StaticObject {
            name: self.program.symbol(global.symbol).name.clone(),
            size,
            align: self.global_align(id),
            kind: StaticKind::Variable { bytes: bytes.into(), constant: global.constant },
        })
    }

    pub fn size_of(&self, ty: TypeId) -> Result<u64, NoValue> {
        self.program.types.alloc_size(self.layout, ty).ok_or_else(|| NoValue("a type without a size".into()))
    }

    pub fn function_address(&self, id: FuncId) -> u64 {
        match self.linkage.function(self.program, id) {
            Definition::Function(definition) => self.functions[definition.index()],
            Definition::UndefinedWeak => 0,
            _ => self.functions[id.index()],
        }
    }

    /// A block's address: nothing can be read there, and no two blocks share one.
    pub fn block_address(&self, function: FuncId, block: BlockId) -> u64 {
        self.function_address(function) + 1 + u64::from(block.0)
    }

    fn symbol_address(&self, symbol: SymbolId) -> Result<u64, NoValue> {
        let missing = || NoValue(format!("the undefined symbol `{}`", self.program.symbol(symbol).name).into());
        match self.linkage.definition(symbol) {
            Definition::Function(id) => Ok(self.functions[id.index()]),
            Definition::Global(id) => self.globals.get(&id).copied().ok_or_else(missing),
            Definition::Address(constant) => self.scalar(constant),
            Definition::UndefinedWeak => Ok(0),
            _ => match self.program.symbol(symbol).kind {
                SymbolKind::Function(id) => Ok(self.functions[id.index()]),
                _ => Err(missing()),
            },
        }
    }

    /// The value of a scalar constant of at most 64 bits; undefined ones are zero.
    pub fn scalar(&self, id: ConstId) -> Result<u64, NoValue> {
        self.lane(id, 0)
    }

    /// As `scalar`, for one lane of a vector. A scalar is the same in all lanes.
    fn lane(&self, id: ConstId, lane: usize) -> Result<u64, NoValue> {
        let Constant { ty, kind } = &self.program.consts[id];
        let is_vector = matches!(self.program.types[*ty], Type::Vector(..));
        match kind {
            ConstKind::Aggregate(elems) if is_vector && lane < elems.len() => self.scalar(elems[lane]),
            ConstKind::Bytes(bytes) if is_vector && lane < bytes.len() => Ok(u64::from(bytes[lane])),
            ConstKind::Int(value) => Ok(*value),
            ConstKind::Float(bits) => Ok(*bits as u64),
            ConstKind::WideInt(limbs) => Ok(limbs[0]),
            ConstKind::Null | ConstKind::Zero | ConstKind::Undef | ConstKind::Poison => Ok(0),
            ConstKind::Symbol(symbol) => self.symbol_address(*symbol),
            ConstKind::BlockAddress(function, block) => Ok(self.block_address(*function, *block)),
            ConstKind::Expr(expr) => self.expr(*ty, expr, lane),
            ConstKind::Aggregate(_) | ConstKind::Bytes(_) => Err(NoValue("an aggregate as a scalar".into())),
            ConstKind::Metadata(_) => Err(NoValue("metadata as a value".into())),
            ConstKind::Unsupported(text) => Err(NoValue(text.clone())),
        }
    }

    fn width(&self, ty: TypeId) -> Result<u32, NoValue> {
        Lanes::of(&self.program.types, ty)
            .map(|lanes| lanes.scalar.bits())
            .filter(|&bits| bits <= 64)
            .ok_or_else(|| NoValue("a constant expression wider than 64 bits".into()))
    }

    /// How many values there are in one of that type: one, unless it is a vector.
    fn n_lanes(&self, ty: TypeId) -> usize {
        Lanes::of(&self.program.types, ty).map_or(1, |lanes| lanes.count as usize)
    }

    fn expr(&self, ty: TypeId, expr: &ConstExpr, lane: usize) -> Result<u64, NoValue> {
        let value_of = |id: ConstId| self.lane(id, lane);
        let operand_width = |id: ConstId| self.width(self.program.consts[id].ty);
        match expr {
            ConstExpr::Binary { op, lhs, rhs } => {
                Ok(int::binop(*op, self.width(ty)?, value_of(*lhs)?, value_of(*rhs)?))
            }
            ConstExpr::ICmp { op, lhs, rhs } => {
                Ok(u64::from(int::icmp(*op, operand_width(*lhs)?, value_of(*lhs)?, value_of(*rhs)?)))
            }
            ConstExpr::Select { cond, then, other } => value_of(if value_of(*cond)? != 0 { *then } else { *other }),
            ConstExpr::Cast { op, arg } => {
                let value = value_of(*arg)?;
                let from = operand_width(*arg)?;
                let to = self.width(ty)?;
                match op {
                    CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr => Ok(int::trunc(to, value)),
                    CastOp::SExt => Ok(int::trunc(to, int::sext(from, value) as u64)),
                    CastOp::BitCast if from == to => Ok(value),
                    _ => Err(NoValue(format!("the constant expression `{}`", op.name()).into())),
                }
            }
            ConstExpr::Gep { elem, base, indices, .. } => {
                let mut address = value_of(*base)?;
                self.walk_gep(*elem, indices.iter().copied(), |statics, step| {
                    address = address.wrapping_add(match step {
                        GepStep::Field(offset) => offset,
                        GepStep::Index { index, stride } => {
                            let width = statics.width(statics.program.consts[index].ty)?;
                            (int::sext(width, statics.lane(index, lane)?) as u64).wrapping_mul(stride)
                        }
                    });
                    Ok(())
                })?;
                Ok(address)
            }
        }
    }

    /// Takes the indices of a `getelementptr` one by one. Struct indices must be constants.
    pub fn walk_gep<I: Copy + GepIndex>(
        &self,
        elem: TypeId,
        indices: impl Iterator<Item = I>,
        mut each: impl FnMut(&Self, GepStep<I>) -> Result<(), NoValue>,
    ) -> Result<(), NoValue> {
        let mut ty = elem;
        for (nth, index) in indices.enumerate() {
            if nth == 0 {
                each(self, GepStep::Index { index, stride: self.size_of(ty)? })?;
                continue;
            }
            match &self.program.types[ty] {
                Type::Struct { fields, .. } => {
                    let field = index.constant().map(|id| self.scalar(id)).transpose()?.unwrap_or(u64::MAX) as usize;
                    let layout = self.program.types.struct_layout(self.layout, ty);
                    let (Some(layout), Some(&field_ty)) = (layout, fields.get(field)) else {
                        return Err(NoValue("a getelementptr into a struct without such a field".into()));
                    };
                    each(self, GepStep::Field(layout.offsets[field]))?;
                    ty = field_ty;
                }
                Type::Array(elem, _) | Type::Vector(elem, _) => {
                    ty = *elem;
                    each(self, GepStep::Index { index, stride: self.size_of(ty)? })?;
                }
                _ => return Err(NoValue("a getelementptr into a scalar".into())),
            }
        }
        Ok(())
    }

    /// The slots of a constant of any register type.
    pub fn slots(&self, id: ConstId) -> Result<Vec<SlotConst>, NoValue> {
        let mut slots = Vec::new();
        self.push_slots(id, &mut slots)?;
        Ok(slots)
    }

    fn push_slots(&self, id: ConstId, out: &mut Vec<SlotConst>) -> Result<(), NoValue> {
        let Constant { ty, kind } = &self.program.consts[id];
        let fill = |out: &mut Vec<SlotConst>, value: fn(u32) -> SlotConst| {
            let shape = Shape::of(&self.program.types, self.layout, *ty)
                .ok_or_else(|| NoValue("a constant of a type that fits no register".into()))?;
            for leaf in &shape.leaves {
                let slots = leaf.scalar.n_slots() as usize;
                out.resize(out.len() + slots, value(leaf.scalar.bits().min(64)));
            }
            Ok(())
        };
        match kind {
            ConstKind::Undef | ConstKind::Poison => return fill(out, SlotConst::Undef),
            ConstKind::Zero => return fill(out, |_| SlotConst::Value(0)),
            ConstKind::WideInt(limbs) => out.extend(limbs.iter().map(|&limb| SlotConst::Value(limb))),
            ConstKind::Float(bits) => {
                out.push(SlotConst::Value(*bits as u64));
                if Scalar::of(&self.program.types, *ty).is_some_and(|scalar| scalar.n_slots() == 2) {
                    out.push(SlotConst::Value((bits >> 64) as u64));
                }
            }
            ConstKind::Aggregate(elems) => {
                for &elem in elems {
                    self.push_slots(elem, out)?;
                }
            }
            ConstKind::Bytes(bytes) => out.extend(bytes.iter().map(|&byte| SlotConst::Value(u64::from(byte)))),
            ConstKind::Expr(_) if self.n_lanes(*ty) > 1 => {
                for lane in 0..self.n_lanes(*ty) {
                    out.push(SlotConst::Value(self.lane(id, lane)?));
                }
            }
            _ => {
                // Integers of more than 64 bits may be written as small expressions (`inttoptr`, casts) too.
                let n_slots = Scalar::of(&self.program.types, *ty).map_or(1, Scalar::n_slots);
                out.push(SlotConst::Value(self.scalar(id)?));
                out.resize(out.len() + n_slots as usize - 1, SlotConst::Value(0));
            }
        }
        Ok(())
    }

    /// Writes a constant as it lies in memory. `out` has the size of its type, and is zero.
    fn write(&self, id: ConstId, out: &mut [u8]) -> Result<(), NoValue> {
        let Constant { ty, kind } = &self.program.consts[id];
        let types = &self.program.types;
        match kind {
            ConstKind::Zero | ConstKind::Null | ConstKind::Undef | ConstKind::Poison => {}
            ConstKind::Bytes(bytes) => out[..bytes.len()].copy_from_slice(bytes),
            ConstKind::Aggregate(elems) => {
                let no_layout = || NoValue("an aggregate without a layout".into());
                let offset: Box<dyn Fn(usize) -> usize> = match &types[*ty] {
                    Type::Struct { .. } => {
                        let layout = types.struct_layout(self.layout, *ty).ok_or_else(no_layout)?;
                        Box::new(move |i| layout.offsets[i] as usize)
                    }
                    Type::Array(elem, _) => {
                        let stride = self.size_of(*elem)? as usize;
                        Box::new(move |i| i * stride)
                    }
                    Type::Vector(elem, _) => {
                        let bits = Scalar::of(types, *elem).map_or(0, Scalar::bits);
                        if !bits.is_multiple_of(8) {
                            return Err(NoValue("a global vector of odd bits".into()));
                        }
                        Box::new(move |i| i * bits as usize / 8)
                    }
                    _ => return Err(no_layout()),
                };
                for (i, &elem) in elems.iter().enumerate() {
                    let at = offset(i);
                    let len = types.store_size(self.layout, self.program.consts[elem].ty).ok_or_else(no_layout)?;
                    self.write(elem, &mut out[at..at + len as usize])?;
                }
            }
            ConstKind::WideInt(limbs) => copy_limbs(limbs, out),
            ConstKind::Float(bits) => copy_limbs(&[*bits as u64, (bits >> 64) as u64], out),
            _ => {
                let n_lanes = self.n_lanes(*ty);
                for (lane, out) in out.chunks_mut((out.len() / n_lanes).max(1)).enumerate().take(n_lanes) {
                    copy_limbs(&[self.lane(id, lane)?], out);
                }
            }
        }
        Ok(())
    }
}

/// Little-endian bytes of `limbs`, as many as `out` takes.
fn copy_limbs(limbs: &[u64], out: &mut [u8]) {
    let bytes = limbs.iter().flat_map(|limb| limb.to_le_bytes());
    out.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
}

pub(super) enum GepStep<I> {
    Field(u64),
    Index { index: I, stride: u64 },
}

/// An index that may be a constant.
pub(super) trait GepIndex {
    fn constant(self) -> Option<ConstId>;
}

impl GepIndex for ConstId {
    fn constant(self) -> Option<ConstId> {
        Some(self)
    }
}

impl GepIndex for crate::model::Operand {
    fn constant(self) -> Option<ConstId> {
        match self {
            Self::Const(id) => Some(id),
            Self::Local(_) => None,
        }
    }
}

/// Little-endian limbs of a switch case.
pub(super) fn case_limbs(program: &Program, id: ConstId, width: u32) -> Box<[u64]> {
    let mut limbs = vec![0; wide::n_limbs(width)];
    match &program.consts[id].kind {
        ConstKind::Int(value) => limbs[0] = *value,
        ConstKind::WideInt(value) => limbs.copy_from_slice(value),
        _ => {}
    }
    limbs.into()
}
