/// Ask for a careful review of some code.
#[prompt(blocking, group = "code", meta = json!({ "a": 1 }), crate = ::renamed)]
pub fn review(
    ctx: &Ctx,
    /// The code to review
    code: String,
    #[arg(complete = languages, default)] language: String,
) -> Messages {
    Messages::user(format!("Review this {language} code:\n{code}"))
}
