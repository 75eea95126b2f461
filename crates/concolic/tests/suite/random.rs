//! Random programs, run with all values of a byte: for each path, exactly the inputs that take it satisfy its conditions.

use crate::support::{Program, check_conditions};
use spelunk_concolic::{Checking, Input, Options, Run, Runner};
use std::fmt::Write;

/// A small generator of random numbers: the same ones each time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const TYPES: &[&str] = &[
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "_Bool",
    "float",
    "double",
];
const INT_TYPES: &[&str] = &["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long"];

/// The local variables: of each type one, arrays of several sizes, a struct and a pointer.
const LOCALS: &str = "
    signed char a = x; unsigned short b = 1000; int c = 7, t[8] = {3, 1, 4, 1, 5, 9, 2, 6}; unsigned d = x; long e = -x;
    double f = x; static unsigned char big[100]; big[7] = x; short u[4];
    struct { char tag; int value; unsigned low : 3, high : 9; } s = {1, 2, 3, 4}; int *p = &t[x & 3];
    ";
const PLACES: &[&str] = &["a", "b", "c", "d", "e", "t[2]", "big[7]", "s.value", "s.low", "s.high", "*p", "p[2]"];

struct Generator {
    random: Random,
    out: String,
    depth: u32,
}

impl Generator {
    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(6) {
                0 => self.random.pick(&["0", "1", "-1", "3", "7", "100", "255", "0x80", "65535"]).to_owned(),
                1 => "x".to_owned(),
                _ => self.random.pick(PLACES).to_owned(),
            };
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.random.below(16) {
            0..=4 => format!("({a} {} {b})", self.random.pick(&["+", "-", "*", "&", "|", "^"])),
            5 => format!("({a} {} ({b}))", self.random.pick(&["/", "%"])),
            6 => format!("({a} {} ({b} & {}))", self.random.pick(&["<<", ">>"]), self.random.pick(&["7", "15", "63"])),
            7..=8 => format!("({a} {} {b})", self.random.pick(&["<", "<=", "==", "!=", ">", ">="])),
            9 => format!("({a} {} {b})", self.random.pick(&["&&", "||"])),
            10 => format!("({a} ? {b} : {})", self.expr(depth - 1)),
            11 => format!("({})({})({a})", self.random.pick(INT_TYPES), self.random.pick(TYPES)),
            12 => format!("{}({a})", self.random.pick(&["-", "~", "!"])),
            13 => format!("t[(unsigned)({a}) % {}]", self.random.pick(&["8", "8", "9", "5"])),
            14 => format!("big[(unsigned char)({a}) % {}]", self.random.pick(&["100", "101", "64"])),
            _ => format!("(int)(f * ({}))", self.random.pick(&["0.5", "3", "1e3", "-1"])),
        }
    }

    fn statement(&mut self) {
        let expr = self.expr(2);
        let _ = match self.random.below(if self.depth > 2 { 6 } else { 10 }) {
            0..=1 => writeln!(self.out, "{} = {expr};", self.random.pick(PLACES)),
            2 => writeln!(self.out, "t[(unsigned)({expr}) & 7] {} 5;", self.random.pick(&["=", "+=", "^="])),
            3 => writeln!(self.out, "big[(unsigned char)({expr}) % 100] = {};", self.random.pick(PLACES)),
            4 => writeln!(
                self.out,
                "f = ({})({expr}) {} 2;",
                self.random.pick(INT_TYPES),
                self.random.pick(&["+", "/", "*"])
            ),
            5 => writeln!(self.out, "p = &t[(unsigned)({expr}) & {}];", self.random.pick(&["3", "7", "1"])),
            6..=7 => {
                let _ = writeln!(self.out, "if ({expr}) {{");
                self.block(2);
                let _ = writeln!(self.out, "}} else {{");
                self.block(1);
                writeln!(self.out, "}}")
            }
            8 => {
                let i = format!("i{}", self.depth);
                let _ = writeln!(self.out, "for (int {i} = 0; {i} < 3 && ({expr}); {i}++) {{");
                self.block(2);
                writeln!(self.out, "}}")
            }
            _ => {
                let _ =
                    writeln!(self.out, "switch (({})({expr})) {{ case 1: case 3 ... 9:", self.random.pick(INT_TYPES));
                self.block(1);
                let _ = writeln!(self.out, "break; case -2: c++; case 100:");
                self.block(1);
                writeln!(self.out, "}}")
            }
        };
    }

    fn block(&mut self, n: usize) {
        self.depth += 1;
        for _ in 0..n {
            self.statement();
        }
        self.depth -= 1;
    }
}

/// A program of `n` functions; the first argument says which is called.
fn program(seed: u64, n: usize) -> String {
    let mut generator = Generator { random: Random(seed), out: String::new(), depth: 0 };
    for number in 0..n {
        let _ = writeln!(generator.out, "static int test{number}(unsigned char x) {{ {LOCALS}");
        generator.block(5);
        let last = generator.expr(1);
        let _ = writeln!(generator.out, "if ({last} > 3) return 1; if (c == 2) return 2; return 0; }}");
    }
    let functions: String = (0..n).map(|number| format!("test{number}, ")).collect();
    let main = "int main(int argc, char **argv) { unsigned char x; klee_make_symbolic(&x, 1, \"x\");
        return tests[argc - 1](x); }";
    format!("{}\nstatic int (*const tests[])(unsigned char) = {{ {functions} }};\n{main}", generator.out)
}

fn check(seed: u64, cflags: &[&str]) {
    const N_FUNCTIONS: usize = 12;
    let source = program(seed, N_FUNCTIONS);
    let program = Program::with_flags(&source, &[cflags, &["-w"]].concat());
    let inputs: Vec<Input> = (0..=u8::MAX).map(|value| Input::new().with("x", [value])).collect();
    let mut n_paths = 0;
    for number in 0..N_FUNCTIONS {
        let args = vec![b"x".to_vec(); number + 1];
        let mut runner = Runner::new(program.image(), Options { args, checking: Checking::On, ..Default::default() });
        let runs: Vec<Run> = inputs.iter().map(|input| runner.run(input, &[]).unwrap()).collect();
        n_paths += check_conditions(&mut runner, &inputs, &runs).len();
    }
    assert!(n_paths > N_FUNCTIONS, "only {n_paths} paths");
}

#[test]
fn as_written() {
    check(1, &[]);
    check(2, &[]);
}

#[test]
fn optimised() {
    check(1001, &["-O1"]);
}
