//! Programs in which information flows in many ways: through values, branches, what branches leave out, early exits, loops, pointers, indices,
//! lengths, recursion, function pointers, lists, memory that is freed, `longjmp`.

use crate::made::Dice;

impl Dice {
    fn input(&mut self) -> &'static str {
        self.one(&["a", "b", "c"])
    }

    fn variable(&mut self) -> &'static str {
        self.one(&["x", "y", "z", "u", "g0", "g1", "t[0]", "t[1]", "t[2]", "s[1]", "*p", "r.m[0]", "r.m[1]"])
    }

    fn value(&mut self) -> String {
        match self.below(8) {
            0 => self.below(4).to_string(),
            1 | 2 => format!("({} & 3)", self.input()),
            3 | 4 => self.variable().to_owned(),
            5 => format!("({} ? {} : {})", self.condition(), self.variable(), self.below(3)),
            6 => format!("sum({})", self.variable()),
            _ => format!("{} + {}", self.variable(), self.variable()),
        }
    }

    fn condition(&mut self) -> String {
        match self.below(12) {
            0..5 => format!("{} {}", self.input(), ["& 1", "== 2", "> 1"][self.below(3)]),
            5..7 => format!("{} {}", self.variable(), ["!= 0", "== 1", "> 1"][self.below(3)]),
            7 => format!("{} == {}", self.variable(), self.variable()),
            8 => format!("is_good({})", self.variable()),
            9 => format!("{} & 1 && {} != 1", self.input(), self.variable()),
            10 => format!("{} == 2 || {} & 1", self.variable(), self.input()),
            _ => format!("length() == {}", self.below(3)),
        }
    }

    /// Something without branches of its own.
    fn simple(&mut self) -> String {
        let variable = self.variable();
        match self.below(30) {
            0 | 1 => format!("p = {};\n", self.one(&["&g0", "&g1", "&t[1]", "&x", "&r.m[1]"])),
            2 => format!("t[{} & 3] = {};\n", self.value(), self.value()),
            3 => format!("{variable} = t[{} & 3];\n", self.value()),
            4 => format!("{variable} = 8 / ({} + {});\n", self.variable(), self.below(2)),
            5 => "free(h);\nh = 0;\n".to_owned(),
            6 => "free(h);\n".to_owned(),
            7 => format!("h = malloc(4);\nif (h)\n*h = {};\n", self.value()),
            8 => format!("if (h)\n{variable} = *h;\n"),
            9 => format!("set({});\n", self.value()),
            10 => format!("{variable} = get({});\n", self.value()),
            11 => "memcpy(t, s, sizeof t);\n".to_owned(),
            12 => format!("memcpy(t, s, ({} & 3) * sizeof *t);\n", self.value()),
            13 => format!("memset(s, {}, {} & 7);\n", self.below(2), self.value()),
            14 => format!("call = {};\n", self.one(&["set", "other"])),
            15 => format!("call({});\n", self.value()),
            16 => format!("calls[{} & 1]({});\n", self.value(), self.value()),
            17 => format!("assert({variable} != {});\n", 2 + self.below(3)),
            18 => format!("push({});\n", self.value()),
            19 => "pop();\n".to_owned(),
            20 => format!("text[{}] = {};\n", self.below(3), self.value()),
            21 => format!("{variable} = length();\n"),
            22 => format!("r = {};\n", self.one(&["(struct pair){{1, 2}}", "saved", "made(x)"])),
            23 => "saved = r;\n".to_owned(),
            24 => format!("{variable} = count();\n"),
            25 => "sort();\n".to_owned(),
            26 => format!("{variable} += {};\n", self.value()),
            _ => format!("{variable} = {};\n", self.value()),
        }
    }

    /// Statements, a line each, so that lines tell them apart.
    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(5) < 2 {
            return self.simple();
        }
        match self.below(13) {
            0..4 => format!("if ({}) {{\n{}}}\n", self.condition(), self.block(depth - 1)),
            4 | 5 => {
                let condition = self.condition();
                format!("if ({condition}) {{\n{}}} else {{\n{}}}\n", self.block(depth - 1), self.block(depth - 1))
            }
            6 => {
                let (value, first) = (self.value(), self.block(depth - 1));
                let end = self.one(&["break;\n", ""]);
                format!("switch (({value}) & 3) {{\ncase 0:\n{first}{end}case 2:\n{}}}\n", self.block(depth - 1))
            }
            7 => {
                let bound = self.value();
                format!("for (int i = 0; i < (({bound}) & 3); i++) {{\n{}}}\n", self.block(depth - 1))
            }
            8 => {
                let end = self.one(&["return 1", "exit(1)", "return x", "leave(2)", "abort()"]);
                format!("if ({})\n{end};\n", self.condition())
            }
            9 => {
                let end = self.one(&["break", "continue"]);
                format!(
                    "for (int i = 0; i < 2; i++) {{\n{}if ({})\n{end};\n{}}}\n",
                    self.block(0),
                    self.condition(),
                    self.block(0)
                )
            }
            10 => {
                let (first, then) = (self.block(depth - 1), self.block(depth - 1));
                format!("if (setjmp(env) == 0) {{\n{first}}} else {{\n{then}}}\n")
            }
            11 => format!("jump({});\n", self.condition()),
            _ => format!("descend({}, {});\n", self.value(), self.value()),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        (0..1 + self.below(2)).map(|_| self.statement(depth)).collect()
    }

    fn test(&mut self, number: usize) -> String {
        let body: String = (0..6).map(|_| self.statement(2)).collect();
        format!(
            "static int test{number}(unsigned char a, unsigned char b, unsigned char c) {{\n\
             int x = 0, y = 0, z = 0, u = 0, *p = &g0, *h = 0;\n\
             struct pair r = {{{{0, 0}}}};\n\
             void (*call)(int) = set;\n\
             if (setjmp(env))\n\
             return 7;\n\
             {body}\
             return x + y + z + u + (h != 0);\n}}\n"
        )
    }
}

