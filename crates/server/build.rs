//! The built client is embedded from `web/dist`. Where it was not built, an empty folder stands for it, and the program
//! says so to whoever opens it.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let home = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let dist = Path::new(&home).join("../../web/dist");
    fs::create_dir_all(&dist)?;
    println!("cargo:rerun-if-changed={}", dist.display());
    Ok(())
}
