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
  int64_t value = 0;  ///< bytes, or per cent
  bool percent = false;
  bool given = false;
  Position where{};
};

/// A number with a unit: with a base of 1024 k, kb and ki are 1024 and kib is 1000; with one of 1000 k and kb
/// are 1000 and kib is 1024. Throws a ScenarioError, as all below.
int64_t ParseFioNumber(const Text& value, int kb_base);
int64_t ParseFioNumber(const Text& value, int kb_base, int64_t least, int64_t most);
Amount ParseFioAmount(const Text& value, int kb_base);
/// In microseconds; `bare` are those of a number without a unit.
int64_t ParseFioTime(const Text& value, int64_t bare);
/// 0 or 1; without a value 1.
bool ParseFioFlag(const Line& line);
double ParseFioDecimal(const Text& value, double least, double most);
/// The place of the value among `words`. fio counts leading blanks as part of a word.
size_t ParseFioWord(const Text& value, const std::vector<std::string>& words);

/// At each `separator`.
std::vector<Text> Split(const Text& value, char separator);
/// Of `reads,writes`; a single value is for both, an empty one for neither. A third is of trims.
std::array<Text, 2> SplitSides(const Text& value);

}  // namespace headroom::fio
