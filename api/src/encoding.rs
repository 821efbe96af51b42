//! The encodings in which answers are compressed.
//!
//! A body is compressed whole, on the thread that serves the request, by one encoder for each thread: a new encoder for
//! each answer would cost a twelfth more. The levels are those that cost little on a page of 25 offers (docs/LOAD.md).

use std::cell::RefCell;
use std::io::{self, Write};

use brotli::CompressorWriter;
use brotli::enc::BrotliEncoderParams;
use libdeflater::CompressionLvl;
use zstd::zstd_safe::{CParameter, ParamSwitch, compress_bound};

/// An encoding that is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Zstd,
    Gzip,
    Brotli,
}

impl Encoding {
    /// The encodings, the cheapest first.
    pub(crate) const ALL: [Self; 3] = [Self::Zstd, Self::Gzip, Self::Brotli];

    /// Its name in `Accept-Encoding` and `Content-Encoding`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
            Self::Brotli => "br",
        }
    }

    /// The body in this encoding.
    ///
    /// # Errors
    /// Why the library cannot compress it; that does not happen in practice.
    pub(crate) fn encode(self, body: &[u8]) -> io::Result<Vec<u8>> {
        ENCODERS.with_borrow_mut(|encoders| match self {
            Self::Zstd => encoders.zstd(body),
            Self::Gzip => encoders.gzip(body),
            Self::Brotli => brotli(body),
        })
    }
}

thread_local! {
    static ENCODERS: RefCell<Encoders> = const { RefCell::new(Encoders::new()) };
}

/// The encoders of a thread, and room for what they write. What is sent is copied from there, so that an answer that waits
/// for a slow client takes no more memory than its bytes.
struct Encoders {
    zstd: Option<zstd::bulk::Compressor<'static>>,
    gzip: Option<libdeflater::Compressor>,
    room: Vec<u8>,
}

impl Encoders {
    const fn new() -> Self {
        Self {
            zstd: None,
            gzip: None,
            room: Vec::new(),
        }
    }

    fn zstd(&mut self, body: &[u8]) -> io::Result<Vec<u8>> {
        let encoder = match &mut self.zstd {
            Some(encoder) => encoder,
            none => none.insert(zstd_encoder()?),
        };
        let room = at_least(&mut self.room, compress_bound(body.len()));
        let length = encoder.compress_to_buffer(body, room)?;
        Ok(written(room, length))
    }

    fn gzip(&mut self, body: &[u8]) -> io::Result<Vec<u8>> {
        let encoder = match &mut self.gzip {
            Some(encoder) => encoder,
            none => none.insert(libdeflater::Compressor::new(GZIP_LEVEL)),
        };
        let room = at_least(&mut self.room, encoder.gzip_compress_bound(body.len()));
        let length = encoder
            .gzip_compress(body, room)
            .map_err(io::Error::other)?;
        Ok(written(room, length))
    }
}

/// Level 1; the fastest, 0, does not compress.
const GZIP_LEVEL: CompressionLvl = match CompressionLvl::new(1) {
    Ok(level) => level,
    Err(_) => CompressionLvl::fastest(),
};

/// Level 1, but it looks for matches at fewer places, and only for longer ones. On pages with the texts of real adverts
/// that takes a tenth less time and makes them a twenty-fifth larger. Level -1 does not compress literals: it takes as
/// long, and makes pages a quarter larger.
fn zstd_encoder() -> io::Result<zstd::bulk::Compressor<'static>> {
    let mut encoder = zstd::bulk::Compressor::new(1)?;
    for parameter in [
        CParameter::MinMatch(7),
        CParameter::HashLog(13),
        CParameter::TargetLength(2),
        CParameter::LiteralCompressionMode(ParamSwitch::Enable),
    ] {
        encoder.set_parameter(parameter)?;
    }
    Ok(encoder)
}

/// Quality 1: half the time of quality 2, and a twentieth larger.
fn brotli(body: &[u8]) -> io::Result<Vec<u8>> {
    let params = BrotliEncoderParams {
        quality: 1,
        lgwin: 18,
        size_hint: body.len(),
        ..BrotliEncoderParams::default()
    };
    let mut writer = CompressorWriter::with_params(Vec::new(), body.len(), &params);
    writer.write_all(body)?;
    let mut encoded = writer.into_inner();
    encoded.shrink_to_fit();
    Ok(encoded)
}

fn at_least(room: &mut Vec<u8>, length: usize) -> &mut [u8] {
    if room.len() < length {
        room.resize(length, 0);
    }
    room
}

fn written(room: &[u8], length: usize) -> Vec<u8> {
    room.get(..length).unwrap_or_default().to_vec()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use proptest::prelude::*;

    use super::*;

    fn decoded(encoding: Encoding, bytes: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        let read = match encoding {
            Encoding::Zstd => zstd::Decoder::new(bytes).unwrap().read_to_end(&mut plain),
            Encoding::Gzip => flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain),
            Encoding::Brotli => brotli::Decompressor::new(bytes, 4096).read_to_end(&mut plain),
        };
        assert_eq!(read.unwrap(), plain.len());
        plain
    }

    proptest! {
        #[test]
        fn a_body_is_the_same_after_decoding(
            bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..3_000), 1..4),
        ) {
            for encoding in Encoding::ALL {
                for body in &bodies {
                    let encoded = encoding.encode(body).unwrap();
                    prop_assert_eq!(&decoded(encoding, &encoded), body);
                }
            }
        }
    }

    #[test]
    fn text_that_repeats_becomes_much_smaller_and_takes_no_more_memory_than_its_bytes() {
        let body = "Prodej bytu 2+kk, 54 m², Brno. ".repeat(2_000).into_bytes();
        for encoding in Encoding::ALL {
            let encoded = encoding.encode(&body).unwrap();
            assert!(encoded.len() < body.len() / 50, "{encoding:?}");
            assert_eq!(encoded.capacity(), encoded.len());
            assert_eq!(decoded(encoding, &encoded), body);
        }
    }
}
