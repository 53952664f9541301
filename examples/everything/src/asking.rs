//! Questions to the client. The same functions serve clients that wait and clients that are sent away and come back.

use mcp_runtime::prelude::*;
use mcp_runtime::{SampleRequest, Sampled};

/// Somebody's name
#[derive(Elicit)]
struct Name {
    /// Your name
    name: String,
}

#[derive(Elicit)]
struct Color {
    /// Your favourite color
    color: String,
}

#[derive(Elicit)]
struct Confirm {
    /// Yes, go on
    ok: bool,
}

#[derive(Debug, Elicit)]
struct Response {
    /// Your answer
    response: String,
    /// Where to reach you
    #[elicit(format = "email")]
    email: Option<String>,
}

/// Ask the model.
#[tool]
async fn test_sampling(ctx: &Ctx, prompt: String) -> Result<String> {
    let sampled = ctx.sample(SampleRequest::new(prompt).max_tokens(100)).await?;
    Ok(format!("LLM response: {}", sampled.text()))
}

/// Ask the person whatever the model wants to know.
#[tool]
async fn test_elicitation(#[ask("{message}")] answer: Elicited<Response>, message: String) -> String {
    match answer {
        Elicited::Accept(Response { response, email }) => {
            format!("User response: {response} {}", email.unwrap_or_default())
        }
        Elicited::Decline => format!("User response: no answer to \"{message}\""),
        Elicited::Cancel => "User response: dismissed".to_owned(),
    }
}

#[derive(Clone, Copy, Debug, Elicit)]
#[elicit(rename_all = "lowercase")]
enum Status {
    Active,
    Inactive,
    Pending,
}

#[derive(Debug, Elicit)]
#[expect(dead_code, reason = "shown as they came")]
struct Defaults {
    /// Name of the user
    #[elicit(default = "John Doe")]
    name: String,
    /// Age of the user
    #[elicit(default = 30)]
    age: u32,
    /// Score of the user
    #[elicit(default = 95.5)]
    score: f64,
    /// Status of the user
    #[elicit(default = Status::Active)]
    status: Status,
    /// Whether the user is verified
    #[elicit(default = true)]
    verified: bool,
}

/// Ask with a form that is filled in already.
#[tool]
async fn test_elicitation_sep1034_defaults(ctx: &Ctx) -> Result<String> {
    let answer: Elicited<Defaults> = ctx.elicit("Please review the defaults").await?;
    Ok(format!("Elicitation completed: {answer:?}"))
}

#[derive(Debug, Elicit)]
#[elicit(rename_all = "lowercase")]
enum Plain {
    Option1,
    Option2,
    Option3,
}

#[derive(Debug, Elicit)]
#[elicit(rename_all = "lowercase")]
enum WithTitles {
    /// First Option
    Value1,
    /// Second Option
    Value2,
    /// Third Option
    Value3,
}

#[derive(Debug, Elicit)]
#[elicit(rename_all = "lowercase")]
enum Older {
    #[elicit(title = "Option One")]
    Opt1,
    #[elicit(title = "Option Two")]
    Opt2,
    #[elicit(title = "Option Three")]
    Opt3,
}

#[derive(Debug, Elicit)]
#[elicit(rename_all = "camelCase")]
#[expect(dead_code, reason = "shown as they came")]
struct Choices {
    /// One of three
    untitled_single: Plain,
    /// One of three with titles
    titled_single: WithTitles,
    /// One of three with titles, as older clients know them
    #[elicit(enum_names)]
    legacy_enum: Older,
    /// Any of three
    untitled_multi: Vec<Plain>,
    /// Any of three with titles
    titled_multi: Vec<WithTitles>,
}

/// Ask with every kind of choice.
#[tool]
async fn test_elicitation_sep1330_enums(ctx: &Ctx) -> Result<String> {
    let answer: Elicited<Choices> = ctx.elicit("Please choose").await?;
    Ok(format!("Elicitation completed: {answer:?}"))
}

/// Needs the client's model, and says so to clients that have none.
#[tool]
async fn test_missing_capability(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample("Say hello.").await?.text())
}

/// Ask while the response may be a stream.
#[tool]
async fn test_streaming_elicitation(ctx: &Ctx) -> Result<String> {
    ctx.progress(1, 2).await;
    let name: Name = ctx.elicit("What is your name?").await?;
    Ok(format!("Hello, {}!", name.name))
}

/// Greet the person by name.
#[tool]
async fn test_input_required_result_elicitation(#[ask("What is your name?")] user_name: Name) -> String {
    format!("Hello, {}!", user_name.name)
}

/// Ask the model for a capital.
#[tool]
async fn test_input_required_result_sampling(ctx: &Ctx) -> Result<String> {
    let request = SampleRequest::new("What is the capital of France?").max_tokens(100);
    Ok(ctx.sample(request).key("capital_question").await?.text())
}

/// Tell how many roots the client has.
#[tool]
async fn test_input_required_result_list_roots(ctx: &Ctx) -> Result<String> {
    let roots = ctx.roots().key("client_roots").await?;
    Ok(format!("The client has {} roots", roots.len()))
}

/// Confirm, and find the way back.
#[tool]
async fn test_input_required_result_request_state(ctx: &Ctx) -> Result<String> {
    let confirm: Confirm = ctx.elicit("Please confirm").key("confirm").await?;
    Ok(format!("state-ok, confirmed: {}", confirm.ok))
}

/// Ask for a name, a greeting and the roots, all at once.
#[tool]
async fn test_input_required_result_multiple_inputs(ctx: &Ctx) -> Result<String> {
    let name = ctx.elicit::<Name>("What is your name?").key("user_name");
    let greeting = ctx.sample("Write a greeting.").key("greeting");
    let roots = ctx.roots().key("client_roots");
    let (name, greeting, roots) = tokio::try_join!(name, greeting, roots)?;
    Ok(format!("{} {} ({} roots)", greeting.text(), name.name, roots.len()))
}

/// Ask for a name, and then for a color.
#[tool]
async fn test_input_required_result_multi_round(ctx: &Ctx) -> Result<String> {
    let name: Name = ctx.elicit("Step 1: What is your name?").key("step1").await?;
    let color: Color = ctx.elicit(format!("Step 2: {}, what is your favourite color?", name.name)).key("step2").await?;
    Ok(format!("{} likes {}", name.name, color.color))
}

/// Confirm, with a state that nobody can change on the way.
#[tool]
async fn test_input_required_result_tampered_state(#[ask("Please confirm")] confirm: Confirm) -> String {
    format!("confirmed: {}", confirm.ok)
}

/// Ask whoever can be asked.
#[tool]
async fn test_input_required_result_capabilities(ctx: &Ctx) -> Result<String> {
    let name = ctx.elicit::<Name>("What is your name?").optional();
    let greeting = ctx.sample("Write a greeting.").optional();
    let (name, greeting) = tokio::try_join!(name, greeting)?;
    let greeting = greeting.as_ref().map_or_else(|| "Hello".to_owned(), Sampled::text);
    Ok(format!("{greeting}, {}", name.map_or_else(|| "stranger".to_owned(), |name| name.name)))
}

#[derive(Elicit)]
struct Context {
    /// What you are working on
    context: String,
}

/// A prompt that first asks what the person is working on.
#[prompt]
async fn test_input_required_result_prompt(#[ask("What are you working on?")] user_context: Context) -> Messages {
    Messages::user(format!("I am working on {}. Help me with it.", user_context.context))
}
