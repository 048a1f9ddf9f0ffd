//! Grognard in the browser.

pub mod wire;
