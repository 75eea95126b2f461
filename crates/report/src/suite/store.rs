//! The directory of a campaign. Every file appears whole or not at all, so it is usable whenever the writer is killed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::index::Index;
use super::profile::Profile;
use super::recipe::Recipe;
use super::summary::Summary;
use super::test_case::{TestCase, VERSION};
use super::types::Types;

/// How the program was compiled.
const RECIPE: &str = "recipe.json";

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot write {path}: {source}{}", advice(source))]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path} is not a file of a campaign: {source}")]
    Format { path: PathBuf, source: serde_json::Error },
    #[error("{path} was written by another version of spelunk (format {found}, this one reads {VERSION})")]
    Version { path: PathBuf, found: u32 },
    #[error("{path} holds a campaign already; continue it with --resume {path}, or name another directory")]
    InUse { path: PathBuf },
    #[error("{path} holds no campaign")]
    NoCampaign { path: PathBuf },
    #[error("the campaign in {path} has not ended: go on with spelunk run --resume {path}")]
    Unfinished { path: PathBuf },
}

/// What to do about an error of the system, if that is known. It goes behind the error.
pub fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; free some space, or name another directory",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "; name a directory that is yours",
        _ => "",
    }
}

#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    n_tests: u64,
}

impl Store {
    /// A directory for a new campaign. It may exist but must not hold one. [`Store::begin`] makes it one, once everything
    /// is there that is needed to go on.
    pub fn create(dir: &Path) -> Result<Self, StoreError> {
        let store = Self { dir: dir.to_owned(), n_tests: 0 };
        let is_begun = |summary: Summary| summary.unfinished.is_some();
        let has_other = store.summary_path().exists() && !store.read_summary().is_ok_and(is_begun);
        if store.tests_dir().exists() || has_other || Index::read(dir).is_ok_and(|index| index.is_some()) {
            return Err(StoreError::InUse { path: dir.to_owned() });
        }
        fs::create_dir_all(dir).map_err(|source| StoreError::Write { path: dir.to_owned(), source })?;
        Ok(store)
    }

    /// From here on the directory holds a campaign.
    pub fn begin(&self) -> Result<(), StoreError> {
        fs::create_dir_all(self.tests_dir()).map_err(|source| StoreError::Write { path: self.tests_dir(), source })
    }

