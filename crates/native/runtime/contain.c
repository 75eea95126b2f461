// What keeps tests from doing anything to the machine that they run on. The kernel enforces it, whatever the program does.
// docs/security.md says what holds.
//
// `start` runs before the program's constructors and does what all tests have in common: namespaces, in which this is the
// first process, which no other can harm; and all files become read-only. `spelunk_contain` is for the process of one test:
// what it may write to is in a mount namespace that ends with it.
//
// Only raw system calls: this runs before the sanitizers are ready, and below a program that may define functions of the C
// library itself.

#define _GNU_SOURCE

#include "contain.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/stat.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LEN(array) (sizeof(array) / sizeof *(array))

// How much one test may write, into how many files; and the mount points that all share.
#define TEST_SPACE "mode=0700,size=64m,nr_inodes=16k"
#define SHARED_SPACE "mode=0755,size=1m,nr_inodes=100"

unsigned spelunk_containment;
// What may be used.
static unsigned usable = HAS_NAMESPACES | HAS_LANDLOCK | HAS_FILTER;
// An empty directory.
static const char *scratch;

// ---- Namespaces

static void put(const char *path, const char *line, size_t len) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
  syscall(SYS_write, fd, line, len);
  syscall(SYS_close, fd);
}

// Users and groups keep their numbers, and with them what they may read.
static void keep_number(const char *path, unsigned number) {
  char line[32], *start = line + sizeof line;
  *--start = '1';
  for (int i = 0; i < 2; i++) {
    *--start = ' ';
    unsigned rest = number;
    do
      *--start = (char)('0' + rest % 10);
    while (rest /= 10);
  }
  put(path, start, (size_t)(line + sizeof line - start));
}

static int unshare_as_same_user(int flags) {
  unsigned user = (unsigned)syscall(SYS_geteuid), group = (unsigned)syscall(SYS_getegid);
  if (syscall(SYS_unshare, CLONE_NEWUSER | flags) != 0)
    return 0;
  put("/proc/self/setgroups", "deny", 4);
  keep_number("/proc/self/uid_map", user);
  keep_number("/proc/self/gid_map", group);
  return 1;
}

// The process that was started waits for the first one of the new namespace, and ends as that does.
static void become_first_process(void) {
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  int status = 0;
  if (child < 0)
    syscall(SYS_exit_group, 2);
  if (child > 0) {
    while (syscall(SYS_wait4, child, &status, 0, NULL) == -1 && errno == EINTR)
      ;
    syscall(SYS_exit_group, status & 0x7f ? 128 + (status & 0x7f) : status >> 8 & 0xff);
  }
  syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
}

// ---- Files

enum { READ_ONLY = 1, NO_SUID = 2, RECURSIVE = 0x8000 };

static int change_mount(const char *path, unsigned how, uint64_t set, uint64_t clear) {
  struct {
    uint64_t set, clear, propagation, user_namespace;
  } attributes = {set, clear, 0, 0};
  return syscall(442 /* mount_setattr */, AT_FDCWD, path, how, &attributes, sizeof attributes) == 0;
}

static int mount_at(const char *what, const char *at, const char *type, unsigned long flags, const char *options) {
  return syscall(SYS_mount, what, at, type, flags, options) == 0;
}

static void make_dir(const char *path, unsigned mode) {
  syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  syscall(SYS_fchmodat, AT_FDCWD, path, mode);
}

// That files are read-only does not protect devices. The harmless ones are all there will be; there is room for them here.
static int replace_devices(void) {
  static const char *const devices[][2] = {{"/dev/null", "dev/null"},
                                           {"/dev/zero", "dev/zero"},
                                           {"/dev/full", "dev/full"},
                                           {"/dev/random", "dev/random"},
                                           {"/dev/urandom", "dev/urandom"}};
  static const char *const links[][2] = {{"/proc/self/fd", "dev/fd"},
                                         {"/proc/self/fd/0", "dev/stdin"},
                                         {"/proc/self/fd/1", "dev/stdout"},
                                         {"/proc/self/fd/2", "dev/stderr"}};
  make_dir("dev", 0755);
  make_dir("dev/shm", 01777);
  mount_at("/dev/shm", "dev/shm", NULL, MS_BIND | MS_REC, NULL);
  for (size_t i = 0; i < LEN(devices); i++) {
    syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, devices[i][1], O_CREAT | O_WRONLY, 0600));
    mount_at(devices[i][0], devices[i][1], NULL, MS_BIND, NULL);
  }
  for (size_t i = 0; i < LEN(links); i++)
    syscall(SYS_symlinkat, links[i][0], AT_FDCWD, links[i][1]);
  return mount_at("dev", "/dev", NULL, MS_BIND | MS_REC, NULL);
}

