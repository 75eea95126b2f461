//! The one table of the library: which functions there are and how each is served.
//!
//! Steps to add a function in Rust: write it in a module of `builtins`, with the signature of `spelunk_vm::Builtin`, and
//! add a row under its header here. If what it does next depends on the bytes it reads, add its twin to a file
//! `rt/twin_*.c` and say so in the row (`[twin]`); if it decides itself what belongs to an object of open size, say that
//! (`[open]`). In C: define it in a file of `rt`; nothing has to be added here. Either way, list a standard function in
//! `headers`. Functions that print or make text are muted by their C code, since that depends on the stream.

use crate::builtins::{
    Host, alloc, compare, control, copy, dir, fenv, fortify, math, mem, number, os, outside, posix, scan,
};
use crate::headers::header_declaring;
use crate::rt;
use spelunk_vm::{Builtin, BuiltinRow, BuiltinTable};

/// How a function is served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Served {
    /// By Rust code.
    InRust,
    /// By Rust code that has another name.
    Alias(&'static str),
    /// By a file of `rt`.
    C(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub name: &'static str,
    /// The header that declares it; empty if that is known to the compiler or to the library alone.
    pub header: &'static str,
    pub served: Served,
    /// For functions in Rust: whether C code does the same in a form whose branches can be followed.
    pub twin: bool,
    /// The same: whether objects whose size is open may be given to it as they are.
    pub takes_open: bool,
}

impl Entry {
    const fn new(name: &'static str, header: &'static str, served: Served) -> Self {
        Self { name, header, served, twin: false, takes_open: false }
    }

    /// Whether all that it depends on and changes is memory: a run that calls it is at no other place in the world. Where it is given
    /// expressions, its twin is there instead, or it takes them along.
    fn is_of_memory(&self) -> bool {
        matches!(self.header, "string.h" | "strings.h") && (self.twin || self.takes_open)
    }

    /// The row with what a column says.
    const fn with(self, column: Column) -> Self {
        match column {
            Column::Twin => Self { twin: true, ..self },
            Column::Open => Self { takes_open: true, ..self },
        }
    }
}

/// What a row says beside the function itself.
#[derive(Clone, Copy)]
enum Column {
    Twin,
    Open,
}

macro_rules! column {
    (twin) => {
        Column::Twin
    };
    (open) => {
        Column::Open
    };
}

macro_rules! builtins {
    ($($header:literal { $($name:ident: $function:path $([$column:ident])?,)* } $(aliases { $($alias:ident: $target:ident,)* })?)*) => {
        const BUILTINS: &[Entry] = &[
            $($(Entry::new(stringify!($name), $header, Served::InRust)$(.with(column!($column)))?,)*)*
            $($($(Entry::new(stringify!($alias), $header, Served::Alias(stringify!($target))),)*)?)*
        ];

        fn find_builtin<M: Host>(name: &str) -> Option<Builtin<M>> {
            match name {
                $($(stringify!($name) => Some($function),)*)*
                $($($(stringify!($alias) => find_builtin(stringify!($target)),)*)?)*
                _ => math::find(name).or_else(|| outside::find_unsupported(name)),
            }
        }
    };
}

builtins! {
    "string.h" {
        memccpy: mem::memccpy [twin],
        memchr: mem::memchr_ [twin],
        memcmp: compare::memcmp [twin],
        memcpy: mem::memcpy [open],
        memmem: mem::memmem [twin],
        memmove: mem::memmove [open],
        mempcpy: mem::mempcpy [open],
        memrchr: mem::memrchr [twin],
        memset: mem::memset [open],
        rawmemchr: mem::rawmemchr [twin],
        stpcpy: copy::stpcpy [twin],
        stpncpy: copy::stpncpy [twin],
        strcasestr: scan::strcasestr [twin],
        strcat: copy::strcat [twin],
        strchr: scan::strchr [twin],
        strchrnul: scan::strchrnul [twin],
        strcmp: compare::strcmp [twin],
        strcpy: copy::strcpy [twin],
        strcspn: scan::strcspn [twin],
        strdup: copy::strdup [twin],
        strlcat: copy::strlcat [twin],
        strlcpy: copy::strlcpy [twin],
        strlen: scan::strlen [twin],
        strncat: copy::strncat [twin],
        strncmp: compare::strncmp [twin],
        strncpy: copy::strncpy [twin],
        strndup: copy::strndup [twin],
        strnlen: scan::strnlen [twin],
        strpbrk: scan::strpbrk [twin],
        strrchr: scan::strrchr [twin],
        strspn: scan::strspn [twin],
        strstr: scan::strstr [twin],
        strverscmp: compare::strverscmp,
        strxfrm: compare::strxfrm [twin],
        __explicit_bzero_chk: fortify::explicit_bzero_chk,
        __memcpy_chk: fortify::memcpy_chk,
        __memmove_chk: fortify::memmove_chk,
        __mempcpy_chk: fortify::mempcpy_chk,
        __memset_chk: fortify::memset_chk,
        __stpcpy_chk: fortify::stpcpy_chk [twin],
        __stpncpy_chk: fortify::stpncpy_chk,
        __strcat_chk: fortify::strcat_chk [twin],
        __strcpy_chk: fortify::strcpy_chk [twin],
        __strlcat_chk: fortify::strlcat_chk,
        __strlcpy_chk: fortify::strlcpy_chk,
        __strncat_chk: fortify::strncat_chk [twin],
        __strncpy_chk: fortify::strncpy_chk [twin],
    } aliases {
        explicit_bzero: bzero,
        strcoll: strcmp,
        strcoll_l: strcmp,
        strxfrm_l: strxfrm,
        __memcmpeq: memcmp,
        __mempcpy: mempcpy,
        __rawmemchr: rawmemchr,
        __stpcpy: stpcpy,
        __stpncpy: stpncpy,
        __strcasestr: strcasestr,
        __strdup: strdup,
        __strndup: strndup,
        __strverscmp: strverscmp,
    }
    "strings.h" {
        bcopy: mem::bcopy,
        bzero: mem::bzero [open],
        strcasecmp: compare::strcasecmp [twin],
        strncasecmp: compare::strncasecmp [twin],
    } aliases {
        bcmp: memcmp,
        index: strchr,
        rindex: strrchr,
        strcasecmp_l: strcasecmp,
        strncasecmp_l: strncasecmp,
    }
    "unistd.h" {
        link: posix::link,
        pipe: posix::pipe,
        pipe2: posix::pipe2,
        readlink: posix::readlink,
        swab: mem::swab [twin],
        symlink: posix::symlink,
    }
    "sys/stat.h" {
        chmod: posix::chmod,
        fchmod: posix::fchmod,
    }
    "dirent.h" {
        closedir: dir::closedir,
        dirfd: dir::dirfd,
        fdopendir: dir::fdopendir,
        opendir: dir::opendir,
        readdir: dir::readdir,
        rewinddir: dir::rewinddir,
        seekdir: dir::seekdir,
        telldir: dir::telldir,
    } aliases {
        readdir64: readdir,
    }
    "fenv.h" {
        feclearexcept: fenv::feclearexcept,
        fegetround: fenv::fegetround,
        fesetround: fenv::fesetround,
        fetestexcept: fenv::fetestexcept,
    }
    "stdlib.h" {
        calloc: alloc::calloc,
        free: alloc::free [open],
        malloc: alloc::malloc,
        posix_memalign: alloc::posix_memalign,
        realloc: alloc::realloc,
        reallocarray: alloc::reallocarray,
        realpath: posix::realpath,
        valloc: alloc::valloc,
    } aliases {
        aligned_alloc: memalign,
        cfree: free,
    }
    "malloc.h" {
        malloc_trim: alloc::malloc_trim,
        malloc_usable_size: alloc::malloc_usable_size,
        memalign: alloc::memalign,
        pvalloc: alloc::pvalloc,
    }
    "math.h" {
        lgamma_r: math::lgamma_r,
        lgammaf_r: math::lgammaf_r,
        lgammal_r: math::lgammal_r,
    }
    "setjmp.h" {
        longjmp: control::longjmp,
        setjmp: control::setjmp,
    } aliases {
        siglongjmp: longjmp,
        sigsetjmp: setjmp,
        _longjmp: longjmp,
        _setjmp: setjmp,
        __longjmp_chk: longjmp,
        __sigsetjmp: setjmp,
    }
    "" {
        __sp_abort: control::abort,
        __sp_access: os::access,
        __sp_assert_fail: control::assert_fail,
        __sp_chdir: os::chdir,
        __sp_check_fits: fortify::check_fits,
        __sp_check_output: os::check_output,
        __sp_check_character: os::check_character,
        __sp_clock: os::clock,
        __sp_close: os::close,
        __sp_count_digits: number::count_digits,
        __sp_ctor: control::constructor,
        __sp_digit: number::digit,
        __sp_directory: os::directory,
        __sp_dtor: control::destructor,
        __sp_dup: os::dup,
        __sp_dup2: os::dup2,
        __sp_exit: control::exit,
        __sp_format_double: number::format_double,
        __sp_format_float: number::format_long_double,
        __sp_fstat: os::fstat,
        __sp_ftruncate: os::ftruncate,
        __sp_getcwd: os::getcwd,
        __sp_getpid: os::getpid,
        __sp_is_open: control::is_open,
        __sp_isatty: os::isatty,
        __sp_keeps: os::keeps,
        __sp_lseek: os::lseek,
        __sp_mkdir: os::mkdir,
        __sp_mute: control::mute,
        __sp_note: outside::note,
        __sp_open: os::open,
        __sp_parse_double: number::parse_double,
        __sp_parse_float: number::parse_float,
        __sp_parse_long_double: number::parse_long_double,
        __sp_printed: number::printed,
        __sp_raise: control::raise,
        __sp_random: os::random,
        __sp_read: os::read,
        __sp_rename: os::rename,
        __sp_rmdir: os::rmdir,
        __sp_sleep: os::sleep,
        __sp_stat: os::stat,
        __sp_unlink: os::unlink,
        __sp_unmute: control::unmute,
        __sp_unsupported: outside::unsupported,
        __sp_write: os::write,
    }
}

/// Every function of the library, in no particular order.
pub fn entries() -> impl Iterator<Item = Entry> {
    let in_c = rt::symbols().map(|(name, file)| Entry::new(name, header_declaring(name), Served::C(file)));
    let in_math = math::NAMES.iter().map(|name| Entry::new(name, "math.h", Served::InRust));
    BUILTINS.iter().copied().chain(in_math).chain(in_c)
}

/// The row of the function that serves a name, if Rust code does and the row says more than that.
fn row(name: &str) -> Option<&'static Entry> {
    let row = BUILTINS.iter().find(|entry| entry.name == name)?;
    if let Served::Alias(target) = row.served { self::row(target) } else { Some(row) }
}

