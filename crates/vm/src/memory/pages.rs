//! What a large object was, page by page: most of it is the same in the next version.

use super::object::Object;
use super::shadow::Shadow;
use std::ops::Range;

/// Smaller objects are kept whole.
pub(super) const LARGE: u32 = 1 << 16;

const PAGE: usize = 1 << 12;

/// Bytes of some pages of a live object, and its whole shadow, as they are in another version.
#[derive(Debug)]
pub(super) struct Pages {
    /// By number, each once.
    pages: Vec<Page>,
    shadow: Option<Box<Shadow>>,
}

#[derive(Debug)]
struct Page {
    number: u32,
    bytes: Box<[u8]>,
    plain: Box<[u8]>,
}

/// A page's bytes, and the bytes that hold its plain bits.
fn extent(object: &Object, number: u32) -> (Range<usize>, Range<usize>) {
    let start = number as usize * PAGE;
    let end = (start + PAGE).min(object.full_size as usize);
    (start..end, start / 8..end.div_ceil(8))
}

impl Page {
    fn of(object: &Object, number: u32) -> Self {
        let (bytes, plain) = extent(object, number);
        Self { number, bytes: object.data()[bytes].into(), plain: object.plain_bits().bytes()[plain].into() }
    }
}

impl Pages {
    /// Of an object that is about to change.
    pub fn of(object: &Object) -> Self {
        Self { pages: Vec::new(), shadow: object.shadow.clone() }
    }

    /// What to change in `now` to get `before`, if that is much less than all of it.
    pub fn difference(before: &mut Object, now: &Object) -> Option<Self> {
        let n_pages = before.full_size.div_ceil(PAGE as u32);
        let differs = |&number: &u32| {
            let (bytes, plain) = extent(now, number);
            before.data()[bytes.clone()] != now.data()[bytes]
                || before.plain_bits().bytes()[plain.clone()] != now.plain_bits().bytes()[plain]
        };
        let changed: Vec<u32> = (0..n_pages).filter(differs).collect();
        if changed.len() as u32 > n_pages / 2 {
            return None;
        }
        let pages = changed.into_iter().map(|number| Page::of(before, number)).collect();
        Some(Self { pages, shadow: before.shadow.take() })
    }

    /// Keeps the pages that a range touches, as far as they aren't kept yet.
    pub fn keep(&mut self, object: &Object, range: Range<u64>) {
        for number in range.start as u32 / PAGE as u32..=(range.end - 1) as u32 / PAGE as u32 {
            if let Err(idx) = self.pages.binary_search_by_key(&number, |page| page.number) {
                self.pages.insert(idx, Page::of(object, number));
            }
        }
    }

    /// Whether the object has these bytes.
    pub fn agree_with(&self, object: &Object) -> bool {
        self.pages.iter().all(|page| object.data()[extent(object, page.number).0] == *page.bytes)
    }

    /// Exchanges its content with that of the object.
    pub fn swap(&mut self, object: &mut Object) {
        for page in &mut self.pages {
            let (bytes, plain) = extent(object, page.number);
            page.bytes.swap_with_slice(&mut object.data_mut()[bytes]);
            page.plain.swap_with_slice(&mut object.plain_bits_mut().bytes_mut()[plain]);
        }
        std::mem::swap(&mut self.shadow, &mut object.shadow);
    }

    /// Both changes at once, this one first.
    pub fn then(mut self, next: Self) -> Self {
        self.pages.retain(|page| next.pages.binary_search_by_key(&page.number, |other| other.number).is_err());
        self.pages.extend(next.pages);
        self.pages.sort_unstable_by_key(|page| page.number);
        Self { pages: self.pages, shadow: next.shadow }
    }

    pub fn shadow(&self) -> Option<&Shadow> {
        self.shadow.as_deref()
    }

    /// The memory that it takes.
    pub fn footprint(&self) -> u64 {
        let content = self.pages.len() * (size_of::<Page>() + PAGE + PAGE / 8);
        content as u64 + self.shadow.as_ref().map_or(0, |shadow| shadow.footprint())
    }
}
