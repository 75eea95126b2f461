//! Theories that nobody ships: each is a file's worth of code here and a line in a table ([`Options::theories`]).

mod support;

use spelunk_concolic::asked::{choose_layout, make_at};
use spelunk_concolic::graph::layout::{Layout, LayoutId, Leaf, LeafKind};
use spelunk_concolic::journal::{AnyJournal, Entries, Entry, Journal};
use spelunk_concolic::theories::{Condition, Events, Maker, Opening, Step, Theory, Verdict};
use spelunk_concolic::{ConcolicMachine, ObjectKey, Root, SnapshotPolicy, aside};
use spelunk_explore::campaign::Stopped;
use spelunk_explore::ledger::Loss;
use spelunk_ir::code::{CheckedImage, OpIdx};
use spelunk_ir::model::FuncId;
use spelunk_vm::{Answer, Call, Callee, Slot, Stop, Tag, UndefId, Vm};
use std::sync::{Arc, Mutex};
use support::{Found, Program};

/// Refuses every alternative at some operations.
#[derive(Clone, Debug)]
struct Refusing(Vec<OpIdx>);

impl Theory for Refusing {
    fn name(&self) -> &'static str {
        "refusing"
    }

    fn events(&self) -> Events {
        Events::OPENING
    }

    fn admit(&mut self, _machine: &mut ConcolicMachine, opening: &Opening<'_>) -> Verdict {
        match self.0.contains(&opening.site) {
            true => Verdict::Refuse("the line is marked".into()),
            false => Verdict::Open,
        }
    }
}

impl Maker for Refusing {
    fn name(&self) -> &'static str {
        "refusing"
    }

    fn make(&self) -> Box<dyn Theory> {
        Box::new(self.clone())
    }
}

#[test]
fn alternatives_at_a_marked_line_are_refused_with_a_reason() {
    let program = Program::new(
        "int main(void) {
           int x = spelunk_int(\"x\");
           if (x == 1) return 1; // marked
           if (x == 2) return 2;
           return 0;
         }",
    );
    assert_eq!(program.explore(Vec::new()).codes(), [0, 1, 2]);
    let marked = program.ops_at_line_with("// marked");
    for n_workers in [1, 2] {
        let found =
            program.explore_with(vec![Arc::new(Refusing(marked.clone()))], |options| options.n_workers = n_workers);
        assert_eq!(found.codes(), [0, 2]);
        assert_eq!(found.outcome.stopped, Stopped::Bounded);
        let refused: Vec<_> =
            found.outcome.ledger.entries().into_iter().filter(|entry| entry.loss == Loss::Refused).collect();
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert!(marked.contains(&refused[0].site) && refused[0].count == 1, "{refused:?}");
        assert_eq!(refused[0].detail, "the line is marked");
    }
}

/// Serves calls of `marked` and of `classify`; the first by an expression, the second by a choice among three.
#[derive(Clone, Copy, Debug)]
struct Serving;

fn slot(machine: &mut ConcolicMachine, expr: spelunk_expr::ExprId, val: u64) -> Slot {
    Slot { val, tag: Tag::new(machine.carry(expr, val), UndefId::NONE) }
}

impl Theory for Serving {
    fn name(&self) -> &'static str {
        "serving"
    }

    fn events(&self) -> Events {
        Events::CALL
    }

    fn models(&self, callee: &Callee<'_>) -> bool {
        Maker::models(self, callee.name)
    }

    fn call(&mut self, vm: &mut Vm<'_, ConcolicMachine>, call: &Call<'_>) -> Result<Answer, Stop> {
        let site = vm.pc();
        let machine = &mut vm.machine;
        let x = machine.operand(32, call.args[0]);
        let val = call.args[0].val as u32;
        match call.callee.name {
            "marked" if val == 7 => Ok(Answer::Decline),
            "marked" => {
                let one = machine.pool.mk_const(32, 1);
                let sum = machine.pool.mk_add(x, one);
                Ok(Answer::Return([slot(machine, sum, u64::from(val.wrapping_add(1)))].into_iter().collect()))
            }
            _ => {
                let limits = [10, 20].map(|limit| machine.pool.mk_const(32, limit));
                let [low, middle] = limits.map(|limit| machine.pool.mk_ult(x, limit));
                let (not_low, not_middle) = (machine.pool.mk_not(low), machine.pool.mk_not(middle));
                let between = machine.pool.mk_and(not_low, middle);
                let taken = u64::from(val >= 10) + u64::from(val >= 20);
                machine.choose(site, taken, [(0, low), (1, between), (2, not_middle)].into());
                Ok(Answer::Return([Slot::plain(taken)].into_iter().collect()))
            }
        }
    }
}

