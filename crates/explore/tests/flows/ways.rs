//! Each way of following is needed: without it, a program is explored to the end and something in it is missed.

use crate::{Found, Programs};
use spelunk_concolic::theories::flow::{Knowledge, Way};
use spelunk_explore::strategy::Kind;
use std::sync::Arc;

/// What a function does with two inputs, by the way that it takes to see that they belong together: each of `error()` and the assertions
/// needs both. `n` is changed where a branch is to be one, and not a choice between values.
const PROGRAMS: &[(Way, &str)] = &[
    (Way::Assigned, "int x = 0, y = 0; if (a > 3) { x = 1; n++; } if (b > 3) { y = 1; n++; } if (x & y) error();"),
    (
        Way::Operations,
        "int x = 0, y = 0; if (a > 3) { n++; x = g + 1; } if (b > 3) { m++; y = h + 1; } if (mixed(x, y) == 6) error();",
    ),
    (
        Way::Loads,
        "int x = 1, y = 1; if (a > 3) { x = 2; n++; } if (b > 3) { y = 2; n++; } g = x; h = y; if (g + h == 4) error();",
    ),
    (
        Way::Written,
        "if (a > 3) set(); else set_twice(); h = 1; if (b > 3) { h = 0; n++; } if (g * 2 + h == 2) error();",
    ),
    (Way::Effects, "if (a > 3) g = 1; if (b > 3) { h = g; if (h) error(); }"),
    (Way::Audit, "g = 1; if (a > 3) g = 3; if (b != 2) g = 2; assert(g != 3);"),
    (
        Way::Addresses,
        "int x = 0, y = 0; if (a > 3) { x = 1; n++; } if (b > 3) { y = 1; n++; } if (digits[x] + digits[y] == 2) error();",
    ),
    (Way::Elsewhere, "int *p = &h; if (a > 3) { p = &g; n++; } *p = 1; if (b > 3) assert(!g);"),
    (Way::Life, "int *p = malloc(4); if (!p) return 0; if (a > 3) free(p); if (b > 3) *p = 1;"),
    (Way::Checks, "int y = 1; if (a > 3) { y = 0; n++; } if (b > 3) g = 1 / y;"),
    (Way::Targets, "void (*f)(void) = nothing; if (a > 3) { f = set; n++; } f(); if (b > 3) assert(!g);"),
    (Way::Returns, "if (two(a) + two(b) == 4) error();"),
    (Way::Leaps, "if (b > 3) h = 1; if (setjmp(env)) return 7; leap(a < 4); if (h) error();"),
    (Way::Control, "if (b == 2) g = 1; if (a > 3) { if (b == 2) error(); }"),
    (Way::Library, "if (a > 3) text[0] = 0; if (b > 3) { h = 1; n++; } if ((int)strlen(text) * 2 + h == 1) error();"),
    (
        Way::Variadic,
        "int x = 0, y = 0; if (a > 3) { x = 1; n++; } if (b > 3) { y = 1; n++; } if (sum_of(2, x, y) == 2) error();",
    ),
    (Way::Cuts, "if (b == 2) g = 1; if (a != 5) exit(1); if (b == 2) error();"),
];

const LIBRARY: &str = "#include <assert.h>
#include <setjmp.h>
#include <spelunk.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
static int g, h, m, n, n_errors;
static const int digits[2] = {0, 1};
static char text[4] = \"abc\";
static jmp_buf env;
static void error(void) { n_errors++; }
static void nothing(void) {}
static __attribute__((noinline)) void set(void) { g = 1; }
static __attribute__((noinline)) void set_twice(void) { g = 2; }
static __attribute__((noinline)) unsigned mixed(unsigned l, unsigned r) { return l * 5 + r; }
static __attribute__((noinline)) int second(int v) {
  n += v;
  return 2;
}
static __attribute__((noinline)) int two(int v) {
  if (v > 3)
    __attribute__((musttail)) return second(v);
  return 1;
}
static void leap(int c) {
  if (c)
    longjmp(env, 1);
}
static int sum_of(int count, ...) {
  va_list list;
  va_start(list, count);
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += va_arg(list, int);
  va_end(list);
  return sum;
}
";

fn source() -> String {
    let mut text = LIBRARY.to_owned();
    for (number, (_, body)) in PROGRAMS.iter().enumerate() {
        let body = body.replace("; ", ";\n").replace("{ ", "{\n").replace(") error()", ")\nerror()");
        text += &format!("static int test{number}(unsigned char a, unsigned char b) {{\n{body}\nreturn 0;\n}}\n");
    }
    text += "int main(int argc, char **argv) {\nunsigned char a = spelunk_uchar(\"a\");\nunsigned char b = spelunk_uchar(\"b\");\nswitch (argv[1][0]) {\n";
    for number in 0..PROGRAMS.len() {
        text += &format!("case 'A' + {number}:\nreturn test{number}(a, b);\n");
    }
    text + "}\nreturn 0;\n}\n"
}

#[test]
fn every_way_of_following_is_needed() {
    let programs = Programs::of(source());
    let strategies = [Kind::DepthFirst, Kind::BreadthFirst];
    let mut unneeded = Vec::new();
    for (number, (way, body)) in PROGRAMS.iter().enumerate() {
        let all = programs.all_of(number).expect("it has few paths");
        let is_same = |found: &Found| (&found.blocks, &found.errors) == (&all.blocks, &all.errors);
        for strategy in strategies {
            let found = programs.explore(number, Some(Arc::default()), strategy, 1);
            assert!(found.is_complete && is_same(&found), "{way:?}: {body}");
        }
        let without = |strategy| programs.explore(number, Some(Arc::new(Knowledge::without(*way))), strategy, 1);
        let is_missed = |found: Found| found.is_complete && !is_same(&found);
        if !strategies.into_iter().map(without).any(is_missed) {
            unneeded.push((way, body));
        }
    }
    assert!(unneeded.is_empty(), "these make no difference: {unneeded:#?}");
}

#[test]
fn every_way_has_its_program() {
    for way in Way::ALL {
        assert!(PROGRAMS.iter().any(|it| it.0 == *way), "{way:?}");
    }
}
