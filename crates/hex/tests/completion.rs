//! Heaps that are completed, contradictions, and other ways to visit a heap.

mod common;

use common::{errors, explore, spec, types};
use spelunk_hex::{Choice, Heap, ObjIx, Source, Spec, Types, Violation};

fn ring() -> Types {
    types(&["struct node: .next struct node, .prev struct node"], &["h struct node *"])
}

const RING: &str = "
    h not null; h(.next|.prev)* not null
    in struct node { .next.prev is this; .prev.next is this }
    h(.next)+ aliases max h(.prev)*
    h(.prev)+ aliases max h(.next)*";

fn complete(heap: &Heap) -> Heap {
    let complete = heap.complete(&mut |_, _, _| None, 10_000).unwrap();
    assert_eq!(complete.undecided().count(), 0);
    complete.check_backbones(100_000).unwrap();
    complete
}

#[test]
fn every_stop_on_the_way_has_a_small_completion() {
    let spec = spec(RING, &ring());
    let (_, ends) = explore(&spec, 6, &["h"], |run| {
        let h = run.root("h");
        let mut p = run.read(h, ".next");
        while p != h {
            assert!(complete(&run.heap).n_objects() <= run.heap.n_objects() + 1);
            p = run.read(p, ".next");
        }
    });
    for end in ends {
        assert_eq!(complete(&end).n_objects(), end.n_objects());
    }
}

#[test]
fn what_is_preferred_is_taken_if_rules_allow_it() {
    let spec = spec(RING, &ring());
    let node = spec.types().find("struct node").unwrap();
    // Five nodes, and null where that is not allowed.
    let mut wishes = |heap: &Heap, _: ObjIx, _: usize| {
        Some(if heap.n_objects() < 6 { Choice::Expand { ty: node, part: None } } else { Choice::Null })
    };
    let heap = Heap::new(&spec).complete(&mut wishes, 10_000).unwrap();
    assert_eq!(heap.n_objects(), 6);
    heap.check_backbones(10_000).unwrap();
}

#[test]
fn obligations_are_met() {
    let types = types(&["struct node: .left struct node, .right struct node"], &["t struct node *", "u struct node *"]);
    for text in [
        "not (t is null)",
        "not t.left aliases nothing",
        "if t(.left|.right)* not null then u is null\nt(.left)* aliases nothing\nnot (u is null)",
        "not (t.right.right.left is null)",
    ] {
        let heap = complete(&Heap::new(&spec(text, &types)));
        assert!(heap.n_objects() > 2, "{text}");
    }
}

#[test]
fn contradictions() {
    let list = types(&["struct node: .next struct node"], &["list struct node *"]);
    assert_eq!(
        errors("list not null\nlist is null\n", &list),
        "test.hex:2:1: error: nothing satisfies these rules: nothing is left for `list`\n \
         2 | list is null\n   | ^^^^^^^^^^^^ null is refused by test.hex:1 `list not null`; \
         a new `struct node` is refused by test.hex:2 `list is null`\n"
    );
    let endless = errors("list(.next)* not null; list(.next)* aliases nothing", &list);
    assert!(endless.contains("nothing satisfies these rules: nothing is left for `list`"), "{endless}");
    assert!(endless.contains("a new `struct node` would need another, and so on"), "{endless}");
    assert!(errors("not list aliases nothing", &list).contains("nothing satisfies these rules"));
    assert!(errors("in struct node { .next is this; .next is null }; list not null", &list).contains("nothing"));
}

