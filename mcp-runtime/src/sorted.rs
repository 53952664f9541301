//! A small table in order: a vector, searched by halves.
//!
//! For what an author writes or decides, never for what a peer may send without a bound: something new in the middle moves
//! the rest. Each kind of `BTreeMap` puts 5 to 10 kB into every server, a kind of this hardly one.

use std::borrow::Borrow;

use serde::{Serialize, Serializer};

/// Values by key, in the order of the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sorted<K, V>(Vec<(K, V)>);

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> Sorted<K, V> {
    /// Where a key stands, or belongs.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(self.place(key).ok()?).map(|(_, value)| value)
    }

    /// Sets the value of a key, in place of an earlier one.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        match self.place(&key) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (key, value)),
        }
    }

    /// The value of a key, made if there is none.
    pub(crate) fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let at = self.place(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, V::default()));
            at
        });
        &mut self.0[at].1
    }

    pub(crate) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|at| self.0.remove(at).1)
    }
}

impl<K, V> Sorted<K, V> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }
}

impl<K, V> IntoIterator for Sorted<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<V: Serialize> Serialize for Sorted<String, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// Reading back what was written by us, in order.
#[cfg(any(feature = "http", test))]
mod read {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

    use super::Sorted;

    impl<'de, V: Deserialize<'de>> Deserialize<'de> for Sorted<String, V> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Members<V>(PhantomData<V>);
            impl<'de, V: Deserialize<'de>> Visitor<'de> for Members<V> {
                type Value = Sorted<String, V>;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a map")
                }

                fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
                    let mut sorted = Sorted::default();
                    while let Some((key, value)) = members.next_entry()? {
                        sorted.insert(key, value);
                    }
                    Ok(sorted)
                }
            }
            deserializer.deserialize_map(Members(PhantomData))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_replaced_and_left_in_their_order() {
        let mut sorted = Sorted::default();
        for key in ["b", "d", "a", "c", "b"] {
            *sorted.or_default(key.to_owned()) += 1;
        }
        sorted.insert("c".to_owned(), 7);
        assert_eq!(sorted.remove("d"), Some(1));
        assert_eq!((sorted.get("b"), sorted.get("d"), sorted.len()), (Some(&2), None, 3));
        let text = serde_json::to_string(&sorted).unwrap();
        assert_eq!(text, r#"{"a":1,"b":2,"c":7}"#);
        let back: Sorted<String, i32> = serde_json::from_str(&text).unwrap();
        assert_eq!(back.into_iter().collect::<Vec<_>>(), sorted.into_iter().collect::<Vec<_>>());
    }
}
