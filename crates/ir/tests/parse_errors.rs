//! Files with something wrong: the message stands at the place of the fault, and the program stays as it was.

mod parse_support;

use spelunk_ir::model::Program;
use spelunk_ir::parse::{ParseError, parse_module};

fn error_of(text: &str) -> ParseError {
    let mut program = Program::new();
    parse_module(&mut program, "bad.ll", text).expect_err("the text is wrong")
}

/// Asserts that the text is refused where it says `^^` (which is cut out), with a message that has these words.
fn check(marked: &str, words: &str) {
    let at = marked.find("^^").expect("a mark");
    let text = marked.replacen("^^", "", 1);
    let line = marked[..at].matches('\n').count() + 1;
    let column = marked[..at].chars().rev().take_while(|&c| c != '\n').count() + 1;
    let error = error_of(&text);
    let place = (error.line as usize, error.column as usize);
    assert!(place == (line, column) && error.message.contains(words), "{marked}\n gives {error}");
    assert_eq!(error.to_string(), format!("bad.ll:{line}:{column}: {}", error.message));
}

/// The same inside a function with the parameters `%0` and `%p` and the block `entry`.
fn check_body(body: &str, words: &str) {
    let text = format!("declare void @g(i32)\ndefine i32 @f(i32 %0, ptr %p) {{\nentry:\n{body}\n  ret i32 0\n}}\n");
    check(&text, words);
}

#[test]
fn top_level_faults() {
    check("^^nonsense\n", "expected a top-level entity, found `nonsense`");
    check("source_filename = ^^x\n", "expected a string");
    check("@x = global i32 ^^", "expected a constant, found the end of the file");
    check("@x = global i32 0\n^^@x = global i32 0\n", "`@x` is defined twice");
    check("@x = global ptr ^^@y\n", "`@y` is neither defined nor declared");
    check("@x = global [2 x i8] ^^c\"abc\"\n", "`[3 x i8]` where `[2 x i8]`");
    check("@x = global { i32, ptr } { i32 1, ^^i64 2 }\n", "`i64` where `ptr`");
    check("@x = global [1 x i8] [i8 1, ^^i8 2]\n", "more elements");
    check("@x = global [2 x i8] ^^[i8 1]\n", "fewer elements");
    check("@x = global float ^^5\n", "an integer constant cannot have type `float`");
    check("@x = global float ^^0.1\n", "no exact value");
    check("@x = global i32 0, align ^^four\n", "expected a number");
    check("@f = global ptr blockaddress(@f, ^^%b)\n", "not a function");
    check("@x = global ptr getelementptr (^^{ i8 }, ptr @x, i32 0, i32 1)\n", "names no field");
    check("attributes #0 = { ^^! }\n", "expected an attribute");
    check("!0 = !{}\n^^!0 = !{}\n", "defined twice");
    check("!0 = ^^!DILocation(line: 1)\n", "needs a scope");
    check("!0 = !{!^^\"not closed }\n", "never closed");
    check("declare void @f(i32, ^^void)\n", "cannot have type `void`");
    check("@\"é\" = ^^§\n", "unexpected character");
}

#[test]
fn type_faults() {
    check("@x = external global ^^%missing\n", "`%missing` is not defined");
    check("%t = type { ^^%t }\n", "contains itself");
    check("%t = type i8\n^^%t = type i16\n", "defined twice");
    check("@x = external global ^^i0\n", "1 to 8388608 bits");
    check("@x = external global <^^0 x i8>\n", "at least one element");
    check("@x = external global i32^^*\n", "clang 15 or newer");
    check("@x = external global i32 ^^addrspace(1)*\n", "clang 15 or newer");
    check("%list = type { %list^^* }\n", "clang 15 or newer");
    let deep = format!("@x = external global {}i8{}\n", "{".repeat(5000), "}".repeat(5000));
    assert!(error_of(&deep).message.contains("too deeply"));
    let deep = format!("@x = global i64 {}\n", "add (i64 ".repeat(5000));
    assert!(error_of(&deep).message.contains("too deeply"));
    let deep = format!("!0 = {}\n", "!{".repeat(5000));
    assert!(error_of(&deep).message.contains("too deeply"));
}

#[test]
fn faults_in_functions() {
    check_body("  %1 = add i32 ^^%9, 1", "value `%9` is not defined");
    check_body("  %1 = add i32 %0, ^^%named", "value `%named` is not defined");
    check_body("  br label ^^%nowhere\nnext:", "block `%nowhere` is not defined");
    check_body("  %x = add i32 %0, 1\n  ^^%x = add i32 %0, 2", "already defined");
    check_body("  %2 = add i32 %0, 1\n  ^^%1 = add i32 %0, 2", "number 3 or a later one");
    check_body("  br label %entry\n^^entry:", "already defined");
    check_body("  %1 = add i64 ^^%0, 1", "`%0` has type `i32` elsewhere, here it is `i64`");
    check_body("  %1 = add i64 %late, 1\n  ^^%late = add i32 %0, 1", "`%late` has type `i64` elsewhere");
    check_body("  br label ^^%p\nnext:", "is a value, not a block");
    check_body("  %1 = load i32, ptr ^^%entry", "is a block, not a value");
    check_body("  %1 = load i32, ^^i32 %0", "`i32` where `ptr`");
    check_body("  ^^%1 = store i32 %0, ptr %p", "without a result");
    check_body("  %1 = ^^frobnicate i32 %0", "expected an instruction");
    check_body("  %1 = fadd ^^i32 %0, %0", "not defined on type `i32`");
    check_body("  %1 = trunc ^^i32 %0 to i64", "`trunc` does not lead from `i32` to `i64`");
    check_body("  %1 = extractvalue { i8 } zeroinitializer, ^^3", "no member");
    check_body("  %1 = getelementptr ^^{ i8, i8 }, ptr %p, i64 0, i32 %0", "leads into no part");
    check_body("  call void (i32) ^^@g()", "do not match");
    check_body("  ret ^^i64 0\nnext:", "`i64` where `i32`");
    check_body("  %1 = load i32, ptr %p, align 4, ^^i32 1", "expected an alignment or attachment");
    check_body("  switch i32 %0, label %entry [ ^^i32 undef, label %entry ]\nnext:", "integer constant");
    check_body("  %1 = add i32 ^^%4000000000, 1", "too large");
    check("define void @f() {\n^^}\n", "at least one block");
    check("define void @f() {\n  %1 = alloca i8\n^^}\n", "does not end in a terminator");
    check("define void @f() {\n  %1 = alloca i8\n^^next:\n  ret void\n}\n", "does not end in a terminator");
    check("define void @f() {\n  ret void\n^^", "expected an instruction, found the end of the file");
}

#[test]
fn a_refused_file_leaves_the_program_as_it_was() {
    let mut program = Program::new();
    parse_module(&mut program, "good.ll", "@x = global i32 1, !dbg !0\n!0 = !{}\n").expect("a good file");
    let count = |program: &Program| {
        [
            program.modules.len(),
            program.symbols.len(),
            program.globals.len(),
            program.functions.len(),
            program.metadata.nodes.len(),
        ]
    };
    let before = count(&program);
    let bad =
        "@x = global i32 2, !dbg !1\ndeclare void @g()\ndefine void @f() {\n  call void @g()\n  oops\n}\n!1 = !{}\n";
    parse_module(&mut program, "bad.ll", bad).expect_err("a bad file");
    assert_eq!(count(&program), before);
    parse_module(&mut program, "good.ll", "@x = external global i32\n").expect("another good file");
    assert_eq!(program.modules.len(), 2);
}
