//! What C has besides plain pointers to structs: embedded structs, arrays, `void *`, globals, structs by value; and companions.

mod common;

use common::{Run, counts, errors, explore, spec, types};
use spelunk_hex::{Argument, Choice, Heap, ObjIx, Spot, TypeId, Violation};

/// A list through links that lie in items: a new link is a new item.
#[test]
fn links_in_items() {
    let types = types(
        &[
            "struct link: .next struct link",
            "struct item: .owner struct item, .link = struct link, .link.next struct link",
        ],
        &["head struct link *"],
    );
    let rules =
        "head(.next)* expands to struct item.link; head(.next)* aliases nothing; in struct item { .owner is this }";
    let spec = spec(rules, &types);
    let (totals, ends) = explore(&spec, 3, &[], |run| {
        let mut p = run.root("head");
        while p.is_some() {
            let item = Spot { part: None, ..p.unwrap() };
            assert_eq!(run.heap.type_of(item.object), TypeId(1));
            assert_eq!(run.read(Some(item), ".owner"), Some(item));
            p = run.read(p, ".next");
        }
    });
    assert_eq!(totals.ends, 4);
    assert!(ends.iter().all(|heap| heap.undecided().count() == 0));
    assert!(spec.is_under_rules(TypeId(0)) && spec.is_under_rules(TypeId(1)));
}

/// Two lists of different items, told apart by the members that they start at; and a header that is no item.
#[test]
fn links_in_items_of_several_kinds() {
    let types = types(
        &[
            "struct link: .next struct link",
            "struct item: .value -, .link = struct link, .link.next struct link",
            "struct user: .link = struct link, .link.next struct link",
            "struct pool: .items = struct link, .items.next struct link, .users = struct link, .users.next struct link",
        ],
        &["p struct pool *", "head struct link *"],
    );
    let text = "p not null; p.items(.next)+ expands to struct item.link; p.users(.next)+ expands to struct user.link
        head(.next)* aliases nothing; p(.items|.users)(.next)+ aliases nothing";
    let spec = spec(text, &types);
    let (_, ends) = explore(&spec, 3, &[], |run| run.read_all(|_| 0));
    let of = |heap: &Heap, name: &str| heap.objects().filter(|&o| heap.type_of(o) == types.find(name).unwrap()).count();
    assert!(ends.iter().any(|heap| of(heap, "struct item") == 1 && of(heap, "struct user") == 1));
    assert!(ends.iter().any(|heap| of(heap, "struct link") == 2));
    let text = errors("head(.next)+ expands to struct item.link; head.next expands to struct user.link", &types);
    assert!(text.contains("`struct link.next` can't expand to several places"), "{text}");
}

#[test]
fn void_pointers_expand_to_what_rules_name() {
    let types = types(
        &["struct box: .what *, .other *", "struct a: .n struct a", "struct b: .n struct b"],
        &["p struct box *", "q struct a *"],
    );
    let text = "p not null; q not null; q aliases nothing; p.what not null; p.what expands to struct a | struct b; p.what aliases q";
    let spec = spec(text, &types);
    let both = |run: &mut Run| {
        let p = run.root("p");
        run.root("q");
        run.read(p, ".what");
    };
    // The object of `q`, or a new one of two types.
    assert_eq!(counts(&spec, 9, &["p"], both).0, 3);
    let boxes = types.find("struct box").unwrap();
    assert!(spec.is_lazy(boxes, 0) && !spec.is_lazy(boxes, 1), "no rule speaks of `.other`");
}

#[test]
fn elements_of_arrays() {
    let types = types(
        &["struct node: .child[0] struct node, .child[1] struct node, .child[2] struct node"],
        &["t struct node *"],
    );
    let spec = spec("t not null; t(.child[*])* aliases nothing; t(.child[*])*.child[1] is null", &types);
    let everything = |run: &mut Run| run.read_all(|_| 0);
    // Trees with two children each, of one to three nodes.
    assert_eq!(counts(&spec, 3, &["t"], everything).0, 1 + 2 + 5);
}

#[test]
fn globals_and_structs_by_value() {
    let types = types(
        &["struct node: .next struct node", "struct pair: .a struct node, .b struct node"],
        &["pair struct pair", "::pool struct pair", "::last struct node *"],
    );
    let spec = spec(
        "in struct pair { .a(.next)* aliases nothing; .b aliases .a(.next)* }; ::last not null; ::last aliases ::pool.b",
        &types,
    );
    let mut heap = Heap::new(&spec);
    let node = types.find("struct node").unwrap();
    let new = Choice::Expand { ty: node, part: None };
    let a = heap.decide(ObjIx(1), 0, new).unwrap();
    let to_a = Choice::Alias { object: a, part: None };
    assert!(heap.check(ObjIx(1), 1, to_a).is_ok(), "`::pool.b` may alias `::pool.a`");
    assert!(heap.check(ObjIx(0), 1, to_a).is_err(), "`pair.b` is of another pair");
    assert!(heap.check(ObjIx(0), 0, to_a).is_err());
    assert_eq!(
        heap.check(ObjIx(2), 0, Choice::Null).map_err(|r| &*spec.rules()[r.0 as usize].text),
        Err("::last not null")
    );
    let b = heap.decide(ObjIx(1), 1, new).unwrap();
    assert!(heap.check(ObjIx(2), 0, Choice::Alias { object: b, part: None }).is_ok());
    assert!(heap.check(ObjIx(2), 0, to_a).is_err());
    assert_eq!(heap.path_of(b, 0), "::pool.b.next");
}

