//! Games, turns and combats as tables: Parquet for programs, CSV for everything else.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use engine::Seed;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::store::{End, Head, Played, Row, Standing};

/// The values of a column; some may be missing.
enum Values {
    Text(Vec<Option<String>>),
    Whole(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
}

/// A table, by columns.
#[derive(Default)]
struct Table {
    columns: Vec<(&'static str, Values)>,
}

impl Table {
    fn text<T>(&mut self, name: &'static str, rows: &[T], value: impl Fn(&T) -> Option<String>) {
        self.columns.push((name, Values::Text(rows.iter().map(value).collect())));
    }

    fn whole<T>(&mut self, name: &'static str, rows: &[T], value: impl Fn(&T) -> Option<i64>) {
        self.columns.push((name, Values::Whole(rows.iter().map(value).collect())));
    }

    fn real<T>(&mut self, name: &'static str, rows: &[T], value: impl Fn(&T) -> Option<f64>) {
        self.columns.push((name, Values::Real(rows.iter().map(value).collect())));
    }

    /// What every row of every table begins with: which game it is of.
    fn identify<T>(&mut self, head: &Head, rows: &[T], game: impl Fn(&T) -> &Row) {
        let cell = |row: &T| &head.cells[game(row).cell];
        self.text("arm", rows, |row| Some(cell(row).arm.clone()));
        self.text("scenario", rows, |row| Some(cell(row).scenario.clone()));
        self.text("axis", rows, |row| Some(cell(row).axis.clone()));
        self.text("soviet", rows, |row| Some(cell(row).soviet.clone()));
        self.whole("game", rows, |row| Some(game(row).game as i64));
    }

    fn csv(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        let mut out = names.join(",") + "\n";
        let rows = self.columns.first().map_or(0, |(_, values)| values.len());
        for row in 0..rows {
            let line: Vec<String> = self.columns.iter().map(|(_, values)| values.csv(row)).collect();
            let _ = writeln!(out, "{}", line.join(","));
        }
        out
    }

    fn parquet(&self) -> Result<Vec<u8>, ParquetError> {
        let field = |(name, values): &(&'static str, Values)| -> Result<Arc<Type>, ParquetError> {
            let (physical, logical) = match values {
                Values::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
                Values::Whole(_) => (Physical::INT64, None),
                Values::Real(_) => (Physical::DOUBLE, None),
            };
            let builder = Type::primitive_type_builder(name, physical);
            let field = builder.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build()?;
            Ok(Arc::new(field))
        };
        let fields: Result<Vec<Arc<Type>>, ParquetError> = self.columns.iter().map(field).collect();
        let schema = Arc::new(Type::group_type_builder("grognard").with_fields(fields?).build()?);
        let mut bytes = Vec::new();
        let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::default()))?;
        let mut group = file.next_row_group()?;
        for (_, values) in &self.columns {
            let Some(mut column) = group.next_column()? else { break };
            let levels = values.levels();
            match values {
                Values::Text(values) => {
                    let values: Vec<ByteArray> =
                        values.iter().flatten().map(|text| ByteArray::from(text.as_str())).collect();
                    column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
                }
                Values::Whole(values) => {
                    let values: Vec<i64> = values.iter().flatten().copied().collect();
                    column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
                }
                Values::Real(values) => {
                    let values: Vec<f64> = values.iter().flatten().copied().collect();
                    column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
                }
            }
            column.close()?;
        }
        group.close()?;
        file.close()?;
        Ok(bytes)
    }

    fn write(&self, folder: &Path, name: &str) -> Result<(), String> {
        put(&folder.join(format!("{name}.csv")), self.csv().as_bytes())?;
        let bytes = self.parquet().map_err(|error| format!("{name}.parquet: {error}"))?;
        put(&folder.join(format!("{name}.parquet")), &bytes)
    }
}

impl Values {
    fn len(&self) -> usize {
        self.levels().len()
    }

    /// 1 where there is a value, 0 where it is missing.
    fn levels(&self) -> Vec<i16> {
        match self {
            Values::Text(values) => values.iter().map(|value| i16::from(value.is_some())).collect(),
            Values::Whole(values) => values.iter().map(|value| i16::from(value.is_some())).collect(),
            Values::Real(values) => values.iter().map(|value| i16::from(value.is_some())).collect(),
        }
    }

    fn csv(&self, row: usize) -> String {
        match self {
            Values::Text(values) => values[row].as_deref().map(quoted).unwrap_or_default(),
            Values::Whole(values) => values[row].map(|value| value.to_string()).unwrap_or_default(),
            Values::Real(values) => values[row].map(|value| value.to_string()).unwrap_or_default(),
        }
    }
}

/// A value of a CSV file: quoted where it must be (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Writes a file whole or not at all.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let beside = path.with_extension("part");
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes the tables of a run into its folder.
pub(crate) fn write_all(folder: &Path, head: &Head, rows: &[Row]) -> Result<(), String> {
    games(head, rows).write(folder, "games")?;
    let played: Vec<(&Row, &Played)> = rows
        .iter()
        .filter_map(|row| match &row.end {
            End::Played(played) => Some((row, played)),
            End::Fault(_) => None,
        })
        .collect();
    turns(head, &played).write(folder, "turns")?;
    if head.combats {
        combats(head, &played).write(folder, "combats")?;
    }
    Ok(())
}

