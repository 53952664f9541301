//! Prompts: with and without arguments, with images and resources in their messages.

use mcp_runtime::prelude::*;

use crate::content::PIXEL;

/// A prompt without arguments.
#[prompt]
fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// A prompt whose arguments appear in its text.
#[prompt]
fn test_prompt_with_arguments(
    /// First test argument
    #[arg(complete = test_values)]
    arg1: String,
    /// Second test argument
    arg2: String,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

fn test_values(partial: &str, _ctx: &CompletionContext) -> Vec<String> {
    ["test1", "test2", "testing"].into_iter().filter(|value| value.starts_with(partial)).map(str::to_owned).collect()
}

/// A prompt that brings a resource along.
#[prompt]
fn test_prompt_with_embedded_resource(
    /// URI of the resource to embed
    #[arg(name = "resourceUri")]
    resource_uri: String,
) -> Messages {
    let resource = EmbeddedResource::text(resource_uri, "Embedded resource content for testing.").mime("text/plain");
    Messages::user(resource).and_user("Please process the embedded resource above.")
}

/// A prompt that brings an image along.
#[prompt]
fn test_prompt_with_image() -> Messages {
    Messages::user(Image::png(PIXEL)).and_user("Please analyze the image above.")
}
