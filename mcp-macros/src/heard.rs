//! What was expanded before in this crate: handlers in different modules may have one name.
//!
//! Where nothing compiles, in tests, each expansion is the first.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use quote::ToTokens as _;
use syn::Signature;

/// How often a name was made, this time included.
pub(crate) fn times(name: &str) -> usize {
    static TIMES: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());
    if !proc_macro::is_available() {
        return 1;
    }
    let mut heard = TIMES.lock().unwrap_or_else(PoisonError::into_inner);
    *heard.entry(name.to_owned()).and_modify(|times| *times += 1).or_insert(1)
}

/// Whether a handler had this name before that takes or returns something else.
pub(crate) fn has_twin(signature: &Signature) -> bool {
    static SIGNATURES: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    if !proc_macro::is_available() {
        return false;
    }
    let written = signature.to_token_stream().to_string();
    let mut heard = SIGNATURES.lock().unwrap_or_else(PoisonError::into_inner);
    let first = heard.entry(signature.ident.to_string()).or_insert_with(|| written.clone());
    *first != written
}