impl Maker for Serving {
    fn name(&self) -> &'static str {
        "serving"
    }

    fn make(&self) -> Box<dyn Theory> {
        Box::new(*self)
    }

    fn models(&self, function: &str) -> bool {
        matches!(function, "marked" | "classify")
    }
}

#[test]
fn calls_are_answered_with_expressions() {
    let program = Program::serving(
        "int marked(int x) { if (x != 7) spelunk_fail(\"served\"); return 100; }
         int main(void) {
           if (marked(7) != 100) return 9; // declined: the function's own code
           int x = spelunk_int(\"x\");
           if (marked(x) == 43) return x == 42 ? 1 : 2;
           return 0;
         }",
        &[Arc::new(Serving)],
    );
    let found = program.explore(vec![Arc::new(Serving)]);
    // The value for which it declines is never asked for: the theory decides nothing about it.
    assert_eq!(found.codes(), [0, 1]);
}

#[test]
fn a_choice_has_as_many_alternatives_as_were_listed() {
    let program = Program::serving(
        "int classify(unsigned x) { return 5; }
         int main(void) {
           unsigned x = spelunk_uint(\"x\");
           int class = classify(x);
           if (class == 1 && x == 15) return 9;
           return class;
         }",
        &[Arc::new(Serving)],
    );
    for n_workers in [1, 2] {
        for snapshots in [None, Some(SnapshotPolicy { min_steps: 1 })] {
            let found = program.explore_with(vec![Arc::new(Serving)], |options| {
                options.n_workers = n_workers;
                options.run.snapshots = snapshots;
            });
            assert_eq!((found.codes(), found.outcome.stopped), (vec![0, 1, 2, 9], Stopped::Exhausted));
        }
    }
}

/// Notes how often conditions were decided on, and keeps a sum that follows from it.
#[derive(Debug, Default)]
struct Counting {
    journal: Journal<Noted>,
    sum: u64,
    /// By run, when it ends: the sum and the number of decisions. What all workers share.
    sums: Arc<Mutex<Vec<(u64, usize)>>>,
    panics_at: Option<usize>,
    restores: bool,
}

#[derive(Clone, Copy, Debug)]
struct Noted(u64);

impl Entry for Noted {}

impl Theory for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn events(&self) -> Events {
        Events::CONDITION.and(Events::OPENING)
    }

    fn journal(&self) -> &dyn AnyJournal {
        &self.journal
    }

    fn restore(&mut self, _machine: &mut ConcolicMachine, entries: Entries<'_>) {
        if self.restores {
            self.journal.clear();
            self.sum = 0;
            entries.of::<Noted>().iter().for_each(|&noted| self.note(noted));
        }
    }

    fn condition(&mut self, _machine: &mut ConcolicMachine, _condition: &mut Condition) -> Step {
        if self.panics_at.take_if(|n| *n == self.journal.len()).is_some() {
            panic!("a theory fails");
        }
        Step::Pass
    }

    fn decided(&mut self, _machine: &mut ConcolicMachine, condition: &Condition) {
        self.note(Noted(1 + u64::from(condition.holds)));
    }

    /// A run is over.
    fn admit(&mut self, _machine: &mut ConcolicMachine, opening: &Opening<'_>) -> Verdict {
        self.sums.lock().unwrap().push((self.sum, opening.path.len()));
        Verdict::Open
    }
}

impl Counting {
    fn note(&mut self, noted: Noted) {
        self.sum += noted.0;
        self.journal.push(noted);
    }
}

#[derive(Debug, Default)]
struct MakesCounting {
    sums: Arc<Mutex<Vec<(u64, usize)>>>,
    panics_at: Option<usize>,
    forgets: bool,
}

impl Maker for MakesCounting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn make(&self) -> Box<dyn Theory> {
        let (sums, panics_at) = (Arc::clone(&self.sums), self.panics_at);
        Box::new(Counting { sums, panics_at, restores: !self.forgets, ..Counting::default() })
    }
}