    /// The directory of a campaign that was interrupted. Its tests are numbered from one on.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let mut store = Self::existing(dir)?;
        store.remove_leftovers()?;
        store.retain(&store.numbers()?)?;
        Ok(store)
    }

    /// The directory of a campaign, to be looked at.
    pub fn existing(dir: &Path) -> Result<Self, StoreError> {
        let mut store = Self { dir: dir.to_owned(), n_tests: 0 };
        if !store.tests_dir().is_dir() {
            return Err(StoreError::NoCampaign { path: dir.to_owned() });
        }
        store.n_tests = store.numbers()?.last().copied().unwrap_or(0);
        Ok(store)
    }

    /// The numbers of all tests, in order.
    pub fn numbers(&self) -> Result<Vec<u64>, StoreError> {
        let mut numbers: Vec<u64> = self.files()?.iter().filter_map(|path| number_of(path)).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Removes what a killed writer left behind, and pictures, which are drawn at the end.
    fn remove_leftovers(&self) -> Result<(), StoreError> {
        let is_left =
            |path: &PathBuf| path.extension().is_some_and(|extension| extension == "tmp" || extension == "svg");
        let beside = list(&self.dir)?.into_iter().filter(|path| path.extension().is_some_and(|it| it == "tmp"));
        self.files()?
            .into_iter()
            .filter(is_left)
            .chain(beside)
            .try_for_each(|path| fs::remove_file(&path).map_err(|source| StoreError::Write { path, source }))
    }

    fn files(&self) -> Result<Vec<PathBuf>, StoreError> {
        list(&self.tests_dir())
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn tests_dir(&self) -> PathBuf {
        self.dir.join("tests")
    }

    pub fn summary_path(&self) -> PathBuf {
        self.dir.join("summary.json")
    }

    pub fn test_path(&self, number: u64) -> PathBuf {
        self.tests_dir().join(format!("{number:06}.json"))
    }

    pub fn n_tests(&self) -> u64 {
        self.n_tests
    }

    pub fn write_types(&self, types: &Types) -> Result<(), StoreError> {
        write_json(&self.types_path(), types)
    }

    /// The types of the tests' objects: none if they have none.
    pub fn read_types(&self) -> Result<Types, StoreError> {
        if self.types_path().exists() { read_json(&self.types_path()) } else { Ok(Types::default()) }
    }

    fn types_path(&self) -> PathBuf {
        self.dir.join("types.json")
    }

    /// Where the picture of a test goes.
    pub fn picture_path(&self, number: u64) -> PathBuf {
        self.test_path(number).with_extension("svg")
    }

    pub fn write_picture(&self, number: u64, svg: &str) -> Result<(), StoreError> {
        write_whole(&self.picture_path(number), svg.as_bytes())
    }

    /// Writes a test and returns its number.
    pub fn add_test(&mut self, test: &TestCase) -> Result<u64, StoreError> {
        write_json(&self.test_path(self.n_tests + 1), test)?;
        self.n_tests += 1;
        Ok(self.n_tests)
    }

    /// Writes a test in place of another.
    pub fn replace_test(&self, number: u64, test: &TestCase) -> Result<(), StoreError> {
        write_json(&self.test_path(number), test)
    }

    /// Removes all tests but these, which are in order, and numbers them anew from one on.
    pub fn retain(&mut self, kept: &[u64]) -> Result<(), StoreError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| StoreError::Write { path, source }
        };
        for number in self.numbers()? {
            let files = [self.test_path(number), self.picture_path(number)];
            let place = kept.binary_search(&number).ok().map(|place| place as u64 + 1);
            for path in files.iter().filter(|path| path.exists()) {
                match place {
                    None => fs::remove_file(path).map_err(failed(path))?,
                    Some(new) if new == number => {}
                    Some(new) => {
                        let to = self.test_path(new).with_extension(path.extension().unwrap_or_default());
                        fs::rename(path, to).map_err(failed(path))?;
                    }
                }
            }
        }
        self.n_tests = kept.len() as u64;
        Ok(())
    }

    /// The same campaign in another directory, with everything but its tests and its account.
    pub fn begin_copy(&self, dir: &Path) -> Result<Store, StoreError> {
        let copy = Store::create(dir)?;
        copy.write_recipe(&self.read_recipe()?)?;
        copy.write_types(&self.read_types()?)?;
        copy.begin()?;
        Ok(copy)
    }

    pub fn read_test(&self, number: u64) -> Result<TestCase, StoreError> {
        read_test(&self.test_path(number))
    }

    pub fn write_recipe(&self, recipe: &Recipe) -> Result<(), StoreError> {
        write_recipe_in(&self.dir, recipe)
    }

    pub fn read_recipe(&self) -> Result<Recipe, StoreError> {
        read_recipe_in(&self.dir)
    }

    /// What theories have learned, by their names.
    pub fn write_learned(&self, theories: BTreeMap<String, String>) -> Result<(), StoreError> {
        write_json(&self.learned_path(), &Learned { version: VERSION, theories })
    }

    pub fn read_learned(&self) -> Result<BTreeMap<String, String>, StoreError> {
        if !self.learned_path().exists() {
            return Ok(BTreeMap::new());
        }
        read_json(&self.learned_path()).map(|learned: Learned| learned.theories)
    }

    fn learned_path(&self) -> PathBuf {
        self.dir.join("theories.json")
    }

    /// What the native runs of all tests cover, for tools that draw it.
    pub fn write_lcov(&self, text: &str) -> Result<(), StoreError> {
        write_whole(&self.dir.join("coverage.lcov"), text.as_bytes())
    }

    pub fn write_summary(&self, summary: &Summary) -> Result<(), StoreError> {
        write_json(&self.summary_path(), summary)
    }

    pub fn profile_path(&self) -> PathBuf {
        self.dir.join("profile.json")
    }

    pub fn write_profile(&self, profile: &Profile) -> Result<(), StoreError> {
        write_json(&self.profile_path(), profile)
    }

    pub fn read_profile(&self) -> Result<Profile, StoreError> {
        read_json(&self.profile_path())
    }

    /// What native runs covered, if they were made.
    pub fn read_lcov(&self) -> Option<String> {
        fs::read_to_string(self.dir.join("coverage.lcov")).ok()
    }

    pub fn read_summary(&self) -> Result<Summary, StoreError> {
        read_json(&self.summary_path())
    }
}

pub fn read_test(path: &Path) -> Result<TestCase, StoreError> {
    let mut test: TestCase = read_json(path)?;
    test.complete_keys();
    Ok(test)
}

fn list(dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let list = || fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>();
    list().map_err(|source| StoreError::Read { path: dir.to_owned(), source })
}

/// What theories have learned, by their names.
#[derive(Serialize, serde::Deserialize)]
struct Learned {
    version: u32,
    theories: BTreeMap<String, String>,
}

/// How the program of a command was compiled that tests several functions, and what it was told.
pub fn write_recipe_in(dir: &Path, recipe: &Recipe) -> Result<(), StoreError> {
    write_json(&dir.join(RECIPE), recipe)
}

pub fn read_recipe_in(dir: &Path) -> Result<Recipe, StoreError> {
    read_json(&dir.join(RECIPE))
}

fn number_of(path: &Path) -> Option<u64> {
    let is_test = path.extension().is_some_and(|extension| extension == "json");
    path.file_stem().filter(|_| is_test)?.to_str()?.parse().ok()
}

