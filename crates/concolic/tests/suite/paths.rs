//! The conditions of paths, held against all inputs.

use crate::support::{PathFound, Program, endings, explore_bytes, explore_shorts};

/// A function of `x` with this body, called with a symbolic argument. What it returns is decided on, so that one path has
/// one status.
fn program(ty: &str, body: &str) -> Program {
    let main = "int main(void) { arg x; klee_make_symbolic(&x, sizeof x, \"x\");
        switch (test(x)) { case 0: return 0; case 1: return 1; case 2: return 2; case 3: return 3; default: return 9; } }";
    Program::new(&format!("typedef {ty} arg; static int test(arg x) {{ {body} }} {main}"))
}

#[test]
fn branches_on_a_byte() {
    let paths = explore_bytes(&program("unsigned char", "if (x < 10) return 1; if (x == 77) return 2; return 0;"));
    let counts: Vec<_> = paths.iter().map(|path| (path.ending.as_str(), path.n_inputs)).collect();
    assert_eq!(counts, [("exited 2", 1), ("exited 1", 10), ("exited 0", 245)]);
}

#[test]
fn signed_and_unsigned_bytes() {
    let signed = explore_bytes(&program("signed char", "return x < -3 ? 1 : 0;"));
    assert_eq!(endings(&signed).into_values().collect::<Vec<_>>(), [131, 125]);
    let unsigned = explore_bytes(&program("unsigned char", "return (signed char)x < -3 ? 1 : x > 200 ? 2 : 0;"));
    assert_eq!(endings(&unsigned).into_values().collect::<Vec<_>>(), [128, 125, 3]);
}

/// How many inputs lead to each end.
fn expect(paths: &[PathFound], expected: &[(&str, usize)]) {
    let found = endings(paths);
    assert_eq!(found.iter().map(|(ending, &n)| (ending.as_str(), n)).collect::<Vec<_>>(), expected);
}

/// Which ends there are, where not all inputs are tried.
fn expect_ends(paths: &[PathFound], expected: &[&str]) {
    assert_eq!(endings(paths).keys().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn two_bytes_as_one_number() {
    let paths = explore_shorts(
        &program("unsigned short", "if (x * 3u == 300) return 1; return x > 0x1234 && (x & 1);"),
        &[100, 0x1234],
    );
    expect_ends(&paths, &["exited 0", "exited 1"]);
}

#[test]
fn bytes_of_a_number_one_by_one() {
    let body = "unsigned char *p = (unsigned char *)&x; if (p[1] == 2) return 1; if (x == 0x0305) return 2; return p[0] == 9 ? 3 : 0;";
    let paths = explore_shorts(&program("unsigned short", body), &[0x200, 0x2ff, 0x305, 0x609]);
    expect_ends(&paths, &["exited 0", "exited 1", "exited 2", "exited 3"]);
}

#[test]
fn switches() {
    let body =
        "switch (x) { case 'a' ... 'f': return 1; case 7: case 9: return 2; case 200: return 1; default: return 0; }";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 247), ("exited 1", 7), ("exited 2", 2)]);
    assert_eq!(paths.len(), 4, "cases that lead to one place are one path");
}

#[test]
fn sparse_and_signed_switches() {
    let body =
        "switch (x) { case -7: return 1; case 0x1000: return 2; case 300: x = 5; case 301: return x & 3; } return 0;";
    let paths = explore_shorts(&program("short", body), &[0xfff9, 0x1000, 300]);
    expect_ends(&paths, &["exited 0", "exited 1", "exited 2"]);
}

#[test]
fn loops() {
    let source =
        "int main(void) { unsigned char x = spelunk_uchar(\"x\"); int n = 0; while (x) { x >>= 1; n++; } return n; }";
    let paths = explore_bytes(&Program::new(source));
    assert_eq!(paths.len(), 9);
    assert!(paths.iter().all(|path| path.n_inputs
        == if path.ending == "exited 0" {
            1
        } else {
            1 << (path.ending.trim_start_matches("exited ").parse::<u32>().unwrap() - 1)
        }));
}

#[test]
fn constant_tables() {
    let body = "static const signed char t[] = {3, 1, 4, 1, 5, -9, 2, 6}; if (x >= 8) return 9; return t[x] == 1 ? 1 : t[x] < 0 ? 2 : 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 5), ("exited 1", 2), ("exited 2", 1), ("exited 9", 248)]);
    assert_eq!(paths.len(), 4, "elements with the same outcome are one path");
}

#[test]
fn large_constant_tables() {
    let body = "static const unsigned short t[256] = {[3] = 7, [77] = 7, [255] = 1000}; return t[x] == 7 ? 1 : t[x] > 900 ? 2 : 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 253), ("exited 1", 2), ("exited 2", 1)]);
    assert_eq!(paths.len(), 3);
}