/// The function that Rust code serves under a name.
pub fn lookup<M: Host>(name: &str) -> Option<BuiltinRow<M>> {
    let row = row(name);
    let takes_open = row.is_some_and(|row| row.takes_open);
    let is_of_memory = row.is_some_and(Entry::is_of_memory);
    find_builtin(name).map(|function| BuiltinRow { function, takes_open, is_of_memory })
}

/// Whether a function of the library computes with numbers only.
pub fn is_math(name: &str) -> bool {
    math::NAMES.contains(&name)
}

/// Whether the library has a function.
pub fn is_known(name: &str) -> bool {
    let in_rust = row(name).is_some() || math::NAMES.contains(&name) || outside::UNSUPPORTED.contains(&name);
    in_rust || rt::rt_file_defining(name).is_some()
}

/// What the C function that stands in for a Rust one is called: this, and the name of the latter.
pub const TWIN_PREFIX: &str = "__twin_";

/// The C function that does the same as the Rust code that serves a name, in a form whose branches can be followed.
pub fn twin_of(name: &str) -> Option<&'static str> {
    let row = row(name).filter(|row| row.twin)?;
    rt::find_symbol(&format!("{TWIN_PREFIX}{}", row.name))
}

/// The table in the form that the VM takes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Library;

impl<M: Host> BuiltinTable<M> for Library {
    fn lookup(&self, name: &str) -> Option<BuiltinRow<M>> {
        lookup(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;
    use crate::headers::listed;
    use spelunk_vm::Concrete;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn no_name_is_served_twice() {
        let mut served: BTreeMap<&str, Served> = BTreeMap::new();
        for entry in entries() {
            if let Some(before) = served.insert(entry.name, entry.served) {
                panic!("{} is served by {before:?} and by {:?}", entry.name, entry.served);
            }
        }
    }

    #[test]
    fn rust_rows_lead_to_functions() {
        for entry in entries().filter(|entry| !matches!(entry.served, Served::C(_))) {
            assert!(lookup::<Concrete<World>>(entry.name).is_some(), "{entry:?}");
        }
    }

    #[test]
    fn c_rows_lead_to_files() {
        for entry in entries() {
            if let Served::C(file) = entry.served {
                assert!(rt::sources().iter().any(|(name, _)| *name == file), "{entry:?}");
                assert_eq!(rt::rt_file_defining(entry.name), Some(file));
            }
        }
        assert_eq!(rt::rt_file_defining("no such function"), None);
    }

    #[test]
    fn twins_stand_in_for_functions_in_rust() {
        assert_eq!(twin_of("strlen"), Some("__twin_strlen"));
        assert_eq!(twin_of("index"), Some("__twin_strchr"), "by another name");
        assert_eq!((twin_of("memcpy"), twin_of("strtok"), twin_of("sqrt")), (None, None, None));
        let in_c = rt::symbols().filter_map(|(symbol, _)| symbol.strip_prefix(TWIN_PREFIX));
        let listed = BUILTINS.iter().filter(|entry| entry.twin).map(|entry| entry.name);
        assert_eq!(in_c.collect::<BTreeSet<_>>(), listed.collect::<BTreeSet<_>>());
    }

    #[test]
    fn columns_hold_for_other_names_too() {
        let takes_open = |name| lookup::<Concrete<World>>(name).is_some_and(|row| row.takes_open);
        assert!(takes_open("memset") && takes_open("cfree") && takes_open("explicit_bzero"));
        let is_of_memory = |name| lookup::<Concrete<World>>(name).is_some_and(|row| row.is_of_memory);
        assert!(is_of_memory("memmove") && is_of_memory("strlen") && is_of_memory("bcmp"));
        assert!(!is_of_memory("free") && !is_of_memory("strverscmp") && !is_of_memory("__sp_read"));
        assert!(!takes_open("strlen") && !takes_open("sqrt") && !takes_open("no such function"));
    }

    #[test]
    fn standard_functions_are_there() {
        let served: BTreeMap<&str, &str> = entries().map(|entry| (entry.name, entry.header)).collect();
        let missing: Vec<_> = listed().filter(|(_, name)| !served.contains_key(name.as_str())).collect();
        assert!(missing.is_empty(), "{missing:?}");
        let misplaced: Vec<_> = listed().filter(|(header, name)| served[name.as_str()] != *header).collect();
        assert!(misplaced.is_empty(), "{misplaced:?}");
    }
}
