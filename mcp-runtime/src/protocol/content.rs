//! Content: what tools, prompts and resources hand to the client.
//!
//! Fields are private and every type has constructors, so a revision that adds a member breaks nobody.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{IntoText, on_each};

/// Who a piece of content is for, or who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Hints for the client about a piece of content or a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    pub(crate) audience: Vec<Role>,
    pub(crate) priority: Option<f64>,
    pub(crate) last_modified: Option<String>,
}

impl Annotations {
    /// No hints.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Who this is for.
    #[must_use]
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
        self.audience = audience.into_iter().collect();
        self
    }

    /// How important this is, from 0.0 (optional) to 1.0 (required); other values are moved to the nearer end.
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(if priority.is_nan() { 0.0 } else { priority.clamp(0.0, 1.0) });
        self
    }

    /// When this last changed, as ISO 8601, e.g. `2026-01-12T15:00:58Z`.
    #[must_use]
    pub fn last_modified(mut self, when: impl Into<String>) -> Self {
        self.last_modified = Some(when.into());
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.audience.is_empty() && self.priority.is_none() && self.last_modified.is_none()
    }
}

/// A picture for a tool, prompt, resource or server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Icon {
    pub(crate) src: Cow<'static, str>,
    pub(crate) mime_type: Option<Cow<'static, str>>,
    pub(crate) sizes: Vec<String>,
}

impl Icon {
    /// An icon at an `https:` or `data:` URL.
    pub fn new(src: impl IntoText) -> Self {
        Self { src: src.into_text(), mime_type: None, sizes: Vec::new() }
    }

    /// An icon from the bytes of an image, sent as a `data:` URL.
    #[must_use]
    pub fn from_bytes(bytes: &[u8], mime_type: &str) -> Self {
        Self::new(format!("data:{mime_type};base64,{}", STANDARD.encode(bytes))).mime(mime_type.to_owned())
    }

    /// The media type, e.g. `image/png`.
    #[must_use]
    pub fn mime(mut self, mime_type: impl IntoText) -> Self {
        self.mime_type = Some(mime_type.into_text());
        self
    }

    /// A size in which it can be shown, `48x48` or `any`.
    #[must_use]
    pub fn size(mut self, size: impl Into<String>) -> Self {
        self.sizes.push(size.into());
        self
    }
}

/// What every kind of content may carry besides itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Extras {
    pub(crate) annotations: Annotations,
    pub(crate) meta: Map<String, Value>,
}

on_each! {
    Content, Image, Audio, ResourceLink, EmbeddedResource => {
        /// Adds hints for the client.
        #[must_use]
        pub fn annotations(mut self, annotations: Annotations) -> Self {
            self.extras.get_or_insert_default().annotations = annotations;
            self
        }

        /// Adds a member to `_meta`; the key is `prefix/name` with a prefix of your own.
        #[must_use]
        pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
            self.extras.get_or_insert_default().meta.insert(key.into(), value.into());
            self
        }
    }
}

/// One block of content.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub(crate) kind: ContentKind,
    pub(crate) extras: Option<Box<Extras>>,
}

/// The kinds of content the protocol has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ContentKind {
    Text(Cow<'static, str>),
    Image(Media),
    Audio(Media),
    Link(Box<ResourceLink>),
    Resource(Box<ResourceContents>),
}

/// Base64 data of a media type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Media {
    pub(crate) data: String,
    pub(crate) mime_type: Cow<'static, str>,
}

impl Content {
    /// Text.
    pub fn text(text: impl IntoText) -> Self {
        Self { kind: ContentKind::Text(text.into_text()), extras: None }
    }

    /// The text, if this is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            ContentKind::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&'static str> for Content {
    fn from(text: &'static str) -> Self {
        Self::text(text)
    }
}

/// An image.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    media: Media,
    extras: Option<Box<Extras>>,
}

/// A sound (from 2025-03-26; older clients receive it as an embedded resource).
#[derive(Clone, Debug, PartialEq)]
pub struct Audio {
    media: Media,
    extras: Option<Box<Extras>>,
}

on_each! {
    Image, Audio => {
        /// From its bytes and media type.
        pub fn new(bytes: impl AsRef<[u8]>, mime_type: impl IntoText) -> Self {
            Self::from_base64(STANDARD.encode(bytes), mime_type)
        }

        /// From data that is base64 already (the standard alphabet, with padding).
        pub fn from_base64(data: impl Into<String>, mime_type: impl IntoText) -> Self {
            Self { media: Media { data: data.into(), mime_type: mime_type.into_text() }, extras: None }
        }
    }
}

