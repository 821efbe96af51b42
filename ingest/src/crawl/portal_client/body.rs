//! Reading response bodies: limited in size and decoded as declared.

use encoding_rs::{Encoding, UTF_8};
use reqwest::Response;

/// The longest body that is read. The longest pages of portals are two orders of magnitude shorter.
pub(super) const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;

/// How many bytes of a page are searched for its declared encoding.
const HEAD_BYTES: usize = 2048;

/// Why a body could not be read.
pub(super) enum BodyError {
    TooLong,
    Broken(reqwest::Error),
}

/// Reads a whole body.
pub(super) async fn read_body(mut response: Response) -> Result<Vec<u8>, BodyError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(BodyError::Broken)? {
        if body.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(BodyError::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Decodes a body: by its byte order mark, else as `content_type` declares, else as the page itself declares, else as
/// UTF-8.
pub(super) fn decode(body: &[u8], content_type: Option<&str>) -> String {
    let declared = content_type.and_then(charset).or_else(|| {
        let head =
            String::from_utf8_lossy(body.get(..HEAD_BYTES).unwrap_or(body)).to_ascii_lowercase();
        let meta = head
            .split("<meta")
            .skip(1)
            .find_map(|tag| charset(tag.split('>').next()?));
        // A declaration that was found as ASCII text cannot be right if it names UTF-16.
        meta.filter(|encoding| encoding.is_ascii_compatible())
    });
    declared.unwrap_or(UTF_8).decode(body).0.into_owned()
}

/// The encoding named in a text such as `text/html; charset=windows-1250`.
fn charset(text: &str) -> Option<&'static Encoding> {
    let text = text.to_ascii_lowercase();
    let (_, rest) = text.split_once("charset")?;
    let label = rest
        .trim_start()
        .strip_prefix('=')?
        .trim_start()
        .trim_start_matches(['"', '\'']);
    let label = label.split(['"', '\'', ';', ' ', '/']).next()?;
    Encoding::for_label(label.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: &[u8] = b"P\xf8\xedzem\xed";

    #[test]
    fn bodies_are_decoded_as_declared() {
        assert_eq!(decode("Přízemí".as_bytes(), None), "Přízemí");
        assert_eq!(
            decode(WORD, Some("text/html; charset=windows-1250")),
            "Přízemí"
        );
        assert_eq!(
            decode(WORD, Some("text/html; Charset=\"Windows-1250\"")),
            "Přízemí"
        );
        for head in [
            "<meta charset='windows-1250'>",
            "<META HTTP-EQUIV=\"Content-Type\" content=\"text/html; charset=windows-1250\">",
        ] {
            let page = [head.as_bytes(), WORD].concat();
            assert!(
                decode(&page, Some("text/html")).ends_with("Přízemí"),
                "{head}"
            );
        }
        assert_eq!(
            decode("Přízemí".as_bytes(), Some("text/html; charset=nonsense")),
            "Přízemí"
        );
    }
}
