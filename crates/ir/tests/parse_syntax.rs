//! What particular lines become in the model, with syntax of all releases from 15 to 22.

mod parse_support;

use parse_support::{assert_assembles, newest_assembler, parse, print_twice};
use spelunk_bv::{BinOp, CmpOp};
use spelunk_ir::model::{
    Callee, ConstExpr, ConstKind, DbgRecordKind, Function, Inst, InstFlags, InstKind, Linkage, MdNode, MdValue,
    Operand, Program, RmwOp, SymbolKind, Type, TypeTable,
};

/// The first function of a module, as it says it is `define void @f(i32 %0, ptr %p, double %d, <4 x i32> %v)`.
fn body(text: &str) -> Program {
    let text = format!(
        "define void @f(i32 %0, ptr %p, double %d, <4 x i32> %v) {{\n{text}\n  ret void\n}}\n\
         declare i32 @printf(ptr, ...)\ndeclare void @g()\n@x = global i32 0\n"
    );
    print_twice("body", &text);
    parse("body", &text).0
}

fn insts(program: &Program) -> &[Inst] {
    let function: &Function = &program.functions[0];
    &function.insts[..function.insts.len() - 1]
}

/// The only instruction of a body.
fn inst(text: &str) -> InstKind {
    let program = body(text);
    let [inst] = insts(&program) else {
        panic!("{text} is not one instruction");
    };
    inst.kind.clone()
}

#[test]
fn flags_of_all_releases() {
    let flags = |text: &str| match inst(&format!("  %r = {text}")) {
        InstKind::Binary { flags, .. } => flags,
        kind => panic!("{kind:?}"),
    };
    assert_eq!(flags("add nuw nsw i32 %0, 1"), InstFlags { nuw: true, nsw: true, exact: false });
    assert_eq!(flags("udiv exact i32 %0, 4"), InstFlags { exact: true, ..InstFlags::default() });
    assert_eq!(flags("or disjoint i32 %0, 4"), InstFlags::default());
    for text in [
        "  %r = zext nneg i32 %0 to i64",
        "  %r = trunc nuw nsw i32 %0 to i8",
        "  %r = uitofp nneg i32 %0 to float",
        "  %r = fmul reassoc nnan ninf nsz arcp contract afn double %d, %d",
        "  %r = fpext fast float 0.0 to double",
        "  %r = icmp samesign ult i32 %0, 7",
        "  %r = fcmp fast olt double %d, 1.0",
        "  %r = select fast i1 true, double %d, double 1.0",
        "  %r = fneg nsz double %d",
        "  %r = getelementptr inbounds nuw i8, ptr %p, i64 1",
        "  %r = getelementptr nusw nuw i8, ptr %p, i64 1",
    ] {
        inst(text);
    }
    assert!(matches!(inst("  %r = icmp samesign ult i32 %0, 7"), InstKind::ICmp { op: CmpOp::Ult, .. }));
    assert!(matches!(
        inst("  %r = getelementptr inbounds nuw i8, ptr %p, i64 1"),
        InstKind::Gep { inbounds: true, .. }
    ));
    assert!(matches!(inst("  %r = getelementptr nusw i8, ptr %p, i64 1"), InstKind::Gep { inbounds: false, .. }));
}

#[test]
fn memory_accesses() {
    assert!(matches!(
        inst("  %r = load atomic volatile i32, ptr %p syncscope(\"agent\") seq_cst, align 4, !range !{i32 0, i32 2}"),
        InstKind::Load { align: 4, volatile: true, .. }
    ));
    assert!(matches!(
        inst("  store atomic i32 1, ptr @x release, align 8"),
        InstKind::Store { ptr: Operand::Const(_), align: 8, volatile: true, .. }
    ));
    assert!(matches!(
        inst("  %r = atomicrmw volatile uinc_wrap ptr %p, i32 %0 monotonic, align 4"),
        InstKind::AtomicRmw { op: RmwOp::UIncWrap, .. }
    ));
    assert!(matches!(
        inst("  %r = atomicrmw usub_sat ptr %p, i32 %0 monotonic"),
        InstKind::Unsupported { name } if &*name == "atomicrmw usub_sat"
    ));
    assert!(matches!(
        inst("  %r = cmpxchg weak volatile ptr %p, i32 0, i32 1 syncscope(\"s\") acq_rel monotonic, align 4"),
        InstKind::CmpXchg { .. }
    ));
    assert!(matches!(inst("  fence syncscope(\"singlethread\") seq_cst"), InstKind::Fence));
    assert!(matches!(inst("  %r = alloca i8, i64 9, align 16, addrspace(5)"), InstKind::Alloca { align: 16, .. }));
    assert!(matches!(inst("  %r = va_arg ptr %p, i64"), InstKind::VaArg { .. }));
}

