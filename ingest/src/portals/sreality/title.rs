//! What a title says: `Prodej bytu 3+kk 85 m²`, `Prodej rodinného domu 145 m², pozemek 271 m²`.

use schema::{Attributes, PropertyType};

use crate::notation::area::area;

/// Fills the areas that a title states. The area after `pozemek` is the plot. In the title of land, every area is.
pub(crate) fn fill_areas(attributes: &mut Attributes) {
    let Some(title) = attributes.title.as_deref() else {
        return;
    };
    let (building, plot) = match title.split_once(", pozemek") {
        Some((building, plot)) => (Some(building), Some(plot)),
        None if attributes.property_type == Some(PropertyType::Land) => (None, Some(title)),
        None => (Some(title), None),
    };
    attributes.living_area = building.and_then(area);
    attributes.land_area = plot.and_then(area);
}
