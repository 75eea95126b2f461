//! Loops that are string functions in disguise: done at once they come to the same ends as round by round, in a number of paths that does
//! not depend on how long strings may be.

mod made;

use made::{Dice, lines, loaded};
use spelunk_concolic::marks::Marks;
use spelunk_concolic::{Run, Strings};
use spelunk_driver::Loaded;
use spelunk_explore::campaign::{Deadline, Observer, Options, Progress, Stopped, explore};
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::spent::Cost;
use spelunk_ir::code::OpIdx;
use spelunk_vm::Stop;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// How paths ended: exit codes, and kinds of errors with their lines.
#[derive(Default)]
struct Ends {
    /// By operation of the user's code.
    lines: Vec<u32>,
    ends: BTreeSet<String>,
    n_paths: usize,
}

impl Observer for Ends {
    fn path(&mut self, run: &Run, _seed: Option<usize>, _cost: Cost) {
        assert_eq!(run.failure, None);
        let line = |op: &OpIdx| Some(self.lines[op.index()]).filter(|&line| line != 0);
        self.ends.insert(match &run.stop {
            Stop::Exited(code) => format!("exit {code}"),
            Stop::Bug(bug) => format!("{:?} in line {:?}", bug.kind, bug.trace.iter().find_map(line)),
            other => panic!("a path ended otherwise: {other:?}"),
        });
        self.n_paths += 1;
    }

    fn progress(&mut self, _progress: &Progress, _marks: &Marks) {}
}

fn ends(loaded: &'static Loaded, strings: Strings) -> Ends {
    let mut found = Ends { lines: lines(loaded), ..Ends::default() };
    let run = spelunk_concolic::Options { args: vec![b"program".to_vec()], strings, ..Default::default() };
    let options = Options { run, n_workers: 1, ..Options::default() };
    let program = Arc::new(ProgramFlow::new(&loaded.image));
    let deadline = Deadline::default().within(Duration::from_secs(120));
    let outcome = explore(&program, options, &deadline, &mut found).unwrap();
    assert_eq!(outcome.stopped, Stopped::Exhausted);
    found
}

const HEADERS: &str = "#include <spelunk.h>\n#include <ctype.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// Each with its number of paths for strings of up to 200 and of up to 2000 characters, and whether one of them is an error.
const LOOPS: [(&str, usize, bool); 9] = [
    ("const char *p = s; while (*p) p++; if (p - s == 77) return 1;", 3, false),
    ("int i; for (i = 0; s[i]; i++); if (i == 150) return 1;", 3, false),
    ("char b[90], *d = b; while ((*d++ = *s++));", 4, true),
    ("int n = 0; while (*s == ' ' || *s == '\\t') s++, n++; if (n == 60 && *s == 'x') return 2;", 5, false),
    (
        "char b[64]; const char *p = s; while (*p && *p != ':') p++; if (*p && p - s < 64) memcpy(b, s, p - s), b[p - s] = 0;",
        5,
        false,
    ),
    (
        "char b[64]; const char *p = s; while (*p && *p != ':') p++; if (*p && p - s <= 64) memcpy(b, s, p - s), b[p - s] = 0;",
        6,
        true,
    ),
    ("char b[80]; int i; for (i = 0; i < 79 && s[i] && s[i] != '/'; i++) b[i] = s[i]; b[i] = 0;", 5, false),
    ("char b[80]; int i; for (i = 0; i < 80 && s[i] && s[i] != '/'; i++) b[i] = s[i]; b[i] = 0;", 5, true),
    ("while (isspace((unsigned char)*s)) s++; if (*s == 'A') return 1;", 4, false),
];

#[test]
fn paths_do_not_depend_on_lengths() {
    for (code, n_paths, has_error) in LOOPS {
        for longest in [200, 2000] {
            let source = format!(
                "{HEADERS}static int f(const char *s) {{ {code} return 0; }}\n\
                 int main(void) {{ static char s[{longest} + 1]; spelunk_string(s, 0, {longest}); return f(s); }}\n"
            );
            let found = ends(loaded(&source), Strings::Loops);
            assert_eq!(found.n_paths, n_paths, "{longest}: {code}: {:?}", found.ends);
            assert_eq!(
                found.ends.iter().any(|end| end.starts_with("OutOfBounds")),
                has_error,
                "{code}: {:?}",
                found.ends
            );
        }
    }
}

impl Dice {
    fn call(&mut self, x: &str, d: &str, c: &str) -> String {
        let n = self.below(6);
        match self.below(8) {
            0 => format!("k = strlen({x});"),
            1 => format!("strcpy({d}, {x});"),
            2 => format!("strncpy({d}, {x}, {n});"),
            3 => format!("strcat({d}, {x});"),
            4 => format!("q = strchr({x}, {c});"),
            5 => format!("k = strcspn({x}, \"/0\");"),
            6 => format!("memset({d}, {c}, {n});"),
            _ => format!("if (k >= 0 && k < 6)\nmemcpy({d}, {x}, k);"),
        }
    }

