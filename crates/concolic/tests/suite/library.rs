//! Library functions on data that carries expressions.
//!
//! Those that Rust code serves have twins in C. Each must do what the Rust code does, and decide on what it does.

use super::support::{PathFound, check_conditions, ending};
use spelunk_concolic::decision::DecisionKind;
use spelunk_concolic::ledger::LedgerKind;
use spelunk_concolic::{Checking, Input, Options, Run, Runner};
use spelunk_driver::{Loaded, Purpose, load};
use spelunk_vm::Stop;

/// So that calls are calls.
const FLAGS: &[&str] = &["-fno-builtin"];

pub fn compile(source: &str, purpose: Purpose, flags: &[&str]) -> Loaded {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("program.c");
    std::fs::write(&path, format!("#include <klee/klee.h>\n{source}")).unwrap();
    let options = spelunk_driver::Options {
        sources: vec![path],
        headers: spelunk_concolic::harness::HEADERS,
        cflags: flags.iter().chain(&["-Wno-everything"]).map(|&flag| flag.to_owned()).collect(),
        purpose,
        ..Default::default()
    };
    load(&options).unwrap_or_else(|error| panic!("{error:?}"))
}

pub fn runner<'p>(program: &'p Loaded, case: &str) -> Runner<'p> {
    let args = vec![b"program".to_vec(), case.as_bytes().to_vec()];
    Runner::new(&program.image, Options { args, checking: Checking::On, ..Default::default() })
}

/// Three bytes that matter, in all combinations.
fn inputs() -> Vec<Input> {
    let values = [0, b':', b'A', b'a', b'b', 0xe1];
    let mut inputs = Vec::new();
    for first in values {
        for second in values {
            for third in values {
                inputs.push(Input::new().with("x", vec![first, second, third, 0]));
            }
        }
    }
    inputs
}

pub fn run_all(runner: &mut Runner<'_>, inputs: &[Input]) -> Vec<Run> {
    inputs.iter().map(|input| runner.run(input, &[]).unwrap()).collect()
}

/// Names of the cases, as the program has them.
pub fn cases(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| line.trim_start().strip_prefix("CASE(")?.split_once(',')).map(|(name, _)| name)
}

#[test]
fn twins_do_what_they_stand_for() {
    let source = include_str!("programs/library.c");
    let inputs = inputs();
    let (with_twins, without) = (compile(source, Purpose::Explore, FLAGS), compile(source, Purpose::Run, FLAGS));
    assert!(cases(source).count() > 50);
    for case in cases(source) {
        let mut explored = runner(&with_twins, case);
        let runs = run_all(&mut explored, &inputs);
        let reference = run_all(&mut runner(&without, case), &inputs);
        for ((run, reference), input) in runs.iter().zip(&reference).zip(&inputs) {
            assert!(matches!(run.stop, Stop::Exited(_)), "{case} with {input:?}: {:?}", run.stop);
            assert_eq!(ending(&run.stop), ending(&reference.stop), "{case} with {input:?}");
            assert!(run.path.iter().all(|decision| decision.kind != DecisionKind::Value), "{case} with {input:?}");
            assert!(run.ledger.is_empty(), "{case} with {input:?}: {:?}", run.ledger);
        }
        let paths = check_conditions(&mut explored, &inputs, &runs);
        assert!(paths.len() <= inputs.len(), "{case}: {} paths", paths.len());
    }
}

/// Runs a program with `x`, one byte, and gives its paths.
fn explore(source: &str) -> (Vec<PathFound>, Vec<Run>) {
    let program = compile(source, Purpose::Explore, FLAGS);
    let mut runner = runner(&program, "");
    let inputs: Vec<Input> = (0..=u8::MAX).map(|value| Input::new().with("x", vec![value])).collect();
    let runs = run_all(&mut runner, &inputs);
    (check_conditions(&mut runner, &inputs, &runs), runs)
}

#[test]
fn output_decides_nothing() {
    let (paths, runs) = explore(
        r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <unistd.h>
        #include <wchar.h>
        int main(void) {
            unsigned char x;
            char text[2] = {0};
            klee_make_symbolic(&x, 1, "x");
            text[0] = x;
            printf("%d %5.2f %s %c %x\n", x, x / 3.0, text, x, x);
            fprintf(stderr, "%s\n", text);
            puts(text);
            putchar(x);
            fputs(text, stdout);
            fwrite(text, 1, x & 1, stdout);
            write(1, text, 1);
            dprintf(1, "%s", text);
            setvbuf(stdout, NULL, _IOLBF, 0);
            putchar(x);
            perror(text);
            return x;
        }"#,
    );
    assert_eq!(paths.len(), 1);
    for (value, run) in runs.iter().enumerate() {
        assert!(run.path.is_empty() && run.ledger.is_empty());
        assert_eq!(ending(&run.stop), format!("exited {value}"));
    }
}

#[test]
fn decisions_go_on_after_output() {
    let (paths, _) = explore(
        r#"
        #include <stdio.h>
        int main(void) {
            unsigned char x;
            klee_make_symbolic(&x, 1, "x");
            printf("%d\n", x);
            return x > 200;
        }"#,
    );
    assert_eq!(paths.len(), 1, "the result of a comparison is no decision");
    let (paths, _) = explore(
        r#"
        #include <stdio.h>
        int main(void) {
            unsigned char x;
            klee_make_symbolic(&x, 1, "x");
            printf("%d\n", x);
            if (x > 200) return 1;
            return 0;
        }"#,
    );
    assert_eq!(paths.len(), 2);
}

