//! Rule cases: the numbers that every refusal, prompt, event and test names.

use std::collections::BTreeMap;
use std::fmt;

use source::{Faults, Source, Tsv};

use crate::text::{Span, Text};

/// The number of a rule case as the rulebook prints it, with our letter where a paragraph holds several
/// (`11.17`, `8.3d`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Case(pub &'static str);

/// The case with this number. Written `case("11.17")` in code, where a test finds it and looks it up.
pub const fn case(number: &'static str) -> Case {
    Case(number)
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The cases that a source file of a rulebook cites, with their lines: whatever `case`, `remark!`, `ensure!` and
/// `refuse!` begin with. (What [`phrases!`](crate::phrases) declares is checked by the battery.)
pub fn cited(code: &str) -> Vec<(usize, &str)> {
    let mut cited = Vec::new();
    for opening in ["case(", "remark!(", "ensure!(", "refuse!("] {
        for (at, _) in code.match_indices(opening) {
            let rest = code[at + opening.len()..].trim_start();
            let Some((number, _)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) else {
                continue;
            };
            cited.push((1 + code[..at].matches('\n').count(), number));
        }
    }
    cited
}

/// What sort of statement a case is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A rule to enforce.
    Rule,
    /// A decision that a player has.
    Choice,
    /// A die or a draw.
    Chance,
    /// Part of a scenario.
    Scenario,
    /// A rule that players may switch on.
    Optional,
    /// A chart, a number, a name.
    Data,
    /// Nothing to enforce.
    Info,
    /// A case that concerns a companion game.
    OtherGame,
}

impl Kind {
    const WORDS: [(&'static str, Kind); 8] = [
        ("rule", Kind::Rule),
        ("choice", Kind::Choice),
        ("chance", Kind::Chance),
        ("scenario", Kind::Scenario),
        ("optional", Kind::Optional),
        ("data", Kind::Data),
        ("info", Kind::Info),
        ("other-game", Kind::OtherGame),
    ];

    /// The word for this kind in `cases.tsv`.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }

    /// True when a case of this kind must have a test that would fail if it were wrong.
    pub fn wants_test(self) -> bool {
        matches!(self, Kind::Rule | Kind::Choice | Kind::Chance | Kind::Scenario | Kind::Optional)
    }
}

/// What the index says of one case, in our own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseEntry {
    /// The number.
    pub number: String,
    /// A few words.
    pub title: String,
    /// What sort of statement it is.
    pub kind: Kind,
    /// The statement.
    pub statement: String,
}

/// The index of a rulebook's cases: `data/<rulebook>/cases.tsv`.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    entries: Vec<CaseEntry>,
    by_number: BTreeMap<String, usize>,
}

impl Cases {
    /// Reads the index.
    pub fn read(source: &Source) -> Result<Cases, Faults> {
        let tsv = Tsv::parse(source, &["case", "title", "kind", "statement"])?;
        let mut faults = Faults::default();
        let mut cases = Cases::default();
        for (line, cells) in tsv.rows() {
            let &[number, title, kind, statement] = cells else { continue };
            let Some((_, kind)) = Kind::WORDS.iter().find(|(word, _)| *word == kind) else {
                let words: Vec<&str> = Kind::WORDS.iter().map(|(word, _)| *word).collect();
                faults.push(tsv.fault(line, 2, format!("`{kind}` is not one of {}", words.join(", "))));
                continue;
            };
            if number.is_empty() || statement.is_empty() {
                faults.push(tsv.fault(line, 0, "a case needs a number and a statement"));
            }
            if cases.by_number.insert(number.to_owned(), cases.entries.len()).is_some() {
                faults.push(tsv.fault(line, 0, format!("the case {number} stands here twice")));
            }
            cases.entries.push(CaseEntry {
                number: number.to_owned(),
                title: title.to_owned(),
                kind: *kind,
                statement: statement.to_owned(),
            });
        }
        faults.or(Some(cases))
    }

    /// Adds the cases of another index; says which number both have.
    pub fn extend(&mut self, more: Cases) -> Result<(), String> {
        for entry in more.entries {
            if self.by_number.insert(entry.number.clone(), self.entries.len()).is_some() {
                return Err(format!("the case {} stands in two indexes", entry.number));
            }
            self.entries.push(entry);
        }
        Ok(())
    }

    /// The entry of a case.
    pub fn get(&self, number: &str) -> Option<&CaseEntry> {
        self.by_number.get(number).map(|&i| &self.entries[i])
    }