const BITS: &str = "int main(void) {
   unsigned char x = spelunk_uchar(\"x\");
   volatile int n = 0;
   for (int i = 0; i < 5; i++) {
     for (int k = 0; k < 20; k++) n++;
     if (x >> i & 1) n += 1 << 10 << i;
   }
   return n >> 10;
 }";

/// The sums that runs of the program came to, in order.
fn sums(program: &Program, snapshots: Option<SnapshotPolicy>, forgets: bool) -> Vec<(u64, usize)> {
    let maker = Arc::new(MakesCounting { forgets, ..MakesCounting::default() });
    let found: Found = program.explore_with(vec![maker.clone()], |options| options.run.snapshots = snapshots);
    assert_eq!(found.codes(), (0..32).collect::<Vec<_>>());
    let mut sums = maker.sums.lock().unwrap().clone();
    sums.sort_unstable();
    sums.dedup();
    sums
}

#[test]
fn journals_are_what_they_were_when_a_run_goes_on_from_a_snapshot() {
    let program = Program::new(BITS);
    let often = Some(SnapshotPolicy { min_steps: 1 });
    let expected = sums(&program, None, false);
    assert_eq!(expected.len(), 5, "one for each number of bits among the first four: {expected:?}");
    assert_eq!(sums(&program, often, false), expected);
    // A theory that does not go back is told from one that does.
    assert_ne!(sums(&program, often, true), expected);
}

#[test]
fn a_theory_that_fails_once_costs_one_path_and_goes_on() {
    let program = Program::new(BITS);
    let maker = Arc::new(MakesCounting { panics_at: Some(3), ..MakesCounting::default() });
    let found = program.explore(vec![maker.clone()]);
    let internal: Vec<_> =
        found.outcome.ledger.entries().into_iter().filter(|entry| entry.loss == Loss::Internal).collect();
    assert_eq!(internal.len(), 1, "{internal:?}");
    assert!(internal[0].detail.contains("a theory fails"), "{internal:?}");
    assert_eq!(found.outcome.stopped, Stopped::Incomplete);
    // All but what has the same first three bits as the run that failed.
    assert_eq!(found.codes(), (0..32).filter(|code| code % 8 != 0).collect::<Vec<_>>());
    assert!(!maker.sums.lock().unwrap().is_empty());
}

/// Runs functions of the program aside: `require` as a check, `predict` and `imagine` to try out. Counts rounds of loops in `main`.
#[derive(Debug, Default)]
struct Aside {
    rounds: Journal<Noted>,
}

const LIMIT: u64 = 1000;

