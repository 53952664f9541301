//! {{description}}.

use {{crate_name}}::{Notes, server};

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
{%- if transports == "http" %}
    // Without arguments it serves HTTP; `--help` shows what else there is.
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    if args.is_empty() {
        args.push("--http".to_owned());
    }
    server(Notes::default()).run_with(args).await
{%- else %}
    server(Notes::default()).run().await
{%- endif %}
}
