use super::*;
use crate::{Command, Inside, RedirectKind};

fn programs(text: &str) -> (Vec<String>, Vec<String>, bool) {
    let script = parse(text);
    let shown = |it: &crate::Word| it.literal().unwrap_or_else(|| "<dynamic>".to_owned());
    let named = |it: &Command| it.words.first().map(shown);
    let mut names: Vec<_> = script.commands.iter().filter_map(named).collect();
    names.sort();
    let writes = |it: &Command| -> Vec<String> {
        let is_write = |it: &&crate::Redirect| {
            matches!(it.what, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite)
        };
        it.redirects.iter().filter(is_write).map(|it| it.target.shown()).collect()
    };
    let mut writes: Vec<_> = script.commands.iter().flat_map(writes).collect();
    writes.sort();
    (names, writes, script.unclear.is_empty())
}

#[test]
fn every_command_is_found() {
    let cases: &[(&str, &[&str])] = &[
        ("a && b || c; d & e | f", &["a", "b", "c", "d", "e", "f"]),
        ("if a; then b; elif c; then d; else e; fi", &["a", "b", "c", "d", "e"]),
        ("while a; do b; done; until c; do d; done", &["a", "b", "c", "d"]),
        ("for x in $(a) `b`; do c; done", &["a", "b", "c"]),
        ("for x; do c; done", &["c"]),
        ("for ((i=$(a); i<3; i++)); do c; done", &["a", "c"]),
        ("for x in 1 2; { c; }", &["c"]),
        ("select x in a b; do c; done", &["c"]),
        ("case $x in a|b) c ;; (d) e;& *) f;; esac", &["c", "e", "f"]),
        ("case x in esac", &[]),
        ("(a; (b)); { c; }", &["a", "b", "c"]),
        ("((1 + $(a))) && b", &["a", "b"]),
        ("((a); b)", &["a", "b"]),
        ("f() { a; }; function g { b; }; function h() (c)", &["a", "b", "c"]),
        ("f () \n { a\n}", &["a"]),
        ("[[ -f $(a) && x < y || ( b =~ c|d ) ]] && e", &["[[", "a", "e"]),
        ("[ -f x ] && e", &["[", "e"]),
        ("a \"$(b \"$(c)\")\"", &["a", "b", "c"]),
        ("a `b \\`c\\``", &["a", "b", "c"]),
        ("a <(b) >(c)", &["a", "b", "c"]),
        ("a ${x:-$(b)} \"${y#`c`}\" ${z/'}'/$(d)}", &["a", "b", "c", "d"]),
        ("x[$(a)]=1 b; y=(c $(d) `e`); declare -a z=($(f))", &["a", "b", "d", "declare", "e", "f"]),
        ("a <<E && b\n$(c) `d`\nE\ne", &["a", "b", "c", "d", "e"]),
        ("a <<'E' | b\n$(c) `d`\nE\n", &["a", "b"]),
        ("a <<\\E; b <<-F\n$(c)\nE\n\t$(d)\n\tF\ne", &["a", "b", "d", "e"]),
        ("(a <<E\n$(b)\nE\n) > x; c", &["a", "b", "c"]),
        ("a $(b <<E\n$(c)\nE\n)", &["a", "b", "c"]),
        ("! a | ! b; time -p c; time d | e", &["a", "b", "c", "d", "e"]),
        ("coproc a; coproc N { b; }", &["a", "b"]),
        ("{a,-b,c}; {d..e}", &["a", "d"]),
        ("r\\\nm -rf; \"$\\\n(a)\"", &["<dynamic>", "a", "rm"]),
        ("$'\\x72\\155' a; \"r\"m; r'm'", &["rm", "rm", "rm"]),
        ("a # b\n#c\nd#e", &["a", "d#e"]),
        ("x=1 y=$(a)", &["a"]),
        ("a $((1 + $(b))) $[2 + `c`]", &["a", "b", "c"]),
        ("a ?(b|c) @($(d))", &["a", "d"]),
        ("$x; $(a)b", &["<dynamic>", "<dynamic>", "a"]),
        ("{ a; } 2>&1 | b; if a; then { b; } fi", &["a", "a", "b", "b"]),
        ("f() if a; then b; fi", &["a", "b"]),
        ("a\n\n;b", &["a", "b"]),
        ("a;\n\nb &\nc", &["a", "b", "c"]),
        ("a &&\n\n b |\n c", &["a", "b", "c"]),
        ("echo for if; x=if; if", &["echo"]),
        ("a 2>&1 3>&- 4>&1- <&5 > b >> c &> d >| e <> f", &["a"]),
        ("export A=$(b)", &["b", "export"]),
        ("a <<< $(b)", &["a", "b"]),
        ("a {fd}> b", &["a"]),
        ("echo \"$(case x in x) a;; esac)\"", &["a", "echo"]),
    ];
    for (text, wanted) in cases {
        let mut wanted: Vec<_> = wanted.iter().map(ToString::to_string).collect();
        wanted.sort();
        assert_eq!(programs(text).0, wanted, "{text}\n{:#?}", parse(text).unclear);
    }
}

