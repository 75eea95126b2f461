//! Lists the files of `rt` for embedding, so that adding one takes no further step.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?).join("rt");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?).join("rt_sources.rs");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&root)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| is_source(file));
    files.sort();
    let mut text = String::from("&[\n");
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        writeln!(text, "    ({name:?}, include_str!({:?})),", file.display().to_string()).map_err(io::Error::other)?;
    }
    text.push_str("]\n");
    fs::write(out, text)
}

fn is_source(file: &Path) -> bool {
    matches!(file.extension().and_then(|extension| extension.to_str()), Some("c" | "h"))
}
