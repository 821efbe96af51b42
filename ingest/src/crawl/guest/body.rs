//! Bodies of answers: bounded in size, and decoded as declared.

use encoding_rs::{Encoding, UTF_8};
use reqwest::Response;

/// The longest body that is read, in bytes. The longest pages of portals are two orders below it.
pub(super) const LONGEST: usize = 16 * 1024 * 1024;

/// How far into a page its declaration of an encoding is looked for.
const HEAD: usize = 2048;

/// Why a body was not read.
pub(super) enum Unread {
    TooLong,
    Broken(reqwest::Error),
}

/// Reads a body whole.
pub(super) async fn read(mut response: Response) -> Result<Vec<u8>, Unread> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Unread::Broken)? {
        if body.len() + chunk.len() > LONGEST {
            return Err(Unread::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The body as text: in the encoding that `content_type` declares, else in the one that the page itself does, else in
/// UTF-8. A byte order mark goes before all of them.
pub(super) fn text(body: &[u8], content_type: Option<&str>) -> String {
    let declared = content_type.and_then(charset).or_else(|| {
        let head = String::from_utf8_lossy(body.get(..HEAD).unwrap_or(body)).to_ascii_lowercase();
        let meta = head
            .split("<meta")
            .skip(1)
            .find_map(|tag| charset(tag.split('>').next()?));
        // In a page that could be read so far, these can only be a mistake.
        meta.filter(|encoding| encoding.is_ascii_compatible())
    });
    declared.unwrap_or(UTF_8).decode(body).0.into_owned()
}

/// The encoding that a text such as `text/html; charset=windows-1250` names.
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
        assert_eq!(text("Přízemí".as_bytes(), None), "Přízemí");
        assert_eq!(
            text(WORD, Some("text/html; charset=windows-1250")),
            "Přízemí"
        );
        assert_eq!(
            text(WORD, Some("text/html; Charset=\"Windows-1250\"")),
            "Přízemí"
        );
        for head in [
            "<meta charset='windows-1250'>",
            "<META HTTP-EQUIV=\"Content-Type\" content=\"text/html; charset=windows-1250\">",
        ] {
            let page = [head.as_bytes(), WORD].concat();
            assert!(
                text(&page, Some("text/html")).ends_with("Přízemí"),
                "{head}"
            );
        }
        assert_eq!(
            text("Přízemí".as_bytes(), Some("text/html; charset=nonsense")),
            "Přízemí"
        );
    }
}