#[test]
fn companions_and_their_arguments() {
    let types =
        types(&["struct node: .next struct node", "struct list: .head struct node, .n -"], &["l struct list *"]);
    let text = "when l.head(.next)* check size_ok(l); in struct node { when .next check sorted(this, .next) }; when any check ok";
    let spec = spec(text, &types);
    let mut heap = Heap::new(&spec);
    let names = |heap: &Heap, o, r| -> Vec<String> {
        heap.companions_of(o, r).map(|(c, _)| spec.companions()[c.0 as usize].function.clone()).collect()
    };
    assert_eq!(names(&heap, ObjIx(0), 0), ["ok"]);
    let l = heap.decide(ObjIx(0), 0, *heap.candidates(ObjIx(0), 0).last().unwrap()).unwrap();
    assert_eq!(names(&heap, l, 0), ["size_ok", "ok"]);
    let n = heap.decide(l, 0, *heap.candidates(l, 0).last().unwrap()).unwrap();
    assert_eq!(names(&heap, n, 0), ["size_ok", "ok", "sorted"]);
    let (sorted, this) = heap.companions_of(n, 0).last().unwrap();
    assert_eq!(this, Some(Spot { object: n, part: None }));
    let args = spec.companions()[sorted.0 as usize].args.as_ref().unwrap();
    assert_eq!(heap.argument(&args[0], this), Some(Argument::Spot(Spot { object: n, part: None })));
    assert_eq!(heap.argument(&args[1], this), Some(Argument::Reference(n, 0)));
    let args = spec.companions()[0].args.as_ref().unwrap();
    assert_eq!(heap.argument(&args[0], None), Some(Argument::Reference(ObjIx(0), 0)));
}

/// A companion of `this` is called for each new object, once.
#[test]
fn companions_of_new_objects() {
    let types = types(
        &["struct node: .next struct node", "struct box: .in = struct node, .in.next struct node"],
        &["l struct node *", "b struct box *"],
    );
    let spec = spec("in struct node { when this check valid(this) }; l(.next)* aliases l", &types);
    let mut heap = Heap::new(&spec);
    let called = |heap: &Heap, o, r| -> Vec<Option<Spot>> { heap.companions_of(o, r).map(|(_, this)| this).collect() };
    let choices = heap.candidates(ObjIx(0), 0);
    let first = heap.decide(ObjIx(0), 0, *choices.last().unwrap()).unwrap();
    assert_eq!(called(&heap, ObjIx(0), 0), [Some(Spot { object: first, part: None })]);
    let alias = heap.candidates(first, 0).into_iter().find(|it| matches!(it, Choice::Alias { .. })).unwrap();
    heap.decide(first, 0, alias);
    assert_eq!(called(&heap, first, 0), []);
    let around = heap.decide(ObjIx(1), 0, *heap.candidates(ObjIx(1), 0).last().unwrap()).unwrap();
    assert_eq!(called(&heap, ObjIx(1), 0), [Some(Spot { object: around, part: Some(0) })]);
    assert!(errors("when this check valid(this)", &types).contains("there is none"));
    assert!(errors("in struct node { this not null }", &types).contains("this is not a pointer"));
}

/// Rules that do not fit into one block of 64 are spread over several.
#[test]
fn many_rules() {
    let types = types(&["struct node: .next struct node"], &["list struct node *"]);
    let rules: String = (0..100).map(|n| format!("list{} aliases nothing\n", ".next".repeat(n))).collect();
    let spec = spec(&rules, &types);
    let (totals, _) = explore(&spec, 99, &[], |run| run.read_all(|_| 0));
    assert_eq!(totals.ends, 100);
}

/// What a function returns is an object of its own for each call.
#[test]
fn results_of_functions() {
    let types = types(&["struct node: .next struct node"], &["list struct node *", "make() struct node *"]);
    let shared = spec("make()(.next)* aliases nothing", &types);
    let mut heap = Heap::new(&shared);
    let (first, second) = (heap.add_result(1), heap.add_result(1));
    let new = *heap.candidates(first, 0).last().unwrap();
    let object = heap.decide(first, 0, new).unwrap();
    let alias = Choice::Alias { object, part: None };
    assert!(heap.check(second, 0, alias).is_err() && heap.check(second, 0, Choice::Null).is_ok());
    assert_eq!(heap.path_of(object, 0), "make().next");
    // If the parameter comes first, the result is the alias.
    let list = ObjIx(0);
    heap.check(list, 0, alias).expect("nothing is said of the parameter");
    heap.decide(list, 0, alias);
    assert!(matches!(heap.check_backbones(1000), Err(Violation::Rule { object, .. }) if object == first));
    let text = errors("maker() not null\nwhen make()(.next)* check ok(make())", &types);
    assert!(text.contains("`maker` is no function without a definition"), "{text}");
    assert!(text.contains("an argument can't start at a result"), "{text}");
}
