//! How C gets to what a setting is about, from an input on: `b->data`, `dev.ops.open`, `argv[]`, `*n`.

/// A step from something to a part of it, or to what it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A member of a structure, or of the one that a pointer leads to.
    Member(String),
    /// Each element of an array, or what a pointer leads to.
    Element,
}

/// Splits a path into the name of one of the roots and the steps behind it. The longest name counts, as those of `static`
/// variables of functions have a dot in them.
pub fn split<'r>(path: &str, roots: impl Iterator<Item = &'r str>) -> Option<(&'r str, Vec<Step>)> {
    let behind_stars = path.trim_start_matches('*');
    let n_stars = path.len() - behind_stars.len();
    let fitting = roots.filter_map(|root| Some((root, steps(behind_stars.strip_prefix(root)?)?)));
    let (root, mut found) = fitting.max_by_key(|(root, _)| root.len())?;
    found.extend(std::iter::repeat_n(Step::Element, n_stars));
    Some((root, found))
}

/// What comes behind a name: `->data`, `.ops.open`, `[]`. Which element is meant does not matter.
pub fn steps(mut text: &str) -> Option<Vec<Step>> {
    let mut found = Vec::new();
    while !text.is_empty() {
        if let Some(rest) = text.strip_prefix('[') {
            let (index, rest) = rest.split_once(']')?;
            if !index.chars().all(|digit| digit.is_ascii_digit()) {
                return None;
            }
            found.push(Step::Element);
            text = rest;
            continue;
        }
        let rest = text.strip_prefix("->").or_else(|| text.strip_prefix('.'))?;
        let end = rest.find(|sign: char| sign != '_' && !sign.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        if !is_name(name) {
            return None;
        }
        found.push(Step::Member(name.to_owned()));
        text = rest;
    }
    Some(found)
}

/// Whether C has such names.
pub fn is_name(text: &str) -> bool {
    let is_part = |letter: char| letter == '_' || letter.is_ascii_alphanumeric();
    text.chars().all(is_part) && text.starts_with(|first: char| !first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_behind_names() {
        let member = |name: &str| Step::Member(name.to_owned());
        assert_eq!(steps("->ops.open"), Some(vec![member("ops"), member("open")]));
        assert_eq!(steps("[]->text"), Some(vec![Step::Element, member("text")]));
        assert_eq!(steps(".slots[3]"), Some(vec![member("slots"), Step::Element]));
        assert_eq!(steps(""), Some(vec![]));
        for wrong in ["-", ".", "->", "x", "[n]", "[", ".3", ".a b"] {
            assert_eq!(steps(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_longest_root_counts() {
        let roots = || ["f", "f.n", "list"].into_iter();
        assert_eq!(split("f.n", roots()), Some(("f.n", vec![])));
        assert_eq!(split("f.m", roots()), Some(("f", vec![Step::Member("m".to_owned())])));
        assert_eq!(split("*list", roots()), Some(("list", vec![Step::Element])));
        assert_eq!(split("lists", roots()), None);
    }
}
