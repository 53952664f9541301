//! The handlers that the tests call.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::{AskError, Error, OpenedUrl, SampleContent, SampleMessage, SampleRequest, SampleTool};
use serde_json::json;

/// Things that tests count; each test makes its own server.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) paid: AtomicUsize,
    pub(crate) dropped: AtomicUsize,
    pub(crate) rounds: AtomicUsize,
    pub(crate) interrupted: AtomicUsize,
}

pub(crate) fn server() -> Server {
    counting(Arc::default())
}

/// A server whose counts a test looks at.
pub(crate) fn counting(counts: Arc<Counts>) -> Server {
    Server::new("asking", "1.0.0").shared_state(counts)
}

#[derive(Debug, Elicit)]
pub(crate) struct Confirm {
    /// Yes, do it
    sure: bool,
}

#[derive(Elicit)]
pub(crate) struct Name {
    name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Elicit)]
pub(crate) enum Size {
    Small,
    Large,
}

/// Three questions, one after the other.
#[tool]
async fn three_in_a_row(ctx: &Ctx) -> Result<String> {
    let first: Name = ctx.elicit("First?").await?;
    let second: Name = ctx.elicit(format!("After {}?", first.name)).await?;
    let third: Confirm = ctx.elicit(format!("{} and {}?", first.name, second.name)).await?;
    Ok(format!("{} {} {}", first.name, second.name, third.sure))
}

/// Three questions at once.
#[tool]
async fn three_joined(ctx: &Ctx) -> Result<String, AskError> {
    let (name, size, sure) =
        tokio::try_join!(ctx.elicit::<Name>("Name?"), ctx.elicit::<Size>("Size?"), ctx.elicit::<Confirm>("Sure?"))?;
    Ok(format!("{} {size:?} {}", name.name, sure.sure))
}

/// A question for each host.
#[tool]
async fn in_a_loop(ctx: &Ctx, hosts: Vec<String>) -> Result<Vec<Content>> {
    let mut done = Vec::new();
    for host in &hosts {
        if ctx.elicit::<Confirm>(format!("Restart {host}?")).key(host).await?.sure {
            done.push(host.clone().into());
        }
    }
    Ok(done)
}

/// What became of a question.
#[tool]
async fn outcome(ctx: &Ctx) -> Result<String> {
    Ok(match ctx.elicit("Well?").await? {
        Elicited::Accept(Confirm { sure }) => format!("accepted {sure}"),
        Elicited::Decline => "declined".to_owned(),
        Elicited::Cancel => "cancelled".to_owned(),
    })
}

/// A plain answer: a decline is an error.
#[tool]
async fn plain(ctx: &Ctx) -> Result<String> {
    let confirm: Confirm = ctx.elicit("Well?").await?;
    Ok(confirm.sure.to_string())
}

/// An error type that knows nothing of questions.
#[derive(Debug)]
struct Own(String);

