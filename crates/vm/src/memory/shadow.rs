//! The shadow: what is known of bytes that are not plain. Sparse, because such bytes are few, or alike.

use crate::value::Carried;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A byte that is partly uninitialised, or carries a byte of an expression, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShadowByte {
    /// Uninitialised bits.
    pub undef: u8,
    /// Which byte of the expression this is.
    pub index: u8,
    pub expr: Carried,
}

impl ShadowByte {
    /// A byte that nobody ever wrote.
    pub const UNWRITTEN: Self = Self { undef: 0xff, index: 0, expr: Carried::NONE };
}

/// Bytes that carry numbers one after another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberRun {
    pub start: u32,
    pub end: u32,
    /// What the first one carries.
    pub first: Carried,
    pub undef: u8,
}

impl NumberRun {
    fn at(&self, offset: u32) -> ShadowByte {
        ShadowByte { undef: self.undef, index: 0, expr: Carried(self.first.0 + (offset - self.start)) }
    }

    /// The part of it that is in a range; may be empty.
    fn within(&self, range: &Range<u32>) -> Self {
        let start = self.start.max(range.start).min(self.end);
        Self { start, end: self.end.min(range.end).max(start), first: self.at(start).expr, ..*self }
    }

    fn is_empty(&self) -> bool {
        self.start >= self.end
    }

    /// What its bytes carry.
    pub fn numbers(self) -> impl Iterator<Item = Carried> {
        (self.first.0..self.first.0 + (self.end - self.start)).map(Carried)
    }
}

/// By offset. A byte that is not plain and has no entry is wholly uninitialised.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    /// Single bytes. They count before runs.
    bytes: FxHashMap<u32, ShadowByte>,
    /// In order; no two have a byte in common.
    runs: Vec<NumberRun>,
    /// Whether a byte ever carried an expression.
    has_exprs: bool,
}

impl Shadow {
    pub fn get(&self, offset: u32) -> ShadowByte {
        if let Some(&byte) = self.bytes.get(&offset) {
            return byte;
        }
        self.run_at(offset).map_or(ShadowByte::UNWRITTEN, |run| run.at(offset))
    }

    /// Shows all bytes of a range. Runs are looked for once.
    pub fn visit(&self, range: Range<u32>, mut visit: impl FnMut(u32, ShadowByte)) {
        let mut runs = self.runs[self.runs.partition_point(|run| run.end <= range.start)..].iter().peekable();
        for offset in range {
            while runs.next_if(|run| run.end <= offset).is_some() {}
            let in_run = runs.peek().filter(|run| run.start <= offset).map(|run| run.at(offset));
            let single = if self.bytes.is_empty() { None } else { self.bytes.get(&offset).copied() };
            visit(offset, single.or(in_run).unwrap_or(ShadowByte::UNWRITTEN));
        }
    }

    fn run_at(&self, offset: u32) -> Option<&NumberRun> {
        let after = self.runs.partition_point(|run| run.start <= offset);
        self.runs[..after].last().filter(|run| offset < run.end)
    }

    /// The runs in a range, less those of their bytes that have an entry of their own.
    pub fn runs_in(&self, range: Range<u32>) -> Vec<NumberRun> {
        let mut single: Vec<u32> = match self.runs.is_empty() {
            true => return Vec::new(),
            false => self.bytes.keys().copied().filter(|offset| range.contains(offset)).collect(),
        };
        single.sort_unstable();
        let first = self.runs.partition_point(|run| run.end <= range.start);
        let last = self.runs.partition_point(|run| run.start < range.end).max(first);
        let mut found = Vec::new();
        for whole in self.runs[first..last].iter().map(|run| run.within(&range)) {
            let mut at = whole.start;
            let among = single.partition_point(|&offset| offset < whole.start)
                ..single.partition_point(|&offset| offset < whole.end);
            for &offset in &single[among] {
                found.push(whole.within(&(at..offset)));
                at = offset + 1;
            }
            found.push(whole.within(&(at..whole.end)));
        }
        found.retain(|run| !run.is_empty());
        found
    }

    pub fn set(&mut self, offset: u32, byte: ShadowByte) {
        let in_run = self.run_at(offset).map(|run| run.at(offset));
        if in_run.unwrap_or(ShadowByte::UNWRITTEN) == byte {
            self.bytes.remove(&offset);
        } else {
            self.has_exprs |= byte.expr.is_some();
            self.bytes.insert(offset, byte);
        }
    }

