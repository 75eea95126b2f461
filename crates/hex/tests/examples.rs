//! Programs on lists, rings and trees, with and without rules: how many ways they have, to the last one.

mod common;

use common::{Run, Value, counts, explore, spec, types};
use spelunk_hex::{Heap, ObjIx, Spec, Types};
use std::sync::Arc;

fn plain(types: &Types) -> Arc<Spec> {
    Arc::new(Spec::without_rules(types))
}

mod get_list {
    use super::*;

    fn list() -> Types {
        types(&["struct node: .next struct node"], &["list struct node *"])
    }

    const RING: &str = "list(.next)+ not null\nlist(.next)+ aliases list";

    /// Decides what it loads, as the paper's tool does.
    fn eager(run: &mut Run) {
        let first = run.root("list");
        if first.is_some() {
            let second = run.read(first, ".next");
            if second.is_some() {
                run.read(second, ".next");
            }
        }
    }

    /// Decides what it uses: `second->next` is only returned.
    fn lazy(run: &mut Run) {
        let first = run.root("list");
        if first.is_some() {
            run.read(first, ".next");
        }
    }

    #[test]
    fn figure_2() {
        let types = list();
        assert_eq!(counts(&plain(&types), 9, &[], eager), (7, 3, 0));
        assert_eq!(counts(&spec(RING, &types), 9, &[], eager), (4, 3, 3));
        assert_eq!(counts(&plain(&types), 9, &[], lazy), (4, 2, 0));
        assert_eq!(counts(&spec(RING, &types), 9, &[], lazy), (3, 2, 1));
    }
}

mod ring {
    use super::*;

    fn ring() -> Types {
        types(&["struct node: .next struct node, .prev struct node"], &["h struct node *"])
    }

    const RULES: &str = "
        h not null; h(.next|.prev)* not null
        in struct node { .next.prev is this; .prev.next is this }
        h(.next)+ aliases max h(.prev)*
        h(.prev)+ aliases max h(.next)*";

    fn walk(run: &mut Run, member: &str) {
        let h = run.root("h");
        let mut seen = vec![];
        let mut p = run.read(h, member);
        while p.is_some() && p != h && !seen.contains(&p) {
            seen.push(p);
            p = run.read(p, member);
        }
    }

    fn rep_ok(run: &mut Run) {
        let h = run.root("h");
        let mut seen = vec![];
        let mut p = h;
        loop {
            let next = run.read(p, ".next");
            if next.is_none() || run.read(next, ".prev") != p || seen.contains(&next) {
                return;
            }
            seen.push(next);
            p = next;
            if p == h {
                return;
            }
        }
    }

    fn first_and_last(run: &mut Run) {
        let h = run.root("h");
        if run.read(h, ".next").is_some() {
            run.read(h, ".prev");
        }
    }

    fn unlink_last(run: &mut Run) {
        let h = run.root("h");
        let t = run.read(h, ".prev");
        if t.is_some() && t != h && run.read(t, ".prev").is_some() {
            run.read(t, ".next");
        }
    }

    fn both_ways(run: &mut Run) {
        let h = run.root("h");
        for member in [".next", ".prev"] {
            let mut seen = vec![];
            let mut p = run.read(h, member);
            while p != h {
                if p.is_none() || seen.contains(&p) {
                    return;
                }
                seen.push(p);
                p = run.read(p, member);
            }
        }
    }

