//! Lists the files of `rt` for embedding, and what they define, so that adding one takes no further step.

#[path = "src/rt/index/mod.rs"]
mod index;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?).join("rt");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    println!("cargo::rerun-if-changed=rt");
    println!("cargo::rerun-if-changed=src/rt/index");
    let mut files: Vec<PathBuf> = fs::read_dir(&root)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| is_source(file));
    files.sort();
    let mut list = String::from("&[\n");
    let mut sources = Vec::new();
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        writeln!(list, "    ({name:?}, include_str!({:?})),", file.display().to_string()).map_err(io::Error::other)?;
        sources.push((name, fs::read_to_string(file)?));
    }
    list.push_str("]\n");
    fs::write(out.join("rt_sources.rs"), list)?;
    let sources: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    fs::write(out.join("rt_index.rs"), format!("&{:?}\n", index::index(&sources)))
}

fn is_source(file: &Path) -> bool {
    matches!(file.extension().and_then(|extension| extension.to_str()), Some("c" | "h"))
}
