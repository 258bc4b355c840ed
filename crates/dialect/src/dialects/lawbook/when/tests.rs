// Conditions: what they become, and what is refused where.

use lawbook_rule::{Condition, ConditionStep, Operand, Operator, Place};

use super::{CONDITION_BYTES_MAX, parse};

/// The steps of a condition as text, operands first.
fn shown(condition: &Condition) -> String {
    let place = |it: &Place| match it {
        Place::Session(path) => path.text(),
        Place::Tool => "tool".to_owned(),
        Place::Arg(path) => format!("args.{}", path.text()),
    };
    let mut out = Vec::new();
    for step in &condition.steps {
        out.push(match step {
            ConditionStep::And => "and".to_owned(),
            ConditionStep::Or => "or".to_owned(),
            ConditionStep::Not => "not".to_owned(),
            ConditionStep::Compare(it) => {
                let operator = match it.operator {
                    Operator::Equal => "==",
                    Operator::NotEqual => "!=",
                    Operator::Less => "<",
                    Operator::AtMost => "<=",
                    Operator::Greater => ">",
                    Operator::AtLeast => ">=",
                    Operator::In => "in",
                    Operator::SameText | Operator::SameTextIfAny => "same text",
                };
                let right = match &it.right {
                    Operand::Literal(literal) => literal.value().raw().to_owned(),
                    Operand::Place(other) => place(other),
                    Operand::Tools(tools) => {
                        let names: Vec<&str> = tools.iter().map(|it| it.text()).collect();
                        format!("{names:?}")
                    }
                };
                format!("{}{operator}{right}", place(&it.left))
            }
        });
    }
    out.join(" ")
}

#[test]
fn conditions_become_steps() {
    for (text, steps) in [
        ("session.metadata.channel == \"sms\"", "session.metadata.channel==\"sms\""),
        ("args.amount > 10 and call.args.amount <= 20.50", "args.amount>10 args.amount<=20.50 and"),
        ("args.a == 1 or args.b == 2 and args.c == 3", "args.a==1 args.b==2 args.c==3 and or"),
        ("(args.a == 1 || args.b == 2) && args.c == 3", "args.a==1 args.b==2 or args.c==3 and"),
        ("not args.a == 1 and !(args.b == true)", "args.a==1 not args.b==true not and"),
        ("not not args.a == null", "args.a==null not not"),
        ("args.a == 1 and args.b == 2 and args.c == 3", "args.a==1 args.b==2 and args.c==3 and"),
        ("call.tool in ['a', \"b\"]", "tool in[\"a\", \"b\"]"),
        ("call.tool not in [\"a\"]", "tool in[\"a\"] not"),
        ("10 < args.a", "args.a>10"),
        (
            "args.to == session.attributes[\"enduser.id\"]",
            "args.to==session.attributes[\"enduser.id\"]",
        ),
        (
            "session[\"enduser.id\"] != args.x[0].y",
            "session.attributes[\"enduser.id\"]!=args.x[0].y",
        ),
        (
            "session.attributes.enduser.id == 'it\\'s'",
            "session.attributes[\"enduser.id\"]==\"it's\"",
        ),
        ("session.cwd == session.workspace", "session.cwd==session.workspace"),
        ("args.user-id == 'é'", "args.user-id==\"é\""),
    ] {
        let parsed = parse(text).unwrap_or_else(|told| panic!("{text}: {told:?}"));
        let wanted = steps.replace("tool in", "toolin");
        assert_eq!(shown(&parsed), wanted, "{text}");
    }
}

#[test]
fn what_means_nothing_is_refused_at_its_place() {
    for (text, at, words) in [
        ("", 0, "ends where a place or a value"),
        ("args.a", 0, "needs an operator"),
        ("args.a ==", 9, "ends where a place or a value"),
        ("args.a = 1", 7, "`=` has no meaning"),
        ("args.a == 1 args.b == 2", 12, "stands where `and`"),
        ("args.a == sms", 10, "`sms` is no place"),
        ("sesion.id == 'a'", 0, "`sesion` is no place"),
        ("session.user == 'a'", 0, "no place in a session"),
        ("call.name == 'a'", 0, "no place in a call"),
        ("args.items[*].x == 1", 0, "no single argument"),
        ("args == 1", 0, "no single argument"),
        ("args.a < 'b'", 0, "compare numbers"),
        ("call.tool > 5", 0, "compare numbers"),
        ("args.a in 'b'", 0, "needs a list"),
        ("call.tool == 5", 0, "is a name"),
        ("call.tool in ['a', 5]", 0, "is a name"),
        ("args.a == ['b']", 0, "a list is compared"),
        ("args.a in [b]", 11, "a quoted text"),
        ("args.a in ['b' 'c']", 15, "`,` or `]`"),
        ("args.a in ['b'", 14, "`,` or `]`"),
        ("1 == 1", 0, "two values"),
        ("1 < args.a < 3", 11, "two sides"),
        ("(args.a == 1", 0, "never closed"),
        ("args.a == 1)", 11, "closes nothing"),
        ("args.a == 'b", 10, "no closing quote"),
        ("args.a == 'b\\n'", 12, "unknown escape"),
        ("args.a == 0x10", 10, "no number"),
        ("args.a == -", 10, "no number"),
        ("args.a == 1 # note", 12, "no meaning"),
    ] {
        let told = parse(text).unwrap_err();
        let fault = &told[0];
        assert!(fault.message.contains(words), "{text}: {fault:?}");
        assert_eq!(fault.span.start, at, "{text}: {fault:?}");
    }
}

#[test]
fn several_faults_are_told_at_once() {
    let told = parse("sms == 1 and args.a < 'b' or call.x == 1").unwrap_err();
    assert_eq!(told.len(), 3, "{told:?}");
}

#[test]
fn length_and_depth_are_bounded() {
    assert!(parse(&"(".repeat(CONDITION_BYTES_MAX)).unwrap_err()[0].message.contains("deep"));
    assert!(parse(&"(".repeat(CONDITION_BYTES_MAX + 1)).unwrap_err()[0].message.contains("longer"));
    let long = vec!["args.a == 1"; 200].join(" and ");
    assert_eq!(parse(&long).unwrap().steps.len(), 399);
}
