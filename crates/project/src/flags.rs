//! From the command of a build to flags that mean the same for us, in any working directory.
//!
//! What says where results go, how fast code is, what is warned of, instrumented or linked is dropped: we compile for
//! ourselves. What decides which code there is (defines, include paths, the standard, the target) stays, with absolute paths.

use crate::paths::normal;
use std::fs;
use std::path::Path;

/// Dropped together with the next word, unless the value is joined.
const DROPPED_WITH_VALUE: &[&str] =
    &["-MF", "-MT", "-MQ", "-MJ", "-o", "--param", "-aux-info", "-Xlinker", "-arch", "-z"];

/// Dropped if a word begins so.
const DROPPED: &[&str] = &[
    "-O",
    "-g",
    "-W",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
    "-fno-pi",
    "-fno-PI",
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile",
    "-fcoverage",
    "--coverage",
    "-ftest-coverage",
    "-flto",
    "-fno-lto",
    "-ffat-lto",
    "-fuse-ld",
    "-fstack-protector",
    "-fstack-clash",
    "-fcf-protection",
    "-fdiagnostics",
    "-fno-diagnostics",
    "-fcolor-diagnostics",
    "-fmax-errors",
    "-fmacro-prefix-map",
    "-ffile-prefix-map",
    "-fdebug-prefix-map",
    "-save-temps",
    "-fverbose-asm",
    "-fplugin",
    "-fanalyzer",
    "-mtune",
    "-pedantic",
    "-D_FORTIFY_SOURCE",
    "-l",
    "-L",
    "-specs",
    "-fno-omit-frame-pointer",
    "-fomit-frame-pointer",
];

/// Dropped if a word is this.
const DROPPED_WORDS: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-MV",
    "-pipe",
    "-w",
    "-static",
    "-shared",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-s",
    "-nostdlib",
    "-nodefaultlibs",
    "-static-libgcc",
    "-v",
    "--",
];

/// Flags that a path follows, as the next word or joined.
const WITH_PATH: &[&str] = &[
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
    "--sysroot=",
    "--sysroot",
    "-iprefix",
    "-B",
    "-iwithprefix",
];

/// Flags that take the next word, whatever that is.
const WITH_VALUE: &[&str] = &["-D", "-U", "-Xclang", "-Xpreprocessor", "-target", "-mllvm", "-A"];

/// How deep response files may name others.
const MAX_NESTING: usize = 16;

/// What a command says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    C {
        flags: Vec<String>,
        output: Option<String>,
    },
    /// Another language, or no compilation of one file.
    Other,
}

/// Reads the words of a command, the first of which is the compiler, for one source.
pub fn read(words: &[String], directory: &Path, source: &Path) -> Result<Command, String> {
    let words = expanded(words, directory, 0)?;
    let mut words = words.iter().map(String::as_str).peekable();
    for compiler in words.by_ref() {
        let name = Path::new(compiler).file_name().unwrap_or_default().to_string_lossy();
        let name = name.trim_end_matches(".exe");
        match name {
            "cl" | "clang-cl" => {
                return Err(format!("`{compiler}` takes Microsoft's flags; configure the build with clang or gcc"));
            }
            // What starts a compiler.
            "ccache" | "sccache" | "distcc" | "env" | "libtool" => continue,
            name if name.starts_with('-') || name.contains('=') => continue,
            name if name.contains("++") || name.starts_with("nvcc") => return Ok(Command::Other),
            _ => break,
        }
    }
    let (mut flags, mut output, mut is_c) = (Vec::new(), None, is_c_source(source));
    while let Some(word) = words.next() {
        if word == "-x" || word.starts_with("-x") && word.len() > 2 {
            let language = if word == "-x" { words.next().unwrap_or_default() } else { &word[2..] };
            is_c = matches!(language, "c" | "none");
            continue;
        }
        if let Some(flag) = DROPPED_WITH_VALUE.iter().find(|flag| word.starts_with(**flag)) {
            let value = match &word[flag.len()..] {
                "" => words.next(),
                joined => Some(joined),
            };
            if *flag == "-o" {
                output = value.map(str::to_owned);
            }
            continue;
        }
        if DROPPED_WORDS.contains(&word) || DROPPED.iter().any(|flag| word.starts_with(flag)) && !is_kept(word) {
            continue;
        }
        if let Some(flag) = WITH_PATH.iter().find(|flag| word.starts_with(**flag)) {
            let (joined, name) = (&word[flag.len()..], *flag);
            let path = if joined.is_empty() { words.next().unwrap_or_default() } else { joined };
            let path = absolute(name, path, directory);
            // One word, so that no tool takes the flag for the same as another and drops it.
            flags.push(format!("{}{path}", if name == "--sysroot" { "--sysroot=" } else { name }));
            continue;
        }
        if let Some(flag) = WITH_VALUE.iter().find(|flag| word == **flag) {
            let value = words.next().unwrap_or_default();
            match *flag {
                "-D" | "-U" | "-A" => flags.push(format!("{flag}{value}")),
                _ => flags.extend([(*flag).to_owned(), value.to_owned()]),
            }
            continue;
        }
        if word.starts_with('-') {
            flags.push(word.to_owned());
        }
        // Everything else is the source, or another file.
    }
    Ok(if is_c { Command::C { flags: without_precompiled(flags), output } } else { Command::Other })
}

