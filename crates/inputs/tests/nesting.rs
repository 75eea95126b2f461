//! Which types occur in which others, by debug info of C programs.

use spelunk_concolic::graph::layout::{Layout, Layouts};
use spelunk_driver::{Loaded, Options, Purpose};
use spelunk_inputs::{Functions, Request};

fn load(texts: &[&str]) -> Loaded {
    let dir = tempfile::tempdir().expect("a directory");
    let write = |(number, text): (usize, &&str)| {
        let path = dir.path().join(format!("p{number}.c"));
        std::fs::write(&path, text).expect("a writable directory");
        path
    };
    let sources = texts.iter().enumerate().map(write).collect();
    spelunk_driver::load(&Options { sources, purpose: Purpose::Explore, ..Options::default() }).expect("it compiles")
}

fn layouts(texts: &[&str]) -> Layouts {
    let loaded = load(texts);
    let functions = Functions::new(&loaded.program, &loaded.image);
    functions.unit(&Request { entry: "f".to_owned(), ..Request::default() }).expect("it can be called").layouts
}

fn find<'l>(layouts: &'l Layouts, name: &str, size: u32) -> &'l Layout {
    let found = layouts.iter().find(|(_, layout)| layout.name == name && layout.size == size && layout.cell.is_some());
    found.unwrap_or_else(|| panic!("no `{name}` of {size} bytes")).1
}

/// Where a type is in another one, in order.
fn places(outer: &Layout, inner: &Layout) -> Vec<i64> {
    let mut found = Vec::new();
    for nested in outer.places_of(inner.cell.expect("a type of C")) {
        nested.at.visit(0..=1 << 20, &mut |at| found.push(at));
    }
    found.sort_unstable();
    found
}

#[test]
fn types_are_found_where_c_puts_them() {
    let layouts = layouts(&[r#"
        typedef int number;
        enum colour { RED, GREEN };
        struct pair { const unsigned a; volatile number b; };
        union either { double d; int i; };
        struct all {
          char c; int first; struct pair pairs[2]; number grid[2][3]; enum colour colour; int bits : 5; union either either;
          struct all *next; short s; long l; long long ll; struct { int inner; }; int last[];
        };
        void f(struct all *a, int *i, struct pair *p, struct all **n, long *l, int (*row)[3], union either *e) {}
    "#]);
    let all = layouts.iter().find(|(_, layout)| layout.name == "struct all").expect("it is described").1;
    let at = |name: &str, size| places(all, find(&layouts, name, size));
    // 4 first, 8 pairs, 24 grid, 48 colour, 52 bits, 56 either (a double), 64 next, 72 s, 80 l, 88 ll, 96 inner, 100 last (as many as there is room for).
    let last = (0..9).map(|number| 100 + 4 * number);
    let ints: Vec<i64> = (4..=48).step_by(4).chain([96]).chain(last).collect();
    assert_eq!(at("int", 4), ints);
    assert_eq!(at("struct pair", 8), [8, 16]);
    assert_eq!(at("struct all *", 8), [64]);
    assert_eq!(at("long", 8), [80]);
    let row = layouts.iter().find(|(_, layout)| layout.size == 12).expect("a row of the grid").1;
    assert_eq!(places(all, row), [24, 36]);
    assert_eq!(at("union either", 8), [56]);
}

#[test]
fn structures_are_one_by_their_tags_and_members() {
    let shared = "struct link { struct link *next; };";
    let one = format!(
        "{shared} struct other; struct node {{ int a; }};\nvoid f(struct link *l, struct node *n, struct other *o) {{}}"
    );
    let two = format!(
        "{shared} struct node {{ float b; }}; struct other {{ struct node n; struct link l; }};\nvoid g(struct other *o) {{}}"
    );
    let layouts = layouts(&[&one, &two]);
    let (other, link) = (find(&layouts, "struct other", 16), find(&layouts, "struct link", 8));
    assert_eq!(places(other, link), [8]);
    let own = layouts.iter().map(|(_, layout)| layout).filter(|layout| layout.name == "struct node");
    let found: Vec<Vec<i64>> = own.map(|own| places(other, own)).collect();
    assert_eq!(found, [vec![], vec![0]], "the other file's is another");
}
