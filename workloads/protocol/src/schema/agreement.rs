//! A document fits its schema exactly where its reader takes it: strict where the reader is
//! strict, open where it is open.
//!
//! Documents with every member are made from the schemas themselves, and then spoilt in one place
//! at a time.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::check::fits;
use super::schema_of;
use crate::receipt::ProgressEvent;
use crate::{Receipt, Request};

/// Documents that a schema describes, every member and every choice in one of them.
fn examples(root: &Value, schema: &Value) -> Vec<Value> {
    let argument = |keyword: &str| schema.get(keyword);
    if let Some(reference) = argument("$ref") {
        let pointer = reference.as_str().unwrap().trim_start_matches('#');
        return examples(root, root.pointer(pointer).unwrap());
    }
    if let Some(constant) = argument("const") {
        return vec![constant.clone()];
    }
    if let Some(choices) = argument("oneOf").or(argument("anyOf")) {
        let choices = choices.as_array().unwrap().iter();
        return choices.flat_map(|choice| examples(root, choice)).collect();
    }
    let kind = argument("type").unwrap_or(&Value::Null);
    match kind.get(0).unwrap_or(kind).as_str() {
        Some("object") => objects(root, schema),
        Some("array") => vec![Value::Array(examples(root, &schema["items"]))],
        Some("string") if schema.get("pattern").is_some() => vec![json!("16"), json!("device")],
        Some("string") => vec![json!("a word")],
        Some("integer") => vec![json!(1)],
        Some("number") => vec![json!(0.5)],
        Some("boolean") => vec![json!(true)],
        _ => vec![Value::Null],
    }
}

/// One object with the first example of each member, and one more for each further example.
fn objects(root: &Value, schema: &Value) -> Vec<Value> {
    let mut whole = Map::new();
    let mut others = Vec::new();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let mut examples = examples(root, member).into_iter();
        whole.extend(examples.next().map(|first| (name.clone(), first)));
        others.extend(examples.map(|other| (name.clone(), other)));
    }
    match &schema["additionalProperties"] {
        member @ Value::Object(_) => {
            let example = examples(root, member).remove(0);
            whole.insert("any name".to_owned(), example);
        }
        Value::Bool(true) => {
            whole.insert("any name".to_owned(), json!({"any": ["value"]}));
        }
        _ => {}
    }
    let with = |(name, other): (String, Value)| {
        let mut object = whole.clone();
        object.insert(name, other);
        Value::Object(object)
    };
    let mut objects = vec![Value::Object(whole.clone())];
    objects.extend(others.into_iter().map(with));
    objects
}

/// The document with one thing changed: every place, every change.
fn spoilt(document: &Value) -> Vec<Value> {
    let strangers = [
        json!(null),
        json!(-1),
        json!(true),
        json!("no such word"),
        json!({}),
    ];
    let mut spoilt = strangers.to_vec();
    match document {
        Value::Object(members) => {
            let mut with_stranger = members.clone();
            with_stranger.insert("unknown".to_owned(), json!(1));
            spoilt.push(Value::Object(with_stranger));
            for (name, member) in members {
                let mut without = members.clone();
                without.remove(name);
                spoilt.push(Value::Object(without));
                for changed in self::spoilt(member) {
                    let mut object = members.clone();
                    object.insert(name.clone(), changed);
                    spoilt.push(Value::Object(object));
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                for changed in self::spoilt(item) {
                    let mut array = items.clone();
                    array[index] = changed;
                    spoilt.push(Value::Array(array));
                }
            }
        }
        _ => {}
    }
    spoilt
}

/// Holds the schema of a `T` against its reader; how many spoilt documents were refused.
fn refused_alike<T: DeserializeOwned + schemars::JsonSchema>() -> usize {
    let schema = schema_of::<T>();
    let read = |document: &Value| serde_json::from_value::<T>(document.clone()).map(drop);
    let mut refused = 0;
    for document in examples(&schema, &schema) {
        assert_eq!(fits(&schema, &document), Ok(()), "{document}");
        assert!(read(&document).is_ok(), "{:?}: {document}", read(&document));
        for document in spoilt(&document) {
            let (fitting, read) = (fits(&schema, &document), read(&document));
            assert_eq!(
                fitting.is_ok(),
                read.is_ok(),
                "{fitting:?} {read:?}: {document}"
            );
            refused += usize::from(read.is_err());
        }
    }
    refused
}

#[test]
fn a_schema_fits_exactly_what_its_reader_reads() {
    assert!(refused_alike::<Request>() > 100);
    assert!(refused_alike::<Receipt>() > 100);
    assert!(refused_alike::<ProgressEvent>() > 10);
}

#[test]
fn a_request_is_closed_and_a_receipt_is_open() {
    let first = |schema: Value| (examples(&schema, &schema).remove(0), schema);
    let (mut request, schema) = first(schema_of::<Request>());
    request["later"] = json!(1);
    assert_eq!(
        fits(&schema, &request),
        Err("`later` is unknown".to_owned())
    );
    let (mut receipt, schema) = first(schema_of::<Receipt>());
    receipt["later"] = json!(1);
    assert_eq!(fits(&schema, &receipt), Ok(()));
}

/// The JSON blocks of the manual of the protocol.
fn blocks() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/worker-protocol.md");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("```json\n").skip(1);
    let body = |block: &str| serde_json::from_str(block.split("```").next().unwrap()).unwrap();
    blocks.map(body).collect()
}

#[test]
fn the_documents_shown_in_the_manual_fit() {
    let blocks = blocks();
    let [request, receipt] = [&blocks[0], &blocks[1]];
    assert_eq!(request["request_id"], receipt["request_id"]);
    let schemas = [schema_of::<Request>(), schema_of::<Receipt>()];
    let whole = |request_or_receipt: usize, part: &Value| {
        let mut document = blocks[request_or_receipt].clone();
        let fields = part.as_object().unwrap().clone();
        document.as_object_mut().unwrap().extend(fields);
        document
    };
    // After the whole documents, what each further task adds: to a request, then to a receipt.
    assert!(blocks.len().is_multiple_of(2) && blocks.len() > 2);
    for (index, part) in blocks.iter().enumerate() {
        let document = whole(index % 2, part);
        assert_eq!(fits(&schemas[index % 2], &document), Ok(()), "{part}");
    }
}
