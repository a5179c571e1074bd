//! Binomial coefficients, by which `pools` and `layout` count the ways to place cards.
//!
//! They are floating-point numbers, as layouts multiply many of them and only ratios are used.

/// Coefficients of numbers below this are looked up, larger ones computed.
const TABLE: usize = 32;

/// Pascal's triangle; exact, as every entry is below 2^53.
static BINOMIALS: [[f64; TABLE]; TABLE] = {
    let mut rows = [[0.0; TABLE]; TABLE];
    let mut n = 0;
    while n < TABLE {
        rows[n][0] = 1.0;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
};

/// The number of ways to choose `k` of `n` cards.
pub(super) fn choose(n: u8, k: u8) -> f64 {
    // The table has 0 wherever `k` exceeds `n`.
    let (n, k) = (usize::from(n), usize::from(k));
    if n < TABLE && k < TABLE {
        return BINOMIALS[n][k];
    }
    // C(n, k) = Π (n - i) / (i + 1) over i < k. If `k` exceeds `n` the factor of i = n is 0.
    (0..k).fold(1.0, |ways, i| ways * (n as f64 - i as f64) / (i + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn binomials() {
        assert_eq!(choose(0, 0), 1.0);
        assert_eq!(choose(5, 2), 10.0);
        assert_eq!(choose(2, 3), 0.0);
        assert_eq!(choose(31, 15), 300_540_195.0);
        assert_eq!(choose(40, 2), 780.0);
        assert_eq!(choose(40, 41), 0.0);
        // More than the table's rows have entries for.
        assert_eq!((choose(5, 32), choose(5, 33)), (0.0, 0.0));
    }
}
