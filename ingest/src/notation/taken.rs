//! Whether a label or price says that the property is no longer to be had.

use czech::fold;
use schema::Taken;

/// `Rezervováno`, `Prodáno`, `Pronajato` in a label; other labels (`Zlevněno`, `Exkluzivně`) say nothing of that.
///
/// ```
/// use ingest::notation::taken::taken;
/// assert_eq!(taken("Rezervace"), Some(schema::Taken::Reserved));
/// assert_eq!(taken("Zlevněno"), None);
/// ```
pub fn taken(label: &str) -> Option<Taken> {
    let label = fold(label);
    if label.contains("prodano") || label.contains("pronajato") {
        Some(Taken::Sold)
    } else {
        label.contains("rezerv").then_some(Taken::Reserved)
    }
}
