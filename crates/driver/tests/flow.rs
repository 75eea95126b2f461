//! The control flow of C functions, as clang and lowering leave it.

mod support;

use spelunk_driver::Purpose;
use spelunk_ir::code::SlowOp;
use spelunk_ir::flow::{BlockId, Callee, FunctionFlow, Loop};
use support::Program;

impl Program {
    fn new(text: &str) -> Self {
        Self::load(text, Purpose::Explore)
    }

    fn flow(&self, name: &str) -> &FunctionFlow {
        self.loaded.image.flow(self.id(name))
    }

    fn names_of_calls(&self, name: &str) -> Vec<String> {
        let image = &self.loaded.image;
        let name_of = |callee| match callee {
            Callee::Function(id) => image.functions[id.index()].name.to_string(),
            Callee::External(external) => image.externals[external as usize].to_string(),
            Callee::Pointer(_) => "a pointer".to_owned(),
        };
        self.flow(name).blocks.calls().map(|(_, callee)| name_of(callee)).collect()
    }
}

fn loops(flow: &FunctionFlow) -> Vec<&Loop> {
    flow.loops().iter().map(|(_, found)| found).collect()
}

const PROGRAM: &str = r#"
#include <stdlib.h>
#include <setjmp.h>

int nested(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            sum += i * j;
    return sum;
}

int into_the_middle(int n) {
    int i = 0;
    if (n > 5) goto middle;
again:
    i++;
middle:
    i += 2;
    if (i < n) goto again;
    return i;
}

int gives_up(int n) {
    int r = 1;
    if (n < 0)
        abort();
    r += n;
    return r;
}

int joins(int n) {
    int a;
    if (n > 3)
        a = n + 1;
    else
        a = n * 2;
    return a;
}

int calls(int (*f)(int), int n) {
    return f(n) + nested(n) + rand();
}

static jmp_buf place;
static void leap(void) { longjmp(place, 1); }

int comes_back(int n) {
    int kept = n + 7;
    if (setjmp(place))
        return kept;
    leap();
    return 0;
}

int main(void) { return nested(3) + into_the_middle(4) + gives_up(1) + joins(2) + calls(nested, 2) + comes_back(1); }
"#;

#[test]
fn loops_nest_and_lead_back() {
    let program = Program::new(PROGRAM);
    let flow = program.flow("nested");
    let found = loops(flow);
    assert_eq!(found.iter().map(|found| found.depth).collect::<Vec<_>>(), [1, 2]);
    for found in &found {
        assert_eq!(found.entries, [found.header]);
        assert_eq!(found.latches.len(), 1);
        assert!(flow.dominators().dominates(found.header, found.latches[0]));
    }
    assert!(found[1].blocks.iter().all(|block| found[0].blocks.contains(block)));
}

#[test]
fn a_goto_into_a_loop_makes_it_irreducible() {
    let program = Program::new(PROGRAM);
    let found = loops(program.flow("into_the_middle"));
    assert_eq!(found.len(), 1);
    assert!(found[0].is_irreducible());
    assert_eq!(found[0].entries.len(), 2);
}

#[test]
fn registers_that_matter_at_a_loop_head() {
    let program = Program::new(PROGRAM);
    let (flow, registers) = (program.flow("nested"), program.loaded.image.registers(program.id("nested")));
    let [outer, inner] = loops(flow)[..] else { panic!("two loops") };
    let assigned = |found: &Loop| registers.assigned(found.blocks.iter().copied());
    // The outer loop assigns i, j and sum; the inner one j and sum. All of these and n matter at both heads, but for j,
    // which each round of the outer loop starts anew.
    let live_assigned = |found: &Loop| {
        let live = registers.live_at(found.header);
        assigned(found).iter().filter(|&slot| live.contains(slot)).count()
    };
    assert_eq!(live_assigned(outer), 2);
    assert_eq!(live_assigned(inner), 2);
    assert_eq!(registers.live_at(outer.header).iter().count(), 3);
    assert_eq!(registers.live_at(inner.header).iter().count(), 4);
}

#[test]
fn ends_of_a_path_can_be_ignored() {
    let program = Program::new(PROGRAM);
    let flow = program.flow("gives_up");
    let branch = BlockId(0);
    let rest = flow.before_return().ipdom(branch).expect("all that returns goes on");
    assert_eq!(flow.postdominators().ipdom(branch), None, "one way ends in `abort`");
    assert!(flow.before_return().postdominates(rest, branch));
}

#[test]
fn a_join_and_what_was_assigned_before_it() {
    let program = Program::new(PROGRAM);
    let (flow, registers) = (program.flow("joins"), program.loaded.image.registers(program.id("joins")));
    let branch = BlockId(0);
    let join = flow.postdominators().ipdom(branch).expect("both ways meet");
    let region = flow.region(branch, Some(join));
    assert_eq!(region.len(), 2);
    let assigned = registers.assigned(region);
    let matters: Vec<usize> = registers.live_at(join).iter().collect();
    assert_eq!(matters.len(), 1, "only `a` is used afterwards");
    assert!(assigned.contains(matters[0]));
}

#[test]
fn calls_are_found() {
    let program = Program::new(PROGRAM);
    assert_eq!(program.names_of_calls("calls"), ["a pointer", "nested", "rand"]);
    assert!(program.names_of_calls("joins").is_empty());
}

#[test]
fn what_a_leap_back_needs_is_live() {
    let program = Program::new(PROGRAM);
    let (flow, registers) = (program.flow("comes_back"), program.loaded.image.registers(program.id("comes_back")));
    // `kept` is read only after `setjmp` has returned a second time.
    let is_leap = |callee: &Callee| matches!(callee, Callee::Function(id) if *id == program.id("leap"));
    let (before_leap, _) = flow.blocks.calls().find(|(_, callee)| is_leap(callee)).expect("a call of `leap`");
    assert!(!registers.live_at(before_leap).is_empty());
}

#[test]
fn lowered_code_is_sound() {
    let program = Program::new(PROGRAM);
    let refused = program.loaded.image.slow.iter().find(|slow| match slow {
        SlowOp::Unsupported(what) => what.contains("not well-formed"),
        _ => false,
    });
    assert!(refused.is_none(), "{refused:?}");
}
