//! Names of tools that say which server offers them.

/// The server in a name such as `mcp__server__tool`. The name itself is never cut.
pub fn server(tool: &str) -> Option<&str> {
    let (server, name) = tool.strip_prefix("mcp__")?.split_once("__")?;
    (!server.is_empty() && !name.is_empty()).then_some(server)
}

#[cfg(test)]
mod tests {
    use super::server;

    #[test]
    fn servers_in_names() {
        for (tool, expected) in [
            ("mcp__hub__issues", Some("hub")),
            ("mcp__hub__a__b", Some("hub")),
            ("mcp__hub", None),
            ("mcp____x", None),
            ("mcp__hub__", None),
            ("hub__issues", None),
        ] {
            assert_eq!(server(tool), expected, "{tool}");
        }
    }
}
