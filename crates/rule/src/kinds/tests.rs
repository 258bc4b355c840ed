// The shelf of kinds: list, names and pages agree.

use super::KINDS;
use crate::params::{Field, Shape};

/// The parameter table of a page, as the fields ask for it.
fn table(fields: &[Field]) -> String {
    let mut out = String::new();
    rows("", fields, &mut out);
    if out.is_empty() {
        return "It takes no parameters.\n".to_owned();
    }
    format!("| parameter | is | required | says |\n|---|---|---|---|\n{out}")
}

fn rows(prefix: &str, fields: &[Field], out: &mut String) {
    for field in fields {
        let name = format!("{prefix}{}", field.name);
        let required = if field.required { "yes" } else { "no" };
        let shape = match field.shape {
            Shape::Map(_) => "a map".to_owned(),
            Shape::Entries(_) => "a list of maps".to_owned(),
            shape => shape.words(),
        };
        out.push_str(&format!("| `{name}` | {shape} | {required} | {} |\n", field.doc));
        match field.shape {
            Shape::Map(inner) => rows(&format!("{name}."), inner, out),
            Shape::Entries(inner) => rows(&format!("{name}[*]."), inner, out),
            _ => {}
        }
    }
}

#[test]
fn names_are_sorted_and_single() {
    let names: Vec<&str> = KINDS.iter().map(|it| it.name()).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
}

#[test]
fn every_page_shows_the_parameters_as_they_are() {
    for kind in KINDS {
        let table = table(kind.fields());
        assert!(kind.page().contains(&table), "kinds/{}.md must hold:\n{table}", kind.name());
    }
}

#[test]
fn every_page_has_its_parts() {
    for kind in KINDS {
        let (name, page) = (kind.name(), kind.page());
        assert!(page.starts_with(&format!("# {name}\n")), "{name}");
        for part in [
            "\nWhy: ",
            "\n## Policy\n",
            "\n## Denied\n",
            "\n## Allowed\n",
            "\n## Parameters\n",
            "\n## Limits\n",
        ] {
            assert!(page.contains(part), "kinds/{name}.md has no {part:?}");
        }
        for part in ["## Denied", "## Allowed"] {
            let (_, after) = page.split_once(part).unwrap();
            let section = after.split("\n## ").next().unwrap();
            assert_eq!(section.matches("```yaml\n").count(), 1, "kinds/{name}.md {part}");
        }
    }
}
