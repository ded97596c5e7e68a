// How long a disk's appends wait for their answers before their extent is sealed.
//
// An extent may be sealed that is only slow. Then all waiting appends are repeated at once, behind those
// still on their way to abandoned nodes. Where that again takes longer than the timeout, nothing is
// acknowledged any more, even if all the time nothing was wrong. So each seal makes the timeout longer, and
// it is as at first when for as long as that no answer took longer than it did then.
//
// Source: RFC 6298, section 5.5 (a timeout doubles each time it expires); Bronson et al., HotOS 2021 (stores
// that repeat work stay overloaded when what overloaded them has gone). Ours: when it is short again, the
// limit.
#pragma once

#include <algorithm>

#include "protocol/storage/storage_parameters.h"

namespace headroom {

class SealTimeout final {
 public:
  static constexpr int64_t kLongest = 64;  ///< times what it is at first

  explicit SealTimeout(const SealParameters& parameters)
      : after_(parameters.after), backoff_(parameters.backoff), timeout_(after_) {}

  /// The timeout of an append that begins now. 0: there is none.
  Time Begin(Time now) {
    if (now - slow_ >= timeout_) timeout_ = after_;
    return timeout_;
  }
  void OnAnswered(Time begun, Time now) {
    if (now - begun > after_) slow_ = now;
  }
  /// After an answer that did not come in time, the replacing extent exists.
  void OnSealed(Time now) {
    timeout_ = std::min(timeout_ * backoff_, after_ * kLongest);
    slow_ = now;
  }

 private:
  const Time after_;
  const int64_t backoff_;
  Time timeout_;
  Time slow_;  ///< when it last turned out that `after_` was too short
};

}  // namespace headroom
