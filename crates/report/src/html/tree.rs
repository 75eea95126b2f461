//! The execution tree of the tests: paths that begin alike share what they have in common.
//!
//! Decisions at which all tests of a subtree agree are one segment, so that there are at most twice as many segments as
//! tests, however long the paths are.

use serde::Serialize;

/// A path as numbers of decisions.
pub type Path = Vec<u32>;

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tree {
    /// The decisions of all segments, one segment after the other.
    pub decisions: Vec<u32>,
    /// `[segment above, first decision, number of decisions]`, each behind the one above it. The first is its own.
    pub segments: Vec<(u32, u32, u32)>,
}

impl Tree {
    /// The tree of all paths, and by path the segment that it ends with.
    pub fn new(paths: &[Path]) -> (Self, Vec<u32>) {
        let mut order: Vec<usize> = (0..paths.len()).collect();
        order.sort_by(|&a, &b| paths[a].cmp(&paths[b]));
        let mut tree = Self::default();
        let mut ends = vec![0; paths.len()];
        // Ranges of the sorted paths that share so many decisions, and the segment above.
        let mut waiting = vec![(0, order.len(), 0, 0)];
        while let Some((first, end, n_shared, above)) = waiting.pop() {
            let members = &order[first..end];
            let (Some(&one), Some(&other)) = (members.first(), members.last()) else { continue };
            // All that lies between two sorted paths has what these have in common.
            let n_common = common(&paths[one], &paths[other]);
            let segment = tree.segments.len() as u32;
            tree.segments.push((above, tree.decisions.len() as u32, (n_common - n_shared) as u32));
            tree.decisions.extend(&paths[one][n_shared..n_common]);
            let n_ended = members.iter().take_while(|&&path| paths[path].len() == n_common).count();
            members[..n_ended].iter().for_each(|&path| ends[path] = segment);
            let below = members[n_ended..].chunk_by(|&a, &b| paths[a][n_common] == paths[b][n_common]);
            let mut at = first + n_ended;
            let first_below = waiting.len();
            for group in below {
                waiting.push((at, at + group.len(), n_common, segment));
                at += group.len();
            }
            waiting[first_below..].reverse();
        }
        (tree, ends)
    }
}

fn common(one: &Path, other: &Path) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The decisions on the way to the end of a segment.
    fn path(tree: &Tree, segment: u32) -> Path {
        let (above, first, len) = tree.segments[segment as usize];
        let mut path = if above == segment { Vec::new() } else { path_of(tree, above) };
        path.extend(&tree.decisions[first as usize..(first + len) as usize]);
        path
    }

    fn path_of(tree: &Tree, segment: u32) -> Path {
        path(tree, segment)
    }

    #[test]
    fn every_path_is_found_again() {
        let paths: Vec<Path> =
            vec![vec![1, 2, 3], vec![1, 2, 4, 5], vec![1, 2], vec![7], vec![1, 2, 4, 6], vec![7], vec![]];
        let (tree, ends) = Tree::new(&paths);
        for (expected, &end) in paths.iter().zip(&ends) {
            assert_eq!(&path(&tree, end), expected);
        }
        assert!(tree.segments.iter().enumerate().skip(1).all(|(number, segment)| (segment.0 as usize) < number));
        assert!(tree.segments.len() <= 2 * paths.len());
    }

    #[test]
    fn what_all_share_is_one_segment() {
        let paths: Vec<Path> = (0..4).map(|last| (0..1000).chain([2000 + last]).collect()).collect();
        let (tree, _) = Tree::new(&paths);
        assert_eq!(tree.segments[0], (0, 0, 1000));
        assert_eq!(tree.segments.len(), 5);
        assert_eq!(tree.decisions.len(), 1004);
    }

    #[test]
    fn no_paths_make_no_tree() {
        assert_eq!(Tree::new(&[]).0, Tree::default());
    }
}