    /// The statement of a case. In a statement the number of a case of the same index stands for that case, so a hex is written
    /// there as a word of its own: `hex 1418`.
    pub fn statement(&self, entry: &CaseEntry) -> Text {
        let of_number = |c: char| c.is_ascii_alphanumeric() || c == '.';
        let mut text = Text::default();
        let statement = without_rulings(&entry.statement);
        for part in statement.split_inclusive(|c| !of_number(c)) {
            let word = part.trim_end_matches(|c| !of_number(c));
            let number = word.trim_end_matches('.');
            if self.by_number.contains_key(number) && number.contains('.') {
                text.push(Span::Case(number.to_owned().into()));
                text.words(part[number.len()..].to_owned());
            } else {
                text.words(part.to_owned());
            }
        }
        text
    }

    /// All cases in the order of the rulebook.
    pub fn iter(&self) -> impl Iterator<Item = &CaseEntry> {
        self.entries.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// A word of a rulebook: what it means, and what people call it instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The word, as charts and cases have it: `DR`, `OOS`.
    pub word: String,
    /// What it means, in a few words.
    pub meaning: String,
    /// The case that explains it.
    pub case: String,
}

/// Reads a glossary: `data/<rulebook>/glossary.tsv`. Every case in it must be in the index.
pub fn read_glossary(source: &Source, cases: &Cases) -> Result<Vec<Term>, Faults> {
    let tsv = Tsv::parse(source, &["word", "meaning", "case"])?;
    let mut faults = Faults::default();
    let mut terms = Vec::new();
    for (line, cells) in tsv.rows() {
        let &[word, meaning, case] = cells else { continue };
        if cases.get(case).is_none() {
            faults.push(tsv.fault(line, 2, format!("the case {case} is not in cases.tsv")));
        }
        terms.push(Term { word: word.to_owned(), meaning: meaning.to_owned(), case: case.to_owned() });
    }
    faults.or(Some(terms))
}

/// A statement as players read it: the numbers of our rulings, `(R25)`, are for those who write rules.
fn without_rulings(statement: &str) -> String {
    let is_number = |word: &str| word.strip_prefix('R').is_some_and(|n| n.parse::<u16>().is_ok());
    let mut said = String::with_capacity(statement.len());
    let mut rest = statement;
    while let Some(open) = rest.find(" (R") {
        let (before, bracket) = rest.split_at(open);
        let (inside, after) = bracket.split_once(')').unwrap_or((bracket, ""));
        said.push_str(before);
        if !inside[2..].split(", ").all(is_number) {
            said.push_str(&bracket[..bracket.len() - after.len()]);
        }
        rest = after;
    }
    said + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_names_other_cases() {
        let text =
            "case\ttitle\tkind\tstatement\n4.1\ta\trule\tsee 4.2, hex 4.3 and (4.2).\n4.2\tb\trule\tno\n";
        let cases = Cases::read(&Source::new("cases.tsv", text)).unwrap();
        let told = cases.statement(cases.get("4.1").unwrap());
        let named: Vec<&str> = told
            .0
            .iter()
            .filter_map(|span| match span {
                Span::Case(number) => Some(number.as_ref()),
                _ => None,
            })
            .collect();
        assert_eq!(named, ["4.2", "4.2"]);
        assert_eq!(told.to_string(), "see 4.2, hex 4.3 and (4.2).");
    }

    #[test]
    fn a_statement_is_read_without_the_numbers_of_rulings() {
        assert_eq!(
            without_rulings("Shifts are netted (R25). (Rivers) count (R1, R2), (R or S."),
            "Shifts are netted. (Rivers) count, (R or S."
        );
    }

    #[test]
    fn reads_and_finds() {
        let text = "case\ttitle\tkind\tstatement\n1.1\tSeq\trule\tA then B.\n1.2\tName\tinfo\tNothing.\n";
        let cases = Cases::read(&Source::new("cases.tsv", text)).unwrap();
        assert_eq!(cases.get("1.1").unwrap().kind, Kind::Rule);
        assert!(cases.get("1.3").is_none());
        assert_eq!(cases.len(), 2);
    }

    #[test]
    fn finds_what_code_cites() {
        let code = "a(case(\"1.1\"));\nensure!(\n    \"2.1b\", x, \"y {}\", z);\nrefuse!(\"3.0\", \"no\");";
        assert_eq!(cited(code), [(1, "1.1"), (2, "2.1b"), (4, "3.0")]);
    }

    #[test]
    fn faults_are_located() {
        let text = "case\ttitle\tkind\tstatement\n1.1\tSeq\trool\tA.\n1.2\ta\trule\tB.\n1.2\tb\trule\tC.\n";
        let faults = Cases::read(&Source::new("cases.tsv", text)).unwrap_err();
        let text = faults.to_string();
        assert!(text.contains("cases.tsv:2: kind: `rool` is not one of rule, choice"), "{text}");
        assert!(text.contains("cases.tsv:4: case: the case 1.2 stands here twice"), "{text}");
    }
}
