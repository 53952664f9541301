//! JSON Schemas: made from types, normalised for clients, walked for decoding and validation.
