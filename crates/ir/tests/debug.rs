//! Debug info of real C, compiled at test time by every clang that is installed, at several optimization levels.

mod parse_support;

use parse_support::compilers;
use spelunk_ir::debug::{ArrayLen, CType, CTypeId, DebugInfo, Encoding, Enumerator, Member, RecordKind};
use spelunk_ir::model::{Callee, FuncId, GlobalId, InstKind, MdField, MdId, MdNode, MdValue, Program};
use spelunk_ir::parse::parse_module;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

const SOURCE: &str = r#"
enum color { RED, GREEN = -5, BLUE = 7 };
enum wide { WIDEST = 0xffffffffffffffffull };
typedef unsigned char byte;
typedef int (*cmp_fn)(const void *, const void *);
typedef struct { double re, im; } complex_t;
typedef float v4 __attribute__((vector_size(16)));
struct hidden;
struct bits { unsigned a : 3; int b : 5; unsigned : 0; _Bool c : 1; long whole; };
struct node {
    struct node *next;
    union { int i; float f; };
    struct { long x, y; } pos;
    byte name[16];
    int grid[3][4];
    cmp_fn cmp;
    enum color color;
    struct hidden *hidden;
    int tail[];
};

struct node *list;
struct bits bits;
static int counter = 3;
const volatile int readings[2];
_Atomic int atomic;
int (*table[4])(int, char *, ...);
struct node *(*rows)[4];
char *const *argv_like;
void (*handler(int sig, void (*func)(int)))(int) { return sig ? func : 0; }
void *const volatile blob;
enum wide wide_one;
complex_t point;
v4 vec;
cmp_fn compare;
union either { char c; long l; } either;

extern int limit;
static inline int inner(int p) {
    int q = p * 2;
    if (q > limit) __builtin_trap(); /* TRAP */
    return q + limit;
}
static inline int middle(int m) {
    return inner(m + 1); /* CALL INNER */
}
int outer(int n, char *restrict s, ...) {
    static int calls;
    calls++;
    int vla[n][3];
    {
        int shadow = n + counter++; /* SHADOW */
        vla[0][0] = shadow;
        s[0] = 1;
    }
    return middle(n) /* CALL MIDDLE */ + vla[n - 1][1] + calls;
}
static void unnamed(int, long l) ;
void (*use)(int, long) = unnamed;
static void unnamed(int ignored, long l) { counter += l; }
int no_prototype();
int calls_it(void) { return no_prototype(1); }
struct node *find(struct node *from, const char *key) {
    for (struct node *at = from; at; at = at->next)
        if (at->name[0] == (byte)key[0]) return at;
    return 0;
}
"#;

fn line_of(marker: &str) -> u32 {
    let position = SOURCE.lines().position(|line| line.contains(marker)).expect("the marker is in the source");
    position as u32 + 1
}

/// The compiled source. Tests run side by side, so each combination is compiled once, under a lock.
fn unit(compiler: &str, level: &str) -> Arc<str> {
    static UNITS: Mutex<BTreeMap<(String, String), Arc<str>>> = Mutex::new(BTreeMap::new());
    let mut units = UNITS.lock().unwrap_or_else(PoisonError::into_inner);
    let compiled = || compile(compiler, level, "unit.c", SOURCE).into();
    units.entry((compiler.to_owned(), level.to_owned())).or_insert_with(compiled).clone()
}

fn compile(compiler: &str, level: &str, name: &str, source: &str) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("debug-{compiler}-{level}"));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join(name), source).unwrap();
    let output = Command::new(compiler)
        .current_dir(&directory)
        .args(["-g", level, "-S", "-emit-llvm", "-w", "-std=gnu11", "-o", "-", name])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs `check` on the program that each compiler makes of the source at each of the levels.
