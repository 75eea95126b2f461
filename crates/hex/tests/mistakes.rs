//! What is said of specifications that are wrong: where, what, and what to do.

mod common;

use common::{errors, spec, types};
use spelunk_hex::{Source, Spec, Types};

fn list() -> Types {
    let mut types = types(
        &[
            "struct node: .next struct node, .prev struct node, .value -, .data *, .slot[0] struct node, .slot[1] struct node",
            "struct item: .link = struct node, .link.next struct node, .link.prev struct node",
            "struct other: .up struct other",
        ],
        &["list struct node *", "::pool struct node *", "pair struct item"],
    );
    types.types[0].aliases.push("node_t".into());
    types
}

/// The message of the only mistake, without the line of the source.
fn first(text: &str) -> String {
    let all = errors(text, &list());
    assert_eq!(all.matches(": error: ").count(), 1, "{all}");
    all.split(": error: ").nth(1).unwrap().split('\n').next().unwrap().into()
}

#[test]
fn looks_like_a_compilers() {
    assert_eq!(
        errors("# rings\n\tlist(.nxt)+ not null\n", &list()),
        "test.hex:2:7: error: no pointer or struct `.nxt` in `struct node`\n \
         2 | \tlist(.nxt)+ not null\n   | \t     ^^^^ did you mean `.next`?\n"
    );
}

#[test]
fn files_without_rules() {
    assert_eq!(
        errors("# list not null\n", &list()),
        "test.hex:1:1: error: there are no rules here\n 1 | # list not null\n   | ^ \
         write one a line, such as `list(.next)* aliases nothing`\n"
    );
    assert_eq!(first(""), "there are no rules here");
    assert_eq!(first("in struct node { }"), "there are no rules here");
    let two = [Source::new("some.hex", "list not null"), Source::new("none.hex", "")];
    let errors = Spec::parse(&two, &list()).expect_err("one of them is empty");
    assert_eq!(errors.iter().map(|error| &*error.source).collect::<Vec<_>>(), ["none.hex"]);
}

#[test]
fn names() {
    assert_eq!(first("lsit not null"), "no parameter `lsit` among the inputs");
    assert!(errors("lsit not null", &list()).contains("did you mean `list`?"));
    assert!(!errors("data not null", &list()).contains("did you mean"));
    assert!(errors("pool not null", &list()).contains("did you mean `::pool`?"));
    assert!(errors("::list not null", &list()).contains("did you mean `list`?"));
    assert_eq!(first("list.value not null"), "`.value` of `struct node` is not a pointer to a struct");
    assert_eq!(first("in struct nod { .next not null }"), "no type `struct nod` among the inputs");
    assert!(errors("in node { .next not null }", &list()).contains("did you mean `struct node`?"));
    assert_eq!(first("list expands to struct thing"), "no type `struct thing` among the inputs");
    assert_eq!(
        first("list expands to struct other"),
        "no `struct other` can be there: this path leads to `struct node`"
    );
    assert_eq!(first("list expands to struct item.lnk"), "`.lnk` is no struct that lies in `struct item`");
    assert_eq!(
        first("list.next list not null"),
        "expected what the path must be: `not null`, `is …`, `expands to …` or `aliases …`, found `list`"
    );
}

#[test]
fn paths() {
    assert!(first(".next not null").starts_with("a path starts with a parameter"));
    assert!(first("list.next is this").starts_with("`this` stands for the object of an `in`"));
    assert!(
        first("in struct node { list.next not null }")
            .starts_with("inside of `in`, a rule speaks of references from `this`")
    );
    assert_eq!(first("list.slot not null"), "this is an array");
    assert_eq!(first("list[0] not null"), "`struct node` is no array");
    assert_eq!(first("list.slot[2] not null"), "`struct node.slot` has no such element");
    assert_eq!(first("pair.link not null"), "this is an embedded struct, not a pointer");
    assert_eq!(first("pair not null"), "this is not a pointer");
    assert_eq!(first("list.next aliases pair"), "nothing can point here: it is a variable of the caller");
    assert_eq!(first("list.next(list)? not null"), "a parameter or global can only stand at the start of a path");
}

#[test]
fn syntax() {
    assert_eq!(first("list not nul"), "expected `null`, found `nul`");
    assert_eq!(first("list aliases"), "expected a path, such as `list.next`, the rule ends");
    assert_eq!(first("list(.next not null"), "expected `)`, found `not`");
    assert_eq!(
        first("list not null list.next not null"),
        "expected the end of the rule (`;` or a new line), or `or`, found `list`"
    );
    assert_eq!(
        first("list not null and list.next not null"),
        "there is no `and`: write two rules, all of them must hold"
    );
    assert_eq!(first("in struct node { .next not null"), "this `in struct node` has no `}`");
    assert_eq!(first("list ~ null"), "unexpected `~`");
    assert_eq!(first("when list.next chek ok"), "expected `check`, found `chek`");
    assert_eq!(first("if list not null list.next not null"), "expected `then`, found `list`");
}

#[test]
fn several_at_once() {
    let all = errors("list not nul\nlist.next not null; list(.next is null\n", &list());
    assert_eq!(all.matches(": error: ").count(), 2, "{all}");
    let all = errors("list.nxt not null\n::pol not null\nin struct node { .prv is this }", &list());
    assert_eq!(all.matches(": error: ").count(), 3, "{all}");
}

#[test]
fn what_is_no_mistake() {
    let text = "
        list->next->prev is list   // as in C
        (list|::pool)(.next)* not null; (list not null or ::pool not null)
        if list.next is null
          then not (list.prev is null)
        list.next is null
          or list.prev is null
        in node_t { .slot[*] aliases nothing; .slot[1](.next)?.prev aliases list; this.next not null }
        in struct node { .data expands to struct item.link | struct other /* either */ ; .data.up is null }
        any.prev aliases some struct node
        pair.link.next expands to struct item.link
        when list(.next)+ check sizes_ok(list, ::pool, pair.link.next); when any check ok";
    let spec = spec(text, &list());
    assert_eq!(spec.rules().len(), 12);
    assert_eq!(spec.companions().len(), 2);
    assert_eq!(spec.rules()[0].to_string(), "test.hex:2 `list->next->prev is list`");
    assert_eq!(spec.rules()[5].to_string(), "test.hex:8 `.slot[*] aliases nothing` in struct node");
    assert_eq!(spec.rules()[3].text, "if list.next is null then not (list.prev is null)");
}

#[test]
fn parameters_with_names_of_keywords() {
    let types = types(&["struct node: .next struct node"], &["in struct node *", "max struct node *"]);
    assert_eq!(spec("in not null; in.next aliases max max.next\nmax aliases in", &types).rules().len(), 3);
}

/// Rules hold in whichever order pointers are used, or not at all.
#[test]
fn what_no_order_keeps() {
    let types = types(&["struct node: .next struct node"], &["a struct node *", "b struct node *"]);
    let text = errors("b is a", &types);
    assert!(text.contains("error: no heap keeps this rule: `b` may be the first pointer that is used"), "{text}");
    assert!(errors("a is b", &types).contains("nothing is left for `a`"));
    spec("a not null; b not null; a expands to nothing or b expands to nothing; a aliases b; b aliases a", &types);
}
