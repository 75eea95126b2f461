//! Models: a machine serves calls of functions, whoever defines them, or leaves them to the next body of their list.

use spelunk_driver::{Invocation, Loaded, Options, Purpose, load, start};
use spelunk_libc::{Capture, Input, Library, Output, World};
use spelunk_vm::{Answer, Call, Callee, Defined, Limits, Machine, ModelId, Reversible, Slot, Stop, Vm};
use std::fs;

const PROGRAM: &str = r#"
#include <stdlib.h>
#include <string.h>

int nobodys(int x);

int marked(int x, int y) { return 10 * x + y; }
static int other(int x, int y) { return 1000 * x + y; }
int (*volatile pointer)(int, int) = marked;
const char *volatile text = "7", *volatile empty = "";

int main(void) {
  if (marked(0, 5) != 42) return 1;                    // answered
  if (marked(1, 5) != 15) return 2;                    // declined
  if (marked(2, 5) != 5002) return 3;                  // enters `other`, arguments swapped
  if (pointer(0, 5) != 42 || pointer(1, 5) != 15) return 4;
  if (other(3, 3) != 3003) return 5;
  if (strlen(text) != 42 || strlen(empty) != 0) return 6;
  if (atoi(text) != 42 || atoi(empty) != 0) return 7;
  if (nobodys(0) != 42) return 8;
  return 0;
}
"#;

/// Which bodies a run asked for what, in order.
#[derive(Default)]
struct Modelling {
    world: World,
    log: Vec<(u32, String)>,
    /// Whether it writes to memory before it declines.
    meddles: bool,
}

const DECLINES: ModelId = ModelId(1);
const ANSWERS: ModelId = ModelId(2);

impl Reversible for Modelling {
    type Saved = ();

    fn save(&mut self) -> Option<()> {
        None
    }

    fn restore(&mut self, (): &()) {}
}

impl Machine for Modelling {
    type Env = World;

    fn env(&mut self) -> &mut World {
        &mut self.world
    }

    fn models(&self, callee: &Callee<'_>) -> Vec<ModelId> {
        match (callee.name, callee.defined) {
            ("marked", Defined::ByProgram(_)) => vec![DECLINES, ANSWERS],
            ("strlen", Defined::InRust(_)) | ("atoi", Defined::InC(_)) | ("nobodys", Defined::Nowhere(_)) => {
                vec![ANSWERS]
            }
            _ => Vec::new(),
        }
    }

    fn call_model(vm: &mut Vm<'_, Self>, model: ModelId, call: &Call<'_>) -> Result<Answer, Stop> {
        vm.machine.log.push((model.0, call.callee.name.to_owned()));
        let word = |val| Slot::plain(val);
        let answer = |val| Ok(Answer::Return([word(val)].into_iter().collect()));
        match (model, call.callee.name, call.args) {
            (ANSWERS, "marked", [x, _]) if x.val == 0 => answer(42),
            (ANSWERS, "marked", [x, y]) if x.val == 2 => {
                let other = vm.find_function("other").expect("the program has it");
                Ok(Answer::Enter(other, [*y, *x].into_iter().collect()))
            }
            (ANSWERS, "strlen" | "atoi", [text]) if vm.read_c_string(text.val)? != b"" => answer(42),
            (ANSWERS, "nobodys", _) => answer(42),
            _ => {
                if vm.machine.meddles {
                    vm.alloc_record(8).expect("there is room");
                }
                Ok(Answer::Decline)
            }
        }
    }
}

fn load_program() -> Loaded {
    let dir = tempfile::tempdir().expect("a directory");
    let source = dir.path().join("marked.c");
    fs::write(&source, PROGRAM).expect("it is writable");
    load(&Options { sources: vec![source], purpose: Purpose::Explore, ..Options::default() }).expect("it compiles")
}

fn vm(loaded: &Loaded) -> Vm<'_, Modelling> {
    let (nothing, output) = (Input::Bytes { bytes: Vec::new(), position: 0 }, || Output::Capture(Capture::default()));
    let machine = Modelling { world: World::new(nothing, output(), output()), ..Modelling::default() };
    Vm::new(&loaded.image, machine, &Library, Limits::default()).expect("static objects fit")
}

fn is_modelled(name: &str) -> bool {
    matches!(name, "marked" | "atoi")
}

#[test]
fn models_serve_calls_of_all_kinds_of_functions() {
    let mut loaded = load_program();
    loaded.image.call_through_sites(|_, code| is_modelled(&code.name));
    let mut vm = vm(&loaded);
    let stop = start(&mut vm, &Invocation::default());
    assert!(matches!(stop, Stop::Exited(0)), "{stop:?}");
    let asked = |model: ModelId, name: &str| {
        vm.machine.log.iter().filter(|(asked, callee)| *asked == model.0 && callee == name).count()
    };
    assert_eq!((asked(DECLINES, "marked"), asked(ANSWERS, "marked")), (5, 5), "the second after the first");
    assert_eq!((asked(ANSWERS, "strlen"), asked(ANSWERS, "atoi"), asked(ANSWERS, "nobodys")), (2, 2, 1));
}

#[test]
#[should_panic = "a call of `marked` does not reach its models"]
fn calls_that_would_miss_a_model_are_noticed() {
    vm(&load_program());
}

#[test]
#[cfg(debug_assertions)]
#[should_panic = "a model of `marked` changed memory and declined"]
fn who_declines_changes_nothing() {
    let mut loaded = load_program();
    loaded.image.call_through_sites(|_, code| is_modelled(&code.name));
    let mut vm = vm(&loaded);
    vm.machine.meddles = true;
    start(&mut vm, &Invocation::default());
}
