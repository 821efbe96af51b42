//! An address being assembled from the fields of a listing, one after the other.

use czech::house_number::HouseNumber;
use czech::names::{place_key, quarter_key};
use czech::numbered_parts::CityDistrict;

use super::likeness::names_kind_of_street;
use super::name::Name;
use super::pieces::{Meaning, Piece, Pieces};
use super::town_and_part::{last_words, town_and_part};
use super::{Address, PostalCode, Street};
use crate::districts::District;
use crate::regions::Region;
use crate::towns::{self, is_half_of, town_by_name, unabbreviated_quarter};

/// Cities without a part of the same name. Their name in the place of a quarter says nothing.
const WHOLE_CITIES: [&str; 4] = ["praha", "brno", "ostrava", "plzen"];

/// The address so far. A part that is known is not replaced.
#[derive(Default)]
pub(super) struct Draft {
    pub address: Address,
}

impl Draft {
    pub fn read_region(&mut self, text: Option<&str>) {
        self.address.region = text.and_then(Region::parse);
    }

    /// The field for the okres. Sreality has the city district there.
    pub fn read_district(&mut self, text: Option<&str>) {
        let Some(text) = text else { return };
        let key = place_key(text);
        if let Some((city_district, _)) = CityDistrict::parse_prefix(&key) {
            self.address.city_district = Some(city_district);
        }
        self.address.district = District::parse_folded(&key);
    }

    /// The field for the city: `Praha`, `Praha 5 - Smíchov`, `397 01 Písek`, `Praha (okres Praha)`.
    pub fn read_city(&mut self, text: Option<&str>) {
        let Some(text) = text else { return };
        let pieces = Pieces::parse(text);
        self.take_common(&pieces);
        let (parts, names): (Vec<&Piece>, Vec<&Piece>) =
            pieces.names.iter().partition(|piece| piece.after_dash);
        // Of `Brno-Řečkovice a Mokrá Hora - Řečkovice`, the part behind the dash is the smaller one.
        for piece in parts {
            self.quarter(&piece.written);
        }
        for piece in names {
            match piece.meaning {
                Meaning::District(district) => {
                    self.district(district);
                    self.city_of(district);
                }
                Meaning::Region(region) => {
                    self.address.region = self.address.region.or(Some(region));
                }
                _ if self.address.municipality.is_none() => self.municipality(piece),
                _ => self.quarter(&piece.written),
            }
        }
    }

    /// Takes the city from a district in its place: `Brno-město` is Brno.
    pub fn city_of(&mut self, district: District) {
        if district.name().ends_with("-město") && self.address.municipality.is_none() {
            self.address.municipality = Name::place(district.town());
        }
    }

    pub fn read_neighborhood(&mut self, text: Option<&str>) {
        let Some(text) = text else { return };
        if !text.contains([',', ';', '(']) && !text.contains(" - ") {
            self.quarter(text);
            return;
        }
        // Backwards, because the smaller part is last: `Brno-Řečkovice a Mokrá Hora - Řečkovice`, `Praha - Braník`.
        for piece in Pieces::parse(text).names.iter().rev() {
            self.quarter(&piece.written);
        }
    }

    pub fn read_postal_code(&mut self, text: Option<&str>) {
        self.address.postal_code = text
            .and_then(PostalCode::parse)
            .or(self.address.postal_code);
    }

    pub fn read_house_number(&mut self, text: Option<&str>) {
        if let Some(number) = text.and_then(HouseNumber::parse) {
            self.address.number = number;
        }
    }

    /// The field for the street: `Roháčova`, `Roháčova 1523/12`, `ul.Výstavní`.
    pub fn read_street(&mut self, text: Option<&str>) {
        let Some(text) = text else { return };
        let pieces = Pieces::parse(text);
        self.take_common(&pieces);
        let names = pieces
            .names
            .iter()
            .find(|piece| matches!(piece.meaning, Meaning::Name | Meaning::Street));
        if let Some(piece) = names {
            self.street(piece);
        }
    }

    /// Takes the postal code, the house number without a name, and the country.
    pub fn take_common(&mut self, pieces: &Pieces) {
        self.address.postal_code = self.address.postal_code.or(pieces.postal_code);
        self.address.foreign |= pieces.foreign;
        self.number(pieces.number);
    }

