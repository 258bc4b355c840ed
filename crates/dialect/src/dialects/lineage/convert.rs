//! Lineage policies in conversions.

mod write;

use lawbook_diag::Problem;
use lawbook_rule::Profile;
use lawbook_rule::params::Node;

use super::read::{Reader, Stated, ToolRule};
use super::{WINDOW_SECS_MAX, document};
use crate::convert::Sketch;
use crate::draft::{DraftRule, DraftTool};

pub(crate) use write::write;

/// Every tool, in a native list of names.
const EVERY: &str = "*";

/// A lineage policy as native rules.
pub(crate) fn read(source: &str, text: &str) -> Result<Sketch, Vec<Problem>> {
    let document = document(source, text).map_err(|it| vec![it])?;
    let mut reader = Reader::new(source, text, Profile::Compatible);
    let stated = reader.policy(document.root());
    let (Some(stated), []) = (stated, reader.into_problems().as_slice()) else {
        return Err(vec![Problem::new(source, "no_policy", "the file holds no policy")]);
    };
    let mut sketch = Sketch::default();
    sketch.draft.tools = stated
        .tools
        .keys()
        .map(|it| DraftTool { name: it.clone(), ..DraftTool::default() })
        .collect();
    if stated.tools.keys().any(|it| it.contains('*')) {
        let note = "a `*` in the name of a tool is a pattern in a native policy";
        sketch.notes.push(note.to_owned());
    }
    lists(&stated, &mut sketch);
    caps(&stated, &mut sketch);
    rate_limit(&stated, &mut sketch);
    budget(&stated, &mut sketch);
    approvals(&stated, &mut sketch);
    let limit = [("limit", Node::bare(stated.scar_limit.max(1).to_string()))];
    let differs = match stated.scar_limit {
        0 => vec!["a limit of 0 is one of 1".to_owned()],
        _ => Vec::new(),
    };
    sketch.add("scar_limit", DraftRule::new("scar_limit", "scars", limit), differs);
    Ok(sketch)
}

fn marked(mut rule: DraftRule, scar: &str) -> DraftRule {
    rule.beside.push(("scar".to_owned(), Node::text(scar)));
    rule
}

fn names<'n>(tools: impl Iterator<Item = &'n String>) -> Node {
    Node::texts(tools.map(String::as_str))
}

fn lists(stated: &Stated, sketch: &mut Sketch) {
    if stated.default_rule.is_some() {
        return;
    }
    let id = "tool_not_allowed";
    let rule = if stated.tools.is_empty() {
        DraftRule::new(id, "never", [("tools", Node::texts([EVERY]))])
    } else {
        let params = [("tools", names(stated.tools.keys())), ("otherwise", Node::text("deny"))];
        DraftRule::new(id, "only_listed", params)
    };
    sketch.add(id, marked(rule, "moderate"), Vec::new());
}

fn caps(stated: &Stated, sketch: &mut Sketch) {
    for (place, (tool, rule)) in stated.tools.iter().enumerate() {
        let Some(max) = rule.max_calls else { continue };
        let params = [
            ("tools", Node::texts([tool.as_str()])),
            ("max", Node::bare(max.to_string())),
            ("per", Node::text("agent")),
        ];
        let rule = DraftRule::new(format!("tool_call_limit.{place}"), "at_most", params);
        sketch.add(&format!("tool_call_limit of `{tool}`"), marked(rule, "minor"), Vec::new());
    }
    if stated.default_rule.as_ref().is_some_and(|it| it.max_calls.is_some()) {
        let why = "a cap on all tools but those of the table has no place in a native policy";
        sketch.leave_out("tool_call_limit of `default_rule`", why);
    }
}

fn rate_limit(stated: &Stated, sketch: &mut Sketch) {
    let Some((max, window_secs)) = stated.rate_limit else { return };
    let id = "rate_limited";
    if window_secs == 0 || window_secs > WINDOW_SECS_MAX {
        return sketch.leave_out(id, "a window of no time, or of more than ten years");
    }
    let params = [
        ("max", Node::bare(max.to_string())),
        ("window", Node::text(format!("{window_secs}s"))),
        ("per", Node::text("agent")),
    ];
    sketch.add(id, marked(DraftRule::new(id, "at_most", params), "minor"), Vec::new());
}

fn budget(stated: &Stated, sketch: &mut Sketch) {
    let id = "insufficient_budget";
    if stated.budget == 0 {
        return sketch.leave_out(id, "a budget of 0 pays for nothing");
    }
    let mut params = vec![("credits", Node::bare(stated.budget.to_string()))];
    let cost = |it: &ToolRule| Node::bare(it.cost.to_string());
    let costs = stated.tools.iter().map(|(name, it)| (name.clone(), cost(it)));
    let default = stated.default_rule.as_ref().filter(|it| it.cost > 0);
    let default = default.map(|it| (EVERY.to_owned(), cost(it)));
    let costs: Vec<(String, Node)> = costs.chain(default).collect();
    if !costs.is_empty() {
        params.push(("costs", Node::map(costs)));
    }
    sketch.add(id, DraftRule::new(id, "budget", params), Vec::new());
}

fn approvals(stated: &Stated, sketch: &mut Sketch) {
    let id = "approval_required";
    let needs = stated.tools.iter().filter(|it| it.1.requires_approval);
    let needs: Vec<&String> = needs.map(|it| it.0).collect();
    if !needs.is_empty() {
        let params = [("tools", names(needs.into_iter()))];
        sketch.add(id, DraftRule::new(id, "approval", params), Vec::new());
    }
    if stated.default_rule.as_ref().is_some_and(|it| it.requires_approval) {
        let id = "approval_required.default";
        let rule = if stated.tools.is_empty() {
            DraftRule::new(id, "approval", [])
        } else {
            let params = [("tools", names(stated.tools.keys())), ("otherwise", Node::text("ask"))];
            DraftRule::new(id, "only_listed", params)
        };
        sketch.add("approval_required of `default_rule`", rule, Vec::new());
    }
}
