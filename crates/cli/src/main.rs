//! The `grognard` program: a thin front to the engine and the rulebooks.

use std::process::ExitCode;

use clap::Parser;

mod args;
mod bench;
mod checking;
mod input;
mod lab;
mod library;
mod listing;
mod manual;
mod maps;
mod output;
mod playing;
mod progress;
mod records;
mod selfplay;
mod serving;
mod stdio;
mod terminal;

use args::{Args, Command, Serve};
use output::{Failure, Out};

fn main() -> ExitCode {
    let args = Args::parse();
    let mut out = Out::default();
    let result = run(&args, &mut out);
    out.flush();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let library = library::Library::open(args.data.as_deref(), args.fixtures)?;
    let Some(command) = &args.command else { return serving::serve(&Serve::default(), library) };
    match command {
        Command::Serve(serve) => serving::serve(serve, library),
        Command::Backup(backup) => serving::backup(backup, out),
        Command::List(list) => listing::list(list, &library, out),
        Command::New(new) => playing::new(new, &library, out),
        Command::Actions(actions) => playing::actions(actions, &library, out),
        Command::Try(attempt) => playing::try_actions(attempt, &library, out),
        Command::Show(show) => playing::show(show, &library, out),
        Command::Odds(odds) => playing::odds(odds, &library, out),
        Command::Explain(explain) => playing::explain(explain, &library, out),
        Command::Threat(threat) => playing::threat(threat, &library, out),
        Command::Play(play) => terminal::play(play, &library, out),
        Command::Advise(advise) => playing::advise(advise, &library, out),
        Command::Engine(engine) => stdio::engine(engine, &library),
        Command::Replay(replay) => records::replay(replay, &library, out),
        Command::Verify(verify) => records::verify(verify, &library, out),
        Command::Check(check) => checking::check(check, &library, out),
        Command::Conformance(conformance) => checking::conformance(conformance, &library, out),
        Command::Extract(extract) => checking::extract(extract, &library, out),
        Command::Selfplay(selfplay) => selfplay::selfplay(selfplay, &library, out),
        Command::Lab(lab) => lab::lab(&lab.command, &library, out),
        Command::Bench(bench) => bench::bench(bench, &library, out),
        Command::Map(map) => maps::map(map, &library, out),
        Command::Atlas(atlas) => maps::atlas(atlas, out),
        Command::Completions(completions) => manual::completions(completions, out),
        Command::Man(man) => manual::man(man, out),
    }
}
