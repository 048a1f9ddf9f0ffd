//! The command line.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use engine::{Side, Viewer};
use lab::shards::Shard;
use staff::{Budget, Level};

/// Plays operational hex-and-counter wargames by the book.
///
/// Every rule is enforced, every refusal is explained with its rule number, every die is accounted for.
/// Without a command it is played in the browser: the same as `grognard serve`.
#[derive(Parser, Debug)]
#[command(name = "grognard", version, after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// Data files that replace the built-in ones: DIR/RULEBOOK/tables/…, maps/…, scenarios/…
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// Play with the fixtures of the rule tests in place of the tables they stand for
    #[arg(long, global = true)]
    pub(crate) fixtures: bool,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 refused by a rule, not proved, or something is missing; 2 bad input.
A FILE is a situation or a record; - is standard input.
Scenarios are named rulebook/scenario, such as mini/ford.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Play in the browser: start the server and open it
    Serve(Serve),
    /// Copy the file of games while the server may be using it
    Backup(Backup),
    /// List the rulebooks with their scenarios, options and maps
    List(List),
    /// Start a game: print its record, ready to be played on
    New(New),
    /// List the legal answers of the side that must decide
    Actions(Actions),
    /// Play actions in a situation or record and print what happens, or which case refuses
    Try(Try),
    /// Show a situation or record as one side sees it
    Show(Show),
    /// Print the exact chances of what a commitment leads to
    Odds(Odds),
    /// Prove a unit's supply: the path, or what stands in the way
    Explain(Explain),
    /// Print what the enemy could do to a hex if he attacked it now with all he has there
    Threat(Threat),
    /// Play in the terminal, both sides on one keyboard or against the program
    Play(Play),
    /// Ask an opponent what it would answer, and why
    Advise(Advise),
    /// Play games with a program in any language: one JSON object a line on standard input and output
    Engine(Engine),
    /// Play a record through and print what happened
    Replay(Replay),
    /// Prove every die of a record from its seed
    Verify(Verify),
    /// Validate all data files
    Check(Check),
    /// Run the rule tests and say which cases have one
    Conformance(Conformance),
    /// Turn a rule test, or what it stands at after some of its steps, into a situation
    Extract(Extract),
    /// Let the computer play many games and count the results
    Selfplay(SelfPlay),
    /// Play whole plans of games, report what they say, tune the opponents
    Lab(Lab),
    /// Measure speed: random play, and the board's primitives beside their oracles
    Bench(Bench),
    /// Show, draw or describe a map
    Map(Map),
    /// Build a map from geography
    Atlas(Atlas),
    /// Print what lets a shell complete commands and options
    Completions(Completions),
    /// Print the manual page, or write one for each command into a folder
    Man(Man),
}

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Eyes {
    /// The Axis player.
    Axis,
    /// The Soviet player.
    Soviet,
    /// Somebody who sees only what both players see.
    Observer,
    /// Somebody who sees everything.
    All,
}

impl Eyes {
    pub(crate) fn viewer(self) -> Viewer {
        match self {
            Eyes::Axis => Viewer::Side(Side::Axis),
            Eyes::Soviet => Viewer::Side(Side::Soviet),
            Eyes::Observer => Viewer::Observer,
            Eyes::All => Viewer::Referee,
        }
    }
}