pub fn is_c_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c" || extension == "i")
}

/// What looks like something that is dropped.
fn is_kept(word: &str) -> bool {
    // `-Wp,` hands something to the preprocessor; dependencies are none of our business.
    word.starts_with("-Wp,-D") && !word.starts_with("-Wp,-D_FORTIFY_SOURCE") || word.starts_with("-Wp,-U")
}

/// `-include` looks in the directory of the command first, and then where quoted headers are.
fn absolute(flag: &str, path: &str, directory: &Path) -> String {
    let at = normal(&directory.join(path));
    let is_header = flag == "-include" || flag == "-imacros";
    if is_header && !at.exists() || path.starts_with('=') { path.to_owned() } else { at.display().to_string() }
}

/// Precompiled headers are files of one version of a compiler: what they were made of is included beside them.
fn without_precompiled(flags: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut words = flags.into_iter().peekable();
    while let Some(word) = words.next() {
        if word == "-Xclang" && words.peek().is_some_and(|next| next == "-include-pch") {
            // -Xclang -include-pch -Xclang FILE
            words.nth(2);
        } else if word == "-include-pch" {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept
}

/// Words of files that are named as `@FILE` stand in their place.
fn expanded(words: &[String], directory: &Path, depth: usize) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for word in words {
        let Some(name) = word.strip_prefix('@') else {
            all.push(word.clone());
            continue;
        };
        let path = directory.join(name);
        let text = fs::read_to_string(&path).map_err(|error| {
            format!("the response file {} can't be read ({error}); build the project first", path.display())
        })?;
        if depth >= MAX_NESTING {
            return Err(format!("response files include each other without end, as {}", path.display()));
        }
        let inner = shlex::split(&text).ok_or_else(|| format!("a quote does not end in {}", path.display()))?;
        all.extend(expanded(&inner, directory, depth + 1)?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(command: &str) -> Vec<String> {
        let words = shlex::split(command).unwrap();
        match read(&words, Path::new("/b"), Path::new("/s/a.c")) {
            Ok(Command::C { flags, .. }) => flags,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_decides_the_code_stays() {
        assert_eq!(
            flags(
                "gcc -DX=1 -D 'Y=\"a b\"' -UZ -I../inc -I /abs -isystem sys -std=c99 -funsigned-char -c -o a.o ../s/a.c"
            ),
            ["-DX=1", "-DY=\"a b\"", "-UZ", "-I/inc", "-I/abs", "-isystem/b/sys", "-std=c99", "-funsigned-char"]
        );
    }

    #[test]
    fn what_is_about_results_speed_warnings_or_linking_goes() {
        let dropped = "cc -O3 -g3 -Wall -Werror -Wp,-MD,x.d -MD -MF a.d -MTa.o -fPIC -flto -fsanitize=address --coverage \
                       -D_FORTIFY_SOURCE=2 -pipe -lm -Wl,-z,now -oa.o --param l1=3 -c a.c";
        assert_eq!(flags(dropped), [""; 0]);
    }

    #[test]
    fn compilers_may_be_started_by_others() {
        assert_eq!(flags("ccache /usr/bin/gcc-12 -DA -c a.c"), ["-DA"]);
        assert_eq!(flags("env LANG=C cc -DA -c a.c"), ["-DA"]);
    }

    #[test]
    fn other_languages_are_told_apart() {
        let read = |command: &str, file: &str| read(&shlex::split(command).unwrap(), Path::new("/b"), Path::new(file));
        assert_eq!(read("g++ -c a.c", "a.c"), Ok(Command::Other));
        assert_eq!(read("cc -c a.S", "a.S"), Ok(Command::Other));
        assert_eq!(read("cc -x c++ -c a.c", "a.c"), Ok(Command::Other));
        assert!(matches!(read("cc -x c -c a.inc", "a.inc"), Ok(Command::C { .. })));
        assert!(read("cl.exe /c a.c", "a.c").is_err());
    }

    #[test]
    fn response_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("in.rsp"), "-Ix\n@more.rsp").unwrap();
        fs::write(dir.path().join("more.rsp"), "-DM='1 2'").unwrap();
        let words = |text: &str| shlex::split(text).unwrap();
        let found = read(&words("cc @in.rsp -c a.c"), dir.path(), Path::new("a.c"));
        let include = format!("-I{}", dir.path().join("x").display());
        assert_eq!(found, Ok(Command::C { flags: vec![include, "-DM=1 2".to_owned()], output: None }));
        assert!(read(&words("cc @none.rsp"), dir.path(), Path::new("a.c")).unwrap_err().contains("build the project"));
        fs::write(dir.path().join("self.rsp"), "@self.rsp").unwrap();
        assert!(read(&words("cc @self.rsp"), dir.path(), Path::new("a.c")).unwrap_err().contains("without end"));
    }

    #[test]
    fn precompiled_headers_go() {
        assert_eq!(
            flags("cc -Xclang -include-pch -Xclang x.pch -Xclang -include -Xclang y.h -c a.c"),
            ["-Xclang", "-include", "-Xclang", "y.h"]
        );
    }
}
