//! Every kind of field, and a renamed prelude around it.

#![deny(warnings)]
#![forbid(unsafe_code)]

mod forms {
    use ::mcp_runtime::Elicit;

    #[derive(Elicit)]
    pub struct Booking {
        /// Where to stay
        #[elicit(title = "City", length(min = 2, max = 80))]
        pub r#type: ::std::string::String,
        #[elicit(default = 2, range(min = 1, max = 30))]
        pub nights: u8,
        #[elicit(default = 1.5)]
        pub budget: f64,
        #[elicit(default = false)]
        pub sure: bool,
        #[elicit(default = Class::First)]
        pub class: Class,
        pub classes: ::std::vec::Vec<Class>,
        #[elicit(format = "date-time", description = "When")]
        pub when: ::std::option::Option<::std::string::String>,
    }

    #[derive(Elicit)]
    #[elicit(rename_all = "snake_case")]
    pub enum Class {
        #[elicit(title = "Second class")]
        Second,
        First,
    }
}

use forms::{Booking, Class};

/// Book a room.
#[::mcp_runtime::tool]
async fn book(ctx: &::mcp_runtime::Ctx, #[ask("Which room, and {{what}}?")] booking: Booking, #[ask(with = class(booking))] class: ::std::option::Option<Class>) {
    let _: Booking = ctx.elicit("Again?").await.unwrap_or(booking);
    drop(class);
}

async fn class(booking: &Booking) -> ::mcp_runtime::Question<Class> {
    ::mcp_runtime::Question::ask(::std::format!("Which class for {}?", booking.r#type))
}

fn main() {}