/// Reads the level of an opponent.
fn level() -> impl TypedValueParser<Value = Level> {
    let values = Level::ALL.map(|level| PossibleValue::new(level.name()).help(level.about()));
    PossibleValuesParser::new(values).try_map(|name| Level::named(&name))
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Advise {
    /// A situation or a record; - is standard input
    pub(crate) file: PathBuf,
    /// Who is asked
    #[arg(long, value_parser = level(), default_value = "officer")]
    pub(crate) level: Level,
    #[command(flatten)]
    pub(crate) thinking: Thinking,
    /// The seed of its luck [default: by lot]
    #[arg(long, value_name = "SEED")]
    pub(crate) luck: Option<String>,
    /// One object: action, why
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Engine {
    /// See with this side's eyes and play this side alone, as in a match
    #[arg(long, value_enum)]
    pub(crate) side: Option<Bound>,
}

/// The side that a program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bound {
    /// The Axis player.
    Axis,
    /// The Soviet player.
    Soviet,
}

impl Bound {
    pub(crate) fn side(self) -> Side {
        match self {
            Bound::Axis => Side::Axis,
            Bound::Soviet => Side::Soviet,
        }
    }
}

/// What a general may spend.
#[derive(ClapArgs, Clone, Copy, Debug)]
pub(crate) struct Thinking {
    /// How long a general may think about a phase, in seconds [default: 10]
    #[arg(long, value_name = "N", conflicts_with = "nodes")]
    seconds: Option<f64>,
    /// How many plans a general may play through in a phase, however long it takes: the same games every time
    #[arg(long, value_name = "N")]
    nodes: Option<u32>,
}

impl Thinking {
    pub(crate) fn budget(self) -> Budget {
        match (self.seconds, self.nodes) {
            (_, Some(nodes)) => Budget::nodes(nodes),
            (Some(seconds), _) => Budget::seconds(seconds),
            _ => Budget::default(),
        }
    }
}

#[derive(ClapArgs, Debug, Default)]
pub(crate) struct Serve {
    /// The file that games are kept in [default: games.db in the user's data directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    /// The port [default: 1944, or a free one when that is taken]
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// The address to listen on, to let others in your network play: 0.0.0.0 for all [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<IpAddr>,
    /// A name that this machine is known by in your network
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// Requests come through a proxy on this machine: limits count for the address that it names in X-Forwarded-For
    #[arg(long)]
    pub(crate) proxy: bool,
    /// Do not limit how many requests a second this machine makes: for your own scripts
    #[arg(long, conflicts_with = "proxy")]
    pub(crate) no_limits: bool,
    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Serve the client from this folder instead of the one in the program
    #[arg(long, value_name = "DIR")]
    pub(crate) web: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Backup {
    /// The copy; it must not be there yet
    pub(crate) file: PathBuf,
    /// The file that games are kept in [default: games.db in the user's data directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct List {
    /// One object for each rulebook, one a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Setup {
    /// The scenario: rulebook/scenario
    pub(crate) scenario: String,
    /// Optional rules to play with; `grognard list` names them
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub(crate) options: Vec<String>,
    /// What the dice follow from: any text; drawn by lot when left out
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<String>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct New {
    #[command(flatten)]
    pub(crate) setup: Setup,
    /// The name of the Axis player
    #[arg(long, value_name = "NAME")]
    pub(crate) axis: Option<String>,
    /// The name of the Soviet player
    #[arg(long, value_name = "NAME")]
    pub(crate) soviet: Option<String>,
    /// Print the opening position as a situation instead
    #[arg(long)]
    pub(crate) situation: bool,
    /// Write to a file
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Actions {
    /// A situation or a record; - is standard input
    pub(crate) file: PathBuf,
    /// One object: side, prompt, case, actions
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Try {
    /// A situation or a record; - is standard input
    pub(crate) file: PathBuf,
    /// Actions in notation, each as one argument
    #[arg(required = true, value_name = "ACTION")]
    pub(crate) actions: Vec<String>,
    /// What the next dice show
    #[arg(long, value_delimiter = ',', value_name = "3,5,…")]
    pub(crate) dice: Vec<u32>,
    /// What the dice follow from after those; drawn by lot when left out
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<String>,
    /// What happened as this viewer is told it
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) eyes: Eyes,
    /// Write the position afterwards: a record if the name ends in .record, else a situation
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// One object for each action, one a line: action, ok, events or case and why
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Show {
    /// A situation or a record; - is standard input
    pub(crate) file: PathBuf,
    /// Who looks
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) eyes: Eyes,
    /// Print the position as a situation file instead
    #[arg(long, conflicts_with = "json")]
    pub(crate) situation: bool,
    /// One object: the view and the question
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Odds {
    /// A situation or a record; - is standard input
    pub(crate) file: PathBuf,
    /// Actions in notation, each as one argument
    #[arg(required = true, value_name = "ACTION")]
    pub(crate) actions: Vec<String>,
    /// Who asks: nobody is told what depends on hidden units
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) eyes: Eyes,
    /// One object: account, ways
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Explain {
    /// A situation or a record; - is standard input
    pub(crate) file: PathBuf,
    /// The unit, as in notation
    pub(crate) unit: String,
    /// Who asks
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) eyes: Eyes,
    /// One object for each thing proved, one a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Threat {
    /// A situation or a record; - is standard input
    pub(crate) file: PathBuf,
    /// The hex
    pub(crate) hex: String,
    /// Who asks: nobody is told what depends on hidden units
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) eyes: Eyes,
    /// One object: account, ways
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Play {
    /// A scenario (rulebook/scenario), a situation or a record
    #[arg(default_value = "dagc/vitebsk")]
    pub(crate) what: String,
    /// Optional rules to play with
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub(crate) options: Vec<String>,
    /// What the dice follow from; drawn by lot when left out
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<String>,
    /// Let the program play the Axis
    #[arg(long, value_parser = level(), value_name = "LEVEL")]
    pub(crate) axis: Option<Level>,
    /// Let the program play the Soviet side
    #[arg(long, value_parser = level(), value_name = "LEVEL")]
    pub(crate) soviet: Option<Level>,
    /// Print the program's reasons: they tell its plans
    #[arg(long)]
    pub(crate) why: bool,
    #[command(flatten)]
    pub(crate) thinking: Thinking,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Replay {
    /// A record; - is standard input
    pub(crate) file: PathBuf,
    /// What this viewer was told
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) eyes: Eyes,
    /// One object for each action, one a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Verify {
    /// A record; - is standard input
    pub(crate) file: PathBuf,
    /// One object: ok, actions, rolls, standing or why
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Check {
    /// A data directory to lay over the built-in files
    pub(crate) dir: Option<PathBuf>,
    /// One object for each fault, one a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Conformance {
    /// One rulebook instead of all
    pub(crate) rulebook: Option<String>,
    /// Only the tests of the folder that --data names; whether every case has one is not asked then
    #[arg(long)]
    pub(crate) own: bool,
    /// A line for each rule test instead of each case; with --json an object: rulebook, test, given, cases, ok, faults
    #[arg(long)]
    pub(crate) each: bool,
    /// One object for each rulebook, one a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Extract {
    /// The rule test: rulebook/test, or its file
    pub(crate) test: String,
    /// After how many of its steps
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) steps: usize,
    /// Write to a file
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct SelfPlay {
    #[command(flatten)]
    pub(crate) setup: Setup,
    /// How many games
    #[arg(long, default_value_t = 100)]
    pub(crate) games: usize,
    /// Who plays the Axis
    #[arg(long, value_parser = level(), default_value = "random", value_name = "LEVEL")]
    pub(crate) axis: Level,
    /// Who plays the Soviet side
    #[arg(long, value_parser = level(), default_value = "random", value_name = "LEVEL")]
    pub(crate) soviet: Level,
    #[command(flatten)]
    pub(crate) thinking: Thinking,
    /// How many games at a time; 0 for one a core
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// One object: games, wins, draws, faults, decisions, seconds
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Man {
    /// The folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Bench {
    /// Scenarios to measure; all when left out
    pub(crate) scenarios: Vec<String>,
    /// How long to measure each thing
    #[arg(long, default_value_t = 1.0)]
    pub(crate) seconds: f64,
    /// One object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Map {
    /// The map: rulebook/map, just its name, or a map file
    pub(crate) map: String,
    /// One object: every hex with its neighbours and features
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw it as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Draw it as PNG
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// How large a hex is drawn, in pixels from side to side
    #[arg(long, default_value_t = 48.0, value_name = "PIXELS")]
    pub(crate) hex: f64,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Atlas {
    #[command(subcommand)]
    pub(crate) command: AtlasCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum AtlasCommand {
    /// Build a map: recipe, overlay and facts from its folder atlas, coasts and rivers from Natural Earth
    Build(AtlasBuild),
}

#[derive(ClapArgs, Debug)]
pub(crate) struct AtlasBuild {
    /// The rulebook whose map to build, or RULEBOOK/GAME
    pub(crate) map: String,
    /// The folder with the Natural Earth GeoJSON files
    #[arg(long, value_name = "DIR")]
    pub(crate) geo: PathBuf,
    /// The folder of the data files
    #[arg(long, value_name = "DIR", default_value = "data")]
    pub(crate) sources: PathBuf,
    /// Write the map here instead of the folder maps beside its folder atlas
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct Lab {
    #[command(subcommand)]
    pub(crate) command: LabCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum LabCommand {
    /// Play the games of a plan, or those that are left of it, and write tables of them
    Run(LabRun),
    /// Gather the parts that were played with --shard, and write tables of them
    Gather(LabGather),
    /// Write what a run says as one page: tables, plots, and what is more than noise
    Report(LabReport),
    /// Look for better weights of the opponents by self-play
    Tune(LabPlan),
    /// Learn to judge positions from the results of games
    Fit(LabPlan),
}

#[derive(ClapArgs, Debug)]
pub(crate) struct LabRun {
    #[command(flatten)]
    pub(crate) plan: LabPlan,
    /// Play one part of so many, on one of many machines: 0/50 to 49/50. `lab gather` brings the parts together
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct LabGather {
    /// The plan
    pub(crate) plan: PathBuf,
    /// The folder of the run [default: runs/PLAN]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct LabPlan {
    /// The plan; docs/lab.md says what stands in it
    pub(crate) plan: PathBuf,
    /// The folder of the run; if it holds one of this plan, that goes on [default: runs/PLAN]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How many games at a time, whatever the plan says; 0 for one a core
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct LabReport {
    /// The folder of a run
    pub(crate) dir: PathBuf,
    /// Write the page here [default: DIR/report.html]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// One object: report, changes (what each arm did beside the first one)
    #[arg(long)]
    pub(crate) json: bool,
}
