//! A small selection that covers what all cover.

/// Chooses from tests, each given by what it covers, in numbers. `required` are chosen whatever they cover; of the others, the
/// one that adds most comes next, and of those that add the same the first: put the preferred ones first. In the order of
/// the tests.
pub fn choose(covered: &[Vec<u32>], required: &[usize]) -> Vec<usize> {
    let n_items = covered.iter().flatten().max().map_or(0, |&last| last as usize + 1);
    let mut is_covered = vec![false; n_items];
    let mut chosen: Vec<usize> = required.to_vec();
    for &test in required {
        covered[test].iter().for_each(|&item| is_covered[item as usize] = true);
    }
    // What a test adds only gets less, so a stale figure is a bound: most are never computed again.
    let mut waiting: std::collections::BinaryHeap<(usize, std::cmp::Reverse<usize>)> =
        covered.iter().enumerate().map(|(test, items)| (items.len(), std::cmp::Reverse(test))).collect();
    while let Some((bound, std::cmp::Reverse(test))) = waiting.pop() {
        let adds = covered[test].iter().filter(|&&item| !is_covered[item as usize]).count();
        if adds == 0 {
            continue;
        }
        if adds < bound {
            waiting.push((adds, std::cmp::Reverse(test)));
            continue;
        }
        covered[test].iter().for_each(|&item| is_covered[item as usize] = true);
        chosen.push(test);
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_adds_most_comes_first() {
        let covered = [vec![0, 1], vec![2, 3], vec![0, 1, 2], vec![3], vec![]];
        assert_eq!(choose(&covered, &[]), [1, 2]);
    }

    #[test]
    fn what_is_required_stays() {
        assert_eq!(choose(&[vec![0], vec![0, 1], vec![]], &[2]), [1, 2]);
        assert_eq!(choose(&[vec![0, 1], vec![0]], &[0]), [0]);
    }

    #[test]
    fn of_equals_the_first_is_chosen() {
        assert_eq!(choose(&[vec![1], vec![0, 1], vec![0, 1]], &[]), [1]);
    }
}
