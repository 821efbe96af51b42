//! The rules between parameters of a search.

use crate::params::errors::ParamErrors;
use crate::params::param::ParamName;
use crate::params::parsed::ParsedQuery;
use crate::params::value::accepted;

/// The parameters that describe a centre: the first two together, or the last.
const CENTRE: [ParamName; 3] = [ParamName::Lat, ParamName::Lng, ParamName::Address];

/// The parameters that are the two bounds of one range.
const RANGES: [(ParamName, ParamName); 5] = [
    (ParamName::PriceMin, ParamName::PriceMax),
    (ParamName::LivingAreaMin, ParamName::LivingAreaMax),
    (ParamName::LandAreaMin, ParamName::LandAreaMax),
    (ParamName::FloorMin, ParamName::FloorMax),
    (ParamName::FloorCountMin, ParamName::FloorCountMax),
];

/// A minimum must not be greater than its maximum.
pub(crate) fn check_ranges(parsed: &ParsedQuery<'_>, errors: &mut ParamErrors) {
    for (min, max) in RANGES {
        let (Some(least), Some(greatest)) = (parsed.number(min), parsed.number(max)) else {
            continue;
        };
        if least > greatest {
            let (min, max) = (min.name(), max.name());
            errors.add(
                min,
                format!("must not be greater than {max}: {least} > {greatest}; the nearest is {greatest}"),
            );
            errors.add(
                max,
                format!(
                    "must not be less than {min}: {greatest} < {least}; the nearest is {least}"
                ),
            );
        }
    }
}

/// A centre is either `lat` and `lng`, or `address`; a radius needs a centre.
pub(crate) fn check_centre(parsed: &ParsedQuery<'_>, errors: &mut ParamErrors) {
    let [lat, lng, address] = CENTRE.map(|name| parsed.has(name));
    if address && (lat || lng) {
        let sent: Vec<&str> = CENTRE
            .into_iter()
            .filter(|name| parsed.has(*name))
            .map(ParamName::name)
            .collect();
        let message = format!(
            "{} were sent together; send either address, or lat and lng",
            sent.join(", ")
        );
        for name in sent {
            errors.add(name, message.as_str());
        }
    } else if lat != lng {
        let (missing, other) = if lat {
            (ParamName::Lng, ParamName::Lat)
        } else {
            (ParamName::Lat, ParamName::Lng)
        };
        let message = format!(
            "is missing, but {} was sent; must be {}",
            other.name(),
            accepted(missing.param().param_type)
        );
        errors.add(missing.name(), message);
    }
    if parsed.has(ParamName::RadiusMeters) && !(lat || lng || address) {
        let radius = ParamName::RadiusMeters;
        let message = format!(
            "needs a centre: send lat and lng, or address, with it; must be {}",
            accepted(radius.param().param_type)
        );
        errors.add(radius.name(), message);
    }
}
