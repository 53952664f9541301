//! Content as a peer of one revision understands it: members it lacks are left out, kinds it lacks are converted.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::content::{
    Annotations, Content, ContentKind, Extras, Icon, Media, ResourceBody, ResourceContents, ResourceLink,
};
use super::features::Features;

/// A value, for a peer with these features.
#[derive(Clone, Copy)]
pub(crate) struct For<'a, T: ?Sized>(pub(crate) &'a T, pub(crate) &'static Features);

impl<'a, T> For<'a, [T]> {
    /// Each of several.
    pub(crate) fn each(self) -> Vec<For<'a, T>> {
        self.0.iter().map(|item| For(item, self.1)).collect()
    }
}

impl Serialize for For<'_, Vec<Content>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|content| For(content, self.1)))
    }
}

/// The media type of audio that stands in for itself where `audio` blocks do not exist.
const AUDIO_URI: &str = "embedded://audio";

impl Serialize for For<'_, Content> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(content, features) = *self;
        let mut map = serializer.serialize_map(None)?;
        match &content.kind {
            ContentKind::Text(text) => text_block(&mut map, text)?,
            ContentKind::Image(image) => media_block(&mut map, "image", image)?,
            ContentKind::Audio(audio) if features.audio => media_block(&mut map, "audio", audio)?,
            ContentKind::Audio(audio) => {
                map.serialize_entry("type", "resource")?;
                map.serialize_entry(
                    "resource",
                    &Blob { uri: AUDIO_URI, mime_type: &audio.mime_type, blob: &audio.data },
                )?;
            }
            ContentKind::Link(link) if features.resource_links => link_members(&mut map, link, features)?,
            ContentKind::Link(link) => text_block(&mut map, &format!("{}: {}", link.name, link.uri))?,
            ContentKind::Resource(contents) => {
                map.serialize_entry("type", "resource")?;
                map.serialize_entry("resource", &For(&**contents, features))?;
            }
        }
        if let Some(extras) = &content.extras {
            extra_members(&mut map, extras, features)?;
        }
        map.end()
    }
}

fn text_block<M: SerializeMap>(map: &mut M, text: &str) -> Result<(), M::Error> {
    map.serialize_entry("type", "text")?;
    map.serialize_entry("text", text)
}

fn media_block<M: SerializeMap>(map: &mut M, kind: &str, media: &Media) -> Result<(), M::Error> {
    map.serialize_entry("type", kind)?;
    map.serialize_entry("data", &media.data)?;
    map.serialize_entry("mimeType", &media.mime_type)
}

fn link_members<M: SerializeMap>(
    map: &mut M,
    link: &ResourceLink,
    features: &'static Features,
) -> Result<(), M::Error> {
    map.serialize_entry("type", "resource_link")?;
    map.serialize_entry("uri", &link.uri)?;
    map.serialize_entry("name", &link.name)?;
    entry_if(map, "title", link.title.as_ref().filter(|_| features.titles))?;
    entry_if(map, "description", link.description.as_ref())?;
    entry_if(map, "mimeType", link.mime_type.as_ref())?;
    entry_if(map, "size", link.size.as_ref())
}

fn extra_members<M: SerializeMap>(map: &mut M, extras: &Extras, features: &'static Features) -> Result<(), M::Error> {
    annotation_member(map, &extras.annotations, features)?;
    meta_member(map, &extras.meta, features)
}

/// Writes a member that is there.
pub(crate) fn entry_if<M: SerializeMap, T: Serialize>(
    map: &mut M,
    key: &str,
    value: Option<T>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, &value))
}

/// Writes `annotations`, unless there are none.
pub(crate) fn annotation_member<M: SerializeMap>(
    map: &mut M,
    annotations: &Annotations,
    features: &'static Features,
) -> Result<(), M::Error> {
    entry_if(map, "annotations", (!annotations.is_empty()).then_some(For(annotations, features)))
}

