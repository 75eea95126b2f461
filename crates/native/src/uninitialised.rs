//! Memory that programs do not initialise, where that is input: LLVM IR in which each local variable, and each block of
//! `malloc`, is handed to the runtime as soon as it is there (`runtime/uninitialised.c`), which fills it as the test says.
//!
//! A place is the function with the line and column of the declaration or call: native code has the same ones as the VM.
//! All variables of one place are filled alike. Arrays of variable size and other functions that allocate are left out.

use std::collections::HashMap;
use std::fmt::Write;

/// A number for a place, which both sides compute.
pub fn place(function: &str, line: u32, column: u32) -> u64 {
    let text = format!("{function}:{line}:{column}");
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The text of a module in which variables are handed over.
pub fn handed_over(text: &str) -> String {
    let locations: HashMap<&str, (u32, u32)> = text.lines().filter_map(location).collect();
    let mut all = String::with_capacity(2 * text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        writeln!(all, "{line}").expect("a string grows");
        let Some(name) = line.strip_prefix("define ").and_then(function_name) else { continue };
        let mut body = Vec::new();
        while let Some(line) = lines.next_if(|line| *line != "}") {
            body.push(line);
        }
        hand_over(&mut all, name, &body, &locations);
    }
    all + "declare void @spelunk_uninitialised(ptr, i64, i64)\n"
}

fn hand_over(all: &mut String, function: &str, body: &[&str], locations: &HashMap<&str, (u32, u32)>) {
    let declared: HashMap<&str, &str> = body.iter().filter_map(|line| declaration(line)).collect();
    for line in body {
        writeln!(all, "{line}").expect("a string grows");
        let given = variable(line).and_then(|(name, size)| Some((name, size, *declared.get(name)?)));
        let Some((name, size, location)) = given.or_else(|| allocated(line)) else { continue };
        let Some(&(line, column)) = locations.get(location) else { continue };
        let place = place(function, line, column);
        writeln!(all, "  call void @spelunk_uninitialised(ptr {name}, i64 {size}, i64 {})", place as i64)
            .expect("a string grows");
    }
}

/// `!7 = !DILocation(line: 2, column: 9, scope: !5)`
fn location(line: &str) -> Option<(&str, (u32, u32))> {
    let (name, rest) = line.split_once(" = ")?;
    let rest = rest.strip_prefix("distinct ").unwrap_or(rest).strip_prefix("!DILocation(line: ")?;
    let (line, rest) = rest.split_once(',')?;
    let column = rest.trim_start().strip_prefix("column: ")?.split([',', ')']).next()?;
    Some((name, (line.parse().ok()?, column.parse().ok()?)))
}

/// What follows `define`: the name under which debug info has it.
fn function_name(rest: &str) -> Option<&str> {
    let name = rest.split_once('@')?.1.split_once('(')?.0.trim_matches('"');
    Some(name.strip_prefix(crate::own_symbols::PREFIX).unwrap_or(name))
}

/// A variable and the location of its declaration, as a record or as a call of an intrinsic.
fn declaration(line: &str) -> Option<(&str, &str)> {
    let (_, rest) =
        line.split_once("dbg_declare(ptr ").or_else(|| line.split_once("llvm.dbg.declare(metadata ptr "))?;
    let name = rest.split_once(',')?.0;
    let location = rest.rsplit_once('!')?.1.trim_end_matches(')');
    let at = rest.len() - rest.rsplit_once('!')?.1.len() - 1;
    Some((name, &rest[at..=at + location.len()]))
}

/// A local variable and its size.
fn variable(line: &str) -> Option<(&str, String)> {
    let (name, rest) = line.trim_start().split_once(" = alloca ")?;
    let ty = rest.split_once(", align")?.0;
    let has_count = ty.contains(", i64 %") || ty.contains(", i32 %");
    (!has_count).then(|| (name, format!("ptrtoint (ptr getelementptr ({ty}, ptr null, i32 1) to i64)")))
}

/// What `malloc` returned, its size and the location of the call.
fn allocated(line: &str) -> Option<(&str, String, &str)> {
    let (name, rest) = line.trim_start().split_once(" = ")?;
    let (before, rest) = rest.split_once("@malloc(")?;
    let size = rest.split_once(')')?.0.split(' ').next_back()?;
    let location = rest.rsplit_once("!dbg ")?.1.split(',').next()?;
    before.contains("call ").then(|| (name, size.to_owned(), location))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_and_blocks_are_handed_over() {
        for declare in [
            "    #dbg_declare(ptr %1, !12, !DIExpression(), !13)",
            "  call void @llvm.dbg.declare(metadata ptr %1, metadata !12, metadata !DIExpression()), !dbg !13",
        ] {
            let text = format!(
                "define dso_local i32 @f() #0 !dbg !8 {{\n  %1 = alloca [3 x i8], align 1\n{declare}\n  \
                 %2 = call noalias ptr @malloc(i64 noundef 8) #3, !dbg !14\n  ret i32 0\n}}\n\
                 !13 = !DILocation(line: 2, column: 7, scope: !8)\n!14 = !DILocation(line: 3, column: 9, scope: !8)\n"
            );
            let handed = handed_over(&text);
            let calls: Vec<&str> = handed.lines().filter(|line| line.contains("call void @spelunk_")).collect();
            let size = "ptrtoint (ptr getelementptr ([3 x i8], ptr null, i32 1) to i64)";
            let variable =
                format!("  call void @spelunk_uninitialised(ptr %1, i64 {size}, i64 {})", place("f", 2, 7) as i64);
            let block = format!("  call void @spelunk_uninitialised(ptr %2, i64 8, i64 {})", place("f", 3, 9) as i64);
            assert_eq!(calls, [variable, block]);
        }
    }
}