    /// Takes a house number, unless one is known.
    pub fn number(&mut self, number: HouseNumber) {
        if self.address.number.is_empty() {
            self.address.number = number;
        }
    }

    pub fn district(&mut self, district: District) {
        self.address.district = self.address.district.or(Some(district));
    }

    /// Takes a piece as the street with its number, unless it names the town or district of the address.
    pub fn street(&mut self, piece: &Piece) {
        if self.address.street.is_none() && !self.is_own_place(&piece.key) {
            self.address.street = Street::named(&piece.written);
            self.number(piece.number);
        }
    }

    /// Whether a name is that of the town, district or quarter of the address. It is then not the street, because a
    /// wrong street is worse than no street.
    pub fn is_own_place(&self, key: &str) -> bool {
        let address = &self.address;
        let named = |name: &Option<Name>| name.as_ref().is_some_and(|name| name.key == key);
        named(&address.municipality)
            || (named(&address.quarter) && !names_kind_of_street(key))
            || CityDistrict::parse_prefix(key).is_some()
            || District::parse_folded(key)
                .is_some_and(|district| address.district == Some(district))
            || key
                .split(' ')
                .all(|word| word.bytes().all(|b| b.is_ascii_digit()))
    }

    /// Takes a piece as the municipality, and the city district or part in its name.
    pub fn municipality(&mut self, piece: &Piece) {
        let (written, key) = (piece.written.as_str(), piece.key.as_str());
        self.number(piece.number);
        if let Some((city_district, rest)) = CityDistrict::parse_prefix(key) {
            self.address.city_district = Some(city_district);
            self.address.municipality = Name::place(city_district.city());
            if !rest.is_empty() {
                self.quarter(&last_words(written, rest));
            }
        } else if let Some(town) = town_by_name(written, key) {
            let name = if key == place_key(town.name) || is_half_of(key, town) {
                written
            } else {
                town.name
            };
            self.address.municipality = Some(Name {
                written: name.to_owned(),
                key: place_key(town.name),
            });
        } else if let Some(quarter) = quarter_for_city(key) {
            self.address.municipality = Name::place(quarter.city);
            self.quarter(quarter.name);
        } else if let Some((town, part)) = town_and_part(written, key) {
            self.address.municipality = Name::place(&town);
            self.quarter(&part);
        } else {
            self.address.municipality = Name::place(written);
        }
    }

    /// Takes a text as the part of the municipality or as the numbered city district.
    pub fn quarter(&mut self, written: &str) {
        let key = place_key(written);
        if let Some((city_district, rest)) = CityDistrict::parse_prefix(&key) {
            self.address.city_district = Some(city_district);
            if self.address.municipality.is_none() {
                self.address.municipality = Name::place(city_district.city());
            }
            if rest.is_empty() {
                return;
            }
        }
        let town = self
            .address
            .municipality
            .as_ref()
            .map(|municipality| municipality.key.as_str());
        let key = match CityDistrict::parse_prefix(&key) {
            Some((_, rest)) => rest.to_owned(),
            None => unabbreviated_quarter(written, quarter_key(written, town)),
        };
        let is_city = WHOLE_CITIES.contains(&key.as_str());
        if self.address.quarter.is_none()
            && !key.is_empty()
            && !is_city
            && Region::parse_folded(&key).is_none()
        {
            self.address.quarter = Some(Name {
                written: written.trim().to_owned(),
                key,
            });
        }
    }

    /// The finished address.
    pub fn finish(self) -> Address {
        let mut address = self.address;
        if address.foreign {
            return Address {
                foreign: true,
                ..Address::default()
            };
        }
        if address.municipality.is_none() && address.quarter.is_none() && address.street.is_none() {
            address.number = HouseNumber::default();
        }
        if address.street.is_none() {
            address.number = address.number.without_street();
        }
        address
    }
}

/// The district of Ostrava in the place of the city: `Slezská Ostrava - Muglinov`.
fn quarter_for_city(key: &str) -> Option<&'static towns::Quarter> {
    towns::quarter_by_key(key).filter(|quarter| quarter.city == "Ostrava" && key.contains(' '))
}
