//! Memory that programs do not initialise, where that is input: LLVM IR in which each local variable, and each block of
//! `malloc` or `realloc`, is handed to the runtime as soon as it is there (`runtime/uninitialised.c`), which fills it as the test
//! says, and notes that it did.
//!
//! A place is the function with the line and column of the declaration or call: native code has the same ones as the VM.
//! All variables of one place are filled alike. Other functions that allocate are left out.

use std::collections::HashMap;
use std::fmt::Write;

use spelunk_report::stable_hash;

use crate::ir_text::{function_name, location};

/// A number for a place, which both sides compute.
pub fn place_number(function: &str, line: u32, column: u32) -> u64 {
    stable_hash(format!("{function}:{line}:{column}").into_bytes())
}

const DECLARATIONS: &str =
    "declare void @spelunk_uninitialised(ptr, i64, i64, i64)\ndeclare i64 @spelunk_allocated(ptr)\n";

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
    all + DECLARATIONS
}

/// Memory that comes to life in a line, as values of LLVM IR.
struct Fresh<'t> {
    start: &'t str,
    /// The block that it was before.
    grown: Option<&'t str>,
    /// How many elements of how many bytes.
    count: (&'t str, &'t str),
    size: String,
    location: &'t str,
}

fn hand_over(all: &mut String, function: &str, body: &[&str], locations: &HashMap<&str, (u32, u32)>) {
    let declared: HashMap<&str, &str> = body.iter().filter_map(|line| declaration(line)).collect();
    for (number, line) in body.iter().enumerate() {
        let fresh = variable(line, &declared).or_else(|| allocated(line));
        let place = fresh.as_ref().and_then(|fresh| locations.get(fresh.location));
        let Some((fresh, &(at, column))) = fresh.zip(place) else {
            writeln!(all, "{line}").expect("a string grows");
            continue;
        };
        let Fresh { start, grown, count: (ty, count), size, .. } = fresh;
        let (kept, before) = match grown {
            Some(block) => {
                let kept = format!("%spelunk.kept.{number}");
                (kept.clone(), format!("  {kept} = call i64 @spelunk_allocated(ptr {block})\n"))
            }
            None => ("0".to_owned(), String::new()),
        };
        let (wide, total) = (format!("%spelunk.count.{number}"), format!("%spelunk.size.{number}"));
        let widened = match ty {
            "i64" => format!("  {wide} = add i64 {count}, 0\n"),
            narrow => format!("  {wide} = zext {narrow} {count} to i64\n"),
        };
        let place = place_number(function, at, column) as i64;
        write!(
            all,
            "{before}{line}\n{widened}  {total} = mul i64 {wide}, {size}\n  \
             call void @spelunk_uninitialised(ptr {start}, i64 {kept}, i64 {total}, i64 {place})\n"
        )
        .expect("a string grows");
    }
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

/// A local variable, which may be an array of variable size.
fn variable<'t>(line: &'t str, declared: &HashMap<&str, &'t str>) -> Option<Fresh<'t>> {
    let (start, rest) = line.trim_start().split_once(" = alloca ")?;
    let whole = rest.split_once(", align")?.0;
    let counted = ["i64", "i32"].iter().find_map(|ty| Some((*ty, whole.rsplit_once(&format!(", {ty} "))?)));
    let (count, ty) = match counted {
        Some((count_ty, (ty, count))) => ((count_ty, count), ty),
        None => (("i64", "1"), whole),
    };
    let size = format!("ptrtoint (ptr getelementptr ({ty}, ptr null, i32 1) to i64)");
    Some(Fresh { start, grown: None, count, size, location: declared.get(start)? })
}

/// What `malloc` or `realloc` returned.
fn allocated(line: &str) -> Option<Fresh<'_>> {
    let (start, rest) = line.trim_start().split_once(" = ")?;
    let (before, rest) = rest.split_once("@malloc(").or_else(|| rest.split_once("@realloc("))?;
    let args: Vec<&str> =
        rest.split_once(')')?.0.split(", ").map(|arg| arg.rsplit(' ').next().unwrap_or(arg)).collect();
    let (grown, count) = match args[..] {
        [size] => (None, size),
        [block, size] => (Some(block), size),
        _ => return None,
    };
    let location = rest.rsplit_once("!dbg ")?.1.split(',').next()?;
    let fresh = Fresh { start, grown, count: ("i64", count), size: "1".to_owned(), location };
    before.contains("call ").then_some(fresh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(body: &str) -> String {
        format!(
            "define dso_local i32 @f() #0 !dbg !8 {{\n{body}\n  ret i32 0\n}}\n\
             !13 = !DILocation(line: 2, column: 7, scope: !8)\n!14 = !DILocation(line: 3, column: 9, scope: !8)\n"
        )
    }

    /// The lines that are added.
    fn added(body: &str) -> Vec<String> {
        let text = handed_over(&module(body));
        let is_ours = |line: &&str| line.contains("spelunk") && !line.starts_with("declare");
        text.lines().filter(is_ours).map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn variables_are_handed_over() {
        for declare in [
            "    #dbg_declare(ptr %1, !12, !DIExpression(), !13)",
            "  call void @llvm.dbg.declare(metadata ptr %1, metadata !12, metadata !DIExpression()), !dbg !13",
        ] {
            let size = "ptrtoint (ptr getelementptr ([3 x i8], ptr null, i32 1) to i64)";
            let place = place_number("f", 2, 7) as i64;
            let expected = |count: &str, size: &str| {
                [
                    count.to_owned(),
                    format!("%spelunk.size.0 = mul i64 %spelunk.count.0, {size}"),
                    format!("call void @spelunk_uninitialised(ptr %1, i64 0, i64 %spelunk.size.0, i64 {place})"),
                ]
            };
            let array = added(&format!("  %1 = alloca [3 x i8], align 1\n{declare}"));
            assert_eq!(array, expected("%spelunk.count.0 = add i64 1, 0", size));
            let variable = added(&format!("  %1 = alloca i32, i64 %7, align 16\n{declare}"));
            let size = "ptrtoint (ptr getelementptr (i32, ptr null, i32 1) to i64)";
            assert_eq!(variable, expected("%spelunk.count.0 = add i64 %7, 0", size));
        }
    }

    #[test]
    fn blocks_are_handed_over() {
        let place = place_number("f", 3, 9) as i64;
        let handed = |kept: &str| {
            format!("call void @spelunk_uninitialised(ptr %2, i64 {kept}, i64 %spelunk.size.0, i64 {place})")
        };
        let block = added("  %2 = call noalias ptr @malloc(i64 noundef 8) #3, !dbg !14");
        assert_eq!(block.last(), Some(&handed("0")));
        let grown = added("  %2 = call ptr @realloc(ptr noundef %1, i64 noundef %5) #3, !dbg !14");
        assert_eq!(grown[0], "%spelunk.kept.0 = call i64 @spelunk_allocated(ptr %1)");
        assert_eq!(grown[1], "%spelunk.count.0 = add i64 %5, 0");
        assert_eq!(grown.last(), Some(&handed("%spelunk.kept.0")));
    }
}
