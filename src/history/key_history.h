// Requests to a service of keys, their answers and their times: enough to say afterwards whether a GET may
// have given its answer.
//
// Each PUT is a version of its key, with a number of its own. A PUT that was requested more than once may
// happen as often, at any time from then on. Requests are sent again until one is answered, and the server
// does not recognise repeated ones. So is one that was given up. Of such a PUT the only judgement is that
// nobody saw it before it began.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "history/judgement.h"
#include "sim/units.h"

namespace headroom {

class KeyHistory {
 public:
  /// Versions tell who wrote them: whole numbers of eight bytes. Shorter ones are not judged.
  static constexpr uint32_t kShortestValue = 8;
  /// As it was loaded.
  static constexpr uint64_t kLoaded = 0;

  /// `key`: its number; `bytes`: of the value. Returns the operation's number.
  uint32_t Begin(uint64_t key, uint32_t bytes, Time now);
  /// The operation is a PUT of this version and has been sent.
  void Writes(uint32_t operation, uint64_t version);
  /// It has been answered. `once`: it went out a single time.
  void EndPut(uint32_t operation, Time now, bool once);
  /// The GET has given this version; none: there is no such key.
  void EndGet(uint32_t operation, Time now, std::optional<uint64_t> version);
  /// The GET has given what is no version of its key, whole.
  void EndWrong(uint32_t operation, Time now);
  /// It has not happened: the PUT found no room.
  void Fail(uint32_t operation);

  struct Names {
    std::function<std::string(uint64_t key)> key;
    uint64_t loaded = 0;  ///< keys that there were at the beginning
    /// A key that was loaded or PUT may be missing: a cache forgets.
    bool forgets = true;
  };
  /// Whether each key was a register: all operations have an order in which every GET returns the last PUT.
  /// In this order no operation precedes one that had ended when it began.
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
