//! Control-flow analyses on graphs with known answers, and against naive definitions on random graphs.

use proptest::prelude::*;
use spelunk_ir::flow::{BlockId, Cfg, Dominators, Effect, Liveness, Loops, PostDominators};

/// The graph in which block `i` may go to the blocks `successors[i]`.
fn graph(successors: &[Vec<u32>]) -> Cfg {
    Cfg::new(successors.len(), |block, visit| successors[block as usize].iter().for_each(|&to| visit(BlockId(to))))
}

fn cfg(successors: &[&[u32]]) -> Cfg {
    graph(&successors.iter().map(|targets| targets.to_vec()).collect::<Vec<_>>())
}

fn ids(blocks: impl IntoIterator<Item = BlockId>) -> Vec<u32> {
    blocks.into_iter().map(|block| block.0).collect()
}

fn all_ids(lists: Vec<Vec<BlockId>>) -> Vec<Vec<u32>> {
    lists.into_iter().map(ids).collect()
}

/// 0 → {1, 2} → 3, and 4 which nothing reaches.
const DIAMOND: &[&[u32]] = &[&[1, 2], &[3], &[3], &[], &[3]];

#[test]
fn edges_have_no_repetitions_and_keep_their_order() {
    let cfg = cfg(&[&[3, 1, 3, 2, 1, 3], &[2, 2], &[], &[]]);
    assert_eq!(ids(cfg.successors(BlockId(0))), [3, 1, 2]);
    assert_eq!(ids(cfg.successors(BlockId(1))), [2]);
    assert_eq!(ids(cfg.predecessors(BlockId(2))), [0, 1]);
}

#[test]
fn a_function_without_code_has_the_empty_graph() {
    let cfg = cfg(&[]);
    assert_eq!(cfg.n_blocks(), 0);
    assert_eq!(cfg.reverse_postorder().len(), 0);
    assert!(Dominators::new(&cfg).frontiers(&cfg).is_empty());
    assert!(PostDominators::new(&cfg).control_dependences().is_empty());
    assert!(Loops::new(&cfg).is_empty());
}

#[test]
fn diamond() {
    let cfg = cfg(DIAMOND);
    let order = ids(cfg.reverse_postorder());
    assert_eq!((order.len(), order[0], order[3]), (4, 0, 3));
    assert!(!cfg.is_reachable(BlockId(4)));

    let dominators = Dominators::new(&cfg);
    let idoms: Vec<_> = (0..5).map(|block| dominators.idom(BlockId(block)).map(|idom| idom.0)).collect();
    assert_eq!(idoms, [None, Some(0), Some(0), Some(0), None]);
    assert!(dominators.dominates(BlockId(0), BlockId(3)) && dominators.dominates(BlockId(3), BlockId(3)));
    assert!(!dominators.dominates(BlockId(1), BlockId(3)));
    assert!(!dominators.dominates(BlockId(4), BlockId(4)), "unreachable");
    assert_eq!(all_ids(dominators.frontiers(&cfg)), [vec![], vec![3], vec![3], vec![], vec![]]);

    let postdominators = PostDominators::new(&cfg);
    let ipdoms: Vec<_> = (0..5).map(|block| postdominators.ipdom(BlockId(block)).map(|ipdom| ipdom.0)).collect();
    assert_eq!(ipdoms, [Some(3), Some(3), Some(3), None, None]);
    assert_eq!(all_ids(postdominators.control_dependences()), [vec![], vec![0], vec![0], vec![], vec![]]);
    assert_eq!(ids(postdominators.exits().to_vec()), [3]);
}

#[test]
fn while_loop_with_break_controls_itself() {
    // 0 → 1 (head) → {2, 5}; 2 → {3, 5} (break); 3 → 1; 5 is the end; 4 unused.
    let cfg = cfg(&[&[1], &[2, 5], &[3, 5], &[1], &[], &[]]);
    let dependences = all_ids(PostDominators::new(&cfg).control_dependences());
    let sorted: Vec<Vec<u32>> = dependences
        .into_iter()
        .map(|mut list| {
            list.sort_unstable();
            list
        })
        .collect();
    assert_eq!(sorted, [vec![], vec![2], vec![1], vec![2], vec![], vec![]]);
}

