//! What is said of native runs holds: differences that have a cause outside of Spelunk are not called its errors, and only what
//! the program itself does confirms a bug.

use serde_json::Value;
use spelunk_tests::process::Output;
use spelunk_tests::scene::Scene;

/// Runs a campaign; its summary and what the terminal shows.
fn campaign(source: &str, options: &[&str]) -> (Value, Output) {
    let scene = Scene::new(&[("p.c", source)]);
    let output = scene.run(&[&["run", "p.c", "--out", "out"], options].concat());
    (scene.json("out/summary.json"), output)
}

/// Nothing is an error of Spelunk's, and every test was compared.
fn assert_agrees(source: &str, options: &[&str]) -> Value {
    let (summary, output) = campaign(source, options);
    let said = output.stderr_text();
    assert!(!said.contains("bug in spelunk"), "{said}");
    let replay = &summary["replay"];
    let count = |name: &str| replay[name].as_u64().unwrap_or_else(|| panic!("{name} in {summary}"));
    assert_eq!(count("as_predicted") + count("confirmed"), count("tests"), "{summary}");
    assert!(count("tests") > 0, "{summary}");
    summary
}

fn statuses(summary: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let bugs = summary["bugs"].as_array().expect("bugs");
    bugs.iter().map(|bug| (text(&bug["kind"]), text(&bug["status"]))).collect()
}

