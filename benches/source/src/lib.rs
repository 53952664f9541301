//! The same tools as an author writes them in each framework: Rust source for any number of them.
//!
//! Server packages include it at build time; the compile-cost benchmark writes whole crates with it.

use std::fmt::Write as _;

/// What one generated tool takes, as far as it is asked for: name, Rust type, JSON type, description.
const FIELDS: [(&str, &str, &str, &str); 4] = [
    ("title", "String", r#"{"type":"string","description":"#, "Title of the report"),
    ("copies", "u32", r#"{"type":"integer","minimum":0,"description":"#, "How many copies"),
    ("urgent", "bool", r#"{"type":"boolean","description":"#, "Whether it is urgent"),
    ("reader", "Option<String>", r#"{"type":"string","description":"#, "Who gets it"),
];

/// How many tools to write, and how big they are.
#[derive(Clone, Copy, Debug)]
pub struct Tools {
    pub count: usize,
    /// Three or four.
    pub arguments: usize,
}

impl Tools {
    /// As many tools of four arguments as the environment of a build script asks for, 100 otherwise.
    ///
    /// # Panics
    ///
    /// When `BENCH_TOOLS` is not a number.
    #[must_use]
    pub fn from_env() -> Self {
        println!("cargo::rerun-if-env-changed=BENCH_TOOLS");
        let count = std::env::var("BENCH_TOOLS").map_or(100, |count| count.parse().expect("BENCH_TOOLS is a number"));
        Self { count, arguments: 4 }
    }

    fn fields(self) -> &'static [(&'static str, &'static str, &'static str, &'static str)] {
        &FIELDS[..self.arguments]
    }

    fn each(self, mut write: impl FnMut(&mut String, usize)) -> String {
        let mut out = String::new();
        for number in 0..self.count {
            write(&mut out, number);
        }
        out
    }

    /// The functions of an mcp-runtime server.
    #[must_use]
    pub fn ours(self) -> String {
        self.each(|out, number| {
            let parameters = self.parameters("    ", "");
            let body = self.body(number);
            _ = writeln!(out, "/// Files report {number}.\n#[tool]\nasync fn report_{number}(\n{parameters}) -> String {{\n    {body}\n}}\n");
        })
    }

    /// The argument types and the `#[tool_router]` block of an rmcp server type `Server`, with `own` as its other methods.
    #[must_use]
    pub fn rmcp(self, own: &str) -> String {
        let types = self.types("Deserialize, JsonSchema");
        let names = self.names();
        let methods = self.each(|out, number| {
            let body = self.body(number);
            _ = writeln!(
                out,
                "    /// Files report {number}.\n    #[tool]\n    async fn report_{number}(&self, Parameters(Report{number} {{ {names} }}): Parameters<Report{number}>) -> String {{\n        {body}\n    }}\n"
            );
        });
        format!("{types}\n#[tool_router]\nimpl Server {{\n{own}\n{methods}}}\n")
    }

    /// The argument types and functions of a tower-mcp server, and `generated`, which adds them to a router.
    #[must_use]
    pub fn tower_mcp(self) -> String {
        let types = self.types("Debug, Deserialize, JsonSchema");
        let names = self.names();
        let functions = self.each(|out, number| {
            let body = self.body(number);
            _ = writeln!(
                out,
                "#[tool_fn(name = \"report_{number}\", description = \"Files report {number}.\")]\nasync fn report_{number}(input: Report{number}) -> Result<CallToolResult, tower_mcp::Error> {{\n    let Report{number} {{ {names} }} = input;\n    Ok(CallToolResult::text({body}))\n}}\n"
            );
        });
        let added = self.each(|out, number| _ = write!(out, ".tool(report_{number}_tool())"));
        format!("{types}\n{functions}\nfn generated(router: McpRouter) -> McpRouter {{\n    router{added}\n}}\n")
    }

    /// The generated tools as `tools/list` shows them, for a server that has nothing but bytes.
    #[must_use]
    pub fn listed(self) -> String {
        let properties: Vec<_> =
            self.fields().iter().map(|(name, _, schema, text)| format!(r#""{name}":{schema}"{text}"}}"#)).collect();
        let required: Vec<_> = self
            .fields()
            .iter()
            .filter(|field| !field.1.starts_with("Option"))
            .map(|field| format!(r#""{}""#, field.0))
            .collect();
        let (properties, required) = (properties.join(","), required.join(","));
        self.each(|out, number| {
            let comma = if number == 0 { "" } else { "," };
            _ = write!(
                out,
                r#"{comma}{{"name":"report_{number}","description":"Files report {number}.","inputSchema":{{"type":"object","properties":{{{properties}}},"required":[{required}]}}}}"#
            );
        })
    }

    fn parameters(self, indent: &str, visibility: &str) -> String {
        let mut out = String::new();
        for (name, ty, _, text) in self.fields() {
            _ = writeln!(out, "{indent}/// {text}\n{indent}{visibility}{name}: {ty},");
        }
        out
    }

    fn types(self, derives: &str) -> String {
        let fields = self.parameters("    ", "");
        self.each(|out, number| _ = writeln!(out, "#[derive({derives})]\nstruct Report{number} {{\n{fields}}}\n"))
    }

    fn names(self) -> String {
        self.fields().iter().map(|field| field.0).collect::<Vec<_>>().join(", ")
    }

    fn body(self, number: usize) -> String {
        match self.arguments {
            4 => format!(r#"format!("{{title}} x{{copies}} {{urgent}} {{}} #{number}", reader.unwrap_or_default())"#),
            _ => format!(r#"format!("{{title}} x{{copies}} {{urgent}} #{number}")"#),
        }
    }
}
