mod matching;
mod parse;
mod round_trip;
