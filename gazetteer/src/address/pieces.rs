//! An address line cut into names with their house numbers, and what each name says that it is.

use czech::countries::{is_czech_republic, is_foreign_country};
use czech::fold::push_word;
use czech::house_number::{HouseNumber, marked_house_number, plain_house_number};
use czech::names::place_key;
use czech::numbered_parts::numbers_its_parts;
use czech::tokens::address_line::{Token, TokenKind, tokens};

use super::likeness;
use super::markers::{self, Marker};
use super::postal_code::PostalCode;
use crate::districts::District;
use crate::regions::Region;
use crate::towns::{is_half_of, town_by_key, town_by_name};

/// What a name says that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A name that does not say it.
    Name,
    /// A street: it says `ulice`, `náměstí` or the like.
    Street,
    /// A part of the municipality: it says `část obce`, `obvod` or the like.
    Quarter,
    /// A cadastral area (k.ú.), usually with the name of the municipality or of a part of it.
    Cadastral,
    /// A name of a title in a case other than the nominative: `v Olomouci`.
    Declined,
    /// A district.
    District(District),
    /// A region.
    Region(Region),
    /// A name that is already part of the address.
    Taken,
}

/// A name with its house number.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub written: String,
    pub key: String,
    pub number: HouseNumber,
    pub meaning: Meaning,
    /// Whether a dash precedes it.
    pub after_dash: bool,
    /// Whether a postal code precedes it. Then it is the name of the post office.
    pub after_postal_code: bool,
}

/// Everything that a line says.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub names: Vec<Piece>,
    /// The house number that has no name before it: `č.p. 111, 503 33 Praskačka`.
    pub number: HouseNumber,
    pub postal_code: Option<PostalCode>,
    pub foreign: bool,
}

impl Pieces {
    /// Cuts up an address line.
    pub fn parse(line: &str) -> Self {
        let tokens = tokens(line);
        let mut reader = Reader {
            pieces: Self::default(),
            next: Next::default(),
            words: Vec::new(),
            title: false,
        };
        let mut rest = tokens.as_slice();
        while !rest.is_empty() {
            let used = reader.read_tokens(rest).clamp(1, rest.len());
            rest = rest.get(used..).unwrap_or_default();
        }
        reader.end_piece(HouseNumber::default());
        reader.pieces.join_halves();
        reader.pieces
    }

    /// Joins the halves of a hyphenated town that is written with a dash: `Frýdek - Místek`.
    fn join_halves(&mut self) {
        let mut place = 1;
        while let Some([first, second]) = self.names.get(place - 1..=place) {
            let written = format!("{}-{}", first.written, second.written);
            let town = town_by_key(&place_key(&written)).filter(|town| {
                second.after_dash
                    && first.number.is_empty()
                    && town.name.contains('-')
                    && [first, second]
                        .iter()
                        .all(|half| half.meaning == Meaning::Name && is_half_of(&half.key, town))
            });
            if let Some(town) = town {
                let whole = Piece {
                    written: town.name.to_owned(),
                    key: place_key(town.name),
                    number: second.number,
                    ..first.clone()
                };
                self.names.splice(place - 1..=place, [whole]);
            } else {
                place += 1;
            }
        }
    }
}

/// What is known about the piece that is being read.
#[derive(Default)]
struct Next {
    meaning: Option<Meaning>,
    district: bool,
    after_dash: bool,
    after_postal_code: bool,
}

struct Reader<'a> {
    pieces: Pieces,
    next: Next,
    words: Vec<&'a Token>,
    /// Whether the segment is a title, because it said what is offered.
    title: bool,
}

impl<'a> Reader<'a> {
    /// Reads the next token, or the next few that belong together; returns how many.
    fn read_tokens(&mut self, rest: &'a [Token]) -> usize {
        let Some(token) = rest.first() else { return 0 };
        match token.kind {
            TokenKind::Comma => {
                self.end_piece(HouseNumber::default());
                self.next = Next::default();
                self.title = false;
                1
            }
            TokenKind::Dash => {
                self.end_piece(HouseNumber::default());
                self.next = Next {
                    after_dash: !self.pieces.names.is_empty(),
                    ..Next::default()
                };
                1
            }
            TokenKind::Number => self.read_number(token, rest),
            TokenKind::Word => self.read_word(token, rest),
        }
    }

    fn read_word(&mut self, token: &'a Token, rest: &'a [Token]) -> usize {
        if let Some((number, used)) = marked_house_number(rest) {
            self.end_piece(number);
            return used;
        }
        let Some((marker, used)) = markers::marker_at(rest, self.title) else {
            self.words.push(token);
            return 1;
        };
        match marker {
            Marker::Street if !self.words.is_empty() && ends_name(rest.get(used)) => {
                // `Nová Ulice` is a quarter, `Palackého ulice` a street.
                if token.raw == "Ulice" {
                    self.words.push(token);
                } else {
                    self.next.meaning = Some(Meaning::Street);
                }
            }
            Marker::Street => self.begin(Meaning::Street),
            Marker::Quarter => self.begin(Meaning::Quarter),
            Marker::Cadastral => self.begin(Meaning::Cadastral),
            Marker::District => {
                self.end_piece(HouseNumber::default());
                self.next.district = true;
            }
            // `U Lidového domu`
            Marker::Offered
                if !self.title && !self.words.is_empty() && markers::ends_name(&token.folded) =>
            {
                self.words.push(token);
            }
            Marker::Offered => {
                self.end_piece(HouseNumber::default());
                self.title = true;
            }
            Marker::In => self.begin(Meaning::Declined),
            Marker::Skip => {}
        }
        used
    }

