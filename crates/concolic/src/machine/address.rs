//! Addresses that depend on the input: which object they point into, and whether they leave it.

use super::{Base, ConcolicMachine};
use crate::decision::{DecisionKind, OUTSIDE};
use crate::theories::{Address, Size, SizeQuestion, indexing};
use spelunk_expr::{ExprId, Op};
use spelunk_ir::code::OBJECT_SHIFT;
use spelunk_vm::memory::{Fault, Life, Memory, ObjectId, ObjectKind, object_of};
use spelunk_vm::{Access, BugKind, Located};

/// How far from its object the constant part of a number may be and still be taken for a pointer into it.
const NEAR: u64 = 1 << 16;

impl ConcolicMachine {
    /// Decides where an access goes.
    pub(super) fn locate(&mut self, memory: &Memory, access: Access) -> Located {
        let expr = self.operand(64, access.addr);
        let mut address = Address { access, expr, base: self.base_of(access.addr), through: None };
        if let Some(fault) = self.resolve(memory, &mut address) {
            return Located::Fault(fault);
        }
        let addr = address.expr;
        self.located = Some((access.addr.val, addr));
        if self.pool.is_const(addr) {
            return Located::AsIs;
        }
        match self.origin(memory, &address) {
            Some(origin) if self.is_forcing() => self.force_bounds(memory, access, addr, origin),
            Some(origin) => self.check_bounds(memory, access, addr, origin),
            None => {
                self.decide_region(memory, access, addr);
                Located::AsIs
            }
        }
    }

    /// The object that an address was computed from, if that is known.
    pub(super) fn origin(&self, memory: &Memory, address: &Address) -> Option<ObjectId> {
        match address.base {
            Some(Base::Object(id)) if id.0 < memory.n_objects() => Some(id),
            _ => self.exposed_origin(memory, address.expr),
        }
    }

    /// The object that a number without a base points into, once it is used as an address: the one whose address was added to
    /// something, by a program that computes with addresses as integers.
    fn exposed_origin(&self, memory: &Memory, addr: ExprId) -> Option<ObjectId> {
        let node = self.pool.node(addr);
        let constant = match node.op() {
            Op::Add => self.pool.as_const(node.arg(1))?,
            _ => return None,
        };
        let id = object_of(constant);
        if id.0 == 0 || id.0 >= memory.n_objects() {
            return None;
        }
        let object = memory.object(id);
        let from_start = constant.wrapping_sub(object.base()).wrapping_add(NEAR);
        (from_start <= object.size() + 2 * NEAR).then_some(id)
    }

    /// The condition that an access stays inside of the first `size` bytes of an object.
    fn inside(&mut self, memory: &Memory, addr: ExprId, id: ObjectId, len: u64, size: u64) -> ExprId {
        let object = memory.object(id);
        let Some(last) = size.checked_sub(len).filter(|_| object.life() == Life::Live) else {
            return ExprId::FALSE;
        };
        let base = self.pool.mk_const(64, object.base());
        let offset = self.pool.mk_sub(addr, base);
        let last = self.pool.mk_const(64, last);
        self.pool.mk_ule(offset, last)
    }

    /// A pointer into a known object with something added: anywhere else is an error, even if there is another object.
    fn check_bounds(&mut self, memory: &Memory, access: Access, addr: ExprId, origin: ObjectId) -> Located {
        let found = holder(memory, access);
        let is_inside = found == Some(origin);
        let is_counted = memory.is_unsettled(origin) && self.is_counted(origin);
        if is_inside && is_counted {
            // Whoever asks will settle it and ask again. Through a pointer that shares an object it may be settled already,
            // which must make no difference.
            return Located::AsIs;
        }
        if memory.is_unsettled(origin)
            && !is_counted
            && let Some(Size::Expr(size, present)) = self.ask_size(SizeQuestion::Open { object: origin })
        {
            return self.check_open_bounds(memory, access, addr, (origin, size, present));
        }
        let mut size = memory.object(origin).size();
        if is_counted {
            // An address inside would have it settled first. Nobody does for one that is beyond all sizes.
            self.ask_size(SizeQuestion::Pin { site: access.site, object: origin });
            if let Some(Size::Bytes(present)) = self.ask_size(SizeQuestion::Present { object: origin }) {
                size = present;
            }
        }
        let inside = self.inside(memory, addr, origin, access.len, size);
        let bad = self.pool.mk_not(inside);
        if bad != ExprId::FALSE {
            self.note_end(access.site, origin);
        }
        self.check(access.site, BugKind::OutOfBounds, bad, !is_inside);
        if is_inside {
            return Located::AsIs;
        }
        let object = memory.object(origin);
        let offset = access.addr.val.wrapping_sub(object.base()) as i64;
        Located::Fault(match object.life() {
            Life::Live => Fault::OutOfBounds { object: origin, offset, len: access.len },
            Life::Dead => Fault::Dead { object: origin, offset },
        })
    }

