//! Doing independent things at once.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The results of `work` on each item, in order. As many items at a time as the machine has processors.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let n_workers = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        while let Some((idx, item)) = {
            let idx = next.fetch_add(1, Ordering::Relaxed);
            items.get(idx).map(|item| (idx, item))
        } {
            done.push((idx, work(item)));
        }
        done
    };
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..n_workers).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("the work does not panic")).collect()
    });
    results.sort_by_key(|(idx, _)| *idx);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn keeps_the_order_of_items() {
        let items: Vec<u64> = (0..100).collect();
        let slow_start = |&n: &u64| {
            if n == 0 {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            n * n
        };
        assert_eq!(map(&items, slow_start), items.iter().map(|n| n * n).collect::<Vec<_>>());
        assert_eq!(map(&[] as &[u64], |&n| n), Vec::<u64>::new());
    }
}