fn games(head: &Head, rows: &[Row]) -> Table {
    let mut table = Table::default();
    table.identify(head, rows, |row| row);
    table.text("options", rows, |row| Some(head.cells[row.cell].options.join(" ")));
    table.text("seed", rows, |row| Some(Seed(format!("{}-{}", head.seed, row.game)).to_string()));
    let played = |row: &Row| match &row.end {
        End::Played(played) => Some(played.clone()),
        End::Fault(_) => None,
    };
    let ends: Vec<Option<Played>> = rows.iter().map(played).collect();
    let last = |played: &Played| played.by_turn.last().cloned();
    let of = |end: &Option<Played>, value: &dyn Fn(&Played) -> i64| end.as_ref().map(value);
    let at_last = |end: &Option<Played>, value: &dyn Fn(&Standing) -> i64| {
        end.as_ref().and_then(last).as_ref().map(value)
    };
    table.text("winner", &ends, |end| {
        end.as_ref().map(|played| played.winner.clone().unwrap_or_else(|| "nobody".to_owned()))
    });
    table.text("reason", &ends, |end| end.as_ref().map(|played| played.reason.clone()));
    table.whole("axis_points", &ends, |end| of(end, &|played| i64::from(played.points[0])));
    table.whole("soviet_points", &ends, |end| of(end, &|played| i64::from(played.points[1])));
    table.whole("turns", &ends, |end| of(end, &|played| i64::from(played.turns)));
    table.whole("decisions", &ends, |end| of(end, &|played| played.decisions as i64));
    table.whole("axis_losses", &ends, |end| at_last(end, &|last| i64::from(last.losses[0])));
    table.whole("soviet_losses", &ends, |end| at_last(end, &|last| i64::from(last.losses[1])));
    table.whole("axis_places", &ends, |end| at_last(end, &|last| i64::from(last.places[0])));
    table.whole("soviet_places", &ends, |end| at_last(end, &|last| i64::from(last.places[1])));
    table.real("front", &ends, |end| end.as_ref().and_then(last).map(|last| last.front));
    table.real("axis_seconds", &ends, |end| end.as_ref().map(|played| played.seconds[0]));
    table.real("soviet_seconds", &ends, |end| end.as_ref().map(|played| played.seconds[1]));
    table.real("axis_longest", &ends, |end| end.as_ref().map(|played| played.longest[0]));
    table.real("soviet_longest", &ends, |end| end.as_ref().map(|played| played.longest[1]));
    table.text("error", rows, |row| match &row.end {
        End::Played(_) => None,
        End::Fault(fault) => Some(fault.clone()),
    });
    table
}

fn turns(head: &Head, played: &[(&Row, &Played)]) -> Table {
    let lines: Vec<(&Row, &Standing)> = played
        .iter()
        .flat_map(|(row, played)| played.by_turn.iter().map(move |standing| (*row, standing)))
        .collect();
    let mut table = Table::default();
    table.identify(head, &lines, |(row, _)| row);
    table.whole("turn", &lines, |(_, line)| Some(i64::from(line.turn)));
    table.whole("axis_losses", &lines, |(_, line)| Some(i64::from(line.losses[0])));
    table.whole("soviet_losses", &lines, |(_, line)| Some(i64::from(line.losses[1])));
    table.whole("axis_places", &lines, |(_, line)| Some(i64::from(line.places[0])));
    table.whole("soviet_places", &lines, |(_, line)| Some(i64::from(line.places[1])));
    table.whole("axis_points", &lines, |(_, line)| Some(i64::from(line.points[0])));
    table.whole("soviet_points", &lines, |(_, line)| Some(i64::from(line.points[1])));
    table.real("front", &lines, |(_, line)| Some(line.front));
    table
}

fn combats(head: &Head, played: &[(&Row, &Played)]) -> Table {
    let fights: Vec<_> = played
        .iter()
        .flat_map(|(row, played)| played.combats.iter().map(move |fight| (*row, fight)))
        .collect();
    let mut table = Table::default();
    table.identify(head, &fights, |(row, _)| row);
    table.whole("turn", &fights, |(_, fight)| Some(i64::from(fight.turn)));
    table.text("attacker", &fights, |(_, fight)| Some(fight.attacker.clone()));
    table.text("hex", &fights, |(_, fight)| Some(fight.hex.clone()));
    table.text("column", &fights, |(_, fight)| Some(fight.column.clone()));
    table.text("result", &fights, |(_, fight)| Some(fight.result.clone()));
    table
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    fn table() -> Table {
        let rows = [
            (Some("plain"), Some(1), Some(0.5)),
            (Some("a \"b\", c\nd"), None, None),
            (None, Some(-3), None),
        ];
        let mut table = Table::default();
        table.text("text", &rows, |row| row.0.map(str::to_owned));
        table.whole("whole", &rows, |row| row.1);
        table.real("real", &rows, |row| row.2);
        table
    }

    #[test]
    fn csv_is_quoted_where_it_must_be() {
        assert_eq!(table().csv(), "text,whole,real\nplain,1,0.5\n\"a \"\"b\"\", c\nd\",,\n,-3,\n");
    }

    #[test]
    fn parquet_reads_back() {
        let path = std::env::temp_dir().join(format!("grognard-parquet-{}", std::process::id()));
        std::fs::write(&path, table().parquet().unwrap()).unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let rows: Vec<Vec<Field>> = reader
            .get_row_iter(None)
            .unwrap()
            .map(|row| row.unwrap().get_column_iter().map(|(_, field)| field.clone()).collect())
            .collect();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(rows[0], [Field::Str("plain".into()), Field::Long(1), Field::Double(0.5)]);
        assert_eq!(rows[1], [Field::Str("a \"b\", c\nd".into()), Field::Null, Field::Null]);
        assert_eq!(rows[2], [Field::Null, Field::Long(-3), Field::Null]);
    }
}