#[test]
fn endless_loops_get_an_exit_at_their_first_block() {
    // 0 → {1, 4}; 1 → 2 → 3 → 1 forever; 4 returns.
    let cfg = cfg(&[&[1, 4], &[2], &[3], &[1], &[]]);
    let postdominators = PostDominators::new(&cfg);
    assert_eq!(ids(postdominators.exits().to_vec()), [4, 1]);
    assert_eq!(postdominators.ipdom(BlockId(2)), Some(BlockId(3)));
    assert_eq!(postdominators.ipdom(BlockId(3)), Some(BlockId(1)));
    assert_eq!(postdominators.ipdom(BlockId(1)), None);
    assert_eq!(postdominators.ipdom(BlockId(0)), None);
}

#[test]
fn only_the_last_of_nested_endless_parts_gets_an_exit() {
    // 1 ⇄ 2 can be left, but only into the endless 3.
    let cfg = cfg(&[&[1], &[2, 3], &[1], &[3]]);
    let postdominators = PostDominators::new(&cfg);
    assert_eq!(ids(postdominators.exits().to_vec()), [3]);
    assert_eq!(postdominators.ipdom(BlockId(1)), Some(BlockId(3)));
}

#[test]
fn nested_loops() {
    // 1 heads {1,2,3,4}, 2 heads {2,3}; 5 loops to itself.
    let cfg = cfg(&[&[1], &[2, 5], &[3], &[2, 4], &[1], &[5, 6], &[]]);
    let loops = Loops::new(&cfg);
    assert_eq!(loops.len(), 3);
    assert!(!loops.has_irreducible());
    let outer = loops.headed_by(BlockId(1)).unwrap();
    let inner = loops.headed_by(BlockId(2)).unwrap();
    let own = loops.headed_by(BlockId(5)).unwrap();
    let mut blocks = ids(loops[outer].blocks.clone());
    blocks.sort_unstable();
    assert_eq!(blocks, [1, 2, 3, 4]);
    assert_eq!(ids(loops[inner].blocks.clone()), [2, 3]);
    assert_eq!((loops[inner].parent, loops[inner].depth), (Some(outer), 2));
    assert_eq!((loops[own].parent, loops[own].depth), (None, 1));
    assert_eq!(loops.around(BlockId(3)).collect::<Vec<_>>(), [inner, outer]);
    assert!(loops.contains(outer, BlockId(3)) && !loops.contains(own, BlockId(3)));
    assert_eq!(loops.innermost(BlockId(6)), None);
}

#[test]
fn jump_into_a_loop_is_irreducible() {
    let cfg = cfg(&[&[1, 2], &[2], &[1, 3], &[]]);
    let loops = Loops::new(&cfg);
    let (_, found) = loops.iter().next().unwrap();
    assert_eq!(loops.len(), 1);
    assert!(found.is_irreducible());
    let mut entries = ids(found.entries.clone());
    entries.sort_unstable();
    assert_eq!(entries, [1, 2]);
}

#[test]
fn twenty_thousand_blocks() {
    // A chain in which each block may also leave the function or go back to the start of its group of ten.
    let n = 20_000u32;
    let successors: Vec<Vec<u32>> = (0..n)
        .map(|block| match block {
            _ if block == n - 1 => vec![],
            0 => vec![1],
            _ => vec![block + 1, (block / 10 * 10).max(1), n - 1],
        })
        .collect();
    let cfg = graph(&successors);
    let dominators = Dominators::new(&cfg);
    assert!(dominators.dominates(BlockId(1), BlockId(n - 1)));
    assert_eq!(dominators.idom(BlockId(n - 2)), Some(BlockId(n - 3)));
    assert_eq!(PostDominators::new(&cfg).ipdom(BlockId(5)), Some(BlockId(n - 1)));
    assert_eq!(Loops::new(&cfg).len(), (n / 10) as usize);
}

/// What the analyses say by definition, at quadratic cost.
struct Naive {
    successors: Vec<Vec<u32>>,
}

impl Naive {
    /// Which nodes the root reaches without going through `avoided`.
    fn reached(&self, root: u32, avoided: Option<u32>) -> Vec<bool> {
        let mut seen = vec![false; self.successors.len()];
        let mut stack: Vec<u32> = Some(root).filter(|_| avoided != Some(root)).into_iter().collect();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                stack.extend(self.successors[node as usize].iter().filter(|&&succ| Some(succ) != avoided));
            }
        }
        seen
    }

    /// `table[a][b]`: does `a` dominate `b`?
    fn dominators(&self, root: u32) -> Vec<Vec<bool>> {
        let reachable = self.reached(root, None);
        let row = |above: usize| {
            let without = self.reached(root, Some(above as u32));
            (0..reachable.len()).map(|below| reachable[above] && reachable[below] && !without[below]).collect()
        };
        (0..self.successors.len()).map(row).collect()
    }

    fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let edges = self.successors.iter().enumerate();
        edges.flat_map(|(from, targets)| targets.iter().map(move |&to| (from, to as usize)))
    }

    fn reversed(&self) -> Self {
        let mut successors = vec![Vec::new(); self.successors.len()];
        self.edges().for_each(|(from, to)| successors[to].push(from as u32));
        Self { successors }
    }
}

