//! Pages made with Next.js, which carry their data as JSON in the script element `__NEXT_DATA__`.

use serde_json::Value;

use crate::reading::PayloadError;

/// Returns the data of a page. `kind` is the name of the page in the error.
///
/// # Errors
/// Returns [`PayloadError::Missing`] if the page has no such element, or if its content is not JSON.
pub(crate) fn page_data(html: &str, kind: &'static str) -> Result<Value, PayloadError> {
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
