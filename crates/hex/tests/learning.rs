//! Structures as programs build them, and the rules that come of them.

mod common;

use common::types;
use spelunk_hex::{Effort, Example, ObjIx, Spot, TypeId, Types, learn};

/// A heap with one pointer as input, and `n` nodes whose references are given by number (from 0).
fn example(ty: TypeId, first: Option<usize>, nodes: Vec<Vec<Option<usize>>>) -> Example {
    let place = |n: usize| Spot { object: ObjIx(n as u32 + 1), part: None };
    let mut objects = vec![(TypeId(1), vec![first.map(place)])];
    objects.extend(nodes.into_iter().map(|refs| (ty, refs.into_iter().map(|r| r.map(place)).collect())));
    Example { objects }
}

fn rules(types: &Types, examples: &[Example]) -> (Vec<String>, Option<usize>, usize) {
    let effort = Effort { max_objects: 3, ..Effort::default() };
    let learned = learn(types, examples, effort);
    for p in &learned.proposals {
        assert!(p.n_references >= 10 && p.n_examples >= 3, "{p:?}");
    }
    (learned.proposals.into_iter().map(|p| p.text).collect(), learned.n_admitted, learned.n_seen)
}

#[test]
fn lists() {
    let types = types(&["struct node: .next struct node"], &["list struct node *"]);
    let list = |n: usize| {
        let nodes = (0..n).map(|i| vec![Some(i + 1).filter(|i| *i < n)]).collect();
        example(TypeId(0), Some(0).filter(|_| n > 0), nodes)
    };
    let examples: Vec<Example> = (0..7).map(list).collect();
    assert_eq!(rules(&types, &examples), (vec!["list(.next)* aliases nothing".into()], Some(4), 4));
}

#[test]
fn rings() {
    let types = types(&["struct node: .next struct node"], &["list struct node *"]);
    let ring = |n: usize| example(TypeId(0), Some(0), (0..n).map(|i| vec![Some((i + 1) % n)]).collect());
    let examples: Vec<Example> = (1..12).map(ring).collect();
    let (found, admitted, seen) = rules(&types, &examples);
    assert_eq!(found, ["list(.next)* not null", "list(.next)+ aliases list"]);
    assert_eq!((admitted, seen), (Some(3), 3));
}

#[test]
fn doubly_linked_rings() {
    let types = types(&["struct node: .next struct node, .prev struct node"], &["h struct node *"]);
    let ring = |n: usize| {
        example(TypeId(0), Some(0), (0..n).map(|i| vec![Some((i + 1) % n), Some((i + n - 1) % n)]).collect())
    };
    let examples: Vec<Example> = (1..12).map(ring).collect();
    let (found, admitted, seen) = rules(&types, &examples);
    assert_eq!((admitted, seen), (Some(3), 3));
    assert_eq!(
        found,
        [
            "h(.next|.prev)* not null",
            "in struct node { .next.prev is this }",
            "in struct node { .prev.next is this }",
            "h(.next)+ aliases max h(.prev)*",
            "h(.prev)+ aliases max h(.next)*",
        ]
    );
}

/// A visit that goes both ways at once comes by few links that others lead back on: which of them are evidence does not depend on it.
#[test]
fn back_links_of_short_rings() {
    let types = types(&["struct node: .next struct node, .prev struct node"], &["h struct node *"]);
    let ring = |n: usize| {
        example(TypeId(0), Some(0), (0..n).map(|i| vec![Some((i + 1) % n), Some((i + n - 1) % n)]).collect())
    };
    let examples: Vec<Example> = (1..5).map(ring).collect();
    let learned = learn(&types, &examples, Effort { min_references: 5, min_examples: 3, ..Effort::default() });
    let found: Vec<(&str, usize)> = learned.proposals.iter().map(|p| (&*p.text, p.n_references)).collect();
    for rule in ["in struct node { .next.prev is this }", "in struct node { .prev.next is this }"] {
        assert!(found.contains(&(rule, 6)), "{found:#?}");
    }
}