impl Theory for Aside {
    fn name(&self) -> &'static str {
        "aside"
    }

    fn events(&self) -> Events {
        Events::CALL.and(Events::NOTE)
    }

    fn journal(&self) -> &dyn AnyJournal {
        &self.rounds
    }

    fn restore(&mut self, _machine: &mut ConcolicMachine, entries: Entries<'_>) {
        self.rounds.clear();
        entries.of::<Noted>().iter().for_each(|&noted| self.rounds.push(noted));
    }

    fn models(&self, callee: &Callee<'_>) -> bool {
        MakesAside.models(callee.name)
    }

    fn notes(&self, image: &CheckedImage) -> Vec<OpIdx> {
        let main = (0..).zip(&image.functions).find(|(_, code)| &*code.name == "main").expect("a program").0;
        spelunk_vm::loop_sites(image, FuncId(main)).collect()
    }

    fn note(&mut self, _vm: &mut Vm<'_, ConcolicMachine>, op_idx: OpIdx) -> Result<(), Stop> {
        self.rounds.push(Noted(u64::from(op_idx.0)));
        Ok(())
    }

    fn call(&mut self, vm: &mut Vm<'_, ConcolicMachine>, call: &Call<'_>) -> Result<Answer, Stop> {
        let number = |val: usize| Ok(Answer::Return([Slot::plain(val as u64)].into_iter().collect()));
        let valid = vm.find_function("valid").expect("the program has it");
        match call.callee.name {
            "require" => match aside::check(vm, valid, call.args, 32, LIMIT)? {
                true => Ok(Answer::Return([].into_iter().collect())),
                false => Err(Stop::Infeasible),
            },
            "predict" => {
                let (_, decisions) = aside::try_out(vm, LIMIT, |vm| vm.call(valid, call.args))?;
                number(decisions.len())
            }
            "imagine" => {
                let (_, decisions) = aside::try_out(vm, LIMIT, |vm| {
                    let fifteen = vm.machine.fresh("fifteen", 32, 15);
                    let arg = slot(&mut vm.machine, fifteen, 15);
                    vm.call(valid, &[arg])
                })?;
                number(decisions.len())
            }
            _ => number(self.rounds.len()),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct MakesAside;

impl Maker for MakesAside {
    fn name(&self) -> &'static str {
        "aside"
    }

    fn make(&self) -> Box<dyn Theory> {
        Box::<Aside>::default()
    }

    fn models(&self, function: &str) -> bool {
        matches!(function, "require" | "predict" | "imagine" | "rounds")
    }
}

const VALID: &str = "int touched;
 int valid(int x) { touched++; return x > 10 && x < 20; }
 void require(int x) {}
 int predict(int x) { return -1; }
 int imagine(void) { return -1; }
 int rounds(void) { return -1; }
";

/// In all ways of going on.
fn explore_aside(main: &str) -> Vec<Found> {
    let program = Program::serving(&format!("{VALID}{main}"), &[Arc::new(MakesAside)]);
    let policies = [None, Some(SnapshotPolicy { min_steps: 1 })];
    let explore =
        |snapshots| program.explore_with(vec![Arc::new(MakesAside)], |options| options.run.snapshots = snapshots);
    policies.map(explore).into()
}

#[test]
fn a_check_decides_for_the_path_and_does_nothing_to_it() {
    let main = "int main(void) {
        int x = spelunk_int(\"x\");
        require(x);
        if (touched) return 9;
        if (x == 5 || x == 25) return 8; // the path knows that it is not
        return x == 15;
      }";
    for found in explore_aside(main) {
        assert_eq!((found.codes(), found.outcome.stopped), (vec![0, 1], Stopped::Exhausted));
        assert_eq!(found.outcome.n_excluded, 2, "too small and too large");
    }
}

/// Wherever they stand in the list: a theory that runs code aside is not in its place meanwhile.
#[test]
fn what_is_tried_out_is_forgotten_by_all_theories() {
    let main = "int main(void) {
        int x = spelunk_int(\"x\");
        if (predict(x) == 0) return 1;
        return x == 12 ? 2 : 3;
      }";
    let program = Program::serving(&format!("{VALID}{main}"), &[Arc::new(MakesAside)]);
    let sums = |is_first: bool| {
        let counting = Arc::new(MakesCounting::default());
        let mut makers: Vec<Arc<dyn Maker>> = vec![Arc::new(MakesAside), counting.clone()];
        if is_first {
            makers.reverse();
        }
        let found = program.explore(makers);
        let mut sums = counting.sums.lock().unwrap().clone();
        sums.sort_unstable();
        (found.codes(), sums)
    };
    let (codes, counted) = sums(true);
    assert!(!codes.is_empty() && !counted.is_empty());
    assert_eq!(sums(false), (codes, counted));
}

#[test]
fn what_is_tried_out_leaves_nothing_behind() {
    let main = "int main(void) {
        int x = spelunk_int(\"x\");
        int n = predict(x), m = imagine();
        return touched ? 99 : 10 * m + n;
      }";
    for found in explore_aside(main) {
        // Whether it is large enough is decided in both, and in neither by the path.
        assert_eq!((found.codes(), found.outcome.stopped), (vec![11], Stopped::Exhausted));
    }
}

#[test]
fn theories_are_asked_at_loops() {
    let main = "int main(void) {
        int x = spelunk_int(\"x\");
        for (int i = 0; i < 3; i++) if (i == 1 && x == 7) break;
        return rounds();
      }";
    for found in explore_aside(main) {
        // The head is met once more than control leads back to it.
        assert_eq!(found.codes(), [3, 7]);
    }
}

/// Serves calls of `receive`: fills a buffer with one of two kinds of messages, which the input chooses.
#[derive(Clone, Debug, Default)]
struct Messages {
    layouts: Vec<LayoutId>,
}

/// A message of numbers, each at an offset and of some bytes.
fn message(name: &str, numbers: &[(u32, u32)]) -> Layout {
    let leaf = |&(offset, n_bytes)| Leaf { offset, n_bytes, kind: LeafKind::Number, path: format!(".at{offset}") };
    let leaves = numbers.iter().map(leaf).collect();
    Layout { name: name.to_owned(), size: 8, align: 8, leaves, ..Layout::default() }
}

impl Theory for Messages {
    fn name(&self) -> &'static str {
        "messages"
    }

    fn events(&self) -> Events {
        Events::CALL
    }

    fn models(&self, callee: &Callee<'_>) -> bool {
        Maker::models(self, callee.name)
    }

    fn call(&mut self, vm: &mut Vm<'_, ConcolicMachine>, call: &Call<'_>) -> Result<Answer, Stop> {
        if self.layouts.is_empty() {
            let kinds = [message("long", &[(0, 8)]), message("short", &[(0, 2), (2, 2)])];
            self.layouts = kinds.map(|kind| vm.machine.add_layout(kind)).to_vec();
        }
        let asked = choose_layout(vm, vm.pc(), "message", &self.layouts)?;
        make_at(vm, call.args[0].val, &asked)?;
        Ok(Answer::Return([Slot::plain(asked.choice as u64)].into_iter().collect()))
    }
}

