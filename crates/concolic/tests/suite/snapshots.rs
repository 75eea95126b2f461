//! Runs that go on from a snapshot are the runs that start from the beginning.

use crate::support::{Program, keys};
use spelunk_concolic::decision::Choice;
use spelunk_concolic::{Checking, Expected, Input, Options, ProgramInputs, Run, Runner, SnapshotPolicy, SymbolicArgs};

const OPTIONS: fn() -> Options = || Options {
    args: vec![b"program".to_vec()],
    checking: Checking::On,
    snapshots: Some(SnapshotPolicy { min_steps: 0 }),
    ..Default::default()
};

fn expected(run: &Run, n: usize) -> Vec<Expected> {
    run.path[..n].iter().map(|decision| (decision.site, Choice::Key(decision.taken))).collect()
}

/// How many of the first decisions two runs have in common.
fn n_common(a: &Run, b: &Run) -> usize {
    keys(a).iter().zip(keys(b)).take_while(|(a, b)| *a == b).count()
}

/// Runs all inputs from the start, and each again from every snapshot of every other run that it can go on from.
fn compare(source: &str, inputs: &[Input]) {
    compare_with(source, OPTIONS(), inputs);
}

fn compare_with(source: &str, options: Options, inputs: &[Input]) {
    let program = Program::new(source);
    let mut runner = Runner::new(program.image(), options);
    let mut all = Vec::new();
    for input in inputs {
        let run = runner.run(input, &[]).unwrap();
        all.push((run, runner.take_snapshots()));
    }
    let conditions = all.iter().flat_map(|(run, _)| run.path.iter().map(|decision| decision.cond));
    let conditions: Vec<_> = conditions.collect();
    let (mut n_compared, mut n_dropped) = (0, 0);
    for (from, snapshots) in &all {
        for (input, (fresh, _)) in inputs.iter().zip(&all) {
            let n_shared = n_common(from, fresh);
            for (n_before, snapshot) in snapshots.iter().filter(|(n_before, _)| *n_before <= n_shared) {
                // What snapshots need is all that is left.
                let kept = all.iter().flat_map(|(_, snapshots)| snapshots.iter().map(|(_, snapshot)| snapshot));
                n_dropped += runner.collect(kept, conditions.iter().copied()).len();
                let run = runner.run_from(snapshot, input, &expected(fresh, *n_before)).unwrap();
                assert_eq!(run.path, fresh.path, "input {input:?} from the snapshot at decision {n_before}");
                assert_eq!(format!("{:?}", run.stop), format!("{:?}", fresh.stop));
                assert_eq!((run.steps, &run.input, &run.model), (fresh.steps, &fresh.input, &fresh.model));
                assert_eq!((run.divergence, &run.ledger), (None, &fresh.ledger));
                assert!(run.executed < fresh.executed);
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 2 * inputs.len(), "snapshots were used {n_compared} times");
    assert!(n_dropped > 0);
    assert!(runner.snapshot_bytes() > 0);
}

fn inputs(name: &str, values: &[&[u8]]) -> Vec<Input> {
    values.iter().map(|&value| Input::new().with(name, value)).collect()
}

#[test]
fn branches_loops_and_memory() {
    let source = "
        #include <stdlib.h>
        #include <string.h>
        static int total;
        static int digits(const char *s) { int n = 0; while (*s >= '0' && *s <= '9') { total += *s - '0'; n++; s++; } return n; }
        int main(void) {
            char s[5]; klee_make_symbolic(s, 5, \"s\"); s[4] = 0;
            char *copy = malloc(5); memcpy(copy, s, 5);
            int n = digits(copy);
            if (n == 2 && copy[0] < copy[1]) { free(copy); return total > 9 ? 1 : 2; }
            switch (copy[n]) { case 'x': total = -1; break; case 'y': copy[0] = 1; }
            if (total < 0) abort();
            int r = copy[0] == 1; free(copy); return r;
        }";
    compare(source, &inputs("s", &[b"", b"12", b"1x", b"91", b"3y", b"789", b"46", b"4444"]));
}

#[test]
fn symbolic_places_sizes_and_texts() {
    let source = "
        #include <stdio.h>
        int main(void) {
            unsigned char x[3]; klee_make_symbolic(x, 3, \"x\");
            static int t[100]; t[x[0] % 100] = 7; t[x[1] % 100]++;
            char small[4] = {0}; small[x[2] & 3] = x[0];
            if (small[1] == 9) return 1;
            char text[20]; sprintf(text, \"%d\", x[2] & 15);
            if (text[1] == '2') return 2;
            if (t[5] == 8) return 3;
            int k = klee_range(0, 3, \"k\");
            char vla[x[1] % 3 + 1]; vla[k] = 1;
            printf(\"%d\\n\", x[0]);
            return small[k] > 3;
        }";
    compare(source, &inputs("x", &[&[0, 0, 0], &[9, 1, 1], &[5, 5, 12], &[105, 5, 3], &[5, 5, 2], &[200, 2, 7]]));
}

#[test]
fn objects_of_open_size() {
    let source = "
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
            unsigned char x[2]; klee_make_symbolic(x, 2, \"x\");
            char *p = malloc(x[0]), *q = calloc(x[1], 2);
            if (x[1] > 4) memcpy(q, \"abcdef\", 6);
            p[2] = 7; q[1] = 3;
            if (x[0] == 9) { p[7] = 1; memcpy(q, p, 1 + x[1] % 2); }
            int n = x[0] > 20 ? strlen(q) : q[1];
            free(p); q = realloc(q, 30); q[29] = n; free(q);
            if (n > 2) return 1; return n;
        }";
    compare(source, &inputs("x", &[&[0, 0], &[9, 9], &[3, 1], &[9, 1], &[40, 7], &[30, 3], &[2, 50], &[5, 0]]));
}

#[test]
fn inputs_made_on_the_way() {
    let source = "
        int __VERIFIER_nondet_int(void);
        int main(void) {
            int n = 0;
            for (int i = 0; i < 4; i++) {
                int v = __VERIFIER_nondet_int();
                if (v < 0) break;
                if (v > 10) n += klee_range(0, 1 + i, \"r\");
                n += v;
            }
            return n & 63;
        }";
    let named = |values: &[i32]| {
        let mut input = Input::new();
        for (i, value) in values.iter().enumerate() {
            let number = if i == 0 { String::new() } else { format!("#{}", i + 1) };
            input = input.with(format!("__VERIFIER_nondet_int{number}"), value.to_le_bytes());
        }
        input
    };
    compare(source, &[named(&[-1]), named(&[3, 4]), named(&[3, 4, 11, 20]), named(&[12, -1]), named(&[3, 40, 5, 6])]);
}

#[test]
fn the_number_of_arguments() {
    let source = "
        int main(int argc, char **argv) {
            int n = 0;
            for (int i = 0; i < 100; i++) n = (n + i) % 7;
            for (int i = 1; i < argc; i++) if (argv[i][0] == '-') n++;
            return argv[argc] ? 99 : n;
        }";
    let args = vec![SymbolicArgs { min: 0, max: 2, max_len: 1 }];
    let options = Options { inputs: ProgramInputs { args, ..Default::default() }, ..OPTIONS() };
    let given =
        |n: u8, first: u8, second: u8| Input::new().with("n_args", [n]).with("arg0", [first]).with("arg1", [second]);
    let inputs =
        [given(0, 0, 0), given(1, 0, 0), given(1, b'-', 0), given(2, 0, 0), given(2, b'-', 0), given(2, 0, b'-')];
    compare_with(source, options, &inputs);
}
