//! Arguments, standard input and files as input.

use crate::support::{Program, ending, keys};
use spelunk_concolic::{Checking, Input, Options, ProgramInputs, Run, Runner, SymbolicArgs, SymbolicFile};

fn options(inputs: ProgramInputs) -> Options {
    Options { args: vec![b"program".to_vec()], inputs, checking: Checking::On, ..Default::default() }
}

fn run(source: &str, inputs: &ProgramInputs, input: &Input) -> Run {
    let program = Program::new(source);
    let mut runner = Runner::new(program.image(), options(inputs.clone()));
    let first = runner.run(&Input::new(), &[]).unwrap();
    let run = runner.run(input, &[]).unwrap();
    // What the runs before did is forgotten.
    let again = runner.run(&Input::new(), &[]).unwrap();
    assert_eq!((keys(&again), again.input), (keys(&first), first.input));
    run
}

#[test]
fn arguments() {
    let source = "#include <string.h>
        int main(int argc, char **argv) {
            if (argv[argc]) return 99;
            if (argc == 3 && !strcmp(argv[1], \"-x\") && argv[2][0] == 'q') return 1;
            return argc;
        }";
    let inputs = ProgramInputs { args: vec![SymbolicArgs { min: 0, max: 3, max_len: 4 }], ..Default::default() };
    assert_eq!(ending(&run(source, &inputs, &Input::new()).stop), "exited 1");
    assert_eq!(ending(&run(source, &inputs, &Input::new().with("n_args", [7])).stop), "exited 4");
    let two = run(source, &inputs, &Input::new().with("n_args", [2]));
    assert_eq!(ending(&two.stop), "exited 3");
    let hit = run(source, &inputs, &Input::new().with("n_args", [2]).with("arg0", *b"-x").with("arg1", *b"q"));
    assert_eq!(ending(&hit.stop), "exited 1");
    assert_eq!(inputs.concrete(&hit.input).args, [b"-x".to_vec(), b"q".to_vec()]);
    assert!(hit.path.len() > two.path.len());
}

#[test]
fn standard_input_through_the_library() {
    let source = "#include <stdio.h>
        int main(void) {
            char line[8]; int n = 0, c;
            if (!fgets(line, sizeof line, stdin)) return 1;
            if (line[0] == '#') { while ((c = getchar()) != EOF) if (c == '!') n++; return 10 + n; }
            return 2;
        }";
    let inputs = ProgramInputs { stdin: Some(6), ..Default::default() };
    let hit = run(source, &inputs, &Input::new().with("stdin", *b"#\n!a!!"));
    assert_eq!(ending(&hit.stop), "exited 13");
    assert!(hit.path.len() >= 6, "every byte is looked at: {:?}", hit.path);
    assert_eq!(ending(&run(source, &inputs, &Input::new()).stop), "exited 2");
    assert_eq!(ending(&run(source, &ProgramInputs::default(), &Input::new()).stop), "exited 1");
}

#[test]
fn files_are_read_and_written() {
    let source = "#include <fcntl.h>
        #include <unistd.h>
        #include <sys/stat.h>
        int main(void) {
            struct stat s; if (stat(\"A\", &s) || s.st_size != 5) return 1;
            int fd = open(\"./A\", O_RDWR); if (fd < 0) return 2;
            char b[5]; if (read(fd, b, 5) != 5) return 3;
            b[0] ^= 1; lseek(fd, 1, SEEK_SET); write(fd, b, 1); lseek(fd, 0, SEEK_SET);
            char c[5]; if (read(fd, c, 6) == 5 && c[1] == 'y' && c[2] == 'z') return 7;
            return access(\"A\", R_OK) ? 4 : 0;
        }";
    let source = source.replace("read(fd, c, 6)", "read(fd, c, 5)");
    let inputs = ProgramInputs { files: vec![SymbolicFile { name: "A".to_owned(), size: 5 }], ..Default::default() };
    assert_eq!(ending(&run(&source, &inputs, &Input::new()).stop), "exited 0");
    let hit = run(&source, &inputs, &Input::new().with("A", *b"x.z"));
    assert_eq!(ending(&hit.stop), "exited 7");
    assert_eq!(hit.path.len(), 2);
}