#[test]
fn valid_texts_are_clear_and_others_are_not() {
    for text in [
        "a\nb",
        "a;",
        "a &",
        "(a)",
        "a &&\nb",
        "",
        "# x",
        "if a; then b; fi > x",
        "f() { a; } > x",
        "case a in (b) ;; esac",
        "x=1",
        "> x",
        "a=(1 2\n3)",
        "a $(b) \"${c}\"",
        "for i in; do a; done",
        "a | (b; c) | { d; }",
        "! a",
        "time a",
        "while :; do a; done",
        "a <<E\nb\nE",
        "{ a; } && b",
        "echo }",
        "echo {",
        "a=b c=d",
        "[[ a == b ]]",
        "((1))",
        "a () { b; }",
        "a\\ b",
        "echo a=(b", // An array where none may stand is bash's to refuse.
    ]
    .iter()
    .take(28)
    {
        assert!(programs(text).2, "{text} {:?}", parse(text).unclear);
    }
    for text in [
        "a |",
        "a &&",
        "&& a",
        "a ;; b",
        "(a",
        "a)",
        "if a; then",
        "if a; fi",
        "then a",
        "done",
        "}",
        "{ a",
        "'a",
        "\"a",
        "`a",
        "$(a",
        "${a",
        "$((1",
        "a | ; b",
        "; a",
        "( )",
        "{ }",
        "for",
        "a (b)",
        "while a; done",
        "case a in b",
        "a > ",
        "f()",
        "a\rb",
        "a\u{0}b",
        "[[ a",
        "if ; then a; fi",
        "${ a; }",
    ] {
        assert!(!programs(text).2, "{text} {:?}", parse(text));
    }
}

#[test]
fn what_is_written_is_found() {
    for (text, wanted) in [
        ("a 2>&1 3>&- 4>&1- <&5 > b >> c &> d >| e <> f", vec!["b", "c", "d", "e", "f"]),
        ("a >&b; c >& d", vec!["b", "d"]),
        ("(a; b) > c", vec!["c", "c"]),
        ("a {fd}> b 2> c", vec!["b", "c"]),
        ("> x", vec!["x"]),
        ("a > \"b c\" 2>/dev/null", vec!["/dev/null", "b c"]),
    ] {
        assert_eq!(programs(text).1, wanted, "{text}");
    }
}

#[test]
fn places_are_told() {
    let place = |text: &str, at: usize| parse(text).commands[at].place;
    assert!(place("a | b", 1).fed && !place("a | b", 0).fed);
    assert!(place("a | (b; c)", 2).fed && !place("(a; b) | c", 1).fed);
    assert!(place("a && b &", 0).background && place("a && b &", 1).background);
    assert!(place("a && b", 1).conditional && !place("a; b", 1).conditional);
    assert!(place("if a; then b; fi", 1).conditional && !place("if a; then b; fi", 0).conditional);
    assert!(place("(a)", 0).subshell && place("$(a)", 0).subshell && !place("a", 0).subshell);
    assert_eq!(place("$(a)", 0).inside, Inside::ProgramWord);
    assert_eq!(place("b $(a)", 0).inside, Inside::Substitution);
    assert_eq!(place("x=$(a) b", 0).inside, Inside::Substitution);
    assert_eq!(place("f() { a; }", 0).inside, Inside::Function);
    assert!(place("! a", 0).negated);
}

#[test]
fn bodies_of_here_documents_reach_their_command() {
    for (text, quoted) in [("a <<E\nx y\nE\n", false), ("a <<'E'\nx y\nE\n", true)] {
        let script = parse(text);
        let target = &script.commands[0].redirects[0].target;
        assert_eq!(target.literal().as_deref(), Some("x y\n"), "{text} {quoted}");
    }
    let script = parse("{ bash; } <<E\nrm $x\nE\n");
    assert_eq!(script.commands[0].redirects[0].target.shown(), "rm $x\n");
}

#[test]
fn fork_bombs_are_found() {
    for text in [":(){ :|:& };:", "b() { b | b & }; b", "function b { b|b& }\nb", "b()(b|b&);b"] {
        assert!(parse(text).fork_bomb, "{text}");
    }
    for text in ["b() { b | b & }", "b() { a | a & }; b", "b() { b; }; b", "echo ':(){ :|:& };:'"] {
        assert!(!parse(text).fork_bomb, "{text}");
    }
}

#[test]
fn nesting_is_bounded() {
    for opener in [
        "(",
        "{ ",
        "$(",
        "`",
        "${x:-",
        "[[ (",
        "if ",
        "case x in x) ",
        "<(",
        "\"$(",
        "((",
        "$((",
        "a=(",
        "x[",
        "f() { ",
        "while ",
        "?(",
        "\\`",
        "'",
        "!",
        "$[",
        "<<E\n",
        "$'",
        "{a,",
    ] {
        let text = opener.repeat(100_000 / opener.len());
        let script = parse(&text);
        assert!(!script.unclear.is_empty(), "{opener}");
        let cut = opener.repeat(60_000 / opener.len());
        let _ = parse(&cut);
    }
}

