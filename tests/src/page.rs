//! The data of a report's page.

use serde_json::Value;

/// What the page knows.
pub fn data(page: &str) -> Option<Value> {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">")?;
    let (json, _) = rest.split_once("</script>")?;
    serde_json::from_str(json).ok()
}

/// The decisions of each test, by number.
pub fn paths(data: &Value) -> Vec<Vec<i64>> {
    let number = |value: &Value| value.as_i64().unwrap_or_default();
    let decisions_to = |segment: i64| {
        let mut parts = Vec::new();
        let mut at = segment;
        loop {
            let segment = &data["tree"]["segments"][at as usize];
            let (first, len) = (number(&segment[1]), number(&segment[2]));
            parts.push(
                (first..first + len).map(|at| number(&data["tree"]["decisions"][at as usize])).collect::<Vec<_>>(),
            );
            if at == 0 {
                break;
            }
            at = number(&segment[0]);
        }
        parts.into_iter().rev().flatten().collect()
    };
    data["tests"]["segment"].as_array().into_iter().flatten().map(|segment| decisions_to(number(segment))).collect()
}