fn check_each(levels: &[&str], check: impl Fn(&Program, &DebugInfo<'_>)) {
    for compiler in compilers() {
        for level in levels {
            println!("{compiler} {level}");
            let text = unit(compiler, level);
            let mut program = Program::new();
            parse_module(&mut program, "unit.ll", &text).unwrap_or_else(|error| panic!("{error}"));
            check(&program, &DebugInfo::new(&program));
        }
    }
}

const ALL_LEVELS: &[&str] = &["-O0", "-O1", "-O2"];

fn function(program: &Program, name: &str) -> FuncId {
    let named = |function: &spelunk_ir::model::Function| *program.symbol(function.symbol).name == *name;
    FuncId::new(program.functions.iter().position(named).unwrap_or_else(|| panic!("no function {name}")))
}

fn global(program: &Program, name: &str) -> GlobalId {
    let named = |global: &spelunk_ir::model::GlobalVar| *program.symbol(global.symbol).name == *name;
    GlobalId::new(program.globals.iter().position(named).unwrap_or_else(|| panic!("no global {name}")))
}

fn type_of(program: &Program, debug: &DebugInfo<'_>, name: &str) -> CTypeId {
    debug.global_variable(global(program, name)).unwrap_or_else(|| panic!("{name} has no debug info")).ty
}

fn pointee(debug: &DebugInfo<'_>, ty: CTypeId) -> CTypeId {
    match debug.ctype(debug.unqualified(ty)) {
        CType::Pointer { target } => target,
        other => panic!("not a pointer: {other:?}"),
    }
}

fn members<'p>(debug: &DebugInfo<'p>, ty: CTypeId) -> Vec<Member<'p>> {
    match debug.ctype(debug.unqualified(ty)) {
        CType::Record { members, .. } => members,
        other => panic!("not a record: {other:?}"),
    }
}

fn member<'p>(debug: &DebugInfo<'p>, ty: CTypeId, name: &str) -> Member<'p> {
    let found = members(debug, ty).into_iter().find(|member| member.name == Some(name));
    found.unwrap_or_else(|| panic!("no member {name}"))
}

#[test]
fn declarations_read_as_in_the_source() {
    check_each(ALL_LEVELS, |program, debug| {
        let expected = [
            ("list", "struct node *list"),
            ("bits", "struct bits bits"),
            ("counter", "int counter"),
            ("atomic", "_Atomic int atomic"),
            ("table", "int (*table[4])(int, char *, ...)"),
            ("rows", "struct node *(*rows)[4]"),
            ("argv_like", "char *const *argv_like"),
            ("blob", "void *const volatile blob"),
            ("wide_one", "enum wide wide_one"),
            ("point", "complex_t point"),
            ("vec", "v4 vec"),
            ("compare", "cmp_fn compare"),
            ("either", "union either either"),
            ("use", "void (*use)(int, long)"),
        ];
        for (name, declaration) in expected {
            assert_eq!(debug.declaration(type_of(program, debug, name), name), declaration);
        }
        assert_eq!(debug.type_name(type_of(program, debug, "rows")), "struct node *(*)[4]");
        assert_eq!(debug.type_name(CTypeId::VOID), "void");
        assert_eq!(debug.type_name(debug.unqualified(type_of(program, debug, "point"))), "complex_t");
        let compare = debug.unqualified(type_of(program, debug, "compare"));
        assert_eq!(debug.type_name(compare), "int (*)(const void *, const void *)");
        let handler = debug.function(function(program, "handler")).unwrap();
        assert_eq!(debug.declaration(handler.ty, "handler"), "void (*handler(int, void (*)(int)))(int)");
    });
}

#[test]
fn constant_arrays_have_qualified_elements() {
    // Optimized code may hold a constant that nothing uses as a plain value.
    check_each(&["-O0"], |program, debug| {
        let ty = type_of(program, debug, "readings");
        let spelled = debug.declaration(ty, "readings");
        assert_eq!(spelled, "const volatile int readings[2]");
        assert_eq!(debug.size_of(ty), Some(8));
    });
}