/// Frames are larger under sanitizers, but what has room in the VM has it natively.
#[test]
fn stacks_have_room_for_larger_frames() {
    let source = "
        #include <spelunk.h>
        #include <string.h>
        static int deep(int n) { char b[64]; b[0] = (char)n; return n == 0 ? b[0] : deep(n - 1) + 1; }
        static int room(unsigned n) { char a[n]; memset(a, 1, n); return a[n - 1]; }
        int main(void) {
          switch (spelunk_int(\"kind\")) {
          case 0: return deep(40000) != 40000;
          case 1: return room(8000000) != 1;
          case 2: return deep(200000) == 3;
          default: return 5;
          }
        }";
    let summary = assert_agrees(source, &[]);
    assert_eq!(statuses(&summary), [("stack-exhausted".to_owned(), "confirmed".to_owned())], "{summary}");
}

/// Buffers of streams are the library's, and what a process holds in variables of threads is not lost. Locals are watched
/// beyond their function's end all the same.
#[test]
fn leaks_are_those_of_the_program() {
    let source = "
        #include <spelunk.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        struct list { struct list *next; };
        static _Thread_local char *kept;
        static void lose(void) { char *copy = strdup(\"abc\"); copy[0] = 'x'; }
        static int *local(void) { int b[5]; int *p = b; b[3] = 1; return p; }
        int main(void) {
          printf(\"hello %d\\n\", 1);
          kept = malloc(5);
          struct list *head = NULL;
          for (int i = 0; i < 2000; i++) {
            struct list *item = malloc(sizeof *item);
            item->next = head;
            head = item;
          }
          switch (spelunk_int(\"kind\")) {
          case 0: lose(); break;
          case 1: local()[3] = 1; break;
          case 2: exit(0);
          }
          while (head) {
            struct list *next = head->next;
            free(head);
            head = next;
          }
          return 0;
        }";
    let summary = assert_agrees(source, &["--check", "leak"]);
    let found = statuses(&summary);
    let confirmed = |kind: &str| (kind.to_owned(), "confirmed".to_owned());
    assert!(found.contains(&confirmed("leak")) && found.contains(&confirmed("use-after-return")), "{summary}");
    assert_eq!(found.len(), 2, "{summary}");
}

/// Lines that coverage counts otherwise than they are executed: behind calls that `longjmp` leaves, in processes that end at
/// once or are killed, and in functions that compilers call.
#[test]
fn coverage_differs_for_known_reasons() {
    let source = "
        #include <setjmp.h>
        #include <signal.h>
        #include <spelunk.h>
        #include <unistd.h>
        static jmp_buf start;
        struct large { int items[40]; };
        void *memcpy(void *to, const void *from, unsigned long n) {
          char *a = to;
          const char *b = from;
          while (n--)
            *a++ = *b++;
          return to;
        }
        static void fail(int n) { longjmp(start, n); }
        static int parse(int n) {
          int total = 0;
          fail(n);
          for (int i = 0; i < 3; i++)
            total += i;
          if (total > 3)
            total = 9;
          return total;
        }
        static int copied(int n) {
          struct large a = {{n}}, b = a;
          return b.items[0];
        }
        static int jumps(int n) {
          if (setjmp(start)) {
            n = 3;
          } else {
            n++;
            n = parse(n);
          }
          return n;
        }
        int main(void) {
          int n = spelunk_int(\"n\");
          switch (n) {
          case 0:
            return jumps(n);
          case 1:
            n++;
            _exit(n);
          case 2:
            n++;
            raise(SIGTERM);
            return n;
          case 4:
            while (n)
              n = 6 - n;
            return n;
          default:
            return copied(3);
          }
        }";
    let summary = assert_agrees(source, &[]);
    assert_eq!(statuses(&summary), [("endless-loop".to_owned(), "confirmed".to_owned())], "{summary}");
}

/// What a function returns that nobody defines is made up: it confirms nothing, but what does not depend on it is confirmed.
#[test]
fn a_made_up_result_confirms_nothing() {
    let source = "
        #include <spelunk.h>
        int get_config(void);
        int log_event(const char *);
        void fill(int *);
        static int table[4];
        int main(void) {
          int n = spelunk_int(\"n\"), filled;
          log_event(\"start\");
          if (n == 7)
            return 10 / (n - 7);
          if (n == 8) {
            fill(&filled);
            return filled ? 1 : 2;
          }
          return table[get_config()];
        }";
    let scene = Scene::new(&[("p.c", source)]);
    let said = scene.run(&["run", "p.c", "--out", "out"]).stdout_text();
    let summary = scene.json("out/summary.json");
    let mut found = statuses(&summary);
    found.sort();
    let expected = [("div-by-zero", "confirmed"), ("out-of-bounds", "conditional"), ("uninitialised", "conditional")];
    assert_eq!(found, expected.map(|(kind, status)| (kind.to_owned(), status.to_owned())), "{summary}");
    let reason = "the native run shows it with a made-up result of `get_config`, which is not defined";
    assert!(said.contains(&format!("conditional: {reason}")), "{said}");
    scene.run(&["report", "out", "--format", "sarif"]);
    let sarif = std::fs::read_to_string(scene.path("out/report.sarif")).expect("a file");
    assert!(sarif.contains(&format!("({reason})")) && sarif.contains("\"conditional\""), "{sarif}");
}

#[test]
fn the_memory_limit_is_a_bug_only_if_asked_for() {
    let source = "
        #include <spelunk.h>
        #include <stdlib.h>
        int main(void) {
          char *p = malloc(spelunk_int(\"large\") ? 900000 : 9);
          return p == 0;
        }";
    let (summary, _) = campaign(source, &["--max-memory", "500KiB"]);
    assert_eq!(summary["bugs"], Value::Array(Vec::new()), "{summary}");
    assert_eq!(summary["exhausted"], false, "{summary}");
    let kinds: Vec<&Value> = summary["ledger"].as_array().expect("a ledger").iter().map(|it| &it["kind"]).collect();
    // How much is allocated is up to the input, so it is a bound.
    assert_eq!(kinds, ["allocation-size"], "{summary}");
    let (summary, _) = campaign(source, &["--max-memory", "500KiB", "--check", "memory-limit"]);
    assert_eq!(statuses(&summary), [("memory-limit".to_owned(), "confirmed".to_owned())], "{summary}");
}

/// A statement has several lines, of which the sanitizers name another one than the debug info.
#[test]
fn an_error_is_the_same_anywhere_in_its_statement() {
    let source = "
        #include <spelunk.h>
        static int table[4];
        static int sum(int i, int n) {
          return table[0] +
                 table
                   [i
                    + n] +
                 10
                   / n;
        }
        int main(void) {
          int i = spelunk_int(\"i\");
          return i < 0 || i > 3 ? 0 : sum(i, i == 2 ? 0 : 1);
        }";
    let summary = assert_agrees(source, &[]);
    assert!(statuses(&summary).iter().all(|(_, status)| status == "confirmed"), "{summary}");
    assert_eq!(summary["bugs"].as_array().map(Vec::len), Some(2), "{summary}");
}

/// Users, processes, the host: the VM has one answer for each question, and native runs have the same one, also where the program
/// defines some of these functions itself.
#[test]
fn users_processes_and_the_host_are_those_of_the_vm() {
    let source = "
        #include <grp.h>
        #include <pwd.h>
        #include <signal.h>
        #include <spelunk.h>
        #include <string.h>
        #include <sys/resource.h>
        #include <sys/utsname.h>
        #include <unistd.h>
        int getpagesize(void) { return 77; }
        int main(void) {
          struct utsname system;
          struct rlimit limit;
          char host[64] = {0};
          switch (spelunk_int(\"what\")) {
          case 0: return (int)(getuid() * 7 + geteuid() * 5 + getgid() * 3 + getegid()) % 251;
          case 1: return gethostname(host, sizeof host) + host[0] + (int)strlen(host);
          case 2: return uname(&system) + system.nodename[0] + system.release[2];
          case 3: return setuid(0) == 0 ? 1 : seteuid(1000) == 0 ? 2 : 3;
          case 4: return (int)sysconf(_SC_NPROCESSORS_ONLN) * 10 + getpagesize();
          case 5: return getpwuid(getuid())->pw_name[0] + (getpwnam(\"root\") != 0) + (getgrnam(\"games\") != 0);
          case 6: return getrlimit(RLIMIT_NOFILE, &limit) + (limit.rlim_cur == RLIM_INFINITY);
          case 7: return getsid(0) == getpid() ? 4 : 5;
          case 8: return (int)alarm(1) + (alarm(0) == 1) * 2;
          }
          return kill(spelunk_int(\"process\"), 0) == 0 ? 6 : 7;
        }";
    assert_agrees(source, &[]);
}

/// Memory that nobody initialised has natively what the test says, wherever it is from. Where that is so, a difference is no
/// known one.
#[test]
fn uninitialised_memory_is_handed_over() {
    let source = "
        #include <spelunk.h>
        #include <stdlib.h>
        static int variable(void) { int a; return a == 77; }
        static int counted(int n) { short a[n]; return a[2] == 4321; }
        static int block(void) { long *p = malloc(24); int is = p[1] == 5; free(p); return is; }
        static int grown(void) {
          char *p = calloc(2, 1);
          p = realloc(p, 9);
          int is = p[0] == 0 && p[7] == 'x';
          free(p);
          return is;
        }
        int main(void) {
          switch (spelunk_int(\"which\")) {
          case 0: return variable();
          case 1: return counted(4);
          case 2: return block();
          case 3: return grown();
          }
          return 9;
        }";
    let summary = assert_agrees(source, &["--uninitialised", "input"]);
    assert_eq!(summary["replay"]["tests"], 9, "{summary}");
}

/// Devices and the like have another content each time.
#[test]
fn files_that_change_are_a_known_difference() {
    let source = "
        #include <fcntl.h>
        #include <unistd.h>
        int main(void) {
          unsigned char bytes[36] = {0}, sum = 0;
          int fd = open(\"/proc/sys/kernel/random/uuid\", O_RDONLY);
          if (read(fd, bytes, sizeof bytes) != sizeof bytes) return 0;
          for (int i = 0; i < 36; i++) sum += bytes[i];
          return sum;
        }";
    let (summary, output) = campaign(source, &[]);
    assert!(!output.stderr_text().contains("bug in spelunk"), "{}", output.stderr_text());
    // By chance, it is the same.
    let replay = &summary["replay"];
    let known = &replay["known_differences"]["files below /dev, /proc and /sys have another content each time"];
    assert!(replay["as_predicted"] == 1 || *known == 1, "{summary}");
}
