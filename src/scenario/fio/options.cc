#include "scenario/fio/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "scenario/fio/other_options.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/node.h"

namespace headroom::fio {

namespace {

constexpr int64_t kMostIoBytes = int64_t{1} << 30;
constexpr int64_t kMostFioRate = 1'000'000'000'000;
constexpr int64_t kSecondUs = 1'000'000;

using Apply = std::function<void(const Line&, Reader&)>;

int64_t BlockOf(const Text& text, const Reader& reader) {
  return ParseFioNumber(text, reader.kb_base, 1, kMostIoBytes);
}

/// rw=KIND, for random kinds possibly followed by :N, for sequential ones by :HOLE, which may be negative.
void ApplyRw(const Line& line, Reader& reader) {
  const std::vector<Text> parts = Split(line.value, ':');
  const std::string& kind = parts[0].text;
  if (kind.find("trim") != std::string::npos)
    throw ScenarioError(line.value.where, Quote(kind) + " is not supported",
                        "a simulated disk does not support trims");
  const size_t chosen =
      ParseFioWord(parts[0], {"read", "write", "rw", "readwrite", "randread", "randwrite", "randrw"});
  const bool random = kind.starts_with("rand");
  IoJob& job = reader.written.job;
  job.addresses.order = random ? IoAddresses::Order::uniform : IoAddresses::Order::sequential;
  const bool mixed = kind.ends_with("rw") || chosen == 3;
  reader.written.direction = mixed                    ? WrittenJob::Direction::both
                             : kind.ends_with("read") ? WrittenJob::Direction::reads
                                                      : WrittenJob::Direction::writes;
  job.addresses.run = 1;
  job.addresses.hole = Bytes(0);
  if (parts.size() == 1) return;
  if (random) {
    job.addresses.run = static_cast<int>(ParseFioNumber(parts[1], reader.kb_base, 1, 1'000'000'000));
  } else {
    Text hole = parts[1];
    const bool back = hole.text.starts_with('-');
    if (back) hole.text.erase(0, 1);
    job.addresses.hole = Bytes(ParseFioNumber(hole, reader.kb_base) * (back ? -1 : 1));
  }
}

void ApplyBs(const Line& line, Reader& reader) {
  const auto sides = SplitSides(line.value);
  for (size_t i = 0; i < 2; ++i) {
    if (sides[i].text.empty()) continue;
    IoJobSide& side = reader.written.job.sides[i];
    side.least = side.most = Bytes(BlockOf(sides[i], reader));
    side.split.clear();
  }
}

void ApplyBsRange(const Line& line, Reader& reader) {
  const auto sides = SplitSides(line.value);
  for (size_t i = 0; i < 2; ++i) {
    if (sides[i].text.empty()) continue;
    std::vector<Text> ends = Split(sides[i], '-');
    if (ends.size() == 1) ends = Split(sides[i], ':');
    if (ends.size() != 2)
      throw ScenarioError(sides[i].where, Quote(sides[i].text) + " is not a range",
                          "give a range such as 4k-64k");
    IoJobSide& side = reader.written.job.sides[i];
    const auto [least, most] = std::minmax({BlockOf(ends[0], reader), BlockOf(ends[1], reader)});
    side.least = Bytes(least);
    side.most = Bytes(most);
    side.split.clear();
  }
}

/// Entries size/per cent:… Entries with a blank percentage share the rest. Source: options.c, bssplit_ddir.
void ApplySplit(const Text& text, IoJobSide& side, const Reader& reader) {
  constexpr size_t kMostSizes = 64;
  struct Part {
    int64_t bytes, share;
  };
  std::vector<Part> parts;
  int64_t given = 0, blank = 0;
  for (const Text& part : Split(text, ':')) {
    if (part.text.empty()) break;
    const std::vector<Text> words = Split(part, '/');
    if (words.size() > 2)
      throw ScenarioError(words[2].where, "a second percentage", "give each entry as SIZE/PERCENTAGE");
    int64_t share = -1;
    if (words.size() == 2 && !words[1].text.empty()) share = ParseFioNumber(words[1], reader.kb_base, 0, 100);
    if (share <= 0) share = -1;  // to fio, 0 is a blank
    share < 0 ? ++blank : given += share;
    parts.push_back({BlockOf(words[0], reader), share});
    if (parts.size() > kMostSizes) throw ScenarioError(part.where, "more than 64 sizes", "allowed: up to 64");
  }
  // fio would silently shorten the most frequent sizes.
  if (given > 100)
    throw ScenarioError(text.where, fmt::format("the sum of the percentages is {}", given),
                        "allowed: a sum up to 100");
  const int64_t each = blank > 0 ? (100 - given) / blank : 0;
  for (Part& part : parts)
    if (part.share < 0) part.share = parts.size() == 1 ? 100 : each;
  side.least = side.most = Bytes(parts.front().bytes);
  for (const Part& part : parts) {
    side.least = std::min(side.least, Bytes(part.bytes));
    side.most = std::max(side.most, Bytes(part.bytes));
  }
  // The most frequent size gets the missing share.
  std::ranges::stable_sort(parts, {}, &Part::share);
  side.split.clear();
  int64_t left = 100;
  for (size_t i = 0; i < parts.size(); ++i) {
    const int64_t share = i + 1 == parts.size() ? left : parts[i].share;
    if (share > 0) side.split.push_back({Bytes(parts[i].bytes), static_cast<double>(share) / 100});
    left -= share;
  }
}

void ApplyBsSplit(const Line& line, Reader& reader) {
  const auto sides = SplitSides(line.value);
  for (size_t i = 0; i < 2; ++i) {
    if (!sides[i].text.empty()) ApplySplit(sides[i], reader.written.job.sides[i], reader);
  }
}

/// Entries per cent/per cent of the disk, or per cent/bytes, each zone behind the previous one. A zone
/// without a share of the disk gets the rest. Source: options.c, zone_split_ddir.
std::vector<IoZone> ZonesOf(const Text& text, bool in_bytes, const Reader& reader) {
  std::vector<IoZone> zones;
  int64_t ios = 0, space = 0, blank = 0;
  for (const Text& part : Split(text, ':')) {
    if (part.text.empty()) break;
    const std::vector<Text> words = Split(part, '/');
    const bool given = words.size() > 1 && !words[1].text.empty();
    if (words.size() > 2 || words[0].text.empty() || (in_bytes && !given))
      throw ScenarioError(part.where, Quote(part.text) + " is not a zone",
                          in_bytes ? "give each zone as PERCENTAGE/BYTES"
                                   : "give each zone as PERCENTAGE/PERCENTAGE, or as PERCENTAGE/ for a "
                                     "share of the rest of the disk");
    const int64_t share = ParseFioNumber(words[0], reader.kb_base, 1, 100);
    // To fio, 0 % is a blank.
    const int64_t of_disk = in_bytes ? ParseFioNumber(words[1], reader.kb_base)
                            : given  ? ParseFioNumber(words[1], reader.kb_base, 0, 100)
                                     : 0;
    blank += of_disk == 0 ? 1 : 0;
    zones.push_back({static_cast<double>(share) / 100, static_cast<double>(of_disk) / (in_bytes ? 1 : 100)});
    ios += share;
    space += of_disk;
  }
  if (ios != 100)
    throw ScenarioError(text.where, fmt::format("the zones have {}% of the I/Os together", ios),
                        "100% together");
  if (in_bytes) return zones;
  if (space > 100)
    throw ScenarioError(text.where, fmt::format("the zones cover {}% of the disk", space),
                        "allowed: up to 100% together");
  if (blank > 0 && (100 - space) / blank == 0)
    throw ScenarioError(text.where,
                        fmt::format("zones with a percentage cover {}% of the disk, so nothing is left "
                                    "for the {} without one",
                                    space, blank),
                        "give percentages that leave 1% for each of these");
  for (IoZone& zone : zones)
    if (zone.space == 0) zone.space = static_cast<double>((100 - space) / blank) / 100;
  return zones;
}

void ApplyDistribution(const Line& line, Reader& reader) {
  const std::vector<Text> parts = Split(line.value, ':');
  const size_t chosen = ParseFioWord(parts[0], {"random", "zipf", "pareto", "normal", "zoned", "zoned_abs"});
  IoAddresses& a = reader.written.job.addresses;
  using enum IoAddresses::Order;
  constexpr IoAddresses::Order kOrders[] = {uniform, zipf, pareto, normal, zones, zones};
  reader.written.distribution = kOrders[chosen];
  a.centre.reset();
  if (chosen >= 4) {
    Text text = line.value;
    const size_t begin = parts[0].text.size() + 1;
    if (parts.size() < 2) throw ScenarioError(text.where, "zones are missing", "zoned:60/10:40/90");
    text.text.erase(0, begin);
    text.where.column += static_cast<int>(begin);
    const auto sides = SplitSides(text);
    reader.written.zones_in_bytes = chosen == 5;
    reader.written.zones_where = text.where;
    a.read_zones = ZonesOf(sides[0], chosen == 5, reader);
    a.write_zones = ZonesOf(sides[1], chosen == 5, reader);
    return;
  }
  if (chosen == 0) {
    if (parts.size() > 1) throw ScenarioError(parts[1].where, "random takes no parameter");
    return;
  }
  constexpr double kLeast = 1e-6;
  const double standard[] = {0, 1.1, 0.2, 0};
  const double most[] = {0, 100, 1 - kLeast, 100 - kLeast};
  a.parameter =
      parts.size() > 1 ? ParseFioDecimal(parts[1], chosen == 3 ? 0 : kLeast, most[chosen]) : standard[chosen];
  if (chosen == 1 && a.parameter == 1)
    throw ScenarioError(parts[1].where, "theta of zipf must differ from 1", "zipf:0.99 or zipf:1.01");
  if (chosen == 3) a.parameter /= 100;
  if (parts.size() > 2) a.centre = ParseFioDecimal(parts[2], 0, 1);
  if (parts.size() > 3) throw ScenarioError(parts[3].where, "a third parameter");
}

void ApplyRates(const Line& line, Reader& reader, bool bytes) {
  const auto sides = SplitSides(line.value);
  for (size_t i = 0; i < 2; ++i) {
    IoJobSide& side = reader.written.job.sides[i];
    const int64_t rate =
        sides[i].text.empty() ? 0 : ParseFioNumber(sides[i], reader.kb_base, 0, kMostFioRate);
    if (bytes) {
      side.rate = Bytes(rate);
    } else {
      side.rate_iops = rate;
    }
  }
}

void ApplyRandomShare(const Line& line, Reader& reader) {
  const auto sides = SplitSides(line.value);
  IoAddresses& a = reader.written.job.addresses;
  for (size_t i = 0; i < 2; ++i) {
    if (!sides[i].text.empty())
      (i == 0 ? a.random_reads : a.random_writes) =
          static_cast<int>(ParseFioNumber(sides[i], reader.kb_base, 0, 100));
  }
}

void ApplyDelay(const Line& line, Reader& reader) {
  std::vector<Text> ends = Split(line.value, ',');
  if (ends.size() == 1) ends = Split(line.value, '-');
  if (ends.size() > 2) throw ScenarioError(ends[2].where, "a third time", "give a time, or a range FROM-TO");
  auto& delay = reader.written.delay_us;
  delay[0] = ParseFioTime(ends[0], kSecondUs);
  delay[1] = ends.size() == 1 ? delay[0] : ParseFioTime(ends[1], kSecondUs);
  if (delay[1] < delay[0]) std::swap(delay[0], delay[1]);
}

/// For a whole number.
template <class F>
Apply Whole(F field, int64_t least, int64_t most) {
  return [=](const Line& line, Reader& reader) {
    auto& value = field(reader.written);
    value = static_cast<std::remove_reference_t<decltype(value)>>(
        ParseFioNumber(line.value, reader.kb_base, least, most));
  };
}
template <class F>
Apply Flag(F field) {
  return [=](const Line& line, Reader& reader) { field(reader.written) = ParseFioFlag(line); };
}
/// For a time in microseconds, the unit of bare numbers.
template <class F>
Apply Microtime(F field, int64_t bare) {
  return [=](const Line& line, Reader& reader) { field(reader.written) = ParseFioTime(line.value, bare); };
}
template <class F>
Apply Region(F field) {
  return [=](const Line& line, Reader& reader) {
    field(reader.written) = ParseFioAmount(line.value, reader.kb_base);
  };
}

constexpr int64_t kMany = 1'000'000'000'000;

/// Options for the direction and amount of data.
std::map<std::string, Apply> OptionsOfData() {
  using W = WrittenJob;
  return {
      {"rw", ApplyRw},
      {"rwmixread", Whole([](W& w) -> int& { return w.read_share; }, 0, 100)},
      {"rwmixwrite",
       [](const Line& line, Reader& reader) {
         reader.written.read_share =
             100 - static_cast<int>(ParseFioNumber(line.value, reader.kb_base, 0, 100));
       }},
      {"bs", ApplyBs},
      {"bsrange", ApplyBsRange},
      {"bssplit", ApplyBsSplit},
      {"bs_unaligned", Flag([](W& w) -> bool& { return w.job.unaligned; })},
      {"size", Region([](W& w) -> Amount& { return w.size; })},
      {"io_size", Region([](W& w) -> Amount& { return w.io_size; })},
      {"offset", Region([](W& w) -> Amount& { return w.offset; })},
      {"offset_increment", Region([](W& w) -> Amount& { return w.increment; })},
      {"number_ios", Whole([](W& w) -> int64_t& { return w.job.number_ios; }, 0, kMany)},
      {"loops", Whole([](W& w) -> int64_t& { return w.loops; }, 1, 1'000'000)},
      {"random_distribution", ApplyDistribution},
      {"percentage_random", ApplyRandomShare},
      {"norandommap", Flag([](W& w) -> bool& { return w.no_map; })},
      {"rw_sequencer",
       [](const Line& line, Reader& reader) {
         reader.written.job.addresses.repeated = ParseFioWord(line.value, {"sequential", "identical"}) == 1;
       }},
  };
}

/// Options for the times, and for the number of open I/Os.
std::map<std::string, Apply> OptionsOfTime() {
  using W = WrittenJob;
  return {
      {"iodepth", Whole([](W& w) -> int& { return w.job.depth; }, 1, 65'536)},
      {"numjobs", Whole([](W& w) -> int& { return w.job.clones; }, 1, 4096)},
      {"runtime", Microtime([](W& w) -> int64_t& { return w.runtime_us; }, kSecondUs)},
      {"time_based", Flag([](W& w) -> bool& { return w.job.time_based; })},
      {"ramp_time", Microtime([](W& w) -> int64_t& { return w.ramp_us; }, kSecondUs)},
      {"startdelay", ApplyDelay},
      {"stonewall", Flag([](W& w) -> bool& { return w.stonewall; })},
      {"rate", [](const Line& line, Reader& reader) { ApplyRates(line, reader, true); }},
      {"rate_iops", [](const Line& line, Reader& reader) { ApplyRates(line, reader, false); }},
      {"rate_process",
       [](const Line& line, Reader& reader) {
         reader.written.job.poisson = ParseFioWord(line.value, {"linear", "poisson"}) == 1;
       }},
      {"io_submit_mode",
       [](const Line& line, Reader& reader) {
         reader.written.job.offload = ParseFioWord(line.value, {"inline", "offload"}) == 1;
       }},
      {"thinktime",
       [](const Line& line, Reader& reader) {
         reader.written.job.think = Microseconds(ParseFioTime(line.value, 1));
       }},
      {"thinktime_blocks",
       [](const Line& line, Reader& reader) {
         reader.written.job.think_blocks = ParseFioNumber(line.value, reader.kb_base, 1, kMany);
         reader.written.think_blocks_given = true;
       }},
      {"thinktime_blocks_type",
       [](const Line& line, Reader& reader) {
         reader.written.job.think_issued = ParseFioWord(line.value, {"complete", "issue"}) == 1;
       }},
      {"thinktime_iotime", Microtime([](W& w) -> int64_t& { return w.think_every_us; }, kSecondUs)},
      {"ioengine", [](const Line& line, Reader& reader) { reader.written.engine = EngineOf(line.value); }},
      {"name", [](const Line& line, Reader& reader) { reader.written.job.name = line.value.text; }},
      {"kb_base", [](const Line&, Reader&) {}},
  };
}

std::map<std::string, Apply> Options() {
  std::map<std::string, Apply> all = OptionsOfData();
  all.merge(OptionsOfTime());
  const std::pair<const char*, const char*> aliases[] = {{"readwrite", "rw"},
                                                         {"blocksize", "bs"},
                                                         {"blocksize_range", "bsrange"},
                                                         {"timeout", "runtime"},
                                                         {"start_delay", "startdelay"},
                                                         {"wait_for_previous", "stonewall"},
                                                         {"io_limit", "io_size"},
                                                         {"blocksize_unaligned", "bs_unaligned"}};
  for (const auto& [alias, name] : aliases) all[alias] = all.at(name);
  return all;
}

/// Whether the option may lack its value.
bool MayBeBare(const std::string& key) {
  return key == "time_based" || key == "stonewall" || key == "wait_for_previous" || key == "norandommap" ||
         key == "bs_unaligned" || key == "blocksize_unaligned";
}

}  // namespace

void ApplyOption(const Line& line, Reader& reader) {
  static const std::map<std::string, Apply> options = Options();
  const std::string& key = line.key.text;
  if (const auto found = options.find(key); found != options.end()) {
    const bool blank = line.value.text.find_first_not_of(" \t") == std::string::npos;
    if (line.bare ? !MayBeBare(key) : blank)
      throw ScenarioError(line.key.where, fmt::format("{} has no value", Quote(key)), key + "=…");
    return found->second(line, reader);
  }
  if (ApplyOther(line)) return;
  const size_t blank = key.find_first_of(" \t:");
  if (line.bare && blank != std::string::npos) {
    const std::string word = key.substr(0, blank);
    const size_t rest = std::min(key.find_first_not_of(" \t:", blank), key.size());
    throw ScenarioError(line.key.where, Quote(key) + " has no \"=\"", "write the line as KEY=VALUE",
                        options.contains(word) ? Quote(word + '=' + key.substr(rest)) : "");
  }
  std::vector<std::string> names;
  for (const auto& [name, apply] : options) names.push_back(name);
  for (const std::string_view name : KeysThatChangeNothing()) names.emplace_back(name);
  throw ScenarioError(line.key.where, "unknown key " + Quote(key),
                      line.bare ? "write each line as KEY=VALUE, with a key of fio's manual"
                                : "allowed: the keys of fio's manual",
                      Nearest(key, names));
}

void CheckJob(const WrittenJob& written) {
  const IoJob& job = written.job;
  const auto fail = [&](const std::string& wrong, const std::string& allowed) {
    throw ScenarioError(written.where, wrong, allowed);
  };
  if (job.time_based && written.runtime_us == 0)
    fail("time_based needs a runtime, which is missing", "runtime=10 beside it");
  for (const bool writes : {false, true}) {
    const IoJobSide& side = job.sides[writes];
    if (writes ? !job.Writes() : !job.Reads()) continue;
    if (side.rate.v > 0 && side.rate < side.least)
      fail(fmt::format("a rate of {} bytes a second is less than a block of {}", side.rate.v, side.least.v),
           "give a higher rate, or smaller blocks");
    const int64_t rate = side.rate.v > 0 ? side.rate / side.least : side.rate_iops;
    const bool in_gaps = job.poisson || (side.rate.v == 0 && !side.split.empty());
    if (in_gaps && rate > kSecondUs)
      fail(fmt::format("the rate is {} I/Os a second, but fio rounds gaps to whole microseconds, and "
                       "this gap would be 0",
                       rate),
           "allowed: up to 1000000, or rate_process=linear without bssplit");
  }
}

}  // namespace headroom::fio
