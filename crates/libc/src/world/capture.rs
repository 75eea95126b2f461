//! Output that is kept in memory, and can be brought back to what it was.

use std::ops::Deref;
use std::rc::Rc;

/// Everything that was written so far.
#[derive(Debug, Default)]
pub struct Capture {
    bytes: Vec<u8>,
    /// What was written up to the last time that it was saved.
    saved: SavedCapture,
}

/// Output up to some moment: shared pieces, so that saving it costs no more than what is new.
pub type SavedCapture = Option<Rc<Piece>>;

#[derive(Debug)]
pub struct Piece {
    before: SavedCapture,
    bytes: Box<[u8]>,
    /// Where the piece ends in the output.
    end: usize,
}

impl Deref for Capture {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Capture {
    pub fn write(&mut self, data: &[u8]) {
        self.bytes.extend_from_slice(data);
    }

    pub fn save(&mut self) -> SavedCapture {
        let start = end_of(&self.saved);
        if self.bytes.len() > start {
            let bytes = self.bytes[start..].into();
            self.saved = Some(Rc::new(Piece { before: self.saved.take(), bytes, end: self.bytes.len() }));
        }
        self.saved.clone()
    }

    pub fn restore(&mut self, saved: &SavedCapture) {
        // From both ends back to the piece that they have in common.
        let mut current = self.saved.as_ref();
        let mut wanted = saved.as_ref();
        let mut missing = Vec::new();
        while current.map(Rc::as_ptr) != wanted.map(Rc::as_ptr) {
            match (current, wanted) {
                (Some(piece), other) if other.is_none_or(|other| piece.end >= other.end) => {
                    current = piece.before.as_ref();
                }
                (_, Some(piece)) => {
                    missing.push(piece);
                    wanted = piece.before.as_ref();
                }
                _ => unreachable!("two that are absent are equal"),
            }
        }
        self.bytes.truncate(current.map_or(0, |piece| piece.end));
        missing.into_iter().rev().for_each(|piece| self.bytes.extend_from_slice(&piece.bytes));
        self.saved = saved.clone();
    }
}

fn end_of(saved: &SavedCapture) -> usize {
    saved.as_ref().map_or(0, |piece| piece.end)
}

impl Drop for Piece {
    /// One after the other: a long chain would need a deep stack.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut piece) = next.and_then(Rc::into_inner) {
            next = piece.before.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_saved_output_comes_back() {
        let mut capture = Capture::default();
        capture.write(b"a");
        let a = capture.save();
        capture.write(b"b");
        let ab = capture.save();
        capture.write(b"c");
        let abc = capture.save();
        capture.restore(&a);
        assert_eq!(&*capture, b"a");
        capture.write(b"xyz");
        let axyz = capture.save();
        capture.write(b"lost");
        for (saved, text) in [(&abc, "abc"), (&axyz, "axyz"), (&ab, "ab"), (&None, ""), (&abc, "abc")] {
            capture.restore(saved);
            assert_eq!(&*capture, text.as_bytes());
        }
        capture.write(b"d");
        assert_eq!(&*capture, b"abcd");
    }

    #[test]
    fn a_long_chain_is_dropped_without_a_deep_stack() {
        let mut capture = Capture::default();
        for _ in 0..1_000_000 {
            capture.write(b"x");
            capture.save();
        }
        drop(capture);
    }
}
