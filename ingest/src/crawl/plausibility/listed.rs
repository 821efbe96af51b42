//! Whether the adverts that the lists show are still there when they are requested.

use crate::crawl::alarm::Alarm;

/// How many adverts that are gone although a list showed them are more than chance.
const LEAST_GONE: u64 = 10;

/// Counts the answers about adverts that the lists of this crawl showed.
#[derive(Debug, Default)]
pub(in crate::crawl) struct ListedAdverts {
    of: u64,
    gone: u64,
    example: Option<String>,
}

impl ListedAdverts {
    /// Counts an advert: its address if the portal says that it is gone, `None` if it does not.
    pub(in crate::crawl) fn count(&mut self, gone: Option<&String>) {
        self.of += 1;
        if let Some(address) = gone {
            self.gone += 1;
            self.example.get_or_insert_with(|| address.clone());
        }
    }

    /// More than a fifth are gone.
    pub(in crate::crawl) fn alarm(&self) -> Option<Alarm> {
        let Self { of, gone, example } = self;
        (*gone >= LEAST_GONE && gone * 5 > *of).then(|| Alarm::ListedGone {
            gone: *gone,
            of: *of,
            example: example.clone().unwrap_or_default(),
        })
    }
}
