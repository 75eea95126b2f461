//! Programs made up of numbers are explored in random order: every path must be met once, and nothing be left.

use std::collections::HashSet;

use spelunk_concolic::decision::{Decision, DecisionKind, Others};

use super::*;
use spelunk_ir::code::OpIdx;

/// What a made-up program decides after the choices so far: the kind of the decision and how many alternatives it has.
type Program = fn(&[u64]) -> Option<(DecisionKind, u64)>;

fn binary_of_depth_6(path: &[u64]) -> Option<(DecisionKind, u64)> {
    (path.len() < 6).then_some((DecisionKind::Branch, 2))
}

fn lopsided(path: &[u64]) -> Option<(DecisionKind, u64)> {
    match path {
        [.., 0] | [.., 3] if path.len() > 2 => None,
        _ if path.len() > 7 => None,
        _ => Some((DecisionKind::Switch, 2 + path.iter().sum::<u64>() % 3)),
    }
}

fn values(path: &[u64]) -> Option<(DecisionKind, u64)> {
    (path.len() < 3).then_some((DecisionKind::Value, 4))
}

/// Conditions are made-up expressions too: only their ids matter.
fn cond(path: &[u64], key: u64) -> ExprId {
    let number = path.iter().fold(7, |hash: u64, &key| hash.wrapping_mul(31).wrapping_add(key + 1));
    ExprId::from_raw((number.wrapping_mul(31).wrapping_add(key) % 1_000_003) as u32 + 3)
}

struct Explorer {
    program: Program,
    rng: fastrand::Rng,
    tree: Tree,
    met: HashSet<Vec<u64>>,
}

impl Explorer {
    fn new(program: Program, seed: u64) -> Self {
        Self { program, rng: fastrand::Rng::with_seed(seed), tree: Tree::new(), met: HashSet::new() }
    }

    /// A run that makes the first choices as told and the others at random. Some are put aside on the way.
    fn run(&mut self, by_way_of: Option<Ticket>, told: &[Choice], excluded: &[u64]) -> Entered {
        let mut keys = Vec::new();
        let mut path = Vec::new();
        let mut has_ended = true;
        while let Some((kind, n_alternatives)) = (self.program)(&keys) {
            if keys.len() > told.len() && self.rng.u8(..8) == 0 {
                has_ended = false;
                break;
            }
            let taken = match told.get(keys.len()) {
                Some(Choice::Key(key)) => *key,
                Some(Choice::Rest) => {
                    let left: Vec<u64> = (0..n_alternatives).filter(|key| !excluded.contains(key)).collect();
                    left[self.rng.usize(..left.len())]
                }
                None => self.rng.u64(..n_alternatives),
            };
            path.push(Decision { site: OpIdx::new(keys.len()), stack: 0, kind, taken, cond: cond(&keys, taken) });
            keys.push(taken);
        }
        let program = self.program;
        let all_keys = keys.clone();
        let path = Path { decisions: &path, origin: &Rc::default(), by_way_of, max_depth: u32::MAX, has_ended };
        let entered = self.tree.enter(&path, |idx| {
            let (kind, n_alternatives) = program(&all_keys[..idx]).unwrap();
            match kind {
                DecisionKind::Value => {
                    let not_taken = ExprId::from_raw(cond(&all_keys[..idx], all_keys[idx]).raw() + 2_000_000);
                    Others::from_elem((Choice::Rest, not_taken), 1)
                }
                _ => (0..n_alternatives)
                    .filter(|&key| key != all_keys[idx])
                    .map(|key| (Choice::Key(key), cond(&all_keys[..idx], key)))
                    .collect(),
            }
        });
        let is_new = has_ended && self.met.insert(keys);
        assert_eq!(entered.is_new, is_new, "a path is new exactly if it was not met before");
        entered
    }

