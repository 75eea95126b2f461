//! Where a program depends on the world outside, or leaves what we can run. An explored program gets one of the answers
//! that the world could give; that others were left out is noted.

use super::{Answer, Host, area, words};
use crate::world::World;
use spelunk_vm::{Flow, Outside, Reach, Slot, Vm};

/// Does something with paths. Notes it if the answer is the host's, and what was changed.
pub fn in_world<M: Host, T>(vm: &mut Vm<'_, M>, act: impl FnOnce(&mut World) -> T) -> T {
    let done = act(vm.machine.env());
    if let Some(path) = vm.machine.env().take_host_path() {
        let what = format!("`{}` is as this machine has it", String::from_utf8_lossy(&path));
        let whose = match path {
            _ if is_in(&path, &CHANGING) => Outside::Changing,
            _ if vm.machine.env().is_here(&path) => Outside::Here,
            _ => Outside::Machine,
        };
        one_answer(vm, whose, &what);
    }
    for path in vm.machine.env().take_changed() {
        let is_near = vm.machine.env().is_here(&path) || is_in(&path, &TEMPORARY);
        let reach = if is_near { Reach::Near } else { Reach::Far };
        one_answer(vm, Outside::Changed(reach), &String::from_utf8_lossy(&path));
    }
    done
}

fn is_in(path: &[u8], directories: &[&[u8]]) -> bool {
    directories.iter().any(|dir| path.starts_with(dir))
}

/// Where files are that have another content each time.
const CHANGING: [&[u8]; 3] = [b"/dev/", b"/proc/", b"/sys/"];

/// Where temporary files are.
const TEMPORARY: [&[u8]; 2] = [b"/tmp/", b"/var/tmp/"];

/// The program goes on with one of several answers.
pub fn one_answer<M: Host>(vm: &mut Vm<'_, M>, whose: Outside, what: &str) {
    if vm.machine.env().is_private() {
        let site = vm.user_site();
        vm.machine.depends(site, whose, what);
    }
}

/// What `rt.h` calls the kinds.
const RT_ONE_ANSWER: u64 = 0;

/// `(kind, name, text)`: the text with the name before it. Neither decides anything.
pub fn note<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [kind, name, text] = words(vm, args)?;
    let kind = if kind as u32 as u64 == RT_ONE_ANSWER { Outside::OneAnswer } else { Outside::Command };
    let what = format!("`{}` {}", glance(vm, name), glance(vm, text));
    let site = vm.user_site();
    vm.machine.depends(site, kind, &what);
    Ok(Flow::VOID)
}

/// The text at an address in this run, whatever it carries.
fn glance<M: Host>(vm: &Vm<'_, M>, addr: u64) -> String {
    let bytes = vm.memory.bytes_to_end(addr).unwrap_or_default();
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// Ends the path.
pub fn unsupported<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [what] = words(vm, args)?;
    let what = String::from_utf8_lossy(&area::string(vm, what)?).into_owned();
    vm.unsupported(what)
}

macro_rules! beyond {
    ($($why:literal { $($name:ident)* })*) => {
        /// Functions of the C library that no program can go on after, and why.
        pub fn find_unsupported<M: Host>(name: &str) -> Option<spelunk_vm::Builtin<M>> {
            match name {
                $($(stringify!($name) => {
                    Some(|vm, _| vm.unsupported(concat!("a call of `", stringify!($name), "`: ", $why)))
                })*)*
                _ => None,
            }
        }

        /// Their names.
        pub const UNSUPPORTED: &[&str] = &[$($(stringify!($name),)*)*];
    };
}

beyond! {
    "threads are not supported" {
        pthread_create thrd_create pthread_tryjoin_np pthread_timedjoin_np
    }
    "processes are not supported" {
        fork vfork _Fork clone clone3 daemon forkpty execl execle execlp execv execve execvp execvpe execveat fexecve
        posix_spawn posix_spawnp wordexp ptrace unshare setns
    }
    "sockets are not supported" {
        socket socketpair connect bind listen accept accept4 send sendto sendmsg sendmmsg recv recvfrom recvmsg recvmmsg
        shutdown getsockname getpeername getsockopt setsockopt sockatmark __recv_chk __recvfrom_chk
    }
    "names of the network are not supported" {
        getaddrinfo getnameinfo gethostbyname gethostbyname2 gethostbyaddr gethostbyname_r gethostbyname2_r
        gethostbyaddr_r gethostent res_init res_query res_search res_querydomain res_mkquery res_send
        __res_init __res_query __res_search __res_querydomain __res_mkquery __res_send res_ninit res_nquery res_nsearch
        res_nquerydomain res_nmkquery res_nsend __res_ninit __res_nquery __res_nsearch __res_nquerydomain
        __res_nmkquery __res_nsend if_nametoindex if_indextoname if_nameindex getifaddrs
    }
    "waiting for events is not supported" {
        select pselect poll ppoll __poll_chk __ppoll_chk epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
        eventfd timerfd_create signalfd inotify_init inotify_init1 inotify_add_watch
    }
    "shared memory is not supported" {
        shm_open shmget shmat msgget semget mq_open sem_open
    }
    "loading code is not supported" {
        dlopen dlmopen dlsym dlvsym
    }
    "system calls are not supported" {
        syscall
    }
    "waiting for signals is not supported" {
        pause sigsuspend sigwait sigwaitinfo sigtimedwait setitimer timer_create
    }
}
