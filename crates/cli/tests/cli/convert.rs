//! `policy convert`: where the policy and the report go, and how it ends.

use serde_json::Value;

use crate::room::{CAP, FAULTGATE, Room};

fn room() -> Room {
    Room::new(&[("cap.yaml", CAP), ("fg.json", FAULTGATE)])
}

#[test]
fn the_policy_goes_to_standard_output_and_the_report_beside_it() {
    let room = room();
    let ran = room.run("policy convert fg.json --to lawbook");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("lawbook: 1\n"), "{}", ran.out);
    assert!(ran.err.contains("carried   limits[0] -> limits.0"), "{}", ran.err);
    room.write("new.yaml", ran.out.as_bytes());
    assert_eq!(room.run("policy lint new.yaml").code, 0);
    assert_eq!(room.run("policy fmt --check new.yaml").code, 0);
}

#[test]
fn a_rule_that_is_left_out_ends_with_1() {
    let room = room();
    let ran = room.run("policy convert cap.yaml --to faultgate --out policy.json");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("left out  ask-first: "), "{}", ran.out);
    let policy: Value = serde_json::from_str(&room.read("policy.json")).unwrap();
    assert_eq!(policy["limits"][0]["max"], 10);
    let ran = room.run("policy convert cap.yaml --to faultgate --format json");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["schema"], "lawbook.convert/1");
    let fates: Vec<&str> =
        report["rules"].as_array().unwrap().iter().map(|it| it["fate"].as_str().unwrap()).collect();
    assert_eq!(fates, ["carried", "carried", "left_out"]);
}

#[test]
fn nothing_is_replaced_unasked() {
    let room = room();
    for (line, wanted) in [
        ("policy convert cap.yaml --to faultgate --out fg.json", "--force"),
        ("policy convert cap.yaml --to lawbook --out cap.yaml --force", "would replace `cap.yaml`"),
        ("policy convert cap.yaml --to nothing", "unknown dialect `nothing`"),
        ("policy convert nowhere.yaml --to lawbook", "nowhere.yaml"),
    ] {
        let ran = room.run(line);
        assert_eq!(ran.code, 2, "{line}");
        assert!(ran.err.contains(wanted), "{line}\n{}", ran.err);
    }
    assert_eq!(room.read("fg.json"), FAULTGATE);
    assert_eq!(room.run("policy convert cap.yaml --to faultgate --out fg.json --force").code, 1);
}
