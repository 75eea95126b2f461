//! Real programs through real compilers: what the parser reads and the printer writes is a fixed point that LLVM takes.

mod parse_support;

use parse_support::{
    assembler_of, assert_assembles, assert_llvm_agrees, c_programs, compile, compilers, newest_assembler, parse,
    print_twice,
};
use spelunk_ir::model::{DbgRecordKind, InstKind, Linkage, SymbolKind};

const WITH_DEBUG_INFO: &[&[&str]] = &[&["-O0", "-g"], &["-O1", "-g"], &["-O2", "-g"]];
const WITHOUT_DEBUG_INFO: &[&[&str]] =
    &[&["-O0"], &["-O1", "-DWEAK_ADDRESS"], &["-O3", "-march=x86-64-v3", "-DWEAK_ADDRESS"]];

#[test]
fn prints_of_programs_with_debug_info_are_fixed_points_that_llvm_accepts() {
    for_each_module(WITH_DEBUG_INFO, |_, name, text| {
        assert_assembles(newest_assembler(), name, &print_twice(name, text));
    });
}

#[test]
fn llvm_reads_prints_of_programs_as_we_do() {
    for_each_module(WITHOUT_DEBUG_INFO, |compiler, name, text| {
        assert_llvm_agrees(assembler_of(compiler), name, &print_twice(name, text));
    });
}

fn for_each_module(all_options: &[&[&str]], check: impl Fn(&str, &str, &str)) {
    for compiler in compilers() {
        for source in c_programs() {
            for options in all_options {
                let name = format!("{compiler} {options:?} {}", source.display());
                check(compiler, &name, &compile(compiler, options, &source));
            }
        }
    }
}

#[test]
fn both_forms_of_debug_records_say_the_same() {
    let counts: Vec<_> = compilers()
        .iter()
        .map(|compiler| {
            let source = &c_programs()[0];
            let (program, _) = parse(compiler, &compile(compiler, &["-O0", "-g"], source));
            let records = || program.functions.iter().flat_map(|function| &function.debug_records);
            assert!(records().all(|record| record.kind == DbgRecordKind::Declare && record.operand.is_some()));
            assert!(records().all(|record| record.location.is_some() && record.expression.is_none()));
            records().count()
        })
        .collect();
    assert!(counts[0] > 10, "{counts:?}");
    assert!(counts.iter().all(|&count| count == counts[0]), "{counts:?}");
}

#[test]
fn no_debug_intrinsic_is_left_as_a_call() {
    for compiler in compilers() {
        let text = compile(compiler, &["-O2", "-g"], &c_programs()[0]);
        let (program, _) = parse(compiler, &text);
        let callees =
            program.functions.iter().flat_map(|function| &function.insts).filter_map(|inst| match &inst.kind {
                InstKind::Call { callee: spelunk_ir::model::Callee::Direct(callee), .. } => Some(*callee),
                _ => None,
            });
        let names: Vec<_> = callees.map(|callee| &program.symbol(program.function(callee).symbol).name).collect();
        assert!(names.iter().any(|name| &***name == "qsort"));
        assert!(names.iter().all(|name| !name.starts_with("llvm.dbg.")));
    }
}

#[test]
fn linkages_aliases_and_unsupported_control_flow_are_kept() {
    let sources = c_programs();
    let find = |name: &str| sources.iter().find(|path| path.ends_with(name)).expect("the program exists");
    for compiler in compilers() {
        let (program, _) = parse(compiler, &compile(compiler, &["-O0", "-g"], find("linkage.c")));
        let symbol =
            |name: &str| program.symbols.iter().find(|symbol| &*symbol.name == name).expect("the symbol exists");
        assert_eq!(symbol("maybe").linkage, Linkage::ExternWeak);
        assert_eq!(symbol("weak_variable").linkage, Linkage::Weak);
        assert_eq!(symbol("set_up").linkage, Linkage::Internal);
        assert!(matches!(symbol("other_name").kind, SymbolKind::Alias(_)));
        assert_eq!(symbol("chosen").kind, SymbolKind::IFunc);
        let noreturn = |name| match symbol(name).kind {
            SymbolKind::Function(function) => program.function(function).noreturn,
            kind => panic!("{name} is {kind:?}"),
        };
        assert!(noreturn("leave") && noreturn("exit") && !noreturn("main"));

        let (program, _) = parse(compiler, &compile(compiler, &["-O0", "-g"], find("unsupported.c")));
        let insts = || program.functions.iter().flat_map(|function| &function.insts);
        for (opcode, n_successors) in [("invoke", 2), ("callbr", 2), ("resume", 0)] {
            assert!(
                insts().any(|inst| matches!(&inst.kind, InstKind::UnsupportedTerminator { name, successors }
                    if &**name == opcode && successors.len() == n_successors)),
                "{compiler}: no {opcode}"
            );
        }
        assert!(insts().any(|inst| matches!(&inst.kind, InstKind::Unsupported { name } if &**name == "landingpad")));
    }
}