#[test]
fn calls_with_everything_around_them() {
    let text = "  %r = tail call fastcc noundef range(i32 0, 9) i32 (ptr, ...) @printf(\
                ptr noundef nonnull align 8 dereferenceable(4) captures(none) initializes((0, 4)) %p, \
                i32 zeroext %0, double nofpclass(nan inf) 0x7FF8000000000000, \
                ptr byval({ i64, i64 }) align 8 %p) nounwind memory(argmem: read, errnomem: write) #3 \
                [ \"deopt\"(i32 1), \"align\"(ptr %p, i64 8) ], !srcloc !{i64 1}\n";
    let program = body(text);
    let [Inst { kind: InstKind::Call { callee, fn_ty, args }, .. }] = insts(&program) else {
        panic!("not one call");
    };
    assert!(matches!(callee, Callee::Direct(function) if program.function(*function).varargs));
    assert!(matches!(program.types[*fn_ty], Type::Function { varargs: true, .. }));
    assert_eq!(args.len(), 4);
    assert_eq!(args[0].attrs.align, 8);
    assert!(args[3].attrs.byval.is_some());
    assert!(matches!(inst("  musttail call void @g()"), InstKind::Call { callee: Callee::Direct(_), .. }));
    assert!(matches!(inst("  notail call cc 10 void %p()"), InstKind::Call { callee: Callee::Indirect(_), .. }));
    let InstKind::Call { callee: Callee::Asm(asm), args, .. } = inst(
        "  call void asm sideeffect alignstack inteldialect \"mov \\22$0\\22\", \"=*m,~{memory}\"(ptr elementtype(i32) %p)",
    ) else {
        panic!("not inline assembly");
    };
    assert_eq!((&*asm.template, &*asm.constraints, asm.side_effect), ("mov \"$0\"", "=*m,~{memory}", true));
    assert_eq!(args[0].attrs.elementtype, Some(TypeTable::I32));
}

