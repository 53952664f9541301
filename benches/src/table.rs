//! Medians, spread and ratios, as a table.

use crate::program::{LIMIT, OURS};
use crate::scenario::{Sample, Scenario, Target};

/// What the rounds have brought for one program.
#[derive(Debug)]
pub struct Row {
    pub name: &'static str,
    pub samples: Vec<Sample>,
    /// Why there are no more.
    pub failure: Option<String>,
}

impl Row {
    pub fn median(&self) -> Option<f64> {
        median(self.samples.iter().map(|sample| sample.value))
    }
}

/// The middle one; the mean of the two in the middle when their number is even.
pub fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.get(values.len().checked_sub(1)? / 2)?, values.get(values.len() / 2)?);
    Some(f64::midpoint(*low, *high))
}

/// Prints one scenario. False when ours misses its target.
pub fn print(scenario: &Scenario, rows: &[Row]) -> bool {
    let of = |name: &str| rows.iter().find(|row| row.name == name).and_then(Row::median);
    let (limit, ours) = (of(LIMIT), of(OURS));
    println!(
        "\n{}, {} (median, min..max of {} runs)",
        scenario.title,
        scenario.unit,
        rows.iter().map(|row| row.samples.len()).max().unwrap_or(0)
    );
    for row in rows {
        let Some(middle) = row.median() else {
            println!("  {:<24} {}", row.name, row.failure.as_deref().unwrap_or("-"));
            continue;
        };
        let values = row.samples.iter().map(|sample| sample.value);
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        let times = |other: Option<f64>| match other {
            Some(other) if other > 0.0 => format!("{:>7.2} ×", middle / other),
            _ => "      -  ".to_owned(),
        };
        let wall = median(row.samples.iter().filter_map(|sample| sample.wall_micros))
            .map_or(String::new(), |wall| format!("{wall:>12.2} µs wall"));
        let spread = format!("({low:.2}..{high:.2})");
        println!("  {:<24} {middle:>10.2} {spread:<22} {} limit {} ours {wall}", row.name, times(limit), times(ours));
    }
    verdict(scenario.target, limit, ours, rows)
}

/// The most that ours may be, where that follows from the target.
pub fn bound(target: Target, limit: Option<f64>) -> Option<f64> {
    match (target, limit) {
        (Target::AtMost(most), _) => Some(most),
        (Target::TimesLimit(factor), Some(limit)) => Some(limit * factor),
        (Target::LimitPlus(more), Some(limit)) => Some(limit + more),
        _ => None,
    }
}

fn verdict(target: Target, limit: Option<f64>, ours: Option<f64>, rows: &[Row]) -> bool {
    let text = match target {
        Target::AtMost(most) => format!("at most {most}"),
        Target::TimesLimit(factor) => format!("at most {factor} times the limit"),
        Target::LimitPlus(more) => format!("at most {more} more than the limit"),
        Target::Even(percent) => {
            let medians: Vec<_> = rows.iter().filter_map(Row::median).collect();
            if medians.len() < 2 {
                return true;
            }
            let (low, high) =
                medians.iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
            let apart = (high / low - 1.0) * 100.0;
            println!("  target: within {percent} % of each other; they are {apart:.1} % apart");
            return apart <= percent;
        }
        Target::None => return true,
    };
    let (Some(ours), Some(bound)) = (ours, bound(target, limit)) else { return true };
    let is_met = ours <= bound;
    println!("  target: {text} ({bound:.2}): {}", if is_met { "met" } else { "MISSED" });
    is_met
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_middle_or_between_the_middle_two() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), Some(2.5));
        assert_eq!(median([].into_iter()), None);
    }
}
