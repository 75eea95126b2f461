//! Symbol resolution between modules, stated as `.ll` text.

use spelunk_ir::link::{Definition, LinkError, Linkage, Role, Structor, link};
use spelunk_ir::model::{ConstKind, FuncId, ModuleId, Program, SymbolId, SymbolKind};
use spelunk_ir::parse::parse_module;

/// Parses the given modules, named `m0`, `m1`, ….
fn program(texts: &[&str]) -> Program {
    let mut program = Program::new();
    for (index, text) in texts.iter().enumerate() {
        parse_module(&mut program, &format!("m{index}"), text).expect("the test's module parses");
    }
    program
}

fn link_all(program: &Program) -> Linkage {
    link(program, |_| Role::Program).expect("links")
}

/// Links with module 0 as the program and all others as library modules.
fn link_library(program: &Program) -> Linkage {
    link(program, |module| if module.0 == 0 { Role::Program } else { Role::Library }).expect("links")
}

fn symbol(program: &Program, module: u32, name: &str) -> SymbolId {
    let found = program.symbols.iter().position(|symbol| *symbol.name == *name && symbol.module == ModuleId(module));
    SymbolId::new(found.unwrap_or_else(|| panic!("m{module} has no symbol {name}")))
}

/// Where the use of `name` in `module` ends: the defining module and the name there.
fn resolved(program: &Program, linkage: &Linkage, module: u32, name: &str) -> (u32, String) {
    let target = match linkage.definition(symbol(program, module, name)) {
        Definition::Function(function) => program.function(function).symbol,
        Definition::Global(global) => program.global(global).symbol,
        other => panic!("{name} is {other:?}"),
    };
    let target = program.symbol(target);
    (target.module.0, target.name.to_string())
}

fn undefined_names(program: &Program, linkage: &Linkage) -> Vec<String> {
    linkage.undefined_symbols().iter().map(|&id| program.symbol(id).name.to_string()).collect()
}

fn structor_names(program: &Program, structors: &[Structor]) -> Vec<(u32, String)> {
    let name = |structor: &Structor| match program.consts[structor.function].kind {
        ConstKind::Symbol(symbol) => program.symbol(symbol).name.to_string(),
        ref other => panic!("{other:?}"),
    };
    structors.iter().map(|structor| (structor.priority, name(structor))).collect()
}

const CALLS_F: &str = "declare i32 @f()\n define i32 @main() {\n %r = call i32 @f()\n ret i32 %r\n}";

fn defines_f(linkage: &str) -> String {
    format!("define {linkage} i32 @f() {{\n ret i32 1\n}}")
}

#[test]
fn declaration_finds_definition_in_another_module() {
    let p = program(&[CALLS_F, &defines_f("")]);
    let linkage = link_all(&p);
    assert_eq!(resolved(&p, &linkage, 0, "f"), (1, "f".into()));
    assert_eq!(resolved(&p, &linkage, 1, "f"), (1, "f".into()));
    assert!(linkage.undefined_symbols().is_empty());
}

#[test]
fn precedence_between_linkages() {
    // For each pair, in both orders, the first must win; equal weak definitions go by module order.
    for (winner, loser) in
        [("", "weak"), ("", "linkonce_odr"), ("", "available_externally"), ("weak", "available_externally")]
    {
        let (winner, loser) = (defines_f(winner), defines_f(loser));
        let p = program(&[CALLS_F, &winner, &loser]);
        assert_eq!(resolved(&p, &link_all(&p), 0, "f").0, 1, "{winner} {loser}");
        let p = program(&[CALLS_F, &loser, &winner]);
        assert_eq!(resolved(&p, &link_all(&p), 0, "f").0, 2, "{winner} {loser}");
    }
    let p = program(&[CALLS_F, &defines_f("weak"), &defines_f("weak")]);
    let linkage = link_all(&p);
    assert_eq!(resolved(&p, &linkage, 0, "f").0, 1);
    assert_eq!(resolved(&p, &linkage, 2, "f").0, 1, "the losing module uses the winner too");
}

#[test]
fn two_strong_definitions_are_refused() {
    let p = program(&[&defines_f(""), CALLS_F, &defines_f("")]);
    let error = link(&p, |_| Role::Program).unwrap_err();
    assert_eq!(error, LinkError::Duplicate { symbol: "f".into(), first: "m0".into(), second: "m2".into() });
    assert_eq!(error.to_string(), "`f` is defined in both m0 and m2");
}

#[test]
fn internal_symbols_stay_in_their_module() {
    let p = program(&[CALLS_F, &defines_f("internal"), &defines_f("private")]);
    let linkage = link_all(&p);
    assert_eq!(linkage.definition(symbol(&p, 0, "f")), Definition::Undefined);
    assert_eq!(resolved(&p, &linkage, 1, "f").0, 1);
    assert_eq!(resolved(&p, &linkage, 2, "f").0, 2);
    assert_eq!(undefined_names(&p, &linkage), ["f"]);
}

