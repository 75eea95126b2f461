//! Calls that are answered by what functions do on all of their paths: for every input, the run ends as one does that goes into
//! them, and the conditions of its path hold for exactly the inputs that take it.

use crate::support::{Program, check_conditions, ending};
use spelunk_concolic::{Effects, Input, Run};

/// Runs a program with all values of the byte `x`, with `helper` and `inner` summarised. Returns how many paths there are.
fn explore(effects: Effects, source: &str) -> usize {
    let mut program = Program::new(source);
    let summarised = program.call_through_sites(effects, &["helper", "inner"]);
    let mut runner = program.summarising(&summarised);
    let inputs: Vec<Input> = (0..=u8::MAX).map(|value| Input::new().with("x", vec![value])).collect();
    let runs: Vec<Run> = inputs.iter().map(|input| runner.run(input, &[]).unwrap()).collect();
    assert!(runner.has_summarised(), "no call was answered in {source}");
    let paths = check_conditions(&mut runner, &inputs, &runs);
    for (input, run) in inputs.iter().zip(&runs) {
        let plain = runner.run_plainly(input).unwrap();
        assert_eq!(ending(&run.stop), ending(&plain.stop), "{input:?} in {source}");
    }
    paths.len()
}

/// A program that calls `helper`, and returns what `body` does.
fn main(helper: &str, body: &str) -> String {
    format!("{helper}\nint main(void) {{ unsigned char x; klee_make_symbolic(&x, sizeof x, \"x\"); {body} }}")
}

#[test]
fn a_result_is_one_expression() {
    let helper = "static int helper(int x) { if (x > 200) return 3; if (x % 3 == 0) return x; return -x; }";
    assert_eq!(explore(Effects::None, &main(helper, "if (helper(x) == 42) return 1; return 0;")), 2);
    assert_eq!(explore(Effects::None, &main(helper, "return (helper(x) + helper(x + 1)) & 127;")), 1);
}

#[test]
fn what_is_written_through_a_pointer_is_one_expression() {
    let helper = "static void helper(int *p, int x) { if (x > 9) *p = x; else if (x == 4) *p += 2; }";
    assert_eq!(
        explore(Effects::OnMemory, &main(helper, "int y = 5; helper(&y, x); if (y == 7) return 1; return 0;")),
        2
    );
    assert_eq!(
        explore(Effects::OnMemory, &main(helper, "int y[3] = {0, x, 0}; helper(y + 1, x); return y[0] + y[1] + y[2];")),
        1
    );
    assert_eq!(
        explore(
            Effects::OnMemory,
            &main(helper, "int y = 1; for (int i = 0; i < 3; i++) helper(&y, x + i); return y & 127;")
        ),
        1
    );
}

#[test]
fn what_is_written_to_variables_and_parts_of_objects() {
    let helper = "static int n; static struct s { char c; short h; int i; long l; } s = {1, 2, 3, 4};
static int helper(int x) { int before = n; if (x & 1) n++; if (x & 2) { s.c = x; s.h -= x; } else s.l = x * 3L; return before; }";
    let body = "int a = helper(x), b = helper(x >> 2), c = helper(x >> 4);
        return (a + 2 * b + 4 * c + 8 * n + s.c + s.h + s.i + (int)s.l) & 127;";
    assert_eq!(explore(Effects::OnMemory, &main(helper, body)), 1);
}

#[test]
fn calls_inside_see_what_was_written_before() {
    let helper = "static int m[4] = {1, 2, 3, 4};
static int inner(int i) { if (m[i & 3] > 2) return m[0]; return m[i & 3] + 10; }
static int helper(int x) { int r = inner(x); if (x > 100) m[0] = 7; r += 3 * inner(x); if (x > 50) m[1] = r; return r + inner(1); }";
    assert!(explore(Effects::OnMemory, &main(helper, "int r = helper(x); return (r + m[1]) & 127;")) <= 4);
}