#[test]
fn struct_members() {
    check_each(ALL_LEVELS, |program, debug| {
        let list = type_of(program, debug, "list");
        let node = pointee(debug, list);
        let CType::Record { kind, name, size, members } = debug.ctype(node) else { panic!("node is a struct") };
        assert_eq!((kind, name, size), (RecordKind::Struct, Some("node"), Some(120)));
        let layout: Vec<(Option<&str>, u64)> = members.iter().map(|member| (member.name, member.bit_offset)).collect();
        let expected = [
            (Some("next"), 0),
            (None, 64),
            (Some("pos"), 128),
            (Some("name"), 256),
            (Some("grid"), 384),
            (Some("cmp"), 768),
            (Some("color"), 832),
            (Some("hidden"), 896),
            (Some("tail"), 960),
        ];
        assert_eq!(layout, expected);
        assert!(members.iter().all(|member| member.bit_width.is_none()));
        assert_eq!(pointee(debug, members[0].ty), node, "the recursion closes");

        let CType::Record { kind: RecordKind::Union, name: None, size: Some(4), members: inside } =
            debug.ctype(members[1].ty)
        else {
            panic!("an anonymous union")
        };
        assert_eq!(
            inside.iter().map(|member| (member.name, member.bit_offset)).collect::<Vec<_>>(),
            [(Some("i"), 0), (Some("f"), 0)]
        );
        assert_eq!(debug.size_of(member(debug, node, "pos").ty), Some(16));

        let CType::Array { elem, dims } = debug.ctype(member(debug, node, "grid").ty) else { panic!("an array") };
        assert_eq!(dims, [ArrayLen::Known(3), ArrayLen::Known(4)]);
        assert_eq!(debug.ctype(elem), CType::Base { name: "int", size: 4, encoding: Encoding::Signed });
        assert_eq!(debug.size_of(member(debug, node, "grid").ty), Some(48));
        assert_eq!(debug.declaration(member(debug, node, "grid").ty, "grid"), "int grid[3][4]");

        let tail = member(debug, node, "tail").ty;
        assert!(matches!(debug.ctype(tail), CType::Array { dims, .. } if dims == [ArrayLen::Unknown]));
        assert_eq!((debug.declaration(tail, "tail").as_str(), debug.size_of(tail)), ("int tail[]", None));

        let name = member(debug, node, "name").ty;
        assert_eq!((debug.declaration(name, "name").as_str(), debug.size_of(name)), ("byte name[16]", Some(16)));
    });
}

#[test]
fn forward_declarations_are_completed_across_modules() {
    let other = "struct hidden { int secret; char pad[12]; }; struct hidden it;";
    for compiler in compilers() {
        let mut program = Program::new();
        parse_module(&mut program, "unit.ll", &unit(compiler, "-O0")).unwrap();
        let hidden = |debug: &DebugInfo<'_>| {
            let node = pointee(debug, type_of(&program, debug, "list"));
            pointee(debug, member(debug, node, "hidden").ty)
        };
        let debug = DebugInfo::new(&program);
        let alone = hidden(&debug);
        assert!(matches!(debug.ctype(alone), CType::Record { name: Some("hidden"), size: None, .. }));
        assert_eq!((debug.complete(alone), debug.size_of(alone)), (alone, None));

        parse_module(&mut program, "other.ll", &compile(compiler, "-O0", "other.c", other)).unwrap();
        let debug = DebugInfo::new(&program);
        assert_eq!(members(&debug, debug.complete(alone))[0].name, Some("secret"));
        assert_eq!(debug.size_of(alone), Some(16));
        assert_eq!(debug.compile_units().len(), 2);
    }
}

#[test]
fn bit_fields() {
    check_each(ALL_LEVELS, |program, debug| {
        let fields = members(debug, type_of(program, debug, "bits"));
        let layout: Vec<_> =
            fields.iter().map(|field| (field.name.unwrap(), field.bit_offset, field.bit_width)).collect();
        let expected = [("a", 0, Some(3)), ("b", 3, Some(5)), ("c", 32, Some(1)), ("whole", 64, None)];
        assert_eq!(layout, expected);
        assert_eq!(debug.ctype(fields[2].ty), CType::Base { name: "_Bool", size: 1, encoding: Encoding::Boolean });
    });
}

#[test]
fn enums() {
    check_each(ALL_LEVELS, |program, debug| {
        let node = pointee(debug, type_of(program, debug, "list"));
        let CType::Enum { name, base, size, values } = debug.ctype(member(debug, node, "color").ty) else {
            panic!("color is an enum")
        };
        assert_eq!((name, size), (Some("color"), Some(4)));
        assert!(matches!(debug.ctype(base.unwrap()), CType::Base { name: "int", .. }));
        let expected = [("RED", 0), ("GREEN", -5), ("BLUE", 7)].map(|(name, value)| Enumerator { name, value });
        assert_eq!(values, expected);
        let CType::Enum { values, size: Some(8), .. } = debug.ctype(type_of(program, debug, "wide_one")) else {
            panic!("wide is an enum of 8 bytes")
        };
        assert_eq!(values, [Enumerator { name: "WIDEST", value: i128::from(u64::MAX) }]);
    });
}

