//! Whole pictures of small graphs, and that large ones hold together.

use std::collections::BTreeSet;

use super::layout::{Drawing, layout};
use super::{Charset, Link, Node, Picture, Row, Value, svg, text};
use crate::suite::test_case::{End, InputObject, TestCase, UnitSetup, VERSION};
use crate::suite::types::{CType, Field, Format, Types};

fn field(path: &str, byte: u32, n_bits: u32, format: Format) -> Field {
    Field { path: path.to_owned(), bit_offset: 8 * byte, n_bits, format }
}

fn types() -> Types {
    let node = vec![field(".v", 0, 32, Format::Signed), field(".next", 8, 64, Format::Pointer)];
    let root = vec![field("", 0, 64, Format::Pointer)];
    let pair = vec![field(".a.x", 0, 32, Format::Signed), field(".b.x", 4, 32, Format::Signed)];
    let ctype = |size, fields| CType { size, fields };
    let types = [
        ("struct node", ctype(16, node)),
        ("struct node *", ctype(8, root.clone())),
        ("char *", ctype(8, root)),
        ("char", ctype(1, vec![field("", 0, 8, Format::Char)])),
        ("struct pair", ctype(8, pair)),
    ];
    Types { version: VERSION, types: types.into_iter().map(|(name, ty)| (name.to_owned(), ty)).collect() }
}

fn object(name: &str, ty: &str, bytes: &[u8], references: &[(u32, &str, u64)]) -> InputObject {
    let references = references.iter().map(|&(offset, target, at)| (offset, target.to_owned(), at)).collect();
    InputObject {
        name: name.to_owned(),
        key: None,
        ty: Some(ty.to_owned()),
        address: 0,
        bytes: bytes.to_vec(),
        references,
        undecided: Vec::new(),
    }
}

fn picture(input: Vec<InputObject>) -> Picture {
    let test = TestCase {
        version: VERSION,
        entry: "f".to_owned(),
        unit: Some(UnitSetup::default()),
        setup: Default::default(),
        code: Vec::new(),
        input,
        texts: Vec::new(),
        steps: None,
        uninitialised: Vec::new(),
        decisions: Vec::new(),
        end: End::Exited { status: 0 },
        made_up: Vec::new(),
        unknown_size: None,
        of_machine: Vec::new(),
        instructions: 0,
        observed: None,
        stays_in: None,
    };
    Picture::new(&test, &types())
}

#[test]
fn a_cycle_that_is_shared() {
    let mut first = [0; 16];
    first[0] = 7;
    let drawn = picture(vec![
        object("l", "struct node *", &[0; 8], &[(0, "*l", 0)]),
        object("m", "struct node *", &[0; 8], &[(0, "*l->next", 0)]),
        object("*l", "struct node", &first, &[(8, "*l->next", 0)]),
        object("*l->next", "struct node", &[0xff; 16], &[(8, "*l->next", 0)]),
    ]);
    let expected = "\
+ f() ----+  +-->+ #1 struct node +
| l     * +--+   | v            7 |
| m     * +--+   | next         * +--+
+---------+  |   +----------------+  |
             |                       |
             +-->+ #2 struct node +<-+
                 | v           -1 |  |
                 | next         * +--+
                 +----------------+
";
    let got = text(&drawn, 100, Charset::Ascii);
    assert_eq!(got, expected, "\n{got}");
}

#[test]
fn strings_nulls_and_pointers_into_the_middle() {
    let drawn = picture(vec![
        object("s", "char *", &[0; 8], &[(0, "*s", 0)]),
        object("n", "struct node *", &[0; 8], &[]),
        object("p", "struct node *", &[0; 8], &[(0, "*q", 4)]),
        object("q", "struct node *", &[0; 8], &[(0, "*q", 0)]),
        object("*s", "char", b"a\"b\0cd", &[]),
        object("*q", "struct pair", &[1, 0, 0, 0, 2, 0, 0, 0], &[]),
    ]);
    let expected = "\
┌ f() ────────────┐    ┌──▶┌ #1 struct pair ┐
│ s  \"a\\\"b\\x00cd\" │    │   │ a.x          1 │
│ n          null │  ┌─┼──▶│ b.x          2 │
│ p             ● ├──┘ │   └────────────────┘
│ q             ● ├────┘
└─────────────────┘
";
    let got = text(&drawn, 100, Charset::Unicode);
    assert_eq!(got, expected, "\n{got}");
}

/// Fifty boxes, of which each leads to three others.
fn tangle() -> Picture {
    let row = |node: usize, factor: usize| Row {
        label: format!("p{factor}"),
        value: Value::Pointer(Link { node: 1 + (factor * node + factor) % 49, row: None, beyond: 0 }),
        is_open: false,
    };
    let node = |number: usize| Node {
        title: "struct vertex".to_owned(),
        name: format!("v{number}"),
        rows: vec![row(number, 1), row(number, 2), row(number, 5)],
    };
    Picture { nodes: (0..50).map(node).collect() }
}

fn cells_of_boxes(drawing: &Drawing) -> BTreeSet<(i32, i32)> {
    let mut cells = BTreeSet::new();
    for placed in &drawing.boxes {
        for x in placed.x..placed.x + placed.width {
            for y in placed.y..placed.y + placed.height {
                assert!(cells.insert((x, y)), "boxes overlap at {x}, {y}");
            }
        }
    }
    cells
}

#[test]
fn arrows_go_around_boxes() {
    for width in [60, 100, 400] {
        let drawing = layout(&tangle(), width);
        let cells = cells_of_boxes(&drawing);
        assert!(drawing.arrows.len() > 20, "{} arrows", drawing.arrows.len());
        for arrow in &drawing.arrows {
            let n_points = arrow.points.len();
            for (number, piece) in arrow.points.windows(2).enumerate() {
                let ((x, y), (to_x, to_y)) = (piece[0], piece[1]);
                for at in x.min(to_x)..=x.max(to_x) {
                    for line in y.min(to_y)..=y.max(to_y) {
                        let is_end =
                            number == 0 && (at, line) == (x, y) || number == n_points - 2 && (at, line) == (to_x, to_y);
                        assert!(is_end || !cells.contains(&(at, line)), "an arrow crosses a box at {at}, {line}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_svg_names_every_box() {
    let mut picture = tangle();
    picture.nodes[3].title = "struct <a> & \"b\"".to_owned();
    let drawn = svg(&picture);
    assert_eq!(drawn.matches("<rect").count(), 50);
    assert!(drawn.contains("#3 struct &lt;a&gt; &amp; &quot;b&quot;"));
    assert_eq!(drawn.matches("<g>").count(), drawn.matches("</g>").count());
}
