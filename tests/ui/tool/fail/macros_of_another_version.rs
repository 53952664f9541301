//! What an expansion of other macros hands to this runtime.

mcp_runtime::__private::expanded_by! {
    "0.0.9"
    static ENTRY: mcp_runtime::NoLongerThere = mcp_runtime::no_longer_there();
}

fn main() {}