    /// Makes a run of some bytes, whatever they were.
    pub fn set_run(&mut self, new: NumberRun) {
        if new.is_empty() {
            return;
        }
        self.has_exprs = true;
        let range = new.start..new.end;
        match self.bytes.len() < range.len() {
            true => self.bytes.retain(|offset, _| !range.contains(offset)),
            false => range.clone().for_each(|offset| {
                self.bytes.remove(&offset);
            }),
        }
        let first = self.runs.partition_point(|run| run.end <= new.start);
        let last = self.runs.partition_point(|run| run.start < new.end).max(first);
        let before = self.runs[first..last].first().map(|run| run.within(&(0..new.start)));
        let behind = self.runs[first..last].last().map(|run| run.within(&(new.end..u32::MAX)));
        let parts = [before, Some(new), behind].into_iter().flatten().filter(|run| !run.is_empty());
        self.runs.splice(first..last, parts);
    }

    /// Forgets the bytes from `size` on.
    pub fn truncate(&mut self, size: u32) {
        self.bytes.retain(|&offset, _| offset < size);
        self.runs.iter_mut().for_each(|run| *run = run.within(&(0..size)));
        self.runs.retain(|run| !run.is_empty());
    }

    pub fn has_exprs(&self) -> bool {
        self.has_exprs
    }

    /// All single bytes with an expression. Those that are plain by now are of no account, here as with runs.
    pub fn exprs(&self) -> impl Iterator<Item = (u32, ShadowByte)> + '_ {
        self.bytes.iter().filter(|(_, byte)| byte.expr.is_some()).map(|(&offset, &byte)| (offset, byte))
    }

    /// The memory that it takes.
    pub fn footprint(&self) -> u64 {
        let (bytes, runs) = (self.bytes.capacity() * (size_of::<(u32, ShadowByte)>() + 1), self.runs.capacity());
        (size_of::<Self>() + bytes + runs * size_of::<NumberRun>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::{NumberRun, Shadow, ShadowByte};
    use crate::value::Carried;

    /// Bytes and runs in any order are what a list of bytes would be.
    #[test]
    fn runs_are_bytes() {
        const SIZE: u32 = 40;
        let mut seed = 7_u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % below
        };
        for _ in 0..200 {
            let mut shadow = Shadow::default();
            let mut all = vec![ShadowByte::UNWRITTEN; SIZE as usize];
            for _ in 0..30 {
                let start = random(SIZE);
                let end = start + random(SIZE + 1 - start);
                let first = 1 + random(1000);
                match random(4) {
                    0 => {
                        let run = NumberRun { start, end, first: Carried(first), undef: 0 };
                        shadow.set_run(run);
                        (start..end).for_each(|offset| all[offset as usize] = run.at(offset));
                    }
                    1 => {
                        shadow.set(start, ShadowByte::UNWRITTEN);
                        all[start as usize] = ShadowByte::UNWRITTEN;
                    }
                    2 if random(4) == 0 => {
                        shadow.truncate(end);
                        all[end as usize..].fill(ShadowByte::UNWRITTEN);
                    }
                    _ => {
                        let byte = ShadowByte { undef: 0, index: 1, expr: Carried(first) };
                        shadow.set(start, byte);
                        all[start as usize] = byte;
                    }
                }
                let found: Vec<ShadowByte> = (0..SIZE).map(|offset| shadow.get(offset)).collect();
                assert_eq!(found, all);
                let mut visited = Vec::new();
                shadow.visit(start..end, |_, byte| visited.push(byte));
                assert_eq!(visited, all[start as usize..end as usize]);
                let mut carrying: Vec<(u32, ShadowByte)> = shadow.exprs().collect();
                carrying.extend(
                    shadow
                        .runs_in(0..u32::MAX)
                        .into_iter()
                        .flat_map(|run| (run.start..run.end).map(move |at| (at, run.at(at)))),
                );
                carrying.sort_unstable_by_key(|(offset, _)| *offset);
                let expected: Vec<(u32, ShadowByte)> =
                    (0..).zip(all.iter().copied()).filter(|(_, byte)| byte.expr.is_some()).collect();
                assert_eq!(carrying, expected);
            }
        }
    }
}
