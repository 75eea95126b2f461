//! Which functions an indirect call may reach: those that code or data of the linked program uses as a value.

use spelunk_ir::link::{Role, link};
use spelunk_ir::lower::{Checks, lower};
use spelunk_ir::model::{ModuleId, Program};
use spelunk_ir::parse::parse_module;

/// The names of the functions whose address is taken.
fn taken(modules: &[&str], role: impl Fn(ModuleId) -> Role + Copy) -> Vec<String> {
    let mut program = Program::new();
    for (number, text) in modules.iter().enumerate() {
        parse_module(&mut program, &format!("{number}.ll"), text).unwrap();
    }
    let linkage = link(&program, role).unwrap();
    let image = lower(&program, &linkage, role, Checks::default()).unwrap();
    let mut names: Vec<String> =
        image.functions.iter().filter(|code| code.is_address_taken).map(|code| code.name.to_string()).collect();
    names.sort_unstable();
    names
}

#[test]
fn code_and_data_take_addresses_and_calls_do_not() {
    let main = "
        @handlers = global [2 x ptr] [ptr @on_int, ptr @renamed]
        @unary = internal alias i32 (i32), ptr @only_aliased
        declare i32 @helper(i32)
        define i32 @on_int(i32 %x) {
          ret i32 %x
        }
        define i32 @on_two(i32 %x, i32 %y) {
          ret i32 %y
        }
        define internal i32 @only_aliased(i32 %x) {
          ret i32 %x
        }
        define internal i32 @never_taken(i32 %x) {
          ret i32 %x
        }
        define i32 @renamed(i32 %x) {
          %r = call i32 @renamed(i32 %x)
          ret i32 %r
        }
        define i32 @main(ptr %f) {
          %a = call i32 @helper(i32 1)
          %c = call i32 @unary(i32 3)
          %d = call i32 %f(i32 4)
          %e = call i32 @never_taken(i32 5)
          ret i32 %e
        }";
    let helper = "
        declare i32 @main(ptr)
        declare i32 @on_two(i32, i32)
        define i32 @helper(i32 %x) {
          %slot = alloca ptr
          store ptr @on_two, ptr %slot
          %r = call i32 @main(ptr @leaf)
          ret i32 %r
        }
        define internal i32 @leaf(i32 %x) {
          ret i32 0
        }";
    assert_eq!(taken(&[main, helper], |_| Role::Program), ["leaf", "on_int", "on_two", "renamed"]);
}

#[test]
fn library_modules_that_are_not_linked_take_no_address() {
    let main = "define void @f() {\n ret void\n}";
    let library = "declare void @f()\n@table = global ptr @f\ndefine void @g() {\n call void @f()\n ret void\n}";
    let role = |module: ModuleId| if module.0 == 0 { Role::Program } else { Role::Library };
    assert!(taken(&[main, library], role).is_empty());
}