#[test]
fn largest_common_wins_and_keeps_the_strictest_alignment() {
    let p = program(&[
        "@x = common global i32 0, align 16",
        "@x = common global [8 x i32] zeroinitializer, align 4",
        "@x = common global i64 0, align 32",
    ]);
    let linkage = link_all(&p);
    let Definition::Global(winner) = linkage.definition(symbol(&p, 0, "x")) else { panic!("x is a variable") };
    assert_eq!(p.symbol(p.global(winner).symbol).module, ModuleId(1));
    assert_eq!(linkage.align(&p, winner), 32);
    assert_eq!(linkage.globals(), [winner]);
}

#[test]
fn common_is_between_strong_and_weak() {
    let p = program(&["@x = common global i64 0", "@x = global i32 7"]);
    assert_eq!(resolved(&p, &link_all(&p), 0, "x").0, 1);
    let p = program(&["@x = weak global i64 1", "@x = common global i32 0"]);
    assert_eq!(resolved(&p, &link_all(&p), 0, "x").0, 1);
}

#[test]
fn undefined_weak_is_no_missing_symbol() {
    let p = program(&["declare extern_weak void @hook()\n@v = extern_weak global i32\n@w = external global i32"]);
    let linkage = link_all(&p);
    assert_eq!(linkage.definition(symbol(&p, 0, "hook")), Definition::UndefinedWeak);
    assert_eq!(linkage.definition(symbol(&p, 0, "v")), Definition::UndefinedWeak);
    assert_eq!(undefined_names(&p, &linkage), ["w"]);

    let p = program(&["declare extern_weak i32 @f()", &defines_f("")]);
    assert_eq!(resolved(&p, &link_all(&p), 0, "f").0, 1);
}

#[test]
fn intrinsics_are_never_undefined() {
    let p = program(&["declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n\
        @llvm.used = appending global [1 x ptr] [ptr @x], section \"llvm.metadata\"\n@x = global i32 0"]);
    let linkage = link_all(&p);
    assert_eq!(linkage.definition(symbol(&p, 0, "llvm.memset.p0.i64")), Definition::Intrinsic);
    assert!(linkage.undefined_symbols().is_empty());
    assert_eq!(linkage.globals().len(), 1, "llvm.used is no variable of the program");
}

#[test]
fn undefined_symbols_are_named_once_in_order() {
    let p = program(&["declare void @b()\ndeclare void @a()", "declare void @a()\ndeclare void @c()"]);
    assert_eq!(undefined_names(&p, &link_all(&p)), ["b", "a", "c"]);
}

#[test]
fn structors_run_by_priority_then_module_order() {
    let module = |table: &str, entries: &[(u32, &str)]| {
        let bodies: String = entries.iter().map(|(_, f)| format!("define void @{f}() {{\n ret void\n}}\n")).collect();
        let list: Vec<String> =
            entries.iter().map(|(p, f)| format!("{{ i32, ptr, ptr }} {{ i32 {p}, ptr @{f}, ptr null }}")).collect();
        let n = entries.len();
        format!("{bodies}@{table} = appending global [{n} x {{ i32, ptr, ptr }}] [{}]", list.join(", "))
    };
    for table in ["llvm.global_ctors", "llvm.global_dtors"] {
        let p = program(&[
            &module(table, &[(65535, "a"), (101, "b")]),
            "@other = global i32 0",
            &module(table, &[(65535, "c"), (7, "d"), (101, "e")]),
        ]);
        let linkage = link_all(&p);
        let expected = [(7, "d"), (101, "b"), (101, "e"), (65535, "a"), (65535, "c")].map(|(p, f)| (p, f.to_string()));
        if table == "llvm.global_ctors" {
            assert_eq!(structor_names(&p, linkage.constructors()), expected);
            assert!(linkage.destructors().is_empty());
        } else {
            let reversed: Vec<_> = expected.into_iter().rev().collect();
            assert_eq!(structor_names(&p, linkage.destructors()), reversed);
            assert!(linkage.constructors().is_empty());
        }
    }
}

#[test]
fn aliases_are_followed_across_modules() {
    let p = program(&[
        "declare i32 @g()\n@h = external global i32",
        "define i32 @f() {\n ret i32 1\n}\n@mid = internal alias i32 (), ptr @f\n@g = alias i32 (), ptr @mid\n\
         @array = internal global [4 x i32] zeroinitializer\n\
         @h = alias i32, getelementptr inbounds ([4 x i32], ptr @array, i64 0, i64 2)",
    ]);
    let linkage = link_all(&p);
    assert_eq!(resolved(&p, &linkage, 0, "g"), (1, "f".into()));
    let Definition::Address(address) = linkage.definition(symbol(&p, 0, "h")) else { panic!("h is an address") };
    assert!(matches!(p.consts[address].kind, ConstKind::Expr(_)));
    assert_eq!(linkage.globals().len(), 1);
}

#[test]
fn alias_keeps_its_own_module_s_definition() {
    let p = program(&["@x = weak global i32 1\n@y = alias i32, ptr @x", "@x = global i32 2"]);
    let linkage = link_all(&p);
    assert_eq!(resolved(&p, &linkage, 0, "x").0, 1);
    assert_eq!(resolved(&p, &linkage, 0, "y"), (0, "x".into()));
    assert_eq!(linkage.globals().len(), 2, "both variables exist");
}

