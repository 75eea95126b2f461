//! What native runs can't do to the machine. `runtime/contain.c` asks the kernel for it; here is what was asked for, what could be
//! had, and what follows if that is too little.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use spelunk_deadline::{Deadline, Ended};
use spelunk_driver::DriverError;
use spelunk_ir::model::{Callee, Function, Inst, InstKind, Program};

use crate::error::NativeError;

/// What native runs may do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Confinement {
    /// Read what the user may read, write into a private view of some directories, and nothing else.
    #[default]
    Contained,
    /// Whatever the user may do.
    Uncontained,
}

impl Confinement {
    pub const ALL: &'static [Self] = &[Self::Contained, Self::Uncontained];

    pub fn name(self) -> &'static str {
        match self {
            Self::Contained => "contained",
            Self::Uncontained => "uncontained",
        }
    }

    /// What the runtime is told.
    pub(crate) fn flags(self, stage: Stage) -> Vec<String> {
        let mut flags = if self == Self::Contained { Vec::new() } else { vec![self.name().to_owned()] };
        let without = std::env::var(WITHOUT).unwrap_or_default();
        let names = without.split(',').filter(|name| !name.is_empty());
        let names = names.filter_map(|name| match name.strip_prefix(LATER) {
            Some(name) => (stage == Stage::Tests).then_some(name),
            None => Some(name),
        });
        flags.extend(names.map(|name| format!("without-{name}")));
        flags
    }
}

/// When the runtime is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    Probe,
    Tests,
}

/// Names what is not to be used although the kernel has it, to see what holds without: `namespaces`, `landlock`, `filter`. With
/// `later:` before it, it is there when it is asked for, and missing in tests.
const WITHOUT: &str = "SPELUNK_WITHOUT";
const LATER: &str = "later:";

/// What is in force for a test: the bits of `runtime/contain.h`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Containment(u8);

impl Containment {
    const NAMESPACES: u8 = 1;
    const OWN_FILES: u8 = 2;
    const LANDLOCK: u8 = 4;
    const FILTER: u8 = 8;

    /// Asks the executable, which runs nothing of the program for it.
    pub fn probe(
        executable: &Path,
        scratch: &Path,
        confinement: Confinement,
        deadline: &Deadline,
    ) -> Result<Self, NativeError> {
        let mut command = Command::new(executable);
        command.arg("?").arg(scratch).args(confinement.flags(Stage::Probe)).env_clear();
        match spelunk_deadline::output(&mut command, deadline).map_err(NativeError::io(executable))? {
            Ended::ByItself(output) => Ok(Self(String::from_utf8_lossy(&output.stdout).parse().unwrap_or(0))),
            Ended::Over(over) => Err(DriverError::Over(over).into()),
        }
    }

    /// What the runtime is told to insist on.
    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// Whether tests find the files of the directory that the program is in, without copies.
    pub fn has_own_files(self) -> bool {
        self.has(Self::OWN_FILES)
    }

    /// Whether the files of the machine stay as they are.
    pub fn keeps_files(self) -> bool {
        self.has(Self::OWN_FILES) || (self.has(Self::LANDLOCK) && self.has(Self::FILTER))
    }

    /// What is not protected from the program, in words.
    pub fn unprotected(self) -> Vec<&'static str> {
        let (filter, namespaces) = (self.has(Self::FILTER), self.has(Self::NAMESPACES));
        let all = [
            (self.keeps_files(), "files"),
            (namespaces || filter, "other processes"),
            (namespaces || filter, "the network"),
            (filter, "the kernel's rarer system calls"),
        ];
        all.iter().filter(|(is_protected, _)| !is_protected).map(|&(_, what)| what).collect()
    }

    /// Whether the program can be run, whatever it calls.
    pub fn is_complete(self) -> bool {
        self.unprotected().is_empty()
    }
}

/// Functions of the C library by which a program reaches what is outside of it, other than by reading.
const DANGEROUS: &[&str] = &[
    "accept",
    "accept4",
    "acct",
    "bind",
    "chmod",
    "chown",
    "chroot",
    "clock_settime",
    "connect",
    "creat",
    "dlopen",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execveat",
    "execvp",
    "execvpe",
    "fchmod",
    "fchmodat",
    "fchown",
    "fchownat",
    "fdopen",
    "fopen",
    "fopen64",
    "fork",
    "freopen",
    "fsetxattr",
    "ftruncate",
    "futimens",
    "futimes",
    "getaddrinfo",
    "ioctl",
    "kill",
    "killpg",
    "lchown",
    "link",
    "linkat",
    "listen",
    "lsetxattr",
    "lutimes",
    "mkdir",
    "mkdirat",
    "mkdtemp",
    "mkfifo",
    "mknod",
    "mkostemp",
    "mkstemp",
    "mount",
    "mq_open",
    "msgget",
    "nice",
    "open",
    "open64",
    "openat",
    "openat64",
    "pidfd_send_signal",
    "popen",
    "posix_spawn",
    "posix_spawnp",
    "pthread_create",
    "ptrace",
    "reboot",
    "remove",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "semget",
    "sem_open",
    "send",
    "sendmsg",
    "sendto",
    "setpriority",
    "settimeofday",
    "setxattr",
    "shm_open",
    "shm_unlink",
    "shmget",
    "sigqueue",
    "socket",
    "symlink",
    "symlinkat",
    "syscall",
    "system",
    "tempnam",
    "tmpfile",
    "truncate",
    "umount",
    "umount2",
    "unlink",
    "unlinkat",
    "utime",
    "utimensat",
    "utimes",
    "vfork",
];

/// What the program's own sources, which come first, could do harm with: functions that they leave to others to define, and
/// assembly, which may do anything.
pub fn dangers(program: &Program, n_sources: usize) -> Vec<String> {
    let is_own = |function: &&Function| program.symbol(function.symbol).module.index() < n_sources;
    let own = || program.functions.iter().filter(is_own);
    let named = |function: &Function| program.symbol(function.symbol).name.to_string();
    let defined: BTreeSet<String> = own().filter(|function| !function.blocks.is_empty()).map(named).collect();
    let declared = own().filter(|function| function.blocks.is_empty()).map(named);
    let imports = declared.filter(|name| DANGEROUS.contains(&&**name) && !defined.contains(name));
    let mut found: BTreeSet<String> = imports.map(|name| format!("`{name}`")).collect();
    let is_assembly = |inst: &Inst| matches!(&inst.kind, InstKind::Call { callee: Callee::Asm(text), .. } if !text.template.trim().is_empty());
    let has_lines = program.modules.iter().take(n_sources).any(|module| !module.inline_asm.is_empty());
    if has_lines || own().flat_map(|function| &function.insts).any(is_assembly) {
        found.insert("inline assembly".to_owned());
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let all = Containment(15);
        assert!(all.is_complete());
        assert!(Containment(Containment::LANDLOCK | Containment::FILTER).is_complete());
        assert_eq!(Containment(Containment::NAMESPACES | Containment::FILTER).unprotected(), ["files"]);
        let without_filter = Containment(all.0 & !Containment::FILTER);
        assert_eq!(without_filter.unprotected(), ["the kernel's rarer system calls"]);
        assert_eq!(Containment::default().unprotected().len(), 4);
    }
}
