//! C libraries that others wrote, as test material: which files they are made of and where they lie on this machine.
//!
//! The sources come in packages that `Cargo.toml` names under a target that no machine is, so that cargo records and
//! downloads them but never builds them; `cargo metadata` then tells where they were unpacked. Nothing of them is kept
//! in this repository.
//!
//! Steps to add a library: the package in `Cargo.toml`, a `Library` here, a driver in `realcode/`, rows in the runner.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;

#[derive(Debug, thiserror::Error)]
pub enum RealCodeError {
    #[error("cannot ask cargo where packages are: {0}")]
    Metadata(#[from] cargo_metadata::Error),
    #[error("package {0} is not in the lock file")]
    Package(&'static str),
    #[error("cannot list {}: {source}", dir.display())]
    List { dir: PathBuf, source: std::io::Error },
}

/// Some C files of one package.
pub struct Library {
    pub package: &'static str,
    /// The directory of the sources and headers within the package.
    pub dir: &'static str,
    pub files: Files,
    pub cflags: &'static [&'static str],
}

pub enum Files {
    /// Every `.c` file of the directory.
    All,
    Named(&'static [&'static str]),
}

pub const LUA: Library =
    Library { package: "lua-src", dir: "lua-5.4.9", files: Files::All, cflags: &["-DLUA_USE_POSIX"] };

pub const LUA_55: Library =
    Library { package: "lua-src", dir: "lua-5.5.1", files: Files::All, cflags: &["-DLUA_USE_POSIX"] };

pub const ZLIB: Library = Library {
    package: "libz-sys",
    dir: "src/zlib",
    files: Files::All,
    cflags: &["-DSTDC", "-DHAVE_UNISTD_H", "-D_LARGEFILE64_SOURCE"],
};

const BZLIB_FILES: &[&str] =
    &["blocksort.c", "huffman.c", "crctable.c", "randtable.c", "compress.c", "decompress.c", "bzlib.c"];

pub const BZLIB: Library =
    Library { package: "bzip2-sys", dir: "bzip2-1.0.8", files: Files::Named(BZLIB_FILES), cflags: &[] };

/// The command `bzip2` itself, to be linked with [`BZLIB`].
pub const BZIP2: Library = Library {
    package: "bzip2-sys",
    dir: "bzip2-1.0.8",
    files: Files::Named(&["bzip2.c"]),
    cflags: &["-D_FILE_OFFSET_BITS=64"],
};

pub const LZ4: Library = Library {
    package: "lz4-sys",
    dir: "liblz4/lib",
    files: Files::Named(&["lz4.c", "lz4hc.c", "lz4frame.c", "xxhash.c"]),
    cflags: &[],
};

/// SQLite as it configures itself: threads, extensions, everything.
pub const SQLITE: Library =
    Library { package: "libsqlite3-sys", dir: "sqlite3", files: Files::Named(&["sqlite3.c"]), cflags: &[] };

/// The command `qjs` and all that it needs.
pub const QUICKJS: Library = Library {
    package: "rquickjs-sys",
    dir: "quickjs",
    files: Files::Named(&[
        "qjs.c",
        "quickjs.c",
        "quickjs-libc.c",
        "libregexp.c",
        "libunicode.c",
        "dtoa.c",
        "gen/repl.c",
        "gen/standalone.c",
    ]),
    cflags: &["-D_GNU_SOURCE"],
};

/// The directory of our drivers and scripts.
pub fn drivers_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("realcode")
}

/// Where cargo unpacked each package that this workspace depends on.
pub struct Packages {
    roots: HashMap<String, PathBuf>,
}

impl Packages {
    pub fn locate() -> Result<Packages, RealCodeError> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let metadata = MetadataCommand::new().manifest_path(manifest).exec()?;
        let root_of = |manifest: PathBuf| manifest.parent().map(Path::to_owned).unwrap_or_default();
        let roots = metadata
            .packages
            .into_iter()
            .map(|package| (package.name.to_string(), root_of(package.manifest_path.into())))
            .collect();
        Ok(Packages { roots })
    }

    pub fn dir(&self, library: &Library) -> Result<PathBuf, RealCodeError> {
        let root = self.roots.get(library.package).ok_or(RealCodeError::Package(library.package))?;
        Ok(root.join(library.dir))
    }

    /// The C files of `library`, in a fixed order.
    pub fn sources(&self, library: &Library) -> Result<Vec<PathBuf>, RealCodeError> {
        let dir = self.dir(library)?;
        match library.files {
            Files::Named(names) => Ok(names.iter().map(|name| dir.join(name)).collect()),
            Files::All => c_files(&dir).map_err(|source| RealCodeError::List { dir, source }),
        }
    }

    /// The flags to compile with `library` and its headers.
    pub fn cflags(&self, library: &Library) -> Result<Vec<String>, RealCodeError> {
        let include = format!("-I{}", self.dir(library)?.display());
        Ok(std::iter::once(include).chain(library.cflags.iter().map(|flag| (*flag).to_owned())).collect())
    }
}

fn c_files(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
