//! Which header declares which function: ISO C11 as a whole, and what programs commonly use of POSIX and GNU.
//!
//! The tests hold the library to this list. Within a header, what ISO C asks for comes first. Variants for large files
//! and names that only the headers' macros use are left out, unless the header has no other.

/// Header, and names separated by white space.
const HEADERS: &[(&str, &str)] = &[
    (
        "arpa/inet.h",
        "htonl htons ntohl ntohs inet_addr inet_aton inet_lnaof inet_makeaddr inet_netof inet_network inet_ntoa \
         inet_ntop inet_pton",
    ),
    (
        "arpa/nameser.h",
        "ns_get16 ns_get32 ns_initparse ns_msg_getflag ns_name_compress ns_name_ntop ns_name_pack ns_name_pton \
         ns_name_rollback ns_name_skip ns_name_uncompress ns_name_unpack ns_parserr ns_put16 ns_put32 ns_skiprr",
    ),
    ("assert.h", "__assert __assert_fail __assert_perror_fail"),
    (
        "complex.h",
        "cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin csinh \
         csqrt ctan ctanh clog10",
    ),
    (
        "ctype.h",
        "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit \
         toascii tolower toupper isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l \
         ispunct_l isspace_l isupper_l isxdigit_l tolower_l toupper_l __ctype_b_loc __ctype_tolower_loc \
         __ctype_toupper_loc",
    ),
    ("dirent.h", "closedir dirfd fdopendir opendir readdir rewinddir seekdir telldir alphasort scandir versionsort"),
    ("err.h", "err errx verr verrx vwarn vwarnx warn warnx"),
    ("errno.h", "__errno_location program_invocation_name program_invocation_short_name"),
    ("error.h", "error error_at_line error_message_count error_one_per_line error_print_progname"),
    ("fcntl.h", "creat fcntl open openat posix_fadvise"),
    ("fenv.h", "feclearexcept fegetround fesetround fetestexcept"),
    ("fnmatch.h", "fnmatch"),
    ("getopt.h", "getopt_long getopt_long_only"),
    ("grp.h", "endgrent getgrent getgrgid getgrgid_r getgrnam getgrnam_r getgrouplist initgroups setgrent setgroups"),
    ("inttypes.h", "imaxabs imaxdiv strtoimax strtoumax wcstoimax wcstoumax"),
    ("langinfo.h", "nl_langinfo nl_langinfo_l"),
    ("libgen.h", "dirname __xpg_basename"),
    (
        "libintl.h",
        "bind_textdomain_codeset bindtextdomain dcgettext dcngettext dgettext dngettext gettext ngettext textdomain",
    ),
    ("locale.h", "duplocale freelocale localeconv newlocale setlocale uselocale"),
    ("malloc.h", "malloc_trim malloc_usable_size memalign pvalloc"),
    (
        "math.h",
        "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor \
         fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf \
         nan nearbyint nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sinh sqrt tan tanh \
         tgamma trunc drem exp10 finite gamma isinf isnan j0 j1 jn nextdown nextup pow10 roundeven significand sincos \
         y0 y1 yn",
    ),
    ("netinet/in.h", "in6addr_any in6addr_loopback"),
    (
        "pthread.h",
        "pthread_attr_destroy pthread_attr_init pthread_cond_broadcast pthread_cond_destroy pthread_cond_init \
         pthread_cond_signal pthread_cond_timedwait pthread_cond_wait pthread_equal pthread_getspecific \
         pthread_key_create pthread_key_delete pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock \
         pthread_mutex_timedlock pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_destroy \
         pthread_mutexattr_gettype pthread_mutexattr_init pthread_mutexattr_settype pthread_once \
         pthread_rwlock_destroy pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_unlock pthread_rwlock_wrlock \
         pthread_self pthread_setcancelstate pthread_setspecific pthread_spin_destroy pthread_spin_init \
         pthread_spin_lock pthread_spin_unlock pthread_atfork pthread_attr_setdetachstate pthread_attr_setstacksize \
         pthread_condattr_destroy pthread_condattr_init pthread_condattr_setclock pthread_detach pthread_exit \
         pthread_join pthread_mutexattr_setpshared pthread_rwlock_tryrdlock pthread_rwlock_trywrlock \
         pthread_rwlockattr_destroy pthread_rwlockattr_init pthread_setcanceltype pthread_setname_np \
         pthread_spin_trylock",
    ),
    ("pwd.h", "endpwent getpwent getpwent_r getpwnam getpwnam_r getpwuid getpwuid_r setpwent"),
    ("resolv.h", "dn_comp dn_expand dn_skipname"),
    ("sched.h", "sched_yield"),
    (
        "search.h",
        "hcreate hcreate_r hdestroy hdestroy_r hsearch hsearch_r insque lfind lsearch remque tdelete tdestroy tfind \
         tsearch twalk",
    ),
    ("semaphore.h", "sem_destroy sem_getvalue sem_init sem_post sem_trywait sem_wait"),
    ("setjmp.h", "longjmp setjmp siglongjmp sigsetjmp _longjmp _setjmp"),
    (
        "signal.h",
        "gsignal kill killpg psignal pthread_sigmask raise sigaction sigaddset sigdelset sigemptyset sigfillset \
         siginterrupt sigisemptyset sigismember signal sigpending sigprocmask ssignal bsd_signal sysv_signal",
    ),
    (
        "stdio.h",
        "clearerr fclose feof ferror fflush fgetc fgetpos fgets fopen fprintf fputc fputs fread freopen fscanf fseek \
         fsetpos ftell fwrite getc getchar perror printf putc putchar puts remove rename rewind scanf setbuf setvbuf \
         snprintf sprintf sscanf stderr stdin stdout tmpfile tmpnam ungetc vfprintf vfscanf vprintf vscanf vsnprintf \
         vsprintf vsscanf asprintf clearerr_unlocked dprintf fdopen feof_unlocked ferror_unlocked fflush_unlocked \
         fgetc_unlocked fgets_unlocked fileno fileno_unlocked flockfile fmemopen fopencookie fputc_unlocked \
         fputs_unlocked fread_unlocked fseeko ftello ftrylockfile funlockfile fwrite_unlocked getc_unlocked \
         getchar_unlocked getdelim getline gets getw open_memstream putc_unlocked putchar_unlocked putw setbuffer \
         setlinebuf tmpnam_r vasprintf vdprintf pclose popen renameat",
    ),
    (
        "stdio_ext.h",
        "__fbufsize __flbf __fpending __fpurge __freadable __freading __fsetlocking __fwritable __fwriting",
    ),
    (
        "stdlib.h",
        "_Exit abort abs aligned_alloc at_quick_exit atexit atof atoi atol atoll bsearch calloc div exit free getenv \
         labs ldiv llabs lldiv malloc mblen mbstowcs mbtowc qsort quick_exit rand realloc srand strtod strtof strtol \
         strtold strtoll strtoul strtoull system wcstombs wctomb cfree clearenv drand48 erand48 jrand48 lcong48 \
         lrand48 mkdtemp mkostemp mkostemps mkstemp mkstemps mktemp mrand48 nrand48 on_exit posix_memalign putenv \
         qsort_r rand_r random reallocarray realpath secure_getenv seed48 setenv srand48 srandom strtod_l strtof_l \
         strtol_l strtold_l strtoll_l strtoul_l strtoull_l unsetenv valloc arc4random arc4random_buf \
         arc4random_uniform getloadavg",
    ),
    (
        "string.h",
        "memchr memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strerror strlen strncat \
         strncmp strncpy strpbrk strrchr strspn strstr strtok strxfrm basename explicit_bzero memccpy memmem mempcpy \
         memrchr rawmemchr sigabbrev_np sigdescr_np stpcpy stpncpy strcasestr strchrnul strcoll_l strdup strerror_l \
         strerror_r strerrordesc_np strerrorname_np strlcat strlcpy strndup strnlen strsep strsignal strtok_r \
         strverscmp strxfrm_l",
    ),
    ("strings.h", "bcmp bcopy bzero ffs ffsl ffsll index rindex strcasecmp strcasecmp_l strncasecmp strncasecmp_l"),
    ("sys/file.h", "flock"),
    ("sys/ioctl.h", "ioctl"),
    ("sys/mman.h", "madvise mlock mmap mprotect msync munlock munmap"),
    ("sys/random.h", "getentropy getrandom"),
    ("sys/resource.h", "getrlimit getrusage setrlimit getpriority setpriority"),
    ("sys/stat.h", "chmod fchmod fstat fstatat lstat mkdir stat umask fchmodat futimens mkdirat utimensat"),
    ("sys/time.h", "gettimeofday utimes"),
    ("sys/times.h", "times"),
    ("sys/uio.h", "readv writev"),
    ("sys/utsname.h", "uname"),
    ("sys/wait.h", "wait wait3 wait4 waitid waitpid"),
    ("syslog.h", "closelog openlog setlogmask syslog vsyslog"),
    ("termios.h", "tcdrain tcflow tcflush tcgetattr tcsendbreak tcsetattr"),
    (
        "time.h",
        "asctime clock ctime difftime gmtime localtime mktime strftime time timespec_get asctime_r clock_getres \
         clock_gettime clock_nanosleep ctime_r daylight gmtime_r localtime_r nanosleep strftime_l timegm timelocal \
         timezone tzname tzset",
    ),
    ("uchar.h", "c16rtomb c32rtomb mbrtoc16 mbrtoc32"),
    (
        "unistd.h",
        "_exit access chdir close dup dup2 dup3 eaccess environ euidaccess faccessat fdatasync fsync ftruncate \
         get_current_dir_name getcwd getegid geteuid getgid gethostname getlogin getopt getpagesize getpgrp getpid \
         getppid getsid gettid getuid isatty link lockf lseek optarg opterr optind optopt pipe pipe2 pread pwrite \
         read readlink rmdir sleep swab symlink sync sysconf truncate unlink unlinkat usleep write alarm chown fchdir \
         fchown fchownat fpathconf getdomainname getdtablesize getgroups getlogin_r getpgid getresgid getresuid \
         lchown nice pathconf readlinkat setegid seteuid setgid setpgid setregid setresgid setresuid setreuid setsid \
         setuid tcgetpgrp tcsetpgrp ttyname ttyname_r",
    ),
    ("utime.h", "utime"),
    (
        "wchar.h",
        "btowc fgetwc fgetws fputwc fputws fwide fwprintf fwscanf getwc getwchar mbrlen mbrtowc mbsinit mbsrtowcs \
         putwc putwchar swprintf swscanf ungetwc vfwprintf vfwscanf vswprintf vswscanf vwprintf vwscanf wcrtomb \
         wcscat wcschr wcscmp wcscoll wcscpy wcscspn wcslen wcsncat wcsncmp wcsncpy wcspbrk wcsrchr wcsrtombs wcsspn \
         wcsstr wcstod wcstof wcstok wcstol wcstold wcstoll wcstoul wcstoull wcsxfrm wctob wmemchr wmemcmp wmemcpy \
         wmemmove wmemset wprintf wscanf fgetwc_unlocked fgetws_unlocked fputwc_unlocked fputws_unlocked \
         getwc_unlocked getwchar_unlocked mbsnrtowcs putwc_unlocked putwchar_unlocked wcpcpy wcpncpy wcscasecmp \
         wcschrnul wcsdup wcsncasecmp wcsnlen wcsnrtombs wcswcs wcswidth wcwidth wmempcpy",
    ),
    (
        "wctype.h",
        "iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper \
         iswxdigit towctrans towlower towupper wctrans wctype",
    ),
];

/// Headers whose functions come in three variants; the list has those for `double`.
const WITH_VARIANTS: [&str; 2] = ["complex.h", "math.h"];

/// The header of a function that is listed; empty if it is not.
pub(crate) fn header_declaring(name: &str) -> &'static str {
    let declares = |header: &str, names: &str| {
        let is_variant_of =
            |listed: &str| WITH_VARIANTS.contains(&header) && matches!(name.strip_prefix(listed), Some("f" | "l"));
        names.split_whitespace().any(|listed| listed == name || is_variant_of(listed))
    };
    HEADERS.iter().find(|(header, names)| declares(header, names)).map_or("", |(header, _)| header)
}

/// All functions that are listed, with their variants: header and name.
#[cfg(test)]
pub(crate) fn listed() -> impl Iterator<Item = (&'static str, String)> {
    HEADERS.iter().flat_map(|&(header, names)| {
        let variants: &[&str] = if WITH_VARIANTS.contains(&header) { &["", "f", "l"] } else { &[""] };
        names
            .split_whitespace()
            .flat_map(move |name| variants.iter().map(move |letter| (header, format!("{name}{letter}"))))
    })
}
