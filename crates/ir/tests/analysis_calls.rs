//! Call sites and the call graph of linked programs.

use spelunk_ir::analysis::{CallGraph, CallTarget, call_sites};
use spelunk_ir::link::{Definition, Linkage, Role, link};
use spelunk_ir::model::{FuncId, Program};
use spelunk_ir::parse::parse_module;

const MAIN: &str = r#"
@handlers = global [2 x ptr] [ptr @on_int, ptr @renamed]
@unary = internal alias i32 (i32), ptr @only_aliased
declare i32 @helper(i32)
declare i32 @missing(i32)
declare void @llvm.trap()

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
entry:
  %a = call i32 @helper(i32 1)
  %b = call i32 @missing(i32 2)
  %c = call i32 @unary(i32 3)
  br label %rest
rest:
  %d = call i32 %f(i32 4)
  call void asm sideeffect "nop", ""()
  call void @llvm.trap()
  %e = call i32 @never_taken(i32 5)
  ret i32 %e
}
"#;

const HELPER: &str = r#"
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
}
define internal i32 @unprototyped(ptr %f) {
  %r = call i32 (i32, ...) %f(i32 1)
  ret i32 %r
}
"#;

fn linked() -> (Program, Linkage) {
    let mut program = Program::new();
    parse_module(&mut program, "main", MAIN).unwrap();
    parse_module(&mut program, "helper", HELPER).unwrap();
    let linkage = link(&program, |_| Role::Program).unwrap();
    (program, linkage)
}

fn defined(program: &Program, name: &str) -> FuncId {
    let is_named = |id: &FuncId| {
        let function = program.function(*id);
        !function.is_declaration() && *program.symbol(function.symbol).name == *name
    };
    (0..program.functions.len()).map(FuncId::new).find(is_named).unwrap_or_else(|| panic!("{name} is not defined"))
}

fn names(program: &Program, functions: impl IntoIterator<Item = FuncId>) -> Vec<String> {
    let name = |id: FuncId| program.symbol(program.function(id).symbol).name.to_string();
    let mut names: Vec<String> = functions.into_iter().map(name).collect();
    names.sort_unstable();
    names
}

#[test]
fn call_sites_are_classified() {
    let (program, linkage) = linked();
    let main = defined(&program, "main");
    let sites = call_sites(&program, &linkage, main);
    let shown: Vec<(u32, String)> = sites
        .iter()
        .map(|site| {
            let shown = match site.target {
                CallTarget::Function(id) => names(&program, [id]).remove(0),
                CallTarget::External(symbol) => format!("external {}", program.symbol(symbol).name),
                CallTarget::Intrinsic(symbol) => format!("intrinsic {}", program.symbol(symbol).name),
                CallTarget::Indirect(_) => "indirect".to_owned(),
                CallTarget::Asm => "asm".to_owned(),
            };
            (site.block.0, shown)
        })
        .collect();
    let expected = [
        (0, "helper"),
        (0, "external missing"),
        (0, "only_aliased"),
        (1, "indirect"),
        (1, "asm"),
        (1, "intrinsic llvm.trap"),
        (1, "never_taken"),
    ];
    assert_eq!(shown, expected.map(|(block, target)| (block, target.to_owned())));
    assert_eq!(linkage.lookup(&program, "helper"), Some(Definition::Function(defined(&program, "helper"))));
}

#[test]
fn indirect_calls_reach_functions_of_their_type_whose_address_is_taken() {
    let (program, linkage) = linked();
    let graph = CallGraph::new(&program, &linkage);
    assert_eq!(names(&program, graph.address_taken().to_vec()), ["leaf", "on_int", "on_two", "renamed"]);

    let main = defined(&program, "main");
    let direct_and_fitting = ["helper", "leaf", "never_taken", "on_int", "only_aliased", "renamed"];
    assert_eq!(names(&program, graph.callees(main)), direct_and_fitting);
    assert_eq!(graph.sites(main).len(), 7);

    let unprototyped = defined(&program, "unprototyped");
    assert_eq!(names(&program, graph.callees(unprototyped)), ["leaf", "on_int", "on_two", "renamed"]);
    assert_eq!(names(&program, graph.callers(defined(&program, "never_taken"))), ["main"]);
}

#[test]
fn recursion_is_found() {
    let (program, linkage) = linked();
    let graph = CallGraph::new(&program, &linkage);
    let components = graph.components();
    let of = |name: &str| {
        let id = defined(&program, name);
        let index = components.iter().position(|component| component.contains(&id)).unwrap();
        (index, names(&program, components[index].clone()))
    };
    let (main_at, circle) = of("main");
    assert_eq!(circle, ["helper", "main"]);
    let (leaf_at, leaf) = of("leaf");
    assert!(leaf_at < main_at, "callees come first");
    assert_eq!(leaf, ["leaf"]);
    assert!(graph.is_recursive(&components[main_at]));
    assert!(graph.is_recursive(&components[of("renamed").0]));
    assert!(!graph.is_recursive(&components[leaf_at]));
}

#[test]
fn reachable_functions() {
    let (program, linkage) = linked();
    let graph = CallGraph::new(&program, &linkage);
    let from_main = graph.reachable(&[defined(&program, "main")]);
    assert_eq!(from_main[0], defined(&program, "main"));
    assert_eq!(
        names(&program, from_main),
        ["helper", "leaf", "main", "never_taken", "on_int", "only_aliased", "renamed"]
    );
    let roots = [defined(&program, "on_two"), defined(&program, "leaf")];
    assert_eq!(names(&program, graph.reachable(&roots)), ["leaf", "on_two"]);
}

#[test]
fn library_modules_that_are_not_linked_take_no_address() {
    let mut program = Program::new();
    parse_module(&mut program, "main", "define void @f() {\n ret void\n}").unwrap();
    let library = "declare void @f()\n@table = global ptr @f\ndefine void @g() {\n call void @f()\n ret void\n}";
    parse_module(&mut program, "library", library).unwrap();
    let role = |module: spelunk_ir::model::ModuleId| if module.0 == 0 { Role::Program } else { Role::Library };
    let graph = CallGraph::new(&program, &link(&program, role).unwrap());
    assert!(graph.address_taken().is_empty());
    assert_eq!(graph.callers(defined(&program, "f")).len(), 0);
}
