//! The check of effective types: which operations ask for it, and what debug info says of objects.
//!
//! Clang tells the type of an access by `!tbaa`: the last scalar of a path, whose name is all that counts here. An access that may be
//! to anything (characters, members of unions, `may_alias`) is tagged as one to characters, or not at all.

use super::Lowering;
use super::function::{Emit, FuncLowering};
use crate::code::{EffectiveTypes, OpIdx, SlowOp, TypeTag};
use crate::debug::{CTypeId, DebugInfo, POINTER, ScalarKind, without_sign};
use crate::lower::address::EffectiveAddress;
use crate::model::{DbgRecordKind, Function, MdId, MdNode, MdValue, Operand, Program, TypeId, ValueId};

/// Objects larger than this have no types until something is stored there.
const MAX_BYTES: usize = 1 << 20;

/// Which way an access goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Read,
    Write,
}

impl FuncLowering<'_, '_> {
    /// Emits the check of an access, if it is asked for and there is something to check.
    pub fn emit_type_check(
        &mut self,
        direction: Direction,
        place: EffectiveAddress,
        ty: TypeId,
        tbaa: Option<MdId>,
    ) -> Emit {
        let program = self.out.statics.program;
        let Some(types) = &mut self.out.image.effective else { return Ok(()) };
        let tag = tbaa.and_then(|tag| accessed(program, tag)).map_or(0, |name| types.number(name));
        if direction == Direction::Read && tag == 0 {
            return Ok(());
        }
        let n_bytes = self.size_of(ty)? as u32;
        let (addr, offset) = self.as_offset(place)?;
        self.emit_slow(match direction {
            Direction::Read => SlowOp::TypeRead { addr, offset, n_bytes, tag },
            Direction::Write => SlowOp::TypeWrite { addr, offset, n_bytes, tag },
        });
        Ok(())
    }

    /// Notes which type the variable has that the last operation makes.
    pub fn note_local_type(&mut self, variable: ValueId) {
        let op = OpIdx(self.out.image.next_op().0 - 1);
        let Some(types) = &mut self.out.image.effective else { return };
        let ty = declared_type(&self.out.debug, self.function, variable);
        if let Some(map) = ty.and_then(|ty| map(&self.out.debug, types, ty)) {
            let number = types.add_map(map);
            types.locals.insert(op, number);
        }
    }
}

impl Lowering<'_> {
    /// Notes which types variables of the program have.
    pub(super) fn note_static_types(&mut self) {
        let Some(types) = &mut self.image.effective else { return };
        let debug = &self.debug;
        for (number, global) in self.statics.placed_globals() {
            let ty = debug.global_variable(global).filter(|it| it.fragment.is_none()).map(|it| it.ty);
            if let Some(map) = ty.and_then(|ty| map(debug, types, ty)) {
                let map = types.add_map(map);
                types.statics.insert(number, map);
            }
        }
    }
}

/// The scalar type that an access says it is to; nothing if it may be to anything.
fn accessed(program: &Program, tag: MdId) -> Option<&str> {
    let node = |id: MdId| match &program.metadata[id] {
        MdNode::Tuple { elems, .. } => Some(elems),
        _ => None,
    };
    // The base type, the type that is accessed, and where.
    let MdValue::Node(access) = node(tag)?.get(1)? else { return None };
    let name = |id: MdId| match node(id)?.first()? {
        MdValue::String(name) => Some(&**name),
        _ => None,
    };
    let parent = |id: MdId| match node(id)?.get(1)? {
        MdValue::Node(parent) => Some(*parent),
        _ => None,
    };
    let own = name(*access)?;
    // Newer compilers tell pointers apart by what they point to.
    let ways = std::iter::successors(Some(*access), |&id| parent(id)).take(8);
    if ways.filter_map(name).any(|name| name == "any pointer") {
        return Some(POINTER);
    }
    match own {
        "omnipotent char" => None,
        "bool" => Some("_Bool"),
        _ => Some(without_sign(own)),
    }
}

fn declared_type(debug: &DebugInfo<'_>, function: &Function, variable: ValueId) -> Option<CTypeId> {
    let is_it = |operand: Option<Operand>| operand == Some(Operand::Local(variable));
    let mut records = function.debug_records.iter().filter(|record| record.kind == DbgRecordKind::Declare);
    let record = records.find(|record| is_it(record.operand))?;
    Some(debug.local_variable(record.variable, None)?.ty)
}

/// What each byte of an object of a type is declared as.
fn map(debug: &DebugInfo<'_>, types: &mut EffectiveTypes, ty: CTypeId) -> Option<Box<[TypeTag]>> {
    let size = usize::try_from(debug.size_of(ty)?).ok().filter(|&size| size <= MAX_BYTES)?;
    let mut map = vec![TypeTag::NONE; size];
    debug.visit_scalars(ty, &mut |offset, n_bytes, kind| {
        let Some(bytes) = map.get_mut(offset as usize..(offset + n_bytes) as usize) else { return };
        let number = match kind {
            ScalarKind::Number(name) => types.number(name),
            ScalarKind::Pointer => types.number(POINTER),
            ScalarKind::Storage => return,
            ScalarKind::Any => return bytes.fill(TypeTag::DECLARED_ANY),
        };
        for (at, byte) in bytes.iter_mut().enumerate().filter(|_| number != 0) {
            *byte = TypeTag::of(number, at).declared();
        }
    });
    Some(map.into())
}
