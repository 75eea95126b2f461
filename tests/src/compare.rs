//! Comparing what two runs of one program left behind, and saying where they part.

use similar::TextDiff;

use crate::process::Output;

/// Which streams must agree besides the exit status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Streams {
    #[default]
    Stdout,
    StdoutAndStderr,
}

/// A description of every difference, or `None` when the runs agree.
pub fn difference(native: &Output, vm: &Output, streams: Streams) -> Option<String> {
    let mut text = String::new();
    if native.end != vm.end {
        text += &format!("native run: {}, spelunk: {}\n", native.end, vm.end);
    }
    if native.stdout != vm.stdout {
        text += &byte_diff("stdout", &native.stdout, &vm.stdout);
    }
    if streams == Streams::StdoutAndStderr && native.stderr != vm.stderr {
        text += &byte_diff("stderr", &native.stderr, &vm.stderr);
    }
    (!text.is_empty()).then_some(text)
}

fn byte_diff(stream: &str, native: &[u8], vm: &[u8]) -> String {
    let (native, vm) = (printable(native), printable(vm));
    let diff = TextDiff::from_lines(&native, &vm);
    diff.unified_diff().context_radius(2).header(&format!("native {stream}"), &format!("spelunk {stream}")).to_string()
}

/// The bytes as printable text, with line breaks kept so that a line diff makes sense.
fn printable(bytes: &[u8]) -> String {
    let mut text = String::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(body) => text += &format!("{}\n", body.escape_ascii()),
            None => text += &format!("{} (no line end)\n", line.escape_ascii()),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::End;

    fn output(code: i32, stdout: &[u8], stderr: &[u8]) -> Output {
        Output { end: End::Exited(code), stdout: stdout.to_vec(), stderr: stderr.to_vec() }
    }

    #[test]
    fn equal_runs_have_no_difference() {
        let run = output(3, b"a\n", b"");
        assert_eq!(difference(&run, &run.clone(), Streams::StdoutAndStderr), None);
    }

    #[test]
    fn stderr_counts_only_on_request() {
        let (native, vm) = (output(0, b"a\n", b"x"), output(0, b"a\n", b"y"));
        assert_eq!(difference(&native, &vm, Streams::Stdout), None);
        assert!(difference(&native, &vm, Streams::StdoutAndStderr).is_some());
    }

    #[test]
    fn a_missing_line_end_and_a_status_are_shown() {
        let text = difference(&output(0, b"a\n", b""), &output(1, b"a", b""), Streams::Stdout);
        let text = text.expect("the runs differ");
        assert!(text.contains("exit status 0, spelunk: exit status 1"), "{text}");
        assert!(text.contains("no line end"), "{text}");
    }
}
