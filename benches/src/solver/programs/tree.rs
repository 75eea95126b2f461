//! A binary search tree: keys are inserted, then one is deleted and one is looked up.

use spelunk_bv::CmpOp;
use spelunk_expr::ExprId;

use crate::solver::explorer::{Context, Program};

pub const PROGRAM: Program = Program { name: "search tree", inputs: || vec![32; 7], run, n_queries: 1500 };

type Link = Option<Box<Node>>;

struct Node {
    key: ExprId,
    left: Link,
    right: Link,
}

fn run(cx: &mut Context<'_>) {
    let n_inserted = cx.n_inputs() - 2;
    let mut root = None;
    for at in 0..n_inserted {
        let key = cx.input(at);
        insert(cx, &mut root, key);
    }
    let (deleted, wanted) = (cx.input(n_inserted), cx.input(n_inserted + 1));
    delete(cx, &mut root, deleted);
    *find(cx, &mut root, wanted) = None;
}

/// The link where a key is or would be.
fn find<'t>(cx: &mut Context<'_>, mut link: &'t mut Link, key: ExprId) -> &'t mut Link {
    while let Some(node_key) = link.as_ref().map(|node| node.key) {
        if cx.compare(CmpOp::Eq, key, node_key) {
            break;
        }
        let is_less = cx.compare(CmpOp::Slt, key, node_key);
        let node = link.as_mut().expect("looked at");
        link = if is_less { &mut node.left } else { &mut node.right };
    }
    link
}

fn insert(cx: &mut Context<'_>, root: &mut Link, key: ExprId) {
    let link = find(cx, root, key);
    if link.is_none() {
        *link = Some(Box::new(Node { key, left: None, right: None }));
    }
}

fn delete(cx: &mut Context<'_>, root: &mut Link, key: ExprId) {
    let link = find(cx, root, key);
    let Some(node) = link.take() else { return };
    *link = match (node.left, node.right) {
        (None, only) | (only, None) => only,
        (left, mut right) => {
            let key = take_least(&mut right);
            Some(Box::new(Node { key, left, right }))
        }
    };
}

fn take_least(link: &mut Link) -> ExprId {
    let mut node = link.take().expect("not empty");
    if node.left.is_some() {
        let least = take_least(&mut node.left);
        *link = Some(node);
        return least;
    }
    *link = node.right;
    node.key
}
