//! The map around one or two pins: the houses of the registry, and the streets if the operator brought a street map.

use std::fmt::Write as _;

use gazetteer::registry::Registry;
use schema::Location;

use super::{View, at, escaped};

/// A pin, the radius in metres that it may be off, and its name.
pub(crate) type Pin = (Location, f64, String);

/// What lies beneath the pins.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) registry: Option<&'a Registry>,
    /// Whose data the street map shows; `None` without a street map.
    pub(crate) streets: Option<&'a str>,
}

/// The pins of adverts and the houses around them.
pub(crate) fn pin_map(pins: &[Pin], ground: Ground<'_>, name: &str) -> String {
    const SIZE: f64 = View::SIZE;
    let Some(view) = view_of(pins) else {
        return String::new();
    };
    let mut drawn = String::new();
    if let Some(attribution) = ground.streets {
        let Location { lat, lng } = view.centre;
        let _ = write!(
            drawn,
            "<image href=\"/street-map.svg?lat={lat:.6}&amp;lng={lng:.6}&amp;reach={:.0}\" width=\"{SIZE}\" height=\"{SIZE}\"/>\
             <text class=\"axis end\" x=\"{}\" y=\"{}\">{}</text>",
            view.reach,
            at(SIZE - 4.0),
            at(SIZE - 5.0),
            escaped(attribution)
        );
    }
    drawn.push_str(&houses(ground.registry, &view));
    for (place, (pin, off, name)) in pins.iter().enumerate() {
        let (x, y) = view.place(*pin);
        let _ = write!(
            drawn,
            "<g class=\"side{place}\"><circle class=\"precision\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>\
             <circle class=\"pin\" cx=\"{x}\" cy=\"{y}\" r=\"5\"><title>{}</title></circle></g>",
            at((off * view.scale()).min(SIZE)),
            escaped(name),
            x = at(x),
            y = at(y),
        );
    }
    let bar = scale_bar(view.reach);
    let _ = write!(
        drawn,
        "<path class=\"scale\" d=\"M10 {y}h{}\"/><text class=\"axis\" x=\"10\" y=\"{}\">{}</text>",
        at(bar * view.scale()),
        at(SIZE - 16.0),
        if bar >= 1000.0 {
            format!("{} km", bar / 1000.0)
        } else {
            format!("{bar} m")
        },
        y = at(SIZE - 10.0),
    );
    format!(
        "<svg class=\"map\" viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\" aria-label=\"{}\">{drawn}</svg>",
        escaped(name)
    )
}

/// The view that shows all pins; `None` without pins. Centre and reach are rounded, as the address of the street map has
/// them.
fn view_of(pins: &[Pin]) -> Option<View> {
    let (first, ..) = pins.first()?;
    let count = pins.len() as f64;
    let middle = |part: fn(Location) -> f64| {
        let sum: f64 = pins.iter().map(|(pin, ..)| part(*pin)).sum();
        (sum / count * 1e6).round() / 1e6
    };
    let centre = Location {
        lat: middle(|pin| pin.lat),
        lng: middle(|pin| pin.lng),
    };
    let apart = first.metres_to(centre);
    let off = pins.iter().map(|(_, off, _)| *off).fold(0.0, f64::max);
    let reach = (apart * 1.3 + off.min(1_500.0) * 1.2).clamp(120.0, 60_000.0);
    Some(View {
        centre,
        reach: reach.round(),
    })
}

/// A dot for each house around.
fn houses(registry: Option<&Registry>, view: &View) -> String {
    /// The most houses that are drawn.
    const MOST: usize = 3_000;
    let houses = registry.map_or_else(Vec::new, |registry| {
        houses_near(registry, view.centre, view.reach * 1.45)
    });
    let every = houses.len().div_ceil(MOST).max(1);
    let mut path = String::new();
    for house in houses.iter().step_by(every) {
        let (x, y) = view.place(*house);
        let _ = write!(path, "M{} {}h.1", at(x), at(y));
    }
    format!("<path class=\"houses\" d=\"{path}\"/>")
}

/// A round length of about a third of the map.
fn scale_bar(reach: f64) -> f64 {
    let steps = [
        50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0,
    ];
    let fits = |step: &f64| *step <= reach * 0.8;
    steps.into_iter().rfind(fits).unwrap_or(50.0)
}

/// The address places around a point.
fn houses_near(registry: &Registry, centre: Location, metres: f64) -> Vec<Location> {
    let near = |place: &Location| place.metres_to(centre) <= metres;
    // No municipality of the country reaches farther from its middle.
    let reaches = |middle: Location| middle.metres_to(centre) <= metres + 25_000.0;
    let municipalities = registry.municipalities().iter();
    let municipalities = municipalities.filter(|one| one.position.is_none_or(reaches));
    let places = municipalities.flat_map(|one| registry.places_in(one.places.clone()));
    places
        .filter_map(|(_, place)| place.location)
        .filter(near)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Ground<'_> = Ground {
        registry: None,
        streets: None,
    };

    #[test]
    fn a_pair_without_a_registry_still_has_its_pins() {
        let pin = |lat| Location { lat, lng: 14.4 };
        let pins = [
            (pin(50.0), 20.0, "a/1 <b>".to_owned()),
            (pin(50.001), 200.0, "b/2".to_owned()),
        ];
        let drawn = pin_map(&pins, NOTHING, "map");
        assert_eq!(drawn.matches("class=\"pin\"").count(), 2);
        assert!(drawn.contains("a/1 &lt;b&gt;"), "{drawn}");
        assert_eq!(pin_map(&[], NOTHING, "map"), "");
    }

    #[test]
    fn a_street_map_lies_beneath_with_its_source() {
        let place = Location {
            lat: 50.087_512_3,
            lng: 14.421_3,
        };
        let ground = Ground {
            streets: Some("© <OpenStreetMap>"),
            ..NOTHING
        };
        let drawn = pin_map(&[(place, 15.0, "a/1".to_owned())], ground, "map");
        let address = "/street-map.svg?lat=50.087512&amp;lng=14.421300&amp;reach=120";
        assert!(drawn.contains(address), "{drawn}");
        assert!(drawn.contains("© &lt;OpenStreetMap&gt;"), "{drawn}");
    }
}