/// Writes `_meta`, unless there is none or the peer's revision lacks it.
pub(crate) fn meta_member<M: SerializeMap>(
    map: &mut M,
    meta: &Map<String, Value>,
    features: &'static Features,
) -> Result<(), M::Error> {
    entry_if(map, "_meta", (features.titles && !meta.is_empty()).then_some(meta))
}

/// Writes `icons`, unless there are none or the peer's revision lacks them.
pub(crate) fn icons_member<M: SerializeMap>(
    map: &mut M,
    icons: &[Icon],
    features: &'static Features,
) -> Result<(), M::Error> {
    entry_if(map, "icons", (features.icons && !icons.is_empty()).then(|| For(icons, features).each()))
}

impl Serialize for For<'_, Annotations> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(annotations, features) = *self;
        let mut map = serializer.serialize_map(None)?;
        entry_if(&mut map, "audience", (!annotations.audience.is_empty()).then_some(&annotations.audience))?;
        entry_if(&mut map, "priority", annotations.priority)?;
        entry_if(&mut map, "lastModified", annotations.last_modified.as_ref().filter(|_| features.last_modified))?;
        map.end()
    }
}

impl Serialize for For<'_, Icon> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let icon = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("src", &icon.src)?;
        entry_if(&mut map, "mimeType", icon.mime_type.as_ref())?;
        entry_if(&mut map, "sizes", (!icon.sizes.is_empty()).then_some(&icon.sizes))?;
        map.end()
    }
}

impl Serialize for For<'_, ResourceContents> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(contents, features) = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("uri", contents.uri.as_deref().unwrap_or_default())?;
        entry_if(&mut map, "mimeType", contents.mime_type.as_ref())?;
        match &contents.body {
            ResourceBody::Text(text) => map.serialize_entry("text", text)?,
            ResourceBody::Blob(blob) => map.serialize_entry("blob", blob)?,
        }
        if let Some(meta) = &contents.meta {
            meta_member(&mut map, meta, features)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the protocol's own name")]
struct Blob<'a> {
    uri: &'a str,
    mime_type: &'a str,
    blob: &'a str,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::protocol::{Audio, Revision, Role};

    fn rendered(content: impl Into<Content>, revision: Revision) -> Value {
        serde_json::to_value(For(&content.into(), Features::of(revision))).unwrap()
    }

    #[test]
    fn audio_becomes_an_embedded_resource_where_it_does_not_exist() {
        let audio = || Audio::wav([1, 2, 3]);
        assert_eq!(rendered(audio(), Revision::V2025_03_26)["type"], "audio");
        assert_eq!(
            rendered(audio(), Revision::V2024_11_05),
            json!({"type": "resource", "resource": {"uri": "embedded://audio", "mimeType": "audio/wav", "blob": "AQID"}})
        );
    }

    #[test]
    fn a_link_becomes_text_where_it_does_not_exist() {
        let link = || ResourceLink::new("note://1", "one").title("One").meta("a.b/c", 1);
        assert_eq!(rendered(link(), Revision::V2025_03_26), json!({"type": "text", "text": "one: note://1"}));
        let new = rendered(link(), Revision::V2025_06_18);
        assert_eq!(
            new,
            json!({"type": "resource_link", "uri": "note://1", "name": "one", "title": "One", "_meta": {"a.b/c": 1}})
        );
    }

    #[test]
    fn annotations_are_written_as_far_as_they_are_defined() {
        let hints = Annotations::new().audience([Role::User]).priority(2.0).last_modified("2026-01-01T00:00:00Z");
        let content = || Content::text("x").annotations(hints.clone());
        assert_eq!(
            rendered(content(), Revision::V2025_03_26)["annotations"],
            json!({"audience": ["user"], "priority": 1.0})
        );
        assert_eq!(rendered(content(), Revision::V2025_11_25)["annotations"]["lastModified"], "2026-01-01T00:00:00Z");
    }
}
