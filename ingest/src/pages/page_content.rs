//! The parts that the detail pages of all portals have, and how they fill a listing.

use schema::Listing;

use crate::notation::taken::taken;
use crate::reading::Reading;

use super::attribute_list::{self, Labels, Row};
use super::detail_page::description;
use super::offer_text;
use super::unstated::fill_unstated;
use crate::json::FieldReader;

/// The parts of a detail page.
#[derive(Debug, Default)]
pub(crate) struct PageContent {
    /// The page's URL.
    pub url: Option<String>,
    /// The portal's title: `Prodej bytu 3+kk 67 m²`.
    pub title: Option<String>,
    /// The advertiser's headline.
    pub headline: Option<String>,
    /// The advert's text below the headline.
    pub text: Option<String>,
    /// The place, in one line.
    pub place: Option<String>,
    /// The price with its unit, without a price that is struck out.
    pub price: Option<String>,
    /// Badges next to the title or price: `Exkluzivně`, `Rezervace`.
    pub labels: Vec<String>,
    /// The attribute list.
    pub rows: Vec<Row>,
}

impl PageContent {
    /// Returns the title and the headline, if there are any.
    pub(crate) fn titles(&self) -> Vec<&str> {
        [&self.title, &self.headline]
            .into_iter()
            .filter_map(Option::as_deref)
            .collect()
    }

    /// Reads the listing. `fill_kind` runs first and says what is on offer, because the meaning of some labels depends on
    /// it. `fill_rest` runs after the attributes and adds what each portal shows in its own way, such as the place. What is
    /// unknown then may be in headline or text.
    pub(crate) fn to_reading(
        &self,
        labels: &Labels,
        fill_kind: impl FnOnce(&mut Listing, &mut FieldReader),
        fill_rest: impl FnOnce(&mut Listing, &mut FieldReader),
    ) -> Reading {
        let mut listing = Listing::default();
        let mut reader = FieldReader::default();
        fill_kind(&mut listing, &mut reader);
        self.fill(labels, &mut listing, &mut reader);
        fill_rest(&mut listing, &mut reader);
        fill_unstated(&self.titles(), self.text.as_deref(), &mut listing);
        Reading {
            listing,
            url: self.url.clone(),
            brief: false,
            unread: reader.into_rejects(),
        }
    }

    /// Fills texts, price, attributes, the share on offer, and whether the property is reserved or sold.
    fn fill(&self, labels: &Labels, listing: &mut Listing, reader: &mut FieldReader) {
        let attributes = &mut listing.attributes;
        let [title, headline, text] =
            [&self.title, &self.headline, &self.text].map(Option::as_deref);
        attributes.title.clone_from(&self.title);
        attributes.description = description(title, headline, text);
        attributes.address.clone_from(&self.place);
        attributes.price_total = self
            .price
            .as_deref()
            .and_then(|price| offer_text::price_total(price, reader));
        attribute_list::fill_from_rows(&self.rows, labels, listing, reader);
        offer_text::correct_areas(title, listing);
        listing.evidence.share = offer_text::find_share([title, headline], text);
        listing.evidence.taken = self
            .labels
            .iter()
            .chain(&self.price)
            .find_map(|label| taken(label));
    }
}