    fn read_number(&mut self, token: &'a Token, rest: &'a [Token]) -> usize {
        if let Some((code, used)) = postal_code(rest) {
            self.end_piece(HouseNumber::default());
            self.pieces.postal_code = self.pieces.postal_code.or(Some(code));
            self.next.after_postal_code = true;
            return used;
        }
        let following = rest.get(1);
        if let Some(used) = markers::measure(token, following) {
            return used;
        }
        let has_word_after = following.is_some_and(|next| next.kind == TokenKind::Word);
        let ordinal = has_word_after
            && (token.dotted
                || following.is_some_and(|next| markers::follows_ordinal(&next.folded)));
        if ordinal || self.numbers_a_town(token) {
            self.words.push(token);
            return 1;
        }
        let number = Token {
            dotted: false,
            ..token.clone()
        };
        match plain_house_number(&number) {
            Some(number) => self.end_piece(number),
            None if self.words.is_empty() => {}
            None => self.words.push(token),
        }
        1
    }

    /// Whether the number belongs to the town before it: `Praha 5`, `České Budějovice 2`.
    fn numbers_a_town(&self, token: &Token) -> bool {
        token.raw.len() <= 2
            && token.raw.bytes().all(|b| b.is_ascii_digit())
            && numbers_its_parts(&place_key(&self.written()))
    }

    fn begin(&mut self, meaning: Meaning) {
        self.end_piece(HouseNumber::default());
        self.next.meaning = Some(meaning);
    }

    fn written(&self) -> String {
        let mut written = String::new();
        for token in &self.words {
            push_word(&mut written, &token.raw);
            if token.dotted {
                written.push('.');
            }
        }
        written
    }

    /// Whether the name behind a dash makes the piece before the dash a district: `Ostrava - město`, `Praha - východ`.
    /// If so, that piece becomes the district.
    fn names_district(&mut self, key: &str) -> bool {
        if !markers::parts_a_district(key) {
            return false;
        }
        let Some(before) = self.pieces.names.last_mut() else {
            return false;
        };
        let whole = District::parse_folded(&format!("{} {key}", before.key));
        if let Some(district) = whole {
            before.meaning = Meaning::District(district);
        }
        whole.is_some()
    }

    /// Ends the piece. A number without a name is kept for the whole line.
    fn end_piece(&mut self, number: HouseNumber) {
        let written = self.written();
        self.words.clear();
        let next = std::mem::take(&mut self.next);
        self.next.after_postal_code = next.after_postal_code && written.is_empty();
        self.next.after_dash = next.after_dash && written.is_empty();
        let key = place_key(&written);
        if key.is_empty() {
            self.next.meaning = next.meaning;
            self.next.district = next.district;
            if self.pieces.number.is_empty() {
                self.pieces.number = number;
            }
            return;
        }
        // A part may be named after a country: `Třinec - Kanada`.
        let foreign = is_foreign_country(&key) && !next.after_dash;
        self.pieces.foreign |= foreign;
        if foreign || is_czech_republic(&key) || markers::is_filler(&key) {
            return;
        }
        let meaning = if next.district {
            District::parse_folded(&key).map_or(Meaning::Name, Meaning::District)
        } else {
            let estate = next.after_dash && number.is_empty() && key.contains("sidliste");
            let by_form = || {
                if estate {
                    Meaning::Name
                } else {
                    meaning_of(&written, &key)
                }
            };
            next.meaning.unwrap_or_else(by_form)
        };
        if next.after_dash && self.names_district(&key) {
            return;
        }
        let (after_dash, after_postal_code) = (next.after_dash, next.after_postal_code);
        self.pieces.names.push(Piece {
            written,
            key,
            number,
            meaning,
            after_dash,
            after_postal_code,
        });
    }
}

/// Whether a name ends before this token.
fn ends_name(token: Option<&Token>) -> bool {
    token.is_none_or(|token| token.kind != TokenKind::Word)
}

/// What a name says by its form: a region, a district with a compound name, or a street with its kind.
fn meaning_of(written: &str, key: &str) -> Meaning {
    if key != "praha"
        && let Some(region) = Region::parse_folded(key)
    {
        return Meaning::Region(region);
    }
    let compound = written.contains('-')
        || key
            .rsplit(' ')
            .next()
            .is_some_and(markers::parts_a_district);
    if compound
        && town_by_name(written, key).is_none()
        && let Some(district) = District::parse_folded(key)
    {
        return Meaning::District(district);
    }
    if likeness::names_kind_of_street(key) {
        Meaning::Street
    } else {
        Meaning::Name
    }
}

/// The postal code at the start (`110 00` or `11000`), and how many tokens it takes.
pub(crate) fn postal_code(rest: &[Token]) -> Option<(PostalCode, usize)> {
    let (first, second) = (rest.first()?, rest.get(1));
    if first.raw.len() == 5
        && let Some(code) = PostalCode::parse(&first.raw)
    {
        return Some((code, 1));
    }
    let second = second.filter(|second| first.raw.len() == 3 && second.raw.len() == 2)?;
    PostalCode::parse(&format!("{}{}", first.raw, second.raw)).map(|code| (code, 2))
}
