// The messages of a run as a list, in the order in which they begin.
#pragma once

#include <map>
#include <vector>

#include "protocol/messages/traffic.h"

namespace headroom {

class MessageList final : public MessageLog {
 public:
  explicit MessageList(Traffic& traffic) : traffic_(traffic) { traffic.SetLog(*this); }
  void Add(const Begun& begun, const MessageRecord& message) override { messages_[begun.number] = message; }
  void Add(const MessageApart& /*apart*/) override {}
  void Add(const ArrivedPackets& /*arrived*/) override {}
  /// Call it once, after the run.
  std::vector<MessageRecord> All() {
    traffic_.GiveOpen();
    std::vector<MessageRecord> all;
    for (const auto& [number, message] : messages_) all.push_back(message);
    return all;
  }

 private:
  Traffic& traffic_;
  std::map<uint32_t, MessageRecord> messages_;
};

}  // namespace headroom
