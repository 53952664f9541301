//! The other side: it takes money, and takes it once for each reference.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use mcp_runtime::{Result, data};

/// What was paid.
#[data]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Receipt {
    /// The bank's number for it
    pub(crate) number: u32,
    /// How much, in euros
    pub(crate) amount: u32,
}

/// A bank.
#[derive(Debug, Default)]
pub(crate) struct Bank {
    /// By the payer's reference, so that a repeated payment is the same payment.
    payments: Mutex<HashMap<String, Receipt>>,
}

impl Bank {
    /// Pays an amount.
    pub(crate) async fn pay(&self, reference: &str, amount: u32) -> Result<Receipt> {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let mut payments = self.payments.lock().unwrap_or_else(PoisonError::into_inner);
        let number = u32::try_from(payments.len())? + 1;
        Ok(payments.entry(reference.to_owned()).or_insert(Receipt { number, amount }).clone())
    }

    /// Pays back.
    pub(crate) fn refund(&self, reference: &str) {
        self.payments.lock().unwrap_or_else(PoisonError::into_inner).remove(reference);
    }
}
