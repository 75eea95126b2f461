//! Strings by number: what is said often is written once.

use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub struct Strings {
    numbers: FxHashMap<String, u32>,
    all: Vec<String>,
}

impl Strings {
    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.all.len() as u32;
        self.all.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    pub fn into_all(self) -> Vec<String> {
        self.all
    }
}
