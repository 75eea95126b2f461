//! The conditions of paths, held against all inputs.

mod support;

use support::{Program, endings, explore_all};

/// A program whose `main` has this body, with a symbolic `x` of the type.
fn program(ty: &str, body: &str) -> Program {
    Program::new(&format!("int main(void) {{ {ty} x; klee_make_symbolic(&x, sizeof x, \"x\"); {body} }}"))
}

#[test]
fn branches_on_a_byte() {
    let paths = explore_all(&program("unsigned char", "if (x < 10) return 1; if (x == 77) return 2; return 0;"), 1);
    let counts: Vec<_> = paths.iter().map(|path| (path.ending.as_str(), path.n_inputs)).collect();
    assert_eq!(counts, [("exited 2", 1), ("exited 1", 10), ("exited 0", 245)]);
}

#[test]
fn signed_and_unsigned_bytes() {
    let signed = explore_all(&program("signed char", "return x < -3 ? 1 : 0;"), 1);
    assert_eq!(endings(&signed).into_values().collect::<Vec<_>>(), [131, 125]);
    let unsigned = explore_all(&program("unsigned char", "return (signed char)x < -3 ? 1 : x > 200 ? 2 : 0;"), 1);
    assert_eq!(endings(&unsigned).into_values().collect::<Vec<_>>(), [128, 125, 3]);
}