// What stays behind is on `/dev` only: a directory with something mounted in it can't be the base of a view. `/proc` is needed
// once more.
static int protect_files(void) {
  if (!mount_at(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
      !mount_at("tmpfs", scratch, "tmpfs", MS_NOSUID, SHARED_SPACE))
    return 0;
  int is_well = syscall(SYS_chdir, scratch) == 0 && replace_devices() &&
                change_mount("/", RECURSIVE, READ_ONLY | NO_SUID, 0) && change_mount("/proc", 0, 0, READ_ONLY);
  return syscall(SYS_chdir, "/") == 0 && syscall(SYS_umount2, scratch, MNT_DETACH) == 0 && is_well;
}

// Room for a view of a directory that can be written to: what is there, and what changes.
static void make_room(const char *path, const char *at) {
  struct statx info = {0};
  syscall(SYS_statx, AT_FDCWD, path, 0, STATX_MODE, &info);
  make_dir(at, 0700);
  syscall(SYS_chdir, at);
  make_dir("below", 0700);
  make_dir("changed", info.stx_mode & 07777);
  make_dir("work", 0700);
  mount_at(path, "below", NULL, MS_BIND | MS_REC, NULL);
  syscall(SYS_chdir, "..");
}

// Where the kernel has no such views, the directory is empty.
static int make_writable(const char *path, const char *at) {
  if (syscall(SYS_chdir, at) != 0)
    return 0;
  int is_made = mount_at("overlay", path, "overlay", MS_NOSUID | MS_NODEV,
                         "lowerdir=below,upperdir=changed,workdir=work,userxattr") ||
                mount_at("changed", path, NULL, MS_BIND, NULL);
  syscall(SYS_chdir, "..");
  return is_made;
}

static int is_below(const char *path, const char *dir) {
  while (*dir && *path == *dir)
    path++, dir++;
  return !*dir && (!*path || *path == '/');
}

// Everything that the test writes is in memory, and gone with its last process. The current directory has a view of its own even
// below a temporary one: only there it belongs to the user, whoever owns it.
static int have_own_files(const char *directory) {
  static const char *const temporary[][2] = {{"/var/tmp", "var-tmp"}, {"/tmp", "tmp"}};
  if (syscall(SYS_unshare, CLONE_NEWNS) != 0 || !mount_at("tmpfs", scratch, "tmpfs", MS_NOSUID | MS_NODEV, TEST_SPACE) ||
      syscall(SYS_chdir, scratch) != 0)
    return 0;
  make_dir("shm", 01777);
  if (!is_below(directory, "/dev/shm"))
    mount_at("shm", "/dev/shm", NULL, MS_BIND, NULL);
  make_room(directory, "current");
  for (size_t i = 0; i < LEN(temporary); i++)
    make_room(temporary[i][0], temporary[i][1]);
  for (size_t i = 0; i < LEN(temporary); i++)
    if (!is_below(temporary[i][0], directory))
      make_writable(temporary[i][0], temporary[i][1]);
  return make_writable(directory, "current") && syscall(SYS_chdir, directory) == 0;
}

// ---- Landlock

enum {
  WRITE_FILE = 1 << 1,
  // Removing and making files of all kinds.
  CHANGE_DIRECTORY = 0x1ff0,
  MOVE = 1 << 13,
  TRUNCATE = 1 << 14,
  CONTROL_DEVICE = 1 << 15,
  EXECUTE = 1 << 0,
};

// Not in all headers yet.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };

static uint64_t file_rights(long version) {
  return WRITE_FILE | CHANGE_DIRECTORY | (version >= 2 ? MOVE : 0) | (version >= 3 ? TRUNCATE : 0) |
         (version >= 5 ? CONTROL_DEVICE : 0);
}

static void allow(int rules, const char *path, uint64_t rights) {
  struct {
    uint64_t rights;
    int32_t fd;
  } __attribute__((packed)) beneath = {rights, (int32_t)syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC)};
  syscall(ADD_RULE, rules, 1, &beneath, 0);
  syscall(SYS_close, beneath.fd);
}