    /// A header and at most five nodes.
    #[test]
    fn of_up_to_five_nodes() {
        let types = ring();
        let rules = spec(RULES, &types);
        for member in [".next", ".prev"] {
            assert_eq!(counts(&plain(&types), 6, &["h"], |r| walk(r, member)).0, 27);
            assert_eq!(counts(&rules, 6, &["h"], |r| walk(r, member)), (6, 5, 21));
        }
        assert_eq!(counts(&plain(&types), 4, &["h"], rep_ok).0, 38);
        assert_eq!(counts(&rules, 6, &["h"], rep_ok), (6, 5, 71));
        assert_eq!(counts(&plain(&types), 4, &["h"], both_ways).0, 189);
        assert_eq!(counts(&rules, 6, &["h"], both_ways), (6, 5, 127));
        assert_eq!(counts(&plain(&types), 6, &["h"], first_and_last).0, 8);
        assert_eq!(counts(&rules, 6, &["h"], first_and_last), (3, 2, 5));
        assert_eq!(counts(&plain(&types), 6, &["h"], unlink_last).0, 16);
        assert_eq!(counts(&rules, 6, &["h"], unlink_last), (3, 2, 10));
    }

    /// Whatever the order, the complete heaps are the rings, each once.
    #[test]
    fn in_any_order() {
        for seed in 0..50 {
            let mut random = super::Random(seed);
            let order: Vec<usize> = (0..100).map(|_| random.below(1000)).collect();
            let (totals, ends) = explore(&spec(RULES, &ring()), 4, &["h"], |run| {
                let mut at = 0;
                run.read_all(|n| {
                    at += 1;
                    order[at] % n
                });
            });
            assert_eq!(totals.ends, 4, "order {seed}");
            assert!(ends.iter().all(is_ring), "order {seed}");
        }
    }

    fn is_ring(heap: &Heap) -> bool {
        let h = heap.target(ObjIx(0), 0).unwrap();
        let mut p = h;
        let mut n = 0;
        loop {
            let next = heap.target(p.object, 0).unwrap();
            if heap.target(next.object, 1) != Some(p) {
                return false;
            }
            n += 1;
            p = next;
            if p == h {
                return n + 1 == heap.n_objects();
            }
            if n > heap.n_objects() {
                return false;
            }
        }
    }
}

mod dlist {
    use super::*;

    fn dlist() -> Types {
        types(
            &[
                "struct dnode: .prev struct dnode, .next struct dnode",
                "struct dlist: .head struct dnode, .tail struct dnode, .n -",
            ],
            &["l struct dlist *"],
        )
    }

    const RULES: &str = "
        l not null;   in struct dnode { .next.prev is this; .prev.next is this }
        in struct dlist { .head.prev is null; .tail.next is null; .head is null or .tail not null; .tail is null or .head not null
          .head(.next)* aliases max .tail(.prev)*;                .tail(.prev)* aliases max .head(.next)*
          .head(.next)+ not null or .tail expands to nothing;     .tail(.prev)+ not null or .head expands to nothing }";

    fn walk(run: &mut Run, end: &str, member: &str) {
        let l = run.root("l");
        let mut seen = vec![];
        let mut p = run.read(l, end);
        while p.is_some() && !seen.contains(&p) {
            seen.push(p);
            p = run.read(p, member);
        }
    }

    fn dlist_ok(run: &mut Run) {
        let l = run.root("l");
        let mut prev: Value = None;
        let mut p = run.read(l, ".head");
        while p.is_some() {
            if run.read(p, ".prev") != prev {
                return;
            }
            prev = p;
            p = run.read(p, ".next");
        }
        run.read(l, ".tail");
    }

    #[test]
    fn of_up_to_five_nodes() {
        let types = dlist();
        let rules = spec(RULES, &types);
        for (end, member) in [(".head", ".next"), (".tail", ".prev")] {
            assert_eq!(counts(&plain(&types), 6, &["l"], |r| walk(r, end, member)).0, 21);
            assert_eq!(counts(&rules, 6, &["l"], |r| walk(r, end, member)), (6, 5, 15));
        }
        assert_eq!(counts(&plain(&types), 6, &["l"], dlist_ok).0, 60);
        assert_eq!(counts(&rules, 6, &["l"], dlist_ok), (6, 5, 54));
    }

