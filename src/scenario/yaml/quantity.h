// Quantities as text with units: "100Gbps", "1.5MB", "125.926us", "2.5GHz", "40km", "5%", "1/256".
//
// A quantity is a decimal number followed by a unit, without a space. It must be a whole number of the
// smallest unit (picoseconds, bytes, bits per second, hertz): nothing is rounded. Reading throws a
// ScenarioError at the node.
#pragma once

#include <string>

#include "scenario/yaml/node.h"
#include "sim/units.h"

namespace headroom {

// The value must lie in a range; proposals in errors lie in it, too. Units of time: ps, ns, us, ms, s; of
// rates: bps, Kbps, Mbps, Gbps, Tbps; of sizes: B, KB or kB, MB, GB, TB (powers of 1000), KiB, MiB, GiB, TiB.
Time ParseTime(const Node& node, Time least = Time(0), Time most = Time(INT64_MAX));
Rate ParseRate(const Node& node, Rate least = Rate(0), Rate most = Rate(INT64_MAX));
Bytes ParseSize(const Node& node, Bytes least = Bytes(0), Bytes most = Bytes(INT64_MAX));

/// A bare number, as in other tools' files, in units of "ns", "us", "ms" or "s". Errors quote the number as
/// in the file.
Time ParseBareTime(const Node& node, const std::string& unit);

int64_t ParseClock(const Node& node);  ///< Hz, kHz, MHz, GHz; in hertz
Time ParseLength(const Node& node);  ///< cm, m, km; the result is the delay of a cable of that length, 5 ns/m
double ParseFraction(const Node& node);  ///< "5%", "1/256" or a plain number; not negative

/// Whether the text reads as a size.
bool LooksLikeSize(const std::string& text);

/// In the largest unit that gives a whole number; reading it back gives the same quantity.
std::string FormatTime(Time time);
std::string FormatRate(Rate rate);
std::string FormatSize(Bytes size);
std::string FormatClock(int64_t hertz);
/// The shortest text that reads back as the same number.
std::string FormatNumber(double number);

}  // namespace headroom