// Writes are refused everywhere else.
static int allow_writes(const char *const *directories) {
  long version = syscall(CREATE_RULESET, NULL, 0, 1);
  if (version < 1)
    return 0;
  uint64_t rights = file_rights(version);
  struct {
    uint64_t files, network, scopes;
  } handled = {rights | EXECUTE, 3, 3};
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  int rules = (int)syscall(CREATE_RULESET, &handled, size, 0);
  for (; *directories; directories++)
    allow(rules, *directories, rights);
  static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full"};
  for (size_t i = 0; i < LEN(devices); i++)
    allow(rules, devices[i], rights & (WRITE_FILE | TRUNCATE | CONTROL_DEVICE));
  int is_restricted = syscall(RESTRICT_SELF, rules, 0) == 0;
  syscall(SYS_close, rules);
  return is_restricted;
}

// ---- System calls

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// To the machine, other processes, and what is not in any namespace. Local sockets reach servers through files.
static const short harmful[] = {
    SYS_ptrace,       SYS_process_vm_readv,  SYS_process_vm_writev, SYS_kcmp,          434 /* pidfd_open */,
    438 /* pidfd_getfd */, 440 /* process_madvise */, SYS_socket,   SYS_mount,         SYS_umount2,
    SYS_pivot_root,   SYS_chroot,            SYS_unshare,           SYS_setns,         428 /* open_tree */,
    429 /* move_mount */, 430 /* fsopen */,  431 /* fsconfig */,    432 /* fsmount */, 442 /* mount_setattr */,
    SYS_swapon,       SYS_swapoff,           SYS_reboot,            SYS_kexec_load,    320 /* kexec_file_load */,
    SYS_init_module,  SYS_finit_module,      SYS_delete_module,     SYS_settimeofday,  SYS_clock_settime,
    SYS_clock_adjtime, SYS_adjtimex,         SYS_sethostname,       SYS_setdomainname, SYS_bpf,
    SYS_perf_event_open, SYS_userfaultfd,    425 /* io_uring_setup */, SYS_keyctl,     SYS_add_key,
    SYS_request_key,  SYS_quotactl,          SYS_acct,              SYS_open_by_handle_at, SYS_syslog,
    SYS_vhangup,      SYS_lookup_dcookie,    SYS_personality,
#ifdef __x86_64__
    SYS_iopl,         SYS_ioperm,            SYS_modify_ldt,
#endif
};

static const short starting[] = {
    SYS_clone, SYS_execve, SYS_execveat,
#ifdef __x86_64__
    SYS_fork,  SYS_vfork,
#endif
};

// What Landlock can't refuse, and what would stay behind without a namespace.
static const short lasting[] = {
    SYS_truncate, SYS_fchmod,  SYS_fchmodat, SYS_fchown,   SYS_fchownat,  SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_shmget, SYS_semget, SYS_msgget, SYS_mq_open,
    SYS_setpgid,  SYS_setsid,  SYS_setpriority, SYS_ioprio_set, SYS_prlimit64, 452 /* fchmodat2 */,
#ifdef __x86_64__
    SYS_chmod,    SYS_chown,   SYS_lchown,   SYS_utime,    SYS_utimes,    SYS_futimesat,
#endif
};

// Only to itself.
static const short signalling[] = {SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};

static struct sock_filter filter[512];
static unsigned short n_filter;

static void add(unsigned short code, unsigned char if_so, unsigned char if_not, unsigned value) {
  filter[n_filter++] = (struct sock_filter){code, if_so, if_not, value};
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, 0, 0, (unsigned)offset); }
static void answer(unsigned value) { add(BPF_RET | BPF_K, 0, 0, value); }

static void refuse(const short *calls, size_t count, unsigned error) {
  for (size_t i = 0; i < count; i++) {
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)calls[i]);
    answer(SECCOMP_RET_ERRNO | error);
  }
}

