//! Test suites as Test-Comp exchanges them: a file that says what is tested, one for each test, and all of them as an archive.

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::time::SystemTime;

use spelunk_report::markup::escaped;
use spelunk_report::suite::TestCase;
use spelunk_report::suite::test_case::End;
use spelunk_vm::BugKind;
use zip::ZipWriter;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;

use super::given::{Asked, Given};
use super::{each, make_dir, sha256, write};
use crate::{ExportError, Exported, Suite, Target};

const PREFIX: &str = "__VERIFIER_nondet_";
const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";
const METADATA: &str = "metadata.xml";
const ARCHIVE: &str = "test-suite.zip";
const SPECIFICATION: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";

pub fn export(suite: &Suite<'_>, target: &Target<'_>) -> Result<Exported, ExportError> {
    make_dir(target.dir)?;
    let mut files = vec![(METADATA.to_owned(), metadata(suite)?)];
    let exported =
        each(
            suite,
            |number, test| Ok(testcase(test).map(|text| files.push((format!("testcase-{number}.xml"), text)))),
        )?;
    for (name, text) in &files {
        write(target.dir, name, text.as_bytes())?;
    }
    let archive = archive(&files).map_err(|source| ExportError::Archive { path: target.dir.join(ARCHIVE), source })?;
    write(target.dir, ARCHIVE, &archive)?;
    Ok(Exported { next: Some(format!("The suite as one file: {ARCHIVE}")), ..exported })
}

/// What is tested. Of several sources, the first is named.
fn metadata(suite: &Suite<'_>) -> Result<String, ExportError> {
    let campaign = suite.campaign;
    let recipe = campaign.store.read_recipe()?;
    let program = recipe.sources.first().map(|source| recipe.directory.join(source)).unwrap_or_default();
    let content = fs::read(&program).map_err(|source| ExportError::Io { path: program, source })?;
    let name = campaign.summary.sources.first().map_or("", String::as_str);
    let items = [
        ("sourcecodelang", "C"),
        ("producer", concat!("spelunk ", env!("CARGO_PKG_VERSION"))),
        ("specification", SPECIFICATION),
        ("programfile", name),
        ("programhash", &sha256(&content)),
        ("entryfunction", &campaign.summary.entry),
        ("architecture", "64bit"),
        ("creationtime", &ended(&campaign.store.summary_path())),
    ];
    let mut text = XML.to_owned() + &doctype("test-metadata") + "<test-metadata>\n";
    for (element, content) in items {
        writeln!(text, "  <{element}>{}</{element}>", escaped(content)).expect("a string grows");
    }
    Ok(text + "</test-metadata>\n")
}

/// When the campaign ended: exporting it again changes nothing.
fn ended(summary: &Path) -> String {
    let time = fs::metadata(summary).and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    humantime::format_rfc3339_seconds(time).to_string()
}

fn doctype(root: &str) -> String {
    format!(
        "<!DOCTYPE {root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{root}-1.1.dtd\">\n"
    )
}

fn testcase(test: &TestCase) -> Result<String, String> {
    let Given { concrete, asked, graph } = Given::of(test);
    if !graph.is_empty() || !concrete.args.is_empty() || concrete.stdin.is_some() || !concrete.files.is_empty() {
        return Err(format!("its input does not come from {PREFIX}… functions alone"));
    }
    let is_error = matches!(&test.end, End::Bug { bug, .. } if BugKind::from_slug(bug) == Some(BugKind::ReachError));
    let attribute = if is_error { " coversError=\"true\"" } else { "" };
    let mut text = format!("{XML}{}<testcase{attribute}>\n", doctype("testcase"));
    let mut rest = asked.into_iter();
    while let Some(input) = rest.next() {
        let ty = input.name.strip_prefix(PREFIX);
        let ty = ty.ok_or_else(|| format!("`{}` does not come from a {PREFIX}… function", input.name))?;
        let bytes = if is_wide(ty) { joined(input, rest.next()) } else { input.bytes.to_vec() };
        let (c_type, value) = value(ty, &bytes)?;
        writeln!(text, "  <input type=\"{}\">{value}</input>", escaped(c_type)).expect("a string grows");
    }
    Ok(text + "</testcase>\n")
}

/// Whether a number is made in two parts.
fn is_wide(ty: &str) -> bool {
    matches!(ty, "int128" | "uint128")
}

fn joined(low: Asked<'_>, high: Option<Asked<'_>>) -> Vec<u8> {
    [low.bytes, high.map(|high| high.bytes).unwrap_or_default()].concat()
}

/// The C type of a number and its value, by the name of the function that returns it.
fn value(name: &str, bytes: &[u8]) -> Result<(&'static str, String), String> {
    let mut wide = [0; 16];
    let n_bytes = bytes.len().min(wide.len());
    wide[..n_bytes].copy_from_slice(&bytes[..n_bytes]);
    let unsigned = u128::from_le_bytes(wide);
    let unused = 128 - 8 * n_bytes as u32;
    let signed = ((unsigned << unused) as i128) >> unused;
    let (signed, unsigned) = (signed.to_string(), unsigned.to_string());
    Ok(match name {
        "bool" | "_Bool" => ("_Bool", (bytes.first().copied().unwrap_or(0) & 1).to_string()),
        "char" => ("char", signed),
        "schar" | "S8" => ("signed char", signed),
        "uchar" | "u8" | "U8" | "msg_t" => ("unsigned char", unsigned),
        "short" | "S16" => ("short", signed),
        "ushort" | "u16" | "U16" => ("unsigned short", unsigned),
        "int" | "S32" => ("int", signed),
        "uint" | "u32" | "U32" | "unsigned" => ("unsigned int", unsigned),
        "long" | "S64" | "loff_t" | "off_t" | "ssize_t" => ("long", signed),
        "ulong" | "u64" | "U64" | "size_t" | "sector_t" | "pthread_t" => ("unsigned long", unsigned),
        "longlong" => ("long long", signed),
        "ulonglong" => ("unsigned long long", unsigned),
        "int128" => ("__int128", signed),
        "uint128" => ("unsigned __int128", unsigned),
        "float" => ("float", f32::from_bits(unsigned.parse::<u32>().unwrap_or(0)).to_string()),
        "double" => ("double", f64::from_bits(unsigned.parse::<u64>().unwrap_or(0)).to_string()),
        "pointer" | "pchar" | "charp" | "const_char_pointer" => ("void *", unsigned),
        _ => return Err(format!("{PREFIX}{name} does not return a number")),
    })
}

fn archive(files: &[(String, String)]) -> Result<Vec<u8>, ZipError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    // Nothing that depends on when or where it is written, and no compression, which small texts hardly gain from.
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, text) in files {
        archive.start_file(name.as_str(), options)?;
        archive.write_all(text.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_the_functions_return() {
        let of = |name: &str, bytes: &[u8]| value(name, bytes).unwrap().1;
        assert_eq!(of("int", &[0xfe, 0xff, 0xff, 0xff]), "-2");
        assert_eq!(of("uint", &[0xfe, 0xff, 0xff, 0xff]), "4294967294");
        assert_eq!(of("char", &[0x80]), "-128");
        assert_eq!(of("bool", &[3]), "1");
        assert_eq!(of("float", &1.5f32.to_le_bytes()), "1.5");
        assert_eq!(of("double", &f64::NAN.to_le_bytes()), "NaN");
        assert_eq!(of("int128", &[0xff; 16]), "-1");
        assert!(value("memory", &[1]).is_err());
    }
}
