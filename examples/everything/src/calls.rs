//! What a tool can do while it runs: log, report progress, take its time, be routed by a header.

use std::time::{Duration, Instant};

use mcp_runtime::prelude::*;
use tokio::time::sleep;

const PAUSE: Duration = Duration::from_millis(50);

/// Log three times while running.
#[tool(read_only)]
async fn test_tool_with_logging(ctx: &Ctx) -> &'static str {
    log_three_times(ctx).await;
    "Tool with logging executed successfully"
}

/// Log three times while running, for clients that ask for logs with each request.
#[tool(read_only)]
async fn test_logging_tool(ctx: &Ctx) -> &'static str {
    log_three_times(ctx).await;
    "Logged, if you asked for it"
}

async fn log_three_times(ctx: &Ctx) {
    ctx.log(LogLevel::Info, "Tool execution started");
    sleep(PAUSE).await;
    ctx.log(LogLevel::Info, "Tool processing data");
    sleep(PAUSE).await;
    ctx.log(LogLevel::Info, "Tool execution completed");
}

/// Report progress while running.
#[tool(read_only)]
async fn test_tool_with_progress(ctx: &Ctx) -> &'static str {
    for done in [0, 50, 100] {
        ctx.progress_message(done, 100, format!("Completed step {done} of 100"))
            .await;
        sleep(PAUSE).await;
    }
    "Tool with progress executed successfully"
}

/// Let go of the connection and answer later, when the client has come back.
#[tool(read_only)]
async fn test_reconnection(ctx: &Ctx) -> &'static str {
    ctx.release_connection();
    sleep(PAUSE * 4).await;
    "Reconnection test completed successfully"
}

/// Compute for a while without ever waiting; ends early when cancelled.
#[tool(read_only, blocking)]
fn slow_compute(
    ctx: &Ctx,
    /// How long it takes
    #[arg(range(min = 0, max = 3600))]
    seconds: f64,
    /// What the computation is called
    label: Option<String>,
) -> String {
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    while Instant::now() < end && !ctx.is_cancelled() {
        std::thread::sleep(end.saturating_duration_since(Instant::now()).min(Duration::from_millis(10)));
    }
    let label = label.as_deref().unwrap_or("computation");
    format!("{label} done after {seconds} s")
}

/// Ask one region's database. Intermediaries route the call by the header `Mcp-Param-Region`.
#[tool(read_only)]
fn test_header_tool(
    /// The region that answers
    #[arg(header = "Region", example = "eu-west-1")]
    region: String,
    /// What to look for
    query: String,
) -> String {
    format!("{region} found nothing for {query:?}")
}

/// Say who is calling, as far as the server knows.
#[tool(read_only)]
fn test_client_info(ctx: &Ctx) -> String {
    let client = ctx.client();
    format!(
        "{} {} on {}",
        client.name(),
        client.version(),
        client.revision()
    )
}