#[test]
fn what_is_known_of_calls_inside_depends_on_no_path_around_them() {
    // The first path that is tried out decides what the inner function asks too; others decide otherwise.
    let helper = "static int inner(const unsigned char *s, int i) { if (s[i] == 0) return 0; if (s[i] != 7) return 1; return 2; }
static int helper(const unsigned char *s) { int r = 0; for (int i = 0; s[i]; i++) r += inner(s, 0) + 3 * inner(s, i); return r + 50 * inner(s, 0); }";
    assert_eq!(explore(Effects::None, &main(helper, "unsigned char s[2] = {x, 0}; return helper(s);")), 1);
}

#[test]
fn local_objects_come_and_go() {
    let helper = "static int inner(int *p, int x) { if (x > 30) { *p = 1; return 0; } *p = x; return 2; }
static int helper(int x) { int t = 9; int r = inner(&t, x); if (x == 77) r = inner(&t, 3); return r + 5 * t; }";
    assert_eq!(explore(Effects::OnMemory, &main(helper, "return helper(x) & 127;")), 1);
}

#[test]
fn paths_that_cannot_be_told_are_gone_into() {
    // A failed check, an index that decides, pointers of which one is written: none of them may be lost.
    let divides = "static int helper(int *p, int x) { if (x > 9) { *p = 3; return 1; } if (x > 7) { *p = 4; return 2; } return 100 / (x - 5); }";
    assert_eq!(explore(Effects::OnMemory, &main(divides, "int y = 0; int r = helper(&y, x); return r + y;")), 2);
    let pointers = "static int a = 1, b = 2, *p = &a;
static int helper(int x) { if (x > 200) return 5; if (x > 100) return 6; return 7; }
static void inner(int x) { if (x > 7) p = &b; }";
    assert_eq!(explore(Effects::OnMemory, &main(pointers, "inner(x); return *p + helper(x);")), 2);
    let index = "static int m[4]; static int helper(int x) { if (x > 7) { m[x & 3] = 5; return 1; } if (x == 3) return 4; return 2; }";
    explore(Effects::OnMemory, &main(index, "int r = helper(x); return r + m[0] + 10 * m[1];"));
}

#[test]
fn a_switch_is_branches() {
    let helper = "static int helper(int x) { switch (x & 15) { case 1: return 5; case 2: case 3: case 9: return x; case 12: x++; default: return x * 2; } }";
    assert_eq!(explore(Effects::None, &main(helper, "return (helper(x) + helper(x >> 4)) & 127;")), 1);
    let inside = "static int inner(int x) { switch (x) { case 0: return 3; case 200: return 4; } return 5; }
static int helper(int x) { switch (inner(x)) { case 3: return inner(x + 1); case 4: return 9; } return 1; }";
    assert_eq!(explore(Effects::None, &main(inside, "return helper(x);")), 1);
}

#[test]
fn a_path_goes_on_where_a_check_is_passed() {
    // One decision says that no check fails, and each failure is a path.
    let divides = "static int helper(int x) { if (x > 99) return 1; int r = 100 / (x - 5); if (r > 7) return r; return 7 % (x + 1); }";
    assert_eq!(explore(Effects::None, &main(divides, "return helper(x) & 127;")), 2);
    let overflows = "static int helper(int x) { int y = x * 8421504; if (x & 1) y += 65536; return y > 77 ? y - 77 : 3 << (x & 63); }";
    assert!(explore(Effects::None, &main(overflows, "return helper(x) & 127;")) <= 5);
    let inside = "static int inner(int x) { if (x == 7) return 1; return 50 / (x - 9); }
static int helper(int x) { int r = inner(x); if (r > 3) return inner(x + 1); return r + inner(3); }";
    assert!(explore(Effects::None, &main(inside, "return helper(x) & 127;")) <= 4);
    let fails = "static int helper(int x) { if (x > 200) return 2; if (x == 4) return 3 / (x - 4); return 1; }";
    assert_eq!(explore(Effects::None, &main(fails, "return helper(x);")), 2);
}

