//! What a tool can return: text, images, sound, resources, several of them, and failures.

use mcp_runtime::prelude::*;

pub(crate) const PIXEL: &[u8] = include_bytes!("../assets/pixel.png");
const TONE: &[u8] = include_bytes!("../assets/tone.wav");

/// What this server is for. Takes no arguments.
#[tool(read_only)]
fn about() -> &'static str {
    "A server with one of everything the Model Context Protocol has."
}

/// Greet somebody.
#[tool(read_only)]
fn greet(
    /// Who is greeted
    name: String,
) -> String {
    format!("Hello, {name}!")
}

/// Answer with a text.
#[tool(read_only)]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Answer with an image.
#[tool(read_only)]
fn test_image_content() -> Image {
    Image::png(PIXEL)
}

/// Answer with a sound.
#[tool(read_only)]
fn test_audio_content() -> Audio {
    Audio::wav(TONE)
}

/// Answer with a resource inside the result.
#[tool(read_only)]
fn test_embedded_resource() -> EmbeddedResource {
    EmbeddedResource::text("test://embedded-resource", "This is an embedded resource content.").mime("text/plain")
}

/// Answer with a text, an image and a resource.
#[tool(read_only)]
fn test_multiple_content_types() -> Vec<Content> {
    let resource = EmbeddedResource::text("test://mixed-content-resource", r#"{"test":"data","value":123}"#)
        .mime("application/json");
    vec!["Multiple content types test:".into(), Image::png(PIXEL).into(), resource.into()]
}

/// Answer with a pointer to a resource.
#[tool(read_only)]
fn test_resource_link() -> ResourceLink {
    ResourceLink::new("test://static-text", "static-text").title("Static text").mime("text/plain")
}

/// Fail, in a way that the model reads.
#[tool]
fn test_error_handling() -> Result<String, &'static str> {
    Err("This tool intentionally returns an error for testing")
}

/// The weather at a place, as data.
#[mcp_runtime::data]
struct Weather {
    /// Degrees Celsius
    temperature: f64,
    /// A word about the sky
    conditions: String,
    /// Percent, when it was measured
    humidity: Option<u8>,
}

/// Answer with structured content.
#[tool(read_only)]
fn test_structured_content(
    /// City or postal code
    location: String,
) -> Json<Weather> {
    Json(Weather { temperature: 22.5, conditions: format!("Sunny in {location}"), humidity: Some(65) })
}
