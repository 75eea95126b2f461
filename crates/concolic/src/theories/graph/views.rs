//! What is read through a pointer, as a variable of that pointer.
//!
//! Conditions speak of what is found through a pointer, whichever object that is: an input in which it shares the object
//! of another takes the path of one in which it does not, with the same conditions. So what a run reads through a pointer
//! that shares is a variable of the pointer's own object, which then is only a view of the other. Where the path's
//! conditions say that two pointers lead to the same place, what was found through one of them is found through both.

use super::Graph;
use super::classes::Home;
use super::pointers::Based;
use crate::graph::extent::Extent;
use crate::input_bytes::{Made, carried, input_byte};
use crate::machine::ConcolicMachine;
use spelunk_vm::Carried;
use spelunk_vm::memory::{Memory, Word};

impl Graph {
    /// Makes what a word of an object carries what is seen through a pointer.
    pub(super) fn see_through(
        &mut self,
        machine: &mut ConcolicMachine,
        based: Based,
        addr: u64,
        word: &mut Word,
        n: u32,
    ) {
        let mut at = 0;
        while at < n {
            let len = run_of_bytes(word, at, n);
            if let Some(number) = input_byte(word.exprs[at as usize].0) {
                match self.seen_as(machine, based, addr + u64::from(at), number, len) {
                    Some(seen) => {
                        for i in 0..len {
                            word.exprs[(at + i) as usize] = (carried(seen + i), 0);
                        }
                    }
                    // Byte by byte, they may be of several variables.
                    None if len > 1 => {
                        self.see_bytes(machine, based, addr, word, at, len);
                    }
                    None => {}
                }
            }
            at += len;
        }
    }

    fn see_bytes(
        &mut self,
        machine: &mut ConcolicMachine,
        based: Based,
        addr: u64,
        word: &mut Word,
        at: u32,
        len: u32,
    ) {
        for i in at..at + len {
            if let Some(number) = input_byte(word.exprs[i as usize].0)
                && let Some(seen) = self.seen_as(machine, based, addr + u64::from(i), number, 1)
            {
                word.exprs[i as usize] = (carried(seen), 0);
            }
        }
    }

    /// The number of the input byte that one of an object is through a pointer, if so many from there on go together.
    fn seen_as(&self, machine: &mut ConcolicMachine, based: Based, addr: u64, number: u32, len: u32) -> Option<u32> {
        let made = machine.inputs.holder(number);
        let node = made.node;
        if node == based.own && self.classes.is_alone(based.var) {
            return Some(number);
        }
        let at = addr.wrapping_sub(based.value) as i64;
        // What was written there may come from anywhere.
        if made.addr + u64::from(number - made.first) != addr
            || (!machine.path.is_pristine && self.is_overwritten(based.var, at))
        {
            return None;
        }
        self.found_at(machine, based, at, len)
    }

    /// What a pointer finds so many bytes from where it leads to, if nothing was written there: the number of an input byte.
    fn found_at(&self, machine: &mut ConcolicMachine, based: Based, at: i64, len: u32) -> Option<u32> {
        let (class, shift) = self.classes.place(based.var)?;
        let at = at + shift;
        if let Some(field) = self.classes.field(class, at) {
            let term = self.terms.get(field.var)?;
            let within = (at - field.at) as u32;
            let first = machine.inputs.of_node(term.node)?.first + term.offset;
            return (within + len <= field.n_bytes).then_some(first + within);
        }
        let home = self.classes.home(class)?;
        let view = self.home_of(machine, based, shift, home)?;
        let offset = (at - home.start) as u32;
        let (start, leaf) = machine.inputs.heap.leaf(home.node, offset)?;
        (offset + len <= start + leaf.n_bytes).then_some(view.first + offset)
    }

    /// What the pointer of the access at hand finds if nothing was written there.
    pub(super) fn see_unwritten(&self, machine: &mut ConcolicMachine, addr: u64, n: u32) -> Option<Word> {
        let (_, based) = self.at_hand(machine).filter(|&(at, _)| at == addr)?;
        let first = self.found_at(machine, based, addr.wrapping_sub(based.value) as i64, n)?;
        let bytes = machine.inputs.bytes_from(first, n as usize);
        let mut word = Word::plain(bytes.iter().rev().fold(0, |high, &byte| high << 8 | u64::from(byte)));
        for (number, byte) in (first..first + n).zip(&mut word.exprs) {
            *byte = (carried(number), 0);
        }
        Some(word)
    }

    /// What the object that a class leads into is in this run: itself, or a view of another.
    fn home_of(&self, machine: &mut ConcolicMachine, based: Based, shift: i64, home: Home) -> Option<Made> {
        if let Some(made) = machine.inputs.of_node(home.node) {
            return Some(made);
        }
        let start = based.value.wrapping_sub(shift as u64).wrapping_add(home.start as u64);
        machine.inputs.make_view(home.node, start)
    }

    /// What the first of some bytes of input is through a pointer, if the others go on from there.
    pub(super) fn see_run_through(
        &mut self,
        machine: &mut ConcolicMachine,
        based: Based,
        addr: u64,
        first: Carried,
        n: u32,
    ) -> Option<Carried> {
        let Some(number) = input_byte(first) else { return Some(first) };
        let made = machine.inputs.holder(number);
        let is_own = made.node == based.own && self.classes.is_alone(based.var);
        if is_own || made.addr + u64::from(number - made.first) != addr {
            return Some(first);
        }
        let Some((class, shift)) = self.classes.place(based.var) else { return Some(first) };
        let at = addr.wrapping_sub(based.value) as i64;
        let extent = Extent { first: at, last: at + i64::from(n) - 1 };
        let is_written = !machine.path.is_pristine && self.is_written_in(based.var, extent);
        if is_written || self.classes.has_field(class, extent.moved(shift)) {
            return None;
        }
        let home = self.classes.home(class)?;
        let view = self.home_of(machine, based, shift, home)?;
        let offset = (at + shift - home.start) as u32;
        (offset + n <= view.len).then_some(carried(view.first + offset))
    }

    /// Makes an object carry what a pointer finds in it, for those who get its address as a number.
    pub(super) fn repaint(&mut self, machine: &mut ConcolicMachine, memory: &mut Memory, based: Based) {
        let heap = &machine.inputs.heap;
        let Some((node, _)) = heap.node_at(based.value) else { return };
        if node == based.own && self.classes.is_alone(based.var) && !self.has_repainted {
            return;
        }
        self.has_repainted = true;
        let Some(len) = machine.inputs.room_at(based.own, based.value) else { return };
        for addr in (0..u64::from(len)).map(|at| based.value.wrapping_add(at)) {
            let Ok(mut word) = memory.load_word(addr, 1) else { return };
            let before = word.exprs[0];
            if word.has_expr() {
                self.see_through(machine, based, addr, &mut word, 1);
            }
            if word.exprs[0] != before && memory.store_word(addr, 1, &word).is_err() {
                return;
            }
        }
    }
}

/// How many bytes from one on are input bytes one after another.
fn run_of_bytes(word: &Word, at: u32, n: u32) -> u32 {
    let first = input_byte(word.exprs[at as usize].0);
    let goes_on =
        |i: u32| first.is_some() && input_byte(word.exprs[(at + i) as usize].0) == first.map(|first| first + i);
    (1..n - at).find(|&i| !goes_on(i)).unwrap_or(n - at)
}