    /// The same for an object whose size is open too, an expression and a number in this run: it stays open.
    fn check_open_bounds(
        &mut self,
        memory: &Memory,
        access: Access,
        addr: ExprId,
        (object, size, present): (ObjectId, ExprId, u64),
    ) -> Located {
        let base = memory.object(object).base();
        let (base_expr, len) = (self.pool.mk_const(64, base), self.pool.mk_const(64, access.len));
        let offset = self.mk_difference(addr, base_expr);
        let (fits, room) = (self.pool.mk_ule(len, size), self.pool.mk_sub(size, len));
        let begins = self.pool.mk_ule(offset, room);
        let inside = self.pool.mk_and(fits, begins);
        let bad = self.pool.mk_not(inside);
        let at = access.addr.val.wrapping_sub(base);
        let is_inside = access.len <= present && at <= present - access.len;
        self.check(access.site, BugKind::OutOfBounds, bad, !is_inside);
        match is_inside {
            true => Located::Within,
            false => Located::Fault(Fault::OutOfBounds { object, offset: at as i64, len: access.len }),
        }
    }

    /// The same for a path that is forced: it stays inside, and the first place that is possible stands for all, whichever the input
    /// has.
    fn force_bounds(&mut self, memory: &Memory, access: Access, addr: ExprId, origin: ObjectId) -> Located {
        let object = memory.object(origin);
        let inside = self.inside(memory, addr, origin, access.len, object.size());
        if inside == ExprId::TRUE {
            return Located::AsIs;
        }
        let first = self.first_place(object.base(), addr).filter(|first| first + access.len <= object.size());
        let (Some(first), false) = (first, memory.is_unsettled(origin)) else {
            self.lose();
            return Located::AsIs;
        };
        self.note_end(access.site, origin);
        let bad = self.pool.mk_not(inside);
        self.pass(|machine| machine.check(access.site, BugKind::OutOfBounds, bad, false));
        let place = object.base() + first;
        self.located = Some((place, addr));
        Located::Instead(place)
    }

    /// How far from there the first place is that an address may be, if it is not before.
    fn first_place(&mut self, base: u64, addr: ExprId) -> Option<u64> {
        let base = self.pool.mk_const(64, base);
        let offset = self.mk_difference(addr, base);
        Some(indexing::first_place(&self.pool.facts(offset)?))
    }

    /// An address that may point anywhere: an object that holds it, or for errors the range of addresses that it is in.
    fn decide_region(&mut self, memory: &Memory, access: Access, addr: ExprId) {
        let id = object_of(access.addr.val);
        let is_known = id.0 != 0 && id.0 < memory.n_objects();
        let inside = match is_known {
            true => self.inside(memory, addr, id, access.len, memory.object(id).size()),
            false => ExprId::FALSE,
        };
        let is_inside = holder(memory, access).is_some();
        self.decide_place(memory, access, addr, inside, is_inside);
    }

    /// A call through a pointer: to the start of a function, or for errors the range of addresses that it is in.
    pub(super) fn decide_function(&mut self, memory: &Memory, access: Access) {
        let addr = self.operand(64, access.addr);
        self.tell_call_target(access, addr);
        let id = object_of(access.addr.val);
        let function = (id.0 < memory.n_objects()).then(|| memory.object(id));
        let start = function.filter(|object| object.kind() == ObjectKind::Function).map(|object| object.base());
        let at_start = match start {
            Some(start) => {
                let start = self.pool.mk_const(64, start);
                self.pool.mk_eq(addr, start)
            }
            None => ExprId::FALSE,
        };
        self.decide_place(memory, access, addr, at_start, start == Some(access.addr.val));
    }

    fn is_counted(&mut self, object: ObjectId) -> bool {
        self.ask_size(SizeQuestion::IsCounted { object }) == Some(Size::Is(true))
    }

    /// Decides for the object that the address has the number of if it is a good one there, which it is if `good` holds.
    fn decide_place(&mut self, memory: &Memory, access: Access, addr: ExprId, good: ExprId, is_good: bool) {
        let id = object_of(access.addr.val);
        if is_good {
            return self.decide(access.site, DecisionKind::Region, u64::from(id.0), good);
        }
        let number = self.pool.mk_extract(addr, OBJECT_SHIFT, 64 - OBJECT_SHIFT);
        let n_objects = memory.n_objects();
        let (key, cond) = if id.0 < n_objects {
            let this = self.pool.mk_const(32, u64::from(id.0));
            let in_range = self.pool.mk_eq(number, this);
            let bad = self.pool.mk_not(good);
            (id.0, self.pool.mk_and(in_range, bad))
        } else {
            let first = self.pool.mk_const(32, u64::from(n_objects));
            (u32::MAX, self.pool.mk_ule(first, number))
        };
        self.decide(access.site, DecisionKind::Region, OUTSIDE | u64::from(key), cond);
    }
}

/// The object that an access goes to; as large as it can be, if its size is open.
fn holder(memory: &Memory, access: Access) -> Option<ObjectId> {
    match memory.resolve(access.addr.val, access.len) {
        Ok((object, _)) | Err(Fault::Unsettled { object, .. }) => Some(object),
        Err(_) => None,
    }
}
