//! The report of a gate as one JSON object.

use lawbook_event::json::Writer;
use lawbook_report::{
    Closing, Gate, GateTest, Header, Options, Reporter, SessionReport, quote, write_finding,
    write_unknown,
};

use crate::gating::{real, texts};

/// The name and version of the JSON report.
const SCHEMA: &str = "lawbook.gate/1";

/// The reporter.
pub struct GateJson;

impl Reporter for GateJson {
    fn name(&self) -> &'static str {
        "json"
    }

    fn page(&self) -> &'static str {
        include_str!("../gate.md")
    }

    fn begin(&self, header: &Header, _options: Options, out: &mut String) {
        let mut it = Writer::new();
        it.object().key("schema").string(SCHEMA);
        it.key("lawbook").raw(&quote(&header.lawbook));
        it.key("policies").array();
        for line in &header.policies {
            it.object().key("source").raw(&quote(&line.source));
            it.key("dialect").raw(&quote(&line.dialect)).key("digest").raw(&quote(&line.digest));
            it.key("profile").raw(&quote(&line.profile)).end_object();
        }
        it.end_array().key("selection").object();
        texts(it.key("rules"), &header.selection.rules);
        texts(it.key("ignore"), &header.selection.ignore);
        it.end_object();
        out.push_str(&it.finish());
        out.push_str(",\n\"sessions\":[\n");
    }

    fn writes(&self, _session: &SessionReport<'_>, _options: Options) -> bool {
        true
    }

    fn between(&self) -> &'static str {
        ",\n"
    }

    fn session(
        &self,
        _header: &Header,
        session: &SessionReport<'_>,
        _options: Options,
        out: &mut String,
    ) {
        let mut it = Writer::new();
        it.object().key("id").raw(&quote(session.id)).key("source").raw(&quote(session.source));
        it.key("trace_format").raw(&quote(session.trace_format));
        it.key("scenario").raw(&quote(session.scenario.unwrap_or_default()));
        it.key("calls").number(session.calls).key("verdict").string(session.verdict.word());
        it.key("checks").array();
        for line in session.checks {
            it.object().key("check").string(line.check).key("detected").bool(line.detected);
            it.key("confidence").raw(&real(line.confidence));
            it.key("reason").raw(&quote(&line.reason)).end_object();
        }
        it.end_array().key("findings").array();
        session.findings.iter().for_each(|finding| write_finding(&mut it, finding));
        it.end_array().key("unknown").array();
        session.unknown.iter().for_each(|unknown| write_unknown(&mut it, unknown));
        it.end_array().end_object();
        out.push_str(&it.finish());
    }

    fn end(&self, _header: &Header, closing: &Closing, _options: Options, out: &mut String) {
        out.push_str("],\n\"problems\":");
        let mut it = Writer::new();
        it.array();
        for problem in &closing.problems {
            it.object().key("source").raw(&quote(&problem.source));
            for (key, number) in [("line", problem.line), ("column", problem.column)] {
                match number {
                    Some(number) => it.key(key).number(u64::from(number)),
                    None => it.key(key).null(),
                };
            }
            it.key("code").string(problem.code).key("message").raw(&quote(&problem.message));
            it.end_object();
        }
        it.end_array();
        out.push_str(&it.finish());
        out.push_str(",\n\"summary\":");
        let mut it = Writer::new();
        it.object().key("traces").number(closing.summary.sessions);
        it.key("calls").number(closing.summary.calls).key("fired").object();
        for (check, number) in closing.gate.iter().flat_map(|it| &it.fired) {
            it.key(check).number(*number);
        }
        it.end_object().end_object();
        out.push_str(&it.finish());
        out.push_str(",\n\"gate\":");
        let mut it = Writer::new();
        match &closing.gate {
            Some(found) => gate(&mut it, found),
            None => drop(it.null()),
        }
        out.push_str(&it.finish());
        out.push_str("}\n");
    }
}

fn gate(it: &mut Writer, gate: &Gate) {
    it.object().key("verdict").string(gate.verdict.word());
    it.key("because").raw(&quote(&gate.because));
    it.key("clean_rate").raw(&real(gate.clean_rate));
    usage(it, gate);
    it.key("band").array().raw(&real(gate.band.0)).raw(&real(gate.band.1)).end_array();
    it.key("per_run").array();
    for share in &gate.per_run {
        it.raw(&real(*share));
    }
    it.end_array().key("scenarios").number(gate.scenarios);
    number(it.key("pass_threshold"), gate.pass_threshold);
    number(it.key("fail_threshold"), gate.fail_threshold);
    stats(it, &gate.test);
    for (key, list) in [
        ("regressions", &gate.regressions),
        ("improvements", &gate.improvements),
        ("missing", &gate.missing),
        ("added", &gate.added),
        ("policy_violations", &gate.policy_violations),
        ("checks", &gate.checks),
        ("warnings", &gate.warnings),
    ] {
        texts(it.key(key), list);
    }
    it.end_object();
}

fn usage(it: &mut Writer, gate: &Gate) {
    it.key("usage").object();
    for line in &gate.usage {
        it.key(line.measure).object().key("baseline").raw(&real(line.baseline));
        it.key("candidate").raw(&real(line.candidate));
        it.key("delta_pct").raw(&real(line.delta_percent)).end_object();
    }
    it.end_object();
}

fn stats(it: &mut Writer, test: &GateTest) {
    it.key("stats").object().key("test").string(test.name);
    for (key, value) in [
        ("baseline_mean", test.baseline_mean),
        ("drop", test.drop),
        ("p_value", test.p_value),
        ("alpha", test.alpha),
        ("power", test.power),
    ] {
        it.key(key).raw(&real(value));
    }
    number(it.key("drop_wanted"), test.drop_wanted);
    number(it.key("drop_upper"), test.drop_upper);
    for (key, value) in [("required_n", test.required_n), ("additional_n", test.additional_n)] {
        match value {
            Some(value) => it.key(key).number(value),
            None => it.key(key).null(),
        };
    }
    it.end_object();
}

fn number(it: &mut Writer, value: Option<f64>) {
    match value {
        Some(value) => it.raw(&real(value)),
        None => it.null(),
    };
}
