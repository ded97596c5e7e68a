#include "history/key_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "history/register_story.h"

namespace headroom {

namespace {

RegisterWords WordsOfKeys() {
  const auto version = [](uint64_t v) {
    return v == KeyHistory::kLoaded ? "what was loaded" : fmt::format("version {}", v);
  };
  return {version, [version](uint64_t v) { return "the PUT of " + version(v); }, "a GET"};
}

}  // namespace

uint32_t KeyHistory::Begin(uint64_t key, uint32_t bytes, Time now) {
  Operation& o = operations_.emplace_back();
  o.key = key;
  o.bytes = bytes;
  o.begun = now;
  return static_cast<uint32_t>(operations_.size() - 1);
}

void KeyHistory::Writes(uint32_t operation, uint64_t version) {
  operations_[operation].what = What::put;
  operations_[operation].version = version;
  operations_[operation].once = false;  // false until it is answered
}

void KeyHistory::EndPut(uint32_t operation, Time now, bool once) {
  operations_[operation].ended = now;
  operations_[operation].once = once;
}

void KeyHistory::EndGet(uint32_t operation, Time now, std::optional<uint64_t> version) {
  operations_[operation].what = version ? What::get : What::miss;
  operations_[operation].version = version.value_or(kLoaded);
  operations_[operation].ended = now;
}

void KeyHistory::EndWrong(uint32_t operation, Time now) {
  operations_[operation].what = What::wrong;
  operations_[operation].ended = now;
}

void KeyHistory::Fail(uint32_t operation) { operations_[operation].what = What::failed; }

void KeyHistory::JudgeKey(const std::vector<uint32_t>& numbers, const Names& names,
                          HistoryJudgement& judgement) const {
  const RegisterWords words = WordsOfKeys();
  const uint64_t key = operations_[numbers.front()].key;
  const bool loaded = key < names.loaded;
  const auto violate = [&](const std::string& story) { judgement.Violate(names.key(key) + ": " + story); };
  std::vector<RegisterOperation> at;               // operations of PUTs that were executed once
  std::map<uint64_t, RegisterOperation> again;     // operations of the other PUTs, by version
  Time there = loaded ? Time(INT64_MIN) : kNever;  // the latest time from which the key exists
  for (const uint32_t number : numbers) {
    const Operation& o = operations_[number];
    if (o.what != What::put) continue;
    const RegisterOperation write{o.version, o.begun, o.ended, number, true};
    there = std::min(there, o.ended);
    if (o.once)
      at.push_back(write);
    else
      again.emplace(o.version, write);
  }
  for (const uint32_t number : numbers) {
    const Operation& o = operations_[number];
    if (o.what == What::put || o.what == What::failed || o.ended == kNever) continue;
    const RegisterOperation read{o.version, o.begun, o.ended, number, false};
    if (o.what == What::wrong)
      return violate(fmt::format("a GET ({}) returned a value that nobody ever wrote to the key",
                                 SpanText(o.begun, o.ended)));
    if (o.what == What::miss) {
      if (names.forgets || o.begun <= there) continue;
      return violate(fmt::format("a GET ({}) did not find the key", SpanText(o.begun, o.ended)));
    }
    if (o.version == kLoaded && !loaded) return violate(Words(read, words) + ", but the key did not exist");
    const auto put = again.find(o.version);
    if (put == again.end())
      at.push_back(read);
    else if (o.ended < put->second.start)
      return violate(
          Words(RegisterViolation{RegisterViolation::Rule::too_early, read, put->second, {}, {}}, words));
  }
  const auto v = FindViolation(at);
  if (!v) return;
  const bool unknown = v->rule == RegisterViolation::Rule::unknown_value;
  violate(unknown ? Words(v->first, words) + ", but this version was never PUT" : Words(*v, words));
}

HistoryJudgement KeyHistory::Judge(const Names& names) const {
  HistoryJudgement judgement;
  std::map<uint64_t, std::vector<uint32_t>> of_key;
  for (uint32_t i = 0; i < operations_.size(); ++i) of_key[operations_[i].key].push_back(i);
  for (const auto& [key, numbers] : of_key) {
    const auto ended = static_cast<uint64_t>(std::ranges::count_if(numbers, [this](uint32_t i) {
      return operations_[i].ended != kNever && operations_[i].what != What::failed;
    }));
    if (std::ranges::any_of(numbers, [this](uint32_t i) { return operations_[i].bytes < kShortestValue; })) {
      judgement.left_out += ended;
      continue;
    }
    judgement.operations += ended;
    ++judgement.keys;
    JudgeKey(numbers, names, judgement);
  }
  return judgement;
}

}  // namespace headroom
