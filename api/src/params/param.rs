//! The types of the table of parameters.

/// The name of a search parameter. As a number, it is the index in [`crate::params::SEARCH_PARAMS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table describes each parameter")]
pub enum ParamName {
    OfferType,
    Type,
    Subtype,
    Arrangement,
    Equipment,
    Ownership,
    PropertyState,
    BuildingType,
    District,
    Neighborhood,
    PriceMin,
    PriceMax,
    LivingAreaMin,
    LivingAreaMax,
    LandAreaMin,
    LandAreaMax,
    FloorMin,
    FloorMax,
    FloorCountMin,
    FloorCountMax,
    Lat,
    Lng,
    Address,
    RadiusMeters,
    IncludeInactive,
    Limit,
    Cursor,
}

/// The type of a parameter's values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamType {
    /// One of the listed texts, exactly.
    OneOf(&'static [&'static str]),
    /// A text of at most this many characters.
    Text {
        /// The largest number of characters.
        max_length: usize,
    },
    /// A decimal number in the notation of JSON: an optional `-`, digits without a leading zero, an optional point with
    /// digits, an optional power of ten.
    Number {
        /// The smallest accepted number; `None` if there is no lower bound.
        min: Option<f64>,
        /// The largest accepted number; `None` if there is no upper bound.
        max: Option<f64>,
    },
    /// A whole number without a sign and without a leading zero.
    Integer {
        /// The smallest accepted number.
        min: u64,
        /// The largest accepted number.
        max: u64,
    },
    /// `true` or `false`.
    Boolean,
    /// A cursor that the service wrote.
    Cursor,
}

/// One parameter.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Its name, case-sensitive.
    pub name: &'static str,
    /// The type of its values.
    pub param_type: ParamType,
    /// The description in the OpenAPI document.
    pub description: &'static str,
    /// The value that applies if the parameter is not sent; `None` if no value does.
    pub default: Option<&'static str>,
    /// The example in the OpenAPI document.
    pub example: &'static str,
}
