// Requests to a service of keys, their answers and their times: enough to check afterwards whether a GET may
// have given its answer.
//
// Each PUT is a version of its key, with a number of its own. A PUT that was requested several times may be
// executed as often, at any time from then on. Requests are repeated until one is answered, and the server
// does not recognise repetitions. The same holds for a PUT that was given up. For such a PUT only one rule is
// checked: no GET returned its value before it began.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "history/judgement.h"
#include "sim/units.h"

namespace headroom {

class KeyHistory {
 public:
  /// A value contains its version, a whole number of eight bytes. Shorter values are not judged.
  static constexpr uint32_t kShortestValue = 8;
  /// The version of a loaded value.
  static constexpr uint64_t kLoaded = 0;

  /// `key`: its number; `bytes`: size of the value. Returns the operation's number.
  uint32_t Begin(uint64_t key, uint32_t bytes, Time now);
  /// The operation is a PUT of this version and has been sent.
  void Writes(uint32_t operation, uint64_t version);
  /// The PUT has been answered. `once`: it was sent a single time.
  void EndPut(uint32_t operation, Time now, bool once);
  /// The GET returned this version; none means that there is no such key.
  void EndGet(uint32_t operation, Time now, std::optional<uint64_t> version);
  /// The GET returned something other than a complete version of its key.
  void EndWrong(uint32_t operation, Time now);
  /// The PUT has not been executed, because it found no room.
  void Fail(uint32_t operation);

  struct Names {
    std::function<std::string(uint64_t key)> key;
    uint64_t loaded = 0;  ///< number of keys at the beginning
    /// A key that was loaded or PUT may be missing, because a cache forgets.
    bool forgets = true;
  };
  /// Judges whether each key was a register: all operations have an order in which every GET returns the last
  /// PUT. In this order, an operation that ended before another began precedes it.
  HistoryJudgement Judge(const Names& names) const;

 private:
  enum class What : uint8_t { get, put, miss, wrong, failed };
  struct Operation {
    uint64_t key = 0, version = 0;
    Time begun, ended = kNever;
    uint32_t bytes = 0;
    What what = What::get;
    bool once = true;
  };
  void JudgeKey(const std::vector<uint32_t>& numbers, const Names& names, HistoryJudgement& judgement) const;

  std::vector<Operation> operations_;
};

}  // namespace headroom
