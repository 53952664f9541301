//! A server that asks before it acts: two questions at once, a payment made once, a last confirmation.

mod bank;

use bank::Bank;
use mcp_runtime::prelude::*;

/// Who travels
#[derive(Elicit)]
struct Travellers {
    /// How many adults
    #[elicit(default = 1, range(min = 1, max = 9))]
    adults: u32,
    /// How many children
    #[elicit(default = 0, range(max = 9))]
    children: u32,
}

/// How they travel
#[derive(Clone, Copy, Elicit)]
#[elicit(rename_all = "lowercase")]
enum Class {
    /// Second class, 49 € each
    Second,
    /// First class, 99 € each
    First,
}

impl Class {
    const fn price(self) -> u32 {
        match self {
            Self::Second => 49,
            Self::First => 99,
        }
    }
}

#[derive(Elicit)]
struct Confirm {
    /// Yes, book it
    #[elicit(title = "Book it")]
    sure: bool,
}

/// Book a trip by train. The travellers choose and pay, and confirm in the end.
#[tool(open_world)]
async fn book_trip(
    ctx: &Ctx,
    bank: State<Bank>,
    /// Where to go
    to: String,
) -> Result<String> {
    let travellers = ctx.elicit::<Travellers>(format!("Who travels to {to}?"));
    let class = ctx.elicit::<Class>("In which class?");
    let (travellers, class) = tokio::try_join!(travellers, class)?;

    let seats = travellers.adults + travellers.children;
    let reference = ctx.flow_id();
    let receipt = ctx.once("pay", bank.pay(reference, seats * class.price())).await?;
    ctx.log(LogLevel::Info, format!("paid {} €", receipt.amount));

    let last = format!("{seats} seats to {to} are paid ({} €). Book them?", receipt.amount);
    match ctx.elicit(last).await? {
        Elicited::Accept(Confirm { sure: true }) => {
            Ok(format!("Booked {seats} seats to {to}, receipt {}.", receipt.number))
        }
        _ => {
            bank.refund(reference);
            Ok(format!("Nothing was booked, and {} € were paid back.", receipt.amount))
        }
    }
}

/// Cancel a trip. The question is a parameter: the body runs when it is answered.
#[tool(destructive)]
fn cancel_trip(
    /// The receipt's number
    receipt: u32,
    #[ask("Really cancel the trip with receipt {receipt}?")] confirm: Confirm,
    #[ask("What is the reason? It helps us, but you need not say.")] reason: Option<Reason>,
) -> String {
    if !confirm.sure {
        return format!("Trip {receipt} stays booked.");
    }
    let reason = reason.map_or_else(|| "no reason given".to_owned(), |reason| reason.text);
    format!("Trip {receipt} is cancelled ({reason}).")
}

#[derive(Elicit)]
struct Reason {
    /// The reason
    #[elicit(length(max = 200))]
    text: String,
}

fn server() -> Server {
    mcp_runtime::server!()
        .title("Trips")
        .instructions("Books trips by train. People are asked before money is spent.")
        .state(Bank::default())
}

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    server().run().await
}

#[cfg(test)]
mod tests;