fn graphs() -> impl Strategy<Value = Vec<Vec<u32>>> {
    (1..14u32).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(0..n, 0..4), n as usize))
}

fn immediate(table: &[Vec<bool>], node: usize) -> Option<u32> {
    // The strict dominator that all other strict dominators dominate.
    let strict: Vec<usize> = (0..table.len()).filter(|&above| above != node && table[above][node]).collect();
    strict.iter().copied().find(|&one| strict.iter().all(|&other| table[other][one])).map(|found| found as u32)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn dominators_match_their_definition(successors in graphs()) {
        let n = successors.len();
        let cfg = graph(&successors);
        let dominators = Dominators::new(&cfg);
        let naive = Naive { successors };
        let table = naive.dominators(0);
        for (above, row) in table.iter().enumerate() {
            for (below, &expected) in row.iter().enumerate() {
                let found = dominators.dominates(BlockId::new(above), BlockId::new(below));
                prop_assert_eq!(found, expected, "{} over {}", above, below);
            }
            prop_assert_eq!(dominators.idom(BlockId::new(above)).map(|id| id.0), immediate(&table, above));
        }
        let mut frontiers = vec![Vec::new(); n];
        for (above, frontier) in frontiers.iter_mut().enumerate() {
            for join in 0..n {
                let strictly = above != join && table[above][join];
                let over_pred = naive.edges().any(|(from, to)| to == join && table[above][from]);
                if over_pred && !strictly {
                    frontier.push(join as u32);
                }
            }
        }
        prop_assert_eq!(all_ids(dominators.frontiers(&cfg)), frontiers);
    }

    #[test]
    fn postdominators_match_their_definition(successors in graphs()) {
        let n = successors.len();
        let cfg = graph(&successors);
        let postdominators = PostDominators::new(&cfg);
        let mut ending = Naive { successors };
        let reachable = ending.reached(0, None);
        for (block, targets) in ending.successors.iter_mut().enumerate() {
            if !reachable[block] {
                targets.clear();
            }
        }
        ending.successors.push(Vec::new());
        for exit in postdominators.exits() {
            ending.successors[exit.index()].push(n as u32);
        }
        let table = ending.reversed().dominators(n as u32);
        for block in 0..n {
            prop_assert_eq!(table[n][block], reachable[block], "{} has an end", block);
            let expected = immediate(&table, block).filter(|&ipdom| ipdom != n as u32);
            prop_assert_eq!(postdominators.ipdom(BlockId::new(block)).map(|id| id.0), expected);
            for (before, &expected) in table[block][..n].iter().enumerate() {
                let found = postdominators.postdominates(BlockId::new(block), BlockId::new(before));
                prop_assert_eq!(found, expected, "{} after {}", block, before);
            }
        }
        let mut dependences = vec![Vec::new(); n];
        for (block, controllers) in dependences.iter_mut().enumerate() {
            for branch in 0..n {
                let must = ending.successors[branch].iter().any(|&succ| table[block][succ as usize]);
                if must && !(block != branch && table[block][branch]) {
                    controllers.push(branch as u32);
                }
            }
        }
        prop_assert_eq!(all_ids(postdominators.control_dependences()), dependences);
    }

    #[test]
    fn loops_match_back_edges(successors in graphs()) {
        let loops = Loops::new(&graph(&successors));
        let naive = Naive { successors };
        let table = naive.dominators(0);
        let (back, forward): (Vec<_>, Vec<_>) =
            naive.edges().filter(|&(from, _)| table[0][from]).partition(|&(from, to)| table[to][from]);

        // Without back edges, a reducible graph has no cycle left.
        let mut rest = Naive { successors: vec![Vec::new(); naive.successors.len()] };
        forward.iter().for_each(|&(from, to)| rest.successors[from].push(to as u32));
        let irreducible = forward.iter().any(|&(from, to)| rest.reached(to as u32, None)[from]);
        prop_assert_eq!(loops.has_irreducible(), irreducible);

        for (_, found) in loops.iter().filter(|(_, found)| !found.is_irreducible()) {
            let header = found.header.index();
            prop_assert_eq!(&found.entries, &[found.header]);
            let mut body: Vec<u32> = vec![header as u32];
            let into = naive.reversed();
            for &(from, _) in back.iter().filter(|&&(_, to)| to == header) {
                let reaching = into.reached(from as u32, Some(header as u32));
                body.extend((0..reaching.len() as u32).filter(|&node| reaching[node as usize] && table[0][node as usize]));
            }
            body.sort_unstable();
            body.dedup();
            let mut blocks = ids(found.blocks.clone());
            blocks.sort_unstable();
            prop_assert_eq!(blocks, body);
        }
        if !irreducible {
            let mut headers: Vec<usize> = back.iter().map(|&(_, to)| to).collect();
            headers.sort_unstable();
            headers.dedup();
            prop_assert_eq!(loops.len(), headers.len());
        }
    }
    #[test]
    fn latches_lead_back_to_the_header(successors in graphs()) {
        let loops = Loops::new(&graph(&successors));
        for (_, found) in loops.iter() {
            let leads_back = |block: &&BlockId| successors[block.index()].contains(&found.header.0);
            let expected: Vec<BlockId> = found.blocks.iter().filter(leads_back).copied().collect();
            prop_assert_eq!(&found.latches, &expected);
            prop_assert!(!expected.is_empty());
        }
    }

    #[test]
    fn postdominators_of_chosen_exits_match_their_definition(successors in graphs(), chosen in prop::collection::vec(any::<bool>(), 14)) {
        let n = successors.len();
        let cfg = graph(&successors);
        let exits: Vec<BlockId> = cfg.reverse_postorder().filter(|block| chosen[block.index()]).collect();
        let postdominators = PostDominators::before(&cfg, exits.clone());
        let mut ending = Naive { successors };
        let reachable = ending.reached(0, None);
        for (block, targets) in ending.successors.iter_mut().enumerate() {
            if !reachable[block] {
                targets.clear();
            }
        }
        ending.successors.push(Vec::new());
        exits.iter().for_each(|exit| ending.successors[exit.index()].push(n as u32));
        let table = ending.reversed().dominators(n as u32);
        for block in 0..n {
            let expected = immediate(&table, block).filter(|&ipdom| ipdom != n as u32);
            prop_assert_eq!(postdominators.ipdom(BlockId::new(block)).map(|id| id.0), expected);
        }
    }

    #[test]
    fn liveness_matches_its_definition(
        successors in graphs(),
        // Per block, what it does with which of four slots: reads and writes, in order.
        events in prop::collection::vec(prop::collection::vec((0..4usize, any::<bool>()), 0..4), 14),
        leaping in prop::collection::vec(any::<bool>(), 14),
        leapt_to in prop::collection::vec(any::<bool>(), 14),
    ) {
        let n = successors.len();
        let cfg = graph(&successors);
        let effects: Vec<Effect> = events[..n].iter().map(|events| {
            let mut effect = Effect::new(4);
            events.iter().for_each(|&(slot, is_write)| if is_write { effect.write(slot) } else { effect.read(slot) });
            effect
        }).collect();
        let chosen = |flags: &[bool]| -> Vec<BlockId> {
            cfg.reverse_postorder().filter(|block| flags[block.index()]).collect()
        };
        let (from, to) = (chosen(&leaping), chosen(&leapt_to));
        let liveness = Liveness::new(&cfg, 4, &effects, (&from, &to));
        let reachable = Naive { successors: successors.clone() }.reached(0, None);
        for slot in 0..4 {
            for (start, is_reachable) in reachable.iter().enumerate() {
                // Is there a way from here to a read that meets no write?
                let mut seen = vec![false; n];
                let mut waiting = vec![start];
                let mut is_live = false;
                while let Some(block) = waiting.pop() {
                    if std::mem::replace(&mut seen[block], true) {
                        continue;
                    }
                    match events[block].iter().find(|event| event.0 == slot) {
                        Some((_, is_write)) => is_live |= !is_write,
                        None => {
                            waiting.extend(successors[block].iter().map(|&next| next as usize));
                            if from.contains(&BlockId::new(block)) {
                                waiting.extend(to.iter().map(|next| next.index()));
                            }
                        }
                    }
                }
                let found = liveness.at_start(BlockId::new(start)).contains(slot);
                prop_assert_eq!(found, is_live && *is_reachable, "slot {} at {}", slot, start);
            }
        }
    }
}
