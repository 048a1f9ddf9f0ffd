//! Builds a map and prints the report: `cargo run -p atlas --example build -- dagc ../shared/geo`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, geo) = match arguments.as_slice() {
        [name, geo] => (name.as_str(), geo.as_str()),
        [name] => (name.as_str(), "../shared/geo"),
        _ => return ExitCode::FAILURE,
    };
    let root = Path::new("data").join(name);
    match atlas::build(&root.join("atlas"), Path::new(geo)) {
        Ok((map, report)) => {
            let mut out = source::Writer::new();
            map.write(&mut out);
            show(&report.to_string());
            match std::fs::write(root.join("maps").join(format!("{name}.toml")), out.finish()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    show(&error.to_string());
                    ExitCode::FAILURE
                }
            }
        }
        Err(faults) => {
            show(&faults.to_string());
            ExitCode::FAILURE
        }
    }
}

#[allow(clippy::print_stdout)]
fn show(text: &str) {
    println!("{text}");
}