#[test]
fn alias_cycles_are_refused() {
    for text in [
        "@a = alias i32, ptr @b\n@b = alias i32, ptr @a",
        "@a = alias i32, ptr @a",
        "@a = alias i32, ptr @b\n@b = alias i32, getelementptr (i32, ptr @a, i64 1)",
    ] {
        let p = program(&[text]);
        assert!(matches!(link(&p, |_| Role::Program), Err(LinkError::AliasCycle { .. })), "{text}");
    }
    let p = program(&["@x = global i32 0\n@a = alias i32, ptr @b\n@c = alias i32, ptr @b\n@b = alias i32, ptr @x"]);
    assert_eq!(resolved(&p, &link_all(&p), 0, "a"), (0, "x".into()));
}

#[test]
fn library_modules_are_linked_on_demand() {
    let p = program(&[
        CALLS_F,
        "declare i32 @g()\ndefine i32 @f() {\n %r = call i32 @g()\n ret i32 %r\n}",
        "define i32 @unrelated() {\n ret i32 0\n}\ndeclare void @would_be_missing()",
        "define i32 @g() {\n ret i32 2\n}",
        &defines_f(""),
    ]);
    let linkage = link_library(&p);
    assert_eq!(linkage.linked_modules(), [ModuleId(0), ModuleId(1), ModuleId(3)]);
    assert_eq!(resolved(&p, &linkage, 1, "g").0, 3);
    assert!(linkage.undefined_symbols().is_empty(), "modules that were left out need nothing");
    assert_eq!(linkage.lookup(&p, "unrelated"), None);
}

#[test]
fn weak_reference_pulls_no_library_module() {
    let p = program(&["declare extern_weak i32 @f()", &defines_f("")]);
    let linkage = link_library(&p);
    assert_eq!(linkage.linked_modules(), [ModuleId(0)]);
    assert_eq!(linkage.definition(symbol(&p, 0, "f")), Definition::UndefinedWeak);
}

#[test]
fn program_s_own_definition_beats_the_library_s() {
    let library = "define ptr @malloc(i64 %n) {\n ret ptr null\n}\n\
        define ptr @calloc(i64 %n, i64 %m) {\n %p = call ptr @malloc(i64 %n)\n ret ptr %p\n}";
    for own in ["", "weak"] {
        let user = format!("declare ptr @calloc(i64, i64)\ndefine {own} ptr @malloc(i64 %n) {{\n ret ptr null\n}}");
        let p = program(&[&user, library]);
        let linkage = link_library(&p);
        assert_eq!(resolved(&p, &linkage, 0, "calloc").0, 1);
        assert_eq!(resolved(&p, &linkage, 1, "malloc").0, 0, "the library calls the program's malloc");
    }
}

#[test]
fn optimizer_s_copy_gives_way_to_the_library_but_pulls_nothing() {
    let user = format!("{}\ndeclare void @g()", defines_f("available_externally"));
    let p = program(&[&user, &defines_f("")]);
    let linkage = link_library(&p);
    assert_eq!(linkage.linked_modules(), [ModuleId(0)]);
    assert_eq!(resolved(&p, &linkage, 0, "f").0, 0);

    let library = format!("{}\ndefine void @g() {{\n ret void\n}}", defines_f("weak"));
    let p = program(&[&user, &library]);
    assert_eq!(resolved(&p, &link_library(&p), 0, "f").0, 1);
}

#[test]
fn linking_again_after_adding_a_module() {
    let mut p = program(&[CALLS_F]);
    let linkage = link_library(&p);
    assert_eq!(undefined_names(&p, &linkage), ["f"]);
    parse_module(&mut p, "library", &defines_f("")).unwrap();
    let added = SymbolId::new(p.symbols.len() - 1);
    assert_eq!(linkage.definition(added), Definition::Undefined, "not part of the earlier link");
    let linkage = link_library(&p);
    assert!(linkage.undefined_symbols().is_empty());
    assert_eq!(linkage.lookup(&p, "f"), Some(linkage.definition(added)));
}

#[test]
fn direct_callee_is_found_by_its_declaration() {
    let p = program(&[CALLS_F, &defines_f("")]);
    let linkage = link_all(&p);
    let SymbolKind::Function(declared) = p.symbol(symbol(&p, 0, "f")).kind else { panic!("f is a function") };
    let SymbolKind::Function(defined) = p.symbol(symbol(&p, 1, "f")).kind else { panic!("f is a function") };
    assert_ne!(declared, defined);
    assert_eq!(linkage.function(&p, declared), Definition::Function(defined));
    assert!(matches!(linkage.lookup(&p, "main"), Some(Definition::Function(FuncId(_)))));
}

#[test]
fn unmangled_names_are_the_same_names() {
    let p = program(&[CALLS_F, "define i32 @\"\\01f\"() {\n ret i32 1\n}"]);
    assert_eq!(resolved(&p, &link_all(&p), 0, "f").0, 1);
}
