/// Add two numbers.
///
/// The sum may not exceed the limit.
#[tool(read_only, title = "Add", timeout = "30s", rate_limit = "10/s", max_concurrency = 4)]
async fn add(
    ctx: &Ctx,
    notes: State<Notes>,
    #[from_context] user: CurrentUser,
    /// First addend
    #[arg(range(min = -10, max = 100), default = 21)]
    a: i64,
    #[arg(default = limit(), header = "Limit")] limit: u32,
    #[arg(name = "type", length(max = 80), pattern = "^[a-z]+$", example = "sum")] r#type: Option<String>,
) -> Result<Json<Sum>, NotesError> {
    notes.add(ctx, user, a, limit, r#type).await
}