#[test]
fn text_of_a_number_has_its_digits() {
    let (paths, runs) = explore(
        r#"
        #include <stdio.h>
        #include <string.h>
        int main(void) {
            signed char x;
            char text[16];
            klee_make_symbolic(&x, 1, "x");
            if (sprintf(text, "<%d|%x>", x, (unsigned char)x) != (int)strlen(text)) return 99;
            if (strlen(text) == 8) return 1;
            if (text[1] == '-') return 2;
            return text[2] == '7';
        }"#,
    );
    assert!(paths.len() <= 12, "{} paths", paths.len());
    assert!(runs.iter().all(|run| run.ledger.is_empty() && ending(&run.stop) != "exited 99"));
}

#[test]
fn floats_that_become_text_are_pinned_and_noted() {
    let (paths, runs) = explore(
        r#"
        #include <stdio.h>
        int main(void) {
            unsigned char x;
            char text[16];
            klee_make_symbolic(&x, 1, "x");
            sprintf(text, "%4.0e", (double)x);
            return text[0];
        }"#,
    );
    assert_eq!(paths.len(), 256);
    for run in &runs {
        assert!(run.path.iter().all(|decision| decision.kind == DecisionKind::Value));
        assert!(!run.ledger.is_empty() && run.ledger.iter().all(|entry| entry.kind == LedgerKind::ConcreteText));
    }
}

#[test]
fn a_float_that_is_printed_with_a_fixed_point_stays_a_number() {
    let (paths, runs) = explore(
        r#"
        #include <stdio.h>
        #include <string.h>
        int main(void) {
            unsigned char x;
            char text[16];
            klee_make_symbolic(&x, 1, "x");
            if (sprintf(text, "%.1f|%+5.0f", x / 4.0, x / 2.0) != (int)strlen(text)) return 99;
            if (text[3] == '|' && text[2] == '2') return 1;
            return strchr(text, '|') - text == 4;
        }"#,
    );
    assert!(paths.len() <= 12, "{} paths", paths.len());
    for (value, run) in runs.iter().enumerate() {
        let text = format!("{:.1}|", value as f64 / 4.0);
        let status = if text.ends_with(".2|") && text.len() == 4 { 1 } else { usize::from(text.len() == 5) };
        assert_eq!(ending(&run.stop), format!("exited {status}"), "{value}: {text}");
        assert!(run.ledger.is_empty());
    }
}

#[test]
fn text_is_read_digit_by_digit() {
    let (_, runs) = explore(
        r#"
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            char x[3] = "07";
            int scanned = 0;
            klee_make_symbolic(x, 1, "x");
            if (sscanf(x, "%d", &scanned) == 1 && scanned == 57) return 1;
            return atoi(x) == 37 ? 2 : strtol(x, NULL, 16) == 0xa7 ? 3 : 0;
        }"#,
    );
    let found = |status: &str| -> Vec<usize> {
        runs.iter().enumerate().filter(|(_, run)| ending(&run.stop) == status).map(|(value, _)| value).collect()
    };
    assert_eq!(found("exited 1"), [b'5' as usize]);
    assert_eq!(found("exited 2"), [b'3' as usize]);
    assert_eq!(found("exited 3"), [b'A' as usize, b'a' as usize]);
    assert!(runs.iter().all(|run| run.ledger.is_empty()));
}

#[test]
fn values_pass_through_jumps_and_variable_arguments() {
    let (paths, _) = explore(
        r#"
        #include <setjmp.h>
        #include <stdarg.h>
        static jmp_buf buffer;
        static int pick(int n, ...) {
            va_list args;
            long last = 0;
            va_start(args, n);
            while (n-- > 0) last = va_arg(args, int) + (long)va_arg(args, double);
            va_end(args);
            return (int)last;
        }
        int main(void) {
            unsigned char x;
            volatile int kept;
            klee_make_symbolic(&x, 1, "x");
            kept = pick(5, 1, 1.0, 2, 2.0, 3, 3.0, 4, 4.0, x, 7.0);
            if (setjmp(buffer) == 0) longjmp(buffer, 3);
            if (kept == 100) return 1;
            return 0;
        }"#,
    );
    assert_eq!(paths.iter().map(|path| path.n_inputs).collect::<Vec<_>>(), [1, 255]);
}

#[test]
fn exact_math_functions_keep_expressions() {
    let (_, runs) = explore(
        r#"
        #include <errno.h>
        #include <math.h>
        #undef isnan
        #undef isinf
        int __fpclassify(double);
        int __isinfl(long double);
        int __signbitf(float);
        int main(void) {
            signed char x;
            int found = 0;
            klee_make_symbolic(&x, 1, "x");
            double d = x, root = sqrt(d);
            if (errno == EDOM) found |= 1;
            if (root == 5) found |= 2;
            if (floor(d / 2) * 2 == d) found |= 4;
            if (fmod(d, 7) == 3) found |= 8;
            if (fabs(d) > 100) found |= 16;
            if (__fpclassify(d) == FP_ZERO) found |= 32;
            if (__isinfl(1.0L / x) == 1) found |= 64;
            if (__signbitf(copysignf(1, x)) && lrint(fmin(d, -3.5)) != -4) found |= 128;
            return found;
        }"#,
    );
    for (value, run) in runs.iter().enumerate() {
        let x = i32::from(value as u8 as i8);
        let bits = [x < 0, x == 25, x % 2 == 0, x % 7 == 3, x.abs() > 100, x == 0, x == 0, x < -4];
        let expected = bits.iter().enumerate().map(|(bit, &holds)| i32::from(holds) << bit).sum::<i32>();
        assert_eq!(ending(&run.stop), format!("exited {expected}"), "{x}");
        assert!(run.ledger.is_empty(), "{x}: {:?}", run.ledger);
    }
}