#[test]
fn what_is_probably_not_meant() {
    let list = types(&["struct node: .next struct node"], &["a struct node *", "b struct node *"]);
    let warnings = |text: &str| -> Vec<String> {
        let spec = Spec::parse(&[Source::new("test.hex", text)], &list).unwrap();
        spec.warnings().iter().map(|w| w.message.clone()).collect()
    };
    assert_eq!(warnings("(a|b)(.next)* aliases nothing"), [""; 0]);
    assert_eq!(warnings("a aliases nothing"), ["rules speak of `a`, but not of `b`, which has the same type"]);
    let endless = warnings("(a|b)(.next)+ not null; (a|b)(.next)* aliases nothing");
    assert!(endless[0].starts_with("`a` can't point to anything: nothing is left for `a.next"), "{endless:?}");
    let carried = warnings("in struct node { (.next)+ aliases this }");
    assert_eq!(carried, ["a path here leads from each `struct node` through all others below it"]);
    assert_eq!(warnings("in struct node { .next aliases this }"), [""; 0]);
}

#[test]
fn pointers_that_only_lead_to_what_others_have_led_to() {
    let vertex = "struct vertex: .next struct vertex, .edges struct edge";
    let edge = "struct edge: .next struct edge, .to struct vertex";
    let types = types(&[vertex, edge], &["g struct vertex *"]);
    let warnings = |text: &str| -> Vec<String> {
        let spec = spec(text, &types);
        spec.warnings()
            .iter()
            .map(|w| format!("{}:{} {}", w.line, w.message, w.note.as_deref().unwrap_or("")))
            .collect()
    };
    let lists = "g(.next)* aliases nothing; g(.next)*.edges(.next)* aliases nothing\n";
    let any = format!("{lists}g(.next)*.edges(.next)*.to aliases g(.next)*");
    assert_eq!(warnings(&any), [""; 0]);
    let late = warnings(&format!("{any}\ng(.next)*.edges(.next)*.to expands to nothing"));
    assert_eq!(
        late,
        ["3:no heap in which `g.edges.to` leads to the object of `g.next` keeps this rule \
          `g.edges.to` may be used first, and is then the one that expands"]
    );
    // What it leads to is on the way to it.
    let own = format!("{lists}in struct vertex {{ .edges.to is this }}");
    assert_eq!(warnings(&own), [""; 0]);
}

/// An alias that is no alias if the other parameter is visited first.
#[test]
fn other_backbones() {
    let types = types(&["struct node: .next struct node"], &["a struct node *", "b struct node *"]);
    let spec = spec("a aliases nothing", &types);
    let mut heap = Heap::new(&spec);
    let node = heap.decide(ObjIx(0), 0, heap.candidates(ObjIx(0), 0)[1]).unwrap();
    heap.check(ObjIx(1), 0, Choice::Alias { object: node, part: None }).unwrap();
    assert_eq!(heap.check_backbones(100), Ok(()));
    heap.decide(ObjIx(1), 0, Choice::Alias { object: node, part: None });
    let rule = spelunk_hex::RuleId(0);
    assert_eq!(heap.check_backbones(2), Err(Violation::Unchecked));
    assert_eq!(heap.check_backbones(100), Err(Violation::Rule { rule, object: ObjIx(0), reference: 0 }));
    assert_eq!(heap.check_backbones(2), heap.check_backbones(100), "what is known costs nothing");
}

#[test]
fn rules_about_what_lies_behind_an_alias() {
    let types = types(&["struct node: .next struct node, .prev struct node"], &["list struct node *"]);
    let warnings = |text: &str| -> Vec<String> {
        let spec = spec(text, &types);
        spec.warnings().iter().map(|w| w.message.clone()).collect()
    };
    let back = "list.prev is null; in struct node { .next.prev is this }";
    assert_eq!(warnings(back), ["this says nothing where `.next` leads to an object that is there already"]);
    let both = "list.prev is null; in struct node { .next.prev is this; .prev.next is this }";
    assert_eq!(warnings(both), ["this says nothing where `.next` leads to an object that is there already"]);
    assert_eq!(warnings(&format!("{back}; list(.next)* aliases nothing")), [""; 0]);
    assert_eq!(warnings(&format!("{back}; in struct node {{ .next aliases nothing }}")), [""; 0]);
}