impl std::fmt::Display for Own {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Swallows every error of its question.
#[tool]
async fn swallows(ctx: &Ctx) -> Result<String, Own> {
    match ctx.elicit::<Confirm>("Well?").await {
        Ok(_) => Ok("asked".to_owned()),
        Err(error) => Err(Own(format!("swallowed: {error}"))),
    }
}

/// Asks only if it can.
#[tool]
async fn if_possible(ctx: &Ctx) -> Result<String> {
    let confirm: Option<Confirm> = ctx.elicit("Well?").optional().await?;
    Ok(format!("{} {:?}", ctx.client().can_elicit(), confirm.map(|confirm| confirm.sure)))
}

/// A resource that asks.
#[resource("secret://{id}")]
async fn secret(ctx: &Ctx, id: String) -> Result<String> {
    let confirm: Confirm = ctx.elicit(format!("Show {id}?")).await?;
    Ok(format!("{id}: {}", confirm.sure))
}

/// A prompt that asks.
#[prompt]
async fn letter(ctx: &Ctx, to: String) -> Result<Messages> {
    let name: Name = ctx.elicit("From whom?").await?;
    Ok(Messages::user(format!("Write to {to} from {}", name.name)))
}

/// A question that is another one every time.
#[tool]
async fn volatile(ctx: &Ctx, counts: State<Counts>) -> Result<String> {
    let round = counts.rounds.fetch_add(1, Ordering::SeqCst);
    let confirm: Confirm = ctx.elicit(format!("Is it {round} o'clock?")).await?;
    Ok(confirm.sure.to_string())
}

/// A question that changes once.
#[tool]
async fn changes_once(ctx: &Ctx, counts: State<Counts>) -> Result<String> {
    let files = if counts.rounds.fetch_add(1, Ordering::SeqCst) == 0 { 1 } else { 9000 };
    let confirm: Confirm = ctx.elicit(format!("Delete {files} files?")).await?;
    Ok(format!("{files} {}", confirm.sure))
}

/// Two questions of one key.
#[tool]
async fn same_key(ctx: &Ctx) -> Result<String> {
    let (a, b) = tokio::try_join!(ctx.elicit::<Confirm>("A?").key("x"), ctx.elicit::<Confirm>("B?").key("x"))?;
    Ok(format!("{} {}", a.sure, b.sure))
}

/// Asks for ever.
#[tool]
async fn for_ever(ctx: &Ctx) -> Result<String> {
    for round in 0.. {
        ctx.elicit::<Confirm>("Again?").key(round).await?;
    }
    Ok(String::new())
}

struct Guard(State<Counts>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

/// Five questions around one payment.
#[tool]
async fn pays_once(ctx: &Ctx, counts: State<Counts>) -> Result<String> {
    let _guard = Guard(counts.clone());
    counts.rounds.fetch_add(1, Ordering::SeqCst);
    ctx.elicit::<Confirm>("1?").await?;
    let receipt = ctx
        .once("pay", async {
            tokio::task::yield_now().await;
            Ok::<_, Error>(counts.paid.fetch_add(1, Ordering::SeqCst) + 1)
        })
        .await?;
    for step in 2..=5 {
        ctx.elicit::<Confirm>(format!("{step}?")).await?;
    }
    Ok(format!("receipt {receipt}, {}", ctx.flow_id().len()))
}

/// A payment beside a question.
#[tool]
async fn pays_beside(ctx: &Ctx, counts: State<Counts>) -> Result<String> {
    struct Half<'a>(&'a Counts, bool);
    impl Drop for Half<'_> {
        fn drop(&mut self) {
            if !self.1 {
                self.0.interrupted.fetch_add(1, Ordering::SeqCst);
            }
        }
    }
    let pay = ctx.once("pay", async {
        let mut half = Half(&counts, false);
        tokio::time::sleep(Duration::from_millis(20)).await;
        half.1 = true;
        Ok::<_, Error>(counts.paid.fetch_add(1, Ordering::SeqCst) + 1)
    });
    let ask = async { Ok(ctx.elicit::<Confirm>("Receipt?").await?) };
    let (receipt, confirm) = tokio::try_join!(pay, ask)?;
    Ok(format!("{receipt} {} {}", confirm.sure, counts.interrupted.load(Ordering::SeqCst)))
}

/// Fails to pay at first.
#[tool]
async fn pays_at_last(ctx: &Ctx, counts: State<Counts>) -> Result<String> {
    let paid = ctx.once("pay", async {
        if counts.paid.fetch_add(1, Ordering::SeqCst) == 0 {
            Err(Error::msg("no connection"))
        } else {
            Ok("paid".to_owned())
        }
    });
    let paid = match paid.await {
        Ok(paid) => paid,
        Err(error) => error.to_string(),
    };
    ctx.elicit::<Confirm>("Go on?").await?;
    Ok(format!("{paid}, tried {} times", counts.paid.load(Ordering::SeqCst)))
}

/// Asks inside a payment.
#[tool]
async fn asks_inside(ctx: &Ctx) -> Result<String> {
    ctx.once("pay", async { Ok::<_, Error>(ctx.elicit::<Confirm>("Now?").await?.sure) })
        .await
        .map(|sure| sure.to_string())
}

/// One key for two payments.
#[tool]
async fn one_key_twice(ctx: &Ctx) -> Result<String> {
    let pay = || async { Ok::<_, Error>(1) };
    Ok(format!("{} {}", ctx.once("pay", pay()).await?, ctx.once("pay", pay()).await?))
}

/// Passes a point once.
#[tool]
async fn commits(ctx: &Ctx, counts: State<Counts>) -> Result<String> {
    ctx.elicit::<Confirm>("Commit?").await?;
    ctx.commit_once().await?;
    ctx.once("work", async { Ok::<_, Error>(counts.paid.fetch_add(1, Ordering::SeqCst)) }).await?;
    ctx.elicit::<Confirm>("Print?").await?;
    Ok(format!("{}", counts.paid.load(Ordering::SeqCst)))
}

/// Remembers too much.
#[tool]
async fn remembers(ctx: &Ctx, size: usize) -> Result<String> {
    let small = ctx.once("small", async { Ok::<_, Error>(1) }).await?;
    let large = ctx.once("large", async { Ok::<_, Error>("x".repeat(size)) }).await?;
    ctx.elicit::<Confirm>("Go on?").await?;
    Ok(format!("{} {small}", large.len()))
}