static int filter_calls(void) {
  static const short no_flags_to_see[] = {435 /* clone3 */};
  load(offsetof(struct seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
  answer(SECCOMP_RET_ERRNO | EPERM);
  load(offsetof(struct seccomp_data, nr));
  // The other way of calling the same system.
  add(BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
  answer(SECCOMP_RET_ERRNO | EPERM);
  refuse(harmful, LEN(harmful), EPERM);
  refuse(starting, LEN(starting), EPERM);
  refuse(no_flags_to_see, 1, ENOSYS);
  if (!(spelunk_containment & HAS_OWN_FILES))
    refuse(lasting, LEN(lasting), EPERM);
  if (!(spelunk_containment & HAS_NAMESPACES))
    for (size_t i = 0; i < LEN(signalling); i++) {
      add(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (unsigned)signalling[i]);
      load(offsetof(struct seccomp_data, args));
      add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, (unsigned)syscall(SYS_getpid));
      answer(SECCOMP_RET_ERRNO | EPERM);
      answer(SECCOMP_RET_ALLOW);
    }
  answer(SECCOMP_RET_ALLOW);
  struct sock_fprog program = {n_filter, filter};
  return syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// ---- Both together

static int drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  return syscall(SYS_capset, &header, none) == 0;
}

unsigned spelunk_contain(const char *directory) {
  unsigned in_force = spelunk_containment;
  if ((in_force & HAS_OWN_FILES) && !have_own_files(directory))
    return 0;
  if (usable == 0)
    return in_force;
  if (!drop_capabilities() || syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return 0;
  const char *const all[] = {directory, "/tmp", "/var/tmp", "/dev/shm", NULL};
  if ((usable & HAS_LANDLOCK) && (in_force & HAS_OWN_FILES) && allow_writes(all))
    in_force |= HAS_LANDLOCK;
  if ((usable & HAS_FILTER) && filter_calls())
    in_force |= HAS_FILTER;
  return in_force;
}

static int has_flag(char **args, const char *flag) {
  for (; *args; args++) {
    size_t at = 0;
    while (flag[at] && (*args)[at] == flag[at])
      at++;
    if (!flag[at] && !(*args)[at])
      return 1;
  }
  return 0;
}

static void read_flags(char **args) {
  if (has_flag(args, "uncontained"))
    usable = 0;
  if (has_flag(args, "without-namespaces"))
    usable &= ~(unsigned)HAS_NAMESPACES;
  if (has_flag(args, "without-landlock"))
    usable &= ~(unsigned)HAS_LANDLOCK;
  if (has_flag(args, "without-filter"))
    usable &= ~(unsigned)HAS_FILTER;
}

// Says what would be in force for a test, and runs nothing of the program.
static _Noreturn void probe(void) {
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0)
    syscall(SYS_exit_group, spelunk_contain("/tmp"));
  int status = 0;
  syscall(SYS_wait4, child, &status, 0, NULL);
  char digits[] = {(char)('0' + (status >> 8) / 10), (char)('0' + (status >> 8) % 10)};
  syscall(SYS_write, 1, digits, sizeof digits);
  for (;;)
    syscall(SYS_exit_group, 0);
}

// The program's arguments are those of server.c.
static void start(int n_args, char **args) {
  if (n_args < 3)
    return;
  scratch = args[2];
  read_flags(args + 3);
  syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  // Nothing can be typed into a terminal that is not there.
  syscall(SYS_setsid);
  if ((usable & HAS_NAMESPACES) && unshare_as_same_user(CLONE_NEWNS)) {
    const int others = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    if (protect_files())
      spelunk_containment |= HAS_OWN_FILES;
    // Below another namespace of users, what was made read-only can't be undone.
    if (unshare_as_same_user(others) || syscall(SYS_unshare, others) == 0) {
      become_first_process();
      spelunk_containment |= HAS_NAMESPACES;
      // Where parts of it are hidden there is no other, and processes outside can be looked at.
      if (!mount_at("proc", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) &&
          !change_mount("/proc", RECURSIVE, READ_ONLY, 0))
        spelunk_containment &= ~(unsigned)HAS_OWN_FILES;
    }
  }
  const char *const only[] = {scratch, NULL};
  if (usable & HAS_LANDLOCK && !(spelunk_containment & HAS_OWN_FILES)) {
    syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (allow_writes(only))
      spelunk_containment |= HAS_LANDLOCK;
  }
  if (args[1][0] == '?')
    probe();
}

__attribute__((section(".preinit_array"), used)) static void (*const at_start)(int, char **) = start;
