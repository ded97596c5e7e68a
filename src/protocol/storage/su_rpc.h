// Calls over sU-RDMA: a request and its response, each a Write of a socket, matched by the call's number. The
// stream brings each once, whole and in order, so a call is executed once.
#pragma once

#include <functional>
#include <map>

#include "protocol/storage/su_socket.h"

namespace headroom {

/// A request or response, whole.
struct SuCall {
  uint64_t number = 0;
  uint64_t length = 0;
  std::vector<uint8_t> bytes;  ///< empty where data are counted
};

/// One end; each may call the other.
class SuRpc final : public SuUser {
 public:
  /// Executes a request; Respond answers it, now or later.
  using Server = std::function<void(const SuCall&)>;
  using Answer = std::function<void(const SuCall&)>;

  /// Both before anything comes.
  void SetSocket(SuSocket& socket) { socket_ = &socket; }
  void SetServer(Server server) { server_ = std::move(server); }
  /// No answer comes any more to what is open: the connection has ended.
  void SetOnEnded(std::function<void()> on_ended) { on_ended_ = std::move(on_ended); }

  /// `answer` hears of the response. Returns the call's number.
  uint64_t Call(uint64_t length, Answer answer, std::vector<uint8_t> bytes = {});
  void Respond(uint64_t number, uint64_t length, std::vector<uint8_t> bytes = {});

  size_t open() const { return open_.size(); }
  uint64_t corrupt() const { return corrupt_; }

  bool OnData(const SuData& data) override;
  void OnCorrupt(uint64_t, uint32_t) override { ++corrupt_; }
  void OnEnded(bool) override;

 private:
  SuSocket* socket_ = nullptr;
  Server server_;
  std::function<void()> on_ended_;
  std::map<uint64_t, Answer> open_;
  SuCall coming_;
  uint64_t calls_ = 0, corrupt_ = 0;
};

}  // namespace headroom