#[test]
fn reads_out_of_bounds() {
    let paths = explore_bytes(&program("signed char", "int t[5] = {1, 2, 3, 4, 5}; return t[x] > 3;"));
    expect(&paths, &[("exited 0", 3), ("exited 1", 2), ("out-of-bounds", 251)]);
    assert_eq!(paths.len(), 3);
}

#[test]
fn writes_at_a_symbolic_index() {
    let body = "int t[4] = {5, 6, 7, 8}; t[x & 3] = 100; int sum = 0; for (int i = 0; i < 4; i++) sum += t[i]; return sum == 119 ? 1 : sum > 119 ? 2 : 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 64), ("exited 1", 64), ("exited 2", 128)]);
}

#[test]
fn reads_after_writes_at_symbolic_indices() {
    let body = "unsigned char t[8] = {0}; t[x & 7] = 9; t[x >> 5] += 1; return t[3] == 10 ? 1 : t[3] == 9 ? 2 : t[3] == 1 ? 3 : 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 256 - 4 - 28 - 28), ("exited 1", 4), ("exited 2", 28), ("exited 3", 28)]);
}

#[test]
fn uninitialised_elements() {
    let body = "int t[8]; for (int i = 0; i < 8; i++) if (i != 5) t[i] = i; return t[x & 7] > 3;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 128), ("exited 1", 96), ("uninitialised", 32)]);
    let body = "int t[8]; t[2] = 5; t[3] = 6; return t[x & 7] == 5 ? 1 : 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 32), ("exited 1", 32), ("uninitialised", 192)]);
    assert_eq!(paths.len(), 3, "which of the uninitialised elements it is does not matter");
}

#[test]
fn writes_into_uninitialised_arrays() {
    let body = "int t[4]; t[x & 3] = 1; return t[2];";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 1", 64), ("uninitialised", 192)]);
}

#[test]
fn division() {
    let body = "return 100 / (x - 7) > 20;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("div-by-zero", 1), ("exited 0", 251), ("exited 1", 4)]);
    let body = "int least = -2147483647 - 1; return least / x == 1 << 30;";
    let paths = explore_bytes(&program("signed char", body));
    expect(&paths, &[("div-by-zero", 1), ("div-overflow", 1), ("exited 0", 253), ("exited 1", 1)]);
}

#[test]
fn shifts_and_overflow() {
    let paths = explore_bytes(&program("unsigned char", "return 1u << x == 1u << 4;"));
    expect(&paths, &[("exited 0", 31), ("exited 1", 1), ("oversized-shift", 224)]);
    let paths = explore_shorts(&program("short", "int y = x; return y * 70000 + 5 > 0;"), &[30678, 34858]);
    expect_ends(&paths, &["exited 0", "exited 1", "signed-overflow"]);
}

#[test]
fn structs_unions_and_bit_fields() {
    let body =
        "struct { unsigned a : 3, b : 5; } f = { x & 7, x >> 3 }; if (f.a == 5) return 1; return f.b > 29 ? 2 : 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 7 * 30), ("exited 1", 32), ("exited 2", 14)]);
    let body =
        "union { short s; signed char c[2]; } u = { x }; if (u.c[1] < 0) return 1; return u.c[0] == u.c[1] ? 2 : 0;";
    let paths = explore_shorts(&program("short", body), &[0x101, 0x7f7f]);
    expect_ends(&paths, &["exited 0", "exited 1", "exited 2"]);
}

#[test]
fn copies_keep_the_variables() {
    let body = "unsigned short copy; __builtin_memcpy(&copy, &x, 2); if (copy > 1000) return x > 1000 ? 1 : 99; unsigned char b[2]; __builtin_memcpy(b, &copy, 2); return b[0] == 7 ? 2 : 0;";
    let paths = explore_shorts(&program("unsigned short", body), &[1000, 0x107]);
    expect_ends(&paths, &["exited 0", "exited 1", "exited 2"]);
    assert_eq!(paths.len(), 3);
}

#[test]
fn pointers_that_are_chosen() {
    let body = "int a = 3, b = 4, *p = x & 1 ? &a : &b; *p = 10; return a == 10 ? 1 : b == 10 ? 2 : 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 1", 128), ("exited 2", 128)]);
}

#[test]
fn pointer_arithmetic() {
    let body = "int t[6] = {1, 2, 3, 4, 5, 6}, *p = t + (x & 3), *q = p + 2; return *q == 5 ? 1 : q - t > 4 ? 2 : q < t + 3 ? 3 : 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 64), ("exited 1", 64), ("exited 2", 64), ("exited 3", 64)]);
}

#[test]
fn floats() {
    let body = "double d = x; float f = d / 3; if (f > 40.5f) return 1; return (int)(f * 2) == 7 ? 2 : f != f ? 3 : 0;";
    let paths = explore_bytes(&program("signed char", body));
    expect(&paths, &[("exited 0", 256 - 6 - 1), ("exited 1", 6), ("exited 2", 1)]);
}

