//! faultgate's arithmetic: every case of the shared table.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use lawbook_stats::{ALPHA, POWER, Verdict, against, band};
use serde_json::Value;

const CASES: &str = include_str!("../../../conformance/stats/band.json");

fn close(name: &str, found: f64, wanted: &Value) {
    let wanted = wanted.as_f64().unwrap();
    assert!((found - wanted).abs() < 1e-12, "{name}: {found} and not {wanted}");
}

#[test]
fn every_case_of_the_table_holds() {
    let cases: Vec<Value> = serde_json::from_str(CASES).unwrap();
    assert!(cases.len() >= 12);
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let runs: Vec<f64> =
            case["per_run"].as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
        let n = case["n"].as_u64().unwrap();
        let it = against(&band(n, runs).unwrap(), case["clean"].as_u64().unwrap()).unwrap();
        assert_eq!(it.verdict.word(), case["verdict"], "{name}");
        close(name, it.clean_rate, &case["clean_rate"]);
        close(name, it.pass_threshold, &case["pass_threshold"]);
        close(name, it.fail_threshold, &case["fail_threshold"]);
        let stats = &case["stats"];
        close(name, it.baseline_mean, &stats["baseline_mean"]);
        close(name, it.drop, &stats["drop"]);
        close(name, it.p_value, &stats["p_value"]);
        assert_eq!((stats["alpha"].as_f64(), stats["power"].as_f64()), (Some(ALPHA), Some(POWER)));
        assert_eq!(it.required_n, case["required_n_of_any_verdict"].as_u64(), "{name}");
        if it.verdict == Verdict::Inconclusive {
            assert_eq!(it.required_n, stats["required_n"].as_u64(), "{name}");
            assert_eq!(it.additional_n(n), stats["additional_n"].as_u64(), "{name}");
        }
    }
}

#[test]
fn a_band_without_scenarios_or_runs_says_nothing() {
    assert_eq!(against(&band(0, vec![1.0]).unwrap(), 0), None);
    assert_eq!(band(3, Vec::new()), None);
}
