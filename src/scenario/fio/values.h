// Values of a fio job file, with fio's units (parse.c).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scenario/fio/job_file.h"

namespace headroom::fio {

/// Bytes, or a share of the disk.
struct Amount {
  int64_t value = 0;  ///< in bytes, or in per cent
  bool percent = false;
  bool given = false;
  Position where{};
};

/// Parses a number with a unit. With a base of 1024, k, kb and ki are 1024 and kib is 1000; with a base of
/// 1000, k and kb are 1000 and kib is 1024. Throws a ScenarioError, as do all functions below.
int64_t ParseFioNumber(const Text& value, int kb_base);
int64_t ParseFioNumber(const Text& value, int kb_base, int64_t least, int64_t most);
Amount ParseFioAmount(const Text& value, int kb_base);
/// Parses a time in microseconds; `bare` is the unit of a number without a unit.
int64_t ParseFioTime(const Text& value, int64_t bare);
/// Returns 0 or 1; 1 without a value.
bool ParseFioFlag(const Line& line);
double ParseFioDecimal(const Text& value, double least, double most);
/// The index of the value in `words`. fio counts leading blanks as part of a word.
size_t ParseFioWord(const Text& value, const std::vector<std::string>& words);

/// Splits the value at each `separator`.
std::vector<Text> Split(const Text& value, char separator);
/// Splits `reads,writes`; a single value applies to both, an empty one to neither. A third part concerns
/// trims.
std::array<Text, 2> SplitSides(const Text& value);

}  // namespace headroom::fio