    /// Takes over the alternative that a prediction ends with.
    fn adopt(&mut self, prediction: &[(OpIdx, Choice)]) {
        let key = |&(_, choice): &(OpIdx, Choice)| match choice {
            Choice::Key(key) => key,
            Choice::Rest => unreachable!("what can't be named is not given away"),
        };
        let mut keys: Vec<u64> = prediction.iter().map(key).collect();
        let given = keys.pop().unwrap();
        // A run that comes to the same decision and decides otherwise.
        keys.push(if given == 0 { 1 } else { 0 });
        let decision = |idx: usize| {
            let (kind, _) = (self.program)(&keys[..idx]).unwrap();
            let cond = cond(&keys[..idx], keys[idx]);
            Decision { site: OpIdx::new(idx), stack: 0, kind, taken: keys[idx], cond }
        };
        let path: Vec<Decision> = (0..keys.len()).map(decision).collect();
        let grafted = self.tree.graft(&path, &Rc::default(), Choice::Key(given), ExprId::TRUE);
        assert!(grafted.is_some());
    }

    /// The keys that `Choice::Rest` at the end of this prediction excludes, by its conditions.
    fn excluded(&self, ticket: Ticket, choices: &[Choice]) -> Vec<u64> {
        let mut conds = Vec::new();
        let n_before = self.tree.path_condition(ticket, &mut conds);
        assert_eq!(n_before + 1, choices.len());
        let before: Vec<u64> = choices[..n_before]
            .iter()
            .map(|choice| match choice {
                Choice::Key(key) => *key,
                Choice::Rest => unreachable!("only the last choice of a prediction is open"),
            })
            .collect();
        (0..100)
            .filter(|&key| conds[n_before..].contains(&ExprId::from_raw(cond(&before, key).raw() + 2_000_000)))
            .collect()
    }

    fn explore(mut self) -> usize {
        self.run(None, &[], &[]);
        while let Some(ticket) = self.tree.descend(|n| self.rng.usize(..n)) {
            assert!(self.tree.is_open(ticket));
            let mut prediction = Vec::new();
            self.tree.prediction(ticket, &mut prediction);
            let choices: Vec<Choice> = prediction.iter().map(|&(_, choice)| choice).collect();
            let mut excluded = Vec::new();
            if choices.last() == Some(&Choice::Rest) {
                excluded = self.excluded(ticket, &choices);
                if excluded.len() == 4 {
                    self.tree.close(ticket, Closed::Infeasible);
                    continue;
                }
            }
            let by_way_of = self.rng.bool().then_some(ticket);
            self.run(by_way_of, &choices, &excluded);
        }
        assert_eq!((self.tree.n_open(), self.tree.n_nodes()), (0, 0));
        self.met.len()
    }
}

/// Two explorers of one program, of which now and then one gives part of its work to the other.
fn explore_together(program: Program, seed: u64) -> usize {
    let mut explorers = [Explorer::new(program, seed), Explorer::new(program, seed + 1)];
    let mut rng = fastrand::Rng::with_seed(seed);
    explorers[0].run(None, &[], &[]);
    while explorers.iter().any(|explorer| explorer.tree.n_open() > 0) {
        let giver = rng.usize(..2);
        if rng.bool()
            && let Some(ticket) = explorers[giver].tree.shallowest()
        {
            let mut prediction = Vec::new();
            explorers[giver].tree.prediction(ticket, &mut prediction);
            explorers[giver].tree.close(ticket, Closed::GivenAway);
            explorers[1 - giver].adopt(&prediction);
        }
        for explorer in &mut explorers {
            if let Some(ticket) = explorer.tree.descend(|n| rng.usize(..n)) {
                let mut prediction = Vec::new();
                explorer.tree.prediction(ticket, &mut prediction);
                let choices: Vec<Choice> = prediction.iter().map(|&(_, choice)| choice).collect();
                explorer.run(rng.bool().then_some(ticket), &choices, &[]);
            }
        }
    }
    let [ours, theirs] = explorers.map(|explorer| explorer.met);
    assert!(ours.is_disjoint(&theirs), "a path is explored by one of them");
    ours.len() + theirs.len()
}

fn count_paths(program: Program, path: &mut Vec<u64>) -> usize {
    let Some((_, n_alternatives)) = program(path) else { return 1 };
    (0..n_alternatives)
        .map(|key| {
            path.push(key);
            let n_paths = count_paths(program, path);
            path.pop();
            n_paths
        })
        .sum()
}

