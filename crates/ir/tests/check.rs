//! What a checked image promises, by images that break it.

use spelunk_ir::code::{CheckedImage, FuncCode, Image, Op, OpCode, Reg, SlowOp};
use spelunk_ir::link::{Role, link};
use spelunk_ir::lower::{Checks, MAX_ARG_SLOTS, lower};
use spelunk_ir::model::Program;
use spelunk_ir::parse::parse_module;

fn image_of(text: &str) -> Image {
    let mut program = Program::new();
    parse_module(&mut program, "test.ll", text).unwrap_or_else(|error| panic!("{error}"));
    let linkage = link(&program, |_| Role::Program).unwrap();
    lower(&program, &linkage, |_| Role::Program, Checks::default()).unwrap()
}

const TWO_FUNCTIONS: &str = "
    define i32 @f(i32 %x, i1 %c) {
      br i1 %c, label %more, label %end
    more:
      %y = add i32 %x, 1
      %z = select i1 %c, i32 %x, i32 %y
      ret i32 %z
    end:
      ret i32 %x
    }
    define i32 @g(i32 %x) {
      %r = call i32 @f(i32 %x, i1 true)
      switch i32 %r, label %a [ i32 1, label %b ]
    a:
      ret i32 1
    b:
      ret i32 2
    }";

fn code<'i>(image: &'i Image, name: &str) -> &'i FuncCode {
    image.functions.iter().find(|code| &*code.name == name).unwrap()
}

/// Why a function can't be called, if its code was not sound.
fn refusal(image: &CheckedImage, name: &str) -> Option<String> {
    let code = code(image, name);
    let ops = &image.ops[code.entry.index()..code.end.index()];
    let reason = |op: &Op| match image.slow.get(op.a as usize) {
        Some(SlowOp::Unsupported(what)) if op.code == OpCode::Slow => Some(what.to_string()),
        _ => None,
    };
    ops.iter().map(reason).collect::<Option<Vec<String>>>().map(|reasons| reasons[0].clone())
}

/// The image of two functions after `damage`, of which only `f` may have been refused; and why.
fn damaged(damage: impl FnOnce(&mut Image)) -> Option<String> {
    let mut image = image_of(TWO_FUNCTIONS);
    damage(&mut image);
    let image = CheckedImage::new(image);
    assert_eq!(refusal(&image, "g"), None, "what is sound stays");
    refusal(&image, "f")
}

/// The operations of `f` with that code.
fn find(image: &Image, code: OpCode) -> usize {
    let is_it = |op: &Op| op.code == code;
    image.ops.iter().position(is_it).unwrap_or_else(|| panic!("there is a {code:?}"))
}

#[test]
fn sound_code_stays_as_it_is() {
    assert_eq!(damaged(|_| ()), None);
    let image = image_of(TWO_FUNCTIONS);
    let before = image.ops.clone();
    assert_eq!(CheckedImage::new(image).ops, before);
}

/// The first operation with that code, after a change to it.
fn with(code: OpCode, change: impl FnOnce(&mut Op)) -> String {
    damaged(|image| {
        let at = find(image, code);
        change(&mut image.ops[at]);
    })
    .expect("that is noticed")
}

#[test]
fn registers_lie_in_the_frame() {
    let outside = "outside of the frame";
    let far = Reg::at_slot(100_000).0;
    assert!(with(OpCode::Add32I, |op| op.a = far).contains(outside));
    assert!(with(OpCode::Add32I, |op| op.dst = far).contains(outside));
    assert!(with(OpCode::Add32I, |op| op.dst += 8).contains(outside), "a slot is not cut in two");
    assert!(with(OpCode::Ext, |op| op.a = far).contains(outside));
    assert!(with(OpCode::Ret, |op| op.a = u32::MAX - 15).contains(outside));
}

#[test]
fn control_stays_in_its_function() {
    let sound = image_of(TWO_FUNCTIONS);
    for target in [code(&sound, "g").entry.0, u32::MAX, find(&sound, OpCode::Ext) as u32] {
        assert!(with(OpCode::BrIfNot, |op| op.dst = target).contains("a jump out of the function"), "{target}");
    }
    let run_out = damaged(|image| {
        let last = code(image, "f").end.previous().index();
        image.ops[last] = Op::new(OpCode::Const, 0, 0, 0);
    });
    assert!(run_out.unwrap().contains("control runs out"));
    assert!(with(OpCode::Select, |op| op.code = OpCode::Add32).contains("operands"));
}

#[test]
fn entries_of_tables_are_there() {
    for code in
        [OpCode::Slow, OpCode::Call, OpCode::CallVar, OpCode::CallExternal, OpCode::CallIndirect, OpCode::Switch]
    {
        let why = with(OpCode::Add32I, |op| *op = Op::new(code, 0, 1000, 1000));
        assert!(why.contains("what it refers to is not there"), "{code:?}: {why}");
    }
}

#[test]
fn an_instruction_that_cannot_be_lowered_leaves_nothing_behind() {
    // The phi has no value for the second edge of the switch: by then, the switch itself was emitted.
    let image = CheckedImage::new(image_of(
        "define i32 @f(i32 %x) {
         entry:
           switch i32 %x, label %a [ i32 1, label %b ]
         a:
           ret i32 1
         b:
           %p = phi i32 [ 7, %a ]
           ret i32 %p
         }",
    ));
    let code = code(&image, "f");
    let first = image.ops[code.entry.index()];
    assert_eq!(first.code, OpCode::Slow, "{:?}", &image.ops[code.entry.index()..code.end.index()]);
    assert!(matches!(&image.slow[first.a as usize], SlowOp::Unsupported(what) if what.contains("phi")));
    assert!(!image.ops.iter().any(|op| op.code == OpCode::Switch));
}

#[test]
fn no_function_takes_more_than_a_call_can_give() {
    let params: Vec<String> = (0..2000).map(|i| format!("i64 %p{i}")).collect();
    let image = CheckedImage::new(image_of(&format!("define i64 @f({}) {{\n ret i64 %p0\n}}", params.join(", "))));
    assert!(refusal(&image, "f").unwrap().contains("very many parameters"));
    assert!(code(&image, "f").param_slots as usize <= MAX_ARG_SLOTS);
}
