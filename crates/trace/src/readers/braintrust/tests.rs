//! Braintrust spans in both readings.

use crate::Reading;
use crate::testing::{told, told_as};

const SPANS: &str = r#"[
  {"id": "x0", "span_id": "x0", "root_span_id": "x0", "span_attributes": {"name": "bot", "type": "task"}, "input": "pay 5", "output": {"result": "paid"}, "metadata": {"enduser.id": "u", "plan": 3}, "metrics": {"start": 1770000000, "end": 1770000003}},
  {"id": "x1", "span_id": "x1", "root_span_id": "x0", "span_parents": ["x0"], "span_attributes": {"name": "pay", "type": "tool"}, "input": {"sum": 5}, "output": {"ok": true}, "error": {"message": "late"}, "metrics": {"start": 1770000001.5, "end": 1770000002}}]"#;

#[test]
fn the_full_reading() {
    assert_eq!(
        told("", SPANS)[0].lines(),
        [
            "start attributes={\"enduser.id\":\"u\",\"plan\":3} metadata={\"enduser.id\": \"u\", \"plan\": 3}",
            "1 user m1 pay 5",
            "2 call 1 x1 - pay {\"sum\": 5} -> {\"ok\": true} (error) (late)",
            "3 answer 1 {\"ok\": true} (error) (late)",
            "4 agent m4 paid",
            "5 end paid (root error=- ended=true)",
        ]
    );
}

#[test]
fn the_reading_of_faultgate() {
    let (all, _) = told_as("", SPANS.as_bytes(), Reading::Faultgate);
    assert_eq!(
        all[0].lines()[1..],
        [
            "0 user m0 pay 5",
            "1 call 1 x1 - pay {\"sum\": 5} -> Error: {'message': 'late'} {\"ok\": true} (Span status error: Code 2)",
            "2 answer 1 Error: {'message': 'late'} {\"ok\": true} (Span status error: Code 2)",
            "3 end paid (root error=- ended=true)",
        ]
    );
}
