use mcp_runtime::prelude::*;

struct Room;

async fn reserve() -> Result<Room> {
    Ok(Room)
}

/// Book a room.
#[tool]
async fn book(ctx: &Ctx) -> Result<&'static str> {
    ctx.once("reserve", reserve()).await?;
    Ok("booked")
}

fn main() {}
