//! Where objects lie.

use std::collections::HashSet;

use spelunk_ir::code::object_base;

#[test]
fn no_two_neighbours_are_equally_far_apart() {
    let distances: HashSet<u64> = (1..2000).map(|id| object_base(id + 1, 16) - object_base(id, 16)).collect();
    assert!(distances.len() == 1999, "{} distances", distances.len());
}