#[test]
fn vectors_are_no_arrays() {
    check_each(ALL_LEVELS, |program, debug| {
        let vec = type_of(program, debug, "vec");
        let CType::Vector { elem, len } = debug.ctype(debug.unqualified(vec)) else { panic!("a vector") };
        assert_eq!((debug.type_name(elem).as_str(), len, debug.size_of(vec)), ("float", ArrayLen::Known(4), Some(16)));
    });
}

#[test]
fn functions_with_their_parameters() {
    check_each(ALL_LEVELS, |program, debug| {
        let outer = debug.function(function(program, "outer")).unwrap();
        assert_eq!((outer.name, outer.line, outer.varargs), ("outer", line_of("int outer"), true));
        assert!(outer.is_definition && !outer.is_local);
        assert_eq!(debug.type_name(outer.ret), "int");
        let params: Vec<String> =
            outer.params.iter().map(|param| debug.declaration(param.ty, param.name.unwrap())).collect();
        assert_eq!(params, ["int n", "char *restrict s"]);
        assert!(outer.file.unwrap().path().ends_with("unit.c"));

        let calls_it = debug.function(function(program, "calls_it")).unwrap();
        assert!(calls_it.params.is_empty() && !calls_it.varargs);
        assert_eq!(debug.declaration(calls_it.ty, "f"), "int f(void)");

        let find = debug.function(function(program, "find")).unwrap();
        assert_eq!(debug.declaration(find.ty, "find"), "struct node *find(struct node *, const char *)");
    });
    check_each(&["-O0"], |program, debug| {
        let unnamed = debug.function(function(program, "unnamed")).unwrap();
        assert!(unnamed.is_local);
        assert_eq!(unnamed.params.iter().map(|param| param.name).collect::<Vec<_>>(), [Some("ignored"), Some("l")]);
    });
}

#[test]
fn local_variables_and_their_scopes() {
    check_each(&["-O0"], |program, debug| {
        let variables = debug.local_variables(function(program, "outer"));
        let visible: Vec<_> = variables.iter().filter(|variable| !variable.is_artificial).collect();
        let summary: Vec<_> = visible.iter().map(|variable| (variable.name.unwrap(), variable.arg)).collect();
        assert_eq!(summary, [("n", 1), ("s", 2), ("vla", 0), ("shadow", 0)]);
        let [_, _, vla, shadow] = visible[..] else { unreachable!() };
        assert_eq!(shadow.line, line_of("SHADOW"));
        assert_ne!(shadow.scope, vla.scope, "shadow is declared in a block");
        let outer = debug.function(function(program, "outer")).unwrap();
        assert_eq!(debug.enclosing_function(shadow.scope.unwrap()), Some(outer.id));

        let CType::Array { dims, .. } = debug.ctype(vla.ty) else { panic!("an array") };
        let [ArrayLen::Variable(length), ArrayLen::Known(3)] = dims[..] else { panic!("{dims:?}") };
        assert!(debug.local_variable(length, None).unwrap().is_artificial);
        assert_eq!(debug.declaration(vla.ty, "vla"), "int vla[*][3]");
    });
}

#[test]
fn inlined_variables_belong_to_their_call() {
    check_each(&["-O2"], |program, debug| {
        let variables = debug.local_variables(function(program, "outer"));
        let q = variables.iter().find(|variable| variable.name == Some("q")).expect("inner was inlined");
        let chain: Vec<_> =
            debug.inline_chain(q.inlined_at.unwrap()).map(|loc| (loc.function.unwrap(), loc.line)).collect();
        assert_eq!(chain, [("middle", line_of("CALL INNER")), ("outer", line_of("CALL MIDDLE"))]);
        let outer = debug.function(function(program, "outer")).unwrap();
        assert_eq!(outer.params.iter().map(|param| param.name).collect::<Vec<_>>(), [Some("n"), Some("s")]);
    });
}

