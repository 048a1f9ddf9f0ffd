//! Writes all changes into the code at once, each behind its switch.

use std::ops::Range;

use crate::sites::{Form, Site};

/// A change with its number, and where its code stands in the copy.
pub(crate) struct Placed {
    pub(crate) mutant: u32,
    /// The site, alternatives and original together.
    pub(crate) site: Range<usize>,
    /// The part that only this mutant has.
    pub(crate) own: Range<usize>,
}

/// The code with every numbered change in it. `numbers` has one for each change of each site, in their order; a change
/// without one is left out.
pub(crate) fn rewrite(
    code: &str,
    sites: &[Site],
    number: &mut dyn FnMut() -> Option<u32>,
) -> (String, Vec<Placed>) {
    // Changes are numbered in the order of the sites, but an outer site is written around the inner ones.
    let numbered: Vec<Numbered<'_>> = sites
        .iter()
        .map(|site| Numbered { site, numbers: site.changes.iter().map(|_| number()).collect() })
        .collect();
    let mut writer = Writer { code, out: String::with_capacity(code.len() * 4), placed: Vec::new() };
    writer.range(0..code.len(), &numbered);
    (writer.out, writer.placed)
}

struct Numbered<'s> {
    site: &'s Site,
    numbers: Vec<Option<u32>>,
}

struct Writer<'c> {
    code: &'c str,
    out: String,
    placed: Vec<Placed>,
}

impl Writer<'_> {
    fn range(&mut self, range: Range<usize>, sites: &[Numbered<'_>]) {
        let mut at = range.start;
        let mut rest = sites;
        while let [first, others @ ..] = rest {
            let site = &first.site.range;
            let is_inside = |other: &&Numbered<'_>| other.site.range.end <= site.end && site.end > site.start;
            let inner = others.iter().take_while(is_inside).count();
            self.out.push_str(&self.code[at..site.start]);
            self.site(first, &others[..inner]);
            at = site.end;
            rest = &others[inner..];
        }
        self.out.push_str(&self.code[at..range.end]);
    }

    fn site(&mut self, numbered: &Numbered<'_>, inner: &[Numbered<'_>]) {
        let site = numbered.site;
        let start = self.out.len();
        let first = self.placed.len();
        let live: Vec<(u32, &str)> = numbered
            .numbers
            .iter()
            .zip(&site.changes)
            .filter_map(|(number, change)| Some(((*number)?, change.becomes.as_str())))
            .collect();
        if live.is_empty() {
            return self.range(site.range.clone(), inner);
        }
        match site.form {
            Form::Head => {
                for (mutant, early) in live {
                    self.own(mutant, &format!(" if ::mutants::on({mutant}) {{ {early} }}"));
                }
            }
            Form::Statement => {
                for (mutant, _) in &live {
                    self.own(*mutant, &format!("if !::mutants::on({mutant}) {{ "));
                }
                self.range(site.range.clone(), inner);
                self.out.push_str(&" }".repeat(live.len()));
            }
            Form::Expression => {
                self.out.push('(');
                for (mutant, becomes) in live {
                    self.out.push_str(&format!("if ::mutants::on({mutant}) {{ "));
                    self.own(mutant, becomes);
                    self.out.push_str(" } else ");
                }
                self.out.push_str("{ ");
                self.range(site.range.clone(), inner);
                self.out.push_str(" })");
            }
        }
        let end = self.out.len();
        // Only those of this site: the inner ones have theirs already.
        for placed in self.placed[first..].iter_mut().filter(|placed| placed.site.is_empty()) {
            placed.site = start..end;
        }
    }

    fn own(&mut self, mutant: u32, text: &str) {
        let start = self.out.len();
        self.out.push_str(text);
        self.placed.push(Placed { mutant, site: 0..0, own: start..self.out.len() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sites;

    fn all(code: &str) -> String {
        let mut next = 0;
        let mut number = || {
            next += 1;
            Some(next)
        };
        rewrite(code, &sites::find(code).unwrap(), &mut number).0
    }

    #[test]
    fn each_change_behind_its_switch() {
        let copy = all("fn f(a: u8) -> u8 { a + 1 }");
        let expected = "fn f(a: u8) -> u8 { (if ::mutants::on(1) { a - 1 } else { a + \
                        (if ::mutants::on(2) { 2 } else { 1 }) }) }";
        assert_eq!(copy, expected);
        let copy = all("fn f(x: &mut V) { x.clear(); }");
        let expected =
            "fn f(x: &mut V) { if ::mutants::on(1) { return; } if !::mutants::on(2) { x.clear(); } }";
        assert_eq!(copy, expected);
    }

    #[test]
    fn a_change_that_is_left_out_leaves_the_code_as_it_was() {
        let code = "fn f(a: u8) -> u8 { a + 1 }";
        let (copy, placed) = rewrite(code, &sites::find(code).unwrap(), &mut || None);
        assert_eq!(copy, code);
        assert!(placed.is_empty());
    }

    #[test]
    fn what_is_placed_is_found_again() {
        let code = "fn f(a: u8, b: u8) -> bool { a < b }";
        let mut next = 0;
        let mut number = || {
            next += 1;
            Some(next)
        };
        let (copy, placed) = rewrite(code, &sites::find(code).unwrap(), &mut number);
        let own: Vec<&str> = placed.iter().map(|placed| &copy[placed.own.clone()]).collect();
        assert!(own.contains(&"a <= b"), "{own:?}");
        assert!(
            placed
                .iter()
                .all(|placed| placed.site.start <= placed.own.start && placed.own.end <= placed.site.end)
        );
    }
}