#[test]
fn every_path_is_met_once() {
    for program in [binary_of_depth_6, lopsided, values] as [Program; 3] {
        let n_paths = count_paths(program, &mut Vec::new());
        for seed in 0..20 {
            assert_eq!(Explorer::new(program, seed).explore(), n_paths);
        }
    }
}

#[test]
fn work_that_is_shared_is_done_once() {
    for program in [binary_of_depth_6, lopsided] as [Program; 2] {
        let n_paths = count_paths(program, &mut Vec::new());
        for seed in 0..50 {
            assert_eq!(explore_together(program, seed), n_paths);
        }
    }
}

#[test]
fn alternatives_beyond_the_depth_are_cut_off() {
    let path: Vec<Decision> = (0..5)
        .map(|site| Decision {
            site: OpIdx(site),
            stack: 0,
            kind: DecisionKind::Branch,
            taken: 1,
            cond: cond(&[], u64::from(site)),
        })
        .collect();
    let mut tree = Tree::new();
    let flip = |_| Others::from_elem((Choice::Key(0), ExprId::TRUE), 1);
    let path = Path { decisions: &path, origin: &Rc::default(), by_way_of: None, max_depth: 3, has_ended: true };
    let entered = tree.enter(&path, flip);
    assert_eq!((entered.open.len(), entered.n_cut_off, tree.n_open()), (3, 2, 3));
    assert_eq!(tree.features(entered.open[2]).depth, 2);
}

#[test]
fn a_closed_alternative_is_no_longer_open() {
    let decision = Decision { site: OpIdx(1), stack: 0, kind: DecisionKind::Branch, taken: 1, cond: ExprId::TRUE };
    let mut tree = Tree::new();
    let path = Path { decisions: &[decision], origin: &Rc::default(), by_way_of: None, max_depth: 9, has_ended: true };
    let entered = tree.enter(&path, |_| Others::from_elem((Choice::Key(0), ExprId::TRUE), 1));
    let ticket = entered.open[0];
    tree.close(ticket, Closed::Unknown);
    assert!(!tree.is_open(ticket));
    assert_eq!(tree.n_nodes(), 0);
}

#[test]
fn a_path_that_leaves_out_decisions_leaves_what_is_below() {
    let decision =
        |site| Decision { site: OpIdx(site), stack: 0, kind: DecisionKind::Branch, taken: 1, cond: ExprId::TRUE };
    let decisions = [decision(1), decision(2)];
    let mut tree = Tree::new();
    let origin = Rc::default();
    let flip = |_| Others::from_elem((Choice::Key(0), ExprId::TRUE), 1);
    let path = Path { decisions: &decisions, origin: &origin, by_way_of: None, max_depth: 9, has_ended: true };
    let entered = tree.enter(&path, flip);
    tree.enter(
        &Path { decisions: &decisions[..1], origin: &origin, by_way_of: None, max_depth: 9, has_ended: true },
        flip,
    );
    assert!(entered.open.iter().all(|&ticket| tree.is_open(ticket)));
    let mut prediction = Vec::new();
    tree.prediction(entered.open[1], &mut prediction);
    assert_eq!(prediction, [(OpIdx(1), Choice::Key(1)), (OpIdx(2), Choice::Key(0))]);
}

#[test]
fn whoever_looks_for_anything_else_at_a_grafted_place_keeps_what_is_found() {
    let decision = |taken| Decision { site: OpIdx(1), stack: 0, kind: DecisionKind::Value, taken, cond: ExprId::TRUE };
    let not_taken = |taken| ExprId::from_raw(1000 + taken);
    let mut tree = Tree::new();
    let ticket = tree.graft(&[decision(0)], &Rc::default(), Choice::Rest, not_taken(0)).expect("it is ours");
    let mut enter = |taken| {
        let by_way_of = Some(ticket);
        let path =
            Path { decisions: &[decision(taken)], origin: &Rc::default(), by_way_of, max_depth: 9, has_ended: true };
        tree.enter(&path, |_| Others::from_elem((Choice::Rest, not_taken(taken as u32)), 1)).is_new
    };
    assert!(!enter(0), "somebody else explores that");
    assert!(enter(1) && enter(2));
    let mut conds = Vec::new();
    tree.path_condition(ticket, &mut conds);
    assert_eq!(conds, [0, 1, 2].map(not_taken));
}
