// The time that a disk's appends wait for their answers before their extent is sealed.
//
// A seal may hit an extent that is only slow. Then all waiting appends are repeated at once, behind those
// still in flight to abandoned nodes. If the repetitions again take longer than the timeout, no append is
// ever acknowledged, although nothing has failed. So each seal lengthens the timeout. It returns to its
// initial value when, for the length of the present timeout, no answer took longer than the initial value.
//
// Source: RFC 6298, section 5.5 (a timeout doubles each time it expires); Bronson et al., HotOS 2021 (stores
// that repeat work stay overloaded after the cause of the overload has gone). Ours: the condition for the
// return, and the limit.
#pragma once

#include <algorithm>

#include "protocol/storage/storage_parameters.h"

namespace headroom {

class SealTimeout final {
 public:
  static constexpr int64_t kLongest = 64;  ///< largest multiple of the initial timeout

  explicit SealTimeout(const SealParameters& parameters)
      : after_(parameters.after), backoff_(parameters.backoff), timeout_(after_) {}

  /// The timeout of an append that begins now. Returns 0 if there is no timeout.
  Time Begin(Time now) {
    if (now - slow_ >= timeout_) timeout_ = after_;
    return timeout_;
  }
  void OnAnswered(Time begun, Time now) {
    if (now - begun > after_) slow_ = now;
  }
  /// After an answer that was late, the replacing extent now exists.
  void OnSealed(Time now) {
    timeout_ = std::min(timeout_ * backoff_, after_ * kLongest);
    slow_ = now;
  }

 private:
  const Time after_;
  const int64_t backoff_;
  Time timeout_;
  Time slow_;  ///< the last time at which `after_` proved too short
};

}  // namespace headroom
