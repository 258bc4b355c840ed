//! The cases of `conformance/shell/windows`, and what hostile texts may cost.

use crate::{Analysis, COMMANDS_MAX, Unclear};

const POWERSHELL: &str = include_str!("../../../../conformance/shell/windows/powershell.tsv");
const CMD: &str = include_str!("../../../../conformance/shell/windows/cmd.tsv");

#[test]
fn cases_of_powershell_hold() {
    run(POWERSHELL, super::powershell);
}

#[test]
fn cases_of_cmd_hold() {
    run(CMD, super::cmd);
}

/// Each line: what must hold, the text, the programs in order, `plain` or `ask`, and whether it
/// is a catastrophe.
fn run(table: &str, read: fn(&str) -> Analysis) {
    let mut wrong = Vec::new();
    for line in table.lines().skip(1) {
        let [about, text, programs, verdict, catastrophe] =
            line.split('\t').collect::<Vec<_>>().try_into().expect(line);
        let analysis = read(&text.replace("\\n", "\n"));
        let seen: Vec<_> =
            analysis.segments.iter().map(|it| it.program.as_deref().unwrap_or("?")).collect();
        let plain = if analysis.unclear.is_empty() { "plain" } else { "ask" };
        let wiped = if analysis.catastrophes.is_empty() { "no" } else { "catastrophe" };
        if (seen.join(",").as_str(), plain, wiped) != (programs, verdict, catastrophe) {
            wrong.push(format!(
                "{about}\n  {text}\n  {seen:?} {plain} {wiped} {:?}",
                analysis.unclear
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn limits_hold_and_say_so() {
    let many = "rm x; ".repeat(400) + "; format-it";
    for read in [super::powershell, super::cmd] {
        let analysis =
            read(&many.replace(';', if read("a;b").segments.len() > 1 { ";" } else { "&" }));
        assert!(analysis.segments.len() <= 2 * COMMANDS_MAX);
        assert!(analysis.unclear.contains(&Unclear::Limit("commands")));
        assert!(analysis.segments.iter().any(|it| it.program.as_deref() == Some("format-it")));
        assert!(read(&"x".repeat(70_000)).unclear.contains(&Unclear::Limit("bytes")));
    }
    let wide = super::cmd(&("call ".repeat(1500) + "del x"));
    assert!(wide.unclear.contains(&Unclear::Limit("words")));
    for count in [100, 2000] {
        let analysis = super::powershell(&("(".repeat(count) + "rm x" + &")".repeat(count)));
        assert!(analysis.unclear.contains(&Unclear::Limit("depth")));
        assert!(analysis.segments.iter().any(|it| it.program.as_deref() == Some("Remove-Item")));
    }
    let nested = "sudo ".repeat(40) + "del x";
    let analysis = super::powershell(&nested);
    assert!(analysis.unclear.contains(&Unclear::Limit("depth")));
    assert!(analysis.segments.iter().any(|it| it.program.as_deref() == Some("Remove-Item")));
}

#[test]
fn hostile_texts_end_within_bounds() {
    let parts = [
        "(", ")", "{", "}", "$(", "@{", "@(", "'", "\"", "`", "^", "%", "!", "$a=", "@'\n", "&",
        "|", "<#", ">", "pwsh -c ", "cmd /c ", "wsl ", "iex ", "--% ", "\u{201c}", "\u{2013}",
        "if ", "for ", "$x", "=", ",", "\r", "'a'+", "é", "/c", "-e ",
    ];
    for first in parts {
        for second in parts {
            let mixed = format!("{first}{second}").repeat(400);
            let apart = format!("{}{}", first.repeat(400), second.repeat(400));
            for text in [mixed, apart] {
                let _ = (super::powershell(&text), super::cmd(&text));
            }
        }
        let long = first.repeat(crate::TEXT_BYTES_MAX / first.len());
        for analysis in [super::powershell(&long), super::cmd(&long)] {
            assert!(analysis.segments.len() <= 2 * COMMANDS_MAX, "{first}");
        }
    }
}
