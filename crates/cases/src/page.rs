//! Cases inside the pages of rule kinds: fenced blocks that begin with `about:`.

/// The cases in a page, each with its first line.
#[must_use]
pub fn blocks(page: &str) -> Vec<(u32, String)> {
    let mut out = Vec::new();
    let mut open: Option<(u32, String)> = None;
    for (number, line) in (1_u32..).zip(page.lines()) {
        let fence = line.trim_start().starts_with("```");
        match (&mut open, fence) {
            (Some(_), true) => out.extend(open.take().filter(|it| it.1.starts_with("about:"))),
            (None, true) => open = Some((number.saturating_add(1), String::new())),
            (Some((_, text)), false) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, false) => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn blocks_that_begin_with_about_are_cases() {
        let page = "# a\n```yaml\nabout: One.\nevents: []\n```\n```yaml\nrules: []\n```\n";
        assert_eq!(blocks(page), [(3, "about: One.\nevents: []\n".to_owned())]);
    }
}
