/// A sum.
#[data]
#[derive(Debug, Serialize)]
pub struct Sum {
    /// The total
    total: i64,
}
