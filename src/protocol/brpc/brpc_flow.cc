#include "protocol/brpc/brpc_flow.h"

#include <utility>

namespace headroom {

namespace {

/// A writer resumes when at least the share 1/8 of the capacity is free.
constexpr int kWakeShare = 8;
/// Up to the share 1/4 of the capacity may lie between two signaled or solicited work requests.
constexpr int kQuietShare = 4;
/// A pure ACK needs more than the share 1/2 of the capacity.
constexpr int kAckShare = 2;

}  // namespace

BrpcFlow::Data BrpcFlow::OnData(uint32_t bytes, bool last) {
  Data data;
  data.imm = std::exchange(owed_, 0);
  data.solicited = every_ || rq_window_ == 1 || sq_window_ == 1 || last ||
                   unsolicited_ > capacity_ / kQuietShare ||
                   unsolicited_acks_ > static_cast<uint32_t>(peer_capacity_ / kQuietShare) ||
                   unsolicited_bytes_ > kMostUnsolicitedBytes;
  if (data.solicited) {
    unsolicited_ = 0;
    unsolicited_bytes_ = unsolicited_acks_ = 0;
  } else {
    ++unsolicited_;
    unsolicited_bytes_ += bytes;
    unsolicited_acks_ += data.imm;
  }
  if (++unsignaled_ >= static_cast<uint32_t>(capacity_ / kQuietShare) || every_)
    data.completes = std::exchange(unsignaled_, 0);
  --rq_window_;
  --sq_window_;
  return data;
}

bool BrpcFlow::OnSent(uint32_t count) {
  sq_window_ += static_cast<int>(count);
  return rq_window_ >= capacity_ / kWakeShare;
}

bool BrpcFlow::OnImm(uint32_t count) {
  const int before = rq_window_, threshold = capacity_ / kWakeShare;
  rq_window_ += static_cast<int>(count);
  return sq_window_ > 0 && (before >= threshold || static_cast<int>(count) >= threshold);
}

uint32_t BrpcFlow::Acknowledge(uint32_t more) {
  const uint32_t before = owed_;
  owed_ += more;
  if (before <= static_cast<uint32_t>(peer_capacity_ / kAckShare) || acks_ == 0) return 0;
  --acks_;
  return std::exchange(owed_, 0);
}

}  // namespace headroom