#[test]
fn forward_references_and_labels_of_every_form() {
    let text = "  br i1 true, label %\"quoted \\22 label\", label %7\n\
                \"quoted \\22 label\":\n  %late = add i32 %early, 1\n  br label %7\n\
                7:\n  %early = phi i32 [ 0, %1 ], [ %late, %\"quoted \\22 label\" ]\n  br label %dotted.label-1\n\
                dotted.label-1:\n";
    let program = body(text);
    let function = &program.functions[0];
    assert_eq!(function.blocks.len(), 4);
    let InstKind::CondBr { then, other, .. } = function.insts[0].kind else {
        panic!("{:?}", function.insts[0]);
    };
    assert_eq!((then.0, other.0), (1, 2));
    let InstKind::Phi { incoming } = &function.insts[3].kind else {
        panic!("{:?}", function.insts[3]);
    };
    assert_eq!(incoming.iter().map(|(_, block)| block.0).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(incoming[1].0, Operand::Local(function.insts[1].result.expect("an addition has a result")));
}

#[test]
fn debug_records_of_both_forms() {
    let new = "  #dbg_declare(ptr %p, !1, !DIExpression(), !2)\n  #dbg_value(i32 %0, !1, !DIExpression(DW_OP_deref), !2)\n  \
               #dbg_value(!DIArgList(i32 %0, i64 4), !1, !DIExpression(), !2)\n  \
               #dbg_assign(i32 5, !1, !DIExpression(), !DIAssignID(), ptr %p, !DIExpression(), !2)\n  \
               #dbg_label(!3, !2)\n  #dbg_of_the_future(!{}, 7)\n";
    let old = "  call void @llvm.dbg.declare(metadata ptr %p, metadata !1, metadata !DIExpression()), !dbg !2\n  \
               call void @llvm.dbg.value(metadata i32 %0, metadata !1, metadata !DIExpression(DW_OP_deref)), !dbg !2\n  \
               call void @llvm.dbg.value(metadata !DIArgList(i32 %0, i64 4), metadata !1, metadata !DIExpression()), !dbg !2\n  \
               call void @llvm.dbg.assign(metadata i32 5, metadata !1, metadata !DIExpression(), metadata !4, \
               metadata ptr %p, metadata !DIExpression()), !dbg !2\n  \
               call void @llvm.dbg.label(metadata !3), !dbg !2\n";
    for text in [new, old] {
        let program = body(text);
        let records = &program.functions[0].debug_records;
        let kinds: Vec<_> = records.iter().map(|record| record.kind).collect();
        let value = DbgRecordKind::Value;
        assert_eq!(kinds, [DbgRecordKind::Declare, value, value, value]);
        let operands: Vec<_> = records.iter().map(|record| record.operand.is_some()).collect();
        assert_eq!(operands, [true, true, false, true]);
        let expressions: Vec<_> = records.iter().map(|record| record.expression.is_some()).collect();
        assert_eq!(expressions, [false, true, false, false]);
        assert!(records.iter().all(|record| record.location.is_some() && record.before.0 == 0));
        assert!(insts(&program).is_empty());
    }
}

#[test]
fn constants_of_every_form() {
    let text = r#"
%forward = type { %later, [2 x i8] }
@int = global i8 -1
@hex = global i16 s0x0FFF
@wide = global i128 -2
@true = global i1 true
@double = global double 0x7FF0000000000000
@long.double = global x86_fp80 0xK3FFF8000000000000000
@struct = global %forward { %later { ptr null }, [2 x i8] c"\22\\" }
@packed = global <{ i8, i32 }> <{ i8 1, i32 2 }>
@vector = global <3 x i16> splat (i16 9)
@nothing = global [0 x i8] []
@zero = global %forward zeroinitializer
@gep = global ptr getelementptr inbounds nuw inrange(-4, 8) (%forward, ptr @struct, i64 0, i32 1, i64 1)
@old.gep = global ptr getelementptr inbounds (%forward, ptr @struct, i32 0, inrange i32 1, i32 0)
@difference = global i64 sub (i64 ptrtoint (ptr @gep to i64), i64 ptrtoint (ptr @int to i64))
@comparison = global i1 icmp ne (ptr @weak, ptr null)
@choice = global ptr select (i1 icmp ne (ptr @weak, ptr null), ptr @weak, ptr @int)
@function = global ptr dso_local_equivalent @f
@signed = global ptr ptrauth (ptr @f, i32 0)
@float.op = global float fadd (float 1.0, float 2.0)
@block = global ptr blockaddress(@f, %there)
@weak = extern_weak global i8
%later = type { ptr }
define void @f() {
  br label %there
there:
  ret void
}
"#;
    let (program, _) = parse("constants", text);
    let init = |name: &str| {
        let symbol = program.symbols.iter().find(|symbol| &*symbol.name == name).expect("the symbol exists");
        match symbol.kind {
            SymbolKind::Global(global) => &program.consts[program.global(global).init.expect("a definition")].kind,
            kind => panic!("{name} is {kind:?}"),
        }
    };
    assert_eq!(*init("int"), ConstKind::Int(0xff));
    assert_eq!(*init("hex"), ConstKind::Int(0xffff));
    assert_eq!(*init("wide"), ConstKind::WideInt([u64::MAX - 1, u64::MAX].into()));
    assert_eq!(*init("true"), ConstKind::Int(1));
    assert_eq!(*init("double"), ConstKind::Float(u128::from(f64::INFINITY.to_bits())));
    assert_eq!(*init("long.double"), ConstKind::Float(0x3fff_8000_0000_0000_0000));
    assert!(matches!(init("struct"), ConstKind::Aggregate(fields)
        if program.consts[fields[1]].kind == ConstKind::Bytes((*b"\"\\").into())));
    assert!(matches!(init("vector"), ConstKind::Aggregate(lanes) if lanes.len() == 3));
    assert!(matches!(init("nothing"), ConstKind::Aggregate(elements) if elements.is_empty()));
    assert_eq!(*init("zero"), ConstKind::Zero);
    for gep in ["gep", "old.gep"] {
        assert!(matches!(init(gep), ConstKind::Expr(ConstExpr::Gep { inbounds: true, .. })));
    }
    assert!(matches!(init("difference"), ConstKind::Expr(ConstExpr::Binary { op: BinOp::Sub, .. })));
    assert!(matches!(init("comparison"), ConstKind::Expr(ConstExpr::ICmp { op: CmpOp::Ne, .. })));
    assert!(matches!(init("choice"), ConstKind::Expr(ConstExpr::Select { .. })));
    assert!(matches!(init("function"), ConstKind::Symbol(_)));
    assert!(matches!(init("signed"), ConstKind::Unsupported(text) if text.starts_with("ptrauth")));
    assert!(matches!(init("float.op"), ConstKind::Unsupported(text) if text.starts_with("fadd")));
    assert!(matches!(init("block"), ConstKind::BlockAddress(_, block) if block.0 == 1));
}

#[test]
fn symbols_with_all_their_words() {
    let text = r#"
$group = comdat any
@a = private unnamed_addr constant i32 1, section "s", partition "p", comdat($group), align 16, !dbg !0, !type !1
@b = linkonce_odr hidden dllexport thread_local(initialexec) local_unnamed_addr addrspace(0) externally_initialized global i32 0, code_model "large", no_sanitize_address, align 4 #0
@"odd \22name\22" = available_externally dso_local global ptr @0
@0 = internal global i8 0
@alias = weak hidden unnamed_addr alias i32, ptr @b, partition "p"
@ifunc = ifunc void (), ptr @resolver
declare !dbg !0 extern_weak void @maybe(ptr captures(none), ...) local_unnamed_addr #1
define weak_odr dso_local ptr @resolver() unnamed_addr #1 section "text" comdat align 32 gc "x" prefix i32 1 prologue i8 2 personality ptr @maybe !dbg !0 !other !{} {
  ret ptr null
  uselistorder ptr @b, { 1, 0 }
}
attributes #0 = { "key"="value" }
attributes #1 = { alignstack=8 noreturn memory(none) "no-value" }
module asm "a line"
uselistorder i32 1, { 1, 0 }
!named = !{!0, !DIExpression()}
!0 = distinct !{!0}
!1 = !{}
^0 = module: (path: "x", hash: (1, 2))
^1 = flags: 8
"#;
    let (program, _) = parse("symbols", text);
    let linkage = |name: &str| program.symbols.iter().find(|symbol| &*symbol.name == name).expect("it exists").linkage;
    let expected = [
        ("a", Linkage::Internal),
        ("b", Linkage::Weak),
        ("odd \"name\"", Linkage::AvailableExternally),
        ("0", Linkage::Internal),
        ("alias", Linkage::Weak),
        ("ifunc", Linkage::External),
        ("maybe", Linkage::ExternWeak),
        ("resolver", Linkage::Weak),
    ];
    for (name, wanted) in expected {
        assert_eq!(linkage(name), wanted, "{name}");
    }
    let [a, b, ..] = &program.globals[..] else {
        panic!("no globals");
    };
    assert!(a.constant && a.align == 16 && a.debug.len() == 1 && !a.thread_local);
    assert!(!b.constant && b.align == 4 && b.thread_local);
    assert!(program.functions.iter().all(|function| function.noreturn && function.debug.is_some()));
    assert!(program.functions[1].personality.is_some());
    assert_eq!(program.modules[0].inline_asm, ["a line"]);
    assert_eq!(program.modules[0].named_metadata[0].1.len(), 2);
}