#[test]
fn assumptions() {
    let body = "klee_assume(x > 3); klee_assume(x < 10); return x == 5;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("Infeasible", 250), ("exited 0", 5), ("exited 1", 1)]);
}

#[test]
fn sizes_stay_open() {
    let body = "char *p = __builtin_malloc(x & 7); p[3] = 1; return p[1] = 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 128), ("out-of-bounds", 128)]);
    assert_eq!(paths.len(), 2, "how large the object is beyond what is used does not matter");
    let body =
        "int *p = __builtin_calloc(x, 4); int sum = p[x / 2]; for (int i = 0; i < 10; i++) sum += p[i]; return sum;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 246), ("out-of-bounds", 10)]);
    let body = "int t[x]; t[0] = 1; if (x > 200) { t[200] = 2; return 2; } return t[0];";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 1", 200), ("exited 2", 55), ("out-of-bounds", 1)]);
    assert_eq!(paths.len(), 3);
}

#[test]
fn sizes_are_settled_where_they_matter() {
    let body =
        "char *p = __builtin_malloc(x & 3), q[4]; __builtin_memset(p, 'a', x & 3); p[0] = 0; __builtin_strcpy(q, p);
        p = __builtin_realloc(p, 9); p[8] = 1; __builtin_free(p); return q[0];";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 192), ("out-of-bounds", 64)]);
    let body = "char *p = __builtin_malloc(x); int k = x % 5; p[k] = 1; __builtin_free(p); return 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 251), ("out-of-bounds", 5)]);
}

#[test]
fn large_sizes_are_decided_on() {
    let body = "char *p = __builtin_malloc(x * 1000u); p[0] = 1; __builtin_free(p); return x > 3;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 3), ("exited 1", 252), ("out-of-bounds", 1)]);
    assert_eq!(paths.len(), 3 + 251);
}

#[test]
fn function_pointers() {
    let source = "static int one(void) { return 1; } static int two(void) { return 2; }
        int main(void) { unsigned char x; klee_make_symbolic(&x, 1, \"x\");
            int (*t[])(void) = {one, two, one, 0}; return t[x & 3](); }";
    let paths = explore_bytes(&Program::new(source));
    expect(&paths, &[("bad-call", 64), ("exited 1", 128), ("exited 2", 64)]);
}

#[test]
fn wide_numbers() {
    let body = "unsigned __int128 w = x; w = w * w * w << 60; return w >> 64 == 1728 >> 4 ? 1 : 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 255), ("exited 1", 1)]);
}

#[test]
fn writes_into_large_arrays() {
    let body = "static unsigned short t[300]; for (int i = 0; i < 300; i++) t[i] = i * 7;
        t[x] = 5; t[x + 3] = 6; t[9] = 77; unsigned short copy[300]; __builtin_memcpy(copy, t, sizeof t);
        if (copy[20] == 6) return 1; if (copy[x] != (x == 9 ? 77 : 5)) return 3; return t[30] == 5 ? 2 : 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 254), ("exited 1", 1), ("exited 2", 1)]);
}

#[test]
fn fields_of_large_arrays_of_structs() {
    let body = "static struct { char tag; int value; } t[200]; for (int i = 0; i < 200; i++) t[i].value = i;
        if (x >= 200) return 9; t[x].value = 1000; t[x].tag = 1;
        if (t[77].tag) return t[77].value == 1000 ? 1 : 3; return t[x / 2].value > 150 ? 2 : 0;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("exited 0", 198), ("exited 1", 1), ("exited 2", 1), ("exited 9", 56)]);
}

#[test]
fn checks_of_wide_numbers() {
    let body = "__int128 w = x, least = (__int128)1 << 127; return least / (w + 3) < 0;";
    let paths = explore_bytes(&program("signed char", body));
    expect(&paths, &[("div-by-zero", 1), ("div-overflow", 1), ("exited 0", 124), ("exited 1", 130)]);
    let paths = explore_bytes(&program("unsigned char", "__int128 w = 1; return (w << x) >> 64 == 8;"));
    expect(&paths, &[("exited 0", 127), ("exited 1", 1), ("oversized-shift", 128)]);
}

#[test]
fn computed_jumps() {
    let body = "void *t[] = {&&one, &&two, &&one, 0}; goto *t[x & 3]; one: return 1; two: return 2;";
    let paths = explore_bytes(&program("unsigned char", body));
    expect(&paths, &[("bad-call", 64), ("exited 1", 128), ("exited 2", 64)]);
    assert_eq!(paths.len(), 3);
}

#[test]
fn calls_of_anything() {
    let source = "static int one(void) { return 1; } int main(void) { unsigned long x[2] = {0};
        klee_make_symbolic(x, 1, \"x\"); x[0] = x[0] * 4 + (unsigned long)one - 8; return ((int (*)(void))x[0])(); }";
    let paths = explore_bytes(&Program::new(source));
    expect(&paths, &[("bad-call", 255), ("exited 1", 1)]);
    assert_eq!(paths.len(), 2);
}
