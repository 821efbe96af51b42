//! The registry's codes of regions and districts. They have not changed since there are regions.

use crate::districts::District;
use crate::regions::Region;

/// Kód obce of Prague.
pub(super) const PRAGUE: u32 = 554_782;

/// Kód okresu under which VFR has Prague; the tables leave the column empty there.
const PRAGUE_AS_DISTRICT: u32 = 3100;

/// Kód VÚSC.
const REGIONS: [(u32, Region); 14] = [
    (19, Region::Praha),
    (27, Region::Stredocesky),
    (35, Region::Jihocesky),
    (43, Region::Plzensky),
    (51, Region::Karlovarsky),
    (60, Region::Ustecky),
    (78, Region::Liberecky),
    (86, Region::Kralovehradecky),
    (94, Region::Pardubicky),
    (108, Region::Vysocina),
    (116, Region::Jihomoravsky),
    (124, Region::Olomoucky),
    (132, Region::Moravskoslezsky),
    (141, Region::Zlinsky),
];

/// Kód okresu: the region of 1960, then the district's place in the alphabet there. Jeseník was founded later.
const DISTRICTS: [(u32, &[District]); 7] = [
    (
        3201,
        &[
            District::Benesov,
            District::Beroun,
            District::Kladno,
            District::Kolin,
            District::KutnaHora,
            District::Melnik,
            District::MladaBoleslav,
            District::Nymburk,
            District::PrahaVychod,
            District::PrahaZapad,
            District::Pribram,
            District::Rakovnik,
        ],
    ),
    (
        3301,
        &[
            District::CeskeBudejovice,
            District::CeskyKrumlov,
            District::JindrichuvHradec,
            District::Pelhrimov,
            District::Pisek,
            District::Prachatice,
            District::Strakonice,
            District::Tabor,
        ],
    ),
    (
        3401,
        &[
            District::Domazlice,
            District::Cheb,
            District::KarlovyVary,
            District::Klatovy,
            District::PlzenMesto,
            District::PlzenJih,
            District::PlzenSever,
            District::Rokycany,
            District::Sokolov,
            District::Tachov,
        ],
    ),
    (
        3501,
        &[
            District::CeskaLipa,
            District::Decin,
            District::Chomutov,
            District::JablonecNadNisou,
            District::Liberec,
            District::Litomerice,
            District::Louny,
            District::Most,
            District::Teplice,
            District::UstiNadLabem,
        ],
    ),
    (
        3601,
        &[
            District::HavlickuvBrod,
            District::HradecKralove,
            District::Chrudim,
            District::Jicin,
            District::Nachod,
            District::Pardubice,
            District::RychnovNadKneznou,
            District::Semily,
            District::Svitavy,
            District::Trutnov,
            District::UstiNadOrlici,
        ],
    ),
    (
        3701,
        &[
            District::Blansko,
            District::BrnoMesto,
            District::BrnoVenkov,
            District::Breclav,
            District::Zlin,
            District::Hodonin,
            District::Jihlava,
            District::Kromeriz,
            District::Prostejov,
            District::Trebic,
            District::UherskeHradiste,
            District::Vyskov,
            District::Znojmo,
            District::ZdarNadSazavou,
        ],
    ),
    (
        3801,
        &[
            District::Bruntal,
            District::FrydekMistek,
            District::Karvina,
            District::NovyJicin,
            District::Olomouc,
            District::Opava,
            District::OstravaMesto,
            District::Prerov,
            District::Sumperk,
            District::Vsetin,
            District::Jesenik,
        ],
    ),
];

/// The region with this kód VÚSC.
pub(super) fn region(code: u32) -> Option<Region> {
    REGIONS
        .iter()
        .find(|(known, _)| *known == code)
        .map(|(_, region)| *region)
}

/// The district with this kód okresu.
pub(super) fn district(code: u32) -> Option<District> {
    if code == PRAGUE_AS_DISTRICT {
        return Some(District::Praha);
    }
    DISTRICTS.iter().find_map(|(first, districts)| {
        let at = code.checked_sub(*first)?;
        districts.get(at as usize).copied()
    })
}

/// The kód VÚSC of a region.
pub(super) fn code_of_region(region: Region) -> u32 {
    REGIONS
        .iter()
        .find(|(_, known)| *known == region)
        .map_or(0, |(code, _)| *code)
}

/// The kód okresu of a district.
pub(super) fn code_of_district(district: District) -> u32 {
    let listed = DISTRICTS.iter().find_map(|(first, districts)| {
        let at = districts.iter().position(|known| *known == district)?;
        Some(first + at as u32)
    });
    listed.unwrap_or(PRAGUE_AS_DISTRICT)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_region_and_every_district_has_one_code() {
        let regions: HashSet<Region> = (0..200).filter_map(region).collect();
        assert_eq!(regions.len(), 14);
        let codes: Vec<District> = (3000..4000).filter_map(district).collect();
        let districts: HashSet<District> = codes.iter().copied().collect();
        assert_eq!((codes.len(), districts.len()), (77, 77));
        assert!(District::all().all(|known| district(code_of_district(known)) == Some(known)));
        assert!(Region::all().all(|known| region(code_of_region(known)) == Some(known)));
    }

    #[test]
    fn codes_are_those_of_the_registry() {
        assert_eq!(district(3506), Some(District::Litomerice));
        assert_eq!(district(3705), Some(District::Zlin));
        assert_eq!(district(3213), None);
        assert_eq!(region(78), Some(Region::Liberecky));
    }
}
