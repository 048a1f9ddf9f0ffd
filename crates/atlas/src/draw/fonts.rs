//! The fonts of the drawing, and how wide text is in them.

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// A font that the program carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Font {
    /// Names of towns.
    Serif,
    /// Names of waters.
    Italic,
    /// Names of cities, and titles.
    Bold,
    /// Numbers.
    Sans,
}

impl Font {
    pub(crate) const ALL: [Font; 4] = [Font::Serif, Font::Italic, Font::Bold, Font::Sans];

    /// The font file.
    pub(crate) fn bytes(self) -> &'static [u8] {
        match self {
            Font::Serif => include_bytes!("../../fonts/serif.ttf"),
            Font::Italic => include_bytes!("../../fonts/serif-italic.ttf"),
            Font::Bold => include_bytes!("../../fonts/serif-bold.ttf"),
            Font::Sans => include_bytes!("../../fonts/sans.ttf"),
        }
    }

    /// The class of text in this font; the style sheet of the drawing explains it.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Font::Serif => "t",
            Font::Italic => "i",
            Font::Bold => "b",
            Font::Sans => "n",
        }
    }

    /// Family, weight and style, in the words of CSS.
    pub(crate) fn css(self) -> &'static str {
        match self {
            Font::Serif => "font-family:'Grognard Serif';font-weight:400;font-style:normal",
            Font::Italic => "font-family:'Grognard Serif';font-weight:400;font-style:italic",
            Font::Bold => "font-family:'Grognard Serif';font-weight:700;font-style:normal",
            Font::Sans => "font-family:'Grognard Sans';font-weight:400;font-style:normal",
        }
    }

    /// How wide a text is at a size.
    pub(crate) fn width(self, text: &str, size: f64) -> f64 {
        let Ok(font) = FontRef::new(self.bytes()) else { return 0.5 * size * text.chars().count() as f64 };
        let metrics = font.glyph_metrics(Size::new(size as f32), LocationRef::default());
        let advance = |c: char| font.charmap().map(c).and_then(|glyph| metrics.advance_width(glyph));
        text.chars().map(|c| advance(c).map_or(size / 2.0, f64::from)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_font_can_be_read_and_has_the_letters_of_our_maps() {
        for font in Font::ALL {
            let read = FontRef::new(font.bytes()).unwrap();
            for c in "0123456789 AZazÄÖÜäöüßŁłŚśŻżóęąćńČčĞğ-'()".chars() {
                assert!(read.charmap().map(c).is_some(), "{font:?} has no {c}");
            }
        }
    }

    #[test]
    fn text_grows_with_its_length_and_size() {
        assert!(Font::Serif.width("Minsk", 10.0) < Font::Serif.width("Minsk area", 10.0));
        let (one, two) = (Font::Serif.width("Minsk", 10.0), Font::Serif.width("Minsk", 20.0));
        assert!((two / one - 2.0).abs() < 0.01);
    }
}
