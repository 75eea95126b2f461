//! How often native runs executed each line, from a file in the format of lcov.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// By file, the lines and their counts. What is not understood is left out: others write such files too.
pub fn line_counts(lcov: &str) -> BTreeMap<PathBuf, BTreeMap<u32, u64>> {
    let mut files: BTreeMap<PathBuf, BTreeMap<u32, u64>> = BTreeMap::new();
    let mut file = PathBuf::new();
    for record in lcov.lines() {
        match record.split_once(':') {
            Some(("SF", path)) => file = Path::new(path).components().collect(),
            Some(("DA", numbers)) => {
                let mut numbers = numbers.split(',');
                let line = numbers.next().and_then(|line| line.parse().ok());
                let count = numbers.next().and_then(|count| count.parse().ok());
                if let (Some(line), Some(count)) = (line, count) {
                    files.entry(file.clone()).or_default().insert(line, count);
                }
            }
            _ => {}
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_belong_to_the_file_before_them() {
        let counts = line_counts(
            "TN:\nSF:/x/./a.c\nDA:3,7\nBRDA:3,0,0,1\nDA:5,0\nend_of_record\nSF:/x/b.c\nDA:1,2,hash\nDA:z\n",
        );
        assert_eq!(counts[Path::new("/x/a.c")], BTreeMap::from([(3, 7), (5, 0)]));
        assert_eq!(counts[Path::new("/x/b.c")], BTreeMap::from([(1, 2)]));
    }
}