/// Rules about what a header points to are the header's own. Members that are no pointers are nothing to speak of.
#[test]
fn lists_with_two_ends() {
    let types = types(
        &[
            "struct node: .value -, .next struct node, .prev struct node",
            "struct list: .head struct node, .tail struct node, .n -",
        ],
        &["l struct list *"],
    );
    let place = |n: usize| Some(Spot { object: ObjIx(n as u32), part: None });
    let list = |n: usize| {
        let end = |at: usize| place(at).filter(|_| n > 0);
        let mut objects = vec![(TypeId(2), vec![place(1)]), (TypeId(1), vec![end(2), end(n + 1), None])];
        let next = |i: usize| place(i + 1).filter(|_| i < n + 1);
        let prev = |i: usize| place(i - 1).filter(|_| i > 2);
        objects.extend((2..n + 2).map(|i| (TypeId(0), vec![None, next(i), prev(i)])));
        Example { objects }
    };
    let examples: Vec<Example> = (0..11).map(list).collect();
    let (found, admitted, seen) = rules(&types, &examples);
    assert_eq!((admitted, seen), (Some(3), 3), "{found:#?}");
    let is_portable = |rule: &String| rule.starts_with("in ") || rule == "l not null";
    assert!(found.iter().all(is_portable), "{found:#?}");
    assert!(found.iter().any(|rule| rule == "in struct node { .next.prev is this }"), "{found:#?}");
}

/// Lists that end at a node in the header.
#[test]
fn sentinels() {
    let list = "struct list: .first struct node, .end = struct node, .end.next struct node";
    let types = types(&["struct node: .next struct node", list], &["l struct list *"]);
    let end = Some(Spot { object: ObjIx(1), part: Some(0) });
    let place = |n: usize| Some(Spot { object: ObjIx(n as u32), part: None });
    let list = |n: usize| {
        let node = |i: usize| if i < n + 2 { place(i) } else { end };
        let mut objects = vec![(TypeId(2), vec![place(1)]), (TypeId(1), vec![node(2), end])];
        objects.extend((2..n + 2).map(|i| (TypeId(0), vec![node(i + 1)])));
        Example { objects }
    };
    let examples: Vec<Example> = (0..11).map(list).collect();
    let (found, admitted, seen) = rules(&types, &examples);
    assert_eq!((admitted, seen), (Some(3), 3), "{found:#?}");
    assert_eq!(
        found,
        [
            "l not null",
            "in struct list { .first(.next)* not null }",
            "in struct list { .first(.next)* aliases .end }",
            "in struct list { .end.next is .end }",
        ]
    );
}

#[test]
fn trees_with_parents() {
    let types =
        types(&["struct node: .left struct node, .right struct node, .parent struct node"], &["t struct node *"]);
    // Trees as a program builds them that inserts keys in some order.
    let tree = |keys: &[u32]| {
        let mut nodes: Vec<(u32, Vec<Option<usize>>)> = Vec::new();
        for key in keys {
            let new = nodes.len();
            let (mut at, mut parent) = ((!nodes.is_empty()).then_some(0), None);
            while let Some(i) = at {
                let side = usize::from(*key > nodes[i].0);
                parent = Some((i, side));
                at = nodes[i].1[side];
            }
            if let Some((i, side)) = parent {
                nodes[i].1[side] = Some(new);
            }
            nodes.push((*key, vec![None, None, parent.map(|(i, _)| i)]));
        }
        example(TypeId(0), Some(0).filter(|_| !keys.is_empty()), nodes.into_iter().map(|n| n.1).collect())
    };
    let orders: [&[u32]; 11] = [
        &[],
        &[1],
        &[1, 2],
        &[2, 1],
        &[1, 2, 3],
        &[1, 3, 2],
        &[2, 1, 3],
        &[3, 1, 2],
        &[3, 2, 1],
        &[4, 2, 6, 1, 3, 5, 7],
        &[1, 5, 3, 4, 2],
    ];
    let examples: Vec<Example> = orders.iter().map(|keys| tree(keys)).collect();
    let (found, admitted, seen) = rules(&types, &examples);
    assert_eq!((admitted, seen), (Some(9), 9), "{found:?}");
    assert_eq!(
        found,
        [
            "t(.left|.right)* aliases nothing",
            "t.parent is null",
            "in struct node { .left.parent is this }",
            "in struct node { .right.parent is this }"
        ]
    );
}
