//! What a client keeps for us: sealed with a key of ours, so that it can neither be read nor changed.
//!
//! XChaCha20-Poly1305 with random nonces of 24 bytes: any number of instances may seal with one key without agreeing on
//! anything.

use std::fmt;

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, URL_SAFE_NO_PAD};
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};

/// In front of everything sealed, so that a later format can be told apart.
const VERSION: &str = "v1.";

const KEY: usize = 32;
const NONCE: usize = 24;

/// Seals with the first of its keys and opens with any: a new key is put in front, an old one stays until what it sealed
/// has expired.
#[derive(Clone)]
pub(crate) struct Sealer {
    ciphers: Vec<XChaCha20Poly1305>,
    is_random: bool,
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer")
            .field("keys", &self.ciphers.len())
            .field("is_random", &self.is_random)
            .finish_non_exhaustive()
    }
}

/// The text is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotAKey;

impl Sealer {
    /// One key, which nobody knows and which ends with the process.
    ///
    /// # Errors
    ///
    /// When the system gives no random bytes.
    pub(crate) fn random() -> Result<Self, getrandom::Error> {
        let mut key = [0; KEY];
        getrandom::fill(&mut key)?;
        Ok(Self { ciphers: vec![XChaCha20Poly1305::new(&Key::from(key))], is_random: true })
    }

    /// These keys, each 32 bytes as Base64 or hexadecimal digits; the first one seals.
    ///
    /// # Errors
    ///
    /// When one is none, or there is none.
    pub(crate) fn from_keys<S: AsRef<str>>(keys: &[S]) -> Result<Self, NotAKey> {
        if keys.is_empty() {
            return Err(NotAKey);
        }
        let ciphers = keys.iter().map(|key| Ok(XChaCha20Poly1305::new(&Key::from(read_key(key.as_ref())?))));
        Ok(Self { ciphers: ciphers.collect::<Result<_, _>>()?, is_random: false })
    }

    /// Whether what is sealed dies with the process.
    pub(crate) const fn is_random(&self) -> bool {
        self.is_random
    }

    /// Seals `plain`. It opens only for the same purpose and with the same associated bytes. Visible ASCII.
    pub(crate) fn seal(&self, purpose: &str, associated: &[u8], plain: &[u8]) -> String {
        let mut nonce = [0; NONCE];
        let aad = bind(purpose, associated);
        let sealed = getrandom::fill(&mut nonce).ok().and_then(|()| {
            let payload = Payload { msg: plain, aad: &aad };
            self.ciphers.first()?.encrypt(&XNonce::from(nonce), payload).ok()
        });
        // Without random bytes nothing can be sealed; what does not open is refused later, which is the safe way to fail.
        let Some(sealed) = sealed else { return VERSION.to_owned() };
        let mut text = VERSION.to_owned();
        URL_SAFE_NO_PAD.encode_string([&nonce[..], &sealed].concat(), &mut text);
        text
    }

    /// What was sealed; `None` for anything else.
    pub(crate) fn open(&self, purpose: &str, associated: &[u8], sealed: &str) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed.strip_prefix(VERSION)?).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE>()?;
        let aad = bind(purpose, associated);
        let open =
            |cipher: &XChaCha20Poly1305| cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: &aad }).ok();
        self.ciphers.iter().find_map(open)
    }
}

/// Both as one, so that neither can be taken for a part of the other.
fn bind(purpose: &str, associated: &[u8]) -> Vec<u8> {
    let mut bound = Vec::with_capacity(8 + purpose.len() + associated.len());
    bound.extend_from_slice(&(purpose.len() as u64).to_le_bytes());
    bound.extend_from_slice(purpose.as_bytes());
    bound.extend_from_slice(associated);
    bound
}

/// Base64 as people paste it: either alphabet, with or without padding.
fn read_key(text: &str) -> Result<[u8; KEY], NotAKey> {
    const LENIENT: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let text = text.trim();
    let engines = [&base64::alphabet::STANDARD, &base64::alphabet::URL_SAFE]
        .map(|alphabet| GeneralPurpose::new(alphabet, LENIENT));
    let read = if text.len() == 2 * KEY {
        hexadecimal(text)
    } else {
        engines.iter().find_map(|engine| engine.decode(text).ok())
    };
    read.and_then(|bytes| <[u8; KEY]>::try_from(bytes).ok()).ok_or(NotAKey)
}

fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect();
    Some(digits?.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const TWO: &str = "ff0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";

    #[test]
    fn what_is_sealed_opens_for_its_purpose_only() {
        let sealer = Sealer::random().unwrap();
        let text = sealer.seal("session", b"a", b"secret");
        assert!(text.bytes().all(|byte| byte.is_ascii_graphic()), "{text}");
        assert_eq!(sealer.open("session", b"a", &text).as_deref(), Some(&b"secret"[..]));
        assert_eq!(sealer.open("state", b"a", &text), None);
        assert_eq!(sealer.open("session", b"b", &text), None);
        assert_eq!(sealer.open("sessiona", b"", &text), None);
        assert_eq!(Sealer::random().unwrap().open("session", b"a", &text), None);
    }

    #[test]
    fn one_changed_character_opens_nothing() {
        let sealer = Sealer::random().unwrap();
        let text = sealer.seal("session", b"", b"secret");
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(sealer.open("session", b"", std::str::from_utf8(&changed).unwrap()), None, "{at}");
        }
        for other in ["", "v1.", "v1.AAAA", "v2.AAAA", "v1.=", "\u{fffd}"] {
            assert_eq!(sealer.open("session", b"", other), None, "{other}");
        }
        assert_eq!(sealer.open("session", b"", &format!("{text}-TAMPERED")), None);
    }

    #[test]
    fn an_old_key_opens_until_it_is_taken_away() {
        let old = Sealer::from_keys(&[ONE]).unwrap();
        let text = old.seal("session", b"", b"x");
        let rotated = Sealer::from_keys(&[TWO, ONE]).unwrap();
        assert!(rotated.open("session", b"", &text).is_some());
        assert_eq!(old.open("session", b"", &rotated.seal("session", b"", b"x")), None);
        assert_eq!(Sealer::from_keys(&[TWO]).unwrap().open("session", b"", &text), None);
    }

    #[test]
    fn keys_are_32_bytes_as_base64_or_hexadecimal() {
        let url = ONE.trim_end_matches('=').replace('+', "-").replace('/', "_");
        for key in [ONE, TWO, &url, " AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"] {
            assert!(Sealer::from_keys(&[key]).is_ok(), "{key}");
        }
        for key in ["", "secret", "AAAA", &TWO[2..], &TWO.replace('f', "g")] {
            assert_eq!(Sealer::from_keys(&[key]).err(), Some(NotAKey), "{key}");
        }
        assert!(Sealer::from_keys::<&str>(&[]).is_err());
    }

    #[test]
    fn keys_are_not_shown() {
        assert_eq!(format!("{:?}", Sealer::from_keys(&[ONE]).unwrap()), "Sealer { keys: 1, is_random: false, .. }");
    }
}