#[test]
fn an_index_that_may_leave_its_object_is_a_check() {
    let reads = "static int t[5] = {3, 1, 4, 1, 5}; static int helper(int x) { if (x > 250) return 9; if (t[x & 7] == 4) return 2; return t[x & 7]; }";
    assert_eq!(explore(Effects::None, &main(reads, "return helper(x);")), 2);
    let of_input =
        "static int helper(const unsigned char *s, int i) { if (s[i & 7] > 40) return s[i >> 5]; return 1 + s[1]; }";
    assert_eq!(
        explore(
            Effects::None,
            &main(of_input, "unsigned char s[6] = {9, x, 70, x / 2, 2, 44}; return helper(s, x) & 127;")
        ),
        3
    );
    let writes = "static int m[6]; static int helper(int x) { if (x > 7) { m[x & 7] = x; return 1; } if (x == 3) return 4; return m[x]; }";
    let body = "m[0] = 3; int r = helper(x); return (r + m[0] + 10 * m[1] + m[5]) & 127;";
    explore(Effects::OnMemory, &main(writes, body));
    let wide = "static short m[100]; static int helper(int x) { if (x > 7) { m[x] = x; return m[x / 2] + m[x]; } if (x == 3) return 4; return m[x + 95]; }";
    explore(Effects::OnMemory, &main(wide, "m[98] = 6; int r = helper(x); return (r + m[9] + m[50]) & 127;"));
    let loops = "static int helper(const unsigned char *s, int n) { int r = 0; for (int i = 0; i < 4; i++) if (s[n + i] == 'a') r++; return r; }";
    assert_eq!(explore(Effects::None, &main(loops, "unsigned char s[9] = \"abracada\"; return helper(s, x & 7);")), 3);
}

#[test]
fn structures_are_copied() {
    let copies = "#include <string.h>
struct pair { int a, b; };
static struct pair p = {1, 2};
static int helper(int x) { struct pair q = p; if (x > 9) { q.b = x; memcpy(&p, &q, sizeof p); return 1; } memset(&p.a, 0, sizeof p.a); return q.a; }";
    assert_eq!(explore(Effects::OnMemory, &main(copies, "int r = helper(x); return (r + 3 * p.a + p.b) & 127;")), 1);
}

#[test]
fn bytes_of_one_number_belong_to_one_variable() {
    // One path reads all of it, another one a byte.
    let helper = "static int helper(unsigned *p, int x) { if (x > 100) return *p > 0x01010101; return *((unsigned char *)p + 1) > 3; }";
    let body = "unsigned w; klee_make_symbolic(&w, sizeof w, \"w\"); int r = helper(&w, x); return r ? 1 : w == 0;";
    explore(Effects::None, &main(helper, body));
}

/// Figures 1 and 2 of the paper: what decides is the results of two calls, each of which is its definition on all paths that are known. The least
/// number is the dangling node, since its negation overflows: the first two conditions say that neither call comes there, and are the flags of the paper's lazy step.
#[test]
fn the_formulas_of_test_abs() {
    let source = "static int helper(int x) { if (x > 0) return x; else if (x == 0) return 100; else return -x; }
int main(void) { int p, q; klee_make_symbolic(&p, sizeof p, \"p\"); klee_make_symbolic(&q, sizeof q, \"q\");
  int m = helper(p), n = helper(q); if (m > n && p > 0) return 1; return 0; }";
    let mut program = Program::new(source);
    let summarised = program.call_through_sites(Effects::None, &["helper"]);
    let mut runner = program.summarising(&summarised);
    let run_with =
        |p: i32, q: i32| Input::new().with("p", p.to_le_bytes().to_vec()).with("q", q.to_le_bytes().to_vec());
    let run = runner.run(&run_with(1, 1), &[]).unwrap();
    let conditions: Vec<_> = run.path.iter().map(|decision| decision.cond).collect();
    let text = runner.pool().to_smtlib(&conditions);
    assert_eq!(text, include_str!("programs/test_abs.smt2"), "{text}");
}
