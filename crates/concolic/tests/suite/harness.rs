//! The functions by which programs ask for input.

use crate::support::{Program, ending};
use spelunk_concolic::query::Constraints;
use spelunk_concolic::{Input, Root, Run};
use spelunk_ir::code::OpIdx;

/// The end of a run with these inputs.
fn end(source: &str, input: Input) -> String {
    ending(&run(source, &input).stop)
}

fn run(source: &str, input: &Input) -> Run {
    Program::new(source).runner().run(input, &[]).unwrap()
}

fn names(run: &Run) -> Vec<(&str, usize)> {
    run.input.objects.iter().map(|object| (&*object.name, object.bytes.len())).collect()
}

#[test]
fn names_that_are_used_again_get_numbers() {
    let source = "int main(void) { int t[3]; for (int i = 0; i < 3; i++) klee_make_symbolic(&t[i], i + 1, \"t\");
                  return klee_int(\"other\") + spelunk_uchar(\"t\"); }";
    let run = run(source, &Input::new().with("t#3", [7, 8, 9]).with("other", [40]).with("t#4", [2]));
    assert_eq!(names(&run), [("t", 1), ("t#2", 2), ("t#3", 3), ("other", 4), ("t#4", 1)]);
    assert_eq!(run.input.get("t#3"), Some(&[7, 8, 9][..]));
    assert_eq!(ending(&run.stop), "exited 42");
}

#[test]
fn numbers_of_all_types() {
    let source = "
        _Bool __VERIFIER_nondet_bool(void); char __VERIFIER_nondet_char(void); unsigned char __VERIFIER_nondet_uchar(void);
        short __VERIFIER_nondet_short(void); unsigned long __VERIFIER_nondet_ulong(void);
        float __VERIFIER_nondet_float(void); double __VERIFIER_nondet_double(void); int __VERIFIER_nondet_int(void);
        __int128 __VERIFIER_nondet_int128(void);
        int main(void) {
            if (!__VERIFIER_nondet_bool()) return 1;
            if (__VERIFIER_nondet_char() != -2) return 2;
            if (__VERIFIER_nondet_uchar() != 254) return 3;
            if (__VERIFIER_nondet_short() != -300) return 4;
            if (__VERIFIER_nondet_ulong() != 0x1122334455667788) return 5;
            if (__VERIFIER_nondet_float() != 1.5f) return 6;
            if (__VERIFIER_nondet_double() != -0.25) return 7;
            if (__VERIFIER_nondet_int() != 5 || __VERIFIER_nondet_int() != -6) return 8;
            if (__VERIFIER_nondet_int128() != ((__int128)3 << 64) + 4) return 9;
            return 0;
        }";
    let named = |name: &str| format!("__VERIFIER_nondet_{name}");
    let input = Input::new()
        .with(named("bool"), [1])
        .with(named("char"), [254])
        .with(named("uchar"), [254])
        .with(named("short"), (-300i16).to_le_bytes())
        .with(named("ulong"), 0x1122_3344_5566_7788u64.to_le_bytes())
        .with(named("float"), 1.5f32.to_le_bytes())
        .with(named("double"), (-0.25f64).to_le_bytes())
        .with(named("int"), 5i32.to_le_bytes())
        .with(named("int#2"), (-6i32).to_le_bytes())
        .with(named("int128"), 4u64.to_le_bytes())
        .with(named("int128#2"), 3u64.to_le_bytes());
    let run = run(source, &input);
    assert_eq!(ending(&run.stop), "exited 0");
    let told = |input: &Input| input.objects.iter().map(|it| (it.name.clone(), it.bytes.clone())).collect::<Vec<_>>();
    assert_eq!(told(&run.input), told(&input));
    // What a run hands back is known by what it is, and not by name.
    assert_eq!(run.input.objects[8].key.root, Root::Area(named("int").into(), 1));
    assert!(run.input.objects.iter().all(|object| !matches!(object.key.root, Root::Named(_))));
    // Each comparison is a decision; a wide one may take two.
    assert!(run.path.len() >= 10, "{:?}", run.path);
    assert_eq!(end(source, Input::new()), "exited 1");
}

#[test]
fn ends_that_the_harness_asks_for() {
    let ends = |body: &str| {
        end(
            &format!(
                "void reach_error(void); void __VERIFIER_error(void); void __VERIFIER_assume(int);
                                          int main(void) {{ {body}; return 0; }}"
            ),
            Input::new(),
        )
    };
    assert_eq!(ends("reach_error()"), "reach-error");
    assert_eq!(ends("__VERIFIER_error()"), "reach-error");
    assert_eq!(ends("klee_silent_exit(0)"), "Infeasible");
    assert_eq!(ends("klee_assert(klee_int(\"n\") == 1)"), "assert");
    assert_eq!(ends("spelunk_assert(spelunk_int(\"n\") == 1)"), "assert");
    assert_eq!(ends("klee_abort()"), "abort");
    assert_eq!(ends("klee_report_error(__FILE__, __LINE__, \"told\", \"x.err\")"), "reported-error");
    assert_eq!(ends("__VERIFIER_assume(klee_int(\"n\"))"), "Infeasible");
    assert_eq!(ends("klee_check_memory_access((void *)8, 1)"), "null-deref");
    assert_eq!(ends("klee_assert(klee_is_symbolic(klee_int(\"n\")) && !klee_is_symbolic(3))"), "exited 0");
    assert_eq!(ends("klee_assert(klee_range(3, 5, \"n\") < 5)"), "Infeasible");
    assert_eq!(ends("klee_assert(klee_range(0, 5, \"n\") < 5)"), "exited 0");
    assert_eq!(ends("char b[12]; klee_assert(klee_get_obj_size(b) == 12)"), "exited 0");
}

#[test]
fn a_program_of_its_own_functions_keeps_them() {
    let source = "void reach_error(void) { spelunk_fail(\"mine\"); } int main(void) { reach_error(); }";
    assert_eq!(end(source, Input::new()), "assert");
}

#[test]
fn predictions_are_compared() {
    use spelunk_concolic::decision::Choice;
    let program = Program::new(
        "int main(void) { unsigned char x = spelunk_uchar(\"x\"); if (x > 3) return 1; if (x == 2) return 2; return 0; }",
    );
    let mut runner = program.runner();
    let first = runner.run(&Input::new().with("x", [2]), &[]).unwrap();
    assert_eq!(first.divergence, None);
    let expected: Vec<_> = first.path.iter().map(|decision| (decision.site, Choice::Key(decision.taken))).collect();
    assert_eq!(expected.len(), 2);
    assert_eq!(runner.run(&Input::new().with("x", [2]), &expected).unwrap().divergence, None);
    // The other way at the second decision, and an end before it.
    let second = runner.run(&Input::new().with("x", [1]), &expected).unwrap().divergence.unwrap();
    assert_eq!((second.index, second.expected, second.got.unwrap().taken), (1, expected[1], 1 - first.path[1].taken));
    let first_differs = runner.run(&Input::new().with("x", [9]), &expected).unwrap().divergence.unwrap();
    assert_eq!(first_differs.index, 0);
    let too_long = [expected.clone(), vec![(OpIdx(0), Choice::Rest)]].concat();
    let ended = runner.run(&Input::new().with("x", [2]), &too_long).unwrap().divergence.unwrap();
    assert_eq!((ended.index, ended.got), (2, None));
}

#[test]
fn models_become_inputs() {
    let program = Program::new(
        "int main(void) { struct { int a; char b[3]; } s; klee_make_symbolic(&s, sizeof s, \"s\");
                                if (s.a > 5) return s.b[1] == 'q'; if (s.b[2] == 'r') return 1; return 0; }",
    );
    let mut runner = program.runner();
    let run = runner.run(&Input::new(), &[]).unwrap();
    let mut model = run.model.clone();
    assert_eq!(model.iter_narrow().map(|(_, value)| value).collect::<Vec<_>>(), [0, 0]);
    let vars: Vec<_> = model.iter_narrow().map(|(var, _)| var).collect();
    model.set_u64(vars[0], 3);
    model.set_u64(vars[1], u64::from(b'r'));
    let nothing_asked = Constraints::new(&[], 0, &run.model);
    let input = runner.machine_mut().realise(&nothing_asked, &model, &run.input);
    assert_eq!(input.get("s"), Some(&[3, 0, 0, 0, 0, 0, b'r', 0][..]));
    assert_eq!(runner.machine().model_of(&input), model);
    let again = runner.run(&input, &[]).unwrap();
    assert_eq!((ending(&again.stop).as_str(), again.model), ("exited 1", model));
}
