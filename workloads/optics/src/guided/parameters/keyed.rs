//! Reading a map so that an error of a value names its key: JSON itself says only what is wrong.

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, IntoDeserializer, MapAccess};
use serde_json::map::IntoIter;
use serde_json::{Error, Map, Value};

/// What a map says.
///
/// # Errors
/// What is wrong with it: a key, or the value of one.
pub fn from_map<T: DeserializeOwned>(map: Map<String, Value>) -> Result<T, String> {
    let keyed = Keyed {
        entries: map.into_iter(),
        value: None,
    };
    T::deserialize(MapAccessDeserializer::new(keyed)).map_err(|error| error.to_string())
}

/// The entries of a map, one after the other.
struct Keyed {
    entries: IntoIter,
    /// The entry whose key was read and whose value was not.
    value: Option<(String, Value)>,
}

impl<'de> MapAccess<'de> for Keyed {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        self.value = self.entries.next();
        match &self.value {
            Some((key, _)) => {
                let key = key.as_str().into_deserializer();
                seed.deserialize(key).map(Some)
            }
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        match self.value.take() {
            Some((key, value)) => {
                let read = seed.deserialize(value);
                read.map_err(|error| Error::custom(format!("`{key}`: {error}")))
            }
            None => Err(Error::custom("a value was asked for before its key")),
        }
    }
}
