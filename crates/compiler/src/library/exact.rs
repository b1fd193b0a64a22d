//! Functions of known integers, without a limit of 64 bits.

use crate::arith::number::beyond_128_bits;
use crate::diagnostic::Refusal;

/// The result of a function of `math`; `None` where CPython raises.
pub(crate) fn of(name: &str, values: &[i128]) -> Option<Result<i128, Refusal>> {
    let exact = match (name, values) {
        ("isqrt" | "factorial", [v]) if *v < 0 => return None,
        ("isqrt", [v]) => Some(v.isqrt()),
        ("factorial", [v]) => (1..=*v).try_fold(1i128, i128::checked_mul),
        ("gcd", _) => signed(values.iter().fold(0, |so_far, v| gcd(so_far, v.unsigned_abs()))),
        ("lcm", _) => values.iter().try_fold(1, |so_far, v| lcm(so_far, v.unsigned_abs())).and_then(signed),
        _ => return None,
    };
    Some(exact.ok_or_else(beyond_128_bits))
}

fn signed(v: u128) -> Option<i128> {
    i128::try_from(v).ok()
}

fn gcd(x: u128, y: u128) -> u128 {
    if y == 0 { x } else { gcd(y, x % y) }
}

fn lcm(x: u128, y: u128) -> Option<u128> {
    if x == 0 || y == 0 { Some(0) } else { (x / gcd(x, y)).checked_mul(y) }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn results_are_those_of_python() {
        let exact = |name: &str, values: &[i128]| of(name, values).and_then(Result::ok);
        assert_eq!(exact("gcd", &[1 << 70, -(1 << 69)]), Some(1 << 69));
        assert_eq!(exact("gcd", &[]), Some(0));
        assert_eq!(exact("lcm", &[]), Some(1));
        assert_eq!(exact("lcm", &[1 << 70, 3]), Some(3 << 70));
        assert_eq!(exact("lcm", &[1 << 70, 0, 3]), Some(0));
        assert_eq!(exact("isqrt", &[100_000_000_000_000_000_000]), Some(10_000_000_000));
        assert_eq!(exact("factorial", &[25]), Some(15_511_210_043_330_985_984_000_000));
        assert!(matches!(of("factorial", &[34]), Some(Err(_))));
        assert!(of("isqrt", &[-1]).is_none());
    }
}
