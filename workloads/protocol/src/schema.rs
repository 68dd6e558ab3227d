//! The JSON Schemas in `docs/schema/`: generated from the types, kept fresh, and held against what
//! the types really read.
//!
//! They are made here and not by a program, so that only the tests of this package need a
//! generator. A schema says what can be *read*; what counts as a measurement is judged later.

#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod check;

use std::fs;
use std::path::PathBuf;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::receipt::ProgressEvent;
use crate::{Receipt, Request};

/// How the files are written anew.
const UPDATE: &str = "UPDATE=1 cargo test -p longrun-protocol schema";

/// Each file, and the schema that belongs into it.
fn schemas() -> [(&'static str, Value); 3] {
    [
        ("request.schema.json", schema_of::<Request>()),
        ("receipt.schema.json", schema_of::<Receipt>()),
        ("progress.schema.json", schema_of::<ProgressEvent>()),
    ]
}

/// The schema of what a reader accepts as a `T`.
fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    as_prose(&mut schema);
    schema
}

/// Descriptions are comments of Rust: the brackets of links go, and so does the wrapping of lines.
fn as_prose(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if name == "description" => {
                        let paragraphs = text.split("\n\n").map(|text| text.replace('\n', " "));
                        let joined = paragraphs.collect::<Vec<_>>().join("\n\n");
                        *text = joined.replace("[`", "`").replace("`]", "`");
                    }
                    _ => as_prose(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(as_prose),
        _ => {}
    }
}

fn path_of(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/schema")
        .join(file)
}

#[test]
fn the_schemas_in_the_documentation_are_those_of_the_types() {
    for (file, schema) in schemas() {
        let due = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE").is_some() {
            fs::write(path_of(file), &due).unwrap();
        }
        let there = fs::read_to_string(path_of(file)).unwrap_or_default();
        assert!(
            there == due,
            "`docs/schema/{file}` is not the schema of the types: run `{UPDATE}`"
        );
    }
}