#[test]
fn variables_are_listed_once() {
    check_each(&["-O2"], |program, debug| {
        let find = function(program, "find");
        let at: Vec<_> = debug.local_variables(find).into_iter().filter(|one| one.name == Some("at")).collect();
        assert_eq!(at.len(), 1);
        let records = &program.function(find).debug_records;
        assert!(records.iter().filter(|record| record.variable == at[0].id).count() > 1, "the loop moves it");
    });
}

/// The chain of positions of the instruction that traps.
fn trap_chain(program: &Program, debug: &DebugInfo<'_>, name: &str) -> Vec<(String, u32)> {
    let body = program.function(function(program, name));
    let callee = function(program, "llvm.trap");
    let is_trap = |kind: &InstKind| matches!(kind, InstKind::Call { callee: Callee::Direct(id), .. } if *id == callee);
    let trap = body.insts.iter().find(|inst| is_trap(&inst.kind)).expect("code traps");
    let chain = debug.inline_chain(trap.loc.expect("it has a position"));
    chain.map(|loc| (loc.function.unwrap().to_owned(), loc.line)).collect()
}

#[test]
fn positions_follow_inlining() {
    let at_trap = ("inner".to_owned(), line_of("TRAP"));
    check_each(&["-O0"], |program, debug| assert_eq!(trap_chain(program, debug, "inner"), vec![at_trap.clone()]));
    check_each(&["-O2"], |program, debug| {
        let expected = [
            at_trap.clone(),
            ("middle".to_owned(), line_of("CALL INNER")),
            ("outer".to_owned(), line_of("CALL MIDDLE")),
        ];
        assert_eq!(trap_chain(program, debug, "outer"), expected);
    });
}

#[test]
fn positions_name_their_file() {
    check_each(ALL_LEVELS, |program, debug| {
        let body = program.function(function(program, "handler"));
        let loc = debug.location(body.insts.last().unwrap().loc.unwrap()).unwrap();
        let file = loc.file.unwrap();
        assert_eq!((file.filename, loc.function, loc.inlined_at), ("unit.c", Some("handler"), None));
        assert!(Path::new(file.directory).is_absolute() && file.path().is_file());
        assert!(loc.column > 0);
        assert_eq!(debug.source_files(), [file]);
    });
}

#[test]
fn code_from_an_included_file_says_so() {
    let source = "int f(int a) {\n# 70 \"sub/included.h\"\n return 10 / a;\n}";
    for compiler in compilers() {
        let mut program = Program::new();
        parse_module(&mut program, "unit.ll", &compile(compiler, "-O0", "line.c", source)).unwrap();
        let debug = DebugInfo::new(&program);
        let body = program.function(function(&program, "f"));
        let division = body.insts.iter().find(|inst| matches!(inst.kind, InstKind::Binary { .. })).unwrap();
        let loc = debug.location(division.loc.unwrap()).unwrap();
        assert_eq!((loc.file.unwrap().filename, loc.line, loc.function), ("sub/included.h", 70, Some("f")));
    }
}

#[test]
fn globals_and_static_locals() {
    check_each(ALL_LEVELS, |program, debug| {
        let counter = debug.global_variable(global(program, "counter")).unwrap();
        assert_eq!((counter.name, counter.is_local, counter.function), ("counter", true, None));
        assert_eq!(counter.line, line_of("static int counter"));
        let list = debug.global_variable(global(program, "list")).unwrap();
        assert!(!list.is_local && list.is_definition && list.fragment.is_none());
        let calls = debug.global_variable(global(program, "outer.calls")).unwrap();
        assert_eq!((calls.name, calls.function), ("calls", Some("outer")));
    });
}

#[test]
fn globals_that_the_optimizer_took_apart() {
    let source = "static struct { long n; char *p; } pair;\n\
        long next(char *p) { if (p) pair.p = p; return pair.n++ + (pair.p ? *pair.p : 0); }";
    for compiler in compilers() {
        let mut program = Program::new();
        parse_module(&mut program, "unit.ll", &compile(compiler, "-O2", "split.c", source)).unwrap();
        let debug = DebugInfo::new(&program);
        let variables = (0..program.globals.len()).filter_map(|id| debug.global_variable(GlobalId::new(id)));
        let mut parts: Vec<(u64, u64)> = variables
            .map(|variable| (variable.name, variable.fragment.expect("a part")))
            .map(|(name, part)| if name == "pair" { (part.offset, part.size) } else { panic!("{name}") })
            .collect();
        parts.sort_unstable();
        assert_eq!(parts, [(0, 64), (64, 64)]);
    }
}

