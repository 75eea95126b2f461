//! The room between two columns of boxes: arrows go through it along tracks, so that no two of them look like one.

use std::ops::RangeInclusive;

/// An arrow's way through a channel.
#[derive(Clone, Debug)]
pub struct Passage {
    /// Heights at which it leaves the channel to the left and to the right.
    pub left: Option<i32>,
    pub right: Option<i32>,
    /// All heights that it has inside.
    pub span: RangeInclusive<i32>,
    /// Where it ends: passages that lead to one place may run together.
    pub target: (usize, i32),
}

impl Passage {
    /// The other must have a track further to the right: both leave at one height, on different sides.
    fn is_left_of(&self, other: &Self) -> bool {
        self.left.is_some() && self.left == other.right && self.target != other.target
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.target != other.target && self.span.start() <= other.span.end() && other.span.start() <= self.span.end()
    }
}

/// A track for each passage, numbered from the left. `None` where there is no track that would not mislead.
pub fn tracks(passages: &[Passage]) -> Vec<Option<usize>> {
    let mut tracks: Vec<Option<usize>> = vec![None; passages.len()];
    let mut waiting: Vec<usize> = (0..passages.len()).collect();
    while !waiting.is_empty() {
        let is_free = |&&number: &&usize| {
            !waiting.iter().any(|&other| other != number && passages[other].is_left_of(&passages[number]))
        };
        let Some(&number) = waiting.iter().find(is_free) else {
            waiting.remove(0);
            continue;
        };
        waiting.retain(|&other| other != number);
        let passage = &passages[number];
        let placed = |it: &usize| tracks[*it].map(|track| (track, &passages[*it]));
        let others: Vec<(usize, &Passage)> = (0..passages.len()).filter_map(|it| placed(&it)).collect();
        let first = others.iter().filter(|(_, it)| it.is_left_of(passage)).map(|(track, _)| track + 1).max();
        let is_taken = |track: usize| others.iter().any(|(taken, it)| *taken == track && it.overlaps(passage));
        tracks[number] = (first.unwrap_or(0)..).find(|&track| !is_taken(track));
    }
    tracks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(left: Option<i32>, right: Option<i32>, target: usize) -> Passage {
        let ends = || left.iter().chain(&right);
        let span = *ends().min().unwrap()..=*ends().max().unwrap();
        Passage { left, right, span, target: (target, 0) }
    }

    #[test]
    fn passages_don_t_run_into_each_other() {
        let crossing = [passage(Some(0), Some(5), 1), passage(Some(3), Some(9), 2), passage(Some(7), Some(8), 3)];
        let tracks = tracks(&crossing);
        assert_ne!(tracks[0], tracks[1]);
        assert_ne!(tracks[1], tracks[2]);
        assert_eq!(tracks[0], tracks[2]);
    }

    #[test]
    fn who_leaves_at_one_height_does_not_meet() {
        let tracks = tracks(&[passage(Some(1), Some(4), 1), passage(Some(4), Some(8), 2)]);
        assert!(tracks[1] < tracks[0], "{tracks:?}");
        let circle = [passage(Some(1), Some(4), 1), passage(Some(4), Some(1), 2)];
        assert_eq!(super::tracks(&circle), [None, Some(0)]);
    }
}