pub(super) fn write_json(path: &Path, content: &impl Serialize) -> Result<(), StoreError> {
    let mut text = serde_json::to_vec(content)
        .map_err(|source| StoreError::Write { path: path.to_owned(), source: source.into() })?;
    text.push(b'\n');
    write_whole(path, &text)
}

/// Into a file of another name first, which then takes its place.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), StoreError> {
    let temporary = path.with_extension("tmp");
    let write = || -> io::Result<()> {
        File::create(&temporary)?.write_all(content)?;
        fs::rename(&temporary, path)
    };
    write().map_err(|source| {
        // Nothing more can be done if that fails too.
        let _ = fs::remove_file(&temporary);
        StoreError::Write { path: path.to_owned(), source }
    })
}

pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let text = fs::read(path).map_err(|source| StoreError::Read { path: path.to_owned(), source })?;
    let format = |source| StoreError::Format { path: path.to_owned(), source };
    // Files of this version begin with it, so that large ones are read only once.
    if !text.starts_with(format!("{{\"version\":{VERSION},").as_bytes()) {
        let Versioned { version } = serde_json::from_slice(&text).map_err(format)?;
        if version != VERSION {
            return Err(StoreError::Version { path: path.to_owned(), found: version });
        }
    }
    serde_json::from_slice(&text).map_err(format)
}

#[derive(serde::Deserialize)]
struct Versioned {
    version: u32,
}

#[cfg(test)]
mod tests {
    use super::super::test_case::{Decision, End, InputObject, Setup};
    use super::*;

    fn test_case(status: i32) -> TestCase {
        TestCase {
            version: VERSION,
            entry: "main".to_owned(),
            unit: None,
            code: Vec::new(),
            setup: Setup { args: vec!["-v".to_owned()], ..Setup::default() },
            input: vec![InputObject {
                name: "a".to_owned(),
                key: None,
                ty: None,
                address: 0,
                bytes: vec![0, 0x7f, 0xff],
                references: Vec::new(),
                undecided: Vec::new(),
            }],
            texts: Vec::new(),
            steps: None,
            uninitialised: Vec::new(),
            decisions: vec![Decision("branch".to_owned(), 17, 1)],
            end: End::Exited { status },
            stays_in: None,
            made_up: Vec::new(),
            unknown_size: None,
            of_machine: Vec::new(),
            instructions: 99,
            observed: None,
        }
    }

    fn tests(store: &Store) -> Result<Vec<TestCase>, StoreError> {
        store.numbers()?.into_iter().map(|number| store.read_test(number)).collect()
    }

    #[test]
    fn an_interrupted_campaign_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::create(dir.path()).unwrap();
        store.begin().unwrap();
        assert_eq!(store.add_test(&test_case(0)).unwrap(), 1);
        assert_eq!(store.add_test(&test_case(1)).unwrap(), 2);
        fs::write(dir.path().join("tests/000003.tmp"), "{\"ver").unwrap();
        let mut store = Store::open(dir.path()).unwrap();
        assert_eq!(tests(&store).unwrap(), [test_case(0), test_case(1)]);
        assert!(!dir.path().join("tests/000003.tmp").exists());
        assert_eq!(store.add_test(&test_case(2)).unwrap(), 3);
    }

    /// Whoever chose tests was killed between two of them.
    #[test]
    fn tests_are_numbered_without_gaps() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::create(dir.path()).unwrap();
        store.begin().unwrap();
        (0..4).for_each(|status| assert!(store.add_test(&test_case(status)).is_ok()));
        fs::remove_file(store.test_path(2)).unwrap();
        let store = Store::open(dir.path()).unwrap();
        assert_eq!(tests(&store).unwrap(), [0, 2, 3].map(test_case));
        assert_eq!((store.numbers().unwrap(), store.n_tests()), (vec![1, 2, 3], 3));
    }

    #[test]
    fn a_campaign_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        // What was not begun is not there.
        Store::create(dir.path()).unwrap();
        Store::create(dir.path()).unwrap().begin().unwrap();
        assert!(matches!(Store::create(dir.path()), Err(StoreError::InUse { .. })));
    }

    #[test]
    fn other_directories_and_other_versions_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(Store::open(dir.path()), Err(StoreError::NoCampaign { .. })));
        Store::create(dir.path()).unwrap().begin().unwrap();
        let read = || Store::open(dir.path()).and_then(|store| tests(&store));
        let test = dir.path().join("tests/000001.json");
        fs::write(&test, "{\"version\": 2}").unwrap();
        assert!(matches!(read(), Err(StoreError::Version { found: 2, .. })));
        fs::write(&test, "{").unwrap();
        assert!(matches!(read(), Err(StoreError::Format { .. })));
        fs::write(&test, serde_json::to_string(&test_case(0)).unwrap().replace("007fff", "007ff")).unwrap();
        assert!(matches!(read(), Err(StoreError::Format { .. })));
    }
}