/// Programs in one, of which the first argument says which is meant, from `A` on.
pub fn programs(seed: u64, n: usize) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let tests: String = (0..n).map(|number| dice.test(number)).collect();
    let cases: String = (0..n).map(|number| format!("case 'A' + {number}:\nreturn test{number}(a, b, c);\n")).collect();
    format!("{LIBRARY}{tests}{MAIN}{cases}}}\nreturn 0;\n}}\n")
}

const MAIN: &str = "int main(int argc, char **argv) {
unsigned char a = spelunk_uchar(\"a\");
unsigned char b = spelunk_uchar(\"b\");
unsigned char c = spelunk_uchar(\"c\");
switch (argv[1][0]) {
";

const LIBRARY: &str = "#include <assert.h>
#include <setjmp.h>
#include <spelunk.h>
#include <stdlib.h>
#include <string.h>
struct pair { int m[2]; };
struct node { struct node *next; int value; };
static int g0, g1, t[4], s[4];
static char text[4];
static struct pair saved;
static struct node *list;
static jmp_buf env;
static void set(int v) {
  if (v > 1)
    g0 = v;
  else
    t[2] = v;
}
static void other(int v) { g1 = v; }
static void (*const calls[2])(int) = {set, other};
static int get(int v) {
  if (v == 2)
    return g1;
  if (v & 1)
    return t[1];
  return v;
}
static int is_good(int v) {
  if (v == 3)
    return 0;
  if (g0 == 1)
    return 0;
  return v & 1;
}
static int sum(int n) { return n <= 0 || n > 3 ? g1 : n + sum(n - 1); }
static void descend(int n, int v) {
  if (n <= 0 || n > 3)
    return;
  if (v == 1)
    g1++;
  descend(n - 1, v);
  t[n] = v;
}
static void push(int v) {
  struct node *new = malloc(sizeof *new);
  if (!new)
    return;
  new->next = list;
  new->value = v;
  list = new;
}
static void pop(void) {
  struct node *first = list;
  if (first) {
    list = first->next;
    free(first);
  }
}
static int count(void) {
  int n = 0;
  for (struct node *l = list; l; l = l->next)
    n += l->value > 0;
  return n;
}
static int length(void) {
  text[3] = 0;
  return strlen(text);
}
static int compare(const void *l, const void *r) {
  return *(const int *)l - *(const int *)r;
}
static void sort(void) { qsort(t, 3, sizeof *t, compare); }
static struct pair made(int v) {
  struct pair r = {{v, g0}};
  return r;
}
static void leave(int code) {
  if (g0 != code)
    exit(code);
}
static void jump(int c) {
  if (c)
    longjmp(env, 1 + (g1 == 1));
  g0++;
}
";
