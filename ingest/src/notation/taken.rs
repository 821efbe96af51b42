//! Whether a label or price says that the property is reserved or sold.

use czech::fold;
use schema::Taken;

/// The state in a label such as `Rezervováno`, `Prodáno`, `Pronajato`; `None` for other labels (`Zlevněno`,
/// `Exkluzivně`).
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