#[test]
fn metadata_of_every_form() {
    let text = r#"
!named = !{!0, !1, !2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, producer: "a \22b\22\00", isOptimized: false, emissionKind: FullDebug, splitDebugInlining: true, enums: !{}, file: null)
!1 = !{i32 7, !"text", null, !{!"inline", i64 -1}, !9, ptr @x}
!2 = distinct !DILocation(line: 3, column: 5, scope: !0, inlinedAt: !3, isImplicitCode: true, atomGroup: 2, atomRank: 1)
!3 = !DILocation(line: 0, scope: !0)
!4 = !DIExpression(DW_OP_constu, 18446744073709551615, DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_stack_value)
!5 = !DISubprogram(flags: DIFlagPrototyped | DIFlagNoReturn, spFlags: DISPFlagDefinition, value: -5, extraData: i64 192)
@x = global i8 0
"#;
    let (program, _) = parse("metadata", text);
    let node = |place: usize| &program.metadata[program.modules[0].named_metadata[0].1[place]];
    let MdNode::Named { distinct: true, fields, .. } = node(0) else {
        panic!("{:?}", node(0));
    };
    let field = |name: &str| &fields.iter().find(|field| &*field.name == name).expect("the field exists").value;
    assert_eq!(*field("language"), MdValue::Symbol("DW_LANG_C11".into()));
    assert_eq!(*field("producer"), MdValue::String("a \"b\"\0".into()));
    assert_eq!(*field("isOptimized"), MdValue::Bool(false));
    assert_eq!(*field("file"), MdValue::Null);
    assert!(matches!(field("enums"), MdValue::Node(_)));
    let MdNode::Tuple { elems, .. } = node(1) else {
        panic!("{:?}", node(1));
    };
    assert!(matches!(elems[0], MdValue::Const(_)) && matches!(elems[5], MdValue::Const(_)));
    assert_eq!(elems[1], MdValue::String("text".into()));
    assert!(matches!(elems[4], MdValue::Node(missing) if program.metadata[missing] == MdNode::Missing));
    let MdNode::Location { line: 3, column: 5, inlined_at: Some(inlined_at), .. } = *node(2) else {
        panic!("{:?}", node(2));
    };
    assert!(matches!(program.metadata[inlined_at], MdNode::Location { line: 0, column: 0, inlined_at: None, .. }));
    let has = |wanted: &MdValue| {
        program.metadata.nodes.iter().any(|node| match node {
            MdNode::Named { fields, .. } => fields.iter().any(|field| field.value == *wanted),
            _ => false,
        })
    };
    assert!(has(&MdValue::Int(i128::from(u64::MAX))) && has(&MdValue::Int(-5)));
    assert!(has(&MdValue::Symbol("DIFlagPrototyped | DIFlagNoReturn".into())));
}

