//! A backtracking matcher for a small language of patterns.

use crate::solver::explorer::{Context, Program};

pub const PROGRAM: Program = Program { name: "regex matcher", inputs: || vec![8; 12], run, n_queries: 1500 };

enum Item {
    Byte(u8),
    Any,
    Class(u8, u8),
}

struct Piece {
    item: Item,
    is_repeated: bool,
}

const fn one(item: Item) -> Piece {
    Piece { item, is_repeated: false }
}

const fn many(item: Item) -> Piece {
    Piece { item, is_repeated: true }
}

/// `a[0-9]*.*b[a-z]*c*d`
const PATTERN: &[Piece] = &[
    one(Item::Byte(b'a')),
    many(Item::Class(b'0', b'9')),
    many(Item::Any),
    one(Item::Byte(b'b')),
    many(Item::Class(b'a', b'z')),
    many(Item::Byte(b'c')),
    one(Item::Byte(b'd')),
];

fn run(cx: &mut Context<'_>) {
    matches(cx, PATTERN, 0);
}

fn matches(cx: &mut Context<'_>, pattern: &[Piece], at: usize) -> bool {
    let Some((piece, rest)) = pattern.split_first() else {
        return at == cx.n_inputs() || cx.is(cx.input(at), 0);
    };
    if !piece.is_repeated {
        return accepts(cx, &piece.item, at) && matches(cx, rest, at + 1);
    }
    let mut end = at;
    loop {
        if matches(cx, rest, end) {
            return true;
        }
        if !accepts(cx, &piece.item, end) {
            return false;
        }
        end += 1;
    }
}

fn accepts(cx: &mut Context<'_>, item: &Item, at: usize) -> bool {
    if at == cx.n_inputs() {
        return false;
    }
    let byte = cx.input(at);
    match *item {
        Item::Byte(value) => cx.is(byte, value as u64),
        Item::Any => !cx.is(byte, 0),
        Item::Class(low, high) => cx.is_within(byte, low as u64, high as u64),
    }
}