/// Says what it does in every round.
#[tool]
async fn talks(ctx: &Ctx) -> Result<String> {
    ctx.log(LogLevel::Info, "before the first");
    ctx.progress(1, 3).await;
    ctx.elicit::<Confirm>("First?").await?;
    ctx.log(LogLevel::Info, "between");
    ctx.progress(2, 3).await;
    ctx.elicit::<Confirm>("Second?").await?;
    ctx.log(LogLevel::Info, "after the second");
    Ok("done".to_owned())
}

/// Gives up on a question.
#[tool]
async fn gives_up(ctx: &Ctx) -> Result<String> {
    tokio::select! {
        biased;
        confirm = ctx.elicit::<Confirm>("Quick?") => Ok(confirm?.sure.to_string()),
        () = tokio::task::yield_now() => Ok("too slow".to_owned()),
    }
}

/// Waits a short while for an answer.
#[tool]
async fn expires(ctx: &Ctx) -> Result<String> {
    let confirm: Confirm = ctx.elicit("Quick?").expires(Duration::from_millis(20)).await?;
    Ok(confirm.sure.to_string())
}

/// Has little time of its own.
#[tool(timeout = "100ms")]
async fn patient(ctx: &Ctx, work: u64) -> Result<String> {
    ctx.elicit::<Confirm>("Take your time?").await?;
    tokio::time::sleep(Duration::from_millis(work)).await;
    Ok("in time".to_owned())
}

/// Moves its context elsewhere.
#[tool]
async fn elsewhere(ctx: &Ctx) -> Result<String> {
    let ctx = ctx.clone();
    let asked = tokio::spawn(async move { ctx.elicit::<Confirm>("From a task?").await.map(|confirm| confirm.sure) });
    Ok(asked.await??.to_string())
}

/// Asks the model.
#[tool]
async fn haiku(ctx: &Ctx, about: String) -> Result<String> {
    let request = SampleRequest::new(format!("A haiku about {about}"))
        .message(SampleMessage::assistant("Old pond").and("frog leaps in"))
        .message(SampleMessage::user("Go on"))
        .system("You are a poet.")
        .max_tokens(100)
        .temperature(0.5)
        .stop("\n\n")
        .hint("haiku")
        .cost_priority(0.2)
        .speed_priority(2.0);
    let sampled = ctx.sample(request).await?;
    Ok(format!("{}: {} ({:?})", sampled.model, sampled.text(), sampled.stop_reason))
}

/// Asks a model that may call a tool.
#[tool]
async fn weather(ctx: &Ctx) -> Result<String> {
    let tool = SampleTool::new(
        "weather",
        "Tells the weather",
        json!({"type": "object", "properties": {"city": {"type": "string"}}}),
    );
    let request = SampleRequest::new("How is the weather in Paris?").tool(tool);
    let mut request = request.clone();
    for _ in 0..3 {
        let sampled = ctx.sample(request.clone()).await?;
        let calls: Vec<_> =
            sampled.tool_calls().map(|(id, _, input)| (id.to_owned(), input["city"].to_string())).collect();
        let Some((first, city)) = calls.first().cloned() else { return Ok(sampled.text()) };
        let result = SampleContent::ToolResult {
            tool_use_id: first,
            content: vec![format!("Sunny in {city}").into()],
            is_error: false,
        };
        request = request.message(sampled.into_message()).message(SampleMessage::user(result));
    }
    Ok("talked too long".to_owned())
}

/// The client's roots.
#[tool]
async fn folders(ctx: &Ctx) -> Result<String> {
    let roots = ctx.roots().await?;
    Ok(roots.iter().map(|root| root.uri.as_str()).collect::<Vec<_>>().join(" "))
}

/// One of each.
#[tool]
async fn everything(ctx: &Ctx) -> Result<String> {
    let (name, sampled, roots) = tokio::try_join!(ctx.elicit::<Name>("Name?"), ctx.sample("Say hi."), ctx.roots())?;
    Ok(format!("{} {} {}", name.name, sampled.text(), roots.len()))
}

/// Sends the person to a page.
#[tool]
async fn sign_in(ctx: &Ctx) -> Result<String> {
    let opened: OpenedUrl = ctx.elicit_url(format!("https://example.com/{}", ctx.flow_id()), "Sign in, please").await?;
    opened.completed();
    Ok(format!("{}", opened.id().starts_with(ctx.flow_id())))
}

/// A page, where a no is an answer.
#[tool]
async fn sign_in_or_not(ctx: &Ctx) -> Result<String> {
    Ok(match ctx.elicit_url("https://example.com/", "Sign in, please").elicited().await? {
        Elicited::Accept(_) => "opened".to_owned(),
        Elicited::Decline | Elicited::Cancel => "not opened".to_owned(),
    })
}

impl Name {
    pub(crate) fn known(name: &str) -> Self {
        Self { name: name.to_owned() }
    }

    pub(crate) fn text(self) -> String {
        self.name
    }
}
