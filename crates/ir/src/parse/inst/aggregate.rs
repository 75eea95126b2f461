//! Parts of structs, arrays and vectors.

use crate::model::{ConstId, ConstKind, InstKind, Type, TypeId, TypeTable};
use crate::parse::Parser;
use crate::parse::error::{Fault, Parsed};
use crate::parse::lexer::Token;

impl Parser<'_, '_> {
    /// `, 0, 1`: the indices of `extractvalue` and `insertvalue`, and the type they lead to.
    fn member_path(&mut self, aggregate: TypeId) -> Parsed<(Box<[u32]>, TypeId)> {
        let mut path = Vec::new();
        let mut ty = aggregate;
        while self.cursor.eat(b',') && matches!(self.cursor.token, Token::Integer(_)) {
            let at = self.cursor.start;
            let index: u32 = self.cursor.expect_number()?;
            let member = match &self.program.types[ty] {
                Type::Struct { fields, .. } => fields.get(index as usize).copied(),
                Type::Array(elem, length) => (u64::from(index) < *length).then_some(*elem),
                _ => None,
            };
            ty = member.ok_or_else(|| Fault::new(at, "this index names no member"))?;
            path.push(index);
        }
        if path.is_empty() {
            return Err(self.cursor.expected("an index"));
        }
        Ok((path.into(), ty))
    }

    pub(super) fn extract_value(&mut self) -> Parsed<(InstKind, TypeId)> {
        let (aggregate_ty, aggregate) = self.typed_operand()?;
        let (indices, ty) = self.member_path(aggregate_ty)?;
        Ok((InstKind::ExtractValue { aggregate, indices }, ty))
    }

    pub(super) fn insert_value(&mut self) -> Parsed<(InstKind, TypeId)> {
        let (ty, aggregate) = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let at = self.cursor.start;
        let (value_ty, value) = self.typed_operand()?;
        let (indices, member) = self.member_path(ty)?;
        self.check_type_at(at, member, value_ty)?;
        Ok((InstKind::InsertValue { aggregate, value, indices }, ty))
    }

    /// The element type of a vector type that was read at `at`.
    fn element_of(&self, ty: TypeId, at: usize) -> Parsed<TypeId> {
        self.vector_element(ty).ok_or_else(|| Fault::new(at, "a vector is needed here"))
    }

    pub(super) fn extract_element(&mut self) -> Parsed<(InstKind, TypeId)> {
        let at = self.cursor.start;
        let (ty, vector) = self.typed_operand()?;
        let element = self.element_of(ty, at)?;
        self.cursor.expect(b',')?;
        let index_at = self.cursor.start;
        let (index_ty, index) = self.typed_operand()?;
        self.check_index_type(index_ty, index_at)?;
        Ok((InstKind::ExtractElement { vector, index }, element))
    }

    pub(super) fn insert_element(&mut self) -> Parsed<(InstKind, TypeId)> {
        let at = self.cursor.start;
        let (ty, vector) = self.typed_operand()?;
        let element = self.element_of(ty, at)?;
        let value = self.next_operand_of(element)?;
        self.cursor.expect(b',')?;
        let index_at = self.cursor.start;
        let (index_ty, index) = self.typed_operand()?;
        self.check_index_type(index_ty, index_at)?;
        Ok((InstKind::InsertElement { vector, value, index }, ty))
    }

    pub(super) fn shuffle_vector(&mut self) -> Parsed<(InstKind, TypeId)> {
        let at = self.cursor.start;
        let (ty, lhs) = self.typed_operand()?;
        let element = self.element_of(ty, at)?;
        let rhs = self.next_operand_of(ty)?;
        self.cursor.expect(b',')?;
        let mask_at = self.cursor.start;
        let mask_ty = self.ty()?;
        let mask_element = self.element_of(mask_ty, mask_at)?;
        self.check_type_at(mask_at, TypeTable::I32, mask_element)?;
        let mask = self.constant(mask_ty)?;
        let result = self.like_shape(mask_ty, element);
        let (&Type::Vector(_, length), &Type::Vector(_, mask_length)) =
            (&self.program.types[ty], &self.program.types[mask_ty])
        else {
            return Ok((InstKind::Unsupported { name: "shufflevector".into() }, result));
        };
        let mask = self
            .shuffle_mask(mask, mask_length, length.saturating_mul(2))
            .ok_or_else(|| Fault::new(mask_at, "not a valid mask for this shuffle"))?;
        Ok((InstKind::ShuffleVector { lhs, rhs, mask }, result))
    }

    fn shuffle_mask(&self, mask: ConstId, length: u32, n_lanes: u32) -> Option<Box<[Option<u32>]>> {
        let lane = |&id: &ConstId| match self.program.consts[id].kind {
            ConstKind::Int(index) if index < u64::from(n_lanes) => Some(Some(index as u32)),
            ConstKind::Undef | ConstKind::Poison => Some(None),
            _ => None,
        };
        match &self.program.consts[mask].kind {
            ConstKind::Aggregate(lanes) => lanes.iter().map(lane).collect(),
            ConstKind::Zero => Some(vec![Some(0); length as usize].into()),
            ConstKind::Undef | ConstKind::Poison => Some(vec![None; length as usize].into()),
            _ => None,
        }
    }
}