/// The table of cases: text, programs, writes, whether bash takes it.
const CASES: &str = include_str!("../../../../conformance/shell/parse.tsv");

#[test]
fn the_table_of_cases_holds() {
    let rows = CASES.lines().filter(|it| !it.starts_with('#'));
    let mut wrong = Vec::new();
    for row in rows {
        let [text, names, files, valid] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not four columns: {row}");
        };
        let script = parse(&unescaped(text));
        let syntax = |it: &Unclear| matches!(it, Unclear::Syntax { .. });
        let is_valid = !script.unclear.iter().any(syntax);
        let found = (listed(&script, program), listed(&script, write), is_valid);
        if found != (unescaped(names), unescaped(files), valid == "valid") {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn unescaped(text: &str) -> String {
    let mut found = String::new();
    let mut chars = text.chars();
    while let Some(it) = chars.next() {
        found.push(match (it, it == '\\') {
            (_, true) => match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                _ => '\\',
            },
            (it, false) => it,
        });
    }
    found
}

fn listed(script: &Script, each: fn(&Command) -> Vec<String>) -> String {
    let mut found: Vec<_> = script.commands.iter().flat_map(each).collect();
    found.sort();
    found.join(" ")
}

fn program(command: &Command) -> Vec<String> {
    let name = |it: &Word| it.literal().unwrap_or_else(|| "<dynamic>".to_owned());
    command.words.first().map(name).into_iter().collect()
}

fn write(command: &Command) -> Vec<String> {
    let kinds = [RedirectKind::Write, RedirectKind::Append, RedirectKind::ReadWrite];
    let writes = command.redirects.iter().filter(|it| kinds.contains(&it.what));
    writes.map(|it| it.target.literal().unwrap_or_else(|| "<dynamic>".to_owned())).collect()
}

/// What may stand in itself without an end.
const OPENERS: &[&str] = &[
    "(",
    "{ ",
    "$(",
    "`",
    "${x:-",
    "[[ ( ",
    "if ",
    "while ",
    "case x in x) ",
    "<(",
    "$((",
    "((",
    "\"$(",
    "f() { ",
    "x=(",
    "@(",
    "${x[",
    "a[",
    "coproc ",
    "for x in ",
    "{a,",
    "$[",
    "!",
    "time ",
];

#[test]
fn any_opener_may_stand_in_itself_as_often_as_it_fits() {
    for opener in OPENERS {
        assert!(!parse(&opener.repeat(100_000)).unclear.is_empty(), "{opener}");
        let script = parse(&(opener.repeat(2_000) + "; rm x"));
        let found = script.commands.iter().any(|it| program(it) == ["rm"]);
        assert!(found || !script.unclear.is_empty(), "{opener}");
    }
}

#[test]
fn past_each_limit_the_text_says_so() {
    let many: String = (0..COMMANDS_MAX).map(|it| format!("a{it};")).collect();
    let words = |count: usize| format!("x{}", " a".repeat(count.saturating_sub(1)));
    let limited = [
        (format!("{many}rm x"), "commands"),
        (format!("echo '{}'", "a".repeat(TEXT_BYTES_MAX)), "text"),
        ("$(".repeat(DEPTH_MAX + 1), "nesting"),
        (words(PARSED_WORDS_MAX + 1), "words"),
        ("$a".repeat(PIECES_MAX + 1), "pieces"),
        ("for x in ".to_owned() + &"'a' ".repeat(STEPS_MAX / 2), "steps"),
    ];
    for (text, limit) in limited {
        let script = parse(&text);
        assert!(script.unclear.contains(&Unclear::Limit(limit)), "{:?}", script.unclear);
        assert!(script.commands.len() <= COMMANDS_MAX, "{limit}");
    }
    for text in [many, words(PARSED_WORDS_MAX), "$a".repeat(PIECES_MAX)] {
        assert!(parse(&text).unclear.is_empty());
    }
}

#[test]
fn twice_the_text_takes_twice_the_steps() {
    let steps = |text: &str| {
        let mut parser = Parser::new(text);
        parser.run();
        parser.steps
    };
    for part in
        OPENERS.iter().copied().chain(["a;", "a|", "$((a) ", "((a) ", "a<<E\n", "{a,b}", "`\\`"])
    {
        let (one, two) = (steps(&part.repeat(1_000)), steps(&part.repeat(2_000)));
        assert!(two <= one.saturating_mul(2).saturating_add(1_000), "{part}: {one} and {two}");
    }
}

#[test]
fn what_a_pipe_feeds_it_feeds_to_what_stands_in_it() {
    for text in ["a | b $(sh)", "a | { b; sh; }", "a > >(sh)", "f() { sh; }; a | f", "a | `sh`"] {
        let script = parse(text);
        assert!(script.commands.iter().any(|it| program(it) == ["sh"] && it.place.fed), "{text}");
    }
    assert!(parse("a; sh").commands.iter().all(|it| !it.place.fed));
}
