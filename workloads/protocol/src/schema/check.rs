//! Whether a document fits a schema: the part of JSON Schema that our schemas use.
//!
//! A keyword that is not known here is a failure and not a keyword that is passed over, so a
//! schema cannot say more than is checked.

use serde_json::{Map, Value};

/// Keywords that say nothing about a document.
const ANNOTATIONS: [&str; 7] = [
    "$schema",
    "$defs",
    "title",
    "description",
    "default",
    // What our numbers fit into; `minimum` says what matters of it.
    "format",
    // Read together with `properties`.
    "additionalProperties",
];

/// Why a document does not fit; `Ok` where it does. Panics at a schema that it does not understand.
pub fn fits(schema: &Value, document: &Value) -> Result<(), String> {
    Checker { root: schema }.fits(schema, document)
}

struct Checker<'a> {
    root: &'a Value,
}

impl Checker<'_> {
    fn fits(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let Value::Object(keywords) = schema else {
            assert_eq!(*schema, true, "a schema is an object or `true`");
            return Ok(());
        };
        for (keyword, argument) in keywords {
            let fitting = match keyword.as_str() {
                "$ref" => self.fits(self.definition(argument), value),
                "type" => of_type(argument, value),
                "const" => same(argument, value),
                "enum" => one_of(argument.as_array().unwrap().iter().map(|x| same(x, value))),
                "oneOf" | "anyOf" => {
                    let choices = argument.as_array().unwrap().iter();
                    one_of(choices.map(|choice| self.fits(choice, value)))
                }
                "minimum" => at_least(argument, value),
                "pattern" => matches_pattern(argument, value),
                "required" => has_all(argument, value),
                "properties" => self.members(argument, keywords, value),
                "items" => self.items(argument, value),
                other => {
                    assert!(ANNOTATIONS.contains(&other), "unknown keyword `{other}`");
                    self.map(other, argument, keywords, value)
                }
            };
            fitting?;
        }
        Ok(())
    }

    fn definition(&self, reference: &Value) -> &Value {
        let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
        self.root.pointer(pointer).unwrap()
    }

    /// An object without `properties` whose every member is alike.
    fn map(
        &self,
        keyword: &str,
        argument: &Value,
        keywords: &Map<String, Value>,
        value: &Value,
    ) -> Result<(), String> {
        let alone = keyword == "additionalProperties" && !keywords.contains_key("properties");
        match value.as_object().filter(|_| alone) {
            Some(members) => members
                .iter()
                .try_for_each(|(_, member)| self.fits(argument, member)),
            None => Ok(()),
        }
    }

    fn members(
        &self,
        properties: &Value,
        keywords: &Map<String, Value>,
        value: &Value,
    ) -> Result<(), String> {
        let others = keywords
            .get("additionalProperties")
            .unwrap_or(&Value::Bool(true));
        for (name, member) in value.as_object().into_iter().flatten() {
            let fitting = match (properties.get(name), others) {
                (Some(schema), _) => self.fits(schema, member),
                (None, Value::Bool(false)) => Err("is unknown".to_owned()),
                (None, schema) => self.fits(schema, member),
            };
            fitting.map_err(|why| format!("`{name}` {why}"))?;
        }
        Ok(())
    }

    fn items(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let mut items = value.as_array().into_iter().flatten();
        items.try_for_each(|item| self.fits(schema, item))
    }
}

fn of_type(types: &Value, value: &Value) -> Result<(), String> {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("unknown type `{other}`"),
    };
    let fitting = match types {
        Value::Array(names) => names.iter().any(|name| is(name.as_str().unwrap())),
        name => is(name.as_str().unwrap()),
    };
    fitting
        .then_some(())
        .ok_or_else(|| format!("is not of type {types}"))
}

fn same(constant: &Value, value: &Value) -> Result<(), String> {
    (constant == value)
        .then_some(())
        .ok_or_else(|| format!("is not {constant}"))
}

fn one_of(choices: impl Iterator<Item = Result<(), String>>) -> Result<(), String> {
    let refusals: Vec<Result<(), String>> = choices.collect();
    let fitting = refusals.iter().filter(|choice| choice.is_ok()).count();
    (fitting == 1)
        .then_some(())
        .ok_or_else(|| format!("fits {fitting} of {} choices", refusals.len()))
}

fn at_least(minimum: &Value, value: &Value) -> Result<(), String> {
    let below = value
        .as_f64()
        .is_some_and(|number| number < minimum.as_f64().unwrap());
    (!below)
        .then_some(())
        .ok_or_else(|| format!("is below {minimum}"))
}

/// Only the pattern that there is: a positive number without leading zeros, or a word.
fn matches_pattern(pattern: &Value, value: &Value) -> Result<(), String> {
    assert_eq!(pattern, "^(device|[1-9][0-9]*)$", "an unknown pattern");
    let fitting = value.as_str().is_none_or(|text| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text == "device" || (digits && !text.starts_with('0'))
    });
    fitting
        .then_some(())
        .ok_or_else(|| format!("does not match {pattern}"))
}

fn has_all(names: &Value, value: &Value) -> Result<(), String> {
    let Value::Object(members) = value else {
        return Ok(());
    };
    let mut names = names
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap());
    match names.find(|name| !members.contains_key(*name)) {
        Some(name) => Err(format!("lacks `{name}`")),
        None => Ok(()),
    }
}

#[test]
fn each_keyword_tells_documents_apart() {
    use serde_json::json;
    let closed = json!({"properties": {"a": true}, "additionalProperties": false});
    let table = [
        (json!({"type": "integer"}), json!(-1), json!(0.5)),
        (json!({"type": ["string", "null"]}), json!(null), json!(1)),
        (json!({"const": 1}), json!(1), json!(2)),
        (json!({"enum": ["a", "b"]}), json!("b"), json!("c")),
        (json!({"minimum": 0}), json!(0), json!(-1)),
        (json!({"required": ["a"]}), json!({"a": 1}), json!({"b": 1})),
        (
            json!({"items": {"type": "null"}}),
            json!([null]),
            json!([null, 1]),
        ),
        (
            json!({"additionalProperties": {"const": 1}}),
            json!({"x": 1}),
            json!({"x": 2}),
        ),
        (closed, json!({"a": 1}), json!({"b": 1})),
        (
            json!({"oneOf": [{"const": 1}, {"minimum": 2}]}),
            json!(1),
            json!(0),
        ),
        (
            json!({"$ref": "#/$defs/x", "$defs": {"x": {"const": 1}}}),
            json!(1),
            json!(2),
        ),
        (
            json!({"pattern": "^(device|[1-9][0-9]*)$"}),
            json!("10"),
            json!("01"),
        ),
    ];
    for (schema, good, bad) in table {
        assert_eq!(fits(&schema, &good), Ok(()), "{schema}");
        assert!(fits(&schema, &bad).is_err(), "{schema}");
    }
}
