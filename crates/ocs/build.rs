//! The data files are built into the program: build again when one changes.

fn main() {
    println!("cargo:rerun-if-changed=../../data/ocs");
}
