//! The only file that knows how entries reach the program: linker sections, by linkme.
//!
//! Expansions say `register!`, so where linkme has no support another mechanism can stand in without touching them.

use super::entry::{PromptEntry, ResourceEntry, ToolEntry};

/// Every `#[tool]` linked into the program, in no particular order.
#[linkme::distributed_slice]
pub static MCP_RUNTIME_TOOLS: [ToolEntry];

/// Every `#[resource]` linked into the program.
#[linkme::distributed_slice]
pub static MCP_RUNTIME_RESOURCES: [ResourceEntry];

/// Every `#[prompt]` linked into the program.
#[linkme::distributed_slice]
pub static MCP_RUNTIME_PROMPTS: [PromptEntry];

/// Puts an entry where the program finds it.
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    (Tool, $entry:expr) => {
        $crate::__register!(@ MCP_RUNTIME_TOOLS, ToolEntry, $entry);
    };
    (Resource, $entry:expr) => {
        $crate::__register!(@ MCP_RUNTIME_RESOURCES, ResourceEntry, $entry);
    };
    (Prompt, $entry:expr) => {
        $crate::__register!(@ MCP_RUNTIME_PROMPTS, PromptEntry, $entry);
    };
    (@ $slice:ident, $type:ident, $entry:expr) => {
        #[$crate::__private::linkme::distributed_slice($crate::__private::$slice)]
        #[linkme(crate = $crate::__private::linkme)]
        static __ENTRY: $crate::__private::$type = $entry;
    };
}
