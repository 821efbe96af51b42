//! Pages made with Next.js: the data that a page is drawn from stands in its script element `__NEXT_DATA__`.

use serde_json::Value;

/// The data of a page; `None` where it has none, or some that is no JSON.
pub fn page_data(html: &str) -> Option<Value> {
    let (_, from_name) = html.split_once("id=\"__NEXT_DATA__\"")?;
    let (_, from_data) = from_name.split_once('>')?;
    let (data, _) = from_data.split_once("</script>")?;
    serde_json::from_str(data).ok()
}
