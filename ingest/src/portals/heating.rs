//! Heating as portals enumerate it: several ways of one property, each with the source and the type that it names.

/// What a way of heating says: (source, type).
pub type Heating = (Option<&'static str>, Option<&'static str>);

/// One source as it is, several different ones as `combined`.
pub fn source(told: &[Heating]) -> Option<String> {
    one_of(told.iter().filter_map(|way| way.0), Some("combined"))
}

/// `communal` or `local` where every named source is the one or every one the other.
pub fn type_of(told: &[Heating]) -> Option<String> {
    let sources = || told.iter().filter(|way| way.0.is_some());
    if sources().any(|way| way.1.is_none()) {
        return None;
    }
    one_of(sources().filter_map(|way| way.1), None)
}

fn one_of<'a>(mut values: impl Iterator<Item = &'a str>, several: Option<&str>) -> Option<String> {
    let first = values.next()?;
    let agreed = values.all(|value| value == first);
    if agreed {
        Some(first.to_owned())
    } else {
        several.map(str::to_owned)
    }
}
