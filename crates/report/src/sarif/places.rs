//! Places as SARIF has them.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::suite::profile::Profile;
use crate::suite::test_case::Place;

/// Knows the explored source, by which columns are counted in characters.
pub struct Places<'a> {
    texts: FxHashMap<&'a str, &'a str>,
}

impl<'a> Places<'a> {
    pub fn new(profile: &'a Profile) -> Self {
        let texts = profile.files.iter().filter_map(|file| Some((file.path.as_str(), file.text.as_deref()?))).collect();
        Self { texts }
    }

    pub fn source_line(&self, place: &Place) -> Option<&'a str> {
        self.texts.get(place.file.as_str())?.lines().nth((place.line as usize).checked_sub(1)?)
    }

    /// A location with what is to be said about it. One without a line has only a function.
    pub fn location(&self, place: &Place, message: Option<&str>) -> Value {
        let mut location = json!({});
        if place.line != 0 {
            location["physicalLocation"] = json!({
                "artifactLocation": artifact(&place.file),
                "region": self.region(place),
            });
        }
        if !place.function.is_empty() {
            location["logicalLocations"] = json!([{ "name": place.function, "kind": "function" }]);
        }
        if let Some(message) = message {
            location["message"] = json!({ "text": message });
        }
        location
    }

    pub fn locations<'p>(&self, places: impl IntoIterator<Item = (&'p Place, Option<&'p str>)>) -> Vec<Value> {
        let numbered = (0..).zip(places);
        numbered
            .map(|(number, (place, message))| {
                let mut location = self.location(place, message);
                location["id"] = json!(number);
                location
            })
            .collect()
    }

    pub fn frames(&self, stack: &[Place]) -> Vec<Value> {
        stack.iter().map(|place| json!({ "location": self.location(place, None) })).collect()
    }

    fn region(&self, place: &Place) -> Value {
        let mut region = json!({ "startLine": place.line });
        // Compilers count bytes.
        let n_before = (place.column as usize).checked_sub(1);
        if let Some(n_before) = n_before {
            let before = self.source_line(place).and_then(|line| line.get(..n_before));
            region["startColumn"] = json!(1 + before.map_or(n_before, |before| before.chars().count()));
        }
        region
    }
}

/// Relative paths are relative to wherever the sources are checked out.
fn artifact(path: &str) -> Value {
    match path.strip_prefix('/') {
        Some(rest) => json!({ "uri": format!("file:///{}", encoded(rest)) }),
        None => json!({ "uri": encoded(path.trim_start_matches("./")), "uriBaseId": "%SRCROOT%" }),
    }
}

fn encoded(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/+@,".contains(&byte);
    path.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::profile::SourceText;

    fn region(text: &str, column: u32) -> Value {
        let file = SourceText {
            path: "a.c".to_owned(),
            full_path: "/a.c".to_owned(),
            text: Some(text.to_owned()),
            lines: Vec::new(),
        };
        let profile = Profile { files: vec![file], ..Default::default() };
        let place = Place { file: "a.c".to_owned(), line: 1, column, function: String::new() };
        Places::new(&profile).location(&place, None)["physicalLocation"]["region"].clone()
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(region("p = \"é\"; *p;", 12), json!({ "startLine": 1, "startColumn": 11 }));
        assert_eq!(region("*p;", 2), json!({ "startLine": 1, "startColumn": 2 }));
        assert_eq!(region("*p;", 0), json!({ "startLine": 1 }));
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(artifact("./src/a b.c"), json!({ "uri": "src/a%20b.c", "uriBaseId": "%SRCROOT%" }));
        assert_eq!(artifact("/x/ü#.c"), json!({ "uri": "file:///x/%C3%BC%23.c" }));
    }
}
