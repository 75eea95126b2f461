//! What lowering makes of small functions: the operations that the VM will run.

use spelunk_ir::code::{Image, OpCode, SlowOp, SwitchKind};
use spelunk_ir::link::{Role, link};
use spelunk_ir::lower::{Checks, SignedOverflow, lower};
use spelunk_ir::model::Program;
use spelunk_ir::parse::parse_module;

fn image_of(text: &str, checks: Checks) -> Image {
    let mut program = Program::new();
    parse_module(&mut program, "test.ll", text).unwrap_or_else(|error| panic!("{error}"));
    let linkage = link(&program, |_| Role::Program).unwrap();
    lower(&program, &linkage, |_| Role::Program, checks).unwrap()
}

/// The opcodes of function `f`.
fn ops_of(image: &Image) -> Vec<OpCode> {
    let code = image.functions.iter().find(|code| &*code.name == "f").unwrap();
    image.ops[code.entry.index()..code.end.index()].iter().map(|op| op.code).collect()
}

fn ops(text: &str) -> Vec<OpCode> {
    ops_of(&image_of(text, Checks::default()))
}

#[test]
fn a_counting_loop_costs_three_operations_a_round() {
    // int f(int n) { int i = 0; while (i < n) i = i + 1; return i; } as clang -O0 writes it.
    let ops = ops("
        define i32 @f(i32 %0) {
          %2 = alloca i32, align 4
          %3 = alloca i32, align 4
          store i32 %0, ptr %2, align 4
          store i32 0, ptr %3, align 4
          br label %4
        4:
          %5 = load i32, ptr %3, align 4
          %6 = load i32, ptr %2, align 4
          %7 = icmp slt i32 %5, %6
          br i1 %7, label %8, label %11
        8:
          %9 = load i32, ptr %3, align 4
          %10 = add nsw i32 %9, 1
          store i32 %10, ptr %3, align 4
          br label %4
        11:
          %12 = load i32, ptr %3, align 4
          ret i32 %12
        }");
    assert_eq!(ops, [OpCode::Const, OpCode::BrSge32, OpCode::Add32I, OpCode::Jump, OpCode::Ret]);
}

#[test]
fn a_value_that_outlives_a_store_is_copied_first() {
    // x++ as a value: the old value is used after the new one is stored.
    let ops = ops("
        define i32 @f(i32 %0) {
          %2 = alloca i32, align 4
          store i32 %0, ptr %2, align 4
          %3 = load i32, ptr %2, align 4
          %4 = add nsw i32 %3, 1
          store i32 %4, ptr %2, align 4
          %5 = load i32, ptr %2, align 4
          %6 = sub nsw i32 %5, %3
          ret i32 %6
        }");
    assert_eq!(ops, [OpCode::Mov, OpCode::Add32I, OpCode::Sub32, OpCode::Ret]);
}

#[test]
fn a_local_without_a_first_store_starts_uninitialised() {
    let ops = ops("
        define i32 @f(i1 %0) {
          %2 = alloca i32, align 4
          br i1 %0, label %3, label %4
        3:
          store i32 1, ptr %2, align 4
          br label %4
        4:
          %5 = load i32, ptr %2, align 4
          ret i32 %5
        }");
    assert_eq!(ops[0], OpCode::Undef);
    assert!(!ops.contains(&OpCode::Alloca));
}

#[test]
fn a_local_whose_address_escapes_stays_in_memory() {
    let ops = ops("
        declare void @g(ptr)
        define i32 @f() {
          %1 = alloca i32, align 4
          call void @g(ptr %1)
          %2 = load i32, ptr %1, align 4
          ret i32 %2
        }");
    assert_eq!(ops, [OpCode::Alloca, OpCode::Mov, OpCode::CallExternal, OpCode::Load32, OpCode::Ret]);
}

#[test]
fn a_local_that_is_read_in_another_type_stays_in_memory() {
    let ops = ops("
        define i32 @f(float %0) {
          %2 = alloca float, align 4
          store float %0, ptr %2, align 4
          %3 = load i32, ptr %2, align 4
          ret i32 %3
        }");
    assert_eq!(ops, [OpCode::Alloca, OpCode::Store32, OpCode::Load32, OpCode::Ret]);
}

#[test]
fn array_and_field_addresses_melt_into_accesses() {
    let ops = ops("
        define i32 @f(ptr %0, i32 %1) {
          %3 = sext i32 %1 to i64
          %4 = getelementptr inbounds i32, ptr %0, i64 %3
          %5 = load i32, ptr %4, align 4
          %6 = getelementptr inbounds { i32, i32 }, ptr %0, i32 0, i32 1
          store i32 %5, ptr %6, align 4
          ret i32 %5
        }");
    assert_eq!(ops, [OpCode::Load32I, OpCode::Store32, OpCode::Ret]);
}

#[test]
fn a_zero_extension_is_no_operation() {
    let ops = ops("
        define i64 @f(ptr %0) {
          %2 = load i8, ptr %0, align 1
          %3 = zext i8 %2 to i64
          %4 = add i64 %3, 1
          ret i64 %4
        }");
    assert_eq!(ops, [OpCode::Load8, OpCode::Add64I, OpCode::Ret]);
}

#[test]
fn phis_that_swap_go_through_a_spare_register() {
    let ops = ops("
        define i32 @f(i32 %0, i32 %1) {
          br label %3
        3:
          %4 = phi i32 [ %0, %2 ], [ %5, %3 ]
          %5 = phi i32 [ %1, %2 ], [ %4, %3 ]
          %6 = icmp slt i32 %4, %5
          br i1 %6, label %3, label %7
        7:
          ret i32 %4
        }");
    // Entry: two moves. Back edge: three, because each phi takes the other's old value.
    let moves = ops.iter().filter(|&&op| op == OpCode::Mov).count();
    assert_eq!(moves, 5);
}

#[test]
fn switches_are_dense_or_sparse() {
    let image = image_of(
        "
        define i32 @f(i32 %0) {
          switch i32 %0, label %2 [ i32 1, label %3 i32 2, label %2 i32 4, label %3 ]
        2:
          switch i32 %0, label %3 [ i32 1, label %3 i32 1000000, label %3 ]
        3:
          ret i32 0
        }",
        Checks::default(),
    );
    assert!(matches!(&image.switches[0].kind, SwitchKind::Dense { low: 1, targets } if targets.len() == 4));
    assert!(matches!(&image.switches[1].kind, SwitchKind::Sparse(cases) if cases.len() == 2));
}

#[test]
fn what_is_not_supported_ends_only_the_path_that_reaches_it() {
    let image = image_of(
        r#"
        define i32 @f(i32 %0) {
          %2 = icmp eq i32 %0, 0
          br i1 %2, label %3, label %4
        3:
          call void asm sideeffect "vmcall", ""()
          br label %4
        4:
          ret i32 0
        }"#,
        Checks::default(),
    );
    let unsupported = image.slow.iter().filter(|op| matches!(op, SlowOp::Unsupported(what) if what.contains("vmcall")));
    assert_eq!(unsupported.count(), 1);
    assert_eq!(ops_of(&image).last(), Some(&OpCode::Ret));
}

#[test]
fn signed_overflow_is_noticed_or_an_error_on_request() {
    let text = "
        define i32 @f(i32 %0) {
          %2 = add nsw i32 %0, 1
          ret i32 %2
        }";
    for (overflow, op) in [
        (SignedOverflow::Wraps, OpCode::Add32I),
        (SignedOverflow::IsNoticed, OpCode::AddS32I),
        (SignedOverflow::IsError, OpCode::AddS32I),
    ] {
        let image = image_of(text, Checks { signed_overflow: overflow, ..Checks::default() });
        assert_eq!(ops_of(&image)[0], op);
        assert_eq!(image.overflow_is_error, overflow == SignedOverflow::IsError);
    }
    assert_eq!(ops_of(&image_of(&text.replace("nsw ", ""), Checks::default()))[0], OpCode::Add32I);
}