impl Image {
    /// A PNG.
    pub fn png(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(bytes, "image/png")
    }

    /// A JPEG.
    pub fn jpeg(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(bytes, "image/jpeg")
    }

    /// A GIF.
    pub fn gif(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(bytes, "image/gif")
    }

    /// A WebP.
    pub fn webp(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(bytes, "image/webp")
    }
}

impl Audio {
    /// A WAV.
    pub fn wav(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(bytes, "audio/wav")
    }

    /// An MP3.
    pub fn mpeg(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(bytes, "audio/mpeg")
    }
}

impl From<Image> for Content {
    fn from(image: Image) -> Self {
        Self { kind: ContentKind::Image(image.media), extras: image.extras }
    }
}

impl From<Audio> for Content {
    fn from(audio: Audio) -> Self {
        Self { kind: ContentKind::Audio(audio.media), extras: audio.extras }
    }
}

/// A link to a resource that the client can read (from 2025-06-18; older clients receive the URI as text).
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceLink {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) size: Option<u64>,
    pub(crate) extras: Option<Box<Extras>>,
}

impl ResourceLink {
    /// A link to `uri`, called `name`.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            extras: None,
        }
    }

    /// A name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What the resource is.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The resource's media type.
    #[must_use]
    pub fn mime(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// The resource's size in bytes.
    #[must_use]
    pub const fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }
}

impl From<ResourceLink> for Content {
    fn from(mut link: ResourceLink) -> Self {
        let extras = link.extras.take();
        Self { kind: ContentKind::Link(Box::new(link)), extras }
    }
}

/// What a resource holds: text or bytes, with a media type.
///
/// A handler that leaves the URI out answers for the URI that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceContents {
    pub(crate) uri: Option<String>,
    pub(crate) mime_type: Option<Cow<'static, str>>,
    pub(crate) body: ResourceBody,
    pub(crate) meta: Option<Box<Map<String, Value>>>,
}

/// Text, or base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResourceBody {
    Text(Cow<'static, str>),
    Blob(String),
}

impl ResourceContents {
    /// Text; its media type is the resource's, or `text/plain`.
    pub fn text(text: impl IntoText) -> Self {
        Self { uri: None, mime_type: None, body: ResourceBody::Text(text.into_text()), meta: None }
    }

    /// Bytes; their media type is the resource's, or `application/octet-stream`.
    pub fn blob(bytes: impl AsRef<[u8]>) -> Self {
        Self { uri: None, mime_type: None, body: ResourceBody::Blob(STANDARD.encode(bytes)), meta: None }
    }

    /// The URI, where it is not the one that was read.
    #[must_use]
    pub fn uri(mut self, uri: impl Into<String>) -> Self {
        self.uri = Some(uri.into());
        self
    }

    /// The media type.
    #[must_use]
    pub fn mime(mut self, mime_type: impl IntoText) -> Self {
        self.mime_type = Some(mime_type.into_text());
        self
    }

    /// Adds a member to `_meta`; the key is `prefix/name` with a prefix of your own.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.get_or_insert_default().insert(key.into(), value.into());
        self
    }
}

/// A resource inside a tool's result or a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedResource {
    contents: ResourceContents,
    extras: Option<Box<Extras>>,
}

impl EmbeddedResource {
    /// A resource at `uri`.
    pub fn new(uri: impl Into<String>, contents: ResourceContents) -> Self {
        Self { contents: contents.uri(uri), extras: None }
    }

    /// A text resource at `uri`.
    pub fn text(uri: impl Into<String>, text: impl IntoText) -> Self {
        Self::new(uri, ResourceContents::text(text).mime("text/plain"))
    }

    /// A resource of bytes at `uri`.
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::new(uri, ResourceContents::blob(bytes).mime("application/octet-stream"))
    }

    /// The media type.
    #[must_use]
    pub fn mime(mut self, mime_type: impl IntoText) -> Self {
        self.contents = self.contents.mime(mime_type);
        self
    }
}

impl From<EmbeddedResource> for Content {
    fn from(resource: EmbeddedResource) -> Self {
        Self { kind: ContentKind::Resource(Box::new(resource.contents)), extras: resource.extras }
    }
}
