//! `completions` and `man`: what a shell and `man` want to know, made from the command line itself.

use clap::CommandFactory as _;

use crate::args::{Args, Completions, Man};
use crate::output::{Failure, Out};

pub(crate) fn completions(args: &Completions, out: &mut Out) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "grognard", &mut script);
    out.text(&String::from_utf8_lossy(&script));
    Ok(())
}

pub(crate) fn man(args: &Man, out: &mut Out) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::Input(format!("the manual: {error}"));
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(failed)?;
        return clap_mangen::generate_to(Args::command(), folder).map_err(failed);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(Args::command()).render(&mut page).map_err(failed)?;
    out.text(&String::from_utf8_lossy(&page));
    Ok(())
}
