//! Runs that no exporter would write.

use std::sync::Arc;

use lawbook_event::ArgsState;

use super::*;
use crate::dialog::Answered;
use crate::run::{Node, Tool};

fn node(id: usize, work: Work<'static>) -> Node<'static> {
    Node { id: Cow::Owned(id.to_string()), parent: None, start: 0, end: 0, work }
}

fn ask(id: Option<&str>, tool: &str, args: &str) -> Item {
    let args = lawbook_event::Args { text: Cow::Owned(args.to_owned()), state: ArgsState::Whole };
    Item::Call(Asked { id: id.map(str::to_owned), server: None, tool: tool.to_owned(), args })
}

fn told(nodes: Vec<Node<'static>>) -> (Vec<Event<'static>>, u32) {
    let run = Run { nodes, ..Run::default() };
    let (events, calls, _) = tell(run, Arc::new(Earlier::default()).next());
    (events, calls)
}

#[test]
fn without_times_the_file_decides() {
    let output = vec![Message {
        role: Role::Agent,
        items: vec![ask(None, "t", "{}"), ask(None, "t", "{}")],
    }];
    let tool = |result: &'static str| Tool {
        name: Cow::Borrowed("t"),
        args: lawbook_event::Args { text: Cow::Borrowed("{}"), state: ArgsState::Whole },
        result: Some(Cow::Borrowed(result)),
        ..Tool::default()
    };
    let (events, calls) = told(vec![
        node(1, Work::Model(Turn { input: Vec::new(), output })),
        node(2, Work::Tool(Box::new(tool("one")))),
        node(3, Work::Tool(Box::new(tool("two")))),
        node(4, Work::Tool(Box::new(tool("three")))),
    ]);
    assert_eq!(calls, 3);
    let answers: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.what {
            What::Answer { step, answer } => Some((*step, answer.text.as_ref())),
            _ => None,
        })
        .collect();
    assert_eq!(answers, [(1, "one"), (2, "two"), (3, "three")]);
    assert!(events.iter().all(|event| event.at.is_none()));
}

#[test]
fn many_calls_with_one_id_take_linear_time() {
    let items = (0..50_000).map(|it| ask(Some("x"), "t", &it.to_string())).collect();
    let output = vec![Message { role: Role::Agent, items }];
    let (_, calls) = told(vec![node(1, Work::Model(Turn { input: Vec::new(), output }))]);
    assert_eq!(calls, 50_000);
}

#[test]
fn stopped_calls_did_not_run() {
    let answer = Answered { id: Some("x".into()), stopped: true, ..Answered::default() };
    let input = vec![
        Message { role: Role::Agent, items: vec![ask(Some("x"), "t", "{}")] },
        Message { role: Role::Tool, items: vec![Item::Answer(answer)] },
    ];
    let (events, _) = told(vec![node(1, Work::Model(Turn { input, output: Vec::new() }))]);
    let stopped =
        |event: &Event<'_>| matches!(&event.what, What::Call(call) if call.ran == Ran::No);
    assert!(events.iter().any(stopped));
}
