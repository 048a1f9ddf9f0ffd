//! Arithmetic on a line of hexes as one long number: bit `n` is the hex at position `n`.
//!
//! These are plain loops because everything stands on them: the closures of `array::from_fn` are not inlined in every build.

/// A line of hexes, 64 to a word, the lowest positions first.
pub(crate) type Row<const WORDS: usize> = [u64; WORDS];

#[inline(always)]
pub(crate) fn and<const W: usize>(mut a: Row<W>, b: Row<W>) -> Row<W> {
    for i in 0..W {
        a[i] &= b[i];
    }
    a
}

#[inline(always)]
pub(crate) fn or<const W: usize>(mut a: Row<W>, b: Row<W>) -> Row<W> {
    for i in 0..W {
        a[i] |= b[i];
    }
    a
}

#[inline(always)]
pub(crate) fn and_not<const W: usize>(mut a: Row<W>, b: Row<W>) -> Row<W> {
    for i in 0..W {
        a[i] &= !b[i];
    }
    a
}

#[inline(always)]
pub(crate) fn xor<const W: usize>(mut a: Row<W>, b: Row<W>) -> Row<W> {
    for i in 0..W {
        a[i] ^= b[i];
    }
    a
}

/// Every bit moved to a higher position.
#[inline(always)]
pub(crate) fn up<const W: usize>(row: Row<W>, by: usize) -> Row<W> {
    let (words, bits) = (by / 64, by % 64);
    let mut moved = [0; W];
    for from in 0..W.saturating_sub(words) {
        let below = if from > 0 { row[from - 1] } else { 0 };
        // In two steps, because a shift by all 64 bits is none.
        moved[from + words] = row[from] << bits | (below >> 1) >> (63 - bits);
    }
    moved
}

/// Every bit moved to a lower position.
#[inline(always)]
pub(crate) fn down<const W: usize>(row: Row<W>, by: usize) -> Row<W> {
    let (words, bits) = (by / 64, by % 64);
    let mut moved = [0; W];
    for i in 0..W.saturating_sub(words) {
        let above = if i + words + 1 < W { row[i + words + 1] } else { 0 };
        moved[i] = row[i + words] >> bits | (above << 1) << (63 - bits);
    }
    moved
}

/// The sum of two lines as long numbers; what is carried out at the end is lost.
#[inline(always)]
pub(crate) fn add<const W: usize>(a: Row<W>, b: Row<W>) -> Row<W> {
    let mut carry = false;
    let mut total = [0; W];
    for i in 0..W {
        let (sum, over) = a[i].overflowing_add(b[i]);
        let (sum, again) = sum.overflowing_add(u64::from(carry));
        carry = over | again;
        total[i] = sum;
    }
    total
}

#[inline(always)]
pub(crate) fn any<const W: usize>(row: Row<W>) -> bool {
    row.iter().any(|&word| word != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_carry_over_words() {
        for by in [0, 1, 7, 63, 64, 65, 127, 128, 150] {
            let row = [0x8000_0000_0000_0001, 0xF000_0000_0000_00FF, 3];
            let bit = |row: [u64; 3], n: usize| n < 192 && row[n / 64] >> (n % 64) & 1 == 1;
            for n in 0..192 {
                assert_eq!(bit(up(row, by), n), n >= by && bit(row, n - by), "{n} up by {by}");
                assert_eq!(bit(down(row, by), n), bit(row, n + by), "{n} down by {by}");
            }
        }
    }

    #[test]
    fn sums_carry_over_words() {
        assert_eq!(add([u64::MAX, u64::MAX, 0], [1, 0, 0]), [0, 0, 1]);
        assert_eq!(add([u64::MAX, u64::MAX], [u64::MAX, u64::MAX]), [u64::MAX - 1, u64::MAX]);
    }
}
