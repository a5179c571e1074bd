//! Reads whole numbers. JSON has one kind of number, so a whole one may be written `12` or `12.0`.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// The largest whole number, `2^53`, up to which all have distinct floats.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The whole number that a float is, if it is one.
pub(super) fn from_float(number: f64) -> Option<i128> {
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i128)
}

/// Reads a whole number, `12` or `12.0`.
pub(super) fn whole<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: TryFrom<i128>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_any(Whole(PhantomData))
}

/// Reads a whole number or `null`.
pub(super) fn whole_or_none<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: TryFrom<i128>,
    D: Deserializer<'de>,
{
    // `Option` needs a type that implements `Deserialize`, and `whole` is only a function.
    struct Read<T>(T);
    impl<'de, T: TryFrom<i128>> Deserialize<'de> for Read<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Read<T>, D::Error> {
            whole(deserializer).map(Read)
        }
    }
    Ok(Option::<Read<T>>::deserialize(deserializer)?.map(|read| read.0))
}

struct Whole<T>(PhantomData<T>);

impl<T: TryFrom<i128>> Whole<T> {
    fn convert<E: Error>(&self, number: i128) -> Result<T, E> {
        T::try_from(number).map_err(|_| E::custom(format!("{number} is out of range")))
    }
}

impl<T: TryFrom<i128>> Visitor<'_> for Whole<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        self.convert(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        self.convert(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        let whole = from_float(number);
        self.convert(
            whole.ok_or_else(|| E::invalid_value(Unexpected::Float(number), &"a whole number"))?,
        )
    }
}