    #[test]
    fn in_any_order() {
        for seed in 0..30 {
            let mut random = super::Random(seed);
            let order: Vec<usize> = (0..100).map(|_| random.below(1000)).collect();
            let everything = |run: &mut Run| {
                let mut at = 0;
                run.read_all(|n| {
                    at += 1;
                    order[at] % n
                });
            };
            let (totals, ends) = explore(&spec(RULES, &dlist()), 6, &["l"], everything);
            assert_eq!((totals.ends, totals.decisions), (6, 5), "order {seed}");
            assert!(ends.iter().all(is_list), "order {seed}");
            assert_eq!(counts(&plain(&dlist()), 3, &["l"], everything).0, 229);
        }
    }

    fn is_list(heap: &Heap) -> bool {
        let l = heap.target(ObjIx(0), 0).unwrap().object;
        let (mut prev, mut p, mut n) = (None, heap.target(l, 0), 0);
        while let Some(place) = p {
            if heap.target(place.object, 0) != prev || n > heap.n_objects() {
                return false;
            }
            n += 1;
            prev = p;
            p = heap.target(place.object, 1);
        }
        heap.target(l, 1) == prev && n + 2 == heap.n_objects()
    }
}

mod trees {
    use super::*;

    const CATALAN_SUMS: [usize; 7] = [1, 2, 4, 9, 23, 65, 197];

    #[test]
    fn without_sharing() {
        let types = types(&["struct node: .left struct node, .right struct node"], &["t struct node *"]);
        let rules = spec("t(.left|.right)* aliases nothing", &types);
        for (n, expected) in CATALAN_SUMS.into_iter().enumerate() {
            let (totals, _) = explore(&rules, n, &[], |run| {
                let mut stack = vec![run.root("t")];
                while let Some(p) = stack.pop() {
                    if p.is_some() {
                        stack.push(run.read(p, ".left"));
                        stack.push(run.read(p, ".right"));
                    }
                }
            });
            assert_eq!(totals.ends, expected);
        }
    }

    /// Leaves are pointers to a node that lies in the tree's own record.
    #[test]
    fn with_a_sentinel_and_parents() {
        let types = types(
            &[
                "struct rbnode: .left struct rbnode, .right struct rbnode, .parent struct rbnode, .red -",
                "struct rbtree: .root struct rbnode, .nil = struct rbnode, .nil.left struct rbnode, .nil.right struct rbnode, .nil.parent struct rbnode",
            ],
            &["t struct rbtree *"],
        );
        let rules = spec(
            "t not null
            in struct rbtree {
              .root(.left|.right)* not null; .root(.left|.right)* aliases .nil; .root.parent is .nil
              .nil(.left|.right|.parent) expands to nothing
            }
            in struct rbnode { (.left|.right).parent is this }",
            &types,
        );
        for (n, expected) in CATALAN_SUMS.into_iter().enumerate().take(6) {
            for parents in [false, true] {
                let (totals, _) = explore(&rules, n + 1, &["t"], |run| {
                    let t = run.root("t");
                    let nil = run.part(t, ".nil");
                    let root = run.read(t, ".root");
                    let mut stack = vec![(root, nil)];
                    while let Some((p, parent)) = stack.pop() {
                        if p == nil {
                            continue;
                        }
                        if parents {
                            assert_eq!(run.read(p, ".parent"), parent);
                        }
                        for side in [".left", ".right"] {
                            stack.push((run.read(p, side), p));
                        }
                    }
                });
                assert_eq!(totals.ends, expected);
            }
        }
    }

    #[test]
    fn two_without_common_nodes() {
        let types =
            types(&["struct node: .first struct node, .next struct node"], &["a struct node *", "b struct node *"]);
        let both = |run: &mut Run| {
            run.root("a");
            run.root("b");
        };
        assert_eq!(counts(&spec("(a|b)(.first|.next)* aliases nothing", &types), 2, &[], both).0, 4);
        assert_eq!(counts(&plain(&types), 2, &[], both).0, 5);
    }
}

/// A sequence of numbers, the same for a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}