impl Maker for Messages {
    fn name(&self) -> &'static str {
        "messages"
    }

    fn make(&self) -> Box<dyn Theory> {
        Box::new(self.clone())
    }

    fn models(&self, function: &str) -> bool {
        function == "receive"
    }
}

#[test]
fn a_decision_chooses_the_layout_of_an_input() {
    let makers: Vec<Arc<dyn Maker>> = vec![Arc::new(Messages::default())];
    let program = Program::serving(
        "int receive(void *to) { spelunk_fail(\"served\"); return 0; }
         int main(void) {
           union { unsigned long whole; unsigned short half[4]; } m;
           int code = 0;
           for (int i = 0; i < 2; i++) {
             code *= 4;
             if (receive(&m) == 0) {
               if (m.whole == 0x123456789abcdefUL) code += 1;
             } else if (m.half[0] + m.half[1] == 0x1234) {
               code += 2;
             } else {
               code += 3;
             }
           }
           return code;
         }",
        &makers,
    );
    let all: Vec<i32> = (0..16).collect();
    for (n_workers, snapshots) in [(1, None), (1, Some(SnapshotPolicy { min_steps: 0 })), (2, None)] {
        let found = program.explore_with(makers.clone(), |options| {
            options.n_workers = n_workers;
            options.run.snapshots = snapshots;
        });
        assert_eq!((found.codes(), found.outcome.stopped), (all.clone(), Stopped::Exhausted));
    }
    // A variable is what the layout says that the bytes are, and has the choice in its identity.
    let found = program.explore(makers);
    let keys: Vec<&ObjectKey> = found.inputs.iter().flat_map(|input| &input.objects).map(|it| &*it.key).collect();
    for number in 0..2 {
        let chooser = ObjectKey::of_root(Root::Area("message".into(), number));
        for key in [chooser.behind(0), chooser.behind(1), chooser] {
            assert!(keys.contains(&&key), "{key:?}");
        }
    }
}
