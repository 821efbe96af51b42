//! Pages made with Next.js: the data that a page is drawn from stands in its script element `__NEXT_DATA__`.

use serde_json::Value;

use crate::reading::PayloadError;

/// The HTML of a payload that is a page: the page itself or `{"url": …, "html": …}`; `None` for anything else.
pub fn html_in(payload: &Value) -> Option<&str> {
    payload.as_str().or_else(|| payload.get("html")?.as_str())
}

/// The data of a page, which errors call `kind`.
///
/// # Errors
/// The page has none, or some that is no JSON.
pub fn page_data(html: &str, kind: &'static str) -> Result<Value, PayloadError> {
    script(html).ok_or(PayloadError::Missing {
        part: "script element __NEXT_DATA__",
        kind,
    })
}

fn script(html: &str) -> Option<Value> {
    let (_, from_name) = html.split_once("id=\"__NEXT_DATA__\"")?;
    let (_, from_data) = from_name.split_once('>')?;
    let (data, _) = from_data.split_once("</script>")?;
    serde_json::from_str(data).ok()
}