#[test]
fn metadata_as_arguments() {
    let text = "declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)\n\
                declare i64 @llvm.read_register.i64(metadata)\n\
                define double @f(double %x) strictfp {\n  \
                %a = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata !\"round.dynamic\", \
                metadata !\"fpexcept.strict\") strictfp\n  \
                %b = call i64 @llvm.read_register.i64(metadata !0)\n  ret double %a\n}\n!0 = !{!\"rsp\"}\n";
    let print = print_twice("metadata arguments", text);
    assert!(print.contains("metadata !\"round.dynamic\"") && print.contains("metadata !0"));
    assert_assembles(newest_assembler(), "metadata arguments", &print);
}

#[test]
fn what_is_legal_but_not_executed_still_loads() {
    let text = "target datalayout = \"e-m:e-i64:64\"\n\
                define token @f(<vscale x 4 x i32> %s, target(\"spirv.Image\", void, 1) %t, x86_amx %a) {\n  \
                %sum = add <vscale x 4 x i32> %s, splat (i32 1)\n  \
                %cmp = icmp eq <vscale x 4 x i32> %sum, %s\n  \
                %lane = extractelement <vscale x 4 x i32> %sum, i64 0\n  \
                %shuffled = shufflevector <vscale x 4 x i32> %s, <vscale x 4 x i32> %s, <vscale x 4 x i32> zeroinitializer\n  \
                %elsewhere = addrspacecast ptr null to ptr addrspace(3)\n  \
                br label %pad\n\
                pad:\n  %pad.token = cleanuppad within none [i32 1, ptr null]\n  \
                cleanupret from %pad.token unwind to caller\n\
                switch:\n  %cs = catchswitch within none [label %catch] unwind label %pad\n\
                catch:\n  %cp = catchpad within %cs [ptr null]\n  catchret from %cp to label %end\n\
                end:\n  ret token none\n}\n";
    let (program, module) = parse("unsupported", text);
    assert_eq!(program.modules[module.index()].data_layout.i128_align, 8);
    let unsupported = program.functions[0].insts.iter().filter_map(|inst| match &inst.kind {
        InstKind::Unsupported { name } | InstKind::UnsupportedTerminator { name, .. } => Some(&**name),
        _ => None,
    });
    let expected =
        ["shufflevector", "addrspacecast", "cleanuppad", "cleanupret", "catchswitch", "catchpad", "catchret"];
    assert_eq!(unsupported.collect::<Vec<_>>(), expected);
}

#[test]
fn modules_share_types_but_not_numbers() {
    let mut program = Program::new();
    let text = "@x = internal global { i32, ptr } zeroinitializer, !dbg !0\n!0 = !{!\"own\"}\n";
    for name in ["first", "second"] {
        spelunk_ir::parse::parse_module(&mut program, name, text).expect("a legal module");
    }
    assert_eq!(program.globals[0].ty, program.globals[1].ty);
    assert_ne!(program.globals[0].debug, program.globals[1].debug);
    assert_eq!(program.symbols.iter().map(|symbol| symbol.module.0).collect::<Vec<_>>(), [0, 1]);
}