    /// What is no string function in disguise is among them too: overlapping copies, loops that run backwards, that count some characters.
    fn looping(&mut self, x: &str, d: &str, c: &str) -> String {
        let n = 1 + self.below(6);
        let goes_on = match self.below(5) {
            0 => "*q".to_owned(),
            1 => format!("*q && *q != {c}"),
            2 => format!("*q == {c}"),
            3 => format!("*q == ' ' || *q == {c}"),
            _ => "isdigit((unsigned char)*q)".to_owned(),
        };
        let indexed = goes_on.replace("*q", &format!("{x}[i]"));
        let kind = self.one(&["int", "unsigned", "size_t", "unsigned char", "short", "signed char"]);
        match self.below(16) {
            0 => format!("q = (char *){x};\nwhile ({goes_on})\nq++;\nk = q - {x};"),
            1 => format!("q = (char *){x}, k = 0;\nwhile ({goes_on}) {{\nq++;\nk++;\n}}"),
            2 => format!("{{\n{kind} i;\nfor (i = 0; {indexed}; i++)\n;\nk = i;\n}}"),
            3 => format!("{{\n{kind} i;\nfor (i = 0; i < {n} && ({indexed}); i++)\n{d}[i] = {x}[i];\nk = i;\n}}"),
            4 => format!("q = (char *){x}, d = {d};\nwhile ((*d++ = *q++))\n;\nk = d - {d};"),
            5 => format!("q = (char *){x}, d = {d};\nwhile ({goes_on})\n*d++ = *q++;\n*d = 0;"),
            6 => format!("{{\nint i = {n};\nq = (char *){x};\nwhile (i-- > 0 && ({goes_on}))\nq++;\nk = i;\n}}"),
            7 => format!("{{\n{kind} i;\nfor (i = 0; i < (m & 7); i++)\n{d}[i] = {c};\n}}"),
            8 => format!("{{\n{kind} i;\nfor (i = 0; i <= (m & 3); i++)\n{d}[i] = {x}[i];\nk = i;\n}}"),
            9 => format!("q = {d};\nwhile (*q == ' ')\n*q++ = '_';\nk = q - {d};"),
            10 => format!("q = (char *){x};\ndo\nk = *q++;\nwhile (k && k != {c});\nk = q - {x};"),
            11 => format!("q = (char *){x} + strlen({x});\nwhile (q > {x} && q[-1] == ' ')\nq--;\nk = q - {x};"),
            12 => format!("d = {d};\nq = {d} + {};\nwhile ((*d++ = *q++))\n;", n % 3),
            13 => format!("d = {d} + {};\nq = {d};\nwhile (*q && d < {d} + 3)\n*d++ = *q++;", 1 + n % 2),
            14 => format!("q = (char *){x};\nd = q + {n};\nwhile (q != d && *q)\nq++;\nk = q - {x};"),
            _ => format!("k = 0;\nq = (char *){x};\nwhile (*q) {{\nif (*q == '/')\nk += 2;\nq++;\n}}"),
        }
    }

    fn use_of_it(&mut self) -> String {
        let (n, d) = (self.below(6), self.one(&["a", "b"]));
        match self.below(7) {
            0 => format!("if (k == {n})\nh += {n};"),
            1 => format!("if (k < {n})\nh ^= 5;"),
            2 => "if (q && *q)\nh += 3;".to_owned(),
            3 => "if (q)\np = q;".to_owned(),
            4 => format!("{d}[k & 3] = 0;"),
            5 => format!("h += {d}[{}];", n % 3),
            _ => "h = h * 31 + k;".to_owned(),
        }
    }

    /// Its exit code says what was computed, each number by a path of its own.
    fn program(&mut self) -> String {
        let mut body = String::new();
        for _ in 0..2 + self.below(3) {
            let (x, d) = (self.one(&["s", "s", "s", "t", "a", "b", "p"]), self.one(&["a", "b"]));
            let c = self.one(&["'/'", "' '", "'0'", "c"]);
            body += &if self.below(3) == 0 { self.call(x, d, c) } else { self.looping(x, d, c) };
            body += &format!("\n{}\n", self.use_of_it());
        }
        let (a, b) = (3 + self.below(6), 3 + self.below(6));
        format!(
            "{HEADERS}static long f(const char *s, const char *t, char c, unsigned char m) {{\n\
             char a[{a}], b[{b}], *q = 0, *d = a;\nconst char *p = s;\nlong h = 0, k = 0;\na[0] = b[0] = 0;\n{body}\
             (void)d, (void)m;\nreturn h;\n}}\nint main(void) {{\nchar s[5], t[3], c;\nunsigned char m;\n\
             spelunk_string(s, 0, 4);\nspelunk_string(t, 0, 2);\nspelunk_make_symbolic(&c, 1, \"c\");\n\
             spelunk_make_symbolic(&m, 1, \"m\");\nif (c != '/' && c != 'x')\nreturn 200;\n\
             int r = (int)(f(s, t, c, m) & 31);\nfor (int v = 0; v < 31; v++)\nif (r == v)\nreturn v;\nreturn 31;\n}}\n"
        )
    }
}

#[test]
fn random_loops_come_to_the_same_ends() {
    for seed in 1..=24 {
        let source = Dice(seed).program();
        let loaded = loaded(&source);
        let [at_once, round_by_round] = [Strings::Loops, Strings::Bytes].map(|strings| ends(loaded, strings).ends);
        assert_eq!(at_once, round_by_round, "seed {seed}:\n{source}");
    }
}
