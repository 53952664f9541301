//! What a call costs does not depend on how many tools there are: counted in allocations, which do not depend on the machine.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::testing::Client;
use mcp_runtime::{Server, Tool};
use serde_json::json;

/// Counts what is allocated, in number and size.
struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is the system's own allocator's doing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const CALLS: usize = 100;

/// The allocations and the bytes of a hundred calls of one among so many tools.
async fn calls_among(tools: usize) -> (usize, usize) {
    let mut server = Server::new("many", "1.0.0").only(["-"]);
    for number in 0..tools {
        let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
        let tool = Tool::new(format!("tool_{number:03}")).description("One of many.").input_schema(schema);
        server = server.tool(tool.call(|_, arguments| async move { format!("{}", arguments.len()) }));
    }
    let client = Client::connect(server).await.unwrap();
    let mut before = (0, 0);
    // The first hundred fill what is made once.
    for round in 0..2 * CALLS {
        if round == CALLS {
            before = (COUNT.load(Ordering::Relaxed), BYTES.load(Ordering::Relaxed));
        }
        let outcome = client.call("tool_001", json!({"a": 1})).await.unwrap();
        assert_eq!(outcome.text(), "1");
    }
    (COUNT.load(Ordering::Relaxed) - before.0, BYTES.load(Ordering::Relaxed) - before.1)
}

#[tokio::test]
async fn a_call_costs_the_same_among_3_tools_and_among_300() {
    let (few, many) = (calls_among(3).await, calls_among(300).await);
    // A table that grows on the way may fall into one of the two.
    let is_near = |a: usize, b: usize| a.abs_diff(b) <= CALLS / 4 + b / 100;
    assert!(is_near(few.0, many.0), "{few:?} and {many:?} allocations and bytes in {CALLS} calls");
    assert!(few.1.abs_diff(many.1) <= few.1 / 50 + 4096, "{few:?} and {many:?} allocations and bytes in {CALLS} calls");
}
