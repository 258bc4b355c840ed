"""Whether a report fits the schema that its readers publish: KIND SCHEMA FILE."""

import json
import sys


def complaints(kind, schema, file):
    if kind == "json":
        import jsonschema

        with open(schema, encoding="utf-8") as it:
            rules = json.load(it)
        with open(file, encoding="utf-8") as it:
            report = json.load(it)
        check = jsonschema.validators.validator_for(rules)(rules)
        return [f"{list(it.absolute_path)}: {it.message[:300]}" for it in check.iter_errors(report)]
    from lxml import etree

    rules = etree.XMLSchema(etree.parse(schema))
    rules.validate(etree.parse(file))
    return [f"line {it.line}: {it.message[:300]}" for it in rules.error_log]


found = complaints(*sys.argv[1:])
print("\n".join(found[:20]))
sys.exit(1 if found else 0)
