//! `list`: what there is to play.

use serde_json::json;

use crate::args::List;
use crate::library::{Library, Volume};
use crate::output::{Failure, Out, QUIET, STRONG, Styled};

pub(crate) fn list(args: &List, library: &Library, out: &mut Out) -> Result<(), Failure> {
    for volume in &library.volumes {
        if args.json { list_json(volume, out)? } else { list_text(volume, out)? }
    }
    Ok(())
}

fn list_text(volume: &Volume, out: &mut Out) -> Result<(), Failure> {
    let book = volume.rulebook.book();
    out.line(format_args!("{}  {} {}", Styled(STRONG, book.name), book.title, Styled(QUIET, book.edition)));
    for (name, about) in volume.rulebook.scenarios(&volume.data)? {
        let name = format!("{}/{name}", book.name);
        out.line(format_args!("  {name:<24} {} ({})", about.title, about.length));
        out.line(format_args!("  {:<24} {}", "", Styled(QUIET, &about.about)));
    }
    for switch in book.options {
        out.line(format_args!("  option {:<17} {} ({})", switch.name, switch.about, switch.case));
    }
    for (name, _) in volume.data.under("maps") {
        out.line(format_args!("  map {}/{name}", book.name));
    }
    Ok(())
}

fn list_json(volume: &Volume, out: &mut Out) -> Result<(), Failure> {
    let book = volume.rulebook.book();
    let scenarios: Vec<_> = volume
        .rulebook
        .scenarios(&volume.data)?
        .into_iter()
        .map(|(name, about)| {
            json!({
                "scenario": format!("{}/{name}", book.name),
                "title": about.title,
                "about": about.about,
                "length": about.length,
                "favours": about.favours,
            })
        })
        .collect();
    let options: Vec<_> = book
        .options
        .iter()
        .map(|switch| json!({ "option": switch.name, "case": switch.case.0, "about": switch.about }))
        .collect();
    let forms: Vec<_> = volume
        .rulebook
        .action_forms()
        .iter()
        .map(|form| json!({ "action": form.usage(), "case": form.case.0, "text": form.sentence }))
        .collect();
    let maps: Vec<String> =
        volume.data.under("maps").map(|(name, _)| format!("{}/{name}", book.name)).collect();
    out.line(json!({
        "rulebook": book.name,
        "title": book.title,
        "edition": book.edition,
        "rules": book.rules,
        "sides": { "axis": book.sides.axis, "soviet": book.sides.soviet },
        "scenarios": scenarios,
        "options": options,
        "maps": maps,
        "actions": forms,
    }));
    Ok(())
}