#[test]
fn compile_units() {
    check_each(&["-O0", "-O2"], |_, debug| {
        let [unit] = debug.compile_units()[..] else { panic!("one unit") };
        assert_eq!(unit.file.unwrap().filename, "unit.c");
        assert!(unit.producer.unwrap().contains("clang") && unit.language.unwrap().starts_with("DW_LANG_C"));
    });
}

#[test]
fn code_without_debug_info() {
    let mut program = Program::new();
    parse_module(&mut program, "plain.ll", "@g = global i32 0\ndefine void @f() {\n ret void\n}").unwrap();
    let debug = DebugInfo::new(&program);
    assert_eq!(debug.function(FuncId(0)), None);
    assert_eq!(debug.global_variable(GlobalId(0)), None);
    assert!(debug.local_variables(FuncId(0)).is_empty());
    assert!(debug.compile_units().is_empty() && debug.source_files().is_empty());
    assert_eq!(debug.location(MdId(7)), None);
}

fn named(name: &str, fields: &[(&str, MdValue)]) -> MdNode {
    let fields = fields.iter().map(|(name, value)| MdField { name: (*name).into(), value: value.clone() });
    MdNode::Named { distinct: false, name: name.into(), fields: fields.collect() }
}

/// Nodes that refer to themselves or to nodes of the wrong kind must neither hang nor panic.
#[test]
fn malformed_metadata_is_survived() {
    let tag = |tag: &str| ("tag", MdValue::Symbol(tag.into()));
    let own = |id| MdValue::Node(MdId(id));
    let mut program = Program::new();
    program.metadata.nodes = vec![
        named("DIDerivedType", &[tag("DW_TAG_typedef"), ("name", MdValue::String("t".into())), ("baseType", own(0))]),
        named("DIDerivedType", &[tag("DW_TAG_pointer_type"), ("baseType", own(1))]),
        named("DICompositeType", &[tag("DW_TAG_array_type"), ("baseType", own(2)), ("elements", own(3))]),
        MdNode::Tuple { distinct: false, elems: Box::new([own(4), MdValue::Null, MdValue::Int(3), own(0)]) },
        named("DISubrange", &[("count", MdValue::Int(1))]),
        named("DISubroutineType", &[("types", own(6))]),
        MdNode::Tuple { distinct: false, elems: Box::new([own(5), own(5), own(5)]) },
        named("DILexicalBlock", &[("scope", own(7))]),
        MdNode::Location { line: 1, column: 1, scope: MdId(7), inlined_at: Some(MdId(8)) },
        named("DISubprogram", &[("name", MdValue::String("f".into())), ("type", own(9)), ("file", own(0))]),
        MdNode::Location { line: 1, column: 1, scope: MdId(99), inlined_at: Some(MdId(98)) },
        named("DICompositeType", &[tag("DW_TAG_structure_type"), ("elements", MdValue::Int(5))]),
        MdNode::Missing,
        named("DISubprogram", &[("name", MdValue::String("g".into())), ("type", own(0)), ("retainedNodes", own(3))]),
    ];
    let debug = DebugInfo::new(&program);
    for id in (0..program.metadata.nodes.len() as u32).map(MdId) {
        let _ = debug.subprogram(id);
        let ty = CTypeId::from(id);
        assert!(!debug.type_name(ty).is_empty());
        assert_eq!(debug.size_of(ty).is_some(), id == MdId(1) || id == MdId(11), "{id:?}");
        assert!(debug.inline_chain(id).count() < 10_000);
        debug.enclosing_function(id);
    }
    assert_eq!(debug.location(MdId(10)).unwrap().function, None);
    assert_eq!(debug.source_files(), []);
    assert_eq!(debug.ctype(CTypeId::from(MdId(12))), CType::Unknown);
}
